//! The verbs of the service: waking, putting to sleep, shutting down, starting afresh.

use super::amend::{Attempt, Kept};
use super::event::EventKind;
use super::hold::LeaseOptions;
use super::lease::{Bootup, Lease, Why};
use super::options::CreateOptions;
use super::record::is_awake;
use super::service::{Origin, Sandboxes};
use crate::error::{Code, Error, Result};
use offshoot_store::ObjectId;

impl Sandboxes {
    /// Wakes a sandbox and leaves it awake; how it came to be awake. One that is awake here is fine.
    ///
    /// # Errors
    /// Those of [`Sandboxes::lease`].
    pub async fn resume(&self, name: &str) -> Result<Bootup> {
        Ok(self.lease(name).await?.bootup())
    }

    /// The same as [`Sandboxes::suspend`], by the name that hosted sandboxes have for it: files and
    /// sessions are kept.
    ///
    /// # Errors
    /// Those of [`Sandboxes::suspend`].
    pub async fn hibernate(&self, name: &str) -> Result<ObjectId> {
        self.suspend(name).await
    }

    /// Makes the present state of a sandbox durable that is awake here, and leaves it awake. Should its
    /// process end, this is the state that it comes back with.
    ///
    /// Scripts that run go on, and are not part of what is stored; nor is what contexts hold, which a suspend and a
    /// branch take.
    ///
    /// # Errors
    /// `CONFLICT` where it is not awake in this process, `FENCED` where another one took it over,
    /// `POLICY_DENIED` for a declared secret, those of the store.
    pub async fn checkpoint(&self, name: &str) -> Result<ObjectId> {
        let slot = self.slot(name);
        let live = slot.live.lock().await;
        match live.as_ref() {
            Some(live) => self.checkpoint_live(name, live, None, false).await,
            None => {
                let message = format!("{name} is not awake in this process");
                Err(Error::new(Code::Conflict, "checkpoint", message))
            }
        }
    }

    /// Puts a sandbox to sleep and gives up its sessions: files are kept, and the next start is
    /// [`Bootup::Clean`], with its setup run again. One that sleeps starts clean as well.
    ///
    /// # Errors
    /// Those of [`Sandboxes::suspend`].
    pub async fn shutdown(&self, name: &str) -> Result<()> {
        let slot = self.slot(name);
        let mut live = slot.live.lock().await;
        if live.is_some() {
            free(name, slot.leases())?;
            let why = Why::Shutdown;
            self.suspend_live(name, &slot, &mut live, why).await?;
            return Ok(());
        }
        let change = |attempt: &mut Attempt| {
            if is_awake(attempt.found.state) {
                let message = "another process has it awake";
                return Err(Error::new(Code::Conflict, "shutdown", message).with_retryable(true));
            }
            if !attempt.record.clean {
                Why::Shutdown.settle(&mut attempt.record, attempt.now)?;
                attempt.tell(EventKind::Shutdown, None);
            }
            Ok(())
        };
        self.amend("shutdown", name, Kept::Durably, change).await?;
        self.deliver_later(name);
        Ok(())
    }

    /// A counted lease on a sandbox that is made where it is missing, and filled by a callback before
    /// anybody uses it. Of many callers at once, one makes it and one fills it, and all get the same
    /// one.
    ///
    /// Where filling it fails nobody gets it, and the next caller tries again.
    ///
    /// # Errors
    /// `NOT_FOUND` for a callback that is not registered, `DIED` with what it said, those of
    /// [`Sandboxes::create`] and [`Sandboxes::lease_with`].
    pub async fn ensure(
        &self,
        name: &str,
        origin: impl Fn() -> Origin,
        load: &str,
        options: LeaseOptions,
    ) -> Result<Lease> {
        loop {
            let lease = match self.lease_with(name, options.clone()).await {
                Err(error) if error.code() == Code::NotFound => {
                    let options = CreateOptions::new().load(load);
                    match self.create_with(name, origin(), options).await {
                        Err(error) if error.code() == Code::Conflict => {}
                        made => made.map(drop)?,
                    }
                    continue;
                }
                lease => lease?,
            };
            self.load(name).await?;
            return Ok(lease);
        }
    }

    /// Fills a new sandbox, once.
    async fn load(&self, name: &str) -> Result<()> {
        let slot = self.slot(name);
        let _turn = slot.setup.lock().await;
        let (_, record) = self.read(name).await?;
        let Some(load) = record.load else {
            return Ok(());
        };
        let missing = || {
            let message = format!("no callback {load} is registered");
            Error::new(Code::NotFound, "ensure", message)
        };
        let callback = self.0.callbacks.get(&load).ok_or_else(missing)?;
        let loaded = callback(self.clone(), name.to_owned()).await;
        loaded.map_err(|error| {
            let message = format!("{name}: {load}: {error}");
            Error::new(Code::Died, "ensure", message).with_retryable(true)
        })?;
        let change = |attempt: &mut Attempt| {
            attempt.record.load = None;
            Ok(())
        };
        self.amend("ensure", name, Kept::Durably, change)
            .await
            .map(drop)
    }

    /// Shuts a sandbox down and starts it clean, as one step for everybody else in this process. Where
    /// it cannot be started again it is shut down, with everything stored.
    ///
    /// # Errors
    /// Those of [`Sandboxes::shutdown`] and [`Sandboxes::lease`].
    pub async fn restart(&self, name: &str) -> Result<Bootup> {
        let slot = self.slot(name);
        let mut live = slot.live.lock().await;
        free(name, slot.leases())?;
        if live.is_some() {
            let why = Why::Shutdown;
            self.suspend_live(name, &slot, &mut live, why).await?;
        } else {
            drop(live);
            self.shutdown(name).await?;
            live = slot.live.lock().await;
        }
        if live.is_some() {
            // Somebody has started it since, and cleanly.
            return Ok(Bootup::Running);
        }
        self.wake_into(name, &slot, &mut live).await
    }
}

/// Refuses what would end something under somebody's hands.
fn free(name: &str, leases: usize) -> Result<()> {
    if leases == 0 {
        return Ok(());
    }
    let message = format!("{name} is in use: {leases} leases are held");
    Err(Error::new(Code::Conflict, "shutdown", message).with_retryable(true))
}

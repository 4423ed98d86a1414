//! The verbs of the service: waking, putting to sleep, shutting down, starting afresh.

use super::amend::{Attempt, Kept};
use super::event::EventKind;
use super::lease::{Bootup, Why};
use super::record::is_awake;
use super::service::Sandboxes;
use crate::context::Taking;
use crate::error::{Code, Error, Result};
use offshoot_store::{ObjectId, State};

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
    /// Scripts that run go on, and are not part of what is stored. Contexts are, but no interpreter's memory is copied
    /// for it, as a suspend and a branch do: what is stored is shells, what was captured since the last cell, and
    /// contexts in which no cell has run. The first cell of another one answers `CONFLICT` in a sandbox that came back
    /// from it, and [`Context::restart`](crate::Context::restart) begins afresh.
    ///
    /// # Errors
    /// `CONFLICT` where it is not awake in this process, `FENCED` where another one took it over,
    /// `POLICY_DENIED` for a declared secret, those of the store.
    pub async fn checkpoint(&self, name: &str) -> Result<ObjectId> {
        let slot = self.slot(name);
        let live = slot.live.lock().await;
        match live.as_ref() {
            Some(live) => self.checkpoint_live(name, live, None, Taking::Known).await,
            None => {
                let message = format!("{name} is not awake in this process");
                Err(Error::new(Code::Conflict, "checkpoint", message))
            }
        }
    }

    /// Whether a sandbox sleeps with everything stored.
    ///
    /// # Errors
    /// `NOT_FOUND`, those of the store.
    pub async fn is_asleep(&self, name: &str) -> Result<bool> {
        Ok(self.read(name).await?.0.state == State::Suspended)
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

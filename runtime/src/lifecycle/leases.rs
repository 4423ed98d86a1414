//! Counted leases on one sandbox: who takes, renews and gives them back, and making what is missing.

use super::amend::{Attempt, Kept};
use super::create::Origin;
use super::event::EventKind;
use super::hold::{Hold, Holder, HolderInfo, LeaseOptions, OnLastRelease, millis};
use super::lease::Lease;
use super::options::CreateOptions;
use super::service::Sandboxes;
use crate::error::{Code, Error, Result};
use std::sync::Arc;
use std::time::Duration;

/// The longest name of a holder, in bytes.
const LONGEST_HOLDER: usize = 128;

/// Counted leases on one sandbox. See [`Sandboxes::leases`].
///
/// [`Sandboxes::lease`] is enough where one process uses a sandbox. Count leases where several do, or
/// where something is to follow when nobody uses it any more: they are in the store, other processes see
/// them, they run out when their holder dies, and the last one that is given back puts the sandbox to
/// sleep, deletes it or runs a callback.
///
/// ```
/// # #[tokio::main] async fn main() -> offshoot::Result<()> {
/// use offshoot::{Sandbox, lifecycle::{LeaseOptions, OnLastRelease, Origin, Sandboxes, Store}};
/// let sandboxes = Sandboxes::open(Store::memory());
/// sandboxes.create("box", Origin::template(Sandbox::builder())).await?;
///
/// let leases = sandboxes.leases("box");
/// let options = LeaseOptions::new().on_last_release(OnLastRelease::Suspend);
/// let lease = leases.acquire(options).await?;
/// lease.exec("echo here").await?;
/// assert_eq!(leases.list().await?.len(), 1);
/// lease.release().await?;
/// assert!(sandboxes.is_asleep("box").await?);
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct Leases {
    sandboxes: Sandboxes,
    name: String,
}

impl Sandboxes {
    /// The counted leases on a sandbox.
    pub fn leases(&self, name: impl Into<String>) -> Leases {
        Leases {
            sandboxes: self.clone(),
            name: name.into(),
        }
    }
}

impl Leases {
    /// A lease that is counted in the store: other processes see it, it runs out when this process
    /// dies, and the last one to be released puts the sandbox to sleep or deletes it, as
    /// [`LeaseOptions::on_last_release`] says. The sandbox is woken where it sleeps.
    ///
    /// # Errors
    /// Those of [`Sandboxes::lease`], and then nothing is counted; `INVALID` for a holder's name
    /// that is empty or longer than 128 bytes.
    pub async fn acquire(&self, options: LeaseOptions) -> Result<Lease> {
        let hold = self.hold(options).await?;
        match self.sandboxes.lease(&self.name).await {
            Ok(lease) => Ok(lease.holding(hold)),
            Err(error) => {
                hold.withdraw().await;
                Err(error)
            }
        }
    }

    /// A counted lease without waking the sandbox: for a process that only keeps it from being put
    /// to sleep, or that routes to the one that has it awake.
    ///
    /// # Errors
    /// `NOT_FOUND`, `INVALID` as [`Leases::acquire`], those of the store.
    pub async fn hold(&self, options: LeaseOptions) -> Result<Hold> {
        let LeaseOptions {
            holder,
            ttl,
            grace,
            on_last_release,
        } = options;
        let holder = holder
            .unwrap_or_else(|| format!("{}/{}", self.sandboxes.0.owner(), self.sandboxes.nonce()));
        if holder.is_empty() || holder.len() > LONGEST_HOLDER {
            let message = format!("{holder:?} cannot be the name of a holder");
            return Err(Error::new(Code::Invalid, "lease", message));
        }
        let (key, length) = (holder.clone(), millis(ttl));
        self.sandboxes
            .amend("lease", &self.name, Kept::WhileRunning, move |attempt| {
                let (now, record) = (attempt.now, &mut attempt.record);
                record.count(&key, now, now.saturating_add(length));
                if let Some(action) = &on_last_release {
                    record.on_last_release = action.clone();
                }
                record.grace_ms = grace.map_or(record.grace_ms, millis);
                Ok(())
            })
            .await?;
        let service = Arc::downgrade(&self.sandboxes.0);
        Ok(Hold::kept(service, self.name.clone(), holder, ttl))
    }

    /// Renews a lease on behalf of a holder, for servers that keep nothing between two requests.
    ///
    /// # Errors
    /// `NOT_FOUND` where the holder's lease has run out or the sandbox is gone.
    pub async fn heartbeat(&self, holder: &str, ttl: Duration) -> Result<()> {
        let (key, length) = (holder.to_owned(), millis(ttl));
        self.sandboxes
            .amend(
                "heartbeat",
                &self.name,
                Kept::WhileRunning,
                move |attempt| {
                    let (now, record) = (attempt.now, &mut attempt.record);
                    let gone = || {
                        let message = format!("{key} holds no lease any more");
                        Error::new(Code::NotFound, "heartbeat", message)
                    };
                    let held = record.holders.get_mut(&key);
                    let held = held.filter(|held| held.until >= now).ok_or_else(gone)?;
                    held.until = now.saturating_add(length);
                    record.used = now;
                    Ok(())
                },
            )
            .await
            .map(drop)
    }

    /// Gives a lease back on behalf of a holder; whether it was the last one. Doing it twice is
    /// fine.
    ///
    /// # Errors
    /// As [`Hold::release`], those of the store.
    pub async fn release(&self, holder: &str) -> Result<bool> {
        let key = holder.to_owned();
        let released = self
            .sandboxes
            .amend("release", &self.name, Kept::WhileRunning, move |attempt| {
                let (now, record) = (attempt.now, &mut attempt.record);
                let held = record.holders.remove(&key).is_some();
                record.drop_lapsed(now);
                let last = held && record.holders.is_empty();
                if last {
                    record.released(now);
                    attempt.tell(EventKind::Released, None);
                }
                Ok(last)
            })
            .await;
        let released = match released {
            // Deleted meanwhile, with all leases on it.
            Err(error) if error.code() == Code::NotFound => return Ok(false),
            other => other?,
        };
        if !released.answer || released.record.on_last_release == OnLastRelease::Keep {
            return Ok(released.answer);
        }
        let grace = Duration::from_millis(released.record.grace_ms);
        self.sandboxes.deliver_later(&self.name);
        if grace.is_zero() {
            self.sandboxes.attend(&self.name).await?;
        } else {
            self.sandboxes.attend_later(&self.name, grace);
        }
        Ok(true)
    }

    /// Who holds counted leases on a sandbox.
    ///
    /// # Errors
    /// `NOT_FOUND`, those of the store.
    pub async fn list(&self) -> Result<Vec<HolderInfo>> {
        let (_, record) = self.sandboxes.read(&self.name).await?;
        let now = self
            .sandboxes
            .blocking("holders", |store| store.now())
            .await?;
        let holders = record.holders.into_iter();
        let alive = holders.filter(|(_, holder)| holder.until >= now);
        let info = |(name, held): (String, Holder)| HolderInfo {
            holder: name,
            since: held.since,
            until: held.until,
        };
        Ok(alive.map(info).collect())
    }

    /// A counted lease on a sandbox that is made where it is missing, and filled by a callback before
    /// anybody uses it. Of many callers at once, one makes it and one fills it, and all get the same
    /// one.
    ///
    /// Where filling it fails nobody gets it, and the next caller tries again.
    ///
    /// # Errors
    /// `NOT_FOUND` for a callback that is not registered, `DIED` with what it said, those of
    /// [`Sandboxes::create`] and [`Leases::acquire`].
    pub async fn ensure(
        &self,
        origin: impl Fn() -> Origin,
        load: &str,
        options: LeaseOptions,
    ) -> Result<Lease> {
        loop {
            let lease = match self.acquire(options.clone()).await {
                Err(error) if error.code() == Code::NotFound => {
                    let options = CreateOptions::new().load(load);
                    match self
                        .sandboxes
                        .create_with(&self.name, origin(), options)
                        .await
                    {
                        Err(error) if error.code() == Code::Conflict => {}
                        made => made.map(drop)?,
                    }
                    continue;
                }
                lease => lease?,
            };
            self.load().await?;
            return Ok(lease);
        }
    }

    /// Fills a new sandbox, once.
    async fn load(&self) -> Result<()> {
        let name = self.name.as_str();
        let slot = self.sandboxes.slot(name);
        let _turn = slot.setup.lock().await;
        let (_, record) = self.sandboxes.read(name).await?;
        let Some(load) = record.load else {
            return Ok(());
        };
        let missing = || {
            let message = format!("no callback {load} is registered");
            Error::new(Code::NotFound, "ensure", message)
        };
        let callback = self.sandboxes.0.callbacks.get(&load).ok_or_else(missing)?;
        let loaded = callback(self.sandboxes.clone(), name.to_owned()).await;
        loaded.map_err(|error| {
            let message = format!("{name}: {load}: {error}");
            Error::new(Code::Died, "ensure", message).with_retryable(true)
        })?;
        let change = |attempt: &mut Attempt| {
            attempt.record.load = None;
            Ok(())
        };
        self.sandboxes
            .amend("ensure", name, Kept::Durably, change)
            .await
            .map(drop)
    }
}

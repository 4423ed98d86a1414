//! Counted leases that other processes see: a holder renews its own, and what follows when the
//! last one is gone happens whoever is left to do it.

use super::amend::Kept;
use super::event::EventKind;
use super::lease::Lease;
use super::record::Record;
use super::service::{Sandboxes, Service};
use crate::error::{Code, Error, Result};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

/// The shortest time between two heartbeats.
const SHORTEST_BEAT: Duration = Duration::from_millis(20);

/// The longest name of a holder, in bytes.
const LONGEST_HOLDER: usize = 128;

/// What happens when the last counted lease on a sandbox is released, or runs out.
///
/// The names are those of [`SandboxesBuilder::callback`](super::SandboxesBuilder::callback): they
/// are stored, and any process that knows them can act.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum OnLastRelease {
    /// Nothing.
    #[default]
    Keep,
    /// It is put to sleep.
    Suspend,
    /// It is deleted.
    Delete,
    /// A callback runs, which decides.
    Callback(String),
    /// A callback saves what matters elsewhere, and then the sandbox is deleted. While saving fails
    /// the sandbox stays, and saving is tried again.
    SaveAndDelete(String),
}

/// What happens to a sandbox whose owner is gone without having put it to sleep.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum OnCrash {
    /// Whoever finds it wakes it from its last commit and keeps it.
    Adopt,
    /// It sleeps at its last commit.
    Suspend,
    /// It is deleted.
    Delete,
}

/// One counted lease as it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Holder {
    pub(super) since: u64,
    pub(super) until: u64,
}

/// A counted lease, as [`Sandboxes::holders`] shows it. Times are the store's, in milliseconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HolderInfo {
    /// Who holds it.
    pub holder: String,
    /// Since when.
    pub since: u64,
    /// When it runs out, unless it is renewed.
    pub until: u64,
}

/// How a lease is counted; see [`Sandboxes::lease_with`].
#[derive(Debug, Clone)]
#[must_use]
pub struct LeaseOptions {
    holder: Option<String>,
    ttl: Duration,
    grace: Option<Duration>,
    on_last_release: Option<OnLastRelease>,
}

impl Default for LeaseOptions {
    fn default() -> LeaseOptions {
        LeaseOptions::new()
    }
}

impl LeaseOptions {
    /// A holder of its own, and 30 seconds.
    pub fn new() -> LeaseOptions {
        LeaseOptions {
            holder: None,
            ttl: Duration::from_secs(30),
            grace: None,
            on_last_release: None,
        }
    }

    /// Who holds it; a name of its own by default. A holder counts once, however often it asks.
    pub fn holder(mut self, holder: impl Into<String>) -> LeaseOptions {
        self.holder = Some(holder.into());
        self
    }

    /// How long it lasts when the holder is gone. It is renewed three times as often while the
    /// holder lives.
    pub fn ttl(mut self, ttl: Duration) -> LeaseOptions {
        self.ttl = ttl;
        self
    }

    /// How long after the last release what follows from it waits for another holder; from now on,
    /// for every lease on this sandbox.
    pub fn grace(mut self, grace: Duration) -> LeaseOptions {
        self.grace = Some(grace);
        self
    }

    /// What follows from the last release; from now on, for every lease on this sandbox.
    pub fn on_last_release(mut self, action: OnLastRelease) -> LeaseOptions {
        self.on_last_release = Some(action);
        self
    }
}

/// A counted lease in the store. It is renewed until it is released or dropped.
///
/// It keeps the sandbox from being put to sleep, whichever process has it awake; it does not wake
/// it. [`Lease`] does both.
#[derive(Debug)]
pub struct Hold(Option<Held>);

struct Held {
    service: Weak<Service>,
    name: String,
    holder: String,
    lost: Arc<AtomicBool>,
    beat: tokio::task::JoinHandle<()>,
}

impl Hold {
    /// Who holds it.
    pub fn holder(&self) -> &str {
        self.0.as_ref().map_or("", |held| &held.holder)
    }

    /// Whether it ran out before it could be renewed, or the sandbox was deleted.
    pub fn is_lost(&self) -> bool {
        let lost = |held: &Held| held.lost.load(Ordering::Acquire);
        self.0.as_ref().is_none_or(lost)
    }

    /// Gives it back, and where it was the last one, does what follows and waits for it. Dropping
    /// does the same in the background.
    ///
    /// # Errors
    /// What kept the sandbox from being put to sleep, saved or deleted. It was given back all the
    /// same, and what follows is tried again by [`Sandboxes::sweep`].
    pub async fn release(mut self) -> Result<()> {
        let Some(held) = self.0.take() else {
            return Ok(());
        };
        held.beat.abort();
        match held.service.upgrade() {
            Some(service) => {
                let sandboxes = Sandboxes(service);
                sandboxes.release(&held.name, &held.holder).await.map(drop)
            }
            None => Ok(()),
        }
    }

    /// Gives it back without anything following from it.
    async fn withdraw(mut self) {
        let Some(held) = self.0.take() else { return };
        held.beat.abort();
        if let Some(service) = held.service.upgrade() {
            let holder = held.holder.clone();
            let change = move |attempt: &mut super::amend::Attempt| {
                attempt.record.holders.remove(&holder);
                Ok(())
            };
            let _ = Sandboxes(service)
                .amend("lease", &held.name, Kept::WhileRunning, change)
                .await;
        }
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let Some(held) = self.0.take() else { return };
        held.beat.abort();
        // Where nothing can be done here any more, it runs out by itself.
        if let (Some(service), Ok(runtime)) = (
            held.service.upgrade(),
            tokio::runtime::Handle::try_current(),
        ) {
            runtime.spawn(async move {
                let _ = Sandboxes(service).release(&held.name, &held.holder).await;
            });
        }
    }
}

impl fmt::Debug for Held {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Held")
            .field("name", &self.name)
            .field("holder", &self.holder)
            .finish_non_exhaustive()
    }
}

impl Sandboxes {
    /// A lease that is counted in the store: other processes see it, it runs out when this process
    /// dies, and the last one to be released puts the sandbox to sleep or deletes it, as
    /// [`LeaseOptions::on_last_release`] says. The sandbox is woken where it sleeps.
    ///
    /// ```
    /// # #[tokio::main] async fn main() -> offshoot::Result<()> {
    /// use offshoot::{Sandbox, lifecycle::{LeaseOptions, OnLastRelease, Origin, Sandboxes, Store}};
    /// let sandboxes = Sandboxes::open(Store::memory());
    /// sandboxes.create("box", Origin::template(Sandbox::builder())).await?;
    ///
    /// let options = LeaseOptions::new().on_last_release(OnLastRelease::Suspend);
    /// let lease = sandboxes.lease_with("box", options).await?;
    /// lease.exec("echo here").await?;
    /// lease.release().await?;
    /// assert!(sandboxes.is_asleep("box").await?);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Those of [`Sandboxes::lease`], and then nothing is counted; `INVALID` for a holder's name
    /// that is empty or longer than 128 bytes.
    pub async fn lease_with(&self, name: &str, options: LeaseOptions) -> Result<Lease> {
        let hold = self.hold(name, options).await?;
        match self.lease(name).await {
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
    /// `NOT_FOUND`, `INVALID` as [`Sandboxes::lease_with`], those of the store.
    pub async fn hold(&self, name: &str, options: LeaseOptions) -> Result<Hold> {
        let LeaseOptions {
            holder,
            ttl,
            grace,
            on_last_release,
        } = options;
        let holder = holder.unwrap_or_else(|| format!("{}/{}", self.0.owner(), self.nonce()));
        if holder.is_empty() || holder.len() > LONGEST_HOLDER {
            let message = format!("{holder:?} cannot be the name of a holder");
            return Err(Error::new(Code::Invalid, "lease", message));
        }
        let (key, length) = (holder.clone(), millis(ttl));
        self.amend("lease", name, Kept::WhileRunning, move |attempt| {
            let (now, record) = (attempt.now, &mut attempt.record);
            record.count(&key, now, now.saturating_add(length));
            if let Some(action) = &on_last_release {
                record.on_last_release = action.clone();
            }
            record.grace_ms = grace.map_or(record.grace_ms, millis);
            Ok(())
        })
        .await?;
        let lost = Arc::new(AtomicBool::new(false));
        let beat = self.keep_beating(name, &holder, ttl, &lost);
        Ok(Hold(Some(Held {
            service: Arc::downgrade(&self.0),
            name: name.to_owned(),
            holder,
            lost,
            beat,
        })))
    }

    /// Renews a lease on behalf of a holder, for servers that keep nothing between two requests.
    ///
    /// # Errors
    /// `NOT_FOUND` where the holder's lease has run out or the sandbox is gone.
    pub async fn heartbeat(&self, name: &str, holder: &str, ttl: Duration) -> Result<()> {
        let (key, length) = (holder.to_owned(), millis(ttl));
        self.amend("heartbeat", name, Kept::WhileRunning, move |attempt| {
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
        })
        .await
        .map(drop)
    }

    /// Gives a lease back on behalf of a holder; whether it was the last one. Doing it twice is
    /// fine.
    ///
    /// # Errors
    /// As [`Hold::release`], those of the store.
    pub async fn release(&self, name: &str, holder: &str) -> Result<bool> {
        let key = holder.to_owned();
        let released = self
            .amend("release", name, Kept::WhileRunning, move |attempt| {
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
        self.deliver_later(name);
        if grace.is_zero() {
            self.attend(name).await?;
        } else {
            self.attend_later(name, grace);
        }
        Ok(true)
    }

    /// Who holds counted leases on a sandbox.
    ///
    /// # Errors
    /// `NOT_FOUND`, those of the store.
    pub async fn holders(&self, name: &str) -> Result<Vec<HolderInfo>> {
        let (_, record) = self.read(name).await?;
        let now = self.blocking("holders", |store| store.now()).await?;
        let holders = record.holders.into_iter();
        let alive = holders.filter(|(_, holder)| holder.until >= now);
        let info = |(name, held): (String, Holder)| HolderInfo {
            holder: name,
            since: held.since,
            until: held.until,
        };
        Ok(alive.map(info).collect())
    }

    /// Does what is due for a sandbox after a while, unless the service has ended by then.
    pub(super) fn attend_later(&self, name: &str, delay: Duration) {
        let (service, name) = (Arc::downgrade(&self.0), name.to_owned());
        tokio::spawn(async move {
            // The store's clock counts whole milliseconds.
            tokio::time::sleep(delay + Duration::from_millis(2)).await;
            if let Some(service) = service.upgrade() {
                // Where it fails, the record says why, and it is tried again.
                let _ = Box::pin(Sandboxes(service).attend(&name)).await;
            }
        });
    }

    fn keep_beating(
        &self,
        name: &str,
        holder: &str,
        ttl: Duration,
        lost: &Arc<AtomicBool>,
    ) -> tokio::task::JoinHandle<()> {
        let (service, lost) = (Arc::downgrade(&self.0), Arc::clone(lost));
        let (name, holder) = (name.to_owned(), holder.to_owned());
        tokio::spawn(async move {
            loop {
                tokio::time::sleep((ttl / 3).max(SHORTEST_BEAT)).await;
                let Some(service) = service.upgrade() else {
                    return;
                };
                // Boxed, so that what waits between heartbeats is small.
                match Box::pin(Sandboxes(service).heartbeat(&name, &holder, ttl)).await {
                    Err(error) if error.code() == Code::NotFound => {
                        lost.store(true, Ordering::Release);
                        return;
                    }
                    // Where the store cannot be reached now, it may be next time.
                    _ => {}
                }
            }
        })
    }
}

impl Record {
    /// Counts a holder, once.
    fn count(&mut self, holder: &str, now: u64, until: u64) {
        self.drop_lapsed(now);
        let held = self.holders.entry(holder.to_owned());
        let held = held.or_insert(Holder { since: now, until });
        held.until = held.until.max(until);
        // Whoever comes before what follows from the last release prevents it.
        (self.release_at, self.asked) = (None, None);
        (self.failures, self.failure) = (0, None);
        self.used = now;
    }
}

/// Milliseconds, as they are stored.
pub(super) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

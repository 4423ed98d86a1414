//! One counted lease: what is stored of it, what follows when the last one is gone, and renewing it
//! while its holder lives.

use super::amend::{Attempt, Kept};
use super::record::Record;
use super::service::{Sandboxes, Service};
use crate::error::{Code, Result};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

/// The shortest time between two heartbeats.
const SHORTEST_BEAT: Duration = Duration::from_millis(20);

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

/// A counted lease, as [`Leases::list`](super::Leases::list) shows it. Times are the store's, in milliseconds since 1970.
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

/// How a lease is counted; see [`Leases::acquire`](super::Leases::acquire).
#[derive(Debug, Clone)]
#[must_use]
pub struct LeaseOptions {
    pub(super) holder: Option<String>,
    pub(super) ttl: Duration,
    pub(super) grace: Option<Duration>,
    pub(super) on_last_release: Option<OnLastRelease>,
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
/// it. [`Lease`](super::Lease) does both.
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
    /// One that is counted already, and is renewed from now on.
    pub(super) fn kept(
        service: Weak<Service>,
        name: String,
        holder: String,
        ttl: Duration,
    ) -> Hold {
        let lost = Arc::new(AtomicBool::new(false));
        let beating = beat(service.clone(), name.clone(), holder.clone(), ttl, &lost);
        Hold(Some(Held {
            service,
            name,
            holder,
            lost,
            beat: beating,
        }))
    }

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
    /// same, and what follows is tried again by [`Maintenance::sweep`](super::Maintenance::sweep).
    pub async fn release(mut self) -> Result<()> {
        let Some(held) = self.0.take() else {
            return Ok(());
        };
        held.beat.abort();
        match held.service.upgrade() {
            Some(service) => {
                let leases = Sandboxes(service).leases(held.name);
                leases.release(&held.holder).await.map(drop)
            }
            None => Ok(()),
        }
    }

    /// Gives it back without anything following from it.
    pub(super) async fn withdraw(mut self) {
        let Some(held) = self.0.take() else { return };
        held.beat.abort();
        if let Some(service) = held.service.upgrade() {
            let holder = held.holder.clone();
            let change = move |attempt: &mut Attempt| {
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
                let leases = Sandboxes(service).leases(held.name);
                let _ = leases.release(&held.holder).await;
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

/// Renews a counted lease until it is lost or the service ends.
fn beat(
    service: Weak<Service>,
    name: String,
    holder: String,
    ttl: Duration,
    lost: &Arc<AtomicBool>,
) -> tokio::task::JoinHandle<()> {
    let lost = Arc::clone(lost);
    tokio::spawn(async move {
        loop {
            tokio::time::sleep((ttl / 3).max(SHORTEST_BEAT)).await;
            let Some(service) = service.upgrade() else {
                return;
            };
            let leases = Sandboxes(service).leases(&name);
            // Boxed, so that what waits between heartbeats is small.
            match Box::pin(leases.heartbeat(&holder, ttl)).await {
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

impl Record {
    /// Counts a holder, once.
    pub(super) fn count(&mut self, holder: &str, now: u64, until: u64) {
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

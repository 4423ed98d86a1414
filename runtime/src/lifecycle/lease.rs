//! Waking, keeping awake, putting to sleep.

use super::service::{Sandboxes, Service};
use crate::error::{Code, Error, Result};
use crate::sandbox::Sandbox;
use crate::session::Session;
use bytes::Bytes;
use offshoot_store::{Claim, Faults, ObjectId, Receipt, Ref, State, Stored, Transition};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::time::Instant;

/// The longest pause between two looks at a sandbox that another process has awake.
const LONGEST_PAUSE: Duration = Duration::from_millis(250);

/// The shortest time between two renewals of a claim.
const SHORTEST_RENEWAL: Duration = Duration::from_millis(100);

/// How a sandbox came to be awake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Bootup {
    /// It was awake.
    Running,
    /// It slept.
    Resume,
    /// It is new: made from a template or another sandbox.
    Fork,
}

impl Bootup {
    /// Its name in reports: `RUNNING`, `RESUME`, `FORK`.
    pub fn as_str(self) -> &'static str {
        match self {
            Bootup::Running => "RUNNING",
            Bootup::Resume => "RESUME",
            Bootup::Fork => "FORK",
        }
    }
}

/// The place of one sandbox in this process.
#[derive(Default)]
pub(super) struct Slot {
    /// Held while it is woken or put to sleep, so of many callers one does it.
    pub(super) live: tokio::sync::Mutex<Option<Live>>,
    awake: AtomicBool,
    leases: AtomicUsize,
    /// Counts leases ever given, so that an idle timer knows whether it is the last.
    given: AtomicU64,
}

impl Slot {
    pub(super) fn is_awake(&self) -> bool {
        self.awake.load(Ordering::Acquire)
    }

    pub(super) fn set_asleep(&self) {
        self.awake.store(false, Ordering::Release);
    }
}

/// A sandbox that is awake here.
pub(super) struct Live {
    pub(super) sandbox: Sandbox,
    pub(super) epoch: u64,
    pub(super) sessions: BTreeMap<String, Arc<Session>>,
    faults: Faults,
    receipt: Receipt,
    idle: Option<Duration>,
}

impl Live {
    /// The state of every session.
    pub(super) async fn session_states(&self) -> BTreeMap<String, Bytes> {
        let mut states = BTreeMap::new();
        for (name, session) in &self.sessions {
            if let Some(state) = session.state().await {
                states.insert(name.clone(), state);
            }
        }
        states
    }
}

/// A claim that keeps a sandbox awake; it is the sandbox as long as it is held.
///
/// It is not suspended while a lease is held, by the idle timer or otherwise.
pub struct Lease {
    service: Weak<Service>,
    name: String,
    slot: Arc<Slot>,
    sandbox: Sandbox,
    faults: Faults,
    receipt: Receipt,
    bootup: Bootup,
    idle: Option<Duration>,
}

impl Deref for Lease {
    type Target = Sandbox;

    fn deref(&self) -> &Sandbox {
        &self.sandbox
    }
}

impl Lease {
    /// How it came to be awake.
    pub fn bootup(&self) -> Bootup {
        self.bootup
    }

    /// What was brought back when it last woke: all of it, or there would be no lease.
    pub fn receipt(&self) -> &Receipt {
        &self.receipt
    }

    /// The session of this name, whose state sleeps and wakes with the sandbox.
    pub async fn session(&self, name: &str) -> Arc<Session> {
        let mut live = self.slot.live.lock().await;
        let made = || Arc::new(self.sandbox.session());
        match live.as_mut() {
            Some(live) => {
                let known = live.sessions.entry(name.to_owned()).or_insert_with(made);
                Arc::clone(known)
            }
            None => made(),
        }
    }

    /// Whether everything that was read lazily so far was whole.
    ///
    /// # Errors
    /// `CORRUPT` with what was damaged; the guest saw `EIO` there.
    pub fn check(&self) -> Result<()> {
        match self.faults.take().first() {
            Some(fault) => Err(Error::store("read", fault)),
            None => Ok(()),
        }
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        if self.slot.leases.fetch_sub(1, Ordering::AcqRel) > 1 {
            return;
        }
        let (Some(idle), Some(service)) = (self.idle, self.service.upgrade()) else {
            return;
        };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else {
            return;
        };
        let given = self.slot.given.load(Ordering::Acquire);
        let (slot, name) = (Arc::clone(&self.slot), self.name.clone());
        runtime.spawn(async move {
            Sandboxes(service)
                .suspend_idle(slot, name, given, idle)
                .await
        });
    }
}

impl fmt::Debug for Lease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lease")
            .field("name", &self.name)
            .field("bootup", &self.bootup)
            .finish_non_exhaustive()
    }
}

impl Sandboxes {
    /// A lease on a sandbox, which is woken where it sleeps. However many ask at once, it is woken
    /// once.
    ///
    /// Contents are read when they are looked at, so this takes the same time whatever the size.
    ///
    /// # Errors
    /// `NOT_FOUND`, `CONFLICT` where another process has it awake (it can be tried again), `CORRUPT`
    /// and `TOO_NEW` for what cannot be brought back, `DIED` for a sandbox that has failed, those of
    /// the store.
    pub async fn lease(&self, name: &str) -> Result<Lease> {
        let slot = self.slot(name);
        let mut live = slot.live.lock().await;
        let mut bootup = Bootup::Running;
        if live.is_none() {
            let (woken, how) = self.wake(name).await?;
            bootup = how;
            self.keep_renewed(name, &slot, woken.epoch);
            *live = Some(woken);
            slot.awake.store(true, Ordering::Release);
        }
        let lost = || Error::new(Code::Died, "lease", "the sandbox is not awake");
        let held = live.as_ref().ok_or_else(lost)?;
        slot.leases.fetch_add(1, Ordering::AcqRel);
        slot.given.fetch_add(1, Ordering::AcqRel);
        Ok(Lease {
            service: Arc::downgrade(&self.0),
            name: name.to_owned(),
            slot: Arc::clone(&slot),
            sandbox: held.sandbox.clone(),
            faults: held.faults.clone(),
            receipt: held.receipt.clone(),
            bootup,
            idle: held.idle,
        })
    }

    /// Puts a sandbox to sleep: what changed is written, made durable, and only then named its state;
    /// then its memory is given back. One that sleeps is fine.
    ///
    /// The answer says what was stored; where it is an error the sandbox is awake as before.
    ///
    /// # Errors
    /// `CONFLICT` while a lease is held or another process has it awake, `FENCED` where another
    /// process took it over (what changed since its last commit is lost, and it is ended here),
    /// `POLICY_DENIED` for a declared secret, `NOT_FOUND`, those of the store.
    pub async fn suspend(&self, name: &str) -> Result<ObjectId> {
        let slot = self.slot(name);
        let mut live = slot.live.lock().await;
        let count = slot.leases.load(Ordering::Acquire);
        if count > 0 && live.is_some() {
            let message = format!("{name} is in use: {count} leases are held");
            return Err(Error::new(Code::Conflict, "suspend", message));
        }
        let stored = self.suspend_live(name, &slot, &mut live).await?;
        if let Some(stored) = stored {
            return Ok(stored.commit);
        }
        let (found, _) = self.read(name).await?;
        match (found.state, found.commit) {
            (State::Suspended, Some(commit)) => Ok(commit),
            _ => Err(busy("suspend", name, &found)),
        }
    }

    /// Suspends what is awake here.
    pub(super) async fn suspend_live(
        &self,
        name: &str,
        slot: &Slot,
        live: &mut Option<Live>,
    ) -> Result<Option<Stored>> {
        let Some(awake) = live.as_ref() else {
            return Ok(None);
        };
        let capture = self.capture(&awake.sandbox, awake.session_states().await)?;
        let (vfs, epoch, owned) = (awake.sandbox.vfs().clone(), awake.epoch, name.to_owned());
        let stored = self
            .blocking("suspend", move |store| {
                store.suspend(&owned, epoch, &vfs, &capture)
            })
            .await;
        let gone = match &stored {
            Ok(_) => true,
            Err(error) => error.code() == Code::Fenced,
        };
        if gone && let Some(awake) = live.take() {
            slot.set_asleep();
            awake.sandbox.cleanup().await;
        }
        stored.map(Some)
    }

    /// Makes what is awake here durable, and leaves it awake.
    pub(super) async fn checkpoint_live(&self, name: &str, live: &Live) -> Result<ObjectId> {
        let capture = self.capture(&live.sandbox, live.session_states().await)?;
        let (vfs, epoch, owned) = (live.sandbox.vfs().clone(), live.epoch, name.to_owned());
        let stored = self
            .blocking("checkpoint", move |store| {
                store.checkpoint(&owned, epoch, &vfs, &capture)
            })
            .await?;
        Ok(stored.commit)
    }

    /// The present state of a sandbox as a commit.
    pub(super) async fn present(&self, name: &str) -> Result<ObjectId> {
        let slot = self.slot(name);
        let live = slot.live.lock().await;
        if let Some(live) = live.as_ref() {
            return self.checkpoint_live(name, live).await;
        }
        drop(live);
        let (found, _) = self.read(name).await?;
        match (found.state, found.commit) {
            (State::Suspended, Some(commit)) => Ok(commit),
            _ => Err(busy("fork", name, &found)),
        }
    }

    /// Suspends where nobody has had a lease for the whole time.
    async fn suspend_idle(self, slot: Arc<Slot>, name: String, given: u64, idle: Duration) {
        let mut pause = idle;
        loop {
            tokio::time::sleep(pause).await;
            let mut live = slot.live.lock().await;
            let used = slot.given.load(Ordering::Acquire) != given;
            if used || slot.leases.load(Ordering::Acquire) > 0 {
                return;
            }
            match self.suspend_live(&name, &slot, &mut live).await {
                Ok(_) => return,
                Err(error) if error.code() == Code::Fenced => return,
                // It stays usable, and is tried again.
                Err(_) => pause = (pause * 2).min(Duration::from_secs(300)),
            }
        }
    }

    /// Becomes the owner of a sandbox and loads its last commit.
    async fn wake(&self, name: &str) -> Result<(Live, Bootup)> {
        let owned = self.claim(name).await?;
        let record = super::record::Record::decode(name, &owned.data)?;
        let bootup = match owned.epoch == record.born + 1 {
            true => Bootup::Fork,
            false => Bootup::Resume,
        };
        match self.load(name, &owned, record.idle_ms).await {
            Ok(live) => Ok((live, bootup)),
            Err(error) => {
                let (name, epoch) = (name.to_owned(), owned.epoch);
                let _ = self
                    .blocking("lease", move |store| {
                        store.change(&name, Some(epoch), &Transition::AbandonResume)
                    })
                    .await;
                Err(error)
            }
        }
    }

    async fn load(&self, name: &str, owned: &Ref, idle_ms: Option<u64>) -> Result<Live> {
        let lost = || {
            let message = format!("{name} has no commit to come back from");
            Error::new(Code::Corrupt, "lease", message)
        };
        let restored = self.checkout(owned.commit.ok_or_else(lost)?).await?;
        let sandbox = self.assemble(&restored)?;
        let session = |(name, state): (&String, &Bytes)| {
            let session = sandbox.load_session(state.clone());
            (name.clone(), Arc::new(session))
        };
        let sessions = restored.sessions.iter().map(session).collect();
        let (name, epoch) = (name.to_owned(), owned.epoch);
        self.blocking("lease", move |store| {
            store.change(&name, Some(epoch), &Transition::Ready)
        })
        .await?;
        Ok(Live {
            sandbox,
            epoch,
            sessions,
            faults: restored.faults,
            receipt: Receipt {
                epoch,
                ..restored.receipt
            },
            idle: idle_ms.map(Duration::from_millis),
        })
    }

    /// Becomes the owner; waits for another process as long as patience lasts.
    async fn claim(&self, name: &str) -> Result<Ref> {
        let end = Instant::now() + self.0.patience;
        let mut pause = Duration::from_millis(5);
        loop {
            let (found, _) = self.read(name).await?;
            if found.state == State::Failed {
                let reason = found.reason.unwrap_or_default();
                return Err(Error::new(Code::Died, "lease", format!("{name}: {reason}")));
            }
            let (owner, lease) = (self.0.owner.clone(), self.0.lease);
            let owned = name.to_owned();
            let suspended = found.state == State::Suspended;
            let claimed = self
                .blocking("lease", move |store| {
                    let lease_until = Some(store.now()?.saturating_add(millis(lease)));
                    let claim = Claim { owner, lease_until };
                    let transition = match suspended {
                        true => Transition::Resume(claim),
                        false => Transition::TakeOver(claim),
                    };
                    store.change(&owned, None, &transition)
                })
                .await;
            match claimed {
                Err(error) if error.code() == Code::Conflict => {
                    if Instant::now() >= end {
                        return Err(busy("lease", name, &found));
                    }
                }
                other => return other,
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// Renews the claim on a sandbox until it sleeps. Where somebody else has taken it over, it is
    /// ended here.
    fn keep_renewed(&self, name: &str, slot: &Arc<Slot>, epoch: u64) {
        let (service, slot) = (Arc::downgrade(&self.0), Arc::downgrade(slot));
        let (name, lease) = (name.to_owned(), self.0.lease);
        tokio::spawn(async move {
            loop {
                tokio::time::sleep((lease / 3).max(SHORTEST_RENEWAL)).await;
                let (Some(service), Some(slot)) = (service.upgrade(), slot.upgrade()) else {
                    return;
                };
                let mut live = slot.live.lock().await;
                if live.as_ref().is_none_or(|live| live.epoch != epoch) {
                    return;
                }
                let owned = name.clone();
                let renewed = Sandboxes(service)
                    .blocking("renew", move |store| {
                        let until = store.now()?.saturating_add(millis(lease));
                        store.change(&owned, Some(epoch), &Transition::Renew(until))
                    })
                    .await;
                let fenced = |error: &Error| matches!(error.code(), Code::Fenced | Code::NotFound);
                // A conflict is a deletion: nothing else keeps the epoch and refuses.
                let gone = renewed
                    .as_ref()
                    .is_err_and(|error| fenced(error) || error.code() == Code::Conflict);
                if gone && let Some(live) = live.take() {
                    slot.set_asleep();
                    live.sandbox.cleanup().await;
                    return;
                }
            }
        });
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// Another process has it awake.
fn busy(operation: &'static str, name: &str, found: &Ref) -> Error {
    let owner = found.owner.as_deref().unwrap_or("somebody");
    let state = found.state.name();
    let message = format!("{name} is {state}, and {owner} has it awake");
    Error::new(Code::Conflict, operation, message).again()
}

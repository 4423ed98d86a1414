//! One sandbox of the endpoint: awake or asleep, and when its time is over.

use super::durable::{Keeper, Saver};
use super::endpoint::{Endpoint, Inner};
use super::failure::{Code, Failure, Result};
use super::files::Watchers;
use super::interpreter::Contexts;
use super::process::{self, Processes};
use super::record::{OnTimeout, Record, now};
use super::share::{self, Share};
use offshoot::Sandbox;
use offshoot::lifecycle::{Lease, Update};
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::{
    OwnedRwLockReadGuard, OwnedRwLockWriteGuard, OwnedSemaphorePermit, RwLock, Semaphore,
};
use tokio::task::AbortHandle;

/// When putting a sandbox to sleep at the end of its time failed, it is tried again after this.
const RETRY: Duration = Duration::from_secs(60);

/// Downloads of larger files that a sandbox has at a time. Each may hold all that was in the sandbox when
/// it began, however little of it is still there.
const PINS: usize = 8;

/// How long one more download waits.
const PIN_PATIENCE: Duration = Duration::from_secs(30);

/// One sandbox.
pub(super) struct Entry {
    pub(super) id: String,
    record: Mutex<Record>,
    /// Read while something is done in it, written while it falls asleep or wakes.
    awake: Arc<RwLock<Option<Awake>>>,
    timer: Mutex<Option<AbortHandle>>,
    gone: AtomicBool,
    /// What its clients make this process hold.
    pub(super) share: Arc<Share>,
    /// Moments that are held.
    pins: Arc<Semaphore>,
}

/// What there is of a sandbox while it is awake.
pub(super) struct Awake {
    lease: Lease,
    pub(super) processes: Arc<Processes>,
    pub(super) watchers: Arc<Watchers>,
    pub(super) contexts: Arc<Contexts>,
    pub(super) saver: Arc<Saver>,
    _keeper: Option<Keeper>,
}

impl Awake {
    fn new(endpoint: &Endpoint, entry: &Entry, lease: Lease) -> Awake {
        let Inner {
            sandboxes,
            durability,
            ..
        } = &*endpoint.0;
        lease.set_offline(entry.record().offline);
        let saver = Arc::new(Saver::new(
            sandboxes,
            (entry.id.as_str(), &*lease),
            *durability,
        ));
        let processes = Arc::new(Processes::new(Arc::clone(&saver)));
        let busy = Arc::downgrade(&processes);
        let contexts = Arc::new(Contexts::of(&lease, &entry.record()));
        let interpreted = Arc::downgrade(&contexts);
        let is_busy = move || {
            busy.upgrade().is_some_and(|processes| processes.is_busy())
                || interpreted
                    .upgrade()
                    .is_some_and(|contexts| contexts.is_busy())
        };
        Awake {
            lease,
            processes,
            watchers: Arc::default(),
            contexts,
            _keeper: Arc::clone(&saver).keep(is_busy),
            saver,
        }
    }

    pub(super) fn sandbox(&self) -> &Sandbox {
        &self.lease
    }
}

/// Keeps a sandbox awake for one operation, and has what it changed stored.
pub(super) struct Guard(OwnedRwLockReadGuard<Option<Awake>, Awake>);

impl Deref for Guard {
    type Target = Awake;

    fn deref(&self) -> &Awake {
        &self.0
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.saver.touch();
    }
}

/// Keeps everybody else out of a sandbox.
type Alone = OwnedRwLockWriteGuard<Option<Awake>>;

impl Entry {
    pub(super) fn new(id: String, record: Record, all: &Arc<Share>) -> Entry {
        Entry {
            pins: Arc::new(Semaphore::new(PINS)),
            share: Share::of_a_sandbox(all, share::OF_A_SANDBOX),
            id,
            record: Mutex::new(record),
            awake: Arc::default(),
            timer: Mutex::default(),
            gone: AtomicBool::new(false),
        }
    }

    /// What is known of it now.
    pub(super) fn record(&self) -> Record {
        self.lock().clone()
    }

    pub(super) fn change<T>(&self, change: impl FnOnce(&mut Record) -> T) -> T {
        change(&mut self.lock())
    }

    pub(super) fn is_gone(&self) -> bool {
        self.gone.load(Ordering::Acquire)
    }

    /// The sandbox for one operation, if it is awake.
    pub(super) async fn look(&self) -> Option<Guard> {
        let guard = Arc::clone(&self.awake).read_owned().await;
        let awake = OwnedRwLockReadGuard::try_map(guard, Option::as_ref).ok();
        awake.map(Guard)
    }

    /// Lets files of one moment be held for a transfer, of which there are few at a time; others wait.
    pub(super) async fn pin(&self) -> Result<OwnedSemaphorePermit> {
        let pins = Arc::clone(&self.pins);
        let waited = tokio::time::timeout(PIN_PATIENCE, pins.acquire_owned()).await;
        waited
            .ok()
            .and_then(std::result::Result::ok)
            .ok_or_else(|| {
                let message =
                    format!("{PINS} downloads go on, and none of them ends; try again later");
                Failure::new(Code::ResourceExhausted, message)
            })
    }

    /// What must be done before the answer to an operation is given.
    pub(super) async fn settle(&self) -> Result<()> {
        let saver = self.look().await.map(|awake| Arc::clone(&awake.saver));
        match saver {
            Some(saver) => saver.settle().await,
            None => Ok(()),
        }
    }

    async fn alone(&self) -> Alone {
        Arc::clone(&self.awake).write_owned().await
    }

    fn lock(&self) -> MutexGuard<'_, Record> {
        self.record.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set_timer(&self, timer: Option<AbortHandle>) {
        let mut held = self.timer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(old) = std::mem::replace(&mut *held, timer) {
            old.abort();
        }
    }
}

impl Endpoint {
    /// The sandbox for one operation of envd; woken where its time goes on or it resumes by itself.
    pub(super) async fn enter(&self, entry: &Arc<Entry>) -> Result<Guard> {
        if let Some(guard) = entry.look().await {
            return Ok(guard);
        }
        let record = entry.record();
        if record.paused && !record.auto_resume {
            return Err(Failure::gone(&entry.id));
        }
        self.wake(entry, record.timeout).await?;
        let guard = entry.look().await;
        guard.ok_or_else(|| Failure::gone(&entry.id))
    }

    /// Wakes a sandbox; one that was paused has `timeout` from now. Whether it was paused.
    pub(super) async fn wake(&self, entry: &Arc<Entry>, timeout: Duration) -> Result<bool> {
        let mut slot = entry.alone().await;
        if entry.is_gone() || self.is_closing() {
            return Err(Failure::gone(&entry.id));
        }
        if slot.is_none() {
            let lease = self.0.sandboxes.lease(&entry.id).await?;
            let awake = slot.insert(Awake::new(self, entry, lease));
            process::launch(entry, awake)?;
        }
        let was_paused = entry.change(|record| {
            let was_paused = std::mem::replace(&mut record.paused, false);
            if was_paused {
                record.extend(timeout);
            }
            was_paused
        });
        if was_paused {
            self.persist(entry).await?;
            self.arm(entry);
        }
        Ok(was_paused)
    }

    /// Puts a sandbox to sleep until it is connected to. Its commands end.
    pub(super) async fn pause(&self, entry: &Arc<Entry>) -> Result<()> {
        let mut slot = entry.alone().await;
        if entry.is_gone() {
            return Err(Failure::no_sandbox(&entry.id));
        }
        if entry.record().paused {
            let message = format!("sandbox {} is already paused", entry.id);
            return Err(Failure::new(Code::Conflict, message));
        }
        self.sleep(entry, &mut slot).await?;
        entry.change(|record| record.paused = true);
        entry.set_timer(None);
        self.persist(entry).await
    }

    /// Ends a sandbox for good.
    pub(super) async fn kill(&self, entry: &Arc<Entry>) -> Result<()> {
        let mut slot = entry.alone().await;
        if entry.gone.swap(true, Ordering::AcqRel) {
            return Err(Failure::no_sandbox(&entry.id));
        }
        entry.set_timer(None);
        self.remove(&entry.id);
        if let Some(awake) = slot.take() {
            awake.processes.end("was killed").await;
            awake.saver.end().await;
        }
        self.0.sandboxes.delete(&entry.id).await?;
        Ok(())
    }

    /// Puts a sandbox to sleep because the endpoint ends. What could not be stored is lost, as in a
    /// crash: nobody is left to be told.
    pub(super) async fn put_aside(&self, entry: &Arc<Entry>) {
        let mut slot = entry.alone().await;
        entry.set_timer(None);
        if slot.is_some() {
            let _ = self.sleep(entry, &mut slot).await;
        }
    }

    /// Ends the commands and suspends; awake as before where that fails, without the commands.
    async fn sleep(&self, entry: &Arc<Entry>, slot: &mut Option<Awake>) -> Result<()> {
        let service = &self.0.sandboxes;
        let awake = match slot.take() {
            Some(awake) => awake,
            // A suspend needs an owner, who may have gone with the process before this one.
            None => Awake::new(self, entry, service.lease(&entry.id).await?),
        };
        awake.processes.end("was paused").await;
        awake.saver.end().await;
        // What they hold sleeps with the sandbox, and is gone where nobody has them.
        let _contexts = Arc::clone(&awake.contexts);
        drop(awake);
        let Err(error) = service.suspend(&entry.id).await else {
            return Ok(());
        };
        if let Ok(lease) = service.lease(&entry.id).await {
            *slot = Some(Awake::new(self, entry, lease));
        }
        Err(error.into())
    }

    /// Stores what is known of a sandbox.
    pub(super) async fn persist(&self, entry: &Entry) -> Result<()> {
        let title = entry.record().encode();
        let described = self
            .0
            .sandboxes
            .update(&entry.id, Update::new().title(title));
        Ok(described.await.map(drop)?)
    }

    /// Counts the time of a sandbox.
    pub(super) fn arm(&self, entry: &Arc<Entry>) {
        let record = entry.record();
        if record.paused {
            return entry.set_timer(None);
        }
        let left = Duration::from_millis(record.ends.saturating_sub(now()));
        self.arm_for(entry, left);
    }

    fn arm_for(&self, entry: &Arc<Entry>, left: Duration) {
        let (endpoint, weak) = (Arc::downgrade(&self.0), Arc::downgrade(entry));
        let timer = tokio::spawn(async move {
            tokio::time::sleep(left).await;
            if let (Some(inner), Some(entry)) = (endpoint.upgrade(), weak.upgrade()) {
                // A task of its own, since ending the sandbox ends this timer.
                tokio::spawn(async move { Endpoint(inner).expire(entry).await });
            }
        });
        entry.set_timer(Some(timer.abort_handle()));
    }

    async fn expire(self, entry: Arc<Entry>) {
        if self.is_closing() || entry.record().ends > now() {
            return;
        }
        let done = match entry.record().on_timeout {
            OnTimeout::Kill => self.kill(&entry).await,
            OnTimeout::Pause => self.pause(&entry).await,
        };
        let asleep = entry.is_gone() || entry.record().paused;
        if done.is_err() && !asleep {
            self.arm_for(&entry, RETRY);
        }
    }
}

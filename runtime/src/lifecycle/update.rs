//! Settings of a sandbox that are changed while it is awake or asleep.

use super::amend::{Attempt, Kept};
use super::event::EventKind;
use super::grant::Grant;
use super::hold::{OnCrash, OnLastRelease, millis};
use super::lease::Live;
use super::options::check;
use super::record::{Info, Record};
use super::retention::Retention;
use super::service::Sandboxes;
use super::slot::Slot;
use super::task::Task;
use crate::Quotas;
use crate::configuration::{StoredLimits, StoredQuotas};
use crate::error::Result;
use crate::sandbox::Sandbox;
use offshoot_kernel::Limits;
use offshoot_store::State;
use std::collections::BTreeSet;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

/// What is changed of a sandbox; what is not said stays. See [`Sandboxes::update`].
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Update {
    title: Option<String>,
    description: Option<String>,
    tags: Option<Vec<String>>,
    idle: Option<Option<Duration>>,
    time_to_live: Option<Option<Duration>>,
    warning: Option<Duration>,
    on_last_release: Option<OnLastRelease>,
    on_crash: Option<OnCrash>,
    history: Option<bool>,
    retention: Option<Retention>,
    grants: Option<BTreeSet<Grant>>,
    limits: Option<Limits>,
    quotas: Option<Quotas>,
    tasks: Option<Vec<Task>>,
}

impl Update {
    /// Nothing.
    pub fn new() -> Update {
        Update::default()
    }

    /// The short text for people.
    pub fn title(mut self, title: impl Into<String>) -> Update {
        self.title = Some(title.into());
        self
    }

    /// The longer one.
    pub fn description(mut self, description: impl Into<String>) -> Update {
        self.description = Some(description.into());
        self
    }

    /// All its tags: at most ten.
    pub fn tags(mut self, tags: impl IntoIterator<Item = String>) -> Update {
        self.tags = Some(tags.into_iter().collect());
        self
    }

    /// Without a lease for so long, it is put to sleep; never where there is no time.
    pub fn hibernation_timeout(mut self, idle: Option<Duration>) -> Update {
        self.idle = Some(idle);
        self
    }

    /// It is deleted after this time from now; never where there is none.
    pub fn time_to_live(mut self, time: Option<Duration>) -> Update {
        self.time_to_live = Some(time);
        self
    }

    /// So long before it is put to sleep or deleted, listeners are told; not at all for zero.
    pub fn warning(mut self, early: Duration) -> Update {
        self.warning = Some(early);
        self
    }

    /// What follows when its last counted lease is released.
    pub fn on_last_release(mut self, action: OnLastRelease) -> Update {
        self.on_last_release = Some(action);
        self
    }

    /// What happens to it when its owner is gone.
    pub fn on_crash(mut self, policy: OnCrash) -> Update {
        self.on_crash = Some(policy);
        self
    }

    /// Whether every [`Sandboxes::exec`] that changes something makes a commit.
    pub fn history(mut self, history: bool) -> Update {
        self.history = Some(history);
        self
    }

    /// Which earlier states are kept. Others are not found any more from now on, and
    /// [`Maintenance::collect`](super::Maintenance::collect) removes them.
    pub fn retention(mut self, retention: Retention) -> Update {
        self.retention = Some(retention);
        self
    }

    /// What code inside may ask for, from its next start.
    pub fn grants(mut self, grants: impl IntoIterator<Item = Grant>) -> Update {
        self.grants = Some(grants.into_iter().collect());
        self
    }

    /// Resource limits. Memory, processes and open files count at once, also for what runs; times and
    /// output for the next execution.
    pub fn limits(mut self, limits: Limits) -> Update {
        self.limits = Some(limits);
        self
    }

    /// What its files may take, at once. What is there already stays.
    pub fn quotas(mut self, quotas: Quotas) -> Update {
        self.quotas = Some(quotas);
        self
    }

    /// All its tasks. Those that run go on.
    pub fn tasks(mut self, tasks: impl IntoIterator<Item = Task>) -> Update {
        self.tasks = Some(tasks.into_iter().collect());
        self
    }

    /// Puts it into the record.
    fn apply(&self, record: &mut Record, now: u64) {
        let Update { idle, .. } = self;
        record.title = self.title.clone().or(record.title.take());
        record.description = self.description.clone().or(record.description.take());
        let end = |time| millis(time).saturating_add(now);
        set(&mut record.tags, &self.tags);
        set(&mut record.idle_ms, &idle.map(|idle| idle.map(millis)));
        set(
            &mut record.expires,
            &self.time_to_live.map(|time| time.map(end)),
        );
        let warning = self.warning.map(millis);
        set(
            &mut record.warning_ms,
            &warning.map(|early| Some(early).filter(|early| *early > 0)),
        );
        set(&mut record.on_last_release, &self.on_last_release);
        record.on_crash = self.on_crash.or(record.on_crash);
        set(&mut record.history, &self.history);
        set(&mut record.retention, &self.retention);
        set(&mut record.grants, &self.grants);
        let limits = self.limits.as_ref().map(StoredLimits::from);
        record.limits = limits.or(record.limits.take());
        let quotas = self.quotas.as_ref().map(StoredQuotas::from);
        record.quotas = quotas.or(record.quotas.take());
        set(&mut record.tasks, &self.tasks);
        if idle.is_some_and(|idle| idle.is_some()) {
            // The new time counts from now.
            record.used = now;
        }
    }
}

fn set<T: Clone>(field: &mut T, new: &Option<T>) {
    if let Some(new) = new {
        field.clone_from(new);
    }
}

impl Record {
    /// Gives a sandbox the limits that it was told since it was made.
    pub(super) fn limit(&self, sandbox: &Sandbox) {
        if let Some(limits) = &self.limits {
            sandbox.set_limits(limits.into());
        }
        if let Some(quotas) = &self.quotas {
            sandbox.set_quotas(quotas.into());
        }
    }

    /// What is to be told before it happens: what, from when on, and when it happens.
    pub(super) fn warning(&self, state: State) -> Option<(EventKind, u64, u64)> {
        let early = self.warning_ms?;
        let expiry = self.expires.map(|end| (EventKind::ExpiresSoon, end));
        let idle = self.idle_at(state).filter(|_| self.holders.is_empty());
        let idle = idle.map(|end| (EventKind::HibernatesSoon, end));
        let told = |(kind, end): &(EventKind, u64)| self.warned.get(kind.as_str()) != Some(end);
        let all = expiry.into_iter().chain(idle).filter(told);
        all.map(|(kind, end)| (kind, end.saturating_sub(early), end))
            .min_by_key(|(_, at, _)| *at)
    }
}

impl Attempt {
    /// Tells what is about to happen, where it is time; whether it was.
    pub(super) fn warn(&mut self) -> bool {
        match self.record.warning(self.found.state) {
            Some((kind, at, end)) if at <= self.now => {
                self.record.warned.insert(kind.as_str().to_owned(), end);
                let left = end.saturating_sub(self.now).div_ceil(1000);
                self.tell(kind, Some(format!("in {left} s")));
                true
            }
            _ => false,
        }
    }
}

/// The times of a sandbox that is awake here.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Times {
    pub(super) idle: Option<Duration>,
    pub(super) warning: Option<Duration>,
}

impl Slot {
    pub(super) fn times(&self) -> Times {
        *self.times.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes what concerns a sandbox that is awake from its record.
    pub(super) fn follow(&self, live: &mut Live, record: &Record) {
        record.limit(&live.sandbox);
        live.history = record.history;
        *self.times.lock().unwrap_or_else(PoisonError::into_inner) = Times {
            idle: record.idle_ms.map(Duration::from_millis),
            warning: record.warning_ms.map(Duration::from_millis),
        };
    }
}

impl Sandboxes {
    /// Changes settings of a sandbox, awake or asleep, in one step. Where another process has it awake,
    /// that follows at its next renewal: after a third of [`SandboxesBuilder::lease`] at the latest.
    ///
    /// ```
    /// # #[tokio::main] async fn main() -> offshoot::Result<()> {
    /// use offshoot::{Limits, Sandbox, lifecycle::{Origin, Sandboxes, Store, Update}};
    /// let sandboxes = Sandboxes::open(Store::memory());
    /// sandboxes.create("box", Origin::template(Sandbox::builder())).await?;
    /// let lease = sandboxes.lease("box").await?;
    /// let limits = Limits { processes: 2, ..Limits::default() };
    /// sandboxes.update("box", Update::new().title("small").limits(limits)).await?;
    /// assert_eq!(lease.limits().processes, 2);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// `INVALID` for more than ten tags, a hibernation timeout over a day or two tasks of one name,
    /// and then nothing is changed; `NOT_FOUND`, those of the store.
    ///
    /// [`SandboxesBuilder::lease`]: super::SandboxesBuilder::lease
    pub async fn update(&self, name: &str, update: Update) -> Result<Info> {
        let tags = update.tags.as_deref().unwrap_or_default();
        check(tags, update.idle.flatten())?;
        Task::check(update.tasks.as_deref().unwrap_or_default())?;
        let idle = update.idle.is_some();
        let slot = self.slot(name);
        let mut live = slot.live.lock().await;
        let changed = self
            .amend("update", name, Kept::Durably, move |attempt| {
                update.apply(&mut attempt.record, attempt.now);
                Ok(())
            })
            .await?;
        if let Some(live) = live.as_mut() {
            slot.follow(live, &changed.record);
        }
        let awake = live.is_some();
        drop(live);
        if idle && awake && slot.leases() == 0 {
            self.start_idle(&slot, name);
        }
        self.get(name).await
    }

    /// Begins to wait for idleness, instead of whoever waits already.
    pub(super) fn start_idle(&self, slot: &Arc<Slot>, name: &str) {
        let (service, slot) = (self.clone(), Arc::clone(slot));
        let (given, name) = (slot.begin_wait(), name.to_owned());
        tokio::spawn(async move { service.suspend_idle(slot, name, given).await });
    }

    /// Tells that a sandbox is about to be put to sleep, unless that was told.
    pub(super) async fn warn_idle(&self, name: &str) {
        let warn = |attempt: &mut Attempt| {
            if let Some(end) = attempt.record.idle_at(attempt.found.state) {
                let kind = EventKind::HibernatesSoon;
                let early = attempt.record.warning_ms.unwrap_or(0);
                attempt.record.warned.insert(kind.as_str().to_owned(), end);
                let left = early.div_ceil(1000);
                attempt.tell(kind, Some(format!("in {left} s")));
            }
            Ok(())
        };
        // Whoever cannot be warned is put to sleep all the same.
        let _ = self.amend("warn", name, Kept::WhileRunning, warn).await;
        self.deliver_later(name);
    }
}

//! What happened to sandboxes, told to whoever wants to know: in order for each sandbox, at least
//! once.
//!
//! An event is written in the same step as what it tells, and removed when every listener has taken
//! it. So one that a crash kept from being told is told by the next sweep, of any process.

use super::amend::{Attempt, Kept};
use super::hold::millis;
use super::record::Record;
use super::release::CallbackError;
use super::service::Sandboxes;
use crate::error::{Code, Error, Result};
use serde::{Deserialize, Serialize};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

/// How long after a listener has failed for the first time the next attempt is due; it doubles up to
/// [`LONGEST_RETRY`].
const RETRY: Duration = Duration::from_secs(1);

/// The longest pause between two attempts.
const LONGEST_RETRY: Duration = Duration::from_secs(300);

/// Events of one sandbox that wait for a listener at most; the oldest give way, and numbers tell.
const WAITING: usize = 256;

/// What has happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum EventKind {
    /// It was made.
    Created,
    /// It is awake; the detail is its [`Bootup`](super::Bootup).
    Resumed,
    /// It was put to sleep.
    Hibernated,
    /// It was put to sleep without its sessions.
    Shutdown,
    /// Its owner was gone, and it sleeps at its last commit.
    Recovered,
    /// Its last counted lease was released.
    Released,
    /// Its setup went through.
    SetupFinished,
    /// A step of its setup failed; the detail names it.
    SetupFailed,
    /// What was due for it failed, and is tried again; the detail says why.
    Failed,
    /// It was deleted.
    Deleted,
    /// It will be put to sleep where nobody uses it; the detail says when.
    HibernatesSoon,
    /// It will be deleted; the detail says when.
    ExpiresSoon,
    /// A task was started; the detail names it.
    TaskStarted,
    /// A task has ended by itself; the detail names it and says how.
    TaskEnded,
}

impl EventKind {
    /// Its name in webhooks.
    pub fn as_str(self) -> &'static str {
        match self {
            EventKind::Created => "created",
            EventKind::Resumed => "resumed",
            EventKind::Hibernated => "hibernated",
            EventKind::Shutdown => "shutdown",
            EventKind::Recovered => "recovered",
            EventKind::Released => "released",
            EventKind::SetupFinished => "setup_finished",
            EventKind::SetupFailed => "setup_failed",
            EventKind::Failed => "failed",
            EventKind::Deleted => "deleted",
            EventKind::HibernatesSoon => "hibernates_soon",
            EventKind::ExpiresSoon => "expires_soon",
            EventKind::TaskStarted => "task_started",
            EventKind::TaskEnded => "task_ended",
        }
    }
}

/// Something that happened to a sandbox. The same one may be told twice: `sequence` tells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Event {
    /// The sandbox.
    pub sandbox: String,
    /// Grows by one with each event of this sandbox, also over its deletion.
    pub sequence: u64,
    /// What it was.
    pub kind: EventKind,
    /// When, by the store's clock, in milliseconds since 1970.
    pub time: u64,
    /// The owner's epoch at that time.
    pub epoch: u64,
    /// More about it.
    pub detail: Option<String>,
}

/// Events that were not told to everyone yet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Outbox {
    next: u64,
    /// When the first of them is to be told.
    due: u64,
    waiting: Vec<Event>,
    /// How often the first of them has failed.
    #[serde(default)]
    failures: u32,
}

impl Outbox {
    pub(super) fn is_unused(&self) -> bool {
        *self == Outbox::default()
    }

    /// When somebody should look.
    pub(super) fn deadline(&self) -> Option<u64> {
        (!self.waiting.is_empty()).then_some(self.due)
    }

    fn push(&mut self, mut event: Event) {
        event.sequence = self.next;
        self.next += 1;
        if self.waiting.is_empty() {
            self.due = event.time;
        }
        self.waiting.push(event);
        let over = self.waiting.len().saturating_sub(WAITING);
        self.waiting.drain(..over);
    }

    /// Puts the next attempt off; for how long.
    fn put_off(&mut self, now: u64) -> Duration {
        let pause = RETRY * 2u32.saturating_pow(self.failures.min(16));
        let pause = pause.min(LONGEST_RETRY);
        self.failures = self.failures.saturating_add(1);
        self.due = now.saturating_add(millis(pause));
        pause
    }

    fn forget(&mut self, last: u64) {
        self.waiting.retain(|event| event.sequence > last);
        self.failures = 0;
    }
}

/// What a listener gives.
type Heard = Pin<Box<dyn Future<Output = std::result::Result<(), CallbackError>> + Send>>;

/// Who is told.
pub(super) type Listener = Arc<dyn Fn(Event) -> Heard + Send + Sync>;

/// Wraps a function as a listener.
pub(super) fn listener<F, R>(function: F) -> Listener
where
    F: Fn(Event) -> R + Send + Sync + 'static,
    R: Future<Output = std::result::Result<(), CallbackError>> + Send + 'static,
{
    Arc::new(move |event| Box::pin(function(event)))
}

impl Record {
    /// Writes down what is to be told.
    pub(super) fn tell(
        &mut self,
        name: &str,
        kind: EventKind,
        (time, epoch): (u64, u64),
        detail: Option<String>,
    ) {
        self.outbox.push(Event {
            sandbox: name.to_owned(),
            sequence: 0,
            kind,
            time,
            epoch,
            detail,
        });
    }
}

impl Attempt {
    /// Writes down what is to be told, where somebody listens.
    pub(super) fn tell(&mut self, kind: EventKind, detail: Option<String>) {
        if self.listening {
            let at = (self.now, self.found.epoch);
            let name = self.name.clone();
            self.record.tell(&name, kind, at, detail);
        }
    }
}

impl Sandboxes {
    /// Whether anybody listens.
    pub(super) fn is_listening(&self) -> bool {
        !self.0.listeners.is_empty()
    }

    /// Tells what waits for a sandbox, in the background.
    pub(super) fn deliver_later(&self, name: &str) {
        if self.is_listening() {
            let (service, name) = (Arc::downgrade(&self.0), name.to_owned());
            tokio::spawn(async move {
                if let Some(service) = service.upgrade() {
                    // Where it fails, a sweep tries again.
                    let _ = Sandboxes(service).deliver(&name, false).await;
                }
            });
        }
    }

    /// Tries again after a while, unless the service has ended by then.
    fn deliver_after(&self, name: &str, pause: Duration) {
        let (service, name) = (Arc::downgrade(&self.0), name.to_owned());
        tokio::spawn(async move {
            // The store's clock counts whole milliseconds.
            tokio::time::sleep(pause + Duration::from_millis(2)).await;
            if let Some(service) = service.upgrade() {
                let _ = Box::pin(Sandboxes(service).deliver(&name, false)).await;
            }
        });
    }

    /// Tells the listeners what happened to a sandbox and was not told yet; where that was put off and is
    /// not `forced`, only when the pause is over.
    pub(super) async fn deliver(&self, name: &str, forced: bool) -> Result<usize> {
        let slot = self.slot(name);
        // One at a time, so that the order is kept.
        let _order = slot.delivery.lock().await;
        let mut told = 0;
        loop {
            let owned = name.to_owned();
            let found = self
                .blocking("events", move |store| {
                    Ok((store.refs().read(&owned)?, store.now()?))
                })
                .await?;
            let (Some(found), now) = found else {
                return Ok(told);
            };
            let outbox = Record::decode(name, &found.data)?.outbox;
            if !forced && outbox.failures > 0 && outbox.due > now {
                return Ok(told);
            }
            let waiting = outbox.waiting;
            let Some(end) = waiting.last().map(|event| event.sequence) else {
                return Ok(told);
            };
            let count = waiting.len();
            let (last, failed) = match self.tell_all(waiting).await {
                Ok(()) => (Some(end), None),
                Err((last, error)) => (last, Some(error)),
            };
            let retry = failed.is_some();
            let noted = self
                .amend_any("events", name, Kept::WhileRunning, move |attempt| {
                    let outbox = &mut attempt.record.outbox;
                    if let Some(last) = last {
                        outbox.forget(last);
                    }
                    Ok(retry.then(|| outbox.put_off(attempt.now)))
                })
                .await?;
            if let Some(error) = failed {
                if let Some(pause) = noted.answer {
                    self.deliver_after(name, pause);
                }
                let message = format!("{name}: {error}");
                return Err(Error::new(Code::Died, "events", message).with_retryable(true));
            }
            told += count;
        }
    }

    /// Tells all listeners; where one fails, the number of the last event that all have taken.
    async fn tell_all(
        &self,
        events: Vec<Event>,
    ) -> std::result::Result<(), (Option<u64>, CallbackError)> {
        let mut last = None;
        for event in events {
            for listener in &self.0.listeners {
                let told = listener(event.clone()).await;
                told.map_err(|error| (last, error))?;
            }
            last = Some(event.sequence);
        }
        Ok(())
    }
}

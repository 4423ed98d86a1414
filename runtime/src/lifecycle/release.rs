//! Doing what is due: what follows from the last release, idleness, the end of a sandbox's time.

use super::amend::{Attempt, Kept};
use super::contend::busy;
use super::event::EventKind;
use super::hold::{OnLastRelease, millis};
use super::lease::Why;
use super::record::{Due, Record, is_awake};
use super::service::Sandboxes;
use crate::error::{Code, Error, Result};
use offshoot_store::{Claim, State, Transition};
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

/// How long one process has for a callback before another one tries.
const CALLBACK_TIME: Duration = Duration::from_secs(600);

/// The first pause after something that was due has failed; it doubles up to [`LONGEST_RETRY`].
const FIRST_RETRY: Duration = Duration::from_secs(1);

/// The longest pause between two attempts.
const LONGEST_RETRY: Duration = Duration::from_secs(300);

/// What a callback may fail with.
pub type CallbackError = Box<dyn std::error::Error + Send + Sync>;

/// What a callback gives.
type Called = Pin<Box<dyn Future<Output = std::result::Result<(), CallbackError>> + Send>>;

/// What is called when the last lease is released; see
/// [`SandboxesBuilder::callback`](super::SandboxesBuilder::callback).
pub(super) type Callback = Arc<dyn Fn(Sandboxes, String) -> Called + Send + Sync>;

/// What came of looking at a sandbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Attended {
    /// Nothing was due, or somebody else is at it.
    Nothing,
    Suspended,
    Deleted,
    Called,
}

impl Sandboxes {
    /// Does what is due for a sandbox, whoever of several tries.
    pub(super) async fn attend(&self, name: &str) -> Result<Attended> {
        let looked = self
            .amend("attend", name, Kept::WhileRunning, |attempt| {
                attempt.record.drop_lapsed(attempt.now);
                let warned = attempt.warn();
                let due = attempt.record.due(attempt.found.state, attempt.now);
                Ok((due, warned))
            })
            .await;
        let looked = match looked {
            Err(error) if error.code() == Code::NotFound => return Ok(Attended::Nothing),
            other => other?,
        };
        let (due, warned) = looked.answer;
        if warned {
            self.deliver_later(name);
        }
        let Some(due) = due else {
            return Ok(Attended::Nothing);
        };
        let done = match (due, looked.record.action()) {
            (Due::Expiry, _) => self.delete_where(name, |_, _| Ok(())).await,
            (Due::Idle, _) => self.put_down(name, Why::Idle).await,
            (Due::Release, OnLastRelease::Keep) => self.forget_release(name).await,
            (Due::Release, OnLastRelease::Suspend) => self.put_down(name, Why::Released).await,
            (Due::Release, OnLastRelease::Delete) => self.delete_where(name, unheld).await,
            (Due::Release, OnLastRelease::Callback(callback)) => {
                self.call(name, callback, false).await
            }
            (Due::Release, OnLastRelease::SaveAndDelete(callback)) => {
                self.call(name, callback, true).await
            }
        };
        match done {
            // Somebody came in between, or uses it here: then it is not due any more.
            Err(error) if error.code() == Code::Conflict => Ok(Attended::Nothing),
            Err(error) if due == Due::Release => {
                self.put_off(name, &error).await;
                Err(error)
            }
            done => done,
        }
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

    /// Puts a sandbox to sleep that is awake here, or whose owner is gone.
    async fn put_down(&self, name: &str, why: Why) -> Result<Attended> {
        let slot = self.slot(name);
        let mut live = slot.live.lock().await;
        if live.is_some() {
            if slot.leases() > 0 {
                // Whoever drops the last one looks again.
                slot.attend_when_free();
                return Ok(Attended::Nothing);
            }
            self.suspend_live(name, &slot, &mut live, why).await?;
            return Ok(Attended::Suspended);
        }
        drop(live);
        let owner = self.0.owner().to_owned();
        let done = self
            .amend("suspend", name, Kept::Durably, move |attempt| {
                attempt.record.drop_lapsed(attempt.now);
                if is_awake(attempt.found.state) && !attempt.is_lapsed() {
                    // Its owner does it.
                    return Ok(Attended::Nothing);
                }
                why.settle(&mut attempt.record, attempt.now)?;
                if is_awake(attempt.found.state) {
                    attempt.tell(EventKind::Recovered, None);
                }
                attempt.lay_down(&owner)?;
                Ok(Attended::Suspended)
            })
            .await?;
        Ok(done.answer)
    }

    async fn forget_release(&self, name: &str) -> Result<Attended> {
        let change = |attempt: &mut Attempt| {
            attempt.record.release_at = None;
            Ok(())
        };
        self.amend("release", name, Kept::WhileRunning, change)
            .await?;
        Ok(Attended::Nothing)
    }

    /// Runs a callback, at most one at a time among all processes; deletes afterwards where it was
    /// to save what matters.
    async fn call(&self, name: &str, callback: &str, delete: bool) -> Result<Attended> {
        let Some(function) = self.0.callbacks.get(callback) else {
            // Another process may know it.
            return Ok(Attended::Nothing);
        };
        let me = format!("{}/{}", self.0.owner(), self.nonce());
        let key = me.clone();
        self.amend("release", name, Kept::WhileRunning, move |attempt| {
            unheld(&attempt.record, attempt.now)?;
            if attempt
                .record
                .due(attempt.found.state, attempt.now)
                .is_none()
            {
                let message = "somebody else is at it";
                return Err(Error::new(Code::Conflict, "release", message));
            }
            let until = attempt.now.saturating_add(millis(CALLBACK_TIME));
            attempt.record.acting = Some((key.clone(), until));
            Ok(())
        })
        .await?;
        let called = function(self.clone(), name.to_owned()).await;
        if let Err(error) = called {
            let message = format!("{name}: {callback}: {error}");
            return Err(Error::new(Code::Died, "release", message).with_retryable(true));
        }
        let done = self
            .amend("release", name, Kept::Durably, move |attempt| {
                let record = &mut attempt.record;
                if record.acting.as_ref().is_some_and(|(who, _)| *who == me) {
                    record.acting = None;
                }
                (record.failures, record.failure) = (0, None);
                if !delete {
                    record.release_at = None;
                }
                Ok(())
            })
            .await;
        match done {
            // The callback has deleted it.
            Err(error) if error.code() == Code::NotFound => return Ok(Attended::Called),
            done => done?,
        };
        if delete {
            // Whoever holds it again by now has a sandbox that was saved and goes on.
            return self.delete_where(name, unheld).await;
        }
        Ok(Attended::Called)
    }

    /// Notes a failure and when to try again; the sandbox stays usable.
    async fn put_off(&self, name: &str, error: &Error) {
        let text = error.to_string();
        let change = move |attempt: &mut Attempt| {
            let record = &mut attempt.record;
            record.acting = None;
            let pause = FIRST_RETRY * 2u32.saturating_pow(record.failures.min(16));
            record.failures = record.failures.saturating_add(1);
            record.failure = Some(text.clone());
            attempt.tell(EventKind::Failed, Some(text.clone()));
            let record = &mut attempt.record;
            if record.holders.is_empty() {
                let pause = millis(pause.min(LONGEST_RETRY));
                record.release_at = Some(attempt.now.saturating_add(pause));
            }
            Ok(())
        };
        let noted = self.amend("release", name, Kept::WhileRunning, change);
        if let Ok(noted) = noted.await
            && let Some(at) = noted.record.release_at
        {
            let now = self.blocking("release", |store| store.now()).await;
            let pause = at.saturating_sub(now.unwrap_or(0));
            let pause = Duration::from_millis(pause).min(LONGEST_RETRY);
            self.attend_later(name, pause);
        }
    }
}

/// Refuses what somebody holds, or held again since the last release.
fn unheld(record: &Record, now: u64) -> Result<()> {
    let held = record.holders.values().any(|holder| holder.until >= now);
    if held || record.release_at.is_none_or(|at| at > now) {
        return Err(in_use(record, now));
    }
    Ok(())
}

/// Counted leases stand against it.
pub(super) fn in_use(record: &Record, now: u64) -> Error {
    let holders = record.holders.values();
    let count = holders.filter(|holder| holder.until >= now).count();
    let message = format!("it is in use: {count} counted leases are held");
    Error::new(Code::Conflict, "suspend", message).with_retryable(true)
}

impl Why {
    /// What a suspend changes in the record; refused where somebody holds it.
    pub(super) fn settle(self, record: &mut Record, now: u64) -> Result<()> {
        record.drop_lapsed(now);
        if self == Why::Ended {
            record.holders.clear();
            record.release_at = None;
            record.references.end();
        }
        if !record.holders.is_empty() {
            return Err(in_use(record, now));
        }
        if self == Why::Released {
            unheld(record, now)?;
        }
        if *record.action() == OnLastRelease::Suspend {
            (record.release_at, record.asked) = (None, None);
        }
        (record.failures, record.failure) = (0, None);
        record.clean |= self == Why::Shutdown;
        record.hibernated = Some(now);
        Ok(())
    }
}

impl Attempt {
    /// Lets a sandbox whose owner is gone sleep at its last commit.
    pub(super) fn lay_down(&mut self, owner: &str) -> Result<()> {
        if self.found.state == State::Suspended {
            return Ok(());
        }
        let claim = Claim {
            owner: owner.to_owned(),
            lease_until: Some(self.now),
        };
        if !self.is_lapsed() {
            return Err(busy("suspend", &self.name, &self.found));
        }
        self.take_over(claim)?;
        let epoch = self.found.epoch;
        self.apply(&Transition::AbandonResume, Some(epoch))
    }
}

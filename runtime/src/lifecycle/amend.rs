//! Changing a ref and its record in one step, however many others do so at the same time.

use super::record::Record;
use super::service::Sandboxes;
use crate::error::{Below, Code, Error, Result};
use offshoot_store::{Claim, Ref, Refs, State, Store, Swap, Transition};
use std::sync::Arc;
use std::time::Duration;

/// How often a change starts again because somebody else was faster.
const ATTEMPTS: u32 = 200;

/// The longest pause between two attempts.
const LONGEST_PAUSE: Duration = Duration::from_millis(20);

/// Whether a change must survive the loss of power. What only says who is at work now need not:
/// with the power, they are gone as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kept {
    Durably,
    WhileRunning,
}

/// What is there, and what is to become of it.
pub(super) struct Attempt {
    pub(super) name: String,
    /// Whether anybody wants to know what happens.
    pub(super) listening: bool,
    /// Who can tell whether an owner is there.
    refs: Arc<dyn Refs>,
    /// The store's time.
    pub(super) now: u64,
    pub(super) found: Ref,
    pub(super) record: Record,
}

/// What has become of it.
pub(super) struct Amended<T> {
    pub(super) answer: T,
    pub(super) found: Ref,
    pub(super) record: Record,
}

impl Attempt {
    /// Changes the ref by the rules of the states.
    pub(super) fn apply(&mut self, transition: &Transition, epoch: Option<u64>) -> Result<()> {
        let after = self.found.after(transition, epoch, self.now);
        self.found = after.map_err(|error| Error::store("change", &error))?;
        Ok(())
    }

    /// Whether the owner's lease has run out, or its process is known to have ended.
    pub(super) fn is_lapsed(&self) -> bool {
        self.has_run_out() || is_gone(&*self.refs, &self.found)
    }

    fn has_run_out(&self) -> bool {
        self.found.lease_until.is_some_and(|until| until < self.now)
    }

    /// Takes a sandbox over whose owner [is](Attempt::is_lapsed) not there any more.
    pub(super) fn take_over(&mut self, claim: Claim) -> Result<()> {
        let transition = match self.has_run_out() {
            true => Transition::TakeOver(claim),
            false => Transition::Succeed(claim),
        };
        self.apply(&transition, None)
    }

    /// What is written: one step after what was read.
    fn finish(self, old: &Ref) -> Result<(Ref, Record)> {
        let mut new = self.found;
        new.seq = old.seq + 1;
        if new.state == old.state && new.epoch == old.epoch {
            new.changed = old.changed;
        }
        self.record.settle(&mut new)?;
        Ok((new, self.record))
    }
}

impl Record {
    /// Puts the record into its ref, with the deadline that follows from it.
    pub(super) fn settle(&self, new: &mut Ref) -> Result<()> {
        new.deadline = self.deadline(new.state);
        new.data = self.encode()?;
        Ok(())
    }
}

impl Sandboxes {
    /// Changes a sandbox that is not deleted. `change` may be called several times, each time with
    /// what is there then; where it changes nothing, nothing is written.
    pub(super) async fn amend<T: Send + 'static>(
        &self,
        operation: &'static str,
        name: &str,
        kept: Kept,
        change: impl FnMut(&mut Attempt) -> Result<T> + Send + 'static,
    ) -> Result<Amended<T>> {
        let who = (operation, name.to_owned(), self.is_listening());
        self.own_blocking(operation, move |store| {
            amend(store, who, kept, change, |old| old.state != State::Deleted)
        })
        .await
    }

    /// [`Sandboxes::amend`] where waiting is allowed.
    pub(super) fn amend_here<T>(
        &self,
        store: &Store,
        (operation, name): (&'static str, &str),
        kept: Kept,
        change: impl FnMut(&mut Attempt) -> Result<T>,
    ) -> Result<Amended<T>> {
        let who = (operation, name.to_owned(), self.is_listening());
        amend(store, who, kept, change, |old| old.state != State::Deleted)
    }

    /// Changes what is left of a sandbox, also of a deleted one.
    pub(super) async fn amend_any<T: Send + 'static>(
        &self,
        operation: &'static str,
        name: &str,
        kept: Kept,
        change: impl FnMut(&mut Attempt) -> Result<T> + Send + 'static,
    ) -> Result<Amended<T>> {
        let who = (operation, name.to_owned(), self.is_listening());
        self.own_blocking(operation, move |store| {
            amend(store, who, kept, change, |_| true)
        })
        .await
    }
}

fn amend<T>(
    store: &Store,
    (operation, name, listening): (&'static str, String, bool),
    kept: Kept,
    mut change: impl FnMut(&mut Attempt) -> Result<T>,
    meant: impl Fn(&Ref) -> bool,
) -> Result<Amended<T>> {
    let name = name.as_str();
    let failed = |error: offshoot_store::Error| Error::store(operation, &error);
    for attempt in 0..ATTEMPTS {
        let old = store.refs().read(name).map_err(failed)?;
        let old = old.filter(&meant);
        let old = old.ok_or_else(|| missing(operation, name))?;
        let record = Record::decode(name, &old.data)?;
        let mut new = Attempt {
            name: name.to_owned(),
            listening,
            refs: Arc::clone(store.refs()),
            now: store.now().map_err(failed)?,
            found: old.clone(),
            record: record.clone(),
        };
        let answer = change(&mut new)?;
        if new.found == old && new.record == record {
            let found = old;
            return Ok(Amended {
                answer,
                found,
                record,
            });
        }
        let (found, record) = new.finish(&old)?;
        let swap = Swap {
            name,
            expected: Some(old.version()),
            new: &found,
        };
        let swapped = match kept {
            Kept::Durably => store.refs().swap(swap),
            Kept::WhileRunning => store.refs().swap_soon(swap),
        };
        match swapped {
            Ok(()) => {
                return Ok(Amended {
                    answer,
                    found,
                    record,
                });
            }
            Err(offshoot_store::Error::Conflict { .. }) => {
                std::thread::sleep((Duration::from_millis(1) * (attempt / 4)).min(LONGEST_PAUSE));
            }
            Err(error) => return Err(failed(error)),
        }
    }
    let message = format!("{name} was changed by others again and again");
    Err(Error::new(Code::Conflict, operation, message).with_retryable(true))
}

/// Whether the owner of a ref is known to have ended.
pub(super) fn is_gone(refs: &dyn Refs, found: &Ref) -> bool {
    let owner = found.owner.as_deref();
    owner.is_some_and(|owner| refs.is_gone(owner))
}

/// Nothing has this name.
pub(super) fn missing(operation: &'static str, name: &str) -> Error {
    let message = format!("no sandbox is called {name}");
    Error::new(Code::NotFound, operation, message)
}

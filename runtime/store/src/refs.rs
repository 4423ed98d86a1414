//! Refs: the only mutable thing. The trait of their stores.

use serde::{Deserialize, Serialize};

use crate::{Durability, Error, Object, ObjectId, Objects, Presence, Result};

/// Where a sandbox stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum State {
    /// Made, and never run.
    Pending,
    /// An owner has it in memory.
    Running,
    /// Its owner is storing it.
    Suspending,
    /// Stored; nobody has it in memory.
    Suspended,
    /// A new owner is loading it.
    Resuming,
    /// Beyond recovery; the last commit is kept.
    Failed,
    /// A tombstone.
    Deleted,
}

impl State {
    /// All of them.
    pub const ALL: [State; 7] = [
        State::Pending,
        State::Running,
        State::Suspending,
        State::Suspended,
        State::Resuming,
        State::Failed,
        State::Deleted,
    ];

    /// Its name, as it is stored and shown.
    pub fn name(self) -> &'static str {
        match self {
            State::Pending => "pending",
            State::Running => "running",
            State::Suspending => "suspending",
            State::Suspended => "suspended",
            State::Resuming => "resuming",
            State::Failed => "failed",
            State::Deleted => "deleted",
        }
    }

    /// The state of this name.
    pub fn from_name(name: &str) -> Option<State> {
        State::ALL.into_iter().find(|state| state.name() == name)
    }
}

/// What a ref says about a sandbox. Times are milliseconds of the store's clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ref {
    /// Where it stands.
    pub state: State,
    /// The last published commit.
    pub commit: Option<ObjectId>,
    /// Grows with every new owner. Who presents a lower one is fenced.
    pub epoch: u64,
    /// Grows with every change.
    pub seq: u64,
    /// Who has it in memory.
    pub owner: Option<String>,
    /// When somebody else may take it over.
    pub lease_until: Option<u64>,
    /// The suspend in progress.
    pub operation: Option<String>,
    /// Why it failed.
    pub reason: Option<String>,
    /// When something is due (an idle suspend, a time-to-live), whoever looks after it:
    /// [`Filter::due_before`].
    pub deadline: Option<u64>,
    /// When it was made.
    pub created: u64,
    /// When it last changed.
    pub changed: u64,
    /// Whatever the caller keeps with it, changed in the same step.
    pub data: Vec<u8>,
}

/// What a compare-and-swap compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Version {
    /// [`Ref::epoch`].
    pub epoch: u64,
    /// [`Ref::seq`].
    pub seq: u64,
}

impl Ref {
    /// What to present to change it.
    pub fn version(&self) -> Version {
        Version {
            epoch: self.epoch,
            seq: self.seq,
        }
    }
}

/// Which refs a listing is about; the default is all.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Names that begin so.
    pub prefix: String,
    /// In this state.
    pub state: Option<State>,
    /// With a deadline before this time.
    pub due_before: Option<u64>,
    /// With an owner whose lease ran out before this time.
    pub lapsed_before: Option<u64>,
}

impl Filter {
    /// Whether a ref is meant.
    pub fn matches(&self, name: &str, found: &Ref) -> bool {
        name.starts_with(&self.prefix)
            && self.state.is_none_or(|state| state == found.state)
            && before(found.deadline, self.due_before)
            && before(found.lease_until, self.lapsed_before)
    }
}

/// Whether a time is there and earlier than the bound, where there is one.
fn before(time: Option<u64>, bound: Option<u64>) -> bool {
    bound.is_none_or(|bound| time.is_some_and(|time| time < bound))
}

/// A name that keeps a commit from being collected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pin {
    /// Its name.
    pub name: String,
    /// What it keeps.
    pub commit: ObjectId,
    /// Until when; for ever where there is none.
    pub until: Option<u64>,
}

/// One change of one ref.
#[derive(Debug, Clone, Copy)]
pub struct Swap<'a> {
    /// The ref's name.
    pub name: &'a str,
    /// What it must be; none where it must not exist.
    pub expected: Option<Version>,
    /// What it becomes.
    pub new: &'a Ref,
}

/// A place for refs, pins and the collector's epoch. Blocking, and durable when it returns.
pub trait Refs: Send + Sync {
    /// The store's clock, in milliseconds since 1970. Leases are measured by it and never by a
    /// node's own.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`.
    fn now(&self) -> Result<u64>;

    /// One ref.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`, `CORRUPT`.
    fn read(&self, name: &str) -> Result<Option<Ref>>;

    /// Changes a ref where it is what the caller believes, in one step. What [`Store`] offers on
    /// top keeps to the rules of the states; this does not know them.
    ///
    /// [`Store`]: crate::Store
    ///
    /// # Errors
    /// `CONFLICT` where it is something else, and then nothing was changed. After
    /// `SANDBOX_UNAVAILABLE` it may have been changed: read it.
    fn swap(&self, swap: Swap<'_>) -> Result<()>;

    /// [`Refs::swap`] for what only says who is at work now: it may be lost with the power of the
    /// machine, like whoever was at work, but not otherwise, and not before anything else.
    ///
    /// # Errors
    /// Those of [`Refs::swap`].
    fn swap_soon(&self, swap: Swap<'_>) -> Result<()> {
        self.swap(swap)
    }

    /// Makes refs that must not exist, with the pins that belong to them. A store that can does it in
    /// one step; another makes the pins first and may leave what was made before a failure.
    ///
    /// # Errors
    /// Those of [`Refs::swap`].
    fn make(&self, refs: &[(String, Ref)], pins: &[Pin]) -> Result<()> {
        pins.iter().try_for_each(|pin| self.pin(pin))?;
        let expected = None;
        refs.iter().try_for_each(|(name, new)| {
            self.swap(Swap {
                name,
                expected,
                new,
            })
        })
    }

    /// Removes a ref where it is what the caller believes.
    ///
    /// # Errors
    /// Those of [`Refs::swap`].
    fn forget(&self, name: &str, expected: Version) -> Result<()>;

    /// Refs in the order of their names, from the first one behind `after`; fewer than `limit` only
    /// at the end.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`, `CORRUPT`.
    fn list(
        &self,
        filter: &Filter,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(String, Ref)>>;

    /// Sets a pin, or replaces the one of the same name.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`.
    fn pin(&self, pin: &Pin) -> Result<()>;

    /// Removes a pin; whether there was one.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`.
    fn unpin(&self, name: &str) -> Result<bool>;

    /// All pins, in the order of their names.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`.
    fn pins(&self) -> Result<Vec<Pin>>;

    /// The pins whose names begin with `prefix`, in the order of their names.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`.
    fn pins_of(&self, prefix: &str) -> Result<Vec<Pin>> {
        let mut pins = self.pins()?;
        pins.retain(|pin| pin.name.starts_with(prefix));
        Ok(pins)
    }

    /// Grows when the collector has condemned objects. What a writer knew to be stored before must
    /// be looked up again.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`.
    fn gc_epoch(&self) -> Result<u64>;

    /// Lets it grow by one, and returns it.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`.
    fn advance_gc_epoch(&self) -> Result<u64>;

    /// Shows that an owner is there until what is returned is dropped or its process ends, so that
    /// nobody has to wait for its lease; the name that refs are to have for it then. None for a store
    /// that cannot.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`.
    fn announce(&self, _owner: &str) -> Result<Option<Presence>> {
        Ok(None)
    }

    /// Whether an owner that was [announced](Refs::announce) is gone for certain.
    fn is_gone(&self, _owner: &str) -> bool {
        false
    }

    /// How long a writer that has passed the check of [`Refs::publish`] may take to swap. The
    /// collector waits as long; zero where check and swap are one step.
    fn settle(&self) -> std::time::Duration {
        std::time::Duration::ZERO
    }

    /// Puts objects, makes them durable, and then changes a ref, unless the collector's epoch has
    /// moved on from `gc_epoch`. A store that holds both does it in one step.
    ///
    /// # Errors
    /// [`Moved`](Published::Moved) is no error. Those of [`Objects::put`], [`Objects::flush`] and
    /// [`Refs::swap`].
    fn publish(
        &self,
        objects: &dyn Objects,
        batch: &[Object],
        gc_epoch: u64,
        swap: Swap<'_>,
    ) -> Result<Published> {
        objects.put(batch)?;
        let durability = objects.flush()?;
        if self.gc_epoch()? != gc_epoch {
            return Ok(Published::Moved);
        }
        self.swap(swap)?;
        Ok(Published::Done(durability))
    }
}

/// What became of [`Refs::publish`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Published {
    /// It is as durable as this.
    Done(Durability),
    /// The collector was at work meanwhile: look again at what is stored, then try again.
    Moved,
}

/// Names of refs and pins: 1 to 255 bytes, no control characters.
pub(crate) fn check_name(name: &str) -> Result<()> {
    if name.is_empty() || name.len() > 255 || name.chars().any(char::is_control) {
        return Err(Error::Invalid {
            what: "a name has 1 to 255 bytes and no control characters",
        });
    }
    Ok(())
}

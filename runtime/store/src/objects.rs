//! The trait of stores of objects.

use crate::{Object, ObjectId, Result};

/// How far an acknowledged write has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Durability {
    /// In this process; gone when it ends.
    Memory,
    /// On this machine's disk; survives power loss.
    Local,
    /// On other machines.
    Replicated,
}

/// What a store knows about an object without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ObjectInfo {
    /// Its name.
    pub id: ObjectId,
    /// Length of its payload.
    pub length: u64,
    /// When it was stored, in milliseconds of the store's clock.
    pub stored_at: u64,
    /// When the collector found that nothing leads to it.
    pub condemned_at: Option<u64>,
}

/// A place for immutable objects. Blocking: call from a thread that may wait.
///
/// A condemned object is still read, but [`Objects::contains`] denies it and [`Objects::put`] brings
/// it back, so nobody builds on what the collector may be about to remove.
pub trait Objects: Send + Sync {
    /// Stores what is missing, in this order. They are visible afterwards, but only durable after
    /// [`Objects::flush`]. After an error a beginning of them may be stored.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`, a full disk for instance.
    fn put(&self, objects: &[Object]) -> Result<()>;

    /// Makes everything durable that was put before, and says how durable that is.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`; nothing is known to be durable then.
    fn flush(&self) -> Result<Durability>;

    /// Reads an object. Whether it is intact is for the caller to ask: [`Object::verify`].
    ///
    /// # Errors
    /// `NOT_FOUND`, `CORRUPT` where a part is missing, `SANDBOX_UNAVAILABLE`.
    fn get(&self, id: ObjectId) -> Result<Object>;

    /// Which of these are there and not condemned.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`.
    fn contains(&self, ids: &[ObjectId]) -> Result<Vec<bool>>;

    /// Objects in the order of their ids, from the first one behind `after`; fewer than `limit` only
    /// at the end.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`.
    fn list(&self, after: Option<ObjectId>, limit: usize) -> Result<Vec<ObjectInfo>>;

    /// Marks objects as unreachable from now on. What is not there is passed over.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`.
    fn condemn(&self, ids: &[ObjectId]) -> Result<()>;

    /// Takes that back.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`.
    fn reprieve(&self, ids: &[ObjectId]) -> Result<()>;

    /// Removes those of `ids` that were condemned before a time, and returns how many that were.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`.
    fn remove(&self, ids: &[ObjectId], condemned_before: u64) -> Result<u64>;

    /// Puts a damaged object aside: it is not found any more, and an intact one of the same name
    /// can be stored.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`.
    fn quarantine(&self, id: ObjectId) -> Result<()>;

    /// Brings objects back that were put aside and are what their names say, whatever they mean; how
    /// many. Zero for a store that keeps none.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`.
    fn release(&self) -> Result<u64> {
        Ok(0)
    }

    /// How many objects are put aside, where that is known.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`.
    fn aside(&self) -> Result<u64> {
        Ok(0)
    }

    /// Gives the room of what was removed back to the medium, where that is a step of its own.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`; nothing is lost then.
    fn shrink(&self) -> Result<()> {
        Ok(())
    }

    /// Where the objects are, as a name that is the same for a store of refs in the same place.
    fn place(&self) -> Option<&str> {
        None
    }

    /// Forgets what is only believed to be stored, because the collector was at work.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`.
    fn refresh(&self) -> Result<()> {
        Ok(())
    }

    /// Looks for damage in the store's own structure.
    ///
    /// # Errors
    /// `CORRUPT`, with what was found first.
    fn inspect(&self) -> Result<()> {
        Ok(())
    }

    /// Bytes that the store takes on its medium, where that is known.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`.
    fn footprint(&self) -> Result<Option<u64>> {
        Ok(None)
    }
}

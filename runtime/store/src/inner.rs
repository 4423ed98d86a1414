//! What handles on a store share: the two places behind it, what waits to be stored, and what is known to
//! be there.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use crate::cipher::Cipher;
use crate::object::targets;
use crate::pending::Pending;
use crate::{Commit, Error, Kind, Object, ObjectId, Objects, Refs, Result};

pub(crate) struct Inner {
    pub(crate) objects: Arc<dyn Objects>,
    pub(crate) refs: Arc<dyn Refs>,
    pub(crate) pending: Mutex<Pending>,
    pub(crate) seal: Mutex<Seal>,
    /// What is there with all that it leads to, as it was found under an epoch of the collector.
    pub(crate) whole: Mutex<(u64, HashSet<ObjectId>)>,
    /// What objects are encrypted with, where they are.
    pub(crate) cipher: Option<Cipher>,
}

/// Under which collector's epoch what is stored was last looked up.
pub(crate) struct Seal {
    gc_epoch: u64,
    number: u64,
}

impl Seal {
    pub(crate) fn new(gc_epoch: u64) -> Seal {
        // Numbers are never used twice in a process, so a node that another store has sealed is
        // never taken for one of this store's.
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Seal { gc_epoch, number }
    }
}

impl Inner {
    pub(crate) fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The seal for a collector's epoch.
    pub(crate) fn seal(&self, gc_epoch: u64) -> Result<u64> {
        let mut seal = self.seal.lock().unwrap_or_else(PoisonError::into_inner);
        if seal.gc_epoch != gc_epoch {
            self.objects.refresh()?;
            *seal = Seal::new(gc_epoch);
        }
        Ok(seal.number)
    }

    /// What waits, and may be stored under this epoch of the collector.
    pub(crate) fn waiting(&self, gc_epoch: u64) -> Result<Vec<Object>> {
        let mut pending = self.pending();
        let read = |object: &Object| targets(&self.opened(object.clone())?, None);
        pending.revalidate(gc_epoch, read, |id| self.stores(gc_epoch, id))?;
        Ok(pending.all())
    }

    /// Hands what waits to the store. Not durable yet.
    pub(crate) fn hand_over(&self) -> Result<()> {
        let waiting = self.waiting(self.refs.gc_epoch()?)?;
        self.objects.put(&waiting)?;
        self.pending().forget(&waiting);
        Ok(())
    }

    /// Whether an object is there with all that it leads to, under this epoch of the collector.
    ///
    /// That the object itself is there says nothing about the rest: somebody may have put it while
    /// the collector was taking away what it leads to.
    pub(crate) fn holds(&self, gc_epoch: u64, id: ObjectId) -> Result<bool> {
        if self.pending().get(id).is_some() {
            return Ok(true);
        }
        self.stores(gc_epoch, id)
    }

    fn stores(&self, gc_epoch: u64, id: ObjectId) -> Result<bool> {
        let mut whole = self.whole.lock().unwrap_or_else(PoisonError::into_inner);
        if whole.0 != gc_epoch {
            *whole = (gc_epoch, HashSet::new());
        }
        self.stores_all(&mut whole.1, vec![id])
    }

    /// Looks everything up that these lead to and that is not known to be there. What was found is
    /// only believed where nothing was missing.
    fn stores_all(&self, known: &mut HashSet<ObjectId>, first: Vec<ObjectId>) -> Result<bool> {
        let (mut seen, mut level) = (HashSet::new(), first);
        while !level.is_empty() {
            level.retain(|id| !known.contains(id) && seen.insert(*id));
            if self.objects.contains(&level)?.contains(&false) {
                return Ok(false);
            }
            let mut next = Vec::new();
            for id in level {
                let found = self.objects.get(id).and_then(Object::verify);
                let targets = match found.and_then(|object| self.opened(object)) {
                    Ok(object) => targets(&object, None),
                    Err(error) => Err(error),
                };
                match targets {
                    Ok(found) => {
                        let (leaves, nodes): (Vec<_>, Vec<_>) = found
                            .into_iter()
                            .partition(|target| target.kind == Kind::Chunk);
                        let leaves: Vec<_> = leaves.into_iter().map(|target| target.id).collect();
                        if self.objects.contains(&leaves)?.contains(&false) {
                            return Ok(false);
                        }
                        next.extend(nodes.into_iter().map(|target| target.id));
                    }
                    Err(Error::NotFound { .. } | Error::Corrupt { .. }) => return Ok(false),
                    Err(error) => return Err(error),
                }
            }
            level = next;
        }
        known.extend(seen);
        Ok(true)
    }

    /// An object, intact.
    pub(crate) fn get(&self, id: ObjectId) -> Result<Object> {
        let waiting = self.pending().get(id).cloned();
        let stored = match waiting {
            Some(object) => object,
            None => self.objects.get(id)?.verify()?,
        };
        self.opened(stored)
    }

    /// An object as it is stored.
    pub(crate) fn stored_form(&self, kind: Kind, payload: Bytes) -> Result<Object> {
        match &self.cipher {
            Some(cipher) => cipher.seal(kind, &payload),
            None => Ok(Object::new(kind, payload)),
        }
    }

    /// What an object as it is stored means.
    pub(crate) fn opened(&self, stored: Object) -> Result<Object> {
        match &self.cipher {
            Some(cipher) => cipher.open(stored),
            None => Ok(stored),
        }
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        self.cipher.is_some()
    }

    pub(crate) fn get_commit(&self, id: ObjectId) -> Result<(Commit, u16)> {
        let object = self.get(id)?;
        Ok((Commit::decode(&object)?, Commit::schema(&object)))
    }
}

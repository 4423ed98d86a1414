//! Objects that were committed and not yet handed to the store: a commit without durability costs
//! no write.

use std::collections::{BTreeMap, HashMap};

use crate::object::Target;
use crate::{Object, ObjectId, Result};

/// Objects in the order in which they came, so that what one leads to is always stored before it.
#[derive(Default)]
pub(crate) struct Pending {
    order: BTreeMap<u64, Object>,
    numbers: HashMap<ObjectId, u64>,
    next: u64,
    bytes: usize,
    /// The collector's epoch under which what these lead to was last known to be stored.
    gc_epoch: u64,
}

impl Pending {
    pub(crate) fn new(gc_epoch: u64) -> Pending {
        Pending {
            gc_epoch,
            ..Pending::default()
        }
    }

    pub(crate) fn gc_epoch(&self) -> u64 {
        self.gc_epoch
    }

    pub(crate) fn add(&mut self, object: Object) {
        if self.numbers.contains_key(&object.id) {
            return;
        }
        self.numbers.insert(object.id, self.next);
        self.bytes += object.payload.len();
        self.order.insert(self.next, object);
        self.next += 1;
    }

    pub(crate) fn get(&self, id: ObjectId) -> Option<&Object> {
        self.order.get(self.numbers.get(&id)?)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// All of them; they stay until [`Pending::forget`].
    pub(crate) fn all(&self) -> Vec<Object> {
        self.order.values().cloned().collect()
    }

    /// Makes sure, when the collector was at work, that what these lead to is still stored. What
    /// leads to something that is gone goes as well: stored, it would be a trap for others.
    pub(crate) fn revalidate(
        &mut self,
        gc_epoch: u64,
        targets: impl Fn(&Object) -> Result<Vec<Target>>,
        stores: impl Fn(ObjectId) -> Result<bool>,
    ) -> Result<()> {
        if gc_epoch <= self.gc_epoch {
            return Ok(());
        }
        let mut lost = Vec::new();
        for (number, object) in &self.order {
            for target in targets(object)? {
                let waits = self.numbers.get(&target.id);
                if waits.is_none_or(|number| lost.contains(number)) && !stores(target.id)? {
                    lost.push(*number);
                    break;
                }
            }
        }
        for number in lost {
            if let Some(object) = self.order.get(&number).cloned() {
                self.forget(&[object]);
            }
        }
        self.gc_epoch = gc_epoch;
        Ok(())
    }

    /// Drops what is stored by now.
    pub(crate) fn forget(&mut self, stored: &[Object]) {
        for object in stored {
            if let Some(number) = self.numbers.remove(&object.id) {
                self.order.remove(&number);
                self.bytes -= object.payload.len();
            }
        }
    }
}

//! A store in memory: for tests, and for sandboxes that need not outlive the process.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;

use crate::{
    Clock, Durability, Error, Filter, Kind, Object, ObjectId, ObjectInfo, Objects, Pin, Published,
    Ref, Refs, Result, Swap, SystemClock, Version,
};

/// Objects and refs in memory. Clones are handles on the same store.
#[derive(Clone)]
pub struct MemoryStore {
    tables: Arc<Mutex<Tables>>,
    clock: Arc<dyn Clock>,
}

#[derive(Default)]
struct Tables {
    objects: BTreeMap<ObjectId, Kept>,
    quarantine: BTreeMap<ObjectId, Kept>,
    refs: BTreeMap<String, Ref>,
    pins: BTreeMap<String, Pin>,
    gc_epoch: u64,
}

#[derive(Clone)]
struct Kept {
    kind: Kind,
    payload: Bytes,
    stored_at: u64,
    condemned_at: Option<u64>,
}

impl Default for MemoryStore {
    fn default() -> MemoryStore {
        MemoryStore::new()
    }
}

impl MemoryStore {
    /// An empty store.
    pub fn new() -> MemoryStore {
        MemoryStore::with_clock(Arc::new(SystemClock))
    }

    /// An empty store with a clock of its own.
    pub fn with_clock(clock: Arc<dyn Clock>) -> MemoryStore {
        MemoryStore {
            tables: Arc::default(),
            clock,
        }
    }

    fn lock(&self) -> MutexGuard<'_, Tables> {
        // Tables are changed by steps that do not panic half-way.
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the stored bytes of an object: what a failing medium does. For tests of what finds it.
    pub fn damage(&self, id: ObjectId, change: impl FnOnce(&mut Vec<u8>)) {
        if let Some(kept) = self.lock().objects.get_mut(&id) {
            let mut payload = kept.payload.to_vec();
            change(&mut payload);
            kept.payload = payload.into();
        }
    }
}

impl Objects for MemoryStore {
    fn put(&self, objects: &[Object]) -> Result<()> {
        let now = self.clock.now();
        let mut tables = self.lock();
        for object in objects {
            let new = Kept {
                kind: object.kind,
                payload: object.payload.clone(),
                stored_at: now,
                condemned_at: None,
            };
            let kept = tables.objects.entry(object.id).or_insert(new);
            if kept.condemned_at.take().is_some() {
                kept.stored_at = now;
            }
        }
        Ok(())
    }

    fn flush(&self) -> Result<Durability> {
        Ok(Durability::Memory)
    }

    fn get(&self, id: ObjectId) -> Result<Object> {
        let tables = self.lock();
        let kept = tables.objects.get(&id).ok_or(Error::no_object(id))?;
        Ok(Object {
            id,
            kind: kept.kind,
            payload: kept.payload.clone(),
        })
    }

    fn contains(&self, ids: &[ObjectId]) -> Result<Vec<bool>> {
        let tables = self.lock();
        let there = |id| {
            let kept: Option<&Kept> = tables.objects.get(id);
            kept.is_some_and(|kept| kept.condemned_at.is_none())
        };
        Ok(ids.iter().map(there).collect())
    }

    fn list(&self, after: Option<ObjectId>, limit: usize) -> Result<Vec<ObjectInfo>> {
        let tables = self.lock();
        let start = after.map_or(Bound::Unbounded, Bound::Excluded);
        let objects = tables.objects.range((start, Bound::Unbounded));
        let info = |(id, kept): (&ObjectId, &Kept)| ObjectInfo {
            id: *id,
            length: kept.payload.len() as u64,
            stored_at: kept.stored_at,
            condemned_at: kept.condemned_at,
        };
        Ok(objects.map(info).take(limit).collect())
    }

    fn condemn(&self, ids: &[ObjectId]) -> Result<()> {
        let now = self.clock.now();
        let mut tables = self.lock();
        for id in ids {
            if let Some(kept) = tables.objects.get_mut(id) {
                kept.condemned_at.get_or_insert(now);
            }
        }
        Ok(())
    }

    fn reprieve(&self, ids: &[ObjectId]) -> Result<()> {
        let mut tables = self.lock();
        for id in ids {
            if let Some(kept) = tables.objects.get_mut(id) {
                kept.condemned_at = None;
            }
        }
        Ok(())
    }

    fn remove(&self, ids: &[ObjectId], condemned_before: u64) -> Result<u64> {
        let mut tables = self.lock();
        let mut removed = 0;
        for id in ids {
            let kept = tables.objects.get(id);
            let condemned = kept.and_then(|kept| kept.condemned_at);
            if condemned.is_some_and(|time| time < condemned_before) {
                tables.objects.remove(id);
                removed += 1;
            }
        }
        Ok(removed)
    }

    fn quarantine(&self, id: ObjectId) -> Result<()> {
        let mut tables = self.lock();
        if let Some(kept) = tables.objects.remove(&id) {
            tables.quarantine.insert(id, kept);
        }
        Ok(())
    }

    fn release(&self) -> Result<u64> {
        let mut tables = self.lock();
        let aside = std::mem::take(&mut tables.quarantine);
        let mut released = 0;
        for (id, kept) in aside {
            let object = Object {
                id,
                kind: kept.kind,
                payload: kept.payload.clone(),
            };
            if object.verify().is_ok() {
                tables.objects.entry(id).or_insert(kept);
                released += 1;
            } else {
                tables.quarantine.insert(id, kept);
            }
        }
        Ok(released)
    }

    fn aside(&self) -> Result<u64> {
        Ok(self.lock().quarantine.len() as u64)
    }

    fn footprint(&self) -> Result<Option<u64>> {
        let tables = self.lock();
        let lengths = tables
            .objects
            .values()
            .map(|kept| kept.payload.len() as u64);
        Ok(Some(lengths.sum()))
    }
}

impl Refs for MemoryStore {
    fn now(&self) -> Result<u64> {
        Ok(self.clock.now())
    }

    fn read(&self, name: &str) -> Result<Option<Ref>> {
        Ok(self.lock().refs.get(name).cloned())
    }

    fn swap(&self, swap: Swap<'_>) -> Result<()> {
        let mut tables = self.lock();
        check(&tables, swap.name, swap.expected)?;
        tables.refs.insert(swap.name.to_owned(), swap.new.clone());
        Ok(())
    }

    fn make(&self, refs: &[(String, Ref)], pins: &[Pin]) -> Result<()> {
        let mut tables = self.lock();
        refs.iter()
            .try_for_each(|(name, _)| check(&tables, name, None))?;
        tables.refs.extend(refs.iter().cloned());
        let named = pins.iter().map(|pin| (pin.name.clone(), pin.clone()));
        tables.pins.extend(named);
        Ok(())
    }

    fn forget(&self, name: &str, expected: Version) -> Result<()> {
        let mut tables = self.lock();
        check(&tables, name, Some(expected))?;
        tables.refs.remove(name);
        Ok(())
    }

    fn list(
        &self,
        filter: &Filter,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(String, Ref)>> {
        let tables = self.lock();
        let start = after.map_or(Bound::Unbounded, Bound::Excluded);
        let refs = tables.refs.range::<str, _>((start, Bound::Unbounded));
        let meant = refs.filter(|(name, found)| filter.matches(name, found));
        let page = meant.take(limit);
        Ok(page
            .map(|(name, found)| (name.clone(), found.clone()))
            .collect())
    }

    fn pin(&self, pin: &Pin) -> Result<()> {
        self.lock().pins.insert(pin.name.clone(), pin.clone());
        Ok(())
    }

    fn unpin(&self, name: &str) -> Result<bool> {
        Ok(self.lock().pins.remove(name).is_some())
    }

    fn pins(&self) -> Result<Vec<Pin>> {
        Ok(self.lock().pins.values().cloned().collect())
    }

    fn gc_epoch(&self) -> Result<u64> {
        Ok(self.lock().gc_epoch)
    }

    fn advance_gc_epoch(&self) -> Result<u64> {
        let mut tables = self.lock();
        tables.gc_epoch += 1;
        Ok(tables.gc_epoch)
    }

    fn publish(
        &self,
        objects: &dyn Objects,
        batch: &[Object],
        gc_epoch: u64,
        swap: Swap<'_>,
    ) -> Result<Published> {
        objects.put(batch)?;
        let durability = objects.flush()?;
        let mut tables = self.lock();
        if tables.gc_epoch != gc_epoch {
            return Ok(Published::Moved);
        }
        check(&tables, swap.name, swap.expected)?;
        tables.refs.insert(swap.name.to_owned(), swap.new.clone());
        // What this process forgets when it ends is not more durable than that.
        Ok(Published::Done(durability.min(Durability::Memory)))
    }
}

fn check(tables: &Tables, name: &str, expected: Option<Version>) -> Result<()> {
    let found = tables.refs.get(name).map(Ref::version);
    if found == expected {
        Ok(())
    } else {
        Err(Error::conflict(format!(
            "ref {name:?} was changed meanwhile"
        )))
    }
}

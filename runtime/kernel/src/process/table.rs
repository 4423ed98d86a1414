//! The processes of one sandbox by their numbers.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::Entry;

/// Living processes, and ended ones whose parent has not asked yet.
pub(crate) struct Table {
    entries: BTreeMap<u32, Arc<Entry>>,
    alive: usize,
    next: u32,
}

impl Default for Table {
    fn default() -> Table {
        Table {
            entries: BTreeMap::new(),
            alive: 0,
            next: Table::INIT + 1,
        }
    }
}

impl Table {
    /// The process that takes over what its parent left behind; it is not a real one.
    pub(crate) const INIT: u32 = 1;

    /// Living processes.
    pub(crate) fn alive(&self) -> usize {
        self.alive
    }

    /// How many numbers were given out, until they begin anew.
    pub(crate) fn given(&self) -> u32 {
        self.next - Table::INIT - 1
    }

    /// Living processes, and ended ones whose parent has not asked.
    pub(crate) fn known(&self) -> usize {
        self.entries.len()
    }

    /// A number that no process has: the wanted one, where there is one and it is free.
    pub(crate) fn allocate(&mut self, wanted: Option<u32>) -> u32 {
        let free = |pid: &u32| *pid > Table::INIT && !self.entries.contains_key(pid);
        if let Some(pid) = wanted.filter(free) {
            return pid;
        }
        loop {
            let pid = self.next;
            self.next = if pid == 0x3f_ffff {
                Table::INIT + 1
            } else {
                pid + 1
            };
            if !self.entries.contains_key(&pid) {
                return pid;
            }
        }
    }

    pub(crate) fn insert(&mut self, entry: Arc<Entry>) {
        self.alive += 1;
        self.entries.insert(entry.pid, entry);
    }

    pub(crate) fn get(&self, pid: u32) -> Option<&Arc<Entry>> {
        self.entries.get(&pid)
    }

    /// All that are alive, in the order of their numbers.
    pub(crate) fn living(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.entries.values().filter(|entry| entry.is_alive())
    }

    /// A process ended: it stays while its parent lives and may ask, and its own children are
    /// nobody's any more.
    pub(crate) fn retire(&mut self, entry: &Entry) {
        self.alive = self.alive.saturating_sub(1);
        let parent = entry.parent.load(Ordering::Relaxed);
        if !self
            .entries
            .get(&parent)
            .is_some_and(|parent| parent.is_alive())
        {
            self.entries.remove(&entry.pid);
        }
        self.entries.retain(|_, child| {
            if child.parent.load(Ordering::Relaxed) != entry.pid {
                return true;
            }
            child.parent.store(Table::INIT, Ordering::Relaxed);
            child.is_alive()
        });
    }

    /// Forgets an ended process.
    pub(crate) fn reap(&mut self, pid: u32) {
        self.entries.remove(&pid);
    }
}

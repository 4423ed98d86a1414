//! Which objects are in which packs, as this process knows it.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use serde::{Deserialize, Serialize};

use crate::{Kind, ObjectId};

/// Where a copy of an object is.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Copy {
    pub(super) id: ObjectId,
    pub(super) kind: u8,
    pub(super) offset: u64,
    pub(super) length: u64,
}

/// The content of `index/ID`: what is in the pack of the same name.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Listed {
    pub(super) version: u16,
    pub(super) copies: Vec<Copy>,
}

/// The content of `condemned/ID`: packs and what in them is condemned.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(super) struct Condemned {
    pub(super) version: u16,
    pub(super) copies: BTreeMap<String, Vec<ObjectId>>,
}

/// A pack.
pub(super) struct Pack {
    pub(super) stored_at: u64,
    pub(super) copies: HashMap<ObjectId, Copy>,
}

/// Everything that was read of indexes and marks.
#[derive(Default)]
pub(super) struct Index {
    pub(super) packs: BTreeMap<String, Pack>,
    /// Packs that have a copy of an object.
    pub(super) places: BTreeMap<ObjectId, BTreeSet<String>>,
    /// When copies were condemned.
    condemned: HashMap<(String, ObjectId), u64>,
    /// Marks that were read.
    pub(super) marks: HashSet<String>,
}

impl Index {
    pub(super) fn add(&mut self, name: String, stored_at: u64, copies: Vec<Copy>) {
        for copy in &copies {
            let places = self.places.entry(copy.id).or_default();
            places.insert(name.clone());
        }
        let copies = copies.into_iter().map(|copy| (copy.id, copy)).collect();
        self.packs.insert(name, Pack { stored_at, copies });
    }

    /// Forgets a pack that is gone.
    pub(super) fn forget(&mut self, name: &str) {
        let Some(pack) = self.packs.remove(name) else {
            return;
        };
        for id in pack.copies.keys() {
            self.drop_copy(name, *id);
        }
    }

    /// Forgets one copy.
    pub(super) fn drop_copy(&mut self, name: &str, id: ObjectId) {
        self.condemned.remove(&(name.to_owned(), id));
        if let Some(pack) = self.packs.get_mut(name) {
            pack.copies.remove(&id);
        }
        if let Some(places) = self.places.get_mut(&id) {
            places.remove(name);
            if places.is_empty() {
                self.places.remove(&id);
            }
        }
    }

    pub(super) fn condemn(&mut self, time: u64, marks: Condemned) {
        for (name, ids) in marks.copies {
            for id in ids {
                let known = self.packs.get(&name);
                if known.is_some_and(|pack| pack.copies.contains_key(&id)) {
                    self.condemned.entry((name.clone(), id)).or_insert(time);
                }
            }
        }
    }

    pub(super) fn kind(&self, copy: &Copy) -> crate::Result<Kind> {
        Kind::from_number(copy.kind)
    }

    /// The copy to read, one that stays where there is one.
    pub(super) fn find(&self, id: ObjectId) -> Option<(&str, &Copy)> {
        let places = self.places.get(&id)?;
        let stays = |name: &&String| !self.condemned.contains_key(&((*name).clone(), id));
        let name = places.iter().find(stays).or_else(|| places.first())?;
        Some((name, self.packs.get(name)?.copies.get(&id)?))
    }

    /// Names of the packs with copies that are not condemned.
    pub(super) fn staying(&self, id: ObjectId) -> Vec<String> {
        let places = self.places.get(&id).into_iter().flatten();
        let stays = |name: &&String| !self.condemned.contains_key(&((*name).clone(), id));
        places.filter(stays).cloned().collect()
    }

    /// Since when an object is condemned: all its copies are.
    pub(super) fn condemned_at(&self, id: ObjectId) -> Option<u64> {
        let mut latest = None;
        for name in self.places.get(&id)? {
            let time = *self.condemned.get(&(name.clone(), id))?;
            latest = latest.max(Some(time));
        }
        latest
    }

    /// When the newest copy was stored.
    pub(super) fn stored_at(&self, id: ObjectId) -> u64 {
        let places = self.places.get(&id).into_iter().flatten();
        let packs = places.filter_map(|name| self.packs.get(name));
        packs.map(|pack| pack.stored_at).max().unwrap_or(0)
    }

    /// Whether a copy was condemned before a time.
    pub(super) fn is_ripe(&self, name: &str, id: ObjectId, before: u64) -> bool {
        let time = self.condemned.get(&(name.to_owned(), id));
        time.is_some_and(|time| *time < before)
    }
}

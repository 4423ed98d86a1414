//! Where in a tree the inodes stand that differ.

use std::collections::{HashMap, HashSet};

use super::super::{Body, Name, ROOT, Tree};
use super::Stop;
use crate::{Kind, Result};

/// The names that lead from the root to what differs. Each inode is climbed from once, so that this
/// is linear however deep the tree is.
pub(super) struct Marks<'a> {
    tree: &'a Tree,
    /// By directory, the names in it that lead on.
    below: HashMap<u64, Vec<Name>>,
    /// Whether an inode hangs below the root; one that is being climbed from counts as one that
    /// does not, against circles in a forged tree (T43).
    reached: HashMap<u64, bool>,
}

impl<'a> Marks<'a> {
    pub(super) fn new(tree: &'a Tree) -> Marks<'a> {
        Marks {
            tree,
            below: HashMap::new(),
            reached: HashMap::new(),
        }
    }

    /// The names in a directory that lead on.
    pub(super) fn below(&self, directory: u64) -> &[Name] {
        self.below.get(&directory).map_or(&[], Vec::as_slice)
    }

    /// Marks the path of an inode, by the name that it knows; false where it is not there.
    pub(super) fn add(&mut self, number: u64, stop: &Stop<'_>) -> Result<bool> {
        let (mut at, mut trail) = (number, Vec::new());
        let reached = loop {
            stop.check()?;
            if at == ROOT {
                break true;
            }
            if let Some(known) = self.reached.get(&at) {
                break *known;
            }
            self.reached.insert(at, false);
            let Some(parent) = self.parent(at)? else {
                break false;
            };
            trail.push((at, parent));
            at = parent;
        };
        if reached {
            for (number, parent) in trail {
                self.reached.insert(number, true);
                let name = self.tree.inode(number)?.name.clone();
                self.below.entry(parent).or_default().push(name);
            }
        }
        Ok(reached)
    }

    /// Marks every name of files with several. An inode knows one of its names, so this looks through
    /// the whole tree.
    pub(super) fn add_links(&mut self, numbers: &HashSet<u64>, stop: &Stop<'_>) -> Result<()> {
        let mut pending = vec![ROOT];
        while let Some(number) = pending.pop() {
            let mut found = Vec::new();
            for entry in self.tree.directory(number)?.names.iter() {
                stop.check()?;
                let (name, entry) = entry?;
                if entry.kind == Kind::Directory {
                    pending.push(entry.inode);
                } else if numbers.contains(&entry.inode) {
                    found.push(name.clone());
                }
            }
            if !found.is_empty() && self.add(number, stop)? {
                self.below.entry(number).or_default().append(&mut found);
            }
        }
        Ok(())
    }

    /// The directory that has an inode under the name that it believes to have.
    fn parent(&self, number: u64) -> Result<Option<u64>> {
        let Some(inode) = self.tree.look_up(number)? else {
            return Ok(None);
        };
        let entry = match self.tree.look_up(inode.parent)?.map(|parent| &parent.body) {
            Some(Body::Directory(directory)) => directory.names.get(&inode.name)?,
            _ => None,
        };
        Ok(entry
            .is_some_and(|entry| entry.inode == number)
            .then_some(inode.parent))
    }
}

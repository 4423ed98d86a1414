//! What the lock guards: the trees, the counts of open files, the FIFOs in use.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Weak};

use super::NodeId;
use super::guard::Guard;
use super::lazy::Backing;
use crate::tree::{Body, Directory, Inode, Permission, Tree};
use crate::{Caller, Error, Pipe, Quotas, Result, Timestamp, Views};

/// The root of everything.
pub(crate) const ROOT: NodeId = NodeId {
    mount: 0,
    inode: crate::tree::ROOT,
};

pub(crate) struct State {
    root: Tree,
    /// Mount `n` is at `n - 1`; a number is not used again.
    mounts: Arc<Vec<Option<Mounted>>>,
    pub(crate) quotas: Quotas,
    open: HashMap<NodeId, u32>,
    /// Nodes without a name that live on because they are open.
    orphans: HashSet<NodeId>,
    fifos: HashMap<NodeId, Pipe>,
    pub(super) guard: Option<Arc<dyn Guard>>,
    pub(super) views: Option<Weak<dyn Views>>,
}

#[derive(Clone)]
pub(super) struct Mounted {
    pub(super) tree: Tree,
    /// The directory that this mount covers.
    pub(super) at: NodeId,
    pub(super) read_only: bool,
    pub(super) backing: Option<Backing>,
}

impl State {
    pub(crate) fn new(root: Tree, quotas: Quotas) -> State {
        State::with(root, Arc::default(), quotas)
    }

    fn with(root: Tree, mounts: Arc<Vec<Option<Mounted>>>, quotas: Quotas) -> State {
        let (open, orphans, fifos) = Default::default();
        State {
            root,
            mounts,
            quotas,
            open,
            orphans,
            fifos,
            guard: None,
            views: None,
        }
    }

    pub(crate) fn fork(&self, quotas: Quotas) -> State {
        let mut fork = State::with(self.root.clone(), Arc::clone(&self.mounts), quotas);
        for orphan in &self.orphans {
            if let Ok(tree) = fork.tree_mut(orphan.mount) {
                // It was open, so the way to it is in memory.
                let _ = tree.free(orphan.inode);
            }
        }
        fork.guard.clone_from(&self.guard);
        fork
    }

    /// The same trees, and what must be kept because it is open.
    pub(super) fn copy(&self) -> State {
        let (open, orphans) = (self.open.clone(), self.orphans.clone());
        let copy = State::with(self.root.clone(), Arc::clone(&self.mounts), self.quotas);
        State {
            open,
            orphans,
            guard: self.guard.clone(),
            views: self.views.clone(),
            ..copy
        }
    }

    #[cfg(feature = "tar")]
    pub(super) fn has_trees_of(&self, other: &State) -> bool {
        self.root.is(&other.root) && Arc::ptr_eq(&self.mounts, &other.mounts)
    }

    pub(super) fn take_trees_of(&mut self, other: &State) {
        self.root = other.root.clone();
        self.mounts = Arc::clone(&other.mounts);
        let orphans = std::mem::take(&mut self.orphans);
        for node in other.orphans.iter().chain(&orphans) {
            // What was closed meanwhile is not waited for.
            if self.open.contains_key(node) {
                self.orphans.insert(*node);
            } else if let Ok(tree) = self.tree_mut(node.mount) {
                let _ = tree.free(node.inode);
            }
        }
    }

    /// Takes over another root tree, in which the inodes `nameless` have lost their last name.
    ///
    /// # Errors
    /// `EBUSY` where one of them is a mount point; nothing is changed then.
    pub(crate) fn replace_root(&mut self, root: Tree, nameless: &[u64]) -> Result<()> {
        let node = |inode: &u64| NodeId {
            mount: 0,
            inode: *inode,
        };
        if nameless
            .iter()
            .any(|inode| self.is_mount_point(node(inode)))
        {
            return Err(Error::Busy);
        }
        self.root = root;
        nameless
            .iter()
            .try_for_each(|inode| self.dispose(node(inode)))
    }

    /// None for the root tree.
    fn mounted(&self, mount: u32) -> Result<Option<&Mounted>> {
        let Some(index) = (mount as usize).checked_sub(1) else {
            return Ok(None);
        };
        self.mounts
            .get(index)
            .and_then(Option::as_ref)
            .map(Some)
            .ok_or(Error::NoEntry)
    }

    pub(crate) fn orphans(&self) -> usize {
        self.orphans.len()
    }

    pub(crate) fn root_tree(&self) -> &Tree {
        &self.root
    }

    pub(crate) fn tree(&self, mount: u32) -> Result<&Tree> {
        Ok(self
            .mounted(mount)?
            .map_or(&self.root, |mounted| &mounted.tree))
    }

    pub(crate) fn tree_mut(&mut self, mount: u32) -> Result<&mut Tree> {
        let Some(index) = (mount as usize).checked_sub(1) else {
            return Ok(&mut self.root);
        };
        let mounted = Arc::make_mut(&mut self.mounts)
            .get_mut(index)
            .and_then(Option::as_mut);
        mounted
            .map(|mounted| &mut mounted.tree)
            .ok_or(Error::NoEntry)
    }

    /// A tree that the guest may change.
    pub(crate) fn writable(&mut self, mount: u32) -> Result<&mut Tree> {
        if self.read_only(mount)? {
            return Err(Error::ReadOnly);
        }
        self.tree_mut(mount)
    }

    pub(crate) fn read_only(&self, mount: u32) -> Result<bool> {
        Ok(self
            .mounted(mount)?
            .is_some_and(|mounted| mounted.read_only))
    }

    pub(crate) fn inode(&self, node: NodeId) -> Result<&Inode> {
        self.tree(node.mount)?.inode(node.inode)
    }

    /// For the guest's changes to attributes.
    pub(crate) fn inode_mut(&mut self, node: NodeId) -> Result<&mut Inode> {
        let inode = self.writable(node.mount)?.inode_mut(node.inode)?;
        inode.dirty = true;
        Ok(inode)
    }

    pub(super) fn backing(&self, mount: u32) -> Result<Option<Backing>> {
        Ok(self
            .mounted(mount)?
            .and_then(|mounted| mounted.backing.clone()))
    }

    pub(super) fn is_system(&self, mount: u32) -> bool {
        let backing = self.mounted(mount).ok().flatten();
        let backing = backing.and_then(|mounted| mounted.backing.as_ref());
        backing.is_some_and(|backing| backing.system)
    }

    pub(super) fn add_mount(&mut self, mounted: Mounted) {
        Arc::make_mut(&mut self.mounts).push(Some(mounted));
    }

    pub(super) fn last_mount(&self) -> u32 {
        self.mounts.len() as u32
    }

    pub(super) fn remove_mount(&mut self, mount: u32) -> Result<()> {
        let inside = self
            .mounts
            .iter()
            .flatten()
            .any(|mounted| mounted.at.mount == mount);
        if inside || self.open.keys().any(|node| node.mount == mount) {
            return Err(Error::Busy);
        }
        if let Some(slot) = Arc::make_mut(&mut self.mounts).get_mut(mount as usize - 1) {
            *slot = None;
        }
        Ok(())
    }

    pub(crate) fn directory(&self, node: NodeId) -> Result<&Directory> {
        self.tree(node.mount)?.directory(node.inode)
    }

    /// The root of what is mounted on `node`, or `node`.
    pub(crate) fn enter(&self, mut node: NodeId) -> NodeId {
        // Mounts are few; the newest covers older ones on the same directory.
        for (index, mounted) in self.mounts.iter().enumerate() {
            if mounted.as_ref().is_some_and(|mounted| mounted.at == node) {
                node = NodeId {
                    mount: index as u32 + 1,
                    inode: crate::tree::ROOT,
                };
            }
        }
        node
    }

    pub(crate) fn is_mount_point(&self, node: NodeId) -> bool {
        node.inode == crate::tree::ROOT || self.enter(node) != node
    }

    /// The directory that is mounted over, where `node` is the root of a mount.
    pub(crate) fn covered(&self, mut node: NodeId) -> Result<NodeId> {
        while node.inode == crate::tree::ROOT
            && let Some(mounted) = self.mounted(node.mount)?
        {
            node = mounted.at;
        }
        Ok(node)
    }

    /// The directory above; of the root, the root.
    pub(crate) fn parent(&self, directory: NodeId) -> Result<NodeId> {
        let covered = self.covered(directory)?;
        let inode = self.inode(covered)?.parent;
        Ok(self.enter(NodeId { inode, ..covered }))
    }

    pub(crate) fn require(&self, node: NodeId, caller: &Caller, wanted: Permission) -> Result<()> {
        if self.inode(node)?.permits(caller, wanted) {
            Ok(())
        } else {
            Err(Error::Access)
        }
    }

    /// Refuses, in a sticky directory, what belongs to neither.
    pub(crate) fn require_not_sticky(
        &self,
        directory: NodeId,
        node: NodeId,
        caller: &Caller,
    ) -> Result<()> {
        let directory = self.inode(directory)?;
        let sticky = directory.mode & 0o1000 != 0;
        if sticky && !directory.owned_by(caller) && !self.inode(node)?.owned_by(caller) {
            return Err(Error::NotPermitted);
        }
        Ok(())
    }

    pub(crate) fn acquire(&mut self, node: NodeId) {
        *self.open.entry(node).or_insert(0) += 1;
    }

    /// The end of one use of `node`; the last frees it where it has no name.
    pub(crate) fn release(&mut self, node: NodeId) {
        let Some(count) = self.open.get_mut(&node) else {
            return;
        };
        *count -= 1;
        if *count > 0 {
            return;
        }
        self.open.remove(&node);
        self.fifos.remove(&node);
        if self.orphans.remove(&node)
            && let Ok(tree) = self.tree_mut(node.mount)
        {
            let _ = tree.free(node.inode);
        }
    }

    /// Frees a node that lost its last name, now or when the last user closes it.
    pub(crate) fn dispose(&mut self, node: NodeId) -> Result<()> {
        if self.open.contains_key(&node) {
            self.orphans.insert(node);
            return Ok(());
        }
        self.tree_mut(node.mount)?.free(node.inode)
    }

    /// The pipe behind a FIFO; the same for all who have it open.
    pub(crate) fn fifo(&mut self, node: NodeId) -> Pipe {
        self.fifos.entry(node).or_default().clone()
    }

    /// Notes a read, as `relatime` does.
    pub(crate) fn note_access(&mut self, node: NodeId, now: Timestamp) {
        const DAY: i64 = 24 * 60 * 60;
        let Ok(inode) = self.inode(node) else { return };
        let stale = inode.accessed <= inode.modified
            || inode.accessed <= inode.changed
            || now.seconds - inode.accessed.seconds >= DAY;
        if stale
            && now != inode.accessed
            && !self.read_only(node.mount).unwrap_or(true)
            && let Ok(inode) = self
                .tree_mut(node.mount)
                .and_then(|tree| tree.inode_mut(node.inode))
        {
            inode.accessed = now;
        }
    }

    pub(crate) fn link_target(&self, node: NodeId) -> Result<Option<&[u8]>> {
        match &self.inode(node)?.body {
            Body::Symlink(target) => Ok(Some(target)),
            _ => Ok(None),
        }
    }
}

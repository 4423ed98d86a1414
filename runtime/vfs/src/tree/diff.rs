//! The difference of two trees, at the cost of what differs.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::{Body, Entry, Inode, Name, ROOT, Tree};
use crate::{Change, ChangeKind, Kind, Result};

/// What stands at a path before and after.
type Pair = (Option<u64>, Option<u64>);

/// Which of the two trees.
#[derive(Clone, Copy)]
enum Side {
    Before,
    After,
}

pub(crate) fn diff(before: &Tree, after: &Tree) -> Result<Vec<Change>> {
    let mut changed = Changed {
        before,
        after,
        paths: BTreeMap::new(),
    };
    let mut linked = BTreeSet::new();
    before.inodes.diff(&after.inodes, |number, old, new| {
        if let (Some(old), Some(new)) = (old, new)
            && Arc::ptr_eq(old, new)
        {
            return Ok(());
        }
        if changed.has_unknown_names(Side::Before, number, old)?
            || changed.has_unknown_names(Side::After, number, new)?
        {
            linked.insert(number);
        }
        changed.inode(number, old, new)
    })?;
    changed.all_links(&linked)?;
    changed.finish()
}

struct Changed<'a> {
    before: &'a Tree,
    after: &'a Tree,
    paths: BTreeMap<Vec<u8>, Pair>,
}

impl Changed<'_> {
    fn tree(&self, side: Side) -> &Tree {
        match side {
            Side::Before => self.before,
            Side::After => self.after,
        }
    }

    /// Whether an inode has names besides the one that it knows, or has lost that one.
    fn has_unknown_names(
        &self,
        side: Side,
        number: u64,
        inode: Option<&Arc<Inode>>,
    ) -> Result<bool> {
        let Some(inode) = inode else { return Ok(false) };
        let file = inode.kind() != Kind::Directory && inode.links > 0;
        Ok(file && (inode.links > 1 || self.tree(side).path(number)?.is_none()))
    }

    fn note(&mut self, side: Side, path: Vec<u8>, number: u64) {
        let pair = self.paths.entry(path).or_default();
        match side {
            Side::Before => pair.0 = Some(number),
            Side::After => pair.1 = Some(number),
        }
    }

    fn inode(
        &mut self,
        number: u64,
        old: Option<&Arc<Inode>>,
        new: Option<&Arc<Inode>>,
    ) -> Result<()> {
        for side in [Side::Before, Side::After] {
            if let Some(path) = self.tree(side).path(number)? {
                self.note(side, path, number);
            }
        }
        let names = |inode: Option<&Arc<Inode>>| match inode.map(|inode| &inode.body) {
            Some(Body::Directory(directory)) => directory.names.clone(),
            _ => Default::default(),
        };
        let mut entries = Vec::new();
        names(old).diff(&names(new), |name, old, new| {
            entries.push((name.clone(), old, new))
        })?;
        for (name, old, new) in entries {
            self.entry(Side::Before, number, &name, old)?;
            self.entry(Side::After, number, &name, new)?;
        }
        Ok(())
    }

    /// Notes an entry that only one side has, with all below it.
    fn entry(
        &mut self,
        side: Side,
        directory: u64,
        name: &Name,
        entry: Option<Entry>,
    ) -> Result<()> {
        let (Some(entry), Some(mut path)) = (entry, self.tree(side).path(directory)?) else {
            return Ok(());
        };
        push(&mut path, name);
        let mut pending = vec![(path, entry.inode)];
        while let Some((path, number)) = pending.pop() {
            if let Body::Directory(directory) = &self.tree(side).inode(number)?.body {
                for entry in directory.names.iter() {
                    let (name, entry) = entry?;
                    let mut below = path.clone();
                    push(&mut below, name);
                    pending.push((below, entry.inode));
                }
            }
            self.note(side, path, number);
        }
        Ok(())
    }

    /// Notes every name of inodes with several. An inode knows one of its names, so this looks
    /// through the whole tree, and only where such an inode changed.
    fn all_links(&mut self, numbers: &BTreeSet<u64>) -> Result<()> {
        if numbers.is_empty() {
            return Ok(());
        }
        for side in [Side::Before, Side::After] {
            let mut pending = vec![(Vec::new(), ROOT)];
            while let Some((path, number)) = pending.pop() {
                let directory = self.tree(side).directory(number)?;
                let mut found = Vec::new();
                for entry in directory.names.iter() {
                    let (name, entry) = entry?;
                    let mut below = path.clone();
                    push(&mut below, name);
                    if entry.kind == Kind::Directory {
                        pending.push((below, entry.inode));
                    } else if numbers.contains(&entry.inode) {
                        found.push((below, entry.inode));
                    }
                }
                found
                    .into_iter()
                    .for_each(|(path, number)| self.note(side, path, number));
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<Vec<Change>> {
        let Changed {
            before,
            after,
            paths,
        } = self;
        let mut changes = Vec::new();
        for (path, (old, new)) in paths {
            let old = old.map(|number| before.inode(number)).transpose()?;
            let new = new.map(|number| after.inode(number)).transpose()?;
            let kind = match (old, new) {
                (Some(old), Some(new)) if same(old, new)? => continue,
                (Some(_), Some(_)) => ChangeKind::Modified,
                (Some(_), None) => ChangeKind::Removed,
                (None, Some(_)) => ChangeKind::Added,
                (None, None) => continue,
            };
            changes.push(Change { path, kind });
        }
        Ok(changes)
    }
}

fn push(path: &mut Vec<u8>, name: &[u8]) {
    path.push(b'/');
    path.extend_from_slice(name);
}

/// Whether two inodes count as unchanged: the same to a reader, and for files of the same time.
fn same(a: &Inode, b: &Inode) -> Result<bool> {
    let is_file = matches!(a.body, Body::File(_));
    Ok((!is_file || a.modified == b.modified) && same_to_reader(a, b)?)
}

/// Whether two inodes look the same to a reader: attributes and content, without any time.
pub(super) fn same_to_reader(a: &Inode, b: &Inode) -> Result<bool> {
    let attributes = |inode: &Inode| (inode.mode, inode.uid, inode.gid);
    if attributes(a) != attributes(b) {
        return Ok(false);
    }
    Ok(match (&a.body, &b.body) {
        (Body::Directory(_), Body::Directory(_)) | (Body::Fifo, Body::Fifo) => true,
        (Body::File(a), Body::File(b)) => a.same(b)?,
        (Body::Symlink(a), Body::Symlink(b)) => a == b,
        (Body::Device(a), Body::Device(b)) => a == b,
        _ => false,
    })
}

impl Tree {
    /// The path of an inode, without a trailing slash; of one of its names, where it has several.
    fn path(&self, mut number: u64) -> Result<Option<Vec<u8>>> {
        let mut names = Vec::new();
        while number != ROOT {
            let Some(inode) = self.look_up(number)? else {
                return Ok(None);
            };
            let entry = match self.look_up(inode.parent)?.map(|parent| &parent.body) {
                Some(Body::Directory(directory)) => directory.names.get(&inode.name)?,
                _ => None,
            };
            if entry.is_none_or(|entry| entry.inode != number) {
                return Ok(None);
            }
            names.push(&inode.name);
            number = inode.parent;
        }
        let mut path = Vec::new();
        names
            .into_iter()
            .rev()
            .for_each(|name| push(&mut path, name));
        Ok(Some(path))
    }

    pub(super) fn look_up(&self, number: u64) -> Result<Option<&Inode>> {
        Ok(self.inodes.get(number)?.map(|inode| &**inode))
    }
}

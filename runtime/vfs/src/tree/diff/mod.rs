//! The difference of two trees, at the cost of what differs.
//!
//! Guests shape trees, so nothing here recurses, and time and memory grow with the number of what
//! differs and never with its depth: paths are written only by whoever walks the steps (T47).

mod marks;
mod unread;

use std::cell::Cell;
use std::collections::HashSet;
use std::sync::Arc;
use std::vec::IntoIter;

use super::names::Names;
use super::{Body, Inode, Name, ROOT, Tree};
use crate::{ChangeKind, Error, Kind, Result};
use marks::Marks;

pub(crate) use unread::same_but_read;

/// Steps between two questions whether to go on.
const SLICE: u32 = 1024;

/// Whether somebody still wants the result.
pub(crate) struct Stop<'a> {
    asked: &'a dyn Fn() -> bool,
    steps: Cell<u32>,
}

impl<'a> Stop<'a> {
    /// Ends the work with [`Error::Cancelled`] soon after `asked` says so.
    pub(crate) fn when(asked: &'a dyn Fn() -> bool) -> Stop<'a> {
        Stop {
            asked,
            steps: Cell::new(0),
        }
    }

    pub(crate) fn check(&self) -> Result<()> {
        let steps = self.steps.get().wrapping_add(1);
        self.steps.set(steps);
        if steps.is_multiple_of(SLICE) && (self.asked)() {
            return Err(Error::Cancelled);
        }
        Ok(())
    }
}

/// One path on the way to what differs.
pub(crate) struct Step {
    /// The step of the directory that holds it, which comes before it; the root's is itself.
    pub(crate) parent: u32,
    pub(crate) name: Name,
    pub(crate) old: Option<u64>,
    pub(crate) new: Option<u64>,
    /// None where it only leads to what differs.
    pub(crate) kind: Option<ChangeKind>,
}

/// What differs, each directory before what is in it and names in their order.
pub(crate) struct Delta {
    pub(crate) before: Tree,
    pub(crate) after: Tree,
    pub(crate) steps: Vec<Step>,
}

/// A directory whose names are being looked at.
struct Frame {
    step: u32,
    old: Option<u64>,
    new: Option<u64>,
    names: IntoIter<Name>,
}

pub(crate) fn delta(before: &Tree, after: &Tree, stop: &Stop<'_>) -> Result<Delta> {
    let (old, new) = marks(before, after, stop)?;
    let walk = Walk {
        before,
        after,
        old,
        new,
        stop,
    };
    Ok(Delta {
        before: before.clone(),
        after: after.clone(),
        steps: walk.steps()?,
    })
}

/// Where inodes stand that both trees have and that are not the same one in memory. What only one
/// tree has is found by its names.
fn marks<'a>(before: &'a Tree, after: &'a Tree, stop: &Stop<'_>) -> Result<(Marks<'a>, Marks<'a>)> {
    let (mut old_marks, mut new_marks) = (Marks::new(before), Marks::new(after));
    let mut linked = HashSet::new();
    before.inodes.diff(&after.inodes, |number, old, new| {
        stop.check()?;
        let (Some(old), Some(new)) = (old, new) else {
            return Ok(());
        };
        if Arc::ptr_eq(old, new) {
            return Ok(());
        }
        let known = [
            (old_marks.add(number, stop)?, old),
            (new_marks.add(number, stop)?, new),
        ];
        // One that has several names, or has lost the one that it knows.
        let unknown = |(found, inode): &(bool, &Arc<Inode>)| {
            inode.kind() != Kind::Directory && inode.links > 0 && (inode.links > 1 || !found)
        };
        if known.iter().any(unknown) {
            linked.insert(number);
        }
        Ok(())
    })?;
    if !linked.is_empty() {
        old_marks.add_links(&linked, stop)?;
        new_marks.add_links(&linked, stop)?;
    }
    Ok((old_marks, new_marks))
}

struct Walk<'a> {
    before: &'a Tree,
    after: &'a Tree,
    old: Marks<'a>,
    new: Marks<'a>,
    stop: &'a Stop<'a>,
}

impl Walk<'_> {
    fn steps(&self) -> Result<Vec<Step>> {
        let root = Some(ROOT);
        let mut steps = vec![self.step(0, Name::default(), root, root)?];
        let mut frames = vec![self.frame(0, root, root)?];
        while let Some(frame) = frames.last_mut() {
            let Some(name) = frame.names.next() else {
                frames.pop();
                continue;
            };
            self.stop.check()?;
            let old = number(self.before, frame.old, &name)?;
            let new = number(self.after, frame.new, &name)?;
            let at = u32::try_from(steps.len()).map_err(|_| Error::Overflow)?;
            steps.push(self.step(frame.step, name, old, new)?);
            let old = old.filter(|number| self.before.directory(*number).is_ok());
            let new = new.filter(|number| self.after.directory(*number).is_ok());
            if old.is_some() || new.is_some() {
                frames.push(self.frame(at, old, new)?);
            }
        }
        Ok(steps)
    }

    fn step(&self, parent: u32, name: Name, old: Option<u64>, new: Option<u64>) -> Result<Step> {
        let before = old.map(|number| self.before.inode(number)).transpose()?;
        let after = new.map(|number| self.after.inode(number)).transpose()?;
        let kind = match (before, after) {
            (Some(before), Some(after)) if same(before, after)? => None,
            (Some(_), Some(_)) => Some(ChangeKind::Modified),
            (Some(_), None) => Some(ChangeKind::Removed),
            (None, Some(_)) => Some(ChangeKind::Added),
            (None, None) => None,
        };
        Ok(Step {
            parent,
            name,
            old,
            new,
            kind,
        })
    }

    /// The names of a directory below which something may differ.
    fn frame(&self, step: u32, old: Option<u64>, new: Option<u64>) -> Result<Frame> {
        let mut names = Vec::new();
        let differs = |name: &Name, _, _| names.push(name.clone());
        entries(self.before, old)?.diff(&entries(self.after, new)?, differs)?;
        if old.is_some() && new.is_some() {
            let marked = [(&self.old, old), (&self.new, new)];
            for (marks, directory) in marked {
                names.extend_from_slice(directory.map_or(&[], |number| marks.below(number)));
            }
            names.sort_unstable();
            names.dedup();
        }
        Ok(Frame {
            step,
            old,
            new,
            names: names.into_iter(),
        })
    }
}

fn entries(tree: &Tree, directory: Option<u64>) -> Result<Names> {
    match directory {
        Some(number) => Ok(tree.directory(number)?.names.clone()),
        None => Ok(Names::default()),
    }
}

/// What a name leads to in a directory, where there is one.
pub(super) fn number(tree: &Tree, directory: Option<u64>, name: &[u8]) -> Result<Option<u64>> {
    let Some(directory) = directory else {
        return Ok(None);
    };
    match tree.look_up(directory)?.map(|inode| &inode.body) {
        Some(Body::Directory(directory)) => Ok(directory.names.get(name)?.map(|entry| entry.inode)),
        _ => Ok(None),
    }
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
    pub(super) fn look_up(&self, number: u64) -> Result<Option<&Inode>> {
        Ok(self.inodes.get(number)?.map(|inode| &**inode))
    }
}

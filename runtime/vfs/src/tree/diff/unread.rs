//! Whether two trees are the same but for when their files were read.

use std::sync::Arc;

use super::super::names::Names;
use super::super::{Body, Inode, Tree};
use crate::{Error, Result};

/// Whether nothing differs but times of the last reading. Looks at what differs, up to the first change.
pub(crate) fn same_but_read(before: &Tree, after: &Tree) -> Result<bool> {
    let found = before.inodes.diff(&after.inodes, |_, old, new| {
        let same = match (old, new) {
            (Some(old), Some(new)) => Arc::ptr_eq(old, new) || same_inode(old, new)?,
            _ => false,
        };
        // The only way to end the walk, which nothing else cancels.
        if same { Ok(()) } else { Err(Error::Cancelled) }
    });
    match found {
        Ok(()) => Ok(true),
        Err(Error::Cancelled) => Ok(false),
        Err(error) => Err(error),
    }
}

fn same_inode(a: &Inode, b: &Inode) -> Result<bool> {
    let facts = |inode: &Inode| {
        let Inode {
            mode,
            links,
            parent,
            uid,
            gid,
            modified,
            changed,
            created,
            ..
        } = *inode;
        (
            (mode, links, parent, uid, gid),
            [modified, changed, created],
        )
    };
    if facts(a) != facts(b) || a.name != b.name {
        return Ok(false);
    }
    match (&a.body, &b.body) {
        (Body::File(a), Body::File(b)) => a.same(b),
        (Body::Directory(a), Body::Directory(b)) => same_names(&a.names, &b.names),
        (Body::Symlink(a), Body::Symlink(b)) => Ok(a == b),
        (Body::Device(a), Body::Device(b)) => Ok(a == b),
        (Body::Fifo, Body::Fifo) => Ok(true),
        _ => Ok(false),
    }
}

fn same_names(a: &Names, b: &Names) -> Result<bool> {
    let mut same = true;
    a.diff(b, |_, _, _| same = false)?;
    Ok(same)
}

//! Rules about paths, beyond permission bits.

use std::sync::Arc;

use super::state::State;
use super::walk::{Follow, Found, Last};
use super::{NodeId, Vfs};
use crate::{Caller, Error, Result};

/// What is about to be done with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// Its content is read, or the names in it.
    Read,
    /// It is made, changed, moved or removed.
    Write,
}

/// Judges by path what permission bits allow, for every caller, root included; see
/// [`Vfs::set_guard`].
///
/// Paths are absolute, without symbolic links, `.` and `..`. It is asked under the filesystem's lock:
/// it answers at once, and uses the filesystem no further.
pub trait Guard: Send + Sync {
    /// Whether this path may be used so.
    fn permits(&self, path: &[u8], access: Access) -> bool;

    /// Whether this directory and every path below it, of whatever name, may be used so. A
    /// directory moves only where this holds, since everything in it gets another path.
    fn permits_tree(&self, directory: &[u8], access: Access) -> bool;
}

impl Vfs {
    /// Puts a guard at the filesystem; what it refuses fails with `EACCES`. Forks inherit it, and
    /// what is open stays open.
    ///
    /// A path is judged, not a file: a file that has a second name already is judged by the name
    /// that is used. New names are only given to files that may be read and written.
    pub fn set_guard(&self, guard: Option<Arc<dyn Guard>>) {
        self.lock().guard = guard;
    }
}

impl State {
    /// Refuses what the guard does not permit on what a path led to.
    pub(crate) fn judge(&self, found: &Found, access: Access) -> Result<()> {
        self.judge_all(found, &[access], false)
    }

    /// As [`State::judge`], for each of `wanted`; of a directory that moves, everything in it.
    pub(crate) fn judge_all(&self, found: &Found, wanted: &[Access], moves: bool) -> Result<()> {
        let Some(guard) = &self.guard else {
            return Ok(());
        };
        let path = match (&found.last, found.node) {
            (Last::Name(name), _) => join(self.path_of(found.parent)?, name),
            (_, Some(node)) => self.path_of(node)?,
            (_, None) => self.path_of(found.parent)?,
        };
        let permits = |access: &Access| match moves {
            true => guard.permits_tree(&path, *access),
            false => guard.permits(&path, *access),
        };
        match wanted.iter().all(permits) {
            true => Ok(()),
            false => Err(Error::Access),
        }
    }

    /// Judges a name in a directory.
    pub(crate) fn judge_name(&self, parent: NodeId, name: &[u8], access: Access) -> Result<()> {
        let Some(guard) = &self.guard else {
            return Ok(());
        };
        match guard.permits(&join(self.path_of(parent)?, name), access) {
            true => Ok(()),
            false => Err(Error::Access),
        }
    }

    /// Judges a node by the newest of its names. One without a name is out of the guard's reach.
    pub(crate) fn judge_node(&self, node: NodeId, access: Access) -> Result<()> {
        if self.guard.is_none() {
            return Ok(());
        }
        let covered = self.covered(node)?;
        let inode = self.inode(covered)?;
        if inode.links == 0 || node == super::state::ROOT {
            return Ok(());
        }
        let parent = NodeId {
            inode: inode.parent,
            ..covered
        };
        self.judge_name(self.enter(parent), &inode.name, access)
    }

    /// Resolves a path whose last component must exist and may be used so.
    pub(crate) fn find_for(
        &mut self,
        caller: &Caller,
        at: NodeId,
        path: &[u8],
        follow: bool,
        wanted: &[Access],
    ) -> Result<NodeId> {
        let follow = if follow {
            Follow::Always
        } else {
            Follow::Slash
        };
        let found = self.walk(caller, at, path, follow)?;
        let node = found.existing(self)?;
        self.judge_all(&found, wanted, false)?;
        Ok(node)
    }
}

fn join(mut directory: Vec<u8>, name: &[u8]) -> Vec<u8> {
    if directory.last() != Some(&b'/') {
        directory.push(b'/');
    }
    directory.extend_from_slice(name);
    directory
}

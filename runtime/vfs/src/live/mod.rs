//! The live filesystem: a lock around the trees of all mounts, and what is open on them.

#[cfg(feature = "host")]
mod apply;
mod attributes;
mod change;
mod copy;
mod guard;
mod handle;
mod lazy;
mod look;
mod mounts;
mod shortcut;
mod stage;
mod state;
mod walk;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[cfg(feature = "host")]
pub use apply::{ApplyError, Protected};
pub use guard::{Access, Guard};
pub(crate) use state::State;

use crate::tree::Tree;
use crate::{Options, Quotas, Timestamp, Usage};

/// A file of one [`Vfs`]: mount and inode number. A node that is gone answers `ENOENT`; its number
/// is never given to another file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId {
    pub(crate) mount: u32,
    pub(crate) inode: u64,
}

/// A live filesystem. Clones are handles on the same one; [`Vfs::fork`] makes another.
///
/// Every operation takes the [`crate::Caller`] it runs for, the directory `at` which a relative path
/// starts (absolute ones start at the root) and a path of bytes. All are atomic, may be called
/// from any thread and hold the lock for their own work only.
#[derive(Clone)]
pub struct Vfs(pub(crate) Arc<Live>);

pub(crate) struct Live {
    state: Mutex<State>,
    pub(crate) options: Options,
}

impl Vfs {
    /// A filesystem with an empty root directory (mode 755, owned by root).
    pub fn new(options: Options) -> Vfs {
        let tree = Tree::new(options.clock.now());
        Vfs::with_tree(tree, options)
    }

    /// A filesystem with this root tree.
    pub(crate) fn with_tree(tree: Tree, options: Options) -> Vfs {
        let state = State::new(tree, options.quotas);
        Vfs(Arc::new(Live {
            state: Mutex::new(state),
            options,
        }))
    }

    /// An independent filesystem with the same content, clock and randomness. Takes about 100 ns
    /// and less than 1 KB whatever the size; later changes on either side are invisible to the other.
    ///
    /// Open files stay with the original, and so do files that were unlinked while open.
    pub fn fork(&self) -> Vfs {
        self.fork_with(Options {
            quotas: self.quotas(),
            ..self.0.options.clone()
        })
    }

    /// [`Vfs::fork`] with other quotas, clock or randomness.
    pub fn fork_with(&self, options: Options) -> Vfs {
        let state = self.lock().fork(options.quotas);
        Vfs(Arc::new(Live {
            state: Mutex::new(state),
            options,
        }))
    }

    /// What it may hold.
    pub fn quotas(&self) -> Quotas {
        self.lock().quotas
    }

    /// Changes what it may hold from now on. What is there already stays, also where it is more.
    pub fn set_quotas(&self, quotas: Quotas) {
        self.lock().quotas = quotas;
    }

    /// The root directory.
    pub fn root(&self) -> NodeId {
        state::ROOT
    }

    /// Whether nothing at all happened to the root tree since one of both was forked from the other.
    /// Takes constant time; trees that were made apart are not compared, and count as different.
    pub fn is_same_tree(&self, other: &Vfs) -> bool {
        let other = other.lock().root_tree().clone();
        self.lock().root_tree().is(&other)
    }

    /// What the root tree holds. Mounts count for themselves.
    pub fn usage(&self) -> Usage {
        self.lock().root_tree().usage()
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, State> {
        // State is changed by steps that do not panic half-way, so a poisoned lock is whole.
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn now(&self) -> Timestamp {
        self.0.options.clock.now()
    }
}

impl fmt::Debug for Vfs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vfs")
            .field("usage", &self.usage())
            .finish_non_exhaustive()
    }
}

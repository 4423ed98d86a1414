//! What can be mounted on a directory.

use std::fmt;
#[cfg(feature = "host")]
use std::path::Path;
use std::sync::Arc;

use crate::tree::Tree;
#[cfg(feature = "host")]
use crate::{HostDirectory, Result};
use crate::{Source, Vfs};

/// Something to put on a directory with [`Vfs::mount`]. A clone mounts the same thing elsewhere.
///
/// | made by | reads | writes |
/// |---|---|---|
/// | [`Mount::tree`] | a fork of another filesystem | into the fork |
/// | [`Mount::source`] | a [`Source`], looked at anew each time | refused with `EROFS` |
/// | [`Mount::overlay`] | a [`Source`], each directory and file looked at once | stay in memory |
#[cfg_attr(
    feature = "host",
    doc = "| [`Mount::read_only`] | a host directory | refused |"
)]
#[cfg_attr(
    feature = "host",
    doc = "| [`Mount::copy_on_write`] | a host directory | in memory |"
)]
#[derive(Clone)]
pub struct Mount {
    pub(crate) content: MountContent,
    pub(crate) read_only: bool,
    pub(crate) owner: Option<(u32, u32)>,
}

#[derive(Clone)]
pub(crate) enum MountContent {
    Tree(Tree),
    Live(Arc<dyn Source>),
    Overlay(Arc<dyn Source>),
    /// What [`Vfs::set_views`] gives, or before that nothing.
    Views,
    /// What belongs to the system.
    System(Arc<dyn Source>),
}

impl Mount {
    fn new(content: MountContent, read_only: bool) -> Mount {
        Mount {
            content,
            read_only,
            owner: None,
        }
    }

    /// A fork of the root tree of another filesystem; what is mounted inside that is left out.
    pub fn tree(vfs: &Vfs) -> Mount {
        let tree = vfs.fork().lock().root_tree().clone();
        Mount::new(MountContent::Tree(tree), false)
    }

    /// A read-only view of a source that shows its changes.
    pub fn source(source: impl Source + 'static) -> Mount {
        Mount::new(MountContent::Live(Arc::new(source)), true)
    }

    /// A read-only view of what [`Vfs::set_views`] gives each filesystem that this is mounted in: a
    /// fork shows its own, and nothing until it has one.
    pub fn views() -> Mount {
        Mount::new(MountContent::Views, true)
    }

    /// As [`Mount::source`], and made anew wherever the filesystem is used: nothing is lost where it
    /// is left out of what is stored.
    pub(crate) fn system(source: impl Source + 'static) -> Mount {
        Mount::new(MountContent::System(Arc::new(source)), true)
    }

    /// A writable view of a source that is itself never written. Reads fall through lazily; the
    /// first change to a file copies its content, the first change to a directory its list of names.
    pub fn overlay(source: impl Source + 'static) -> Mount {
        Mount::new(MountContent::Overlay(Arc::new(source)), false)
    }

    /// A read-only view of a host directory that shows the host's changes.
    ///
    /// # Errors
    /// Those of [`HostDirectory::open`], which refuses directories with secrets.
    #[cfg(feature = "host")]
    pub fn read_only(directory: impl AsRef<Path>) -> Result<Mount> {
        HostDirectory::open(directory).map(Mount::source)
    }

    /// A host directory whose changes stay in memory until [`Vfs::apply`] writes them back.
    ///
    /// # Errors
    /// Those of [`HostDirectory::open`], which refuses directories with secrets.
    #[cfg(feature = "host")]
    pub fn copy_on_write(directory: impl AsRef<Path>) -> Result<Mount> {
        HostDirectory::open(directory).map(Mount::overlay)
    }

    /// The same, refusing writes with `EROFS`.
    #[must_use]
    pub fn refusing_writes(self) -> Mount {
        Mount {
            read_only: true,
            ..self
        }
    }

    /// The same, with everything that comes from a source owned by this user and group, so that
    /// the guest's user may use it as its own.
    #[must_use]
    pub fn owned_by(self, uid: u32, gid: u32) -> Mount {
        Mount {
            owner: Some((uid, gid)),
            ..self
        }
    }
}

impl fmt::Debug for Mount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let content = match self.content {
            MountContent::Tree(_) => "tree",
            MountContent::Live(_) => "source",
            MountContent::Overlay(_) => "overlay",
            MountContent::Views => "views",
            MountContent::System(_) => "system",
        };
        f.debug_struct("Mount")
            .field("content", &content)
            .field("read_only", &self.read_only)
            .field("owner", &self.owner)
            .finish()
    }
}

/// A mount as [`Vfs::mounts`] lists it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MountInfo {
    /// The directory it is on.
    pub path: Vec<u8>,
    /// Writes are refused.
    pub read_only: bool,
    /// It shows what the system knows, as `/dev/fd` does, and holds no files of anybody.
    pub system: bool,
}

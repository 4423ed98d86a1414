//! How a tree gets into a store and out of it: the traits that a store implements, and the links
//! between stored objects.

use std::fmt;
use std::sync::Arc;

use crate::tree::{self, Tree};
use crate::{Error, Options, Result, Usage, Vfs};

/// The name of a stored object: a hash of its content, made by the store.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct ObjectId(pub [u8; 32]);

impl fmt::Display for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for ObjectId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What a stored object of a tree is. Numbers are part of the stored format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum ObjectKind {
    /// Bytes of a file, at most 64 KiB.
    Chunk = 1,
    /// A node of the list of a file's chunks.
    File = 2,
    /// A node of a directory's names.
    Names = 3,
    /// A node of the table of inodes.
    Inodes = 4,
    /// The root of a tree.
    Tree = 5,
}

/// Reads stored objects. Called under the lock of the filesystem for nodes of the tree, and without
/// it for what files contain.
pub trait ObjectSource: Send + Sync {
    /// The payload of an object.
    ///
    /// # Errors
    /// Whatever is wrong, the guest sees `EIO`; the source itself tells the embedder more.
    fn read(&self, id: ObjectId, kind: ObjectKind) -> Result<Vec<u8>>;

    /// The [`ObjectSink::seal`] of the same store, where everything that is read from here is known
    /// to be there under it; 0 where not.
    fn seal(&self) -> u64 {
        0
    }

    /// Says that a payload, though it has the right id, is no such object.
    fn damaged(&self, id: ObjectId, kind: ObjectKind) {
        let _ = (id, kind);
    }
}

/// Takes objects that a tree consists of, what others lead to first.
pub trait ObjectSink {
    /// What can go wrong.
    type Error: From<Error>;

    /// A number, not 0, for the certainty that what was put or held under it is still there. Nodes
    /// that were stored under the same number are not offered again.
    fn seal(&self) -> u64;

    /// Whether an object is there, with all that it leads to.
    ///
    /// # Errors
    /// Those of the store.
    fn holds(&mut self, id: ObjectId) -> Result<bool, Self::Error>;

    /// Stores an object and names it.
    ///
    /// # Errors
    /// Those of the store.
    fn put(&mut self, kind: ObjectKind, payload: Vec<u8>) -> Result<ObjectId, Self::Error>;
}

/// Where one stored object leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Link {
    /// What is there.
    pub kind: ObjectKind,
    /// Its name.
    pub id: ObjectId,
    /// What must be true of it: the level of a node, the length of a chunk.
    pub claim: u64,
}

/// What a stored object leads to.
///
/// # Errors
/// `CORRUPT` where the payload is no such object, or not what `claim` says.
pub fn links(kind: ObjectKind, payload: &[u8], claim: Option<u64>) -> Result<Vec<Link>> {
    tree::links(kind, payload, claim)
}

/// What [`Vfs::save`] has stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Saved {
    /// The tree's root, an [`ObjectKind::Tree`] object.
    pub id: ObjectId,
    /// What the tree holds.
    pub usage: Usage,
}

impl Vfs {
    /// Stores the root tree. Nodes that are
    /// stored already under the sink's seal are skipped, so it costs what changed. What is mounted
    /// is left out, and so are files without names.
    ///
    /// The tree is that of one moment; others may change the filesystem meanwhile.
    ///
    /// # Errors
    /// Those of the sink and, where the tree itself is read from a store, of that.
    pub fn save<S: ObjectSink>(&self, sink: &mut S) -> Result<Saved, S::Error> {
        let tree = self.fork().lock().root_tree().clone();
        Ok(Saved {
            id: tree.save(sink)?,
            usage: tree.usage(),
        })
    }

    /// A filesystem with the tree that was stored under `id`. Its nodes and contents are read when
    /// they are first looked at, so this costs one object, whatever the size.
    ///
    /// # Errors
    /// `ENOSPC` where the tree is larger than the quotas of `options`, `EIO` where the source
    /// fails.
    pub fn open_stored(
        id: ObjectId,
        source: &Arc<dyn ObjectSource>,
        options: Options,
    ) -> Result<Vfs> {
        let tree = Tree::open(id, source)?;
        let Usage { bytes, inodes } = tree.usage();
        if bytes > options.quotas.bytes || inodes > options.quotas.inodes {
            return Err(Error::NoSpace);
        }
        Ok(Vfs::with_tree(tree, options))
    }

    /// Files that have lost their last name and live on because they are open. [`Vfs::fork`] and
    /// [`Vfs::save`] leave them behind.
    pub fn unnamed_files(&self) -> usize {
        self.lock().orphans()
    }

    /// Looks at everything in a tree that may come from an attacker: counts, names, links between
    /// directories, and every content where `contents` says so. Takes as long as the tree is large.
    ///
    /// # Errors
    /// `CORRUPT` where the tree contradicts itself, `EIO` where the source fails.
    pub fn verify(&self, contents: bool) -> Result<()> {
        let tree = self.lock().root_tree().clone();
        tree.verify(contents)
    }
}

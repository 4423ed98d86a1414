//! The persistent tree: inodes by number, directories, contents. Pure data; no locks, no callers.

mod codec;
mod content;
mod diff;
mod inode;
mod merge;
mod name;
mod names;
mod part;
mod radix;
mod verify;

use std::sync::Arc;

use codec::{Reader, Writer};
pub(crate) use content::Content;
pub(crate) use diff::{Delta, Stop, delta, same_but_read};
pub(crate) use inode::{Body, Directory, Inode, MODE_BITS, Origin, Permission};
pub(crate) use merge::{Refusal, merge};
pub(crate) use name::Name;
#[cfg(feature = "host")]
pub(crate) use names::Names;
pub(crate) use names::{Entry, is_name};
use radix::Radix;

use crate::{
    Error, Kind, Link, ObjectId, ObjectKind, ObjectSink, ObjectSource, Quotas, Result, Timestamp,
    Usage,
};

/// The inode number of every tree's root.
pub(crate) const ROOT: u64 = 1;
/// Hard links that one inode may have, as on ext4.
const LINKS: u32 = 65_000;
/// The highest number in a stored tree; far from where counting on would overflow.
pub(crate) const MAX_INODE: u64 = 1 << 56;

/// One tree. A clone is a pointer copy.
#[derive(Clone)]
pub(crate) struct Tree {
    inodes: Radix<Arc<Inode>>,
    /// The number that the next inode gets. Numbers are never reused, so a stale one leads nowhere.
    next: u64,
    usage: Usage,
    /// Directories of a source that were removed since the source had what is here; none is far the most frequent.
    gone: Option<Arc<Vec<Arc<Origin>>>>,
}

impl Tree {
    pub(crate) fn new(now: Timestamp) -> Tree {
        Tree::with_root(Inode::new(
            Body::Directory(Directory::default()),
            0o755,
            0,
            0,
            now,
        ))
    }

    /// A tree with this directory as its root.
    pub(crate) fn with_root(mut root: Inode) -> Tree {
        root.settle(ROOT, &Name::default());
        let mut inodes = Radix::default();
        // An empty map has nothing to load, so nothing can fail.
        let _ = inodes.insert(ROOT, Arc::new(root));
        Tree {
            inodes,
            next: ROOT + 1,
            usage: Usage {
                bytes: 0,
                inodes: 1,
            },
            gone: None,
        }
    }

    /// Whether both are one tree in memory.
    pub(crate) fn is(&self, other: &Tree) -> bool {
        self.inodes.is(&other.inodes)
    }

    pub(crate) fn usage(&self) -> Usage {
        self.usage
    }

    pub(crate) fn inode(&self, number: u64) -> Result<&Inode> {
        self.inodes
            .get(number)?
            .map(|inode| &**inode)
            .ok_or(Error::NoEntry)
    }

    /// Mutable access. Whoever changes what is stored goes through [`Tree::store`] instead.
    pub(crate) fn inode_mut(&mut self, number: u64) -> Result<&mut Inode> {
        self.inodes
            .get_mut(number)?
            .map(Arc::make_mut)
            .ok_or(Error::NoEntry)
    }

    pub(crate) fn directory(&self, number: u64) -> Result<&Directory> {
        match &self.inode(number)?.body {
            Body::Directory(directory) => Ok(directory),
            _ => Err(Error::NotDirectory),
        }
    }

    pub(crate) fn directory_mut(&mut self, number: u64) -> Result<&mut Directory> {
        match &mut self.inode_mut(number)?.body {
            Body::Directory(directory) => Ok(directory),
            _ => Err(Error::NotDirectory),
        }
    }

    /// Gives the content of a file to `change` and keeps the accounts.
    pub(crate) fn store(
        &mut self,
        number: u64,
        change: impl FnOnce(&mut Content) -> Result<()>,
    ) -> Result<()> {
        let inode = self
            .inodes
            .get_mut(number)?
            .map(Arc::make_mut)
            .ok_or(Error::NoEntry)?;
        let Body::File(content) = &mut inode.body else {
            return Err(Error::Invalid);
        };
        let before = content.stored();
        let result = change(content);
        let stored = content.stored();
        self.charge(before, stored);
        result
    }

    /// Keeps the account of bytes. What a stored tree says about itself may be a lie, which must
    /// not become a crash.
    fn charge(&mut self, before: u64, after: u64) {
        self.usage.bytes = self
            .usage
            .bytes
            .saturating_sub(before)
            .saturating_add(after);
    }

    /// Writes to a regular file.
    pub(crate) fn write(
        &mut self,
        number: u64,
        offset: u64,
        bytes: &[u8],
        now: Timestamp,
    ) -> Result<()> {
        self.store(number, |content| content.write(offset, bytes))?;
        let inode = self.inode_mut(number)?;
        inode.touch(now);
        inode.dirty = true;
        Ok(())
    }

    /// Bytes that may still be stored.
    pub(crate) fn free_bytes(&self, quotas: &Quotas) -> u64 {
        quotas.bytes.saturating_sub(self.usage.bytes)
    }

    /// Adds a new inode under a name that is free.
    pub(crate) fn create(
        &mut self,
        quotas: &Quotas,
        parent: u64,
        name: Name,
        inode: Inode,
    ) -> Result<u64> {
        let now = inode.changed;
        let entry = self.adopt(quotas, parent, name, inode)?;
        self.inode_mut(parent)?.touch(now);
        Ok(entry.inode)
    }

    /// [`Tree::create`] without a trace in the directory's times.
    pub(crate) fn adopt(
        &mut self,
        quotas: &Quotas,
        parent: u64,
        name: Name,
        mut inode: Inode,
    ) -> Result<Entry> {
        if self.usage.inodes >= quotas.inodes || inode.stored() > self.free_bytes(quotas) {
            return Err(Error::NoSpace);
        }
        let (number, kind) = (self.next, inode.kind());
        inode.settle(parent, &name);
        self.insert_name(
            parent,
            name,
            Entry {
                inode: number,
                kind,
            },
        )?;
        self.next += 1;
        self.usage.inodes += 1;
        self.charge(0, inode.stored());
        self.inodes.insert(number, Arc::new(inode))?;
        Ok(Entry {
            inode: number,
            kind,
        })
    }

    /// Brings the node of a live source up to date.
    pub(crate) fn refresh(&mut self, number: u64, new: Inode) -> Result<()> {
        let known = self.inode(number)?;
        let same_body = match (&known.body, &new.body) {
            (
                Body::Remote { size, path },
                Body::Remote {
                    size: now_size,
                    path: now_path,
                },
            ) => size == now_size && path == now_path,
            (Body::Symlink(target), Body::Symlink(now)) => target == now,
            (Body::Device(device), Body::Device(now)) => device == now,
            _ => true,
        };
        let attributes = |inode: &Inode| (inode.mode, inode.uid, inode.gid, inode.modified);
        if same_body && attributes(known) == attributes(&new) {
            return Ok(());
        }
        let stored = known.stored();
        let inode = self.inode_mut(number)?;
        (inode.mode, inode.uid, inode.gid, inode.modified) = attributes(&new);
        inode.changed = new.changed;
        let now_stored = new.stored();
        if !matches!(new.body, Body::Directory(_)) {
            inode.body = new.body;
            self.charge(stored, now_stored);
        }
        Ok(())
    }

    /// Gives a file whose content was in a source its content.
    pub(crate) fn fill(&mut self, quotas: &Quotas, number: u64, content: Content) -> Result<()> {
        if content.stored() > self.free_bytes(quotas) {
            return Err(Error::NoSpace);
        }
        let stored = content.stored();
        self.inode_mut(number)?.body = Body::File(content);
        self.charge(0, stored);
        Ok(())
    }

    /// Adds a hard link under a name that is free.
    pub(crate) fn link(
        &mut self,
        quotas: &Quotas,
        parent: u64,
        name: Name,
        number: u64,
        now: Timestamp,
    ) -> Result<()> {
        let inode = self.inode(number)?;
        if inode.links >= LINKS || self.usage.inodes >= quotas.inodes {
            return Err(Error::NoSpace);
        }
        let kind = inode.kind();
        self.insert_name(
            parent,
            name.clone(),
            Entry {
                inode: number,
                kind,
            },
        )?;
        self.inode_mut(parent)?.touch(now);
        self.usage.inodes += 1;
        let inode = self.inode_mut(number)?;
        inode.settle(parent, &name);
        inode.links += 1;
        inode.changed = now;
        Ok(())
    }

    /// Removes a name. Returns whether that was the last link; the inode stays until [`Tree::free`].
    pub(crate) fn unlink(&mut self, parent: u64, name: &[u8], now: Timestamp) -> Result<bool> {
        let entry = self.remove_name(parent, name, now)?;
        let inode = self.inode_mut(entry.inode)?;
        inode.changed = now;
        if entry.kind == Kind::Directory {
            inode.links = 0;
            if let Body::Directory(Directory {
                origin: Some(origin),
                ..
            }) = &inode.body
                && origin.base.is_some()
            {
                let origin = Arc::clone(origin);
                Arc::make_mut(self.gone.get_or_insert_default()).push(origin);
            }
            return Ok(true);
        }
        inode.links = inode.links.saturating_sub(1);
        let last = inode.links == 0;
        if !last {
            self.usage.inodes = self.usage.inodes.saturating_sub(1);
        }
        Ok(last)
    }

    /// The directories of the source that were removed, in that order.
    #[cfg(feature = "host")]
    pub(crate) fn gone(&self) -> &[Arc<Origin>] {
        self.gone.as_ref().map_or(&[], |gone| gone)
    }

    /// Forgets them: the source does not have them any more.
    #[cfg(feature = "host")]
    pub(crate) fn forget_gone(&mut self) {
        self.gone = None;
    }

    /// Forgets an inode without links.
    pub(crate) fn free(&mut self, number: u64) -> Result<()> {
        if let Some(inode) = self.inodes.remove(number)? {
            self.usage.inodes = self.usage.inodes.saturating_sub(1);
            self.charge(inode.stored(), 0);
        }
        Ok(())
    }

    /// Moves an entry to a name that is free.
    pub(crate) fn rename(
        &mut self,
        from: (u64, &[u8]),
        to: (u64, Name),
        now: Timestamp,
    ) -> Result<()> {
        let entry = self.remove_name(from.0, from.1, now)?;
        let inode = self.inode_mut(entry.inode)?;
        inode.changed = now;
        inode.settle(to.0, &to.1);
        self.insert_name(to.0, to.1, entry)?;
        self.inode_mut(to.0)?.touch(now);
        Ok(())
    }

    /// Whether `number` is `directory` or lies above it.
    pub(crate) fn is_ancestor(&self, number: u64, mut directory: u64) -> Result<bool> {
        while directory != number {
            let parent = self.inode(directory)?.parent;
            if parent == directory {
                return Ok(false);
            }
            directory = parent;
        }
        Ok(true)
    }

    fn insert_name(&mut self, parent: u64, name: Name, entry: Entry) -> Result<()> {
        let inode = self.inode_mut(parent)?;
        let Body::Directory(directory) = &mut inode.body else {
            return Err(Error::NotDirectory);
        };
        directory.names.insert(name, entry)?;
        inode.links += u32::from(entry.kind == Kind::Directory);
        Ok(())
    }

    fn remove_name(&mut self, parent: u64, name: &[u8], now: Timestamp) -> Result<Entry> {
        let inode = self.inode_mut(parent)?;
        let Body::Directory(directory) = &mut inode.body else {
            return Err(Error::NotDirectory);
        };
        let entry = directory.names.remove(name)?.ok_or(Error::NoEntry)?;
        let subdirectory = u32::from(entry.kind == Kind::Directory);
        inode.links = inode.links.saturating_sub(subdirectory);
        inode.touch(now);
        Ok(entry)
    }
}

impl Tree {
    /// Stores the tree and returns the id of its root.
    pub(crate) fn save<S: ObjectSink>(&self, sink: &mut S) -> Result<ObjectId, S::Error> {
        // A tree has a root, so the map is never empty.
        let (height, id) = self.inodes.save(sink)?.ok_or(Error::Io)?;
        let mut writer = Writer::default();
        writer.number(self.next);
        writer.number(self.usage.bytes);
        writer.number(self.usage.inodes);
        writer.number(height.into());
        writer.id(id);
        sink.put(ObjectKind::Tree, writer.0)
    }

    /// A stored tree, of which only the root is read.
    pub(crate) fn open(id: ObjectId, source: &Arc<dyn ObjectSource>) -> Result<Tree> {
        let payload = source.read(id, ObjectKind::Tree)?;
        Tree::decode(&payload, source).map_err(|_| {
            source.damaged(id, ObjectKind::Tree);
            Error::Io
        })
    }

    fn decode(payload: &[u8], source: &Arc<dyn ObjectSource>) -> Result<Tree> {
        let mut reader = Reader::new(payload);
        let next = reader.number_to(MAX_INODE)?;
        let usage = Usage {
            bytes: reader.number_to(i64::MAX as u64)?,
            inodes: reader.number_to(MAX_INODE)?,
        };
        let height = radix::read_height(&mut reader)?;
        let inodes = Radix::open(height, reader.id()?, source);
        reader.end()?;
        Ok(Tree {
            inodes,
            next,
            usage,
            gone: None,
        })
    }
}

/// What a stored object leads to.
pub(crate) fn links(kind: ObjectKind, payload: &[u8], claim: Option<u64>) -> Result<Vec<Link>> {
    let nowhere: Arc<dyn ObjectSource> = Arc::new(Nowhere);
    match kind {
        ObjectKind::Chunk => content::chunk_links(payload, claim),
        ObjectKind::File => content::file_links(payload, claim, &nowhere),
        ObjectKind::Names => names::names_links(payload, claim, &nowhere),
        ObjectKind::Inodes => inode::inodes_links(payload, claim, &nowhere),
        ObjectKind::Tree => {
            let mut found = Vec::new();
            Tree::decode(payload, &nowhere)?.inodes.link(&mut found);
            Ok(found)
        }
    }
}

/// What is decoded to see where it leads is never followed.
struct Nowhere;

impl ObjectSource for Nowhere {
    fn read(&self, _id: ObjectId, _kind: ObjectKind) -> Result<Vec<u8>> {
        Err(Error::Io)
    }
}

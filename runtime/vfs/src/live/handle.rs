//! Opening files, and reading and writing what is open.

use super::guard::Access;
use super::state::State;
use super::walk::{Follow, Found, Last};
use super::{NodeId, Vfs};
use crate::tree::{Body, Content, Permission};
use crate::{Caller, Error, File, Kind, OpenOptions, Result, SourceFile, Timestamp};

impl Vfs {
    /// Opens a file of any kind; `mode` (after the caller's umask) is for a file that is created.
    ///
    /// A file created by the call is open as asked whatever its mode says, as in POSIX.
    ///
    /// # Errors
    /// `EACCES`, `EISDIR` for writing a directory, `EEXIST` with `exclusive`, `ELOOP` with
    /// `no_follow`, `EROFS`, `ENOSPC`, and those of [`Vfs::resolve`].
    pub fn open(
        &self,
        caller: &Caller,
        at: NodeId,
        path: &[u8],
        options: &OpenOptions,
        mode: u32,
    ) -> Result<File> {
        let now = self.now();
        let mut state = self.lock();
        let options = OpenOptions {
            write: options.write || options.append,
            ..*options
        };
        let follow = if options.create && (options.exclusive || options.no_follow) {
            Follow::Never
        } else if options.create {
            Follow::NoSlash
        } else if options.no_follow {
            Follow::Slash
        } else {
            Follow::Always
        };
        let found = state.walk(caller, at, path, follow)?;
        let node = match found.node {
            None if options.create => state.open_new(caller, &found, mode, now)?,
            _ => state.open_existing(caller, &found, &options, now)?,
        };
        state.acquire(node);
        let kind = state.inode(node)?.kind();
        let device = match state.inode(node)?.body {
            Body::Device(device) => Some(device),
            _ => None,
        };
        let fifo = (kind == Kind::Fifo).then(|| state.fifo(node));
        let remote = state.remote(node, caller.process)?;
        drop(state);
        // From here on the file releases the node when it is dropped.
        let file = File::new(self.clone(), node, kind, &options, device, fifo).of(caller.process);
        match remote {
            Some((source, path)) => Ok(file.with_source(source.open(&path)?)),
            _ => Ok(file),
        }
    }
}

impl Vfs {
    /// Reads from a regular file; from `source` without the lock, while the content is still there.
    pub(crate) fn read_node(
        &self,
        node: NodeId,
        source: Option<&dyn SourceFile>,
        offset: u64,
        buffer: &mut [u8],
    ) -> Result<usize> {
        let now = self.now();
        let mut state = self.lock();
        if let Some(source) = source
            && matches!(state.inode(node)?.body, Body::Remote { .. })
        {
            drop(state);
            return source.read_at(offset, buffer);
        }
        if let Some(content) = state.absent(node, offset, buffer.len())? {
            // Loading may take long, and the loaded parts are the tree's own.
            drop(state);
            content.read(offset, buffer)?;
            state = self.lock();
        }
        let count = state.read(node, offset, buffer)?;
        state.note_access(node, now);
        Ok(count)
    }
}

impl State {
    fn open_new(
        &mut self,
        caller: &Caller,
        found: &Found,
        mode: u32,
        now: Timestamp,
    ) -> Result<NodeId> {
        let Last::Name(name) = &found.last else {
            return Err(Error::IsDirectory);
        };
        if found.slash {
            return Err(Error::IsDirectory);
        }
        let body = Body::File(Content::default());
        self.attach(
            caller,
            found.parent,
            name.clone(),
            body,
            mode & !caller.umask,
            now,
        )
    }

    fn open_existing(
        &mut self,
        caller: &Caller,
        found: &Found,
        options: &OpenOptions,
        now: Timestamp,
    ) -> Result<NodeId> {
        let node = found.node.ok_or(Error::NoEntry)?;
        let kind = self.inode(node)?.kind();
        if options.create {
            if found.slash && matches!(found.last, Last::Name(_)) {
                return Err(Error::IsDirectory);
            }
            if options.exclusive {
                return Err(Error::Exist);
            }
            if kind == Kind::Directory {
                return Err(Error::IsDirectory);
            }
        }
        if kind == Kind::Symlink {
            return Err(if options.directory {
                Error::NotDirectory
            } else {
                Error::TooManyLinks
            });
        }
        if (found.slash || options.directory) && kind != Kind::Directory {
            return Err(Error::NotDirectory);
        }
        if options.read {
            self.judge(found, Access::Read)?;
        }
        if options.write || options.truncate {
            self.judge(found, Access::Write)?;
        }
        self.require_open(caller, node, options)?;
        if options.truncate && kind == Kind::Regular {
            self.set_size(node, 0, now)?;
        }
        Ok(node)
    }

    fn require_open(&self, caller: &Caller, node: NodeId, options: &OpenOptions) -> Result<()> {
        let kind = self.inode(node)?.kind();
        let write = options.write || options.truncate;
        if kind == Kind::Directory && write {
            return Err(Error::IsDirectory);
        }
        if options.read {
            self.require(node, caller, Permission::READ)?;
        }
        if write {
            self.require(node, caller, Permission::WRITE)?;
            if self.read_only(node.mount)? && kind == Kind::Regular {
                return Err(Error::ReadOnly);
            }
        }
        Ok(())
    }

    /// The content of a regular file, where reading it means loading.
    fn absent(&self, node: NodeId, offset: u64, length: usize) -> Result<Option<Content>> {
        match &self.inode(node)?.body {
            Body::File(content) if !content.resident(offset, length) => Ok(Some(content.clone())),
            _ => Ok(None),
        }
    }

    /// Reads from a regular file.
    pub(crate) fn read(&self, node: NodeId, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        match &self.inode(node)?.body {
            Body::File(content) => content.read(offset, buffer),
            Body::Directory(_) => Err(Error::IsDirectory),
            _ => Err(Error::Invalid),
        }
    }

    pub(crate) fn size(&self, node: NodeId) -> Result<u64> {
        match &self.inode(node)?.body {
            Body::File(content) => Ok(content.size()),
            Body::Remote { size, .. } => Ok(*size),
            _ => Ok(0),
        }
    }

    /// Writes as much of `bytes` as limits allow and returns how much that was.
    pub(crate) fn write(
        &mut self,
        node: NodeId,
        offset: u64,
        bytes: &[u8],
        now: Timestamp,
    ) -> Result<usize> {
        if bytes.is_empty() {
            return Ok(0);
        }
        let quotas = self.quotas;
        let room = quotas
            .file_size
            .saturating_sub(offset)
            .min(bytes.len() as u64) as usize;
        if room == 0 {
            return Err(Error::FileTooLarge);
        }
        let tree = self.writable(node.mount)?;
        let Body::File(content) = &tree.inode(node.inode)?.body else {
            return Err(Error::Invalid);
        };
        let (count, _) = content.affordable(offset, room, tree.free_bytes(&quotas))?;
        if count == 0 {
            return Err(Error::NoSpace);
        }
        tree.write(node.inode, offset, &bytes[..count], now)?;
        Ok(count)
    }
}

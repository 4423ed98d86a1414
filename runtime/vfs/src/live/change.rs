//! Operations that make, move and remove names.

use super::guard::Access;
use super::state::State;
use super::walk::{Follow, Found, Last};
use super::{NodeId, Vfs};
use crate::tree::{Body, Directory, Inode, Name, Permission};
use crate::{Caller, Device, Error, Kind, Result, Timestamp};

impl Vfs {
    /// Makes a directory with the bits of `mode` that the caller's umask lets through.
    ///
    /// # Errors
    /// `EEXIST`, `EACCES`, `EROFS`, `ENOSPC`, and those of [`Vfs::resolve`].
    pub fn create_dir(&self, caller: &Caller, at: NodeId, path: &[u8], mode: u32) -> Result<()> {
        let body = Body::Directory(Directory::default());
        self.make(caller, at, path, body, mode & !caller.umask)
            .map(drop)
    }

    /// Makes a named pipe. All who open it on one live filesystem get the same [`crate::Pipe`].
    ///
    /// # Errors
    /// Those of [`Vfs::create_dir`].
    pub fn create_fifo(&self, caller: &Caller, at: NodeId, path: &[u8], mode: u32) -> Result<()> {
        self.make(caller, at, path, Body::Fifo, mode & !caller.umask)
            .map(drop)
    }

    /// Makes a character device. Only root may.
    ///
    /// # Errors
    /// `EPERM` for others, and those of [`Vfs::create_dir`].
    pub fn create_device(
        &self,
        caller: &Caller,
        at: NodeId,
        path: &[u8],
        device: Device,
        mode: u32,
    ) -> Result<()> {
        if caller.uid != 0 {
            return Err(Error::NotPermitted);
        }
        self.make(caller, at, path, Body::Device(device), mode & !caller.umask)
            .map(drop)
    }

    /// Makes a symbolic link at `path` with the text `target`.
    ///
    /// # Errors
    /// `ENOENT` for an empty target, and those of [`Vfs::create_dir`].
    pub fn symlink(&self, caller: &Caller, target: &[u8], at: NodeId, path: &[u8]) -> Result<()> {
        if target.is_empty() {
            return Err(Error::NoEntry);
        }
        if target.len() >= self.quotas().path_length {
            return Err(Error::NameTooLong);
        }
        if target.contains(&0) {
            return Err(Error::Invalid);
        }
        self.make(caller, at, path, Body::Symlink(target.into()), 0o777)
            .map(drop)
    }

    fn make(
        &self,
        caller: &Caller,
        at: NodeId,
        path: &[u8],
        body: Body,
        mode: u32,
    ) -> Result<NodeId> {
        let now = self.now();
        let mut state = self.lock();
        let found = state.walk(caller, at, path, Follow::Never)?;
        let name = found.free_name(matches!(body, Body::Directory(_)))?.clone();
        state.attach(caller, found.parent, name, body, mode, now)
    }

    /// Makes a hard link; with `follow` a symbolic link at `existing` is resolved first.
    ///
    /// # Errors
    /// `EXDEV` across mounts, `EPERM` for directories, and those of [`Vfs::create_dir`].
    pub fn link(
        &self,
        caller: &Caller,
        from: (NodeId, &[u8]),
        to: (NodeId, &[u8]),
        follow: bool,
    ) -> Result<()> {
        let now = self.now();
        let mut state = self.lock();
        let both = [Access::Read, Access::Write];
        let node = state.find_for(caller, from.0, from.1, follow, &both)?;
        let found = state.walk(caller, to.0, to.1, Follow::Never)?;
        let name = found.free_name(false)?.clone();
        state.judge(&found, Access::Write)?;
        if node.mount != found.parent.mount {
            return Err(Error::CrossDevice);
        }
        state.require_change(found.parent, caller)?;
        if state.inode(node)?.kind() == Kind::Directory {
            return Err(Error::NotPermitted);
        }
        let quotas = state.quotas;
        state
            .writable(node.mount)?
            .link(&quotas, found.parent.inode, name, node.inode, now)
    }

    /// Removes a name that is not a directory's. What is open stays readable and writable.
    ///
    /// # Errors
    /// `EISDIR`, `EACCES`, `EPERM` in a sticky directory, `EROFS`, and those of [`Vfs::resolve`].
    pub fn unlink(&self, caller: &Caller, at: NodeId, path: &[u8]) -> Result<()> {
        let now = self.now();
        let mut state = self.lock();
        let found = state.walk(caller, at, path, Follow::Never)?;
        let Last::Name(name) = &found.last else {
            return Err(Error::IsDirectory);
        };
        let node = found.node.ok_or(Error::NoEntry)?;
        state.judge(&found, Access::Write)?;
        let directory = state.inode(node)?.kind() == Kind::Directory;
        if found.slash {
            return Err(if directory {
                Error::IsDirectory
            } else {
                Error::NotDirectory
            });
        }
        state.require_removal(found.parent, node, caller)?;
        if directory {
            return Err(Error::IsDirectory);
        }
        state.detach(found.parent, name, node, now)
    }

    /// Removes an empty directory.
    ///
    /// # Errors
    /// `ENOTEMPTY`, `ENOTDIR`, `EBUSY` for a mount point, `EINVAL` for a path that ends in `.`,
    /// and those of [`Vfs::unlink`].
    pub fn remove_dir(&self, caller: &Caller, at: NodeId, path: &[u8]) -> Result<()> {
        let now = self.now();
        let mut state = self.lock();
        let found = state.walk(caller, at, path, Follow::Never)?;
        let name = match &found.last {
            Last::Name(name) => name,
            Last::Dot => return Err(Error::Invalid),
            Last::DotDot => return Err(Error::NotEmpty),
            Last::Root => return Err(Error::Busy),
        };
        let node = found.node.ok_or(Error::NoEntry)?;
        if state.is_mount_point(node) {
            return Err(Error::Busy);
        }
        state.judge(&found, Access::Write)?;
        state.require_removal(found.parent, node, caller)?;
        state.require_empty(node)?;
        state.detach(found.parent, name, node, now)
    }

    /// Moves a file or directory, replacing what POSIX lets it replace: a file by a file, an empty
    /// directory by a directory.
    ///
    /// # Errors
    /// `EXDEV` across mounts, `EINVAL` for a directory into itself, `ENOTEMPTY`, `EISDIR`,
    /// `ENOTDIR`, `EBUSY` for mount points, and those of [`Vfs::unlink`].
    pub fn rename(
        &self,
        caller: &Caller,
        from: (NodeId, &[u8]),
        to: (NodeId, &[u8]),
    ) -> Result<()> {
        let now = self.now();
        let mut state = self.lock();
        let old = state.walk(caller, from.0, from.1, Follow::Never)?;
        let new = state.walk(caller, to.0, to.1, Follow::Never)?;
        if old.parent.mount != new.parent.mount {
            return Err(Error::CrossDevice);
        }
        let (Last::Name(old_name), Last::Name(new_name)) = (&old.last, &new.last) else {
            return Err(Error::Busy);
        };
        let node = old.node.ok_or(Error::NoEntry)?;
        if !state.rename_allowed(caller, &old, &new, node)? {
            return Ok(());
        }
        if let Some(replaced) = new.node {
            state.detach(new.parent, new_name, replaced, now)?;
        }
        let tree = state.writable(node.mount)?;
        let to = (new.parent.inode, new_name.clone());
        tree.rename((old.parent.inode, old_name), to, now)
    }
}

impl Found {
    /// The name under which something new may be made.
    pub(crate) fn free_name(&self, directory: bool) -> Result<&Name> {
        match &self.last {
            Last::Name(_) if self.node.is_some() => Err(Error::Exist),
            Last::Name(_) if self.slash && !directory => Err(Error::NoEntry),
            Last::Name(name) => Ok(name),
            _ => Err(Error::Exist),
        }
    }
}

impl State {
    /// Makes a new inode under a free name, as `caller`.
    pub(crate) fn attach(
        &mut self,
        caller: &Caller,
        parent: NodeId,
        name: Name,
        body: Body,
        mut mode: u32,
        now: Timestamp,
    ) -> Result<NodeId> {
        self.judge_name(parent, &name, Access::Write)?;
        self.require_change(parent, caller)?;
        let directory = self.inode(parent)?;
        let mut gid = caller.gid;
        if directory.mode & 0o2000 != 0 {
            gid = directory.gid;
            if matches!(body, Body::Directory(_)) {
                mode |= 0o2000;
            }
        }
        let inode = Inode::new(body, mode, caller.uid, gid, now);
        let quotas = self.quotas;
        let inode = self
            .writable(parent.mount)?
            .create(&quotas, parent.inode, name, inode)?;
        Ok(NodeId { inode, ..parent })
    }

    /// Removes a name whose removal is allowed.
    pub(crate) fn detach(
        &mut self,
        parent: NodeId,
        name: &[u8],
        node: NodeId,
        now: Timestamp,
    ) -> Result<()> {
        if self
            .writable(parent.mount)?
            .unlink(parent.inode, name, now)?
        {
            self.dispose(node)?;
        }
        Ok(())
    }

    /// Whether `caller` may add names to a directory.
    pub(crate) fn require_change(&mut self, directory: NodeId, caller: &Caller) -> Result<()> {
        if self.read_only(directory.mount)? {
            return Err(Error::ReadOnly);
        }
        // A removed directory that is still open takes no new entries.
        if self.inode(directory)?.links == 0 {
            return Err(Error::NoEntry);
        }
        self.require(directory, caller, Permission::CHANGE)?;
        self.complete(directory, 0)
    }

    /// Whether `caller` may remove the name of `node` from a directory.
    pub(crate) fn require_removal(
        &mut self,
        directory: NodeId,
        node: NodeId,
        caller: &Caller,
    ) -> Result<()> {
        self.require_change(directory, caller)?;
        self.require_not_sticky(directory, node, caller)
    }

    pub(crate) fn require_empty(&mut self, directory: NodeId) -> Result<()> {
        self.complete(directory, 0)?;
        match self.directory(directory)?.names.len() {
            0 => Ok(()),
            _ => Err(Error::NotEmpty),
        }
    }

    /// Checks everything about a rename; false where both names lead to one file, and nothing happens.
    fn rename_allowed(
        &mut self,
        caller: &Caller,
        old: &Found,
        new: &Found,
        node: NodeId,
    ) -> Result<bool> {
        let directory = self.inode(node)?.kind() == Kind::Directory;
        if !directory && (old.slash || new.slash) {
            return Err(Error::NotDirectory);
        }
        if self.is_mount_point(node) || new.node.is_some_and(|node| self.is_mount_point(node)) {
            return Err(Error::Busy);
        }
        let tree = self.tree(node.mount)?;
        if directory && tree.is_ancestor(node.inode, new.parent.inode)? {
            return Err(Error::Invalid);
        }
        let replaced = match new.node {
            Some(node) => Some((node, self.inode(node)?.kind() == Kind::Directory)),
            None => None,
        };
        if let Some((replaced, true)) = replaced
            && tree.is_ancestor(replaced.inode, old.parent.inode)?
        {
            return Err(Error::NotEmpty);
        }
        if new.node == Some(node) {
            return Ok(false);
        }
        let both = [Access::Read, Access::Write];
        self.judge_all(old, &both, directory)?;
        self.judge_all(new, &both[1..], directory)?;
        self.require_removal(old.parent, node, caller)?;
        match replaced {
            Some((replaced, _)) => self.require_removal(new.parent, replaced, caller)?,
            None => self.require_change(new.parent, caller)?,
        }
        match replaced {
            Some((_, false)) if directory => return Err(Error::NotDirectory),
            Some((_, true)) if !directory => return Err(Error::IsDirectory),
            _ => {}
        }
        // The entry `..` changes, and that is a write to the directory itself.
        if directory && old.parent != new.parent {
            self.require(node, caller, Permission::WRITE)?;
        }
        if let Some((replaced, true)) = replaced {
            self.require_empty(replaced)?;
        }
        Ok(true)
    }
}

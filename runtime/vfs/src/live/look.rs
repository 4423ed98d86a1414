//! Operations that only look.

use super::guard::Access;
use super::state::{ROOT, State};
use super::walk::{Follow, Last};
use super::{NodeId, Vfs};
use crate::tree::Permission;
use crate::{AccessMode, Caller, DirectoryEntry, Error, FilesystemStat, Kind, Metadata, Result};

/// Entries that a listing makes room for before it has seen them; a count may be a lie (T43).
const MOST: usize = 1 << 16;

impl Vfs {
    /// The node that a path leads to; without `follow`, a symbolic link in the last place itself.
    ///
    /// # Errors
    /// Those of every path: `ENOENT`, `ENOTDIR`, `EACCES`, `ELOOP`, `ENAMETOOLONG`, and `EINVAL`
    /// where the path contains a NUL.
    pub fn resolve(
        &self,
        caller: &Caller,
        at: NodeId,
        path: &[u8],
        follow: bool,
    ) -> Result<NodeId> {
        self.lock().find(caller, at, path, follow)
    }

    /// `stat`, or without `follow` `lstat`.
    ///
    /// # Errors
    /// Those of [`Vfs::resolve`].
    pub fn stat(&self, caller: &Caller, at: NodeId, path: &[u8], follow: bool) -> Result<Metadata> {
        let mut state = self.lock();
        let node = state.find(caller, at, path, follow)?;
        state.metadata(node)
    }

    /// The metadata of a node, whatever its name is now.
    ///
    /// # Errors
    /// `ENOENT` where the node is gone.
    pub fn metadata(&self, node: NodeId) -> Result<Metadata> {
        self.lock().metadata(node)
    }

    /// Whether the caller may access a path so; asks only for existence where `mode` is empty.
    ///
    /// # Errors
    /// `EACCES` where not, `EROFS` for writing on a read-only mount, and those of [`Vfs::resolve`].
    pub fn access(
        &self,
        caller: &Caller,
        at: NodeId,
        path: &[u8],
        mode: AccessMode,
        follow: bool,
    ) -> Result<()> {
        let mut state = self.lock();
        let mut uses = Vec::new();
        if mode.read {
            uses.push(Access::Read);
        }
        if mode.write {
            uses.push(Access::Write);
        }
        let node = state.find_for(caller, at, path, follow, &uses)?;
        let kind = state.inode(node)?.kind();
        if mode.write && state.read_only(node.mount)? && kind != Kind::Device {
            return Err(Error::ReadOnly);
        }
        let wanted = [
            (mode.read, Permission::READ),
            (mode.write, Permission::WRITE),
            (mode.execute, Permission::EXECUTE),
        ];
        wanted
            .iter()
            .filter(|(asked, _)| *asked)
            .try_for_each(|(_, permission)| state.require(node, caller, *permission))
    }

    /// All entries of a directory in the order of their bytes, without `.` and `..`.
    ///
    /// # Errors
    /// `ENOTDIR`, `EACCES` without read permission, and those of [`Vfs::resolve`].
    pub fn read_dir(
        &self,
        caller: &Caller,
        at: NodeId,
        path: &[u8],
    ) -> Result<Vec<DirectoryEntry>> {
        let now = self.now();
        let mut state = self.lock();
        let node = state.find_for(caller, at, path, true, &[Access::Read])?;
        state.directory(node)?;
        state.require(node, caller, Permission::READ)?;
        let entries = state.entries(node, caller.process)?;
        state.note_access(node, now);
        Ok(entries)
    }

    /// The target of a symbolic link.
    ///
    /// # Errors
    /// `EINVAL` for anything else, and those of [`Vfs::resolve`].
    pub fn read_link(&self, caller: &Caller, at: NodeId, path: &[u8]) -> Result<Vec<u8>> {
        let mut state = self.lock();
        let node = state.find(caller, at, path, false)?;
        Ok(state.link_target(node)?.ok_or(Error::Invalid)?.to_vec())
    }

    /// The absolute path without symbolic links, `.`, `..` and doubled slashes.
    ///
    /// # Errors
    /// Those of [`Vfs::resolve`].
    pub fn canonicalize(&self, caller: &Caller, at: NodeId, path: &[u8]) -> Result<Vec<u8>> {
        let mut state = self.lock();
        let found = state.walk(caller, at, path, Follow::Always)?;
        let node = found.existing(&state)?;
        let Last::Name(name) = &found.last else {
            return state.path_of(node);
        };
        let mut whole = state.path_of(found.parent)?;
        if whole.last() != Some(&b'/') {
            whole.push(b'/');
        }
        whole.extend_from_slice(name);
        Ok(whole)
    }

    /// The absolute path of a directory, as `getcwd` gives it.
    ///
    /// # Errors
    /// `ENOENT` where it was removed, `ENOTDIR` for what is no directory.
    pub fn path_of(&self, directory: NodeId) -> Result<Vec<u8>> {
        self.lock().path_of(directory)
    }

    /// Size and use of the filesystem that holds a node.
    ///
    /// # Errors
    /// `ENOENT` where its mount is gone.
    pub fn statfs(&self, node: NodeId) -> Result<FilesystemStat> {
        let state = self.lock();
        let (usage, quotas) = (state.tree(node.mount)?.usage(), state.quotas);
        Ok(FilesystemStat {
            total_bytes: quotas.bytes,
            free_bytes: quotas.bytes.saturating_sub(usage.bytes),
            total_inodes: quotas.inodes,
            free_inodes: quotas.inodes.saturating_sub(usage.inodes),
            read_only: state.read_only(node.mount)?,
        })
    }
}

impl State {
    pub(crate) fn metadata(&self, node: NodeId) -> Result<Metadata> {
        // The root tree is device 1: 0 means "none" to some programs.
        Ok(self
            .inode(node)?
            .metadata(u64::from(node.mount) + 1, node.inode))
    }

    pub(crate) fn entries(
        &mut self,
        directory: NodeId,
        process: u32,
    ) -> Result<Vec<DirectoryEntry>> {
        self.complete(directory, process)?;
        let names = &self.directory(directory)?.names;
        let mut entries = Vec::with_capacity(names.len().min(MOST));
        for entry in names.iter() {
            let (name, entry) = entry?;
            entries.push(DirectoryEntry {
                name: name.to_vec(),
                kind: entry.kind,
                inode: entry.inode,
            });
        }
        Ok(entries)
    }

    pub(crate) fn path_of(&self, directory: NodeId) -> Result<Vec<u8>> {
        let (mut names, mut node) = (Vec::new(), directory);
        self.directory(node)?;
        while node != ROOT {
            let covered = self.covered(node)?;
            let inode = self.inode(covered)?;
            if inode.links == 0 {
                return Err(Error::NoEntry);
            }
            names.push(inode.name.to_vec());
            node = self.enter(NodeId {
                inode: inode.parent,
                ..covered
            });
        }
        names.push(Vec::new());
        names.reverse();
        let path = names.join(&b'/');
        Ok(if path.is_empty() { b"/".to_vec() } else { path })
    }
}

//! Whole-file and whole-tree operations for embedders.

use super::guard::Access;
use super::state::State;
use super::walk::{Follow, Last};
use super::{NodeId, Vfs};
use crate::tree::Permission;
use crate::{Caller, Error, Kind, OpenOptions, Result, Timestamp};

/// What is read at a time past the size that a file claims.
const MORE: usize = 4096;

impl Vfs {
    /// The content of a regular file.
    ///
    /// # Errors
    /// `EISDIR`, `EINVAL` for pipes and devices, and those of [`Vfs::open`].
    pub fn read_file(&self, caller: &Caller, at: NodeId, path: &[u8]) -> Result<Vec<u8>> {
        let file = self.open(caller, at, path, &OpenOptions::READ, 0)?;
        match file.kind() {
            Kind::Regular => {}
            Kind::Directory => return Err(Error::IsDirectory),
            _ => return Err(Error::Invalid),
        }
        // The size is a hint: a source may only know it by reading.
        let hint = usize::try_from(file.metadata()?.size).map_err(|_| Error::Overflow)?;
        let mut content = Vec::new();
        content
            .try_reserve_exact(hint)
            .map_err(|_| Error::Overflow)?;
        content.resize(hint, 0);
        let mut filled = 0;
        while filled < hint {
            match file.read_at(filled as u64, &mut content[filled..])? {
                0 => break,
                count => filled += count,
            }
        }
        content.truncate(filled);
        let mut more = [0; MORE];
        loop {
            match file.read_at(content.len() as u64, &mut more)? {
                0 => return Ok(content),
                count => content.extend_from_slice(&more[..count]),
            }
        }
    }

    /// Makes a file with this content, or replaces the content of one.
    ///
    /// # Errors
    /// `ENOSPC` where it does not fit whole (a part may be written), and those of [`Vfs::open`].
    pub fn write_file(
        &self,
        caller: &Caller,
        at: NodeId,
        path: &[u8],
        content: &[u8],
        mode: u32,
    ) -> Result<()> {
        let file = self.open(caller, at, path, &OpenOptions::WRITE, mode)?;
        let mut rest = content;
        while !rest.is_empty() {
            let count = file.write(rest)?;
            rest = &rest[count..];
        }
        Ok(())
    }

    /// Makes a directory and those above it where they are missing.
    ///
    /// # Errors
    /// `EEXIST` where something else is at the path, `ENOTDIR` where the path leads through it, and
    /// those of [`Vfs::create_dir`].
    pub fn create_dir_all(
        &self,
        caller: &Caller,
        at: NodeId,
        path: &[u8],
        mode: u32,
    ) -> Result<()> {
        let mut end = 0;
        while end < path.len() {
            let slashes = path[end..].iter().take_while(|&&byte| byte == b'/').count();
            let name = path[end + slashes..]
                .iter()
                .take_while(|&&byte| byte != b'/')
                .count();
            end += slashes + name;
            match self.create_dir(caller, at, &path[..end], mode) {
                Ok(()) => {}
                Err(Error::Exist) => {
                    if self.stat(caller, at, &path[..end], true)?.kind != Kind::Directory {
                        let last = path[end..].iter().all(|&byte| byte == b'/');
                        return Err(if last {
                            Error::Exist
                        } else {
                            Error::NotDirectory
                        });
                    }
                }
                Err(error) => return Err(error),
            }
        }
        if path.is_empty() {
            Err(Error::NoEntry)
        } else {
            Ok(())
        }
    }

    /// Removes a file, or a directory with all that is in it, in one step that no other operation
    /// sees half done. Symbolic links are removed, never followed.
    ///
    /// # Errors
    /// Those of [`Vfs::unlink`] and `EBUSY` where something is mounted inside. What was removed
    /// before an error stays removed.
    pub fn remove_tree(&self, caller: &Caller, at: NodeId, path: &[u8]) -> Result<()> {
        let now = self.now();
        let mut state = self.lock();
        let found = state.walk(caller, at, path, Follow::Never)?;
        let Last::Name(name) = &found.last else {
            return Err(Error::Busy);
        };
        let node = found.existing(&state)?;
        state.clear(caller, node, now)?;
        state.remove(caller, found.parent, name, node, now)
    }
}

impl State {
    /// Empties a directory. Keeps its own stack: trees may be deeper than the thread's.
    fn clear(&mut self, caller: &Caller, top: NodeId, now: Timestamp) -> Result<()> {
        let mut pending = vec![top];
        while let Some(&directory) = pending.last() {
            if self.inode(directory)?.kind() != Kind::Directory {
                return Ok(());
            }
            if self.is_mount_point(directory) {
                return Err(Error::Busy);
            }
            let entries = self.entries(directory, 0)?;
            if !entries.is_empty() {
                self.require(directory, caller, Permission::READ)?;
            }
            let depth = pending.len();
            for entry in entries {
                let node = NodeId {
                    inode: entry.inode,
                    ..directory
                };
                if entry.kind == Kind::Directory && !self.is_removable(node)? {
                    pending.push(node);
                } else {
                    self.remove(caller, directory, &entry.name, node, now)?;
                }
            }
            if pending.len() == depth {
                pending.pop();
            }
        }
        Ok(())
    }

    fn is_removable(&mut self, directory: NodeId) -> Result<bool> {
        Ok(!self.is_mount_point(directory) && self.require_empty(directory).is_ok())
    }

    fn remove(
        &mut self,
        caller: &Caller,
        parent: NodeId,
        name: &[u8],
        node: NodeId,
        now: Timestamp,
    ) -> Result<()> {
        self.judge_name(parent, name, Access::Write)?;
        self.require_change(parent, caller)?;
        self.require(parent, caller, Permission::EXECUTE)?;
        self.require_removal(parent, node, caller)?;
        self.detach(parent, name, node, now)
    }
}

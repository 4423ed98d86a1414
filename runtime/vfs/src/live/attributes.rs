//! Operations that change a file's attributes, by path and by node.

use super::guard::Access;
use super::state::State;
use super::{NodeId, Vfs};
use crate::tree::{Content, MODE_BITS, Permission};
use crate::{Caller, Error, Kind, NewTime, Result, SourceFile, Timestamp};

/// Set-user-id and set-group-id.
const SET_ID: u32 = 0o6000;

impl Vfs {
    /// Changes the permission bits; symbolic links are followed.
    ///
    /// # Errors
    /// `EPERM` where the caller is neither owner nor root, `EROFS`, and those of [`Vfs::resolve`].
    pub fn set_mode(&self, caller: &Caller, at: NodeId, path: &[u8], mode: u32) -> Result<()> {
        let now = self.now();
        let mut state = self.lock();
        let node = state.find(caller, at, path, true)?;
        state.set_mode(caller, node, mode, now)
    }

    /// Changes owner and group; none keeps one.
    ///
    /// # Errors
    /// `EPERM` where the caller is not root, unless the owner gives the file to the caller's group;
    /// `EROFS`, and those of [`Vfs::resolve`].
    pub fn set_owner(
        &self,
        caller: &Caller,
        at: NodeId,
        path: &[u8],
        owner: (Option<u32>, Option<u32>),
        follow: bool,
    ) -> Result<()> {
        let now = self.now();
        let mut state = self.lock();
        let node = state.find(caller, at, path, follow)?;
        state.set_owner(caller, node, owner, now)
    }

    /// Changes the times of access and of modification.
    ///
    /// # Errors
    /// `EPERM` for given times where the caller is neither owner nor root, `EACCES` for the present
    /// where the caller may not write either, `EROFS`, and those of [`Vfs::resolve`].
    pub fn set_times(
        &self,
        caller: &Caller,
        at: NodeId,
        path: &[u8],
        accessed: NewTime,
        modified: NewTime,
        follow: bool,
    ) -> Result<()> {
        let now = self.now();
        let mut state = self.lock();
        let node = state.find(caller, at, path, follow)?;
        state.set_times(caller, node, accessed, modified, now)
    }

    /// Sets the length of a regular file: cuts it off, or extends it with a hole.
    ///
    /// # Errors
    /// `EISDIR`, `EINVAL` for other kinds, `EACCES`, `EFBIG`, `EROFS`, and those of [`Vfs::resolve`].
    pub fn set_size(&self, caller: &Caller, at: NodeId, path: &[u8], size: u64) -> Result<()> {
        let mut state = self.lock();
        let node = state.find_for(caller, at, path, true, &[Access::Write])?;
        if state.inode(node)?.kind() == Kind::Directory {
            return Err(Error::IsDirectory);
        }
        state.require(node, caller, Permission::WRITE)?;
        drop(state);
        self.resize(node, None, size)
    }

    /// For whoever may write the file.
    pub(crate) fn resize(
        &self,
        node: NodeId,
        open: Option<&dyn SourceFile>,
        size: u64,
    ) -> Result<()> {
        let now = self.now();
        let mut state = if size == 0 {
            self.lock()
        } else {
            self.lock_content(node, open)?
        };
        state.set_size(node, size, now)
    }
}

impl State {
    fn require_writable(&self, node: NodeId) -> Result<()> {
        if self.read_only(node.mount)? {
            Err(Error::ReadOnly)
        } else {
            Ok(())
        }
    }

    pub(crate) fn set_mode(
        &mut self,
        caller: &Caller,
        node: NodeId,
        mode: u32,
        now: Timestamp,
    ) -> Result<()> {
        self.judge_node(node, Access::Write)?;
        self.require_writable(node)?;
        let inode = self.inode(node)?;
        if !inode.owned_by(caller) {
            return Err(Error::NotPermitted);
        }
        let mut mode = mode & MODE_BITS;
        if caller.uid != 0 && caller.gid != inode.gid {
            mode &= !0o2000;
        }
        let inode = self.inode_mut(node)?;
        inode.mode = mode;
        inode.changed = now;
        Ok(())
    }

    pub(crate) fn set_owner(
        &mut self,
        caller: &Caller,
        node: NodeId,
        (uid, gid): (Option<u32>, Option<u32>),
        now: Timestamp,
    ) -> Result<()> {
        self.judge_node(node, Access::Write)?;
        self.require_writable(node)?;
        let inode = self.inode(node)?;
        let same_user = uid.is_none_or(|uid| uid == inode.uid);
        let own_group = gid.is_none_or(|gid| gid == inode.gid || gid == caller.gid);
        let unchanged = uid.is_none() && gid.is_none();
        if caller.uid != 0 && !unchanged && !(caller.uid == inode.uid && same_user && own_group) {
            return Err(Error::NotPermitted);
        }
        let inode = self.inode_mut(node)?;
        inode.uid = uid.unwrap_or(inode.uid);
        inode.gid = gid.unwrap_or(inode.gid);
        if inode.kind() != Kind::Directory {
            let group_executes = inode.mode & 0o010 != 0;
            inode.mode &= if group_executes { !SET_ID } else { !0o4000 };
        }
        inode.changed = now;
        Ok(())
    }

    pub(crate) fn set_times(
        &mut self,
        caller: &Caller,
        node: NodeId,
        accessed: NewTime,
        modified: NewTime,
        now: Timestamp,
    ) -> Result<()> {
        let new_times = [accessed, modified];
        if new_times == [NewTime::Keep; 2] {
            return Ok(());
        }
        let valid = |time: &NewTime| match time {
            NewTime::At(time) => time.nanoseconds < 1_000_000_000,
            _ => true,
        };
        if !new_times.iter().all(valid) {
            return Err(Error::Invalid);
        }
        self.judge_node(node, Access::Write)?;
        self.require_writable(node)?;
        let inode = self.inode(node)?;
        if !inode.owned_by(caller) {
            if new_times != [NewTime::Now; 2] {
                return Err(Error::NotPermitted);
            }
            self.require(node, caller, Permission::WRITE)?;
        }
        let inode = self.inode_mut(node)?;
        inode.accessed = chosen(accessed, inode.accessed, now);
        inode.modified = chosen(modified, inode.modified, now);
        inode.changed = now;
        Ok(())
    }

    /// Sets the length of a file that is in memory, or that becomes empty.
    pub(super) fn set_size(&mut self, node: NodeId, size: u64, now: Timestamp) -> Result<()> {
        if self.inode(node)?.kind() != Kind::Regular {
            return Err(Error::Invalid);
        }
        self.require_writable(node)?;
        if size > self.quotas.file_size {
            return Err(Error::FileTooLarge);
        }
        let (quotas, remote) = (self.quotas, self.remote(node, 0)?.is_some());
        let tree = self.writable(node.mount)?;
        if remote {
            tree.fill(&quotas, node.inode, Content::default())?;
        }
        tree.store(node.inode, |content| content.set_size(size))?;
        let inode = self.inode_mut(node)?;
        inode.touch(now);
        Ok(())
    }
}

fn chosen(new: NewTime, old: Timestamp, now: Timestamp) -> Timestamp {
    match new {
        NewTime::Keep => old,
        NewTime::Now => now,
        NewTime::At(time) => time,
    }
}

//! Mounting and unmounting.

use std::sync::Weak;

use super::lazy::{Backing, Shown};
use super::state::Mounted;
use super::{NodeId, Vfs};
use crate::mount::MountContent;
use crate::tree::{ROOT, Tree};
use crate::{Caller, Error, Mount, MountInfo, Result, Views};

impl Vfs {
    /// Puts a mount on a directory and hides what was there.
    ///
    /// # Errors
    /// `EPERM` where the caller is not root, `ENOTDIR`, `EBUSY` for the root directory, those of
    /// [`Vfs::resolve`] and of the [`crate::Source`].
    pub fn mount(&self, caller: &Caller, path: &[u8], mount: Mount) -> Result<()> {
        if caller.uid != 0 {
            return Err(Error::NotPermitted);
        }
        let Mount {
            content,
            read_only,
            owner,
        } = mount;
        let (shown, live, system) = match content {
            MountContent::Tree(tree) => {
                return self.add_mount(caller, path, (tree, None), read_only);
            }
            MountContent::Live(source) => (Shown::Source(source), true, false),
            MountContent::Overlay(source) => (Shown::Source(source), false, false),
            MountContent::Views => (Shown::Views, true, true),
            MountContent::System(source) => (Shown::Source(source), true, true),
        };
        let backing = Backing {
            shown,
            live,
            system,
            owner,
        };
        self.add_mount(caller, path, (backing.tree()?, Some(backing)), read_only)
    }

    fn add_mount(
        &self,
        caller: &Caller,
        path: &[u8],
        (tree, backing): (Tree, Option<Backing>),
        read_only: bool,
    ) -> Result<()> {
        let mut state = self.lock();
        let at = state.find(caller, self.root(), path, true)?;
        state.directory(at)?;
        if at == self.root() {
            return Err(Error::Busy);
        }
        state.add_mount(Mounted {
            tree,
            at,
            read_only,
            backing,
        });
        Ok(())
    }

    /// Takes the newest mount off a directory; what it held is dropped.
    ///
    /// # Errors
    /// `EPERM` where the caller is not root, `EINVAL` where nothing is mounted there, `EBUSY` while
    /// files are open on it or another mount is inside.
    pub fn unmount(&self, caller: &Caller, path: &[u8]) -> Result<()> {
        if caller.uid != 0 {
            return Err(Error::NotPermitted);
        }
        let mut state = self.lock();
        let node = state.find(caller, self.root(), path, true)?;
        if node.mount == 0 || node.inode != ROOT {
            return Err(Error::Invalid);
        }
        state.remove_mount(node.mount)
    }

    /// Says what [`Mount::views`] shows in this filesystem. Forks do not inherit it.
    pub fn set_views(&self, views: Weak<dyn Views>) {
        self.lock().views = Some(views);
    }

    /// All mounts, oldest first.
    pub fn mounts(&self) -> Vec<MountInfo> {
        let state = self.lock();
        let info = |mount: u32| {
            Some(MountInfo {
                path: state.path_of(NodeId { mount, inode: ROOT }).ok()?,
                read_only: state.read_only(mount).ok()?,
                system: state.is_system(mount),
            })
        };
        (1..=state.last_mount()).filter_map(info).collect()
    }
}

//! Live trees.

use std::cell::RefCell;
use std::sync::{Arc, Weak};

use offshoot_vfs::{Mount, NodeId, Options, Vfs, diff};

use crate::bindings::exports::offshoot::web::trees::{
    Caller, Capture, Change, CommitFacts, Container, File, GuestTree, Merged, Quotas, Refusal,
    StoredObject, Tree, TreeBorrow, Usage,
};
use crate::bindings::offshoot::sandbox::types::{Errno, FileStat};
use crate::bindings::offshoot::sandbox::vfs::{
    AccessMode, DirectoryEntry, FilesystemStat, NewTime, OpenFlags,
};
use crate::file::OpenFile;
use crate::source::{HostSource, HostViews};
use crate::{commit, convert, snapshot};

type Answer<T> = Result<T, Errno>;

/// A tree as a resource.
pub(crate) struct LiveTree {
    vfs: Vfs,
    /// What the mounts of views show.
    views: RefCell<Option<Arc<HostViews>>>,
    /// What the store of this tree has.
    stored: RefCell<commit::Stored>,
}

impl LiveTree {
    fn new(vfs: Vfs) -> LiveTree {
        LiveTree {
            vfs,
            views: RefCell::default(),
            stored: RefCell::default(),
        }
    }

    fn root(&self) -> NodeId {
        self.vfs.root()
    }
}

/// Options with these quotas.
fn options(quotas: Quotas) -> Options {
    Options {
        quotas: quotas.into(),
        ..Options::default()
    }
}

impl GuestTree for LiveTree {
    fn new(quotas: Quotas) -> LiveTree {
        LiveTree::new(Vfs::new(options(quotas)))
    }

    fn fork(&self) -> Tree {
        Tree::new(LiveTree::new(self.vfs.fork()))
    }

    fn set_quotas(&self, quotas: Quotas) {
        self.vfs.set_quotas(quotas.into());
    }

    fn quotas(&self) -> Quotas {
        self.vfs.quotas().into()
    }

    fn usage(&self) -> Usage {
        let usage = self.vfs.usage();
        Usage {
            bytes: usage.bytes,
            inodes: usage.inodes,
        }
    }

    fn mount(&self, path: Vec<u8>, source: u32, writable: bool, uid: u32, gid: u32) -> Answer<()> {
        let source = HostSource {
            number: source,
            process: 0,
        };
        let mount = match writable {
            true => Mount::overlay(source),
            false => Mount::source(source),
        };
        Ok(self
            .vfs
            .mount(&offshoot_vfs::Caller::ROOT, &path, mount.owned_by(uid, gid))?)
    }

    fn mount_views(&self, path: Vec<u8>) -> Answer<()> {
        Ok(self
            .vfs
            .mount(&offshoot_vfs::Caller::ROOT, &path, Mount::views())?)
    }

    fn set_views(&self, source: u32) {
        let views = Arc::new(HostViews(source));
        let weak: Weak<HostViews> = Arc::downgrade(&views);
        self.vfs.set_views(weak);
        self.views.replace(Some(views));
    }

    fn mount_descriptors(&self, path: Vec<u8>) -> Answer<()> {
        Ok(self.vfs.mount_descriptors(&path)?)
    }

    fn make_devices(&self, path: Vec<u8>) -> Answer<()> {
        Ok(self.vfs.populate_devices(&path)?)
    }

    fn open(&self, caller: Caller, path: Vec<u8>, flags: OpenFlags, mode: u32) -> Answer<File> {
        let options = convert::open_options(flags);
        let file = self
            .vfs
            .open(&caller.into(), self.root(), &path, &options, mode)?;
        Ok(File::new(OpenFile(file)))
    }

    fn stat(&self, caller: Caller, path: Vec<u8>, follow: bool) -> Answer<FileStat> {
        let found = self.vfs.stat(&caller.into(), self.root(), &path, follow)?;
        Ok(found.into())
    }

    fn access(&self, caller: Caller, path: Vec<u8>, mode: AccessMode) -> Answer<()> {
        let mode = convert::access_mode(mode);
        Ok(self
            .vfs
            .access(&caller.into(), self.root(), &path, mode, true)?)
    }

    fn read_directory(&self, caller: Caller, path: Vec<u8>) -> Answer<Vec<DirectoryEntry>> {
        let entries = self.vfs.read_dir(&caller.into(), self.root(), &path)?;
        Ok(entries.into_iter().map(Into::into).collect())
    }

    fn read_link(&self, caller: Caller, path: Vec<u8>) -> Answer<Vec<u8>> {
        Ok(self.vfs.read_link(&caller.into(), self.root(), &path)?)
    }

    fn canonicalize(&self, caller: Caller, path: Vec<u8>) -> Answer<Vec<u8>> {
        Ok(self.vfs.canonicalize(&caller.into(), self.root(), &path)?)
    }

    fn make_directory(&self, caller: Caller, path: Vec<u8>, mode: u32) -> Answer<()> {
        Ok(self
            .vfs
            .create_dir(&caller.into(), self.root(), &path, mode)?)
    }

    fn make_directories(&self, caller: Caller, path: Vec<u8>, mode: u32) -> Answer<()> {
        let made = self
            .vfs
            .create_dir_all(&caller.into(), self.root(), &path, mode);
        Ok(made?)
    }

    fn make_fifo(&self, caller: Caller, path: Vec<u8>, mode: u32) -> Answer<()> {
        Ok(self
            .vfs
            .create_fifo(&caller.into(), self.root(), &path, mode)?)
    }

    fn symlink(&self, caller: Caller, target: Vec<u8>, path: Vec<u8>) -> Answer<()> {
        Ok(self
            .vfs
            .symlink(&caller.into(), &target, self.root(), &path)?)
    }

    fn link(&self, caller: Caller, existing: Vec<u8>, path: Vec<u8>, follow: bool) -> Answer<()> {
        let root = self.root();
        let (from, to) = ((root, existing.as_slice()), (root, path.as_slice()));
        Ok(self.vfs.link(&caller.into(), from, to, follow)?)
    }

    fn rename(&self, caller: Caller, old: Vec<u8>, new: Vec<u8>) -> Answer<()> {
        let root = self.root();
        Ok(self
            .vfs
            .rename(&caller.into(), (root, &old), (root, &new))?)
    }

    fn copy(&self, caller: Caller, source: Vec<u8>, target: Vec<u8>) -> Answer<()> {
        let root = self.root();
        Ok(self
            .vfs
            .copy(&caller.into(), (root, &source), (root, &target))?)
    }

    fn unlink(&self, caller: Caller, path: Vec<u8>) -> Answer<()> {
        Ok(self.vfs.unlink(&caller.into(), self.root(), &path)?)
    }

    fn remove_directory(&self, caller: Caller, path: Vec<u8>) -> Answer<()> {
        Ok(self.vfs.remove_dir(&caller.into(), self.root(), &path)?)
    }

    fn remove_tree(&self, caller: Caller, path: Vec<u8>) -> Answer<()> {
        Ok(self.vfs.remove_tree(&caller.into(), self.root(), &path)?)
    }

    fn set_mode(&self, caller: Caller, path: Vec<u8>, mode: u32) -> Answer<()> {
        Ok(self
            .vfs
            .set_mode(&caller.into(), self.root(), &path, mode)?)
    }

    fn set_owner(
        &self,
        caller: Caller,
        path: Vec<u8>,
        uid: Option<u32>,
        gid: Option<u32>,
        follow: bool,
    ) -> Answer<()> {
        let owner = (uid, gid);
        let set = self
            .vfs
            .set_owner(&caller.into(), self.root(), &path, owner, follow);
        Ok(set?)
    }

    fn set_times(
        &self,
        caller: Caller,
        path: Vec<u8>,
        accessed: NewTime,
        modified: NewTime,
        follow: bool,
    ) -> Answer<()> {
        let (accessed, modified) = (convert::new_time(accessed)?, convert::new_time(modified)?);
        let (caller, root) = (caller.into(), self.root());
        Ok(self
            .vfs
            .set_times(&caller, root, &path, accessed, modified, follow)?)
    }

    fn stat_filesystem(&self, caller: Caller, path: Vec<u8>) -> Answer<FilesystemStat> {
        let node = self.vfs.resolve(&caller.into(), self.root(), &path, true)?;
        Ok(self.vfs.statfs(node)?.into())
    }

    fn read_file(&self, caller: Caller, path: Vec<u8>) -> Answer<Vec<u8>> {
        Ok(self.vfs.read_file(&caller.into(), self.root(), &path)?)
    }

    fn write_file(&self, caller: Caller, path: Vec<u8>, content: Vec<u8>, mode: u32) -> Answer<()> {
        let written = self
            .vfs
            .write_file(&caller.into(), self.root(), &path, &content, mode);
        Ok(written?)
    }

    fn diff(&self, after: TreeBorrow<'_>) -> Answer<Vec<Change>> {
        let changes = diff(&self.vfs, &after.get::<LiveTree>().vfs)?;
        Ok(changes.into_iter().map(Change::from).collect())
    }

    fn merge(&self, base: TreeBorrow<'_>, theirs: TreeBorrow<'_>) -> Answer<Merged> {
        let (base, theirs) = (base.get::<LiveTree>(), theirs.get::<LiveTree>());
        convert::merged(self.vfs.merge(&base.vfs, &theirs.vfs))
    }

    fn export_tar(&self, path: Vec<u8>) -> Answer<Vec<u8>> {
        let mut archive = Vec::new();
        self.vfs.export_tar(&path, &mut archive)?;
        Ok(archive)
    }

    fn import_tar(&self, path: Vec<u8>, archive: Vec<u8>) -> Result<(), Refusal> {
        let imported = self.vfs.import_tar(&path, archive.as_slice());
        imported.map_err(convert::refusal)
    }

    fn save(&self) -> Answer<Vec<u8>> {
        Ok(snapshot::save(&self.vfs)?)
    }

    fn load(bytes: Vec<u8>, quotas: Quotas) -> Result<Tree, Refusal> {
        let vfs = snapshot::load(&bytes, options(quotas))?;
        Ok(Tree::new(LiveTree::new(vfs)))
    }
    fn commit(&self, capture: Capture) -> Result<Vec<StoredObject>, Refusal> {
        let saved = commit::save(&self.vfs, capture, &mut self.stored.borrow_mut());
        if saved.is_err() {
            self.forget();
        }
        saved
    }

    fn forget(&self) {
        self.stored.take();
    }

    fn checkout(
        commit: Vec<u8>,
        objects: Vec<StoredObject>,
        quotas: Quotas,
    ) -> Result<Tree, Refusal> {
        let (vfs, stored) = commit::load(&commit, objects, options(quotas))?;
        let tree = LiveTree::new(vfs);
        tree.stored.replace(stored);
        Ok(Tree::new(tree))
    }

    fn links(object: StoredObject) -> Result<Vec<Vec<u8>>, Refusal> {
        commit::links(object)
    }

    fn facts(commit: StoredObject) -> Result<CommitFacts, Refusal> {
        commit::facts(commit)
    }

    fn restored(
        commit: StoredObject,
        before: Vec<u8>,
        label: String,
        created: u64,
    ) -> Result<StoredObject, Refusal> {
        commit::restored(commit, &before, label, created)
    }

    fn pack(container: Container) -> Result<Vec<u8>, Refusal> {
        commit::pack(container)
    }

    fn unpack(bytes: Vec<u8>, quotas: Quotas) -> Result<Container, Refusal> {
        commit::unpack(&bytes, quotas.into())
    }
}

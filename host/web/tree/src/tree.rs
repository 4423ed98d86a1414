//! Live trees.

use offshoot_vfs::{NodeId, Options, Vfs, diff};

use crate::bindings::exports::offshoot::web::trees::{
    Caller, Change, File, GuestTree, Quotas, Refusal, Tree, TreeBorrow, Usage,
};
use crate::bindings::offshoot::sandbox::types::{Errno, FileStat};
use crate::bindings::offshoot::sandbox::vfs::{
    AccessMode, DirectoryEntry, FilesystemStat, NewTime, OpenFlags,
};
use crate::file::OpenFile;
use crate::{convert, snapshot};

type Answer<T> = Result<T, Errno>;

/// A tree as a resource.
pub(crate) struct LiveTree(Vfs);

impl LiveTree {
    fn root(&self) -> NodeId {
        self.0.root()
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
        LiveTree(Vfs::new(options(quotas)))
    }

    fn fork(&self) -> Tree {
        Tree::new(LiveTree(self.0.fork()))
    }

    fn set_quotas(&self, quotas: Quotas) {
        self.0.set_quotas(quotas.into());
    }

    fn quotas(&self) -> Quotas {
        self.0.quotas().into()
    }

    fn usage(&self) -> Usage {
        let usage = self.0.usage();
        Usage {
            bytes: usage.bytes,
            inodes: usage.inodes,
        }
    }

    fn make_devices(&self, path: Vec<u8>) -> Answer<()> {
        Ok(self.0.populate_devices(&path)?)
    }

    fn open(&self, caller: Caller, path: Vec<u8>, flags: OpenFlags, mode: u32) -> Answer<File> {
        let options = convert::open_options(flags);
        let file = self
            .0
            .open(&caller.into(), self.root(), &path, &options, mode)?;
        Ok(File::new(OpenFile(file)))
    }

    fn stat(&self, caller: Caller, path: Vec<u8>, follow: bool) -> Answer<FileStat> {
        let found = self.0.stat(&caller.into(), self.root(), &path, follow)?;
        Ok(found.into())
    }

    fn access(&self, caller: Caller, path: Vec<u8>, mode: AccessMode) -> Answer<()> {
        let mode = convert::access_mode(mode);
        Ok(self
            .0
            .access(&caller.into(), self.root(), &path, mode, true)?)
    }

    fn read_directory(&self, caller: Caller, path: Vec<u8>) -> Answer<Vec<DirectoryEntry>> {
        let entries = self.0.read_dir(&caller.into(), self.root(), &path)?;
        Ok(entries.into_iter().map(Into::into).collect())
    }

    fn read_link(&self, caller: Caller, path: Vec<u8>) -> Answer<Vec<u8>> {
        Ok(self.0.read_link(&caller.into(), self.root(), &path)?)
    }

    fn canonicalize(&self, caller: Caller, path: Vec<u8>) -> Answer<Vec<u8>> {
        Ok(self.0.canonicalize(&caller.into(), self.root(), &path)?)
    }

    fn make_directory(&self, caller: Caller, path: Vec<u8>, mode: u32) -> Answer<()> {
        Ok(self
            .0
            .create_dir(&caller.into(), self.root(), &path, mode)?)
    }

    fn make_directories(&self, caller: Caller, path: Vec<u8>, mode: u32) -> Answer<()> {
        let made = self
            .0
            .create_dir_all(&caller.into(), self.root(), &path, mode);
        Ok(made?)
    }

    fn make_fifo(&self, caller: Caller, path: Vec<u8>, mode: u32) -> Answer<()> {
        Ok(self
            .0
            .create_fifo(&caller.into(), self.root(), &path, mode)?)
    }

    fn symlink(&self, caller: Caller, target: Vec<u8>, path: Vec<u8>) -> Answer<()> {
        Ok(self
            .0
            .symlink(&caller.into(), &target, self.root(), &path)?)
    }

    fn link(&self, caller: Caller, existing: Vec<u8>, path: Vec<u8>, follow: bool) -> Answer<()> {
        let root = self.root();
        let (from, to) = ((root, existing.as_slice()), (root, path.as_slice()));
        Ok(self.0.link(&caller.into(), from, to, follow)?)
    }

    fn rename(&self, caller: Caller, old: Vec<u8>, new: Vec<u8>) -> Answer<()> {
        let root = self.root();
        Ok(self.0.rename(&caller.into(), (root, &old), (root, &new))?)
    }

    fn copy(&self, caller: Caller, source: Vec<u8>, target: Vec<u8>) -> Answer<()> {
        let root = self.root();
        Ok(self
            .0
            .copy(&caller.into(), (root, &source), (root, &target))?)
    }

    fn unlink(&self, caller: Caller, path: Vec<u8>) -> Answer<()> {
        Ok(self.0.unlink(&caller.into(), self.root(), &path)?)
    }

    fn remove_directory(&self, caller: Caller, path: Vec<u8>) -> Answer<()> {
        Ok(self.0.remove_dir(&caller.into(), self.root(), &path)?)
    }

    fn remove_tree(&self, caller: Caller, path: Vec<u8>) -> Answer<()> {
        Ok(self.0.remove_tree(&caller.into(), self.root(), &path)?)
    }

    fn set_mode(&self, caller: Caller, path: Vec<u8>, mode: u32) -> Answer<()> {
        Ok(self.0.set_mode(&caller.into(), self.root(), &path, mode)?)
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
            .0
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
            .0
            .set_times(&caller, root, &path, accessed, modified, follow)?)
    }

    fn stat_filesystem(&self, caller: Caller, path: Vec<u8>) -> Answer<FilesystemStat> {
        let node = self.0.resolve(&caller.into(), self.root(), &path, true)?;
        Ok(self.0.statfs(node)?.into())
    }

    fn read_file(&self, caller: Caller, path: Vec<u8>) -> Answer<Vec<u8>> {
        Ok(self.0.read_file(&caller.into(), self.root(), &path)?)
    }

    fn write_file(&self, caller: Caller, path: Vec<u8>, content: Vec<u8>, mode: u32) -> Answer<()> {
        let written = self
            .0
            .write_file(&caller.into(), self.root(), &path, &content, mode);
        Ok(written?)
    }

    fn diff(&self, after: TreeBorrow<'_>) -> Answer<Vec<Change>> {
        let changes = diff(&self.0, &after.get::<LiveTree>().0)?;
        let change = |change: offshoot_vfs::Change| Change {
            path: change.path,
            kind: change.kind.into(),
        };
        Ok(changes.into_iter().map(change).collect())
    }

    fn export_tar(&self, path: Vec<u8>) -> Answer<Vec<u8>> {
        let mut archive = Vec::new();
        self.0.export_tar(&path, &mut archive)?;
        Ok(archive)
    }

    fn import_tar(&self, path: Vec<u8>, archive: Vec<u8>) -> Result<(), Refusal> {
        let imported = self.0.import_tar(&path, archive.as_slice());
        imported.map_err(convert::refusal)
    }

    fn save(&self) -> Answer<Vec<u8>> {
        Ok(snapshot::save(&self.0)?)
    }

    fn load(bytes: Vec<u8>, quotas: Quotas) -> Result<Tree, Refusal> {
        let vfs = snapshot::load(&bytes, options(quotas))?;
        Ok(Tree::new(LiveTree(vfs)))
    }
}

//! Nodes of a mount's source, made when they are first looked at.
//!
//! A directory of an overlay is looked up name by name until it is listed or changed; then it takes
//! in all names of its source at once and never asks again, so removed names need no marks. A live
//! mount asks its source each time.

use std::sync::{Arc, MutexGuard, Weak};

use super::state::State;
use super::{NodeId, Vfs};
use crate::source::Nothing;
use crate::tree::{Body, Content, Directory, Entry, Inode, Name, Origin, Tree, is_name};
use crate::{Error, Kind, Result, Source, SourceFile, SourceStat, Views};

/// The most that one read of a source brings in while a file is copied.
const COPY: usize = 64 * 1024;

/// What stands behind a mount's nodes.
#[derive(Clone)]
pub(crate) struct Backing {
    pub(crate) shown: Shown,
    /// Looked at anew each time, and never written.
    pub(crate) live: bool,
    /// What it shows is the system's own, and comes and goes.
    pub(crate) system: bool,
    /// User and group that own everything, whatever the source says.
    pub(crate) owner: Option<(u32, u32)>,
}

/// Where a backing finds its source.
#[derive(Clone)]
pub(crate) enum Shown {
    Source(Arc<dyn Source>),
    /// With the filesystem that it is mounted in.
    Views,
}

/// Names of a directory of the system beyond which those that are gone are looked for.
const STALE: usize = 256;

impl Backing {
    fn source(&self, views: Option<&Weak<dyn Views>>, process: u32) -> Arc<dyn Source> {
        match &self.shown {
            Shown::Source(source) => Arc::clone(source),
            Shown::Views => match views.and_then(Weak::upgrade) {
                Some(views) => views.view(process),
                None => Arc::new(Nothing),
            },
        }
    }

    /// A tree that has only the root directory of the source.
    pub(crate) fn tree(&self) -> Result<Tree> {
        let stat = self.source(None, 0).stat(b"")?;
        if stat.kind != Kind::Directory {
            return Err(Error::NotDirectory);
        }
        let source = self.source(None, 0);
        Ok(Tree::with_root(self.inode(&*source, b"", stat)?))
    }

    fn inode(&self, source: &dyn Source, path: &[u8], stat: SourceStat) -> Result<Inode> {
        let body = match stat.kind {
            Kind::Regular => Body::Remote {
                path: path.into(),
                size: stat.size,
            },
            Kind::Directory => Body::Directory(Directory {
                origin: Some(Arc::new(Origin::unlisted(path))),
                ..Directory::default()
            }),
            Kind::Symlink => Body::Symlink(source.read_link(path)?.into()),
            Kind::Fifo => Body::Fifo,
            Kind::Device => Body::Device(stat.device.ok_or(Error::NoDevice)?),
        };
        let (uid, gid) = self.owner.unwrap_or((stat.uid, stat.gid));
        let mut inode = Inode::new(body, stat.mode, uid, gid, stat.modified);
        inode.dirty = false;
        Ok(inode)
    }
}

fn join(path: &[u8], name: &[u8]) -> Vec<u8> {
    if path.is_empty() {
        name.to_vec()
    } else {
        [path, b"/", name].concat()
    }
}

/// Where the content of a file lies: a source and a path in it.
type Remote = (Arc<dyn Source>, Arc<[u8]>);

impl State {
    /// The entry `name` of a directory, taken over from the source where that has it.
    pub(super) fn lookup_entry(
        &mut self,
        directory: NodeId,
        name: &[u8],
        process: u32,
    ) -> Result<Option<Entry>> {
        let known = self.directory(directory)?;
        let entry = known.names.get(name)?;
        let Some(origin) = known.unlisted() else {
            return Ok(entry);
        };
        let Some(backing) = self.backing(directory.mount)? else {
            return Ok(entry);
        };
        if entry.is_some() && !backing.live {
            return Ok(entry);
        }
        let path = join(&origin.path, name);
        let source = backing.source(self.views.as_ref(), process);
        match source.stat(&path) {
            Ok(stat) => {
                let inode = backing.inode(&*source, &path, stat)?;
                if backing.system && entry.is_none() {
                    self.sweep(directory, &*source, &origin.path)?;
                }
                self.adopt(directory, name, entry, inode).map(Some)
            }
            Err(Error::NoEntry | Error::NotDirectory) => {
                if let Some(entry) = entry {
                    self.forget(directory, name, entry)?;
                }
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Takes over what the source has under a name, keeping the inode that stands for it already.
    fn adopt(
        &mut self,
        directory: NodeId,
        name: &[u8],
        known: Option<Entry>,
        inode: Inode,
    ) -> Result<Entry> {
        if let Some(entry) = known {
            if entry.kind == inode.kind() {
                self.tree_mut(directory.mount)?
                    .refresh(entry.inode, inode)?;
                return Ok(entry);
            }
            self.forget(directory, name, entry)?;
        }
        let quotas = self.quotas;
        let tree = self.tree_mut(directory.mount)?;
        tree.adopt(&quotas, directory.inode, Name::new(name), inode)
    }

    /// Drops what the system no longer shows, each time that a directory has got so many new names:
    /// processes come and go, and nobody looks for one again.
    fn sweep(&mut self, directory: NodeId, source: &dyn Source, path: &[u8]) -> Result<()> {
        let names = &self.directory(directory)?.names;
        if names.len() == 0 || names.len() % STALE != 0 {
            return Ok(());
        }
        let known = names.iter().collect::<Result<Vec<_>>>()?;
        let known: Vec<(Name, Entry)> = known
            .into_iter()
            .map(|(name, entry)| (name.clone(), entry))
            .collect();
        for (name, entry) in known {
            if source.stat(&join(path, &name)) == Err(Error::NoEntry) {
                self.forget(directory, &name, entry)?;
            }
        }
        Ok(())
    }

    /// Drops a name that the source no longer has, with all that was known below it.
    fn forget(&mut self, directory: NodeId, name: &[u8], entry: Entry) -> Result<()> {
        let tree = self.tree_mut(directory.mount)?;
        let now = tree.inode(directory.inode)?.changed;
        tree.unlink(directory.inode, name, now)?;
        let mut pending = vec![entry.inode];
        while let Some(inode) = pending.pop() {
            let node = NodeId { inode, ..directory };
            if let Ok(gone) = self.directory(node) {
                for entry in gone.names.iter() {
                    pending.push(entry?.1.inode);
                }
            }
            self.dispose(node)?;
        }
        Ok(())
    }

    /// Takes over all names of the source into a directory that is to be listed or changed.
    pub(super) fn complete(&mut self, directory: NodeId, process: u32) -> Result<()> {
        let Some(origin) = self.directory(directory)?.unlisted() else {
            return Ok(());
        };
        let Some(backing) = self.backing(directory.mount)? else {
            return Ok(());
        };
        let source = backing.source(self.views.as_ref(), process);
        let mut names = source.read_dir(&origin.path)?;
        // What it lists beyond names is not there.
        names.retain(|name| is_name(name));
        names.sort_unstable();
        for name in &names {
            self.lookup_entry(directory, name, process)?;
        }
        if !backing.live {
            let tree = self.tree_mut(directory.mount)?;
            let known = tree.directory(directory.inode)?.names.iter();
            let seen = known.map(|known| {
                let inode = known?.1.inode;
                Ok((inode, tree.inode(inode)?.created))
            });
            let seen = seen.collect::<Result<Vec<_>>>()?;
            let directory = tree.directory_mut(directory.inode)?;
            directory.rebase(origin.path.clone(), seen);
            return Ok(());
        }
        let gone = |name: &Name| names.binary_search_by(|known| (**known).cmp(name)).is_err();
        let known = self.directory(directory)?.names.iter();
        let known = known.filter(|known| known.as_ref().map_or(true, |(name, _)| gone(name)));
        let gone = known
            .map(|known| known.map(|(name, entry)| (name.clone(), entry)))
            .collect::<Result<Vec<_>>>()?;
        gone.iter()
            .try_for_each(|(name, entry)| self.forget(directory, name, *entry))
    }

    /// Where the content of a regular file still lies in the mount's source.
    pub(super) fn remote(&self, node: NodeId, process: u32) -> Result<Option<Remote>> {
        let Body::Remote { path, .. } = &self.inode(node)?.body else {
            return Ok(None);
        };
        let backing = self.backing(node.mount)?.ok_or(Error::Io)?;
        let source = backing.source(self.views.as_ref(), process);
        Ok(Some((source, Arc::clone(path))))
    }
}

impl Vfs {
    /// The lock, once the content of a file that is to be changed is in memory; taken from `open`,
    /// which outlives the file's path in the source, where the file is open.
    pub(crate) fn lock_content(
        &self,
        node: NodeId,
        open: Option<&dyn SourceFile>,
    ) -> Result<MutexGuard<'_, State>> {
        let state = self.lock();
        let Some((source, path)) = state.remote(node, 0)? else {
            return Ok(state);
        };
        if state.read_only(node.mount)? {
            return Err(Error::ReadOnly);
        }
        let quotas = state.quotas;
        let limit = state.tree(node.mount)?.free_bytes(&quotas);
        drop(state);
        let limit = limit.min(quotas.file_size);
        let content = match open {
            Some(open) => copy(open, limit)?,
            None => copy(&*source.open(&path)?, limit)?,
        };
        let mut state = self.lock();
        // Another thread may have been faster.
        if state.remote(node, 0)?.is_some() {
            let quotas = state.quotas;
            state
                .tree_mut(node.mount)?
                .fill(&quotas, node.inode, content)?;
        }
        Ok(state)
    }
}

/// Copies a source's file to memory, at most `limit` bytes.
pub(super) fn copy(file: &dyn SourceFile, limit: u64) -> Result<Content> {
    let mut content = Content::default();
    let mut buffer = vec![0; COPY];
    loop {
        let count = file.read_at(content.size(), &mut buffer)?;
        if count == 0 {
            return Ok(content);
        }
        if content.size() + count as u64 > limit {
            return Err(Error::NoSpace);
        }
        content.write(content.size(), &buffer[..count])?;
    }
}

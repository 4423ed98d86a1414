//! Writing the changes of an overlay back to the host directory beneath it.

mod check;
mod error;
mod write;

use std::sync::Arc;

pub use error::ApplyError;

use super::state::State;
use super::{NodeId, Vfs};
use crate::tree::{Entry, Name, Origin, ROOT};
use crate::{Caller, Change, ChangeKind, Error, HostDirectory, Kind, Result, Timestamp};
use check::Check;

/// Bytes from which on a path is none on the host.
const LONGEST: usize = 4096;

/// Whether [`Vfs::apply`] may change files that make a host or an agent run something, such as
/// `.git/hooks`, `.vscode` and `.bashrc`, or remove a directory that has one in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Protected {
    /// Fail with [`Error::Protected`] before anything is written.
    #[default]
    Refuse,
    /// Write them like others.
    Allow,
}

/// What the source had under a name when the overlay first saw it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Seen {
    kind: Kind,
    modified: Timestamp,
}

/// One change and the inode that brings it; none for a removal.
struct Step {
    change: Change,
    inode: Option<u64>,
    /// The directory that it is in.
    parent: u64,
    /// What the source has there; none for what is new.
    before: Option<Seen>,
}

/// What a step may fail with.
type Applied<T> = Result<T, ApplyError>;

impl Vfs {
    /// What an overlay holds other than its source, in the order it would be written: removed
    /// paths, then new and changed ones, parents first. Paths are relative to the
    /// mount, its own directory is the empty one.
    ///
    /// # Errors
    /// `EINVAL` where no overlay is mounted at `path`, `ENAMETOOLONG` for what lies deeper than a host
    /// has paths, and those of the source.
    pub fn changes(&self, path: &[u8]) -> Result<Vec<Change>> {
        let mut state = self.lock();
        let mount = state.overlay_at(path)?;
        let steps = state.steps(mount).map_err(|error| error.reason)?;
        Ok(steps.into_iter().map(|step| step.change).collect())
    }

    /// Writes what [`Vfs::changes`] lists to `host`, which is the directory that the overlay was
    /// made from, and returns it. Files are replaced whole, each in one step.
    ///
    /// The guest waits meanwhile. What stays behind: owners, set-id and sticky bits, the times
    /// of directories and links, that two names are one file, pipes, devices.
    ///
    /// What the host has changed itself is not overwritten and not removed: a file counts as changed that is
    /// not there, has another kind, or another time of its last modification than when the guest first saw
    /// it; so does one under a name that the guest saw free. All is looked at before anything is written,
    /// which leaves only what the host does in the moment between.
    ///
    /// # Errors
    /// [`Error::Protected`] for what `protected` guards, [`Error::Conflict`] for what the host has changed and
    /// [`Error::PathEscape`] for a symbolic link that leads out of the directory, each with the path and before
    /// anything is written; `EINVAL` where no overlay is mounted at `path`. After a failure of the host, what
    /// was written stays written ([`ApplyError::written`]), and the same call again writes the rest.
    pub fn apply(
        &self,
        path: &[u8],
        host: &HostDirectory,
        protected: Protected,
    ) -> Result<Vec<Change>, ApplyError> {
        let mut state = self.lock();
        let mount = state.overlay_at(path)?;
        let steps = state.steps(mount)?;
        let check = Check::new(&state, mount, host, &steps, protected)?;
        for step in &steps {
            check.step(&state, mount, step)?;
        }
        drop(check);
        for step in &steps {
            let prepared = state.prepare(mount, step);
            prepared.map_err(|error| ApplyError::at(&step.change.path, error))?;
        }
        for (index, step) in steps.iter().enumerate() {
            if let Err(reason) = state.write_back(mount, step, host) {
                let written = steps.iter().take(index).map(|step| step.change.clone());
                return Err(ApplyError {
                    written: written.collect(),
                    ..ApplyError::at(&step.change.path, reason)
                });
            }
        }
        state.settle(mount, &steps)?;
        Ok(steps.into_iter().map(|step| step.change).collect())
    }
}

impl State {
    fn overlay_at(&mut self, path: &[u8]) -> Result<u32> {
        let node = self.find(&Caller::ROOT, super::state::ROOT, path, true)?;
        match self.backing(node.mount)? {
            Some(backing) if node.inode == ROOT && !backing.live => Ok(node.mount),
            _ => Err(Error::Invalid),
        }
    }

    fn steps(&mut self, mount: u32) -> Applied<Vec<Step>> {
        let (mut removed, mut written) = (Vec::new(), Vec::new());
        if self.tree(mount)?.inode(ROOT)?.dirty {
            let before = Some(self.seen(mount, ROOT)?);
            written.push(Step {
                before,
                ..step(Vec::new(), ChangeKind::Modified, Some(ROOT), ROOT)
            });
        }
        let mut pending = vec![(Vec::new(), ROOT)];
        while let Some((path, inode)) = pending.pop() {
            let Comparison {
                origin,
                kept,
                different,
            } = self.compare(NodeId { mount, inode })?;
            for (name, old, new) in different {
                let path = join(&path, &name)?;
                let before = old.and_then(|old| {
                    let modified = origin.as_ref()?.seen(old.inode)?;
                    let kind = old.kind;
                    Some(Seen { kind, modified })
                });
                let replaced = matches!((old, new), (Some(old), Some(new))
                    if old.kind == Kind::Regular && new.kind == Kind::Regular);
                if old.is_some() && !replaced {
                    removed.push(Step {
                        before,
                        ..step(path.clone(), ChangeKind::Removed, None, inode)
                    });
                }
                match new {
                    Some(new) if replaced => written.push(Step {
                        before,
                        ..step(path, ChangeKind::Modified, Some(new.inode), inode)
                    }),
                    Some(new) => self.added(mount, (path, new.inode, inode), &mut written)?,
                    None => {}
                }
            }
            for (name, entry) in kept {
                let path = join(&path, &name)?;
                if self.tree(mount)?.inode(entry.inode)?.dirty {
                    let before = Some(self.seen(mount, entry.inode)?);
                    written.push(Step {
                        before,
                        ..step(path.clone(), ChangeKind::Modified, Some(entry.inode), inode)
                    });
                }
                if entry.kind == Kind::Directory {
                    pending.push((path, entry.inode));
                }
            }
        }
        removed.append(&mut written);
        Ok(removed)
    }

    /// What the source had where this inode came from.
    fn seen(&self, mount: u32, inode: u64) -> Result<Seen> {
        let inode = self.tree(mount)?.inode(inode)?;
        Ok(Seen {
            kind: inode.kind(),
            modified: inode.created,
        })
    }

    fn compare(&self, directory: NodeId) -> Result<Comparison> {
        let directory = self.directory(directory)?;
        let base = directory
            .origin
            .as_ref()
            .and_then(|origin| origin.base.as_ref());
        let base = base.unwrap_or(&directory.names);
        let mut different = Vec::new();
        base.diff(&directory.names, |name, old, new| {
            different.push((name.clone(), old, new))
        })?;
        let mut kept = Vec::new();
        for entry in directory.names.iter() {
            let (name, entry) = entry?;
            if base.get(name)? == Some(entry) {
                kept.push((name.clone(), entry));
            }
        }
        Ok(Comparison {
            origin: directory.origin.clone(),
            kept,
            different,
        })
    }

    /// A new path with all below it, parents first: its inode and the one of its directory.
    fn added(
        &mut self,
        mount: u32,
        (path, inode, parent): (Vec<u8>, u64, u64),
        steps: &mut Vec<Step>,
    ) -> Applied<()> {
        let mut pending = vec![(path, inode, parent)];
        while let Some((path, inode, parent)) = pending.pop() {
            let node = NodeId { mount, inode };
            if self.inode(node)?.kind() == Kind::Directory {
                self.complete(node, 0)?;
                for entry in self.directory(node)?.names.iter() {
                    let (name, entry) = entry?;
                    pending.push((join(&path, name)?, entry.inode, inode));
                }
            }
            steps.push(step(path, ChangeKind::Added, Some(inode), parent));
        }
        Ok(())
    }

    /// Reads what a step needs from the source, before the source changes.
    fn prepare(&mut self, mount: u32, step: &Step) -> Result<()> {
        let Some(inode) = step.inode else {
            return Ok(());
        };
        let node = NodeId { mount, inode };
        if let Some((source, path)) = self.remote(node, 0)?
            && (step.change.kind == ChangeKind::Added || *path != *step.change.path)
        {
            let limit = self.tree(mount)?.free_bytes(&self.quotas);
            let content = super::lazy::copy(&*source.open(&path)?, limit)?;
            let quotas = self.quotas;
            self.tree_mut(mount)?.fill(&quotas, inode, content)?;
        }
        Ok(())
    }

    /// Notes that nothing is left to be written.
    fn settle(&mut self, mount: u32, steps: &[Step]) -> Result<()> {
        let tree = self.tree_mut(mount)?;
        for inode in steps.iter().filter_map(|step| step.inode) {
            tree.inode_mut(inode)?.dirty = false;
        }
        tree.forget_gone();
        Ok(())
    }
}

/// The entries of a directory beside those of its source.
struct Comparison {
    /// Where it comes from; none for what the guest made.
    origin: Option<Arc<Origin>>,
    /// What stands for the same in both.
    kept: Vec<(Name, Entry)>,
    /// Names with their entry in the source and now.
    different: Vec<(Name, Option<Entry>, Option<Entry>)>,
}

fn step(path: Vec<u8>, kind: ChangeKind, inode: Option<u64>, parent: u64) -> Step {
    Step {
        change: Change { path, kind },
        inode,
        parent,
        before: None,
    }
}

/// A path that a host can have; what lies deeper would only take memory (T47).
fn join(path: &[u8], name: &[u8]) -> Applied<Vec<u8>> {
    let joined = match path {
        [] => name.to_vec(),
        _ => [path, b"/", name].concat(),
    };
    if joined.len() >= LONGEST {
        return Err(ApplyError::at(path, Error::NameTooLong));
    }
    Ok(joined)
}

/// The directory that a path is in, and its name there.
fn split(path: &[u8]) -> (&[u8], &[u8]) {
    match path.iter().rposition(|&byte| byte == b'/') {
        Some(slash) => (&path[..slash], &path[slash + 1..]),
        None => (b"", path),
    }
}

//! Writing the changes of an overlay back to the host directory beneath it.

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, UNIX_EPOCH};

use cap_std::fs::Dir;

use super::state::State;
use super::{NodeId, Vfs};
use crate::host::{error_of, host_path, reading};
use crate::tree::{Body, Content, Entry, Name, ROOT};
use crate::{Caller, Change, ChangeKind, Error, HostDirectory, Kind, Result, Timestamp};

/// Paths that make a host or an agent run something: hooks and settings. An attacker who may write
/// a repository's files would own its user through these.
const PROTECTED: [&str; 17] = [
    ".bash_profile",
    ".bashrc",
    ".claude",
    ".cursor",
    ".envrc",
    ".git/config",
    ".git/hooks",
    ".gitconfig",
    ".github/workflows",
    ".gitmodules",
    ".idea",
    ".mcp.json",
    ".npmrc",
    ".profile",
    ".vscode",
    ".zprofile",
    ".zshrc",
];

/// Bytes from which on a path is none on the host.
const LONGEST: usize = 4096;

/// Whether [`Vfs::apply`] may change files that make a host or an agent run something, such as
/// `.git/hooks`, `.vscode` and `.bashrc`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Protected {
    /// Fail with [`Error::Refused`] before anything is written.
    #[default]
    Refuse,
    /// Write them like others.
    Allow,
}

/// One change and the inode that brings it; none for a removal.
struct Step {
    change: Change,
    inode: Option<u64>,
}

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
        Ok(state
            .steps(mount)?
            .into_iter()
            .map(|step| step.change)
            .collect())
    }

    /// Writes what [`Vfs::changes`] lists to `host`, which is the directory that the overlay was
    /// made from, and returns it. Files are replaced whole, each in one step.
    ///
    /// The guest waits meanwhile. What stays behind: owners, set-id and sticky bits, the times
    /// of directories and links, that two names are one file, pipes, devices.
    ///
    /// # Errors
    /// [`Error::Refused`] for what `protected` guards and [`Error::PathEscape`] for a symbolic link
    /// that leads out of the directory, both before anything is written; `EINVAL` where no overlay
    /// is mounted at `path`. After a failure of the host, what was written stays written, and the
    /// same call again writes the rest.
    pub fn apply(
        &self,
        path: &[u8],
        host: &HostDirectory,
        protected: Protected,
    ) -> Result<Vec<Change>> {
        let mut state = self.lock();
        let mount = state.overlay_at(path)?;
        let steps = state.steps(mount)?;
        if protected == Protected::Refuse
            && steps.iter().any(|step| is_protected(&step.change.path))
        {
            return Err(Error::Refused);
        }
        for step in &steps {
            state.prepare(mount, step)?;
        }
        for step in &steps {
            state.write_back(mount, step, &host.root)?;
        }
        state.settle(mount)?;
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

    fn steps(&mut self, mount: u32) -> Result<Vec<Step>> {
        let (mut removed, mut written) = (Vec::new(), Vec::new());
        if self.tree(mount)?.inode(ROOT)?.dirty {
            written.push(step(Vec::new(), ChangeKind::Modified, Some(ROOT)));
        }
        let mut pending = vec![(Vec::new(), ROOT)];
        while let Some((path, inode)) = pending.pop() {
            let Comparison { kept, different } = self.compare(NodeId { mount, inode })?;
            for (name, old, new) in different {
                let path = join(&path, &name)?;
                let replaced = matches!((old, new), (Some(old), Some(new))
                    if old.kind == Kind::Regular && new.kind == Kind::Regular);
                if old.is_some() && !replaced {
                    removed.push(step(path.clone(), ChangeKind::Removed, None));
                }
                match new {
                    Some(new) if replaced => {
                        written.push(step(path, ChangeKind::Modified, Some(new.inode)));
                    }
                    Some(new) => self.added(mount, path, new.inode, &mut written)?,
                    None => {}
                }
            }
            for (name, entry) in kept {
                let path = join(&path, &name)?;
                if self.tree(mount)?.inode(entry.inode)?.dirty {
                    written.push(step(path.clone(), ChangeKind::Modified, Some(entry.inode)));
                }
                if entry.kind == Kind::Directory {
                    pending.push((path, entry.inode));
                }
            }
        }
        removed.append(&mut written);
        Ok(removed)
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
        Ok(Comparison { kept, different })
    }

    /// A new path with all below it, parents first.
    fn added(
        &mut self,
        mount: u32,
        path: Vec<u8>,
        inode: u64,
        steps: &mut Vec<Step>,
    ) -> Result<()> {
        let mut pending = vec![(path, inode)];
        while let Some((path, inode)) = pending.pop() {
            let node = NodeId { mount, inode };
            if self.inode(node)?.kind() == Kind::Directory {
                self.complete(node, 0)?;
                for entry in self.directory(node)?.names.iter() {
                    let (name, entry) = entry?;
                    pending.push((join(&path, name)?, entry.inode));
                }
            }
            steps.push(step(path, ChangeKind::Added, Some(inode)));
        }
        Ok(())
    }

    /// Reads what a step needs from the source, before the source changes, and refuses what must
    /// not be written.
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
        match &self.inode(node)?.body {
            Body::Symlink(target) if leads_out(&step.change.path, target) => Err(Error::PathEscape),
            _ => Ok(()),
        }
    }

    fn write_back(&self, mount: u32, step: &Step, host: &Dir) -> Result<()> {
        let path = match &step.change.path[..] {
            b"" => PathBuf::from("."),
            path => host_path(path)?,
        };
        let path = path.as_path();
        let Some(number) = step.inode else {
            let found = match host.symlink_metadata(path) {
                Ok(metadata) if metadata.is_dir() => host.remove_dir_all(path),
                Ok(_) => host.remove_file(path),
                Err(error) => Err(error),
            };
            return match found {
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
                done => done.map_err(|error| error_of(&error)),
            };
        };
        let inode = self.tree(mount)?.inode(number)?;
        let written = match &inode.body {
            Body::File(content) => write_file(host, path, content, inode.mode, inode.modified),
            Body::Remote { .. } => set_mode(host, path, inode.mode).and_then(|()| {
                set_modified(
                    &host.open_with(path, &reading())?.into_std(),
                    inode.modified,
                )
            }),
            Body::Directory(_) => match host.create_dir(path) {
                Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
                _ => set_mode(host, path, inode.mode),
            },
            Body::Symlink(target) => match link(host, &host_path(target)?, path) {
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
                done => done,
            },
            Body::Fifo | Body::Device(_) => Ok(()),
        };
        written.map_err(|error| error_of(&error))
    }

    /// Notes that the source has now what the overlay has.
    fn settle(&mut self, mount: u32) -> Result<()> {
        let tree = self.tree_mut(mount)?;
        let mut pending = vec![(Vec::new(), ROOT)];
        while let Some((path, number)) = pending.pop() {
            if tree.inode(number)?.dirty {
                tree.inode_mut(number)?.dirty = false;
            }
            let Ok(directory) = tree.directory(number) else {
                continue;
            };
            for entry in directory.names.iter() {
                let (name, entry) = entry?;
                pending.push((join(&path, name)?, entry.inode));
            }
            let listed = directory
                .origin
                .as_ref()
                .is_none_or(|origin| origin.base.is_some());
            if listed {
                tree.directory_mut(number)?.rebase(path.into());
            }
        }
        Ok(())
    }
}

/// The entries of a directory beside those of its source.
struct Comparison {
    /// What stands for the same in both.
    kept: Vec<(Name, Entry)>,
    /// Names with their entry in the source and now.
    different: Vec<(Name, Option<Entry>, Option<Entry>)>,
}

fn step(path: Vec<u8>, kind: ChangeKind, inode: Option<u64>) -> Step {
    Step {
        change: Change { path, kind },
        inode,
    }
}

/// A path that a host can have; what lies deeper would only take memory (T47).
fn join(path: &[u8], name: &[u8]) -> Result<Vec<u8>> {
    let joined = match path {
        [] => name.to_vec(),
        _ => [path, b"/", name].concat(),
    };
    if joined.len() >= LONGEST {
        return Err(Error::NameTooLong);
    }
    Ok(joined)
}

fn is_protected(path: &[u8]) -> bool {
    let path = [b"/", path, b"/"].concat().to_ascii_lowercase();
    PROTECTED.iter().any(|name| {
        let name = [b"/", name.as_bytes(), b"/"].concat();
        path.windows(name.len()).any(|part| part == name)
    })
}

/// Whether a symbolic link at `path` could lead to anything outside the directory.
fn leads_out(path: &[u8], target: &[u8]) -> bool {
    if target.first() == Some(&b'/') || cfg!(windows) && target.contains(&b':') {
        return true;
    }
    let mut depth = path.iter().filter(|&&byte| byte == b'/').count();
    for part in target.split(|&byte| byte == b'/') {
        match part {
            b"" | b"." => {}
            b".." if depth == 0 => return true,
            b".." => depth -= 1,
            _ => depth += 1,
        }
    }
    false
}

/// Writes beside the file and renames, so that the host never sees half of it.
fn write_file(
    host: &Dir,
    path: &std::path::Path,
    content: &Content,
    mode: u32,
    modified: Timestamp,
) -> std::io::Result<()> {
    let mut name = std::ffi::OsString::from(".offshoot-");
    name.push(path.file_name().unwrap_or_default());
    let beside = path.with_file_name(name);
    let mut options = cap_std::fs::OpenOptions::new();
    // What an interrupted attempt left is replaced, and a link in its place is not followed.
    let _ = host.remove_file(&beside);
    let mut file = host.open_with(&beside, options.write(true).create_new(true))?;
    let mut buffer = vec![0; 64 * 1024];
    let mut offset = 0;
    loop {
        let count = content.read(offset, &mut buffer)?;
        if count == 0 {
            break;
        }
        file.write_all(&buffer[..count])?;
        offset += count as u64;
    }
    set_modified(&file.into_std(), modified)?;
    set_mode(host, &beside, mode)?;
    host.rename(&beside, host, path)
}

/// Sets a file's time where the host can express it.
fn set_modified(file: &std::fs::File, time: Timestamp) -> std::io::Result<()> {
    let seconds = Duration::from_secs(time.seconds.unsigned_abs());
    let whole = match time.seconds {
        0.. => UNIX_EPOCH.checked_add(seconds),
        _ => UNIX_EPOCH.checked_sub(seconds),
    };
    let nanoseconds = Duration::from_nanos(time.nanoseconds.into());
    match whole.and_then(|whole| whole.checked_add(nanoseconds)) {
        Some(time) => file.set_modified(time),
        None => Ok(()),
    }
}

#[cfg(unix)]
fn link(host: &Dir, target: &std::path::Path, path: &std::path::Path) -> std::io::Result<()> {
    host.symlink_contents(target, path)
}

#[cfg(not(unix))]
fn link(host: &Dir, target: &std::path::Path, path: &std::path::Path) -> std::io::Result<()> {
    host.symlink_file(target, path)
}

#[cfg(unix)]
fn set_mode(host: &Dir, path: &std::path::Path, mode: u32) -> std::io::Result<()> {
    use cap_std::fs::PermissionsExt;
    host.set_permissions(path, cap_std::fs::Permissions::from_mode(mode & 0o777))
}

#[cfg(not(unix))]
fn set_mode(_host: &Dir, _path: &std::path::Path, _mode: u32) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t13_protected_paths() {
        for (path, expected) in [
            ("a/.git/hooks/pre-commit", true),
            (".git/hooks", true),
            (".GIT/Hooks/x", true),
            (".git/config", true),
            (".git/index", false),
            (".vscode/tasks.json", true),
            ("sub/.envrc", true),
            ("git/hooks", false),
            ("my.bashrc", false),
        ] {
            assert_eq!(is_protected(path.as_bytes()), expected, "{path}");
        }
    }

    #[test]
    fn t02_links_that_lead_out() {
        for (path, target, expected) in [
            ("l", "/etc/passwd", true),
            ("l", "..", true),
            ("a/l", "..", false),
            ("a/l", "../../x", true),
            ("a/l", "b/../../../x", true),
            ("a/b/l", "../../x", false),
            ("l", "a/b", false),
        ] {
            assert_eq!(
                leads_out(path.as_bytes(), target.as_bytes()),
                expected,
                "{path} -> {target}"
            );
        }
    }
}

//! What is not written: paths that make the host run something, links that lead out, and what the host has changed
//! itself.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::{Applied, ApplyError, Protected, Seen, State, Step, join, split};
use crate::tree::{Body, Inode, Origin, ROOT};
use crate::{ChangeKind, Error, HostDirectory, Kind, Result, Source, Timestamp};

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

/// Looks at what steps meet on the host.
pub(super) struct Check<'a> {
    host: &'a HostDirectory,
    protected: Protected,
    /// Paths that go with all that is below them.
    removed: HashSet<&'a [u8]>,
    /// Paths that come.
    added: HashSet<&'a [u8]>,
    /// Directories of the source as they were listed, by their paths in it.
    listed: HashMap<Box<[u8]>, Arc<Origin>>,
}

impl<'a> Check<'a> {
    pub(super) fn new(
        state: &State,
        mount: u32,
        host: &'a HostDirectory,
        steps: &'a [Step],
        protected: Protected,
    ) -> Result<Check<'a>> {
        let of = |kind: ChangeKind| {
            let steps = steps.iter().map(|step| &step.change);
            let steps = steps.filter(move |change| change.kind == kind);
            steps.map(|change| &change.path[..]).collect()
        };
        let goes = |step: &Step| {
            step.inode.is_none() && step.before.is_some_and(|seen| seen.kind == Kind::Directory)
        };
        let listed = match steps.iter().any(goes) {
            true => listed(state, mount)?,
            false => HashMap::new(),
        };
        Ok(Check {
            host,
            protected,
            removed: of(ChangeKind::Removed),
            added: of(ChangeKind::Added),
            listed,
        })
    }

    /// Refuses what must not be written.
    pub(super) fn step(&self, state: &State, mount: u32, step: &Step) -> Applied<()> {
        let path = &step.change.path[..];
        self.guard(path)?;
        let inode = match step.inode {
            Some(inode) => Some(state.tree(mount)?.inode(inode)?),
            None => None,
        };
        match (step.change.kind, inode) {
            (_, None) => self.removal(path, step.before),
            (
                _,
                Some(Inode {
                    body: Body::Symlink(target),
                    ..
                }),
            ) if leads_out(path, target) => Err(ApplyError::at(path, Error::PathEscape)),
            (ChangeKind::Added, Some(inode)) => self.addition(path, inode),
            (_, Some(_)) if path.is_empty() => Ok(()),
            (_, Some(_)) => self.change(path, step.before),
        }
    }

    /// Refuses what makes the host run something.
    fn guard(&self, path: &[u8]) -> Applied<()> {
        if self.protected == Protected::Refuse && is_protected(path) {
            return Err(ApplyError::at(path, Error::Protected));
        }
        Ok(())
    }

    fn change(&self, path: &[u8], before: Option<Seen>) -> Applied<()> {
        let found = self.look(path)?;
        let same = match (found, before) {
            (Some((Some(Kind::Directory), _)), Some(before)) => before.kind == Kind::Directory,
            (found, before) => found == before.map(|seen| (Some(seen.kind), seen.modified)),
        };
        self.directory_of(path)?;
        require(same, path)
    }

    fn addition(&self, path: &[u8], inode: &Inode) -> Applied<()> {
        let mut above = path;
        while !above.is_empty() {
            if self.removed.contains(above) {
                return Ok(());
            }
            above = split(above).0;
        }
        match (self.look(path)?, &inode.body) {
            // These are not written.
            (_, Body::Fifo | Body::Device(_)) => Ok(()),
            (None, _) => self.directory_of(path),
            (Some((Some(Kind::Directory), _)), Body::Directory(_)) => Ok(()),
            (Some((Some(Kind::Symlink), _)), Body::Symlink(target)) => {
                let there = self.host.read_link(path);
                let there = there.map_err(|error| ApplyError::at(path, error))?;
                require(there[..] == target[..], path)
            }
            _ => Err(ApplyError::at(path, Error::Conflict)),
        }
    }

    /// What a path is in must be a directory, or become one.
    fn directory_of(&self, path: &[u8]) -> Applied<()> {
        let above = split(path).0;
        if above.is_empty() || self.added.contains(above) {
            return Ok(());
        }
        let found = self.look(above)?;
        require(matches!(found, Some((Some(Kind::Directory), _))), path)
    }

    /// Nothing may go that the guest has not seen as it is.
    fn removal(&self, path: &[u8], before: Option<Seen>) -> Applied<()> {
        match (self.look(path)?, before) {
            (None, _) => Ok(()),
            (Some((Some(Kind::Directory), _)), Some(before)) if before.kind == Kind::Directory => {
                self.removal_below(path)
            }
            (found, _) => require(
                found == before.map(|seen| (Some(seen.kind), seen.modified)),
                path,
            ),
        }
    }

    fn removal_below(&self, path: &[u8]) -> Applied<()> {
        let mut pending = vec![path.to_vec()];
        while let Some(path) = pending.pop() {
            let names = self.host.read_dir(&path);
            let mut names = names.map_err(|error| ApplyError::at(&path, error))?;
            names.sort_unstable();
            let origin = self.listed.get(&path[..]);
            for name in names {
                let path = join(&path, &name)?;
                self.guard(&path)?;
                let Some((kind, modified)) = self.look(&path)? else {
                    continue;
                };
                let seen = match origin {
                    Some(origin) => seen(origin, &name)?,
                    None => None,
                };
                match seen {
                    Some(seen) if (Some(seen.kind), kind) == (kind, Some(Kind::Directory)) => {
                        pending.push(path);
                    }
                    seen => require(
                        seen.map(|seen| (Some(seen.kind), seen.modified)) == Some((kind, modified)),
                        &path,
                    )?,
                }
            }
        }
        Ok(())
    }

    fn look(&self, path: &[u8]) -> Applied<Option<(Option<Kind>, Timestamp)>> {
        self.host
            .look(path)
            .map_err(|error| ApplyError::at(path, error))
    }
}

fn require(same: bool, path: &[u8]) -> Applied<()> {
    match same {
        true => Ok(()),
        false => Err(ApplyError::at(path, Error::Conflict)),
    }
}

/// What a listed directory of the source had under a name.
fn seen(origin: &Origin, name: &[u8]) -> Result<Option<Seen>> {
    let Some(base) = &origin.base else {
        return Ok(None);
    };
    let seen = base.get(name)?.and_then(|entry| {
        let modified = origin.seen(entry.inode)?;
        Some(Seen {
            kind: entry.kind,
            modified,
        })
    });
    Ok(seen)
}

/// The directories of a source that were listed, those that are gone or elsewhere now included.
fn listed(state: &State, mount: u32) -> Result<HashMap<Box<[u8]>, Arc<Origin>>> {
    let tree = state.tree(mount)?;
    let origins = tree.gone().iter().map(Arc::clone);
    let mut listed: HashMap<_, _> = origins
        .map(|origin| (origin.path.clone(), origin))
        .collect();
    let mut pending = vec![ROOT];
    while let Some(inode) = pending.pop() {
        let directory = tree.directory(inode)?;
        for entry in directory.names.iter() {
            let (_, entry) = entry?;
            if entry.kind == Kind::Directory {
                pending.push(entry.inode);
            }
        }
        if let Some(origin) = directory
            .origin
            .as_ref()
            .filter(|origin| origin.base.is_some())
        {
            listed.insert(origin.path.clone(), Arc::clone(origin));
        }
    }
    Ok(listed)
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

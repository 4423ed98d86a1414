//! Taking the work tree and the index from one tree to another, unless something would be lost.

use std::collections::BTreeSet;

use super::index::Index;
use super::repository::Repository;
use super::stop::{Outcome, Stop};
use super::tree::{COMMIT, Items};
use super::worktree::State;
use crate::call::bytes;
use crate::system;
use crate::system::Kind;

/// Why files of the work tree are replaced, as messages name it.
pub struct Reason {
    pub command: &'static str,
    pub advice: &'static str,
}

/// Another commit is checked out.
pub const CHECKOUT: Reason = Reason {
    command: "checkout",
    advice: "switch branches",
};

/// Another commit is merged.
pub const MERGE: Reason = Reason {
    command: "merge",
    advice: "merge",
};

/// Whether a path of a tree stays within the work tree and out of `.git`.
fn is_safe(path: &[u8]) -> bool {
    let bad = |part: &[u8]| {
        matches!(part, b"" | b"." | b"..")
            || part.eq_ignore_ascii_case(b".git")
            || part.contains(&0)
    };
    !path.split(|&byte| byte == b'/').any(bad)
}

impl Repository {
    /// Brings index and work tree from the files `old` to `new`. Files with changes of their own stop
    /// it, unless they are the same in both; with `force` they are lost.
    pub fn move_tree(
        &self,
        index: &mut Index,
        old: &Items,
        new: &Items,
        force: bool,
        reason: &Reason,
    ) -> Outcome {
        if let Some(path) = new.keys().find(|path| !is_safe(path)) {
            return Err(Stop {
                status: 128,
                message: bytes!("error: invalid path '", path, "'"),
            });
        }
        let paths: BTreeSet<&Vec<u8>> = old.keys().chain(new.keys()).collect();
        let (mut local, mut untracked) = (Vec::new(), Vec::new());
        let mut work: Vec<(&Vec<u8>, bool)> = Vec::new();
        for path in paths {
            let (before, after) = (old.get(path), new.get(path));
            if before == after && !force {
                continue;
            }
            let entry = index.get(path);
            let current = entry.map(|entry| entry.item);
            if force {
                work.push((path, true));
                continue;
            }
            if index.stage(path, 2).is_some() || index.stage(path, 3).is_some() {
                local.push(path.clone());
                continue;
            }
            if current.as_ref() == after {
                continue;
            }
            if current.as_ref() != before {
                local.push(path.clone());
                continue;
            }
            match entry {
                // What is changed in a submodule stays there.
                Some(entry) if entry.item.mode == COMMIT => work.push((path, true)),
                Some(entry) => match self.compare(index, path, entry)? {
                    State::Changed(item) if Some(&item) != after => local.push(path.clone()),
                    _ => work.push((path, true)),
                },
                None => {
                    if let Some(lost) = self.in_the_way(index, path, after)? {
                        untracked.push(lost);
                    }
                    work.push((path, true));
                }
            }
        }
        if !local.is_empty() || !untracked.is_empty() {
            return Err(overwritten(&local, &untracked, reason));
        }
        // First what goes, so that folders can become files.
        for (path, _) in work.iter().filter(|(path, _)| !new.contains_key(*path)) {
            if index.has(path) || old.contains_key(*path) {
                self.take_away(path)?;
            }
            index.remove(path);
        }
        for (path, _) in work {
            if let Some(item) = new.get(path) {
                let kept = index.get(path).filter(|entry| entry.item == *item).cloned();
                let same = match &kept {
                    Some(entry) => self.compare(index, path, entry)? == State::Same,
                    None => false,
                };
                let entry = match kept {
                    Some(entry) if same => entry,
                    _ => self.check_out(path, item)?,
                };
                index.set(path, entry);
            }
        }
        Ok(())
    }

    /// A file outside of the index that would be lost.
    fn in_the_way(
        &self,
        index: &Index,
        path: &[u8],
        after: Option<&super::tree::Item>,
    ) -> Outcome<Option<Vec<u8>>> {
        let Some(after) = after else { return Ok(None) };
        let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        for (end, _) in ends {
            let folder = &path[..end];
            let stat = system::stat(&self.file(folder)?, false);
            if stat.is_ok_and(|stat| stat.kind != Kind::Directory) && !index.has(folder) {
                return Ok(Some(folder.to_vec()));
            }
        }
        let Ok(stat) = system::stat(&self.file(path)?, false) else {
            return Ok(None);
        };
        if stat.kind == Kind::Directory {
            return Ok(
                (!index.has_below(path) && !self.is_empty_folder(path)?).then(|| path.to_vec())
            );
        }
        let same = self
            .item(path, false)?
            .is_some_and(|(item, _)| item == *after);
        Ok((!same).then(|| path.to_vec()))
    }

    fn is_empty_folder(&self, path: &[u8]) -> Outcome<bool> {
        Ok(system::read_directory(&self.file(path)?).is_ok_and(|entries| entries.is_empty()))
    }
}

/// What is said where files would be lost.
pub fn overwritten(local: &[Vec<u8>], untracked: &[Vec<u8>], reason: &Reason) -> Stop {
    let mut message = Vec::new();
    let list = |paths: &[Vec<u8>]| {
        paths
            .iter()
            .map(|path| bytes!("\t", path, "\n"))
            .collect::<Vec<_>>()
            .concat()
    };
    if !local.is_empty() {
        message.extend(bytes!(
            "error: Your local changes to the following files would be overwritten by ",
            reason.command,
            ":\n",
            list(local),
            "Please commit your changes or stash them before you ",
            reason.advice,
            ".\n"
        ));
    }
    if !untracked.is_empty() {
        message.extend(bytes!(
            "error: The following untracked working tree files would be overwritten by ",
            reason.command,
            ":\n",
            list(untracked),
            "Please move or remove them before you ",
            reason.advice,
            ".\n"
        ));
    }
    message.extend_from_slice(b"Aborting");
    Stop { status: 1, message }
}

//! `git restore`, and paths given to `checkout`.

use super::branch::no_match;
use super::flags::Flags;
use super::index::Entry;
use super::interactive::{self, Source};
use super::pathspec::Pathspec;
use super::repository::Repository;
use super::revision;
use super::stop::{Outcome, fatal};
use super::tree::Items;
use super::worktree::State;
use crate::call::bytes;
use crate::options::{Opt, Value};

/// Which files are brought back, where from, and where to.
pub struct Restore {
    /// None is the index.
    pub source: Option<Items>,
    pub staged: bool,
    pub worktree: bool,
    /// Files that the source lacks stay.
    pub overlay: bool,
    /// The side of a conflict.
    pub side: Option<u8>,
}

impl Restore {
    pub fn run(&self, repository: &mut Repository, paths: &Pathspec) -> Outcome<usize> {
        let mut index = repository.index()?;
        let mut known = index.paths();
        if let Some(source) = &self.source {
            if self.overlay {
                known = source.keys().cloned().collect();
            } else {
                known.extend(source.keys().cloned());
            }
        }
        known.sort();
        known.dedup();
        if let Some(lost) = paths.unmatched(&known).first() {
            return Err(no_match(lost));
        }
        let mut count = 0;
        let mut conflicts = Vec::new();
        for path in known.iter().filter(|path| paths.matches(path)) {
            let conflict = index.stage(path, 1).is_some()
                || index.stage(path, 2).is_some()
                || index.stage(path, 3).is_some();
            let item = match (&self.source, self.side) {
                (Some(source), _) => source.get(path).copied(),
                (None, Some(side)) if conflict => match index.stage(path, side) {
                    Some(entry) => Some(entry.item),
                    None => {
                        let name = if side == 2 { "our" } else { "their" };
                        return Err(super::stop::error(bytes!(
                            "path '",
                            path,
                            "' does not have ",
                            name,
                            " version"
                        )));
                    }
                },
                (None, _) if conflict => {
                    conflicts.push(path.clone());
                    continue;
                }
                (None, _) => index.get(path).map(|entry| entry.item),
            };
            let Some(item) = item else {
                if !self.overlay {
                    if self.worktree {
                        repository.take_away(path)?;
                    }
                    if self.staged {
                        index.remove(path);
                    }
                    count += 1;
                }
                continue;
            };
            let mut entry = index.get(path).filter(|entry| entry.item == item).cloned();
            if self.worktree {
                let same = match &entry {
                    Some(entry) => repository.compare(&index, path, entry)? == State::Same,
                    None => false,
                };
                if !same {
                    entry = Some(repository.check_out(path, &item)?);
                    count += 1;
                }
            } else {
                count += 1;
            }
            let updates =
                self.staged || (self.worktree && self.side.is_none() && self.source.is_none());
            if updates {
                index.set(path, entry.unwrap_or_else(|| Entry::new(item)));
            }
        }
        if let Some(path) = conflicts.first() {
            return Err(super::stop::error(bytes!("path '", path, "' is unmerged")));
        }
        repository.save(&index)?;
        Ok(count)
    }
}

const RESTORE_OPTIONS: &[Opt] = &[
    Opt("s", "source", Value::Required),
    Opt("S", "staged", Value::No),
    Opt("W", "worktree", Value::No),
    Opt("q", "quiet", Value::No),
    Opt("p", "patch", Value::No),
    Opt("", "ours", Value::No),
    Opt("", "theirs", Value::No),
    Opt("", "overlay", Value::No),
    Opt("", "progress", Value::No),
    Opt("", "ignore-unmerged", Value::No),
];

/// `git restore`
pub fn restore(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, RESTORE_OPTIONS)?;
    let paths = flags.all_paths();
    if paths.is_empty() && !flags.has("p") {
        return Err(fatal("you must specify path(s) to restore"));
    }
    let spec = Pathspec::new(repository, &paths)?;
    let staged = flags.has("S");
    let source = match flags.value("s") {
        Some(name) => {
            let id = revision::find(repository, name)?;
            let id = id.ok_or_else(|| fatal(bytes!("could not resolve ", name)))?;
            Some(repository.items(&id)?)
        }
        None if staged => Some(repository.head_items()?),
        None => None,
    };
    if flags.has("p") {
        let is_head = flags.value("s").is_none_or(|name| name == b"HEAD");
        let source = source.as_ref().map(|items| Source { items, is_head });
        return match source {
            Some(source) if staged && !flags.has("W") => {
                interactive::unstage(repository, &source, &spec)
            }
            source => interactive::discard(repository, source.as_ref(), staged, &spec),
        };
    }
    let restore = Restore {
        source,
        staged,
        worktree: flags.has("W") || !staged,
        overlay: flags.has("overlay"),
        side: match (flags.has("ours"), flags.has("theirs")) {
            (true, _) => Some(2),
            (_, true) => Some(3),
            _ => None,
        },
    };
    restore.run(repository, &spec)?;
    Ok(0)
}

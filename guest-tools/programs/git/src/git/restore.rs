//! `git restore`, and paths given to `checkout`.

use std::rc::Rc;

use gix_object::Kind;

use super::flags::Flags;
use super::index::{Entry, Index};
use super::interactive::{self, Source};
use super::pathspec::Pathspec;
use super::ref_rows::no_match;
use super::repository::Repository;
use super::revision;
use super::stop::{Outcome, fatal};
use super::three_way::{self, Favor, Labels};
use super::tree::{Item, Items};
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
    pub conflicted: Conflicted,
}

/// What becomes of files that are in conflict, where they come from the index.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Conflicted {
    /// They are an error.
    Refused,
    /// They get what this side of the conflict has.
    Side(u8),
    /// They get both sides with marks again.
    Marked,
}

impl Conflicted {
    /// What `--ours`, `--theirs` and `--merge` say.
    pub fn of(flags: &Flags) -> Conflicted {
        match (flags.has("ours"), flags.has("theirs"), flags.has("m")) {
            (true, ..) => Conflicted::Side(2),
            (_, true, _) => Conflicted::Side(3),
            (.., true) => Conflicted::Marked,
            _ => Conflicted::Refused,
        }
    }
}

/// How many files were brought back.
#[derive(Default)]
pub struct Count {
    pub updated: usize,
    /// Those that have the marks of their conflict again.
    pub recreated: usize,
}

impl Restore {
    pub fn run(&self, repository: &mut Repository, paths: &Pathspec) -> Outcome<Count> {
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
        let mut count = Count::default();
        let mut conflicts = Vec::new();
        for path in known.iter().filter(|path| paths.matches(path)) {
            let conflict = index.stage(path, 1).is_some()
                || index.stage(path, 2).is_some()
                || index.stage(path, 3).is_some();
            let item = match (&self.source, self.conflicted) {
                (Some(source), _) => source.get(path).copied(),
                (None, Conflicted::Marked) if conflict => {
                    let item = marked(repository, &index, path)?;
                    repository.check_out(path, &item)?;
                    count.recreated += 1;
                    continue;
                }
                (None, Conflicted::Side(side)) if conflict => match index.stage(path, side) {
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
                    count.updated += 1;
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
                    count.updated += 1;
                }
            } else {
                count.updated += 1;
            }
            let is_side = matches!(self.conflicted, Conflicted::Side(_));
            let updates = self.staged || (self.worktree && !is_side && self.source.is_none());
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

/// Both sides of a conflict with marks around what differs.
fn marked(repository: &Repository, index: &Index, path: &[u8]) -> Outcome<Item> {
    let (Some(ours), Some(theirs)) = (index.stage(path, 2), index.stage(path, 3)) else {
        return Err(super::stop::error(bytes!(
            "path '",
            path,
            "' does not have all necessary versions"
        )));
    };
    let base = match index.stage(path, 1) {
        Some(entry) => repository.objects.blob(&entry.item.id)?,
        None => Rc::from(&b""[..]),
    };
    let shows_base = repository.config.text("merge.conflictstyle").as_deref() == Some("diff3");
    let labels = Labels {
        ours: b"ours",
        theirs: b"theirs",
        base: shows_base.then_some(&b"base"[..]),
        favor: Favor::None,
    };
    let (content, _) = three_way::merge(
        &base,
        &repository.objects.blob(&ours.item.id)?,
        &repository.objects.blob(&theirs.item.id)?,
        &labels,
    );
    let id = repository.objects.write(Kind::Blob, &content)?;
    Ok(Item { id, ..ours.item })
}

const RESTORE_OPTIONS: &[Opt] = &[
    Opt("s", "source", Value::Required),
    Opt("S", "staged", Value::No),
    Opt("W", "worktree", Value::No),
    Opt("q", "quiet", Value::No),
    Opt("p", "patch", Value::No),
    Opt("", "ours", Value::No),
    Opt("", "theirs", Value::No),
    Opt("m", "merge", Value::No),
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
        conflicted: Conflicted::of(&flags),
    };
    restore.run(repository, &spec)?;
    Ok(0)
}

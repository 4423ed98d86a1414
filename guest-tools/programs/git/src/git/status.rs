//! `git status`.

mod head;
mod long;
mod short;
mod under_way;

use std::collections::BTreeMap;

use super::change::Change;
use super::diff::{staged, unstaged};
use super::flags::Flags;
use super::ignore::Ignored;
use super::pathspec::Pathspec;
use super::repository::Repository;
use super::stop::{Outcome, fatal, usage};
use super::tree::COMMIT;
use super::worktree::Ask;
use super::{diff, summary};
use crate::call::bytes;
use crate::options::{Opt, Value};
use short::version_two;

pub use head::{detached_name, tracking};
pub use long::{long, report, without_hints};
pub use short::short;
pub use under_way::off_branch;

const OPTIONS: &[Opt] = &[
    Opt("s", "short", Value::No),
    Opt("b", "branch", Value::No),
    Opt("", "show-stash", Value::No),
    Opt("", "porcelain", Value::Optional),
    Opt("", "long", Value::No),
    Opt("v", "verbose", Value::No),
    Opt("u", "untracked-files", Value::Optional),
    Opt("", "ignored", Value::Optional),
    Opt("", "ignore-submodules", Value::Optional),
    Opt("z", "", Value::No),
    Opt("", "column", Value::Optional),
    Opt("", "ahead-behind", Value::No),
    Opt("", "renames", Value::No),
    Opt("", "find-renames", Value::Optional),
];

/// What a status consists of.
pub struct Status {
    pub staged: Vec<Change>,
    pub unstaged: Vec<Change>,
    pub conflicts: BTreeMap<Vec<u8>, u8>,
    pub untracked: Vec<Vec<u8>>,
    pub ignored: Vec<Vec<u8>>,
    /// The submodules among what is not staged.
    pub submodules: BTreeMap<Vec<u8>, Inside>,
}

/// How a submodule differs.
#[derive(Clone, Copy, Debug)]
pub struct Inside {
    /// Another commit is checked out.
    commits: bool,
    modified: bool,
    untracked: bool,
}

impl Inside {
    /// What is said behind the path.
    fn text(self) -> String {
        let parts = [
            (self.commits, "new commits"),
            (self.modified, "modified content"),
            (self.untracked, "untracked content"),
        ];
        let parts: Vec<&str> = parts
            .iter()
            .filter(|(is, _)| *is)
            .map(|(_, part)| *part)
            .collect();
        format!(" ({})", parts.join(", "))
    }

    /// The letter of the short format.
    fn letter(self) -> char {
        match self {
            Inside { commits: true, .. } => 'M',
            Inside { modified: true, .. } => 'm',
            _ => '?',
        }
    }
}

/// The submodules that differ. One with nothing but untracked files is added to `unstaged`.
fn submodules(
    repository: &Repository,
    index: &super::index::Index,
    paths: &Pathspec,
    unstaged: &mut Vec<Change>,
) -> Outcome<BTreeMap<Vec<u8>, Inside>> {
    let mut found = BTreeMap::new();
    for (path, stage, entry) in index.all() {
        if stage > 0 || entry.item.mode != COMMIT || !paths.matches(path) {
            continue;
        }
        let Some(work) = repository.submodule_work(path)? else {
            continue;
        };
        let inside = Inside {
            commits: work.head != entry.item.id,
            modified: work.modified,
            untracked: work.untracked,
        };
        if !(inside.commits || inside.modified || inside.untracked) {
            continue;
        }
        if !inside.commits && !inside.modified {
            let side = super::change::side(path, &entry.item);
            unstaged.push(Change {
                old: Some(side.clone()),
                new: Some(side),
                score: None,
                copied: false,
                unmerged: false,
            });
        }
        found.insert(path.to_vec(), inside);
    }
    unstaged.sort_by(|a, b| a.path().cmp(b.path()));
    Ok(found)
}

/// Which untracked files are listed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Untracked {
    No,
    Folders,
    All,
}

impl Status {
    /// Compares the last commit, the index and the work tree.
    pub fn new(
        repository: &Repository,
        paths: &Pathspec,
        untracked: Untracked,
        ignored: bool,
        renames: bool,
    ) -> Outcome<Status> {
        let index = repository.index()?;
        let renamed = |changes: Vec<Change>| {
            if renames {
                super::change::find_renames(&repository.objects, changes, 50, false)
            } else {
                Ok(changes)
            }
        };
        let mut staged = renamed(staged(&repository.head_items()?, &index, paths))?;
        let mut unstaged = renamed(unstaged(repository, &index, paths)?)?;
        staged.retain(|change| !change.unmerged);
        unstaged.retain(|change| !change.unmerged);
        let submodules = submodules(repository, &index, paths, &mut unstaged)?;
        let mut conflicts = index.conflicts();
        conflicts.retain(|path, _| paths.matches(path));
        let ignore = Ignored::new(repository)?;
        let ask = |only_ignored| Ask {
            paths,
            fold: untracked != Untracked::All,
            only_ignored,
            all: false,
        };
        let list = |wanted: bool, only_ignored: bool| {
            if wanted {
                repository.untracked(&index, &ignore, &ask(only_ignored))
            } else {
                Ok(Vec::new())
            }
        };
        Ok(Status {
            submodules,
            staged,
            unstaged,
            conflicts,
            untracked: list(untracked != Untracked::No, false)?,
            ignored: list(ignored, true)?,
        })
    }

    /// Whether nothing is changed, staged, unmerged or untracked.
    pub fn is_clean(&self) -> bool {
        self.staged.is_empty()
            && self.unstaged.is_empty()
            && self.conflicts.is_empty()
            && self.untracked.is_empty()
    }

    /// Whether there is something for a commit.
    pub fn has_staged(&self) -> bool {
        !self.staged.is_empty()
    }
}

/// `git status`
pub fn status(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, OPTIONS)?;
    repository.root()?;
    let paths = Pathspec::new(repository, &flags.all_paths())?;
    let wish = flags.value("u").map(<[u8]>::to_vec);
    let wish = wish.or_else(|| {
        repository
            .config
            .get("status.showuntrackedfiles")
            .map(<[u8]>::to_vec)
    });
    let untracked = match wish.as_deref() {
        None | Some(b"normal" | b"true") => Untracked::Folders,
        Some(b"" | b"all") => Untracked::All,
        Some(b"no" | b"false") => Untracked::No,
        Some(other) => {
            return Err(fatal(bytes!("Invalid untracked files mode '", other, "'")));
        }
    };
    let ignored = match flags.value("ignored") {
        None | Some(b"no") => false,
        Some(b"" | b"traditional") => true,
        Some(mode) => {
            return Err(usage(bytes!(
                "option `--ignored=",
                mode,
                "' is not supported"
            )));
        }
    };
    let renames = !flags.denied("renames") && repository.config.truth("status.renames", true);
    let status = Status::new(repository, &paths, untracked, ignored, renames)?;
    let nul = flags.has("z");
    let text = match flags.last(&["porcelain", "s", "long"]) {
        Some("porcelain") => match flags.value("porcelain") {
            Some(b"" | b"v1" | b"1") => short(repository, &status, flags.has("b"), nul, false)?,
            Some(b"v2" | b"2") => version_two(repository, &status, flags.has("b"), nul)?,
            Some(other) => {
                return Err(fatal(bytes!("unsupported porcelain version '", other, "'")));
            }
            None => Vec::new(),
        },
        Some("s") => short(repository, &status, flags.has("b"), nul, true)?,
        None if nul => short(repository, &status, flags.has("b"), nul, false)?,
        None if repository.config.truth("status.short", false) => {
            short(repository, &status, flags.has("b"), nul, true)?
        }
        _ => {
            let mut text = long(repository, &status, untracked, false)?;
            if flags.has("v") {
                for change in &status.staged {
                    let style = super::patch::Style::default();
                    super::patch::print(&mut text, &repository.objects, change, &style)?;
                }
            }
            if flags.has("show-stash") {
                let count = repository.refs.history(b"refs/stash").len();
                if count > 0 {
                    let entries = if count == 1 { "entry" } else { "entries" };
                    text.extend(
                        format!("Your stash currently has {count} {entries}\n").into_bytes(),
                    );
                }
            }
            text
        }
    };
    repository.out.put(&text);
    Ok(0)
}

fn conflict_letters(sides: u8) -> &'static str {
    match sides {
        1 => "DD",
        2 => "AU",
        3 => "UD",
        4 => "UA",
        5 => "DU",
        6 => "AA",
        _ => "UU",
    }
}

/// `--stat` and `--summary` between two commits, as a merge shows them.
pub fn changes_between(
    repository: &Repository,
    old: &super::objects::Id,
    new: &super::objects::Id,
) -> Outcome<Vec<u8>> {
    let (old, new) = (
        repository.objects.tree_of(old)?,
        repository.objects.tree_of(new)?,
    );
    let (gone, come) = super::tree::differences(&repository.objects, &old, &new)?;
    let changes = super::change::between(&gone, &come);
    let changes = super::change::find_renames(&repository.objects, changes, 50, false)?;
    let counted = summary::count(&repository.objects, &changes, &Default::default())?;
    let mut out = summary::graph(&counted, diff::columns(), false);
    out.extend(summary::news(&changes));
    Ok(out)
}

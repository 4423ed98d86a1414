//! `git ls-files` and `ls-tree`.

use super::cat_file::{kind_of, tree_line};
use super::flags::Flags;
use super::ignore::{Ignored, with_patterns};
use super::pathspec::Pathspec;
use super::quoting::quoted;
use super::repository::Repository;
use super::stop::{Outcome, Stop, fatal, usage};
use super::tree::{FOLDER, Item};
use super::worktree::{Ask, State};
use super::{revision, tree};
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::system;

const LS_FILES: &[Opt] = &[
    Opt("c", "cached", Value::No),
    Opt("d", "deleted", Value::No),
    Opt("m", "modified", Value::No),
    Opt("o", "others", Value::No),
    Opt("i", "ignored", Value::No),
    Opt("s", "stage", Value::No),
    Opt("u", "unmerged", Value::No),
    Opt("z", "", Value::No),
    Opt("t", "", Value::No),
    Opt("x", "exclude", Value::Required),
    Opt("", "exclude-standard", Value::No),
    Opt("", "directory", Value::No),
    Opt("", "error-unmatch", Value::No),
    Opt("", "full-name", Value::No),
    Opt("", "deduplicate", Value::No),
];

/// `git ls-files`
pub fn ls_files(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, LS_FILES)?;
    if flags.has("t") {
        return Err(usage("switch `t' is not supported"));
    }
    let mut given = flags.all_paths();
    if given.is_empty() && !repository.prefix.is_empty() {
        given.push(b".".to_vec());
    }
    let paths = Pathspec::new(repository, &given)?;
    let index = repository.index()?;
    let end = if flags.has("z") { "\0" } else { "\n" };
    let show = |path: &[u8]| {
        let path = if flags.has("full-name") {
            path.to_vec()
        } else {
            repository.path_from_here(path)
        };
        if flags.has("z") { path } else { quoted(&path) }
    };
    let mut out = Vec::new();
    if flags.has("o") {
        let mut ignored = if flags.has("exclude-standard") {
            Ignored::new(repository)?
        } else {
            Ignored::none(repository)?
        };
        ignored = with_patterns(ignored, flags.values("x"));
        let ask = Ask {
            paths: &paths,
            fold: flags.has("directory"),
            only_ignored: flags.has("i"),
            all: false,
        };
        for path in repository.untracked(&index, &ignored, &ask)? {
            out.extend(bytes!(show(&path), end));
        }
    }
    let plain = !["o", "d", "m"].iter().any(|key| flags.has(key));
    if flags.has("c") || flags.has("s") || flags.has("u") || plain {
        let ignored = with_patterns(Ignored::none(repository)?, flags.values("x"));
        let standard = if flags.has("exclude-standard") {
            Some(Ignored::new(repository)?)
        } else {
            None
        };
        for (path, stage, entry) in index.all() {
            let chosen = paths.matches(path) && (!flags.has("u") || stage > 0);
            let hidden = flags.has("i")
                && !ignored.is_ignored(path, false)
                && !standard
                    .as_ref()
                    .is_some_and(|ignored| ignored.is_ignored(path, false));
            if !chosen || hidden {
                continue;
            }
            if flags.has("s") || flags.has("u") {
                let line = format!("{:06o} {} {stage}\t", entry.item.mode, entry.item.id);
                out.extend_from_slice(line.as_bytes());
            }
            out.extend(bytes!(show(path), end));
        }
    }
    if flags.has("d") || flags.has("m") {
        for (path, state) in repository.changed(&index, &paths)? {
            if flags.has("m") || (flags.has("d") && state == State::Gone) {
                out.extend(bytes!(show(&path), end));
            }
        }
    }
    if flags.has("error-unmatch")
        && let Some(lost) = paths.unmatched(&index.paths()).first()
    {
        return Err(Stop {
            status: 1,
            message: bytes!(
                "error: pathspec '",
                lost,
                "' did not match any file(s) known to git\nDid you forget to 'git add'?"
            ),
        });
    }
    repository.out.put(&out);
    Ok(0)
}

const LS_TREE: &[Opt] = &[
    Opt("d", "", Value::No),
    Opt("r", "", Value::No),
    Opt("t", "", Value::No),
    Opt("l", "long", Value::No),
    Opt("z", "", Value::No),
    Opt("", "name-only", Value::No),
    Opt("", "name-status", Value::No),
    Opt("", "object-only", Value::No),
    Opt("", "full-name", Value::No),
    Opt("", "full-tree", Value::No),
    Opt("", "abbrev", Value::Optional),
];

/// `git ls-tree`
pub fn ls_tree(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, LS_TREE)?;
    let mut operands = flags.all_paths();
    if operands.is_empty() {
        return Err(usage(
            "usage: git ls-tree [<options>] <tree-ish> [<path>...]",
        ));
    }
    let name = operands.remove(0);
    let Some(id) = revision::find(repository, &name)? else {
        return Err(fatal(bytes!("Not a valid object name ", name)));
    };
    let root = repository.objects.tree_of(&id)?;
    let listing = TreeListing {
        wanted: wanted(repository, &flags, &operands)?,
        repository,
        flags: &flags,
    };
    let mut out = Vec::new();
    let mut open = vec![(Vec::new(), root)];
    while let Some((folder, id)) = open.pop() {
        let mut below = Vec::new();
        for (name, item) in tree::entries(&repository.objects, &id)? {
            let path = system::join(&folder, &name);
            let place = listing.place(&folder, &path, item.mode == FOLDER);
            if place.entered {
                below.push((path.clone(), item.id));
            }
            if place.shown {
                listing.show(path, &item, &mut out)?;
            }
        }
        below.reverse();
        // A folder's own files follow its line.
        open.extend(below);
    }
    if flags.has("r") {
        let end = if flags.has("z") { 0 } else { b'\n' };
        out = sorted(&out, end);
    }
    repository.out.put(&out);
    Ok(0)
}

/// A path that was named for `git ls-tree`.
struct Wanted {
    path: Vec<u8>,
    /// Whether what is in the folder is meant, not the folder itself.
    inside: bool,
}

/// What the command line names, or else the folder where the command runs.
fn wanted(repository: &Repository, flags: &Flags, operands: &[Vec<u8>]) -> Outcome<Vec<Wanted>> {
    let mut wanted = Vec::new();
    for path in operands {
        wanted.push(Wanted {
            inside: path.ends_with(b"/"),
            path: repository.path_from_top(path)?,
        });
    }
    if wanted.is_empty() && !repository.prefix.is_empty() && !flags.has("full-tree") {
        let prefix = repository.prefix.strip_suffix(b"/").unwrap_or_default();
        wanted.push(Wanted {
            inside: true,
            path: prefix.to_vec(),
        });
    }
    Ok(wanted)
}

/// What becomes of an entry of a tree.
struct Place {
    shown: bool,
    /// Whether what is below is looked at.
    entered: bool,
}

/// Which entries of a tree are listed, and how.
struct TreeListing<'a> {
    repository: &'a Repository,
    flags: &'a Flags,
    /// Everything where nothing was named.
    wanted: Vec<Wanted>,
}

impl TreeListing<'_> {
    fn place(&self, folder: &[u8], path: &[u8], is_folder: bool) -> Place {
        let (flags, wanted) = (self.flags, &self.wanted);
        let on_way = |goal: &[u8]| goal.starts_with(&bytes!(path, "/"));
        let within = |goal: &[u8]| path == goal || path.starts_with(&bytes!(goal, "/"));
        let direct = wanted.is_empty() && folder.is_empty()
            || wanted.iter().any(|goal| {
                let named = if goal.inside { folder } else { path };
                named == goal.path
            });
        let deep =
            flags.has("r") && (wanted.is_empty() || wanted.iter().any(|goal| within(&goal.path)));
        let passes = |goal: &Wanted| on_way(&goal.path) || (goal.inside && path == goal.path);
        let entered = is_folder && (deep || wanted.iter().any(passes));
        let kind_shown = if is_folder {
            !flags.has("r") || flags.has("t") || flags.has("d")
        } else {
            !flags.has("d")
        };
        let only_passed = entered && !deep && !flags.has("t") && !direct;
        Place {
            shown: (direct || deep) && kind_shown && !only_passed,
            entered,
        }
    }

    /// Adds the line of an entry.
    fn show(&self, path: Vec<u8>, item: &Item, out: &mut Vec<u8>) -> Outcome {
        let flags = self.flags;
        let end = if flags.has("z") { "\0" } else { "\n" };
        let text = if flags.has("full-name") || flags.has("full-tree") {
            path
        } else {
            self.repository.path_from_here(&path)
        };
        let text = if flags.has("z") { text } else { quoted(&text) };
        if flags.has("object-only") {
            out.extend(bytes!(item.id.to_string(), end));
        } else if flags.has("name-only") || flags.has("name-status") {
            out.extend(bytes!(text, end));
        } else if flags.has("l") {
            let size = if item.mode == FOLDER || item.mode == tree::COMMIT {
                "-".to_owned()
            } else {
                self.repository.objects.blob(&item.id)?.len().to_string()
            };
            let kind = kind_of(item.mode);
            let line = format!("{:06o} {kind} {} {size:>7}\t", item.mode, item.id);
            out.extend(bytes!(line, text, end));
        } else {
            out.extend(bytes!(tree_line(item), text, end));
        }
        Ok(())
    }
}

/// Lines in the order of their paths.
fn sorted(text: &[u8], end: u8) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == end).collect();
    let key = |line: &&[u8]| {
        let at = line
            .iter()
            .position(|&byte| byte == b'\t')
            .map_or(0, |at| at + 1);
        line[at..line.len() - 1].to_vec()
    };
    lines.sort_by_key(key);
    lines.concat()
}

//! `git reset`.

use super::branch::identity;
use super::flags::Flags;
use super::index::Index;
use super::interactive::{self, Source};
use super::move_tree::{CHECKOUT, Reason};
use super::objects::write_file;
use super::pathspec::Pathspec;
use super::repository::Repository;
use super::restore::{Conflicted, Restore};
use super::revision;
use super::stop::{Outcome, fatal, usage};
use super::tree::Items;
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::system;

const RESET_OPTIONS: &[Opt] = &[
    Opt("q", "quiet", Value::No),
    Opt("", "soft", Value::No),
    Opt("", "mixed", Value::No),
    Opt("", "hard", Value::No),
    Opt("", "merge", Value::No),
    Opt("", "keep", Value::No),
    Opt("N", "intent-to-add", Value::No),
    Opt("p", "patch", Value::No),
    Opt("", "refresh", Value::No),
];

/// `git reset`
pub fn reset(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, RESET_OPTIONS)?;
    if flags.has("N") {
        return Err(usage("option `--intent-to-add' is not supported"));
    }
    let mode = flags.last(&["soft", "mixed", "hard", "merge", "keep"]);
    let mut operands = flags.operands.clone();
    let mut name = b"HEAD".to_vec();
    if let Some(first) = operands.first() {
        let is_revision = revision::find(repository, first).is_ok_and(|found| found.is_some());
        if is_revision {
            name = operands.remove(0);
        } else if flags.paths.is_some() {
            return Err(fatal(bytes!(
                "Failed to resolve '",
                first,
                "' as a valid revision."
            )));
        } else if mode.is_some() || !is_known_path(repository, first)? {
            return Err(revision::unknown(first));
        }
    }
    operands.extend(flags.paths.iter().flatten().cloned());
    let unborn = repository.head().is_none() && name == b"HEAD";
    if flags.has("p") {
        if mode.is_some() {
            return Err(fatal(
                "options '--patch' and '--{hard,mixed,soft}' cannot be used together",
            ));
        }
        let items = match unborn {
            true => Items::new(),
            false => repository.items(&revision::resolve(repository, &name)?)?,
        };
        let source = Source {
            items: &items,
            is_head: name == b"HEAD",
        };
        let spec = Pathspec::new(repository, &operands)?;
        return interactive::unstage(repository, &source, &spec);
    }
    if !operands.is_empty() {
        if let Some(mode @ ("soft" | "hard" | "merge" | "keep")) = mode {
            return Err(fatal(format!("Cannot do {mode} reset with paths.")));
        }
        let items = if unborn {
            Items::new()
        } else {
            repository.items(&revision::resolve(repository, &name)?)?
        };
        let spec = Pathspec::new(repository, &operands)?;
        let restore = Restore {
            source: Some(items),
            staged: true,
            worktree: false,
            overlay: false,
            conflicted: Conflicted::Refused,
        };
        match restore.run(repository, &spec) {
            Ok(_) => {}
            // A path that is nowhere is no error here.
            Err(stop) if stop.message.starts_with(b"error: pathspec") => {}
            Err(stop) => return Err(stop),
        }
        refreshed(repository, flags.has("q"))?;
        return Ok(0);
    }
    let items = if unborn {
        Items::new()
    } else {
        repository.items(&revision::resolve(repository, &name)?)?
    };
    let mut index = repository.index()?;
    match mode.unwrap_or("mixed") {
        "soft" if !index.conflicts().is_empty() || repository.note("MERGE_HEAD").is_some() => {
            return Err(fatal("Cannot do a soft reset in the middle of a merge."));
        }
        "mixed" => {
            index = Index::of_tree(&items, &index);
            repository.save(&index)?;
        }
        "hard" => hard(repository, &items)?,
        "merge" | "keep" => {
            let old = repository.head_items()?;
            let keep = mode == Some("keep");
            let mut base = if keep { old } else { index.items() };
            if !keep {
                for path in index.conflicts().keys() {
                    base.remove(path);
                    index.remove(path);
                    match items.get(path) {
                        Some(item) => {
                            let entry = repository.check_out(path, item)?;
                            index.set(path, entry);
                            base.insert(path.clone(), *item);
                        }
                        None => repository.take_away(path)?,
                    }
                }
            }
            let reason = Reason {
                command: "reset",
                advice: "reset",
            };
            repository.move_tree(&mut index, &base, &items, false, &reason)?;
            repository.save(&index)?;
        }
        _ => {}
    }
    if !unborn {
        let commit = revision::commit(repository, &name)?;
        if let Some(old) = repository.head() {
            write_file(&repository.own("ORIG_HEAD"), format!("{old}\n").as_bytes())?;
        }
        let why = bytes!("reset: moving to ", name);
        repository
            .refs
            .update(b"HEAD", &commit.id, &identity(repository), &why)?;
        if mode == Some("hard") && !flags.has("q") {
            let short = repository.short(&commit.id);
            repository.out.put(bytes!(
                "HEAD is now at ",
                short,
                " ",
                commit.subject(),
                "\n"
            ));
        }
    }
    for note in [
        "MERGE_HEAD",
        "MERGE_MSG",
        "MERGE_MODE",
        "CHERRY_PICK_HEAD",
        "REVERT_HEAD",
        "SQUASH_MSG",
    ] {
        repository.forget(note);
    }
    if mode.is_none_or(|mode| mode == "mixed") {
        refreshed(repository, flags.has("q"))?;
    }
    Ok(0)
}

fn is_known_path(repository: &Repository, word: &[u8]) -> Outcome<bool> {
    let path = repository.path_from_top(word)?;
    let index = repository.index()?;
    Ok(index.has(&path)
        || index.has_below(&path)
        || system::stat(&repository.file(&path)?, false).is_ok())
}

/// Makes index and work tree equal to `items`; all changes are lost.
pub fn hard(repository: &Repository, items: &Items) -> Outcome {
    let mut index = repository.index()?;
    let known: Items = index
        .all()
        .map(|(path, _, entry)| (path.to_vec(), entry.item))
        .chain(repository.head_items()?)
        .collect();
    repository.move_tree(&mut index, &known, items, true, &CHECKOUT)?;
    repository.save(&index)
}

/// What differs in the work tree after a reset.
fn refreshed(repository: &mut Repository, quiet: bool) -> Outcome {
    if quiet {
        return Ok(());
    }
    let index = repository.index()?;
    let changes = super::diff::unstaged(repository, &index, &Pathspec::default())?;
    if changes.is_empty() {
        return Ok(());
    }
    repository.out.put("Unstaged changes after reset:\n");
    for change in changes {
        let line = bytes!(change.letter().to_string(), "\t", change.path(), "\n");
        repository.out.put(&line);
    }
    Ok(())
}

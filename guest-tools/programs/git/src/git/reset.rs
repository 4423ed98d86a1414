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
    let (goal, paths) = Goal::new(repository, &flags, mode.is_some())?;
    if flags.has("p") {
        if mode.is_some() {
            return Err(fatal(
                "options '--patch' and '--{hard,mixed,soft}' cannot be used together",
            ));
        }
        let source = Source {
            items: &goal.items(repository)?,
            is_head: goal.name == b"HEAD",
        };
        let spec = Pathspec::new(repository, &paths)?;
        return interactive::unstage(repository, &source, &spec);
    }
    if !paths.is_empty() {
        if let Some(mode @ ("soft" | "hard" | "merge" | "keep")) = mode {
            return Err(fatal(format!("Cannot do {mode} reset with paths.")));
        }
        unstage(repository, &goal, &paths)?;
        refreshed(repository, flags.has("q"))?;
        return Ok(0);
    }
    let mode = mode.unwrap_or("mixed");
    move_files(repository, mode, &goal.items(repository)?)?;
    if !goal.unborn {
        let shown = mode == "hard" && !flags.has("q");
        move_head(repository, &goal.name, shown)?;
    }
    repository.forget_progress();
    if mode == "mixed" {
        refreshed(repository, flags.has("q"))?;
    }
    Ok(0)
}

/// What index, files or branch are reset to.
struct Goal {
    /// The revision as it was named.
    name: Vec<u8>,
    /// Whether it is a branch without commits.
    unborn: bool,
}

impl Goal {
    /// The revision that the command line names, and the paths behind it; with `whole`, only a revision may be named.
    fn new(repository: &Repository, flags: &Flags, whole: bool) -> Outcome<(Goal, Vec<Vec<u8>>)> {
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
            } else if whole || !is_known_path(repository, first)? {
                return Err(revision::unknown(first));
            }
        }
        operands.extend(flags.paths.iter().flatten().cloned());
        let unborn = repository.head().is_none() && name == b"HEAD";
        Ok((Goal { name, unborn }, operands))
    }

    /// Its files.
    fn items(&self, repository: &Repository) -> Outcome<Items> {
        if self.unborn {
            return Ok(Items::new());
        }
        repository.items(&revision::resolve(repository, &self.name)?)
    }
}

/// Makes paths in the index what they are in `goal`.
fn unstage(repository: &mut Repository, goal: &Goal, paths: &[Vec<u8>]) -> Outcome {
    let restore = Restore {
        source: Some(goal.items(repository)?),
        staged: true,
        worktree: false,
        overlay: false,
        conflicted: Conflicted::Refused,
    };
    let spec = Pathspec::new(repository, paths)?;
    match restore.run(repository, &spec) {
        Ok(_) => Ok(()),
        // A path that is nowhere is no error here.
        Err(stop) if stop.message.starts_with(b"error: pathspec") => Ok(()),
        Err(stop) => Err(stop),
    }
}

/// Makes the index, and as `mode` says the work tree, equal to `items`.
fn move_files(repository: &Repository, mode: &str, items: &Items) -> Outcome {
    let mut index = repository.index()?;
    match mode {
        "soft" if !index.conflicts().is_empty() || repository.note("MERGE_HEAD").is_some() => {
            Err(fatal("Cannot do a soft reset in the middle of a merge."))
        }
        "mixed" => {
            index = Index::of_tree(items, &index);
            repository.save(&index)
        }
        "hard" => hard(repository, items),
        "merge" | "keep" => {
            let base = if mode == "keep" {
                repository.head_items()?
            } else {
                settled(repository, &mut index, items)?
            };
            let reason = Reason {
                command: "reset",
                advice: "reset",
            };
            repository.move_tree(&mut index, &base, items, false, &reason)?;
            repository.save(&index)
        }
        _ => Ok(()),
    }
}

/// Makes files in conflict what they are in `items`, and gives all that the index has then.
fn settled(repository: &Repository, index: &mut Index, items: &Items) -> Outcome<Items> {
    let mut known = index.items();
    for path in index.conflicts().keys() {
        known.remove(path);
        index.remove(path);
        match items.get(path) {
            Some(item) => {
                let entry = repository.check_out(path, item)?;
                index.set(path, entry);
                known.insert(path.clone(), *item);
            }
            None => repository.take_away(path)?,
        }
    }
    Ok(known)
}

/// Makes the branch stand for the commit `name`.
fn move_head(repository: &mut Repository, name: &[u8], shown: bool) -> Outcome {
    let commit = revision::commit(repository, name)?;
    if let Some(old) = repository.head() {
        write_file(&repository.own("ORIG_HEAD"), format!("{old}\n").as_bytes())?;
    }
    let why = bytes!("reset: moving to ", name);
    repository
        .refs
        .update(b"HEAD", &commit.id, &identity(repository), &why)?;
    if shown {
        let short = repository.short(&commit.id);
        let subject = commit.subject();
        repository
            .out
            .put(bytes!("HEAD is now at ", short, " ", subject, "\n"));
    }
    Ok(())
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

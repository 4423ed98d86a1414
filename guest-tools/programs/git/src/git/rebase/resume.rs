//! A rebase that stopped: `--continue`, `--skip`, `--abort`, `--quit`, `--show-current-patch`.

use super::FOLDER;
use super::state::{State, forget};
use crate::call::bytes;
use crate::git::branch::identity;
use crate::git::change;
use crate::git::objects::{Commit, none, parse_id};
use crate::git::pathspec::Pathspec;
use crate::git::refs::Target;
use crate::git::repository::Repository;
use crate::git::reset::hard;
use crate::git::stop::{Outcome, Stop, error, quiet};
use crate::git::three_way::Favor;
use crate::git::todo::Step;
use crate::git::{commit, diff, editor, tree};

/// Does what a verb says. A quit only removes the notes; an abort brings branch and files back to where it began; a
/// skip throws away what was made of the commit; to continue commits what is staged first.
pub fn resume(repository: &mut Repository, verb: &str) -> Outcome<i32> {
    let mut state = State::read(repository)?;
    let current = repository.note(&format!("{FOLDER}/stopped-sha"));
    let current = current.and_then(|text| parse_id(text.trim_ascii()));
    match verb {
        "quit" => forget(repository).map(|()| 0),
        "show-current-patch" => crate::git::log::show(repository, &[b"REBASE_HEAD".to_vec()]),
        "abort" => {
            hard(repository, &repository.items(&state.original)?)?;
            let who = identity(repository);
            if state.head_name.starts_with(b"refs/") {
                let old = repository.head().unwrap_or_else(none);
                let why = bytes!(state.action, " (abort): returning to ", state.head_name);
                repository
                    .refs
                    .set(b"HEAD", &Target::Symbolic(state.head_name.clone()))?;
                repository
                    .refs
                    .log(b"HEAD", &old, &state.original, &who, &why)?;
            } else {
                let why = bytes!(
                    state.action,
                    " (abort): returning to ",
                    state.original.to_string()
                );
                repository
                    .refs
                    .update(b"HEAD", &state.original, &who, &why)?;
            }
            forget(repository)?;
            Ok(0)
        }
        "skip" => {
            hard(repository, &repository.head_items()?)?;
            repository.forget("MERGE_MSG");
            repository.forget(&format!("{FOLDER}/stopped-sha"));
            state.run(repository, Favor::None, false)
        }
        _ => {
            if let Some(id) = current {
                let commit = repository.objects.commit(&id)?;
                conclude(repository, &mut state, &commit)?;
                repository.forget(&format!("{FOLDER}/stopped-sha"));
                repository.forget("MERGE_MSG");
            } else {
                take_edits(repository)?;
            }
            state.run(repository, Favor::None, false)
        }
    }
}

/// Adds what was staged at an `edit` to the commit that it stopped at. Where `HEAD` has moved since, the changes are
/// an error: nobody can say which commit they belong to.
fn take_edits(repository: &mut Repository) -> Outcome {
    let amend = repository.note(&format!("{FOLDER}/amend"));
    repository.forget(&format!("{FOLDER}/amend"));
    let index = repository.index()?;
    if change::between(&repository.head_items()?, &index.items()).is_empty() {
        return Ok(());
    }
    let stopped = amend.and_then(|text| parse_id(text.trim_ascii()));
    if stopped != repository.head() {
        return Err(error(
            "you have staged changes in your working tree\n\
             If these changes are meant to be squashed into the previous commit, run:\n\n  git commit --amend \n\n\
             Otherwise commit them with\n\n  git commit \n\nIn both cases, once you're done, continue with:\n\n  git rebase --continue",
        ));
    }
    commit::commit(repository, &[b"--amend".to_vec(), b"--no-edit".to_vec()])?;
    repository.out.flush();
    Ok(())
}

/// Says that what is staged waits for another try.
fn uncommitted(stop: Stop) -> Stop {
    Stop {
        message: bytes!(stop.message, "\nerror: could not commit staged changes."),
        ..stop
    }
}

/// Commits what the user made of a conflict, with the commit's author and the message as edited. Nothing is committed
/// where nothing is left of it.
fn conclude(repository: &mut Repository, state: &mut State, commit: &Commit) -> Outcome {
    let index = repository.index()?;
    let conflicts = index.conflicts();
    if !conflicts.is_empty() {
        for path in conflicts.keys() {
            repository.out.put(bytes!(path, ": needs merge\n"));
        }
        repository.out.put(
            "You must edit all merge conflicts and then\nmark them as resolved using git add\n",
        );
        return Err(quiet(1));
    }
    if !diff::unstaged(repository, &index, &Pathspec::default())?.is_empty() {
        return Err(error(
            "cannot rebase: You have unstaged changes.\nerror: Please commit or stash them.",
        ));
    }
    let head = repository.head_commit()?;
    let tree = tree::write(&repository.objects, &index.items())?;
    if tree == head.tree {
        return Ok(());
    }
    if state
        .todo
        .get(state.done.wrapping_sub(1))
        .is_some_and(Step::joins)
    {
        return state.join(repository, tree).map_err(uncommitted);
    }
    let note = repository
        .note("MERGE_MSG")
        .unwrap_or_else(|| commit.message.clone());
    let edited = editor::edit(repository, &note).map_err(uncommitted)?;
    let message = commit::clean(&edited, true);
    let id = state.make(repository, commit, tree, head.id, message)?;
    state.note(repository, id, "continue", commit)?;
    let made = repository.objects.commit(&id)?;
    let text = crate::git::status::report(repository, &made, "", true)?;
    repository.out.put(&text);
    repository.out.flush();
    Ok(())
}

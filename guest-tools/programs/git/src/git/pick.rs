//! `git cherry-pick` and `revert`.

use gix_object::Kind;

use super::commit::edit;
use super::flags::Flags;
use super::merge::favor;
use super::merge_trees::{Settings, trees};
use super::move_tree::MERGE;
use super::objects::{Commit, empty_tree, none, write_file};
use super::repository::Repository;
use super::reset::hard;
use super::stop::{Outcome, Stop, error, fatal, usage};
use super::tag::noted;
use super::{change, revision, status, tree};
use crate::call::bytes;
use crate::options::{Opt, Value};

const PICK: &[Opt] = &[
    Opt("n", "no-commit", Value::No),
    Opt("e", "edit", Value::No),
    Opt("x", "", Value::No),
    Opt("m", "mainline", Value::Required),
    Opt("", "abort", Value::No),
    Opt("", "continue", Value::No),
    Opt("", "skip", Value::No),
    Opt("", "quit", Value::No),
    Opt("s", "signoff", Value::No),
    Opt("X", "strategy-option", Value::Required),
    Opt("", "strategy", Value::Required),
    Opt("", "allow-empty", Value::No),
];

/// `git cherry-pick`
pub fn cherry_pick(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    pick(repository, arguments, false)
}

/// `git revert`
pub fn revert(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    pick(repository, arguments, true)
}

fn pick(repository: &mut Repository, arguments: &[Vec<u8>], revert: bool) -> Outcome<i32> {
    let flags = Flags::read(arguments, PICK)?;
    let (what, note) = if revert {
        ("revert", "REVERT_HEAD")
    } else {
        ("cherry-pick", "CHERRY_PICK_HEAD")
    };
    if flags.has("s") || flags.has("strategy") {
        return Err(usage(
            "options `--signoff' and `--strategy' are not supported",
        ));
    }
    if flags.has("continue") {
        if noted(repository, note).is_none() {
            return Err(error("no cherry-pick or revert in progress"));
        }
        return super::commit::commit(repository, &[b"--no-edit".to_vec()]);
    }
    if flags.has("abort") || flags.has("skip") || flags.has("quit") {
        if noted(repository, note).is_none() {
            return Err(error("no cherry-pick or revert in progress"));
        }
        if !flags.has("quit") {
            hard(repository, &repository.head_items()?)?;
        }
        repository.forget(note);
        repository.forget("MERGE_MSG");
        return Ok(0);
    }
    let mut commits = Vec::new();
    for word in &flags.operands {
        match revision::split_range(word) {
            Some((left, right, false)) => {
                let exclude = revision::commit(repository, left)?.id;
                let include = revision::commit(repository, right)?.id;
                let mut walk = super::walk::Walk::new(repository, &[include], &[exclude])?;
                let mut found = Vec::new();
                while let Some(commit) = walk.next()? {
                    found.push(commit);
                }
                if !revert {
                    found.reverse();
                }
                commits.extend(found);
            }
            _ => match revision::find(repository, word)? {
                Some(id) => commits.push(revision::commit_of(repository, &id)?),
                None => return Err(fatal(bytes!("bad revision '", word, "'"))),
            },
        }
    }
    if commits.is_empty() {
        return Err(usage(format!("usage: git {what} <commit>...")));
    }
    let rest = commits.len();
    for (at, commit) in commits.into_iter().enumerate() {
        let status = pick_one(repository, &flags, &commit, revert)?;
        if status != 0 {
            if at + 1 < rest {
                repository.say(format!(
                    "hint: {} commits behind this one were not begun",
                    rest - at - 1
                ));
            }
            return Ok(status);
        }
    }
    Ok(0)
}

fn pick_one(
    repository: &mut Repository,
    flags: &Flags,
    commit: &Commit,
    revert: bool,
) -> Outcome<i32> {
    let what = if revert { "revert" } else { "cherry-pick" };
    let mainline = flags.number("m")?;
    let parent = match (commit.parents.len(), mainline) {
        (0, _) => None,
        (1, None | Some(1)) => Some(commit.parents[0]),
        (1, Some(_)) => {
            return Err(error(format!(
                "mainline was specified but commit {} is not a merge.",
                commit.id
            )));
        }
        (_, None) => {
            return Err(Stop {
                status: 128,
                message: format!(
                    "error: commit {} is a merge but no -m option was given.\nfatal: {what} failed",
                    commit.id
                )
                .into_bytes(),
            });
        }
        (_, Some(number)) => match commit.parents.get(number.wrapping_sub(1)) {
            Some(parent) => Some(*parent),
            None => {
                return Err(error(format!(
                    "commit {} does not have parent {number}",
                    commit.id
                )));
            }
        },
    };
    let head = repository.head_commit()?;
    let mut index = repository.index()?;
    let ours = if flags.has("n") {
        index.items()
    } else {
        repository.items(&head.id)?
    };
    if !flags.has("n") {
        let staged = change::between(&ours, &index.items());
        if !staged.is_empty() || !index.conflicts().is_empty() {
            return Err(Stop {
                status: 128,
                message: format!(
                    "error: your local changes would be overwritten by {what}.\n\
                     hint: commit your changes or stash them to proceed.\nfatal: {what} failed"
                )
                .into_bytes(),
            });
        }
    }
    let committer = repository.committer()?;
    let parent_items = match parent {
        Some(parent) => repository.items(&parent)?,
        None => repository.items(&empty_tree())?,
    };
    let own = repository.items(&commit.id)?;
    let (base, theirs) = if revert {
        (own, parent_items)
    } else {
        (parent_items, own)
    };
    let subject = commit.subject();
    let short = repository.short(&commit.id);
    let label = if revert {
        bytes!("parent of ", short, " (", subject, ")")
    } else {
        bytes!(short, " (", subject, ")")
    };
    let settings = Settings {
        ours: b"HEAD",
        theirs: &label,
        base: None,
        favor: favor(flags)?,
        renames: true,
    };
    let merged = trees(&repository.objects, &base, &ours, &theirs, &settings)?;
    repository.move_tree(&mut index, &ours, &merged.items, false, &MERGE)?;
    merged.mark(&mut index);
    repository.save(&index)?;
    for message in &merged.messages {
        repository.out.put(bytes!(message, "\n"));
    }
    repository.out.flush();
    let mut message = if revert {
        let title = match subject.strip_prefix(b"Revert \"") {
            Some(rest) if !rest.starts_with(b"Revert \"") => {
                bytes!("Reapply \"", rest)
            }
            _ => bytes!("Revert \"", subject, "\""),
        };
        let merge_note = match parent.filter(|_| commit.parents.len() > 1) {
            Some(parent) => format!(", reversing\nchanges made to {parent}"),
            None => String::new(),
        };
        bytes!(
            title,
            "\n\nThis reverts commit ",
            commit.id.to_string(),
            merge_note,
            ".\n"
        )
    } else {
        commit.message.clone()
    };
    if flags.has("x") && !revert {
        let body = message.trim_ascii_end().to_vec();
        message = bytes!(
            body,
            "\n\n(cherry picked from commit ",
            commit.id.to_string(),
            ")\n"
        );
    }
    if !merged.is_clean() {
        let mut note = message.clone();
        note.extend_from_slice(b"\n# Conflicts:\n");
        for path in merged.conflicts.keys() {
            note.extend(bytes!("#\t", path, "\n"));
        }
        write_file(&repository.own("MERGE_MSG"), &note)?;
        if !flags.has("n") {
            let name = if revert {
                "REVERT_HEAD"
            } else {
                "CHERRY_PICK_HEAD"
            };
            write_file(&repository.own(name), format!("{}\n", commit.id).as_bytes())?;
        }
        let verb = if revert { "revert" } else { "apply" };
        repository.say(bytes!(
            format!("error: could not {verb} {short}... "),
            subject
        ));
        repository.say("hint: After resolving the conflicts, mark them with");
        repository.say("hint: \"git add/rm <pathspec>\", then run");
        repository.say(format!("hint: \"git {what} --continue\"."));
        repository.say(format!(
            "hint: You can instead skip this commit with \"git {what} --skip\"."
        ));
        repository.say(format!(
            "hint: To abort and get back to the state before \"git {what}\","
        ));
        repository.say(format!("hint: run \"git {what} --abort\"."));
        repository.say("hint: Disable this message with \"git config advice.mergeConflict false\"");
        return Ok(1);
    }
    if flags.has("n") {
        return Ok(0);
    }
    let tree = tree::write(&repository.objects, &merged.items)?;
    if tree == head.tree && !flags.has("allow-empty") {
        let name = if revert {
            "REVERT_HEAD"
        } else {
            "CHERRY_PICK_HEAD"
        };
        write_file(&repository.own(name), format!("{}\n", commit.id).as_bytes())?;
        repository.say(format!(
            "The previous {what} is now empty, possibly due to conflict resolution.\n\
                          If you wish to commit it anyway, use:\n\n    git commit --allow-empty\n\n\
             Otherwise, please use 'git {what} --skip'"
        ));
        let paths = super::pathspec::Pathspec::default();
        let untracked = status::Untracked::Folders;
        let state = status::Status::new(repository, &paths, untracked, false, true)?;
        let text = status::long(repository, &state, untracked, true)?;
        repository.out.put(&text);
        return Ok(1);
    }
    if flags.has("e") {
        message = edit(repository, &message)?;
    }
    let author = if revert {
        repository.author(None, None)?
    } else {
        commit.author.clone()
    };
    let mut made = Commit {
        id: none(),
        tree,
        parents: vec![head.id],
        author,
        committer: committer.clone(),
        message,
    };
    made.id = repository.objects.write(Kind::Commit, &made.content())?;
    let why = bytes!(what, ": ", made.subject());
    repository
        .refs
        .update(b"HEAD", &made.id, &committer, &why)?;
    let text = status::report(repository, &made, "date", true)?;
    repository.out.put(&text);
    Ok(0)
}

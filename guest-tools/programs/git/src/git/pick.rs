//! `git cherry-pick` and `git revert`: a commit's changes once more, or taken back.
//!
//! Both are a merge of three trees with `HEAD`: to pick, the commit's parent is the base and the commit the other
//! side; to revert, the other way round. Conflicts leave `CHERRY_PICK_HEAD` or `REVERT_HEAD` and `MERGE_MSG`, and end
//! with 1.
//!
//! There is no list of what is left (`.git/sequencer`): of several commits, those behind one that stopped are not
//! begun, which a hint says; `--continue` and `--skip` end the one, and `--abort` keeps the commits that were made
//! before it. `--signoff` and `--strategy` are not here.

use gix_object::Kind;

use super::editor::edit;
use super::flags::Flags;
use super::merge::favor;
use super::merge_trees::{Merged, Settings, trees};
use super::move_tree::MERGE;
use super::objects::{Commit, Id, empty_tree, none, write_file};
use super::pathspec::Pathspec;
use super::repository::Repository;
use super::reset::hard;
use super::stop::{Outcome, Stop, error, fatal, usage};
use super::tag::noted;
use super::tree::{self, Items};
use super::{change, revision, status};
use crate::call::bytes;
use crate::options::{Opt, Value};

/// The options of both.
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
    run(repository, arguments, Action::CherryPick)
}

/// `git revert`
pub fn revert(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    run(repository, arguments, Action::Revert)
}

/// Which of the two commands runs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    CherryPick,
    Revert,
}

impl Action {
    /// The name of the command.
    fn name(self) -> &'static str {
        match self {
            Action::CherryPick => "cherry-pick",
            Action::Revert => "revert",
        }
    }

    /// The file that names the commit where the command stopped.
    fn note(self) -> &'static str {
        match self {
            Action::CherryPick => "CHERRY_PICK_HEAD",
            Action::Revert => "REVERT_HEAD",
        }
    }

    /// What could not be done to a commit with conflicts.
    fn verb(self) -> &'static str {
        match self {
            Action::CherryPick => "apply",
            Action::Revert => "revert",
        }
    }
}

/// Both commands: ends or goes on with what is under way, or picks commit after commit until one stops.
fn run(repository: &mut Repository, arguments: &[Vec<u8>], action: Action) -> Outcome<i32> {
    let flags = Flags::read(arguments, PICK)?;
    if flags.has("s") || flags.has("strategy") {
        return Err(usage(
            "options `--signoff' and `--strategy' are not supported",
        ));
    }
    let ends = flags.has("abort") || flags.has("skip") || flags.has("quit");
    if flags.has("continue") || ends {
        if noted(repository, action.note()).is_none() {
            return Err(error("no cherry-pick or revert in progress"));
        }
        if flags.has("continue") {
            return super::commit::commit(repository, &[b"--no-edit".to_vec()]);
        }
        return leave(repository, action, flags.has("quit"));
    }
    let commits = named(repository, &flags.operands, action)?;
    if commits.is_empty() {
        return Err(usage(format!("usage: git {} <commit>...", action.name())));
    }
    let count = commits.len();
    for (commit, behind) in commits.iter().zip((0..count).rev()) {
        let status = pick(repository, &flags, commit, action)?;
        if status == 0 {
            continue;
        }
        if behind > 0 {
            repository.say(format!(
                "hint: {behind} commits behind this one were not begun"
            ));
        }
        return Ok(status);
    }
    Ok(0)
}

/// Forgets what is in progress, and takes its changes back unless the work tree is to stay.
fn leave(repository: &mut Repository, action: Action, keep: bool) -> Outcome<i32> {
    if !keep {
        hard(repository, &repository.head_items()?)?;
    }
    repository.forget(action.note());
    repository.forget("MERGE_MSG");
    Ok(0)
}

/// The commits that words of the command line name, in the order in which they are picked: a range `A..B` from the
/// oldest, to revert from the youngest.
fn named(repository: &Repository, words: &[Vec<u8>], action: Action) -> Outcome<Vec<Commit>> {
    let mut commits = Vec::new();
    for word in words {
        if let Some((left, right, false)) = revision::split_range(word) {
            let exclude = revision::commit(repository, left)?.id;
            let include = revision::commit(repository, right)?.id;
            let mut walk = super::walk::Walk::new(repository, &[include], &[exclude])?;
            let mut found = Vec::new();
            while let Some(commit) = walk.next()? {
                found.push(commit);
            }
            if action == Action::CherryPick {
                found.reverse();
            }
            commits.extend(found);
            continue;
        }
        let Some(id) = revision::find(repository, word)? else {
            return Err(fatal(bytes!("bad revision '", word, "'")));
        };
        commits.push(revision::commit_of(repository, &id)?);
    }
    Ok(commits)
}

/// Applies the changes of one commit, or takes them back, and commits the result.
///
/// Gives the status to end with: 1 where there are conflicts or nothing to commit.
fn pick(
    repository: &mut Repository,
    flags: &Flags,
    commit: &Commit,
    action: Action,
) -> Outcome<i32> {
    let parent = parent(commit, flags.number("m")?, action)?;
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
            return Err(overwritten(action));
        }
    }
    let committer = repository.committer()?;
    let merged = merge(repository, flags, commit, parent, &ours, action)?;
    let moved = repository.move_tree(&mut index, &ours, &merged.items, false, &MERGE);
    moved.map_err(|stop| Stop {
        status: 128,
        message: bytes!(stop.message, "\nfatal: ", action.name(), " failed"),
    })?;
    merged.mark(&mut index);
    repository.save(&index)?;
    for message in &merged.messages {
        repository.out.put(bytes!(message, "\n"));
    }
    repository.out.flush();
    let mut message = match action {
        Action::CherryPick => copied_message(commit, flags.has("x")),
        Action::Revert => revert_message(commit, parent),
    };
    if !merged.is_clean() {
        return conflicting(repository, flags, commit, &message, &merged, action);
    }
    if flags.has("n") {
        return Ok(0);
    }
    let tree = tree::write(&repository.objects, &merged.items)?;
    if tree == head.tree && !flags.has("allow-empty") {
        return empty(repository, commit, action);
    }
    if flags.has("e") {
        message = edit(repository, &message)?;
    }
    let author = match action {
        Action::CherryPick => commit.author.clone(),
        Action::Revert => repository.author(None, None)?,
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
    let why = bytes!(action.name(), ": ", made.subject());
    repository
        .refs
        .update(b"HEAD", &made.id, &committer, &why)?;
    let text = status::report(repository, &made, "date", true)?;
    repository.out.put(&text);
    Ok(0)
}

/// The parent from which a commit's changes are counted; none for the first commit of a history.
///
/// # Errors
/// The commit is a merge and `mainline`, the number of the parent, is not given or not one of its parents', or it is
/// given and the commit is no merge.
fn parent(commit: &Commit, mainline: Option<usize>, action: Action) -> Outcome<Option<Id>> {
    match (commit.parents.as_slice(), mainline) {
        ([], _) => Ok(None),
        ([only], None | Some(1)) => Ok(Some(*only)),
        ([_], Some(_)) => Err(error(format!(
            "mainline was specified but commit {} is not a merge.",
            commit.id
        ))),
        (_, None) => Err(Stop {
            status: 128,
            message: format!(
                "error: commit {} is a merge but no -m option was given.\nfatal: {} failed",
                commit.id,
                action.name()
            )
            .into_bytes(),
        }),
        (parents, Some(number)) => match parents.get(number.wrapping_sub(1)) {
            Some(parent) => Ok(Some(*parent)),
            None => Err(error(format!(
                "commit {} does not have parent {number}",
                commit.id
            ))),
        },
    }
}

/// What is staged would be lost.
fn overwritten(action: Action) -> Stop {
    let name = action.name();
    Stop {
        status: 128,
        message: format!(
            "error: your local changes would be overwritten by {name}.\n\
             hint: commit your changes or stash them to proceed.\nfatal: {name} failed"
        )
        .into_bytes(),
    }
}

/// Merges what a commit changed since `parent`, or the way back, into `ours`.
fn merge(
    repository: &Repository,
    flags: &Flags,
    commit: &Commit,
    parent: Option<Id>,
    ours: &Items,
    action: Action,
) -> Outcome<Merged> {
    let before = repository.items(&parent.unwrap_or_else(empty_tree))?;
    let after = repository.items(&commit.id)?;
    let name = bytes!(repository.short(&commit.id), " (", commit.subject(), ")");
    let (base, theirs, label) = match action {
        Action::CherryPick => (before, after, name),
        Action::Revert if parent.is_none() => (after, before, b"(empty tree)".to_vec()),
        Action::Revert => (after, before, bytes!("parent of ", name)),
    };
    let settings = Settings {
        ours: b"HEAD",
        theirs: &label,
        base: None,
        favor: favor(flags)?,
        renames: true,
    };
    trees(&repository.objects, &base, ours, &theirs, &settings)
}

/// The message of a commit that is picked, on demand with the name of the original.
fn copied_message(commit: &Commit, named: bool) -> Vec<u8> {
    if !named {
        return commit.message.clone();
    }
    bytes!(
        commit.message.trim_ascii_end(),
        "\n\n(cherry picked from commit ",
        commit.id.to_string(),
        ")\n"
    )
}

/// The message of the commit that takes `commit` back, where of a merge the changes since `parent`.
fn revert_message(commit: &Commit, parent: Option<Id>) -> Vec<u8> {
    let subject = commit.subject();
    let title = match subject.strip_prefix(b"Revert \"") {
        Some(rest) if !rest.starts_with(b"Revert \"") => bytes!("Reapply \"", rest),
        _ => bytes!("Revert \"", subject, "\""),
    };
    let mainline = match parent.filter(|_| commit.parents.len() > 1) {
        Some(parent) => format!(", reversing\nchanges made to {parent}"),
        None => String::new(),
    };
    bytes!(
        title,
        "\n\nThis reverts commit ",
        commit.id.to_string(),
        mainline,
        ".\n"
    )
}

/// Keeps message and commit for `--continue`, and says what to do about conflicts. With `-n` only the message is
/// kept.
fn conflicting(
    repository: &mut Repository,
    flags: &Flags,
    commit: &Commit,
    message: &[u8],
    merged: &Merged,
    action: Action,
) -> Outcome<i32> {
    write_file(
        &repository.own("MERGE_MSG"),
        &bytes!(message, merged.conflict_list()),
    )?;
    if !flags.has("n") {
        note(repository, commit, action)?;
    }
    let (name, verb) = (action.name(), action.verb());
    let short = repository.short(&commit.id);
    repository.say(bytes!(
        format!("error: could not {verb} {short}... "),
        commit.subject()
    ));
    repository.say(format!(
        "hint: After resolving the conflicts, mark them with\n\
         hint: \"git add/rm <pathspec>\", then run\n\
         hint: \"git {name} --continue\".\n\
         hint: You can instead skip this commit with \"git {name} --skip\".\n\
         hint: To abort and get back to the state before \"git {name}\",\n\
         hint: run \"git {name} --abort\".\n\
         hint: Disable this message with \"git config advice.mergeConflict false\""
    ));
    Ok(1)
}

/// Notes the commit where the command stopped.
fn note(repository: &Repository, commit: &Commit, action: Action) -> Outcome {
    let path = repository.own(action.note());
    write_file(&path, format!("{}\n", commit.id).as_bytes())
}

/// Says that a commit changes nothing here, and what to do about it.
fn empty(repository: &mut Repository, commit: &Commit, action: Action) -> Outcome<i32> {
    let name = action.name();
    note(repository, commit, action)?;
    repository.say(format!(
        "The previous {name} is now empty, possibly due to conflict resolution.\n\
         If you wish to commit it anyway, use:\n\n    git commit --allow-empty\n\n\
         Otherwise, please use 'git {name} --skip'"
    ));
    let untracked = status::Untracked::Folders;
    let state = status::Status::new(repository, &Pathspec::default(), untracked, false, true)?;
    let text = status::long(repository, &state, untracked, true)?;
    repository.out.put(&text);
    Ok(1)
}

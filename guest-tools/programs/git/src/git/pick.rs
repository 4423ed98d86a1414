//! `git cherry-pick` and `git revert`: a commit's changes once more, or taken back.
//!
//! Both are a merge of three trees with `HEAD`: to pick, the commit's parent is the base and the commit the other
//! side; to revert, the other way round. Conflicts leave `CHERRY_PICK_HEAD` or `REVERT_HEAD` and `MERGE_MSG`, and end
//! with 1; of several commits, `sequence` keeps those that are left. `--strategy` is not here.

mod sequence;

use std::collections::HashSet;

use gix_object::Kind;

use super::editor::edit;
use super::flags::Flags;
use super::hooks::{self, Hook};
use super::merge::favor_of;
use super::merge_trees::{Merged, Settings, trees};
use super::move_tree::MERGE;
use super::objects::{Commit, Id, empty_tree, none, write_file};
use super::pathspec::Pathspec;
use super::repository::Repository;
use super::stop::{Outcome, Stop, error, fatal, usage};
use super::tag::noted;
use super::tree::{self, Items};
use super::{change, revision, status};
use crate::call::bytes;
use crate::options::{Opt, Value};
use sequence::Sequence;

pub use sequence::{forget_last, under_way};

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
    Opt("", "keep-redundant-commits", Value::No),
    Opt("", "empty", Value::Required),
    Opt("", "ff", Value::No),
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
    for name in ["strategy", "ff"] {
        if flags.has(name) {
            return Err(usage(format!("option `--{name}' is not supported")));
        }
    }
    if let Some(verb) = flags.last(&["continue", "skip", "abort", "quit"]) {
        return match verb {
            "continue" => proceed(repository, action),
            "skip" => skip(repository, action),
            "abort" => abort(repository, action),
            _ => quit(repository),
        };
    }
    let mut commits = named(repository, &flags.operands, action)?;
    let is_range = |word: &Vec<u8>| revision::split_range(word).is_some();
    if let ([commit], false) = (commits.as_slice(), flags.operands.iter().any(is_range)) {
        return pick(repository, &flags, commit, action);
    }
    if commits.is_empty() {
        return Err(usage(format!("usage: git {} <commit>...", action.name())));
    }
    if let Some(sequence) = Sequence::read(repository)? {
        let name = sequence.action.name();
        let name = bytes!(name, " is already in progress\nhint: try \"git ", name);
        let skip = if is_noted(repository) {
            "--skip | "
        } else {
            ""
        };
        let verbs = format!(" (--continue | {skip}--abort | --quit)\"");
        return Err(failed(action, &bytes!(name, verbs)));
    }
    let original = repository.head_commit()?.id;
    commits.reverse();
    pick_all(repository, original, commits, &flags, action)
}

/// Picks commits until one stops, the last first; what is left then is kept.
fn pick_all(
    repository: &mut Repository,
    original: Id,
    mut commits: Vec<Commit>,
    flags: &Flags,
    action: Action,
) -> Outcome<i32> {
    while let Some(commit) = commits.last().cloned() {
        let picked = pick(repository, flags, &commit, action);
        if !matches!(picked, Ok(0)) {
            let sequence = Sequence {
                original,
                commits: commits.into_iter().rev().collect(),
                action,
                flags: flags.clone(),
            };
            sequence.save(repository)?;
            return picked;
        }
        commits.pop();
    }
    sequence::forget(repository)?;
    Ok(0)
}

/// Whether a commit has stopped and is not made yet.
fn is_noted(repository: &Repository) -> bool {
    let notes = [Action::CherryPick, Action::Revert].map(Action::note);
    notes.iter().any(|note| noted(repository, note).is_some())
}

/// Nothing was begun, or what was asked for cannot be; status 128.
fn failed(action: Action, message: &[u8]) -> Stop {
    Stop {
        status: 128,
        message: bytes!("error: ", message, "\nfatal: ", action.name(), " failed"),
    }
}

/// `--continue`: commits what the user made of the one that stopped, unless that is done, and picks the others.
fn proceed(repository: &mut Repository, action: Action) -> Outcome<i32> {
    let sequence = Sequence::read(repository)?;
    if is_noted(repository) {
        // What is left is forgotten by the commit where it is the last.
        let words = [b"--no-edit".to_vec(), b"--cleanup=strip".to_vec()];
        let status = super::commit::commit(repository, &words)?;
        if status != 0 {
            return Ok(status);
        }
        repository.out.flush();
    } else if sequence.is_none() {
        return Err(failed(action, b"no cherry-pick or revert in progress"));
    } else if repository.head_items()? != repository.index()?.items() {
        return Err(overwritten(action));
    }
    match sequence {
        Some(sequence) => go_on(repository, sequence),
        None => Ok(0),
    }
}

/// Picks what is left behind the commit that stopped.
fn go_on(repository: &mut Repository, sequence: Sequence) -> Outcome<i32> {
    let mut left = sequence.commits;
    left.reverse();
    left.pop();
    let (flags, action) = (sequence.flags, sequence.action);
    pick_all(repository, sequence.original, left, &flags, action)
}

/// `--skip`: takes back what was made of the commit that stopped, and picks the others.
fn skip(repository: &mut Repository, action: Action) -> Outcome<i32> {
    let sequence = Sequence::read(repository)?;
    if noted(repository, action.note()).is_none() {
        let name = action.name();
        if sequence.is_none() {
            return Err(failed(action, &bytes!("no ", name, " in progress")));
        }
        if !sequence::is_untouched(repository) {
            let text = bytes!(
                "there is nothing to skip\nhint: have you committed already?\nhint: try \"git ",
                name,
                " --continue\""
            );
            return Err(failed(action, &text));
        }
    }
    go_back(repository, b"HEAD")?;
    match sequence {
        Some(sequence) => go_on(repository, sequence),
        None => Ok(0),
    }
}

/// `--abort`: back to where it began, unless the user has moved `HEAD` meanwhile.
fn abort(repository: &mut Repository, action: Action) -> Outcome<i32> {
    let Some(sequence) = Sequence::read(repository)? else {
        if !is_noted(repository) {
            return Err(failed(action, b"no cherry-pick or revert in progress"));
        }
        go_back(repository, b"HEAD")?;
        return Ok(0);
    };
    if sequence::is_untouched(repository) {
        go_back(repository, sequence.original.to_string().as_bytes())?;
    } else {
        repository.say("warning: You seem to have moved HEAD. Not rewinding, check your HEAD!");
    }
    sequence::forget(repository)?;
    Ok(0)
}

/// `--quit`: forgets what is under way, and leaves files and index as they are.
fn quit(repository: &mut Repository) -> Outcome<i32> {
    sequence::forget(repository)?;
    repository.forget_progress();
    Ok(0)
}

/// Makes a commit the current one, and files in conflict what they are there. Changes of other files stay.
fn go_back(repository: &mut Repository, name: &[u8]) -> Outcome<i32> {
    let words = [b"-q".to_vec(), b"--merge".to_vec(), name.to_vec()];
    super::reset::reset(repository, &words)
}

/// The commits that words of the command line name, each once, in the order in which they are picked: a range `A..B` from the
/// oldest, to revert from the youngest.
fn named(repository: &Repository, words: &[Vec<u8>], action: Action) -> Outcome<Vec<Commit>> {
    let mut commits: Vec<Commit> = Vec::new();
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
    let mut seen = HashSet::new();
    commits.retain(|commit| seen.insert(commit.id));
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
    if !index.conflicts().is_empty() {
        return Err(unmerged(action));
    }
    let ours = if flags.has("n") {
        index.items()
    } else {
        repository.items(&head.id)?
    };
    if !flags.has("n") {
        let staged = change::between(&ours, &index.items());
        if !staged.is_empty() {
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
    if flags.has("s") {
        super::commit::sign(&mut message, &committer);
    }
    if !merged.is_clean() {
        return conflicting(repository, flags, commit, &message, &merged, action);
    }
    if flags.has("n") {
        return Ok(0);
    }
    let tree = tree::write(&repository.objects, &merged.items)?;
    if tree == head.tree
        && let Some(status) = unchanged(repository, flags, commit, parent, &message, action)?
    {
        return Ok(status);
    }
    if flags.has("e") {
        message = edit(repository, &message)?;
    }
    finish(repository, commit, &head, tree, message, action)
}

/// What becomes of a commit that changes nothing: none where it is made all the same, or the status to end with.
fn unchanged(
    repository: &mut Repository,
    flags: &Flags,
    commit: &Commit,
    parent: Option<Id>,
    message: &[u8],
    action: Action,
) -> Outcome<Option<i32>> {
    let before = parent
        .map(|id| repository.objects.tree_of(&id))
        .transpose()?;
    let was_empty = before.unwrap_or_else(empty_tree) == commit.tree;
    let kept = flags.has("keep-redundant-commits") || flags.value("empty") == Some(b"keep");
    match flags.value("empty") {
        _ if kept || was_empty && flags.has("allow-empty") => Ok(None),
        Some(b"drop") if !was_empty => {
            repository.say(bytes!(
                format!("dropping {} ", commit.id),
                commit.subject(),
                " -- patch contents already upstream"
            ));
            Ok(Some(0))
        }
        _ => empty(repository, commit, message, action).map(Some),
    }
}

/// Commits `tree` on top of `head`, and says so.
fn finish(
    repository: &mut Repository,
    commit: &Commit,
    head: &Commit,
    tree: Id,
    message: Vec<u8>,
    action: Action,
) -> Outcome<i32> {
    let committer = repository.committer()?;
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
    hooks::run(repository, "post-commit", &Hook::default());
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

/// Conflicts of before are in the way.
fn unmerged(action: Action) -> Stop {
    let doing = match action {
        Action::CherryPick => "Cherry-picking",
        Action::Revert => "Reverting",
    };
    let text = format!(
        "{doing} is not possible because you have unmerged files.\n\
         hint: Fix them up in the work tree, and then use 'git add/rm <file>'\n\
         hint: as appropriate to mark resolution and make a commit."
    );
    failed(action, text.as_bytes())
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
        favor: favor_of(flags.value("X"))?,
        renames: true,
    };
    trees(&repository.objects, &base, ours, &theirs, &settings)
}

/// The message of a commit that is picked, on demand with the name of the original.
fn copied_message(commit: &Commit, named: bool) -> Vec<u8> {
    let mut text = commit.message.clone();
    if named {
        let line = format!("(cherry picked from commit {})", commit.id);
        super::commit::trailer(&mut text, line.as_bytes());
    }
    text
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

/// What can be done about a commit that is picked and changes nothing here.
pub fn say_empty(repository: &Repository) {
    repository.say(
        "The previous cherry-pick is now empty, possibly due to conflict resolution.\n\
         If you wish to commit it anyway, use:\n\n    git commit --allow-empty\n\n\
         Otherwise, please use 'git cherry-pick --skip'",
    );
}

/// Says that a commit changes nothing here, and with a pick what to do about it.
fn empty(
    repository: &mut Repository,
    commit: &Commit,
    message: &[u8],
    action: Action,
) -> Outcome<i32> {
    if action == Action::CherryPick {
        write_file(&repository.own("MERGE_MSG"), message)?;
        note(repository, commit, action)?;
        say_empty(repository);
    }
    let untracked = status::Untracked::Folders;
    let state = status::Status::new(repository, &Pathspec::default(), untracked, false, true)?;
    let text = status::long(repository, &state, untracked, true)?;
    repository.out.put(&text);
    Ok(1)
}

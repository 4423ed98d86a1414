//! `git checkout` and `switch` (Documentation/git-checkout, git-switch): another branch or commit, or paths brought
//! back.
//!
//! One word of `checkout` is looked at in git's order: a revision that is no file is gone to, a word that is no
//! revision but the only remote branch of this name becomes a branch that follows it, anything else is a path. `--`
//! or a second operand decide for paths.
//!
//! Files move by the rules of `move_tree`: what differs between the two commits and was changed here stops the
//! command before anything is written; other changes stay. With `-f` they are lost. Not here: `--merge` for branches;
//! `--overlay` and `-l` have no effect.

use super::branch::{follow, identity, invalid};
use super::flags::Flags;
use super::hooks;
use super::interactive::{self, Source};
use super::move_tree::CHECKOUT;
use super::objects::Id;
use super::pathspec::Pathspec;
use super::refs::{Target, is_valid};
use super::repository::Repository;
use super::restore::{Conflicted, Count, Restore};
use super::revision;
use super::status::tracking;
use super::stop::{Outcome, fatal, usage};
use super::tree::Items;
use super::worktrees;
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::system;

/// The options of `git checkout`.
const CHECKOUT_OPTIONS: &[Opt] = &[
    Opt("b", "", Value::Required),
    Opt("B", "", Value::Required),
    Opt("q", "quiet", Value::No),
    Opt("f", "force", Value::No),
    Opt("d", "detach", Value::No),
    Opt("", "orphan", Value::Required),
    Opt("p", "patch", Value::No),
    Opt("", "ours", Value::No),
    Opt("", "theirs", Value::No),
    Opt("m", "merge", Value::No),
    Opt("t", "track", Value::Optional),
    Opt("", "guess", Value::No),
    Opt("", "progress", Value::No),
    Opt("", "ignore-other-worktrees", Value::No),
    Opt("", "overlay", Value::No),
    Opt("l", "", Value::No),
];

/// The options of `git switch`. `-c` and `-C` are what `-b` and `-B` are to `checkout`.
const SWITCH_OPTIONS: &[Opt] = &[
    Opt("c", "create", Value::Required),
    Opt("C", "force-create", Value::Required),
    Opt("q", "quiet", Value::No),
    Opt("f", "force", Value::No),
    Opt("", "discard-changes", Value::No),
    Opt("d", "detach", Value::No),
    Opt("", "orphan", Value::Required),
    Opt("m", "merge", Value::No),
    Opt("t", "track", Value::Optional),
    Opt("", "guess", Value::No),
    Opt("", "progress", Value::No),
    Opt("", "ignore-other-worktrees", Value::No),
];

/// Where to go: a branch, or a commit without one.
struct Goal {
    /// The full name of the branch that `HEAD` will stand for; none where it is detached, or not made yet.
    branch: Option<Vec<u8>>,
    /// The commit whose files are brought.
    id: Option<Id>,
    /// The word that the history of `HEAD` keeps: `checkout: moving from main to WORD`. `-` and `@{-N}` read it
    /// there.
    word: Vec<u8>,
    /// Changes of the work tree and conflicts are no obstacle, and are lost.
    force: bool,
    quiet: bool,
    /// What to say when it is done.
    note: Vec<u8>,
}

/// `git checkout`. `bisect` and others call it with arguments as the user would.
pub fn checkout(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    // A lone `-` is the branch before.
    let mut flags = Flags::read(arguments, CHECKOUT_OPTIONS)?;
    repository.root()?;
    if let Some(name) = tracked_name(&flags, ["b", "B"]) {
        return make(repository, &flags, &name, Some(&flags.operands[0]));
    }
    if flags.has("b") || flags.has("B") || flags.has("orphan") {
        return make_and_go(repository, &flags, ["b", "B"]);
    }
    let first = flags.operands.first().cloned();
    let named = first
        .as_ref()
        .and_then(|word| revision_of(repository, word));
    let picks_paths = flags.has("p") || flags.paths.is_some() || flags.operands.len() > 1;
    if flags.has("m") && named.is_some() && !picks_paths {
        return Err(usage("option `--merge' is not supported for branches"));
    }
    match (&first, &named) {
        (Some(word), Some(name)) if !picks_paths => {
            if is_file(repository, word) && !is_branch(repository, name) {
                return Err(fatal(bytes!(
                    "'",
                    word,
                    "' could be both a local file and a tracking branch.\n\
                     Please use -- (and optionally --no-guess) to disambiguate"
                )));
            }
            return go(repository, &flags, name, flags.has("d"));
        }
        (Some(word), None) if !picks_paths => {
            if let Some(remote) = guess(repository, &flags, word) {
                return make(repository, &flags, word, Some(&remote));
            }
        }
        (None, _) if flags.paths.is_none() && !flags.has("p") => {
            if flags.has("d") {
                return go(repository, &flags, b"HEAD", true);
            }
            return Ok(0);
        }
        _ => {}
    }
    let mut source = None;
    if let (true, Some(name)) = (picks_paths, &named) {
        source = Some(revision::resolve(repository, name)?);
        flags.operands.remove(0);
    }
    let is_head = first.is_some_and(|word| word == b"HEAD");
    bring_back(repository, &flags, source, is_head)
}

/// The name of the revision that a word of `git checkout` stands for, if there is one: `-` becomes the branch before,
/// other words stay as they are.
fn revision_of(repository: &Repository, word: &[u8]) -> Option<Vec<u8>> {
    if let Some(name) = expand(repository, word) {
        return Some(name);
    }
    let found = revision::find(repository, word).ok().flatten();
    found.map(|_| word.to_vec())
}

/// Whether a word is the path of a file that is there.
fn is_file(repository: &Repository, word: &[u8]) -> bool {
    repository
        .path_from_top(word)
        .and_then(|path| repository.file(&path))
        .is_ok_and(|path| system::stat(&path, false).is_ok())
}

/// Whether there is a branch of this short name.
fn is_branch(repository: &Repository, name: &[u8]) -> bool {
    let full = bytes!("refs/heads/", name);
    repository.refs.resolve(&full).is_some()
}

/// Brings paths back from the index or the commit `source`, with `-p` what of them is picked. A commit's content goes
/// to the index as well. Says how many paths, unless they stood behind `--`. `is_head` is for the prompts of `-p`,
/// whose words differ for `HEAD`.
fn bring_back(
    repository: &mut Repository,
    flags: &Flags,
    source: Option<Id>,
    is_head: bool,
) -> Outcome<i32> {
    let spec = Pathspec::new(repository, &flags.all_paths())?;
    let items = source.map(|id| repository.items(&id)).transpose()?;
    if flags.has("p") {
        let source = items.as_ref().map(|items| Source { items, is_head });
        return interactive::discard(repository, source.as_ref(), true, &spec);
    }
    let restore = Restore {
        source: items,
        staged: source.is_some(),
        worktree: true,
        overlay: true,
        conflicted: Conflicted::of(flags),
    };
    let Count { updated, recreated } = restore.run(repository, &spec)?;
    if flags.has("q") || flags.paths.is_some() {
        return after_paths(repository);
    }
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    if recreated > 0 {
        let plural = plural(recreated);
        repository.say(format!("Recreated {recreated} merge conflict{plural}"));
    }
    if recreated == 0 || updated > 0 {
        let plural = plural(updated);
        let from = match source {
            Some(id) => {
                let tree = repository.objects.tree_of(&id)?;
                repository.short(&tree)
            }
            None => "the index".to_owned(),
        };
        repository.say(format!("Updated {updated} path{plural} from {from}"));
    }
    after_paths(repository)
}

/// Tells the hook that paths were brought back; 1 where it fails.
fn after_paths(repository: &mut Repository) -> Outcome<i32> {
    let head = repository.head();
    let status = hooks::after_checkout(repository, head, head, false);
    Ok(i32::from(status != 0))
}

/// `git switch`: takes branches only, unless `-d` is given, and no paths.
pub fn switch(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, SWITCH_OPTIONS)?;
    if flags.has("m") {
        return Err(usage("option `--merge' is not supported"));
    }
    repository.root()?;
    if let Some(name) = tracked_name(&flags, ["c", "C"]) {
        refuse_under_way(repository)?;
        return make(repository, &flags, &name, Some(&flags.operands[0]));
    }
    if flags.has("c") || flags.has("C") || flags.has("orphan") {
        refuse_under_way(repository)?;
        return make_and_go(repository, &flags, ["c", "C"]);
    }
    let head = b"HEAD".to_vec();
    let word = match flags.operands.first() {
        Some(word) => word,
        None if flags.has("d") => &head,
        None => return Err(fatal("missing branch or commit argument")),
    };
    let name = expand(repository, word).unwrap_or_else(|| word.clone());
    let is_branch = repository
        .refs
        .resolve(&bytes!("refs/heads/", name))
        .is_some()
        || repository.refs.head() == Some(bytes!("refs/heads/", name));
    if !is_branch && !flags.has("d") {
        if let Some(remote) = guess(repository, &flags, word) {
            refuse_under_way(repository)?;
            return make(repository, &flags, word, Some(&remote));
        }
        let what = match revision::reference(repository, &name) {
            Some(full) if full.starts_with(b"refs/tags/") => "tag",
            Some(full) if full.starts_with(b"refs/remotes/") => "remote branch",
            _ if revision::find(repository, &name)?.is_some() => "commit",
            _ => return Err(fatal(bytes!("invalid reference: ", word))),
        };
        return Err(fatal(bytes!(
            "a branch is expected, got ",
            what,
            " '",
            word,
            "'\nhint: If you want to detach HEAD at the commit, try again with the --detach option."
        )));
    }
    refuse_under_way(repository)?;
    go(repository, &flags, &name, flags.has("d"))
}

/// Refuses to leave what is under way, as `switch` does and `checkout` does not. Of a bisection it only warns.
fn refuse_under_way(repository: &Repository) -> Outcome {
    let states = [
        ("MERGE_HEAD", "while merging", "merge"),
        (
            "rebase-apply/applying",
            "in the middle of an am session",
            "am",
        ),
        ("rebase-apply", "while rebasing", "rebase"),
        ("rebase-merge", "while rebasing", "rebase"),
        ("CHERRY_PICK_HEAD", "while cherry-picking", "cherry-pick"),
        ("REVERT_HEAD", "while reverting", "revert"),
    ];
    for (note, when, command) in states {
        if system::stat(&repository.own(note), true).is_ok() {
            return Err(fatal(format!(
                "cannot switch branch {when}\n\
                 Consider \"git {command} --quit\" or \"git worktree add\"."
            )));
        }
    }
    if repository.note("BISECT_START").is_some() {
        repository.say("warning: you are switching branch while bisecting");
    }
    Ok(())
}

/// Refuses to check out a branch that another work tree uses.
fn refuse_used(repository: &Repository, flags: &Flags, full: &[u8]) -> Outcome {
    if flags.has("ignore-other-worktrees") || repository.refs.head().as_deref() == Some(full) {
        return Ok(());
    }
    match worktrees::user_elsewhere(repository, full) {
        None => Ok(()),
        Some(path) => Err(fatal(bytes!(
            "'",
            revision::short_reference(full),
            "' is already used by worktree at '",
            path,
            "'"
        ))),
    }
}

/// `-` and `@{-N}` as the name of the branch, or the digits of the commit, that was checked out N switches ago.
fn expand(repository: &Repository, word: &[u8]) -> Option<Vec<u8>> {
    let back = match word {
        b"-" => 1,
        _ => {
            let inner = word.strip_prefix(b"@{-")?.strip_suffix(b"}")?;
            crate::options::number(inner)?
        }
    };
    revision::previous_branch(repository, back)
}

/// The name of a branch that is to follow `REMOTE/NAME`, where `--track` was given without a name for it:
/// `origin/a/b` is `a/b`. None where a name was given, or the word has no remote in front. `keys` are the options
/// that name a branch.
fn tracked_name(flags: &Flags, keys: [&str; 2]) -> Option<Vec<u8>> {
    if !flags.has("t") || keys.iter().any(|key| flags.has(key)) {
        return None;
    }
    let word = flags.operands.first()?;
    let word = word.strip_prefix(b"refs/").unwrap_or(word);
    let word = word.strip_prefix(b"remotes/").unwrap_or(word);
    let slash = word.iter().position(|&byte| byte == b'/')?;
    Some(word[slash + 1..].to_vec())
}

/// The full name of the only remote branch that is called like this (`--guess`, the default). None where there are
/// several: git then lists them, here the word counts as a path or as unknown.
fn guess(repository: &Repository, flags: &Flags, word: &[u8]) -> Option<Vec<u8>> {
    if flags.denied("guess") {
        return None;
    }
    let suffix = bytes!("/", word);
    let remotes = repository.refs.list(b"refs/remotes/");
    let mut found = remotes.iter().filter(|(name, _)| {
        let rest = name.strip_prefix(b"refs/remotes/").unwrap_or_default();
        let slash = rest
            .iter()
            .position(|&byte| byte == b'/')
            .unwrap_or(rest.len());
        rest[slash..] == suffix
    });
    let (Some((name, _)), None) = (found.next(), found.next()) else {
        return None;
    };
    Some(name.clone())
}

/// `-b`, `-B`, `-c`, `-C` and `--orphan`: makes the branch and goes there. `keys` are the options of the command at
/// hand, the one that refuses an existing branch first.
///
/// An orphan of `switch` begins with an empty index and without the files of `HEAD`; one of `checkout` keeps both, or
/// has those of the commit that is named.
/// Before the first commit of a repository only `HEAD` is changed.
fn make_and_go(
    repository: &mut Repository,
    flags: &Flags,
    keys: [&'static str; 2],
) -> Outcome<i32> {
    let start = flags.operands.first().cloned();
    if let Some(name) = flags.value("orphan") {
        if !is_valid(name) {
            return Err(invalid(name));
        }
        let exists = repository.refs.resolve(&bytes!("refs/heads/", name));
        if exists.is_some() {
            return Err(fatal(bytes!("a branch named '", name, "' already exists")));
        }
        let items = match &start {
            Some(start) => Some(repository.items(&revision::commit(repository, start)?.id)?),
            None => (keys[0] == "c").then(Items::new),
        };
        if let Some(items) = items {
            let mut index = repository.index()?;
            let old = repository.head_items()?;
            repository.move_tree(&mut index, &old, &items, false, &CHECKOUT)?;
            repository.save(&index)?;
        }
        return be_unborn(repository, name, flags.has("q"));
    }
    let (name, force) = match (flags.value(keys[0]), flags.value(keys[1])) {
        (Some(name), _) => (name.to_vec(), false),
        (None, Some(name)) => (name.to_vec(), true),
        (None, None) => return Err(fatal("a branch name is required")),
    };
    if let (None, None) = (repository.head(), &start) {
        if !is_valid(&name) {
            return Err(invalid(&name));
        }
        return be_unborn(repository, &name, flags.has("q"));
    }
    if !is_valid(&name) {
        return Err(invalid(&name));
    }
    let full = bytes!("refs/heads/", name);
    if repository.refs.resolve(&full).is_some() && !force {
        return Err(fatal(bytes!("a branch named '", name, "' already exists")));
    }
    let start = start.map(|word| expand(repository, &word).unwrap_or(word));
    make(repository, flags, &name, start.as_deref())
}

/// Lets `HEAD` stand for a branch without commits.
fn be_unborn(repository: &Repository, name: &[u8], quiet: bool) -> Outcome<i32> {
    let full = bytes!("refs/heads/", name);
    repository.refs.set(b"HEAD", &Target::Symbolic(full))?;
    if !quiet {
        repository.say(bytes!("Switched to a new branch '", name, "'"));
    }
    Ok(0)
}

/// Makes a branch from `start`, or moves it there, and checks it out. The files are moved first: where they cannot
/// be, no reference has changed. From a remote branch, or with `-t`, it follows it, unless `--no-track`.
///
/// Without a start it is made where `HEAD` is, and files, index and conflicts stay as they are, but for `-B`.
fn make(
    repository: &mut Repository,
    flags: &Flags,
    name: &[u8],
    start: Option<&[u8]>,
) -> Outcome<i32> {
    let name = name.to_vec();
    let word = start.unwrap_or(b"HEAD").to_vec();
    let full = bytes!("refs/heads/", name);
    let existed = repository.refs.resolve(&full).is_some();
    if existed {
        refuse_used(repository, flags, &full)?;
    }
    let Some(id) = revision::find(repository, &word)? else {
        return Err(fatal(bytes!(
            "'",
            word,
            "' is not a commit and a branch '",
            name,
            "' cannot be created from it"
        )));
    };
    let id = revision::commit_of(repository, &id)?.id;
    let stays = repository.refs.head().as_deref() == Some(&full);
    let note = match existed {
        true if stays => bytes!("Reset branch '", name, "'"),
        true => bytes!("Switched to and reset branch '", name, "'"),
        false => bytes!("Switched to a new branch '", name, "'"),
    };
    // `switch` leaves the files alone where no other commit is named, also if it is forced.
    let switches = flags.has("c") || flags.has("C");
    let forced = !switches && ["f", "B"].iter().any(|key| flags.has(key));
    let moves = start.is_some() || forced;
    let goal = Goal {
        branch: None,
        id: Some(id).filter(|_| moves),
        word: name.clone(),
        force: flags.has("f") || flags.has("discard-changes"),
        quiet: flags.has("q"),
        note,
    };
    let from = here(repository);
    move_files(repository, &goal)?;
    let who = identity(repository);
    let why = if existed {
        bytes!("branch: Reset to ", word)
    } else {
        bytes!("branch: Created from ", word)
    };
    let old_head = repository.head().unwrap_or(id);
    if repository.refs.head().as_deref() == Some(&full) {
        repository.refs.update(&full, &id, &who, &why)?;
    } else {
        let old = repository
            .refs
            .resolve(&full)
            .unwrap_or_else(super::objects::none);
        repository.refs.set(&full, &Target::Object(id))?;
        repository.refs.log(&full, &old, &id, &who, &why)?;
    }
    repository.refs.set(b"HEAD", &Target::Symbolic(full))?;
    let moved = bytes!("checkout: moving from ", from, " to ", name);
    repository.refs.log(b"HEAD", &old_head, &id, &who, &moved)?;
    if !goal.quiet {
        let note = goal.note.clone();
        repository.say(note);
    }
    end_progress(repository, goal.quiet);
    let from = revision::reference(repository, &word);
    let remote = from.is_some_and(|name| name.starts_with(b"refs/remotes/"));
    if (remote || flags.has("t")) && !flags.denied("t") {
        follow(repository, &name, Some(&word), goal.quiet)?;
    }
    let status = hooks::after_checkout(repository, Some(old_head), Some(id), true);
    Ok(i32::from(status != 0))
}

/// The branch or commit that is checked out, as the history of `HEAD` names it.
pub fn here(repository: &Repository) -> Vec<u8> {
    match repository.refs.branch() {
        Some(branch) => branch,
        None => repository
            .head()
            .map_or(Vec::new(), |id| id.to_string().into_bytes()),
    }
}

/// Forgets the merge or pick that was under way on the branch that was left.
fn end_progress(repository: &Repository, quiet: bool) {
    for (note, what) in [
        ("CHERRY_PICK_HEAD", "cherry picking"),
        ("REVERT_HEAD", "revert"),
    ] {
        if repository.note(note).is_some() && !quiet {
            repository.say(format!("warning: cancelling a {what} in progress"));
        }
    }
    let notes = ["MERGE_HEAD", "MERGE_MSG", "MERGE_MODE"];
    for note in notes.iter().chain(&["CHERRY_PICK_HEAD", "REVERT_HEAD"]) {
        repository.forget(note);
    }
}

/// Brings the files of a goal in place of those of `HEAD`, writes the index, and lists what was changed before and went along, as `M       path`. Unmerged paths stop it, each named, unless it is
/// forced.
fn move_files(repository: &mut Repository, goal: &Goal) -> Outcome {
    let Some(id) = goal.id else { return Ok(()) };
    let old = repository.head_items()?;
    let new = repository.items(&id)?;
    let mut index = repository.index()?;
    if !goal.force && !index.conflicts().is_empty() {
        for path in index.conflicts().keys() {
            repository.out.put(bytes!(path, ": needs merge\n"));
        }
        return Err(super::stop::error(
            "you need to resolve your current index first",
        ));
    }
    if goal.force {
        let mut all = old.clone();
        all.extend(index.items());
        repository.move_tree(&mut index, &all, &new, true, &CHECKOUT)?;
    } else {
        repository.move_tree(&mut index, &old, &new, false, &CHECKOUT)?;
    }
    repository.save(&index)?;
    if !goal.quiet {
        // What was changed before goes along.
        let paths = Pathspec::default();
        let changed = super::diff::against_work(repository, &new, &index, &paths)?;
        for change in changed {
            let line = bytes!(change.letter().to_string(), "\t", change.path(), "\n");
            repository.out.put(&line);
        }
    }
    Ok(())
}

/// Goes to a branch, or with `detach` or for any other revision to a commit without one.
///
/// `HEAD` is written even where it stays what it was, which is how its history gets the line that `-` looks for.
/// Leaving a commit that nothing leads to is warned of.
fn go(repository: &mut Repository, flags: &Flags, name: &[u8], detach: bool) -> Outcome<i32> {
    let full = bytes!("refs/heads/", name);
    let is_branch = !detach && repository.refs.resolve(&full).is_some();
    if !detach && repository.refs.head().as_deref() == Some(&full) && !is_branch {
        return Ok(0);
    }
    if is_branch {
        refuse_used(repository, flags, &full)?;
    }
    let id = revision::commit(repository, if is_branch { &full } else { name })?.id;
    let current = repository.refs.head();
    let quiet = flags.has("q");
    let goal = Goal {
        branch: is_branch.then(|| full.clone()),
        id: Some(id),
        word: name.to_vec(),
        force: flags.has("f") || flags.has("discard-changes"),
        quiet,
        note: Vec::new(),
    };
    let from = here(repository);
    let old = repository.head();
    move_files(repository, &goal)?;
    let who = identity(repository);
    let target = match &goal.branch {
        Some(full) => Target::Symbolic(full.clone()),
        None => Target::Object(id),
    };
    let stays = current == goal.branch && goal.branch.is_some();
    repository.refs.set(b"HEAD", &target)?;
    let why = bytes!("checkout: moving from ", from, " to ", goal.word);
    repository.refs.log(
        b"HEAD",
        &old.unwrap_or_else(super::objects::none),
        &id,
        &who,
        &why,
    )?;
    if quiet {
        end_progress(repository, quiet);
        let status = hooks::after_checkout(repository, old, Some(id), true);
        return Ok(i32::from(status != 0));
    }
    if let (None, Some(old)) = (&current, old)
        && (old != id || goal.branch.is_some())
    {
        let commit = repository.objects.commit(&old)?;
        let lost = !is_reachable(repository, &old)?;
        if lost {
            warn_lost(repository, &commit)?;
        } else if old != id {
            let short = repository.short(&old);
            repository.say(bytes!(
                "Previous HEAD position was ",
                short,
                " ",
                commit.subject()
            ));
        }
    }
    match &goal.branch {
        Some(_) if stays => repository.say(bytes!("Already on '", name, "'")),
        Some(_) => repository.say(bytes!("Switched to branch '", name, "'")),
        None => {
            let commit = repository.objects.commit(&id)?;
            let place = bytes!(
                "HEAD is now at ",
                repository.short(&id),
                " ",
                commit.subject()
            );
            let advised = repository.config.truth("advice.detachedhead", true);
            if current.is_some() && !detach && advised {
                repository.say(bytes!("Note: switching to '", name, "'.\n\n", ADVICE));
            }
            repository.say(place);
        }
    }
    end_progress(repository, quiet);
    if goal.branch.is_some() {
        let text = tracking(repository, name, &id)?;
        repository
            .out
            .put(text.strip_suffix(b"\n").unwrap_or(&text));
    }
    let status = hooks::after_checkout(repository, old, Some(id), true);
    Ok(i32::from(status != 0))
}

/// What a detached `HEAD` is good for.
pub const ADVICE: &str = "You are in 'detached HEAD' state. You can look around, make experimental\n\
changes and commit them, and you can discard any commits you make in this\n\
state without impacting any branches by switching back to a branch.\n\
\n\
If you want to create a new branch to retain commits you create, you may\n\
do so (now or later) by using -c with the switch command. Example:\n\
\n  git switch -c <new-branch-name>\n\
\n\
Or undo this operation with:\n\
\n  git switch -\n\
\n\
Turn off this advice by setting config variable advice.detachedHead to false\n";

/// Whether a commit can be reached from a reference or `HEAD`: a walk over all of history.
fn is_reachable(repository: &Repository, id: &Id) -> Outcome<bool> {
    let mut starts = Vec::new();
    for (_, id) in repository.refs.list(b"refs/") {
        if let Ok((id, gix_object::Kind::Commit)) = repository.objects.peel(&id) {
            starts.push(id);
        }
    }
    starts.extend(repository.head());
    Ok(super::walk::reachable(repository, &starts)?.contains(id))
}

/// Warns of commits that are left behind: the first four by name, and how to keep them.
fn warn_lost(repository: &mut Repository, commit: &super::objects::Commit) -> Outcome {
    let mut starts = Vec::new();
    for (_, id) in repository.refs.list(b"refs/") {
        if let Ok((id, gix_object::Kind::Commit)) = repository.objects.peel(&id) {
            starts.push(id);
        }
    }
    let mut lines = Vec::new();
    {
        let mut walk = super::walk::Walk::new(repository, &[commit.id], &starts)?;
        while let Some(commit) = walk.next()? {
            lines.push(bytes!(
                "  ",
                repository.short(&commit.id),
                " ",
                commit.subject()
            ));
        }
    }
    let count = lines.len();
    let (commits, them) = if count == 1 {
        ("commit", "it")
    } else {
        ("commits", "them")
    };
    let mut text = bytes!(
        format!("Warning: you are leaving {count} {commits} behind, not connected to\n"),
        "any of your branches:\n\n"
    );
    for line in lines.iter().take(4) {
        text.extend(bytes!(line, "\n"));
    }
    if count > 4 {
        text.extend(format!(" ... and {} more.\n", count - 4).into_bytes());
    }
    let short = repository.short(&commit.id);
    text.extend(bytes!(
        format!("\nIf you want to keep {them} by creating a new branch, this may be a good time\n"),
        format!("to do so with:\n\n git branch <new-branch-name> {short}\n")
    ));
    repository.say(text);
    Ok(())
}

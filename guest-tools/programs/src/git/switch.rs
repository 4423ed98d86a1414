//! `git checkout`, `switch`, `restore` and `reset`.

use std::collections::BTreeSet;

use super::branch::{create, identity, invalid, no_match};
use super::flags::Flags;
use super::index::{Entry, Index};
use super::objects::{Id, write_file};
use super::pathspec::Pathspec;
use super::refs::{Target, is_valid};
use super::repository::Repository;
use super::revision;
use super::status::tracking;
use super::stop::{Outcome, Stop, fatal, usage};
use super::tree::Items;
use super::worktree::State;
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::system::{self, Kind};

/// Why files of the work tree are replaced, as messages name it.
pub struct Reason {
    pub command: &'static str,
    pub advice: &'static str,
}

/// Another commit is checked out.
pub const CHECKOUT: Reason = Reason {
    command: "checkout",
    advice: "switch branches",
};

/// Another commit is merged.
pub const MERGE: Reason = Reason {
    command: "merge",
    advice: "merge",
};

impl Repository {
    /// Brings index and work tree from the files `old` to `new`. Files with changes of their own stop
    /// it, unless they are the same in both; with `force` they are lost.
    pub fn move_tree(
        &self,
        index: &mut Index,
        old: &Items,
        new: &Items,
        force: bool,
        reason: &Reason,
    ) -> Outcome {
        let paths: BTreeSet<&Vec<u8>> = old.keys().chain(new.keys()).collect();
        let (mut local, mut untracked) = (Vec::new(), Vec::new());
        let mut work: Vec<(&Vec<u8>, bool)> = Vec::new();
        for path in paths {
            let (before, after) = (old.get(path), new.get(path));
            if before == after && !force {
                continue;
            }
            let entry = index.get(path);
            let current = entry.map(|entry| entry.item);
            if force {
                work.push((path, true));
                continue;
            }
            if index.stage(path, 2).is_some() || index.stage(path, 3).is_some() {
                local.push(path.clone());
                continue;
            }
            if current.as_ref() == after {
                continue;
            }
            if current.as_ref() != before {
                local.push(path.clone());
                continue;
            }
            match entry {
                Some(entry) => match self.compare(index, path, entry)? {
                    State::Changed(item) if Some(&item) != after => local.push(path.clone()),
                    _ => work.push((path, true)),
                },
                None => {
                    if let Some(lost) = self.in_the_way(index, path, after)? {
                        untracked.push(lost);
                    }
                    work.push((path, true));
                }
            }
        }
        if !local.is_empty() || !untracked.is_empty() {
            return Err(overwritten(&local, &untracked, reason));
        }
        // First what goes, so that folders can become files.
        for (path, _) in work.iter().filter(|(path, _)| !new.contains_key(*path)) {
            if index.has(path) || old.contains_key(*path) {
                self.take_away(path)?;
            }
            index.remove(path);
        }
        for (path, _) in work {
            if let Some(item) = new.get(path) {
                let kept = index.get(path).filter(|entry| entry.item == *item).cloned();
                let same = match &kept {
                    Some(entry) => self.compare(index, path, entry)? == State::Same,
                    None => false,
                };
                let entry = match kept {
                    Some(entry) if same => entry,
                    _ => self.check_out(path, item)?,
                };
                index.set(path, entry);
            }
        }
        Ok(())
    }

    /// A file outside of the index that would be lost.
    fn in_the_way(
        &self,
        index: &Index,
        path: &[u8],
        after: Option<&super::tree::Item>,
    ) -> Outcome<Option<Vec<u8>>> {
        let Some(after) = after else { return Ok(None) };
        let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        for (end, _) in ends {
            let folder = &path[..end];
            let stat = system::stat(&self.file(folder)?, false);
            if stat.is_ok_and(|stat| stat.kind != Kind::Directory) && !index.has(folder) {
                return Ok(Some(folder.to_vec()));
            }
        }
        let Ok(stat) = system::stat(&self.file(path)?, false) else {
            return Ok(None);
        };
        if stat.kind == Kind::Directory {
            return Ok(
                (!index.has_below(path) && !self.is_empty_folder(path)?).then(|| path.to_vec())
            );
        }
        let same = self
            .item(path, false)?
            .is_some_and(|(item, _)| item == *after);
        Ok((!same).then(|| path.to_vec()))
    }

    fn is_empty_folder(&self, path: &[u8]) -> Outcome<bool> {
        Ok(system::read_directory(&self.file(path)?).is_ok_and(|entries| entries.is_empty()))
    }
}

/// What is said where files would be lost.
pub fn overwritten(local: &[Vec<u8>], untracked: &[Vec<u8>], reason: &Reason) -> Stop {
    let mut message = Vec::new();
    let list = |paths: &[Vec<u8>]| {
        paths
            .iter()
            .map(|path| bytes!("\t", path, "\n"))
            .collect::<Vec<_>>()
            .concat()
    };
    if !local.is_empty() {
        message.extend(bytes!(
            "error: Your local changes to the following files would be overwritten by ",
            reason.command,
            ":\n",
            list(local),
            "Please commit your changes or stash them before you ",
            reason.advice,
            ".\n"
        ));
    }
    if !untracked.is_empty() {
        message.extend(bytes!(
            "error: The following untracked working tree files would be overwritten by ",
            reason.command,
            ":\n",
            list(untracked),
            "Please move or remove them before you ",
            reason.advice,
            ".\n"
        ));
    }
    message.extend_from_slice(b"Aborting");
    Stop { status: 1, message }
}

const CHECKOUT_OPTIONS: &[Opt] = &[
    Opt("b", "", Value::Required),
    Opt("B", "", Value::Required),
    Opt("q", "quiet", Value::No),
    Opt("f", "force", Value::No),
    Opt("d", "detach", Value::No),
    Opt("", "orphan", Value::Required),
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
    /// The branch that `HEAD` will stand for.
    branch: Option<Vec<u8>>,
    id: Option<Id>,
    /// The word that the history of `HEAD` keeps.
    word: Vec<u8>,
    force: bool,
    quiet: bool,
    note: Vec<u8>,
}

/// `git checkout`
pub fn checkout(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    // A lone `-` is the branch before.
    let mut flags = Flags::read(arguments, CHECKOUT_OPTIONS)?;
    if flags.has("m") {
        return Err(usage("option `--merge' is not supported"));
    }
    repository.root()?;
    if flags.has("b") || flags.has("B") || flags.has("orphan") {
        return make_and_go(repository, &flags, ["b", "B"]);
    }
    let first = flags.operands.first().cloned();
    let named = match &first {
        Some(word) => expand(repository, word).or_else(|| {
            revision::find(repository, word)
                .ok()
                .flatten()
                .map(|_| word.clone())
        }),
        None => None,
    };
    let picks_paths = flags.paths.is_some() || flags.operands.len() > 1;
    match (&first, &named) {
        (Some(word), Some(name)) if !picks_paths => {
            let is_file = flags.paths.is_none()
                && repository
                    .path_from_top(word)
                    .and_then(|path| repository.file(&path))
                    .is_ok_and(|path| system::stat(&path, false).is_ok());
            let is_branch = repository
                .refs
                .resolve(&bytes!("refs/heads/", name))
                .is_some();
            if is_file && !is_branch {
                return Err(fatal(bytes!(
                    "'",
                    word,
                    "' could be both a local file and a tracking branch.\n\
                     Please use -- (and optionally --no-guess) to disambiguate"
                )));
            }
            let name = name.clone();
            return go(repository, &flags, &name, flags.has("d"));
        }
        (Some(word), None) if !picks_paths => {
            if let Some(id) = guess(repository, &flags, word)? {
                let _ = id;
                return go(repository, &flags, word, false);
            }
        }
        (None, _) if flags.paths.is_none() => {
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
    let paths = flags.all_paths();
    let spec = Pathspec::new(repository, &paths)?;
    let side = match (flags.has("ours"), flags.has("theirs")) {
        (true, _) => Some(2),
        (_, true) => Some(3),
        _ => None,
    };
    let restore = Restore {
        source: source.map(|id| repository.items(&id)).transpose()?,
        staged: source.is_some(),
        worktree: true,
        overlay: true,
        side,
    };
    let count = restore.run(repository, &spec)?;
    if flags.paths.is_none() && !flags.has("q") {
        let plural = if count == 1 { "" } else { "s" };
        let from = match source {
            Some(id) => {
                let tree = repository.objects.tree_of(&id)?;
                repository.short(&tree)
            }
            None => "the index".to_owned(),
        };
        repository.say(format!("Updated {count} path{plural} from {from}"));
    }
    Ok(0)
}

/// `git switch`
pub fn switch(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, SWITCH_OPTIONS)?;
    if flags.has("m") {
        return Err(usage("option `--merge' is not supported"));
    }
    repository.root()?;
    if flags.has("c") || flags.has("C") || flags.has("orphan") {
        return make_and_go(repository, &flags, ["c", "C"]);
    }
    let Some(word) = flags.operands.first() else {
        return Err(fatal("missing branch or commit argument"));
    };
    let name = expand(repository, word).unwrap_or_else(|| word.clone());
    let is_branch = repository
        .refs
        .resolve(&bytes!("refs/heads/", name))
        .is_some()
        || repository.refs.head() == Some(bytes!("refs/heads/", name));
    if !is_branch && !flags.has("d") {
        if guess(repository, &flags, word)?.is_some() {
            return go(repository, &flags, word, false);
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
    go(repository, &flags, &name, flags.has("d"))
}

/// `-` and `@{-N}` as the name of the branch.
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

/// Makes a branch that follows the only remote branch of this name.
fn guess(repository: &Repository, flags: &Flags, word: &[u8]) -> Outcome<Option<Id>> {
    if flags.denied("guess") {
        return Ok(None);
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
        return Ok(None);
    };
    create(repository, word, name, false).map(Some)
}

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
        if repository
            .refs
            .resolve(&bytes!("refs/heads/", name))
            .is_some()
        {
            return Err(fatal(bytes!("a branch named '", name, "' already exists")));
        }
        if keys[0] == "c" {
            let mut index = repository.index()?;
            let old = repository.head_items()?;
            repository.move_tree(&mut index, &old, &Items::new(), false, &CHECKOUT)?;
            repository.save(&index)?;
        }
        repository
            .refs
            .set(b"HEAD", &Target::Symbolic(bytes!("refs/heads/", name)))?;
        repository.say(bytes!("Switched to a new branch '", name, "'"));
        return Ok(0);
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
        repository
            .refs
            .set(b"HEAD", &Target::Symbolic(bytes!("refs/heads/", name)))?;
        repository.say(bytes!("Switched to a new branch '", name, "'"));
        return Ok(0);
    }
    if !is_valid(&name) {
        return Err(invalid(&name));
    }
    let full = bytes!("refs/heads/", name);
    let existed = repository.refs.resolve(&full).is_some();
    if existed && !force {
        return Err(fatal(bytes!("a branch named '", name, "' already exists")));
    }
    let word = start.clone().unwrap_or_else(|| b"HEAD".to_vec());
    let word = expand(repository, &word).unwrap_or(word);
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
    let note = match existed {
        true => bytes!("Switched to and reset branch '", name, "'"),
        false => bytes!("Switched to a new branch '", name, "'"),
    };
    let goal = Goal {
        branch: None,
        id: Some(id),
        word: name.clone(),
        force: flags.has("f"),
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
    Ok(0)
}

/// The branch or commit that is checked out, as the history of `HEAD` names it.
fn here(repository: &Repository) -> Vec<u8> {
    match repository.refs.branch() {
        Some(branch) => branch,
        None => repository
            .head()
            .map_or(Vec::new(), |id| id.to_string().into_bytes()),
    }
}

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
    for note in [
        "MERGE_HEAD",
        "MERGE_MSG",
        "MERGE_MODE",
        "CHERRY_PICK_HEAD",
        "REVERT_HEAD",
    ] {
        repository.forget(note);
    }
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

fn go(repository: &mut Repository, flags: &Flags, name: &[u8], detach: bool) -> Outcome<i32> {
    let full = bytes!("refs/heads/", name);
    let is_branch = !detach && repository.refs.resolve(&full).is_some();
    if !detach && repository.refs.head().as_deref() == Some(&full) && !is_branch {
        return Ok(0);
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
        return Ok(0);
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
    if goal.branch.is_some() {
        let text = tracking(repository, name, &id)?;
        repository
            .out
            .put(text.strip_suffix(b"\n").unwrap_or(&text));
    }
    Ok(0)
}

const ADVICE: &str = "You are in 'detached HEAD' state. You can look around, make experimental\n\
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

/// Which files are brought back, where from, and where to.
struct Restore {
    /// None is the index.
    source: Option<Items>,
    staged: bool,
    worktree: bool,
    /// Files that the source lacks stay.
    overlay: bool,
    /// The side of a conflict.
    side: Option<u8>,
}

impl Restore {
    fn run(&self, repository: &mut Repository, paths: &Pathspec) -> Outcome<usize> {
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
        let mut count = 0;
        let mut conflicts = Vec::new();
        for path in known.iter().filter(|path| paths.matches(path)) {
            let conflict = index.stage(path, 1).is_some()
                || index.stage(path, 2).is_some()
                || index.stage(path, 3).is_some();
            let item = match (&self.source, self.side) {
                (Some(source), _) => source.get(path).copied(),
                (None, Some(side)) if conflict => match index.stage(path, side) {
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
                    count += 1;
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
                    count += 1;
                }
            } else {
                count += 1;
            }
            let updates =
                self.staged || (self.worktree && self.side.is_none() && self.source.is_none());
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

const RESTORE_OPTIONS: &[Opt] = &[
    Opt("s", "source", Value::Required),
    Opt("S", "staged", Value::No),
    Opt("W", "worktree", Value::No),
    Opt("q", "quiet", Value::No),
    Opt("", "ours", Value::No),
    Opt("", "theirs", Value::No),
    Opt("", "overlay", Value::No),
    Opt("", "progress", Value::No),
    Opt("", "ignore-unmerged", Value::No),
];

/// `git restore`
pub fn restore(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, RESTORE_OPTIONS)?;
    let paths = flags.all_paths();
    if paths.is_empty() {
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
    let restore = Restore {
        source,
        staged,
        worktree: flags.has("W") || !staged,
        overlay: flags.has("overlay"),
        side: match (flags.has("ours"), flags.has("theirs")) {
            (true, _) => Some(2),
            (_, true) => Some(3),
            _ => None,
        },
    };
    restore.run(repository, &spec)?;
    Ok(0)
}

const RESET_OPTIONS: &[Opt] = &[
    Opt("q", "quiet", Value::No),
    Opt("", "soft", Value::No),
    Opt("", "mixed", Value::No),
    Opt("", "hard", Value::No),
    Opt("", "merge", Value::No),
    Opt("", "keep", Value::No),
    Opt("N", "intent-to-add", Value::No),
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
            side: None,
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

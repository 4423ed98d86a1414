//! `git stash` (Documentation/git-stash).
//!
//! An entry is a commit of the work tree's known files with two or three parents: `HEAD`, a commit of the index, and
//! with `-u` one of the untracked files, without a parent of its own. `refs/stash` names the last entry, its reflog
//! all of them: `stash@{N}` is line N from the end. Git reads the entries, and entries of git are read.
//!
//! Bringing back is a merge of three trees, with the commit below the entry as the base. Not here: `create`, `store`,
//! `--staged`, `--only-untracked`.

use gix_object::Kind;

use super::branch::{create, identity};
use super::commit;
use super::diff::{Settings as Shown, diff_options};
use super::flags::Flags;
use super::ignore::Ignored;
use super::index::Index;
use super::merge_trees::{self, Settings};
use super::move_tree::MERGE;
use super::objects::{Commit, Id, none};
use super::pathspec::Pathspec;
use super::refs::Target;
use super::repository::Repository;
use super::reset::hard;
use super::revision;
use super::status;
use super::stop::{Outcome, Stop, error, fatal, usage};
use super::three_way::Favor;
use super::tree::{self, Items};
use super::worktree::Ask;
use crate::call::bytes;
use crate::options::{Opt, Value};

/// The last entry.
const STASH: &[u8] = b"refs/stash";

/// The options of `push` and `save`.
const PUSH: &[Opt] = &[
    Opt("p", "patch", Value::No),
    Opt("k", "keep-index", Value::No),
    Opt("q", "quiet", Value::No),
    Opt("u", "include-untracked", Value::No),
    Opt("a", "all", Value::No),
    Opt("m", "message", Value::Required),
    Opt("S", "staged", Value::No),
];

/// The options of `apply`, `pop`, `drop` and `branch`.
const APPLY: &[Opt] = &[Opt("q", "quiet", Value::No), Opt("", "index", Value::No)];

/// The options of `show`.
const SHOW: &[Opt] = diff_options![
    Opt("", "include-untracked", Value::No),
    Opt("", "only-untracked", Value::No),
];

/// `git stash`: `push` where no subcommand is named, also where only options are given.
pub fn stash(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    repository.root()?;
    let (first, rest) = match arguments.split_first() {
        Some((first, rest)) => (first.as_slice(), rest),
        None => (b"push".as_slice(), arguments),
    };
    match first {
        b"push" => push(repository, rest, false),
        b"save" => push(repository, rest, true),
        b"list" => list(repository, rest),
        b"show" => show(repository, rest),
        b"apply" => apply(repository, rest, false),
        b"pop" => apply(repository, rest, true),
        b"drop" => {
            let flags = Flags::read(rest, APPLY)?;
            let (at, _) = chosen(repository, &flags)?;
            drop(repository, at, flags.has("q"))
        }
        b"clear" => {
            if repository.refs.resolve(STASH).is_some() {
                repository.refs.delete(STASH)?;
            }
            Ok(0)
        }
        b"branch" => branch(repository, rest),
        b"create" | b"store" => Err(usage(bytes!("`git stash ", first, "' is not supported"))),
        first if first.starts_with(b"-") => {
            if let Some(word) = Flags::read(arguments, PUSH)?.operands.first() {
                return Err(fatal(bytes!(
                    "subcommand wasn't specified; 'push' can't be assumed due to unexpected token '",
                    word,
                    "'"
                )));
            }
            push(repository, arguments, false)
        }
        first => Err(usage(bytes!("unknown subcommand: `", first, "'"))),
    }
}

/// Saves what differs from `HEAD` at the given paths, and takes it out of index and work tree. `save` reads words as
/// the message instead of paths. Status 0 where there is nothing to save.
///
/// With `-p` the hunks that are picked become the entry and are taken out of the files; the index stays unless
/// `--no-keep- index`.
fn push(repository: &mut Repository, arguments: &[Vec<u8>], save: bool) -> Outcome<i32> {
    let mut flags = Flags::read(arguments, PUSH)?;
    if flags.has("S") {
        return Err(usage("option `--staged' is not supported"));
    }
    if flags.has("p") && (flags.has("u") || flags.has("a")) {
        return Err(
            error("Can't use --patch and --include-untracked or --all at the same time").plain(),
        );
    }
    let mut message = flags.value("m").map(<[u8]>::to_vec);
    if save && !flags.operands.is_empty() {
        message = Some(std::mem::take(&mut flags.operands).join(&b' '));
    }
    let paths = Pathspec::new(repository, &flags.all_paths())?;
    let Some(head) = repository.head() else {
        return Err(error("You do not have the initial commit yet"));
    };
    let head = repository.objects.commit(&head)?;
    let index = repository.index()?;
    refuse_unmerged(repository, &index)?;
    let untracked = untracked(repository, &flags, &index, &paths)?;
    let mut work = index.clone();
    commit::stage(repository, &mut work, &paths)?;
    let mut entry = Entry {
        head_items: repository.items(&head.id)?,
        head,
        staged: index.items(),
        work: work.items(),
        untracked,
    };
    if !entry.differs(&paths) {
        repository.out.put("No local changes to save\n");
        return Ok(0);
    }
    let mut picked = Vec::new();
    if flags.has("p") {
        let mut items = entry.head_items.clone();
        picked = super::interactive::pick(repository, &mut items, &index, &paths)?;
        if items == entry.head_items {
            repository.out.flush();
            return Err(error("No changes selected").plain());
        }
        entry.work = items;
    }
    let title = entry.write(repository, message)?;
    if !flags.has("q") {
        repository.out.put(bytes!(
            "Saved working directory and index state ",
            title,
            "\n"
        ));
    }
    if !flags.has("p") {
        entry.take_out(repository, index, &paths, flags.has("k"))?;
        return Ok(0);
    }
    for file in &picked {
        super::interactive::drop_hunks(repository, file)?;
    }
    if flags.denied("k") {
        super::reset::reset(repository, &[b"-q".to_vec()])?;
    }
    Ok(0)
}

/// Ends the command where files are in conflict.
fn refuse_unmerged(repository: &mut Repository, index: &Index) -> Outcome {
    let conflicts = index.conflicts();
    if conflicts.is_empty() {
        return Ok(());
    }
    for path in conflicts.keys() {
        repository.out.put(bytes!(path, ": needs merge\n"));
    }
    Err(error("could not write index"))
}

/// The files that git does not know and that `-u` and `-a` save; without these, paths must name known files.
fn untracked(
    repository: &Repository,
    flags: &Flags,
    index: &Index,
    paths: &Pathspec,
) -> Outcome<Vec<Vec<u8>>> {
    if flags.has("u") || flags.has("a") {
        let ignored = Ignored::new(repository)?;
        let ask = Ask {
            paths,
            fold: false,
            only_ignored: false,
            all: flags.has("a"),
        };
        return repository.untracked(index, &ignored, &ask);
    }
    match paths.unmatched(&index.paths()).first() {
        None => Ok(Vec::new()),
        Some(lost) => Err(error(bytes!(
            "pathspec ':(,prefix:0)",
            lost,
            "' did not match any file(s) known to git\nDid you forget to 'git add'?"
        ))),
    }
}

/// What an entry saves.
struct Entry {
    /// The commit that is checked out.
    head: Commit,
    head_items: Items,
    /// The files of the index.
    staged: Items,
    /// The known files of the work tree.
    work: Items,
    /// Paths that git does not know.
    untracked: Vec<Vec<u8>>,
}

impl Entry {
    /// Whether there is anything to save at these paths: staged, in known files, or untracked.
    fn differs(&self, paths: &Pathspec) -> bool {
        let differs = |items: &Items| {
            let changes = super::change::between(&self.head_items, items);
            changes.iter().any(|change| paths.matches(change.path()))
        };
        differs(&self.staged) || differs(&self.work) || !self.untracked.is_empty()
    }

    /// Makes the commits of the entry and puts it on top of the stash; gives its title: `WIP on main: 1a2b3c4
    /// Subject`, or `On main: MESSAGE`.
    fn write(&self, repository: &Repository, message: Option<Vec<u8>>) -> Outcome<Vec<u8>> {
        let who = identity(repository);
        let author = repository
            .author(None, None)
            .unwrap_or_else(|_| who.clone());
        let branch = repository
            .refs
            .branch()
            .unwrap_or_else(|| b"(no branch)".to_vec());
        let head = self.head.id;
        let short = repository.short(&head);
        let place = bytes!(branch, ": ", short, " ", self.head.subject());
        let write = |items: &Items, parents: Vec<Id>, message: Vec<u8>| {
            let commit = Commit {
                id: none(),
                tree: tree::write(&repository.objects, items)?,
                parents,
                author: author.clone(),
                committer: who.clone(),
                message,
            };
            repository.objects.write(Kind::Commit, &commit.content())
        };
        let message_of_index = bytes!("index on ", place, "\n");
        let mut parents = vec![head, write(&self.staged, vec![head], message_of_index)?];
        if !self.untracked.is_empty() {
            let mut items = Items::new();
            for path in &self.untracked {
                if let Some((item, _)) = repository.item(path, true)? {
                    items.insert(path.clone(), item);
                }
            }
            let message = bytes!("untracked files on ", place, "\n");
            parents.push(write(&items, Vec::new(), message)?);
        }
        let title = match message {
            Some(message) => bytes!("On ", branch, ": ", message),
            None => bytes!("WIP on ", place),
        };
        let made = write(&self.work, parents, title.clone())?;
        let old = repository.refs.resolve(STASH).unwrap_or_else(none);
        repository.refs.set(STASH, &Target::Object(made))?;
        repository.refs.log(STASH, &old, &made, &who, &title)?;
        Ok(title)
    }

    /// Takes what was saved out of work tree and index; with `keep`, what is staged stays. Without paths it is a
    /// `reset --hard`, which `HEAD`'s reflog tells as one.
    fn take_out(
        self,
        repository: &Repository,
        index: Index,
        paths: &Pathspec,
        keep: bool,
    ) -> Outcome {
        let goal = if keep { self.staged } else { self.head_items };
        if paths.is_empty() {
            hard(repository, &goal)?;
            let why = b"reset: moving to HEAD";
            let who = identity(repository);
            repository.refs.update(b"HEAD", &self.head.id, &who, why)?;
        } else {
            let known = index.items();
            let mut index = index;
            let all = goal.keys().chain(known.keys());
            for path in all.filter(|path| paths.matches(path)) {
                match goal.get(path) {
                    Some(item) => {
                        let entry = repository.check_out(path, item)?;
                        index.set(path, entry);
                    }
                    None => {
                        repository.take_away(path)?;
                        index.remove(path);
                    }
                }
            }
            repository.save(&index)?;
        }
        for path in &self.untracked {
            repository.take_away(path)?;
        }
        Ok(())
    }
}

/// The entries, the last one first; with arguments by way of `git log -g`, as git does it.
fn list(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    if !arguments.is_empty() {
        let mut all = vec![b"-g".to_vec(), b"--format=%gd: %gs".to_vec()];
        all.extend(arguments.iter().cloned());
        all.push(b"refs/stash".to_vec());
        return super::log::log(repository, &all);
    }
    for (at, moved) in repository.refs.history(STASH).iter().rev().enumerate() {
        repository
            .out
            .put(bytes!(format!("stash@{{{at}}}: "), moved.why, "\n"));
    }
    Ok(0)
}

/// The place and the commit of the entry that was named: `2`, `stash@{2}`, or nothing for the last one. A commit that
/// is no entry of the list has no place, and must have two parents.
fn chosen(repository: &Repository, flags: &Flags) -> Outcome<(Option<usize>, Commit)> {
    let history = repository.refs.history(STASH);
    let word = flags
        .operands
        .first()
        .map_or(b"0".as_slice(), Vec::as_slice);
    let inner = word
        .strip_prefix(b"stash@{")
        .or(word.strip_prefix(b"refs/stash@{"))
        .and_then(|rest| rest.strip_suffix(b"}"));
    let number = if word == b"stash" {
        Some(0)
    } else {
        crate::options::number(inner.unwrap_or(word))
    };
    if let Some(number) = number {
        let number: usize = number;
        if history.is_empty() {
            return Err(error("No stash entries found.").plain());
        }
        let Some(at) = history.len().checked_sub(number + 1) else {
            return Err(error(format!(
                "stash@{{{number}}} is not a valid reference"
            )));
        };
        return Ok((Some(number), repository.objects.commit(&history[at].new)?));
    }
    let commit = revision::commit(repository, word)?;
    if commit.parents.len() < 2 {
        return Err(fatal(bytes!("'", word, "' is not a stash-like commit")));
    }
    Ok((None, commit))
}

impl Stop {
    /// Without the word `error:` in front, where git has none.
    fn plain(mut self) -> Stop {
        if let Some(rest) = self.message.strip_prefix(b"error: ") {
            self.message = rest.to_vec();
        }
        self
    }
}

/// What an entry changes, as a diffstat unless options say otherwise.
fn show(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, SHOW)?;
    if flags.has("only-untracked") {
        return Err(usage("option `--only-untracked' is not supported"));
    }
    let (_, commit) = chosen(repository, &flags)?;
    let mut settings = Shown::new(repository, &flags)?;
    if !settings.show.any() {
        settings.show.stat = Some(super::diff::columns());
    }
    let old = repository.items(&commit.parents[0])?;
    let mut new = repository.items(&commit.id)?;
    if let (true, Some(other)) = (flags.has("include-untracked"), commit.parents.get(2)) {
        new.extend(repository.items(other)?);
    }
    let changes = settings.refine(repository, super::change::between(&old, &new))?;
    let mut out = Vec::new();
    settings.print(repository, &changes, &mut out)?;
    repository.out.put(&out);
    Ok(0)
}

/// Brings an entry back; with `pop` it is dropped where that went well.
fn apply(repository: &mut Repository, arguments: &[Vec<u8>], pop: bool) -> Outcome<i32> {
    let flags = Flags::read(arguments, APPLY)?;
    let (at, commit) = chosen(repository, &flags)?;
    let status = restore(repository, &commit, flags.has("index"), flags.has("q"))?;
    if status == 0 && pop {
        return drop(repository, at, flags.has("q"));
    }
    if pop {
        repository
            .out
            .put("The stash entry is kept in case you need it again.\n");
    }
    Ok(status)
}

/// Brings the changes of an entry back; 1 where they conflict.
///
/// Refused: unmerged files in the index, untracked files of the entry that are there. What would overwrite local
/// changes is told, and nothing is changed. Without conflicts only new files stay staged, or with `staged` what was
/// staged in the entry.
fn restore(repository: &mut Repository, stash: &Commit, staged: bool, quiet: bool) -> Outcome<i32> {
    let mut index = repository.index()?;
    refuse_unmerged(repository, &index)?;
    let base = repository.items(&stash.parents[0])?;
    let theirs = repository.items(&stash.id)?;
    let ours = index.items();
    let head = repository.head_items()?;
    let settings = Settings {
        ours: b"Updated upstream",
        theirs: b"Stashed changes",
        base: None,
        favor: Favor::None,
        renames: true,
    };
    let merged = merge_trees::trees(&repository.objects, &base, &ours, &theirs, &settings)?;
    let untracked = match stash.parents.get(2) {
        Some(other) => repository.items(other)?,
        None => Items::new(),
    };
    let lost: Vec<&Vec<u8>> = untracked
        .keys()
        .filter(|path| {
            repository
                .item(path, false)
                .is_ok_and(|found| found.is_some())
        })
        .collect();
    if !lost.is_empty() {
        for path in lost {
            repository.say(bytes!(path, " already exists, no checkout"));
        }
        return Err(error("could not restore untracked files from stash"));
    }
    let moved = repository.move_tree(&mut index, &ours, &merged.items, false, &MERGE);
    if let Err(stop) = moved {
        repository.say(&stop.message);
        return show_status(repository, quiet, 1);
    }
    for message in merged.messages.iter().filter(|_| !quiet) {
        repository.out.put(bytes!(message, "\n"));
    }
    for (path, item) in &untracked {
        repository.check_out(path, item)?;
    }
    if merged.is_clean() {
        let restored = if staged {
            let other = repository.items(&stash.parents[1])?;
            merge_trees::trees(&repository.objects, &base, &ours, &other, &settings)?.items
        } else {
            // Files that are new stay staged, as there is no other trace of them.
            let mut items = ours.clone();
            let new = merged
                .items
                .iter()
                .filter(|(path, _)| !head.contains_key(*path));
            items.extend(new.map(|(path, item)| (path.clone(), *item)));
            items
        };
        index = Index::of_tree(&restored, &index);
        repository.save(&index)?;
        return show_status(repository, quiet, 0);
    }
    merged.mark(&mut index);
    repository.save(&index)?;
    show_status(repository, quiet, 1)
}

/// Shows what there is now, and ends with `code`.
fn show_status(repository: &mut Repository, quiet: bool, code: i32) -> Outcome<i32> {
    if !quiet {
        let paths = Pathspec::default();
        let status =
            status::Status::new(repository, &paths, status::Untracked::Folders, false, true)?;
        let text = status::long(repository, &status, status::Untracked::Folders, false)?;
        repository.out.put(&text);
    }
    Ok(code)
}

/// Removes an entry from the list; the places of those above it sink by one. The commit stays until `gc`.
fn drop(repository: &mut Repository, at: Option<usize>, quiet: bool) -> Outcome<i32> {
    let Some(at) = at else {
        return Err(error("only an entry such as stash@{0} can be dropped"));
    };
    let mut history = repository.refs.history(STASH);
    let Some(place) = history.len().checked_sub(at + 1) else {
        return Err(error(format!("stash@{{{at}}} is not a valid reference")));
    };
    let gone = history.remove(place);
    match history.last() {
        Some(last) => {
            repository.refs.set(STASH, &Target::Object(last.new))?;
            repository.refs.set_history(STASH, &history)?;
        }
        None => repository.refs.delete(STASH)?,
    }
    if !quiet {
        repository
            .out
            .put(format!("Dropped refs/stash@{{{at}}} ({})\n", gone.new));
    }
    Ok(0)
}

/// `git stash branch NAME`: a branch from where the entry was made, with the entry and its index brought back, and
/// dropped where that went well.
fn branch(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let Some((name, rest)) = arguments.split_first() else {
        return Err(fatal("No branch name specified"));
    };
    let flags = Flags::read(rest, APPLY)?;
    let (at, commit) = chosen(repository, &flags)?;
    let start = commit.parents[0].to_string().into_bytes();
    create(repository, name, &start, false)?;
    super::switch::checkout(repository, std::slice::from_ref(name))?;
    let status = restore(repository, &commit, true, false)?;
    if status == 0 && at.is_some() {
        return drop(repository, at, false);
    }
    Ok(status)
}

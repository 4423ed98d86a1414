//! `git add`, `rm` and `mv` (Documentation/git-add, git-rm, git-mv): what changes the index by paths of the work
//! tree.
//!
//! All three work on a copy of the index that is written at the end: an error before that leaves it as it was.
//! Objects that were written by then stay, for `gc`. `rm` and `mv` touch files before the index is written.
//!
//! `--renormalize` and `--ignore-errors` are accepted without effect.

use gix_object::Kind as ObjectKind;

use super::flags::Flags;
use super::ignore::Ignored;
use super::index::{Entry, Index};
use super::pathspec::Pathspec;
use super::refs::make_parents;
use super::repository::Repository;
use super::stop::{Outcome, Stop, error, fatal, file, usage};
use super::submodule;
use super::tree::{COMMIT, EXECUTABLE, FILE, Item};
use super::worktree::{Ask, State};
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::system::{self, Kind};

/// The options of `git add`.
const ADD: &[Opt] = &[
    Opt("n", "dry-run", Value::No),
    Opt("v", "verbose", Value::No),
    Opt("f", "force", Value::No),
    Opt("A", "all", Value::No),
    Opt("u", "update", Value::No),
    Opt("N", "intent-to-add", Value::No),
    Opt("p", "patch", Value::No),
    Opt("i", "interactive", Value::No),
    Opt("", "ignore-errors", Value::No),
    Opt("", "ignore-removal", Value::No),
    Opt("", "chmod", Value::Required),
    Opt("", "refresh", Value::No),
    Opt("", "renormalize", Value::No),
];

/// `git add`. Status 1 where paths that were named are ignored; the others are staged.
///
/// Untracked files come from a walk of the work tree below the pathspecs, known ones from a comparison with the
/// index, so unchanged files are not read. A folder with a `.git` comes with a slash behind its name, and is staged
/// as a commit.
pub fn add(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, ADD)?;
    repository.root()?;
    let given = flags.all_paths();
    if flags.has("p") {
        let paths = Pathspec::new(repository, &given)?;
        return super::interactive::stage(repository, &paths);
    }
    if flags.has("i") {
        let paths = Pathspec::new(repository, &given)?;
        return super::interactive::menu(repository, &paths);
    }
    let everything = flags.has("A") || flags.has("u");
    if given.is_empty() && !everything {
        repository.say("Nothing specified, nothing added.");
        repository.say("hint: Maybe you wanted to say 'git add .'?");
        repository
            .say("hint: Disable this message with \"git config advice.addEmptyPathspec false\"");
        return Ok(0);
    }
    let paths = Pathspec::new(repository, &given)?;
    let mut index = repository.index()?;
    let ignored = Ignored::new(repository)?;
    let untracked = if flags.has("u") || flags.has("refresh") {
        Vec::new()
    } else {
        let ask = Ask {
            paths: &paths,
            fold: false,
            only_ignored: false,
            all: flags.has("f"),
        };
        repository.untracked(&index, &ignored, &ask)?
    };
    let mut known = index.paths();
    known.extend(untracked.iter().cloned());
    let refused = refused(repository, &paths, &known, &ignored, &flags)?;
    if !refused.is_empty() {
        repository.say("The following paths are ignored by one of your .gitignore files:");
        for path in &refused {
            repository.say(path);
        }
        repository.say("hint: Use -f if you really want to add them.");
        repository
            .say("hint: Disable this message with \"git config advice.addIgnoredFile false\"");
    }
    if flags.has("refresh") {
        refresh(repository, &mut index, &paths)?;
        repository.save(&index)?;
        return Ok(0);
    }
    let mut advised = !repository.config.truth("advice.addembeddedrepo", true);
    for (path, change) in changes(repository, &flags, &index, &paths, untracked)? {
        let inner = path.strip_suffix(b"/");
        if let Some(inner) = inner {
            if repository.submodule_head(inner)?.is_none() {
                return Err(Stop {
                    status: 128,
                    message: bytes!(
                        "error: '",
                        path,
                        "' does not have a commit checked out\nfatal: adding files failed"
                    ),
                });
            }
            warn_of_repository(repository, inner, std::mem::replace(&mut advised, true));
        }
        stage(
            repository,
            &flags,
            &mut index,
            inner.unwrap_or(&path),
            change,
        )?;
    }
    if let Some(mode) = flags.value("chmod") {
        set_mode(&mut index, &paths, mode)?;
    }
    if !flags.has("n") {
        repository.save(&index)?;
    }
    Ok(i32::from(!refused.is_empty()))
}

/// Why a path is staged.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    /// It is not in the work tree any more.
    Gone,
    /// It is known, and differs.
    Modified,
    /// Git does not know it, or it is in conflict.
    New,
}

/// The paths to stage, sorted; those in conflict are among them once. With `--no-all` or `--ignore-removal` what is
/// gone stays in the index.
fn changes(
    repository: &Repository,
    flags: &Flags,
    index: &Index,
    paths: &Pathspec,
    untracked: Vec<Vec<u8>>,
) -> Outcome<Vec<(Vec<u8>, Change)>> {
    let keep_gone = flags.denied("all") || flags.has("ignore-removal");
    let mut changes = Vec::new();
    for (path, state) in repository.changed(index, paths)? {
        match state {
            State::Gone if keep_gone => {}
            State::Gone => changes.push((path, Change::Gone)),
            _ => changes.push((path, Change::Modified)),
        }
    }
    for path in index.conflicts().keys().filter(|path| paths.matches(path)) {
        let change = match repository.item(path, false)? {
            Some(_) => Change::New,
            None => Change::Gone,
        };
        changes.push((path.clone(), change));
    }
    changes.extend(untracked.into_iter().map(|path| (path, Change::New)));
    changes.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(changes)
}

/// Stages one path; with `-n` it only says so. `-N` stages a new file as an empty one that is only intended.
fn stage(
    repository: &mut Repository,
    flags: &Flags,
    index: &mut Index,
    path: &[u8],
    change: Change,
) -> Outcome {
    let verbose = flags.has("v") || flags.has("n");
    if change == Change::Gone {
        if verbose {
            repository.out.put(bytes!("remove '", path, "'\n"));
        }
        index.remove(path);
        return Ok(());
    }
    if verbose {
        repository.out.put(bytes!("add '", path, "'\n"));
    }
    if flags.has("n") {
        return Ok(());
    }
    if flags.has("N") && change == Change::New {
        let id = super::objects::name_of(ObjectKind::Blob, b"")?;
        let mut entry = Entry::new(Item { mode: FILE, id });
        entry.intended = true;
        index.set(path, entry);
    } else if let Some((item, stat)) = repository.item(path, true)? {
        index.set(path, Entry::seen(item, &stat));
    }
    Ok(())
}

/// Gives the files of the index at `paths` the mode that `--chmod` says. The work tree is not touched, so the next
/// look compares by content.
fn set_mode(index: &mut Index, paths: &Pathspec, mode: &[u8]) -> Outcome {
    let mode = match mode {
        b"+x" => EXECUTABLE,
        b"-x" => FILE,
        other => {
            return Err(fatal(bytes!(
                "--chmod param '",
                other,
                "' must be either -x or +x"
            )));
        }
    };
    for path in index.paths().iter().filter(|path| paths.matches(path)) {
        if let Some(entry) = index.get(path) {
            let id = entry.item.id;
            index.set(path, Entry::new(Item { mode, id }));
        }
    }
    Ok(())
}

/// Another repository becomes part of this one, which most often nobody meant. `advised` says that the long hint was
/// given, or is switched off.
fn warn_of_repository(repository: &Repository, path: &[u8], advised: bool) {
    repository.say(bytes!("warning: adding embedded git repository: ", path));
    if advised {
        return;
    }
    repository.say(bytes!(
        "hint: You've added another git repository inside your current repository.\n\
         hint: Clones of the outer repository will not contain the contents of\n\
         hint: the embedded repository and will not know how to obtain it.\n\
         hint: If you meant to add a submodule, use:\n\
         hint:\n\
         hint: \tgit submodule add <url> ",
        path,
        "\nhint:\n\
         hint: If you added this path by mistake, you can remove it from the\n\
         hint: index with:\n\
         hint:\n\
         hint: \tgit rm --cached ",
        path,
        "\nhint:\n\
         hint: See \"git help submodule\" for more information.\n\
         hint: Disable this message with \"git config advice.addEmbeddedRepo false\""
    ));
}

/// The paths that were named and are ignored. A path that is nowhere ends the command, before anything is staged.
/// Patterns that match nothing count as paths that are nowhere.
fn refused(
    repository: &Repository,
    paths: &Pathspec,
    known: &[Vec<u8>],
    ignored: &Ignored,
    flags: &Flags,
) -> Outcome<Vec<Vec<u8>>> {
    let mut refused = Vec::new();
    let literals: Vec<(&[u8], &[u8])> = paths.literals().collect();
    for given in paths.unmatched(known) {
        let path = literals
            .iter()
            .find(|(word, _)| *word == given)
            .map(|(_, path)| *path);
        let stat = path.and_then(|path| {
            system::stat(&repository.file(path).ok()?, false)
                .ok()
                .map(|stat| (path, stat))
        });
        match stat {
            None => {
                return Err(fatal(bytes!(
                    "pathspec '",
                    given,
                    "' did not match any files"
                )));
            }
            Some((path, stat)) => {
                let folder = stat.kind == Kind::Directory;
                if !flags.has("f") && !flags.has("u") && ignored.is_ignored(path, folder) {
                    refused.push(path.to_vec());
                }
            }
        }
    }
    Ok(refused)
}

/// The options of `git rm`.
const RM: &[Opt] = &[
    Opt("n", "dry-run", Value::No),
    Opt("q", "quiet", Value::No),
    Opt("", "cached", Value::No),
    Opt("f", "force", Value::No),
    Opt("r", "", Value::No),
    Opt("", "ignore-unmatch", Value::No),
];

/// `git rm`: removes from the index, and unless `--cached` from the work tree, with folders that are empty then. A
/// folder needs `-r`. Nothing is removed where [`check_removable`] objects to any path.
pub fn rm(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, RM)?;
    let given = flags.all_paths();
    if given.is_empty() {
        return Err(fatal("No pathspec was given. Which files should I remove?"));
    }
    let paths = Pathspec::new(repository, &given)?;
    let mut index = repository.index()?;
    let known = index.paths();
    let unmatched = paths.unmatched(&known);
    if let (Some(lost), false) = (unmatched.first(), flags.has("ignore-unmatch")) {
        return Err(fatal(bytes!(
            "pathspec '",
            lost,
            "' did not match any files"
        )));
    }
    if !flags.has("r") {
        let folder = paths
            .literals()
            .find(|(_, path)| path.is_empty() || (index.has_below(path) && !index.has(path)));
        if let Some((given, _)) = folder {
            return Err(fatal(bytes!(
                "not removing '",
                given,
                "' recursively without -r"
            )));
        }
    }
    let chosen: Vec<Vec<u8>> = known
        .into_iter()
        .filter(|path| paths.matches(path))
        .collect();
    let is_submodule = |path: &&Vec<u8>| {
        let entry = index.get(path);
        entry.is_some_and(|entry| entry.item.mode == COMMIT)
    };
    let inner: Vec<Vec<u8>> = chosen.iter().filter(is_submodule).cloned().collect();
    let goes = !flags.has("cached") && !flags.has("n");
    if !inner.is_empty() && goes {
        submodule::before_removal(repository, &index, &inner)?;
    }
    if !flags.has("f") {
        check_removable(repository, &chosen, flags.has("cached"))?;
    }
    for path in &chosen {
        if !flags.has("q") {
            repository.out.put(bytes!("rm '", path, "'\n"));
        }
        if !flags.has("n") {
            index.remove(path);
            if !flags.has("cached") {
                repository.take_away(path)?;
            }
        }
    }
    if !inner.is_empty() && goes {
        submodule::removed(repository, &mut index, &inner)?;
    }
    if !flags.has("n") {
        repository.save(&index)?;
    }
    Ok(0)
}

/// Refuses what would lose work without `-f`: content of the index that neither `HEAD` nor the file has, staged
/// changes, changes of the file. With `--cached` only the first counts. All paths are listed, by reason.
fn check_removable(repository: &Repository, chosen: &[Vec<u8>], cached: bool) -> Outcome {
    let index = repository.index()?;
    let head = repository.head_items()?;
    let (mut both, mut staged, mut local) = (Vec::new(), Vec::new(), Vec::new());
    for path in chosen {
        let Some(entry) = index.get(path) else {
            continue;
        };
        let from_head = head.get(path) != Some(&entry.item);
        let from_work = matches!(repository.compare(&index, path, entry)?, State::Changed(_));
        match (from_head, from_work) {
            (true, true) => both.push(path),
            (true, false) if !cached && !entry.intended => staged.push(path),
            (false, true) if !cached => local.push(path),
            _ => {}
        }
    }
    let list = |one: &str, many: &str, hint: &str, paths: &[&Vec<u8>]| {
        let what = if paths.len() == 1 { one } else { many };
        let lines: Vec<Vec<u8>> = paths.iter().map(|path| bytes!("    ", path)).collect();
        bytes!(what, "\n", lines.join(&b'\n'), "\n", hint)
    };
    let mut messages = Vec::new();
    if !both.is_empty() {
        messages.push(list(
            "the following file has staged content different from both the\nfile and the HEAD:",
            "the following files have staged content different from both the\nfile and the HEAD:",
            "(use -f to force removal)",
            &both,
        ));
    }
    if !staged.is_empty() {
        messages.push(list(
            "the following file has changes staged in the index:",
            "the following files have changes staged in the index:",
            "(use --cached to keep the file, or -f to force removal)",
            &staged,
        ));
    }
    if !local.is_empty() {
        messages.push(list(
            "the following file has local modifications:",
            "the following files have local modifications:",
            "(use --cached to keep the file, or -f to force removal)",
            &local,
        ));
    }
    if messages.is_empty() {
        return Ok(());
    }
    let text = messages.join(b"\nerror: ".as_slice());
    Err(error(text))
}

/// The options of `git mv`.
const MV: &[Opt] = &[
    Opt("v", "verbose", Value::No),
    Opt("n", "dry-run", Value::No),
    Opt("f", "force", Value::No),
    Opt("k", "", Value::No),
];

/// Notes anew what the files look like that are as the index has them; nothing is staged.
fn refresh(repository: &Repository, index: &mut Index, paths: &Pathspec) -> Outcome {
    for path in index.paths() {
        let Some(entry) = index.get(&path).filter(|_| paths.matches(&path)) else {
            continue;
        };
        if repository.compare(index, &path, entry)? != State::Same {
            continue;
        }
        let item = entry.item;
        if let Ok(stat) = system::stat(&repository.file(&path)?, false) {
            index.set(&path, Entry::seen(item, &stat));
        }
    }
    Ok(())
}

/// `git mv`: one source to a new name, or any number into a directory. With `-k` what cannot be moved is passed over;
/// otherwise the first one ends the command, and moves before it have been made in the work tree and not in the
/// index.
pub fn mv(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, MV)?;
    let mut given = flags.all_paths();
    if given.len() < 2 {
        return Err(usage("usage: git mv [<options>] <source>... <destination>"));
    }
    let target = given.pop().unwrap_or_default();
    let target_path = repository.path_from_top(&target)?;
    let into = is_folder(repository, &target_path)?;
    if given.len() > 1 && !into {
        return Err(fatal(bytes!(
            "destination '",
            target,
            "' is not a directory"
        )));
    }
    let mut index = repository.index()?;
    for source in &given {
        let from = repository.path_from_top(source)?;
        let name = from.rsplit(|&byte| byte == b'/').next().unwrap_or(&from);
        let to = if into {
            system::join(&target_path, name)
        } else {
            target_path.clone()
        };
        let one = Move {
            from: &from,
            to: &to,
        };
        let mut problem = one.problem(repository, &index, flags.has("f"))?;
        if problem.is_none() && target.ends_with(b"/") && !into {
            problem = Some("destination directory does not exist");
        }
        if let Some(problem) = problem {
            if flags.has("k") {
                continue;
            }
            return Err(one.refused(problem));
        }
        if flags.has("v") || flags.has("n") {
            repository
                .out
                .put(bytes!("Renaming ", from, " to ", to, "\n"));
        }
        if !flags.has("n") {
            one.run(repository, &mut index)?;
        }
    }
    if !flags.has("n") {
        repository.save(&index)?;
    }
    Ok(0)
}

/// Whether a path of the work tree is a directory.
fn is_folder(repository: &Repository, path: &[u8]) -> Outcome<bool> {
    Ok(system::stat(&repository.file(path)?, true).is_ok_and(|stat| stat.kind == Kind::Directory))
}

/// A file or folder on its way; paths from the top of the work tree.
struct Move<'a> {
    from: &'a [u8],
    to: &'a [u8],
}

impl Move<'_> {
    /// Why it cannot be moved, in git's words and order; none where it can.
    fn problem(
        &self,
        repository: &Repository,
        index: &Index,
        force: bool,
    ) -> Outcome<Option<&'static str>> {
        let Move { from, to } = *self;
        Ok(if system::stat(&repository.file(from)?, false).is_err() {
            Some("bad source")
        } else if !index.has(from) && !index.has_below(from) {
            Some("not under version control")
        } else if index.stage(from, 2).is_some() {
            Some("conflicted")
        } else if to == from || to.starts_with(&bytes!(from, "/")) {
            Some("can not move directory into itself")
        } else if !force && system::stat(&repository.file(to)?, false).is_ok() {
            Some("destination exists")
        } else {
            None
        })
    }

    /// `fatal: WHY, source=A, destination=B`.
    fn refused(&self, why: &str) -> Stop {
        fatal(bytes!(
            why,
            ", source=",
            self.from,
            ", destination=",
            self.to
        ))
    }

    /// Moves it in work tree and index. The entries keep what is known of the files, where it still holds: a rename
    /// changes the change time.
    fn run(&self, repository: &mut Repository, index: &mut Index) -> Outcome {
        let Move { from, to } = *self;
        let (old, new) = (repository.file(from)?, repository.file(to)?);
        if let Some(at) = to.iter().rposition(|&byte| byte == b'/')
            && !is_folder(repository, &to[..at])?
        {
            return Err(self.refused("destination directory does not exist"));
        }
        let is_submodule = index
            .get(from)
            .is_some_and(|entry| entry.item.mode == COMMIT);
        if is_submodule {
            submodule::before_move(repository, index)?;
        }
        make_parents(&new)?;
        system::rename(&old, &new).map_err(|failure| file("renaming failed:", from, failure))?;
        let mut moved = vec![(from.to_vec(), to.to_vec())];
        for path in index.below(from) {
            let new = bytes!(to, &path[from.len()..]);
            moved.push((path, new));
        }
        for (old, new) in moved {
            let Some(entry) = index.get(&old).cloned() else {
                continue;
            };
            index.remove(&old);
            let stat = system::stat(&repository.file(&new)?, false).ok();
            let entry = match stat.filter(|stat| entry.is_unchanged(stat, index.time)) {
                Some(stat) => Entry::seen(entry.item, &stat),
                None => Entry::new(entry.item),
            };
            index.set(&new, entry);
        }
        if is_submodule {
            submodule::moved(repository, index, from, to)?;
        }
        Ok(())
    }
}

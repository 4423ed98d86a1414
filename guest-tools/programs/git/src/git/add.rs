//! `git add`, `rm` and `mv`.

use gix_object::Kind as ObjectKind;

use super::flags::Flags;
use super::ignore::Ignored;
use super::index::Entry;
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

/// `git add`
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
    let mut status = 0;
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
        status = 1;
    }
    let verbose = flags.has("v") || flags.has("n");
    let keep_gone = flags.denied("all") || flags.has("ignore-removal");
    let mut changed: Vec<(Vec<u8>, Option<State>)> = Vec::new();
    for (path, state) in repository.changed(&index, &paths)? {
        if state == State::Gone && keep_gone {
            continue;
        }
        changed.push((path, Some(state)));
    }
    for path in index.conflicts().keys().filter(|path| paths.matches(path)) {
        let there = repository.item(path, false)?.is_some();
        changed.push((path.clone(), (!there).then_some(State::Gone)));
    }
    changed.extend(untracked.into_iter().map(|path| (path, None)));
    changed.sort_by(|a, b| a.0.cmp(&b.0));
    let mut advised = !repository.config.truth("advice.addembeddedrepo", true);
    for (path, state) in changed {
        let inner = path.strip_suffix(b"/").map(<[u8]>::to_vec);
        if let Some(inner) = &inner {
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
        let path = inner.unwrap_or(path);
        if state == Some(State::Gone) {
            if verbose {
                repository.out.put(bytes!("remove '", path, "'\n"));
            }
            index.remove(&path);
            continue;
        }
        if verbose {
            repository.out.put(bytes!("add '", path, "'\n"));
        }
        if flags.has("n") {
            continue;
        }
        if flags.has("N") && state.is_none() {
            let id = super::objects::name_of(ObjectKind::Blob, b"")?;
            let mut entry = Entry::new(Item { mode: FILE, id });
            entry.intended = true;
            index.set(&path, entry);
            continue;
        }
        let Some((item, stat)) = repository.item(&path, true)? else {
            continue;
        };
        index.set(&path, Entry::seen(item, &stat));
    }
    if let Some(mode) = flags.value("chmod") {
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
            if let Some(entry) = index.get(path).cloned() {
                let item = Item {
                    mode,
                    id: entry.item.id,
                };
                index.set(path, Entry::new(item));
            }
        }
    }
    if !flags.has("n") {
        repository.save(&index)?;
    }
    Ok(status)
}

/// Another repository becomes part of this one, which most often nobody meant.
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

/// The paths that were named and are ignored. A path that is nowhere ends the command.
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

const RM: &[Opt] = &[
    Opt("n", "dry-run", Value::No),
    Opt("q", "quiet", Value::No),
    Opt("", "cached", Value::No),
    Opt("f", "force", Value::No),
    Opt("r", "", Value::No),
    Opt("", "ignore-unmatch", Value::No),
];

/// `git rm`
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

const MV: &[Opt] = &[
    Opt("v", "verbose", Value::No),
    Opt("n", "dry-run", Value::No),
    Opt("f", "force", Value::No),
    Opt("k", "", Value::No),
];

/// `git mv`
pub fn mv(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, MV)?;
    let mut given = flags.all_paths();
    if given.len() < 2 {
        return Err(usage("usage: git mv [<options>] <source>... <destination>"));
    }
    let target = given.pop().unwrap_or_default();
    let target_path = repository.path_from_top(&target)?;
    let is_folder = |repository: &Repository, path: &[u8]| -> Outcome<bool> {
        Ok(system::stat(&repository.file(path)?, true)
            .is_ok_and(|stat| stat.kind == Kind::Directory))
    };
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
        let refuse =
            |why: &str| -> Stop { fatal(bytes!(why, ", source=", from, ", destination=", to)) };
        let problem = match () {
            () if system::stat(&repository.file(&from)?, false).is_err() => Some("bad source"),
            () if !index.has(&from) && !index.has_below(&from) => Some("not under version control"),
            () if index.stage(&from, 2).is_some() => Some("conflicted"),
            () if to == from || to.starts_with(&bytes!(from, "/")) => {
                Some("can not move directory into itself")
            }
            () if !flags.has("f") && system::stat(&repository.file(&to)?, false).is_ok() => {
                Some("destination exists")
            }
            () if !target.ends_with(b"/") => None,
            () if !into => Some("destination directory does not exist"),
            () => None,
        };
        if let Some(problem) = problem {
            if flags.has("k") {
                continue;
            }
            return Err(refuse(problem));
        }
        if flags.has("v") || flags.has("n") {
            repository
                .out
                .put(bytes!("Renaming ", from, " to ", to, "\n"));
        }
        if flags.has("n") {
            continue;
        }
        let (old, new) = (repository.file(&from)?, repository.file(&to)?);
        if let Some(at) = to.iter().rposition(|&byte| byte == b'/')
            && !is_folder(repository, &to[..at])?
        {
            return Err(refuse("destination directory does not exist"));
        }
        let inner = index
            .get(&from)
            .is_some_and(|entry| entry.item.mode == COMMIT);
        if inner {
            submodule::before_move(repository, &index)?;
        }
        make_parents(&new)?;
        system::rename(&old, &new).map_err(|failure| file("renaming failed:", &from, failure))?;
        let mut moved = vec![(from.clone(), to.clone())];
        for path in index.below(&from) {
            let rest = path[from.len()..].to_vec();
            moved.push((path, bytes!(to, rest)));
        }
        for (old, new) in moved {
            if let Some(entry) = index.get(&old).cloned() {
                index.remove(&old);
                let stat = system::stat(&repository.file(&new)?, false);
                let clean = stat
                    .as_ref()
                    .ok()
                    .filter(|stat| entry.is_unchanged(stat, index.time));
                let entry = match clean {
                    Some(stat) => Entry::seen(entry.item, stat),
                    None => Entry::new(entry.item),
                };
                index.set(&new, entry);
            }
        }
        if inner {
            submodule::moved(repository, &mut index, &from, &to)?;
        }
    }
    if !flags.has("n") {
        repository.save(&index)?;
    }
    Ok(0)
}

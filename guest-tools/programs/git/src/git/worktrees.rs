//! `git worktree` (Documentation/git-worktree): several folders with files over one repository.
//!
//! Each further work tree has a folder `.git/worktrees/NAME` with `HEAD`, index, `commondir` and `gitdir` (the path
//! of the file `.git` in the work tree, which leads back), and a file `locked` where it is to stay. Paths are
//! absolute. `move` and `repair` are not here.

use super::flags::Flags;
use super::objects::{Id, write_file};
use super::refs::make_parents;
use super::repository::{Globals, Repository};
use super::revision;
use super::stop::{Outcome, fatal, file, usage};
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::system::{self, Kind};

const OPTIONS: &[Opt] = &[
    Opt("b", "", Value::Required),
    Opt("B", "", Value::Required),
    Opt("d", "detach", Value::No),
    Opt("f", "force", Value::No),
    Opt("q", "quiet", Value::No),
    Opt("", "checkout", Value::No),
    Opt("", "track", Value::No),
    Opt("", "guess-remote", Value::No),
    Opt("", "porcelain", Value::No),
    Opt("v", "verbose", Value::No),
    Opt("n", "dry-run", Value::No),
    Opt("", "expire", Value::Required),
    Opt("", "lock", Value::No),
    Opt("", "reason", Value::Required),
];

/// Why a work tree may be forgotten.
const GONE: &[u8] = b"gitdir file points to non-existent location";

/// A work tree.
struct Tree {
    /// Its folder; of a bare repository the repository itself.
    path: Vec<u8>,
    /// Its folder in `.git`; of the main one `.git`.
    own: Vec<u8>,
    head: Option<Id>,
    /// The full name of the branch that `HEAD` stands for; none where it is detached.
    branch: Option<Vec<u8>>,
    bare: bool,
}

/// `git worktree`
pub fn worktree(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let Some((verb, rest)) = arguments.split_first() else {
        return Err(usage("need a subcommand"));
    };
    let flags = Flags::read(rest, OPTIONS)?;
    match verb.as_slice() {
        b"add" => add(repository, &flags),
        b"list" => list(repository, &flags),
        b"remove" => remove(repository, &flags),
        b"prune" => prune(repository, &flags),
        b"lock" => lock(repository, &flags, true),
        b"unlock" => lock(repository, &flags, false),
        b"repair" | b"move" => Err(usage(bytes!("subcommand `", verb, "' is not supported"))),
        other => Err(usage(bytes!("unknown subcommand: `", other, "'"))),
    }
}

/// All work trees, the main one first, the others in the order of their folders in `.git`.
fn trees(repository: &Repository) -> Vec<Tree> {
    let common =
        system::canonicalize(&repository.common).unwrap_or_else(|_| repository.common.clone());
    let bare = repository.config.truth("core.bare", false);
    let main = match common.strip_suffix(b"/.git") {
        Some(path) if !bare => path.to_vec(),
        _ => common.clone(),
    };
    let mut all = vec![tree(&common, main, &common, bare)];
    let folder = system::join(&common, b"worktrees");
    for entry in system::read_directory(&folder).unwrap_or_default() {
        let own = system::join(&folder, &entry.name);
        let Ok(link) = system::read_whole(&system::join(&own, b"gitdir")) else {
            continue;
        };
        let link = link.trim_ascii();
        let path = link.strip_suffix(b"/.git").unwrap_or(link).to_vec();
        all.push(tree(&own, path, &common, false));
    }
    all
}

/// What a work tree has checked out.
fn tree(own: &[u8], path: Vec<u8>, common: &[u8], bare: bool) -> Tree {
    let refs = super::refs::Refs::new(own.to_vec(), common.to_vec());
    Tree {
        path,
        own: own.to_vec(),
        head: refs.resolve(b"HEAD"),
        branch: refs.head(),
        bare,
    }
}

/// The folders with `HEAD` and the index of all work trees, that of the main one first.
pub fn folders(repository: &Repository) -> Vec<Vec<u8>> {
    let all = trees(repository).into_iter();
    all.map(|tree| tree.own).collect()
}

/// Forgets work trees whose folder is gone.
pub fn prune_all(repository: &mut Repository) -> Outcome<i32> {
    prune(repository, &Flags::default())
}

/// The work trees but the one at hand.
fn others(repository: &Repository) -> impl Iterator<Item = Tree> {
    let own =
        system::canonicalize(&repository.git_dir).unwrap_or_else(|_| repository.git_dir.clone());
    let all = trees(repository).into_iter();
    all.filter(move |tree| tree.own != own && !tree.bare)
}

/// The full names of the branches that other work trees have, which may not be changed from here.
pub fn branches_elsewhere(repository: &Repository) -> Vec<Vec<u8>> {
    let all = others(repository).filter_map(|tree| tree.branch);
    all.collect()
}

/// The folder of the work tree that uses a branch, given by its full name: which has it checked out, or went off it
/// for a rebase or a bisection. None of a bare repository.
pub fn user(repository: &Repository, branch: &[u8]) -> Option<Vec<u8>> {
    let mut all = trees(repository).into_iter().filter(|tree| !tree.bare);
    all.find(|tree| tree.uses(branch)).map(|tree| tree.path)
}

/// The same among the work trees but the one at hand.
pub fn user_elsewhere(repository: &Repository, branch: &[u8]) -> Option<Vec<u8>> {
    let user = others(repository).find(|tree| tree.uses(branch));
    user.map(|tree| tree.path)
}

/// Lets `HEAD` of the other work trees follow a branch to its new name.
pub fn rename_elsewhere(repository: &Repository, old: &[u8], new: &[u8]) -> Outcome {
    for tree in others(repository).filter(|tree| tree.branch.as_deref() == Some(old)) {
        let head = bytes!("ref: ", new, "\n");
        write_file(&system::join(&tree.own, b"HEAD"), &head)?;
    }
    Ok(())
}

impl Tree {
    fn uses(&self, branch: &[u8]) -> bool {
        let notes: [&[u8]; 3] = [
            b"rebase-merge/head-name",
            b"rebase-apply/head-name",
            b"BISECT_START",
        ];
        let short = branch.strip_prefix(b"refs/heads/").unwrap_or(branch);
        self.branch.as_deref() == Some(branch)
            || notes.iter().any(|note| {
                let text = system::read_whole(&system::join(&self.own, note)).unwrap_or_default();
                [branch, short].contains(&text.trim_ascii())
            })
    }

    /// The name of its folder in `.git/worktrees`.
    fn name(&self) -> &[u8] {
        let name = self.own.rsplit(|&byte| byte == b'/').next();
        name.unwrap_or(&self.own)
    }

    /// Whether its folder is gone; never of the main one.
    fn is_gone(&self) -> bool {
        let is_main = system::stat(&system::join(&self.own, b"gitdir"), true).is_err();
        !is_main && system::stat(&system::join(&self.path, b".git"), false).is_err()
    }

    /// What `list` says of it besides what it has checked out, and why it is so.
    fn remarks(&self) -> Vec<(&'static str, Vec<u8>)> {
        let locked = self.lock().map(|why| ("locked", why));
        let gone = self.is_gone() && locked.is_none();
        let gone = gone.then(|| ("prunable", GONE.to_vec()));
        locked.into_iter().chain(gone).collect()
    }

    /// Why it must not be removed, where `lock` was told so; nothing where it told no reason.
    fn lock(&self) -> Option<Vec<u8>> {
        let text = system::read_whole(&system::join(&self.own, b"locked")).ok()?;
        Some(text.trim_ascii().to_vec())
    }
}

/// `worktree add PATH [COMMIT]`. Without a commit it is a branch of the folder's name, made where it does not exist.
fn add(repository: &mut Repository, flags: &Flags) -> Outcome<i32> {
    let Some(given) = flags.operands.first() else {
        return Err(usage("the path of the work tree is missing"));
    };
    let path = system::join(
        &super::repository::directory()?,
        given.strip_suffix(b"/").unwrap_or(given),
    );
    let name = path
        .rsplit(|&byte| byte == b'/')
        .next()
        .unwrap_or(&path)
        .to_vec();
    let is_free = system::read_directory(&path).map_or(true, |names| names.is_empty());
    if !is_free || system::stat(&path, false).is_ok_and(|stat| stat.kind != Kind::Directory) {
        return Err(fatal(bytes!("'", given, "' already exists")));
    }
    let made = flags.value("b").or(flags.value("B")).map(<[u8]>::to_vec);
    let start = flags.operands.get(1).cloned();
    let (branch, what, taken) = branch_of(repository, flags, &name, made, start.as_deref())?;
    let id = match &branch {
        Some(branch) => repository.refs.resolve(&bytes!("refs/heads/", branch)),
        None => Some(revision::commit(repository, start.as_deref().unwrap_or(b"HEAD"))?.id),
    };
    let Some(id) = id else {
        return Err(fatal("invalid reference: HEAD"));
    };
    if !flags.has("q") {
        repository.say(bytes!("Preparing worktree (", what, ")"));
    }
    if let (Some(branch), Some(other)) = (&branch, taken) {
        return Err(fatal(bytes!(
            "'",
            branch,
            "' is already used by worktree at '",
            other,
            "'"
        )));
    }
    make_parents(&bytes!(path, "/"))?;
    let path = system::canonicalize(&path).unwrap_or(path);
    let mut own = system::join(&repository.common, &bytes!("worktrees/", name));
    let mut number = 0;
    while system::stat(&own, false).is_ok() {
        number += 1;
        own = system::join(
            &repository.common,
            &bytes!("worktrees/", name, number.to_string()),
        );
    }
    make_parents(&bytes!(own, "/"))?;
    let head = match &branch {
        Some(branch) => bytes!("ref: refs/heads/", branch, "\n"),
        None => format!("{id}\n").into_bytes(),
    };
    write_file(&system::join(&own, b"HEAD"), &head)?;
    write_file(&system::join(&own, b"commondir"), b"../..\n")?;
    write_file(&system::join(&own, b"gitdir"), &bytes!(path, "/.git\n"))?;
    write_file(
        &system::join(&path, b".git"),
        &bytes!("gitdir: ", own, "\n"),
    )?;
    if flags.has("lock") {
        let reason = flags.value("reason").unwrap_or(b"added with --lock");
        write_file(&system::join(&own, b"locked"), &bytes!(reason, "\n"))?;
    }
    if flags.denied("checkout") {
        return Ok(0);
    }
    populate(repository, &path, flags.has("q"))
}

/// The branch that a new work tree has, what is said of it, and which other work tree has it.
type Chosen = (Option<Vec<u8>>, Vec<u8>, Option<Vec<u8>>);

/// The branch that the new work tree has; it is made here where it is new.
fn branch_of(
    repository: &mut Repository,
    flags: &Flags,
    name: &[u8],
    made: Option<Vec<u8>>,
    start: Option<&[u8]>,
) -> Outcome<Chosen> {
    let exists = |repository: &Repository, name: &[u8]| {
        repository
            .refs
            .resolve(&bytes!("refs/heads/", name))
            .is_some()
    };
    if flags.has("d") {
        let commit = revision::commit(repository, start.unwrap_or(b"HEAD"))?;
        return Ok((
            None,
            bytes!("detached HEAD ", repository.short(&commit.id)),
            None,
        ));
    }
    let (branch, is_new) = match (made, start) {
        (Some(made), _) => (made, true),
        (None, Some(start)) if exists(repository, start) => (start.to_vec(), false),
        (None, Some(start)) => {
            let commit = revision::commit(repository, start)?;
            return Ok((
                None,
                bytes!("detached HEAD ", repository.short(&commit.id)),
                None,
            ));
        }
        (None, None) if exists(repository, name) => (name.to_vec(), false),
        (None, None) => (name.to_vec(), true),
    };
    if is_new {
        let start = start.unwrap_or(b"HEAD");
        super::branch::create(repository, &branch, start, flags.has("B"))?;
        return Ok((
            Some(branch.clone()),
            bytes!("new branch '", branch, "'"),
            None,
        ));
    }
    let taken = user(repository, &bytes!("refs/heads/", branch)).filter(|_| !flags.has("f"));
    Ok((
        Some(branch.clone()),
        bytes!("checking out '", branch, "'"),
        taken,
    ))
}

/// Fills a new work tree, by a `reset --hard` in it. The process's working directory is changed meanwhile.
fn populate(repository: &mut Repository, path: &[u8], quiet: bool) -> Outcome<i32> {
    repository.out.flush();
    let here = super::repository::directory()?;
    let enter = |path: &[u8]| {
        let text = String::from_utf8_lossy(path).into_owned();
        std::env::set_current_dir(&text).map_err(|error| file("cannot enter", path, error.into()))
    };
    enter(path)?;
    let mut inner = Repository::discover(&Globals::default())?;
    let mut words = vec![b"--hard".to_vec()];
    if quiet {
        words.push(b"-q".to_vec());
    }
    let outcome = super::reset::reset(&mut inner, &words);
    inner.out.flush();
    enter(&here)?;
    outcome
}

/// `worktree list`: in columns, or with `--porcelain` in paragraphs.
fn list(repository: &mut Repository, flags: &Flags) -> Outcome<i32> {
    let all = trees(repository);
    let width = all.iter().map(|tree| tree.path.len()).max().unwrap_or(0);
    for tree in all {
        let none = super::objects::none();
        let head = tree.head.unwrap_or(none);
        let short = tree.branch.as_deref().map(revision::short_reference);
        if flags.has("porcelain") {
            let branch = tree.branch.as_deref().unwrap_or_default();
            let what = match (tree.bare, branch.is_empty()) {
                (true, _) => b"bare\n".to_vec(),
                (false, true) => bytes!("HEAD ", head.to_string(), "\ndetached\n"),
                (false, false) => bytes!("HEAD ", head.to_string(), "\nbranch ", branch, "\n"),
            };
            repository
                .out
                .put(bytes!("worktree ", tree.path, "\n", what));
            for (word, why) in tree.remarks() {
                let why = if why.is_empty() {
                    why
                } else {
                    bytes!(" ", why)
                };
                repository.out.line(bytes!(word, why));
            }
            repository.out.line("");
            continue;
        }
        let gap = " ".repeat(width - tree.path.len() + 1);
        let what = match (tree.bare, short) {
            (true, _) => b"(bare)".to_vec(),
            (false, Some(branch)) => bytes!(" ", repository.short(&head), " [", branch, "]"),
            (false, None) => bytes!(" ", repository.short(&head), " (detached HEAD)"),
        };
        let mut line = bytes!(tree.path, gap, what);
        for (word, why) in tree.remarks() {
            line.extend(match flags.has("v") && !why.is_empty() {
                true => bytes!("\n\t", word, ": ", why),
                false => bytes!(" ", word),
            });
        }
        repository.out.line(line);
    }
    Ok(0)
}

/// `worktree remove`: by path or by the folder's name; the main one never. Folder and notes go.
fn remove(repository: &mut Repository, flags: &Flags) -> Outcome<i32> {
    let Some(given) = flags.operands.first() else {
        return Err(usage("the work tree is missing"));
    };
    let Some(tree) = named(repository, given)? else {
        return Err(fatal(bytes!("'", given, "' is a main working tree")));
    };
    let forced = flags.values("f").count();
    if let Some(reason) = tree.lock().filter(|_| forced < 2) {
        let reason = match reason.is_empty() {
            true => reason,
            false => bytes!(", lock reason: ", reason),
        };
        return Err(fatal(bytes!(
            "cannot remove a locked working tree",
            reason,
            if reason.is_empty() { ";" } else { "" },
            "\nuse 'remove -f -f' to override or unlock first"
        )));
    }
    if forced == 0 && system::stat(&tree.path, true).is_ok() && !is_clean(&tree)? {
        return Err(fatal(bytes!(
            "'",
            given,
            "' contains modified or untracked files, use --force to delete it"
        )));
    }
    remove_all(&tree.path)?;
    remove_all(&tree.own)?;
    Ok(0)
}

/// The work tree of a path or of a folder's name; none stands for the main one.
fn named(repository: &Repository, given: &[u8]) -> Outcome<Option<Tree>> {
    let wanted = system::canonicalize(given).unwrap_or_else(|_| given.to_vec());
    let given = given.strip_suffix(b"/").unwrap_or(given);
    let mut all = trees(repository).into_iter().enumerate();
    let found = all.find(|(_, tree)| {
        tree.path == wanted || tree.path.rsplit(|&byte| byte == b'/').next() == Some(given)
    });
    match found {
        Some((at, tree)) => Ok(Some(tree).filter(|_| at > 0)),
        None => Err(fatal(bytes!("'", given, "' is not a working tree"))),
    }
}

/// `worktree lock` and `worktree unlock`: whether a work tree may be removed, moved and forgotten.
fn lock(repository: &mut Repository, flags: &Flags, on: bool) -> Outcome<i32> {
    let Some(given) = flags.operands.first() else {
        return Err(usage("the work tree is missing"));
    };
    let Some(tree) = named(repository, given)? else {
        return Err(fatal("The main working tree cannot be locked or unlocked"));
    };
    let path = system::join(&tree.own, b"locked");
    match (tree.lock(), on) {
        (Some(reason), true) if reason.is_empty() => {
            Err(fatal(bytes!("'", given, "' is already locked")))
        }
        (Some(reason), true) => Err(fatal(bytes!(
            "'",
            given,
            "' is already locked, reason: ",
            reason
        ))),
        (None, true) => {
            let reason = flags.value("reason").unwrap_or_default();
            let end = if reason.is_empty() { "" } else { "\n" };
            write_file(&path, &bytes!(reason, end)).map(|()| 0)
        }
        (None, false) => Err(fatal(bytes!("'", given, "' is not locked"))),
        (Some(_), false) => match system::unlink(&path) {
            Ok(()) => Ok(0),
            Err(failure) => Err(file("cannot remove", &path, failure)),
        },
    }
}

/// Whether nothing in a work tree would be lost: nothing is changed, staged, unmerged or untracked.
fn is_clean(tree: &Tree) -> Outcome<bool> {
    let path = &tree.path;
    let globals = Globals {
        bare: false,
        git_dir: Some(tree.own.clone()),
        work_tree: Some(path.clone()),
        settings: Vec::new(),
    };
    let here = super::repository::directory()?;
    let go = |path: &[u8]| std::env::set_current_dir(String::from_utf8_lossy(path).as_ref());
    go(path).map_err(|error| file("cannot enter", path, error.into()))?;
    let status = Repository::discover(&globals).and_then(|inner| {
        let paths = super::pathspec::Pathspec::default();
        let untracked = super::status::Untracked::Folders;
        let state = super::status::Status::new(&inner, &paths, untracked, false, true)?;
        Ok(state.is_clean())
    });
    go(&here).map_err(|error| file("cannot enter", &here, error.into()))?;
    status
}

/// Removes a file, or a folder with all that is in it.
pub fn remove_all(path: &[u8]) -> Outcome {
    let refuse = |failure| file("failed to delete", path, failure);
    match system::stat(path, false) {
        Err(_) => Ok(()),
        Ok(stat) if stat.kind == Kind::Directory => {
            for entry in system::read_directory(path).map_err(refuse)? {
                remove_all(&system::join(path, &entry.name))?;
            }
            system::remove_directory(path).map_err(refuse)
        }
        Ok(_) => system::unlink(path).map_err(refuse),
    }
}

/// Forgets work trees whose folder is gone.
fn prune(repository: &mut Repository, flags: &Flags) -> Outcome<i32> {
    for tree in trees(repository).iter().skip(1) {
        if !tree.is_gone() || tree.lock().is_some() {
            continue;
        }
        if flags.has("v") || flags.has("n") {
            repository.say(bytes!("Removing worktrees/", tree.name(), ": ", GONE));
        }
        if !flags.has("n") {
            remove_all(&tree.own)?;
        }
    }
    Ok(0)
}

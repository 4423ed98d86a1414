//! Changes to submodules: their URLs and branches, and what `git rm` and `git mv` do with them.
//!
//! A submodule's folder and its repository name each other by relative paths, so a work tree can be moved as a whole:
//! `.git` in the folder says `gitdir: …`, `core.worktree` of the repository leads back.

use super::super::config;
use super::super::flags::Flags;
use super::super::index::{Entry, Index};
use super::super::objects::write_file;
use super::super::refs::make_parents;
use super::super::repository::Repository;
use super::super::stop::{Outcome, fatal, file, usage};
use super::list::{self, FILE, Submodule, chosen};
use super::{find, unmapped};
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::system::{self, Kind};

const BRANCH: &[Opt] = &[
    Opt("q", "quiet", Value::No),
    Opt("d", "default", Value::No),
    Opt("b", "branch", Value::Required),
];

/// Where the repository of a submodule is kept: `modules/NAME` of the folder that all work trees share.
pub fn place(repository: &Repository, name: &[u8]) -> Vec<u8> {
    system::join(&repository.common, &bytes!("modules/", name))
}

/// The way from a folder to another absolute path: from `/a/b` to `/a/c/d` it is `../c/d`.
pub(in crate::git) fn relative(from: &[u8], to: &[u8]) -> Vec<u8> {
    let parts = |path: &[u8]| -> Vec<Vec<u8>> {
        let parts = path.split(|&byte| byte == b'/');
        parts
            .filter(|part| !part.is_empty())
            .map(<[u8]>::to_vec)
            .collect()
    };
    let (from, to) = (parts(from), parts(to));
    let same = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let mut way = vec![b"..".to_vec(); from.len() - same];
    way.extend_from_slice(&to[same..]);
    way.join(&b'/')
}

/// Lets a folder of the work tree and its repository name each other.
pub fn connect(own: &[u8], folder: &[u8]) -> Outcome {
    let link = bytes!("gitdir: ", relative(folder, own), "\n");
    write_file(&system::join(folder, b".git"), &link)?;
    let settings = system::join(own, b"config");
    let text = system::read_whole(&settings).unwrap_or_default();
    let way = relative(own, folder);
    let text = config::set(&text, &settings, b"core.worktree", &way, false)?;
    write_file(&settings, &text)
}

/// Moves a folder `.git` to where the repositories of submodules are, connects the two, and gives the new place.
pub fn take_in(repository: &Repository, name: &[u8], folder: &[u8]) -> Outcome<Vec<u8>> {
    let inner = system::join(folder, b".git");
    let own = place(repository, name);
    make_parents(&own)?;
    system::rename(&inner, &own).map_err(|failure| file("could not migrate", &inner, failure))?;
    connect(&own, folder)?;
    Ok(own)
}

/// `absorbgitdirs`: repositories within the work tree move below `.git`.
pub fn absorb(repository: &mut Repository, given: &[Vec<u8>]) -> Outcome<i32> {
    let index = repository.index()?;
    let all = list::read(repository)?;
    for path in chosen(repository, &index, given)? {
        let folder = repository.file(&path)?;
        let inner = system::join(&folder, b".git");
        let is_folder = system::stat(&inner, false).is_ok_and(|stat| stat.kind == Kind::Directory);
        if !is_folder {
            continue;
        }
        let unnamed = || fatal(bytes!("could not lookup name for submodule '", path, "'"));
        let submodule = find(&all, &path).ok_or_else(unnamed)?;
        let own = place(repository, &submodule.name);
        repository.say(bytes!(
            "Migrating git directory of '",
            path,
            "' from\n'",
            inner,
            "' to\n'",
            own,
            "'"
        ));
        take_in(repository, &submodule.name, &folder)?;
    }
    Ok(0)
}

/// The submodule that a command names by its path.
fn named(repository: &Repository, path: &[u8]) -> Outcome<Submodule> {
    let path = repository.path_from_top(path)?;
    let all = list::read(repository)?;
    find(&all, &path).ok_or_else(|| unmapped(&path))
}

/// `set-url PATH URL`: writes `.gitmodules` and then does what `sync` does.
pub fn set_url(repository: &mut Repository, words: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(words, super::STATUS)?;
    let operands = flags.all_paths();
    let [path, url] = operands.as_slice() else {
        return Err(usage(
            "usage: git submodule set-url [--quiet] <path> <newurl>",
        ));
    };
    let submodule = named(repository, path)?;
    let key = list::key(&submodule.name, "url");
    list::edit(repository, |text| {
        config::set(&text, FILE, &key, url, false)
    })?;
    super::sync(repository, std::slice::from_ref(path), &flags, b"")?;
    Ok(0)
}

/// `set-branch`: writes or removes the branch in `.gitmodules`.
pub fn set_branch(repository: &mut Repository, words: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(words, BRANCH)?;
    let operands = flags.all_paths();
    let (branch, default) = (flags.value("b").map(<[u8]>::to_vec), flags.has("d"));
    let ([path], true) = (operands.as_slice(), branch.is_some() != default) else {
        return Err(fatal("--branch or --default required"));
    };
    let submodule = named(repository, path)?;
    let key = list::key(&submodule.name, "branch");
    list::edit(repository, |text| match branch {
        Some(branch) => config::set(&text, FILE, &key, &branch, false),
        None => config::unset(&text, FILE, &key).map(|(text, _)| text),
    })?;
    Ok(0)
}

/// Refuses where `.gitmodules` has changes that are not staged: they would be mixed with others.
fn check_staged(repository: &Repository, index: &Index, message: &str) -> Outcome {
    let Some(entry) = index.get(FILE) else {
        return Ok(());
    };
    match repository.compare(index, FILE, entry)? {
        super::super::worktree::State::Same => Ok(()),
        _ => Err(fatal(message)),
    }
}

/// Takes `.gitmodules` of the work tree into the index.
pub fn stage_file(repository: &Repository, index: &mut Index) -> Outcome {
    if let Some((item, stat)) = repository.item(FILE, true)? {
        index.set(FILE, Entry::seen(item, &stat));
    }
    Ok(())
}

/// `git rm` of submodules: what may be done before anything is removed. Repositories within the work tree are saved
/// to `.git/modules` first.
pub fn before_removal(repository: &mut Repository, index: &Index, paths: &[Vec<u8>]) -> Outcome {
    let message = "please stage your changes to .gitmodules or stash them to proceed";
    check_staged(repository, index, message)?;
    let all = list::read(repository)?;
    for submodule in all.iter().filter(|one| paths.contains(&one.path)) {
        let folder = repository.file(&submodule.path)?;
        let inner = system::join(&folder, b".git");
        if system::stat(&inner, false).is_ok_and(|stat| stat.kind == Kind::Directory) {
            take_in(repository, &submodule.name, &folder)?;
        }
    }
    Ok(())
}

/// The submodules in `paths` are gone: so are their folders and their sections in `.gitmodules`, which is staged.
pub fn removed(repository: &Repository, index: &mut Index, paths: &[Vec<u8>]) -> Outcome {
    let all = list::read(repository)?;
    for path in paths {
        super::super::worktrees::remove_all(&repository.file(path)?)?;
        repository.take_away(path)?;
        let Some(submodule) = find(&all, path) else {
            continue;
        };
        let section = bytes!("submodule.", submodule.name);
        let section = String::from_utf8_lossy(&section).into_owned();
        list::edit(repository, |text| {
            Ok(config::remove_section(&text, &section).unwrap_or(text))
        })?;
    }
    stage_file(repository, index)
}

/// `git mv` of a submodule: whether it may be moved.
pub fn before_move(repository: &Repository, index: &Index) -> Outcome {
    let message = "Please stage your changes to .gitmodules or stash them to proceed";
    check_staged(repository, index, message)
}

/// The submodule `old` is at `new` now: `.gitmodules` says so and is staged, and folder and repository name each
/// other anew.
pub fn moved(repository: &Repository, index: &mut Index, old: &[u8], new: &[u8]) -> Outcome {
    let all = list::read(repository)?;
    let Some(submodule) = find(&all, old) else {
        return Ok(());
    };
    let key = list::key(&submodule.name, "path");
    list::edit(repository, |text| {
        config::set(&text, FILE, &key, new, false)
    })?;
    stage_file(repository, index)?;
    let folder = repository.file(new)?;
    let own = place(repository, &submodule.name);
    let link = system::join(&folder, b".git");
    match system::stat(&link, false) {
        Ok(stat) if stat.kind == Kind::Regular => connect(&own, &folder),
        _ => Ok(()),
    }
}

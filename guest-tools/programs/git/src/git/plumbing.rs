//! Plumbing on the index and on trees, and what counts or checks.

use gix_object::Kind;

use super::flags::Flags;
use super::ignore::Ignored;
use super::index::Entry;
use super::objects::parse_id;
use super::pathspec::Pathspec;
use super::repository::Repository;
use super::stop::{Outcome, error, fatal, file, usage};
use super::tree::Item;
use super::{revision, tree};
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::system;

/// `git write-tree`
pub fn write_tree(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    Flags::read(arguments, &[])?;
    let index = repository.index()?;
    if let Some(path) = index.conflicts().keys().next() {
        return Err(fatal(bytes!(
            path,
            ": unmerged\nerror: write-tree: error building trees"
        )));
    }
    let id = tree::write(&repository.objects, &index.items())?;
    repository.out.put(format!("{id}\n"));
    Ok(0)
}

/// `git read-tree`: the index of one tree.
pub fn read_tree(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = &[Opt("", "empty", Value::No)];
    let flags = Flags::read(arguments, OPTIONS)?;
    let old = repository.index()?;
    let items = match flags.operands.as_slice() {
        [] if flags.has("empty") => tree::Items::new(),
        [name] => repository.items(&revision::resolve(repository, name)?)?,
        _ => return Err(usage("only one tree can be read")),
    };
    repository.save(&super::index::Index::of_tree(&items, &old))?;
    Ok(0)
}

/// `git commit-tree`
pub fn commit_tree(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = &[
        Opt("p", "", Value::Required),
        Opt("m", "", Value::Required),
        Opt("F", "", Value::Required),
    ];
    let flags = Flags::read(arguments, OPTIONS)?;
    let [name] = flags.operands.as_slice() else {
        return Err(usage(
            "usage: git commit-tree <tree> [-p <parent>]... [-m <message>]",
        ));
    };
    let tree = repository
        .objects
        .tree_of(&revision::resolve(repository, name)?)?;
    let mut parents = Vec::new();
    for parent in flags.values("p") {
        parents.push(revision::commit(repository, parent)?.id);
    }
    let texts: Vec<Vec<u8>> = flags.values("m").map(<[u8]>::to_vec).collect();
    let message = if texts.is_empty() {
        let path = flags.value("F").unwrap_or(b"-");
        system::read_whole(path).map_err(|failure| file("could not read", path, failure))?
    } else {
        bytes!(texts.join(b"\n\n".as_slice()), "\n")
    };
    let commit = super::objects::Commit {
        id: super::objects::none(),
        tree,
        parents,
        author: repository.author(None, None)?,
        committer: repository.committer()?,
        message,
    };
    let id = repository.objects.write(Kind::Commit, &commit.content())?;
    repository.out.put(format!("{id}\n"));
    Ok(0)
}

/// `git update-index`, as far as scripts use it.
pub fn update_index(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = &[
        Opt("q", "", Value::No),
        Opt("", "ignore-submodules", Value::No),
        Opt("", "refresh", Value::No),
        Opt("", "really-refresh", Value::No),
        Opt("", "add", Value::No),
        Opt("", "remove", Value::No),
        Opt("", "force-remove", Value::No),
        Opt("", "cacheinfo", Value::Required),
        Opt("", "chmod", Value::Required),
    ];
    let flags = Flags::read(arguments, OPTIONS)?;
    let mut index = repository.index()?;
    let mut status = 0;
    if let Some(info) = flags.value("cacheinfo") {
        let mut parts = info.splitn(3, |&byte| byte == b',');
        let (mode, id, path) = (parts.next(), parts.next(), parts.next());
        let mode =
            mode.and_then(|text| u32::from_str_radix(std::str::from_utf8(text).ok()?, 8).ok());
        let (Some(mode), Some(id), Some(path)) = (mode, id.and_then(parse_id), path) else {
            return Err(error("option 'cacheinfo' expects <mode>,<sha1>,<path>"));
        };
        index.set(path, Entry::new(Item { mode, id }));
    }
    for word in flags.all_paths() {
        let path = repository.path_from_top(&word)?;
        if let Some(mode) = flags.value("chmod") {
            let mode = if mode == b"+x" {
                tree::EXECUTABLE
            } else {
                tree::FILE
            };
            if let Some(entry) = index.get(&path) {
                let id = entry.item.id;
                index.set(&path, Entry::new(Item { mode, id }));
                continue;
            }
        }
        if !index.has(&path) && !flags.has("add") {
            return Err(error(bytes!(
                word,
                ": cannot add to the index - missing --add option?\nfatal: Unable to process path ",
                word
            )));
        }
        match repository
            .item(&path, true)?
            .filter(|_| !flags.has("force-remove"))
        {
            Some((item, stat)) => index.set(&path, Entry::seen(item, &stat)),
            None if flags.has("remove") || flags.has("force-remove") => {
                index.remove(&path);
            }
            None => {
                return Err(error(bytes!(
                    word,
                    ": does not exist and --remove not passed"
                )));
            }
        }
    }
    if flags.has("refresh") || flags.has("really-refresh") {
        let changed = repository.changed(&index, &Pathspec::default())?;
        for path in changed.keys() {
            status = 1;
            if !flags.has("q") {
                repository.out.put(bytes!(path, ": needs update\n"));
            }
        }
    }
    repository.save(&index)?;
    Ok(status)
}

/// `git check-ignore`
pub fn check_ignore(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = &[
        Opt("q", "quiet", Value::No),
        Opt("v", "verbose", Value::No),
        Opt("", "stdin", Value::No),
        Opt("n", "non-matching", Value::No),
        Opt("", "index", Value::No),
    ];
    let flags = Flags::read(arguments, OPTIONS)?;
    let mut words = flags.all_paths();
    if flags.has("stdin") {
        words.extend(
            std::io::stdin()
                .lines()
                .map_while(Result::ok)
                .map(String::into_bytes),
        );
    }
    if words.is_empty() && !flags.has("stdin") {
        return Err(fatal("no path specified"));
    }
    let ignored = Ignored::new(repository)?;
    let index = repository.index()?;
    let mut any = false;
    for word in words {
        let path = repository.path_from_top(&word)?;
        let stat = system::stat(&repository.file(&path)?, false);
        let folder =
            word.ends_with(b"/") || stat.is_ok_and(|stat| stat.kind == system::Kind::Directory);
        let tracked = index.has(&path) && !flags.denied("index");
        let found = if tracked {
            None
        } else {
            ignored.explain(&path, folder)
        };
        let hit = found
            .as_ref()
            .is_some_and(|found| !found.negative || flags.has("v"));
        any |= hit;
        if flags.has("q") {
            continue;
        }
        match found {
            Some(found) if hit && flags.has("v") => {
                let place = format!("{}:{}:{}\t", found.source, found.line, found.pattern);
                repository.out.put(bytes!(place, word, "\n"));
            }
            Some(_) if hit => repository.out.put(bytes!(word, "\n")),
            _ if flags.has("v") && flags.has("n") => repository.out.put(bytes!("::\t", word, "\n")),
            _ => {}
        }
    }
    Ok(i32::from(!any))
}

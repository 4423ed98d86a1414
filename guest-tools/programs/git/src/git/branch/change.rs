//! Branches made, renamed, copied, deleted, and told what they follow.

use super::invalid;
use crate::call::bytes;
use crate::git::flags::Flags;
use crate::git::objects::{Id, Person, write_file};
use crate::git::refs::{Target, is_valid};
use crate::git::repository::Repository;
use crate::git::stop::{Outcome, fatal};
use crate::git::walk::is_ancestor;
use crate::git::{config, revision, worktrees};
use crate::system;

/// Makes a branch at a commit.
pub fn create(repository: &Repository, name: &[u8], start: &[u8], force: bool) -> Outcome<Id> {
    if !is_valid(name) {
        return Err(invalid(name));
    }
    let full = bytes!("refs/heads/", name);
    let exists = repository.refs.resolve(&full).is_some();
    if exists && !force {
        return Err(fatal(bytes!("a branch named '", name, "' already exists")));
    }
    if exists {
        refuse_used(repository, name)?;
    }
    let Some(id) = revision::find(repository, start)? else {
        return Err(fatal(bytes!("not a valid object name: '", start, "'")));
    };
    let id = revision::commit_of(repository, &id)?.id;
    let clash = repository
        .refs
        .list(b"refs/heads/")
        .into_iter()
        .find(|(other, _)| {
            other.starts_with(&bytes!(full, "/")) || full.starts_with(&bytes!(other, "/"))
        });
    if let Some((other, _)) = clash {
        return Err(fatal(bytes!(
            "cannot lock ref '",
            full,
            "': '",
            other,
            "' exists; cannot create '",
            full,
            "'"
        )));
    }
    let why = if exists {
        bytes!("branch: Reset to ", start)
    } else {
        bytes!("branch: Created from ", start)
    };
    let who = identity(repository);
    repository.refs.update(&full, &id, &who, &why)?;
    Ok(id)
}

/// Refuses to move a branch that a work tree uses.
fn refuse_used(repository: &Repository, name: &[u8]) -> Outcome {
    match worktrees::user(repository, &bytes!("refs/heads/", name)) {
        None => Ok(()),
        Some(path) => Err(fatal(bytes!(
            "cannot force update the branch '",
            name,
            "' used by worktree at '",
            path,
            "'"
        ))),
    }
}

/// Who moves references: also where nobody told git a name.
pub fn identity(repository: &Repository) -> Person {
    repository.committer().unwrap_or_else(|_| {
        let identity = system::identity();
        Person {
            name: identity.user.clone().into_bytes(),
            mail: format!("{}@{}", identity.user, identity.hostname).into_bytes(),
            time: system::Time::now().seconds,
            zone: super::super::date::local_zone(system::Time::now().seconds),
        }
    })
}

pub(super) fn delete(
    repository: &mut Repository,
    flags: &Flags,
    names: &[Vec<u8>],
) -> Outcome<i32> {
    if names.is_empty() {
        return Err(fatal("branch name required"));
    }
    let mut status = 0;
    let (folder, kind) = if flags.has("r") {
        ("refs/remotes/", "remote-tracking branch ")
    } else {
        ("refs/heads/", "branch ")
    };
    for name in names {
        let full = bytes!(folder, name);
        let Some(id) = repository.refs.resolve(&full) else {
            repository.say(bytes!("error: ", kind, "'", name, "' not found"));
            status = 1;
            continue;
        };
        let user = worktrees::user(repository, &full);
        if let Some(path) = user.filter(|_| !flags.has("r")) {
            repository.say(bytes!(
                "error: cannot delete branch '",
                name,
                "' used by worktree at '",
                path,
                "'"
            ));
            status = 1;
            continue;
        }
        if !flags.has("D") && !flags.has("f") && !flags.has("r") {
            let upstream = revision::upstream(repository, name)
                .and_then(|upstream| repository.refs.resolve(&upstream));
            let merged = match upstream.or(repository.head()) {
                Some(other) => is_ancestor(repository, &id, &other)?,
                None => false,
            };
            if !merged {
                repository.say(bytes!("error: the branch '", name, "' is not fully merged"));
                repository.say(bytes!(
                    "hint: If you are sure you want to delete it, run 'git branch -D ",
                    name,
                    "'"
                ));
                repository.say(
                    "hint: Disable this message with \"git config advice.forceDeleteBranch false\"",
                );
                status = 1;
                continue;
            }
        }
        repository.refs.delete(&full)?;
        edit_config(repository, |text| {
            let section = format!("branch.{}", String::from_utf8_lossy(name));
            Ok(config::remove_section(&text, &section).unwrap_or(text))
        })?;
        if !flags.has("q") {
            let short = repository.short(&id);
            repository
                .out
                .put(bytes!("Deleted ", kind, name, " (was ", short, ").\n"));
        }
    }
    Ok(status)
}

/// Changes the repository's own settings.
pub fn edit_config(
    repository: &Repository,
    change: impl FnOnce(Vec<u8>) -> Outcome<Vec<u8>>,
) -> Outcome {
    let path = system::join(&repository.common, b"config");
    let text = system::read_whole(&path).unwrap_or_default();
    let new = change(text.clone())?;
    if new != text {
        write_file(&path, &new)?;
    }
    Ok(())
}

fn old_and_new<'a>(
    repository: &Repository,
    names: &'a [Vec<u8>],
) -> Outcome<(Vec<u8>, &'a Vec<u8>)> {
    match names {
        [new] => {
            let old = repository.refs.branch();
            Ok((
                old.ok_or_else(|| fatal("cannot rename the current branch while not on any"))?,
                new,
            ))
        }
        [old, new] => Ok((old.clone(), new)),
        _ => Err(fatal("branch name required")),
    }
}

pub(super) fn rename(
    repository: &mut Repository,
    flags: &Flags,
    names: &[Vec<u8>],
) -> Outcome<i32> {
    let (old, new) = old_and_new(repository, names)?;
    let (old_full, new_full) = (bytes!("refs/heads/", old), bytes!("refs/heads/", new));
    if !is_valid(new) {
        return Err(invalid(new));
    }
    let unborn = repository.refs.resolve(&old_full).is_none();
    if unborn && repository.refs.head().as_deref() != Some(&old_full) {
        return Err(fatal(bytes!("no branch named '", old, "'")));
    }
    let forced = flags.has("M") || flags.has("f");
    if repository.refs.resolve(&new_full).is_some() && old != *new {
        if !forced {
            return Err(fatal(bytes!("a branch named '", new, "' already exists")));
        }
        refuse_used(repository, new)?;
    }
    if unborn {
        repository.refs.set(b"HEAD", &Target::Symbolic(new_full))?;
        return Ok(0);
    }
    if old != *new {
        repository
            .refs
            .rename(&old_full, &new_full, &identity(repository))?;
        worktrees::rename_elsewhere(repository, &old_full, &new_full)?;
        let quoted = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
        let (from, to) = (
            format!("[branch \"{}\"]", quoted(&old)),
            format!("[branch \"{}\"]", quoted(new)),
        );
        edit_config(repository, |text| {
            Ok(String::from_utf8_lossy(&text)
                .replace(&from, &to)
                .into_bytes())
        })?;
    }
    Ok(0)
}

pub(super) fn copy(repository: &mut Repository, flags: &Flags, names: &[Vec<u8>]) -> Outcome<i32> {
    let (old, new) = old_and_new(repository, names)?;
    let full = bytes!("refs/heads/", old);
    if repository.refs.resolve(&full).is_none() {
        return Err(fatal(bytes!("no branch named '", old, "'")));
    }
    let id = create(repository, new, &full, flags.has("C") || flags.has("f"))?;
    if old == *new {
        return Ok(0);
    }
    // History and settings are copied along.
    let new_full = bytes!("refs/heads/", new);
    let refs = &repository.refs;
    refs.keep_history(&new_full, &refs.history(&full))?;
    let why = bytes!("Branch: copied ", full, " to ", new_full);
    refs.log(&new_full, &id, &id, &identity(repository), &why)?;
    let prefix = format!("branch.{}.", String::from_utf8_lossy(&old));
    edit_config(repository, |text| {
        let mut out = text.clone();
        for setting in config::parse(&text, b"config")? {
            let Some(key) = setting.name.strip_prefix(&prefix) else {
                continue;
            };
            let value = setting.value.unwrap_or_else(|| b"true".to_vec());
            let name = bytes!("branch.", new, ".", key);
            out = config::set(&out, b"config", &name, &value, true)?;
        }
        Ok(out)
    })?;
    Ok(0)
}

/// Lets a branch follow another one, or none.
pub fn follow(
    repository: &mut Repository,
    branch: &[u8],
    other: Option<&[u8]>,
    quiet: bool,
) -> Outcome<i32> {
    if repository
        .refs
        .resolve(&bytes!("refs/heads/", branch))
        .is_none()
    {
        return Err(fatal(bytes!("branch '", branch, "' does not exist")));
    }
    let key = |what: &str| bytes!("branch.", branch, ".", what);
    let Some(other) = other else {
        return edit_config(repository, |text| {
            let (text, count) = config::unset(&text, b"config", &key("remote"))?;
            if count == 0 {
                return Err(fatal(bytes!(
                    "branch '",
                    branch,
                    "' has no upstream information"
                )));
            }
            Ok(config::unset(&text, b"config", &key("merge"))?.0)
        })
        .map(|()| 0);
    };
    let Some(full) = revision::reference(repository, other) else {
        return Err(fatal(bytes!(
            "the requested upstream branch '",
            other,
            "' does not exist"
        )));
    };
    let (remote, merge) = match full.strip_prefix(b"refs/remotes/") {
        Some(rest) => {
            let slash = rest
                .iter()
                .position(|&byte| byte == b'/')
                .unwrap_or(rest.len());
            (rest[..slash].to_vec(), bytes!("refs/heads", &rest[slash..]))
        }
        None => (b".".to_vec(), full.clone()),
    };
    edit_config(repository, |text| {
        let text = config::set(&text, b"config", &key("remote"), &remote, false)?;
        config::set(&text, b"config", &key("merge"), &merge, false)
    })?;
    if quiet {
        return Ok(0);
    }
    let short = revision::short_reference(&full).to_vec();
    repository.out.put(bytes!(
        "branch '",
        branch,
        "' set up to track '",
        short,
        "'.\n"
    ));
    Ok(0)
}

//! `git reflog expire` and `delete`: lines of histories that go when they are old.
//!
//! A line goes when it is older than one time, or when it is older than another and tells of commits that the
//! reference does not reach any more. Both are from the command line, `gc.reflogExpire` (90 days) and
//! `gc.reflogExpireUnreachable` (30 days); the stash keeps its lines, which are its entries.

use std::collections::HashSet;

use super::super::flags::Flags;
use super::super::objects::{Id, none};
use super::super::refs::{Moved, Refs, Target};
use super::super::repository::Repository;
use super::super::revision;
use super::super::stop::{Outcome, Stop, error};
use super::super::walk::reachable;
use super::super::worktrees;
use super::Expiry;
use crate::call::bytes;
use crate::options::{Opt, Value};

/// The options of both.
const OPTIONS: &[Opt] = &[
    Opt("", "expire", Value::Required),
    Opt("", "expire-unreachable", Value::Required),
    Opt("", "all", Value::No),
    Opt("", "updateref", Value::No),
    Opt("", "rewrite", Value::No),
    Opt("", "stale-fix", Value::No),
    Opt("", "single-worktree", Value::No),
    Opt("n", "dry-run", Value::No),
    Opt("", "verbose", Value::No),
];

/// When lines of a history go.
#[derive(Clone, Copy)]
pub struct Policy {
    /// Any line; what the settings say where it was not given.
    pub all: Option<Expiry>,
    /// A line about commits that its reference does not reach.
    pub unreachable: Option<Expiry>,
}

impl Policy {
    /// Both times for a reference.
    fn of(self, repository: &Repository, name: &[u8]) -> Outcome<(Expiry, Expiry)> {
        let setting = |key: &str, days: i64| match repository.config.get(key) {
            Some(text) => Expiry::parse(text),
            None if name == b"refs/stash" => Ok(Expiry::NEVER),
            None => Ok(Expiry::days(days)),
        };
        Ok((
            self.all
                .map_or_else(|| setting("gc.reflogexpire", 90), Ok)?,
            self.unreachable
                .map_or_else(|| setting("gc.reflogexpireunreachable", 30), Ok)?,
        ))
    }
}

/// `git reflog expire`: the named histories, or with `--all` those of all work trees. 1 where a name has none.
pub fn expire(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, OPTIONS)?;
    let read = |key: &'static str| flags.value(key).map(Expiry::parse).transpose();
    let policy = Policy {
        all: read("expire")?,
        unreachable: read("expire-unreachable")?,
    };
    if flags.has("all") {
        expire_all(repository, policy, &flags)?;
    }
    let mut status = 0;
    for word in flags.all_paths() {
        let full = revision::reference(repository, &word);
        let Some(name) = full.filter(|name| repository.refs.histories().contains(name)) else {
            repository.say(bytes!("error: ", word, " points nowhere!"));
            status = 1;
            continue;
        };
        let refs = Refs::new(repository.git_dir.clone(), repository.common.clone());
        expire_one(repository, &refs, &name, policy, &flags)?;
    }
    Ok(status)
}

/// Forgets old lines of all histories, as the settings say.
pub fn expire_usual(repository: &mut Repository) -> Outcome {
    let policy = Policy {
        all: None,
        unreachable: None,
    };
    expire_all(repository, policy, &Flags::default())
}

/// All histories, those that work trees share once.
fn expire_all(repository: &mut Repository, policy: Policy, flags: &Flags) -> Outcome {
    for (at, folder) in worktrees::folders(repository).into_iter().enumerate() {
        let refs = Refs::new(folder, repository.common.clone());
        // What all work trees share comes with the first.
        let names = refs.histories().into_iter();
        for name in names.filter(|name| at == 0 || !name.starts_with(b"refs/")) {
            expire_one(repository, &refs, &name, policy, flags)?;
        }
    }
    Ok(())
}

/// One history. What its reference reaches is found only where some line is old enough to ask. `-n` only says.
fn expire_one(
    repository: &mut Repository,
    refs: &Refs,
    name: &[u8],
    policy: Policy,
    flags: &Flags,
) -> Outcome {
    let (all, unreachable) = policy.of(repository, name)?;
    let history = refs.history(name);
    let oldest = history.iter().map(|moved| moved.who.time).min();
    let touched = |expiry: Expiry| oldest.is_some_and(|oldest| expiry.is_over(oldest));
    if !touched(all) && !touched(unreachable) {
        return Ok(());
    }
    let reached = if touched(unreachable) {
        reached(repository, refs, name)?
    } else {
        HashSet::new()
    };
    let known = |id: &Id| id.is_null() || reached.contains(id);
    let goes = |moved: &Moved| {
        let time = moved.who.time;
        all.is_over(time)
            || (unreachable.is_over(time) && !(known(&moved.old) && known(&moved.new)))
    };
    let (gone, kept): (Vec<Moved>, Vec<Moved>) = history.into_iter().partition(goes);
    if flags.has("verbose") {
        for moved in &gone {
            repository.out.put(bytes!("prune ", moved.why, "\n"));
        }
    }
    if flags.has("n") || gone.is_empty() {
        return Ok(());
    }
    put(refs, name, &kept, flags)
}

/// The commits that a reference reaches; for `HEAD` those that any does.
fn reached(repository: &Repository, refs: &Refs, name: &[u8]) -> Outcome<HashSet<Id>> {
    let mut tips: Vec<Id> = refs.resolve(name).into_iter().collect();
    if name == b"HEAD" {
        tips.extend(refs.list(b"refs/").into_iter().map(|(_, id)| id));
    }
    let peeled = tips
        .iter()
        .filter_map(|id| repository.objects.peel(id).ok());
    let commits = peeled.filter(|(_, kind)| *kind == gix_object::Kind::Commit);
    reachable(repository, &commits.map(|(id, _)| id).collect::<Vec<_>>())
}

/// Writes what is left of a history: with `--rewrite` so that each line begins where the one before ends; with
/// `--updateref` the reference goes to where the last line does.
fn put(refs: &Refs, name: &[u8], kept: &[Moved], flags: &Flags) -> Outcome {
    if flags.has("rewrite") {
        refs.set_history(name, kept)?;
    } else {
        refs.keep_history(name, kept)?;
    }
    if let (true, Some(last)) = (flags.has("updateref"), kept.last())
        && !last.new.is_null()
        && matches!(refs.get(name), Some(Target::Object(_)))
    {
        refs.set(name, &Target::Object(last.new))?;
    }
    Ok(())
}

/// An error with git's status for `reflog delete`, 255.
fn refused(message: impl AsRef<[u8]>) -> Stop {
    Stop {
        status: 255,
        ..error(message)
    }
}

/// `git reflog delete REF@{N}…`: lines by their place, the youngest 0.
pub fn delete(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, OPTIONS)?;
    if flags.operands.is_empty() {
        return Err(refused("no reflog specified to delete"));
    }
    for word in &flags.operands {
        let open = word.windows(2).position(|pair| pair == b"@{");
        let Some(open) = open.filter(|_| word.ends_with(b"}")) else {
            return Err(refused(bytes!("not a reflog: ", word)));
        };
        let number: Option<usize> = crate::options::number(&word[open + 2..word.len() - 1]);
        let base: &[u8] = if open == 0 { b"HEAD" } else { &word[..open] };
        let name = revision::reference(repository, base);
        let (Some(number), Some(name)) = (number, name) else {
            return Err(refused(bytes!("no reflog for '", word, "'")));
        };
        let mut history = repository.refs.history(&name);
        if number < history.len() {
            history.remove(history.len() - 1 - number);
        }
        if let Some(first) = history.first_mut().filter(|_| flags.has("rewrite")) {
            first.old = none();
        }
        put(&repository.refs, &name, &history, &flags)?;
    }
    Ok(0)
}

//! `git branch` and `git tag`.

mod change;
mod list;

use super::flags::Flags;
use super::repository::Repository;
use super::revision;
use super::stop::{Outcome, Stop, fatal};
use crate::call::bytes;
use crate::git::ref_rows::{LIMITS, with_commits};
use crate::options::{Opt, Value};
use change::{copy, delete, rename};
use list::list;

pub use change::{create, edit_config, follow, identity};

const BRANCH: &[Opt] = &[
    Opt("v", "verbose", Value::No),
    Opt("q", "quiet", Value::No),
    Opt("a", "all", Value::No),
    Opt("r", "remotes", Value::No),
    Opt("l", "list", Value::No),
    Opt("d", "delete", Value::No),
    Opt("D", "", Value::No),
    Opt("m", "move", Value::No),
    Opt("M", "", Value::No),
    Opt("c", "copy", Value::No),
    Opt("C", "", Value::No),
    Opt("f", "force", Value::No),
    Opt("", "show-current", Value::No),
    Opt("", "contains", Value::Optional),
    Opt("", "no-contains", Value::Optional),
    Opt("", "merged", Value::Optional),
    Opt("", "no-merged", Value::Optional),
    Opt("", "points-at", Value::Required),
    Opt("", "sort", Value::Required),
    Opt("", "format", Value::Required),
    Opt("t", "track", Value::Optional),
    Opt("u", "set-upstream-to", Value::Required),
    Opt("", "unset-upstream", Value::No),
    Opt("", "color", Value::Optional),
    Opt("", "column", Value::Optional),
    Opt("i", "ignore-case", Value::No),
    Opt("", "abbrev", Value::Optional),
];

/// `git branch`
pub fn branch(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(&with_commits(arguments), BRANCH)?;
    let names = flags.all_paths();
    if flags.has("show-current") {
        if let Some(branch) = repository.refs.branch() {
            repository.out.put(bytes!(branch, "\n"));
        }
        return Ok(0);
    }
    if flags.has("d") || flags.has("D") {
        return delete(repository, &flags, &names);
    }
    if flags.has("m") || flags.has("M") {
        return rename(repository, &flags, &names);
    }
    if flags.has("c") || flags.has("C") {
        return copy(repository, &flags, &names);
    }
    if flags.has("u") || flags.has("unset-upstream") {
        let branch = match names.first() {
            Some(name) => name.clone(),
            None => repository
                .refs
                .branch()
                .ok_or_else(|| fatal("HEAD is detached"))?,
        };
        return follow(repository, &branch, flags.value("u"), flags.has("q"));
    }
    let filtered = LIMITS.iter().any(|key| flags.has(key)) || flags.has("points-at");
    if names.is_empty() || flags.has("l") || filtered {
        return list(repository, &flags, &names);
    }
    let start = names.get(1).cloned().unwrap_or_else(|| b"HEAD".to_vec());
    create(repository, &names[0], &start, flags.has("f"))?;
    let tracked = revision::reference(repository, &start);
    let remote = tracked
        .as_deref()
        .is_some_and(|name| name.starts_with(b"refs/remotes/"));
    if (flags.has("t") || remote) && !flags.denied("t") {
        follow(repository, &names[0], Some(&start), flags.has("q"))?;
    }
    Ok(0)
}

/// What is said of a name that no branch may have.
pub fn invalid(name: &[u8]) -> Stop {
    fatal(bytes!(
        "'",
        name,
        "' is not a valid branch name\n\
         hint: See `man git check-ref-format`\n\
         hint: Disable this message with \"git config advice.refSyntax false\""
    ))
}

//! `git pull`.

use super::super::flags::Flags;
use super::super::merge::{self, Merging};
use super::super::repository::Repository;
use super::super::stop::{Outcome, Stop, fatal, usage};
use super::super::walk::is_ancestor;
use super::super::{config, rebase};
use super::fetch::{fetch, joined, merged, settings, specs};
use super::{Remote, default_name, names};
use crate::call::bytes;
use crate::options::{Opt, Value};

const OPTIONS: &[Opt] = &[
    Opt("q", "quiet", Value::No),
    Opt("v", "verbose", Value::No),
    Opt("r", "rebase", Value::Optional),
    Opt("", "ff", Value::No),
    Opt("", "ff-only", Value::No),
    Opt("", "squash", Value::No),
    Opt("", "commit", Value::No),
    Opt("", "edit", Value::No),
    Opt("e", "", Value::No),
    Opt("n", "", Value::No),
    Opt("", "stat", Value::No),
    Opt("s", "strategy", Value::Required),
    Opt("X", "strategy-option", Value::Required),
    Opt("", "allow-unrelated-histories", Value::No),
    Opt("", "autostash", Value::No),
    Opt("", "signoff", Value::No),
    Opt("", "verify", Value::No),
    Opt("", "progress", Value::No),
    Opt("", "all", Value::No),
    Opt("a", "append", Value::No),
    Opt("f", "force", Value::No),
    Opt("t", "tags", Value::No),
    Opt("p", "prune", Value::No),
    Opt("", "depth", Value::Required),
    Opt("", "unshallow", Value::No),
    Opt("", "dry-run", Value::No),
    Opt("", "recurse-submodules", Value::Optional),
    Opt("j", "jobs", Value::Required),
    Opt("4", "ipv4", Value::No),
    Opt("6", "ipv6", Value::No),
];

/// `git pull`
pub fn pull(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, OPTIONS)?;
    for name in ["all", "autostash", "signoff"] {
        if flags.has(name) {
            return Err(usage(format!("option `--{name}' is not supported")));
        }
    }
    repository.root()?;
    if !repository.index()?.conflicts().is_empty() {
        return Err(merge::unmerged("Pulling"));
    }
    if repository.note("MERGE_HEAD").is_some() {
        return Err(Stop {
            status: 128,
            message: b"error: You have not concluded your merge (MERGE_HEAD exists).\n\
                       hint: Please, commit your changes before merging.\n\
                       fatal: Exiting because of unfinished merge."
                .to_vec(),
        });
    }
    let mut operands = flags.all_paths();
    let named = !operands.is_empty();
    let name = match named {
        true => operands.remove(0),
        false => default_name(repository),
    };
    let remote = Remote::find(&repository.config, &name)?;
    if !named && !remote.is_named {
        return Err(nothing_to_merge(repository, None));
    }
    let mut how = settings(&flags)?;
    how.moves_head = true;
    how.action = bytes!("pull", joined(arguments));
    let status = match fetch(repository, &remote, &specs(&operands)?, &how) {
        Err(stop) if stop.status == 128 => return Err(Stop { status: 1, ..stop }),
        outcome => outcome?,
    };
    if status != 0 || how.dry {
        return Ok(status);
    }
    let found = merged(repository);
    let (id, text) = match found.as_slice() {
        [] => return Err(nothing_to_merge(repository, named.then_some(&remote))),
        [(id, text)] => (*id, text.clone()),
        _ => return Err(fatal("Cannot merge multiple branches into one.")),
    };
    // The objects of the fetch are new to what was read of the settings, not to the database.
    let other = super::super::revision::commit_of(repository, &id)?;
    if let Some(head) = repository.head() {
        let forward = is_ancestor(repository, &head, &other.id)?;
        let known = is_ancestor(repository, &other.id, &head)?;
        let rebases = rebases(repository, &flags)?;
        if !forward && !known {
            decided(repository, &flags, rebases)?;
        }
        if rebases == Some(true) && !forward && !flags.has("ff-only") {
            return rebase::onto(repository, &other.id, &how.action, flags.has("q"));
        }
    }
    let into = merge::into(repository);
    let merging = Merging {
        label: other.id.to_string().into_bytes(),
        other,
        action: how.action,
        message: bytes!("Merge ", text, into, "\n"),
    };
    merge::refuse_under_way(repository)?;
    merge::join(repository, &flags, &merging)
}

/// Whether it was said to rebase, or not to.
fn rebases(repository: &Repository, flags: &Flags) -> Outcome<Option<bool>> {
    if flags.denied("r") {
        return Ok(Some(false));
    }
    let branch =
        String::from_utf8_lossy(&repository.refs.branch().unwrap_or_default()).into_owned();
    let setting = || {
        let own = repository.config.get(&format!("branch.{branch}.rebase"));
        own.or_else(|| repository.config.get("pull.rebase"))
    };
    let value = match flags.value("r") {
        Some(b"") => return Ok(Some(true)),
        Some(value) => value,
        None => match setting() {
            Some(value) => value,
            None => return Ok(None),
        },
    };
    match config::is_true(value) {
        Some(truth) => Ok(Some(truth)),
        None => Err(usage(bytes!("rebase mode `", value, "' is not supported"))),
    }
}

/// Refuses to choose between a merge and a rebase where nobody said.
fn decided(repository: &Repository, flags: &Flags, rebases: Option<bool>) -> Outcome {
    let ff = repository.config.text("pull.ff");
    let only = flags.has("ff-only") || (ff.as_deref() == Some("only") && !flags.denied("ff"));
    let said = rebases.is_some() || flags.has("ff") || flags.denied("ff") || ff.is_some();
    if only && rebases.is_none_or(|rebases| !rebases) {
        return Err(merge::diverged());
    }
    if said || flags.has("squash") {
        return Ok(());
    }
    Err(Stop {
        status: 128,
        message: b"hint: You have divergent branches and need to specify how to reconcile them.\n\
            hint: You can do so by running one of the following commands sometime before\n\
            hint: your next pull:\n\
            hint:\n\
            hint:   git config pull.rebase false  # merge\n\
            hint:   git config pull.rebase true   # rebase\n\
            hint:   git config pull.ff only       # fast-forward only\n\
            hint:\n\
            hint: You can replace \"git config\" with \"git config --global\" to set a default\n\
            hint: preference for all repositories. You can also pass --rebase, --no-rebase,\n\
            hint: or --ff-only on the command line to override the configured default per\n\
            hint: invocation.\n\
            fatal: Need to specify how to reconcile divergent branches."
            .to_vec(),
    })
}

fn follows(repository: &Repository, branch: &[u8], remote: &[u8]) -> bool {
    let key = format!("branch.{}.remote", String::from_utf8_lossy(branch));
    repository.config.get(&key) == Some(remote)
}

/// Nothing of what was fetched is to be merged.
fn nothing_to_merge(repository: &Repository, remote: Option<&Remote>) -> Stop {
    let branch = repository.refs.branch();
    let message = match (remote, branch) {
        (_, None) => b"You are not currently on a branch.\n\
            Please specify which branch you want to merge with.\n\
            See git-pull(1) for details.\n\n    git pull <remote> <branch>\n"
            .to_vec(),
        (Some(remote), Some(branch)) if !follows(repository, &branch, &remote.name) => bytes!(
            "You asked to pull from the remote '",
            remote.name,
            "', but did not specify\na branch. Because this is not the default configured remote\n\
             for your current branch, you must specify a branch on the command line."
        ),
        (_, Some(branch)) => {
            let key = format!("branch.{}.merge", String::from_utf8_lossy(&branch));
            match repository.config.get(&key) {
                Some(merge) => bytes!(
                    "Your configuration specifies to merge with the ref '",
                    merge,
                    "'\nfrom the remote, but no such ref was fetched."
                ),
                None => bytes!(
                    "There is no tracking information for the current branch.\n\
                     Please specify which branch you want to merge with.\n\
                     See git-pull(1) for details.\n\n    git pull <remote> <branch>\n\n\
                     If you wish to set tracking information for this branch you can do so \
                     with:\n\n    git branch --set-upstream-to=",
                    match names(&repository.config).as_slice() {
                        [only] => only.clone(),
                        _ => b"<remote>".to_vec(),
                    },
                    "/<branch> ",
                    branch,
                    "\n"
                ),
            }
        }
    };
    Stop { status: 1, message }
}

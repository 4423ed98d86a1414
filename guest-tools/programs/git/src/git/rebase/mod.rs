//! `git rebase` (Documentation/git-rebase): commits made anew on top of another.
//!
//! `plan` finds the commits and the steps, `state` does them one by one, `resume` goes on after a stop. The steps are
//! those of `todo`. What is under way is kept in `.git/rebase-merge` as git keeps it, but for `message-squash`, whose
//! messages are parted by NUL here: a rebase that stopped within a squash should be ended by the same program.
//!
//! Not here: `--rebase-merges`, `--autostash`, `--keep-base`, `--update-refs`, `--empty`; merges are left out of what
//! is made anew, as git does without `--rebase-merges`.

mod plan;
mod resume;
mod state;

use crate::call::bytes;
use crate::git::change;
use crate::git::flags::Flags;
use crate::git::merge::favor;
use crate::git::objects::Id;
use crate::git::pathspec::Pathspec;
use crate::git::repository::Repository;
use crate::git::stop::{Outcome, Stop, fatal, usage};
use crate::git::three_way::Favor;
use crate::git::{diff, revision};
use crate::options::{Opt, Value};
use crate::system;
use plan::Rebase;

/// The folder in `.git` that a rebase which stopped leaves its notes in.
const FOLDER: &str = "rebase-merge";

/// The options that are read.
const OPTIONS: &[Opt] = &[
    Opt("", "onto", Value::Required),
    Opt("", "continue", Value::No),
    Opt("", "skip", Value::No),
    Opt("", "abort", Value::No),
    Opt("", "quit", Value::No),
    Opt("", "show-current-patch", Value::No),
    Opt("i", "interactive", Value::No),
    Opt("x", "exec", Value::Required),
    Opt("", "root", Value::No),
    Opt("r", "rebase-merges", Value::Optional),
    Opt("", "autosquash", Value::No),
    Opt("", "autostash", Value::No),
    Opt("", "keep-base", Value::No),
    Opt("", "update-refs", Value::No),
    Opt("m", "merge", Value::No),
    Opt("f", "force-rebase", Value::No),
    Opt("", "ff", Value::No),
    Opt("q", "quiet", Value::No),
    Opt("v", "verbose", Value::No),
    Opt("n", "stat", Value::No),
    Opt("", "fork-point", Value::No),
    Opt("", "verify", Value::No),
    Opt("", "edit", Value::No),
    Opt("", "reapply-cherry-picks", Value::No),
    Opt("", "empty", Value::Required),
    Opt("s", "strategy", Value::Required),
    Opt("X", "strategy-option", Value::Required),
];

/// `git rebase [UPSTREAM [BRANCH]]`: with BRANCH it is checked out first. UPSTREAM is what the branch follows where
/// it is not named.
pub fn rebase(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, OPTIONS)?;
    repository.root()?;
    for name in ["r", "autostash", "keep-base", "update-refs", "empty"] {
        if flags.has(name) {
            let name = OPTIONS
                .iter()
                .find(|opt| opt.0 == name)
                .map_or(name, |opt| opt.1);
            return Err(usage(format!("option `--{name}' is not supported")));
        }
    }
    let under_way = system::stat(&repository.own(FOLDER), true).is_ok();
    if let Some(verb) = flags.last(&["continue", "skip", "abort", "quit", "show-current-patch"]) {
        if !under_way {
            return Err(fatal("no rebase in progress"));
        }
        return resume::resume(repository, verb);
    }
    if under_way {
        return Err(fatal(bytes!(
            "It seems that there is already a rebase-merge directory, and\n\
             I wonder if you are in the middle of another rebase.  If that is the\n\
             case, please try\n\tgit rebase (--continue | --abort | --skip)\n\
             If that is not the case, please\n\trm -fr \"",
            ".git/rebase-merge",
            "\"\nand run me again.  I am stopping in case you still have something\n\
             valuable there.\n"
        )));
    }
    let mut words = flags.operands.clone();
    let all = flags.has("root");
    let upstream = match words.first() {
        Some(_) if !all => words.remove(0),
        _ if all => Vec::new(),
        _ => usual_upstream(repository)?,
    };
    if let Some(branch) = words.first() {
        check_clean(repository)?;
        crate::git::switch::checkout(repository, &[b"-q".to_vec(), branch.clone()])?;
    }
    let find = |repository: &Repository, word: &[u8]| -> Outcome<Id> {
        match revision::find(repository, word)? {
            Some(id) => Ok(revision::commit_of(repository, &id)?.id),
            None => Err(fatal(bytes!("invalid upstream '", word, "'"))),
        }
    };
    let excluded = if all {
        None
    } else {
        Some(find(repository, &upstream)?)
    };
    let (onto, name) = match (flags.value("onto"), excluded) {
        (Some(word), _) => (revision::commit(repository, word)?.id, word.to_vec()),
        (None, Some(id)) => (id, upstream),
        (None, None) => {
            let root = first_commit(repository)?;
            (root, root.to_string().into_bytes())
        }
    };
    Rebase {
        onto,
        name,
        excluded,
        force: flags.has("f") || flags.denied("ff"),
        quiet: flags.has("q"),
        favor: favor(&flags)?,
        action: b"rebase".to_vec(),
        interactive: flags.has("i"),
        autosquash: flags.has("autosquash")
            || flags.has("i")
                && !flags.denied("autosquash")
                && repository.config.truth("rebase.autosquash", false),
        command: flags.value("x").map(<[u8]>::to_vec),
        verify: !flags.denied("verify"),
    }
    .start(repository)
}

/// Puts the commits of the current branch on top of `upstream`, as `git pull --rebase` does. `action` is what reflogs
/// say in place of `rebase`.
pub fn onto(
    repository: &mut Repository,
    upstream: &Id,
    action: &[u8],
    quiet: bool,
) -> Outcome<i32> {
    Rebase {
        onto: *upstream,
        name: upstream.to_string().into_bytes(),
        excluded: Some(*upstream),
        force: false,
        quiet,
        favor: Favor::None,
        action: action.to_vec(),
        interactive: false,
        autosquash: false,
        command: None,
        verify: true,
    }
    .start(repository)
}

/// The commit without parents that the current one goes back to, along first parents.
fn first_commit(repository: &Repository) -> Outcome<Id> {
    let mut commit = repository.head_commit()?;
    while let Some(parent) = commit.parents.first() {
        commit = repository.objects.commit(parent)?;
    }
    Ok(commit.id)
}

/// What the current branch follows, or git's advice with status 1.
fn usual_upstream(repository: &Repository) -> Outcome<Vec<u8>> {
    let branch = repository.refs.branch();
    let found = branch
        .as_deref()
        .and_then(|branch| revision::upstream(repository, branch));
    found.ok_or_else(|| Stop {
        status: 1,
        message: bytes!(
            "There is no tracking information for the current branch.\n\
             Please specify which branch you want to rebase against.\n\
             See git-rebase(1) for details.\n\n    git rebase '<branch>'\n\n\
             If you wish to set tracking information for this branch you can do so with:\n\n    \
             git branch --set-upstream-to=<remote>/<branch> ",
            branch.unwrap_or_default(),
            "\n"
        ),
    })
}

/// Changes that are not committed would be lost: refuses with status 1.
fn check_clean(repository: &Repository) -> Outcome {
    let index = repository.index()?;
    let unstaged = !diff::unstaged(repository, &index, &Pathspec::default())?.is_empty();
    let staged = !change::between(&repository.head_items()?, &index.items()).is_empty();
    let what = match (unstaged, staged) {
        (true, false) => "error: cannot rebase: You have unstaged changes.",
        (true, true) => {
            "error: cannot rebase: You have unstaged changes.\n\
             error: additionally, your index contains uncommitted changes."
        }
        (false, true) => "error: cannot rebase: Your index contains uncommitted changes.",
        (false, false) => return Ok(()),
    };
    Err(Stop {
        status: 1,
        message: bytes!(what, "\nerror: Please commit or stash them."),
    })
}

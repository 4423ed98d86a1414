//! Why a push is refused, and what git advises then.

use super::super::repository::Repository;
use super::super::stop::{Stop, fatal};
use super::pretty;
use crate::call::bytes;

/// Why a reference is not moved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The other side has what is not here.
    FetchFirst,
    /// Commits of the other side would be lost.
    NotForward,
    /// A tag is there already.
    Exists,
    /// One of both is no commit.
    NeedsForce,
    /// The other side has moved since it was last seen.
    Stale,
    /// Another reference was refused, and all were to go together.
    Atomic,
    /// The other side says so.
    Remote(Vec<u8>),
}

impl Refusal {
    /// What stands in parentheses behind the reference.
    pub fn text(&self) -> Vec<u8> {
        let text = match self {
            Refusal::FetchFirst => "fetch first",
            Refusal::NotForward => "non-fast-forward",
            Refusal::Exists => "already exists",
            Refusal::NeedsForce => "needs force",
            Refusal::Stale => "stale info",
            Refusal::Atomic => "atomic push failed",
            Refusal::Remote(why) => return why.clone(),
        };
        text.as_bytes().to_vec()
    }
}

const ABOUT: &str = "hint: See the 'Note about fast-forwards' in 'git push --help' for details.";

/// Advises what to do about what was refused; the second of each pair says whether it is the current
/// branch.
pub fn hints<'a>(repository: &Repository, refused: impl Iterator<Item = (&'a Refusal, bool)>) {
    let refused: Vec<(&Refusal, bool)> = refused.collect();
    let has = |refusal: Refusal, current: Option<bool>| {
        refused
            .iter()
            .any(|(one, own)| **one == refusal && current.is_none_or(|is| is == *own))
    };
    if !repository.config.truth("advice.pushupdaterejected", true) {
        return;
    }
    let text = if has(Refusal::NotForward, Some(true)) {
        format!(
            "hint: Updates were rejected because the tip of your current branch is behind\n\
             hint: its remote counterpart. If you want to integrate the remote changes,\n\
             hint: use 'git pull' before pushing again.\n{ABOUT}"
        )
    } else if has(Refusal::NotForward, Some(false)) {
        format!(
            "hint: Updates were rejected because a pushed branch tip is behind its remote\n\
             hint: counterpart. If you want to integrate the remote changes, use 'git pull'\n\
             hint: before pushing again.\n{ABOUT}"
        )
    } else if has(Refusal::Exists, None) {
        "hint: Updates were rejected because the tag already exists in the remote.".to_owned()
    } else if has(Refusal::FetchFirst, None) {
        format!(
            "hint: Updates were rejected because the remote contains work that you do not\n\
             hint: have locally. This is usually caused by another repository pushing to\n\
             hint: the same ref. If you want to integrate the remote changes, use\n\
             hint: 'git pull' before pushing again.\n{ABOUT}"
        )
    } else if has(Refusal::NeedsForce, None) {
        "hint: You cannot update a remote ref that points at a non-commit object,\n\
         hint: or update a remote ref to make it point at a non-commit object,\n\
         hint: without using the '--force' option."
            .to_owned()
    } else {
        return;
    };
    repository.say(text);
}

/// There is no remote to push to.
pub fn no_destination() -> Stop {
    fatal(
        "No configured push destination.\n\
         Either specify the URL from the command-line or configure a remote repository using\n\n    \
         git remote add <name> <url>\n\n\
         and then push using the remote name\n\n    git push <name>\n",
    )
}

/// The current branch follows none.
pub fn no_upstream(remote: &[u8], branch: &[u8]) -> Stop {
    fatal(bytes!(
        "The current branch ",
        branch,
        " has no upstream branch.\n\
         To push the current branch and set the remote as upstream, use\n\n    \
         git push --set-upstream ",
        remote,
        " ",
        branch,
        "\n\nTo have this happen automatically for branches without a tracking\n\
         upstream, see 'push.autoSetupRemote' in 'git help config'.\n"
    ))
}

/// The current branch follows one of another name.
pub fn other_upstream(remote: &[u8], merge: &[u8]) -> Stop {
    let other = pretty(merge);
    fatal(bytes!(
        "The upstream branch of your current branch does not match\n\
         the name of your current branch.  To push to the upstream branch\n\
         on the remote, use\n\n    git push ",
        remote,
        " HEAD:",
        other,
        "\n\nTo push to the branch of the same name on the remote, use\n\n    git push ",
        remote,
        " HEAD\n\n\
         To choose either option permanently, see push.default in 'git help config'.\n\n\
         To avoid automatically configuring an upstream branch when its name\n\
         won't match the local branch, see option 'simple' of branch.autoSetupMerge\n\
         in 'git help config'.\n"
    ))
}

/// No branch is checked out.
pub fn not_on_a_branch(remote: &[u8]) -> Stop {
    fatal(bytes!(
        "You are not currently on a branch.\n\
         To push the history leading to the current (detached HEAD)\n\
         state now, use\n\n    git push ",
        remote,
        " HEAD:<name-of-remote-branch>\n"
    ))
}

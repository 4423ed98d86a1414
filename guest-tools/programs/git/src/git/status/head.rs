//! What is said of `HEAD`: its branch, what that follows, and what is under way.

use super::Status;
use super::under_way::{Rebase, bisection};
use crate::call::bytes;
use crate::git::pick::under_way;
use crate::git::repository::Repository;
use crate::git::revision;
use crate::git::stop::Outcome;
use crate::git::walk::ahead_behind;

pub(super) fn detached(repository: &Repository) -> Vec<u8> {
    let switched =
        |moved: &crate::git::refs::Moved| moved.why.starts_with(b"checkout: moving from ");
    match repository.head() {
        Some(id) if repository.refs.history(b"HEAD").iter().any(switched) => {
            bytes!(detached_name(repository, &id), "\n")
        }
        _ => b"Not currently on any branch.\n".to_vec(),
    }
}

/// `HEAD detached at abc1234`
pub fn detached_name(repository: &Repository, head: &crate::git::objects::Id) -> Vec<u8> {
    let history = repository.refs.history(b"HEAD");
    let moved = history
        .iter()
        .rev()
        .find(|moved| moved.why.starts_with(b"checkout: moving from "));
    let Some(moved) = moved else {
        return bytes!("HEAD detached at ", repository.short(head));
    };
    let name = moved
        .why
        .rsplit(|&byte| byte == b' ')
        .next()
        .unwrap_or_default();
    let name = match revision::reference(repository, name) {
        Some(full) if name != b"HEAD" => {
            let folders = [b"refs/tags/".as_slice(), b"refs/remotes/"];
            let mut short = folders
                .iter()
                .filter_map(|folder| full.strip_prefix(*folder));
            short.next().unwrap_or(&full).to_vec()
        }
        _ => repository.short(&moved.new).into_bytes(),
    };
    let place = if *head == moved.new { "at" } else { "from" };
    bytes!("HEAD detached ", place, " ", name)
}

/// How the branch stands to the one that it follows.
pub fn tracking(
    repository: &Repository,
    branch: &[u8],
    head: &crate::git::objects::Id,
) -> Outcome<Vec<u8>> {
    let Some(upstream) = revision::upstream(repository, branch) else {
        return Ok(Vec::new());
    };
    let name = bytes!("'", revision::short_reference(&upstream), "'");
    let Some(other) = repository.refs.resolve(&upstream) else {
        return Ok(bytes!(
            "Your branch is based on ",
            name,
            ", but the upstream is gone.\n  (use \"git branch --unset-upstream\" to fixup)\n\n"
        ));
    };
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    Ok(match ahead_behind(repository, head, &other)? {
        (0, 0) => bytes!("Your branch is up to date with ", name, ".\n\n"),
        (ahead, 0) => bytes!(
            "Your branch is ahead of ",
            name,
            format!(" by {ahead} commit{}.\n", plural(ahead)),
            "  (use \"git push\" to publish your local commits)\n\n"
        ),
        (0, behind) => bytes!(
            "Your branch is behind ",
            name,
            format!(
                " by {behind} commit{}, and can be fast-forwarded.\n",
                plural(behind)
            ),
            "  (use \"git pull\" to update your local branch)\n\n"
        ),
        (ahead, behind) => bytes!(
            "Your branch and ",
            name,
            " have diverged,\n",
            format!("and have {ahead} and {behind} different commits each, respectively.\n"),
            "  (use \"git pull\" if you want to integrate the remote branch with yours)\n\n"
        ),
    })
}

/// What is going on: a merge and the like.
pub(super) fn progress(repository: &Repository, status: &Status, out: &mut Vec<u8>) {
    if let Some(rebase) = Rebase::find(repository) {
        return rebase.progress(repository, status, out);
    }
    if repository.note("MERGE_HEAD").is_some() {
        out.extend_from_slice(if status.conflicts.is_empty() {
            b"All conflicts fixed but you are still merging.\n  (use \"git commit\" to conclude merge)\n\n"
                .as_slice()
        } else {
            b"You have unmerged paths.\n  (fix conflicts and run \"git commit\")\n  \
              (use \"git merge --abort\" to abort the merge)\n\n"
        });
    }
    if repository.note("rebase-apply/applying").is_some() {
        let patch = repository.note("rebase-apply/patch").unwrap_or_default();
        out.extend_from_slice(if patch.is_empty() {
            b"You are in the middle of an am session.\nThe current patch is empty.\n  \
              (use \"git am --skip\" to skip this patch)\n  \
              (use \"git am --allow-empty\" to record this patch as an empty commit)\n  \
              (use \"git am --abort\" to restore the original branch)\n\n"
                .as_slice()
        } else {
            b"You are in the middle of an am session.\n  \
              (fix conflicts and then run \"git am --continue\")\n  \
              (use \"git am --skip\" to skip this patch)\n  \
              (use \"git am --abort\" to restore the original branch)\n\n"
        });
    }
    let noted = |note: &&str| repository.note(note).is_some();
    let left = under_way(repository);
    if let Some(what) = left.filter(|_| !["CHERRY_PICK_HEAD", "REVERT_HEAD"].iter().any(noted)) {
        let name = if what == "revert" {
            "Revert"
        } else {
            "Cherry-pick"
        };
        out.extend(bytes!(
            format!(
                "{name} currently in progress.\n  (run \"git {what} --continue\" to continue)\n"
            ),
            choices(what)
        ));
    }
    for (note, what) in [
        ("CHERRY_PICK_HEAD", "cherry-pick"),
        ("REVERT_HEAD", "revert"),
    ] {
        let id = repository
            .note(note)
            .and_then(|text| crate::git::objects::parse_id(text.trim_ascii()));
        let Some(id) = id else { continue };
        let doing = if what == "revert" {
            "reverting"
        } else {
            "cherry-picking"
        };
        let next = if status.conflicts.is_empty() {
            format!("  (all conflicts fixed: run \"git {what} --continue\")\n")
        } else {
            format!("  (fix conflicts and run \"git {what} --continue\")\n")
        };
        out.extend(bytes!(
            format!(
                "You are currently {doing} commit {}.\n",
                repository.short(&id)
            ),
            next,
            choices(what)
        ));
    }
    bisection(repository, out);
}

/// How to end a pick or revert without its commit.
fn choices(what: &str) -> String {
    format!(
        "  (use \"git {what} --skip\" to skip this patch)\n  \
         (use \"git {what} --abort\" to cancel the {what} operation)\n\n"
    )
}

//! What is said of a rebase or a bisection that is under way.

use super::Status;
use super::head::detached_name;
use crate::call::bytes;
use crate::git::objects::{Id, parse_id};
use crate::git::repository::Repository;

/// A rebase that has stopped.
pub struct Rebase {
    onto: String,
    branch: Option<Vec<u8>>,
}

/// The branch that a note names; none where there was none.
fn branch(repository: &Repository, note: &str) -> Option<Vec<u8>> {
    let text = repository.note(note)?;
    let name = text.trim_ascii();
    if let Some(id) = parse_id(name) {
        return Some(repository.short(&id).into_bytes());
    }
    let short = name.strip_prefix(b"refs/heads/").unwrap_or(name);
    (short != b"detached HEAD").then(|| short.to_vec())
}

impl Rebase {
    /// The one that is under way.
    pub fn find(repository: &Repository) -> Option<Rebase> {
        let onto = repository.note("rebase-merge/onto")?;
        Some(Rebase {
            onto: repository.short(&parse_id(onto.trim_ascii())?),
            branch: branch(repository, "rebase-merge/head-name"),
        })
    }

    /// What stands in place of the branch's name.
    pub(super) fn head(&self) -> Vec<u8> {
        bytes!("interactive rebase in progress; onto ", self.onto, "\n")
    }

    /// What was done, what comes next, and what to do now.
    pub(super) fn progress(&self, repository: &Repository, status: &Status, out: &mut Vec<u8>) {
        let list = |name: &str| steps(repository, &format!("rebase-merge/{name}"));
        let plural = |count: usize| if count == 1 { "" } else { "s" };
        let (done, todo) = (list("done"), list("git-rebase-todo"));
        match done.len() {
            0 => out.extend(b"No commands done.\n"),
            count => {
                let s = plural(count);
                out.extend(bytes!(format!(
                    "Last command{s} done ({count} command{s} done):\n"
                )));
                for step in &done[count.saturating_sub(2)..] {
                    out.extend(bytes!("   ", step, "\n"));
                }
                if count > 2 {
                    out.extend(b"  (see more in file .git/rebase-merge/done)\n");
                }
            }
        }
        match todo.len() {
            0 => out.extend(b"No commands remaining.\n"),
            count => {
                let s = plural(count);
                out.extend(bytes!(format!(
                    "Next command{s} to do ({count} remaining command{s}):\n"
                )));
                for step in todo.iter().take(2) {
                    out.extend(bytes!("   ", step, "\n"));
                }
                out.extend(b"  (use \"git rebase --edit-todo\" to view and edit)\n");
            }
        }
        let place = match &self.branch {
            Some(branch) => bytes!(" branch '", branch, "' on '", self.onto, "'.\n"),
            None => b".\n".to_vec(),
        };
        let (what, hints) = if !status.conflicts.is_empty() {
            (
                "rebasing",
                "  (fix conflicts and then run \"git rebase --continue\")\n  \
                 (use \"git rebase --skip\" to skip this patch)\n  \
                 (use \"git rebase --abort\" to check out the original branch)\n",
            )
        } else if repository.note("MERGE_MSG").is_some() {
            (
                "rebasing",
                "  (all conflicts fixed: run \"git rebase --continue\")\n",
            )
        } else {
            (
                "editing a commit while rebasing",
                "  (use \"git commit --amend\" to amend the current commit)\n  \
                 (use \"git rebase --continue\" once you are satisfied with your changes)\n",
            )
        };
        out.extend(bytes!("You are currently ", what, place, hints, "\n"));
    }
}

/// The commands of a list, their commits' ids short.
fn steps(repository: &Repository, note: &str) -> Vec<Vec<u8>> {
    let text = repository.note(note).unwrap_or_default();
    let short = |line: &[u8]| {
        let mut words: Vec<Vec<u8>> = line
            .splitn(3, |&byte| byte == b' ')
            .map(<[u8]>::to_vec)
            .collect();
        if let Some(word) = words.get_mut(1)
            && let Some(id) = parse_id(word)
        {
            *word = repository.short(&id).into_bytes();
        }
        words.join(&b' ')
    };
    text.split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .filter(|line| !line.is_empty() && !line.starts_with(b"#"))
        .map(short)
        .collect()
}

/// What is said of a bisection.
pub(super) fn bisection(repository: &Repository, out: &mut Vec<u8>) {
    if repository.note("BISECT_START").is_none() {
        return;
    }
    let start = branch(repository, "BISECT_START")
        .map(|branch| bytes!(", started from branch '", branch, "'"));
    out.extend(bytes!(
        "You are currently bisecting",
        start.unwrap_or_default(),
        ".\n  (use \"git bisect reset\" to get back to the original branch)\n\n"
    ));
}

/// What a list of branches shows for a `HEAD` that is on none, where a rebase or a bisection took it off.
pub fn off_branch(repository: &Repository, head: &Id) -> Option<Vec<u8>> {
    if let Some(rebase) = Rebase::find(repository) {
        let name = rebase.branch.unwrap_or_else(|| {
            let whole = detached_name(repository, head);
            let place = whole.rsplit(|&byte| byte == b' ').next();
            bytes!("detached HEAD ", place.unwrap_or_default())
        });
        return Some(bytes!("no branch, rebasing ", name));
    }
    let start = branch(repository, "BISECT_START")?;
    Some(bytes!("no branch, bisect started on ", start))
}

//! The text for people.

use super::head::{detached, progress, tracking};
use super::under_way::Rebase;
use super::{Status, Untracked};
use crate::call::bytes;
use crate::git::change::Change;
use crate::git::quoting::quoted;
use crate::git::repository::Repository;
use crate::git::stop::Outcome;
use crate::git::summary;

/// The text that `git status` prints, and that a commit message is edited with.
pub fn long(
    repository: &Repository,
    status: &Status,
    untracked: Untracked,
    committing: bool,
) -> Outcome<Vec<u8>> {
    let mut out = Vec::new();
    let head = repository.head();
    match repository.refs.branch() {
        Some(branch) => out.extend(bytes!("On branch ", branch, "\n")),
        None => out.extend(match Rebase::find(repository) {
            Some(rebase) => rebase.head(),
            None => detached(repository),
        }),
    }
    if let (Some(head), Some(branch)) = (head, repository.refs.branch()) {
        out.extend(tracking(repository, &branch, &head)?);
    }
    progress(repository, status, &mut out);
    if head.is_none() {
        out.extend_from_slice(if committing {
            b"\nInitial commit\n\n"
        } else {
            b"\nNo commits yet\n\n"
        });
    }
    let combining = ["MERGE_HEAD", "CHERRY_PICK_HEAD"];
    let unstage = if combining.iter().any(|note| repository.note(note).is_some()) {
        ""
    } else if head.is_some() {
        "  (use \"git restore --staged <file>...\" to unstage)\n"
    } else {
        "  (use \"git rm --cached <file>...\" to unstage)\n"
    };
    let here = |path: &[u8]| quoted(&repository.path_from_here(path));
    let section = |out: &mut Vec<u8>, title: &str, hints: &str, lines: Vec<Vec<u8>>| {
        out.extend(bytes!(title, "\n", hints));
        for line in lines {
            out.extend(bytes!("\t", line, "\n"));
        }
        out.push(b'\n');
    };
    let line = |change: &Change| {
        let what = match change.letter() {
            'A' => "new file:   ",
            'D' => "deleted:    ",
            'R' => "renamed:    ",
            'C' => "copied:     ",
            'T' => "typechange: ",
            _ => "modified:   ",
        };
        if change.score.is_some() {
            return bytes!(what, here(change.old_path()), " -> ", here(change.path()));
        }
        bytes!(what, here(change.path()))
    };
    let outside = |change: &Change| {
        let inside = status.submodules.get(change.path());
        let text = inside.map(|inside| inside.text()).unwrap_or_default();
        bytes!(line(change), text)
    };
    if status.has_staged() {
        let lines = status.staged.iter().map(line).collect();
        section(&mut out, "Changes to be committed:", unstage, lines);
    }
    if !status.conflicts.is_empty() {
        let width = 17;
        let lines = status.conflicts.iter().map(|(path, sides)| {
            let what = match sides {
                1 => "both deleted:",
                2 => "added by us:",
                3 => "deleted by them:",
                4 => "added by them:",
                5 => "deleted by us:",
                6 => "both added:",
                _ => "both modified:",
            };
            bytes!(format!("{what:<width$}"), here(path))
        });
        let gone = status
            .conflicts
            .values()
            .any(|sides| *sides != 7 && *sides != 6);
        let both_gone = status.conflicts.values().all(|sides| *sides == 1);
        let resolve = match (gone, both_gone) {
            (false, _) => "  (use \"git add <file>...\" to mark resolution)\n",
            (true, true) => "  (use \"git rm <file>...\" to mark resolution)\n",
            (true, false) => "  (use \"git add/rm <file>...\" as appropriate to mark resolution)\n",
        };
        let hint = format!("{unstage}{resolve}");
        let lines = lines.collect();
        section(&mut out, "Unmerged paths:", &hint, lines);
    }
    if !status.unstaged.is_empty() {
        let gone = status.unstaged.iter().any(|change| change.letter() == 'D');
        let add = if gone { "add/rm" } else { "add" };
        let mut inside = status.submodules.values();
        let content = match inside.any(|inside| inside.modified || inside.untracked) {
            true => "  (commit or discard the untracked or modified content in submodules)\n",
            false => "",
        };
        let hints = format!(
            "  (use \"git {add} <file>...\" to update what will be committed)\n  \
             (use \"git restore <file>...\" to discard changes in working directory)\n{content}"
        );
        let lines = status.unstaged.iter().map(outside).collect();
        section(&mut out, "Changes not staged for commit:", &hints, lines);
    }
    let list = |paths: &[Vec<u8>]| paths.iter().map(|path| here(path)).collect::<Vec<_>>();
    if !status.untracked.is_empty() {
        let hint = "  (use \"git add <file>...\" to include in what will be committed)\n";
        section(&mut out, "Untracked files:", hint, list(&status.untracked));
    }
    if !status.ignored.is_empty() {
        let hint = "  (use \"git add -f <file>...\" to include in what will be committed)\n";
        section(&mut out, "Ignored files:", hint, list(&status.ignored));
    }
    if untracked == Untracked::No && (status.has_staged() || !status.unstaged.is_empty()) {
        out.extend_from_slice(
            b"Untracked files not listed (use -u option to show untracked files)\n",
        );
    }

    out.extend_from_slice(conclusion(repository, status, untracked).as_bytes());
    Ok(out)
}

/// The last line, where nothing is there to commit.
fn conclusion(repository: &Repository, status: &Status, untracked: Untracked) -> &'static str {
    if status.has_staged() || repository.note("MERGE_HEAD").is_some() && status.conflicts.is_empty()
    {
        return "";
    }
    if !status.unstaged.is_empty() || !status.conflicts.is_empty() {
        return "no changes added to commit (use \"git add\" and/or \"git commit -a\")\n";
    }
    if !status.untracked.is_empty() {
        return "nothing added to commit but untracked files present (use \"git add\" to track)\n";
    }
    if repository.head().is_none() {
        return "nothing to commit (create/copy files and use \"git add\" to track)\n";
    }
    if untracked == Untracked::No {
        return "nothing to commit (use -u to show untracked files)\n";
    }
    "nothing to commit, working tree clean\n"
}

/// `[branch abc1234] subject` and what changed: what a commit prints.
pub fn report(
    repository: &Repository,
    commit: &crate::git::objects::Commit,
    extra: &str,
    detailed: bool,
) -> Outcome<Vec<u8>> {
    let branch = repository
        .refs
        .branch()
        .unwrap_or_else(|| b"detached HEAD".to_vec());
    let root = if commit.parents.is_empty() {
        " (root-commit)"
    } else {
        ""
    };
    let mut out = bytes!(
        "[",
        branch,
        root,
        " ",
        repository.short(&commit.id),
        "] ",
        commit.subject(),
        "\n"
    );
    if commit.author.name != commit.committer.name || commit.author.mail != commit.committer.mail {
        out.extend(bytes!(
            " Author: ",
            commit.author.name,
            " <",
            commit.author.mail,
            ">\n"
        ));
    }
    let dates = crate::git::date::DateStyle::default();
    if extra == "date" {
        out.extend(bytes!(" Date: ", dates.show(&commit.author), "\n"));
    }
    if detailed && commit.parents.len() < 2 {
        let old = match commit.parents.first() {
            Some(parent) => repository.objects.commit(parent)?.tree,
            None => crate::git::objects::empty_tree(),
        };
        let (gone, come) = crate::git::tree::differences(&repository.objects, &old, &commit.tree)?;
        let changes = crate::git::change::between(&gone, &come);
        let changes = crate::git::change::find_renames(&repository.objects, changes, 50, false)?;
        let counted = summary::count(&repository.objects, &changes, &Default::default())?;
        if !counted.is_empty() {
            out.extend_from_slice(summary::total(&counted).as_bytes());
        }
        out.extend(summary::news(&changes));
    }
    Ok(out)
}

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
    let mut text = Text {
        repository,
        status,
        out: Vec::new(),
    };
    text.head(committing)?;
    let unstage = text.unstage_hint();
    if status.has_staged() {
        let lines = status.staged.iter().map(|change| text.line(change));
        let lines = lines.collect();
        text.section("Changes to be committed:", unstage, lines);
    }
    if !status.conflicts.is_empty() {
        text.conflicts(unstage);
    }
    if !status.unstaged.is_empty() {
        text.unstaged();
    }
    if !status.untracked.is_empty() {
        let hint = "  (use \"git add <file>...\" to include in what will be committed)\n";
        let lines = text.list(&status.untracked);
        text.section("Untracked files:", hint, lines);
    }
    if !status.ignored.is_empty() {
        let hint = "  (use \"git add -f <file>...\" to include in what will be committed)\n";
        let lines = text.list(&status.ignored);
        text.section("Ignored files:", hint, lines);
    }
    let mut out = text.out;
    if untracked == Untracked::No && (status.has_staged() || !status.unstaged.is_empty()) {
        out.extend_from_slice(
            b"Untracked files not listed (use -u option to show untracked files)\n",
        );
    }
    out.extend_from_slice(conclusion(repository, status, untracked).as_bytes());
    Ok(out)
}

/// The text as it is written.
struct Text<'a> {
    repository: &'a Repository,
    status: &'a Status,
    out: Vec<u8>,
}

impl Text<'_> {
    /// What is checked out, and what is in progress.
    fn head(&mut self, committing: bool) -> Outcome {
        let repository = self.repository;
        let head = repository.head();
        let branch = repository.refs.branch();
        match &branch {
            Some(branch) => self.out.extend(bytes!("On branch ", branch, "\n")),
            None => self.out.extend(match Rebase::find(repository) {
                Some(rebase) => rebase.head(),
                None => detached(repository),
            }),
        }
        if let (Some(head), Some(branch)) = (head, branch) {
            self.out.extend(tracking(repository, &branch, &head)?);
        }
        progress(repository, self.status, &mut self.out);
        if head.is_none() {
            self.out.extend_from_slice(if committing {
                b"\nInitial commit\n\n"
            } else {
                b"\nNo commits yet\n\n"
            });
        }
        Ok(())
    }

    /// How to take back what is staged.
    fn unstage_hint(&self) -> &'static str {
        let mut combining = ["MERGE_HEAD", "CHERRY_PICK_HEAD"].into_iter();
        if combining.any(|note| self.repository.note(note).is_some()) {
            ""
        } else if self.repository.head().is_some() {
            "  (use \"git restore --staged <file>...\" to unstage)\n"
        } else {
            "  (use \"git rm --cached <file>...\" to unstage)\n"
        }
    }

    /// Adds lines with a title, and hints about them.
    fn section(&mut self, title: &str, hints: &str, lines: Vec<Vec<u8>>) {
        self.out.extend(bytes!(title, "\n", hints));
        for line in lines {
            self.out.extend(bytes!("\t", line, "\n"));
        }
        self.out.push(b'\n');
    }

    /// A path as it is shown.
    fn here(&self, path: &[u8]) -> Vec<u8> {
        quoted(&self.repository.path_from_here(path))
    }

    fn list(&self, paths: &[Vec<u8>]) -> Vec<Vec<u8>> {
        paths.iter().map(|path| self.here(path)).collect()
    }

    /// The line of a change.
    fn line(&self, change: &Change) -> Vec<u8> {
        let what = match change.letter() {
            'A' => "new file:   ",
            'D' => "deleted:    ",
            'R' => "renamed:    ",
            'C' => "copied:     ",
            'T' => "typechange: ",
            _ => "modified:   ",
        };
        let path = self.here(change.path());
        if change.score.is_some() {
            return bytes!(what, self.here(change.old_path()), " -> ", path);
        }
        bytes!(what, path)
    }

    /// Adds the files that are in conflict.
    fn conflicts(&mut self, unstage: &str) {
        let width = 17;
        let conflicts = &self.status.conflicts;
        let lines = conflicts.iter().map(|(path, sides)| {
            let what = match sides {
                1 => "both deleted:",
                2 => "added by us:",
                3 => "deleted by them:",
                4 => "added by them:",
                5 => "deleted by us:",
                6 => "both added:",
                _ => "both modified:",
            };
            bytes!(format!("{what:<width$}"), self.here(path))
        });
        let lines = lines.collect();
        let gone = conflicts.values().any(|sides| *sides != 7 && *sides != 6);
        let both_gone = conflicts.values().all(|sides| *sides == 1);
        let resolve = match (gone, both_gone) {
            (false, _) => "  (use \"git add <file>...\" to mark resolution)\n",
            (true, true) => "  (use \"git rm <file>...\" to mark resolution)\n",
            (true, false) => "  (use \"git add/rm <file>...\" as appropriate to mark resolution)\n",
        };
        self.section("Unmerged paths:", &format!("{unstage}{resolve}"), lines);
    }

    /// Adds what differs in the work tree, within submodules too.
    fn unstaged(&mut self) {
        let status = self.status;
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
        let lines = status.unstaged.iter().map(|change| {
            let inside = status.submodules.get(change.path());
            let text = inside.map(|inside| inside.text()).unwrap_or_default();
            bytes!(self.line(change), text)
        });
        let lines = lines.collect();
        self.section("Changes not staged for commit:", &hints, lines);
    }
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

/// A status without the lines that say what to do. `template` also leaves out the last line, which says that there
/// is nothing to commit.
pub fn without_hints(text: &[u8], template: bool) -> Vec<u8> {
    let mut out = Vec::new();
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        if line.starts_with(b"  (") {
            continue;
        }
        let starts = [
            b"nothing to commit".as_slice(),
            b"nothing added to commit",
            b"no changes added to commit",
        ];
        if !starts.iter().any(|start| line.starts_with(start)) {
            out.extend_from_slice(line);
        } else if !template {
            let hint = line.windows(2).position(|pair| pair == b" (");
            out.extend_from_slice(&line[..hint.unwrap_or(line.len() - 1)]);
            out.push(b'\n');
        }
    }
    out
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

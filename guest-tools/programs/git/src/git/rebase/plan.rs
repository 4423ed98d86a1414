//! Which commits a rebase makes anew, in which steps, and where it begins.

use std::collections::HashSet;
use std::rc::Rc;

use super::FOLDER;
use super::check_clean;
use super::state::{State, forget};
use crate::call::bytes;
use crate::git::branch::identity;
use crate::git::change::{self, Side};
use crate::git::hooks::{self, Hook};
use crate::git::move_tree::CHECKOUT;
use crate::git::objects::{Commit, Id, empty_tree, write_file};
use crate::git::patch::{self, Style};
use crate::git::refs::{Target, make_parents};
use crate::git::repository::Repository;
use crate::git::stop::{Outcome, Stop, error};
use crate::git::three_way::Favor;
use crate::git::todo::{self, Step, Verb};
use crate::git::tree;
use crate::git::walk::{Walk, merge_bases};

/// What is to be done.
pub struct Rebase {
    /// The new base.
    pub onto: Id,
    /// As the new base was named.
    pub name: Vec<u8>,
    /// What can be reached from here stays where it is.
    pub excluded: Option<Id>,
    /// Commits that stand where they should are made anew as well (`--no-ff`).
    pub force: bool,
    pub quiet: bool,
    /// How conflicts are decided (`-X`).
    pub favor: Favor,
    /// What reflogs say: `rebase`, or the words of a `pull`.
    pub action: Vec<u8>,
    /// The user edits the steps.
    pub interactive: bool,
    /// Commits `fixup! …` and `squash! …` go behind those that they name.
    pub autosquash: bool,
    /// Runs behind each commit.
    pub command: Option<Vec<u8>>,
    /// Whether `pre-rebase` is asked.
    pub verify: bool,
}

impl Rebase {
    /// Begins: nothing to do says so, otherwise `HEAD` is detached at the new base, with its files, and the steps are
    /// run. Files are moved before `HEAD` is, so a change in the way leaves everything as it was.
    pub fn start(&self, repository: &mut Repository) -> Outcome<i32> {
        check_clean(repository)?;
        let head = repository.head_commit()?;
        self.ask_hook(repository)?;
        let mut commits = self.commits(repository, &head.id)?;
        let branch = repository.refs.head();
        let base = self
            .excluded
            .map(|id| merge_bases(repository, &head.id, &id))
            .transpose()?;
        let asked = self.interactive || self.autosquash || self.command.is_some();
        let stays =
            !asked && base.as_deref() == Some(&[self.onto]) && is_linear(&commits, &self.onto);
        if stays && !self.force {
            let line = match repository.refs.branch() {
                Some(branch) => bytes!("Current branch ", branch, " is up to date.\n"),
                None => b"HEAD is up to date.\n".to_vec(),
            };
            if !self.quiet {
                repository.out.put(line);
            }
            return Ok(0);
        }
        self.skip_known(repository, &head.id, &mut commits)?;
        let Some(steps) = self.steps(repository, &commits)? else {
            return Err(error("nothing to do"));
        };
        let (onto, done) = self.beginning(repository, &steps)?;
        let state = State {
            head_name: branch.unwrap_or_else(|| b"detached HEAD".to_vec()),
            onto: self.onto,
            original: head.id,
            todo: steps,
            done,
            quiet: self.quiet,
            action: self.action.clone(),
            joined: Vec::new(),
        };
        let (old, new) = (repository.items(&head.id)?, repository.items(&onto)?);
        let mut index = repository.index()?;
        let moved = repository.move_tree(&mut index, &old, &new, false, &CHECKOUT);
        moved.map_err(|stop| Stop {
            message: bytes!(stop.message, "\nerror: could not detach HEAD"),
            ..stop
        })?;
        repository.save(&index)?;
        let id = format!("{}\n", head.id);
        write_file(&repository.own("ORIG_HEAD"), id.as_bytes())?;
        let who = identity(repository);
        let why = bytes!(self.action, " (start): checkout ", self.name);
        repository.refs.set(b"HEAD", &Target::Object(onto))?;
        repository.refs.log(b"HEAD", &head.id, &onto, &who, &why)?;
        hooks::after_checkout(repository, Some(head.id), Some(onto), true);
        state.run(repository, self.favor, self.quiet)
    }

    /// Runs `pre-rebase`, which may refuse with status 1.
    fn ask_hook(&self, repository: &mut Repository) -> Outcome {
        let hook = Hook {
            arguments: &[&self.name],
            ..Hook::default()
        };
        if self.verify && hooks::run(repository, "pre-rebase", &hook) != 0 {
            return Err(error("The pre-rebase hook refused to rebase."));
        }
        Ok(())
    }

    /// What is to be done, as the user wants it; none where nothing is.
    fn steps(&self, repository: &mut Repository, commits: &[Commit]) -> Outcome<Option<Vec<Step>>> {
        let picks = commits
            .iter()
            .map(|commit| Step::pick(commit.id, commit.subject()));
        let mut steps: Vec<Step> = picks.collect();
        if self.autosquash {
            steps = todo::autosquash(steps);
        }
        if let Some(command) = &self.command {
            steps = todo::with_command(steps, command);
        }
        if !self.interactive {
            return Ok(Some(steps));
        }
        let path = repository.own(&format!("{FOLDER}/git-rebase-todo"));
        make_parents(&path)?;
        let edited = todo::edit(repository, &steps, &path);
        forget(repository)?;
        let edited = edited?;
        Ok((!edited.is_empty()).then_some(edited))
    }

    /// Where the work begins, and how many steps are done by that: commits that stand where they are to stand need
    /// not be made anew.
    fn beginning(&self, repository: &Repository, steps: &[Step]) -> Outcome<(Id, usize)> {
        let (mut onto, mut done) = (self.onto, 0);
        if self.force || !(self.interactive || self.command.is_some() || self.autosquash) {
            return Ok((onto, done));
        }
        for step in steps {
            let Some(id) = step.id.filter(|_| step.verb == Verb::Pick) else {
                break;
            };
            let stands =
                id == onto || repository.objects.commit(&id)?.parents.first() == Some(&onto);
            if !stands {
                break;
            }
            (onto, done) = (id, done + 1);
        }
        Ok((onto, done))
    }

    /// Leaves out commits whose changes the other side has already, each with a warning. Costs the changes of all
    /// commits on the other side since both parted.
    fn skip_known(&self, repository: &Repository, head: &Id, commits: &mut Vec<Commit>) -> Outcome {
        let Some(excluded) = self.excluded.filter(|_| !commits.is_empty()) else {
            return Ok(());
        };
        let mut there = HashSet::new();
        let mut walk = Walk::new(repository, &[excluded], &[*head])?;
        while let Some(commit) = walk.next()? {
            if commit.parents.len() < 2 {
                there.insert(essence(repository, &commit)?);
            }
        }
        let mut kept = Vec::new();
        let before = commits.len();
        for commit in commits.drain(..) {
            let essence = essence(repository, &commit)?;
            if essence.is_empty() || !there.contains(&essence) {
                kept.push(commit);
                continue;
            }
            let short = repository.short(&commit.id);
            repository.say(format!(
                "warning: skipped previously applied commit {short}"
            ));
        }
        if kept.len() < before {
            repository.say(
                "hint: use --reapply-cherry-picks to include skipped commits\n\
                 hint: Disable this message with \"git config advice.skippedCherryPicks false\"",
            );
        }
        *commits = kept;
        Ok(())
    }

    /// The commits to make anew, the oldest first, children always behind parents. Merges are not among them. O(n²).
    fn commits(&self, repository: &Repository, head: &Id) -> Outcome<Vec<Commit>> {
        let exclude: Vec<Id> = self.excluded.into_iter().collect();
        let mut walk = Walk::new(repository, &[*head], &exclude)?;
        let mut found = Vec::new();
        while let Some(commit) = walk.next()? {
            if commit.parents.len() < 2 {
                found.push(commit);
            }
        }
        // By date a parent may come before its child: children go first whatever their date.
        let mut ordered: Vec<Commit> = Vec::new();
        while !found.is_empty() {
            let is_free = |one: &Commit| found.iter().all(|other| !other.parents.contains(&one.id));
            let at = found.iter().position(is_free).unwrap_or(0);
            ordered.push(found.remove(at));
        }
        ordered.reverse();
        Ok(ordered)
    }
}

/// What a commit changes, but for where in each file: what `git patch-id` hashes. Empty for a commit without changes,
/// which is never skipped.
fn essence(repository: &Repository, commit: &Commit) -> Outcome<Vec<u8>> {
    let objects = &repository.objects;
    let old = match commit.parents.first() {
        Some(parent) => objects.commit(parent)?.tree,
        None => empty_tree(),
    };
    let (gone, come) = tree::differences(objects, &old, &commit.tree)?;
    let mut out = Vec::new();
    for change in change::between(&gone, &come) {
        let content = |side: &Option<Side>| match side {
            Some(side) => side.bytes(objects),
            None => Ok(Rc::from([])),
        };
        let (old, new) = (content(&change.old)?, content(&change.new)?);
        let modes = [&change.old, &change.new].map(|side| side.as_ref().map(|side| side.item.mode));
        out.extend(bytes!(change.path(), format!(" {modes:?}\n")));
        let text = patch::hunks(&old, &new, &Style::default());
        let lines = text.split_inclusive(|&byte| byte == b'\n');
        lines
            .filter(|line| !line.starts_with(b"@@"))
            .for_each(|line| out.extend_from_slice(line));
    }
    Ok(out)
}

/// Whether each commit stands on the one before, and the first on `base`.
fn is_linear(commits: &[Commit], base: &Id) -> bool {
    let bases = std::iter::once(base).chain(commits.iter().map(|commit| &commit.id));
    commits
        .iter()
        .zip(bases)
        .all(|(commit, base)| commit.parents.first() == Some(base))
}

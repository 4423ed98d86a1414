//! `git rebase`: commits of a branch, made anew on top of another.

use std::collections::HashSet;
use std::rc::Rc;

use gix_object::Kind;

use super::branch::identity;
use super::change::{self, Side};
use super::flags::Flags;
use super::merge::favor;
use super::merge_trees::{Settings, trees};
use super::move_tree::{CHECKOUT, MERGE};
use super::objects::{Commit, Id, empty_tree, none, parse_id, write_file};
use super::patch::{self, Style};
use super::pathspec::Pathspec;
use super::refs::{Target, make_parents};
use super::repository::Repository;
use super::reset::hard;
use super::stop::{Outcome, Stop, error, fatal, file, quiet, usage};
use super::three_way::Favor;
use super::todo::{self, Step, Verb};
use super::walk::{Walk, merge_bases};
use super::{commit, diff, revision, tree};
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::system;

/// The folder in `.git` that a rebase which stopped leaves its notes in.
const FOLDER: &str = "rebase-merge";

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

/// `git rebase`
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
        return resume(repository, verb);
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
        super::switch::checkout(repository, &[b"-q".to_vec(), branch.clone()])?;
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
    }
    .start(repository)
}

/// Puts the commits of the current branch on top of `upstream`, as `git pull --rebase` does.
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
    }
    .start(repository)
}

/// The commit without parents that the current one goes back to.
fn first_commit(repository: &Repository) -> Outcome<Id> {
    let mut commit = repository.head_commit()?;
    while let Some(parent) = commit.parents.first() {
        commit = repository.objects.commit(parent)?;
    }
    Ok(commit.id)
}

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

/// Changes that are not committed would be lost.
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

/// What is to be done.
struct Rebase {
    onto: Id,
    /// As the new base was named.
    name: Vec<u8>,
    /// What can be reached from here stays where it is.
    excluded: Option<Id>,
    force: bool,
    quiet: bool,
    favor: Favor,
    action: Vec<u8>,
    /// The user edits the steps.
    interactive: bool,
    autosquash: bool,
    /// Runs behind each commit.
    command: Option<Vec<u8>>,
}

impl Rebase {
    fn start(&self, repository: &mut Repository) -> Outcome<i32> {
        check_clean(repository)?;
        let head = repository.head_commit()?;
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
        repository.move_tree(&mut index, &old, &new, false, &CHECKOUT)?;
        repository.save(&index)?;
        let id = format!("{}\n", head.id);
        write_file(&repository.own("ORIG_HEAD"), id.as_bytes())?;
        let who = identity(repository);
        let why = bytes!(self.action, " (start): checkout ", self.name);
        repository.refs.set(b"HEAD", &Target::Object(onto))?;
        repository.refs.log(b"HEAD", &head.id, &onto, &who, &why)?;
        state.run(repository, self.favor, self.quiet)
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

    /// Where the work begins: commits that stand where they are to stand need not be made anew.
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

    /// Leaves out commits whose changes the other side has already.
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

    /// The commits to make anew, the oldest first.
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

/// What a commit changes, but for where in each file.
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

/// A rebase under way.
struct State {
    /// The branch that is moved at the end.
    head_name: Vec<u8>,
    onto: Id,
    original: Id,
    todo: Vec<Step>,
    /// So many of them are done.
    done: usize,
    action: Vec<u8>,
    quiet: bool,
    /// The messages of commits that are being made one.
    joined: Vec<Vec<u8>>,
}

impl State {
    fn read(repository: &Repository) -> Outcome<State> {
        let note = |name: &str| {
            let text = repository
                .note(&format!("{FOLDER}/{name}"))
                .unwrap_or_default();
            text.trim_ascii_end().to_vec()
        };
        let id = |name: &str| {
            parse_id(&note(name)).ok_or_else(|| fatal(format!("could not read '{FOLDER}/{name}'")))
        };
        let mut text = note("done");
        let done = todo::read(repository, &text)?.len();
        text.extend(bytes!("\n", note("git-rebase-todo")));
        let todo = todo::read(repository, &text)?;
        let joined = note("message-squash");
        let joined = joined
            .split(|&byte| byte == 0)
            .filter(|one| !one.is_empty());
        let action = note("reflog-action");
        Ok(State {
            head_name: note("head-name"),
            onto: id("onto")?,
            original: id("orig-head")?,
            todo,
            done,
            quiet: repository.note(&format!("{FOLDER}/quiet")).is_some(),
            joined: joined.map(<[u8]>::to_vec).collect(),
            action: if action.is_empty() {
                b"rebase".to_vec()
            } else {
                action
            },
        })
    }

    fn save(&self, repository: &Repository) -> Outcome {
        make_parents(&bytes!(repository.own(FOLDER), "/"))?;
        let lines = |steps: &[Step]| -> Vec<u8> {
            let lines = steps.iter().map(|step| step.line(Id::to_string));
            lines.collect::<Vec<_>>().concat()
        };
        let (done, todo) = self.todo.split_at(self.done);
        let line = |text: &dyn std::fmt::Display| format!("{text}\n").into_bytes();
        for (name, text) in [
            ("head-name", bytes!(self.head_name, "\n")),
            ("onto", line(&self.onto)),
            ("orig-head", line(&self.original)),
            ("done", lines(done)),
            ("git-rebase-todo", lines(todo)),
            ("msgnum", line(&self.done)),
            ("end", line(&self.todo.len())),
            ("reflog-action", bytes!(self.action, "\n")),
            ("interactive", Vec::new()),
            ("message-squash", self.joined.join(&0)),
        ] {
            write_file(&repository.own(&format!("{FOLDER}/{name}")), &text)?;
        }
        if self.quiet {
            write_file(&repository.own(&format!("{FOLDER}/quiet")), b"\n")?;
        }
        Ok(())
    }

    /// Makes the commits that are left.
    fn run(mut self, repository: &mut Repository, favor: Favor, quiet: bool) -> Outcome<i32> {
        let quiet = quiet || self.quiet;
        while let Some(step) = self.todo.get(self.done).cloned() {
            self.done += 1;
            if !quiet {
                let text = format!("Rebasing ({}/{})\r", self.done, self.todo.len());
                super::remote::tell(text.as_bytes());
            }
            if let Some(status) = self.step(repository, &step, favor)? {
                return Ok(status);
            }
        }
        self.finish(repository, quiet)
    }

    /// Does one step; the status to end with where the user goes on.
    fn step(
        &mut self,
        repository: &mut Repository,
        step: &Step,
        favor: Favor,
    ) -> Outcome<Option<i32>> {
        let Some(id) = step.id else {
            if step.verb == Verb::Break {
                self.save(repository)?;
                let head = repository.head_commit()?;
                let short = repository.short(&head.id);
                repository.say(bytes!("Stopped at ", short, " (", head.subject(), ")"));
                return Ok(Some(0));
            }
            // A command may commit, so that it must find the rebase under way.
            self.save(repository)?;
            let status = todo::execute(repository, &step.text, self.quiet);
            if status == 0 {
                return Ok(None);
            }
            repository.say(bytes!(
                "warning: execution failed: ",
                step.text,
                "\nYou can fix the problem, and then run\n\n  git rebase --continue\n\n"
            ));
            return Ok(Some(1));
        };
        let commit = repository.objects.commit(&id)?;
        match step.verb {
            Verb::Drop => return Ok(None),
            Verb::Squash | Verb::Fixup => {
                if self.joined.is_empty() {
                    self.joined.push(repository.head_commit()?.message);
                }
                // Only those of `squash` are a part of the message.
                if step.verb == Verb::Squash {
                    self.joined.push(commit.message.clone());
                }
            }
            _ => {}
        }
        if !self.pick(repository, &commit, favor)? {
            return Ok(Some(1));
        }
        match step.verb {
            Verb::Reword => {
                let head = repository.head_commit()?;
                let message = commit::clean(&commit::edit(repository, &head.message)?, true);
                self.amend(repository, &head, head.tree, message, "reword")?;
                let made = repository.head_commit()?;
                let text = super::status::report(repository, &made, "date", true)?;
                repository.out.put(&text);
                repository.out.flush();
            }
            Verb::Edit => {
                self.save(repository)?;
                let head = repository.head_commit()?.id;
                let amend = repository.own(&format!("{FOLDER}/amend"));
                write_file(&amend, format!("{head}\n").as_bytes())?;
                let what = bytes!(repository.short(&id), "...  ", commit.subject());
                repository.say(bytes!(
                    "Stopped at ",
                    what,
                    "\nYou can amend the commit now, with\n\n  git commit --amend \n\n\
                     Once you are satisfied with your changes, run\n\n  git rebase --continue"
                ));
                return Ok(Some(0));
            }
            _ => {}
        }
        Ok(None)
    }

    /// Puts a commit in the place of `HEAD`'s.
    fn amend(
        &self,
        repository: &Repository,
        head: &Commit,
        tree: Id,
        message: Vec<u8>,
        what: &str,
    ) -> Outcome {
        let made = Commit {
            tree,
            message,
            committer: repository.committer()?,
            ..head.clone()
        };
        let id = repository.objects.write(Kind::Commit, &made.content())?;
        self.note(repository, id, what, &made)
    }

    /// Joins what was picked with the commit before; the last of several lets the message be edited.
    fn join(&mut self, repository: &mut Repository, tree: Id) -> Outcome {
        let head = repository.head_commit()?;
        let goes_on = self.todo.get(self.done).is_some_and(Step::joins);
        if goes_on {
            return self.amend(repository, &head, tree, head.message.clone(), "squash");
        }
        let joined = std::mem::take(&mut self.joined);
        let message = match joined.as_slice() {
            [] => head.message.clone(),
            [only] => only.clone(),
            several => {
                let mut text =
                    format!("# This is a combination of {} commits.\n", several.len()).into_bytes();
                for (at, message) in several.iter().enumerate() {
                    let title = match at {
                        0 => "# This is the 1st commit message:\n\n".to_owned(),
                        at => format!("\n# This is the commit message #{}:\n\n", at + 1),
                    };
                    text.extend(bytes!(title, message));
                }
                commit::clean(&commit::edit(repository, &text)?, true)
            }
        };
        self.amend(repository, &head, tree, message, "squash")
    }

    /// Makes one commit anew; false where it is in conflict.
    fn pick(
        &mut self,
        repository: &mut Repository,
        commit: &Commit,
        favor: Favor,
    ) -> Outcome<bool> {
        let joins = self
            .todo
            .get(self.done.wrapping_sub(1))
            .is_some_and(Step::joins);
        let head = repository.head_commit()?;
        // The first commit of all stays where it is.
        if commit.id == head.id && !joins {
            return Ok(true);
        }
        if !joins && commit.parents.first() == Some(&head.id) {
            let mut index = repository.index()?;
            let (old, new) = (repository.items(&head.id)?, repository.items(&commit.id)?);
            repository.move_tree(&mut index, &old, &new, false, &MERGE)?;
            repository.save(&index)?;
            self.note(repository, commit.id, "pick", commit)?;
            return Ok(true);
        }
        let parent = commit.parents.first().copied().unwrap_or_else(empty_tree);
        let label = bytes!(repository.short(&commit.id), " (", commit.subject(), ")");
        let settings = Settings {
            ours: b"HEAD",
            theirs: &label,
            base: None,
            favor,
            renames: true,
        };
        let ours = repository.items(&head.id)?;
        let (base, theirs) = (repository.items(&parent)?, repository.items(&commit.id)?);
        let merged = trees(&repository.objects, &base, &ours, &theirs, &settings)?;
        let mut index = repository.index()?;
        repository.move_tree(&mut index, &ours, &merged.items, false, &MERGE)?;
        merged.mark(&mut index);
        repository.save(&index)?;
        for message in &merged.messages {
            repository.out.put(bytes!(message, "\n"));
        }
        repository.out.flush();
        if !merged.is_clean() {
            self.stop(repository, commit)?;
            return Ok(false);
        }
        let tree = tree::write(&repository.objects, &merged.items)?;
        if joins {
            self.join(repository, tree)?;
            return Ok(true);
        }
        let was_empty = repository.objects.tree_of(&parent)? == commit.tree;
        if tree == head.tree && !was_empty {
            let line = bytes!(
                "dropping ",
                commit.id.to_string(),
                " ",
                commit.subject(),
                " -- patch contents already upstream"
            );
            repository.say(line);
            return Ok(true);
        }
        let made = self.make(repository, commit, tree, head.id, commit.message.clone())?;
        self.note(repository, made, "pick", commit)?;
        Ok(true)
    }

    fn make(
        &self,
        repository: &Repository,
        commit: &Commit,
        tree: Id,
        parent: Id,
        message: Vec<u8>,
    ) -> Outcome<Id> {
        let made = Commit {
            id: none(),
            tree,
            parents: vec![parent],
            author: commit.author.clone(),
            committer: repository.committer()?,
            message,
        };
        repository.objects.write(Kind::Commit, &made.content())
    }

    /// Moves `HEAD` on.
    fn note(&self, repository: &Repository, id: Id, what: &str, commit: &Commit) -> Outcome {
        let why = bytes!(self.action, format!(" ({what}): "), commit.subject());
        repository
            .refs
            .update(b"HEAD", &id, &identity(repository), &why)
    }

    /// Leaves a commit that is in conflict to the user.
    fn stop(&self, repository: &Repository, commit: &Commit) -> Outcome {
        self.save(repository)?;
        let id = format!("{}\n", commit.id).into_bytes();
        write_file(&repository.own(&format!("{FOLDER}/stopped-sha")), &id)?;
        write_file(
            &repository.own(&format!("{FOLDER}/message")),
            &commit.message,
        )?;
        write_file(&repository.own("REBASE_HEAD"), &id)?;
        let mut note = commit.message.clone();
        note.extend_from_slice(b"\n# Conflicts:\n");
        for path in repository.index()?.conflicts().keys() {
            note.extend(bytes!("#\t", path, "\n"));
        }
        write_file(&repository.own("MERGE_MSG"), &note)?;
        let what = bytes!(repository.short(&commit.id), "... ", commit.subject());
        repository.say(bytes!("error: could not apply ", what));
        repository.say(
            "hint: Resolve all conflicts manually, mark them as resolved with\n\
             hint: \"git add/rm <conflicted_files>\", then run \"git rebase --continue\".\n\
             hint: You can instead skip this commit: run \"git rebase --skip\".\n\
             hint: To abort and get back to the state before \"git rebase\", run \"git rebase --abort\".\n\
             hint: Disable this message with \"git config advice.mergeConflict false\"",
        );
        repository.say(bytes!("Could not apply ", what));
        Ok(())
    }

    fn finish(&self, repository: &mut Repository, quiet: bool) -> Outcome<i32> {
        let who = identity(repository);
        let head = repository.head().unwrap_or(self.onto);
        if self.head_name.starts_with(b"refs/") {
            let onto = self.onto.to_string();
            let why = bytes!(self.action, " (finish): ", self.head_name, " onto ", onto);
            repository
                .refs
                .set(&self.head_name, &Target::Object(head))?;
            repository
                .refs
                .log(&self.head_name, &self.original, &head, &who, &why)?;
            repository
                .refs
                .set(b"HEAD", &Target::Symbolic(self.head_name.clone()))?;
            let why = bytes!(self.action, " (finish): returning to ", self.head_name);
            repository.refs.log(b"HEAD", &head, &head, &who, &why)?;
        }
        forget(repository)?;
        if !quiet {
            let name = if self.head_name.starts_with(b"refs/") {
                &self.head_name
            } else {
                &b"detached HEAD".to_vec()
            };
            repository.say(bytes!("Successfully rebased and updated ", name, "."));
        }
        Ok(0)
    }
}

/// `--continue`, `--skip`, `--abort`, `--quit`.
fn resume(repository: &mut Repository, verb: &str) -> Outcome<i32> {
    let mut state = State::read(repository)?;
    let current = repository.note(&format!("{FOLDER}/stopped-sha"));
    let current = current.and_then(|text| parse_id(text.trim_ascii()));
    match verb {
        "quit" => forget(repository).map(|()| 0),
        "show-current-patch" => super::log::show(repository, &[b"REBASE_HEAD".to_vec()]),
        "abort" => {
            hard(repository, &repository.items(&state.original)?)?;
            let who = identity(repository);
            if state.head_name.starts_with(b"refs/") {
                let old = repository.head().unwrap_or_else(none);
                let why = bytes!(state.action, " (abort): returning to ", state.head_name);
                repository
                    .refs
                    .set(b"HEAD", &Target::Symbolic(state.head_name.clone()))?;
                repository
                    .refs
                    .log(b"HEAD", &old, &state.original, &who, &why)?;
            } else {
                let why = bytes!(
                    state.action,
                    " (abort): returning to ",
                    state.original.to_string()
                );
                repository
                    .refs
                    .update(b"HEAD", &state.original, &who, &why)?;
            }
            forget(repository)?;
            Ok(0)
        }
        "skip" => {
            hard(repository, &repository.head_items()?)?;
            repository.forget("MERGE_MSG");
            state.run(repository, Favor::None, false)
        }
        _ => {
            if let Some(id) = current {
                let commit = repository.objects.commit(&id)?;
                conclude(repository, &mut state, &commit)?;
            } else {
                take_edits(repository)?;
            }
            state.run(repository, Favor::None, false)
        }
    }
}

/// Adds what was staged at an `edit` to the commit that it stopped at.
fn take_edits(repository: &mut Repository) -> Outcome {
    let amend = repository.note(&format!("{FOLDER}/amend"));
    repository.forget(&format!("{FOLDER}/amend"));
    let index = repository.index()?;
    if change::between(&repository.head_items()?, &index.items()).is_empty() {
        return Ok(());
    }
    let stopped = amend.and_then(|text| parse_id(text.trim_ascii()));
    if stopped != repository.head() {
        return Err(error(
            "you have staged changes in your working tree\n\
             If these changes are meant to be squashed into the previous commit, run:\n\n  git commit --amend \n\n\
             Otherwise commit them with\n\n  git commit \n\nIn both cases, once you're done, continue with:\n\n  git rebase --continue",
        ));
    }
    commit::commit(repository, &[b"--amend".to_vec(), b"--no-edit".to_vec()])?;
    repository.out.flush();
    Ok(())
}

/// Commits what the user made of a conflict.
fn conclude(repository: &mut Repository, state: &mut State, commit: &Commit) -> Outcome {
    let index = repository.index()?;
    let conflicts = index.conflicts();
    if !conflicts.is_empty() {
        for path in conflicts.keys() {
            repository.out.put(bytes!(path, ": needs merge\n"));
        }
        repository.out.put(
            "You must edit all merge conflicts and then\nmark them as resolved using git add\n",
        );
        return Err(quiet(1));
    }
    if !diff::unstaged(repository, &index, &Pathspec::default())?.is_empty() {
        return Err(error(
            "cannot rebase: You have unstaged changes.\nerror: Please commit or stash them.",
        ));
    }
    let head = repository.head_commit()?;
    let tree = tree::write(&repository.objects, &index.items())?;
    repository.forget(&format!("{FOLDER}/stopped-sha"));
    if tree == head.tree {
        repository.forget("MERGE_MSG");
        return Ok(());
    }
    if state
        .todo
        .get(state.done.wrapping_sub(1))
        .is_some_and(Step::joins)
    {
        repository.forget("MERGE_MSG");
        return state.join(repository, tree);
    }
    let note = repository
        .note("MERGE_MSG")
        .unwrap_or_else(|| commit.message.clone());
    let message = commit::clean(&commit::edit(repository, &note)?, true);
    let id = state.make(repository, commit, tree, head.id, message)?;
    repository.forget("MERGE_MSG");
    state.note(repository, id, "continue", commit)?;
    let made = repository.objects.commit(&id)?;
    let text = super::status::report(repository, &made, "", true)?;
    repository.out.put(&text);
    repository.out.flush();
    Ok(())
}

fn forget(repository: &Repository) -> Outcome {
    let folder = repository.own(FOLDER);
    for entry in system::read_directory(&folder).unwrap_or_default() {
        let path = system::join(&folder, &entry.name);
        system::unlink(&path).map_err(|failure| file("cannot remove", &path, failure))?;
    }
    // A rebase that never stopped left nothing.
    let _ = system::remove_directory(&folder);
    for name in ["REBASE_HEAD", "MERGE_MSG"] {
        repository.forget(name);
    }
    Ok(())
}

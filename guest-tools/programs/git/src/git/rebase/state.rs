//! A rebase under way: its steps, one after the other, and its notes in `.git/rebase-merge`.
//!
//! Each step is a merge of three trees, with the commit's parent as the base, or a fast-forward where the commit
//! stands on `HEAD` already. A stop writes the notes; without one none are written, so a rebase that goes through
//! leaves no trace but reflogs and `ORIG_HEAD`. A step that runs a command writes them too, since the command may
//! look.

use gix_object::Kind;

use super::FOLDER;
use crate::call::bytes;
use crate::git::branch::identity;
use crate::git::merge_trees::{Settings, trees};
use crate::git::move_tree::MERGE;
use crate::git::objects::{Commit, Id, empty_tree, none, parse_id, write_file};
use crate::git::refs::{Target, make_parents};
use crate::git::repository::Repository;
use crate::git::stop::{Outcome, Stop, fatal, file};
use crate::git::three_way::Favor;
use crate::git::todo::{self, Step, Verb};
use crate::git::{commit, editor, tree};
use crate::system;

/// A rebase under way.
pub struct State {
    /// The branch that is moved at the end, by its full name, or `detached HEAD`.
    pub head_name: Vec<u8>,
    /// The new base.
    pub onto: Id,
    /// Where `HEAD` was, for an abort.
    pub original: Id,
    /// All steps, those that are done included.
    pub todo: Vec<Step>,
    /// So many of them are done.
    pub done: usize,
    /// What reflogs say.
    pub action: Vec<u8>,
    pub quiet: bool,
    /// The messages of commits that are being made one.
    pub joined: Vec<Vec<u8>>,
}

impl State {
    /// Reads the notes; fatal where the names of commits are missing.
    pub fn read(repository: &Repository) -> Outcome<State> {
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

    /// Writes the notes.
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

    /// Makes the commits that are left, and then moves the branch. 1 where it stops for a conflict or a failed
    /// command, 0 where it stops as it was told to (`edit`, `break`). Whatever ends it early, it can be continued.
    pub fn run(mut self, repository: &mut Repository, favor: Favor, quiet: bool) -> Outcome<i32> {
        let quiet = quiet || self.quiet;
        while let Some(step) = self.todo.get(self.done).cloned() {
            self.done += 1;
            if !quiet {
                let text = format!("Rebasing ({}/{})\r", self.done, self.todo.len());
                crate::git::remote::tell(text.as_bytes());
            }
            match self.step(repository, &step, favor) {
                Ok(None) => {}
                Ok(Some(status)) => return Ok(status),
                Err(stop) => {
                    self.save(repository)?;
                    return Err(stop);
                }
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
                let edited = editor::edit(repository, &head.message);
                let edited = edited.map_err(|stop| not_applied(repository, &commit, stop));
                if edited.is_err() {
                    self.await_amendment(repository)?;
                }
                let message = commit::clean(&edited?, true);
                self.amend(repository, &head, head.tree, message, "reword")?;
                let made = repository.head_commit()?;
                let text = crate::git::status::report(repository, &made, "date", true)?;
                repository.out.put(&text);
                repository.out.flush();
            }
            Verb::Edit => {
                self.await_amendment(repository)?;
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

    /// Leaves the commit that was made last to the user, who may amend it.
    fn await_amendment(&self, repository: &Repository) -> Outcome {
        self.save(repository)?;
        let head = repository.head_commit()?.id;
        let amend = repository.own(&format!("{FOLDER}/amend"));
        write_file(&amend, format!("{head}\n").as_bytes())
    }

    /// Puts the last step back before the others, since files are in its way.
    fn reschedule(&mut self, stop: Stop) -> Stop {
        let Some(step) = self.todo.get(self.done.wrapping_sub(1)).cloned() else {
            return stop;
        };
        let line = step.line(Id::to_string);
        self.todo.insert(self.done, step);
        Stop {
            status: 1,
            message: bytes!(
                stop.message,
                "\nhint: Could not execute the todo command\nhint:\nhint:     ",
                line,
                "hint:\nhint: It has been rescheduled; To edit the command before continuing, please\n\
                 hint: edit the todo list first:\nhint:\n\
                 hint:     git rebase --edit-todo\nhint:     git rebase --continue"
            ),
        }
    }

    /// Puts a commit in the place of `HEAD`'s, with its author and parents.
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

    /// Joins what was picked with the commit before: `tree` is the whole result. The last of several lets the message
    /// be edited, unless there is but one message, as after `fixup` alone.
    pub fn join(&mut self, repository: &mut Repository, tree: Id) -> Outcome {
        let head = repository.head_commit()?;
        let goes_on = self.todo.get(self.done).is_some_and(Step::joins);
        if goes_on {
            return self.amend(repository, &head, tree, head.message.clone(), "squash");
        }
        let message = match self.joined.as_slice() {
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
                commit::clean(&editor::edit(repository, &text)?, true)
            }
        };
        self.joined.clear();
        self.amend(repository, &head, tree, message, "squash")
    }

    /// Makes one commit anew; false where it is in conflict. One that changes nothing any more is dropped, unless it
    /// was empty from the start.
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
            let moved = repository.move_tree(&mut index, &old, &new, false, &MERGE);
            moved.map_err(|stop| self.reschedule(stop))?;
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
        let moved = repository.move_tree(&mut index, &ours, &merged.items, false, &MERGE);
        moved.map_err(|stop| self.reschedule(stop))?;
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
            if let Err(stop) = self.join(repository, tree) {
                self.await_commit(repository, commit)?;
                return Err(not_applied(repository, commit, stop));
            }
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

    /// Writes a commit with another's author on a parent.
    pub fn make(
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

    /// Moves `HEAD` on; its reflog says `rebase (pick): SUBJECT`.
    pub fn note(&self, repository: &Repository, id: Id, what: &str, commit: &Commit) -> Outcome {
        let why = bytes!(self.action, format!(" ({what}): "), commit.subject());
        repository
            .refs
            .update(b"HEAD", &id, &identity(repository), &why)
    }

    /// Notes the commit that is to be made of what is staged when the rebase goes on.
    fn await_commit(&self, repository: &Repository, commit: &Commit) -> Outcome {
        self.save(repository)?;
        let id = format!("{}\n", commit.id).into_bytes();
        write_file(&repository.own(&format!("{FOLDER}/stopped-sha")), &id)
    }

    /// Leaves a commit that is in conflict to the user.
    fn stop(&self, repository: &Repository, commit: &Commit) -> Outcome {
        self.await_commit(repository, commit)?;
        let id = format!("{}\n", commit.id).into_bytes();
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

/// Says of what ended a step which commit it was.
fn not_applied(repository: &Repository, commit: &Commit, stop: Stop) -> Stop {
    let what = bytes!(repository.short(&commit.id), "... ", commit.subject());
    Stop {
        message: bytes!(stop.message, "\nCould not apply ", what),
        ..stop
    }
}

pub fn forget(repository: &Repository) -> Outcome {
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

//! Running a task: the loop, and what ends it.

mod assignment;
mod builtin;
mod command;
mod definition;
mod elements;
mod evaluation;
mod instruction;
mod leave;
mod loops;
mod prompt;
mod read;
mod redirection;
pub mod replay;
mod resume;
mod signal;
mod syntax_error;
mod unwind;
mod waits;
mod word;

use super::control::{self, Left};
pub(super) use builtin::Undelivered;
pub(super) use loops::innermost;
pub(super) use redirection::is_before_special;
pub(super) use signal::{child_ended, command_ended, controls_jobs, is_fatal, may_exit};
pub(super) use unwind::reveal;

use super::frame::Role;
use super::option::SetOption;
use super::reader::Purpose;
use super::task::Task;
use super::trap::Event;
use super::{Limit, Machine};
use crate::text::Text;

/// Why a task does not simply go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trouble {
    /// The commands that were read together are given up; the message was printed.
    Discard(u8),
    /// The shell ends with this status.
    Exit(u8),
    /// A budget is used up.
    Exceeded(Limit),
    /// The task waits; what for is noted in it.
    Blocked,
    /// A frame that the machine itself waits for has ended.
    NestedEnd,
}

/// The result of what a task does.
pub type Run<T = ()> = Result<T, Trouble>;

/// How far a task came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Progress {
    /// It can go on.
    More,
    /// It waits.
    Blocked,
    /// It ended with this status.
    Ended(u8),
}

impl Machine {
    /// Runs a task for at most `slice` instructions, which are taken from it.
    pub(super) fn run(&mut self, task: &mut Task, slice: &mut u32) -> Progress {
        self.collect_mail(task);
        if task.paused && !self.goes_on(task) {
            return Progress::Blocked;
        }
        self.notice_stop(task);
        if !task.signals.is_empty()
            && let Some(progress) = self.signal_while_waiting(task)
        {
            return progress;
        }
        if let Some(waiting) = task.waiting.take() {
            task.interests.clear();
            if let Err(trouble) = self.resume_waiting(task, waiting)
                && let Some(progress) = self.trouble(task, trouble)
            {
                return progress;
            }
        }
        while *slice > 0 {
            if !task.signals.is_empty() {
                self.signals(task);
                if task.paused {
                    return Progress::Blocked;
                }
            }
            let mut result = self.instructions(task, slice, 0);
            if result.is_ok() && task.frames.is_empty() && task.signals.is_empty() {
                // A signal took all frames away.
                result = Err(Trouble::Exit(task.state.status));
            }
            if let Err(trouble) = result
                && let Some(progress) = self.trouble(task, trouble)
            {
                return progress;
            }
        }
        Progress::More
    }

    /// Keeps in mind what trouble within a builtin or an expansion does once that has returned.
    pub(in crate::machine) fn end_after(&mut self, trouble: Trouble) {
        if let Trouble::Exit(status) = trouble {
            self.ends = Some(status);
        }
        self.gives_up = true;
    }

    /// Acts on trouble; says how far the task came where it cannot go on.
    pub(super) fn trouble(&mut self, task: &mut Task, trouble: Trouble) -> Option<Progress> {
        let speechless = matches!(trouble, Trouble::Blocked | Trouble::Exceeded(Limit::Output));
        if !speechless && !task.output.is_empty() {
            // The redirects that are about to end hold for what was said.
            let _ = self.deliver(task);
        }
        let trouble = match trouble {
            // What the EXIT trap gives up does not change how the shell ends.
            Trouble::Discard(status) if is_of_exit_trap(task) => {
                Trouble::Discard(task.control.ending.status.unwrap_or(status))
            }
            trouble => trouble,
        };
        let gives_up = std::mem::take(&mut self.gives_up);
        if let Some(status) = self.ends.take() {
            if task.state.options.on(SetOption::Errexit) {
                control::keep_all_for_exit_trap(task);
                task.control.ending.left = Left::Nothing;
            }
            return self.exit(task, status);
        }
        if gives_up
            && let Trouble::Discard(status) = trouble
            && !self.give_up(task)
        {
            control::undo_redirects(task, 0);
            task.control.ending.left = Left::Calls;
            return self.exit(task, status);
        }
        match trouble {
            Trouble::Blocked => Some(Progress::Blocked),
            Trouble::NestedEnd => None,
            Trouble::Discard(status) if ends_subshell(task) => self.exit(task, status),
            Trouble::Discard(status) => {
                set_status(task, status);
                self.discard(task);
                None
            }
            Trouble::Exceeded(limit) => {
                self.exceed(task.execution, limit);
                Some(Progress::Ended(1))
            }
            Trouble::Exit(status) => self.exit(task, status),
        }
    }

    /// Takes all frames away up to the one that reads a script; false where there is none.
    #[cold]
    #[inline(never)]
    fn give_up(&mut self, task: &mut Task) -> bool {
        let reads = matches!(
            task.frames.first().map(|frame| &frame.role),
            Some(Role::Reader(_))
        );
        if !reads || task.state.mode == Some(b'c') {
            return false;
        }
        while task.frames.len() > 1 {
            self.pop_frame(task);
        }
        true
    }
}

/// Whether what runs is a text of the EXIT trap itself.
fn is_of_exit_trap(task: &Task) -> bool {
    let reads = |role: &Role| matches!(role, Role::Reader(_) | Role::Nested);
    let innermost = task.frames.iter().rfind(|frame| reads(&frame.role));
    matches!(innermost.map(|frame| &frame.role), Some(Role::Reader(reader))
        if matches!(&reader.purpose, Purpose::Trap(saved) if saved.event == Event::Exit))
}

/// Whether commands that are given up end a subshell: those of `eval`, of a sourced file or a trap.
fn ends_subshell(task: &Task) -> bool {
    let reads = |role: &Role| matches!(role, Role::Reader(_) | Role::Nested);
    let innermost = task.frames.iter().rfind(|frame| reads(&frame.role));
    task.state.subshell_level > 0
        && matches!(
            innermost.map(|frame| &frame.role),
            Some(Role::Reader(reader)) if !matches!(reader.purpose, Purpose::Main)
        )
}

/// Sets `$?` and `$PIPESTATUS` after a simple command.
#[inline]
pub(in crate::machine) fn set_status(task: &mut Task, status: u8) {
    task.state.status = status;
    task.substituted = None;
    if task.state.pipe_status.as_bytes() != [status] {
        task.state.pipe_status = Text::from(&[status]);
    }
}

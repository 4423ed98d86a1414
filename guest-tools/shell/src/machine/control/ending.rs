//! How a shell ends, and what is left for its EXIT trap.

use std::rc::Rc;

use crate::machine::code::{Ended, Op};
use crate::machine::frame::{Block, BlockKind, Frame, Role};
use crate::machine::history_file;
use crate::machine::option::SetOption;
use crate::machine::reader::Purpose;
use crate::machine::run::{Progress, Undelivered, reveal};
use crate::machine::task::{Task, Waiting};
use crate::machine::trap::{self, Action, Event};
use crate::machine::{Limit, Machine};

/// What is left of the calls under way before the EXIT trap runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Left {
    /// Nothing, as by `exit`.
    #[default]
    Nothing,
    /// Their variables, by `set -e`.
    Variables,
    /// They themselves, by an error.
    Calls,
}

/// How far a task is with its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ending {
    /// It ends with this status; the EXIT trap may be running.
    pub status: Option<u8>,
    /// The signal that ends it.
    pub signal: Option<u8>,
    /// What was left of its calls when it ended.
    pub left: Left,
}

impl Machine {
    /// Leaves the calls as far as that is done before the EXIT trap runs.
    fn leave_calls(&mut self, task: &mut Task) {
        let left = match task.state.subshell_level {
            0 => task.control.ending.left,
            _ => Left::Nothing,
        };
        // Sourced files are left anyhow, unless a function is.
        let all = left == Left::Calls || !task.state.calls.in_function();
        while all && task.state.calls.top().is_some() {
            self.end_call(task);
        }
        if left == Left::Variables {
            let calls = task.state.calls.clone();
            while let Some(call) = task.state.calls.pop() {
                reveal(task, call.saved, call.option_offset);
            }
            task.state.calls = calls;
        }
    }

    /// The shell ends: the EXIT trap runs first, and output that is left is delivered.
    pub(in crate::machine) fn exit(&mut self, task: &mut Task, status: u8) -> Option<Progress> {
        let first = task.control.ending.status.is_none();
        let status = match (task.control.ending.status, task.in_trap(Event::Exit)) {
            // The trap came to its end by itself.
            (Some(before), false) => before,
            _ => status,
        };
        task.control.ending.status = Some(status);
        self.leave_calls(task);
        for event in [Event::Debug, Event::Error] {
            // A trap that never came to its end does not run again.
            if task.in_trap(event) {
                Rc::make_mut(&mut task.state.traps).hide(event);
            }
        }
        self.report_times(task, 0);
        if first {
            keep_of_subshell(task);
        }
        self.clear(task);
        if first && let Some(Action::Run(text)) = task.state.traps.get(Event::Exit).cloned() {
            task.state.status = status;
            if self.begin_trap(task, Event::Exit, &text).is_ok() {
                return None;
            }
        }
        if task.state.options.on(SetOption::History) && task.state.subshell_level == 0 {
            let os = self.os.clone();
            history_file::save(&*os, &mut task.state, &mut self.symbols);
        }
        match self.deliver(task) {
            Err(Undelivered::Blocked) => {
                task.waiting = Some(Waiting::LastWords);
                return Some(Progress::Blocked);
            }
            Err(Undelivered::Broken) => {
                task.output.clear();
                task.control.ending.signal = Some(trap::PIPE);
            }
            Err(Undelivered::Exceeded) => {
                self.exceed(task.execution, Limit::Output);
                return Some(Progress::Ended(1));
            }
            Err(Undelivered::Failed) | Ok(()) => {}
        }
        // Whatever its EXIT trap said, a signal ended it.
        let status = task
            .control
            .ending
            .signal
            .map_or(status, |signal| 128 + signal);
        Some(Progress::Ended(status))
    }
}

/// Lets redirects around `exit` hold for the EXIT trap: all of them within a function, else those that
/// no text of `eval`, a sourced file or `-c` encloses.
pub(in crate::machine) fn keep_for_exit_trap(task: &mut Task) {
    if !has_exit_trap(task) {
        return;
    }
    keep_redirects(task, kept(task, task.blocks.len()));
}

/// The same of `set -e`, but after a simple command for those within the innermost call that has
/// redirects of its own.
pub(in crate::machine) fn keep_around_call(task: &mut Task) {
    if !has_exit_trap(task) {
        return;
    }
    let own =
        |block: &Block| matches!(block.kind, BlockKind::Redirects(_)) && block.input.is_none();
    let call = match ended(task) {
        Ended::Simple => task.blocks.iter().rposition(own),
        Ended::Other => None,
    };
    // A text undoes what is around it, even if it is within a call.
    let count = match call {
        None if task.frames.iter().any(is_text) => outside_texts(task),
        _ => kept(task, call.unwrap_or(task.blocks.len())),
    };
    undo_redirects(task, call.unwrap_or(task.blocks.len()));
    keep_redirects(task, count);
}

/// What the command was whose status was just looked at.
fn ended(task: &Task) -> Ended {
    let checked = task.frames.last().and_then(Frame::done);
    match checked {
        Some(Op::Check(ended) | Op::CheckInShell(ended)) => ended,
        _ => Ended::Simple,
    }
}

/// Undoes the redirects of blocks from the one at `first` on.
pub(in crate::machine) fn undo_redirects(task: &mut Task, first: usize) {
    for block in task.blocks[first..].iter_mut().rev() {
        if let BlockKind::Redirects(saved) = &mut block.kind {
            for (number, descriptor) in saved.drain(..).rev() {
                task.state.descriptors.set(number, descriptor);
            }
        }
    }
}

/// How many of the outermost `count` blocks hold for the EXIT trap.
fn kept(task: &Task, count: usize) -> usize {
    let mut around = task
        .frames
        .iter()
        .take_while(|frame| frame.heights.blocks <= count);
    let calls = |frame: &Frame| matches!(frame.role, Role::Function);
    match around.any(calls) {
        true => count,
        false => count.min(outside_texts(task)),
    }
}

/// The same of all redirects, where the shell ends in the midst of a command.
pub(in crate::machine) fn keep_all_for_exit_trap(task: &mut Task) {
    if has_exit_trap(task) {
        keep_redirects(task, task.blocks.len());
    }
}

/// The same of a subshell that ends in the midst of a command: of those that no text in it encloses.
pub(in crate::machine) fn keep_of_subshell(task: &mut Task) {
    let begun = matches!(
        task.frames.first().map(|frame| &frame.role),
        Some(Role::Task)
    );
    if begun && !task.control.around.within_text && has_exit_trap(task) {
        keep_redirects(task, around_texts(task));
    }
}

fn has_exit_trap(task: &Task) -> bool {
    matches!(task.state.traps.get(Event::Exit), Some(Action::Run(_)))
}

/// Lets the redirects of the outermost `count` blocks hold as long as the shell lives.
pub(in crate::machine) fn keep_redirects(task: &mut Task, count: usize) {
    for block in &mut task.blocks[..count] {
        if let BlockKind::Redirects(saved) = &mut block.kind {
            saved.clear();
        }
    }
}

/// Whether a frame reads an `eval` or a sourced file.
fn is_text(frame: &Frame) -> bool {
    matches!(&frame.role, Role::Reader(reader)
        if matches!(reader.purpose, Purpose::Eval(_) | Purpose::Source))
}

/// How many blocks no text encloses.
fn outside_texts(task: &Task) -> usize {
    let reads_file = matches!(
        task.frames.first().map(|frame| &frame.role),
        Some(Role::Reader(_))
    ) && task.state.mode != Some(b'c');
    match reads_file {
        true => around_texts(task),
        false => 0,
    }
}

/// How many blocks enclose all texts that are read within the outermost frame.
fn around_texts(task: &Task) -> usize {
    let mut inner = task.frames.iter().skip(1);
    let text = inner.find(|frame| matches!(frame.role, Role::Reader(_)));
    text.map_or(task.blocks.len(), |frame| frame.heights.blocks)
}

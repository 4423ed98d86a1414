//! Leaving blocks and frames, in order.
//!
//! Whatever ends a command early (`break`, `return`, `exit`, an error) passes through here, so redirects, environments
//! before commands, scopes and traps are undone in the reverse of the order in which they were made. `Heights` say how
//! far the stacks were filled when a block or frame began, and everything above is dropped.

use std::rc::Rc;

use super::set_status;
use super::syntax_error::nothing_ran;
use super::{Run, Trouble};
use crate::machine::Machine;
use crate::machine::code::Origin;
use crate::machine::control::{self, Suppression, expands_words, keep_of_subshell, pass_check};
use crate::machine::frame::{BlockKind, Frame, Role};
use crate::machine::reader::{Input, Purpose, Reader};
use crate::machine::special;
use crate::machine::symbol::{Symbol, known};
use crate::machine::task::Task;
use crate::machine::trap::{Action, Event};
use crate::machine::value::{Attributes, Variable};
use crate::syntax::Parser;
use crate::text::Text;

impl Machine {
    /// Leaves the innermost block.
    pub(in crate::machine) fn leave_block(&mut self, task: &mut Task) {
        let Some(block) = task.blocks.pop() else {
            return;
        };
        task.truncate(block.heights);
        match block.kind {
            BlockKind::Loop(_) => {}
            BlockKind::Redirects(saved) => {
                if !task.output.is_empty() {
                    let _ = self.deliver(task);
                }
                for (number, descriptor) in saved.into_iter().rev() {
                    task.state.descriptors.set(number, descriptor);
                }
            }
            BlockKind::Environment { call: false } => {}
            BlockKind::Environment { call: true } => self.end_call(task),
        }
    }

    /// Ends the innermost call: what it hid comes back.
    pub(in crate::machine) fn end_call(&mut self, task: &mut Task) {
        let Some(mut call) = task.state.calls.pop() else {
            return;
        };
        if call.keeps {
            for (symbol, old) in std::mem::take(&mut call.saved) {
                keep(task, symbol, &old);
                if old.attributes.has(Attributes::TEMPORARY) {
                    keep_around(task, symbol);
                }
            }
        }
        reveal(task, call.saved, call.option_offset);
        if let Some(positional) = call.positional {
            task.state.positional = positional;
        }
        if let Some(options) = call.options {
            task.state.options.restore_set(options);
        }
        for (event, action) in call.traps {
            Rc::make_mut(&mut task.state.traps).put_back(event, action);
        }
        if let Some(last) = call.last_argument {
            task.state.last_argument = last;
        }
    }

    /// Takes the innermost frame away, with its blocks and calls, and what its role put aside comes back.
    pub(in crate::machine) fn pop_frame(&mut self, task: &mut Task) {
        let Some(frame) = task.frames.pop() else {
            return;
        };
        while task.blocks.len() > frame.heights.blocks {
            self.leave_block(task);
        }
        task.truncate(frame.heights);
        match &frame.role {
            Role::Function => {
                task.checked_line = frame.line;
                self.end_call(task);
            }
            Role::Reader(reader) => {
                if let Some(action) = &reader.error_trap {
                    let traps = Rc::make_mut(&mut task.state.traps);
                    traps.set(Event::Error, Some(action.clone()));
                }
                match &reader.purpose {
                    Purpose::Source => {
                        task.checked_line = frame.line;
                        task.command = reader.command.clone();
                        self.end_call(task);
                    }
                    Purpose::Trap(saved) => {
                        task.state.status = saved.status;
                        task.state.pipe_status = saved.pipe_status.clone();
                        task.state.remains = saved.remains;
                        task.reads = saved.reads;
                    }
                    Purpose::Eval(last) => {
                        task.checked_line = frame.line;
                        task.command = reader.command.clone();
                        task.state.last_argument = last.clone();
                    }
                    Purpose::Main => {}
                }
            }
            Role::Task
            | Role::Nested
            | Role::Subscript(_)
            | Role::Replay(_)
            | Role::LastStage(_) => {}
        }
        task.line = frame.line;
        if frame.untrapped && task.traps_errors() {
            pass_check(task);
        }
    }

    /// The code of the innermost frame is at its end: a reader goes on, a function returns, a task ends.
    pub(super) fn end_frame(&mut self, task: &mut Task) -> Run {
        let Some(frame) = task.frames.last_mut() else {
            return Err(Trouble::Exit(task.state.status));
        };
        match &mut frame.role {
            Role::Reader(_) => self.read_command(task),
            Role::Task => {
                if frame.code.origin == Origin::External {
                    Rc::make_mut(&mut task.state.traps).hide(Event::Exit);
                }
                Err(Trouble::Exit(task.state.status))
            }
            Role::Function => {
                // `return`, which comes with an end beyond all, leaves the line where it is.
                if frame.next != usize::MAX {
                    task.line = frame.code.line;
                }
                if self.return_trap(task)? {
                    return Ok(());
                }
                self.pop_frame(task);
                set_status(task, task.state.status);
                Ok(())
            }
            Role::Nested => Err(Trouble::NestedEnd),
            Role::Subscript(_) => self.end_subscript(task),
            Role::Replay(_) => self.end_replay(task),
            Role::LastStage(stages) => {
                let mut stages = std::mem::take(stages);
                stages.push((0, Some(task.state.status)));
                self.pop_frame(task);
                self.leave_block(task);
                let (pids, statuses) = stages.into_iter().unzip();
                self.wait_for_tasks(task, pids, statuses, None)
            }
        }
    }

    /// `return`: ends the innermost function or sourced file, after its RETURN trap. Without one the shell ends.
    pub(super) fn return_with(&mut self, task: &mut Task, status: u8) -> Run {
        let returns = |role: &Role| match role {
            Role::Function => true,
            Role::Reader(reader) => matches!(reader.purpose, Purpose::Source),
            _ => false,
        };
        let Some(at) = task.frames.iter().rposition(|frame| returns(&frame.role)) else {
            return Err(Trouble::Exit(control::turned(task, status)));
        };
        while task.frames.len() > at + 1 {
            self.pop_frame(task);
        }
        let before = task.state.status;
        set_status(task, status);
        if self.return_trap(task)? {
            // The trap sees the status before `return`.
            task.state.status = before;
            return Ok(());
        }
        self.pop_frame(task);
        Ok(())
    }

    /// Whether the RETURN trap is yet to run for the innermost frame.
    pub(super) fn traps_return(&self, task: &Task) -> bool {
        let runs = matches!(task.state.traps.get(Event::Return), Some(Action::Run(_)));
        let in_trap = task.in_trap(Event::Return) || task.in_trap(Event::Debug);
        runs && !in_trap && task.frames.last().is_some_and(|frame| !frame.returned)
    }

    /// Runs the RETURN trap once before the innermost function or sourced file ends; true where it
    /// was begun.
    pub(super) fn return_trap(&mut self, task: &mut Task) -> Run<bool> {
        let Some(Action::Run(text)) = task.state.traps.get(Event::Return) else {
            return Ok(false);
        };
        let text = text.clone();
        if !self.traps_return(task) {
            return Ok(false);
        }
        let Some(frame) = task.frames.last_mut() else {
            return Ok(false);
        };
        frame.returned = true;
        if !nothing_ran(frame) {
            frame.next = usize::MAX;
        }
        if let Role::Reader(reader) = &mut frame.role {
            reader.input = Input::Text(Parser::new(b"", crate::syntax::Options::default()));
        }
        self.begin_trap(task, Event::Return, &text)?;
        Ok(true)
    }

    /// Gives up the commands that were read together and goes on with the next.
    pub(super) fn discard(&mut self, task: &mut Task) {
        let reads = |role: &Role| matches!(role, Role::Reader(_) | Role::Nested);
        let Some(at) = task.frames.iter().rposition(|frame| reads(&frame.role)) else {
            // A subshell ends.
            keep_of_subshell(task);
            self.report_times(task, 0);
            let status = control::turned(task, task.state.status);
            self.clear(task);
            task.push_frame(Rc::default(), Role::Task);
            task.state.status = status;
            return;
        };
        self.report_times(task, task.frames[at].heights.timers);
        let given_up = task.loops_within(at);
        let unchecked = task.state.mode == Some(b'c') && task.suppressed() && expands_words(task);
        // Calls that are given up leave `$_` alone.
        let last = task.state.last_argument.clone();
        while task.frames.len() > at + 1 {
            self.pop_frame(task);
        }
        task.state.last_argument = last;
        let line = task.line;
        let Some(frame) = task.frames.last_mut() else {
            return;
        };
        if let Role::Reader(reader) = &mut frame.role {
            reader.given_up += given_up;
            reader.unchecked |= unchecked;
            if let Input::Text(parser) = &mut reader.input {
                // bash counts on from where it gave up.
                parser.go_back_to(line);
            }
        }
        frame.code = Rc::default();
        // A command was there.
        frame.next = 1;
        frame.suppression = Suppression::new(frame.suppression.is_active());
        let heights = frame.heights;
        while task.blocks.len() > heights.blocks {
            self.leave_block(task);
        }
        task.truncate(heights);
    }

    /// Takes all frames and blocks away; variables of running functions stay.
    pub(in crate::machine) fn clear(&mut self, task: &mut Task) {
        control::undo_redirects(task, 0);
        task.blocks.clear();
        let text = |frame: &Frame| match &frame.role {
            Role::Reader(reader) => match reader.purpose {
                Purpose::Eval(_) | Purpose::Source => Some(reader.command.clone()),
                Purpose::Main | Purpose::Trap(_) => None,
            },
            _ => None,
        };
        if let Some(command) = task.frames.iter().find_map(text) {
            task.command = command;
        }
        task.frames.clear();
        task.truncate(crate::machine::frame::Heights::default());
        task.array_arguments.clear();
    }

    /// Runs the commands of a trap.
    pub(in crate::machine) fn begin_trap(
        &mut self,
        task: &mut Task,
        event: Event,
        text: &Text,
    ) -> Run {
        let saved = crate::machine::frame::TrapSaved {
            event,
            status: task.state.status,
            pipe_status: task.state.pipe_status.clone(),
            wait: None,
            remains: task.state.remains,
            reads: task.reads,
        };
        task.state.remains.quotes = false;
        let line = match event {
            Event::Exit | Event::Signal(_) => 1,
            Event::Error => task.checked_line,
            Event::Debug | Event::Return => task.line,
        };
        let input = Input::Text(self.parser(task, text, line.max(1)));
        let reader = Reader::new(input, Purpose::Trap(saved));
        self.push(task, Rc::default(), Role::Reader(Box::new(reader)))
    }
}

/// Lets a variable that was assigned before a command stay, in place of the one that it hid.
fn keep(task: &mut Task, symbol: Symbol, old: &Variable) {
    task.state.variables.account(old.value.size(), 0);
    let slot = task.state.variables.slot(symbol);
    slot.attributes = slot
        .attributes
        .without(Attributes::TEMPORARY)
        .with(old.attributes);
}

/// What lasts, lasts behind the function too before whose call the same variable was assigned.
fn keep_around(task: &mut Task, symbol: Symbol) {
    let value = task.state.variables.value(symbol).clone();
    let hides = |call: &crate::machine::call::Call| call.hides(symbol);
    let Some(call) = task.state.calls.find_mut(hides) else {
        return;
    };
    if let Some((_, hidden)) = call.saved.iter_mut().find(|(saved, _)| *saved == symbol) {
        let (before, after) = (hidden.value.size(), value.size());
        hidden.value = value;
        task.state.variables.account(before, after);
    }
}

/// What a call hid comes back.
pub(in crate::machine) fn reveal(
    task: &mut Task,
    saved: Vec<(Symbol, Variable)>,
    option_offset: u32,
) {
    for (symbol, variable) in saved.into_iter().rev() {
        task.state.variables.reveal(symbol, variable);
        special::reveal(&mut task.state, symbol);
        if symbol == known::OPTIND {
            task.state.option_offset = option_offset;
        }
    }
}

//! The instructions.

use std::rc::Rc;

use super::redirection::{keep_input, note_input};
use super::replay::Call;
use super::{Run, Trouble};
use crate::machine::code::{Code, Op};
use crate::machine::control::{self, Suppression};
use crate::machine::message::{fault, report};
use crate::machine::option::SetOption;
use crate::machine::process::is_replaced;
use crate::machine::task::Task;
use crate::machine::{Limit, Machine};
use crate::syntax::SyntaxErrorKind;
use crate::text::Text;

impl Machine {
    /// Runs instructions of the frames above `floor` until there is trouble, `slice` is used up or
    /// a signal arrived.
    pub(in crate::machine) fn instructions(
        &mut self,
        task: &mut Task,
        slice: &mut u32,
        floor: usize,
    ) -> Run {
        while *slice > 0 && task.signals.is_empty() {
            if task.frames.len() <= floor {
                return Ok(());
            }
            *slice -= 1;
            let Some(frame) = task.frames.last_mut() else {
                return Err(Trouble::Exit(task.state.status));
            };
            match frame.code.ops.get(frame.next) {
                Some(&op) => {
                    frame.next += 1;
                    if floor == 0 && (self.is_careful(task) || self.instruction_waits(task, op)) {
                        self.replay(task, Call::Instruction { op })?;
                    } else {
                        self.instruction(task, op)?;
                    }
                }
                None => self.end_frame(task)?,
            }
        }
        Ok(())
    }

    #[inline]
    pub(super) fn code(task: &Task) -> Rc<Code> {
        // An instruction comes from a frame.
        task.frames
            .last()
            .map(|frame| frame.code.clone())
            .unwrap_or_default()
    }

    pub(super) fn jump(task: &mut Task, to: u32) {
        if let Some(frame) = task.frames.last_mut() {
            frame.next = to as usize;
        }
    }

    #[inline]
    pub(super) fn text_of(task: &Task, index: u32) -> Text {
        let frame = task.frames.last();
        let text = frame.and_then(|frame| frame.code.texts.get(index as usize));
        text.cloned().unwrap_or_default()
    }

    pub(super) fn instruction(&mut self, task: &mut Task, op: Op) -> Run {
        match op {
            Op::Jump(to) => Self::jump(task, to),
            Op::JumpIfFailed(to) => Self::jump_if(task, task.state.status != 0, to),
            Op::JumpIfSucceeded(to) => Self::jump_if(task, task.state.status == 0, to),
            Op::JumpIfZero(to) => Self::jump_if(task, task.zero, to),
            Op::Status(status) => task.state.status = status,
            Op::Negate => task.state.status = u8::from(task.state.status == 0),
            Op::PipeStatus => super::set_status(task, task.state.status),
            Op::Refuse(words) => self.refuse_command(task, words),
            Op::Line(line) => {
                task.line = line;
                task.checked_line = line;
            }
            Op::At(line) => task.line = line,
            Op::Source(index) => return self.source(task, index),
            Op::Name(index) => self.name(task, index),
            Op::NameTrapped(index) => self.name_trapped(task, index),
            Op::SkipRefused(to) => Self::skip_refused(task, to),
            Op::Check(_) => return self.check(task),
            Op::CheckInShell(_) if task.frames.len() > 1 => return self.check(task),
            Op::CheckInShell(_) => {}
            Op::Suppress(on) => suppression(task, |suppression, _| suppression.change(on)),
            Op::SuppressNegated(level, begins) => suppression(task, |suppression, acts| {
                suppression.change_negated(level, begins, acts);
            }),
            Op::Trace(index) => return self.trace_text(task, index),
            Op::Loop(_)
            | Op::LoopStep(_)
            | Op::For(..)
            | Op::ForPositional(..)
            | Op::ForTest
            | Op::ForDrop
            | Op::ForNext
            | Op::SelectMenu
            | Op::SelectNext
            | Op::LoopName(..)
            | Op::KeepStatus
            | Op::RestoreStatus => return self.loop_instruction(task, op),
            Op::Leave => self.leave_block(task),
            Op::Mark => {
                self.begin_command(task);
                task.stacks.marks.push(task.stacks.words.len());
            }
            Op::MarkWithin => task.stacks.marks.push(task.stacks.words.len()),
            Op::Bare => self.begin_command(task),
            Op::Words(index) => Self::constant_words(task, index),
            Op::TooLarge(index) => return Err(Self::too_large(task, index)),
            Op::Assign(symbol, append) => return self.assign(task, symbol, append),
            Op::Temporary(symbol, append) => return self.trace_temporary(task, symbol, append),
            Op::TemporaryShown(symbol, append) => {
                return self.assign_temporary(task, symbol, append);
            }
            Op::RefuseReadonly(symbol, to) => return self.refuse_readonly(task, symbol, to),
            Op::TraceValue(symbol, depth, append) => {
                return self.trace_value(task, symbol, depth, append);
            }
            Op::Assigned => self.assigned(task),
            Op::Environment => self.environment_begin(task),
            Op::Redirects => self.begin_redirects(task),
            Op::Input(given) => note_input(task, given),
            Op::KeepRedirects => keep_input(task),
            Op::External(index, to, sure) => return self.redirect_apart(task, index, to, sure),
            Op::Redirect(index, to) => return self.redirect_or_jump(task, index, to),
            Op::Run => return self.run_command(task),
            Op::TraceWords => return self.trace_command(task),
            Op::Subshell(index) => return self.subshell(task, index),
            Op::Pipeline(index) => return self.pipeline(task, index),
            Op::Background(code, text) => return self.background(task, code, text),
            Op::Coprocess(code, name) => return self.coprocess(task, code, name),
            Op::Define(index) => return self.define(task, index),
            Op::CaseConstant(..) | Op::Case(_) => self.case(task, op),
            Op::CaseKeep => super::loops::keep_case_status(task),
            Op::KeptStatus => super::loops::restore_kept_status(task),
            Op::CaseStatus => super::loops::restore_case_status(task),
            Op::TestWord(_)
            | Op::TestUnary(..)
            | Op::TestBinary(..)
            | Op::TestMatch(..)
            | Op::Tested => return self.test_instruction(task, op),
            Op::Error(index) => return Err(self.report_fault(task, index)),
            Op::RefuseAssignment(index) => return Self::refuse_assignment(task, index),
            Op::SyntaxError(index) => self.backquote_error(task, index),
            Op::Time(portable) => task.timers.push((self.os.monotonic(), portable)),
            Op::Timed => self.report_time(task),
            Op::Copy => return self.copy_input(task, Vec::new()),
            _ => return self.word_instruction(task, op),
        }
        Ok(())
    }

    fn jump_if(task: &mut Task, condition: bool, to: u32) {
        if condition {
            Self::jump(task, to);
        }
    }

    /// Passes a command that the DEBUG trap refused.
    fn skip_refused(task: &mut Task, to: u32) {
        if std::mem::take(&mut task.refused) {
            task.state.status = 0;
            Self::jump(task, to);
        }
    }

    fn trace_text(&mut self, task: &mut Task, index: u32) -> Run {
        match task.state.options.on(SetOption::Xtrace) {
            true => self.trace(task, &Self::text_of(task, index)),
            false => Ok(()),
        }
    }

    /// A simple command begins.
    fn begin_command(&mut self, task: &mut Task) {
        if !task.process_descriptors.is_empty() {
            self.close_processes(task);
        }
        task.substituted = None;
    }

    /// A command does not run, for one of its redirects failed.
    fn refuse_command(&mut self, task: &mut Task, words: bool) {
        if words && is_replaced(task) && self.is_external(task) {
            control::pass_check(task);
        }
        let words = match words {
            true => task.stacks.take_words(),
            false => Vec::new(),
        };
        task.state.last_argument = words.last().cloned().unwrap_or_default();
        super::set_status(task, task.state.status);
    }

    fn constant_words(task: &mut Task, index: u32) {
        let frame = task.frames.last();
        if let Some(words) = frame.and_then(|frame| frame.code.words.get(index as usize)) {
            task.stacks.words.extend_from_slice(words);
        }
    }

    #[cold]
    fn too_large(task: &mut Task, index: u32) -> Trouble {
        let text = Self::text_of(task, index);
        report(task, &text);
        Trouble::Exceeded(Limit::Expansion)
    }

    #[cold]
    fn report_fault(&mut self, task: &mut Task, index: u32) -> Trouble {
        let text = Self::text_of(task, index);
        fault(self, task, &text);
        Trouble::Discard(1)
    }

    #[cold]
    fn refuse_assignment(task: &mut Task, index: u32) -> Run {
        let text = Self::text_of(task, index);
        report(task, &text);
        control::refused_before(task)
    }

    /// A syntax error inside backquotes is reached.
    #[cold]
    fn backquote_error(&mut self, task: &mut Task, index: u32) {
        let code = Self::code(task);
        let error = &code.errors[index as usize];
        self.print_substituted_error(task, error);
        let compound = error.kind == SyntaxErrorKind::CompoundValue;
        task.state.status = match error.substituted || compound {
            true => 1,
            false => 2,
        };
    }
}

/// Changes the conditions around what runs, by whether `set -e` is on.
fn suppression(task: &mut Task, change: impl FnOnce(&mut Suppression, bool)) {
    let acts = task.state.options.on(SetOption::Errexit);
    if let Some(frame) = task.frames.last_mut() {
        change(&mut frame.suppression, acts);
    }
}

//! What the status of a command does: conditions that look at it, the ERR trap, `set -e`.

use super::{Left, ending};
use crate::machine::Machine;
use crate::machine::code::{Op, Use};
use crate::machine::frame::{Frame, Role};
use crate::machine::option::SetOption;
use crate::machine::reader::Purpose;
use crate::machine::run::{Run, Trouble};
use crate::machine::task::Task;
use crate::machine::trap::{Action, Event};

impl Machine {
    /// A command has ended: the ERR trap, `set -e`.
    pub(in crate::machine) fn check(&mut self, task: &mut Task) -> Run {
        let passes = match task.frames.last_mut() {
            Some(frame) => std::mem::take(&mut frame.passes),
            None => false,
        };
        if task.state.status == 0 || task.suppressed() {
            return Ok(());
        }
        if let Some(Action::Run(text)) = task.state.traps.get(Event::Error)
            && !task.in_trap(Event::Error)
            && !passes
        {
            // `set -e` acts when the trap has ended.
            let text = text.clone();
            return self.begin_trap(task, Event::Error, &text);
        }
        self.exit_on_error(task)
    }

    /// `set -e`
    pub(in crate::machine) fn exit_on_error(&mut self, task: &mut Task) -> Run {
        if task.exits_on_error() {
            ending::keep_around_call(task);
            let thrown = thrown(task, task.state.status);
            if !has_text_in_call(task) {
                task.control.ending.left = Left::Variables;
            }
            return Err(thrown);
        }
        Ok(())
    }
}

impl Task {
    /// Whether an ERR trap is set that runs something.
    pub fn traps_errors(&self) -> bool {
        matches!(self.state.traps.get(Event::Error), Some(Action::Run(_)))
    }

    /// How many `eval`, sourced files, traps and substitutions surround what runs.
    pub fn trace_depth(&self) -> u32 {
        let inner = self.frames.iter().filter(|frame| match &frame.role {
            Role::Reader(reader) => match &reader.purpose {
                Purpose::Main => false,
                Purpose::Trap(saved) => saved.event != Event::Exit || self.state.subshell_level > 0,
                Purpose::Eval(_) | Purpose::Source => true,
            },
            _ => false,
        });
        self.control.around.trace_depth + inner.count() as u32
    }

    /// Whether a condition surrounds what runs, so that `set -e` does not act.
    pub fn suppressed(&self) -> bool {
        match self.frames.last() {
            Some(frame) => frame.suppression.is_active(),
            None => self.control.around.suppressed,
        }
    }

    /// Whether the text that runs looks at no status within substitutions: see `Reader::unchecked`.
    pub fn leaves_unchecked(&self) -> bool {
        let unchecked =
            |frame: &Frame| matches!(&frame.role, Role::Reader(reader) if reader.unchecked);
        self.control.around.leaves_unchecked || self.frames.iter().any(unchecked)
    }

    /// Whether an `eval` or a sourced file runs whose status a condition looks at: `set -e` is off in it,
    /// however deep.
    pub fn ignores_errors(&self) -> bool {
        let ignores = |frame: &Frame| matches!(&frame.role, Role::Reader(reader) if reader.ignores);
        self.control.around.ignores_errors || self.frames.iter().any(ignores)
    }

    /// Whether what is wrong with a variable ends the shell.
    pub fn exits_on_error(&self) -> bool {
        self.state.options.on(SetOption::Errexit) && !self.ignores_errors()
    }

    /// Whether `command` runs an `eval` or a sourced file around, so that what fails in it ends no shell in
    /// POSIX mode.
    pub fn is_spared(&self) -> bool {
        let spared = |frame: &Frame| matches!(&frame.role, Role::Reader(reader) if reader.spared);
        self.frames.iter().any(spared)
    }

    /// Whether what is given up here leaves a text: of `-c`, `eval`, a substitution. Its status is 1,
    /// whatever the error.
    pub fn is_within_text(&self) -> bool {
        let reads = |role: &Role| matches!(role, Role::Reader(_) | Role::Nested);
        let innermost = self.frames.iter().rfind(|frame| reads(&frame.role));
        match innermost.map(|frame| &frame.role) {
            Some(Role::Reader(reader)) if matches!(reader.purpose, Purpose::Main) => {
                self.state.mode == Some(b'c')
            }
            Some(_) => true,
            None => self.control.around.within_text,
        }
    }

    /// Whether `set -e` ends the shell for a failure here.
    pub fn ends_on_failure(&self) -> bool {
        self.exits_on_error() && !self.suppressed()
    }
}

/// What an assignment before a command that cannot be made does: in POSIX mode the command does not run,
/// and a shell that is not interactive ends where that command is a special builtin.
pub(in crate::machine) fn refused_before(task: &mut Task) -> Run {
    if !task.state.options.on(SetOption::Posix) {
        return Ok(());
    }
    let ends = !task.state.interactive && crate::machine::run::is_before_special(task);
    Err(match ends {
        true => crate::machine::expand::fatal(task),
        false => Trouble::Discard(1),
    })
}

/// Whether something looks at the status of the builtin under way: a condition, `!`, the ERR trap.
pub(in crate::machine) fn is_looked_at(task: &Task) -> bool {
    let traps_it = task.traps_errors() && !task.in_trap(Event::Error);
    task.suppressed() || traps_it || is_negated(task)
}

/// Whether `!` turns the status of the command under way, and of nothing around it.
fn is_negated(task: &Task) -> bool {
    let Some(frame) = task.frames.last() else {
        return false;
    };
    let mut next = frame.next;
    loop {
        match frame.code.ops.get(next) {
            Some(Op::Jump(to)) => next = *to as usize,
            Some(Op::Leave | Op::SuppressNegated(_, false)) => next += 1,
            Some(Op::Negate) => return true,
            _ => return false,
        }
    }
}

/// Whether the words of a command or of `[[ ]]` are expanded: not those of `case`, `for`, `(( ))` or a
/// redirect.
pub(in crate::machine) fn expands_words(task: &Task) -> bool {
    let of_text = |frame: &&Frame| !matches!(frame.role, Role::Reader(_) | Role::Function);
    let inner = task.frames.iter().rev().take_while(of_text).count();
    let mut frames = task.frames.iter().rev().take(inner + 1);
    frames.find_map(ends_words).unwrap_or(true)
}

/// The same of the code of one frame, where that says it.
fn ends_words(frame: &Frame) -> Option<bool> {
    let rest = frame.code.ops.get(frame.next..).unwrap_or_default();
    rest.iter().find_map(|op| match op {
        Op::Redirects | Op::Run | Op::Assigned | Op::Tested => Some(true),
        Op::Redirect(..)
        | Op::Case(_)
        | Op::CaseConstant(..)
        | Op::For(..)
        | Op::SelectMenu
        | Op::Section(_)
        | Op::Evaluate(Use::Status | Use::Test | Use::Discard) => Some(false),
        _ => None,
    })
}

/// The command under way has ended: the check that follows runs no ERR trap.
pub(in crate::machine) fn pass_check(task: &mut Task) {
    let Some(frame) = task.frames.last_mut() else {
        return;
    };
    let rest = frame.code.ops.iter().skip(frame.next);
    let next = rest.copied().find(|op| !matches!(op, Op::Leave | Op::Drop));
    frame.passes = matches!(next, Some(Op::Check(_)));
}

/// What ends a shell for an error, other than `exit` does: where `!` stands before all of a subshell, it
/// turns the status, and where a task is an `eval` or a sourced file and no more, that is 1.
/// Calls are left before the EXIT trap runs.
pub(in crate::machine) fn thrown(task: &mut Task, status: u8) -> Trouble {
    task.control.ending.left = Left::Calls;
    let status = if is_text(task) { 1 } else { status };
    Trouble::Exit(turned(task, status))
}

/// Whether an `eval` or a sourced file runs within a function.
pub(in crate::machine) fn has_text_in_call(task: &Task) -> bool {
    let call = |frame: &Frame| matches!(frame.role, Role::Function);
    let outermost = task.frames.iter().position(call);
    outermost.is_some_and(|at| {
        task.frames[at..]
            .iter()
            .any(|frame| is_of_builtin(Some(frame)))
    })
}

/// Whether a frame is that of an `eval` or a sourced file.
pub(in crate::machine) fn is_of_builtin(frame: Option<&Frame>) -> bool {
    matches!(frame.map(|frame| &frame.role), Some(Role::Reader(reader))
        if matches!(reader.purpose, Purpose::Eval(_) | Purpose::Source))
}

/// Whether all of a task is the text of an `eval` or a sourced file.
fn is_text(task: &Task) -> bool {
    match task.frames.as_slice() {
        [whole, inner, ..] => whole.code.simple && is_of_builtin(Some(inner)),
        _ => false,
    }
}

/// The status of a task that is given up: `!` turns it where that stands before all of a subshell.
pub(in crate::machine) fn turned(task: &Task, status: u8) -> u8 {
    let whole = task.frames.first();
    let times = whole.is_some_and(|frame| frame.code.negated);
    negated(status, usize::from(times))
}

pub(in crate::machine) fn negated(status: u8, times: usize) -> u8 {
    match (times % 2, status) {
        (0, status) => status,
        (_, status) => u8::from(status == 0),
    }
}

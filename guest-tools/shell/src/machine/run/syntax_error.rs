//! Syntax errors: what is said of them, and what they end.

use super::read::input;
use super::read::purpose;
use super::{Run, Trouble};
use crate::machine::Machine;
use crate::machine::control::{self};
use crate::machine::frame::Frame;
use crate::machine::message;
use crate::machine::option::SetOption;
use crate::machine::reader::{Input, Purpose};
use crate::machine::task::{Prompt, Task};
use crate::machine::trap::Event;
use crate::syntax::{SyntaxError, SyntaxErrorKind};

impl Machine {
    /// Prints a syntax error and gives up the text that it is in.
    pub(in crate::machine) fn syntax_error(&mut self, task: &mut Task, error: &SyntaxError) -> Run {
        if task.ends_on_failure() && !task.state.interactive {
            // The shell ends with the first line of the message.
            let mut first = error.clone();
            first.lines.truncate(1);
            self.print_syntax_error(task, &first);
            return Err(Trouble::Exit(2));
        }
        self.print_syntax_error(task, error);
        if error.kind == SyntaxErrorKind::CompoundValue {
            if task.state.options.on(SetOption::Posix) && !task.state.interactive {
                return Err(crate::machine::expand::fatal_expression(task));
            }
            if matches!(purpose(task), Some(Purpose::Eval(_) | Purpose::Source)) {
                return Err(Trouble::Discard(1));
            }
            // The next line is read as if this one had been a command that failed.
            super::set_status(task, 1);
            if let Some(frame) = task.frames.last_mut() {
                frame.next = usize::MAX;
            }
            return Ok(());
        }
        let main = matches!(purpose(task), Some(Purpose::Main) | None);
        let status = status(task, error, main);
        if let Some(Purpose::Trap(saved)) = purpose(task) {
            // The status is what it was before.
            let (event, status) = (saved.event, saved.status);
            if event == Event::Exit {
                return Err(Trouble::Exit(status));
            }
            self.pop_frame(task);
            return Ok(());
        }
        if error.substituted && !task.state.interactive {
            let command = task.state.mode == Some(b'c') && task.state.subshell_level == 0;
            let status = match (command, main) {
                (true, _) => 127,
                (false, true) => status,
                (false, false) => 1,
            };
            return Err(Trouble::Exit(status));
        }
        let typed = matches!(input(task), Some(Input::Descriptor { .. }));
        match purpose(task) {
            // One that was given its commands does not go on with the next line.
            Some(Purpose::Main) if task.state.interactive && typed => {
                task.prompt = Prompt::Due;
                super::set_status(task, status);
                Ok(())
            }
            Some(Purpose::Main) | None => Err(Trouble::Exit(status)),
            Some(_) => self.leave_text(task, error, status),
        }
    }

    /// Gives up a text that the script had read, and goes on behind it where the script does not end for it.
    fn leave_text(&mut self, task: &mut Task, error: &SyntaxError, status: u8) -> Run {
        leave_remains(task, error);
        let posix = task.state.options.on(SetOption::Posix) && !task.is_spared();
        let left = task.control.ending.left;
        let thrown = control::thrown(task, status);
        self.pop_frame(task);
        super::set_status(task, status);
        // Nor does it end for quotes and conditions that are left open, and `for (( ))`.
        let open = matches!(
            error.kind,
            SyntaxErrorKind::Unmatched
                | SyntaxErrorKind::Conditional
                | SyntaxErrorKind::ConditionalEnd
                | SyntaxErrorKind::ConditionalUnmatched
                | SyntaxErrorKind::Sections
        );
        if posix && task.reads && !open {
            return Err(thrown);
        }
        task.control.ending.left = left;
        Ok(())
    }

    /// Prints a syntax error as bash does: `bash: -c: line 1: …`, `script: line 1: …`.
    pub(in crate::machine) fn print_syntax_error(&mut self, task: &mut Task, error: &SyntaxError) {
        let mut name = message::name(task);
        match purpose(task) {
            Some(Purpose::Eval(_)) => name.extend_from_slice(b": eval"),
            Some(Purpose::Trap(saved)) => name.extend_from_slice(match saved.event {
                Event::Exit => b": exit trap",
                Event::Debug => b": debug trap",
                Event::Error => b": error trap",
                Event::Return => b": return trap",
                Event::Signal(_) => b": trap",
            }),
            Some(Purpose::Main) if task.state.mode == Some(b'c') => name.extend_from_slice(b": -c"),
            _ => {}
        }
        print_error(task, &name, error);
    }

    /// Prints an error in a substitution that is only read when it runs.
    pub(super) fn print_substituted_error(&mut self, task: &mut Task, error: &SyntaxError) {
        let name = [&message::name(task), b": command substitution".as_slice()].concat();
        print_error(task, &name, error);
    }
}

/// The status that an error leaves.
fn status(task: &Task, error: &SyntaxError, main: bool) -> u8 {
    match error.kind {
        // bash leaves the status alone here, unless that would be success.
        SyntaxErrorKind::Conditional if main => match task.state.status {
            0 if error.incomplete => 2,
            status => status.max(u8::from(error.substituted)),
        },
        SyntaxErrorKind::Unmatched | SyntaxErrorKind::ConditionalUnmatched
            if main && !error.substituted =>
        {
            match task.state.status {
                0 => 2,
                status => status,
            }
        }
        SyntaxErrorKind::TooDeep => 1,
        _ => 2,
    }
}

/// Notes what a malformed text leaves behind.
fn leave_remains(task: &mut Task, error: &SyntaxError) {
    let remains = &mut task.state.remains;
    match error.kind {
        SyntaxErrorKind::Unmatched => remains.quotes = true,
        SyntaxErrorKind::Conditional => remains.condition = true,
        SyntaxErrorKind::ConditionalEnd | SyntaxErrorKind::ConditionalUnmatched => {
            remains.quotes = true;
            remains.condition = true;
        }
        _ => remains.condition = false,
    }
}

/// Whether no command of a text has run.
pub(super) fn nothing_ran(frame: &Frame) -> bool {
    frame.next == 0 && frame.code.ops.is_empty()
}

fn print_error(task: &mut Task, name: &[u8], error: &SyntaxError) {
    // Who types sees what they typed.
    let shown = if task.state.interactive {
        1
    } else {
        usize::MAX
    };
    for line in error.lines.iter().take(shown) {
        let mut text = name.to_vec();
        if !task.state.interactive {
            text.extend_from_slice(format!(": line {}", line.line).as_bytes());
        }
        text.extend_from_slice(b": ");
        text.extend_from_slice(&line.text);
        text.push(b'\n');
        task.output.push(2, &text);
    }
}

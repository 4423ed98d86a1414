//! Reading the next command of a script, and what follows its end.
//!
//! A frame with the role `Reader` has an input: text that is there (a script, `eval`, a trap), or a descriptor whose
//! lines are read as they are needed. `read_command` parses one complete command, compiles it and makes it the frame's
//! code; the machine comes back when that has run, so options, aliases and `exec <file` of one command hold for the
//! next.
//!
//! Lines of a descriptor are gathered in `pending` and parsed from their start until they make a command; a command of
//! n lines costs n attempts at a growing text. Where a line is not there yet the task waits,
//! and the same call is made again.

use super::syntax_error::nothing_ran;

use super::{Run, Trouble, controls_jobs, may_exit};
use crate::machine::Machine;
use crate::machine::compile::{self, Settings};
use crate::machine::control::Suppression;
use crate::machine::descriptor::{Direction, ReadStep};
use crate::machine::frame::{Frame, Role};
use crate::machine::history;
use crate::machine::history_expansion::{Expanded, expand};
use crate::machine::message;
use crate::machine::option::{SetOption, Shopt};
use crate::machine::reader::{Input, Purpose};
use crate::machine::task::{Prompt, Task, Waiting};
use crate::machine::trap::Event;
use crate::syntax::tree::List;
use crate::syntax::{self, MessageLine, Parser, SyntaxError};
use crate::text::Text;

impl Machine {
    /// A parser with the present options.
    pub(in crate::machine) fn parser(&self, task: &Task, text: &[u8], line: u32) -> Parser {
        Parser::at_line(text, parser_options(task), line)
    }

    /// What the compiler has to know of a task's shell.
    pub(in crate::machine) fn settings(&self, task: &Task) -> Settings {
        let traps = &task.state.traps;
        Settings {
            braces: task.state.options.on(SetOption::Braceexpand),
            sources: !traps.is_empty() || self.symbols.wants_command || controls_jobs(task),
            posix: task.state.options.on(SetOption::Posix),
            interactive: task.state.interactive,
            keyword: task.state.options.on(SetOption::Keyword),
            brace_limit: (self.expansion_limit(task) / 48).min(10_000_000),
        }
    }

    /// Reads the next command of the innermost frame and makes it the frame's code, or ends it.
    pub(super) fn read_command(&mut self, task: &mut Task) -> Run {
        if task.state.options.on(SetOption::Onecmd)
            && task.commands_read > 0
            && matches!(purpose(task), Some(Purpose::Main))
        {
            return Err(Trouble::Exit(task.state.status));
        }
        if task.state.interactive && self.before_prompt(task)? {
            return Ok(());
        }
        loop {
            match self.parse_next(task)? {
                Parsed::List(list, line) => {
                    task.commands_read += 1;
                    if task.frames.len() == 1 {
                        task.prompt = Prompt::Due;
                    }
                    if task.state.options.on(SetOption::Noexec) {
                        continue;
                    }
                    let settings = self.settings(task);
                    let code = compile::list(&list, &mut self.symbols, settings, line);
                    let suppressed = match task.frames.as_slice() {
                        // No condition around looks at what is within such a text.
                        [.., inner] if is_apart(inner) => false,
                        [.., outer, _] => outer.suppression.is_active(),
                        _ => task.control.around.suppressed,
                    };
                    if let Some(frame) = task.frames.last_mut() {
                        frame.code = code;
                        frame.next = 0;
                        // What was given up before may have stood in a condition.
                        frame.suppression = Suppression::new(suppressed);
                    }
                    return Ok(());
                }
                Parsed::Begun => return Ok(()),
                Parsed::End => return self.end_reader(task),
                Parsed::Error(error) => return self.syntax_error(task, &error),
            }
        }
    }

    /// Parses the next command of the innermost reader, and records it in the history.
    fn parse_next(&mut self, task: &mut Task) -> Run<Parsed> {
        let options = parser_options(task);
        let expand = task.state.options.shopt(Shopt::ExpandAliases)
            || task.state.options.on(SetOption::Posix);
        let aliases = expand.then(|| task.state.aliases.clone());
        task.state.remains.quotes = false;
        if expands_history(task) && task.state.mode != Some(b'c') {
            self.expand_next_line(task);
        }
        let Some(frame) = task.frames.last_mut() else {
            return Ok(Parsed::End);
        };
        let Role::Reader(reader) = &mut frame.role else {
            return Ok(Parsed::End);
        };
        match &mut reader.input {
            Input::Text(parser) => {
                *parser.options_mut() = options;
                let left = parser.rest().len();
                let result = next_list(parser, aliases.as_deref());
                // Nothing was read.
                task.state.remains.quotes = left == 0 && options.remains.quotes;
                let kept = matches!(reader.purpose, Purpose::Main)
                    && task.state.options.on(SetOption::History)
                    && task.state.mode != Some(b'c');
                let lines = kept.then(|| parser.taken(left).to_vec());
                let read = matches!(reader.purpose, Purpose::Main | Purpose::Source)
                    && task.state.options.on(SetOption::Verbose);
                let shown = read.then(|| parser.taken(left).to_vec());
                let warnings = parser.take_warnings();
                if let Some(shown) = shown {
                    show_input(task, &shown);
                }
                report_warnings(task, warnings);
                if let (Some(lines), Parsed::List(..)) = (lines, &result) {
                    self.record_history(task, &lines);
                }
                Ok(result)
            }
            Input::Descriptor { .. } => self.parse_input(task, options, aliases.as_deref()),
        }
    }

    /// Reads lines from standard input, or from the script's descriptor, until they make a command.
    fn parse_input(
        &mut self,
        task: &mut Task,
        options: syntax::Options,
        aliases: Option<&Aliases>,
    ) -> Run<Parsed> {
        loop {
            let Some(Input::Descriptor {
                pending,
                line,
                ended,
                ..
            }) = input(task)
            else {
                return Ok(Parsed::End);
            };
            if *ended && pending.is_empty() {
                return Ok(Parsed::End);
            }
            if pending.ends_with(b"\n") || *ended {
                let mut parser = Parser::at_line(pending, options, *line);
                let result = next_list(&mut parser, aliases);
                // A here-document that is not over yet, or a line that goes on.
                let warnings = parser.take_warnings();
                let open = parser.rest().is_empty()
                    && (!warnings.is_empty() || history::continues(pending));
                match result {
                    Parsed::List(..) | Parsed::End if open && !*ended => {}
                    Parsed::Error(error) if error.incomplete && !*ended => {}
                    Parsed::End if !*ended => {
                        *line = parser.line();
                        let lines = std::mem::take(pending);
                        self.record_history(task, &lines);
                    }
                    result => {
                        if matches!(result, Parsed::Error(_)) {
                            parser.skip_line();
                        }
                        *line = parser.line();
                        let rest = parser.rest().to_vec();
                        pending.truncate(pending.len().saturating_sub(rest.len()));
                        let lines = std::mem::replace(pending, rest);
                        report_warnings(task, warnings);
                        if let Parsed::List(..) = result {
                            self.record_history(task, &lines);
                        }
                        return Ok(result);
                    }
                }
            }
            if self.read_line(task)? {
                return Ok(Parsed::Begun);
            }
        }
    }

    /// Reads a line; true where commands of a prompt were begun first.
    fn read_line(&mut self, task: &mut Task) -> Run<bool> {
        if task.state.interactive && task.frames.len() == 1 && task.prompt == Prompt::Answered {
            let within = matches!(input(task), Some(Input::Descriptor { pending, .. }) if !pending.is_empty());
            if !within {
                self.tell_of_jobs(task);
                self.take_terminal(task);
            }
            if self.prompt_for(task, if within { b"PS2" } else { b"PS1" })? {
                return Ok(true);
            }
        }
        let standard = task.state.descriptors.get(0).cloned();
        let Some(Input::Descriptor {
            from,
            pending,
            ended,
            ..
        }) = input(task)
        else {
            return Ok(false);
        };
        let Some(descriptor) = from.clone().or(standard) else {
            *ended = true;
            return Ok(false);
        };
        match descriptor.read_to(b'\n', usize::MAX, pending) {
            Ok(ReadStep::Delimiter) => {
                pending.push(b'\n');
                let start = pending.len() - 1;
                let start = pending[..start].iter().rposition(|&byte| byte == b'\n');
                let start = start.map_or(0, |at| at + 1);
                let mut line = pending[start..].to_vec();
                task.prompt = Prompt::Answered;
                if expands_history(task) {
                    line = self.expand_history(task, &line);
                    if let Some(Input::Descriptor { pending, .. }) = input(task) {
                        pending.truncate(start);
                        pending.extend_from_slice(&line);
                    }
                }
                if task.state.options.on(SetOption::Verbose) {
                    show_input(task, &line);
                }
            }
            Ok(ReadStep::Blocked) => {
                self.wait_descriptor(task, &descriptor, Direction::Read);
                task.waiting = Some(Waiting::Input);
                return Err(Trouble::Blocked);
            }
            Ok(ReadStep::End | ReadStep::Limit) | Err(_) => *ended = true,
        }
        Ok(false)
    }

    /// Puts what the next line of a script takes from the history in its place. The lines after it that belong to the
    /// same command stay as they are.
    fn expand_next_line(&mut self, task: &mut Task) {
        let Some(Input::Text(parser)) = input(task) else {
            return;
        };
        let rest = parser.rest();
        let end = rest.iter().position(|&byte| byte == b'\n');
        let (line, after) = rest.split_at(end.map_or(rest.len(), |end| end + 1));
        if !line.contains(&b'!') && !line.starts_with(b"^") {
            return;
        }
        let (line, after, number) = (line.to_vec(), after.to_vec(), parser.line());
        task.line = number;
        let expanded = self.expand_history(task, &line);
        if expanded != line
            && let Some(Input::Text(parser)) = input(task)
        {
            let text = [expanded, after].concat();
            *parser = Parser::at_line(&text, syntax::Options::default(), number);
        }
    }

    /// A line that was read, with what it takes from the history; an empty line where it is not to be run. What it
    /// became is shown on standard error, as bash does.
    fn expand_history(&mut self, task: &mut Task, line: &[u8]) -> Vec<u8> {
        let text = line.strip_suffix(b"\n").unwrap_or(line);
        let first = task.state.history_counts.dropped + 1;
        let (shown, kept) = match expand(text, &task.state.history, first) {
            Ok(Expanded::Same) => return line.to_vec(),
            Ok(Expanded::Run(text)) => (text.clone(), text),
            Ok(Expanded::Show(text)) => {
                self.push_history(task, Text::from(&text[..]));
                (text, Vec::new())
            }
            Err(refusal) => {
                message::report(task, &refusal);
                return b"\n".to_vec();
            }
        };
        task.output.push(2, &[&shown[..], b"\n"].concat());
        match kept.is_empty() {
            true => b"\n".to_vec(),
            false => [&kept[..], b"\n"].concat(),
        }
    }

    /// The text of the innermost frame is at its end: a script ends the shell, a trap goes back to what it interrupted,
    /// an `eval` and a sourced file leave their status.
    fn end_reader(&mut self, task: &mut Task) -> Run {
        if matches!(purpose(task), Some(Purpose::Eval(_) | Purpose::Source))
            && task.frames.last().is_some_and(nothing_ran)
            && !(matches!(purpose(task), Some(Purpose::Source)) && self.traps_return(task))
        {
            // There was no command in it.
            super::set_status(task, 0);
        }
        if let Some(waiting) = take_wait(task) {
            self.pop_frame(task);
            return self.resume_waiting(task, waiting);
        }
        match purpose(task) {
            Some(Purpose::Main) => {
                if task.state.interactive && task.frames.len() == 1 && task.state.mode != Some(b'c')
                {
                    if !controls_jobs(task) {
                        task.output.push(2, b"exit\n");
                    } else if !may_exit(task) {
                        if let Some(Input::Descriptor { ended, .. }) = input(task) {
                            *ended = false;
                        }
                        task.prompt = Prompt::Due;
                        return Ok(());
                    }
                }
                Err(Trouble::Exit(task.state.status))
            }
            Some(Purpose::Trap(saved)) if saved.event == Event::Exit => {
                let status = saved.status;
                self.pop_frame(task);
                Err(Trouble::Exit(status))
            }
            Some(Purpose::Trap(saved)) if saved.event == Event::Error => {
                self.pop_frame(task);
                self.exit_on_error(task)
            }
            Some(Purpose::Trap(saved)) if saved.event == Event::Debug => {
                let status = task.state.status;
                self.pop_frame(task);
                self.debugged(task, status)
            }
            Some(Purpose::Source) => {
                if !self.return_trap(task)? {
                    self.pop_frame(task);
                    super::set_status(task, task.state.status);
                }
                Ok(())
            }
            Some(Purpose::Eval(_)) => {
                self.pop_frame(task);
                super::set_status(task, task.state.status);
                Ok(())
            }
            _ => {
                self.pop_frame(task);
                Ok(())
            }
        }
    }

    /// The DEBUG trap has ended: with `extdebug` its status says what becomes of the command.
    fn debugged(&mut self, task: &mut Task, status: u8) -> Run {
        if status == 0 || !task.state.options.shopt(Shopt::Extdebug) {
            return Ok(());
        }
        if status == 2 && task.state.calls.can_return() {
            return self.return_with(task, status);
        }
        match task.frames.last_mut() {
            // It ran before the body of a function.
            Some(frame) if frame.next == 0 && matches!(frame.role, Role::Function) => {
                frame.next = usize::MAX;
                super::set_status(task, status);
            }
            _ => task.refused = true,
        }
        Ok(())
    }
}

/// Prints the parser's warnings, each with its line.
fn report_warnings(task: &mut Task, warnings: Vec<MessageLine>) {
    for warning in warnings {
        let line = std::mem::replace(&mut task.line, warning.line);
        message::report(task, &warning.text);
        task.line = line;
    }
}

/// Whether lines of the main input take from the history: `set -H` with `set -o history`.
fn expands_history(task: &Task) -> bool {
    let options = &task.state.options;
    task.frames.len() == 1 && options.on(SetOption::Histexpand) && options.on(SetOption::History)
}

/// `set -v`: prints what was read on standard error.
fn show_input(task: &mut Task, text: &[u8]) {
    if !text.is_empty() {
        let end: &[u8] = if text.ends_with(b"\n") { b"" } else { b"\n" };
        task.output.push(2, &[text, end].concat());
    }
}

type Aliases = std::collections::BTreeMap<Text, Text>;

/// What came of looking for a command.
enum Parsed {
    /// Commands, and the line on which they end.
    List(Box<List>, u32),
    /// Other commands were begun, which come first.
    Begun,
    /// There are no more commands.
    End,
    /// What was read is no command.
    Error(Box<SyntaxError>),
}

/// Parses one complete command.
fn next_list(parser: &mut Parser, aliases: Option<&Aliases>) -> Parsed {
    let lookup = |name: &[u8]| {
        aliases
            .and_then(|aliases| aliases.get(name))
            .map(|text| text.to_vec())
    };
    let result = match aliases {
        Some(aliases) if !aliases.is_empty() => parser.next(Some(&lookup)),
        _ => parser.next(None),
    };
    match result {
        Ok(Some(list)) => Parsed::List(Box::new(list), parser.last_line()),
        Ok(None) => Parsed::End,
        Err(error) => Parsed::Error(error),
    }
}

/// The options of the shell that the parser has to know.
fn parser_options(task: &Task) -> syntax::Options {
    syntax::Options {
        extglob: task.state.options.shopt(Shopt::Extglob),
        posix: task.state.options.on(SetOption::Posix),
        remains: task.state.remains,
    }
}

/// The `wait` or `read` that goes on once the trap that is at its end has ended.
fn take_wait(task: &mut Task) -> Option<Waiting> {
    let Some(Role::Reader(reader)) = task.frames.last_mut().map(|frame| &mut frame.role) else {
        return None;
    };
    let Purpose::Trap(saved) = &mut reader.purpose else {
        return None;
    };
    let (name, pending) = saved.wait.take()?;
    Some(Waiting::Builtin { name, pending })
}

/// What the innermost text is for.
pub(super) fn purpose(task: &Task) -> Option<&Purpose> {
    task.frames
        .iter()
        .rev()
        .find_map(|frame| match &frame.role {
            Role::Reader(reader) => Some(&reader.purpose),
            _ => None,
        })
}

/// The input of the innermost frame, where it reads one.
pub(super) fn input(task: &mut Task) -> Option<&mut Input> {
    match task.frames.last_mut().map(|frame| &mut frame.role) {
        Some(Role::Reader(reader)) => Some(&mut reader.input),
        _ => None,
    }
}

/// Whether a frame reads an `eval`, a sourced file or a trap, other than DEBUG's.
fn is_apart(frame: &Frame) -> bool {
    match &frame.role {
        Role::Reader(reader) => match &reader.purpose {
            Purpose::Eval(_) | Purpose::Source => true,
            Purpose::Trap(saved) => saved.event != Event::Debug,
            Purpose::Main => false,
        },
        _ => false,
    }
}

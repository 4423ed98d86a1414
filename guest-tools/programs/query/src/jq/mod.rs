//! `jq` 1.8: the command, and the whole language behind it.
//!
//! The published implementations differ from `jq` in paths, updates, destructuring and messages, all of which scripts
//! see, so the language is done here. A call passes through these files:
//!
//! | step | files |
//! |---|---|
//! | command line | `options` |
//! | text to tokens to resolved code | `token`, `parse`, `prelude`, `modules`, `code` |
//! | input to values | `input`, `json`, `value` |
//! | running | `run`, `env`, `bind`, `construct`, `special`, `paths` |
//! | functions and operators | `natives`, `math`, `dates`, `regex`, `formats`, `operators` |
//!
//! Exit statuses are those of the manual: 0; 1 and 4 with `-e`; 2 for wrong usage or input; 3 for a program that does
//! not compile; 5 where the last input ended in an error; what `halt_error` says.

mod bind;
mod code;
mod construct;
mod dates;
mod env;
mod formats;
mod input;
mod json;
mod math;
mod modules;
mod natives;
mod operators;
mod options;
mod parse;
mod paths;
mod prelude;
mod regex;
mod run;
mod special;
#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests;
mod token;
mod value;

use crate::call::Call;
use crate::output::Output;
use crate::stream::eprintln;
use crate::system;
use input::Source;
use modules::Modules;
use options::{Options, Print};
use parse::Parser;
use run::{Machine, Stop};
use token::Origin;
use value::Value;

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    match Options::read(call) {
        Ok(options) => execute(&options),
        Err(status) => status,
    }
}

/// Compiles the program and runs it on each input. Gives the exit status.
fn execute(options: &Options) -> i32 {
    let modules = Modules::new(&options.search, options.program_file.as_deref());
    let source = match &options.program_file {
        Some(path) => match system::read_whole(path) {
            Ok(text) => String::from_utf8_lossy(&text).into_owned(),
            Err(failure) => {
                eprintln!(
                    "jq: error: Could not open {}: {}",
                    String::from_utf8_lossy(path),
                    failure.0
                );
                return 2;
            }
        },
        None => options.program.clone(),
    };
    let constants = modules::constants(&options.named, options.positional.clone(), &modules);
    let mut parser = Parser::new(constants, &modules);
    if let Err(wrong) = parser.main(&source) {
        return refuse(&source, &wrong);
    }
    let program = parser.program;
    let mut inputs = Source::new(options);
    let mut printer = Printer {
        out: Output::new(),
        options,
        last: None,
        failed: false,
    };
    {
        let machine = Machine::new(&program, &modules, &mut inputs);
        printer.all(&machine);
    }
    let Printer {
        out, last, failed, ..
    } = printer;
    let status = match last {
        Some(Last::Halt(status)) => status,
        _ if failed => 5,
        _ if inputs.failed() => 2,
        Some(Last::True) => 0,
        Some(Last::False) if options.exit_status => 1,
        None if options.exit_status => 4,
        _ => 0,
    };
    out.finish("jq", status, 2)
}

/// Shows what is wrong with a program, and where.
///
/// The line with a mark below the place, in the text that the offset belongs to. The exit status is 3.
fn refuse(source: &str, wrong: &token::Wrong) -> i32 {
    let (source, name) = match &wrong.origin {
        Origin::Program => (source, "<top-level>".into()),
        Origin::Module(path, text) => (text.as_str(), String::from_utf8_lossy(path)),
        Origin::Nowhere => {
            let colon = if wrong.message.starts_with("loading ") {
                ""
            } else {
                ":"
            };
            eprintln!("jq: error{colon} {}", wrong.message);
            eprintln!("jq: 1 compile error");
            return 3;
        }
    };
    let before = &source[..wrong.at.min(source.len())];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let column = before[start..].chars().count();
    eprintln!(
        "jq: error: {} at {name}, line {}, column {}:",
        wrong.message,
        line + 1,
        column + 1
    );
    eprintln!("    {}", source.lines().nth(line).unwrap_or_default());
    eprintln!("    {}^", " ".repeat(column));
    eprintln!("jq: 1 compile error");
    3
}

/// What the last value, or the end of the program, means for the exit status.
enum Last {
    /// Neither `null` nor `false`.
    True,
    /// `null` or `false`.
    False,
    /// The program halted with this status; no further input is read.
    Halt(i32),
}

/// Runs the program on each input and prints what it gives.
struct Printer<'a> {
    out: Output,
    options: &'a Options,
    /// What was printed last; none where nothing was.
    last: Option<Last>,
    /// The last input ended in an error.
    failed: bool,
}

impl Printer<'_> {
    /// Every input in turn, or `null` once with `-n`. Ends early where output has no reader.
    fn all(&mut self, machine: &Machine) {
        if self.options.null_input {
            self.one(machine, Value::Null);
            return;
        }
        loop {
            let next = machine.inputs.borrow_mut().next();
            match next {
                Some(Ok(value)) => self.one(machine, value),
                Some(Err(message)) => {
                    self.out.flush();
                    eprintln!("jq: parse error: {message}");
                    if !self.options.sequence {
                        return;
                    }
                }
                None => return,
            }
            if matches!(self.last, Some(Last::Halt(_))) || self.out.is_broken() {
                return;
            }
        }
    }

    /// One input. An uncaught error ends this input only; the next one is read.
    fn one(&mut self, machine: &Machine, input: Value) {
        self.failed = false;
        let flow = machine.run(input, &mut |value| {
            if self.is_cut(&value) {
                let message = "Cannot dump a string containing NUL with --raw-output0 option";
                return Err(message.into());
            }
            self.print(&value);
            if self.out.is_broken() {
                Err(Stop::Enough)
            } else {
                Ok(())
            }
        });
        match flow {
            Ok(()) | Err(Stop::Enough) => {}
            Err(Stop::Halt(status)) => self.last = Some(Last::Halt(status)),
            Err(Stop::Break(_)) => self.complain(machine, &"break".into()),
            Err(Stop::Error(error)) => self.complain(machine, &error),
        }
    }

    /// Reports an uncaught error, after what was printed before it.
    fn complain(&mut self, machine: &Machine, error: &Value) {
        self.failed = true;
        self.out.flush();
        let place = place(machine);
        match error {
            Value::String(message) => eprintln!("jq: error (at {place}): {message}"),
            other => eprintln!(
                "jq: error (at {place}) (not a string): {}",
                json::compact(other)
            ),
        }
    }

    /// Whether the NUL bytes of `--raw-output0` would cut the value in two.
    fn is_cut(&self, value: &Value) -> bool {
        let raw = self.options.print == Print::Nul && !self.options.style.ascii;
        raw && value.text().is_some_and(|text| text.contains('\0'))
    }

    /// Prints a value with what ends it.
    fn print(&mut self, value: &Value) {
        self.last = Some(if value.is_true() {
            Last::True
        } else {
            Last::False
        });
        let options = self.options;
        if options.sequence {
            self.out.put(b"\x1e");
        }
        match (options.print, value) {
            (Print::Json, _)
            | (_, Value::Null | Value::Bool(_) | Value::Number(_) | Value::Exact(..)) => {
                self.json(value);
            }
            (_, Value::String(text)) if !options.style.ascii => self.out.put(text.as_bytes()),
            _ => self.json(value),
        }
        match options.print {
            Print::Joined => {}
            Print::Nul => self.out.put(b"\0"),
            _ => self.out.end_line(b'\n'),
        }
        if options.unbuffered {
            self.out.flush();
        }
    }

    /// Prints a value as JSON.
    fn json(&mut self, value: &Value) {
        let mut text = Vec::with_capacity(256);
        json::write(&mut text, value, &self.options.style);
        if let (true, Value::String(_)) = (self.options.print != Print::Json, value) {
            // Raw, but only ASCII: escaped without the quotes.
            text.remove(0);
            text.pop();
        }
        self.out.put(&text);
    }
}

/// Where the input is, for messages: `FILE:LINE`, `<stdin>:LINE`, or `<unknown>` before anything was read.
fn place(machine: &Machine) -> String {
    let inputs = machine.inputs.borrow();
    match inputs.file() {
        Value::String(name) => format!("{name}:{}", inputs.line()),
        _ if inputs.line() > 0 => format!("<stdin>:{}", inputs.line()),
        _ => "<unknown>".to_owned(),
    }
}

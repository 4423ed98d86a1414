//! `ed` and `red`, as POSIX and GNU ed have them: lines are edited by commands.
//!
//! `command` reads and does one line of commands, with `address`, `substitute` and `global` for its intricate parts;
//! `buffer` has the lines, `shell` the files and commands of the shell, `input` where commands and text come from.
//!
//! The exit status is 0; 1 where a command failed, unless `-l` is given; 2 where the input ends with changes that are
//! not written. Where standard input is a file, the first command that fails ends the run.

mod address;
mod buffer;
mod command;
mod error;
mod global;
mod input;
mod shell;
mod substitute;

use crate::call::Call;
use crate::options::{self, Opt, Syntax, Value};
use crate::output::Output;
use crate::pattern::Dialect;
use crate::system;
use buffer::Buffer;
use error::Error;
use input::Input;
use substitute::Substitution;

const SYNTAX: Syntax = Syntax {
    usage: "Usage: ed [options] [file]\nEdit the lines of 'file' by commands from standard input.\n",
    options: &[
        Opt("E", "extended-regexp", Value::No),
        Opt("G", "traditional", Value::No),
        Opt("l", "loose-exit-status", Value::No),
        Opt("p", "prompt", Value::Required),
        Opt("q", "quiet", Value::No),
        Opt("", "silent", Value::No),
        Opt("r", "restricted", Value::No),
        Opt("s", "script", Value::No),
        Opt("v", "verbose", Value::No),
        Opt("", "strip-trailing-cr", Value::No),
    ],
    permute: true,
    status: 1,
};

/// How it was called.
struct Settings {
    dialect: Dialect,
    /// Nothing is said about files that cannot be read or written.
    is_quiet: bool,
    /// `red` or `-r`: no commands of the shell, and files of the current directory only.
    is_restricted: bool,
    /// Sizes, and the ends of commands of the shell, are not printed.
    is_script: bool,
    /// `--strip-trailing-cr`: a carriage return at the end of a line that is read is dropped.
    strips_returns: bool,
}

/// What goes on after a command.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    /// The next command.
    Go,
    /// The end.
    Quit,
}

/// A file that is edited.
struct Editor {
    settings: Settings,
    buffer: Buffer,
    input: Input,
    out: Output,
    /// The name that commands take where they are given none.
    file: Vec<u8>,
    /// The last pattern, which an empty one stands for.
    pattern: Option<std::rc::Rc<crate::pattern::Pattern>>,
    /// The last `s`.
    substitution: Option<Substitution>,
    /// The last command of the shell.
    shell: Vec<u8>,
    /// The last list of `G` and `V`.
    list: Vec<u8>,
    /// The prompt, where there is one (`-p`, `P`).
    prompt: Option<Vec<u8>>,
    /// `H`: errors are told at once.
    is_verbose: bool,
    /// What `h` tells.
    last_error: Option<Error>,
    /// The last command was refused since changes would be lost.
    is_warned: bool,
    /// A list of commands runs for each of some lines.
    is_global: bool,
    /// How many lines `z` shows.
    window: usize,
}

/// Runs `ed` and `red`.
pub fn run(call: &Call) -> i32 {
    let mut arguments = Call {
        name: call.name.clone(),
        arguments: call.arguments.clone(),
    };
    // `ed - FILE` is an old `-s`.
    let dash = arguments.arguments.iter().position(|one| one == b"-");
    if let Some(dash) = dash {
        arguments.arguments[dash] = b"-s".to_vec();
    }
    let parsed = match options::parse(&arguments, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let dialect = match parsed.has("E") {
        true => Dialect::Extended,
        false => Dialect::Basic,
    };
    let mut editor = Editor {
        settings: Settings {
            dialect,
            is_quiet: parsed.has("q") || parsed.has("silent"),
            is_restricted: parsed.has("r") || call.name == "red",
            is_script: parsed.has("s"),
            strips_returns: parsed.has("strip-trailing-cr"),
        },
        buffer: Buffer::default(),
        input: Input::new(),
        out: Output::new(),
        file: Vec::new(),
        pattern: None,
        substitution: None,
        shell: Vec::new(),
        list: Vec::new(),
        prompt: parsed.value("p").map(<[u8]>::to_vec),
        is_verbose: parsed.has("v"),
        last_error: None,
        is_warned: false,
        is_global: false,
        window: 22,
    };
    let mut status = 0;
    if let Some(file) = parsed.operands.first() {
        match editor.begin(file) {
            Ok(()) | Err(Error::NoFile) => {}
            Err(error) => {
                status = 1;
                editor.complain(error);
            }
        }
    }
    let is_loose = parsed.has("l");
    let status = editor.converse(status, is_loose);
    editor.out.finish(&call.name, status, 1)
}

impl Editor {
    /// Reads the file that was named first.
    fn begin(&mut self, file: &[u8]) -> Result<(), Error> {
        if !file.starts_with(b"!") {
            self.name(file)?;
        }
        let result = self.read(file, 0);
        self.buffer.clear_history();
        result
    }

    /// Does one command after the other; the result is the status.
    fn converse(&mut self, mut status: i32, is_loose: bool) -> i32 {
        // Nobody is there who could put right what follows a mistake in a script.
        let is_script =
            system::stat_descriptor(0).is_ok_and(|stat| stat.kind == system::Kind::Regular);
        let prompt = self.prompt.clone().unwrap_or_else(|| b"*".to_vec());
        loop {
            if self.prompt.is_some() {
                self.out.put(&prompt);
            }
            self.out.flush();
            let line = match self.input.line() {
                Some(line) => line,
                None if self.buffer.is_changed() && !self.is_warned => {
                    self.complain(Error::Changed);
                    return 2;
                }
                None => return status,
            };
            let was_warned = std::mem::take(&mut self.is_warned);
            self.buffer.keep();
            match self.execute(&line, was_warned) {
                Ok(Next::Go) => {}
                Ok(Next::Quit) => return status,
                Err(error) => {
                    self.is_warned = error == Error::Changed;
                    self.complain(error);
                    if !is_loose {
                        status = 1;
                    }
                    if is_script {
                        return status;
                    }
                }
            }
            if self.out.is_broken() {
                return 1;
            }
        }
    }

    /// Prints `?`, and what is wrong in verbose mode.
    fn complain(&mut self, error: Error) {
        self.out.line("?");
        if self.is_verbose {
            self.out.line(error.to_string());
        }
        self.last_error = Some(error);
    }
}

//! `chmod` of coreutils 9.1; the syntax of modes is `Change` of `posix`.
//!
//! With `-R`, symbolic links below an operand are neither followed nor changed.

use crate::call::{Call, bytes};
use crate::mode::Change;
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::quote;
use crate::system::{self, Failure, Kind, Stat};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: chmod [OPTION]... MODE[,MODE]... FILE...\n  or:  chmod [OPTION]... OCTAL-MODE FILE...\n  or:  chmod [OPTION]... --reference=RFILE FILE...\nChange the mode of each FILE to MODE.\n",
    options: &[
        Opt("c", "changes", Value::No),
        Opt("f", "quiet", Value::No),
        Opt("f", "silent", Value::No),
        Opt("v", "verbose", Value::No),
        Opt("", "no-preserve-root", Value::No),
        Opt("", "preserve-root", Value::No),
        Opt("", "reference", Value::Required),
        Opt("R", "recursive", Value::No),
    ],
    permute: true,
    status: 1,
};

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    match prepare(call) {
        Ok((parsed, change, files)) => {
            let mut chmod = Chmod {
                call,
                parsed,
                change,
                out: Output::new(),
                status: 0,
            };
            for file in files {
                chmod.change(file, true);
            }
            chmod.out.finish(&call.name, chmod.status, 1)
        }
        Err(status) => status,
    }
}

/// Reads the command line. The first argument such as `-x` or `-rwx` is the mode, and is taken out before options are
/// parsed. The result is the options, the change and the files, at least one.
///
/// # Errors
/// Status 1 after a message.
fn prepare(call: &Call) -> Result<(Parsed, Change, Vec<Vec<u8>>), i32> {
    let mut arguments = call.arguments.clone();
    let is_mode = |argument: &Vec<u8>| match argument.as_slice() {
        [b'-', first, ..] if b"rwxXstugo".contains(first) => Change::parse(argument).is_some(),
        _ => false,
    };
    let end = arguments
        .iter()
        .position(|argument| argument == b"--")
        .unwrap_or(arguments.len());
    let mode = arguments[..end]
        .iter()
        .position(is_mode)
        .map(|at| arguments.remove(at));
    let mut parsed = options::parse(
        &Call {
            name: call.name.clone(),
            arguments,
        },
        &SYNTAX,
    )?;
    let mut files = std::mem::take(&mut parsed.operands);
    if let Some(reference) = parsed.value("reference") {
        let found = system::stat(reference, true).map_err(|failure| {
            let name = quote::message(reference);
            call.fail(
                1,
                bytes!("failed to get attributes of ", name, ": ", failure),
            )
        })?;
        let change = Change::Octal {
            mode: found.mode,
            digits: 5,
        };
        return if files.is_empty() {
            missing(call, None)
        } else {
            Ok((parsed, change, files))
        };
    }
    let mode = match mode {
        Some(mode) => mode,
        None if files.is_empty() => return missing(call, None),
        None => files.remove(0),
    };
    if files.is_empty() {
        return missing(call, Some(&mode));
    }
    let Some(change) = Change::parse(&mode) else {
        let message = bytes!("invalid mode: ", quote::word(&mode));
        return Err(options::usage_error(call, &SYNTAX, message));
    };
    Ok((parsed, change, files))
}

/// The message that an operand is missing, after the mode where that is there.
fn missing<T>(call: &Call, after: Option<&[u8]>) -> Result<T, i32> {
    let message = match after {
        None => b"missing operand".to_vec(),
        Some(mode) => bytes!("missing operand after ", quote::word(mode)),
    };
    Err(options::usage_error(call, &SYNTAX, message))
}

/// The state of a run.
struct Chmod<'a> {
    call: &'a Call,
    parsed: Parsed,
    change: Change,
    out: Output,
    status: i32,
}

impl Chmod<'_> {
    /// Reports a failure, unless `-f` is given; the status becomes 1.
    fn complain(&mut self, what: &str, path: &[u8], failure: Failure) {
        self.status = 1;
        if !self.parsed.has("f") {
            self.call
                .fail(1, bytes!(what, " ", quote::message(path), ": ", failure));
        }
    }

    /// Changes a file, and with `-R` what is below it, a directory before its content. `named` is an operand, which is
    /// followed where it is a link.
    fn change(&mut self, path: Vec<u8>, named: bool) {
        let mut pending = vec![(path, named)];
        while let Some((path, named)) = pending.pop() {
            let stat = match self.find(&path, named) {
                Some(stat) => stat,
                None => continue,
            };
            self.set(&path, &stat);
            if !self.parsed.has("R") || stat.kind != Kind::Directory {
                continue;
            }
            match system::read_directory(&path) {
                Ok(entries) => {
                    let below = entries
                        .iter()
                        .rev()
                        .filter(|entry| entry.kind != Kind::Symlink);
                    pending.extend(below.map(|entry| (system::join(&path, &entry.name), false)));
                }
                Err(failure) => self.complain("cannot read directory", &path, failure),
            }
        }
    }

    /// The `stat` of what is to be changed; a message and none where it cannot be had.
    fn find(&mut self, path: &[u8], named: bool) -> Option<Stat> {
        match system::stat(path, named) {
            Ok(stat) => Some(stat),
            Err(_) if system::stat(path, false).is_ok() => {
                self.status = 1;
                self.call.fail(
                    1,
                    bytes!("cannot operate on dangling symlink ", quote::message(path)),
                );
                None
            }
            Err(failure) => {
                self.complain("cannot access", path, failure);
                None
            }
        }
    }

    /// Sets the mode, and says so for `-v`, and for `-c` where it changed.
    fn set(&mut self, path: &[u8], stat: &Stat) {
        let is_directory = stat.kind == Kind::Directory;
        let mode = self.change.apply(stat.mode, is_directory, system::umask());
        if let Err(failure) = system::set_mode(path, mode) {
            return self.complain("changing permissions of", path, failure);
        }
        let changed = mode != stat.mode;
        if !(self.parsed.has("v") || (self.parsed.has("c") && changed)) {
            return;
        }
        let shown = |mode| {
            let text = Stat {
                mode,
                ..stat.clone()
            }
            .permissions();
            format!("{mode:04o} ({})", &text[1..])
        };
        let name = quote::message(path);
        let text = if changed {
            bytes!(
                "mode of ",
                name,
                " changed from ",
                shown(stat.mode),
                " to ",
                shown(mode)
            )
        } else {
            bytes!("mode of ", name, " retained as ", shown(mode))
        };
        self.out.line(text);
    }
}

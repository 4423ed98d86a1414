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
        Ok(Prepared {
            parsed,
            change,
            is_option,
            files,
        }) => {
            let mut chmod = Chmod {
                call,
                parsed,
                change,
                is_option,
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

/// A command line.
struct Prepared {
    parsed: Parsed,
    change: Change,
    /// The mode looked like an option, as `-w`.
    is_option: bool,
    /// At least one.
    files: Vec<Vec<u8>>,
}

/// Reads the command line. The first argument such as `-x` or `-rwx` is the mode, and is taken out before options are
/// parsed.
///
/// # Errors
/// Status 1 after a message.
fn prepare(call: &Call) -> Result<Prepared, i32> {
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
            Ok(Prepared {
                parsed,
                change,
                is_option: false,
                files,
            })
        };
    }
    let is_option = mode.is_some();
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
    Ok(Prepared {
        parsed,
        change,
        is_option,
        files,
    })
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
    /// The mode looked like an option: the user may not have meant what the umask made of it.
    is_option: bool,
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

    /// The `stat` of what is to be changed; a message, and with `-v` a line, and none where it cannot be had.
    fn find(&mut self, path: &[u8], named: bool) -> Option<Stat> {
        let failure = match system::stat(path, named) {
            Ok(stat) => return Some(stat),
            Err(failure) => failure,
        };
        self.out.flush();
        if system::stat(path, false).is_err() {
            self.complain("cannot access", path, failure);
        } else {
            self.status = 1;
            if !self.parsed.has("f") {
                let text = "cannot operate on dangling symlink ";
                self.call.fail(1, bytes!(text, quote::message(path)));
            }
        }
        if self.parsed.has("v") {
            let name = quote::message(path);
            self.out.line(bytes!(name, " could not be accessed"));
        }
        None
    }

    /// Sets the mode, and says so for `-v`, and for `-c` where it changed. The message about a mode that the umask made
    /// greater comes after that.
    fn set(&mut self, path: &[u8], stat: &Stat) {
        let is_directory = stat.kind == Kind::Directory;
        let mode = self.change.apply(stat.mode, is_directory, system::umask());
        if let Err(failure) = system::set_mode(path, mode) {
            return self.complain("changing permissions of", path, failure);
        }
        let letters = |mode| {
            let stat = Stat {
                mode,
                ..stat.clone()
            };
            stat.permissions()[1..].to_owned()
        };
        let changed = mode != stat.mode;
        if self.parsed.has("v") || (self.parsed.has("c") && changed) {
            self.say(path, [stat.mode, mode], letters);
        }
        let meant = self.change.apply(stat.mode, is_directory, 0);
        if self.is_option && mode & !meant != 0 {
            self.out.flush();
            let (is, meant) = (letters(mode), letters(meant));
            let text = format!(": new permissions are {is}, not {meant}");
            self.status = self
                .call
                .fail(1, bytes!(quote::shell_where_needed(path), text));
        }
    }

    /// The line about a file's mode before and after.
    fn say(&mut self, path: &[u8], modes: [u32; 2], letters: impl Fn(u32) -> String) {
        let shown = |mode| format!("{mode:04o} ({})", letters(mode));
        let [old, mode] = modes;
        let name = quote::message(path);
        let text = if old == mode {
            bytes!("mode of ", name, " retained as ", shown(mode))
        } else {
            let (old, new) = (shown(old), shown(mode));
            bytes!("mode of ", name, " changed from ", old, " to ", new)
        };
        self.out.line(text);
    }
}

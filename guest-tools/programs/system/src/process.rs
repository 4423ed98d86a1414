//! `kill`, `killall`, `pgrep` and `pkill`, as in coreutils, psmisc and procps.
//!
//! Processes are those of the sandbox; all belong to one user, and none of these commands sees itself. A signal may be
//! a number or a name with or without `SIG`, in any case. There are no process groups, so negative numbers are refused.
//!
//! Statuses of `pgrep` and `pkill`: 0 where something fits, 1 where nothing does, 2 for a wrong command line; of the
//! others 0 and 1.

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::pattern::{Dialect, Pattern, Settings, Whole};
use crate::quote;
use crate::signal::{LAST_STANDARD, command_name, command_number as signal};
use crate::system;

/// Runs `kill`. `kill -l 137` prints `KILL`, as the status of a command that it ended is read, and `kill -l TERM`
/// prints 15.
pub fn kill(call: &Call) -> i32 {
    let usage = "Usage: kill [-s SIGNAL | -SIGNAL] PID...\n   or: kill -l [SIGNAL]...\nSend signals to processes, or list signals.\n";
    if let Some(status) = options::information(call, usage) {
        return status;
    }
    let mut number = 15;
    let mut words = call.arguments.as_slice();
    let mut out = Output::new();
    match words.first().map(Vec::as_slice) {
        None => {
            eprintln!("Usage: kill [-s SIGNAL | -SIGNAL] PID...\n   or: kill -l [SIGNAL]...");
            return 1;
        }
        Some(b"-l" | b"-L" | b"--list") => {
            if words.len() == 1 {
                let names = (1..=LAST_STANDARD).filter_map(command_name);
                names.for_each(|name| out.line(name));
            }
            for word in &words[1..] {
                match (options::number::<usize>(word), signal(word)) {
                    (Some(number), _) => match u8::try_from(number & 127)
                        .ok()
                        .and_then(command_name)
                    {
                        Some(name) => out.line(name),
                        None => return call.fail(1, bytes!(quote::word(word), ": invalid signal")),
                    },
                    (None, Some(number)) => out.line(number.to_string()),
                    (None, None) => {
                        return call.fail(1, bytes!(quote::word(word), ": invalid signal"));
                    }
                }
            }
            return out.finish(&call.name, 0, 1);
        }
        Some(b"-s" | b"--signal" | b"-n") => {
            let name = words.get(1).map(Vec::as_slice).unwrap_or_default();
            let Some(found) = signal(name) else {
                return call.fail(1, bytes!(quote::word(name), ": invalid signal"));
            };
            number = found;
            words = words.get(2..).unwrap_or_default();
        }
        Some(b"--") => words = &words[1..],
        Some([b'-', name @ ..]) => {
            let Some(found) = signal(name) else {
                return call.fail(1, bytes!(quote::word(name), ": invalid signal"));
            };
            number = found;
            words = &words[1..];
        }
        Some(_) => {}
    }
    let mut status = 0;
    for word in words {
        let Some(pid) = options::number::<u32>(word) else {
            status = call.fail(1, bytes!(quote::word(word), ": invalid process id"));
            continue;
        };
        if let Err(failure) = system::kill(pid, number) {
            status = call.fail(1, bytes!(word, ": ", failure));
        }
    }
    status
}

/// Takes the first `-SIGNAL` out of the arguments, wherever it stands.
fn take_signal(arguments: &mut Vec<Vec<u8>>) -> Option<u8> {
    let is_signal =
        |word: &Vec<u8>| word.len() > 1 && word[0] == b'-' && signal(&word[1..]).is_some();
    let at = arguments.iter().position(is_signal)?;
    signal(&arguments.remove(at)[1..])
}

/// Runs `killall`: a signal to all processes that run a program.
pub fn killall(call: &Call) -> i32 {
    const SYNTAX: Syntax = Syntax {
        usage: "Usage: killall [OPTION]... [--] NAME...\n",
        options: &[
            Opt("e", "exact", Value::No),
            Opt("I", "ignore-case", Value::No),
            Opt("g", "process-group", Value::No),
            Opt("i", "interactive", Value::No),
            Opt("l", "list", Value::No),
            Opt("q", "quiet", Value::No),
            Opt("r", "regexp", Value::No),
            Opt("s", "signal", Value::Required),
            Opt("u", "user", Value::Required),
            Opt("v", "verbose", Value::No),
            Opt("w", "wait", Value::No),
        ],
        permute: true,
        status: 1,
    };
    let mut arguments = call.arguments.clone();
    let mut number = take_signal(&mut arguments).unwrap_or(15);
    let inner = Call {
        name: call.name.clone(),
        arguments,
    };
    let parsed = match options::parse(&inner, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if parsed.has("l") {
        return list_names(call);
    }
    if let Some(name) = parsed.value("s") {
        match signal(name) {
            Some(found) => number = found,
            None => {
                let message = ": unknown signal; killall -l lists signals.\n";
                call_without_prefix(&bytes!(name, message));
                return 1;
            }
        }
    }
    if parsed.operands.is_empty() {
        call_without_prefix(SYNTAX.usage.as_bytes());
        return 1;
    }
    let mut status = 0;
    for name in &parsed.operands {
        match kill_named(&parsed, name, number) {
            Ok(true) => {}
            Ok(false) => status = 1,
            Err(message) => return call.fail(1, message),
        }
    }
    status
}

/// The names of all signals, as many in a line as 80 columns take.
fn list_names(call: &Call) -> i32 {
    let mut out = Output::new();
    let mut width = 0;
    for name in (1..=LAST_STANDARD).filter_map(command_name) {
        if width > 0 && width + 1 + name.len() > 78 {
            out.line("");
            width = 0;
        }
        if width > 0 {
            out.put(" ");
            width += 1;
        }
        out.put(name);
        width += name.len();
    }
    out.line("");
    out.finish(&call.name, 0, 1)
}

/// Sends a signal to the processes of a name, or of a pattern; whether there are any.
///
/// # Errors
/// The message about a pattern that is none.
fn kill_named(parsed: &Parsed, name: &[u8], number: u8) -> Result<bool, String> {
    let settings = Settings {
        ignore_case: parsed.has("I"),
        ..Settings::new(Dialect::Extended)
    };
    let pattern = parsed.has("r").then(|| Pattern::new(name, &settings));
    let pattern = pattern.transpose()?;
    let fits = |process: &[u8]| match &pattern {
        Some(pattern) => pattern.is_match(process),
        None if parsed.has("I") => process.eq_ignore_ascii_case(name),
        None => process == name,
    };
    let own = system::identity().pid;
    let mut all = system::processes();
    all.retain(|one| one.pid != own && fits(one.name()));
    if all.is_empty() && !parsed.has("q") {
        call_without_prefix(&bytes!(name, ": no process found\n"));
    }
    for process in &all {
        // It may have ended in the meantime.
        let sent = system::kill(process.pid, number);
        if parsed.has("v") && sent.is_ok() {
            let text = format!("({}) with signal {number}\n", process.pid);
            call_without_prefix(&bytes!("Killed ", name, text));
        }
    }
    Ok(!all.is_empty())
}

/// Writes to standard error, without the command's name before it.
fn call_without_prefix(text: &[u8]) {
    use std::io::Write as _;
    // Nobody is told where standard error is gone.
    let _ = std::io::stderr().write_all(text);
}

/// Options of `pgrep`.
const PGREP: Syntax = Syntax {
    usage: "Usage: pgrep [-aciflnovx] [-d DELIMITER] [-P PARENT,...] PATTERN\n",
    options: &[
        Opt("f", "full", Value::No),
        Opt("x", "exact", Value::No),
        Opt("l", "list-name", Value::No),
        Opt("a", "list-full", Value::No),
        Opt("c", "count", Value::No),
        Opt("d", "delimiter", Value::Required),
        Opt("i", "ignore-case", Value::No),
        Opt("n", "newest", Value::No),
        Opt("o", "oldest", Value::No),
        Opt("v", "inverse", Value::No),
        Opt("P", "parent", Value::Required),
        Opt("", "signal", Value::Required),
    ],
    permute: true,
    status: 2,
};

/// Options of `pkill`.
const PKILL: Syntax = Syntax {
    usage: "Usage: pkill [-cifnox] [-P PARENT,...] [-SIGNAL] PATTERN\n",
    options: &[
        Opt("f", "full", Value::No),
        Opt("x", "exact", Value::No),
        Opt("l", "list-name", Value::No),
        Opt("a", "list-full", Value::No),
        Opt("c", "count", Value::No),
        Opt("i", "ignore-case", Value::No),
        Opt("n", "newest", Value::No),
        Opt("o", "oldest", Value::No),
        Opt("P", "parent", Value::Required),
        Opt("", "signal", Value::Required),
    ],
    permute: true,
    status: 2,
};

/// The numbers of a list between commas; `Err` is the first that is none.
fn parents(list: &[u8]) -> Result<Vec<u32>, Vec<u8>> {
    let number = |word: &[u8]| options::number::<u32>(word).ok_or_else(|| word.to_vec());
    list.split(|&byte| byte == b',').map(number).collect()
}

/// Runs `pgrep` and `pkill`: the pattern is an extended regular expression, matched with the name of the program, or
/// with `-f` the whole command line. No signal is sent where its name is not known.
pub fn find(call: &Call) -> i32 {
    let syntax = match call.name.as_str() {
        "pkill" => &PKILL,
        _ => &PGREP,
    };
    let mut arguments = call.arguments.clone();
    let given = match call.name.as_str() {
        "pkill" => take_signal(&mut arguments),
        _ => None,
    };
    let mut number = given.unwrap_or(15);
    let parsed = match options::parse(
        &Call {
            name: call.name.clone(),
            arguments,
        },
        syntax,
    ) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if let Some(name) = parsed.value("signal") {
        // Nothing is sent where it is not known what.
        match signal(name) {
            Some(found) => number = found,
            None => return call.fail(1, bytes!("unknown signal ", name)),
        }
    }
    let wanted = match Wanted::read(call, syntax, &parsed) {
        Ok(wanted) => wanted,
        Err(status) => return status,
    };
    let found = wanted.find();
    let mut out = Output::new();
    if call.name == "pkill" {
        for process in &found {
            // It may have ended in the meantime.
            let _ = system::kill(process.pid, number);
        }
    } else if !parsed.has("c") && !found.is_empty() {
        let between = parsed.value("d").unwrap_or(b"\n");
        let shown: Vec<_> = found.iter().map(|one| shown(one, &parsed)).collect();
        out.line(shown.join(between));
    }
    if parsed.has("c") {
        out.line(found.len().to_string());
    }
    out.finish(&call.name, i32::from(found.is_empty()), 2)
}

/// Which processes `pgrep` and `pkill` look for.
struct Wanted<'a> {
    /// The options.
    parsed: &'a Parsed,
    /// `-P`: the parent has to be one of these.
    parents: Option<Vec<u32>>,
    /// What the name has to match; an empty pattern fits all.
    pattern: Pattern,
}

impl Wanted<'_> {
    /// What the command line asks for. Without a pattern there has to be `-P`.
    fn read<'a>(call: &Call, syntax: &Syntax, parsed: &'a Parsed) -> Result<Wanted<'a>, i32> {
        let parents = parsed.value("P").map(parents).transpose();
        let parents = parents
            .map_err(|wrong| options::usage_error(call, syntax, bytes!("not a number: ", wrong)))?;
        let source = match parsed.operands.first() {
            Some(source) => source.as_slice(),
            None if parents.is_some() => b"",
            None => {
                let message = "no matching criteria specified";
                return Err(options::usage_error(call, syntax, message));
            }
        };
        let whole = if parsed.has("x") {
            Whole::Line
        } else {
            Whole::No
        };
        let settings = Settings {
            whole,
            ignore_case: parsed.has("i"),
            ..Settings::new(Dialect::Extended)
        };
        let pattern = Pattern::new(source, &settings).map_err(|message| call.fail(2, message))?;
        Ok(Wanted {
            parsed,
            parents,
            pattern,
        })
    }

    /// The processes that fit, or the newest or the oldest of them.
    fn find(&self) -> Vec<system::Process> {
        let own = system::identity().pid;
        let mut found = system::processes();
        found.retain(|process| process.pid != own && self.fits(process) != self.parsed.has("v"));
        let age = |process: &system::Process| (process.started, process.pid);
        let one = if self.parsed.has("n") {
            found.into_iter().max_by_key(age)
        } else if self.parsed.has("o") {
            found.into_iter().min_by_key(age)
        } else {
            return found;
        };
        one.into_iter().collect()
    }

    /// Whether a process is looked for; `-v` is the caller's.
    fn fits(&self, process: &system::Process) -> bool {
        let is_child = |parents: &Vec<u32>| parents.contains(&process.parent);
        if !self.parents.as_ref().is_none_or(is_child) {
            return false;
        }
        if self.parsed.has("f") {
            self.pattern.is_match(&process.arguments.join(&b' '))
        } else {
            self.pattern.is_match(process.name())
        }
    }
}

/// A process as `pgrep` prints it.
fn shown(process: &system::Process, parsed: &Parsed) -> Vec<u8> {
    let pid = process.pid.to_string();
    match (parsed.has("a"), parsed.has("l")) {
        (true, _) => bytes!(pid, " ", process.arguments.join(&b' ')),
        (_, true) => bytes!(pid, " ", process.name()),
        _ => pid.into_bytes(),
    }
}

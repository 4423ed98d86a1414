//! Commands that run a command: `env`, `timeout`, `nohup`, `nice`, `stdbuf`, `setsid` and `sudo`, as in coreutils,
//! util-linux and sudo.
//!
//! A component cannot replace itself (`exec`), so the command is a child: these start it with the own standard streams,
//! wait, and end with its status. `start` says what goes wrong before that with the statuses that all of them have: 127
//! for a command that is not found, 126 for one that cannot be run, 125 for a failure of their own. There are no
//! priorities, sessions and other users, so `nice`, `setsid` and `sudo` check their options and run the command.

use std::io::Write as _;
use std::time::{Duration, Instant};

use crate::call::{Call, bytes};
use crate::duration::duration;
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::quote;
use crate::signal::{command_name, command_number as signal};
use crate::system;
use offshoot_command::launch::{start, start_on};

/// The status of a child that was started: 128 and the number of the signal where one ended it. `Err` is the status of
/// a start that failed, and is handed through.
pub fn finish(call: &Call, pid: Result<u32, i32>) -> i32 {
    let pid = match pid {
        Ok(pid) => pid,
        Err(status) => return status,
    };
    match system::wait(pid) {
        Ok(exit) => exit.status(),
        Err(failure) => call.fail(125, bytes!("wait: ", failure)),
    }
}

/// What `env -v` says of the command.
fn explain(words: &[Vec<u8>]) {
    let mut text = bytes!("executing: ", words[0], "\n");
    for (at, word) in words.iter().enumerate() {
        text.extend(bytes!(format!("   arg[{at}]= "), quote::word(word), "\n"));
    }
    // Nobody is told where standard error is gone.
    let _ = offshoot_command::stream::stderr().write_all(&text);
}

/// Runs `env`: options and assignments from left to right, then the command, or the environment itself without one.
///
/// `env -S` is split first (`split_strings`), so a string may have options. The order of the environment is kept, and
/// new variables come last.
pub fn env(call: &Call) -> i32 {
    const SYNTAX: Syntax = Syntax {
        usage: "Usage: env [OPTION]... [-] [NAME=VALUE]... [COMMAND [ARG]...]\nSet each NAME to VALUE in the environment and run COMMAND.\n",
        options: &[
            Opt("i", "ignore-environment", Value::No),
            Opt("0", "null", Value::No),
            Opt("u", "unset", Value::Required),
            Opt("C", "chdir", Value::Required),
            Opt("S", "split-string", Value::Required),
            Opt("v", "debug", Value::No),
        ],
        permute: false,
        status: 125,
    };
    let mut call = Call {
        name: call.name.clone(),
        arguments: call.arguments.clone(),
    };
    if let Err(status) = split_strings(&mut call) {
        return status;
    }
    let mut parsed = match options::parse(&call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let mut operands = std::mem::take(&mut parsed.operands);
    let dash = operands.first().is_some_and(|first| first == b"-");
    if dash {
        operands.remove(0);
    }
    let mut environment = if dash || parsed.has("i") {
        Vec::new()
    } else {
        system::environment()
    };
    for (_, name) in parsed.options.iter().filter(|(key, _)| *key == "u") {
        if name.is_empty() || name.contains(&b'=') {
            let message = bytes!("cannot unset ", quote::word(name), ": Invalid argument");
            return call.fail(125, message);
        }
        environment.retain(|(known, _)| known != name);
    }
    while let Some(at) = operands
        .first()
        .and_then(|word| word.iter().position(|&b| b == b'='))
    {
        let word = operands.remove(0);
        let (name, value) = (word[..at].to_vec(), word[at + 1..].to_vec());
        match environment.iter_mut().find(|(known, _)| *known == name) {
            Some(slot) => slot.1 = value,
            None => environment.push((name, value)),
        }
    }
    if operands.is_empty() {
        let mut out = Output::new();
        let end = if parsed.has("0") { 0 } else { b'\n' };
        for (name, value) in environment {
            out.put(bytes!(name, "=", value));
            out.end_line(end);
        }
        return out.finish(&call.name, 0, 125);
    }
    if parsed.has("0") {
        return options::usage_error(&call, &SYNTAX, "cannot specify --null (-0) with command");
    }
    let directory = parsed.value("C").map(<[u8]>::to_vec);
    if let Some(directory) = &directory
        && let Err(failure) = system::read_directory(directory)
    {
        let name = quote::word(directory);
        return call.fail(
            125,
            bytes!("cannot change directory to ", name, ": ", failure),
        );
    }
    if parsed.has("v") {
        explain(&operands);
    }
    let pid = start(&call, &operands, &environment, directory.as_deref());
    finish(&call, pid)
}

/// Replaces each `-S STRING` by the words of the string, and again in what came of it, up to the first operand.
///
/// `env -S'A=1 sh -c' x` becomes `env A=1 sh -c x`; of `-iS STRING` the `-i` stays. `Err` is the exit status.
fn split_strings(call: &mut Call) -> Result<(), i32> {
    let mut at = 0;
    while let Some(argument) = call.arguments.get(at).cloned() {
        let (mut used, mut kept, mut text) = (1, Vec::new(), None);
        if let Some(long) = argument.strip_prefix(b"--") {
            match long {
                b"" => return Ok(()),
                b"unset" | b"chdir" => used = 2,
                b"split-string" => {
                    used = 2;
                    text = call.arguments.get(at + 1).cloned();
                }
                _ => text = long.strip_prefix(b"split-string=").map(<[u8]>::to_vec),
            }
        } else if argument.len() > 1 && argument[0] == b'-' {
            let takes = |letter: &u8| matches!(letter, b'u' | b'C' | b'S');
            if let Some(letter) = argument.iter().position(takes) {
                let rest = &argument[letter + 1..];
                used += usize::from(rest.is_empty());
                if argument[letter] == b'S' {
                    kept = argument[..letter].to_vec();
                    text = match rest.is_empty() {
                        true => call.arguments.get(at + 1).cloned(),
                        false => Some(rest.to_vec()),
                    };
                }
            }
        } else {
            return Ok(());
        }
        let Some(text) = text else {
            at += used;
            continue;
        };
        let words = words(&text).map_err(|message| call.fail(125, message))?;
        let kept = (kept.len() > 1).then_some(kept);
        let end = call.arguments.len().min(at + used);
        call.arguments
            .splice(at..end, kept.into_iter().chain(words));
    }
    Ok(())
}

/// The words of a `-S` string, or what is wrong with it.
///
/// | in the string | gives |
/// |---|---|
/// | blanks, `\_` outside of quotes | the end of a word |
/// | `'…'` | text, in which `\\` and `\'` are escapes |
/// | `"…"` | text, in which `\_` is a space |
/// | `\n` `\t` `\f` `\r` `\v` `\#` `\$` | the character |
/// | `#` at the start of a word, `\c` | the end of the string |
/// | `${NAME}` | the variable, and no word of its own where it is not set; `$NAME` is an error |
fn words(text: &[u8]) -> Result<Vec<Vec<u8>>, Vec<u8>> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'\'' | b'"' if quote == Some(byte) => quote = None,
            b'\'' | b'"' if quote.is_none() => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c if quote.is_none() => {
                words.extend(word.take());
            }
            b'#' if quote.is_none() && word.is_none() => break,
            b'\\' if quote != Some(b'\'') || matches!(rest.first(), Some(b'\\' | b'\'')) => {
                let Some((&escaped, after)) = rest.split_first() else {
                    return Err(b"invalid backslash at end of string in -S".to_vec());
                };
                rest = after;
                let character = match escaped {
                    b'"' | b'#' | b'$' | b'\'' | b'\\' => escaped,
                    b'_' if quote.is_none() => {
                        words.extend(word.take());
                        continue;
                    }
                    b'_' => b' ',
                    b'c' if quote.is_none() => break,
                    b'c' => {
                        let message = b"'\\c' must not appear in double-quoted -S string";
                        return Err(message.to_vec());
                    }
                    b'f' => 0x0c,
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    b'v' => 0x0b,
                    _ => {
                        return Err(bytes!("invalid sequence '\\", [escaped], "' in -S"));
                    }
                };
                word.get_or_insert_default().push(character);
            }
            b'$' if quote != Some(b'\'') => {
                let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
                let name = rest.strip_prefix(b"{").and_then(|inner| {
                    let end = inner.iter().position(|byte| !is_name(byte))?;
                    let valid = inner[end] == b'}' && end > 0 && !inner[0].is_ascii_digit();
                    valid.then(|| &inner[..end])
                });
                let Some(name) = name else {
                    let what = "only ${VARNAME} expansion is supported, error at: $";
                    return Err(bytes!(what, rest));
                };
                rest = &rest[name.len() + 2..];
                let known = system::environment()
                    .into_iter()
                    .find(|(known, _)| known == name);
                if let Some((_, value)) = known {
                    word.get_or_insert_default().extend(value);
                }
            }
            _ => word.get_or_insert_default().push(byte),
        }
    }
    if quote.is_some() {
        return Err(b"no terminating quote in -S string".to_vec());
    }
    words.extend(word);
    Ok(words)
}

/// Runs `timeout`: 124 where the time was up, the command's status otherwise.
///
/// A DURATION of 0 is no limit. With `-k` a command that is still there after the second time gets KILL, and the status
/// is 137, as it is where `-s KILL` ended it; `--preserve-status` gives the command's status in any case. The child is
/// not put into a process group, so `--foreground` changes nothing.
pub fn timeout(call: &Call) -> i32 {
    const SYNTAX: Syntax = Syntax {
        usage: "Usage: timeout [OPTION] DURATION COMMAND [ARG]...\nStart COMMAND, and kill it if still running after DURATION.\n",
        options: &[
            Opt("", "preserve-status", Value::No),
            Opt("", "foreground", Value::No),
            Opt("k", "kill-after", Value::Required),
            Opt("s", "signal", Value::Required),
            Opt("v", "verbose", Value::No),
        ],
        permute: false,
        status: 125,
    };
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let refuse = |message| options::usage_error(call, &SYNTAX, message);
    let [limit, command @ ..] = parsed.operands.as_slice() else {
        return refuse(b"missing operand".to_vec());
    };
    if command.is_empty() {
        return refuse(b"missing operand".to_vec());
    }
    let interval = |text: &[u8]| {
        duration(text).ok_or_else(|| refuse(bytes!("invalid time interval ", quote::word(text))))
    };
    let times =
        interval(limit).and_then(|limit| Ok((limit, parsed.value("k").map(interval).transpose()?)));
    let (limit, grace) = match times {
        Ok(times) => times,
        Err(status) => return status,
    };
    let name = parsed.value("s").unwrap_or(b"TERM");
    let Some(number) = signal(name) else {
        return refuse(bytes!(quote::word(name), ": invalid signal"));
    };
    let pid = match start(call, command, &system::environment(), None) {
        Ok(pid) => pid,
        Err(status) => return status,
    };
    if limit.is_zero() {
        return finish(call, Ok(pid));
    }
    if let Some(status) = wait_until(pid, limit) {
        return status;
    }
    if parsed.has("v") {
        let name = command_name(number).unwrap_or("?");
        let command = quote::word(&command[0]);
        call.fail(0, bytes!("sending signal ", name, " to command ", command));
    }
    // It may have ended in the meantime.
    let _ = system::kill(pid, number);
    let mut status = grace.map(|grace| wait_until(pid, grace));
    if let Some(None) = status {
        let _ = system::kill(pid, 9);
        status = Some(Some(137));
        let _ = system::wait(pid);
    }
    let ended = status.flatten().unwrap_or_else(|| finish(call, Ok(pid)));
    if parsed.has("preserve-status") || ended == 137 {
        ended
    } else {
        124
    }
}

/// The status of a child that ends in time, `None` where it does not. There is no way to wait with a limit, so it is
/// looked at again and again, first after 0.2 ms, then at most every 20 ms.
fn wait_until(pid: u32, limit: Duration) -> Option<i32> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(200);
    loop {
        match system::try_wait(pid) {
            Ok(Some(exit)) => return Some(exit.status()),
            Err(_) => return Some(125),
            Ok(None) => {}
        }
        let left = limit.checked_sub(start.elapsed())?;
        std::thread::sleep(pause.min(left));
        pause = (pause * 2).min(Duration::from_millis(20));
    }
}

/// What `nohup` does with the standard streams, by which of them are terminals.
#[derive(Debug, PartialEq, Eq)]
struct Hangup {
    /// There is nothing to read.
    input: bool,
    /// Output goes to a file.
    output: bool,
    /// Messages go where output goes.
    errors: bool,
}

impl Hangup {
    /// What is said of that; `file` is the name of the file, quoted.
    fn message(&self, file: &[u8]) -> Option<Vec<u8>> {
        let ignoring = ["", "ignoring input and "][usize::from(self.input)];
        match (self.input, self.output, self.errors) {
            (_, true, _) => Some(bytes!(ignoring, "appending output to ", file)),
            (_, false, true) => Some(bytes!(ignoring, "redirecting stderr to stdout")),
            (true, false, false) => Some(b"ignoring input".to_vec()),
            (false, false, false) => None,
        }
    }
}

/// Opens `nohup.out` here or in the home directory, and gives its name too.
fn open_output(call: &Call) -> Result<(system::Handle, Vec<u8>), i32> {
    const NAME: &[u8] = b"nohup.out";
    let here = match system::open_appended(NAME) {
        Ok(file) => return Ok((file, NAME.to_vec())),
        Err(failure) => failure,
    };
    let refuse = |path: &[u8], failure| {
        let shown = quote::message(path);
        call.fail(125, bytes!("failed to open ", shown, ": ", failure))
    };
    let Some(home) = system::variable("HOME") else {
        return Err(refuse(NAME, here));
    };
    let path = system::join(&home, NAME);
    match system::open_appended(&path) {
        Ok(file) => Ok((file, path)),
        Err(failure) => {
            refuse(NAME, here);
            Err(refuse(&path, failure))
        }
    }
}

/// Runs `nohup`: standard streams that are terminals are replaced, so that the command does not need one. Nothing
/// hangs up here, so there is no signal to ignore.
pub fn nohup(call: &Call) -> i32 {
    const SYNTAX: Syntax = Syntax {
        usage: "Usage: nohup COMMAND [ARG]...\nRun COMMAND without the terminal: its output goes to nohup.out.\n",
        options: &[],
        permute: false,
        status: 125,
    };
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if parsed.operands.is_empty() {
        return options::usage_error(call, &SYNTAX, "missing operand");
    }
    let [input, output, errors] = [0, 1, 2].map(system::is_terminal);
    let plan = Hangup {
        input,
        output,
        errors,
    };
    let (mut null, mut file, mut name) = (None, None, Vec::new());
    if plan.input {
        // It can only be written, so that whoever reads fails.
        match system::open_appended(b"/dev/null") {
            Ok(open) => null = Some(open),
            Err(failure) => {
                let what = "failed to render standard input unusable: ";
                return call.fail(125, bytes!(what, failure));
            }
        }
    }
    if plan.output {
        match open_output(call) {
            Ok((open, path)) => (file, name) = (Some(open), quote::message(&path)),
            Err(status) => return status,
        }
    }
    if let Some(message) = plan.message(&name) {
        call.fail(0, message);
    }
    let own = match (plan.errors, &file) {
        (true, None) => system::standard_handle(1).ok(),
        _ => None,
    };
    let streams = system::Streams {
        input: null.as_ref(),
        output: file.as_ref(),
        errors: file.as_ref().or(own.as_ref()).filter(|_| plan.errors),
        kept: None,
    };
    let started = start_on(
        call,
        &parsed.operands,
        &system::environment(),
        None,
        streams,
    );
    finish(call, started)
}

/// Runs `nice`: all processes have one priority, which is 0. `-n` is checked and ignored.
pub fn nice(call: &Call) -> i32 {
    const SYNTAX: Syntax = Syntax {
        usage: "Usage: nice [OPTION] [COMMAND [ARG]...]\nRun COMMAND.\n",
        options: &[Opt("n", "adjustment", Value::Required)],
        permute: false,
        status: 125,
    };
    let mut arguments = call.arguments.clone();
    // `-5` stands for `-n 5`, also after others.
    for argument in &mut arguments {
        match argument.as_slice() {
            [b'-', number @ ..] if options::number::<i32>(number).is_some() => {
                *argument = bytes!("-n", number);
            }
            [b'-', ..] => {}
            _ => break,
        }
    }
    let call = Call {
        name: call.name.clone(),
        arguments,
    };
    let parsed = match options::parse(&call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let adjustment = parsed.value("n");
    let is_number = |text: &[u8]| options::number::<i64>(text).is_some();
    if let Some(wrong) = adjustment.filter(|text| !is_number(text)) {
        return call.fail(125, bytes!("invalid adjustment ", quote::word(wrong)));
    }
    match (parsed.operands.is_empty(), adjustment) {
        (false, _) => finish(
            &call,
            start(&call, &parsed.operands, &system::environment(), None),
        ),
        (true, Some(_)) => {
            let message = "a command must be given with an adjustment";
            options::usage_error(&call, &SYNTAX, message)
        }
        (true, None) => {
            let mut out = Output::new();
            out.line("0");
            out.finish(&call.name, 0, 125)
        }
    }
}

/// Runs `setsid`: there are no sessions, so the command is waited for unless it is forked.
pub fn setsid(call: &Call) -> i32 {
    const SYNTAX: Syntax = Syntax {
        usage: "Usage:\n setsid [options] <program> [arguments ...]\n\nRun a program in a new session.\n",
        options: &[Opt("f", "fork", Value::No), Opt("w", "wait", Value::No)],
        permute: false,
        status: 1,
    };
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if parsed.operands.is_empty() {
        return options::usage_error(call, &SYNTAX, "no command specified");
    }
    let pid = start(call, &parsed.operands, &system::environment(), None);
    if parsed.has("f") && !parsed.has("w") {
        return pid.map_or_else(|status| status, |_| 0);
    }
    finish(call, pid)
}

/// Runs `stdbuf`: modes are checked, and the command buffers as it would without.
pub fn stdbuf(call: &Call) -> i32 {
    const SYNTAX: Syntax = Syntax {
        usage: "Usage: stdbuf OPTION... COMMAND [ARG]...\nRun COMMAND.\n",
        options: &[
            Opt("i", "input", Value::Required),
            Opt("o", "output", Value::Required),
            Opt("e", "error", Value::Required),
        ],
        permute: false,
        status: 125,
    };
    match options::parse(call, &SYNTAX) {
        Ok(parsed) if !parsed.operands.is_empty() => {
            if let Err(status) = buffering(call, &SYNTAX, &parsed) {
                return status;
            }
        }
        Ok(_) => {}
        Err(status) => return status,
    }
    prefix(call, &SYNTAX)
}

/// Refuses what is no way of buffering.
fn buffering(call: &Call, syntax: &Syntax, parsed: &Parsed) -> Result<(), i32> {
    for (key, mode) in &parsed.options {
        let is_line = mode.as_slice() == b"L";
        if is_line && *key == "i" {
            let message = "line buffering stdin is meaningless";
            return Err(options::usage_error(call, syntax, message));
        }
        let digits = mode.trim_ascii_end();
        let is_size = digits.first().is_some_and(u8::is_ascii_digit);
        if !is_line && !is_size {
            return Err(call.fail(125, bytes!("invalid mode ", quote::word(mode))));
        }
    }
    if parsed.options.is_empty() {
        let message = "you must specify a buffering mode option";
        return Err(options::usage_error(call, syntax, message));
    }
    Ok(())
}

/// Runs `sudo`: there is one user, so the command runs as it would without.
pub fn sudo(call: &Call) -> i32 {
    const SYNTAX: Syntax = Syntax {
        usage: "usage: sudo [options] [VAR=value] command [arg ...]\nA sandbox has one user: the command runs as that user.\n",
        options: &[
            Opt("A", "askpass", Value::No),
            Opt("b", "background", Value::No),
            Opt("E", "preserve-env", Value::Optional),
            Opt("g", "group", Value::Required),
            Opt("H", "set-home", Value::No),
            Opt("i", "login", Value::No),
            Opt("k", "reset-timestamp", Value::No),
            Opt("K", "remove-timestamp", Value::No),
            Opt("l", "list", Value::No),
            Opt("n", "non-interactive", Value::No),
            Opt("p", "prompt", Value::Required),
            Opt("S", "stdin", Value::No),
            Opt("s", "shell", Value::No),
            Opt("u", "user", Value::Required),
            Opt("v", "validate", Value::No),
            Opt("D", "chdir", Value::Required),
        ],
        permute: false,
        status: 1,
    };
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let mut operands = parsed.operands.clone();
    let mut environment = system::environment();
    while let Some(at) = operands
        .first()
        .and_then(|word| word.iter().position(|&byte| byte == b'='))
    {
        let word = operands.remove(0);
        environment.retain(|(known, _)| *known != word[..at]);
        environment.push((word[..at].to_vec(), word[at + 1..].to_vec()));
    }
    let shell = parsed.has("i") || parsed.has("s");
    if operands.is_empty() && !shell {
        let alone = ["k", "K", "v", "l"].iter().any(|key| parsed.has(key));
        return match alone {
            true => 0,
            false => options::usage_error(call, &SYNTAX, "a command is needed"),
        };
    }
    if shell {
        let mut words = vec![b"sh".to_vec()];
        if !operands.is_empty() {
            let quoted: Vec<Vec<u8>> = operands
                .iter()
                .map(|word| quote::shell_where_needed(word))
                .collect();
            words.extend([b"-c".to_vec(), quoted.join(&b' ')]);
        }
        operands = words;
    }
    let path = environment.iter().find(|(name, _)| name == b"PATH");
    let path = path.map_or_else(|| b"/usr/bin:/bin".to_vec(), |(_, path)| path.clone());
    if system::find_program(&operands[0], &path) == Err(system::NO_ENTRY) {
        return call.fail(1, bytes!(operands[0], ": command not found"));
    }
    finish(
        call,
        start(call, &operands, &environment, parsed.value("D")),
    )
}

/// Runs the operands as a command, for those that have nothing else to do.
fn prefix(call: &Call, syntax: &Syntax) -> i32 {
    let parsed = match options::parse(call, syntax) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if parsed.operands.is_empty() {
        return options::usage_error(call, syntax, "missing operand");
    }
    finish(
        call,
        start(call, &parsed.operands, &system::environment(), None),
    )
}

#[cfg(test)]
mod tests {
    use super::Hangup;

    #[test]
    fn nohup_says_which_streams_it_replaces() {
        let said = |input, output, errors| {
            let plan = Hangup {
                input,
                output,
                errors,
            };
            let message = plan.message(b"'nohup.out'");
            message.map(|text| String::from_utf8_lossy(&text).into_owned())
        };
        let lines = [
            (
                said(true, true, true),
                Some("ignoring input and appending output to 'nohup.out'"),
            ),
            (
                said(false, true, false),
                Some("appending output to 'nohup.out'"),
            ),
            (
                said(true, false, true),
                Some("ignoring input and redirecting stderr to stdout"),
            ),
            (
                said(false, false, true),
                Some("redirecting stderr to stdout"),
            ),
            (said(true, false, false), Some("ignoring input")),
            (said(false, false, false), None),
        ];
        for (got, expected) in lines {
            assert_eq!(got.as_deref(), expected);
        }
    }
}

//! Commands that only start others: `env`, and programs that are builtins of the shell.

use std::io::Write as _;

use offshoot_command::call::{Call, bytes};
use offshoot_command::launch::{self, Environment};
use offshoot_command::options::{self, Opt, Syntax, Value};
use offshoot_command::system::{self, Exit, Spawn, Streams};
use offshoot_command::{quote, stream};

/// Builtins that are programs, too: what starts others finds them in `PATH`.
pub(super) const BUILTINS: [&str; 7] = ["[", "echo", "false", "printf", "pwd", "test", "true"];

/// Whether this path is one of them.
pub(super) fn builtin(path: &[u8]) -> Option<&'static str> {
    let slash = path.iter().rposition(|&byte| byte == b'/')?;
    let (directory, name) = (&path[..slash], &path[slash + 1..]);
    if !crate::machine::is_standard(directory) {
        return None;
    }
    BUILTINS.into_iter().find(|one| one.as_bytes() == name)
}

/// Runs the builtin of its name.
pub(super) fn run_builtin(call: &Call) -> i32 {
    let path = format!("/bin/{}", call.name).into_bytes();
    let mut arguments = vec![path.clone()];
    arguments.extend_from_slice(&call.arguments);
    let started = system::spawn(&Spawn {
        path: &path,
        arguments: &arguments,
        environment: &system::environment(),
        directory: None,
        streams: Streams::default(),
    });
    match started.and_then(system::wait) {
        Ok(exit) => exit.status(),
        Err(failure) => call.fail(126, failure.0.message()),
    }
}

const SYNTAX: Syntax = Syntax {
    usage: "Usage: env [OPTION]... [-] [NAME=VALUE]... [COMMAND [ARG]...]\nSet each NAME to VALUE in the environment and run COMMAND.\n",
    options: &[
        Opt("i", "ignore-environment", Value::No),
        Opt("0", "null", Value::No),
        Opt("u", "unset", Value::Required),
        Opt("C", "chdir", Value::Required),
    ],
    permute: false,
    status: 125,
};

/// `env`
pub(super) fn run_env(call: &Call) -> i32 {
    match env(call) {
        Ok(status) | Err(status) => status,
    }
}

fn env(call: &Call) -> Result<i32, i32> {
    let mut parsed = options::parse(call, &SYNTAX)?;
    let mut words = std::mem::take(&mut parsed.operands);
    let is_dash = words.first().is_some_and(|word| word == b"-");
    if is_dash {
        words.remove(0);
    }
    let mut environment: Environment = match is_dash || parsed.has("i") {
        true => Vec::new(),
        false => system::environment(),
    };
    let mut directory = None;
    for (key, value) in &parsed.options {
        match *key {
            "u" if value.is_empty() || value.contains(&b'=') => {
                let name = quote::word(value);
                return Err(call.fail(125, bytes!("cannot unset ", name, ": Invalid argument")));
            }
            "u" => environment.retain(|(name, _)| name != value),
            "C" => directory = Some(value.clone()),
            _ => {}
        }
    }
    let assignments = words.iter().take_while(|word| word.contains(&b'=')).count();
    for word in words.drain(..assignments) {
        let at = word.iter().position(|&byte| byte == b'=').unwrap_or(0);
        let (name, value) = (word[..at].to_vec(), word[at + 1..].to_vec());
        match environment.iter_mut().find(|(known, _)| *known == name) {
            Some((_, old)) => *old = value,
            None => environment.push((name, value)),
        }
    }
    let null = parsed.has("0");
    if words.is_empty() {
        if directory.is_some() {
            let text = "must specify command with --chdir (-C)";
            return Err(options::usage_error(call, &SYNTAX, text));
        }
        return print(call, &environment, if null { 0 } else { b'\n' });
    }
    if null {
        let text = "cannot specify --null (-0) with command";
        return Err(options::usage_error(call, &SYNTAX, text));
    }
    if let Some(directory) = &directory
        && let Err(failure) = system::read_directory(directory)
    {
        let name = quote::word(directory);
        let text = bytes!("cannot change directory to ", name, ": ", failure);
        return Err(call.fail(125, text));
    }
    let pid = launch::start(call, &words, &environment, directory.as_deref())?;
    Ok(system::wait(pid).map_or(126, Exit::status))
}

/// `printenv [NAME]...`
pub(super) fn run_printenv(call: &Call) -> i32 {
    const SYNTAX: Syntax = Syntax {
        usage: "Usage: printenv [OPTION]... [VARIABLE]...\nPrint the value of each VARIABLE, or of all.\n",
        options: &[Opt("0", "null", Value::No)],
        permute: true,
        status: 2,
    };
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let environment = system::environment();
    let end = if parsed.has("0") { 0 } else { b'\n' };
    if parsed.operands.is_empty() {
        return print(call, &environment, end).unwrap_or_else(|status| status);
    }
    let (mut out, mut status) = (Vec::new(), 0);
    for name in &parsed.operands {
        match environment.iter().find(|(known, _)| known == name) {
            Some((_, value)) => {
                out.extend_from_slice(value);
                out.push(end);
            }
            None => status = 1,
        }
    }
    match stream::stdout().write_all(&out) {
        Ok(()) => status,
        Err(error) => call.fail(2, format!("write error: {error}")),
    }
}

fn print(call: &Call, environment: &Environment, end: u8) -> Result<i32, i32> {
    let mut out = Vec::new();
    for (name, value) in environment {
        out.extend_from_slice(&bytes!(name, "=", value));
        out.push(end);
    }
    let written = stream::stdout().write_all(&out);
    written.map_err(|error| call.fail(125, format!("write error: {error}")))?;
    Ok(0)
}

//! Programs that are builtins of the shell, and `printenv`: that of uutils takes the environment from the process.

use std::io::Write as _;

use offshoot_command::call::{Call, bytes};
use offshoot_command::launch::Environment;
use offshoot_command::options::{self, Opt, Syntax, Value};
use offshoot_command::stream;
use offshoot_command::system::{self, Spawn, Streams};

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

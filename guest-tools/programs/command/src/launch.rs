//! Starting commands: looked up in `PATH`, as `execvp` does, or by the shell.

use std::io::Read as _;

use crate::call::{Call, bytes};
use crate::quote;
use crate::system::{self, Failure, Spawn, Streams};

/// The environment of a new process.
pub type Environment = Vec<(Vec<u8>, Vec<u8>)>;

/// Starts a command that is looked up in PATH; `Err` is the status after the message was printed.
pub fn start(
    call: &Call,
    arguments: &[Vec<u8>],
    environment: &Environment,
    directory: Option<&[u8]>,
) -> Result<u32, i32> {
    start_on(call, arguments, environment, directory, Streams::default())
}

/// The same with other standard streams.
pub fn start_on(
    call: &Call,
    arguments: &[Vec<u8>],
    environment: &Environment,
    directory: Option<&[u8]>,
    streams: Streams<'_>,
) -> Result<u32, i32> {
    let path = environment
        .iter()
        .find(|(name, _)| name == b"PATH")
        .map(|(_, value)| value.clone());
    let path = path.unwrap_or_else(|| b"/usr/bin:/bin".to_vec());
    let refuse = |failure: Failure| {
        let what = if call.name == "time" {
            bytes!("cannot run ", arguments[0])
        } else if matches!(call.name.as_str(), "env" | "nice" | "find") {
            quote::word(&arguments[0])
        } else {
            let shown = match call.name.as_str() {
                "nohup" => quote::message(&arguments[0]),
                _ => quote::word(&arguments[0]),
            };
            bytes!("failed to run command ", shown)
        };
        let status = if failure == system::NO_ENTRY {
            127
        } else {
            126
        };
        call.fail(status, bytes!(what, ": ", failure))
    };
    let program = system::find_program(&arguments[0], &path).map_err(refuse)?;
    let spawn = Spawn {
        path: &program,
        arguments,
        environment,
        directory,
        streams,
    };
    match system::spawn(&spawn) {
        Err(failure) if failure.0 == system::Errno::NoExec => {
            // As `execvp` does: a text file without `#!` is a script of the shell.
            let mut script = vec![b"sh".to_vec(), program.clone()];
            script.extend_from_slice(&arguments[1..]);
            system::spawn(&Spawn {
                path: b"/bin/sh",
                arguments: &script,
                ..spawn
            })
            .map_err(refuse)
        }
        started => started.map_err(refuse),
    }
}

/// Starts a command of the shell, `/bin/sh -c COMMAND`, with the environment of this process, as C's `system`
/// and `popen` do.
///
/// # Errors
/// What [`system::spawn`] says: there is no shell, or no further process may run.
pub fn shell(
    command: &[u8],
    directory: Option<&[u8]>,
    streams: Streams<'_>,
) -> system::Result<u32> {
    system::spawn(&Spawn {
        path: b"/bin/sh",
        arguments: &[b"sh".to_vec(), b"-c".to_vec(), command.to_vec()],
        environment: &system::environment(),
        directory,
        streams,
    })
}

/// What a command of the shell prints; how it ends does not matter.
///
/// # Errors
/// Those of [`shell`], and where there is no pipe.
pub fn output_of(command: &[u8]) -> system::Result<Vec<u8>> {
    let (mut reader, writer) = system::pipe()?;
    let streams = Streams {
        output: Some(&writer),
        ..Streams::default()
    };
    let pid = shell(command, None, streams)?;
    drop(writer);
    let mut output = Vec::new();
    reader.read_to_end(&mut output)?;
    system::wait(pid)?;
    Ok(output)
}

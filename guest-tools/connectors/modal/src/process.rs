//! Commands: a program each, whose streams are read apart, and calls that act upon it.

use std::task::Poll;

use offshoot_connector::grpc::{self, Messages, Status};
use offshoot_connector::path::unique;
use offshoot_connector::script::{self, MARK};
use offshoot_connector::{Code, Command, Error, Event, Input, Result, Running, SignalName};

use crate::service::routed;
use crate::settings::State;
use crate::wire::{
    Empty, PIPE, STDERR, STDOUT, SecretSource, StringMap, TaskExecRequest, TaskExecStartRequest,
    TaskExecStatusResponse, TaskExecStdinStatusResponse, TaskExecStdinWriteRequest,
    TaskExecStdioReadRequest, TaskExecStdioReadResponse,
};

/// Bytes of input that one call carries.
const INPUT: usize = 1 << 20;
/// Seconds that the service gives a command beyond its time-out, which the host counts.
const GRACE: u64 = 10;
/// Bytes before a command begins, which say whether it does.
const HELLO: usize = 64 << 10;

/// Runs the words after `$2` in the directory `$1`, without input where `$2` is not empty, and tells before, on
/// standard error after the word `$0`, whether it can: how the service takes a directory that is not there, nobody says.
const ENTER: &str = r#"cd -- "$1" 2>/dev/null || {
  if [ -d "$1" ]; then echo "$0 denied"; elif [ -e "$1" ]; then echo "$0 conflict"; else echo "$0 missing"; fi >&2; exit; }
unset OLDPWD; [ -z "$2" ] || exec </dev/null; shift 2; echo "$0 begun" >&2; exec "$@""#;

/// A command that runs.
pub(crate) struct Process {
    state: State,
    id: String,
    stdout: Messages<TaskExecStdioReadResponse>,
    stderr: Messages<TaskExecStdioReadResponse>,
    /// What came to standard error with the word that the command began.
    rest: Vec<u8>,
    open: [bool; 2],
    ended: bool,
}

/// Starts a command and waits until it has begun.
pub(crate) fn start(state: &State, command: &Command) -> Result<Process> {
    let id = unique();
    let empty = match command.input {
        Input::Piped => "",
        _ => "empty",
    };
    let mut words = ["/bin/bash", "-c", ENTER, &id, &command.cwd, empty]
        .map(str::to_owned)
        .to_vec();
    words.extend(script::words(command, &id));
    let mut variables = vec![(MARK.to_owned(), id.clone())];
    if !command.replace_environment {
        variables.extend(state.variables.iter().chain(&command.environment).cloned());
    }
    let limit = command.timeout_ms.map(|ms| ms.div_ceil(1000) + GRACE);
    launch(state, &id, words, variables, limit)?;
    let mut process = Process {
        stdout: read(state, &id, STDOUT)?,
        stderr: read(state, &id, STDERR)?,
        state: state.clone(),
        id,
        rest: Vec::new(),
        open: [true, true],
        ended: false,
    };
    process.begin(&command.cwd)?;
    Ok(process)
}

fn launch(
    state: &State,
    id: &str,
    words: Vec<String>,
    variables: Vec<(String, String)>,
    limit: Option<u64>,
) -> grpc::Result<()> {
    let env = StringMap {
        contents: variables.into_iter().collect(),
    };
    let asked = TaskExecStartRequest {
        task_id: state.task.clone(),
        exec_id: id.to_owned(),
        command_args: words,
        stdout_config: PIPE,
        stderr_config: PIPE,
        timeout_secs: limit.map(|seconds| u32::try_from(seconds).unwrap_or(u32::MAX)),
        workdir: None,
        secret_sources: vec![SecretSource {
            secret_id: None,
            env: Some(env),
        }],
    };
    let _: Empty = routed(state, |router| router.call("TaskExecStart", &asked))?;
    Ok(())
}

fn read(
    state: &State,
    id: &str,
    descriptor: i32,
) -> grpc::Result<Messages<TaskExecStdioReadResponse>> {
    let asked = TaskExecStdioReadRequest {
        task_id: state.task.clone(),
        exec_id: id.to_owned(),
        offset: 0,
        file_descriptor: descriptor,
    };
    routed(state, |router| router.stream("TaskExecStdioRead", &asked))
}

fn of(state: &State, id: &str) -> TaskExecRequest {
    TaskExecRequest {
        task_id: state.task.clone(),
        exec_id: id.to_owned(),
    }
}

/// Waits until a command has ended. The service answers after a while in any case.
fn status(state: &State, id: &str) -> grpc::Result<TaskExecStatusResponse> {
    loop {
        let told: grpc::Result<TaskExecStatusResponse> =
            routed(state, |router| router.call("TaskExecWait", &of(state, id)));
        match told {
            Err(failure) if failure.status == Some(Status::DeadlineExceeded) => {}
            told => return told,
        }
    }
}

impl Process {
    /// Waits for the word that says whether the command began.
    fn begin(&mut self, cwd: &str) -> Result<()> {
        let hello = format!("{} ", self.id);
        while !self.rest.contains(&b'\n') {
            match self.stderr.message().map_err(died)? {
                Some(message) => self.rest.extend_from_slice(&message.data),
                None => return Err(self.lost()),
            }
            if self.rest.len() > HELLO {
                return Err(self.lost());
            }
        }
        let end = self.rest.iter().position(|byte| *byte == b'\n');
        let after = self.rest.split_off(end.unwrap_or_default() + 1);
        let line = String::from_utf8_lossy(&self.rest).into_owned();
        match line.trim_end().strip_prefix(&hello) {
            Some("begun") => {
                self.rest = after;
                Ok(())
            }
            Some("missing") => Err(Error::new(Code::NotFound, format!("{cwd}: not found"))),
            Some("conflict") => Err(Error::new(
                Code::Conflict,
                format!("{cwd}: not a directory"),
            )),
            Some("denied") => {
                let message = format!("{cwd}: permission denied");
                Err(Error::new(Code::PolicyDenied, message))
            }
            _ => Err(self.lost()),
        }
    }

    fn lost(&self) -> Error {
        let shown = String::from_utf8_lossy(&self.rest);
        let shown: String = shown.chars().take(500).collect();
        Error::new(Code::Died, format!("the command did not begin: {shown}"))
    }

    /// What a stream has now; nothing where it has to be waited for.
    fn heard(&mut self, descriptor: usize) -> Result<Option<Vec<u8>>> {
        let stream = match descriptor {
            0 => &mut self.stdout,
            _ => &mut self.stderr,
        };
        loop {
            match stream.try_message().map_err(died)? {
                Poll::Ready(Some(message)) if message.data.is_empty() => {}
                Poll::Ready(Some(message)) => return Ok(Some(message.data)),
                Poll::Ready(None) => {
                    self.open[descriptor] = false;
                    return Ok(None);
                }
                Poll::Pending => return Ok(None),
            }
        }
    }
}

/// A stream that ends with its sandbox has no end of its own.
fn died(failure: grpc::Failure) -> Error {
    match failure.status {
        Some(Status::NotFound | Status::Unavailable) => failure.error.with_code(Code::Died),
        _ => failure.error,
    }
}

impl Running for Process {
    fn id(&self) -> String {
        self.id.clone()
    }

    fn next(&mut self) -> Result<Option<Event>> {
        if self.ended {
            return Ok(None);
        }
        if !self.rest.is_empty() {
            return Ok(Some(Event::Stderr(std::mem::take(&mut self.rest))));
        }
        loop {
            if self.open[0]
                && let Some(data) = self.heard(0)?
            {
                return Ok(Some(Event::Stdout(data)));
            }
            if self.open[1]
                && let Some(data) = self.heard(1)?
            {
                return Ok(Some(Event::Stderr(data)));
            }
            if self.open == [false, false] {
                break;
            }
            Messages::wait(&self.stdout, &self.stderr);
        }
        self.ended = true;
        let told = status(&self.state, &self.id).map_err(died)?;
        match (told.code, told.signal) {
            (_, Some(signal)) if signal > 0 => Ok(Some(Event::Exit(byte(128 + signal)))),
            (Some(code), _) => Ok(Some(Event::Exit(byte(code)))),
            _ => Err(Error::corrupt("a command without a status")),
        }
    }
}

fn byte(status: i32) -> u8 {
    u8::try_from(status).unwrap_or(u8::MAX)
}

/// Kills all that a command started, which the service does not know. It has no call for other signals.
pub(crate) fn signal(state: &State, process: &str, signal: SignalName) -> Result<()> {
    if signal != SignalName::Kill {
        return Err(Error::refused("signals but the kill"));
    }
    let id = unique();
    launch(state, &id, script::sweep(process), Vec::new(), Some(GRACE))?;
    status(state, &id)?;
    Ok(())
}

/// Where the input of a command goes on; nothing where it takes no more.
fn place(state: &State, process: &str) -> Result<Option<u64>> {
    let told: grpc::Result<TaskExecStdinStatusResponse> = routed(state, |router| {
        router.call("TaskExecStdinStatus", &of(state, process))
    });
    match told {
        Ok(told) if told.closed => Ok(None),
        Ok(told) => Ok(Some(told.num_bytes_written)),
        Err(failure) if failure.status == Some(Status::FailedPrecondition) => Ok(None),
        Err(failure) => Err(failure.error),
    }
}

fn write(state: &State, process: &str, offset: u64, data: &[u8], eof: bool) -> grpc::Result<()> {
    let asked = TaskExecStdinWriteRequest {
        task_id: state.task.clone(),
        exec_id: process.to_owned(),
        offset,
        data: data.to_vec(),
        eof,
    };
    let _: Empty = routed(state, |router| router.call("TaskExecStdinWrite", &asked))?;
    Ok(())
}

pub(crate) fn write_input(state: &State, process: &str, data: &[u8]) -> Result<()> {
    let closed = || Error::new(Code::Conflict, "the command takes no more input");
    let mut offset = place(state, process)?.ok_or_else(closed)?;
    for piece in data.chunks(INPUT) {
        write(state, process, offset, piece, false)?;
        offset += piece.len() as u64;
    }
    Ok(())
}

pub(crate) fn close_input(state: &State, process: &str) -> Result<()> {
    let Some(offset) = place(state, process)? else {
        return Ok(());
    };
    match write(state, process, offset, &[], true) {
        Err(failure) if failure.error.code == Code::Conflict => Ok(()),
        told => Ok(told?),
    }
}

/// Makes a directory with its parents.
pub(crate) fn mkdir(state: &State, path: &str) -> Result<()> {
    let id = unique();
    let words = ["/bin/mkdir", "-p", "--", path].map(str::to_owned).to_vec();
    launch(state, &id, words, Vec::new(), None)?;
    match status(state, &id)?.code {
        Some(0) => Ok(()),
        _ => {
            let message = format!("{path}: the directory cannot be made");
            Err(Error::new(Code::Conflict, message))
        }
    }
}

//! Commands in a container.
//!
//! The engine knows neither time-outs nor a kill for what `exec` started. So a command carries a
//! mark in its environment, runs below a shell of ours that leads a session of its own, and is
//! ended by another command that looks for both.

use super::{NAME, status, typed};
use crate::inside::{self, GRACE, LEAD, NO_DIRECTORY};
use crate::pipe::at;
use bollard::Docker;
use bollard::container::LogOutput;
use bollard::exec::{CreateExecOptions, StartExecOptions, StartExecResults};
use futures::{Stream, StreamExt};
use offshoot_backend::{
    Code, Error, Event, Exec, Input, Result, Running, Signal, Stdin, TIMED_OUT,
};
use offshoot_boxed::boxed;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::time::Instant;

/// The longest piece of output that the client decodes at once.
const FRAME: usize = 256 << 10;

/// A command in a container that runs.
pub(super) struct Process {
    docker: Docker,
    container: String,
    exec: String,
    mark: String,
    output: Pin<Box<dyn Stream<Item = Result2> + Send>>,
    input: Option<Pin<Box<dyn AsyncWrite + Send>>>,
    deadline: Option<Instant>,
    /// The time-out has passed; its caller waits until then.
    ending: Option<Instant>,
    missing_directory: bool,
    over: bool,
    ended: Arc<AtomicBool>,
    cwd: String,
}

type Result2 = std::result::Result<LogOutput, bollard::errors::Error>;

impl Process {
    pub(super) async fn start(
        docker: Docker,
        container: String,
        user: Option<String>,
        exec: &Exec,
        ended: Arc<AtomicBool>,
    ) -> Result<Process> {
        let mark = inside::mark();
        let deadline = exec.timeout.map(|timeout| Instant::now() + timeout);
        let cwd = exec.cwd.clone().unwrap_or_else(|| "/".to_owned());
        let options = CreateExecOptions {
            attach_stdin: Some(exec.stdin != Stdin::Empty),
            attach_stdout: Some(true),
            attach_stderr: Some(true),
            cmd: Some(inside::words(NAME, LEAD, exec, &cwd, &mark)?),
            env: Some(inside::environment(exec, &mark)),
            user,
            working_dir: Some("/".to_owned()),
            ..CreateExecOptions::default()
        };
        let made = docker.create_exec(&container, options).await;
        let id = made.map_err(|error| unavailable(error, &ended))?.id;
        let options = StartExecOptions {
            output_capacity: Some(FRAME),
            ..StartExecOptions::default()
        };
        let started = docker.start_exec(&id, Some(options)).await;
        let StartExecResults::Attached { output, input } =
            started.map_err(|error| unavailable(error, &ended))?
        else {
            return Err(Error::new(Code::Died, "exec", "the engine gave no streams").on(NAME));
        };
        Ok(Process {
            docker,
            container,
            exec: id,
            mark,
            output,
            input: (exec.stdin != Stdin::Empty).then_some(input),
            deadline,
            ending: None,
            missing_directory: false,
            over: false,
            ended,
            cwd,
        })
    }

    /// Gives these bytes as standard input, in the background.
    pub(super) fn feed(&mut self, bytes: Vec<u8>) {
        if let Some(mut input) = self.input.take() {
            tokio::spawn(async move {
                // A command need not read its input.
                let _ = input.write_all(&bytes).await;
                let _ = input.shutdown().await;
            });
        }
    }

    /// What the engine knows of the end.
    async fn exit(&mut self) -> Result<Option<Event>> {
        self.over = true;
        if self.ending.is_some() {
            return Ok(Some(Event::Exit(TIMED_OUT)));
        }
        let died = |message: String| Error::new(Code::Died, "exec", message).on(NAME);
        let inspected = self.docker.inspect_exec(&self.exec).await;
        let code = match inspected {
            Ok(inspected) => inspected
                .exit_code
                .filter(|_| inspected.running != Some(true)),
            Err(error) => return Err(died(format!("the sandbox ended: {error}"))),
        };
        if self.ended.load(Ordering::Acquire) {
            return Err(died(
                "the sandbox was cleaned up during the call".to_owned(),
            ));
        }
        let code = u8::try_from(code.unwrap_or(137) & 0xff).unwrap_or(u8::MAX);
        if code == NO_DIRECTORY && self.missing_directory {
            let message = format!("{}: no such directory", self.cwd);
            return Err(Error::new(Code::NotFound, "exec", message).on(NAME));
        }
        if code == 137 {
            // By a signal of its own, or with the whole container?
            let container = self.docker.inspect_container(&self.container, None).await;
            let state = container.ok().and_then(|found| found.state);
            if state.and_then(|state| state.running) != Some(true) {
                return Err(died("the container ended during the call".to_owned()));
            }
        }
        Ok(Some(Event::Exit(code)))
    }

    fn end(&self, signal: &'static str, insist: bool) {
        let (docker, container) = (self.docker.clone(), self.container.clone());
        let mark = self.mark.clone();
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                // It may have ended already, and the container with it.
                let _ = end(&docker, &container, &mark, signal, insist).await;
            });
        }
    }
}

/// A refusal before the command ran.
fn unavailable(error: bollard::errors::Error, ended: &AtomicBool) -> Error {
    let message = match status(&error) {
        Some(404) => return Error::ended("exec").on(NAME),
        Some(409) if ended.load(Ordering::Acquire) => return Error::ended("exec").on(NAME),
        Some(409) => format!("the container is paused or stopped: {error}"),
        _ => return typed("exec", error),
    };
    Error::new(Code::SandboxUnavailable, "exec", message).on(NAME)
}

/// Sends a signal to a marked command.
async fn end(
    docker: &Docker,
    container: &str,
    mark: &str,
    signal: &str,
    insist: bool,
) -> std::result::Result<(), bollard::errors::Error> {
    let options = CreateExecOptions {
        cmd: Some(
            inside::end(mark, signal, insist)
                .map(str::to_owned)
                .to_vec(),
        ),
        attach_stdout: Some(true),
        ..CreateExecOptions::default()
    };
    let made = docker.create_exec(container, options).await?;
    if let StartExecResults::Attached { mut output, .. } = docker.start_exec(&made.id, None).await?
    {
        while output.next().await.is_some() {}
    }
    Ok(())
}

#[boxed]
impl Running for Process {
    async fn next(&mut self) -> Result<Option<Event>> {
        loop {
            if self.over {
                return Ok(None);
            }
            let until = self.ending.or(self.deadline);
            tokio::select! {
                biased;
                piece = self.output.next() => match piece {
                    Some(Ok(LogOutput::StdErr { message })) => {
                        self.missing_directory |= message == self.mark.as_bytes();
                        return Ok(Some(Event::Stderr(message)));
                    }
                    Some(Ok(output)) => return Ok(Some(Event::Stdout(output.into_bytes()))),
                    Some(Err(error)) => {
                        self.over = true;
                        return Err(typed("exec", error));
                    }
                    None => return self.exit().await,
                },
                () = at(until), if until.is_some() => {
                    if self.ending.is_some() {
                        return self.exit().await;
                    }
                    self.end("TERM", true);
                    self.ending = Some(Instant::now() + GRACE);
                }
            }
        }
    }

    fn take_input(&mut self) -> Option<Box<dyn Input>> {
        let input = self.input.take()?;
        Some(Box::new(Hijacked(input)))
    }

    async fn signal(&mut self, signal: Signal) -> Result<()> {
        let name = inside::signal_name(NAME, signal)?;
        // Not awaited: the engine handles the exits of a container one after the other, and that of
        // a command whose output nobody reads keeps all later ones waiting.
        self.end(name, false);
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.over {
            self.end("KILL", false);
        }
    }
}

/// Standard input over the engine's connection; closing its half is the end of the input.
struct Hijacked(Pin<Box<dyn AsyncWrite + Send>>);

#[boxed]
impl Input for Hijacked {
    async fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let closed = |_| Error::new(Code::Conflict, "write", "the command reads no more").on(NAME);
        self.0.write_all(bytes).await.map_err(closed)?;
        self.0.flush().await.map_err(closed)
    }
}

impl Drop for Hijacked {
    fn drop(&mut self) {
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let mut input = std::mem::replace(&mut self.0, Box::pin(tokio::io::sink()));
            runtime.spawn(async move {
                let _ = input.shutdown().await;
            });
        }
    }
}

//! Commands in a container.
//!
//! The engine knows neither time-outs nor a kill for what `exec` started. So a command carries a
//! mark in its environment, runs below a shell of ours that leads a session of its own, and is
//! ended by another command that looks for both.

use super::{NAME, status, typed};
use async_trait::async_trait;
use bollard::Docker;
use bollard::container::LogOutput;
use bollard::exec::{CreateExecOptions, StartExecOptions, StartExecResults};
use futures::{Stream, StreamExt};
use offshoot_backend::{
    Code, Error, Event, Exec, Input, Result, Running, Signal, Stdin, TIMED_OUT,
};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;
use tokio::io::{AsyncWrite, AsyncWriteExt};
use tokio::time::{Instant, sleep_until};

/// The variable that marks what belongs to an execution.
const MARK: &str = "OFFSHOOT_EXEC";
/// How long the answer to a time-out waits for the command's end.
const GRACE: Duration = Duration::from_millis(150);
/// A string of an argument vector has at most 128 KiB.
const MAX_ARGUMENT: usize = 100_000;
/// The longest piece of output that the client decodes at once.
const FRAME: usize = 256 << 10;
/// The status by which our shell says that the directory is missing; its message is the mark.
const NO_DIRECTORY: u8 = 126;

/// Leads the session: changes into `$1`, runs the words behind `$2`, and ends when nothing that
/// they started is left. Signals are for the command, not for it.
const LEAD: &str = r#"
trap : INT TERM
cd -- "$1" 2>/dev/null || { printf %s "$2" >&2; exit 126; }
shift 2
"$@"
c=$?
while :; do
  left=
  for f in /proc/[0-9]*/stat; do
    { read -r line <"$f"; } 2>/dev/null || continue
    line=${line##*) }
    set -- $line
    p=${f#/proc/}
    if [ "$3" = $$ ] && [ "$1" != Z ] && [ "${p%/stat}" != $$ ]; then left=1; break; fi
  done
  [ -n "$left" ] || break
  sleep 0.05
done
exit $c
"#;

/// Runs `$1` with the better shell that there is.
const SHELL: &str = r#"
b=sh; command -v bash >/dev/null 2>&1 && b=bash
exec "$b" -c "$@"
"#;

/// Sends `$2` to everything that carries the mark `$1`, and to the groups that such processes
/// lead; where that is TERM and `$3` is set, KILL follows after two seconds.
const END: &str = r#"
hit() {
  found=
  for d in /proc/[0-9]*; do
    tr '\0' '\n' 2>/dev/null <"$d/environ" | grep -qxF "OFFSHOOT_EXEC=$1" || continue
    p=${d#/proc/}; found=1
    kill -s "$2" -- "-$p" 2>/dev/null
    kill -s "$2" "$p" 2>/dev/null
  done
  [ -n "$found" ]
}
hit "$1" "$2"
[ -n "$3" ] || exit 0
i=0
while [ $i -lt 20 ] && hit "$1" CONT; do i=$((i+1)); sleep 0.1; done
hit "$1" KILL
exit 0
"#;

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
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let mark = format!("{:x}-{:?}-{number}", std::process::id(), Instant::now());
        let mark = mark.replace(|c: char| !c.is_ascii_alphanumeric() && c != '-', "");
        let deadline = exec.timeout.map(|timeout| Instant::now() + timeout);
        let cwd = exec.cwd.clone().unwrap_or_else(|| "/".to_owned());
        let options = CreateExecOptions {
            attach_stdin: Some(exec.stdin != Stdin::Empty),
            attach_stdout: Some(true),
            attach_stderr: Some(true),
            cmd: Some(words(exec, &cwd, &mark)?),
            env: Some(environment(exec, &mark)),
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

/// The words of the command that the engine runs.
fn words(exec: &Exec, cwd: &str, mark: &str) -> Result<Vec<String>> {
    let too_long = exec.script.len() > MAX_ARGUMENT
        || exec.arguments.iter().any(|word| word.len() > MAX_ARGUMENT);
    if too_long {
        let message =
            format!("limit reached: a script or argument has at most {MAX_ARGUMENT} bytes");
        return Err(Error::new(Code::Limit, "exec", message).on(NAME));
    }
    let text = |bytes: &[u8]| {
        String::from_utf8(bytes.to_vec()).map_err(|_| {
            let message = "the engine takes scripts and arguments in UTF-8 only";
            Error::new(Code::Invalid, "exec", message).on(NAME)
        })
    };
    let mut words = ["sh", "-c", LEAD, "offshoot", cwd, mark]
        .map(str::to_owned)
        .to_vec();
    if exec.replace_environment {
        words.extend(["env", "-i"].map(str::to_owned));
        words.extend(environment(exec, mark));
    }
    words.extend(["sh", "-c", SHELL, "offshoot"].map(str::to_owned));
    words.push(text(&exec.script)?);
    words.push(text(exec.name.as_deref().unwrap_or(b"bash"))?);
    for argument in &exec.arguments {
        words.push(text(argument)?);
    }
    Ok(words)
}

fn environment(exec: &Exec, mark: &str) -> Vec<String> {
    exec.environment
        .iter()
        .map(|(name, value)| format!("{name}={value}"))
        .chain([format!("{MARK}={mark}")])
        .collect()
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
    let insist = if insist { "yes" } else { "" };
    let options = CreateExecOptions {
        cmd: Some(
            ["sh", "-c", END, "offshoot", mark, signal, insist]
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

#[async_trait]
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
        let name = match signal {
            Signal::Interrupt => "INT",
            Signal::Terminate => "TERM",
            Signal::Kill => "KILL",
            _ => return Err(Error::unsupported(NAME, "signal", "this signal")),
        };
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

async fn at(time: Option<Instant>) {
    if let Some(time) = time {
        sleep_until(time).await;
    }
}

/// Standard input over the engine's connection; closing its half is the end of the input.
struct Hijacked(Pin<Box<dyn AsyncWrite + Send>>);

#[async_trait]
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

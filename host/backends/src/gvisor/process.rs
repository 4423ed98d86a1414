//! Commands in a container: a call of `runsc exec` each, whose streams are the command's.
//!
//! That call passes no signals on and its end ends nothing, so a command carries a mark in its
//! environment, by which another one finds it with all that it started.

use super::NAME;
use super::runsc::Runsc;
use super::sandbox::is_running;
use crate::inside::{self, GRACE, NO_DIRECTORY};
use crate::pipe::{self, PipeInput, at, exit_code, read};
use offshoot_backend::{
    Code, Error, Event, Exec, Input, Result, Running, Signal, Stdin, TIMED_OUT,
};
use offshoot_boxed::boxed;
use serde_json::json;
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use tokio::sync::OwnedRwLockReadGuard;
use tokio::time::Instant;

/// Changes into `$1` and becomes the words behind `$2`.
const LEAD: &str = r#"
cd -- "$1" 2>/dev/null || { printf %s "$2" >&2; exit 126; }
shift 2
exec "$@"
"#;
/// The status of `runsc exec` where it failed itself.
const FAILED: u8 = 128;

/// Where a command runs.
#[derive(Debug, Clone)]
pub(super) struct Place {
    pub(super) runsc: Runsc,
    pub(super) id: String,
    pub(super) ended: Arc<AtomicBool>,
    /// Where files about commands lie, for root alone.
    pub(super) bundle: PathBuf,
    /// What every command gets.
    pub(super) variables: Vec<(String, String)>,
}

impl Place {
    /// Writes what `runsc exec` reads. In its arguments all users of the host would see it.
    fn describe(&self, exec: &Exec, cwd: &str, mark: &str) -> Result<PathBuf> {
        let mut variables = self.variables.clone();
        variables.retain(|(name, _)| !exec.environment.iter().any(|(own, _)| own == name));
        let shared = variables
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        let process = json!({
            "user": {"uid": 0, "gid": 0},
            "cwd": "/",
            "env": shared.chain(inside::environment(exec, mark)).collect::<Vec<_>>(),
            "args": inside::words(NAME, LEAD, exec, cwd, mark)?,
        });
        let path = self.bundle.join(format!("process-{mark}.json"));
        let written = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(&path)
            .and_then(|mut file| file.write_all(process.to_string().as_bytes()));
        match written {
            Ok(()) => Ok(path),
            Err(error) => Err(Error::new(Code::Died, "exec", error.to_string()).on(NAME)),
        }
    }

    /// Sends a signal to everything that carries the mark, in the background.
    fn end(&self, mark: &str, signal: &'static str, insist: bool) {
        let mut words = vec!["exec", self.id.as_str()];
        words.extend(inside::end(mark, signal, insist));
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let mut command = self.runsc.command(&words);
            // It may have ended already, and the container with it.
            runtime.spawn(async move { command.status().await });
        }
    }
}

/// The file that a command was described in; removed with it.
struct Description(PathBuf);

impl Drop for Description {
    fn drop(&mut self) {
        // What is left goes with the bundle.
        let _ = fs::remove_file(&self.0);
    }
}

/// A command in a container that runs.
pub(super) struct Process {
    place: Place,
    child: Child,
    mark: String,
    cwd: String,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    buffers: [Vec<u8>; 2],
    status: Option<ExitStatus>,
    deadline: Option<Instant>,
    /// The time-out has passed; its caller waits until then.
    ending: Option<Instant>,
    missing_directory: bool,
    over: bool,
    _description: Description,
    /// No checkpoint is taken as long as it has streams.
    _in_flight: OwnedRwLockReadGuard<()>,
}

impl Process {
    pub(super) fn start(
        place: Place,
        exec: &Exec,
        in_flight: OwnedRwLockReadGuard<()>,
    ) -> Result<Process> {
        let mark = inside::mark();
        let cwd = exec.cwd.clone().unwrap_or_else(|| "/".to_owned());
        let deadline = exec.timeout.map(|timeout| Instant::now() + timeout);
        let description = Description(place.describe(exec, &cwd, &mark)?);
        let shown = description.0.display().to_string();
        let words = ["exec", "-process", shown.as_str(), place.id.as_str()];
        let stdin = match exec.stdin {
            Stdin::Empty => Stdio::null(),
            _ => Stdio::piped(),
        };
        let mut command = place.runsc.command(&words);
        let started = command
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = started
            .map_err(|error| Error::new(Code::Died, "exec", format!("runsc: {error}")).on(NAME))?;
        Ok(Process {
            place,
            mark,
            cwd,
            stdin: child.stdin.take(),
            stdout: child.stdout.take(),
            stderr: child.stderr.take(),
            buffers: [Vec::new(), Vec::new()],
            child,
            status: None,
            deadline,
            ending: None,
            missing_directory: false,
            over: false,
            _description: description,
            _in_flight: in_flight,
        })
    }

    /// Gives these bytes as standard input, in the background.
    pub(super) fn feed(&mut self, bytes: Vec<u8>) {
        pipe::feed(self.stdin.take(), bytes);
    }

    fn timed_out(&mut self) -> Result<Option<Event>> {
        self.over = true;
        Ok(Some(Event::Exit(TIMED_OUT)))
    }

    /// What the end means, once nothing is left to read.
    async fn exit(&mut self, status: ExitStatus) -> Result<Option<Event>> {
        if self.ending.is_some() {
            return self.timed_out();
        }
        self.over = true;
        let died = |message: &str| Err(Error::new(Code::Died, "exec", message).on(NAME));
        if self.place.ended.load(Ordering::Acquire) {
            return died("the sandbox was cleaned up during the call");
        }
        let code = exit_code(status);
        if code == NO_DIRECTORY && self.missing_directory {
            let message = format!("{}: no such directory", self.cwd);
            return Err(Error::new(Code::NotFound, "exec", message).on(NAME));
        }
        if matches!(code, FAILED | 137) && !is_running(&self.place.runsc, &self.place.id).await? {
            return died("the sandbox ended during the call");
        }
        Ok(Some(Event::Exit(code)))
    }
}

#[boxed]
impl Running for Process {
    async fn next(&mut self) -> Result<Option<Event>> {
        loop {
            if self.over {
                return Ok(None);
            }
            if let Some(status) = self.status
                && self.stdout.is_none()
                && self.stderr.is_none()
            {
                return self.exit(status).await;
            }
            let until = self.ending.or(self.deadline);
            let [out, err] = &mut self.buffers;
            tokio::select! {
                piece = read(&mut self.stdout, out), if self.stdout.is_some() => match piece {
                    Some(bytes) => return Ok(Some(Event::Stdout(bytes))),
                    None => self.stdout = None,
                },
                piece = read(&mut self.stderr, err), if self.stderr.is_some() => match piece {
                    Some(bytes) => {
                        self.missing_directory |= bytes == self.mark.as_bytes();
                        return Ok(Some(Event::Stderr(bytes)));
                    }
                    None => self.stderr = None,
                },
                status = self.child.wait(), if self.status.is_none() => match status {
                    Ok(status) => self.status = Some(status),
                    Err(error) => {
                        let message = format!("runsc: {error}");
                        return Err(Error::new(Code::Died, "exec", message).on(NAME));
                    }
                },
                () = at(until), if until.is_some() => {
                    if self.ending.is_some() {
                        return self.timed_out();
                    }
                    self.place.end(&self.mark, "TERM", true);
                    self.ending = Some(Instant::now() + GRACE);
                }
            }
        }
    }

    fn take_input(&mut self) -> Option<Box<dyn Input>> {
        let stdin = self.stdin.take()?;
        Some(Box::new(PipeInput::new(NAME, stdin)))
    }

    async fn signal(&mut self, signal: Signal) -> Result<()> {
        let name = inside::signal_name(NAME, signal)?;
        self.place.end(&self.mark, name, false);
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.over {
            self.place.end(&self.mark, "KILL", false);
        }
        // The call itself goes with its command; where that ended with the container, so did it.
        if let Ok(runtime) = tokio::runtime::Handle::try_current()
            && let Ok(None) = self.child.try_wait()
        {
            let _guard = runtime.enter();
            let _ = self.child.start_kill();
        }
    }
}

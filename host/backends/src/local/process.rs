//! Commands on the host: a process group each, ended as a whole.

use super::{NAME, io};
use crate::inside::{GRACE, MARK};
use crate::pipe::{self, PipeInput, at, exit_code, read};
use offshoot_backend::{
    Code, Error, Event, Exec, Input, Result, Running, Signal, Stdin, TIMED_OUT,
};
use offshoot_boxed::boxed;
use rustix::process::{Pid, kill_process, kill_process_group, test_kill_process_group};
use std::collections::HashSet;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::time::{Instant, sleep};

/// How long a command may take to end after SIGTERM.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often new processes of a command are looked for before all are killed.
const ROUNDS: usize = 64;

/// All processes of one command: its group, and what carries its mark.
#[derive(Debug, Clone)]
pub(super) struct Tree {
    group: Pid,
    mark: String,
}

impl Tree {
    /// Sends a signal to every process.
    pub(super) fn signal(&self, signal: rustix::process::Signal) {
        // It may have ended already.
        let _ = kill_process_group(self.group, signal);
        if signal == rustix::process::Signal::KILL {
            return end_all(|mark| mark == self.mark);
        }
        for process in marked(|mark| mark == self.mark) {
            let _ = kill_process(process, signal);
        }
    }

    /// Whether no process of the group is left.
    fn is_empty(&self) -> bool {
        test_kill_process_group(self.group).is_err()
    }
}

/// Ends every process whose mark begins with `prefix`.
pub(super) fn end_marked(prefix: &str) {
    end_all(|mark| mark.starts_with(prefix));
}

/// Kills all marked processes. They are stopped first, until no new one is found: what has stopped
/// starts no more, so that even a fork bomb is over (T20).
fn end_all(is_wanted: impl Fn(&str) -> bool) {
    use rustix::process::Signal;
    let mut stopped = HashSet::new();
    for _ in 0..ROUNDS {
        let before = stopped.len();
        for process in marked(&is_wanted) {
            if stopped.insert(process) {
                let _ = kill_process(process, Signal::STOP);
            }
        }
        if stopped.len() == before {
            break;
        }
    }
    for process in marked(&is_wanted) {
        let _ = kill_process(process, Signal::KILL);
    }
}

/// The processes whose mark is wanted. Where the system does not show other processes' variables,
/// there are none.
fn marked(is_wanted: impl Fn(&str) -> bool) -> Vec<Pid> {
    let Ok(processes) = std::fs::read_dir("/proc") else {
        return Vec::new();
    };
    processes
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let number: i32 = entry.file_name().to_str()?.parse().ok()?;
            let variables = std::fs::read(entry.path().join("environ")).ok()?;
            let is_marked = variables.split(|byte| *byte == 0).any(|variable| {
                std::str::from_utf8(variable)
                    .ok()
                    .and_then(|text| text.strip_prefix(MARK)?.strip_prefix('='))
                    .is_some_and(&is_wanted)
            });
            is_marked.then(|| Pid::from_raw(number)).flatten()
        })
        .collect()
}

/// What is needed to start a command.
pub(super) struct Launch {
    pub(super) variables: Vec<(String, String)>,
    pub(super) mark: String,
    pub(super) cwd: String,
    /// A script that is too long for an argument, in a file.
    pub(super) script: Option<PathBuf>,
    /// The sandbox was cleaned up.
    pub(super) ended: Arc<AtomicBool>,
}

/// Starts the host's shell on `exec`.
pub(super) fn start(exec: &Exec, launch: Launch) -> Result<Command> {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let shell = match std::path::Path::new("/bin/bash").exists() {
        true => "/bin/bash",
        false => "/bin/sh",
    };
    let mut command = Command::new(shell);
    command.arg("-c");
    match &launch.script {
        None => command.arg(OsStr::from_bytes(&exec.script)),
        // The name has no character that means anything to a shell.
        Some(path) => command.arg(format!(". {}", path.display())),
    };
    command.arg(OsStr::from_bytes(exec.name.as_deref().unwrap_or(b"bash")));
    for argument in &exec.arguments {
        command.arg(OsStr::from_bytes(argument));
    }
    let metadata = std::fs::metadata(&launch.cwd).map_err(|e| io("exec", &launch.cwd, e))?;
    if !metadata.is_dir() {
        let message = format!("{}: not a directory", launch.cwd);
        return Err(Error::new(Code::Conflict, "exec", message).on(NAME));
    }
    command
        .env_clear()
        .envs(launch.variables)
        .env(MARK, launch.mark)
        .current_dir(&launch.cwd)
        .process_group(0)
        .stdin(match exec.stdin {
            Stdin::Empty => Stdio::null(),
            _ => Stdio::piped(),
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    Ok(command)
}

/// A command of the host's shell that runs.
pub(super) struct Process {
    child: Child,
    tree: Tree,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    buffers: [Vec<u8>; 2],
    status: Option<ExitStatus>,
    deadline: Option<Instant>,
    phase: Phase,
    ended: Arc<AtomicBool>,
    script: Option<PathBuf>,
    /// Takes it out of the sandbox's list of what runs.
    _listed: Box<dyn Send + Sync>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Runs,
    /// The time-out has passed; its caller waits until then.
    Ending(Instant),
    Over,
}

impl Process {
    pub(super) fn start(
        exec: &Exec,
        launch: Launch,
        list: impl FnOnce(Tree) -> Box<dyn Send + Sync>,
    ) -> Result<Process> {
        let (mark, ended) = (launch.mark.clone(), Arc::clone(&launch.ended));
        let script = launch.script.clone();
        let deadline = exec.timeout.map(|timeout| Instant::now() + timeout);
        let mut child =
            start(exec, launch)?
                .spawn()
                .map_err(|error| match error.raw_os_error() {
                    Some(number) if number == rustix::io::Errno::TOOBIG.raw_os_error() => {
                        let message = "limit reached: arguments and variables together";
                        Error::new(Code::Limit, "exec", message).on(NAME)
                    }
                    _ => io("exec", "", error),
                })?;
        let group = child.id().and_then(|id| Pid::from_raw(id.try_into().ok()?));
        let Some(group) = group else {
            return Err(Error::new(Code::Died, "exec", "the shell has no process id").on(NAME));
        };
        let tree = Tree { group, mark };
        Ok(Process {
            stdin: child.stdin.take(),
            stdout: child.stdout.take(),
            stderr: child.stderr.take(),
            buffers: [Vec::new(), Vec::new()],
            child,
            _listed: list(tree.clone()),
            tree,
            status: None,
            deadline,
            phase: Phase::Runs,
            ended,
            script,
        })
    }

    /// Gives these bytes as standard input, in the background.
    pub(super) fn feed(&mut self, bytes: Vec<u8>) {
        pipe::feed(self.stdin.take(), bytes);
    }

    /// The end, once nothing is left to read and no process is left.
    fn over(&mut self, code: u8) -> Result<Option<Event>> {
        self.phase = Phase::Over;
        if self.ended.load(Ordering::Acquire) {
            let message = "the sandbox was cleaned up during the call";
            return Err(Error::new(Code::Died, "exec", message).on(NAME));
        }
        Ok(Some(Event::Exit(code)))
    }
}

#[boxed]
impl Running for Process {
    async fn next(&mut self) -> Result<Option<Event>> {
        let mut pause = Duration::from_millis(1);
        loop {
            let until = match self.phase {
                Phase::Over => return Ok(None),
                Phase::Runs => self.deadline,
                Phase::Ending(until) => Some(until),
            };
            let drained = self.stdout.is_none() && self.stderr.is_none();
            let lingers = drained && self.status.is_some() && !self.tree.is_empty();
            if let Some(status) = self.status
                && drained
                && !lingers
            {
                let code = match self.phase {
                    Phase::Ending(_) => TIMED_OUT,
                    _ => exit_code(status),
                };
                return self.over(code);
            }
            let [out, err] = &mut self.buffers;
            tokio::select! {
                read = read(&mut self.stdout, out), if self.stdout.is_some() => {
                    match read {
                        Some(bytes) => return Ok(Some(Event::Stdout(bytes))),
                        None => self.stdout = None,
                    }
                }
                read = read(&mut self.stderr, err), if self.stderr.is_some() => {
                    match read {
                        Some(bytes) => return Ok(Some(Event::Stderr(bytes))),
                        None => self.stderr = None,
                    }
                }
                status = self.child.wait(), if self.status.is_none() => {
                    self.status = Some(status.map_err(|error| io("exec", "", error))?);
                }
                () = sleep(pause), if lingers => pause = (pause * 2).min(Duration::from_millis(50)),
                () = at(until), if until.is_some() => {
                    if matches!(self.phase, Phase::Ending(_)) {
                        return self.over(TIMED_OUT);
                    }
                    self.tree.signal(rustix::process::Signal::TERM);
                    tokio::spawn(insist(Insistence(self.tree.clone())));
                    self.phase = Phase::Ending(Instant::now() + GRACE);
                }
            }
        }
    }

    fn take_input(&mut self) -> Option<Box<dyn Input>> {
        let stdin = self.stdin.take()?;
        Some(Box::new(PipeInput::new(NAME, stdin)))
    }

    async fn signal(&mut self, signal: Signal) -> Result<()> {
        use rustix::process::Signal as Posix;
        self.tree.signal(match signal {
            Signal::Interrupt => Posix::INT,
            Signal::Terminate => Posix::TERM,
            Signal::Kill => Posix::KILL,
            _ => return Err(Error::unsupported(NAME, "signal", "this signal")),
        });
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A time-out has its own way to end what is left.
        if self.phase == Phase::Runs {
            self.tree.signal(rustix::process::Signal::KILL);
        }
        if let Some(script) = &self.script {
            let _ = std::fs::remove_file(script);
        }
    }
}

/// A tree that was asked to end, and is killed when this is dropped.
struct Insistence(Tree);

impl Drop for Insistence {
    fn drop(&mut self) {
        self.0.signal(rustix::process::Signal::KILL);
    }
}

/// Waits for what was sent SIGTERM, then kills it. It stops as soon as the group is empty, before
/// its number can belong to another one.
async fn insist(tree: Insistence) {
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until && !tree.0.is_empty() {
        sleep(Duration::from_millis(20)).await;
    }
}

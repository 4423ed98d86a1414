//! The interpreter behind a context: a process that goes on from cell to cell, or a shell for each of them.

use super::cell::{Cell, CellError, CellEvent, CellResult};
use super::frames::{Frame, Frames};
use super::{ContextOptions, Language, PATIENCE};
use crate::error::{Below, Code, Error, Result};
use crate::sandbox::{Manner, Sandbox, failure};
use bytes::Bytes;
use offshoot_backend::Exec;
use offshoot_kernel::{
    ByteReader, ByteWriter, Image, ProcessEnd, Rounds, Session as ShellState, Signals, Stdio,
    Suspender,
};
use offshoot_vfs::{Caller, Random, SystemRandom};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, VecDeque};
use tokio::runtime::Handle;
use tokio::task::{AbortHandle, JoinHandle};

/// Where CPython is.
const PYTHON: &str = "/usr/bin/python3";
/// Where the engine for JavaScript is.
const NODE: &str = "/usr/bin/node";

/// A name that nobody guesses.
pub(super) fn unguessable() -> String {
    let mut bytes = [0; 12];
    SystemRandom::default().fill(&mut bytes);
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What a process gives back at its end.
type Ended = (Result<ProcessEnd>, Option<ShellState>);

/// A process that runs cells, or one.
pub(super) struct Process {
    input: Option<ByteWriter>,
    stdout: Option<ByteReader>,
    stderr: Option<ByteReader>,
    /// How its output is read, where it tells of cells.
    frames: Option<Frames>,
    task: JoinHandle<Ended>,
    signals: Signals,
    suspender: Suspender,
    /// How a Python is called for one cell after the other.
    rounds: Option<Rounds>,
    /// A cell of it has not been read to its end.
    pub(super) is_busy: bool,
}

/// Ends a process from beside it, whatever it does.
pub(super) struct Killer {
    suspender: Suspender,
    task: AbortHandle,
}

impl Killer {
    pub(super) fn kill(&self) {
        // It is told where it waits; one that only counts goes where it gives way.
        self.suspender.kill();
        self.task.abort();
    }
}

/// What arrived.
pub(super) enum Arrival {
    /// More may follow at once.
    More,
    /// The cell is over.
    Over,
    /// The process ended, and the cell with it.
    Ended(Ended),
}

/// Whether contexts of a language are there; else why not.
pub(super) fn check(sandbox: &Sandbox, language: Language) -> Result<()> {
    let (program, missing) = match language {
        Language::Bash => return Ok(()),
        Language::JavaScript => (NODE, "the sandbox has no node"),
        Language::Python => (PYTHON, "the sandbox has no python3"),
    };
    let vfs = sandbox.vfs();
    if vfs
        .stat(&Caller::ROOT, vfs.root(), program.as_bytes(), true)
        .is_ok()
    {
        return Ok(());
    }
    let message = format!("{language} contexts are not available: {missing}");
    Err(Error::new(Code::Capability, "context", message))
}

impl Process {
    fn start(
        sandbox: &Sandbox,
        exec: Exec,
        shell: Option<ShellState>,
        rounds: Option<Rounds>,
    ) -> Result<Process> {
        let runtime = Handle::try_current()
            .map_err(|_| Error::new(Code::Invalid, "context", "called outside a tokio runtime"))?;
        let keeps_input = shell.is_none();
        let (stdin, input) = match keeps_input {
            true => {
                let (stdin, input) = match &rounds {
                    Some(rounds) => Stdio::rounds(rounds),
                    None => Stdio::input(),
                };
                (stdin, Some(input))
            }
            false => (Stdio::Null, None),
        };
        let (output, stdout) = Stdio::output();
        let (errors, stderr) = Stdio::output();
        let manner = Manner::default();
        let (signals, suspender) = (manner.signals.clone(), manner.suspender.clone());
        let sandbox = sandbox.clone();
        let task = runtime.spawn(async move {
            let mut shell = shell;
            let streams = [stdin, output, errors];
            let end = sandbox.run(exec, manner, streams, shell.as_mut()).await;
            (end, shell)
        });
        Ok(Process {
            input,
            stdout: Some(stdout),
            stderr: Some(stderr),
            frames: keeps_input.then(Frames::default),
            task,
            signals,
            suspender,
            rounds,
            is_busy: false,
        })
    }

    /// A Python or JavaScript that waits for cells; a Python may go on with what another one held. The cells' own
    /// input is not what they come by.
    pub(super) fn interpreter(
        sandbox: &Sandbox,
        options: &ContextOptions,
        flag: &str,
        image: Option<&Image>,
    ) -> Result<Process> {
        let is_python = options.language == Language::Python;
        let rounds = is_python.then(|| image.map_or_else(Rounds::new, Rounds::from_image));
        let exec = if options.language == Language::JavaScript {
            let script = format!(
                "exec {NODE} --cells \"$1\" {} 3<&0 </dev/null",
                options.interruptible
            );
            Exec::new(script).arguments([flag.to_owned()])
        } else {
            let program = format!(
                "exec {PYTHON} --cells {} 3<&0 </dev/null",
                options.interruptible
            );
            Exec::new(program)
        };
        Process::start(sandbox, options.prepare(exec), None, rounds)
    }

    /// A shell that runs one cell.
    pub(super) fn bash(sandbox: &Sandbox, shell: ShellState, cell: &Cell) -> Result<Process> {
        let exec = Exec::new(&cell.code);
        let exec = cell
            .environment
            .iter()
            .fold(exec, |exec, (name, value)| exec.env(name, value));
        let mut process = Process::start(sandbox, exec, Some(shell), None)?;
        process.is_busy = true;
        Ok(process)
    }

    /// Gives it a cell.
    pub(super) async fn give(&mut self, cell: &Cell, flag: &str) -> Result<()> {
        let token = unguessable();
        let variables = cell.environment.iter();
        let variables: Map<String, Value> = variables
            .map(|(name, value)| (name.clone(), Value::from(value.as_str())))
            .collect();
        let line = json!({
            "token": token, "code": cell.code, "variables": variables, "flag": flag,
        });
        if let Some(frames) = &mut self.frames {
            frames.follow(&token);
        }
        self.is_busy = true;
        let line = format!("{line}\n");
        if let Some(rounds) = &self.rounds {
            rounds.next();
        }
        // It reads when it is ready; where it is gone, its output says how.
        if let Some(input) = &mut self.input {
            let _ = input.write(line.as_bytes()).await;
        }
        Ok(())
    }

    /// What arrives next; what it means is added to `events`.
    pub(super) async fn next(&mut self, events: &mut VecDeque<CellEvent>) -> Arrival {
        loop {
            if self.stdout.is_none() && (self.stderr.is_none() || self.frames.is_some()) {
                return Arrival::Ended(self.end(events).await);
            }
            tokio::select! {
                biased;
                read = read(&mut self.stderr) => match read {
                    Some(bytes) => {
                        events.push_back(CellEvent::Stderr(bytes));
                        return Arrival::More;
                    }
                    None => self.stderr = None,
                },
                read = read(&mut self.stdout) => match read {
                    Some(bytes) => return self.arrived(bytes, events),
                    None => self.stdout = None,
                },
            }
        }
    }

    fn arrived(&mut self, bytes: Bytes, events: &mut VecDeque<CellEvent>) -> Arrival {
        let Some(frames) = &mut self.frames else {
            events.push_back(CellEvent::Stdout(bytes));
            return Arrival::More;
        };
        frames.push(&bytes);
        while let Some(frame) = frames.next() {
            let told = match frame {
                Frame::Output(bytes) => Some(CellEvent::Stdout(bytes.into())),
                Frame::Told(b'd', _) => {
                    self.is_busy = false;
                    return Arrival::Over;
                }
                Frame::Told(kind, content) => event(kind, content),
                Frame::Broken => None,
            };
            let Some(told) = told else {
                // Nothing that it says can be understood any more.
                self.kill();
                let message = "what the interpreter told of the cell was malformed or too long";
                let error = Error::new(Code::Limit, "context", message);
                return Arrival::Ended((Err(error), None));
            };
            events.push_back(told);
        }
        Arrival::More
    }

    /// What its processes wrote to standard error before the cell was over.
    pub(super) async fn rest(&mut self, events: &mut VecDeque<CellEvent>) {
        loop {
            tokio::select! {
                biased;
                read = read(&mut self.stderr) => match read {
                    Some(bytes) => events.push_back(CellEvent::Stderr(bytes)),
                    None => self.stderr = None,
                },
                () = std::future::ready(()) => return,
            }
        }
    }

    /// Waits until nothing of the cell is under way any more.
    pub(super) async fn settled(&self) {
        if let Some(rounds) = &self.rounds {
            rounds.resting().await;
        }
    }

    /// What it holds, where that was captured since its last cell.
    pub(super) fn captured(&self) -> Option<Image> {
        self.rounds.as_ref()?.captured()
    }

    /// What it holds.
    pub(super) fn capture(&self) -> Result<Image> {
        let Some(rounds) = &self.rounds else {
            let message = "what a context in JavaScript holds cannot be captured";
            return Err(Error::new(Code::Capability, "context", message));
        };
        let captured = rounds.capture();
        captured.map_err(|error| Error::kernel("context", error))
    }

    async fn end(&mut self, events: &mut VecDeque<CellEvent>) -> Ended {
        self.rest(events).await;
        self.is_busy = false;
        let ended = tokio::time::timeout(PATIENCE, &mut self.task).await;
        let ended = match ended {
            Ok(ended) => ended,
            Err(_) => {
                // Something in the background has its streams.
                self.kill();
                (&mut self.task).await
            }
        };
        // The shell that started it tells no more than a status.
        if let Some(limit) = self.rounds.as_ref().and_then(Rounds::limit) {
            return (Ok(ProcessEnd::Limit(limit)), None);
        }
        match ended {
            Ok(ended) => ended,
            Err(stopped) if stopped.is_cancelled() => (Ok(ProcessEnd::Signalled(9)), None),
            Err(fault) => (Ok(ProcessEnd::Fault(fault.to_string())), None),
        }
    }

    pub(super) fn signals(&self) -> Signals {
        self.signals.clone()
    }

    pub(super) fn rounds(&self) -> Option<Rounds> {
        self.rounds.clone()
    }

    pub(super) fn killer(&self) -> Killer {
        Killer {
            suspender: self.suspender.clone(),
            task: self.task.abort_handle(),
        }
    }

    fn kill(&self) {
        self.killer().kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// What is read next; never anything where the stream has ended.
async fn read(reader: &mut Option<ByteReader>) -> Option<Bytes> {
    match reader {
        Some(reader) => reader.read().await,
        None => std::future::pending().await,
    }
}

#[derive(Deserialize)]
struct Shown {
    main: bool,
    data: BTreeMap<String, Value>,
}

#[derive(Deserialize)]
struct Raised {
    name: String,
    value: String,
    traceback: String,
}

/// What a frame says.
fn event(kind: u8, content: Vec<u8>) -> Option<CellEvent> {
    match kind {
        b'n' => {
            let number = std::str::from_utf8(&content).ok()?.parse().ok()?;
            Some(CellEvent::Started(number))
        }
        b'o' => Some(CellEvent::Stdout(content.into())),
        b'e' => Some(CellEvent::Stderr(content.into())),
        b'r' => {
            let Shown { main, data } = serde_json::from_slice(&content).ok()?;
            Some(CellEvent::Result(CellResult { main, data }))
        }
        b'x' => {
            let raised: Raised = serde_json::from_slice(&content).ok()?;
            Some(CellEvent::Error(CellError {
                name: raised.name,
                value: raised.value,
                traceback: raised.traceback,
            }))
        }
        _ => None,
    }
}

/// The exception that a shell's status is.
pub(super) fn status(end: &ProcessEnd) -> Result<Option<CellError>> {
    if let Some(error) = failure(end) {
        return Err(error.during("context"));
    }
    let status = end.status();
    Ok((status != 0).then(|| CellError {
        name: "ExitStatus".to_owned(),
        value: status.to_string(),
        traceback: String::new(),
    }))
}

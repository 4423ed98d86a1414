//! A script that runs while the caller reads and writes its streams.

use crate::error::{Below, Code, Error, Result};
use crate::sandbox::{Manner, Sandbox, failure};
use crate::suspended::Suspended;
use offshoot_backend::{Exec, Stdin};
use offshoot_kernel::{
    ByteReader, ByteWriter, Paused, ProcessEnd, Resume, Signals, Stdio, Suspender,
};
use std::future::Future;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

/// A running script; see [`Sandbox::spawn`]. Dropping it kills what it started.
///
/// A slow reader slows the script down: read both streams, or drop what is not wanted.
///
/// ```
/// # #[tokio::main] async fn main() -> offshoot::Result<()> {
/// use offshoot::{Exec, Sandbox, Stdin};
/// let sandbox = Sandbox::new()?;
/// let exec = Exec::new("while read -r line; do echo \"got $line\"; done").stdin(Stdin::Piped);
/// let mut running = sandbox.spawn(exec)?;
/// let mut stdin = running.take_stdin().unwrap();
/// let mut stdout = running.take_stdout().unwrap();
/// stdin.write(b"one\n").await.unwrap();
/// assert_eq!(&stdout.read().await.unwrap()[..], b"got one\n");
/// drop(stdin);
/// assert_eq!(running.wait().await?, 0);
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Execution {
    stdin: Option<ByteWriter>,
    stdout: Option<ByteReader>,
    stderr: Option<ByteReader>,
    task: JoinHandle<Result<ProcessEnd>>,
    signals: Signals,
    suspender: Suspender,
    id: u64,
    ended: Option<Result<ProcessEnd>>,
}

/// Pipes to and from a script: the caller's ends.
struct Ends {
    stdin: Option<ByteWriter>,
    stdout: ByteReader,
    stderr: ByteReader,
}

/// The runtime that an execution is started on.
fn runtime(operation: &'static str) -> Result<Handle> {
    Handle::try_current()
        .map_err(|_| Error::new(Code::Invalid, operation, "called outside a tokio runtime"))
}

/// Both ends of the streams of a script.
fn connect(stdin: Stdin) -> ([Stdio; 3], Ends) {
    let (input, stdin) = match stdin {
        Stdin::Empty => (Stdio::Null, None),
        Stdin::Bytes(bytes) => (Stdio::Bytes(bytes.into()), None),
        Stdin::Piped => {
            let (input, writer) = Stdio::input();
            (input, Some(writer))
        }
    };
    let (output, stdout) = Stdio::output();
    let (errors, stderr) = Stdio::output();
    let ends = Ends {
        stdin,
        stdout,
        stderr,
    };
    ([input, output, errors], ends)
}

impl Execution {
    pub(crate) fn start(sandbox: Sandbox, mut exec: Exec) -> Result<Execution> {
        let runtime = runtime("spawn")?;
        let (streams, ends) = connect(std::mem::take(&mut exec.stdin));
        let manner = Manner::default();
        let (signals, suspender) = (manner.signals.clone(), manner.suspender.clone());
        let registered = sandbox.register(&suspender, None);
        let id = registered.id();
        let task = runtime.spawn(async move {
            let _registered = registered;
            sandbox.run(exec, manner, streams, None).await
        });
        Ok(Execution::new(ends, task, signals, suspender, id))
    }

    /// Goes on with a script; `id` is the number that it had.
    pub(crate) fn resume(
        sandbox: Sandbox,
        suspended: &Suspended,
        id: Option<u64>,
    ) -> Result<Execution> {
        let runtime = runtime("resume")?;
        let reopened = sandbox.reopen(suspended)?;
        let stdin = match suspended.0.is_open(0) {
            true => Stdin::Piped,
            false => Stdin::Empty,
        };
        let (streams, ends) = connect(stdin);
        let resume = Resume {
            descriptors: (0..).zip(streams).collect(),
            ..Resume::default()
        };
        let (signals, suspender) = (resume.signals.clone(), resume.suspender.clone());
        let registered = sandbox.register(&suspender, id);
        let id = registered.id();
        let task = runtime.spawn(async move {
            let _registered = registered;
            sandbox.run_resumed(reopened, resume).await
        });
        Ok(Execution::new(ends, task, signals, suspender, id))
    }

    fn new(
        ends: Ends,
        task: JoinHandle<Result<ProcessEnd>>,
        signals: Signals,
        suspender: Suspender,
        id: u64,
    ) -> Execution {
        Execution {
            stdin: ends.stdin,
            stdout: Some(ends.stdout),
            stderr: Some(ends.stderr),
            task,
            signals,
            suspender,
            id,
            ended: None,
        }
    }

    pub(crate) fn suspender(&self) -> &Suspender {
        &self.suspender
    }

    /// Its number in the sandbox. A script that is suspended with its sandbox keeps it.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// Makes the script data, where it stands, and ends it here: its instance and its memory are
    /// given back, and [`Execution::wait`] answers `SANDBOX_UNAVAILABLE`. What it wrote before can
    /// still be read.
    ///
    /// It can be suspended between two commands and while it waits: in `sleep`, in `read`, in `wait`.
    /// The time until it is resumed does not count for it.
    ///
    /// # Errors
    /// `CONFLICT` while a program or an applet is in flight, whose name is in the message
    /// ([`Execution::suspend_patiently`] waits for it); `NOT_FOUND` where the script has ended;
    /// `CAPABILITY` for what cannot be kept. The script goes on then.
    pub async fn suspend(&self) -> Result<Suspended> {
        Execution::stop(self.suspender.pause()).await
    }

    /// The same, but where a program is in flight, waits until it has ended; the script waits before
    /// it starts the next one. Dropping the future lets it go on.
    ///
    /// # Errors
    /// `NOT_FOUND` where the script has ended first, `CAPABILITY` for what cannot be kept.
    pub async fn suspend_patiently(&self) -> Result<Suspended> {
        Execution::stop(self.suspender.pause_patiently()).await
    }

    async fn stop(
        pause: impl Future<Output = offshoot_kernel::Result<Paused>>,
    ) -> Result<Suspended> {
        let paused = pause
            .await
            .map_err(|error| Error::kernel("suspend", error))?;
        Ok(Suspended(paused.stop().await))
    }

    /// Where standard input is written, once, for [`Stdin::Piped`]. Dropping it is the end of the
    /// input.
    pub fn take_stdin(&mut self) -> Option<ByteWriter> {
        self.stdin.take()
    }

    /// Standard output as it comes, once.
    pub fn take_stdout(&mut self) -> Option<ByteReader> {
        self.stdout.take()
    }

    /// Standard error as it comes, once.
    pub fn take_stderr(&mut self) -> Option<ByteReader> {
        self.stderr.take()
    }

    /// What sends signals to the script from elsewhere, also while somebody waits for its end.
    pub fn signals(&self) -> Signals {
        self.signals.clone()
    }

    /// Sends the script a signal by its POSIX number, which it may have a trap for.
    pub fn signal(&self, number: u8) {
        self.signals.send(number);
    }

    /// Kills the script and everything that it started, at any instruction. [`Execution::wait`]
    /// then answers 137.
    pub fn kill(&mut self) {
        self.suspender.kill();
        self.task.abort();
    }

    /// Waits for the end and returns the exit code: 124 after a time-out, 137 after a kill.
    ///
    /// Streams that were not taken are dropped first, so a script that writes to one is not stuck.
    ///
    /// # Errors
    /// As [`Sandbox::exec`], and `SANDBOX_UNAVAILABLE` where it was suspended.
    pub async fn wait(&mut self) -> Result<u8> {
        self.stdin = None;
        self.stdout = None;
        self.stderr = None;
        if self.ended.is_none() {
            self.ended = Some(match (&mut self.task).await {
                Ok(end) => end,
                Err(stopped) if stopped.is_cancelled() => Ok(ProcessEnd::Signalled(9)),
                Err(fault) => Ok(ProcessEnd::Fault(fault.to_string())),
            });
        }
        let end = self.ended.clone().unwrap_or(Ok(ProcessEnd::Signalled(9)))?;
        failure(&end).map_or(Ok(end.status()), Err)
    }
}

impl Drop for Execution {
    fn drop(&mut self) {
        self.suspender.kill();
        self.task.abort();
    }
}

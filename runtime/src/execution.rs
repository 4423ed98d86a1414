//! A script that runs while the caller reads and writes its streams.

use crate::error::{Code, Error, Result};
use crate::exec::{Exec, Stdin};
use crate::sandbox::{Sandbox, failure};
use offshoot_kernel::{ByteReader, ByteWriter, ProcessEnd, Signals, Stdio};
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
    ended: Option<ProcessEnd>,
}

impl Execution {
    pub(crate) fn start(sandbox: Sandbox, mut exec: Exec) -> Result<Execution> {
        let runtime = Handle::try_current()
            .map_err(|_| Error::new(Code::Invalid, "spawn", "called outside a tokio runtime"))?;
        let (input, stdin) = match std::mem::take(&mut exec.stdin) {
            Stdin::Empty => (Stdio::Null, None),
            Stdin::Bytes(bytes) => (Stdio::Bytes(bytes.into()), None),
            Stdin::Piped => {
                let (input, writer) = Stdio::input();
                (input, Some(writer))
            }
        };
        let (output, stdout) = Stdio::output();
        let (errors, stderr) = Stdio::output();
        let streams = [input, output, errors];
        let signals = exec.signals.clone();
        let task = runtime.spawn(async move { sandbox.run(exec, streams, None).await });
        let (stdout, stderr) = (Some(stdout), Some(stderr));
        Ok(Execution {
            stdin,
            stdout,
            stderr,
            task,
            signals,
            ended: None,
        })
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

    /// Sends the script a signal by its POSIX number, which it may have a trap for.
    pub fn signal(&self, number: u8) {
        self.signals.send(number);
    }

    /// Kills the script and everything that it started, at any instruction. [`Execution::wait`]
    /// then answers 137.
    pub fn kill(&mut self) {
        self.task.abort();
    }

    /// Waits for the end and returns the exit code: 124 after a time-out, 137 after a kill.
    ///
    /// Streams that were not taken are dropped first, so a script that writes to one is not stuck.
    ///
    /// # Errors
    /// As [`Sandbox::exec`].
    pub async fn wait(&mut self) -> Result<u8> {
        self.stdin = None;
        self.stdout = None;
        self.stderr = None;
        if self.ended.is_none() {
            self.ended = Some(match (&mut self.task).await {
                Ok(end) => end?,
                Err(stopped) if stopped.is_cancelled() => ProcessEnd::Signalled(9),
                Err(fault) => ProcessEnd::Fault(fault.to_string()),
            });
        }
        let end = self.ended.clone().unwrap_or(ProcessEnd::Signalled(9));
        failure(&end).map_or(Ok(end.status()), Err)
    }
}

impl Drop for Execution {
    fn drop(&mut self) {
        self.task.abort();
    }
}

//! An interactive shell, for whoever shows it to a person.

use crate::error::{Code, Error, Result};
use crate::sandbox::{Manner, Sandbox, failure};
use bytes::Bytes;
use offshoot_backend::Exec;
use offshoot_kernel::{ByteReader, ByteWriter, ProcessEnd, Screen, Signals, Stdio};
use offshoot_vfs::Pipe;
use tokio::runtime::Handle;
use tokio::task::JoinHandle;

/// SIGINT
const INTERRUPT: u8 = 2;
/// SIGWINCH
const RESIZED: u8 = 28;

/// A shell that is typed to: it prompts, keeps its state and its jobs from line to line, and goes on
/// after errors. Dropping it kills what it started.
///
/// Both outputs arrive in one stream, in the order in which they were written, prompts included. The
/// terminal does not echo and does not edit lines; that is the part of whoever shows it.
///
/// ```
/// # #[tokio::main] async fn main() -> offshoot::Result<()> {
/// use offshoot::{Exec, Sandbox};
/// let sandbox = Sandbox::builder().env("PS1", "$ ").build()?;
/// let mut terminal = sandbox.terminal(Exec::default())?;
/// assert_eq!(&terminal.turn().await.unwrap()[..], b"$ ");
/// terminal.write(b"x=5; echo $((x * 2))\n").await?;
/// assert_eq!(&terminal.turn().await.unwrap()[..], b"10\n$ ");
/// terminal.write(b"exit 3\n").await?;
/// assert_eq!(terminal.turn().await, None);
/// assert_eq!(terminal.wait().await?, 3);
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Terminal {
    input: Option<ByteWriter>,
    output: ByteReader,
    signals: Signals,
    screen: Screen,
    task: JoinHandle<Result<ProcessEnd>>,
}

/// What a terminal does next.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TerminalEvent {
    /// It wrote something.
    Output(Bytes),
    /// Everything that was written has arrived, and something inside waits for a line.
    Turn,
    /// The shell has ended; [`Terminal::wait`] has its status.
    Ended,
}

impl Sandbox {
    /// Starts an interactive shell. Of `exec`, the environment, the working directory and the
    /// time-out are used.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE` after [`Sandbox::cleanup`], `INVALID` outside a tokio runtime.
    pub fn terminal(&self, exec: impl Into<Exec>) -> Result<Terminal> {
        self.alive("terminal")?;
        Terminal::start(self.clone(), exec.into())
    }
}

impl Terminal {
    fn start(sandbox: Sandbox, exec: Exec) -> Result<Terminal> {
        let runtime = Handle::try_current()
            .map_err(|_| Error::new(Code::Invalid, "terminal", "called outside a tokio runtime"))?;
        let manner = Manner {
            interactive: true,
            ..Manner::default()
        };
        let signals = manner.signals.clone();
        let (reader, input) = Pipe::ends();
        let (output, writer) = Pipe::ends();
        let screen = Screen::default();
        let terminal = || Stdio::Terminal(reader.clone(), writer.clone(), screen.clone());
        let streams = [terminal(), terminal(), terminal()];
        let task = runtime.spawn(async move { sandbox.run(exec, manner, streams, None).await });
        Ok(Terminal {
            input: Some(input.into()),
            output: output.into(),
            signals,
            screen,
            task,
        })
    }

    /// What happens next.
    pub async fn next(&mut self) -> TerminalEvent {
        let Some(input) = &mut self.input else {
            return match self.output.read().await {
                Some(bytes) => TerminalEvent::Output(bytes),
                None => TerminalEvent::Ended,
            };
        };
        tokio::select! {
            // Output was written before the shell began to wait.
            biased;
            bytes = self.output.read() => match bytes {
                Some(bytes) => TerminalEvent::Output(bytes),
                None => TerminalEvent::Ended,
            },
            () = input.wanted() => TerminalEvent::Turn,
        }
    }

    /// What is written next, whoever's turn it is; none where the shell ended. To be dropped and asked
    /// again as one likes.
    pub async fn written(&mut self) -> Option<Bytes> {
        self.output.read().await
    }

    /// What is written until it is the user's turn; none where the shell ended.
    pub async fn turn(&mut self) -> Option<Vec<u8>> {
        let mut written = Vec::new();
        loop {
            match self.next().await {
                TerminalEvent::Output(bytes) => written.extend_from_slice(&bytes),
                TerminalEvent::Turn => return Some(written),
                TerminalEvent::Ended => return None,
            }
        }
    }

    /// Types `bytes`: a line with its end.
    ///
    /// # Errors
    /// `DIED` where nobody reads any more.
    pub async fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let gone = || Error::new(Code::Died, "terminal", "the shell has ended");
        let input = self.input.as_mut().ok_or_else(gone)?;
        input.write(bytes).await.map_err(|_| gone())
    }

    /// Ctrl-D at the start of a line: whoever reads sees the end of the input, once. At the prompt
    /// the shell ends.
    pub fn end_input(&mut self) {
        if let Some(input) = &mut self.input {
            input.mark_end();
        }
    }

    /// Ctrl-C: ends what runs in the foreground, and the line that is typed.
    pub fn interrupt(&self) {
        self.signals.send(INTERRUPT);
    }

    /// Ctrl-Z: what runs in the foreground stands still, and is a job from then on.
    pub fn suspend(&self) {
        self.signals.stop_foreground();
    }

    /// The terminal has this size from now on: 80 columns and 24 lines to begin with. `$COLUMNS` and
    /// `$LINES` follow with the next prompt.
    pub fn resize(&self, columns: u16, lines: u16) {
        if self.screen.size() != (columns, lines) {
            self.screen.resize(columns, lines);
            self.signals.send(RESIZED);
        }
    }

    /// Whether what is typed is to be shown: not while a password is read.
    pub fn echoes(&self) -> bool {
        self.screen.echoes()
    }

    /// Whether lines are typed. Otherwise a program wants every key as it comes.
    pub fn takes_lines(&self) -> bool {
        self.screen.takes_lines()
    }

    /// Whether keys such as Ctrl-C and Ctrl-Z are signals: not for a program on the whole screen, which
    /// takes them as they are.
    pub fn takes_signals(&self) -> bool {
        self.screen.takes_signals()
    }

    /// Closes the input, waits for the end and returns the exit code.
    ///
    /// # Errors
    /// As [`Sandbox::exec`].
    pub async fn wait(&mut self) -> Result<u8> {
        self.input = None;
        while self.output.read().await.is_some() {}
        let end = match (&mut self.task).await {
            Ok(end) => end?,
            Err(fault) => ProcessEnd::Fault(fault.to_string()),
        };
        failure(&end).map_or(Ok(end.status()), Err)
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        self.task.abort();
    }
}

//! A command that runs while the caller reads and writes its streams.

use crate::error::{Code, Error, Result};
use crate::exec::{Exec, ShellResult};
use async_trait::async_trait;
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use std::time::Instant;

/// The exit status of a command that its time-out ended.
pub const TIMED_OUT: u8 = 124;

/// A running command; see [`Environment::spawn`](crate::Environment::spawn). Dropping it kills
/// what it started.
#[async_trait]
pub trait Running: Send {
    /// The next thing that happens; nothing after [`Event::Exit`].
    ///
    /// Dropping the future loses nothing, so it may stand in a `select!`. A slow reader slows the
    /// command down.
    ///
    /// # Errors
    /// `LIMIT` where a limit ended it, `DIED` where the sandbox or its provider did.
    async fn next(&mut self) -> Result<Option<Event>>;

    /// Where standard input is written, once, for [`Stdin::Piped`](crate::Stdin::Piped). Dropping
    /// it is the end of the input.
    fn take_input(&mut self) -> Option<Box<dyn Input>>;

    /// Sends a signal to the whole tree of processes. Every backend that streams knows
    /// [`Signal::Kill`].
    ///
    /// # Errors
    /// `CAPABILITY` for a signal that the backend cannot send.
    async fn signal(&mut self, signal: Signal) -> Result<()>;
}

/// What a running command did.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// It wrote to standard output.
    Stdout(Bytes),
    /// It wrote to standard error.
    Stderr(Bytes),
    /// It ended with this status: 124 after a time-out, 128 + n after signal n.
    Exit(u8),
}

/// The writing end of standard input.
#[async_trait]
pub trait Input: Send {
    /// Writes all of `bytes`; waits while the command does not read.
    ///
    /// # Errors
    /// `CONFLICT` where the command closed its input or ended.
    async fn write(&mut self, bytes: &[u8]) -> Result<()>;
}

/// A signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Signal {
    /// SIGINT.
    Interrupt,
    /// SIGTERM.
    Terminate,
    /// SIGKILL.
    Kill,
}

impl Signal {
    /// The POSIX number.
    pub fn number(self) -> u8 {
        match self {
            Signal::Interrupt => 2,
            Signal::Terminate => 15,
            Signal::Kill => 9,
        }
    }
}

/// Runs a command to its end and collects what it wrote, up to `limit` bytes.
///
/// # Errors
/// `LIMIT` with the output so far where there is more, and what [`Running::next`] gives.
pub async fn collect(
    exec: &Exec,
    running: &mut dyn Running,
    started: Instant,
    limit: usize,
) -> Result<ShellResult> {
    let mut result = ShellResult::new(exec.text(), 0);
    let mut room = limit;
    let end = loop {
        let (kept, bytes) = match running.next().await {
            Ok(Some(Event::Stdout(bytes))) => (&mut result.stdout, bytes),
            Ok(Some(Event::Stderr(bytes))) => (&mut result.stderr, bytes),
            Ok(Some(Event::Exit(code))) => break Ok(code),
            Ok(None) => {
                break Err(Error::new(
                    Code::Died,
                    "exec",
                    "it ended without an exit status",
                ));
            }
            Err(error) => break Err(error),
        };
        let fits = bytes.len().min(room);
        kept.extend_from_slice(&bytes[..fits]);
        room -= fits;
        if fits < bytes.len() {
            result.truncated = true;
            // Only the error is of interest: the process is killed by dropping it, at the latest.
            let _ = running.signal(Signal::Kill).await;
            let message = format!("limit reached: output, {limit} bytes");
            break Err(Error::new(Code::Limit, "exec", message));
        }
    };
    result.duration_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    match end {
        Ok(code) => {
            result.exit_code = code;
            Ok(result)
        }
        Err(error) if error.output().is_none() => Err(error.with_output(result)),
        Err(error) => Err(error),
    }
}

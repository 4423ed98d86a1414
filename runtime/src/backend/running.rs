//! A streamed execution under the contract of all backends.

use super::NAME;
use crate::execution::Execution;
use offshoot_backend::{Code, Error, Event, Input, Result, Running, Signal};
use offshoot_boxed::boxed;
use offshoot_kernel::{ByteReader, ByteWriter};

/// A script that runs, with both its outputs as one series of events.
pub(super) struct Process {
    execution: Execution,
    stdout: Option<ByteReader>,
    stderr: Option<ByteReader>,
    ended: bool,
}

impl Process {
    pub(super) fn new(mut execution: Execution) -> Process {
        Process {
            stdout: execution.take_stdout(),
            stderr: execution.take_stderr(),
            execution,
            ended: false,
        }
    }
}

/// The next bytes; never anything where the stream is at its end.
async fn read(stream: &mut Option<ByteReader>) -> Option<bytes::Bytes> {
    match stream {
        Some(reader) => reader.read().await,
        None => std::future::pending().await,
    }
}

#[boxed]
impl Running for Process {
    async fn next(&mut self) -> Result<Option<Event>> {
        while self.stdout.is_some() || self.stderr.is_some() {
            tokio::select! {
                bytes = read(&mut self.stdout) => match bytes {
                    Some(bytes) => return Ok(Some(Event::Stdout(bytes))),
                    None => self.stdout = None,
                },
                bytes = read(&mut self.stderr) => match bytes {
                    Some(bytes) => return Ok(Some(Event::Stderr(bytes))),
                    None => self.stderr = None,
                },
            }
        }
        if self.ended {
            return Ok(None);
        }
        let code = self.execution.wait().await;
        self.ended = true;
        code.map(|code| Some(Event::Exit(code)))
            .map_err(|error| error.on(NAME))
    }

    fn take_input(&mut self) -> Option<Box<dyn Input>> {
        let writer = self.execution.take_stdin()?;
        Some(Box::new(Typed(writer)))
    }

    async fn signal(&mut self, signal: Signal) -> Result<()> {
        match signal {
            Signal::Kill => self.execution.kill(),
            other => self.execution.signal(other.number()),
        }
        Ok(())
    }
}

/// Standard input of a script.
struct Typed(ByteWriter);

#[boxed]
impl Input for Typed {
    async fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.0
            .write(bytes)
            .await
            .map_err(|error| Error::new(Code::Conflict, "write", error.to_string()).on(NAME))
    }
}

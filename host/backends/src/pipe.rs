//! The streams and the end of a child process of the host.

use bytes::Bytes;
use offshoot_backend::{Code, Error, Input, Result};
use offshoot_boxed::boxed;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::ChildStdin;
use tokio::time::{Instant, sleep_until};

const BUFFER: usize = 64 << 10;

/// Waits for a point in time, where there is one.
pub(crate) async fn at(time: Option<Instant>) {
    if let Some(time) = time {
        sleep_until(time).await;
    }
}

/// Reads what is there; none at the end. Nothing is lost when the future is dropped.
pub(crate) async fn read(
    stream: &mut Option<impl AsyncRead + Unpin>,
    buffer: &mut Vec<u8>,
) -> Option<Bytes> {
    let stream = stream.as_mut()?;
    buffer.resize(BUFFER, 0);
    match stream.read(buffer).await {
        Ok(0) | Err(_) => None,
        Ok(length) => Some(Bytes::copy_from_slice(&buffer[..length])),
    }
}

/// Gives these bytes as standard input, in the background.
pub(crate) fn feed(stdin: Option<ChildStdin>, bytes: Vec<u8>) {
    if let Some(mut stdin) = stdin {
        tokio::spawn(async move {
            // A command need not read its input.
            let _ = stdin.write_all(&bytes).await;
        });
    }
}

/// 128 + n for signal n.
pub(crate) fn exit_code(status: ExitStatus) -> u8 {
    let code = status
        .code()
        .unwrap_or_else(|| 128 + status.signal().unwrap_or(0));
    u8::try_from(code & 0xff).unwrap_or(u8::MAX)
}

/// Standard input of a child; dropping it is the end of the input.
pub(crate) struct PipeInput {
    backend: &'static str,
    pipe: ChildStdin,
}

impl PipeInput {
    pub(crate) fn new(backend: &'static str, pipe: ChildStdin) -> PipeInput {
        PipeInput { backend, pipe }
    }
}

#[boxed]
impl Input for PipeInput {
    async fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let backend = self.backend;
        let closed =
            |_| Error::new(Code::Conflict, "write", "the command reads no more").on(backend);
        self.pipe.write_all(bytes).await.map_err(closed)?;
        self.pipe.flush().await.map_err(closed)
    }
}

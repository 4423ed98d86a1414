//! The embedder's side of a process's descriptors.

use std::future::poll_fn;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Poll;

use super::Screen;
use crate::program::Rounds;
use bytes::Bytes;
use offshoot_vfs::{Error, File, Pipe, PipeReader, PipeWriter};

/// Bytes that a [`ByteReader`] hands out at once.
const CHUNK: usize = 64 << 10;

/// What one descriptor of a new process is.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum Stdio {
    /// Nothing: reads are at the end, writes vanish.
    Null,
    /// These bytes, for reading.
    Bytes(Bytes),
    /// A buffer, for writing. Given as several descriptors it keeps the order of the writes.
    Capture(Capture),
    /// The reading end of a pipe.
    Reader(PipeReader),
    /// The writing end of a pipe; a slow reader slows the process down.
    Writer(PipeWriter),
    /// An open file.
    File(File),
    /// A terminal that reads from one pipe and writes to another.
    Terminal(PipeReader, PipeWriter, Screen),
    /// The reading end of a pipe of a program that is called again and again; see [`Rounds`].
    Rounds(PipeReader, Rounds),
}

impl Stdio {
    /// A pipe into the process: what is written to the [`ByteWriter`] can be read there.
    pub fn input() -> (Stdio, ByteWriter) {
        let (reader, writer) = Pipe::ends();
        (Stdio::Reader(reader), ByteWriter(writer))
    }

    /// As [`Stdio::input`], for the first program that has it as a descriptor above 2: that one is called again
    /// and again, as [`Rounds`] say.
    pub fn rounds(rounds: &Rounds) -> (Stdio, ByteWriter) {
        let (reader, writer) = Pipe::ends();
        (Stdio::Rounds(reader, rounds.clone()), ByteWriter(writer))
    }

    /// A pipe out of the process: what it writes arrives at the [`ByteReader`].
    pub fn output() -> (Stdio, ByteReader) {
        let (reader, writer) = Pipe::ends();
        (Stdio::Writer(writer), ByteReader(reader))
    }
}

/// A buffer that collects what processes write; clones are the same buffer.
///
/// Its size is bounded by [`crate::Limits::output`].
#[derive(Debug, Clone, Default)]
pub struct Capture(Arc<Mutex<Vec<u8>>>);

impl Capture {
    /// An empty buffer.
    pub fn new() -> Capture {
        Capture::default()
    }

    /// Takes what was written so far out of it.
    pub fn take(&self) -> Vec<u8> {
        std::mem::take(&mut *self.lock())
    }

    /// Bytes in it.
    pub fn len(&self) -> usize {
        self.lock().len()
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(crate) fn push(&self, bytes: &[u8]) {
        self.lock().extend_from_slice(bytes);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Receives what a process writes, chunk by chunk.
#[derive(Debug)]
pub struct ByteReader(PipeReader);

impl From<PipeReader> for ByteReader {
    fn from(reader: PipeReader) -> ByteReader {
        ByteReader(reader)
    }
}

impl From<PipeWriter> for ByteWriter {
    fn from(writer: PipeWriter) -> ByteWriter {
        ByteWriter(writer)
    }
}

impl ByteReader {
    /// The next bytes, at most 64 KiB; none at the end, when the last writer is gone.
    pub async fn read(&mut self) -> Option<Bytes> {
        let mut buffer = vec![0; CHUNK];
        let count = poll_fn(|context| {
            if !self.0.poll_readable(context.waker()) {
                return Poll::Pending;
            }
            match self.0.try_read(&mut buffer) {
                Err(Error::Again) => {
                    context.waker().wake_by_ref();
                    Poll::Pending
                }
                other => Poll::Ready(other.unwrap_or(0)),
            }
        })
        .await;
        buffer.truncate(count);
        (count > 0).then(|| Bytes::from(buffer))
    }

    /// Everything up to the end. For outputs that are known to be small.
    pub async fn read_to_end(&mut self) -> Vec<u8> {
        let mut all = Vec::new();
        while let Some(chunk) = self.read().await {
            all.extend_from_slice(&chunk);
        }
        all
    }
}

/// Sends bytes to a process. Dropping it is the end of the input.
#[derive(Debug)]
pub struct ByteWriter(PipeWriter);

impl ByteWriter {
    /// Lets one read see the end of the input, though more may follow: Ctrl-D on a terminal.
    pub fn mark_end(&mut self) {
        self.0.mark_end();
    }

    /// Waits until the process waits for bytes: the turn of whoever types. Where nobody reads any
    /// more, it waits for ever.
    pub async fn wanted(&mut self) {
        poll_fn(|context| match self.0.poll_wanted(context.waker()) {
            true => Poll::Ready(()),
            false => Poll::Pending,
        })
        .await;
    }

    /// Writes all of `bytes`, waiting while the process does not read.
    ///
    /// # Errors
    /// `EPIPE` where nobody reads any more.
    pub async fn write(&mut self, mut bytes: &[u8]) -> offshoot_vfs::Result<()> {
        while !bytes.is_empty() {
            poll_fn(|context| match self.0.poll_writable(context.waker()) {
                true => Poll::Ready(()),
                false => Poll::Pending,
            })
            .await;
            match self.0.try_write(bytes) {
                Ok(count) => bytes = &bytes[count..],
                Err(Error::Again) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

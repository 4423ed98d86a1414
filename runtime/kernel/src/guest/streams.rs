//! Streams of WASI over open objects and files.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use bytes::Bytes;
use offshoot_boxed::boxed;
use offshoot_vfs::{Error, File};
use wasmtime_wasi_io::poll::Pollable;
use wasmtime_wasi_io::streams::{InputStream, OutputStream, StreamError, StreamResult};

use super::errno::StreamFailure;
use super::limiter::Held;
use crate::Limit;
use crate::descriptor::Object;
use crate::limit::READ_BYTES;
use crate::loopback::Connection;
use crate::process::{Ended, ProcessEnd};

/// Bytes that one write may have, which is what one stream can queue in the host at most (T28).
const WRITE_BYTES: usize = 64 << 10;

/// What is read first: most files are not longer.
const FIRST_BYTES: usize = 4 << 10;

/// What there is to be read, at most so much and [`READ_BYTES`]; nothing at the end. `read` fills what it is given.
///
/// A guest asks for what its buffer has room for, and zeros for all of that cost more than most files have.
pub(super) fn read_some(
    most: usize,
    mut read: impl FnMut(&mut [u8]) -> Result<usize, Error>,
) -> Result<Vec<u8>, Error> {
    let mut first = [0; FIRST_BYTES];
    let first = &mut first[..most.min(FIRST_BYTES)];
    let count = read(first)?;
    if count < FIRST_BYTES || most == FIRST_BYTES {
        return Ok(first[..count].to_vec());
    }
    let mut bytes = vec![0; most.min(READ_BYTES)];
    bytes[..count].copy_from_slice(first);
    // Where that fails, the next read says why.
    let more = read(&mut bytes[count..]).unwrap_or(0);
    bytes.truncate(count + more);
    Ok(bytes)
}

/// Reads an object at its offset, which it shares with whoever else has it open.
pub(crate) struct ObjectInput {
    object: Arc<Object>,
    failure: StreamFailure,
}

impl ObjectInput {
    pub(crate) fn new(object: Arc<Object>, failure: StreamFailure) -> ObjectInput {
        ObjectInput { object, failure }
    }
}

#[boxed]
impl Pollable for ObjectInput {
    async fn ready(&mut self) {
        readable(&self.object).await;
    }
}

#[boxed]
impl InputStream for ObjectInput {
    fn read(&mut self, size: usize) -> StreamResult<Bytes> {
        if size == 0 {
            return Ok(Bytes::new());
        }
        match read_some(size, |room| self.object.read(room)) {
            Ok(bytes) if bytes.is_empty() => Err(StreamError::Closed),
            Ok(bytes) => Ok(bytes.into()),
            Err(Error::Again) => Ok(Bytes::new()),
            Err(error) => Err(self.failure.of(error)),
        }
    }

    // Another reader of the same pipe may take what made this one ready, any number of times.
    async fn blocking_read(&mut self, size: usize) -> StreamResult<Bytes> {
        loop {
            let bytes = self.read(size)?;
            if !bytes.is_empty() || size == 0 {
                return Ok(bytes);
            }
            readable(&self.object).await;
        }
    }
}

/// Writes to an object at its offset. What its pipe had no room for is kept, and nothing more is
/// taken until that is written.
pub(crate) struct ObjectOutput {
    object: Arc<Object>,
    kept: Bytes,
    /// Counts what is kept as memory of the sandbox (T28).
    held: Held,
    failed: Option<Error>,
    failure: StreamFailure,
}

impl ObjectOutput {
    pub(super) fn new(object: Arc<Object>, held: Held, failure: StreamFailure) -> ObjectOutput {
        ObjectOutput {
            object,
            kept: Bytes::new(),
            held,
            failed: None,
            failure,
        }
    }

    /// Writes as much of what is kept as there is room for.
    fn push(&mut self) {
        while !self.kept.is_empty() {
            match self.object.write(&self.kept) {
                Ok(0) => return,
                Ok(count) => drop(self.kept.split_to(count)),
                Err(Error::Again) => return,
                Err(error) => {
                    self.failed = Some(error);
                    self.kept.clear();
                }
            }
        }
        self.held.resize(0);
    }

    fn check(&mut self) -> StreamResult<()> {
        match self.failed.take() {
            Some(error) => Err(self.failure.of(error)),
            None => Ok(()),
        }
    }
}

#[boxed]
impl Pollable for ObjectOutput {
    async fn ready(&mut self) {
        self.push();
        while !self.kept.is_empty() {
            writable(&self.object).await;
            self.push();
        }
    }
}

#[boxed]
impl OutputStream for ObjectOutput {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.check()?;
        if !self.kept.is_empty() || bytes.len() > WRITE_BYTES {
            return Err(StreamError::trap("a write without a permit"));
        }
        self.kept = bytes;
        self.push();
        if !self.held.resize(self.kept.len() as u64) {
            self.kept.clear();
            let end = Ended(ProcessEnd::Limit(Limit::Memory));
            return Err(StreamError::Trap(end.into()));
        }
        self.check()
    }

    fn flush(&mut self) -> StreamResult<()> {
        self.push();
        self.check()
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        self.push();
        self.check()?;
        Ok(if self.kept.is_empty() { WRITE_BYTES } else { 0 })
    }

    async fn blocking_write_and_flush(&mut self, bytes: Bytes) -> StreamResult<()> {
        self.ready().await;
        self.write(bytes)?;
        self.ready().await;
        self.check()
    }

    async fn write_ready(&mut self) -> StreamResult<usize> {
        self.ready().await;
        self.check()?;
        Ok(WRITE_BYTES)
    }
}

/// Reads a file from a position of its own.
pub(crate) struct FileInput {
    file: File,
    position: u64,
    failure: StreamFailure,
}

impl FileInput {
    pub(crate) fn new(file: File, position: u64, failure: StreamFailure) -> FileInput {
        FileInput {
            file,
            position,
            failure,
        }
    }
}

#[boxed]
impl Pollable for FileInput {
    async fn ready(&mut self) {}
}

#[boxed]
impl InputStream for FileInput {
    fn read(&mut self, size: usize) -> StreamResult<Bytes> {
        if size == 0 {
            return Ok(Bytes::new());
        }
        let mut at = self.position;
        let read = read_some(size, |room| {
            let count = self.file.read_at(at, room)?;
            at += count as u64;
            Ok(count)
        });
        self.position = at;
        match read {
            Ok(bytes) if bytes.is_empty() => Err(StreamError::Closed),
            Ok(bytes) => Ok(bytes.into()),
            Err(error) => Err(self.failure.of(error)),
        }
    }
}

/// Writes a file from a position of its own, or at its end.
pub(crate) struct FileOutput {
    file: File,
    /// None appends.
    position: Option<u64>,
    failure: StreamFailure,
}

impl FileOutput {
    pub(crate) fn new(file: File, position: Option<u64>, failure: StreamFailure) -> FileOutput {
        FileOutput {
            file,
            position,
            failure,
        }
    }
}

#[boxed]
impl Pollable for FileOutput {
    async fn ready(&mut self) {}
}

#[boxed]
impl OutputStream for FileOutput {
    fn write(&mut self, bytes: Bytes) -> StreamResult<()> {
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let written = match self.position {
                Some(position) => self.file.write_at(position, rest),
                None => self.file.append(rest),
            };
            let count = written.map_err(|error| self.failure.of(error))?;
            if count == 0 {
                return Err(self.failure.of(Error::NoSpace));
            }
            if let Some(position) = &mut self.position {
                *position += count as u64;
            }
            rest = &rest[count..];
        }
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        Ok(WRITE_BYTES)
    }
}

/// Receives from a connection.
pub(crate) struct ConnectionInput(Arc<Connection>);

impl ConnectionInput {
    pub(crate) fn new(connection: Arc<Connection>) -> ConnectionInput {
        ConnectionInput(connection)
    }
}

#[boxed]
impl Pollable for ConnectionInput {
    async fn ready(&mut self) {
        poll_fn(|context| match self.0.poll_readable(context.waker()) {
            true => Poll::Ready(()),
            false => Poll::Pending,
        })
        .await;
    }
}

#[boxed]
impl InputStream for ConnectionInput {
    fn read(&mut self, size: usize) -> StreamResult<Bytes> {
        if size == 0 {
            return Ok(Bytes::new());
        }
        let mut buffer = vec![0; size.min(WRITE_BYTES)];
        match self.0.read(&mut buffer) {
            Ok(0) => Err(StreamError::Closed),
            Ok(count) => {
                buffer.truncate(count);
                Ok(buffer.into())
            }
            Err(_) => Ok(Bytes::new()),
        }
    }
}

/// Sends into a connection. It promises no more than there is room for: what was taken arrives, also
/// when the socket is closed right after.
pub(crate) struct ConnectionOutput(Arc<Connection>);

impl ConnectionOutput {
    pub(crate) fn new(connection: Arc<Connection>) -> ConnectionOutput {
        ConnectionOutput(connection)
    }
}

#[boxed]
impl Pollable for ConnectionOutput {
    async fn ready(&mut self) {
        poll_fn(|context| match self.0.poll_writable(context.waker()) {
            true => Poll::Ready(()),
            false => Poll::Pending,
        })
        .await;
    }
}

#[boxed]
impl OutputStream for ConnectionOutput {
    fn write(&mut self, mut bytes: Bytes) -> StreamResult<()> {
        while !bytes.is_empty() {
            match self.0.write(&bytes) {
                Ok(count) if count > 0 => drop(bytes.split_to(count)),
                Ok(_) | Err(Error::Again) => {
                    return Err(StreamError::trap("a write without a permit"));
                }
                Err(_) => return Err(StreamError::Closed),
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> StreamResult<()> {
        Ok(())
    }

    fn check_write(&mut self) -> StreamResult<usize> {
        self.0.room().map_err(|_| StreamError::Closed)
    }
}

/// Waits until a read would not answer `EAGAIN`.
pub(crate) async fn readable(object: &Object) {
    poll_fn(|context| match object.poll_readable(context.waker()) {
        true => Poll::Ready(()),
        false => Poll::Pending,
    })
    .await;
}

/// Waits until a write would not answer `EAGAIN`.
pub(crate) async fn writable(object: &Object) {
    poll_fn(|context| match object.poll_writable(context.waker()) {
        true => Poll::Ready(()),
        false => Poll::Pending,
    })
    .await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_gives_what_there_is_up_to_what_was_asked_for() {
        const LONG: usize = 3 * FIRST_BYTES;
        for (there, most) in [
            (0, LONG),
            (10, LONG),
            (10, 4),
            (10, 0),
            (FIRST_BYTES, LONG),
            (FIRST_BYTES, FIRST_BYTES),
            (LONG, FIRST_BYTES),
            (LONG, FIRST_BYTES + 1),
            (LONG, LONG),
            (LONG, 2 * LONG),
            (2 * READ_BYTES, usize::MAX),
        ] {
            let all: Vec<u8> = (0..there).map(|at| (at % 251) as u8).collect();
            let mut left = &all[..];
            let read = read_some(most, |room| {
                let count = room.len().min(left.len());
                room[..count].copy_from_slice(&left[..count]);
                left = &left[count..];
                Ok(count)
            });
            let expected = &all[..there.min(most).min(READ_BYTES)];
            assert!(read.as_deref() == Ok(expected), "{there} {most}");
        }
        let failed = read_some(10, |_| Err(Error::Again));
        assert_eq!(failed, Err(Error::Again));
        // What was read before a failure is not lost.
        let mut calls = 0;
        let read = read_some(LONG, |room| {
            calls += 1;
            match calls {
                1 => Ok(room.len()),
                _ => Err(Error::Again),
            }
        });
        assert_eq!(read.map(|bytes| bytes.len()), Ok(FIRST_BYTES));
    }
}

//! Pipes between tasks, in memory until a process is to inherit an end.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use super::file::read_exactly_to;
use super::{Direction, ReadStep, Ready, put_before, take, take_to};
use crate::codec::{Codec, Image, Read, Reader, Writer};
use crate::machine::task::TaskId;
use crate::os::{Errno, Handle, Os, Result, Whence};

/// Bytes that a memory pipe holds.
pub(super) const CAPACITY: usize = 65_536;
/// Writes up to this length go in whole or not at all (`PIPE_BUF`).
const ATOMIC: usize = 4096;

/// A pipe between tasks.
pub(super) struct Pipe {
    pub(super) os: Rc<dyn Os>,
    pub(super) ready: Ready,
    pub(super) state: RefCell<PipeState>,
}

#[derive(Default)]
pub(super) struct PipeState {
    pub(super) buffer: VecDeque<u8>,
    pub(super) capacity: usize,
    pub(super) readers: u32,
    pub(super) writers: u32,
    pub(super) waiting: Vec<TaskId>,
    /// The ends of the system's pipe, once there is one.
    pub(super) system: Option<(Option<Handle>, Option<Handle>)>,
}

impl PipeState {
    fn room(&self) -> usize {
        self.capacity - self.buffer.len().min(self.capacity)
    }
}

impl Pipe {
    /// Whether a read, or a write of any length, would not answer [`Errno::Again`]; false where only
    /// the system knows.
    pub(super) fn is_ready(&self, direction: Direction) -> bool {
        let state = self.state.borrow();
        match direction {
            Direction::Read if !state.buffer.is_empty() => true,
            _ if state.system.is_some() => false,
            Direction::Read => state.writers == 0,
            Direction::Write => state.readers == 0 || state.room() >= ATOMIC,
        }
    }

    /// Notes that `task` is to be woken by the next change. Only [`super::Descriptor::wait`] may: it
    /// looks first, so that no change is missed.
    pub(super) fn register(&self, task: TaskId) {
        let mut state = self.state.borrow_mut();
        if !state.waiting.contains(&task) {
            state.waiting.push(task);
        }
    }

    fn wake(&self, state: &mut PipeState) {
        if !state.waiting.is_empty() {
            let mut ready = self.ready.borrow_mut();
            for task in state.waiting.drain(..) {
                ready.push(task);
            }
        }
    }

    pub(super) fn read(&self, buffer: &mut [u8]) -> Result<usize> {
        let mut state = self.state.borrow_mut();
        if state.buffer.is_empty() {
            if let Some((Some(reader), _)) = state.system {
                return self.os.read(reader, buffer);
            }
            return if state.writers == 0 {
                Ok(0)
            } else {
                Err(Errno::Again)
            };
        }
        let count = take(&mut state.buffer, buffer);
        self.wake(&mut state);
        Ok(count)
    }

    pub(super) fn put_back(&self, bytes: &[u8]) {
        let mut state = self.state.borrow_mut();
        put_before(&mut state.buffer, bytes);
        self.wake(&mut state);
    }

    pub(super) fn write(&self, data: &[u8]) -> Result<usize> {
        let mut state = self.state.borrow_mut();
        if let Some((_, Some(writer))) = state.system {
            return self.os.write(writer, data);
        }
        if state.readers == 0 {
            return Err(Errno::BrokenPipe);
        }
        let room = state.room();
        if room < data.len().min(ATOMIC) {
            return Err(Errno::Again);
        }
        let count = room.min(data.len());
        state.buffer.extend(&data[..count]);
        self.wake(&mut state);
        Ok(count)
    }

    pub(super) fn read_to(
        &self,
        delimiter: u8,
        limit: usize,
        into: &mut Vec<u8>,
    ) -> Result<ReadStep> {
        let mut state = self.state.borrow_mut();
        let (taken, found) = take_to(&mut state.buffer, delimiter, limit, into);
        if taken > 0 || found {
            self.wake(&mut state);
        }
        if found {
            return Ok(ReadStep::Delimiter);
        }
        let left = limit - taken;
        let Some((Some(reader), _)) = state.system else {
            return Ok(match state.writers {
                _ if left == 0 => ReadStep::Limit,
                0 => ReadStep::End,
                _ => ReadStep::Blocked,
            });
        };
        read_exactly_to(&*self.os, reader, delimiter, left, into)
    }

    /// Turns the memory pipe into one of the system, with what it holds, as far as that fits.
    pub(super) fn system(&self) -> Result<(Option<Handle>, Option<Handle>)> {
        let mut state = self.state.borrow_mut();
        if let Some(ends) = state.system {
            return Ok(ends);
        }
        let (reader, writer) = self.os.pipe()?;
        // A reader of our own goes on from memory; a process needs all of it in the pipe.
        while !state.buffer.is_empty() && (state.capacity != usize::MAX || state.writers == 0) {
            match self.os.write(writer, state.buffer.make_contiguous()) {
                Ok(written) => drop(state.buffer.drain(..written)),
                Err(Errno::Again) => return self.file(&mut state, reader, writer),
                Err(error) => return Err(error),
            }
        }
        let mut ends = (Some(reader), Some(writer));
        if state.readers == 0 {
            self.os.close(reader);
            ends.0 = None;
        }
        if state.writers == 0 {
            self.os.close(writer);
            ends.1 = None;
        }
        state.system = Some(ends);
        self.wake(&mut state);
        Ok(ends)
    }

    /// A document that is larger than a pipe: a file without a name.
    fn file(
        &self,
        state: &mut PipeState,
        reader: Handle,
        writer: Handle,
    ) -> Result<(Option<Handle>, Option<Handle>)> {
        let mut head = vec![0; CAPACITY * 2];
        let count = self.os.read(reader, &mut head)?;
        head.truncate(count);
        self.os.close(reader);
        self.os.close(writer);
        let path = format!("/tmp/.document-{:016x}", self.os.random());
        let options = crate::os::OpenOptions {
            read: true,
            write: true,
            create: true,
            exclusive: true,
            ..crate::os::OpenOptions::default()
        };
        let file = self.os.open(path.as_bytes(), options, 0o600)?;
        let _ = self.os.unlink(path.as_bytes());
        head.extend(state.buffer.drain(..));
        let mut rest = head.as_slice();
        while !rest.is_empty() {
            let written = self.os.write(file, rest)?;
            rest = &rest[written..];
        }
        self.os.seek(file, 0, Whence::Start)?;
        state.system = Some((Some(file), None));
        Ok((Some(file), None))
    }

    /// Turns a pipe of the system into memory again, with what it holds. No process has it.
    pub(super) fn internalise(&self) {
        let mut state = self.state.borrow_mut();
        let Some((reader, writer)) = state.system.take() else {
            return;
        };
        if let Some(reader) = reader {
            let mut block = vec![0; CAPACITY];
            // Empty, or at its end: there is no more.
            while let Ok(count @ 1..) = self.os.read(reader, &mut block) {
                state.buffer.extend(&block[..count]);
            }
            self.os.close(reader);
        }
        if let Some(writer) = writer {
            self.os.close(writer);
        }
        self.wake(&mut state);
    }

    pub(super) fn drop_end(&self, reader: bool) {
        let mut state = self.state.borrow_mut();
        let count = if reader {
            &mut state.readers
        } else {
            &mut state.writers
        };
        *count -= 1;
        if *count > 0 {
            return;
        }
        if let Some(ends) = &mut state.system {
            let end = if reader { ends.0.take() } else { ends.1.take() };
            if let Some(handle) = end {
                self.os.close(handle);
            }
        }
        self.wake(&mut state);
    }
}

impl Codec<Image> for Pipe {
    fn encode(&self, writer: &mut Writer) {
        self.internalise();
        let state = self.state.borrow();
        (state.capacity == usize::MAX).encode(writer);
        state.buffer.encode(writer);
    }

    /// A pipe without ends: each descriptor that is read adds one.
    fn decode(reader: &mut Reader<'_>) -> Read<Pipe> {
        let unbounded = bool::decode(reader)?;
        Ok(Pipe {
            os: reader.context.os.clone(),
            ready: reader.context.ready.clone(),
            state: RefCell::new(PipeState {
                capacity: if unbounded { usize::MAX } else { CAPACITY },
                buffer: Codec::decode(reader)?,
                ..PipeState::default()
            }),
        })
    }
}

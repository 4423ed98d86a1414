//! What a script's descriptor numbers stand for.
//!
//! A pipe between two tasks of one instance is memory. It becomes a pipe of the system, once and
//! for both ends, when a process is to inherit one of them.

mod file;
pub(super) mod kept;
#[cfg(test)]
mod model;
mod pipe;

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use self::file::File;
use self::kept::Origin;
use self::pipe::{CAPACITY, Pipe, PipeState};
use super::task::TaskId;
use crate::codec::{Codec, Corrupt, Image, Read, Reader, Writer, read_handle};
use crate::os::{Errno, FileKind, Handle, Interest, Os, Result, Stat, Whence};

/// An open file of a script; numbers that were duplicated share it.
pub struct Descriptor {
    kind: Kind,
}

enum Kind {
    File(File),
    Reader(Rc<Pipe>),
    Writer(Rc<Pipe>),
}

/// Tasks that can go on, filled from wherever something happens.
pub(crate) type Ready = Rc<RefCell<ReadyQueue>>;

/// A queue in which a task stands once at most.
#[derive(Debug, Default)]
pub(crate) struct ReadyQueue {
    queue: VecDeque<TaskId>,
    queued: Vec<bool>,
}

impl ReadyQueue {
    /// Adds a task at the end.
    pub(crate) fn push(&mut self, task: TaskId) {
        if self.queued.len() <= task.0 {
            self.queued.resize(task.0 + 1, false);
        }
        if !std::mem::replace(&mut self.queued[task.0], true) {
            self.queue.push_back(task);
        }
    }

    /// Takes the first task.
    pub(crate) fn pop(&mut self) -> Option<TaskId> {
        let task = self.queue.pop_front()?;
        self.queued[task.0] = false;
        Some(task)
    }

    /// The tasks in order.
    pub(crate) fn order(&self) -> impl Iterator<Item = TaskId> + '_ {
        self.queue.iter().copied()
    }

    /// Whether no task is in it.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }
}

/// What a task can wait for at a descriptor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Something to read.
    Read,
    /// Room to write.
    Write,
}

/// How far a read to a delimiter came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReadStep {
    /// The delimiter was read; it is not part of the result.
    Delimiter,
    /// The limit was reached first.
    Limit,
    /// The input is at its end.
    End,
    /// More has to arrive first.
    Blocked,
}

impl Descriptor {
    /// A handle that the descriptor closes.
    pub fn owned(os: &Rc<dyn Os>, handle: Handle) -> Rc<Descriptor> {
        Descriptor::file(os, handle, true, None)
    }

    /// A file that a redirect opened; the descriptor closes the handle.
    pub(crate) fn opened(os: &Rc<dyn Os>, handle: Handle, origin: Origin) -> Rc<Descriptor> {
        Descriptor::file(os, handle, true, Some(origin))
    }

    /// A handle that somebody else closes.
    pub fn borrowed(os: &Rc<dyn Os>, handle: Handle) -> Rc<Descriptor> {
        Descriptor::file(os, handle, false, None)
    }

    fn file(
        os: &Rc<dyn Os>,
        handle: Handle,
        owned: bool,
        origin: Option<Origin>,
    ) -> Rc<Descriptor> {
        Rc::new(Descriptor {
            kind: Kind::File(File {
                os: os.clone(),
                handle,
                owned,
                seekable: Cell::new(None),
                ahead: RefCell::default(),
                origin,
            }),
        })
    }

    /// A pipe within the instance: reader, writer. With `unbounded` a writer never waits.
    pub(crate) fn pipe(
        os: &Rc<dyn Os>,
        ready: &Ready,
        unbounded: bool,
    ) -> (Rc<Descriptor>, Rc<Descriptor>) {
        let pipe = Rc::new(Pipe {
            os: os.clone(),
            ready: ready.clone(),
            state: RefCell::new(PipeState {
                capacity: if unbounded { usize::MAX } else { CAPACITY },
                readers: 1,
                writers: 1,
                ..PipeState::default()
            }),
        });
        let reader = Descriptor {
            kind: Kind::Reader(pipe.clone()),
        };
        let writer = Descriptor {
            kind: Kind::Writer(pipe),
        };
        (Rc::new(reader), Rc::new(writer))
    }

    /// The system's handle, for a process to inherit. Bytes read ahead are given back.
    pub fn handle(&self) -> Result<Handle> {
        match &self.kind {
            Kind::File(file) => {
                file.give_back();
                Ok(file.handle)
            }
            Kind::Reader(pipe) => pipe.system()?.0.ok_or(Errno::BadDescriptor),
            Kind::Writer(pipe) => pipe.system()?.1.ok_or(Errno::BadDescriptor),
        }
    }

    /// The handle where the descriptor is a file or pipe of the system already.
    pub fn existing_handle(&self) -> Option<Handle> {
        match &self.kind {
            Kind::File(file) => Some(file.handle),
            Kind::Reader(pipe) => pipe.state.borrow().system.and_then(|ends| ends.0),
            Kind::Writer(pipe) => pipe.state.borrow().system.and_then(|ends| ends.1),
        }
    }

    /// How a regular file was opened, and its offset.
    pub(super) fn place(&self) -> Option<(Origin, u64)> {
        let Kind::File(file) = &self.kind else {
            return None;
        };
        let origin = file.origin.clone().filter(|_| file.seekable())?;
        file.give_back();
        let offset = file.os.seek(file.handle, 0, Whence::Current).ok()?;
        Some((origin, offset))
    }

    /// Whether it is a FIFO whose other side was not there since it was opened.
    pub(crate) fn is_unmet(&self) -> bool {
        let Kind::File(file) = &self.kind else {
            return false;
        };
        let Some(origin) = file.origin.as_ref() else {
            return false;
        };
        if file.os.seek(file.handle, 0, Whence::Current) != Err(Errno::CannotSeek) {
            return false;
        }
        // Nothing is read or written, but who has met nobody cannot do even that.
        let asked = match origin.read {
            true => file.os.read(file.handle, &mut []),
            false => file.os.write(file.handle, &[]),
        };
        asked == Err(Errno::Again)
    }

    /// Reads; 0 at the end, [`Errno::Again`] where nothing is there yet.
    pub fn read(&self, buffer: &mut [u8]) -> Result<usize> {
        match &self.kind {
            Kind::File(file) => file.read(buffer),
            Kind::Reader(pipe) => pipe.read(buffer),
            Kind::Writer(_) => Err(Errno::BadDescriptor),
        }
    }

    /// Writes and says how much was taken.
    pub fn write(&self, data: &[u8]) -> Result<usize> {
        match &self.kind {
            Kind::File(file) => {
                file.give_back();
                file.os.write(file.handle, data)
            }
            Kind::Reader(_) => Err(Errno::BadDescriptor),
            Kind::Writer(pipe) => pipe.write(data),
        }
    }

    /// Reads up to `delimiter`, `limit` bytes or the end, and takes not one byte more.
    pub fn read_to(&self, delimiter: u8, limit: usize, into: &mut Vec<u8>) -> Result<ReadStep> {
        match &self.kind {
            Kind::File(file) => file.read_to(delimiter, limit, into),
            Kind::Reader(pipe) => pipe.read_to(delimiter, limit, into),
            Kind::Writer(_) => Err(Errno::BadDescriptor),
        }
    }

    /// Puts back what was read from a pipe, or from what else cannot seek: the next read gives it.
    pub fn put_back(&self, bytes: &[u8]) {
        match &self.kind {
            Kind::File(file) => file.put_back(bytes),
            Kind::Reader(pipe) => pipe.put_back(bytes),
            Kind::Writer(_) => {}
        }
    }

    /// The columns and lines of a terminal.
    pub fn terminal_size(&self) -> Option<(u16, u16)> {
        match &self.kind {
            Kind::File(file) => file.os.terminal_size(file.handle),
            _ => None,
        }
    }

    /// Sets how a terminal takes what is typed: shown, and by lines. Ctrl-C is a signal.
    pub fn set_terminal(&self, echo: bool, lines: bool) {
        if let Kind::File(file) = &self.kind {
            file.os.set_terminal(file.handle, echo, lines, true);
        }
    }

    /// Whether it is a terminal.
    pub fn is_terminal(&self) -> bool {
        match &self.kind {
            Kind::File(file) => file.os.is_terminal(file.handle),
            Kind::Reader(_) | Kind::Writer(_) => false,
        }
    }

    /// Moves the offset of a file.
    pub fn seek(&self, offset: i64, whence: Whence) -> Result<u64> {
        match &self.kind {
            Kind::File(file) => {
                file.give_back();
                file.os.seek(file.handle, offset, whence)
            }
            Kind::Reader(_) | Kind::Writer(_) => Err(Errno::CannotSeek),
        }
    }

    /// `fstat`
    pub fn stat(&self) -> Result<Stat> {
        let pipe = match &self.kind {
            Kind::File(file) => return file.os.stat_handle(file.handle),
            Kind::Reader(pipe) | Kind::Writer(pipe) => pipe,
        };
        if let Some(handle) = self.existing_handle() {
            return pipe.os.stat_handle(handle);
        }
        let now = pipe.os.now();
        Ok(Stat {
            kind: FileKind::Fifo,
            device: 0,
            inode: 0,
            mode: 0o600,
            links: 1,
            uid: 0,
            gid: 0,
            size: 0,
            blocks: 0,
            accessed: now,
            modified: now,
            changed: now,
        })
    }

    /// Makes `task` ready when the direction is, at once where it is so by now, or names what the
    /// system has to be asked for. Every wait for a descriptor ends here.
    pub(crate) fn wait(&self, direction: Direction, task: TaskId) -> Option<Interest> {
        let pipe = match &self.kind {
            Kind::File(file) => return Some(interest(direction, file.handle)),
            Kind::Reader(pipe) | Kind::Writer(pipe) => pipe,
        };
        if pipe.is_ready(direction) {
            // It became so after the task had looked, and nobody else would tell it.
            pipe.ready.borrow_mut().push(task);
            return None;
        }
        let handle = self.existing_handle();
        if handle.is_none() {
            pipe.register(task);
        }
        handle.map(|handle| interest(direction, handle))
    }

    /// Everything that was written to a memory pipe and not read; for command substitution.
    pub fn drain(&self, into: &mut Vec<u8>) {
        if let Kind::Reader(pipe) = &self.kind {
            let mut state = pipe.state.borrow_mut();
            into.extend(state.buffer.drain(..));
        }
    }

    /// Whether a read would give something now, the end included: `read -t 0`.
    pub fn is_ready_to_read(&self) -> bool {
        match &self.kind {
            Kind::File(_) => true,
            Kind::Reader(pipe) => {
                let state = pipe.state.borrow();
                !state.buffer.is_empty() || state.writers == 0 || state.system.is_some()
            }
            Kind::Writer(_) => false,
        }
    }

    /// Whether it is an end of a pipe between tasks.
    pub fn is_pipe(&self) -> bool {
        !matches!(self.kind, Kind::File(_))
    }

    /// Whether nobody can write to this reader any more.
    pub fn has_writers(&self) -> bool {
        match &self.kind {
            Kind::Reader(pipe) => pipe.state.borrow().writers > 0,
            Kind::File(_) | Kind::Writer(_) => true,
        }
    }
}

fn interest(direction: Direction, handle: Handle) -> Interest {
    match direction {
        Direction::Read => Interest::Readable(handle),
        Direction::Write => Interest::Writable(handle),
    }
}

impl Drop for Descriptor {
    fn drop(&mut self) {
        match &self.kind {
            Kind::File(file) if file.owned => file.os.close(file.handle),
            Kind::File(file) => file.give_back(),
            Kind::Reader(pipe) => pipe.drop_end(true),
            Kind::Writer(pipe) => pipe.drop_end(false),
        }
    }
}

/// The descriptor numbers of a shell; cloning takes constant time.
#[derive(Clone, Default)]
pub struct Descriptors(Rc<Vec<Option<Rc<Descriptor>>>>);

/// The highest number that a script may use.
pub const HIGHEST: u32 = 1023;

impl Descriptors {
    /// What `number` stands for.
    #[inline]
    pub fn get(&self, number: u32) -> Option<&Rc<Descriptor>> {
        self.0.get(number as usize)?.as_ref()
    }

    /// Puts `descriptor` at `number`, or closes it, and returns what was there.
    pub fn set(
        &mut self,
        number: u32,
        descriptor: Option<Rc<Descriptor>>,
    ) -> Option<Rc<Descriptor>> {
        let index = number as usize;
        let table = Rc::make_mut(&mut self.0);
        if table.len() <= index {
            descriptor.as_ref()?;
            table.resize(index + 1, None);
        }
        std::mem::replace(&mut table[index], descriptor)
    }

    /// The lowest free number from `first` on.
    pub fn free(&self, first: u32) -> u32 {
        let mut number = first;
        while self.get(number).is_some() {
            number += 1;
        }
        number
    }

    /// All open numbers.
    pub fn iter(&self) -> impl Iterator<Item = (u32, &Rc<Descriptor>)> + '_ {
        let numbered = self.0.iter().enumerate();
        numbered.filter_map(|(number, open)| open.as_ref().map(|open| (number as u32, open)))
    }
}

impl Codec<Image> for Descriptors {
    fn encode(&self, writer: &mut Writer) {
        self.0.encode(writer);
    }

    fn decode(reader: &mut Reader<'_>) -> Read<Descriptors> {
        Codec::decode(reader).map(Descriptors)
    }
}

impl Codec<Image> for Descriptor {
    fn encode(&self, writer: &mut Writer) {
        match &self.kind {
            Kind::File(file) => {
                writer.byte(0);
                if file.seekable() {
                    file.give_back();
                }
                writer.context.handles.insert(file.handle);
                file.handle.encode(writer);
                file.owned.encode(writer);
                file.ahead.borrow().encode(writer);
                file.origin.encode(writer);
            }
            Kind::Reader(pipe) => {
                writer.byte(1);
                pipe.encode(writer);
            }
            Kind::Writer(pipe) => {
                writer.byte(2);
                pipe.encode(writer);
            }
        }
    }

    fn decode(reader: &mut Reader<'_>) -> Read<Descriptor> {
        let kind = match reader.byte()? {
            0 => Kind::File(File {
                os: reader.context.os.clone(),
                handle: read_handle(reader)?,
                owned: Codec::decode(reader)?,
                seekable: Cell::new(None),
                ahead: RefCell::new(Codec::decode(reader)?),
                origin: Codec::decode(reader)?,
            }),
            1 => {
                let pipe = Rc::<Pipe>::decode(reader)?;
                pipe.state.borrow_mut().readers += 1;
                Kind::Reader(pipe)
            }
            2 => {
                let pipe = Rc::<Pipe>::decode(reader)?;
                pipe.state.borrow_mut().writers += 1;
                Kind::Writer(pipe)
            }
            _ => return Err(Corrupt),
        };
        Ok(Descriptor { kind })
    }
}

/// Moves bytes from the front of `queue`.
/// Puts bytes before all others.
fn put_before(queue: &mut VecDeque<u8>, bytes: &[u8]) {
    let mut all = VecDeque::with_capacity(bytes.len() + queue.len());
    all.extend(bytes);
    all.append(queue);
    *queue = all;
}

fn take(queue: &mut VecDeque<u8>, buffer: &mut [u8]) -> usize {
    let count = buffer.len().min(queue.len());
    let (front, back) = queue.as_slices();
    let first = count.min(front.len());
    buffer[..first].copy_from_slice(&front[..first]);
    buffer[first..count].copy_from_slice(&back[..count - first]);
    queue.drain(..count);
    count
}

/// Moves at most `limit` bytes up to `delimiter` and says how many, and whether it was there.
fn take_to(
    queue: &mut VecDeque<u8>,
    delimiter: u8,
    limit: usize,
    into: &mut Vec<u8>,
) -> (usize, bool) {
    let mut taken = 0;
    let mut found = false;
    let (front, back) = queue.as_slices();
    for part in [front, back] {
        let part = &part[..part.len().min(limit - taken)];
        let end = memchr::memchr(delimiter, part);
        found = end.is_some();
        let part = &part[..end.unwrap_or(part.len())];
        into.extend_from_slice(part);
        taken += part.len();
        if found {
            break;
        }
    }
    queue.drain(..taken + usize::from(found));
    (taken, found)
}

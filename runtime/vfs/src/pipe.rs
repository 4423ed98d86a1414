//! Pipes: bounded byte queues with counted ends, without blocking and without an executor.
//!
//! A reader or writer that cannot go on registers a [`Waker`]; whatever changes the other side
//! wakes all that are registered. The same type serves threads, tasks and the single-component build.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use crate::{Error, Result};

/// Bytes that a pipe holds: what Linux gives, and the most a stalled pipeline stage can pin.
const CAPACITY: usize = 64 * 1024;
/// Writes up to this length go in whole or not at all (`PIPE_BUF`).
const ATOMIC: usize = 4096;

#[derive(Default)]
struct State {
    queue: VecDeque<u8>,
    readers: usize,
    writers: usize,
    /// Reading and writing ends ever taken.
    taken: (u64, u64),
    read_wakers: Vec<Waker>,
    write_wakers: Vec<Waker>,
    /// Of writers that wait for a reader to wait.
    wanted_wakers: Vec<Waker>,
    /// Ends of input that a terminal has sent and no reader has seen.
    marks: u32,
    /// Writers wait, whatever room there is.
    frozen: bool,
}

impl State {
    fn readable(&self) -> bool {
        !self.queue.is_empty() || self.writers == 0 || self.marks > 0
    }

    /// Whether a reader of the empty queue is at an end of input; each is seen once.
    fn take_mark(&mut self) -> bool {
        let there = self.marks > 0;
        self.marks = self.marks.saturating_sub(1);
        there
    }
}

/// A bounded byte queue of 64 KiB; clones are the same pipe.
///
/// Ends are taken with [`Pipe::reader`] and [`Pipe::writer`] and counted: a reader sees the end of
/// the data when the last writer is dropped, a writer gets [`Error::BrokenPipe`] when the last
/// reader is.
#[derive(Clone)]
pub struct Pipe(Arc<Mutex<State>>);

impl Pipe {
    /// An empty pipe without ends.
    pub fn new() -> Pipe {
        Pipe(Arc::new(Mutex::new(State::default())))
    }

    /// A new pipe's two ends.
    pub fn ends() -> (PipeReader, PipeWriter) {
        let pipe = Pipe::new();
        (pipe.reader(), pipe.writer())
    }

    /// Another reading end.
    pub fn reader(&self) -> PipeReader {
        let mut state = self.lock();
        state.readers += 1;
        state.taken.0 += 1;
        let alone = state.taken.1 - u64::from(state.writers > 0);
        wake(state, Wake::All);
        PipeReader {
            pipe: self.clone(),
            alone,
        }
    }

    /// Another writing end.
    pub fn writer(&self) -> PipeWriter {
        let mut state = self.lock();
        state.writers += 1;
        state.taken.1 += 1;
        let alone = state.taken.0 - u64::from(state.readers > 0);
        wake(state, Wake::All);
        PipeWriter {
            pipe: self.clone(),
            alone,
        }
    }

    /// How many reading ends there are.
    pub fn readers(&self) -> usize {
        self.lock().readers
    }

    /// How many writing ends there are.
    pub fn writers(&self) -> usize {
        self.lock().writers
    }

    /// Bytes in the queue.
    pub fn len(&self) -> usize {
        self.lock().queue.len()
    }

    /// Whether the queue is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A copy of the bytes in the queue.
    pub fn contents(&self) -> Vec<u8> {
        self.lock().queue.iter().copied().collect()
    }

    /// Whether both are ends of, or handles on, the same pipe.
    pub fn same(&self, other: &Pipe) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Default for Pipe {
    fn default() -> Pipe {
        Pipe::new()
    }
}

impl fmt::Debug for Pipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.lock();
        f.debug_struct("Pipe")
            .field("bytes", &state.queue.len())
            .field("readers", &state.readers)
            .field("writers", &state.writers)
            .finish()
    }
}

/// A reading end; a clone counts as another reader.
#[derive(Debug)]
pub struct PipeReader {
    pipe: Pipe,
    /// Writing ends that had been taken while it met none of them.
    alone: u64,
}

impl PipeReader {
    /// Takes at most `buffer.len()` bytes. 0 is the end: the queue is empty and no writer is left.
    ///
    /// # Errors
    /// [`Error::Again`] where the queue is empty and a writer is left.
    pub fn try_read(&self, buffer: &mut [u8]) -> Result<usize> {
        let mut state = self.pipe.lock();
        if state.queue.is_empty() {
            let ended = state.writers == 0 || buffer.is_empty() || state.take_mark();
            return if ended { Ok(0) } else { Err(Error::Again) };
        }
        let count = buffer.len().min(state.queue.len());
        let (front, back) = state.queue.as_slices();
        let first = count.min(front.len());
        buffer[..first].copy_from_slice(&front[..first]);
        buffer[first..count].copy_from_slice(&back[..count - first]);
        state.queue.drain(..count);
        wake(state, Wake::Writers);
        Ok(count)
    }

    /// Takes bytes up to `delimiter`, which is the last of them then, and not one more: at most
    /// `limit` bytes or what is there. Nothing is the end. A shell's `read` uses it, which leaves the
    /// rest to whoever reads next.
    ///
    /// # Errors
    /// [`Error::Again`] where the queue is empty and a writer is left.
    pub fn try_read_until(&self, delimiter: u8, limit: usize) -> Result<Vec<u8>> {
        let mut state = self.pipe.lock();
        if state.queue.is_empty() && state.writers > 0 && limit > 0 && !state.take_mark() {
            return Err(Error::Again);
        }
        let queue = &state.queue;
        let found = queue.iter().take(limit).position(|byte| *byte == delimiter);
        let count = found.map_or(limit.min(queue.len()), |at| at + 1);
        let taken = state.queue.drain(..count).collect();
        wake(state, Wake::Writers);
        Ok(taken)
    }

    /// Whether [`PipeReader::try_read`] would not answer `Again`; otherwise registers `waker`.
    pub fn poll_readable(&self, waker: &Waker) -> bool {
        let mut state = self.pipe.lock();
        let ready = state.readable();
        if !ready {
            register(&mut state.read_wakers, waker);
            wake(state, Wake::Wanted);
        }
        ready
    }

    /// Whether [`PipeReader::try_read`] would not answer `Again`.
    pub fn is_readable(&self) -> bool {
        self.pipe.lock().readable()
    }

    /// Lets writers wait, whatever room there is, or no longer. A reader that is about to move
    /// elsewhere takes a copy of the queue meanwhile, and nothing is accepted that it does not see.
    pub fn freeze(&self, frozen: bool) {
        let mut state = self.pipe.lock();
        state.frozen = frozen;
        wake(state, Wake::Writers);
    }

    /// Whether a writer was there at any time since this end was taken. POSIX has the opening of a FIFO
    /// wait for that; the writer may have gone again.
    pub fn has_met(&self) -> bool {
        self.pipe.lock().taken.1 > self.alone
    }

    /// The same; otherwise registers `waker`.
    pub fn poll_met(&self, waker: &Waker) -> bool {
        let mut state = self.pipe.lock();
        let met = state.taken.1 > self.alone;
        if !met {
            register(&mut state.read_wakers, waker);
        }
        met
    }

    /// The pipe that this is an end of.
    pub fn pipe(&self) -> &Pipe {
        &self.pipe
    }
}

impl Clone for PipeReader {
    fn clone(&self) -> PipeReader {
        self.pipe.reader()
    }
}

impl Drop for PipeReader {
    fn drop(&mut self) {
        let mut state = self.pipe.lock();
        state.readers -= 1;
        if state.readers == 0 {
            state.frozen = false;
            // A FIFO outlives its openers; what nobody read is gone with the last of them.
            if state.writers == 0 {
                state.queue = VecDeque::new();
            }
            wake(state, Wake::Writers);
        }
    }
}

/// A writing end; a clone counts as another writer.
#[derive(Debug)]
pub struct PipeWriter {
    pipe: Pipe,
    /// Reading ends that had been taken while it met none of them.
    alone: u64,
}

impl PipeWriter {
    /// How many bytes there is room for: [`PipeWriter::try_write`] would take so many now.
    ///
    /// # Errors
    /// [`Error::BrokenPipe`] where no reader is left.
    pub fn room(&self) -> Result<usize> {
        let state = self.pipe.lock();
        match state.readers {
            0 => Err(Error::BrokenPipe),
            _ if state.frozen => Ok(0),
            _ => Ok(CAPACITY.saturating_sub(state.queue.len())),
        }
    }

    /// Queues a prefix of `bytes` and returns its length. Up to 4,096 bytes go in whole or not at all.
    ///
    /// # Errors
    /// [`Error::BrokenPipe`] without a reader, [`Error::Again`] without room.
    pub fn try_write(&self, bytes: &[u8]) -> Result<usize> {
        let mut state = self.pipe.lock();
        if state.readers == 0 {
            return Err(Error::BrokenPipe);
        }
        let room = CAPACITY - state.queue.len();
        if state.frozen || !has_room(room, bytes.len()) {
            return Err(Error::Again);
        }
        let count = bytes.len().min(room);
        state.queue.extend(&bytes[..count]);
        wake(state, Wake::Readers);
        Ok(count)
    }

    /// Whether [`PipeWriter::try_write`] of any length would not answer `Again`; otherwise
    /// registers `waker`.
    pub fn poll_writable(&self, waker: &Waker) -> bool {
        let mut state = self.pipe.lock();
        let ready = writable(&state);
        if !ready {
            register(&mut state.write_wakers, waker);
        }
        ready
    }

    /// Whether [`PipeWriter::try_write`] of any length would not answer `Again`.
    pub fn is_writable(&self) -> bool {
        writable(&self.pipe.lock())
    }

    /// Lets one read of the empty pipe see the end of the data, though the writer stays: Ctrl-D on a
    /// terminal.
    pub fn mark_end(&self) {
        let mut state = self.pipe.lock();
        state.marks += 1;
        wake(state, Wake::Readers);
    }

    /// Whether a reader waits for bytes; otherwise registers `waker`. What a terminal asks before it
    /// shows the user that it is their turn.
    pub fn poll_wanted(&self, waker: &Waker) -> bool {
        let mut state = self.pipe.lock();
        let ready = state.readers > 0 && state.queue.is_empty() && !state.read_wakers.is_empty();
        if !ready {
            register(&mut state.wanted_wakers, waker);
        }
        ready
    }

    /// Whether a reader was there at any time since this end was taken; see [`PipeReader::has_met`].
    pub fn has_met(&self) -> bool {
        self.pipe.lock().taken.0 > self.alone
    }

    /// The same; otherwise registers `waker`.
    pub fn poll_met(&self, waker: &Waker) -> bool {
        let mut state = self.pipe.lock();
        let met = state.taken.0 > self.alone;
        if !met {
            register(&mut state.write_wakers, waker);
        }
        met
    }

    /// The pipe that this is an end of.
    pub fn pipe(&self) -> &Pipe {
        &self.pipe
    }
}

impl Clone for PipeWriter {
    fn clone(&self) -> PipeWriter {
        self.pipe.writer()
    }
}

impl Drop for PipeWriter {
    fn drop(&mut self) {
        let mut state = self.pipe.lock();
        state.writers -= 1;
        if state.writers == 0 {
            if state.readers == 0 {
                state.queue = VecDeque::new();
            }
            wake(state, Wake::Readers);
        }
    }
}

fn has_room(room: usize, length: usize) -> bool {
    if length <= ATOMIC {
        room >= length
    } else {
        room > 0
    }
}

/// Writable means room for a whole atomic write, so that who is told so never spins.
fn writable(state: &State) -> bool {
    state.readers == 0 || !state.frozen && CAPACITY - state.queue.len() >= ATOMIC
}

fn register(wakers: &mut Vec<Waker>, waker: &Waker) {
    if !wakers.iter().any(|known| known.will_wake(waker)) {
        wakers.push(waker.clone());
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Wake {
    Readers,
    /// Only where there is room again: a reader that takes a byte at a time wakes nobody in vain.
    Writers,
    /// Writers that wait for a reader to wait.
    Wanted,
    All,
}

/// Wakes after the lock is released, since a waker may run code that takes it again.
fn wake(mut state: MutexGuard<'_, State>, whom: Wake) {
    let mut woken = Vec::new();
    if matches!(whom, Wake::Readers | Wake::All) {
        woken.append(&mut state.read_wakers);
    }
    if whom == Wake::Wanted {
        woken.append(&mut state.wanted_wakers);
    }
    if whom == Wake::All || whom == Wake::Writers && writable(&state) {
        woken.append(&mut state.write_wakers);
    }
    drop(state);
    woken.into_iter().for_each(Waker::wake);
}

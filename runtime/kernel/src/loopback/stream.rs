//! TCP: listeners, and connections of two pipes.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::Waker;

use offshoot_vfs::{Error, Pipe, PipeReader, PipeWriter, Result};

use super::{Claim, Listed, Refusal, Waiting};
use crate::guest::Held;

/// Connections that may wait to be accepted, whatever a listener asks for (T28).
const BACKLOG: usize = 128;

/// One end of a connection. Dropping it closes both directions.
pub(crate) struct Connection {
    pub(crate) local: SocketAddr,
    pub(crate) remote: SocketAddr,
    reader: Mutex<Option<PipeReader>>,
    writer: Mutex<Option<PipeWriter>>,
    _listed: Option<Listed>,
    /// The near port, taken as long as the connection is.
    claim: OnceLock<Claim>,
    _held: Arc<Held>,
}

/// Which half of a connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Receive,
    Send,
}

impl Connection {
    /// Bytes that the buffers of both directions take at most.
    pub(super) const MEMORY: u64 = (2 * 64) << 10;

    /// The two ends of a new connection.
    pub(super) fn pair(near: SocketAddr, far: SocketAddr, held: Held) -> (Connection, Connection) {
        let (there, back) = (Pipe::ends(), Pipe::ends());
        let held = Arc::new(held);
        let end = |local, remote, reader, writer| Connection {
            local,
            remote,
            reader: Mutex::new(Some(reader)),
            writer: Mutex::new(Some(writer)),
            _listed: None,
            claim: OnceLock::new(),
            _held: Arc::clone(&held),
        };
        (
            end(near, far, back.0, there.1),
            end(far, near, there.0, back.1),
        )
    }

    pub(super) fn listed(self, listed: Listed) -> Connection {
        Connection {
            _listed: Some(listed),
            ..self
        }
    }

    /// Keeps the port that it was made from.
    pub(crate) fn keep(&self, claim: Claim) {
        // There is one, which nobody has put there before.
        let _ = self.claim.set(claim);
    }

    /// Reads what has arrived; 0 is the end, `EAGAIN` says that there is nothing yet.
    pub(crate) fn read(&self, buffer: &mut [u8]) -> Result<usize> {
        match &*lock(&self.reader) {
            Some(reader) => reader.try_read(buffer),
            None => Ok(0),
        }
    }

    /// Sends, and says how much was taken; `EPIPE` where nobody can receive it.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<usize> {
        match &*lock(&self.writer) {
            Some(writer) => writer.try_write(bytes),
            None => Err(Error::BrokenPipe),
        }
    }

    /// How many bytes [`Connection::write`] would take now; `EPIPE` where nobody can receive them.
    pub(crate) fn room(&self) -> Result<usize> {
        match &*lock(&self.writer) {
            Some(writer) => writer.room(),
            None => Err(Error::BrokenPipe),
        }
    }

    /// Whether a read would not answer `EAGAIN`; otherwise registers `waker`.
    pub(crate) fn poll_readable(&self, waker: &Waker) -> bool {
        let reader = lock(&self.reader);
        reader
            .as_ref()
            .is_none_or(|reader| reader.poll_readable(waker))
    }

    /// Whether a write would not answer `EAGAIN`; otherwise registers `waker`.
    pub(crate) fn poll_writable(&self, waker: &Waker) -> bool {
        let writer = lock(&self.writer);
        writer
            .as_ref()
            .is_none_or(|writer| writer.poll_writable(waker))
    }

    /// Ends one direction; the other side sees the end, or that nobody receives.
    pub(crate) fn shut(&self, direction: Direction) {
        match direction {
            Direction::Receive => drop(lock(&self.reader).take()),
            Direction::Send => drop(lock(&self.writer).take()),
        }
    }
}

/// Those who want to be connected with whoever listens.
pub(crate) struct Listener(Mutex<Queue>);

struct Queue {
    waiting: VecDeque<Arc<Connection>>,
    backlog: usize,
    accepting: Waiting,
    connecting: Waiting,
}

impl Listener {
    pub(super) fn new(backlog: usize) -> Listener {
        Listener(Mutex::new(Queue {
            waiting: VecDeque::new(),
            backlog: backlog.clamp(1, BACKLOG),
            accepting: Waiting::default(),
            connecting: Waiting::default(),
        }))
    }

    /// How many may wait from now on.
    pub(crate) fn set_backlog(&self, backlog: usize) {
        let mut queue = lock(&self.0);
        queue.backlog = backlog.clamp(1, BACKLOG);
        let connecting = queue.connecting.take();
        drop(queue);
        connecting.wake();
    }

    /// The next of those who wait.
    pub(crate) fn accept(&self) -> Option<Arc<Connection>> {
        let mut queue = lock(&self.0);
        let next = queue.waiting.pop_front()?;
        let connecting = queue.connecting.take();
        drop(queue);
        connecting.wake();
        Some(next)
    }

    /// Whether somebody waits; otherwise registers `waker`.
    pub(crate) fn poll_accept(&self, waker: &Waker) -> bool {
        let mut queue = lock(&self.0);
        let ready = !queue.waiting.is_empty();
        if !ready {
            queue.accepting.register(waker);
        }
        ready
    }

    pub(super) fn has_room(&self) -> bool {
        lock(&self.0).has_room()
    }

    pub(super) fn poll_room(&self, waker: &Waker) -> bool {
        let mut queue = lock(&self.0);
        let ready = queue.has_room();
        if !ready {
            queue.connecting.register(waker);
        }
        ready
    }

    pub(super) fn offer(&self, connection: Arc<Connection>) -> std::result::Result<(), Refusal> {
        let mut queue = lock(&self.0);
        if !queue.has_room() {
            return Err(Refusal::Full);
        }
        queue.waiting.push_back(connection);
        let accepting = queue.accepting.take();
        drop(queue);
        accepting.wake();
        Ok(())
    }
}

impl Queue {
    fn has_room(&self) -> bool {
        self.waiting.len() < self.backlog
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        // Whoever waits for room finds out that nobody listens any more.
        lock(&self.0).connecting.take().wake();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

//! A pipe between a command and what it starts.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

use super::gathered::BOUND;
use crate::os::{Errno, Result};

/// Bytes on their way from one end to the other. Both ends are in one run, so nothing waits.
#[derive(Debug)]
pub(super) struct Pipe {
    data: RefCell<VecDeque<u8>>,
    writers: Cell<usize>,
    readers: Cell<usize>,
}

impl Pipe {
    /// With one end of each kind.
    pub(super) fn new() -> Pipe {
        Pipe {
            data: RefCell::default(),
            writers: Cell::new(1),
            readers: Cell::new(1),
        }
    }

    /// Whether somebody may still write.
    pub(super) fn is_open(&self) -> bool {
        self.writers.get() > 0
    }

    /// An end is held once more.
    pub(super) fn hold(&self, writer: bool) {
        let count = self.ends(writer);
        count.set(count.get() + 1);
    }

    /// An end is closed.
    pub(super) fn close(&self, writer: bool) {
        let count = self.ends(writer);
        count.set(count.get().saturating_sub(1));
    }

    fn ends(&self, writer: bool) -> &Cell<usize> {
        if writer { &self.writers } else { &self.readers }
    }

    /// Takes what is there; 0 at the end.
    pub(super) fn read(&self, buffer: &mut [u8]) -> usize {
        let mut data = self.data.borrow_mut();
        let count = data.len().min(buffer.len());
        for (place, byte) in buffer.iter_mut().zip(data.drain(..count)) {
            *place = byte;
        }
        count
    }

    /// Puts bytes back that were read.
    pub(super) fn put_back(&self, bytes: &[u8]) {
        let mut data = self.data.borrow_mut();
        for byte in bytes.iter().rev() {
            data.push_front(*byte);
        }
    }

    /// Takes all of these bytes.
    pub(super) fn write(&self, bytes: &[u8]) -> Result<usize> {
        if self.readers.get() == 0 {
            return Err(Errno::BrokenPipe);
        }
        let mut data = self.data.borrow_mut();
        if data.len() + bytes.len() > BOUND {
            return Err(Errno::FileTooLarge);
        }
        data.extend(bytes);
        Ok(bytes.len())
    }
}

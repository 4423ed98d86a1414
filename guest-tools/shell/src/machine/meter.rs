//! What applets read and write, counted against the budgets of their execution.

use std::cell::Cell;
use std::rc::Rc;

use super::descriptor::Descriptor;
use crate::applet::Stream;
use crate::os::{Errno, Result, Stat, Whence};

/// Bytes moved that count as one instruction.
const BYTES_A_STEP: u64 = 64;

/// Counts while an applet runs; there is one at a time.
#[derive(Debug, Default)]
pub(super) struct Meter {
    /// Bytes that may still be written.
    left: Cell<u64>,
    written: Cell<u64>,
    read: Cell<u64>,
    exceeded: Cell<bool>,
}

impl Meter {
    /// Begins to count.
    pub(super) fn start(&self, left: u64) {
        self.left.set(left);
        self.written.set(0);
        self.read.set(0);
        self.exceeded.set(false);
    }

    /// Bytes that were written.
    pub(super) fn written(&self) -> u64 {
        self.written.get()
    }

    /// Whether more was to be written than is allowed.
    pub(super) fn exceeded(&self) -> bool {
        self.exceeded.get()
    }

    /// The instructions that the work was worth.
    pub(super) fn steps(&self) -> u32 {
        let bytes = self.written.get() + self.read.get();
        u32::try_from(bytes / BYTES_A_STEP).unwrap_or(u32::MAX)
    }
}

/// A descriptor as an applet sees it.
pub(super) struct Metered {
    pub(super) open: Rc<Descriptor>,
    pub(super) meter: Rc<Meter>,
}

impl Stream for Metered {
    fn read(&self, buffer: &mut [u8]) -> Result<usize> {
        let count = self.open.read(buffer)?;
        self.meter.read.set(self.meter.read.get() + count as u64);
        Ok(count)
    }

    fn write(&self, data: &[u8]) -> Result<usize> {
        let meter = &*self.meter;
        let allowed = usize::try_from(meter.left.get()).unwrap_or(usize::MAX);
        if allowed == 0 && !data.is_empty() {
            // It waits; the machine ends it.
            meter.exceeded.set(true);
            return Err(Errno::Again);
        }
        let count = self.open.write(&data[..data.len().min(allowed)])?;
        meter.left.set(meter.left.get() - count as u64);
        meter.written.set(meter.written.get() + count as u64);
        Ok(count)
    }

    fn seek(&self, offset: i64, whence: Whence) -> Result<u64> {
        self.open.seek(offset, whence)
    }

    fn stat(&self) -> Result<Stat> {
        self.open.stat()
    }

    fn put_back(&self, bytes: &[u8]) {
        self.open.put_back(bytes);
    }

    fn place(&self) -> Option<usize> {
        Some(Rc::as_ptr(&self.open).addr())
    }
}

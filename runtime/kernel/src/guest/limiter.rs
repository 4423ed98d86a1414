//! Limits on what instances take of the engine.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use wasmtime::ResourceLimiter;

use crate::limit::{MEMORIES, TABLE_ELEMENTS};
use crate::{Kernel, Limit};

/// Counts the memory of one process, against its own limit and against that of its sandbox (T27).
///
/// A request that is refused fails inside the guest, as `malloc` would. When the guest gives up
/// because of that, its end names the limit.
pub(super) struct Limiter {
    kernel: Kernel,
    held: Held,
    /// What it holds, for whoever asks about the process.
    counted: Arc<AtomicU64>,
    hit: Option<Limit>,
}

impl Limiter {
    pub(super) fn new(kernel: &Kernel) -> Limiter {
        Limiter {
            kernel: kernel.clone(),
            held: Held::new(kernel),
            counted: Arc::default(),
            hit: None,
        }
    }

    /// Where the bytes of memory are counted.
    pub(super) fn counted(&self) -> &Arc<AtomicU64> {
        &self.counted
    }

    pub(super) fn hit(&self) -> Option<Limit> {
        self.hit
    }
}

impl ResourceLimiter for Limiter {
    fn memory_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let more = desired.saturating_sub(current) as u64;
        let small = desired as u64 <= self.kernel.limited().memory;
        let fits = small && self.held.add(more);
        match fits {
            true => _ = self.counted.fetch_add(more, Ordering::Relaxed),
            false => self.hit = Some(Limit::Memory),
        }
        Ok(fits)
    }

    fn memory_grow_failed(&mut self, _error: wasmtime::Error) -> wasmtime::Result<()> {
        self.hit = Some(Limit::Memory);
        Ok(())
    }

    fn table_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> wasmtime::Result<bool> {
        let fits = desired <= TABLE_ELEMENTS;
        if !fits {
            self.hit = Some(Limit::Tables);
        }
        Ok(fits)
    }

    fn instances(&self) -> usize {
        self.kernel.limited().instances
    }

    fn tables(&self) -> usize {
        self.kernel.limited().tables
    }

    fn memories(&self) -> usize {
        MEMORIES
    }
}

/// Memory counted at the sandbox as long as this lives.
pub(crate) struct Held {
    kernel: Kernel,
    bytes: u64,
}

impl Held {
    pub(crate) fn new(kernel: &Kernel) -> Held {
        Held {
            kernel: kernel.clone(),
            bytes: 0,
        }
    }

    /// How many it counts.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Counts `more` bytes, unless the sandbox has not that many left.
    pub(crate) fn add(&mut self, more: u64) -> bool {
        let total = self.kernel.memory();
        let before = total.fetch_add(more, Ordering::Relaxed);
        let fits = before.saturating_add(more) <= self.kernel.limited().total_memory;
        if fits {
            self.bytes += more;
        } else {
            total.fetch_sub(more, Ordering::Relaxed);
        }
        fits
    }

    /// Counts `bytes` from now on, unless the sandbox has not that many left.
    pub(super) fn resize(&mut self, bytes: u64) -> bool {
        if bytes > self.bytes {
            return self.add(bytes - self.bytes);
        }
        let less = self.bytes - bytes;
        if less > 0 {
            self.kernel.memory().fetch_sub(less, Ordering::Relaxed);
            self.bytes = bytes;
        }
        true
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.kernel
            .memory()
            .fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

//! What a filesystem is given from outside: limits, time, randomness.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::Timestamp;

/// How a [`crate::Vfs`] is set up. The default has the system's clock and randomness.
#[derive(Clone)]
pub struct Options {
    /// Limits of each tree (the root tree and every writable mount).
    pub quotas: Quotas,
    /// Where times of files come from.
    pub clock: Arc<dyn Clock>,
    /// What `/dev/random` reads from.
    pub random: Arc<dyn Random>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            quotas: Quotas::default(),
            clock: Arc::new(SystemClock),
            random: Arc::new(SystemRandom::default()),
        }
    }
}

/// Limits of one tree. What would exceed one fails with `ENOSPC`, `EFBIG` or `ENAMETOOLONG` and
/// changes nothing (a write stores what fits first, as POSIX has it).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Quotas {
    /// Bytes stored; against a guest that fills the host's memory with content.
    pub bytes: u64,
    /// Inodes plus extra hard links; against a guest that fills the host's memory with empty
    /// files or names.
    pub inodes: u64,
    /// Length of one file, holes included; against arithmetic at the edge of 2^63.
    pub file_size: u64,
    /// Length of one name.
    pub name_length: usize,
    /// Length of a path as given.
    pub path_length: usize,
}

impl Default for Quotas {
    /// 1 GiB, 1,000,000 inodes, files of 1 TiB (with holes), names of 255 and paths of 4,096 bytes.
    fn default() -> Quotas {
        Quotas {
            bytes: 1 << 30,
            inodes: 1_000_000,
            file_size: 1 << 40,
            name_length: 255,
            path_length: 4096,
        }
    }
}

/// A source of the present time.
pub trait Clock: Send + Sync {
    /// The present.
    fn now(&self) -> Timestamp;
}

/// A source of random bytes.
pub trait Random: Send + Sync {
    /// Fills `bytes`.
    fn fill(&self, bytes: &mut [u8]);
}

/// The clock of the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Timestamp {
            seconds: now.as_secs() as i64,
            nanoseconds: now.subsec_nanos(),
        }
    }
}

/// A keyed hash of a counter; the key comes from the operating system.
///
/// Good enough for scripts that read `/dev/urandom`. Where cryptographic strength matters, pass a
/// generator of your own in [`Options::random`].
#[derive(Debug, Default)]
pub struct SystemRandom {
    key: RandomState,
    counter: AtomicU64,
}

impl Random for SystemRandom {
    fn fill(&self, bytes: &mut [u8]) {
        for block in bytes.chunks_mut(8) {
            let mut hasher = self.key.build_hasher();
            hasher.write_u64(self.counter.fetch_add(1, Ordering::Relaxed));
            block.copy_from_slice(&hasher.finish().to_le_bytes()[..block.len()]);
        }
    }
}

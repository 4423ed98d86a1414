//! Time and randomness of a sandbox: the system's, or fixed ones that make runs repeatable.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use offshoot_vfs::{Clock, Random, Timestamp};

/// What guests see of the system's clock is cut to this many nanoseconds: fine enough for scripts,
/// too coarse to time a cache.
const RESOLUTION: u64 = 100_000;
/// How far a reading moves a [`FixedTime`], so that a loop that waits for the clock ends.
const READING: u64 = 1_000;

/// Where a sandbox's time comes from.
pub trait Time: Send + Sync {
    /// The present since 1970.
    fn wall(&self) -> Timestamp;
    /// Nanoseconds on a clock that never goes back.
    fn monotonic(&self) -> u64;
    /// The smallest step of both, in nanoseconds.
    fn resolution(&self) -> u64;
    /// A timer of the sandbox for `instant` on the monotonic clock has run out.
    fn reached(&self, instant: u64) {
        let _ = instant;
    }
}

/// The system's clocks, in steps of 100 µs.
#[derive(Debug, Clone, Copy)]
pub struct SystemTimes {
    start: Instant,
}

impl Default for SystemTimes {
    fn default() -> SystemTimes {
        SystemTimes {
            start: Instant::now(),
        }
    }
}

impl Time for SystemTimes {
    fn wall(&self) -> Timestamp {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let nanoseconds = now.subsec_nanos();
        Timestamp {
            seconds: i64::try_from(now.as_secs()).unwrap_or(i64::MAX),
            nanoseconds: nanoseconds - nanoseconds % RESOLUTION as u32,
        }
    }

    fn monotonic(&self) -> u64 {
        let now = u64::try_from(self.start.elapsed().as_nanos()).unwrap_or(u64::MAX);
        now - now % RESOLUTION
    }

    fn resolution(&self) -> u64 {
        RESOLUTION
    }
}

/// Clocks that start where they are told and move by what the sandbox does, not by the world:
/// 1 µs with each reading, and to the end of each timer that ran out.
///
/// Two runs of one script by one task see the same times.
#[derive(Debug)]
pub struct FixedTime {
    start: Timestamp,
    elapsed: AtomicU64,
}

impl FixedTime {
    /// Clocks that start at `start`.
    pub fn new(start: Timestamp) -> FixedTime {
        FixedTime {
            start,
            elapsed: AtomicU64::new(0),
        }
    }
}

impl Time for FixedTime {
    fn wall(&self) -> Timestamp {
        let total = u64::from(self.start.nanoseconds) + self.monotonic();
        let seconds = i64::try_from(total / 1_000_000_000).unwrap_or(i64::MAX);
        Timestamp {
            seconds: self.start.seconds.saturating_add(seconds),
            nanoseconds: (total % 1_000_000_000) as u32,
        }
    }

    fn monotonic(&self) -> u64 {
        self.elapsed.fetch_add(READING, Ordering::Relaxed) + READING
    }

    fn resolution(&self) -> u64 {
        READING
    }

    fn reached(&self, instant: u64) {
        self.elapsed.fetch_max(instant, Ordering::Relaxed);
    }
}

/// Every [`Time`] as the clock of a filesystem.
pub struct WallClock(pub std::sync::Arc<dyn Time>);

impl Clock for WallClock {
    fn now(&self) -> Timestamp {
        self.0.wall()
    }
}

/// The operating system's generator, fit for keys.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemRandom;

impl Random for SystemRandom {
    fn fill(&self, bytes: &mut [u8]) {
        if getrandom::fill(bytes).is_err() {
            // Without the system's generator a keyed hash of a counter is the best that is left.
            offshoot_vfs::SystemRandom::default().fill(bytes);
        }
    }
}

/// Bytes that follow from a seed alone, for runs that can be repeated. Not fit for keys.
#[derive(Debug)]
pub struct SeededRandom {
    state: AtomicU64,
}

impl SeededRandom {
    /// The sequence of `seed`.
    pub fn new(seed: u64) -> SeededRandom {
        SeededRandom {
            state: AtomicU64::new(seed),
        }
    }

    /// The next number of SplitMix64.
    fn next(&self) -> u64 {
        const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
        let mut z = self
            .state
            .fetch_add(STEP, Ordering::Relaxed)
            .wrapping_add(STEP);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}

impl Random for SeededRandom {
    fn fill(&self, bytes: &mut [u8]) {
        for block in bytes.chunks_mut(8) {
            block.copy_from_slice(&self.next().to_le_bytes()[..block.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_time_moves_by_readings_and_timers_only() {
        let start = Timestamp {
            seconds: 100,
            nanoseconds: 999_999_000,
        };
        let time = FixedTime::new(start);
        assert_eq!(time.monotonic(), 1_000);
        assert_eq!(
            time.wall(),
            Timestamp {
                seconds: 101,
                nanoseconds: 1_000
            }
        );
        time.reached(5_000_000_000);
        assert_eq!(time.monotonic(), 5_000_001_000);
        time.reached(7);
        assert!(time.monotonic() > 5_000_000_000);
    }

    #[test]
    fn equal_seeds_give_equal_bytes_and_others_do_not() {
        let bytes = |seed| {
            let mut bytes = [0; 20];
            SeededRandom::new(seed).fill(&mut bytes);
            bytes
        };
        assert_eq!(bytes(1), bytes(1));
        assert_ne!(bytes(1), bytes(2));
    }

    #[test]
    fn system_time_is_coarse() {
        let time = SystemTimes::default();
        assert_eq!(time.monotonic() % RESOLUTION, 0);
        assert_eq!(u64::from(time.wall().nanoseconds) % RESOLUTION, 0);
    }
}

//! Where a store's time comes from.

use std::time::{SystemTime, UNIX_EPOCH};

/// A clock, in milliseconds since 1970. Passed in, so that tests decide what time it is.
pub trait Clock: Send + Sync {
    /// The present.
    fn now(&self) -> u64;
}

/// The clock of the operating system.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> u64 {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }
}

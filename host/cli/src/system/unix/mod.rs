//! Unix.

mod ending;
pub mod keys;

pub use ending::{Ending, Suspension, told_to_end};

use rustix::time::{ClockId, clock_gettime};
use std::time::Duration;

/// Processor time of this process so far; none where the system does not tell.
pub fn processor_time() -> Option<Duration> {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    Some(Duration::new(
        time.tv_sec.unsigned_abs(),
        u32::try_from(time.tv_nsec).unwrap_or(0),
    ))
}

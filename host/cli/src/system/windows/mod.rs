//! Windows.

mod ending;
pub mod keys;

pub use ending::{Ending, Suspension, told_to_end};

use std::time::Duration;

/// Processor time of this process so far; none, since reading it takes unsafe code here.
pub fn processor_time() -> Option<Duration> {
    None
}

//! What this command asks of the system, and systems do differently: signals, keys of the terminal, processor time.

#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

#[cfg(unix)]
pub use unix::{Ending, Suspension, keys, processor_time, told_to_end};
#[cfg(windows)]
pub use windows::{Ending, Suspension, keys, processor_time, told_to_end};

use std::future::Future;

impl Ending {
    /// The outcome of `work`, or the status to end with where a signal comes first, and then the work
    /// is given up.
    pub async fn or<T>(&mut self, work: impl Future<Output = T>) -> Result<T, u8> {
        tokio::select! {
            done = work => Ok(done),
            status = self.status() => Err(status),
        }
    }
}

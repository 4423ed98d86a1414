//! Says when nothing moves any more, whatever the time: a slow machine is only slow.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// How often the watchdog looks, and how often in a row it may see nothing move.
pub(crate) const LOOK: Duration = Duration::from_millis(500);
pub(crate) const STILL: u32 = 60;
/// Processor time after which what is watched counts as endless, in ticks of a hundredth of a second.
const ENDLESS: u64 = 60_000;

/// What moved, as the watchdog sees it.
#[derive(Default)]
pub(crate) struct Moved(AtomicU64);

impl Moved {
    /// Counts a step with so many bytes, perhaps none.
    pub(crate) fn add(&self, bytes: usize) {
        self.0.fetch_add(bytes as u64 + 1, Ordering::Relaxed);
    }

    pub(crate) fn count(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Ends, with what is wrong, where neither what was counted nor the processor moves.
pub(crate) async fn standstill(moved: &Moved) -> &'static str {
    let begun = processor();
    let (mut last, mut still) = ((0, begun), 0);
    loop {
        tokio::time::sleep(LOOK).await;
        let now = (moved.count(), processor());
        // Looking costs a little.
        still = match now.0 == last.0 && now.1 <= last.1 + 1 {
            true => still + 1,
            false => 0,
        };
        last = now;
        if still >= STILL {
            return "stands still";
        }
        if now.1 - begun > ENDLESS {
            return "does not end";
        }
    }
}

/// Processor time of this process, in ticks.
fn processor() -> u64 {
    ticks(&std::fs::read_to_string("/proc/self/stat").unwrap_or_default())
}

/// Processor time in what `/proc/PID/stat` says, in ticks.
pub(crate) fn ticks(stat: &str) -> u64 {
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let times = fields.split_whitespace().skip(11).take(2);
    times.filter_map(|time| time.parse::<u64>().ok()).sum()
}

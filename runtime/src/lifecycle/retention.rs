//! How much of its past a sandbox keeps.

use offshoot_store::History;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Which earlier states a sandbox keeps beside its present one; what is given is an upper bound, and the
/// collector has [one of its own](offshoot_store::Collect::history). Snapshots are kept all the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Retention {
    /// So many.
    pub states: Option<u32>,
    /// Those that are not older than so many milliseconds.
    pub age_ms: Option<u64>,
}

impl Retention {
    /// The last `count` states before the present one.
    pub fn states(count: u32) -> Retention {
        Retention {
            states: Some(count),
            age_ms: None,
        }
    }

    /// The states of this last time.
    pub fn age(age: Duration) -> Retention {
        Retention {
            states: None,
            age_ms: Some(super::hold::millis(age)),
        }
    }

    /// What the store keeps of it at most.
    pub(super) fn history(self, most: u32, now: u64) -> History {
        let mut history = History::generations(self.states.map_or(most, |states| states.min(most)));
        history.since = self.age_ms.map_or(0, |age| now.saturating_sub(age));
        history
    }
}

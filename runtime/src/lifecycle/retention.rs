//! How much of its past a sandbox keeps, and removing the rest.

use super::document::PREFIX;
use super::record::Record;
use super::service::Sandboxes;
use crate::error::Result;
use offshoot_store::{Collect, Collected, History, Named, Report};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Which earlier states a sandbox keeps beside its present one; what is given is an upper bound, and the
/// collector has [one of its own](Collect::history). Snapshots are kept all the same.
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

impl Sandboxes {
    /// Removes what nothing leads to any more, and earlier states beyond what their sandboxes
    /// [keep](super::Update::retention); see [`Store::collect`](offshoot_store::Store::collect). Then the
    /// room is given back to the file system, as far as the store can.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn collect(&self, options: Collect) -> Result<Collected> {
        self.blocking("gc", move |store| {
            let (most, now) = (options.history, store.now()?);
            let keeps = |named: Named<'_>| match named {
                Named::Ref(name, found) if !name.starts_with(PREFIX) => {
                    // What cannot be read keeps what any other does.
                    let record = Record::decode(name, &found.data);
                    let retention = record.map(|record| record.retention).unwrap_or_default();
                    retention.history(most, now)
                }
                Named::Ref(..) => History::generations(most),
                // A snapshot is one state, and what a branch was made from as well.
                Named::Pin(_) => History::generations(0),
            };
            let collected = store.collect_with(&options, &keeps)?;
            store.shrink()?;
            Ok(collected)
        })
        .await
    }

    /// Verifies everything; see [`Store::check`](offshoot_store::Store::check).
    ///
    /// # Errors
    /// Those of the store.
    pub async fn check(&self, quarantine: bool) -> Result<Report> {
        self.blocking("fsck", move |store| store.check(quarantine))
            .await
    }

    /// Brings back what a check put aside and is what was stored all the same; how many objects.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn release_quarantined(&self) -> Result<u64> {
        self.blocking("fsck", |store| store.release()).await
    }
}

//! What changes in the files of a sandbox: `Watcher` of `lib/index.cjs`. It tells what happened since it was made,
//! each time from where the last answer ended; two calls at once share the events between them.

use crate::error::thrown;
use crate::sandbox::ChangeEntry;
use napi_derive::napi;
use offshoot::{FileEvent, FileEventKind, Watcher};
use tokio::sync::Mutex;

/// Looks at what changes below a directory.
#[napi]
pub struct NativeWatcher(Mutex<Watcher>);

impl NativeWatcher {
    pub(crate) fn new(watcher: Watcher) -> NativeWatcher {
        NativeWatcher(Mutex::new(watcher))
    }
}

/// An event under its name. Kinds that a later library adds are told as `written`.
fn told(event: FileEvent) -> ChangeEntry {
    let kind = match event.kind {
        FileEventKind::Added => "added",
        FileEventKind::Attributes => "attributes",
        FileEventKind::Moved => "moved",
        FileEventKind::Removed => "removed",
        _ => "written",
    };
    ChangeEntry {
        kind: kind.to_owned(),
        path: event.path,
    }
}

#[napi]
impl NativeWatcher {
    /// Waits until something happened; at least one event, in the order of paths. What came and went in between is
    /// not seen.
    #[napi]
    pub async fn next(&self) -> napi::Result<Vec<ChangeEntry>> {
        let events = self.0.lock().await.next().await.map_err(thrown)?;
        Ok(events.into_iter().map(told).collect())
    }

    /// What happened since the last look; empty where nothing did.
    #[napi]
    pub async fn look(&self) -> napi::Result<Vec<ChangeEntry>> {
        let events = self.0.lock().await.look().map_err(thrown)?;
        Ok(events.into_iter().map(told).collect())
    }
}

//! What changes in the files of a sandbox.

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
    /// Waits until something happened.
    #[napi]
    pub async fn next(&self) -> napi::Result<Vec<ChangeEntry>> {
        let events = self.0.lock().await.next().await.map_err(thrown)?;
        Ok(events.into_iter().map(told).collect())
    }

    /// What happened since the last look.
    #[napi]
    pub async fn look(&self) -> napi::Result<Vec<ChangeEntry>> {
        let events = self.0.lock().await.look().map_err(thrown)?;
        Ok(events.into_iter().map(told).collect())
    }
}

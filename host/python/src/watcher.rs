//! What changes in the files of a sandbox, told since the last look and in the order of paths.

use crate::error::raised;
use crate::future::finish;
use offshoot::{FileEvent, FileEventKind};
use pyo3::prelude::*;
use std::sync::Arc;
use tokio::sync::Mutex;

/// Looks at what changes below a directory.
#[pyclass(frozen, module = "offshoot._native")]
pub(crate) struct Watcher(Arc<Mutex<offshoot::Watcher>>);

impl Watcher {
    pub(crate) fn new(watcher: offshoot::Watcher) -> Watcher {
        Watcher(Arc::new(Mutex::new(watcher)))
    }
}

/// What happened, and to which path. Kinds that a later library adds are told as `written`.
fn told(events: Vec<FileEvent>) -> Vec<(&'static str, String)> {
    let kind = |kind| match kind {
        FileEventKind::Added => "added",
        FileEventKind::Attributes => "attributes",
        FileEventKind::Moved => "moved",
        FileEventKind::Removed => "removed",
        _ => "written",
    };
    let events = events.into_iter();
    events.map(|event| (kind(event.kind), event.path)).collect()
}

#[pymethods]
impl Watcher {
    /// Waits until something happened; at least one event.
    fn next<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let watcher = Arc::clone(&self.0);
        finish(py, wait, async move {
            watcher.lock().await.next().await.map(told).map_err(raised)
        })
    }

    /// What happened since the last look; nothing where nothing did.
    fn look<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let watcher = Arc::clone(&self.0);
        finish(py, wait, async move {
            watcher.lock().await.look().map(told).map_err(raised)
        })
    }
}

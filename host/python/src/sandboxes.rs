//! Sandboxes that are kept by name in a store.
//!
//! A *point* is a sandbox (`NAME`), a snapshot of one (`NAME@LABEL`) or an earlier state (`NAME~2`). A commit crosses
//! as the text of its id. All methods raise what the store reports; a sandbox that another process has awake is
//! `CONFLICT`, which may be tried again.

use crate::error::{raised, unopened};
use crate::future::finish;
use crate::result::ExecResult;
use crate::sandbox::{Sandbox, changes};
use crate::settings::{Run, Settings};
use offshoot::lifecycle::{CreateOptions, Info, Key, Origin, Promotion, Sandboxes as Kept, Store};
use pyo3::prelude::*;
use std::path::PathBuf;

/// A store with its sandboxes.
#[pyclass(frozen, module = "offshoot._native")]
pub(crate) struct Sandboxes(Kept);

/// Facts about a sandbox: name, state, bytes, files, parent, milliseconds of its making.
type Facts = (String, String, u64, u64, Option<String>, u64);

fn facts(info: Info) -> Facts {
    let parent = info.parent.map(|parent| parent.name);
    let state = info.state.name().to_owned();
    (
        info.name,
        state,
        info.bytes,
        info.files,
        parent,
        info.created,
    )
}

/// What a sandbox is made from: text names a published version, a dictionary has settings. The variants are tried in
/// this order.
#[derive(FromPyObject)]
enum Source<'py> {
    /// A version of a template: `NAME`, `NAME@3` or `NAME@ALIAS`.
    Published(String),
    /// Settings of a sandbox that begins empty.
    Settings(Settings<'py>),
}

impl Source<'_> {
    fn origin(self) -> PyResult<Origin> {
        Ok(match self {
            Source::Published(version) => Origin::published(version),
            Source::Settings(settings) => Origin::template(settings.builder()?),
        })
    }
}

#[pymethods]
impl Sandboxes {
    /// Opens the store in a folder of the host, which several processes may use at once, or one in memory without a
    /// folder. With a secret, from which the key is derived, it is encrypted; a store in memory takes none.
    #[new]
    fn open(directory: Option<PathBuf>, secret: Option<Vec<u8>>) -> PyResult<Sandboxes> {
        let store = match (directory, secret) {
            (None, None) => Ok(Store::memory()),
            (None, Some(_)) => return Err(crate::error::wrong("a store in memory takes no key")),
            (Some(directory), None) => Store::sqlite(directory),
            (Some(directory), Some(secret)) => {
                Store::sqlite_encrypted(directory, &Key::derive(&secret))
            }
        };
        let store = store.map_err(|error| unopened(&error))?;
        Ok(Sandboxes(Kept::open(store)))
    }

    /// Makes a sandbox. A name has letters, digits, `.`, `_` and `-`, 128 bytes at most; ten tags at most.
    fn create<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        name: String,
        origin: Source<'_>,
        title: Option<String>,
        tags: Vec<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (kept, origin) = (self.0.clone(), origin.origin()?);
        let mut options = CreateOptions::new();
        if let Some(title) = title {
            options = options.title(title);
        }
        let options = tags.into_iter().fold(options, CreateOptions::tag);
        finish(py, wait, async move {
            kept.create_with(&name, origin, options)
                .await
                .map(facts)
                .map_err(raised)
        })
    }

    /// A branch of a point under a new name. With `@` or `~` it is a stored state; otherwise the sandbox as it is.
    fn fork<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        point: String,
        name: String,
    ) -> PyResult<Bound<'py, PyAny>> {
        let kept = self.0.clone();
        finish(py, wait, async move {
            let origin = match point.contains(['@', '~']) {
                true => Origin::point(point),
                false => Origin::sandbox(point),
            };
            kept.create(&name, origin).await.map(facts).map_err(raised)
        })
    }

    /// Wakes a sandbox and keeps it awake until its `close`.
    fn open_sandbox<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        name: String,
    ) -> PyResult<Bound<'py, PyAny>> {
        let kept = self.0.clone();
        finish(py, wait, async move {
            kept.lease(&name).await.map(Sandbox::leased).map_err(raised)
        })
    }

    /// Runs a script in a sandbox, which is woken for it and stays awake until it is suspended.
    fn exec<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        name: String,
        run: Run,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (kept, exec) = (self.0.clone(), run.exec()?);
        finish(py, wait, async move {
            kept.exec(&name, exec)
                .await
                .map(ExecResult::from)
                .map_err(raised)
        })
    }

    fn info<'py>(&self, py: Python<'py>, wait: bool, name: String) -> PyResult<Bound<'py, PyAny>> {
        let kept = self.0.clone();
        finish(py, wait, async move {
            kept.get(&name).await.map(facts).map_err(raised)
        })
    }

    /// All sandboxes in the order of names, read page by page.
    fn list<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let kept = self.0.clone();
        finish(py, wait, async move {
            let mut all = Vec::new();
            let mut options = offshoot::lifecycle::ListOptions::new();
            loop {
                let page = kept.list_page(options).await.map_err(raised)?;
                all.extend(page.sandboxes.into_iter().map(facts));
                match page.next {
                    None => return Ok(all),
                    Some(next) => options = offshoot::lifecycle::ListOptions::new().after(next),
                }
            }
        })
    }

    /// Keeps the present state as a new version of a template; its number.
    fn publish<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        name: String,
        template: String,
    ) -> PyResult<Bound<'py, PyAny>> {
        let kept = self.0.clone();
        finish(py, wait, async move {
            let version = kept.templates().publish(&name, &template).await;
            version.map(|version| version.version).map_err(raised)
        })
    }

    fn templates<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let kept = self.0.clone();
        finish(py, wait, async move {
            kept.templates().list().await.map_err(raised)
        })
    }

    /// Puts it to sleep, durably; the id of the commit. `CONFLICT` while it is held open.
    fn suspend<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        name: String,
    ) -> PyResult<Bound<'py, PyAny>> {
        let kept = self.0.clone();
        finish(py, wait, async move {
            kept.suspend(&name)
                .await
                .map(|commit| commit.to_string())
                .map_err(raised)
        })
    }

    /// Deletes a sandbox with its snapshots. What is not there is no error; branches of it are not affected.
    fn delete<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        name: String,
    ) -> PyResult<Bound<'py, PyAny>> {
        let kept = self.0.clone();
        finish(
            py,
            wait,
            async move { kept.delete(&name).await.map_err(raised) },
        )
    }

    /// What differs between two points, as a reader of `after` finds it.
    fn diff<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        before: String,
        after: String,
    ) -> PyResult<Bound<'py, PyAny>> {
        let kept = self.0.clone();
        finish(py, wait, async move {
            kept.diff(&before, &after)
                .await
                .map(changes)
                .map_err(raised)
        })
    }

    /// What was brought home, and what both sides had changed; one of the two is empty.
    fn promote<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        branch: String,
    ) -> PyResult<Bound<'py, PyAny>> {
        let kept = self.0.clone();
        finish(py, wait, async move {
            Ok(match kept.promote(&branch).await.map_err(raised)? {
                Promotion::Conflicts(conflicts) => {
                    let paths = conflicts.into_iter();
                    let path = |path: &[u8]| String::from_utf8_lossy(path).into_owned();
                    (
                        Vec::new(),
                        paths
                            .map(|conflict| path(&conflict.path))
                            .collect::<Vec<_>>(),
                    )
                }
                Promotion::Done(done) => (changes(done), Vec::new()),
                _ => (Vec::new(), Vec::new()),
            })
        })
    }

    /// Keeps the present state under a label; one of the same label is replaced.
    fn snapshot<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        name: String,
        label: String,
    ) -> PyResult<Bound<'py, PyAny>> {
        let kept = self.0.clone();
        finish(py, wait, async move {
            kept.snapshots(&name)
                .take(&label)
                .await
                .map(drop)
                .map_err(raised)
        })
    }

    /// Sets a sandbox back to a point; the id of its commit. What it was before is `NAME~1` afterwards.
    fn restore<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        name: String,
        point: String,
    ) -> PyResult<Bound<'py, PyAny>> {
        let kept = self.0.clone();
        finish(py, wait, async move {
            kept.snapshots(&name)
                .restore(&point)
                .await
                .map(|commit| commit.to_string())
                .map_err(raised)
        })
    }

    /// At most `limit` states, the last one first, as tuples: commit, milliseconds since 1970, bytes, files, label or
    /// nothing.
    fn log<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        name: String,
        limit: usize,
    ) -> PyResult<Bound<'py, PyAny>> {
        let kept = self.0.clone();
        finish(py, wait, async move {
            let entries = kept.snapshots(&name).log(limit).await.map_err(raised)?;
            let entries = entries.into_iter();
            let row = |entry: offshoot::lifecycle::LogEntry| {
                (
                    entry.commit.to_string(),
                    entry.created,
                    entry.bytes,
                    entry.files,
                    entry.label,
                )
            };
            Ok(entries.map(row).collect::<Vec<_>>())
        })
    }

    /// Does what is overdue for any sandbox of the store: puts to sleep what is idle or was released by its last
    /// holder, deletes what has outlived its time, and removes what crashes left behind.
    fn sweep<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let kept = self.0.clone();
        finish(py, wait, async move {
            kept.maintenance().sweep().await.map(drop).map_err(raised)
        })
    }
}

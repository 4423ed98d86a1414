//! Other backends by name, and sandboxes on them.
//!
//! What has a schema of its own crosses as JSON text: a choice of a backend, a wish for a sandbox, capabilities and
//! snapshots. `offshoot_binding` reads and writes these texts for the npm package as well, so both packages accept
//! the same keys. `python/offshoot` makes dictionaries and classes of them.
//!
//! All methods raise `CAPABILITY` (as `offshoot.errors` maps it) for what the backend does not offer.

use crate::error::raised;
use crate::executor::executor;
use crate::future::{Blob, finish};
use crate::result::ExecResult;
use crate::sandbox::{Facts, facts, hand, last};
use crate::settings::{Content, Run};
use offshoot::backend::Snapshot;
use offshoot::{Exec, RemoveOptions, ShellResult};
use offshoot_binding::{Choice, Wish, capabilities_text, snapshot_from, snapshot_text};
use pyo3::prelude::*;
use std::sync::Arc;
use std::time::Instant;

/// A backend that makes sandboxes, as often as it is asked.
#[pyclass(frozen, module = "offshoot._native")]
pub(crate) struct Backend(Arc<offshoot_binding::Backend>);

fn read_snapshot(text: &str) -> PyResult<Snapshot> {
    snapshot_from(text).map_err(raised)
}

#[pymethods]
impl Backend {
    /// Opens what a choice names: `{"name": "docker", "settings": {"image": "debian:12"}}`, with `variables` and
    /// `manifest` beside it. A name that ends with `.wasm` is a connector's component, which is compiled here: that
    /// takes seconds, with the interpreter released. No service and no engine is asked before `create`.
    #[new]
    fn open(py: Python<'_>, choice: &str) -> PyResult<Backend> {
        let choice = Choice::from_json(choice).map_err(raised)?;
        let executor = executor()?;
        let opened = py.detach(|| executor.block_on(offshoot_binding::Backend::open(choice)));
        opened
            .map(|opened| Backend(Arc::new(opened)))
            .map_err(raised)
    }

    /// The names of all backends of this build, sorted, embedded connectors included.
    #[staticmethod]
    fn names() -> PyResult<Vec<String>> {
        offshoot_binding::names().map_err(raised)
    }

    /// The backend's name; of a component, the name of its file.
    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    /// What its sandboxes can do, as JSON.
    fn capabilities(&self) -> PyResult<String> {
        capabilities_text(&self.0.capabilities()).map_err(raised)
    }

    /// Makes a sandbox; `wish` is JSON with its options and, under `snapshot`, what it begins as. What the backend
    /// cannot honour is refused before anything is made.
    fn create<'py>(&self, py: Python<'py>, wait: bool, wish: &str) -> PyResult<Bound<'py, PyAny>> {
        let (backend, wish) = (Arc::clone(&self.0), Wish::from_json(wish).map_err(raised)?);
        finish(py, wait, async move {
            let made = backend.create(wish).await;
            made.map(BackendSandbox::new).map_err(raised)
        })
    }

    /// Reaches a sandbox that lives, by what its `reference` gave, here or in another process.
    fn reconnect<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        reference: String,
        wish: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (backend, wish) = (Arc::clone(&self.0), Wish::from_json(wish).map_err(raised)?);
        finish(py, wait, async move {
            let reached = backend.reconnect(&reference, wish).await;
            reached.map(BackendSandbox::new).map_err(raised)
        })
    }
}

/// A sandbox of some backend. Relative paths begin at its working directory.
#[pyclass(frozen, module = "offshoot._native")]
pub(crate) struct BackendSandbox(Arc<offshoot_binding::Sandbox>);

impl BackendSandbox {
    fn new(sandbox: offshoot_binding::Sandbox) -> BackendSandbox {
        BackendSandbox(Arc::new(sandbox))
    }
}

/// An output of a process, chosen by value so that one function serves both.
#[derive(Clone, Copy)]
enum Output {
    Standard,
    Error,
}

/// All that a process writes to one output, each piece handed on as it comes. The next piece is read when the
/// function of Python has returned, so a slow one slows the script down; its exception ends the reading, and with it
/// the execution.
async fn pass(
    process: &offshoot_binding::Process,
    output: Output,
    to: Option<Py<PyAny>>,
) -> PyResult<Vec<u8>> {
    let to = to.map(Arc::new);
    let mut all = Vec::new();
    loop {
        let piece = match output {
            Output::Standard => process.read_stdout().await,
            Output::Error => process.read_stderr().await,
        };
        let Some(piece) = piece else {
            return Ok(all);
        };
        all.extend_from_slice(&piece);
        hand(to.clone(), piece).await?;
    }
}

/// Runs a script, handing its output on as it comes.
///
/// Without functions this is the backend's own `exec`. With one it is a process with empty input whose outputs are
/// both read at once, since a script that waits for one of them to be read would not go on. Whether the time-out
/// ended it is inferred from the status and the time that passed: a script that exits with 124 by itself after its
/// time-out's length looks the same.
async fn streamed(
    sandbox: &offshoot_binding::Sandbox,
    exec: Exec,
    on_stdout: Option<Py<PyAny>>,
    on_stderr: Option<Py<PyAny>>,
) -> PyResult<ExecResult> {
    if on_stdout.is_none() && on_stderr.is_none() {
        let result = sandbox.exec(exec).await;
        return result.map(ExecResult::from).map_err(raised);
    }
    let started = Instant::now();
    let mut result = ShellResult::new(exec.text(), 0);
    let limit = exec.timeout;
    let process = sandbox.start_process(exec).await.map_err(raised)?;
    let (stdout, stderr) = tokio::try_join!(
        pass(&process, Output::Standard, on_stdout),
        pass(&process, Output::Error, on_stderr)
    )?;
    result.exit_code = process.wait().await.map_err(raised)?;
    (result.stdout, result.stderr) = (stdout, stderr);
    let took = started.elapsed();
    result.duration_ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
    result.timed_out = result.exit_code == 124 && limit.is_some_and(|limit| took >= limit);
    Ok(result.into())
}

#[pymethods]
impl BackendSandbox {
    #[getter]
    fn backend(&self) -> &str {
        self.0.backend()
    }

    #[getter]
    fn cwd(&self) -> &str {
        self.0.cwd()
    }

    /// What it can do, as JSON.
    fn capabilities(&self) -> PyResult<String> {
        capabilities_text(&self.0.capabilities()).map_err(raised)
    }

    /// Runs a script to its end; `on_stdout` and `on_stderr` are called with pieces of bytes as they come.
    fn exec<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        run: Run,
        on_stdout: Option<Py<PyAny>>,
        on_stderr: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (sandbox, exec) = (Arc::clone(&self.0), run.exec()?);
        finish(py, wait, async move {
            streamed(&sandbox, exec, on_stdout, on_stderr).await
        })
    }

    /// Starts a script. Its input is open where `run` has none and the backend has inputs.
    fn spawn<'py>(&self, py: Python<'py>, wait: bool, run: Run) -> PyResult<Bound<'py, PyAny>> {
        let (sandbox, exec) = (Arc::clone(&self.0), run.exec()?);
        finish(py, wait, async move {
            let process = sandbox.spawn(exec).await.map_err(raised)?;
            Ok(BackendProcess(Arc::new(process)))
        })
    }

    /// The whole content of a file, as bytes.
    fn read<'py>(&self, py: Python<'py>, wait: bool, path: String) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = Arc::clone(&self.0);
        finish(py, wait, async move {
            sandbox.read(&path).await.map(Blob::from).map_err(raised)
        })
    }

    /// Writes a file in one step, making its parents.
    fn write<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        path: String,
        content: Content,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = Arc::clone(&self.0);
        finish(py, wait, async move {
            sandbox.write(&path, &content.0).await.map_err(raised)
        })
    }

    /// What is in a directory, as a list of facts in the order of names.
    fn list<'py>(&self, py: Python<'py>, wait: bool, path: String) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = Arc::clone(&self.0);
        finish(py, wait, async move {
            let listed = sandbox.list(&path).await.map_err(raised)?;
            let told = listed.into_iter().map(|(name, stat)| facts(name, &stat));
            Ok(told.collect::<Vec<Facts>>())
        })
    }

    /// Facts about what a path leads to, links followed; the name is the path's last one.
    fn info<'py>(&self, py: Python<'py>, wait: bool, path: String) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = Arc::clone(&self.0);
        finish(py, wait, async move {
            let stat = sandbox.info(&path).await.map_err(raised)?;
            Ok(facts(last(&path).to_owned(), &stat))
        })
    }

    fn exists<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        path: String,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = Arc::clone(&self.0);
        finish(py, wait, async move {
            sandbox.exists(&path).await.map_err(raised)
        })
    }

    /// Makes a directory; with `parents` the missing ones above it, as `mkdir -p` does.
    fn make_dir<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        path: String,
        parents: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = Arc::clone(&self.0);
        finish(py, wait, async move {
            sandbox.make_dir(&path, parents).await.map_err(raised)
        })
    }

    /// Removes a file, or with `recursive` a tree; with `force`, what is not there is no error.
    fn remove<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        path: String,
        recursive: bool,
        force: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = Arc::clone(&self.0);
        let options = RemoveOptions { recursive, force };
        finish(py, wait, async move {
            sandbox.remove(&path, options).await.map_err(raised)
        })
    }

    /// Renames in one step, over what is at the target.
    fn rename<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        source: String,
        target: String,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = Arc::clone(&self.0);
        finish(py, wait, async move {
            sandbox.rename(&source, &target).await.map_err(raised)
        })
    }

    /// Captures the sandbox; the snapshot as JSON, which means something to this backend alone.
    fn snapshot<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        label: Option<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = Arc::clone(&self.0);
        finish(py, wait, async move {
            let taken = sandbox.snapshot(label.as_deref()).await.map_err(raised)?;
            snapshot_text(&taken).map_err(raised)
        })
    }

    /// Sets it back to a snapshot of it. What is no snapshot's JSON is refused at once, not when it is awaited.
    fn restore<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        snapshot: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (sandbox, snapshot) = (Arc::clone(&self.0), read_snapshot(snapshot)?);
        finish(py, wait, async move {
            sandbox.restore(&snapshot).await.map_err(raised)
        })
    }

    /// Deletes a snapshot from its backend.
    fn delete_snapshot<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        snapshot: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (sandbox, snapshot) = (Arc::clone(&self.0), read_snapshot(snapshot)?);
        finish(py, wait, async move {
            sandbox.delete_snapshot(&snapshot).await.map_err(raised)
        })
    }

    /// A branch with the present state, which goes its own way from there.
    fn fork<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        label: Option<String>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = Arc::clone(&self.0);
        finish(py, wait, async move {
            let branch = sandbox.fork(label.as_deref()).await;
            branch.map(BackendSandbox::new).map_err(raised)
        })
    }

    fn suspend<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = Arc::clone(&self.0);
        finish(
            py,
            wait,
            async move { sandbox.suspend().await.map_err(raised) },
        )
    }

    fn resume<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = Arc::clone(&self.0);
        finish(
            py,
            wait,
            async move { sandbox.resume().await.map_err(raised) },
        )
    }

    /// Where in its life it is, in one word that is the same for all backends.
    fn state<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = Arc::clone(&self.0);
        finish(
            py,
            wait,
            async move { sandbox.state().await.map_err(raised) },
        )
    }

    /// How another holder reaches it, as text for `reconnect`.
    fn reference<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = Arc::clone(&self.0);
        finish(py, wait, async move {
            sandbox.reference().await.map_err(raised)
        })
    }

    /// Ends it; one that was reached by a reference is only let go.
    fn destroy<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let sandbox = Arc::clone(&self.0);
        finish(
            py,
            wait,
            async move { sandbox.destroy().await.map_err(raised) },
        )
    }
}

/// A script that runs in a sandbox of some backend. Both outputs are to be read while it runs.
#[pyclass(frozen, module = "offshoot._native")]
pub(crate) struct BackendProcess(Arc<offshoot_binding::Process>);

#[pymethods]
impl BackendProcess {
    /// The next piece of standard output, or nothing at its end.
    fn read_stdout<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let process = Arc::clone(&self.0);
        finish(py, wait, async move {
            Ok(process.read_stdout().await.map(Blob))
        })
    }

    /// The next piece of standard error, or nothing at its end.
    fn read_stderr<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let process = Arc::clone(&self.0);
        finish(py, wait, async move {
            Ok(process.read_stderr().await.map(Blob))
        })
    }

    /// Writes to standard input; waits while the script does not read.
    fn write<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        data: Content,
    ) -> PyResult<Bound<'py, PyAny>> {
        let process = Arc::clone(&self.0);
        finish(py, wait, async move {
            process.write(&data.0).await.map_err(raised)
        })
    }

    /// Ends standard input.
    fn close_stdin<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let process = Arc::clone(&self.0);
        finish(py, wait, async move {
            process.close_stdin().await;
            Ok(())
        })
    }

    /// Sends a signal by its POSIX number: 2, 9 or 15; others raise `CAPABILITY`. One that has ended hears nothing.
    fn signal<'py>(&self, py: Python<'py>, wait: bool, number: u8) -> PyResult<Bound<'py, PyAny>> {
        let process = Arc::clone(&self.0);
        finish(py, wait, async move {
            process.signal(number).await.map_err(raised)
        })
    }

    /// Waits for the end; the status.
    fn wait<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let process = Arc::clone(&self.0);
        finish(
            py,
            wait,
            async move { process.wait().await.map_err(raised) },
        )
    }
}

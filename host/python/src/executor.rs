//! The threads that futures run on, from the import of the package to the end of the interpreter.
//!
//! A thread that touches Python while the interpreter is being finalized is torn down in the middle
//! of Rust's frames, which ends the process. So the executor ends first: `atexit` runs before the
//! interpreter is finalized, and waits, detached, for what is being handed over.

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;
use tokio::runtime::{Builder, Handle, Runtime};

/// How long the end of the interpreter waits for functions of Python that run as commands; one that takes longer is
/// left.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is left of the runtime for those who use it: `RUNTIME` alone can end it.
struct Executor {
    handle: Handle,
    /// The process that has its threads; one that was forked from it has none.
    process: u32,
}

static EXECUTOR: OnceLock<Executor> = OnceLock::new();
/// The runtime itself; none before the start, and none once the interpreter is ending.
static RUNTIME: Mutex<Option<Runtime>> = Mutex::new(None);

/// Starts the executor, and has it end before the interpreter does. For the import of the package.
pub(crate) fn start(py: Python<'_>) -> PyResult<()> {
    if EXECUTOR.get().is_some() {
        return Ok(());
    }
    let runtime = Builder::new_multi_thread().enable_all().build()?;
    let executor = Executor {
        handle: runtime.handle().clone(),
        process: std::process::id(),
    };
    *RUNTIME.lock().unwrap_or_else(PoisonError::into_inner) = Some(runtime);
    // Whoever is second finds the first one's.
    let _ = EXECUTOR.set(executor);
    let end = pyo3::wrap_pyfunction!(end, py)?;
    py.import("atexit")?.call_method1("register", (end,))?;
    Ok(())
}

/// Ends the executor with all that runs on it. A process that was forked from this one leaves it alone: its threads
/// are not there, and waiting for them would never end.
#[pyfunction]
fn end(py: Python<'_>) {
    let runtime = RUNTIME
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    if let Some(runtime) = runtime
        && EXECUTOR
            .get()
            .is_some_and(|executor| executor.process == std::process::id())
    {
        py.detach(|| runtime.shutdown_timeout(PATIENCE));
    }
}

/// The executor, or an exception where this process has none: it was forked, or it ends.
pub(crate) fn executor() -> PyResult<&'static Handle> {
    let executor = EXECUTOR
        .get()
        .ok_or_else(|| PyRuntimeError::new_err("the package was not imported"))?;
    if executor.process != std::process::id() {
        return Err(PyRuntimeError::new_err(
            "offshoot was imported before this process was forked, and its threads stayed there: \
             start processes with multiprocessing's `spawn`",
        ));
    }
    let ended = RUNTIME
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .is_none();
    match ended {
        true => Err(PyRuntimeError::new_err("the interpreter is ending")),
        false => Ok(&executor.handle),
    }
}

//! From a Rust future to a Python value: waited for, or as an awaitable.
//!
//! [`finish`] is the only way from a method to the executor. Waiting runs the future on the calling thread with the
//! interpreter released. An awaitable is a future of the running asyncio loop, settled by `call_soon_threadsafe`, so
//! the result is made while the interpreter is held and never on a worker of the executor. Cancelling it aborts the
//! task: the Rust future is dropped at its next wait.

use crate::executor::executor;
use bytes::Bytes;
use futures::FutureExt as _;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyBytes;
use pyo3::{BoundObject as _, IntoPyObject};
use std::convert::Infallible;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::time::Duration;
use tokio::task::AbortHandle;

/// How often a waiting call looks whether the user has pressed Ctrl-C, which raises `KeyboardInterrupt` and drops the
/// future.
const LOOK: Duration = Duration::from_millis(50);

/// Bytes that become Python's where they are handed over, not on a thread of the executor.
pub(crate) struct Blob(pub(crate) Bytes);

impl From<Vec<u8>> for Blob {
    fn from(bytes: Vec<u8>) -> Blob {
        Blob(bytes.into())
    }
}

impl<'py> IntoPyObject<'py> for Blob {
    type Target = PyBytes;
    type Output = Bound<'py, PyBytes>;
    type Error = Infallible;

    fn into_pyobject(self, py: Python<'py>) -> Result<Self::Output, Infallible> {
        Ok(PyBytes::new(py, &self.0))
    }
}

/// Runs `future`: to its end where `wait` is set, with the interpreter released and Ctrl-C heard;
/// otherwise as an awaitable, which stops it when its task is cancelled.
pub(crate) fn finish<'py, T>(
    py: Python<'py>,
    wait: bool,
    future: impl Future<Output = PyResult<T>> + Send + 'static,
) -> PyResult<Bound<'py, PyAny>>
where
    T: for<'a> IntoPyObject<'a> + Send + 'static,
{
    if !wait {
        return awaitable(py, future);
    }
    let executor = executor()?;
    let value = py.detach(|| executor.block_on(interruptible(future)))?;
    object(py, value)
}

/// A Rust value as an object of Python.
fn object<'py, T: IntoPyObject<'py>>(py: Python<'py>, value: T) -> PyResult<Bound<'py, PyAny>> {
    let value = value.into_pyobject(py).map_err(Into::into)?;
    Ok(value.into_any().into_bound())
}

/// The future with a look for signals every [`LOOK`]. Only the main thread of Python hears any; others just wait.
async fn interruptible<T>(future: impl Future<Output = PyResult<T>>) -> PyResult<T> {
    let mut future = std::pin::pin!(future);
    loop {
        match tokio::time::timeout(LOOK, future.as_mut()).await {
            Ok(value) => return value,
            Err(_) => Python::attach(|py| py.check_signals())?,
        }
    }
}

/// A future of the loop that runs now, which is done when `future` is. Without a running loop asyncio's
/// `RuntimeError` is raised. A panic of the library becomes a `RuntimeError` instead of a future that is never done.
fn awaitable<'py, T>(
    py: Python<'py>,
    future: impl Future<Output = PyResult<T>> + Send + 'static,
) -> PyResult<Bound<'py, PyAny>>
where
    T: for<'a> IntoPyObject<'a> + Send + 'static,
{
    let executor = executor()?;
    let event_loop = running_loop(py)?;
    let promise = event_loop.call_method0(pyo3::intern!(py, "create_future"))?;
    let (event_loop, kept) = (event_loop.unbind(), promise.clone().unbind());
    let task = executor.spawn(async move {
        let value = AssertUnwindSafe(future).catch_unwind().await;
        let value = value.unwrap_or_else(|_| Err(PyRuntimeError::new_err("the library panicked")));
        // Other tasks need this thread while the interpreter is taken.
        let handed = tokio::task::spawn_blocking(move || {
            Python::attach(|py| hand_over(py, &event_loop, kept, value))
        });
        // A closed loop wants no results.
        let _ = handed.await;
    });
    promise.call_method1(
        pyo3::intern!(py, "add_done_callback"),
        (Stop(task.abort_handle()),),
    )?;
    Ok(promise)
}

/// The loop of this thread; the function is looked up once a process.
fn running_loop(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    static FUNCTION: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    FUNCTION.import(py, "asyncio", "get_running_loop")?.call0()
}

/// Has the loop settle its future, from whichever thread this is.
fn hand_over<T>(
    py: Python<'_>,
    event_loop: &Py<PyAny>,
    promise: Py<PyAny>,
    value: PyResult<T>,
) -> PyResult<()>
where
    T: for<'a> IntoPyObject<'a>,
{
    static SETTLE: PyOnceLock<Py<PyAny>> = PyOnceLock::new();
    let settle = SETTLE.get_or_try_init(py, || {
        pyo3::wrap_pyfunction!(settle, py).map(|function| function.into_any().unbind())
    })?;
    let (name, value) = match value.and_then(|value| object(py, value)) {
        Ok(value) => ("set_result", value),
        Err(error) => ("set_exception", object(py, error)?),
    };
    let call = (settle, promise, name, value);
    event_loop.call_method1(py, pyo3::intern!(py, "call_soon_threadsafe"), call)?;
    Ok(())
}

/// Settles a future of asyncio, unless it was cancelled since.
#[pyfunction]
fn settle(promise: &Bound<'_, PyAny>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    if !promise.call_method0("done")?.is_truthy()? {
        promise.call_method1(name, (value,))?;
    }
    Ok(())
}

/// A done-callback: what stops the task whose future was cancelled. One that has come to its end is left alone.
#[pyclass(frozen)]
struct Stop(AbortHandle);

#[pymethods]
impl Stop {
    fn __call__(&self, promise: &Bound<'_, PyAny>) -> PyResult<()> {
        if promise.call_method0("cancelled")?.is_truthy()? {
            self.0.abort();
        }
        Ok(())
    }
}

/// Runs something that spawns tasks, on a thread that is not the executor's own, so that it finds the executor.
pub(crate) fn entered<T>(run: impl FnOnce() -> T) -> PyResult<T> {
    let _guard = executor()?.enter();
    Ok(run())
}

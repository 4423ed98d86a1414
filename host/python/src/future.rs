//! From a Rust future to a Python value: waited for, or as an awaitable.

use pyo3::BoundObject as _;
use pyo3::prelude::*;
use pyo3_async_runtimes::tokio::{future_into_py, get_runtime};
use std::future::Future;
use std::time::Duration;

/// How often a waiting call looks whether the user has pressed Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

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
        return future_into_py(py, future);
    }
    let value = py.detach(|| get_runtime().block_on(interruptible(future)))?;
    Ok(value
        .into_pyobject(py)
        .map_err(Into::into)?
        .into_any()
        .into_bound())
}

async fn interruptible<T>(future: impl Future<Output = PyResult<T>>) -> PyResult<T> {
    let mut future = std::pin::pin!(future);
    loop {
        match tokio::time::timeout(LOOK, future.as_mut()).await {
            Ok(value) => return value,
            Err(_) => Python::attach(|py| py.check_signals())?,
        }
    }
}

/// Lets spawned work find the runtime on a thread that is not one of its own.
pub(crate) fn entered<T>(run: impl FnOnce() -> T) -> T {
    let _guard = get_runtime().enter();
    run()
}

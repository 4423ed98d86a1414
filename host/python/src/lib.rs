//! The native half of the Python package: what the classes in `python/offshoot` stand on.
//!
//! Each operation is written once, as a future. A synchronous class waits for it with the
//! interpreter released, an asynchronous one gets an awaitable; `wait` says which.

#![allow(
    unsafe_code,
    reason = "the border to Python: what pyo3's macros expand to"
)]

#[cfg(feature = "backends")]
mod backend;
mod command;
mod context;
mod error;
mod execution;
mod executor;
mod future;
mod result;
mod sandbox;
mod sandboxes;
mod session;
mod settings;
mod terminal;
mod watcher;

use pyo3::prelude::*;

/// `offshoot._native`.
#[pymodule]
mod _native {
    use pyo3::prelude::*;

    #[cfg(feature = "backends")]
    #[pymodule_export]
    use super::backend::{Backend, BackendProcess, BackendSandbox};
    #[pymodule_export]
    use super::command::Invocation;
    #[pymodule_export]
    use super::context::{CellRun, Context};
    #[pymodule_export]
    use super::execution::Process;
    #[pymodule_export]
    use super::result::ExecResult;
    #[pymodule_export]
    use super::sandbox::Sandbox;
    #[pymodule_export]
    use super::sandboxes::Sandboxes;
    #[pymodule_export]
    use super::session::Session;
    #[pymodule_export]
    use super::terminal::Terminal;
    #[pymodule_export]
    use super::watcher::Watcher;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::executor::start(module.py())
    }
}

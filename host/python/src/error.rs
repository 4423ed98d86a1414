//! Errors of the library as exceptions of `offshoot.errors`.
//!
//! The classes are Python's own: `from_code` of that module chooses one by the error's code, with the operation, the
//! message, whether it may be tried again, the name of POSIX's error, and what a script had written by then.

use crate::result::ExecResult;
use offshoot::Error;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The exception for an error: its class is chosen by the error's code.
pub(crate) fn raised(error: Error) -> PyErr {
    let output = error.output().cloned().map(ExecResult::from);
    let facts = (error.code().as_str(), error.operation(), error.retryable());
    coded(facts, error.to_string(), error.errno(), output)
}

/// The exception for what a store says before there are sandboxes.
pub(crate) fn unopened(error: &offshoot::lifecycle::StoreError) -> PyErr {
    let facts = (error.code(), "open", error.retryable());
    coded(facts, error.to_string(), None, None)
}

/// Makes the exception. Where that fails, as while the interpreter ends, what failed is raised in its place.
fn coded(
    (code, operation, retryable): (&str, &str, bool),
    message: String,
    errno: Option<&str>,
    output: Option<ExecResult>,
) -> PyErr {
    let made = Python::attach(|py| {
        let arguments = (code, operation, message, retryable, errno, output);
        let class = py.import("offshoot.errors")?.getattr("from_code")?;
        class.call1(arguments).map(PyErr::from_value)
    });
    made.unwrap_or_else(|fault| fault)
}

/// A setting that makes no sense, as `ValueError`.
pub(crate) fn wrong(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

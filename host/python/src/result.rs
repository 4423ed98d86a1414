//! What a script came to.

use offshoot::ShellResult;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Output and status of a script that ended.
#[pyclass(frozen, module = "offshoot")]
#[derive(Debug, Clone)]
pub(crate) struct ExecResult(ShellResult);

impl From<ShellResult> for ExecResult {
    fn from(result: ShellResult) -> ExecResult {
        ExecResult(result)
    }
}

#[pymethods]
impl ExecResult {
    /// Standard output as text; what is not UTF-8 is replaced.
    #[getter]
    fn stdout(&self) -> String {
        self.0.stdout_text().into_owned()
    }

    /// Standard error as text; what is not UTF-8 is replaced.
    #[getter]
    fn stderr(&self) -> String {
        self.0.stderr_text().into_owned()
    }

    /// Standard output, byte for byte.
    #[getter]
    fn stdout_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.stdout)
    }

    /// Standard error, byte for byte.
    #[getter]
    fn stderr_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.0.stderr)
    }

    /// The exit status, 0 to 255; 124 after a time-out.
    #[getter]
    fn exit_code(&self) -> u8 {
        self.0.exit_code
    }

    /// Whether the exit status is 0.
    #[getter]
    fn ok(&self) -> bool {
        self.0.success()
    }

    /// Whether the time-out ended it.
    #[getter]
    fn timed_out(&self) -> bool {
        self.0.timed_out
    }

    /// Whether output is missing at its end.
    #[getter]
    fn truncated(&self) -> bool {
        self.0.truncated
    }

    /// How long it took, in seconds.
    #[getter]
    fn duration(&self) -> f64 {
        std::time::Duration::from_millis(self.0.duration_ms).as_secs_f64()
    }

    /// The script.
    #[getter]
    fn command(&self) -> &str {
        &self.0.command
    }

    fn __repr__(&self) -> String {
        format!(
            "ExecResult(exit_code={}, stdout={:?}, stderr={:?})",
            self.0.exit_code,
            self.0.stdout_text(),
            self.0.stderr_text()
        )
    }
}

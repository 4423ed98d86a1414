//! A script that runs while Python reads and writes its streams.
//!
//! Each stream has a lock of its own, and so has the execution: a thread that waits for output keeps no other from
//! writing or waiting, and a signal needs no lock at all.

use crate::error::raised;
use crate::future::{Blob, finish};
use crate::settings::Content;
use offshoot::{ByteReader, ByteWriter, Execution};
use pyo3::prelude::*;
use std::sync::Arc;
use tokio::sync::Mutex;

/// A running script. Both outputs are to be read while it runs: a script that fills one that nobody reads waits.
#[pyclass(frozen, module = "offshoot._native")]
pub(crate) struct Process {
    execution: Arc<Mutex<Execution>>,
    /// None once it was closed, and where the script was given an input of its own.
    stdin: Arc<Mutex<Option<ByteWriter>>>,
    stdout: Arc<Mutex<Option<ByteReader>>>,
    stderr: Arc<Mutex<Option<ByteReader>>>,
    signals: Signals,
}

/// Signals go to a script also while somebody waits for it.
struct Signals(offshoot::Signals);

impl Process {
    pub(crate) fn new(mut execution: Execution) -> Process {
        let signals = Signals(execution.signals());
        Process {
            stdin: Arc::new(Mutex::new(execution.take_stdin())),
            stdout: Arc::new(Mutex::new(execution.take_stdout())),
            stderr: Arc::new(Mutex::new(execution.take_stderr())),
            execution: Arc::new(Mutex::new(execution)),
            signals,
        }
    }
}

/// The next piece of a stream, or nothing at its end, as also for a stream that the execution did not give.
async fn next(reader: &Mutex<Option<ByteReader>>) -> Option<bytes::Bytes> {
    let mut reader = reader.lock().await;
    reader.as_mut()?.read().await
}

#[pymethods]
impl Process {
    /// The next piece of standard output, or nothing at its end.
    fn read_stdout<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        read(py, wait, &self.stdout)
    }

    /// The next piece of standard error, or nothing at its end.
    fn read_stderr<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        read(py, wait, &self.stderr)
    }

    /// Writes to standard input; waits while the script does not read. `ValueError` where it is closed,
    /// `BrokenPipeError` where the script reads no more.
    fn write<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        data: Content,
    ) -> PyResult<Bound<'py, PyAny>> {
        let stdin = Arc::clone(&self.stdin);
        finish(py, wait, async move {
            let mut stdin = stdin.lock().await;
            let Some(writer) = stdin.as_mut() else {
                return Err(crate::error::wrong("standard input is closed"));
            };
            let written = writer.write(&data.0).await;
            written.map_err(|error| pyo3::exceptions::PyBrokenPipeError::new_err(error.to_string()))
        })
    }

    /// Ends standard input.
    fn close_stdin<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let stdin = Arc::clone(&self.stdin);
        finish(py, wait, async move {
            stdin.lock().await.take();
            Ok(())
        })
    }

    /// Sends a signal to the script by its POSIX number, also while somebody waits for it; a trap may take it.
    fn signal(&self, number: u8) {
        self.signals.0.send(number);
    }

    /// Waits for the end; the status.
    fn wait<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let execution = Arc::clone(&self.execution);
        finish(py, wait, async move {
            execution.lock().await.wait().await.map_err(raised)
        })
    }

    /// Ends it and all that it started. The signal goes first, without the lock: where another task is in `wait` and
    /// has the execution, it is what ends the script.
    fn kill<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let execution = Arc::clone(&self.execution);
        self.signals.0.send(9);
        finish(py, wait, async move {
            if let Ok(mut execution) = execution.try_lock() {
                execution.kill();
            }
            Ok(())
        })
    }
}

/// Reads from one of the outputs.
fn read<'py>(
    py: Python<'py>,
    wait: bool,
    reader: &Arc<Mutex<Option<ByteReader>>>,
) -> PyResult<Bound<'py, PyAny>> {
    let reader = Arc::clone(reader);
    finish(py, wait, async move { Ok(next(&reader).await.map(Blob)) })
}

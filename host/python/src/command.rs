//! Commands of a sandbox that are functions of Python.
//!
//! A function runs on a thread of its own that holds the interpreter's lock only while Python's code runs: reads and
//! writes of the call wait with it released. It streams, unlike one of JavaScript: it may write before it has read,
//! and runs at the same time as the rest of its pipeline.

use crate::executor::executor;
use crate::future::{Blob, finish};
use offshoot::{Command, Input, Invocation as Call, Output};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::sync::Arc;
use tokio::sync::Mutex;

/// The most that [`Invocation::read`] takes, 256 MiB: what a function holds in memory of the host. More is an
/// `OSError`.
const INPUT: usize = 256 << 20;

/// One call of a function as a command. What is not UTF-8 in words, variables or the directory is replaced by U+FFFD;
/// streams are byte for byte.
#[pyclass(frozen, module = "offshoot")]
pub(crate) struct Invocation {
    /// The arguments as text, without the name.
    #[pyo3(get)]
    arguments: Vec<String>,
    /// The name that it was called by.
    #[pyo3(get)]
    name: String,
    /// The exported variables.
    #[pyo3(get)]
    env: std::collections::HashMap<String, String>,
    /// The working directory, absolute.
    #[pyo3(get)]
    cwd: String,
    stdin: Arc<Mutex<Input>>,
    stdout: Arc<Mutex<Output>>,
    stderr: Arc<Mutex<Output>>,
}

/// Bytes as text, with U+FFFD for what is not UTF-8.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl Invocation {
    fn new(call: Call) -> Invocation {
        let mut words = call.arguments.iter().map(|word| text(word));
        let name = words.next().unwrap_or_default();
        let env = call.environment.iter();
        Invocation {
            name,
            arguments: words.collect(),
            env: env.map(|(name, value)| (text(name), text(value))).collect(),
            cwd: text(&call.directory),
            stdin: Arc::new(Mutex::new(call.stdin)),
            stdout: Arc::new(Mutex::new(call.stdout)),
            stderr: Arc::new(Mutex::new(call.stderr)),
        }
    }
}

/// A failure of a stream as `OSError`, with the message alone.
fn failed(error: offshoot_vfs::Error) -> PyErr {
    PyOSError::new_err(error.to_string())
}

#[pymethods]
impl Invocation {
    /// Reads standard input to its end, 256 MiB at most.
    fn read<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let stdin = Arc::clone(&self.stdin);
        finish(py, true, async move {
            let bytes = stdin
                .lock()
                .await
                .read_to_end(INPUT)
                .await
                .map_err(failed)?;
            Ok(Blob::from(bytes))
        })
    }

    /// Writes text (as UTF-8) or bytes to standard output; waits while its reader is slow. `OSError` where nobody
    /// reads.
    fn write<'py>(
        &self,
        py: Python<'py>,
        data: crate::settings::Content,
    ) -> PyResult<Bound<'py, PyAny>> {
        let stdout = Arc::clone(&self.stdout);
        finish(py, true, async move {
            stdout.lock().await.write_all(&data.0).await.map_err(failed)
        })
    }

    /// Writes text (as UTF-8) or bytes to standard error.
    fn write_error<'py>(
        &self,
        py: Python<'py>,
        data: crate::settings::Content,
    ) -> PyResult<Bound<'py, PyAny>> {
        let stderr = Arc::clone(&self.stderr);
        finish(py, true, async move {
            stderr.lock().await.write_all(&data.0).await.map_err(failed)
        })
    }
}

/// A command that calls `function` with an [`Invocation`] on a thread of its own. What it returns is
/// the status (an integer), or text or bytes for standard output; nothing is status 0. An
/// exception is status 1, with its text on standard error.
pub(crate) fn from_function(function: Py<PyAny>) -> Command {
    let function = Arc::new(function);
    Command::function(move |call| {
        let function = Arc::clone(&function);
        async move {
            let run = tokio::task::spawn_blocking(move || run(&function, call));
            run.await.unwrap_or(1)
        }
    })
}

/// One call, from the interpreter's side. What a function returns is looked at in this order: `None`, an integer from
/// 0 to 255, text or bytes. Anything else, such as 256, is a `TypeError` and so status 1.
fn run(function: &Py<PyAny>, call: Call) -> u8 {
    Python::attach(|py| {
        let call = Invocation::new(call);
        let (name, stderr) = (call.name.clone(), Arc::clone(&call.stderr));
        let stdout = Arc::clone(&call.stdout);
        let status = function.bind(py).call1((call,)).and_then(|value| {
            if value.is_none() {
                return Ok(0);
            }
            if let Ok(status) = value.extract::<u8>() {
                return Ok(status);
            }
            let data: crate::settings::Content = value.extract()?;
            let write = async { stdout.lock().await.write_all(&data.0).await };
            let executor = executor()?;
            py.detach(|| executor.block_on(write)).map_err(failed)?;
            Ok(0)
        });
        status.unwrap_or_else(|error| {
            let message = format!("{name}: {error}\n");
            let write = async { stderr.lock().await.write_all(message.as_bytes()).await };
            if let Ok(executor) = executor() {
                // Nobody reads standard error: the status still tells.
                let _ = py.detach(|| executor.block_on(write));
            }
            1
        })
    })
}

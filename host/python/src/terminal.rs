//! A shell that is typed to.
//!
//! One lock guards the terminal, and a reader holds it while it waits for output. Who types rings `typed` first: the
//! reader lets go, the keys are handed over, and the reader begins its wait again.

use crate::error::raised;
use crate::future::{Blob, entered, finish};
use crate::settings::{Content, Run};
use offshoot::{Sandbox, TerminalEvent};
use pyo3::prelude::*;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, Notify};

/// The pause between two looks for output while the shell waits for a line.
const LOOK: Duration = Duration::from_millis(10);

/// A terminal of a sandbox.
#[pyclass(frozen, module = "offshoot._native")]
pub(crate) struct Terminal(Arc<Shared>);

/// What the methods' futures share.
struct Shared {
    terminal: Mutex<offshoot::Terminal>,
    /// Somebody types while somebody else reads.
    typed: Notify,
}

impl Shared {
    /// What happens next; steps aside for those who type.
    async fn next(&self) -> TerminalEvent {
        loop {
            let mut terminal = self.terminal.lock().await;
            tokio::select! {
                event = terminal.next() => return event,
                () = self.typed.notified() => {}
            }
        }
    }

    /// The terminal, taken from a reader that waits.
    async fn typing(&self) -> tokio::sync::MutexGuard<'_, offshoot::Terminal> {
        self.typed.notify_one();
        self.terminal.lock().await
    }
}

impl Terminal {
    /// Starts an interactive shell; both outputs and the prompts come in one stream.
    pub(crate) fn start(sandbox: &Sandbox, run: Run) -> PyResult<Terminal> {
        let exec = run.exec()?;
        let terminal = entered(|| sandbox.terminal(exec))?.map_err(raised)?;
        Ok(Terminal(Arc::new(Shared {
            terminal: Mutex::new(terminal),
            typed: Notify::new(),
        })))
    }
}

#[pymethods]
impl Terminal {
    /// The next piece of output, or nothing at its end.
    fn read<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let shared = Arc::clone(&self.0);
        finish(py, wait, async move {
            loop {
                match shared.next().await {
                    TerminalEvent::Output(bytes) => return Ok(Some(Blob(bytes))),
                    TerminalEvent::Ended => return Ok(None),
                    // Jobs in the background write while the prompt waits.
                    _ => tokio::time::sleep(LOOK).await,
                }
            }
        })
    }

    /// What is written until it is the user's turn. Where the shell ends first, nothing: what it had written is not
    /// told.
    fn turn<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let shared = Arc::clone(&self.0);
        finish(py, wait, async move {
            let mut written = Vec::new();
            loop {
                match shared.next().await {
                    TerminalEvent::Output(bytes) => written.extend_from_slice(&bytes),
                    TerminalEvent::Ended => return Ok(None),
                    _ => return Ok(Some(Blob::from(written))),
                }
            }
        })
    }

    /// Types: a line with its end, or a part of one.
    fn write<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        data: Content,
    ) -> PyResult<Bound<'py, PyAny>> {
        let shared = Arc::clone(&self.0);
        finish(py, wait, async move {
            shared.typing().await.write(&data.0).await.map_err(raised)
        })
    }

    /// Ctrl-D at the start of a line: at the prompt the shell ends.
    fn end_input<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let shared = Arc::clone(&self.0);
        finish(py, wait, async move {
            shared.typing().await.end_input();
            Ok(())
        })
    }

    /// Ctrl-C: ends what runs in the foreground, and the line that is typed.
    fn interrupt<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let shared = Arc::clone(&self.0);
        finish(py, wait, async move {
            shared.typing().await.interrupt();
            Ok(())
        })
    }

    /// Closes the input and waits for the end; the status.
    fn wait<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let shared = Arc::clone(&self.0);
        finish(py, wait, async move {
            shared.typing().await.wait().await.map_err(raised)
        })
    }
}

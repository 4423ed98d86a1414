//! Interpreters whose state lives from one cell to the next.

use crate::error::raised;
use crate::future::{Blob, finish};
use crate::settings::seconds;
use offshoot::{CellError, CellEvent, CellOutcome, CellResult, ContextOptions, Language};
use pyo3::prelude::*;
use pyo3::{IntoPyObject, IntoPyObjectExt as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::{Mutex, Notify};

/// What a context begins with.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Beginning {
    language: String,
    cwd: Option<String>,
    env: Vec<(String, String)>,
    interruptible: bool,
}

impl Beginning {
    /// As the library reads it.
    pub(crate) fn options(self) -> PyResult<ContextOptions> {
        let language: Language = self.language.parse().map_err(raised)?;
        let mut options = ContextOptions::new(language);
        for (name, value) in self.env {
            options = options.env(name, value);
        }
        if let Some(cwd) = self.cwd {
            options = options.cwd(cwd);
        }
        if !self.interruptible {
            options = options.uninterruptible();
        }
        Ok(options)
    }
}

/// Code with its options.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Cell {
    code: String,
    env: Vec<(String, String)>,
    timeout: Option<f64>,
}

impl Cell {
    fn cell(self) -> PyResult<offshoot::Cell> {
        let mut cell = offshoot::Cell::new(self.code);
        for (name, value) in self.env {
            cell = cell.env(name, value);
        }
        if let Some(timeout) = self.timeout {
            cell = cell.timeout_ms(milliseconds(seconds(timeout)?));
        }
        Ok(cell)
    }
}

/// Rounded up: a short time-out is none that has passed already.
fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

/// What a value looks like: whether it is the cell's last expression, and JSON by media types.
type Shown = (bool, String);

/// Name, value and traceback of an exception.
type Raised = (String, String, String);

fn shown(result: CellResult) -> Shown {
    let data = result.data.into_iter().collect();
    (result.main, serde_json::Value::Object(data).to_string())
}

fn failure(error: CellError) -> Raised {
    (error.name, error.value, error.traceback)
}

/// What a cell gave: its number, both outputs, values, exception, whether its time-out ended it.
pub(crate) struct Outcome(CellOutcome);

impl<'py> IntoPyObject<'py> for Outcome {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let outcome = self.0;
        let results: Vec<Shown> = outcome.results.into_iter().map(shown).collect();
        let output = (Blob::from(outcome.stdout), Blob::from(outcome.stderr));
        let error = outcome.error.map(failure);
        let (number, timed_out) = (outcome.number, outcome.timed_out);
        (number, output.0, output.1, results, error, timed_out).into_bound_py_any(py)
    }
}

/// What a cell did: its kind, and what belongs to it.
pub(crate) struct Event(CellEvent);

impl<'py> IntoPyObject<'py> for Event {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self.0 {
            CellEvent::Started(number) => ("started", number).into_bound_py_any(py),
            CellEvent::Stdout(bytes) => ("stdout", Blob(bytes)).into_bound_py_any(py),
            CellEvent::Stderr(bytes) => ("stderr", Blob(bytes)).into_bound_py_any(py),
            CellEvent::Result(result) => ("result", shown(result)).into_bound_py_any(py),
            CellEvent::Error(error) => ("error", failure(error)).into_bound_py_any(py),
            _ => Err(crate::error::wrong(
                "an event that this version has no name for",
            )),
        }
    }
}

/// An interpreter of a sandbox.
#[pyclass(frozen, module = "offshoot._native")]
pub(crate) struct Context(offshoot::Context);

impl Context {
    pub(crate) fn new(context: offshoot::Context) -> Context {
        Context(context)
    }
}

#[pymethods]
impl Context {
    #[getter]
    fn id(&self) -> &str {
        self.0.id()
    }

    #[getter]
    fn language(&self) -> &'static str {
        self.0.language().as_str()
    }

    #[getter]
    fn cwd(&self) -> &str {
        self.0.cwd()
    }

    fn run<'py>(
        &self,
        py: Python<'py>,
        wait: bool,
        cell: Cell,
        on_event: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (context, cell) = (self.0.clone(), cell.cell()?);
        finish(py, wait, async move {
            match on_event {
                None => context.run(cell).await.map_err(raised),
                Some(on_event) => streamed(&context, cell, Arc::new(on_event)).await,
            }
            .map(Outcome)
        })
    }

    fn start<'py>(&self, py: Python<'py>, wait: bool, cell: Cell) -> PyResult<Bound<'py, PyAny>> {
        let (context, cell) = (self.0.clone(), cell.cell()?);
        finish(py, wait, async move {
            context.start(cell).await.map(CellRun::new).map_err(raised)
        })
    }

    fn interrupt(&self) {
        self.0.interrupt();
    }

    fn restart<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let context = self.0.clone();
        finish(
            py,
            wait,
            async move { context.restart().await.map_err(raised) },
        )
    }

    fn close<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let context = self.0.clone();
        finish(py, wait, async move {
            context.close();
            Ok(())
        })
    }
}

/// Runs a cell, handing over what it does as it happens.
async fn streamed(
    context: &offshoot::Context,
    cell: offshoot::Cell,
    on_event: Arc<Py<PyAny>>,
) -> PyResult<CellOutcome> {
    let mut run = context.start(cell).await.map_err(raised)?;
    let mut outcome = CellOutcome::default();
    while let Some(event) = run.next().await.map_err(raised)? {
        outcome.add(event.clone());
        let on_event = Arc::clone(&on_event);
        let call = move || Python::attach(|py| on_event.call1(py, (Event(event),)).map(drop));
        let called = tokio::task::spawn_blocking(call).await;
        called.unwrap_or_else(|error| Err(crate::error::wrong(error)))?;
    }
    outcome.timed_out = run.timed_out();
    Ok(outcome)
}

/// A cell that runs.
#[pyclass(frozen, module = "offshoot._native")]
pub(crate) struct CellRun(Arc<Running>);

struct Running {
    /// None once it has ended: then the context is free for the next cell.
    run: Mutex<Option<offshoot::CellRun>>,
    closing: Notify,
    timed_out: AtomicBool,
}

impl CellRun {
    fn new(run: offshoot::CellRun) -> CellRun {
        CellRun(Arc::new(Running {
            run: Mutex::new(Some(run)),
            closing: Notify::new(),
            timed_out: AtomicBool::new(false),
        }))
    }
}

impl Running {
    async fn next(&self) -> PyResult<Option<Event>> {
        let mut held = self.run.lock().await;
        let Some(run) = held.as_mut() else {
            return Ok(None);
        };
        let next = tokio::select! {
            biased;
            () = self.closing.notified() => Ok(None),
            next = run.next() => next,
        };
        self.timed_out.store(run.timed_out(), Ordering::Release);
        if !matches!(next, Ok(Some(_))) {
            *held = None;
        }
        next.map(|event| event.map(Event)).map_err(raised)
    }
}

#[pymethods]
impl CellRun {
    /// What happens next, or nothing where the cell has ended.
    fn next<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let running = Arc::clone(&self.0);
        finish(py, wait, async move { running.next().await })
    }

    /// Interrupts the cell where it runs still.
    fn close<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let running = Arc::clone(&self.0);
        finish(py, wait, async move {
            running.closing.notify_one();
            running.run.lock().await.take();
            Ok(())
        })
    }

    #[getter]
    fn timed_out(&self) -> bool {
        self.0.timed_out.load(Ordering::Acquire)
    }
}

//! Interpreters whose state lives from one cell to the next.
//!
//! A cell is run to its end (`run`), or started and followed event by event (`start`, `next`). Results cross as
//! tuples, which `python/offshoot` makes classes of. Cells of one context run one after the other.

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

/// What a context begins with, read from a dictionary with these keys.
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
    /// As the library reads it; `ValueError` for a time-out that no clock can count.
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

/// A value with its media types written as JSON: `(True, '{"text/plain":"42"}')`.
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

/// What a cell did, as a pair: `("started", 1)`, `("stdout", b"…")`, `("stderr", b"…")`, `("result", (main, json))`
/// or `("error", (name, value, traceback))`. A kind that this version has no name for raises instead of being lost.
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
    /// Unguessable, and the same as long as the context lives.
    #[getter]
    fn id(&self) -> &str {
        self.0.id()
    }

    /// `python`, `javascript` or `bash`.
    #[getter]
    fn language(&self) -> &'static str {
        self.0.language().as_str()
    }

    /// The working directory that it began in; code may have left it since.
    #[getter]
    fn cwd(&self) -> &str {
        self.0.cwd()
    }

    /// Runs a cell to its end, after those before it. With `on_event`, what it does is handed over as it happens.
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

    /// Starts a cell once those before it have ended.
    fn start<'py>(&self, py: Python<'py>, wait: bool, cell: Cell) -> PyResult<Bound<'py, PyAny>> {
        let (context, cell) = (self.0.clone(), cell.cell()?);
        finish(py, wait, async move {
            context.start(cell).await.map(CellRun::new).map_err(raised)
        })
    }

    /// Interrupts the cell that runs, as Ctrl-C would; what the context holds stays.
    fn interrupt(&self) {
        self.0.interrupt();
    }

    /// Begins afresh, without what it held; a cell that runs is ended.
    fn restart<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let context = self.0.clone();
        finish(
            py,
            wait,
            async move { context.restart().await.map_err(raised) },
        )
    }

    /// Ends it, with a cell that runs.
    fn close<'py>(&self, py: Python<'py>, wait: bool) -> PyResult<Bound<'py, PyAny>> {
        let context = self.0.clone();
        finish(py, wait, async move {
            context.close();
            Ok(())
        })
    }
}

/// Runs a cell, handing over what it does as it happens. The function is called on a thread for blocking work, one
/// event after the other; its exception drops the run, which interrupts the cell, and is raised from here.
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
    /// Told by `close`, so that a `next` that waits lets go of `run`.
    closing: Notify,
    /// As the run said it at the last event: readable without the lock, and after `run` is gone.
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
    /// The next event. `close` goes first where both are ready, and an end or a failure frees the context at once.
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

    /// Whether the cell's time-out had ended it by the last event that was read.
    #[getter]
    fn timed_out(&self) -> bool {
        self.0.timed_out.load(Ordering::Acquire)
    }
}

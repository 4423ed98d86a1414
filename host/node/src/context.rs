//! Interpreters whose state lives from one cell to the next: `Context` and `CellRun` of `lib/index.cjs`.
//!
//! A cell is run to its end (`run`), or started and then followed event by event (`start`, `next`). Cells of one
//! context run one after the other; `start` waits for those before it. Numbers of cells cross as `f64`, which is
//! exact to 2^53.

use crate::error::{aborted, thrown, wrong};
use crate::sandbox::NativeAbort;
use crate::settings::milliseconds;
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;
use offshoot::{CellEvent, CellOutcome, CellRun, ContextOptions, Language};
use std::collections::HashMap;
use std::future::Future;
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::sync::{Mutex, Notify};

/// What a context begins with.
#[napi(object, object_to_js = false)]
pub struct Beginning {
    /// `python`, `javascript` or `bash`; anything else throws `INVALID`.
    pub language: String,
    /// The working directory that it begins in; the sandbox's where it is missing.
    pub cwd: Option<String>,
    /// Variables beside those of the sandbox.
    pub env: HashMap<String, String>,
    /// Without it, an interrupt or a time-out ends the interpreter with all that it holds.
    pub interruptible: bool,
}

impl Beginning {
    /// The library's form of it.
    pub(crate) fn options(self) -> napi::Result<ContextOptions> {
        let language: Language = self.language.parse().map_err(thrown)?;
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
#[napi(object, object_to_js = false)]
pub struct Cell {
    /// The source text, in the context's language.
    pub code: String,
    /// Variables while the cell runs.
    pub env: HashMap<String, String>,
    /// Milliseconds, in parts too, after which the cell is interrupted; it has no limit of its own where this is
    /// missing.
    pub timeout_ms: Option<f64>,
}

impl Cell {
    /// The library's form of it; `INVALID` for a time that is negative or not finite.
    fn cell(self) -> napi::Result<offshoot::Cell> {
        let mut cell = offshoot::Cell::new(self.code);
        for (name, value) in self.env {
            cell = cell.env(name, value);
        }
        if let Some(timeout) = self.timeout_ms {
            // Rounded up: a short time-out is none that has passed already.
            let nanoseconds = milliseconds("timeoutMs", timeout)?.as_nanos();
            let rounded = u64::try_from(nanoseconds.div_ceil(1_000_000));
            cell = cell.timeout_ms(rounded.unwrap_or(u64::MAX));
        }
        Ok(cell)
    }
}

/// A value that a cell shows: that of its last expression, or what it gave to `display`.
#[napi(object)]
pub struct CellResult {
    /// It is the value of the last expression.
    pub main: bool,
    /// What it looks like by media types, as the JSON of an object: `{"text/plain":"42"}`. Binary types are in
    /// Base64.
    pub data: String,
}

/// The exception that ended a cell. In Bash it is a status that is not 0, and its name is `ExitStatus`.
#[napi(object)]
pub struct CellError {
    /// The exception's class, as `ZeroDivisionError`; `KeyboardInterrupt` for a cell that was interrupted.
    pub name: String,
    /// Its message.
    pub value: String,
    /// The traceback as the interpreter prints it, with line ends.
    pub traceback: String,
}

/// Something that a cell does. `kind` says which of the other fields is set; the rest are missing.
#[napi(object)]
#[derive(Default)]
pub struct Event {
    /// `started` (`number`), `stdout` or `stderr` (`data`), `result` (`result`), `error` (`error`).
    pub kind: String,
    /// Which cell of its context it is, from 1.
    pub number: Option<f64>,
    /// A piece of output as it came.
    pub data: Option<Uint8Array>,
    /// A value that it showed.
    pub result: Option<CellResult>,
    /// The exception that ended it.
    pub error: Option<CellError>,
}

/// What a cell gave, once it has ended. An exception is part of it; what throws is a failure of the context.
#[napi(object)]
pub struct Outcome {
    /// Which cell of its context it was, from 1.
    pub number: f64,
    /// All that it wrote to standard output.
    pub stdout: Uint8Array,
    /// All that it wrote to standard error.
    pub stderr: Uint8Array,
    /// The values that it showed, in order.
    pub results: Vec<CellResult>,
    /// The exception that ended it; missing where it came to its end.
    pub error: Option<CellError>,
    /// Its own time-out interrupted it.
    pub timed_out: bool,
}

/// A value with its media types written as JSON.
fn shown(result: offshoot::CellResult) -> CellResult {
    let data = result.data.into_iter().collect();
    CellResult {
        main: result.main,
        data: serde_json::Value::Object(data).to_string(),
    }
}

fn failure(error: offshoot::CellError) -> CellError {
    CellError {
        name: error.name,
        value: error.value,
        traceback: error.traceback,
    }
}

/// An event as JavaScript sees it. The library's list of events may grow: one that has no name here throws `INVALID`
/// instead of being lost.
fn told(event: CellEvent) -> napi::Result<Event> {
    let mut told = Event::default();
    let kind = match event {
        CellEvent::Started(number) => {
            told.number = Some(number as f64);
            "started"
        }
        CellEvent::Stdout(bytes) => {
            told.data = Some(bytes.to_vec().into());
            "stdout"
        }
        CellEvent::Stderr(bytes) => {
            told.data = Some(bytes.to_vec().into());
            "stderr"
        }
        CellEvent::Result(result) => {
            told.result = Some(shown(result));
            "result"
        }
        CellEvent::Error(error) => {
            told.error = Some(failure(error));
            "error"
        }
        _ => return Err(wrong("an event that this version has no name for")),
    };
    told.kind = kind.to_owned();
    Ok(told)
}

fn outcome(outcome: CellOutcome) -> Outcome {
    Outcome {
        number: outcome.number as f64,
        stdout: outcome.stdout.into(),
        stderr: outcome.stderr.into(),
        results: outcome.results.into_iter().map(shown).collect(),
        error: outcome.error.map(failure),
        timed_out: outcome.timed_out,
    }
}

/// Waits for a future, which is dropped where the caller's signal comes first.
async fn unless<T>(
    abort: Option<NativeAbort>,
    future: impl Future<Output = offshoot::Result<T>>,
) -> napi::Result<T> {
    match abort {
        None => future.await.map_err(thrown),
        Some(abort) => tokio::select! {
            ended = future => ended.map_err(thrown),
            () = abort.aborted() => Err(aborted()),
        },
    }
}

/// An interpreter of a sandbox. It ends where its sandbox is closed or suspended.
#[napi]
pub struct NativeContext(offshoot::Context);

impl NativeContext {
    pub(crate) fn new(context: offshoot::Context) -> NativeContext {
        NativeContext(context)
    }
}

#[napi]
impl NativeContext {
    /// For `find_context`: unguessable, and the same as long as it lives.
    #[napi(getter)]
    pub fn id(&self) -> String {
        self.0.id().to_owned()
    }

    /// `python`, `javascript` or `bash`.
    #[napi(getter)]
    pub fn language(&self) -> String {
        self.0.language().as_str().to_owned()
    }

    /// The working directory that it began in; code may have left it since.
    #[napi(getter)]
    pub fn cwd(&self) -> String {
        self.0.cwd().to_owned()
    }

    /// Runs a cell to its end, after those before it. An abort interrupts it and throws `ABORTED`; a cell that does
    /// not follow the interrupt is ended with all that the context holds.
    #[napi]
    pub async fn run(&self, cell: Cell, abort: Option<&NativeAbort>) -> napi::Result<Outcome> {
        let (abort, cell) = (abort.cloned(), cell.cell()?);
        unless(abort, self.0.run(cell)).await.map(outcome)
    }

    /// Starts a cell once those before it have ended; an abort before that gives up its place.
    #[napi]
    pub async fn start(
        &self,
        cell: Cell,
        abort: Option<&NativeAbort>,
    ) -> napi::Result<NativeCellRun> {
        let (abort, cell) = (abort.cloned(), cell.cell()?);
        let run = unless(abort, self.0.start(cell)).await;
        run.map(NativeCellRun::new)
    }

    /// Interrupts the cell that runs, as Ctrl-C would; what the context holds stays. Where none runs nothing happens.
    #[napi]
    pub fn interrupt(&self) {
        self.0.interrupt();
    }

    /// Begins afresh, without variables and imports; a cell that runs is ended. The id stays.
    #[napi]
    pub async fn restart(&self) -> napi::Result<()> {
        self.0.restart().await.map_err(thrown)
    }

    /// Ends it, with a cell that runs. Later cells are refused.
    #[napi]
    pub async fn close(&self) {
        self.0.close();
    }
}

/// A cell that runs. Its context takes the next cell when this one has ended, was closed or failed, whichever is
/// first.
#[napi]
pub struct NativeCellRun {
    /// None once it has ended: then the context is free for the next cell.
    run: Mutex<Option<CellRun>>,
    /// Told by `close`, so that a `next` that waits lets go of `run`.
    closing: Notify,
    /// As the run said it at the last event: readable without the lock, and after `run` is gone.
    timed_out: AtomicBool,
}

impl NativeCellRun {
    fn new(run: CellRun) -> NativeCellRun {
        NativeCellRun {
            run: Mutex::new(Some(run)),
            closing: Notify::new(),
            timed_out: AtomicBool::new(false),
        }
    }
}

#[napi]
impl NativeCellRun {
    /// What happens next, at the reader's pace; `null` where the cell has ended or was closed, and at each call after
    /// that.
    #[napi]
    pub async fn next(&self) -> napi::Result<Option<Event>> {
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
        next.map_err(thrown)?.map(told).transpose()
    }

    /// Interrupts the cell where it runs still. A `next` that waits answers `null` first, so this does not wait for
    /// output.
    #[napi]
    pub async fn close(&self) {
        self.closing.notify_one();
        self.run.lock().await.take();
    }

    /// Whether its time-out had ended it by the last event that was read.
    #[napi(getter)]
    pub fn timed_out(&self) -> bool {
        self.timed_out.load(Ordering::Acquire)
    }
}

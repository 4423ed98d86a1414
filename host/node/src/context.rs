//! Interpreters whose state lives from one cell to the next.

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
    pub language: String,
    pub cwd: Option<String>,
    pub env: HashMap<String, String>,
    pub interruptible: bool,
}

impl Beginning {
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
    pub code: String,
    pub env: HashMap<String, String>,
    pub timeout_ms: Option<f64>,
}

impl Cell {
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

/// A value that a cell shows.
#[napi(object)]
pub struct CellResult {
    pub main: bool,
    /// What it looks like by media types, as JSON.
    pub data: String,
}

/// The exception that ended a cell.
#[napi(object)]
pub struct CellError {
    pub name: String,
    pub value: String,
    pub traceback: String,
}

/// Something that a cell does; what belongs to the kind is set.
#[napi(object)]
#[derive(Default)]
pub struct Event {
    pub kind: String,
    pub number: Option<f64>,
    pub data: Option<Uint8Array>,
    pub result: Option<CellResult>,
    pub error: Option<CellError>,
}

/// What a cell gave.
#[napi(object)]
pub struct Outcome {
    pub number: f64,
    pub stdout: Uint8Array,
    pub stderr: Uint8Array,
    pub results: Vec<CellResult>,
    pub error: Option<CellError>,
    pub timed_out: bool,
}

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

/// An interpreter of a sandbox.
#[napi]
pub struct NativeContext(offshoot::Context);

impl NativeContext {
    pub(crate) fn new(context: offshoot::Context) -> NativeContext {
        NativeContext(context)
    }
}

#[napi]
impl NativeContext {
    #[napi(getter)]
    pub fn id(&self) -> String {
        self.0.id().to_owned()
    }

    #[napi(getter)]
    pub fn language(&self) -> String {
        self.0.language().as_str().to_owned()
    }

    #[napi(getter)]
    pub fn cwd(&self) -> String {
        self.0.cwd().to_owned()
    }

    /// Runs a cell to its end; an abort interrupts it.
    #[napi]
    pub async fn run(&self, cell: Cell, abort: Option<&NativeAbort>) -> napi::Result<Outcome> {
        let (abort, cell) = (abort.cloned(), cell.cell()?);
        unless(abort, self.0.run(cell)).await.map(outcome)
    }

    /// Starts a cell once those before it have ended.
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

    #[napi]
    pub fn interrupt(&self) {
        self.0.interrupt();
    }

    /// Begins afresh; a cell that runs is ended.
    #[napi]
    pub async fn restart(&self) -> napi::Result<()> {
        self.0.restart().await.map_err(thrown)
    }

    /// Ends it, with a cell that runs.
    #[napi]
    pub async fn close(&self) {
        self.0.close();
    }
}

/// A cell that runs.
#[napi]
pub struct NativeCellRun {
    /// None once it has ended: then the context is free for the next cell.
    run: Mutex<Option<CellRun>>,
    closing: Notify,
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
    /// What happens next, or nothing where the cell has ended.
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

    /// Interrupts the cell where it runs still.
    #[napi]
    pub async fn close(&self) {
        self.closing.notify_one();
        self.run.lock().await.take();
    }

    #[napi(getter)]
    pub fn timed_out(&self) -> bool {
        self.timed_out.load(Ordering::Acquire)
    }
}

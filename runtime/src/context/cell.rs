//! Cells: what is run in a context, and what comes of it.

use bytes::Bytes;
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

/// Code to run in a context, with its options. A plain string is enough for most uses.
///
/// ```
/// use offshoot::Cell;
/// let cell = Cell::new("import os; os.environ['WHO']").env("WHO", "you").timeout_ms(2_000);
/// assert_eq!(cell, cell.clone());
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[must_use]
pub struct Cell {
    pub(super) code: String,
    pub(super) environment: Vec<(String, String)>,
    pub(super) timeout: Option<Duration>,
}

impl Cell {
    /// The code of a cell.
    pub fn new(code: impl Into<String>) -> Cell {
        Cell {
            code: code.into(),
            ..Cell::default()
        }
    }

    /// Sets an environment variable while the cell runs.
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Cell {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Interrupts the cell after this many milliseconds; see [`crate::Context::interrupt`].
    pub fn timeout_ms(mut self, milliseconds: u64) -> Cell {
        self.timeout = Some(Duration::from_millis(milliseconds));
        self
    }
}

impl<T: AsRef<str> + ?Sized> From<&T> for Cell {
    fn from(code: &T) -> Cell {
        Cell::new(code.as_ref())
    }
}

impl From<String> for Cell {
    fn from(code: String) -> Cell {
        Cell::new(code)
    }
}

/// Something that a cell does.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum CellEvent {
    /// It has begun, as the so-manieth of its context.
    Started(u64),
    /// It wrote to standard output.
    Stdout(Bytes),
    /// It wrote to standard error.
    Stderr(Bytes),
    /// It shows a value.
    Result(CellResult),
    /// It ended by an exception.
    Error(CellError),
}

/// A value that a cell shows: that of its last expression, or what it gave to `display`.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct CellResult {
    /// It is the value of the cell's last expression.
    pub main: bool,
    /// What it looks like, by media types: `text/plain` is `repr`, `text/html` is what `_repr_html_` gives.
    /// Binary types, such as `image/png`, are in Base64.
    pub data: BTreeMap<String, Value>,
}

impl CellResult {
    /// What it looks like as plain text.
    pub fn text(&self) -> Option<&str> {
        self.data.get("text/plain")?.as_str()
    }
}

/// The exception that ended a cell. In Bash it is a status that is not 0: the name is `ExitStatus`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct CellError {
    /// The name of its type: `ZeroDivisionError`; `KeyboardInterrupt` where the cell was interrupted.
    pub name: String,
    /// What it says.
    pub value: String,
    /// Where it came from, for people.
    pub traceback: String,
}

/// What a cell gave, once it has ended. An exception is a result like any other.
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct CellOutcome {
    /// The so-manieth cell of its context.
    pub number: u64,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
    /// The values that it showed, in order.
    pub results: Vec<CellResult>,
    /// The exception that ended it.
    pub error: Option<CellError>,
    /// Its time-out ended it.
    pub timed_out: bool,
}

impl CellOutcome {
    /// Adds what the cell did, for those who read events and want the whole as well.
    pub fn add(&mut self, event: CellEvent) {
        match event {
            CellEvent::Started(number) => self.number = number,
            CellEvent::Stdout(bytes) => self.stdout.extend_from_slice(&bytes),
            CellEvent::Stderr(bytes) => self.stderr.extend_from_slice(&bytes),
            CellEvent::Result(result) => self.results.push(result),
            CellEvent::Error(error) => self.error = Some(error),
        }
    }

    /// The value of the last expression as plain text.
    pub fn text(&self) -> Option<&str> {
        let main = self.results.iter().find(|result| result.main);
        main.and_then(CellResult::text)
    }

    /// Standard output as text; bytes that are not UTF-8 become U+FFFD.
    pub fn stdout_text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.stdout)
    }

    /// Standard error as text; bytes that are not UTF-8 become U+FFFD.
    pub fn stderr_text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.stderr)
    }

    /// Whether it ended without an exception.
    pub fn success(&self) -> bool {
        self.error.is_none()
    }
}

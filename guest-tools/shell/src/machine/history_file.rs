//! The history and its file: `HISTFILE`, `HISTSIZE`, `HISTFILESIZE`, `histappend`.

use std::rc::Rc;

use super::invocation::read_file;
use super::option::Shopt;
use super::state::State;
use super::symbol::Symbols;
use super::task::Task;
use super::value::Attributes;
use super::{Machine, path};
use crate::builtin::integer;
use crate::os::{Errno, OpenOptions, Os};
use crate::text::Text;
use offshoot_shell_language::record;

/// What the lines of the history were once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HistoryCounts {
    /// Lines that `HISTSIZE` pushed out: the number before that of the first line.
    pub dropped: usize,
    /// Lines that were added and are not in the file.
    pub fresh: usize,
    /// Lines of the file that were read or written.
    pub in_file: usize,
}

/// A line of the history.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Line {
    /// The line, of several lines where they were one command.
    pub text: Text,
    /// Seconds since 1970 at which it was entered; none where that was not noted.
    pub time: Option<i64>,
}

record!(Line { text, time });

impl std::ops::Deref for Line {
    type Target = Text;

    fn deref(&self) -> &Text {
        &self.text
    }
}

/// How a history is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writing {
    /// In place of what is there.
    Whole,
    /// After what is there.
    Append,
}

/// What times of lines are to a history and its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamps {
    /// `$HISTTIMEFORMAT` is set: they are written, and a line may be of several.
    pub written: bool,
    /// They are noted of lines that are entered.
    pub noted: bool,
    /// The time of lines that have none.
    pub now: i64,
}

impl Stamps {
    /// What they are to a shell at this time.
    pub fn of(state: &State, symbols: &mut Symbols, now: i64) -> Stamps {
        let written = value(state, symbols, b"HISTTIMEFORMAT").is_some();
        Stamps {
            written,
            noted: written || state.interactive,
            now,
        }
    }

    /// The time that is noted of a line which is entered now.
    pub fn entered(self) -> Option<i64> {
        self.noted.then_some(self.now)
    }
}

/// The lines of a history's file. `#` and a number before one is when it was entered.
pub fn lines(content: &[u8], stamps: Stamps) -> Vec<Line> {
    let stamp = |line: &[u8]| {
        let digits = line.strip_prefix(b"#")?;
        let starts = digits.first().is_some_and(u8::is_ascii_digit);
        starts.then(|| integer(digits).unwrap_or(0))
    };
    let mut found: Vec<Line> = Vec::new();
    let mut time = None;
    // A file that begins with a time has one before each entry.
    let first = content.split(|&byte| byte == b'\n').next();
    let joined = stamps.written && first.is_some_and(|line| stamp(line).is_some());
    let mut goes_on = false;
    for line in content.split(|&byte| byte == b'\n') {
        if let Some(noted) = stamp(line) {
            (time, goes_on) = (Some(noted), false);
            continue;
        }
        match found.last_mut().filter(|_| joined && goes_on) {
            Some(last) => {
                last.text.push(b'\n');
                last.text.push_bytes(line);
            }
            None if line.is_empty() => continue,
            None => found.push(Line {
                text: Text::from(line),
                time: time.take().or(stamps.entered()),
            }),
        }
        goes_on = true;
    }
    if let Some(last) = found.last_mut().filter(|_| joined) {
        // What ends the file is no line.
        let text = last.text.strip_suffix(b"\n").map(Text::from);
        last.text = text.unwrap_or_else(|| last.text.clone());
    }
    found
}

/// Writes lines to a file.
///
/// # Errors
/// As POSIX `open` and `write`.
pub fn write(
    os: &dyn Os,
    full: &[u8],
    lines: &[Line],
    (writing, stamped): (Writing, bool),
    mode: u32,
) -> Result<(), Errno> {
    let options = OpenOptions {
        write: true,
        create: true,
        append: writing == Writing::Append,
        truncate: writing == Writing::Whole,
        ..OpenOptions::default()
    };
    let handle = os.open(full, options, mode)?;
    let mut content = Vec::new();
    for line in lines {
        if let Some(time) = line.time.filter(|_| stamped) {
            content.extend_from_slice(format!("#{time}\n").as_bytes());
        }
        content.extend_from_slice(line);
        content.push(b'\n');
    }
    let mut rest = content.as_slice();
    let mut result = Ok(());
    while !rest.is_empty() && result.is_ok() {
        result = os
            .write(handle, rest)
            .map(|taken| rest = rest.get(taken..).unwrap_or_default());
    }
    os.close(handle);
    result
}

/// Drops the oldest lines beyond `HISTSIZE`.
fn stifle(state: &mut State, symbols: &mut Symbols) {
    let Some(size) = limit(state, symbols, b"HISTSIZE") else {
        return;
    };
    let surplus = state.history.len().saturating_sub(size);
    if surplus > 0 {
        Rc::make_mut(&mut state.history).drain(..surplus);
        state.history_counts.dropped += surplus;
    }
}

/// `HISTSIZE` is assigned. The numbers begin anew, with that of the last line which is dropped, as in
/// bash.
pub fn resize(state: &mut State, value: &[u8]) {
    let size = integer(value).and_then(|size| usize::try_from(size).ok());
    let surplus = size.map_or(0, |size| state.history.len().saturating_sub(size));
    if surplus > 0 {
        Rc::make_mut(&mut state.history).drain(..surplus);
        state.history_counts.dropped = surplus - 1;
    }
}

/// The value of a variable that limits lines; none where it does not.
fn limit(state: &State, symbols: &mut Symbols, name: &[u8]) -> Option<usize> {
    usize::try_from(integer(&value(state, symbols, name)?)?).ok()
}

fn value(state: &State, symbols: &mut Symbols, name: &[u8]) -> Option<Text> {
    state
        .variables
        .value(symbols.intern(name))
        .scalar()
        .cloned()
}

/// Gives a variable a value where it has none.
pub fn default_variable(state: &mut State, symbols: &mut Symbols, name: &[u8], text: &[u8]) {
    let symbol = symbols.intern(name);
    if !state.variables.value(symbol).is_set() {
        state.variables.store(symbol, Text::from(text));
        let slot = state.variables.slot(symbol);
        slot.attributes = slot.attributes.with(Attributes::DECLARED);
    }
}

/// Reads the history that an earlier shell left, as a shell does that begins to keep one.
pub fn load(os: &dyn Os, state: &mut State, symbols: &mut Symbols) {
    default_variable(state, symbols, b"HISTSIZE", b"500");
    let size = value(state, symbols, b"HISTSIZE").unwrap_or_default();
    default_variable(state, symbols, b"HISTFILESIZE", &size);
    let Some(full) = own_file(state, symbols) else {
        return;
    };
    shorten(os, state, symbols, &full);
    let Ok(content) = read_file(os, &full) else {
        return;
    };
    let stamps = Stamps::of(state, symbols, os.now().seconds);
    let lines = lines(&content, stamps);
    state.history_counts.in_file = lines.len();
    Rc::make_mut(&mut state.history).extend(lines);
    stifle(state, symbols);
}

/// `$HISTFILE`, where there is one.
fn own_file(state: &State, symbols: &mut Symbols) -> Option<Vec<u8>> {
    let file = value(state, symbols, b"HISTFILE").filter(|file| !file.is_empty())?;
    Some(path::absolute(&state.directory, &file))
}

/// Leaves the last `$HISTFILESIZE` lines of the file.
fn shorten(os: &dyn Os, state: &State, symbols: &mut Symbols, full: &[u8]) {
    let (Some(size), Ok(content)) = (limit(state, symbols, b"HISTFILESIZE"), read_file(os, full))
    else {
        return;
    };
    let stamps = Stamps::of(state, symbols, os.now().seconds);
    let lines = lines(&content, stamps);
    if let Some(surplus) = lines.len().checked_sub(size).filter(|surplus| *surplus > 0) {
        let writing = (Writing::Whole, true);
        let _ = write(os, full, &lines[surplus..], writing, 0o600);
    }
}

/// Saves the history as a shell does that ends.
pub fn save(os: &dyn Os, state: &mut State, symbols: &mut Symbols) {
    let Some(full) = own_file(state, symbols).filter(|_| state.history_counts.fresh > 0) else {
        return;
    };
    stifle(state, symbols);
    let length = state.history.len();
    let fresh = state.history_counts.fresh;
    let appends = fresh <= length || state.options.shopt(Shopt::Histappend);
    let (first, writing) = if appends {
        (length.saturating_sub(fresh), Writing::Append)
    } else {
        (0, Writing::Whole)
    };
    let stamped = Stamps::of(state, symbols, 0).written;
    let writing = (writing, stamped);
    if write(os, &full, &state.history[first..], writing, 0o600).is_ok() {
        state.history_counts.fresh = 0;
        shorten(os, state, symbols, &full);
    }
}

impl Machine {
    /// Adds a line to the history, and drops what is too much.
    pub(crate) fn push_history(&mut self, task: &mut Task, line: Text) {
        let time = self.stamps(task).entered();
        Rc::make_mut(&mut task.state.history).push(Line { text: line, time });
        task.state.history_counts.fresh += 1;
        self.stifle_history(task);
    }

    /// What times of lines are to the history of a task.
    pub(crate) fn stamps(&mut self, task: &Task) -> Stamps {
        let now = self.os.now().seconds;
        Stamps::of(&task.state, &mut self.symbols, now)
    }

    /// Drops the oldest lines beyond `HISTSIZE`.
    pub(crate) fn stifle_history(&mut self, task: &mut Task) {
        stifle(&mut task.state, &mut self.symbols);
    }

    /// Begins to keep a history: `set -o history`.
    pub(crate) fn begin_history(&mut self, task: &mut Task) {
        if task.state.history_counts.fresh == 0 {
            let os = self.os.clone();
            load(&*os, &mut task.state, &mut self.symbols);
        }
    }
}

//! `paste`, after GNU coreutils 9.1: lines of files beside each other, or with `-s` all lines of a file as one.
//!
//! The inputs stream. Files that end early have empty columns. Operands `-` share standard input, so that they take
//! its lines in turn: `paste - -` makes two columns of one input.

use std::cell::RefCell;
use std::io::{BufRead, BufReader, Read};
use std::rc::Rc;

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::{CHUNK, Output};
use crate::quote;
use crate::system::{self, Failure};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: paste [OPTION]... [FILE]...\nWrite lines consisting of the sequentially corresponding lines from\neach FILE, separated by TABs, to standard output.\n",
    options: &[
        Opt("d", "delimiters", Value::Required),
        Opt("s", "serial", Value::No),
        Opt("z", "zero-terminated", Value::No),
    ],
    permute: true,
    status: 1,
};

/// Runs `paste`.
pub fn run(call: &Call) -> i32 {
    match options::parse(call, &SYNTAX).and_then(|parsed| paste(call, &parsed)) {
        Ok(status) | Err(status) => status,
    }
}

/// Reads the options and pastes. Both of the results are exit statuses.
fn paste(call: &Call, parsed: &Parsed) -> Result<i32, i32> {
    let mut job = Job {
        call,
        delimiters: delimiters(call, parsed.value("d").unwrap_or(b"\t"))?,
        end: if parsed.has("z") { 0 } else { b'\n' },
        standard: None,
        status: 0,
        out: Output::new(),
    };
    let default = [b"-".to_vec()];
    let names = match parsed.operands.as_slice() {
        [] => &default[..],
        names => names,
    };
    if parsed.has("s") {
        names.iter().for_each(|name| job.serial(name));
    } else {
        job.parallel(names)?;
    }
    Ok(job.out.finish(&call.name, job.status, 1))
}

/// What stands between columns, one after the other and again from the first (`-d`); none is nothing (`\0`). There is
/// one at least.
fn delimiters(call: &Call, list: &[u8]) -> Result<Vec<Option<u8>>, i32> {
    let mut found = Vec::new();
    let mut rest = list.iter();
    while let Some(byte) = rest.next() {
        let meant = match (byte, byte == &b'\\') {
            (byte, false) => Some(*byte),
            (_, true) => match rest.next() {
                Some(b'0') => None,
                Some(b'b') => Some(8),
                Some(b'f') => Some(12),
                Some(b'n') => Some(b'\n'),
                Some(b'r') => Some(b'\r'),
                Some(b't') => Some(b'\t'),
                Some(b'v') => Some(11),
                Some(other) => Some(*other),
                None => {
                    let message = "delimiter list ends with an unescaped backslash: ";
                    return Err(call.fail(1, bytes!(message, list)));
                }
            },
        };
        found.push(meant);
    }
    if found.is_empty() {
        found.push(None);
    }
    Ok(found)
}

/// A file that is read by one or more columns.
type Column = Rc<RefCell<BufReader<Box<dyn Read>>>>;

/// The state of one call.
struct Job<'a> {
    call: &'a Call,
    /// What stands between columns.
    delimiters: Vec<Option<u8>>,
    /// What ends lines.
    end: u8,
    /// Standard input, shared by all columns that are `-`.
    standard: Option<Column>,
    status: i32,
    out: Output,
}

impl Job<'_> {
    /// Opens a column.
    fn open(&mut self, name: &[u8]) -> Result<Column, Failure> {
        if name == b"-"
            && let Some(column) = &self.standard
        {
            return Ok(Rc::clone(column));
        }
        let reader = BufReader::with_capacity(CHUNK, system::open_input(name)?);
        let column = Rc::new(RefCell::new(reader));
        if name == b"-" {
            self.standard = Some(Rc::clone(&column));
        }
        Ok(column)
    }

    /// Says that a file cannot be read; the status becomes 1.
    fn refuse(&mut self, name: &[u8], failure: Failure) {
        self.status = 1;
        self.out.flush();
        let message = bytes!(quote::shell_where_needed(name), ": ", failure);
        self.call.fail(1, message);
    }

    /// The next line of a column without its end; false where there is none.
    fn next(&mut self, name: &[u8], column: &Column, line: &mut Vec<u8>) -> bool {
        line.clear();
        if let Err(error) = column.borrow_mut().read_until(self.end, line) {
            self.refuse(name, error.into());
        }
        let found = !line.is_empty();
        if line.last() == Some(&self.end) {
            line.pop();
        }
        found
    }

    /// Writes what stands behind a column, counted from 0.
    fn delimit(&mut self, column: usize) {
        if let Some(byte) = self.delimiters[column % self.delimiters.len()] {
            self.out.put([byte]);
        }
    }

    /// All lines of one file as one line.
    fn serial(&mut self, name: &[u8]) {
        let mut line = Vec::new();
        let column = match self.open(name) {
            Ok(column) => column,
            Err(failure) => {
                // A directory is an empty file whose reading failed, anything else has no line.
                if failure.0 == system::Errno::IsDirectory {
                    self.out.end_line(self.end);
                }
                return self.refuse(name, failure);
            }
        };
        let mut before = 0;
        while self.next(name, &column, &mut line) {
            if before > 0 {
                self.delimit(before - 1);
            }
            before += 1;
            self.out.put(&line);
        }
        self.out.end_line(self.end);
    }

    /// The first lines of all files as one line, then the second ones, and so on.
    fn parallel(&mut self, names: &[Vec<u8>]) -> Result<(), i32> {
        let mut columns = Vec::new();
        for name in names {
            match self.open(name) {
                Ok(column) => columns.push(Some(column)),
                Err(failure) => {
                    let fatal = failure.0 != system::Errno::IsDirectory;
                    self.refuse(name, failure);
                    if fatal {
                        return Err(1);
                    }
                    columns.push(None);
                }
            }
        }
        let mut line = Vec::new();
        while !self.out.is_broken() {
            // Delimiters wait until a column has something: after the last row there is none.
            let mut begun = None;
            for (at, name) in names.iter().enumerate() {
                let Some(column) = columns[at].clone() else {
                    continue;
                };
                if !self.next(name, &column, &mut line) {
                    columns[at] = None;
                    continue;
                }
                (begun.unwrap_or(0)..at).for_each(|column| self.delimit(column));
                begun = Some(at);
                self.out.put(&line);
            }
            let Some(last) = begun else { break };
            (last..names.len() - 1).for_each(|column| self.delimit(column));
            self.out.end_line(self.end);
        }
        Ok(())
    }
}

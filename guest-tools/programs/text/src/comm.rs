//! `comm`, after GNU coreutils 9.1: lines that two sorted files have and do not have in common.
//!
//! Lines only in the first file, only in the second, and in both are in a column each, behind as many delimiters as
//! columns are shown before it. The files are merged as they are read. GNU's looks at the order of lines from the
//! first one on that has no partner, which the one of uutils does not (recorded in `comm.t`).
//!
//! The status is 1 for an error, and where a file is not sorted.

use std::cmp::Ordering;
use std::io::{BufRead, BufReader, Read};

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::{CHUNK, Output};
use crate::quote;
use crate::system::{self, Failure};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: comm [OPTION]... FILE1 FILE2\nCompare sorted files FILE1 and FILE2 line by line.\n\nWhen FILE1 or FILE2 (not both) is -, read standard input.\n",
    options: &[
        Opt("1", "", Value::No),
        Opt("2", "", Value::No),
        Opt("3", "", Value::No),
        Opt("", "check-order", Value::No),
        Opt("", "nocheck-order", Value::No),
        Opt("", "output-delimiter", Value::Required),
        Opt("", "total", Value::No),
        Opt("z", "zero-terminated", Value::No),
    ],
    permute: true,
    status: 1,
};

/// Runs `comm`.
pub fn run(call: &Call) -> i32 {
    match options::parse(call, &SYNTAX).and_then(|parsed| compare(call, &parsed)) {
        Ok(status) | Err(status) => status,
    }
}

/// Whether lines out of order are told.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Check {
    /// From the first line without a partner on.
    Usual,
    /// From the beginning, and the first one ends it.
    Strict,
    Never,
}

/// A file, at one of its lines.
struct Side<'a> {
    /// Its name, for messages.
    name: &'a [u8],
    /// 1 or 2.
    number: usize,
    reader: BufReader<Box<dyn Read>>,
    end: u8,
    /// This line without its end, the one before and the one before that; none where there is none.
    lines: [Option<Vec<u8>>; 3],
    /// It was said that it is not sorted.
    is_disordered: bool,
}

impl<'a> Side<'a> {
    /// Opens a file at its first line.
    fn open(name: &'a [u8], number: usize, end: u8) -> Result<Side<'a>, Failure> {
        let mut side = Side {
            name,
            number,
            reader: BufReader::with_capacity(CHUNK, system::open_input(name)?),
            end,
            lines: [None, None, None],
            is_disordered: false,
        };
        side.advance()?;
        Ok(side)
    }

    /// The line at hand; none at the end.
    fn line(&self) -> Option<&[u8]> {
        self.lines[0].as_deref()
    }

    /// Goes to the next line.
    fn advance(&mut self) -> Result<(), Failure> {
        self.lines.rotate_right(1);
        let mut line = self.lines[0].take().unwrap_or_default();
        line.clear();
        if self.reader.read_until(self.end, &mut line)? > 0 {
            if line.last() == Some(&self.end) {
                line.pop();
            }
            self.lines[0] = Some(line);
        }
        Ok(())
    }

    /// Whether the line before is above this one; at the end of the file, whether the last but one was above the last.
    fn falls(&self) -> bool {
        match &self.lines {
            [Some(line), Some(before), _] => before > line,
            [None, Some(line), Some(before)] => before > line,
            _ => false,
        }
    }
}

/// The state of one call.
struct Job<'a> {
    call: &'a Call,
    check: Check,
    /// Which columns are shown: not those of `-1`, `-2` and `-3`.
    columns: [bool; 3],
    /// What stands before columns.
    delimiter: &'a [u8],
    end: u8,
    out: Output,
}

/// Reads the command line and compares. Both of the results are exit statuses.
fn compare(call: &Call, parsed: &Parsed) -> Result<i32, i32> {
    let refuse = |message: Vec<u8>| Err(options::usage_error(call, &SYNTAX, message));
    let (first, second) = match parsed.operands.as_slice() {
        [] => return refuse(b"missing operand".to_vec()),
        [only] => return refuse(bytes!("missing operand after ", quote::word(only))),
        [first, second] => (first, second),
        [_, _, extra, ..] => return refuse(bytes!("extra operand ", quote::word(extra))),
    };
    let check = match (parsed.has("check-order"), parsed.has("nocheck-order")) {
        (_, true) => Check::Never,
        (true, false) => Check::Strict,
        (false, false) => Check::Usual,
    };
    let given = parsed.value("output-delimiter");
    let mut delimiters = parsed.options.iter();
    if delimiters.any(|(key, one)| *key == "output-delimiter" && Some(one.as_slice()) != given) {
        return Err(call.fail(1, "multiple output delimiters specified"));
    }
    let end = if parsed.has("z") { 0 } else { b'\n' };
    let mut job = Job {
        call,
        check,
        columns: ["1", "2", "3"].map(|column| !parsed.has(column)),
        delimiter: match given {
            // Nothing is a zero, but for the totals.
            Some([]) => b"\0",
            Some(delimiter) => delimiter,
            None => b"\t",
        },
        end,
        out: Output::new(),
    };
    let mut open =
        |name, number| Side::open(name, number, end).map_err(|failure| job.refuse(name, failure));
    let mut sides = [open(first, 1)?, open(second, 2)?];
    let counts = job.merge(&mut sides)?;
    if parsed.has("total") {
        let delimiter = given.unwrap_or(b"\t");
        for count in counts {
            job.out.put(bytes!(count.to_string(), delimiter));
        }
        job.out.put(bytes!("total", [end]));
    }
    let status = job.out.finish(&call.name, 0, 1);
    match sides.iter().any(|side| side.is_disordered) {
        true => Err(call.fail(1, "input is not in sorted order")),
        false => Ok(status),
    }
}

impl Job<'_> {
    /// Says that a file cannot be read; gives the exit status.
    fn refuse(&mut self, name: &[u8], failure: Failure) -> i32 {
        self.out.flush();
        let message = bytes!(quote::shell_where_needed(name), ": ", failure);
        self.call.fail(1, message)
    }

    /// Writes the lines into their columns; gives how many each has. The error is the status, after a message.
    fn merge(&mut self, sides: &mut [Side<'_>; 2]) -> Result<[u64; 3], i32> {
        let mut counts = [0; 3];
        loop {
            let order = match (sides[0].line(), sides[1].line()) {
                (None, None) => return Ok(counts),
                (None, Some(_)) => Ordering::Greater,
                (Some(_), None) => Ordering::Less,
                (Some(first), Some(second)) => first.cmp(second),
            };
            let column = match order {
                Ordering::Less => 0,
                Ordering::Greater => 1,
                Ordering::Equal => 2,
            };
            counts[column] += 1;
            let from = usize::from(order == Ordering::Greater);
            self.write(column, sides[from].line().unwrap_or_default());
            let is_paired = counts[0] + counts[1] == 0;
            for (side, passed) in sides.iter_mut().zip([Ordering::Less, Ordering::Greater]) {
                if order == passed || order == Ordering::Equal {
                    let name = side.name;
                    side.advance()
                        .map_err(|failure| self.refuse(name, failure))?;
                    self.look(side, is_paired)?;
                }
            }
        }
    }

    /// Tells once of each file that its lines are out of order. `is_paired` is whether every line so far had a
    /// partner. The error ends the command, with `--check-order`.
    fn look(&mut self, side: &mut Side<'_>, is_paired: bool) -> Result<(), i32> {
        let looks = match self.check {
            Check::Usual => !is_paired,
            Check::Strict => true,
            Check::Never => false,
        };
        if !looks || side.is_disordered || !side.falls() {
            return Ok(());
        }
        side.is_disordered = true;
        self.out.flush();
        let message = format!("file {} is not in sorted order", side.number);
        let status = self.call.fail(1, message);
        match self.check {
            Check::Strict => Err(status),
            _ => Ok(()),
        }
    }

    /// Writes a line into its column, if that is shown.
    fn write(&mut self, column: usize, line: &[u8]) {
        if !self.columns[column] {
            return;
        }
        // The column of both comes after the other two.
        for _ in self.columns[..column].iter().filter(|shown| **shown) {
            self.out.put(self.delimiter);
        }
        self.out.put(line);
        self.out.end_line(self.end);
    }
}

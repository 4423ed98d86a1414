//! `join`, after GNU coreutils 9.1: lines of two sorted files that have the same join field.
//!
//! `options` reads the command line, `side` reads a file and splits its lines. The files are merged as they are read;
//! memory is that of the lines with the same join field, of which every line of one file is paired with every line of
//! the other.
//!
//! Files must be sorted by their join fields, as `sort -k` with the same separator does it. Without an option the
//! order counts from the first line on that has no partner, and a disorder is said once for each file.
//!
//! Statuses: 0; 1 for an error, and where a file is not sorted.

mod options;
mod side;

use std::cmp::Ordering;

use crate::call::{Call, bytes};
use crate::options::{parse, usage_error};
use crate::output::Output;
use crate::quote;
use crate::system::{self, Errno};
use options::{Column, Plan, SYNTAX};
use side::{Line, Separator, Side, refused, unreadable};

/// Runs `join`.
pub fn run(call: &Call) -> i32 {
    match join(call) {
        Ok(status) | Err(status) => status,
    }
}

/// Reads the command line and joins. Both of the results are exit statuses.
fn join(call: &Call) -> Result<i32, i32> {
    let parsed = parse(call, &SYNTAX)?;
    let plan = Plan::new(call, &parsed)?;
    let names = match parsed.operands.as_slice() {
        [first, second] => [first, second],
        [] => return Err(usage_error(call, &SYNTAX, "missing operand")),
        [only] => {
            let message = bytes!("missing operand after ", quote::word(only));
            return Err(usage_error(call, &SYNTAX, message));
        }
        [_, _, extra, ..] => {
            let message = bytes!("extra operand ", quote::message(extra));
            return Err(usage_error(call, &SYNTAX, message));
        }
    };
    if names.iter().all(|name| *name == b"-") {
        return Err(call.fail(1, "both files cannot be standard input"));
    }
    let open = |file: usize| match system::open_input(names[file]) {
        Ok(input) => Ok(Side::new(input, names[file].clone(), plan.keys[file])),
        Err(failure) if failure.0 == Errno::IsDirectory => Err(unreadable(call, failure)),
        Err(failure) => Err(refused(call, names[file], failure)),
    };
    let sides = [open(0)?, open(1)?];
    let mut join = Join {
        plan: &plan,
        sides,
        unpaired: false,
        widths: None,
        row: Vec::new(),
        out: Output::new(),
    };
    let outcome = join.run();
    let disordered = join.sides.iter().any(|side| side.disordered);
    let status = join.out.finish(&call.name, 0, 1);
    outcome?;
    if disordered {
        return Err(call.fail(1, "input is not in sorted order"));
    }
    Ok(status)
}

/// The state of one call.
struct Join<'a> {
    plan: &'a Plan<'a>,
    sides: [Side; 2],
    /// A line without a partner was seen: from then on the order counts.
    unpaired: bool,
    /// How many fields of each file are written, where the first lines fix that (`-o auto`).
    widths: Option<[usize; 2]>,
    /// The memory of a line that is written.
    row: Vec<u8>,
    out: Output,
}

impl Join<'_> {
    /// Joins the files; the error is the status, after a message.
    fn run(&mut self) -> Result<(), i32> {
        self.next(0)?;
        self.next(1)?;
        if self.plan.automatic {
            let width = |side: &Side| side.first().map_or(0, Line::len);
            self.widths = Some([width(&self.sides[0]), width(&self.sides[1])]);
        }
        if self.plan.header && self.sides.iter().any(|side| side.first().is_some()) {
            self.write(0, 0, [true, true]);
            for file in 0..2 {
                self.sides[file].forget_order();
                if self.sides[file].first().is_some() {
                    self.next(file)?;
                }
            }
        }
        while self.sides.iter().all(|side| side.first().is_some()) && !self.out.is_broken() {
            let [a, b] = &self.sides;
            match self.plan.rules.compare(a.key_of(0), b.key_of(0)) {
                Ordering::Less => self.alone(0)?,
                Ordering::Greater => self.alone(1)?,
                Ordering::Equal => self.together()?,
            }
        }
        self.rest(0)?;
        self.rest(1)
    }

    /// Goes to the next line of a file; false at its end.
    fn next(&mut self, file: usize) -> Result<bool, i32> {
        self.sides[file].next(&self.plan.rules, self.unpaired)
    }

    /// The line at hand of a file has no partner.
    fn alone(&mut self, file: usize) -> Result<(), i32> {
        if self.plan.unpaired[file] {
            self.write(0, 0, [file == 0, file == 1]);
        }
        self.next(file)?;
        self.unpaired = true;
        Ok(())
    }

    /// Pairs of all lines with the join field of those at hand.
    fn together(&mut self) -> Result<(), i32> {
        let ended = [self.gather(0)?, self.gather(1)?];
        let count = |file: usize| self.sides[file].lines().len() - usize::from(!ended[file]);
        if self.plan.paired {
            let counts = [count(0), count(1)];
            for a in 0..counts[0] {
                for b in 0..counts[1] {
                    self.write(a, b, [true, true]);
                }
            }
        }
        for (side, ended) in self.sides.iter_mut().zip(ended) {
            if ended {
                side.clear();
            } else {
                side.keep_last();
            }
        }
        Ok(())
    }

    /// Reads lines of a file up to one with another join field than the first, which is at hand as well; true at the
    /// end.
    fn gather(&mut self, file: usize) -> Result<bool, i32> {
        let rules = &self.plan.rules;
        loop {
            if !self.sides[file].add(rules, self.unpaired)? {
                return Ok(true);
            }
            // The other file's first line has the same join field.
            let (own, other) = (&self.sides[file], &self.sides[1 - file]);
            let last = own.key_of(own.lines().len() - 1);
            if rules.compare(last, other.key_of(0)) != Ordering::Equal {
                return Ok(false);
            }
        }
    }

    /// Writes the lines of a file after the end of the other one, if they are asked for, and looks at their order.
    fn rest(&mut self, file: usize) -> Result<(), i32> {
        let told = self.sides.iter().all(|side| side.disordered);
        let checks = self.plan.rules.order.is_some() && !told;
        let writes = self.plan.unpaired[file];
        if self.sides[file].first().is_none() || !(writes || checks) {
            return Ok(());
        }
        loop {
            if writes {
                self.write(0, 0, [file == 0, file == 1]);
            }
            let more = self.next(file)?;
            if !more || self.out.is_broken() || (self.sides[file].disordered && !writes) {
                return Ok(());
            }
        }
    }

    /// Writes a row of one line at hand of each file: `a` and `b` are their indexes, `of` says which file has one.
    fn write(&mut self, a: usize, b: usize, of: [bool; 2]) {
        let mut row = std::mem::take(&mut self.row);
        row.clear();
        let absent = Line::default();
        let at = |file: usize, index: usize| match of[file] {
            true => self.sides[file].lines().get(index).unwrap_or(&absent),
            false => &absent,
        };
        let lines = [at(0, a), at(1, b)];
        let key = match of[0] && (self.sides[0].first().is_some() || !of[1]) {
            true => lines[0].field(self.sides[0].key),
            false => lines[1].field(self.sides[1].key),
        };
        let between: &[u8] = match &self.plan.rules.separator {
            Separator::Blanks => b" ",
            Separator::Text(text) => text,
            Separator::None => b"\n",
        };
        let mut put = |field: &[u8], first: bool| {
            if !first {
                row.extend_from_slice(between);
            }
            row.extend_from_slice(if field.is_empty() {
                &self.plan.filler
            } else {
                field
            });
        };
        for (at, column) in self.plan.columns.iter().enumerate() {
            match column {
                Column::Key => put(key, at == 0),
                Column::Field(file, field) => put(lines[*file].field(*field), at == 0),
            }
        }
        if self.plan.columns.is_empty() {
            put(key, true);
            for (file, line) in lines.iter().enumerate() {
                let count = self.widths.map_or(line.len(), |widths| widths[file]);
                for field in (0..count).filter(|field| *field != self.sides[file].key) {
                    put(line.field(field), false);
                }
            }
        }
        row.push(self.plan.rules.end);
        self.out.put(&row);
        self.row = row;
    }
}

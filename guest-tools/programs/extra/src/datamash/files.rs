//! Operations on the whole table: `transpose`, `reverse`, `check` and `rmdup`.
//!
//! `transpose` keeps the input in memory; the others take a line at a time, and `rmdup` the set of the keys it has
//! seen.

use std::collections::HashSet;
use std::io::Write as _;

use super::input::{Input, Line};
use super::plan::Key;
use super::{Settings, Stop};
use crate::call::bytes;
use crate::output::Output;

/// The size that a table should have.
#[derive(Default)]
pub struct Size {
    /// The wanted number of lines; `None` for any.
    pub lines: Option<u64>,
    /// The wanted number of fields in each line; `None` for the number in the first one.
    pub fields: Option<u64>,
}

/// Refuses a line with another number of fields than those before it.
fn check_width(what: &str, line: &Line, width: &mut Option<usize>) -> Result<(), Stop> {
    let count = line.count();
    match *width.get_or_insert(count) {
        before if before != count => Err(Stop::from(format!(
            "{what} input error: line {} has {count} fields (previous lines had {before});\nsee --help to disable strict mode",
            line.number
        ))),
        _ => Ok(()),
    }
}

/// Columns become lines: `1 2` over `3 4` gives `1 3` over `2 4`.
///
/// With `--no-strict` lines may differ in width, and missing cells are the filler.
pub fn transpose(settings: &Settings, input: &mut Input, out: &mut Output) -> Result<(), Stop> {
    let mut lines = Vec::new();
    let mut width = None;
    while let Some(line) = input.next()? {
        if settings.is_strict {
            check_width("transpose", &line, &mut width)?;
        }
        lines.push(line);
    }
    let widest = lines.iter().map(Line::count).max().unwrap_or(0);
    for column in 0..widest {
        let fields = lines.iter().map(|line| line.get(column));
        settings.write(out, fields.map(|field| field.unwrap_or(&settings.filler)));
    }
    Ok(())
}

/// The last column becomes the first one: `a b c` gives `c b a`.
pub fn reverse(settings: &Settings, input: &mut Input, out: &mut Output) -> Result<(), Stop> {
    let mut width = None;
    while let Some(line) = input.next()? {
        if settings.is_strict {
            check_width("reverse-field", &line, &mut width)?;
        }
        settings.write(out, line.fields().rev());
    }
    Ok(())
}

/// `check`: prints the size of the table, as in `3 lines, 2 fields`.
///
/// # Errors
/// A line with another number of fields than the one before or than is wanted, which is shown on standard error, and
/// another number of lines than is wanted.
pub fn check(wanted: &Size, input: &mut Input, out: &mut Output) -> Result<(), Stop> {
    let mut last: Option<Line> = None;
    let mut count = 0;
    while let Some(line) = input.next()? {
        count += 1;
        let fields = line.count() as u64;
        if wanted.fields.is_some_and(|wanted| wanted != fields) {
            show(&line);
            let (number, wanted) = (line.number, wanted.fields.unwrap_or(0));
            let message =
                format!("check failed: line {number} has {fields} fields (expecting {wanted})");
            return Err(message.into());
        }
        if let Some(last) = &last
            && last.count() != line.count()
        {
            show(last);
            show(&line);
            let (number, before) = (line.number, last.count());
            return Err(Stop::from(format!(
                "check failed: line {number} has {fields} fields (previous line had {before})"
            )));
        }
        last = Some(line);
    }
    if let Some(wanted) = wanted.lines.filter(|wanted| *wanted != count) {
        let message = format!("check failed: input had {count} lines (expecting {wanted})");
        return Err(message.into());
    }
    let fields = last.map_or(0, |line| line.count());
    let several = |number: u64| if number == 1 { "" } else { "s" };
    out.line(format!(
        "{count} line{}, {fields} field{}",
        several(count),
        several(fields as u64)
    ));
    Ok(())
}

/// Shows a line that is wrong.
fn show(line: &Line) {
    let start = format!("line {} ({} fields):\n  ", line.number, line.count());
    // Nothing is left to tell where standard error is gone.
    let _ = std::io::stderr().write_all(&bytes!(start, line.text, "\n"));
}

/// `rmdup`: drops lines whose column was seen before; the first one of each value stays, in the order of the input.
pub fn unique(
    settings: &Settings,
    input: &mut Input,
    key: &Key,
    out: &mut Output,
) -> Result<(), Stop> {
    let mut seen = HashSet::new();
    if settings.header_in
        && settings.header_out
        && let Some(header) = &input.header
    {
        settings.write(out, header.fields());
    }
    while let Some(line) = input.next()? {
        if seen.insert(line.field(key.column)?.to_vec()) {
            out.put(&line.text);
            out.end_line(settings.line_end);
        }
    }
    Ok(())
}

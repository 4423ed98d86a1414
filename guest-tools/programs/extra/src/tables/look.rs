//! `csvlook`: a table in Markdown's form, with columns as wide as their widest cell.
//!
//! ```text
//! | name |  size |
//! | ---- | ----- |
//! | a    | 1,024 |
//! ```
//!
//! Text is aligned to the left, everything else to the right. Numbers of a column have the same number of digits behind
//! the point, at most three, and a `…` where there were more. Widths are counted in characters.

use super::types::{self, Cell, Kind};
use super::{arguments, count, number, number_rows, read, with_common};
use crate::call::Call;
use crate::options::{Opt, Syntax, Value};
use crate::output::Output;

/// A number with commas between thousands.
pub fn grouped(text: &str) -> String {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", text),
    };
    let (whole, fraction) = digits
        .split_once('.')
        .map_or((digits, None), |(a, b)| (a, Some(b)));
    let mut out = String::from(sign);
    for (place, digit) in whole.chars().enumerate() {
        if place > 0 && (whole.len() - place).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    if let Some(fraction) = fraction {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

/// How many digits after the point a plain number needs.
pub fn precision(text: &str) -> usize {
    text.split_once('.')
        .map_or(0, |(_, fraction)| fraction.trim_end_matches('0').len())
}

/// The most digits after the point that are shown.
const PRECISION: usize = 3;

/// Cuts a text to a width; where that is too small for the dots, their excess is taken off the end.
fn shorten(text: String, most: Option<i64>) -> String {
    let length = text.chars().count() as i64;
    match most {
        Some(most) if length > most => {
            let end = most - 3;
            let kept = if end < 0 { length + end } else { end };
            let kept = usize::try_from(kept).unwrap_or(0);
            text.chars().take(kept).chain("...".chars()).collect()
        }
        _ => text,
    }
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    const OPTIONS: [Opt; 22] = with_common([
        Opt("", "max-rows", Value::Required),
        Opt("", "max-columns", Value::Required),
        Opt("", "max-column-width", Value::Required),
        Opt("I", "no-inference", Value::No),
        Opt("", "blanks", Value::No),
        Opt("y", "snifflimit", Value::Required),
    ]);
    const SYNTAX: Syntax = Syntax {
        usage: "usage: csvlook [-d DELIMITER] [-t] [-q QUOTECHAR] [-u {0,1,2,3}] [-b] [-p ESCAPECHAR]\n\
               [-e ENCODING] [-S] [--blanks] [-H] [-K SKIP_LINES] [-l] [-V] [--max-rows N] [--max-columns N]\n\
               [--max-column-width N] [-y N] [-I] [FILE]\n\
Render a CSV file in the console as a Markdown-compatible, fixed-width table.\n",
        options: &OPTIONS,
        permute: true,
        status: 2,
    };
    let run = || -> Result<i32, i32> {
        let parsed = arguments(call, &SYNTAX)?;
        let mut table = read(&parsed)?;
        number_rows(&parsed, &mut table, "line_numbers", true);
        let (rows, columns) = (count(&parsed, "max-rows")?, count(&parsed, "max-columns")?);
        let width = number(&parsed, "max-column-width")?;
        let typed = types::infer(&parsed, table);
        Ok(print(&typed, rows, columns, width))
    };
    run().unwrap_or_else(|status| status)
}

/// Writes the table; what is beyond the most rows or columns is `...`.
fn print(
    typed: &types::Typed,
    max_rows: Option<usize>,
    max_columns: Option<usize>,
    width: Option<i64>,
) -> i32 {
    let columns = typed.names.len().min(max_columns.unwrap_or(usize::MAX));
    let rows = typed.rows.len().min(max_rows.unwrap_or(usize::MAX));
    let mut cells: Vec<Vec<String>> = vec![Vec::new(); rows + 1];
    for column in 0..columns {
        cells[0].push(shorten(typed.names[column].clone(), width));
        let digits = typed.rows[..rows]
            .iter()
            .map(|row| match &row[column] {
                Cell::Number(_, text) => precision(text),
                _ => 0,
            })
            .max()
            .unwrap_or(0);
        for (place, row) in typed.rows[..rows].iter().enumerate() {
            let text = match &row[column] {
                Cell::Number(value, _) => {
                    let mark = if digits > PRECISION { "…" } else { "" };
                    grouped(&format!("{value:.0$}", digits.min(PRECISION))) + mark
                }
                Cell::DateTime(..) => row[column].text().replacen('T', " ", 1),
                other => other.text(),
            };
            cells[place + 1].push(shorten(text, width));
        }
    }
    let mut kinds: Vec<Kind> = typed.kinds[..columns].to_vec();
    if columns < typed.names.len() {
        cells.iter_mut().for_each(|row| row.push("...".to_owned()));
        kinds.push(Kind::Text);
    }
    let widths: Vec<usize> = (0..kinds.len())
        .map(|column| {
            cells
                .iter()
                .map(|row| row[column].chars().count())
                .max()
                .unwrap_or(0)
        })
        .collect();
    let mut out = Output::new();
    let mut line = |row: &[String], pad: fn(&str, usize, Kind) -> String| {
        let shown: Vec<String> = row
            .iter()
            .zip(widths.iter().zip(&kinds))
            .map(|(cell, (&width, &kind))| pad(cell, width, kind))
            .collect();
        out.line(format!("| {} |", shown.join(" | ")));
    };
    line(&cells[0], justified);
    let rules: Vec<String> = widths.iter().map(|&width| "-".repeat(width)).collect();
    line(&rules, justified);
    for row in &cells[1..] {
        line(row, justified);
    }
    if rows < typed.rows.len() {
        let dots = vec!["...".to_owned(); kinds.len()];
        line(&dots, justified);
    }
    out.finish("csvlook", 0, 1)
}

/// A cell filled up to a width: text to the left, other kinds to the right.
fn justified(cell: &str, width: usize, kind: Kind) -> String {
    let fill = " ".repeat(width.saturating_sub(cell.chars().count()));
    if kind == Kind::Text {
        format!("{cell}{fill}")
    } else {
        format!("{fill}{cell}")
    }
}

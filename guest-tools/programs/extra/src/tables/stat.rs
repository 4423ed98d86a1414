//! `csvstat`: what is in the columns of a table.
//!
//! ```text
//! printf 'n\n1\n2\n2\n' | csvstat --mean            1.667
//! printf 'n\n1\n2\n2\n' | csvstat --freq            { "2": 2, "1": 1 }
//! ```
//!
//! Which statistics there are depends on the type of the column: extremes of numbers, dates and spans, sums of numbers
//! and spans, mean, median and standard deviation (of a sample) of numbers, the longest value of texts. Nulls do not
//! count, but for `unique` and `freq`. Numbers are rounded to three digits behind the point.

use super::types::{self, Cell, Kind, Typed};
use super::{
    arguments, columns, count, offset, print_names, read, read_rows, with_common, write_rows,
};
use crate::call::Call;
use crate::options::{Opt, Parsed, Syntax, Value};
use crate::output::Output;

/// The statistics in the order of the report: option and column of `--csv`, and label.
const OPERATIONS: [(&str, &str); 11] = [
    ("type", "Type of data: "),
    ("nulls", "Contains null values: "),
    ("unique", "Unique values: "),
    ("min", "Smallest value: "),
    ("max", "Largest value: "),
    ("sum", "Sum: "),
    ("mean", "Mean: "),
    ("median", "Median: "),
    ("stdev", "StDev: "),
    ("len", "Longest value: "),
    ("freq", "Most common values: "),
];

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    const OPTIONS: [Opt; 33] = with_common([
        Opt("", "type", Value::No),
        Opt("", "nulls", Value::No),
        Opt("", "unique", Value::No),
        Opt("", "min", Value::No),
        Opt("", "max", Value::No),
        Opt("", "sum", Value::No),
        Opt("", "mean", Value::No),
        Opt("", "median", Value::No),
        Opt("", "stdev", Value::No),
        Opt("", "len", Value::No),
        Opt("", "freq", Value::No),
        Opt("", "freq-count", Value::Required),
        Opt("", "count", Value::No),
        Opt("", "csv", Value::No),
        Opt("n", "names", Value::No),
        Opt("c", "columns", Value::Required),
        Opt("y", "snifflimit", Value::Required),
    ]);
    const SYNTAX: Syntax = Syntax {
        usage: "usage: csvstat [-d DELIMITER] [-t] [-q QUOTECHAR] [-u {0,1,2,3}] [-b] [-p ESCAPECHAR]\n\
               [-e ENCODING] [-S] [-H] [-K SKIP_LINES] [-V] [--csv] [-n] [-c COLUMNS] [--type] [--nulls] [--unique]\n\
               [--min] [--max] [--sum] [--mean] [--median] [--stdev] [--len] [--freq] [--freq-count N] [--count] [-y N] [FILE]\n\
Print descriptive statistics for each column in a CSV file.\n",
        options: &OPTIONS,
        permute: true,
        status: 2,
    };
    let run = || -> Result<i32, i32> {
        let parsed = arguments(call, &SYNTAX)?;
        if parsed.has("n") {
            return print_names(&parsed);
        }
        let asked = OPERATIONS
            .iter()
            .filter(|(name, _)| parsed.has(name))
            .count();
        let refuse = |what: &str| {
            eprintln!("csvstat: error: {what}");
            Err(2)
        };
        if asked > 1 {
            return refuse("Only one operation argument may be specified (--mean, --median, etc).");
        }
        for other in ["csv", "count"] {
            if asked > 0 && parsed.has(other) {
                return refuse(&format!(
                    "You may not specify --{other} and an operation (--mean, --median, etc) at the same time."
                ));
            }
        }
        if parsed.has("count") {
            let table = read_rows(&parsed, false)?;
            let none = !parsed.has("H") && table.names.is_empty() && table.rows.is_empty();
            println!("{}", table.rows.len() as i64 - i64::from(none));
            return Ok(table.end(&parsed, 0));
        }
        let table = read(&parsed)?;
        let wanted = columns(&table.names, parsed.value("c"), offset(&parsed))?;
        let most = count(&parsed, "freq-count")?
            .filter(|most| *most > 0)
            .unwrap_or(5);
        let typed = types::infer(&parsed, table);
        Ok(report(&parsed, &typed, &wanted, most))
    };
    run().unwrap_or_else(|status| status)
}

/// Prints one statistic, a table (`--csv`), or the report of each column.
fn report(parsed: &Parsed, typed: &Typed, wanted: &[usize], most: usize) -> i32 {
    let one = OPERATIONS.iter().find(|(name, _)| parsed.has(name));
    let mut out = Output::new();
    if let Some((name, _)) = one {
        for &column in wanted {
            let value = single(typed, column, name, most);
            if wanted.len() == 1 {
                out.line(value);
            } else {
                out.line(format!(
                    "{:3}. {}: {value}",
                    column + 1,
                    typed.names[column]
                ));
            }
        }
        return out.finish("csvstat", 0, 1);
    }
    if parsed.has("csv") {
        return as_table(typed, wanted, most);
    }
    for &column in wanted {
        out.line(format!("{:3}. \"{}\"\n", column + 1, typed.names[column]));
        for (name, label) in OPERATIONS {
            details(typed, column, name, label, most, &mut out);
        }
        out.line("");
    }
    out.line(format!("Row count: {}", typed.rows.len()));
    out.finish("csvstat", 0, 1)
}

/// Prints one statistic in the report of a column; nothing where the type has none.
fn details(typed: &Typed, column: usize, name: &str, label: &str, most: usize, out: &mut Output) {
    if name == "freq" {
        let common = frequencies(typed, column);
        for (place, (text, count)) in common.iter().take(most).enumerate() {
            let label = if place == 0 { label } else { "" };
            out.line(format!("\t{label:<23}{text} ({count}x)"));
        }
        return;
    }
    let Some(mut value) = statistic(typed, column, name) else {
        return;
    };
    if name == "nulls" && value == "True" {
        value.push_str(" (excluded from calculations)");
    } else if name == "len" {
        value.push_str(" characters");
    }
    out.line(format!("\t{label:<23}{value}"));
}

/// The value for an option such as `--mean`: `None` where the type has none.
fn single(typed: &Typed, column: usize, name: &str, most: usize) -> String {
    if name == "freq" {
        let common = frequencies(typed, column);
        let shown: Vec<String> = common
            .iter()
            .take(most)
            .map(|(text, count)| format!("\"{text}\": {count}"))
            .collect();
        return format!("{{ {} }}", shown.join(", "));
    }
    statistic(typed, column, name).unwrap_or_else(|| "None".to_owned())
}

/// `--csv`: a line for each column.
fn as_table(typed: &Typed, wanted: &[usize], most: usize) -> i32 {
    let mut rows: Vec<Vec<String>> = vec![
        ["column_id", "column_name"]
            .into_iter()
            .chain(OPERATIONS.iter().map(|(name, _)| *name))
            .map(str::to_owned)
            .collect(),
    ];
    for &column in wanted {
        let mut row = vec![(column + 1).to_string(), typed.names[column].clone()];
        for (name, _) in OPERATIONS {
            row.push(if name == "freq" {
                let common = frequencies(typed, column);
                let texts: Vec<&str> = common
                    .iter()
                    .take(most)
                    .map(|(text, _)| text.as_str())
                    .collect();
                texts.join(", ")
            } else {
                statistic(typed, column, name).unwrap_or_default()
            });
        }
        rows.push(row);
    }
    write_rows(
        "csvstat",
        rows.iter()
            .map(|row| row.iter().map(String::as_str).collect()),
    )
}

/// Values and how often they are there, the most common first; of equal ones that which came first.
fn frequencies(typed: &Typed, column: usize) -> Vec<(String, usize)> {
    let mut counts: indexmap::IndexMap<String, usize> = indexmap::IndexMap::new();
    for row in &typed.rows {
        let text = match &row[column] {
            Cell::Null => "None".to_owned(),
            cell => spelled(cell),
        };
        *counts.entry(text).or_default() += 1;
    }
    let mut counts: Vec<(String, usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    counts
}

/// A number with at most three digits after its point.
fn shown(value: f64) -> String {
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

/// A cell as Python's `str` has it.
fn spelled(cell: &Cell) -> String {
    match cell {
        Cell::Number(value, _) => shown(*value),
        Cell::DateTime(..) => cell.text().replacen('T', " ", 1),
        other => other.text(),
    }
}

/// A statistic of a column as text, but for `freq`. `None` where its type has none, or where it has no values.
fn statistic(typed: &Typed, column: usize, name: &str) -> Option<String> {
    let kind = typed.kinds[column];
    let cells = || typed.rows.iter().map(|row| &row[column]);
    let present = || cells().filter(|cell| **cell != Cell::Null);
    match name {
        "type" => return Some(kind.name().to_owned()),
        "nulls" => {
            let any = cells().any(|cell| *cell == Cell::Null);
            return Some(if any { "True" } else { "False" }.to_owned());
        }
        "unique" => return Some(frequencies(typed, column).len().to_string()),
        "len" if kind == Kind::Text => {
            let longest = present()
                .map(|cell| cell.text().chars().count())
                .max()
                .unwrap_or(0);
            return Some(longest.to_string());
        }
        "min" | "max" if !matches!(kind, Kind::Text | Kind::Boolean) => {
            let order = |a: &&Cell, b: &&Cell| a.compare(b);
            let found = if name == "min" {
                present().min_by(order)
            } else {
                present().max_by(order)
            };
            return found.map(spelled);
        }
        "sum" if kind == Kind::TimeDelta => {
            let seconds = present().filter_map(|cell| match cell {
                Cell::TimeDelta(seconds) => Some(*seconds),
                _ => None,
            });
            return Some(types::delta(seconds.sum()));
        }
        _ => {}
    }
    if kind != Kind::Number {
        return None;
    }
    let mut values: Vec<f64> = present()
        .filter_map(|cell| match cell {
            Cell::Number(value, _) => Some(*value),
            _ => None,
        })
        .collect();
    let sum: f64 = values.iter().sum();
    let mean = sum / values.len() as f64;
    let value = match name {
        "sum" => sum,
        "mean" => mean,
        "median" => {
            values.sort_by(f64::total_cmp);
            let middle = values.len() / 2;
            if values.len() % 2 == 1 {
                values[middle]
            } else {
                (values.get(middle.checked_sub(1)?)? + values[middle]) / 2.0
            }
        }
        "stdev" => {
            let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
            (squares / (values.len() as f64 - 1.0)).sqrt()
        }
        _ => return None,
    };
    Some(shown(value))
}

//! `csvcut`, `csvgrep` and `csvsort`: columns, rows and their order.
//!
//! The first two handle cells as text and keep rows as they are; `csvsort` reads types, so it writes `1.0` for what
//! Python's decimals call `1.0` and `True` for `yes`. The sort is stable, nulls come last (first with `-r`), O(n log
//! n).

use std::collections::HashSet;

use super::{
    arguments, columns, fail, number_rows, offset, print_names, read, read_rows, types,
    with_common, write_rows,
};
use crate::call::Call;
use crate::options::{Opt, Parsed, Syntax, Value};
use crate::system;

/// Runs `csvcut`: the columns of `-c` in that order, less those of `-C`. Cells that a short row lacks are empty.
pub fn cut(call: &Call) -> i32 {
    const OPTIONS: [Opt; 20] = with_common([
        Opt("n", "names", Value::No),
        Opt("c", "columns", Value::Required),
        Opt("C", "not-columns", Value::Required),
        Opt("x", "delete-empty-rows", Value::No),
    ]);
    const SYNTAX: Syntax = Syntax {
        usage: "usage: csvcut [-d DELIMITER] [-t] [-q QUOTECHAR] [-u {0,1,2,3}] [-b] [-p ESCAPECHAR]\n\
              [-e ENCODING] [-S] [-H] [-K SKIP_LINES] [-l] [--zero] [-V] [-n] [-c COLUMNS] [-C NOT_COLUMNS] [-x] [FILE]\n\
Filter and truncate CSV files. Like the Unix \"cut\" command, but for tabular data.\n",
        options: &OPTIONS,
        permute: true,
        status: 2,
    };
    let run = || -> Result<i32, i32> {
        let parsed = arguments(call, &SYNTAX)?;
        if parsed.has("n") {
            return print_names(&parsed);
        }
        let mut table = read_rows(&parsed, false)?;
        let mut wanted = columns(&table.names, parsed.value("c"), offset(&parsed))?;
        if let Some(list) = parsed.value("C").filter(|list| !list.is_empty()) {
            let without = columns(&table.names, Some(list), offset(&parsed))?;
            wanted.retain(|column| !without.contains(column));
        }
        number_rows(&parsed, &mut table, "line_number", false);
        if parsed.has("l") {
            // A column of line numbers is always the first.
            wanted.iter_mut().for_each(|column| *column += 1);
            wanted.insert(0, 0);
        }
        let cells = usize::from(parsed.has("l"));
        fn pick<'r>(wanted: &[usize], row: &'r [String]) -> Vec<&'r str> {
            wanted
                .iter()
                .map(|&column| row.get(column).map_or("", String::as_str))
                .collect()
        }
        let rows = table.rows.iter().map(|row| pick(&wanted, row));
        let is_full = |row: &[&str]| row.iter().skip(cells).any(|cell| !cell.is_empty());
        let rows = rows.filter(|row| !parsed.has("x") || is_full(row));
        let head = std::iter::once(pick(&wanted, &table.names));
        let status = write_rows("csvcut", head.chain(rows));
        Ok(table.end(&parsed, status))
    };
    run().unwrap_or_else(|status| status)
}

/// What a cell must be.
enum Test {
    /// `-m`: the text is part of the cell.
    Contains(String),
    /// `-r`: a match anywhere in the cell.
    Matches(fancy_regex::Regex),
    /// `-f`: the cell is one of the lines of a file.
    OneOf(HashSet<String>),
}

/// A usage error of `csvgrep`.
fn refuse(message: &str) -> i32 {
    eprintln!("csvgrep: error: {message}");
    2
}

impl Test {
    /// The test of `-r`, `-f` or `-m`; none where none of them is there.
    fn read(parsed: &Parsed) -> Result<Option<Test>, i32> {
        let text = |key: &str| {
            parsed
                .value(key)
                .map(|value| String::from_utf8_lossy(value).into_owned())
        };
        if let Some(pattern) = text("r") {
            let pattern = fancy_regex::Regex::new(&pattern)
                .map_err(|error| fail("error", &error.to_string()))?;
            return Ok(Some(Test::Matches(pattern)));
        }
        let Some(file) = parsed.value("f") else {
            return Ok(text("m").map(Test::Contains));
        };
        let bytes = system::read_whole(file).map_err(|failure| {
            refuse(&format!(
                "argument -f/--file: can't open '{}': {}",
                String::from_utf8_lossy(file),
                failure.0
            ))
        })?;
        let lines = String::from_utf8_lossy(&bytes)
            .lines()
            .map(|line| line.trim_end().to_owned())
            .collect();
        Ok(Some(Test::OneOf(lines)))
    }

    /// Whether a cell passes.
    fn holds(&self, cell: &str) -> bool {
        match self {
            Test::Contains(text) => cell.contains(text),
            Test::Matches(pattern) => pattern.is_match(cell).unwrap_or(false),
            Test::OneOf(lines) => lines.contains(cell),
        }
    }
}

/// Runs `csvgrep`: the rows in which all columns of `-c` pass the test (any of them with `-a`), or with `-i` the
/// others.
pub fn grep(call: &Call) -> i32 {
    const OPTIONS: [Opt; 23] = with_common([
        Opt("n", "names", Value::No),
        Opt("c", "columns", Value::Required),
        Opt("m", "match", Value::Required),
        Opt("r", "regex", Value::Required),
        Opt("f", "file", Value::Required),
        Opt("i", "invert-match", Value::No),
        Opt("a", "any-match", Value::No),
    ]);
    const SYNTAX: Syntax = Syntax {
        usage: "usage: csvgrep [-d DELIMITER] [-t] [-q QUOTECHAR] [-u {0,1,2,3}] [-b] [-p ESCAPECHAR]\n\
               [-e ENCODING] [-S] [-H] [-K SKIP_LINES] [-l] [--zero] [-V] [-n] [-c COLUMNS]\n\
               [-m PATTERN] [-r REGEX] [-f MATCHFILE] [-i] [-a] [FILE]\n\
Search CSV files. Like the Unix \"grep\" command, but for tabular data.\n",
        options: &OPTIONS,
        permute: true,
        status: 2,
    };
    let run = || -> Result<i32, i32> {
        let parsed = arguments(call, &SYNTAX)?;
        if parsed.has("n") {
            return print_names(&parsed);
        }
        if parsed.value("c").is_none_or(<[u8]>::is_empty) {
            return Err(refuse(
                "You must specify at least one column to search using the -c option.",
            ));
        }
        let Some(test) = Test::read(&parsed)? else {
            return Err(refuse(
                "One of -r, -m or -f must be specified, unless using the -n option.",
            ));
        };
        let mut table = read_rows(&parsed, false)?;
        number_rows(&parsed, &mut table, "line_numbers", true);
        let first = offset(&parsed) - i64::from(parsed.has("l"));
        let mut wanted = columns(&table.names, parsed.value("c"), first)?;
        // A column may be asked for twice; nothing to look for asks for none.
        wanted.sort_unstable();
        wanted.dedup();
        if matches!(&test, Test::Contains(text) if text.is_empty()) {
            wanted.clear();
        }
        let fits = |row: &&Vec<String>| {
            let mut cells = wanted
                .iter()
                .map(|&column| row.get(column).map_or("", String::as_str));
            let found = if parsed.has("a") {
                cells.any(|cell| test.holds(cell))
            } else {
                cells.all(|cell| test.holds(cell))
            };
            found != parsed.has("i")
        };
        let head = std::iter::once(table.names.iter().map(String::as_str).collect());
        let rows = table
            .rows
            .iter()
            .filter(fits)
            .map(|row| row.iter().map(String::as_str).collect());
        let status = write_rows("csvgrep", head.chain(rows));
        Ok(table.end(&parsed, status))
    };
    run().unwrap_or_else(|status| status)
}

/// Runs `csvsort`: rows by the columns of `-c`, or by all columns from left to right.
pub fn sort(call: &Call) -> i32 {
    const OPTIONS: [Opt; 22] = with_common([
        Opt("n", "names", Value::No),
        Opt("c", "columns", Value::Required),
        Opt("r", "reverse", Value::No),
        Opt("I", "no-inference", Value::No),
        Opt("", "blanks", Value::No),
        Opt("y", "snifflimit", Value::Required),
    ]);
    const SYNTAX: Syntax = Syntax {
        usage: "usage: csvsort [-d DELIMITER] [-t] [-q QUOTECHAR] [-u {0,1,2,3}] [-b] [-p ESCAPECHAR]\n\
               [-e ENCODING] [-S] [--blanks] [-H] [-K SKIP_LINES] [-l] [--zero] [-V] [-n] [-c COLUMNS] [-r] [-y N] [-I] [FILE]\n\
Sort CSV files. Like the Unix \"sort\" command, but for tabular data.\n",
        options: &OPTIONS,
        permute: true,
        status: 2,
    };
    let run = || -> Result<i32, i32> {
        let parsed = arguments(call, &SYNTAX)?;
        if parsed.has("n") {
            return print_names(&parsed);
        }
        let table = read(&parsed)?;
        let by = columns(&table.names, parsed.value("c"), offset(&parsed))?;
        let mut typed = types::infer(&parsed, table);
        let order = |a: &Vec<types::Cell>, b: &Vec<types::Cell>| {
            let mut orders = by.iter().map(|&column| a[column].compare(&b[column]));
            orders
                .find(|order| order.is_ne())
                .unwrap_or(std::cmp::Ordering::Equal)
        };
        if parsed.has("r") {
            typed.rows.sort_by(|a, b| order(b, a));
        } else {
            typed.rows.sort_by(order);
        }
        let rows: Vec<Vec<String>> = typed
            .rows
            .iter()
            .map(|row| row.iter().map(types::Cell::text).collect())
            .collect();
        let mut sorted = super::Table {
            names: typed.names,
            lines: Vec::new(),
            rows,
            fault: None,
        };
        number_rows(&parsed, &mut sorted, "line_number", false);
        let head = std::iter::once(sorted.names.iter().map(String::as_str).collect());
        let rows = sorted.rows.iter();
        let rows = rows.map(|row| row.iter().map(String::as_str).collect());
        Ok(write_rows("csvsort", head.chain(rows)))
    };
    run().unwrap_or_else(|status| status)
}

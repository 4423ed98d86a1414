//! `csvjson`: a table as JSON.
//!
//! ```text
//! printf 'id,ok\n1,true\n' | csvjson               [{"id": true, "ok": true}]
//! printf 'id,ok\n7,yes\n' | csvjson -k id           {"7": {"id": 7.0, "ok": true}}
//! printf 'id\n7\n8\n' | csvjson --stream            one object a line
//! ```
//!
//! Numbers are written as Python's floats, so 7 is `7.0`. A column of 0 and 1 alone is one of booleans, as agate
//! guesses.

use super::types::{self, Cell};
use super::{arguments, count, fail, read, with_common};
use crate::call::Call;
use crate::options::{Opt, Syntax, Value};
use crate::output::Output;

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    const OPTIONS: [Opt; 22] = with_common([
        Opt("i", "indent", Value::Required),
        Opt("k", "key", Value::Required),
        Opt("", "stream", Value::No),
        Opt("I", "no-inference", Value::No),
        Opt("", "blanks", Value::No),
        Opt("y", "snifflimit", Value::Required),
    ]);
    const SYNTAX: Syntax = Syntax {
        usage: "usage: csvjson [-d DELIMITER] [-t] [-q QUOTECHAR] [-u {0,1,2,3}] [-b] [-p ESCAPECHAR]\n\
               [-e ENCODING] [-S] [--blanks] [-H] [-K SKIP_LINES] [-l] [-V] [-i INDENT] [-k KEY] [--stream] [-y N] [-I] [FILE]\n\
Convert a CSV file into JSON.\n",
        options: &OPTIONS,
        permute: true,
        status: 2,
    };
    let run = || -> Result<i32, i32> {
        let parsed = arguments(call, &SYNTAX)?;
        if parsed.has("stream") && parsed.has("k") {
            let what =
                "--key is only allowed with --stream when --lat and --lon are also specified.";
            eprintln!("csvjson: error: {what}");
            return Err(2);
        }
        let table = read(&parsed)?;
        let key = match parsed.value("k") {
            Some(name) => {
                let name = String::from_utf8_lossy(name);
                let place = table.names.iter().position(|other| *other == name);
                Some(place.ok_or_else(|| fail("KeyError", &format!("'{name}'")))?)
            }
            None => None,
        };
        let indent = count(&parsed, "i")?;
        let typed = types::infer(&parsed, table);
        if let Some(key) = key {
            check_key(&typed, key)?;
        }
        Ok(print(&typed, key, indent, parsed.has("stream")))
    };
    run().unwrap_or_else(|status| status)
}

/// Refuses a key column whose values are not unique.
fn check_key(typed: &types::Typed, key: usize) -> Result<(), i32> {
    let mut seen = std::collections::HashSet::new();
    for row in &typed.rows {
        let text = row[key].text();
        if !seen.insert(text.clone()) {
            let message = format!("Value {text} is not unique in the key column.");
            return Err(fail("ValueError", &message));
        }
    }
    Ok(())
}

/// A string as Python writes it with `ensure_ascii=False`.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// A cell as JSON: dates, times and spans are strings.
fn value(cell: &Cell) -> String {
    match cell {
        Cell::Null => "null".to_owned(),
        Cell::Boolean(truth) => truth.to_string(),
        Cell::Number(number, _) => float(*number),
        other => quoted(&other.text()),
    }
}

/// A number as Python's `repr` of a float.
pub fn float(number: f64) -> String {
    if number.abs() >= 1e16 {
        let text = format!("{number:e}");
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        return format!("{mantissa}e+{exponent:0>2}");
    }
    format!("{number:?}")
}

/// Writes the array, with `key` an object by the values of that column, or with `stream` an object a line.
fn print(typed: &types::Typed, key: Option<usize>, indent: Option<usize>, stream: bool) -> i32 {
    let mut out = Output::new();
    let line = |depth: usize| match indent {
        Some(indent) if !stream => format!("\n{}", " ".repeat(indent * depth)),
        _ => String::new(),
    };
    let comma = if indent.is_some() && !stream {
        ","
    } else {
        ", "
    };
    let object = |row: &[Cell]| {
        let members: Vec<String> = typed
            .names
            .iter()
            .zip(row)
            .map(|(name, cell)| format!("{}{}: {}", line(2), quoted(name), value(cell)))
            .collect();
        format!("{{{}{}}}", members.join(comma), line(1))
    };
    if stream {
        for row in &typed.rows {
            out.line(object(row));
        }
        return out.finish("csvjson", 0, 1);
    }
    let (open, close) = if key.is_some() {
        ("{", "}")
    } else {
        ("[", "]")
    };
    out.put(open);
    for (place, row) in typed.rows.iter().enumerate() {
        if place > 0 {
            out.put(comma);
        }
        out.put(line(1));
        if let Some(key) = key {
            out.put(format!("{}: ", quoted(&row[key].text())));
        }
        out.put(object(row));
    }
    if !typed.rows.is_empty() {
        out.put(line(0));
    }
    out.put(close);
    out.finish("csvjson", 0, 1)
}

//! `column`, after util-linux: lines in columns, as a table (`-t`), or as JSON (`-J`).
//!
//! All lines are read first, since widths depend on them. Text that is no UTF-8 gets U+FFFD. A width is that on a
//! terminal. `-e` is accepted and changes nothing.

use unicode_width::UnicodeWidthStr as _;

use super::each_file;
use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;

const SYNTAX: Syntax = Syntax {
    usage: "Usage: column [options] [<file>...]\nColumnate lists.\n",
    options: &[
        Opt("t", "table", Value::No),
        Opt("s", "separator", Value::Required),
        Opt("o", "output-separator", Value::Required),
        Opt("N", "table-columns", Value::Required),
        Opt("d", "table-noheadings", Value::No),
        Opt("R", "table-right", Value::Required),
        Opt("H", "table-hide", Value::Required),
        Opt("O", "table-order", Value::Required),
        Opt("n", "table-name", Value::Required),
        Opt("l", "table-columns-limit", Value::Required),
        Opt("L", "keep-empty-lines", Value::No),
        Opt("c", "output-width", Value::Required),
        Opt("x", "fillrows", Value::No),
        Opt("e", "table-header-repeat", Value::No),
        Opt("J", "json", Value::No),
    ],
    permute: true,
    status: 1,
};

/// The columns that a text takes on a terminal.
fn width(text: &str) -> usize {
    text.width()
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let mut lines = Vec::new();
    let keep = parsed.has("L");
    let status = each_file(call, &parsed.operands, "", |_, content| {
        for line in String::from_utf8_lossy(content).lines() {
            if keep || !line.trim().is_empty() {
                lines.push(line.to_owned());
            }
        }
    });
    let mut out = Output::new();
    if parsed.has("J") {
        if let Err(message) = json(&parsed, &lines, &mut out) {
            return call.fail(1, message);
        }
    } else if parsed.has("t") {
        table(&parsed, &lines, &mut out);
    } else {
        let wide = match parsed.value("c").map(|text| (text, options::number(text))) {
            Some((text, None)) if text != b"unlimited" => {
                let message = bytes!("invalid columns argument: '", text, "'");
                return call.fail(1, message);
            }
            given => given.and_then(|(_, wide)| wide),
        };
        let wide = wide
            .or_else(|| crate::system::text_variable("COLUMNS")?.parse().ok())
            .unwrap_or(80);
        fill(&lines, wide, parsed.has("x"), &mut out);
    }
    out.finish(&call.name, status, 1)
}

/// Puts the lines in as many columns as fit into `wide`, downwards, or with `rows_first` (`-x`) across. Columns are
/// aligned by tabs, so that each is a multiple of 8 wide and one longer than the longest line at least.
fn fill(lines: &[String], wide: usize, rows_first: bool, out: &mut Output) {
    const TAB: usize = 8;
    let longest = lines.iter().map(|line| width(line)).max().unwrap_or(0);
    let cell = (longest / TAB + 1) * TAB;
    if cell >= wide {
        lines.iter().for_each(|line| out.line(line));
        return;
    }
    let columns = (wide / cell).max(1);
    let rows = lines.len().div_ceil(columns);
    for row in 0..rows {
        let (mut at, mut end) = (0, 0);
        for column in 0..columns {
            let index = if rows_first {
                row * columns + column
            } else {
                column * rows + row
            };
            let Some(line) = lines.get(index) else { break };
            while at < end {
                out.put("\t");
                at = (at / TAB + 1) * TAB;
            }
            out.put(line);
            at += width(line);
            end += cell;
        }
        out.end_line(b'\n');
    }
}

/// The fields of a line: between single separators, or where none are given between runs of blanks. The field with
/// the number `limit` is the rest of the line.
///
/// ```text
/// "a::b" with -s :      "a", "", "b"          " a  b" without -s      "a", "b"
/// ```
fn fields(line: &str, separators: Option<&str>, limit: usize) -> Vec<String> {
    match separators {
        Some(separators) if separators.chars().count() > 0 => line
            .splitn(limit, |c| separators.contains(c))
            .map(str::to_owned)
            .collect(),
        _ => {
            let mut fields = Vec::new();
            let mut rest = line.trim_start_matches([' ', '\t']);
            while !rest.is_empty() {
                if fields.len() + 1 == limit {
                    fields.push(rest.to_owned());
                    break;
                }
                let end = rest.find([' ', '\t']).unwrap_or(rest.len());
                fields.push(rest[..end].to_owned());
                rest = rest[end..].trim_start_matches([' ', '\t']);
            }
            fields
        }
    }
}

/// The columns that a list of names and numbers from 1 stands for, as indexes from 0; `0` and `-` are the last one.
/// Names that do not exist are left out.
fn columns(list: Option<&[u8]>, names: &[String], count: usize) -> Vec<usize> {
    let list = String::from_utf8_lossy(list.unwrap_or_default()).into_owned();
    let find = |item: &str| match item.parse::<usize>() {
        Ok(number) => number.checked_sub(1).or(count.checked_sub(1)),
        Err(_) if item == "-" => count.checked_sub(1),
        Err(_) => names.iter().position(|name| name == item),
    };
    list.split(',')
        .filter(|item| !item.is_empty())
        .filter_map(find)
        .collect()
}

/// The lines as objects, whose members have the names of `-N`. An empty or missing field is null, all others are
/// strings.
///
/// # Errors
/// The message where there are no names, or a line has more fields than these.
fn json(parsed: &Parsed, lines: &[String], out: &mut Output) -> Result<(), String> {
    let text = |key: &str| {
        let value = parsed.value(key)?;
        Some(String::from_utf8_lossy(value).into_owned())
    };
    let Some(names) = text("N") else {
        return Err("option --table-columns required for --json".to_owned());
    };
    let names: Vec<String> = names.split(',').map(str::to_owned).collect();
    let separators = text("s");
    let limit = parsed.value("l").and_then(options::number);
    let mut objects = Vec::with_capacity(lines.len());
    for (number, line) in lines.iter().enumerate() {
        let cells = fields(line, separators.as_deref(), limit.unwrap_or(usize::MAX));
        if cells.len() > names.len() {
            let (line, column) = (number + 1, names.len() + 1);
            return Err(format!(
                "line {line}: for JSON the name of the column {column} is required"
            ));
        }
        let hidden = columns(parsed.value("H"), &names, names.len());
        let shown = names
            .iter()
            .enumerate()
            .filter(|(at, _)| !hidden.contains(at));
        let members: Vec<String> = shown
            .map(|(at, name)| {
                let value = match cells.get(at).map(String::as_str) {
                    None | Some("") => "null".to_owned(),
                    Some(cell) => quoted(cell),
                };
                format!("         {}: {value}", quoted(name))
            })
            .collect();
        objects.push(format!("{{\n{}\n      }}", members.join(",\n")));
    }
    let name = quoted(&text("n").unwrap_or_else(|| "table".to_owned()));
    let objects = objects.join(",");
    out.put(format!("{{\n   {name}: [\n      {objects}\n   ]\n}}\n"));
    Ok(())
}

/// A string of JSON.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            control if control < ' ' => out.push_str(&format!("\\u{:04x}", control as u32)),
            letter => out.push(letter),
        }
    }
    out.push('"');
    out
}

/// A table: columns as wide as their widest cell, two blanks or `-o` between them, to the right with `-R`, in the
/// order of `-O` and without those of `-H`.
fn table(parsed: &Parsed, lines: &[String], out: &mut Output) {
    let text = |key: &str| {
        parsed
            .value(key)
            .map(|value| String::from_utf8_lossy(value).into_owned())
    };
    let separators = text("s");
    let limit = parsed
        .value("l")
        .and_then(options::number)
        .unwrap_or(usize::MAX);
    let mut rows: Vec<Vec<String>> = lines
        .iter()
        .map(|line| fields(line, separators.as_deref(), limit))
        .collect();
    let names: Vec<String> = text("N").map_or_else(Vec::new, |names| {
        names.split(',').map(str::to_owned).collect()
    });
    if !names.is_empty() && !parsed.has("d") {
        rows.insert(0, names.clone());
    }
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let right = columns(parsed.value("R"), &names, count);
    let hidden = columns(parsed.value("H"), &names, count);
    let mut order = columns(parsed.value("O"), &names, count);
    order.extend(
        (0..count)
            .filter(|column| !order.contains(column))
            .collect::<Vec<_>>(),
    );
    order.retain(|column| !hidden.contains(column));
    let widest = |&column: &usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| width(cell))
            .max()
            .unwrap_or(0)
    };
    let widths: Vec<usize> = order.iter().map(widest).collect();
    let between = text("o").unwrap_or_else(|| "  ".to_owned());
    for row in &rows {
        if row.is_empty() {
            out.end_line(b'\n');
            continue;
        }
        for (place, (&column, &wide)) in order.iter().zip(&widths).enumerate() {
            let cell = row.get(column).map_or("", String::as_str);
            let padding = " ".repeat(wide.saturating_sub(width(cell)));
            let last = place + 1 == order.len();
            if right.contains(&column) {
                out.put(padding);
                out.put(cell);
            } else {
                out.put(cell);
                if !last {
                    out.put(padding);
                }
            }
            if !last {
                out.put(&between);
            }
        }
        out.end_line(b'\n');
    }
}

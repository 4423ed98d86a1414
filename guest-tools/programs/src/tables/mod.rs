//! csvkit's `csvcut`, `csvgrep`, `csvsort`, `csvstat`, `csvlook` and `csvjson`.

mod json;
mod look;
mod select;
mod stat;
mod types;

pub use json::run as json;
pub use look::run as look;
pub use select::{cut, grep, sort};
pub use stat::run as stat;

use crate::call::Call;
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::system;

/// The options that all commands have.
const COMMON: [Opt; 18] = [
    Opt("d", "delimiter", Value::Required),
    Opt("t", "tabs", Value::No),
    Opt("q", "quotechar", Value::Required),
    Opt("u", "quoting", Value::Required),
    Opt("b", "no-doublequote", Value::No),
    Opt("p", "escapechar", Value::Required),
    Opt("z", "maxfieldsize", Value::Required),
    Opt("e", "encoding", Value::Required),
    Opt("S", "skipinitialspace", Value::No),
    Opt("H", "no-header-row", Value::No),
    Opt("K", "skip-lines", Value::Required),
    Opt("v", "verbose", Value::No),
    Opt("l", "linenumbers", Value::No),
    Opt("", "zero", Value::No),
    Opt("V", "", Value::No),
    Opt("n", "names", Value::No),
    Opt("c", "columns", Value::Required),
    Opt("h", "", Value::No),
];

/// The common options and those of one command.
const fn with_common<const N: usize, const M: usize>(own: [Opt; M]) -> [Opt; N] {
    let mut all = [Opt("", "", Value::No); N];
    let mut at = 0;
    while at < COMMON.len() {
        all[at] = COMMON[at];
        at += 1;
    }
    let mut place = 0;
    while place < M {
        all[at + place] = own[place];
        place += 1;
    }
    all
}

/// A table: names and rows of text.
struct Table {
    names: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// Prints an error as the tools do and gives their status.
fn fail(kind: &str, message: &str) -> i32 {
    eprintln!("{kind}: {message}");
    1
}

/// Reads the command line; answers `--version` and `-h`.
fn arguments(call: &Call, syntax: &Syntax) -> Result<Parsed, i32> {
    let parsed = options::parse(call, syntax)?;
    if parsed.has("h") {
        print!("{}", syntax.usage);
        return Err(0);
    }
    if parsed.has("V") {
        println!("{} (offshoot) {}", call.name, env!("CARGO_PKG_VERSION"));
        return Err(0);
    }
    Ok(parsed)
}

fn character(parsed: &Parsed, key: &str) -> Result<Option<u8>, i32> {
    match parsed.value(key) {
        None => Ok(None),
        Some(b"\\t") => Ok(Some(b'\t')),
        Some([byte]) => Ok(Some(*byte)),
        Some(_) => Err(fail(
            "TypeError",
            "\"delimiter\" must be a 1-character string",
        )),
    }
}

fn number(parsed: &Parsed, key: &str) -> Result<Option<usize>, i32> {
    match parsed.value(key) {
        None => Ok(None),
        Some(text) => match options::number(text) {
            Some(number) => Ok(Some(number)),
            None => {
                let text = String::from_utf8_lossy(text);
                eprintln!("argument {key}: invalid int value: '{text}'");
                Err(2)
            }
        },
    }
}

/// The text of the input without the lines that `-K` skips.
fn text(parsed: &Parsed) -> Result<String, i32> {
    let name = parsed
        .operands
        .first()
        .map_or(b"-".as_slice(), Vec::as_slice);
    let bytes = system::read_whole(name).map_err(|failure| {
        let name = String::from_utf8_lossy(name);
        fail(
            "FileNotFoundError",
            &format!("[Errno 2] {}: '{name}'", failure.0),
        )
    })?;
    let encoding = parsed.value("e").unwrap_or(b"utf-8");
    let encoding = encoding_rs::Encoding::for_label(encoding).ok_or_else(|| {
        fail(
            "LookupError",
            &format!("unknown encoding: {}", String::from_utf8_lossy(encoding)),
        )
    })?;
    let (text, _, wrong) = encoding.decode(&bytes);
    if wrong {
        return Err(fail(
            "Your file is not",
            "\"utf-8\" encoded. Please specify the correct encoding with the -e flag.",
        ));
    }
    let skip = number(parsed, "K")?.unwrap_or(0);
    let text: String = text.split_inclusive('\n').skip(skip).collect();
    Ok(text)
}

/// The separator that the lines of a text seem to have.
fn sniff(text: &str) -> u8 {
    let lines: Vec<&str> = text
        .lines()
        .filter(|line| !line.is_empty())
        .take(20)
        .collect();
    let count = |line: &str, mark: char| line.matches(mark).count();
    let first = lines.first().copied().unwrap_or_default();
    if count(first, ',') > 0 {
        return b',';
    }
    for mark in [';', '\t', '|'] {
        let wanted = count(first, mark);
        if wanted > 0 && lines.iter().all(|line| count(line, mark) == wanted) {
            return mark as u8;
        }
    }
    b','
}

/// Names for columns that have none: a, b, … z, aa, bb, …
fn letter(index: usize) -> String {
    let letter = char::from(b'a' + (index % 26) as u8);
    std::iter::repeat_n(letter, index / 26 + 1).collect()
}

/// Reads the table; `strict` commands refuse rows that are too long, and guess the separator.
fn read(parsed: &Parsed, strict: bool) -> Result<Table, i32> {
    let text = text(parsed)?;
    let separator = match (parsed.has("t"), character(parsed, "d")?) {
        (true, _) => b'\t',
        (false, Some(separator)) => separator,
        (false, None) if strict => sniff(&text),
        (false, None) => b',',
    };
    let quoting = number(parsed, "u")?.unwrap_or(0);
    let mut builder = csv::ReaderBuilder::new();
    builder
        .delimiter(separator)
        .has_headers(false)
        .flexible(true)
        .double_quote(!parsed.has("b"))
        .escape(character(parsed, "p")?)
        .quoting(quoting != 3);
    if let Some(quote) = character(parsed, "q")? {
        builder.quote(quote);
    }
    let mut rows = Vec::new();
    for record in builder
        .from_reader(text.trim_start_matches('\u{feff}').as_bytes())
        .records()
    {
        let record = record.map_err(|error| fail("Error", &error.to_string()))?;
        let trim = |cell: &str| {
            if parsed.has("S") {
                cell.trim_start().to_owned()
            } else {
                cell.to_owned()
            }
        };
        rows.push(record.iter().map(trim).collect::<Vec<_>>());
    }
    let mut table = head(parsed, rows);
    if strict {
        let columns = table.names.len();
        for (place, row) in table.rows.iter_mut().enumerate() {
            if row.len() > columns {
                let message = format!(
                    "Row {place} has {} values, but Table only has {columns} columns.",
                    row.len()
                );
                return Err(fail("ValueError", &message));
            }
            row.resize(columns, String::new());
        }
    }
    if parsed.has("l") {
        table.names.insert(
            0,
            if strict {
                "line_numbers"
            } else {
                "line_number"
            }
            .to_owned(),
        );
        for (place, row) in table.rows.iter_mut().enumerate() {
            row.insert(0, (place + 1).to_string());
        }
    }
    if strict {
        unique_names(&mut table.names);
    }
    Ok(table)
}

fn head(parsed: &Parsed, mut rows: Vec<Vec<String>>) -> Table {
    let mut names = if parsed.has("H") {
        let columns = rows.first().map_or(0, Vec::len);
        (0..columns).map(letter).collect()
    } else if rows.is_empty() {
        Vec::new()
    } else {
        rows.remove(0)
    };
    for (place, name) in names.iter_mut().enumerate() {
        if name.trim().is_empty() {
            *name = letter(place);
        }
    }
    Table { names, rows }
}

fn unique_names(names: &mut [String]) {
    for place in 0..names.len() {
        let name = names[place].clone();
        let mut copy = 1;
        while names[..place].contains(&names[place]) {
            copy += 1;
            names[place] = format!("{name}_{copy}");
        }
    }
}

/// Prints the names of all columns with their numbers.
fn print_names(parsed: &Parsed, table: &Table) -> i32 {
    let offset = usize::from(!parsed.has("zero"));
    let mut out = crate::output::Output::new();
    for (place, name) in table.names.iter().enumerate() {
        out.line(format!("{:3}: {name}", place + offset));
    }
    out.finish("csv", 0, 1)
}

/// The columns that a list of names, numbers and ranges stands for.
fn columns(parsed: &Parsed, table: &Table, list: Option<&[u8]>) -> Result<Vec<usize>, i32> {
    let Some(list) = list else {
        return Ok((0..table.names.len()).collect());
    };
    let list = String::from_utf8_lossy(list).into_owned();
    let mut found = Vec::new();
    for part in list.split(',') {
        let part = part.trim();
        if let Some(place) = table.names.iter().position(|name| name == part) {
            found.push(place);
            continue;
        }
        if let Some((from, to)) = part.split_once([':', '-']) {
            let bound = |text: &str, open: usize| match text.trim() {
                "" => Some(open),
                text => text.parse().ok(),
            };
            if let (Some(from), Some(to)) = (bound(from, 1), bound(to, table.names.len())) {
                for place in from..=to {
                    found.push(column(parsed, table, &place.to_string())?);
                }
                continue;
            }
            let message = format!(
                "Invalid range {part}. Ranges must be two integers separated by a - or : character."
            );
            return Err(fail("ColumnIdentifierError", &message));
        }
        found.push(column(parsed, table, part)?);
    }
    Ok(found)
}

fn column(parsed: &Parsed, table: &Table, text: &str) -> Result<usize, i32> {
    let Ok(wanted) = text.parse::<usize>() else {
        let names: Vec<String> = table.names.iter().map(|name| format!("'{name}'")).collect();
        let message = format!(
            "Column '{text}' is invalid. It is neither an integer nor a column name. Column names are: {}",
            names.join(", ")
        );
        return Err(fail("ColumnIdentifierError", &message));
    };
    let place = if parsed.has("zero") {
        Some(wanted)
    } else {
        wanted.checked_sub(1)
    };
    match place {
        Some(place) if place < table.names.len() => Ok(place),
        None => Err(fail(
            "ColumnIdentifierError",
            "Column 0 is invalid. Columns are 1-based.",
        )),
        Some(_) => {
            let last = table.names.last().map_or("", String::as_str);
            let message = format!(
                "Column {wanted} is invalid. The last column is '{last}' at index {}.",
                table.names.len() - usize::from(parsed.has("zero"))
            );
            Err(fail("ColumnIdentifierError", &message))
        }
    }
}

/// Writes rows as the tools do, however the input was written.
fn write_rows<'r>(name: &str, rows: impl IntoIterator<Item = Vec<&'r str>>) -> i32 {
    let out = crate::output::Output::new();
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(out);
    for row in rows {
        if writer.write_record(row).is_err() {
            break;
        }
    }
    match writer.into_inner() {
        Ok(out) => out.finish(name, 0, 1),
        Err(_) => 1,
    }
}

//! csvkit's `csvcut`, `csvgrep`, `csvsort`, `csvstat`, `csvlook` and `csvjson`.
//!
//! | command | how it reads | module |
//! |---|---|---|
//! | `csvcut`, `csvgrep` | rows as they stand, cells as text | `select` |
//! | `csvsort`, `csvlook`, `csvjson`, `csvstat` | a rectangular, typed table | `select`, `look`, `json`, `stat` |
//!
//! The second kind guesses the delimiter from a sample (`sniff`) and the types of columns from all cells (`types`),
//! makes names of columns unique and pads short rows. Both read the whole input, in any encoding that browsers know,
//! and take `\r\n` and `\r` for `\n`.
//!
//! Exit statuses are 0, 1 with `KIND: MESSAGE` in the words of the Python tools, and 2 for a wrong command line.

mod dialect;
mod json;
mod look;
mod select;
mod sniff;
mod stat;
mod types;

pub use json::run as json;
pub use look::run as look;
pub use select::{cut, grep, sort};
pub use stat::run as stat;

use crate::call::Call;
use dialect::{Dialect, Fault, Quoting};

use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::system;

/// The options that all commands have; those without an effect here are accepted.
const COMMON: [Opt; 16] = [
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
    Opt("h", "", Value::No),
];

/// The common options and those of one command; N has to be the sum of both numbers.
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
    /// The names of the columns: the first row, or letters with `-H`.
    names: Vec<String>,
    /// The cells; rows may differ in length until `read` has padded them.
    rows: Vec<Vec<String>>,
    /// The line that each row ends on.
    lines: Vec<usize>,
    /// Why there are no more rows; what was read before is written all the same.
    fault: Option<Fault>,
}

impl Table {
    /// The status of a command that has written what there is.
    fn end(&self, parsed: &Parsed, status: i32) -> i32 {
        match &self.fault {
            Some(fault) => complain(parsed, fault),
            None => status,
        }
    }
}

/// Says why rows could not be read; gives the status of errors.
fn complain(parsed: &Parsed, fault: &Fault) -> i32 {
    match fault {
        Fault::Limit(line) => {
            let limit = parsed.value("z").unwrap_or(b"131072");
            let limit = String::from_utf8_lossy(limit);
            let message = format!(
                "CSV contains a field longer than the maximum length of {limit} characters on line {line}. \
                 Try raising the maximum with the field_size_limit parameter, or try setting quoting=csv.QUOTE_NONE."
            );
            fail("FieldSizeLimitError", &message)
        }
        Fault::Number(text) => {
            let message = format!("could not convert string to float: '{text}'");
            fail("ValueError", &message)
        }
    }
}

/// Whether errors are told with the first line of a trace, as `-v` asks.
static TRACES: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

/// Prints `KIND: MESSAGE` and gives the status 1.
fn fail(kind: &str, message: &str) -> i32 {
    if TRACES.load(std::sync::atomic::Ordering::Relaxed) {
        eprintln!("Traceback (most recent call last):");
    }
    eprintln!("{kind}: {message}");
    1
}

/// Reads the command line and checks numbers; `--version` and `-h` are answered, with `Err(0)`.
fn arguments(call: &Call, syntax: &Syntax) -> Result<Parsed, i32> {
    let parsed = options::parse(call, syntax)?;
    if parsed.has("h") {
        print!("{}", syntax.usage);
        return Err(0);
    }
    if parsed.has("V") {
        print!("{}", crate::model::version(&call.name));
        return Err(0);
    }
    TRACES.store(parsed.has("v"), std::sync::atomic::Ordering::Relaxed);
    for key in ["K", "z", "y", "u"] {
        number(&parsed, key)?;
    }
    if number(&parsed, "u")?.is_some_and(|style| !(0..=3).contains(&style)) {
        let style = String::from_utf8_lossy(parsed.value("u").unwrap_or_default());
        eprintln!(
            "{}: error: argument -u/--quoting: invalid choice: {style} (choose from 0, 1, 2, 3)",
            call.name
        );
        return Err(2);
    }
    Ok(parsed)
}

/// The single character that an option names. An empty delimiter counts as none.
fn character(parsed: &Parsed, key: &str, name: &str) -> Result<Option<char>, i32> {
    let Some(text) = parsed.value(key) else {
        return Ok(None);
    };
    let text = String::from_utf8_lossy(text);
    let mut signs = text.chars();
    match (signs.next(), signs.next()) {
        (Some(sign), None) => Ok(Some(sign)),
        (None, _) if key == "d" => Ok(None),
        _ => {
            let message = format!("\"{name}\" must be a 1-character string");
            Err(fail("TypeError", &message))
        }
    }
}

/// The number that an option names; negative ones are numbers too.
fn number(parsed: &Parsed, key: &str) -> Result<Option<i64>, i32> {
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

/// A number of rows, columns or characters; a negative one counts as 0.
fn count(parsed: &Parsed, key: &str) -> Result<Option<usize>, i32> {
    let number = number(parsed, key)?;
    Ok(number.map(|number| usize::try_from(number).unwrap_or(0)))
}

/// The text of the input with `\n` as the only end of a line, without a byte order mark and the lines that `-K` skips.
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
    let encoding = match parsed.value("e") {
        None | Some(b"utf-8-sig") => b"utf-8".as_slice(),
        Some(given) => given,
    };
    let encoding = encoding_rs::Encoding::for_label(encoding).ok_or_else(|| {
        fail(
            "LookupError",
            &format!("unknown encoding: {}", String::from_utf8_lossy(encoding)),
        )
    })?;
    let (text, _, wrong) = encoding.decode(&bytes);
    if wrong {
        let given = parsed.value("e").unwrap_or(b"utf-8-sig");
        eprintln!(
            "Your file is not \"{}\" encoded. Please specify the correct encoding with the -e flag \
             or with the PYTHONIOENCODING environment variable. Use the -v flag to see the complete error.",
            String::from_utf8_lossy(given)
        );
        return Err(1);
    }
    let skip = count(parsed, "K")?.unwrap_or(0);
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let text = text.trim_start_matches('\u{feff}');
    let text: String = text.split_inclusive('\n').skip(skip).collect();
    Ok(text)
}

/// Names for columns that have none: a, b, … z, aa, bb, … zz, aaa.
fn letter(index: usize) -> String {
    let letter = char::from(b'a' + (index % 26) as u8);
    std::iter::repeat_n(letter, index / 26 + 1).collect()
}

/// What the options say of the text. With `guesses` delimiter and quote come from the first 1,024 characters (`-y`; -1
/// is all of them), where options do not name them.
fn dialect(parsed: &Parsed, text: &str, guesses: bool) -> Result<Dialect, i32> {
    let limit = number(parsed, "y")?.unwrap_or(1024);
    let sample: String = match limit {
        -1 => text.to_owned(),
        limit => text
            .chars()
            .take(usize::try_from(limit).unwrap_or(0))
            .collect(),
    };
    let guessed = if guesses { sniff::sniff(&sample) } else { None };
    let (delimiter, quote) = guessed.unwrap_or((',', '"'));
    let given = character(parsed, "d", "delimiter")?;
    Ok(Dialect {
        delimiter: if parsed.has("t") {
            '\t'
        } else {
            given.unwrap_or(delimiter)
        },
        quote: character(parsed, "q", "quotechar")?.unwrap_or(quote),
        escape: character(parsed, "p", "escapechar")?,
        double: !parsed.has("b"),
        skips_space: parsed.has("S"),
        quoting: match number(parsed, "u")? {
            Some(2) => Quoting::NonNumeric,
            Some(3) => Quoting::None,
            _ => Quoting::Usual,
        },
        limit: count(parsed, "z")?
            .filter(|limit| *limit > 0)
            .unwrap_or(131_072),
    })
}

/// Reads the rows as they stand, the first as names.
fn read_rows(parsed: &Parsed, guesses: bool) -> Result<Table, i32> {
    let text = text(parsed)?;
    let (rows, fault) = dialect(parsed, &text, guesses)?.rows(&text);
    let (mut rows, mut lines): (Vec<Vec<String>>, Vec<usize>) = rows.into_iter().unzip();
    let names = if parsed.has("H") {
        let first = if guesses {
            rows.iter().map(Vec::len).max()
        } else {
            rows.first().map(Vec::len)
        };
        (0..first.unwrap_or(0)).map(letter).collect()
    } else if rows.is_empty() {
        Vec::new()
    } else {
        lines.remove(0);
        rows.remove(0)
    };
    Ok(Table {
        names,
        rows,
        lines,
        fault,
    })
}

/// Reads a whole table: every row as long as the names, each name once (`a`, `a_2`).
///
/// # Errors
/// A row that is longer than the names, a cell that cannot be read, and an input without a line.
fn read(parsed: &Parsed) -> Result<Table, i32> {
    let mut table = read_rows(parsed, true)?;
    if let Some(fault) = &table.fault {
        return Err(complain(parsed, fault));
    }
    if table.names.is_empty() && table.rows.is_empty() && !parsed.has("H") {
        return Err(fail("StopIteration", ""));
    }
    for (place, name) in table.names.iter_mut().enumerate() {
        if name.is_empty() {
            *name = letter(place);
        }
    }
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
    unique_names(&mut table.names);
    Ok(table)
}

/// Puts the numbers of rows before them; `by_line` counts the lines of the input.
fn number_rows(parsed: &Parsed, table: &mut Table, name: &str, by_line: bool) {
    if !parsed.has("l") {
        return;
    }
    table.names.insert(0, name.to_owned());
    let head = usize::from(!parsed.has("H"));
    for (place, row) in table.rows.iter_mut().enumerate() {
        let number = match table.lines.get(place) {
            Some(line) if by_line => line - head,
            _ => place + 1,
        };
        row.insert(0, number.to_string());
    }
}

/// Makes names unique: the second `a` becomes `a_2`, the third `a_3`.
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

/// `-n`: prints the names of all columns with their numbers.
fn print_names(parsed: &Parsed) -> Result<i32, i32> {
    if parsed.has("H") {
        let message = "You cannot use --no-header-row with the -n or --names options.";
        return Err(fail("RequiredHeaderError", message));
    }
    let table = read_rows(parsed, false)?;
    if table.names.is_empty() && table.rows.is_empty() {
        return Err(fail("StopIteration", ""));
    }
    let offset = usize::from(!parsed.has("zero"));
    let mut out = crate::output::Output::new();
    for (place, name) in table.names.iter().enumerate() {
        out.line(format!("{:3}: {name}", place + offset));
    }
    Ok(out.finish("csv", 0, 1))
}

/// The columns that a list stands for, as indexes from 0 in the order of the list.
///
/// | list | columns |
/// |---|---|
/// | `2,name` | the second one and the one called `name` |
/// | `1-3`, `1:3` | the first three |
/// | `2-` | from the second one to the last |
/// | empty | all |
///
/// `offset` is the number of the first column: 1, or 0 with `--zero`. A column may be named more than once.
fn columns(names: &[String], list: Option<&[u8]>, offset: i64) -> Result<Vec<usize>, i32> {
    let list = match list {
        _ if names.is_empty() => return Ok(Vec::new()),
        None | Some(b"") => return Ok((0..names.len()).collect()),
        Some(list) => String::from_utf8_lossy(list).into_owned(),
    };
    let mut found = Vec::new();
    for part in list.split(',') {
        let wrong = match column(names, part, offset) {
            Ok(place) => {
                found.push(place);
                continue;
            }
            Err(wrong) => wrong,
        };
        let ends = part.split_once(':').or_else(|| part.split_once('-'));
        let Some((from, to)) = ends else {
            return Err(fail("ColumnIdentifierError", &wrong));
        };
        let bound = |text: &str, open: i64| match text.trim() {
            "" => Some(open),
            text => text.parse().ok(),
        };
        let (Some(from), Some(to)) = (bound(from, 1), bound(to, names.len() as i64)) else {
            // csvkit forgets to put the range in.
            let message =
                "Invalid range %s. Ranges must be two integers separated by a - or : character.";
            return Err(fail("ColumnIdentifierError", message));
        };
        for place in from..=to {
            let place = column(names, &place.to_string(), offset);
            found.push(place.map_err(|wrong| fail("ColumnIdentifierError", &wrong))?);
        }
    }
    Ok(found)
}

/// The column that a name or a number stands for, or what is wrong with it.
fn column(names: &[String], text: &str, offset: i64) -> Result<usize, String> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits && let Some(place) = names.iter().position(|name| name == text) {
        return Ok(place);
    }
    let Ok(wanted) = text.trim().parse::<i64>() else {
        let names: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
        return Err(format!(
            "Column '{text}' is invalid. It is neither an integer nor a column name. Column names are: {}",
            names.join(", ")
        ));
    };
    let place = wanted - offset;
    match usize::try_from(place) {
        Err(_) => Err(format!("Column {wanted} is invalid. Columns are 1-based.")),
        Ok(place) if place < names.len() => Ok(place),
        Ok(_) => {
            let last = names.last().map_or("", String::as_str);
            let index = names.len() as i64 - 1 + offset;
            Err(format!(
                "Column {wanted} is invalid. The last column is '{last}' at index {index}."
            ))
        }
    }
}

/// The number of the first column: 0 with `--zero`, else 1.
fn offset(parsed: &Parsed) -> i64 {
    i64::from(!parsed.has("zero"))
}

/// Writes rows with commas, double quotes where they are needed and `\n`, however the input was written.
fn write_rows<'r>(name: &str, rows: impl IntoIterator<Item = Vec<&'r str>>) -> i32 {
    let mut out = crate::output::Output::new();
    for row in rows {
        let cells: Vec<String> = row.iter().map(|cell| quoted(cell)).collect();
        match &cells[..] {
            // A row with one empty cell is not the same as an empty row.
            [cell] if cell.is_empty() => out.line("\"\""),
            cells => out.line(cells.join(",")),
        }
    }
    out.finish(name, 0, 1)
}

/// A cell with quotes where it has a comma, a quote or an end of line in it.
fn quoted(cell: &str) -> String {
    let cell = cell.replace('\r', "\n");
    if cell.contains([',', '"', '\n']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell
    }
}

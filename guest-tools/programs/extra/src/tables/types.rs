//! What the cells of a column are, as agate guesses it.
//!
//! A column has the first type of `GUESSES` that all of its cells can be read as: boolean, number, span of time, date,
//! moment, else text. Cells such as empty ones, `NA`, `n/a`, `none`, `null` and `.` are null and fit every type, unless
//! `--blanks` is given. A column of nulls alone is one of booleans.
//!
//! | cells | type | shown |
//! |---|---|---|
//! | `yes`, `0` | boolean | `True`, `False` |
//! | `1,000`, `$5`, `7%`, `1e3` | number | `1000`, `5`, `7`, `1E+3` |
//! | `1:30`, `2h 5m` | span | `0:01:30`, `2:05:00` |
//! | `2024-05-01`, `5/1/2024` | date | `2024-05-01` |
//! | `2024-05-01 10:00:00Z` | moment | `2024-05-01T10:00:00+00:00` |
//!
//! Of dates only those in ISO form and `month/day/year` are known, where agate takes whatever `parsedatetime` does. The
//! cost is one attempt for each cell and type, O(cells).

use jiff::civil::{Date, DateTime};

use super::Table;
use crate::options::Parsed;

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `yes`, `no`, `y`, `n`, `true`, `false`, `t`, `f`, `1`, `0`
    Boolean,
    /// Decimal numbers, with commas between thousands, signs of currencies and percent signs.
    Number,
    /// Spans of time.
    TimeDelta,
    /// Days.
    Date,
    /// Days with a time.
    DateTime,
    /// Everything else.
    Text,
}

/// A cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// No value.
    Null,
    Boolean(bool),
    /// The number and its plain text, which is what is written.
    Number(f64, String),
    /// Seconds.
    TimeDelta(f64),
    Date(Date),
    /// The local time and the zone as `+HH:MM`, or an empty text. Two of them are compared by the local time.
    DateTime(DateTime, String),
    Text(String),
}

/// A table whose cells are read.
pub struct Typed {
    /// The names of the columns.
    pub names: Vec<String>,
    /// The type of each column.
    pub kinds: Vec<Kind>,
    /// The cells: of the column's type, or null.
    pub rows: Vec<Vec<Cell>>,
}

impl Kind {
    /// The name that reports show.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Boolean => "Boolean",
            Kind::Number => "Number",
            Kind::TimeDelta => "TimeDelta",
            Kind::Date => "Date",
            Kind::DateTime => "DateTime",
            Kind::Text => "Text",
        }
    }
}

/// Whether a cell stands for no value, in any case and with blanks around it.
fn is_null(text: &str) -> bool {
    matches!(
        text.trim().to_ascii_lowercase().as_str(),
        "" | "na" | "n/a" | "none" | "null" | "."
    )
}

/// Reads a boolean.
fn boolean(text: &str) -> Option<Cell> {
    match text.to_ascii_lowercase().as_str() {
        "yes" | "y" | "true" | "t" | "1" => Some(Cell::Boolean(true)),
        "no" | "n" | "false" | "f" | "0" => Some(Cell::Boolean(false)),
        _ => None,
    }
}

/// Reads a number; its text loses signs of currencies, commas, and zeros in front.
fn number(text: &str) -> Option<Cell> {
    let text = text.strip_suffix('%').unwrap_or(text).trim();
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", text.strip_prefix('+').unwrap_or(text)),
    };
    let text = text.trim_start_matches(['$', '€', '£', '¥']);
    let plain = text.replace(',', "");
    if let Some((digits, exponent)) = plain.split_once(['e', 'E']) {
        return scientific(sign, digits, exponent);
    }
    let shape = plain
        .bytes()
        .all(|byte| byte.is_ascii_digit() || byte == b'.');
    if !shape || !plain.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    // As a decimal is written: no zeros that say nothing before the point, one where there is nothing.
    let (whole, rest) = plain.split_at(plain.find('.').unwrap_or(plain.len()));
    let whole = whole.trim_start_matches('0');
    let whole = if whole.is_empty() { "0" } else { whole };
    let rest = if rest == "." { "" } else { rest };
    let plain = format!("{sign}{whole}{rest}");
    let value = plain.parse().ok()?;
    Some(Cell::Number(value, plain))
}

/// A number with an exponent, whose text is as Python writes decimals: plain where the exponent is within -6 and 0.
fn scientific(sign: &str, digits: &str, exponent: &str) -> Option<Cell> {
    let shape = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let some = !whole.is_empty() || !fraction.is_empty();
    if !some || !shape(whole) || !shape(fraction) {
        return None;
    }
    let exponent: i32 = exponent.parse().ok()?;
    let value: f64 = format!("{sign}{digits}e{exponent}").parse().ok()?;
    let all = format!("{whole}{fraction}");
    let all = all.trim_start_matches('0');
    let all = if all.is_empty() { "0" } else { all };
    let lowest = exponent - fraction.len() as i32;
    let adjusted = lowest + all.len() as i32 - 1;
    let text = if lowest <= 0 && adjusted >= -6 {
        let places = usize::try_from(-lowest).ok()?;
        let padded = format!("{all:0>width$}", width = places + 1);
        let (whole, fraction) = padded.split_at(padded.len() - places);
        let point = if fraction.is_empty() { "" } else { "." };
        format!("{sign}{whole}{point}{fraction}")
    } else {
        let (first, rest) = all.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        format!("{sign}{first}{point}{rest}E{adjusted:+}")
    };
    Some(Cell::Number(value, text))
}

/// Reads a span: parts between colons (`D:HH:MM:SS`, at most four), or amounts with units (`1w 2d`).
fn duration(text: &str) -> Option<Cell> {
    if text.contains(':') {
        let parts: Option<Vec<f64>> = text.split(':').map(|part| part.parse().ok()).collect();
        let parts = parts?;
        let plain = text
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte == b':' || byte == b'.');
        if !plain || parts.len() > 4 {
            return None;
        }
        let scales = [86400.0, 3600.0, 60.0, 1.0];
        let scales = &scales[4 - parts.len()..];
        return Some(Cell::TimeDelta(
            parts
                .iter()
                .zip(scales)
                .map(|(part, scale)| part * scale)
                .sum(),
        ));
    }
    let mut rest = text;
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let amount: f64 = rest[..digits].parse().ok()?;
        rest = rest[digits..].trim_start();
        let end = rest
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(rest.len());
        seconds += amount
            * match &rest[..end] {
                "w" | "wk" | "wks" | "week" | "weeks" => 604_800.0,
                "d" | "dy" | "dys" | "day" | "days" => 86_400.0,
                "h" | "hr" | "hrs" | "hour" | "hours" => 3_600.0,
                "m" | "min" | "mins" | "minute" | "minutes" => 60.0,
                "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
                _ => return None,
            };
        rest = rest[end..].trim_start_matches([' ', ',']);
    }
    Some(Cell::TimeDelta(seconds))
}

/// Reads `YYYY-MM-DD` or `M/D/YYYY`.
fn date(text: &str) -> Option<Cell> {
    if text.len() == 10
        && let Ok(date) = text.parse::<Date>()
    {
        return Some(Cell::Date(date));
    }
    let parts: Vec<&str> = text.split('/').collect();
    let [month, day, year] = parts[..] else {
        return None;
    };
    let year = (year.len() == 4).then(|| year.parse().ok()).flatten()?;
    let date = Date::new(year, month.parse().ok()?, day.parse().ok()?).ok()?;
    Some(Cell::Date(date))
}

/// Reads a day and a time, with a `T` or a space between them, and an optional zone.
fn moment(text: &str) -> Option<Cell> {
    if !text.contains([':', 'T']) || text.len() < 13 {
        return None;
    }
    let normal = text.replacen(' ', "T", 1);
    let (bare, zone) = match normal.get(19..).and_then(|tail| tail.find(['Z', '+', '-'])) {
        Some(at) => normal.split_at(19 + at),
        None => (normal.as_str(), ""),
    };
    let time: DateTime = bare.parse().ok()?;
    let zone = if zone == "Z" { "+00:00" } else { zone };
    Some(Cell::DateTime(time, zone.to_owned()))
}

/// Reads a cell as one type.
type Read = fn(&str) -> Option<Cell>;

/// The types in the order in which they are tried.
const GUESSES: [(Kind, Read); 5] = [
    (Kind::Boolean, boolean),
    (Kind::Number, number),
    (Kind::TimeDelta, duration),
    (Kind::Date, date),
    (Kind::DateTime, moment),
];

/// Reads the cells of a table; with `-I` all are text, or null.
pub fn infer(parsed: &Parsed, table: Table) -> Typed {
    let blanks = parsed.has("blanks");
    let null = |text: &str| !blanks && is_null(text);
    let mut kinds = Vec::new();
    for column in 0..table.names.len() {
        let cells = || {
            table
                .rows
                .iter()
                .map(|row| row[column].trim())
                .filter(|text| !null(text))
        };
        let guess = GUESSES
            .iter()
            .find(|(_, read)| cells().all(|text| read(text).is_some()));
        kinds.push(match guess {
            Some((kind, _)) if !parsed.has("I") => *kind,
            _ => Kind::Text,
        });
    }
    let read = |row: Vec<String>| {
        let cells = row.into_iter().zip(&kinds).map(|(text, kind)| {
            if null(&text) {
                return Cell::Null;
            }
            let read = GUESSES
                .iter()
                .find(|(guess, _)| guess == kind)
                .map(|(_, read)| read);
            read.and_then(|read| read(text.trim()))
                .unwrap_or(Cell::Text(text))
        });
        cells.collect()
    };
    Typed {
        rows: table.rows.into_iter().map(read).collect(),
        names: table.names,
        kinds,
    }
}

impl Cell {
    /// The cell as `str` shows it; nothing for null.
    pub fn text(&self) -> String {
        match self {
            Cell::Null => String::new(),
            Cell::Boolean(true) => "True".to_owned(),
            Cell::Boolean(false) => "False".to_owned(),
            Cell::Number(_, text) | Cell::Text(text) => text.clone(),
            Cell::TimeDelta(seconds) => delta(*seconds),
            Cell::Date(date) => date.to_string(),
            Cell::DateTime(time, zone) => {
                format!("{}{zone}", time.strftime("%Y-%m-%dT%H:%M:%S%.f"))
            }
        }
    }

    /// The order of two cells of one column; null is last.
    pub fn compare(&self, other: &Cell) -> std::cmp::Ordering {
        use std::cmp::Ordering;
        match (self, other) {
            (Cell::Null, Cell::Null) => Ordering::Equal,
            (Cell::Null, _) => Ordering::Greater,
            (_, Cell::Null) => Ordering::Less,
            (Cell::Number(a, _), Cell::Number(b, _)) | (Cell::TimeDelta(a), Cell::TimeDelta(b)) => {
                a.total_cmp(b)
            }
            (Cell::Boolean(a), Cell::Boolean(b)) => a.cmp(b),
            (Cell::Date(a), Cell::Date(b)) => a.cmp(b),
            (Cell::DateTime(a, _), Cell::DateTime(b, _)) => a.cmp(b),
            _ => self.text().cmp(&other.text()),
        }
    }
}

/// Seconds as Python shows a span of time: `1 day, 2:00:00`. Fractions of a second are cut off.
pub fn delta(seconds: f64) -> String {
    let days = (seconds / 86_400.0).floor();
    let rest = seconds - days * 86_400.0;
    let whole = rest as u64;
    let time = format!("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
    match days as i64 {
        0 => time,
        1 => format!("1 day, {time}"),
        days => format!("{days} days, {time}"),
    }
}

//! `cal` and `ncal`, as Debian's bsdmainutils have them: calendars of months and years.
//!
//! ```text
//! cal 2 2024           February 2024, weeks in lines, Sunday first
//! cal -3               the months around this one, side by side
//! cal 2024             a year; three months side by side, two with -j
//! ncal 2 2024          weeks in columns; four months side by side
//! ```
//!
//! Dates before 14 September 1752 are those of the old (Julian) calendar, as in England; that month has 19 days.
//! Nothing is highlighted. A date is a number of days since 1970 in either calendar, so weekdays need no case of their
//! own.

use crate::calendar::{Broken, days_from_civil};
use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::output::Output;
use crate::system::Time;

/// Options of `cal`.
const CAL: Syntax = Syntax {
    usage: "Usage: cal [general options] [-jy] [[month] year]\n       \
            cal [general options] [-j] [-m month] [year]\n\
            General options: [-31] [-A months] [-B months] [-d yyyy-mm]\n",
    options: &[
        Opt("1", "", Value::No),
        Opt("3", "", Value::No),
        Opt("A", "", Value::Required),
        Opt("B", "", Value::Required),
        Opt("C", "", Value::No),
        Opt("d", "", Value::Required),
        Opt("j", "", Value::No),
        Opt("m", "", Value::Required),
        Opt("y", "", Value::No),
    ],
    permute: false,
    status: 64,
};

/// Options of `ncal`.
const NCAL: Syntax = Syntax {
    usage: "Usage: ncal [general options] [-bChjy] [[month] year]\n       \
            ncal [general options] [-bChj] [-m month] [year]\n\
            General options: [-31] [-A months] [-B months] [-d yyyy-mm]\n",
    options: &[
        Opt("1", "", Value::No),
        Opt("3", "", Value::No),
        Opt("A", "", Value::Required),
        Opt("B", "", Value::Required),
        Opt("b", "", Value::No),
        Opt("C", "", Value::No),
        Opt("d", "", Value::Required),
        Opt("h", "", Value::No),
        Opt("j", "", Value::No),
        Opt("m", "", Value::Required),
        Opt("y", "", Value::No),
    ],
    permute: false,
    status: 64,
};

/// The months.
const NAMES: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// The days of the week.
const WEEK: [&str; 7] = ["Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"];

/// The last day of the old calendar in England, as days since 1970: 2 September 1752.
const SWITCH: i64 = -79_367;

/// Days since 1970 of a date; months and days count from 1. Dates before the switch are read in the old calendar.
fn day_number(year: i64, month: i64, day: i64) -> i64 {
    let new = days_from_civil(year, month - 1, day);
    if new > SWITCH + 11 {
        return new;
    }
    // The old calendar leaves out no leap day.
    let (years, month) = if month <= 2 {
        (year - 1, month + 12)
    } else {
        (year, month)
    };
    let julian = 365 * years + years.div_euclid(4) + (153 * (month - 3) + 2) / 5 + day - 1;
    julian - 719_470
}

/// The days of a month: number and weekday, 0 is Sunday.
fn days(year: i64, month: i64) -> Vec<(i64, i64)> {
    let (next_year, next_month) = if month == 12 {
        (year + 1, 1)
    } else {
        (year, month + 1)
    };
    let count = day_number(next_year, next_month, 1) - day_number(year, month, 1);
    let first = day_number(year, month, 1);
    let mut out = Vec::new();
    for number in first..first + count {
        let mut day = number - first + 1;
        if (year, month) == (1752, 9) && day > 2 {
            day += 11;
        }
        out.push((day, (number + 4).rem_euclid(7)));
    }
    out
}

/// How months are laid out.
struct Style {
    /// Days count from the first of January.
    julian: bool,
    /// Weeks are columns, as `ncal` prints them.
    upright: bool,
}

impl Style {
    /// The columns of a day with the gap beside it.
    fn width(&self) -> usize {
        if self.julian { 4 } else { 3 }
    }

    /// How many months stand beside each other.
    fn months(&self) -> usize {
        3 - usize::from(self.julian) + usize::from(self.upright)
    }

    /// The lines of a month with the days of the week below each other, without their names.
    fn upright(&self, year: i64, month: i64, title: String) -> Vec<String> {
        let width = self.width();
        let mut lines = vec![title];
        let before = day_number(year, month, 1) - day_number(year, 1, 1);
        let mut cells = [const { [const { String::new() }; 6] }; 7];
        let mut week = 0;
        for (at, (day, weekday)) in days(year, month).into_iter().enumerate() {
            week += usize::from(weekday == 0 && at > 0);
            let shown = if self.julian {
                before + at as i64 + 1
            } else {
                day
            };
            cells[weekday as usize][week] = shown.to_string();
        }
        for row in cells {
            let row = row.iter().map(|cell| format!("{cell:>width$}"));
            lines.push(row.collect());
        }
        let line = |line: String| format!("{line:<0$}", 6 * width);
        lines.into_iter().map(line).collect()
    }

    /// The eight lines of a month: title, weekdays and six weeks, each filled up to the same width with the gap behind
    /// it.
    fn month(&self, year: i64, month: i64, titled: bool) -> Vec<String> {
        let width = self.width();
        let name = NAMES[(month - 1) as usize];
        let title = if titled {
            format!("{name} {year}")
        } else {
            name.to_owned()
        };
        if self.upright {
            return self.upright(year, month, title);
        }
        let heads = WEEK.map(|head| format!("{head:>0$} ", width - 1));
        let mut lines = vec![centered(&title, 7 * width - 1), heads.concat()];
        let before = day_number(year, month, 1) - day_number(year, 1, 1);
        let mut line = String::new();
        for (at, (day, weekday)) in days(year, month).into_iter().enumerate() {
            if weekday == 0 && !line.is_empty() {
                lines.push(std::mem::take(&mut line));
            }
            if line.is_empty() {
                line = " ".repeat(width * weekday as usize);
            }
            let shown = if self.julian {
                before + at as i64 + 1
            } else {
                day
            };
            line.push_str(&format!("{shown:>0$} ", width - 1));
        }
        lines.push(line);
        lines.resize(8, String::new());
        lines
            .into_iter()
            .map(|line| format!("{line:<0$}", 7 * width + 1))
            .collect()
    }
}

/// A text in the middle of a width, without blanks behind it.
fn centered(text: &str, width: usize) -> String {
    let before = (width.saturating_sub(text.len())) / 2;
    format!("{}{text}", " ".repeat(before))
}

/// Runs `cal` and `ncal`: `[[MONTH] YEAR]`, where a single number is a year and a single name a month.
pub fn run(call: &Call) -> i32 {
    let syntax = if call.name == "ncal" { &NCAL } else { &CAL };
    let parsed = match options::parse(call, syntax) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let refuse = |message: Vec<u8>| options::usage_error(call, syntax, message);
    let now = Broken::from_seconds(Time::now().seconds);
    let (mut year, mut month) = (now.year, now.month + 1);
    let mut whole = parsed.has("y");
    if let Some(date) = parsed.value("d") {
        let text = String::from_utf8_lossy(date).into_owned();
        let parts = text.split_once('-').and_then(|(year, month)| {
            Some((
                year.parse().ok()?,
                month
                    .parse()
                    .ok()
                    .filter(|month| (1..=12).contains(month))?,
            ))
        });
        match parts {
            Some(parts) => (year, month) = parts,
            None => return refuse(bytes!(date, " is not a valid date")),
        }
    }
    let mut words = parsed.operands.clone();
    let mut named = parsed.value("m").map(<[u8]>::to_vec);
    if words.len() > 2 {
        return refuse(b"too many arguments".to_vec());
    }
    if words.len() == 2 {
        named = Some(words.remove(0));
    }
    if let Some(word) = words.first() {
        match options::number::<i64>(word) {
            Some(number) if (1..=9999).contains(&number) => year = number,
            Some(_) => return refuse(bytes!("year `", word, "' not in range 1..9999")),
            None => match month_of(word) {
                Some(found) if named.is_none() => {
                    month = found;
                    named = Some(word.clone());
                }
                _ => return refuse(bytes!("not a valid year ", word)),
            },
        }
        whole |= named.is_none();
    }
    if let Some(word) = &named {
        match month_of(word) {
            Some(found) => month = found,
            None => {
                return refuse(bytes!(
                    word,
                    " is neither a month number (1..12) nor a name"
                ));
            }
        }
    }
    let flat = parsed.has("b") || parsed.has("C");
    let style = Style {
        julian: parsed.has("j"),
        upright: call.name == "ncal" && !flat,
    };
    let count = |key: &str| parsed.value(key).map_or(Some(0), options::number::<i64>);
    let (Some(mut before), Some(mut after)) = (count("B"), count("A")) else {
        return refuse(b"Argument to -A and -B must be a number".to_vec());
    };
    if parsed.has("3") {
        (before, after) = (1, 1);
    }
    if whole {
        (month, before, after) = (1, 0, 11 + after);
    }
    let mut out = Output::new();
    out.put(print(&style, year, month, before, after));
    out.finish(&call.name, 0, 1)
}

/// A month from 1 by its number, or by at least three letters of its name in any case.
fn month_of(word: &[u8]) -> Option<i64> {
    if let Some(number) = options::number::<i64>(word) {
        return (1..=12).contains(&number).then_some(number);
    }
    let text = String::from_utf8_lossy(word).to_lowercase();
    let fits = |name: &&str| text.len() >= 3 && name.to_lowercase().starts_with(&text);
    NAMES.iter().position(fits).map(|at| at as i64 + 1)
}

/// The text for the months from `before` months ahead of one to `after` months behind it, in rows side by side. The
/// year is a title of its own where a row begins with January and is full.
fn print(style: &Style, year: i64, month: i64, before: i64, after: i64) -> String {
    let first = year * 12 + month - 1 - before;
    let last = year * 12 + month - 1 + after;
    let lines = |month: i64, titled: bool| {
        style.month(month.div_euclid(12), month.rem_euclid(12) + 1, titled)
    };
    // What stands before the lines of a row.
    let label = |line: usize| match (style.upright, line) {
        (false, _) => "",
        (true, 0) => "    ",
        (true, line) => WEEK[line - 1],
    };
    if first == last {
        return lines(first, true)
            .iter()
            .enumerate()
            .map(|(at, line)| format!("{}{line}\n", label(at)))
            .collect();
    }
    let wide = style.months() as i64;
    let mut out = String::new();
    // Where rows begin with quarters, the year stands above; else each month tells its own.
    let headed = first.rem_euclid(wide) == 0 && last - first + 1 >= wide;
    let months: Vec<i64> = (first..=last).collect();
    for (at, row) in months.chunks(wide as usize).enumerate() {
        if at > 0 {
            out.push('\n');
        }
        if headed && (at == 0 || row[0].rem_euclid(12) == 0) {
            let cells = if style.upright {
                6 * style.width()
            } else {
                7 * style.width() - 1
            };
            let total = wide as usize * cells;
            out += &centered(&row[0].div_euclid(12).to_string(), total);
            out.push('\n');
        }
        let blocks: Vec<Vec<String>> = row.iter().map(|month| lines(*month, !headed)).collect();
        for line in 0..8 {
            let cells: Vec<&str> = blocks.iter().map(|block| block[line].as_str()).collect();
            out += label(line);
            out += &cells.concat();
            out.push('\n');
        }
    }
    out
}

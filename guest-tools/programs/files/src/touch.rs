//! `touch` of coreutils 9.1; POSIX.1-2017, Shell & Utilities, "touch". Dates of `-d` are read by `when`, as for `date
//! -d`.

use jiff::civil::DateTime;

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::quote;
use crate::system::{self, Time};
use crate::{time, when};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: touch [OPTION]... FILE...\nUpdate the access and modification times of each FILE to the current time.\n",
    options: &[
        Opt("a", "", Value::No),
        Opt("c", "no-create", Value::No),
        Opt("d", "date", Value::Required),
        Opt("f", "", Value::No),
        Opt("h", "no-dereference", Value::No),
        Opt("m", "", Value::No),
        Opt("r", "reference", Value::Required),
        Opt("t", "", Value::Required),
        Opt("", "time", Value::Required),
    ],
    permute: true,
    status: 1,
};

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

/// Reads the command line and sets the times; `Err` is the status after a message.
fn start(call: &Call) -> Result<i32, i32> {
    let mut parsed = options::parse(call, &SYNTAX)?;
    let paths = std::mem::take(&mut parsed.operands);
    let (accessed, modified) = changed(call, &parsed)?;
    let times = times(call, &parsed)?;
    if paths.is_empty() {
        return Err(options::usage_error(call, &SYNTAX, "missing file operand"));
    }
    let touch = Touch {
        call,
        accessed: accessed.then_some(times.0),
        modified: modified.then_some(times.1),
        create: !parsed.has("c") && !parsed.has("h"),
        follow: !parsed.has("h"),
    };
    let statuses = paths.iter().map(|path| touch.one(path));
    Ok(statuses.fold(0, i32::max))
}

/// Whether the time of access and that of modification are changed.
fn changed(call: &Call, parsed: &Parsed) -> Result<(bool, bool), i32> {
    let (mut accessed, mut modified) = (parsed.has("a"), parsed.has("m"));
    for (_, value) in parsed.options.iter().filter(|(key, _)| *key == "time") {
        let names = [vec!["atime", "access", "use"], vec!["mtime", "modify"]];
        let at = options::choice(call, "--time", value, &names)?;
        (accessed, modified) = (accessed || at == 0, modified || at == 1);
    }
    Ok(match (accessed, modified) {
        (false, false) => (true, true),
        which => which,
    })
}

/// The times of access and modification that files get: now, those of a reference, or a date. With `-r` and `-d` a
/// relative date counts from the reference's times.
///
/// # Errors
/// Status 1 after a message.
fn times(call: &Call, parsed: &Parsed) -> Result<(Time, Time), i32> {
    let now = Time::now();
    let mut times = (now, now);
    let invalid = |text: &[u8]| call.fail(1, bytes!("invalid date format ", quote::word(text)));
    if parsed.has("t") && (parsed.has("d") || parsed.has("r")) {
        let message = "cannot specify times from more than one source";
        return Err(options::usage_error(call, &SYNTAX, message));
    }
    if let Some(path) = parsed.value("r") {
        let stat = system::stat(path, !parsed.has("h")).map_err(|failure| {
            let name = quote::message(path);
            call.fail(
                1,
                bytes!("failed to get attributes of ", name, ": ", failure),
            )
        })?;
        times = (stat.accessed, stat.modified);
    }
    if let Some(text) = parsed.value("d") {
        let zone = time::zone();
        let read = |from: Time| {
            let text = std::str::from_utf8(text).ok()?;
            when::parse(text, from, &zone)
        };
        match (read(times.0), read(times.1)) {
            (Some(accessed), Some(modified)) => times = (accessed, modified),
            _ => return Err(invalid(text)),
        }
    }
    if let Some(text) = parsed.value("t") {
        let time = stamp(text, now).ok_or_else(|| invalid(text))?;
        times = (time, time);
    }
    Ok(times)
}

/// Reads `[[CC]YY]MMDDhhmm[.ss]` in the local zone; years 69 to 99 are of the last century, and without a year it is
/// this one. None where it is not a time. A leap second, 60, is the second after 59.
///
/// ```text
/// 202611290225.30  ->  2026-11-29 02:25:30        6911290225  ->  1969-11-29 02:25:00
/// ```
fn stamp(text: &[u8], now: Time) -> Option<Time> {
    let text = std::str::from_utf8(text).ok()?;
    let (digits, seconds) = text.split_once('.').unwrap_or((text, "00"));
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(digits) || !is_number(seconds) || seconds.len() != 2 || digits.len() % 2 != 0 {
        return None;
    }
    let zone = time::zone();
    let (year, rest) = match digits.len() {
        8 => (time::local(now, &zone).year(), digits),
        10 => {
            let year: i16 = digits[..2].parse().ok()?;
            (year + if year < 69 { 2000 } else { 1900 }, &digits[2..])
        }
        12 => (digits[..4].parse().ok()?, &digits[4..]),
        _ => return None,
    };
    let part = |at: usize| rest[at..at + 2].parse::<i8>().ok();
    // A leap second is the one after it.
    let seconds: i8 = seconds.parse().ok().filter(|seconds| *seconds <= 60)?;
    let date = DateTime::new(
        year,
        part(0)?,
        part(2)?,
        part(4)?,
        part(6)?,
        seconds.min(59),
        0,
    )
    .ok()?;
    let zoned = zone.to_zoned(date).ok()?;
    Some(Time {
        seconds: zoned.timestamp().as_second() + i64::from(seconds == 60),
        nanoseconds: 0,
    })
}

/// What is done with each file.
struct Touch<'a> {
    call: &'a Call,
    /// The new time of access; none keeps it.
    accessed: Option<Time>,
    /// The new time of modification; none keeps it.
    modified: Option<Time>,
    /// Files that are missing are made.
    create: bool,
    /// Links are followed.
    follow: bool,
}

impl Touch<'_> {
    /// Sets the times of one file; the status. With `-c` a missing file is no failure.
    fn one(&self, path: &[u8]) -> i32 {
        // Standard output has no time that anybody could see.
        if path == b"-" {
            return 0;
        }
        let name = || quote::message(path);
        let mut stat = system::stat(path, self.follow);
        if stat.is_err() && self.create {
            if let Err(failure) = system::create_file(path, true) {
                return self
                    .call
                    .fail(1, bytes!("cannot touch ", name(), ": ", failure));
            }
            stat = system::stat(path, true);
        }
        let stat = match stat {
            Ok(stat) => stat,
            Err(failure) if failure == system::NO_ENTRY && self.follow => return 0,
            Err(failure) => {
                return self
                    .call
                    .fail(1, bytes!("setting times of ", name(), ": ", failure));
            }
        };
        let accessed = self.accessed.unwrap_or(stat.accessed);
        let modified = self.modified.unwrap_or(stat.modified);
        match system::set_times(path, accessed, modified, self.follow) {
            Ok(()) => 0,
            Err(failure) => self
                .call
                .fail(1, bytes!("setting times of ", name(), ": ", failure)),
        }
    }
}

//! `strftime` and `mktime`, in the zone of `TZ` or universal time.

use std::rc::Rc;

use super::super::interpreter::{Interpreter, Outcome};
use super::super::tree::*;
use super::super::value::Value;
use crate::system::Time;
use crate::time;

impl<'p> Interpreter<'p> {
    /// `strftime([format [, seconds [, universal]]])`: the default is the format of `date`, and the moment now.
    pub(super) fn strftime(&mut self, arguments: &'p [Expression]) -> Outcome<Value> {
        let format = match arguments.first() {
            Some(format) => self.text(format)?,
            None => Rc::new(b"%a %b %e %H:%M:%S %Z %Y".to_vec()),
        };
        let when = match arguments.get(1) {
            Some(when) => Time {
                seconds: self.eval(when)?.number() as i64,
                nanoseconds: 0,
            },
            None => Time::now(),
        };
        let universal = match arguments.get(2) {
            Some(flag) => self.eval(flag)?.is_true(),
            None => false,
        };
        let zone = if universal {
            jiff::tz::TimeZone::UTC
        } else {
            time::zone()
        };
        let local = time::local(when, &zone);
        let format = expand(&String::from_utf8_lossy(&format), universal);
        Ok(Value::text(time::format(&local, &format)))
    }
}

/// Replaces the conversions that are made of others in the C locale, and the name of universal time.
fn expand(format: &str, universal: bool) -> String {
    let mut out = String::with_capacity(format.len());
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let tail = &rest[at + 1..];
        let letter = tail.chars().next();
        match letter {
            Some('c') => out.push_str("%a %b %e %H:%M:%S %Y"),
            Some('x') => out.push_str("%m/%d/%y"),
            Some('X') => out.push_str("%H:%M:%S"),
            Some('r') => out.push_str("%I:%M:%S %p"),
            Some('Z') if universal => out.push_str("GMT"),
            Some(letter) => out.extend(['%', letter]),
            None => out.push('%'),
        }
        rest = &tail[letter.map_or(0, char::len_utf8)..];
    }
    out.push_str(rest);
    out
}

/// `YYYY MM DD HH MM SS [DST]` as seconds since the epoch; -1 where it is no time. Parts out of range carry over: day 0
/// is the last of the month before.
///
/// ```text
/// mktime("2026 11 29 2 25 25")  seconds of that local time
/// mktime("2026 13 1 0 0 0")     1 January 2027
/// mktime("2026 11")             -1
/// ```
pub(super) fn mktime(text: &[u8], universal: bool) -> f64 {
    let text = String::from_utf8_lossy(text);
    let parts: Vec<i64> = text
        .split_whitespace()
        .map_while(|word| word.parse().ok())
        .collect();
    let [year, month, day, hour, minute, second, ..] = parts[..] else {
        return -1.0;
    };
    let zone = if universal {
        jiff::tz::TimeZone::UTC
    } else {
        time::zone()
    };
    // Months and the rest may be out of range: they carry over.
    let months = year
        .saturating_mul(12)
        .saturating_add(month.saturating_sub(1));
    let (Ok(year), Ok(month)) = (
        i16::try_from(months.div_euclid(12)),
        i8::try_from(months.rem_euclid(12) + 1),
    ) else {
        return -1.0;
    };
    let parts_in_seconds = [
        (day.saturating_sub(1), 86400),
        (hour, 3600),
        (minute, 60),
        (second, 1),
    ];
    let seconds = parts_in_seconds
        .iter()
        .try_fold(0_i64, |sum, (part, unit)| {
            sum.checked_add(part.checked_mul(*unit)?)
        });
    let Some(seconds) = seconds else {
        return -1.0;
    };
    let start = jiff::civil::Date::new(year, month, 1).map(|date| date.at(0, 0, 0, 0));
    let when = start.and_then(|start| start.checked_add(jiff::SignedDuration::from_secs(seconds)));
    let Ok(when) = when.and_then(|when| when.to_zoned(zone)) else {
        return -1.0;
    };
    // Summer time by the last word, where there is none: an hour before.
    let stamp = when.timestamp();
    let summer = when.time_zone().to_offset_info(stamp).dst().is_dst();
    let early = !summer && parts.get(6).is_some_and(|&flag| flag > 0);
    (stamp.as_second() - if early { 3600 } else { 0 }) as f64
}

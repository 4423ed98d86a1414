//! Times as JSON carries them: `2026-01-01T00:00:00.5Z`.

use crate::Timestamp;

/// The point in time, where the text is one of RFC 3339 in UTC (`Z`).
pub fn parse(text: &str) -> Option<Timestamp> {
    let (date, time) = text.strip_suffix('Z')?.split_once('T')?;
    let [year, month, day] = numbers(date, '-')?;
    let (time, fraction) = time.split_once('.').unwrap_or((time, ""));
    let [hour, minute, second] = numbers(time, ':')?;
    let digits: String = fraction
        .chars()
        .chain("000000000".chars())
        .take(9)
        .collect();
    Some(Timestamp {
        seconds: days(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second,
        nanoseconds: digits.parse().ok()?,
    })
}

fn numbers(text: &str, separator: char) -> Option<[i64; 3]> {
    let parsed: Vec<i64> = text
        .split(separator)
        .map(|part| part.parse().ok())
        .collect::<Option<_>>()?;
    parsed.try_into().ok()
}

/// Days from 1970-01-01 in the Gregorian calendar, by eras of 400 years that begin in March.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

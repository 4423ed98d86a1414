//! The values of `--changed-within` and `--changed-before`, as fd 8.6 reads them by the crates `humantime` and
//! `chrono`.

use std::time::{Duration, SystemTime};

use jiff::civil;

/// The moment that a text means: a duration before now, a date, or a date and a time. Without a zone the local one
/// (`TZ`) holds. None where it is none of these, or too far in the past.
///
/// ```text
/// 2weeks                     now - 14 days
/// 2018-10-27                 midnight of that day, local
/// 2018-10-27 10:00:00        local
/// 2018-10-27T10:00:00+02:00  RFC 3339
/// ```
pub fn moment(text: &str) -> Option<SystemTime> {
    if let Some(ago) = duration(text) {
        return SystemTime::now().checked_sub(ago);
    }
    if text.contains(['T', 't'])
        && let Ok(stamp) = text.parse::<jiff::Timestamp>()
    {
        return Some(stamp.into());
    }
    let local = match (text.len(), text.split_once(' ')) {
        (10, None) => text
            .parse::<civil::Date>()
            .ok()?
            .to_datetime(civil::Time::midnight()),
        (_, Some((date, time))) if !time.contains(['+', '-', 'Z']) => {
            let date: civil::Date = date.parse().ok()?;
            date.to_datetime(time.trim().parse().ok()?)
        }
        _ => return None,
    };
    let zoned = local.to_zoned(crate::time::zone()).ok()?;
    Some(zoned.timestamp().into())
}

/// The sum of numbers with units, with or without space between: `2weeks`, `1h 30min`. Each number needs a unit. `m` is
/// a minute and `M` a month of 30.44 days; a year has 365.25. None for anything else and where the sum overflows.
fn duration(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut sum = Duration::ZERO;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let count: u64 = rest[..digits].parse().ok()?;
        rest = rest[digits..].trim_start();
        let end = rest
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(rest.len());
        let seconds = match &rest[..end] {
            "nanos" | "nsec" | "ns" => {
                sum = sum.checked_add(Duration::from_nanos(count))?;
                0
            }
            "usec" | "us" => {
                sum = sum.checked_add(Duration::from_micros(count))?;
                0
            }
            "millis" | "msec" | "ms" => {
                sum = sum.checked_add(Duration::from_millis(count))?;
                0
            }
            "seconds" | "second" | "secs" | "sec" | "s" => 1,
            "minutes" | "minute" | "min" | "mins" | "m" => 60,
            "hours" | "hour" | "hrs" | "hr" | "h" => 3600,
            "days" | "day" | "d" => 86_400,
            "weeks" | "week" | "w" => 604_800,
            "months" | "month" | "M" => 2_630_016,
            "years" | "year" | "y" => 31_557_600,
            _ => return None,
        };
        sum = sum.checked_add(Duration::from_secs(count.checked_mul(seconds)?))?;
        rest = rest[end..].trim_start();
    }
    Some(sum)
}

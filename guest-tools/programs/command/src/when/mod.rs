//! Dates as GNU's `date -d`, `touch -d` and `find -newermt` read them: calendar dates, times, zones, weekdays
//! and relative items in any order, with the meaning that gnulib's `parse_datetime` gives them.

mod read;
mod resolve;
mod token;
mod words;

use jiff::tz::TimeZone;

use crate::system::Time;

/// The point in time that `text` means, seen from `now` in `zone`; none where it is no date.
pub fn parse(text: &str, now: Time, zone: &TimeZone) -> Option<Time> {
    let (own_zone, text) = leading_zone(text);
    let zone = own_zone.as_ref().unwrap_or(zone);
    let items = read::read(token::tokens(text, zone, now)?)?;
    resolve::resolve(&items, now, zone)
}

/// The same, seen from now in the zone of `TZ`.
pub fn local(text: &str) -> Option<Time> {
    parse(text, Time::now(), &crate::time::zone())
}

/// A `TZ="…"` at the start, and what follows.
fn leading_zone(text: &str) -> (Option<TimeZone>, &str) {
    let start = text.trim_start();
    let Some(rest) = start.strip_prefix("TZ=\"") else {
        return (None, text);
    };
    let mut name = String::new();
    let mut chars = rest.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return (Some(crate::time::zone_named(&name)), &rest[at + 1..]),
            '\\' => name.extend(chars.next().map(|(_, c)| c)),
            c => name.push(c),
        }
    }
    (None, text)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failure shows as a failed test")]

    use super::*;

    fn shown(text: &str, zone: &str) -> Option<String> {
        let zone = TimeZone::get(zone).unwrap();
        // 2024-05-15 13:20:30 UTC, a Wednesday.
        let now = Time {
            seconds: 1_715_779_230,
            nanoseconds: 5,
        };
        let found = parse(text, now, &zone)?;
        Some(crate::time::format(
            &crate::time::local(found, &zone),
            "%F %T %z",
        ))
    }

    #[test]
    fn dates_mean_what_gnu_means() {
        let cases = [
            ("", "2024-05-15 00:00:00 +0000"),
            ("now", "2024-05-15 13:20:30 +0000"),
            ("tomorrow", "2024-05-16 13:20:30 +0000"),
            ("yesterday 10:00", "2024-05-14 10:00:00 +0000"),
            ("next friday", "2024-05-17 00:00:00 +0000"),
            ("last friday", "2024-05-10 00:00:00 +0000"),
            ("wednesday", "2024-05-15 00:00:00 +0000"),
            ("next wednesday", "2024-05-22 00:00:00 +0000"),
            ("next month", "2024-06-15 13:20:30 +0000"),
            ("2024-01-31 +1 month", "2024-03-02 00:00:00 +0000"),
            ("3 days ago", "2024-05-12 13:20:30 +0000"),
            ("-1 week 2 hours", "2024-05-08 15:20:30 +0000"),
            ("2 fortnights hence", "2024-06-12 13:20:30 +0000"),
            ("@1700000000", "2023-11-14 22:13:20 +0000"),
            ("@-1.5", "1969-12-31 23:59:58 +0000"),
            ("2024-02-30", "none"),
            ("2024-06-01T12:30:45Z", "2024-06-01 12:30:45 +0000"),
            ("2024-06-01T12:30:45.25+02:00", "2024-06-01 10:30:45 +0000"),
            ("20240601T1230", "2024-06-01 19:30:00 +0000"),
            ("20240601 -2 days 10:00", "2024-05-30 10:00:00 +0000"),
            (
                "Sat, 01 Jun 2024 10:00:00 -0500",
                "2024-06-01 15:00:00 +0000",
            ),
            ("June 1, 2024 3pm EST", "2024-06-01 20:00:00 +0000"),
            ("1 jun 24 12:00 a.m.", "2024-06-01 00:00:00 +0000"),
            ("1-Jun-1999", "1999-06-01 00:00:00 +0000"),
            ("6/1/2024", "2024-06-01 00:00:00 +0000"),
            ("2024/6/1", "2024-06-01 00:00:00 +0000"),
            ("10:00 CEST", "2024-05-15 08:00:00 +0000"),
            ("UTC+2 10:00", "2024-05-15 08:00:00 +0000"),
            (
                "TZ=\"America/New_York\" 2024-01-01 00:00",
                "2024-01-01 05:00:00 +0000",
            ),
            ("1200", "2024-05-15 12:00:00 +0000"),
            ("(a comment) 9am", "2024-05-15 09:00:00 +0000"),
            ("25:00", "none"),
            ("tuesday wednesday", "none"),
            ("nonsense", "none"),
        ];
        for (text, expected) in cases {
            let got = shown(text, "UTC");
            assert_eq!(got.as_deref().unwrap_or("none"), expected, "{text:?}");
        }
        // The local clock skips 01:00 then.
        assert_eq!(
            shown("2021-03-28 01:00:01 +0000", "Europe/London").unwrap(),
            "2021-03-28 02:00:01 +0100"
        );
        assert_eq!(
            shown("2024-03-10 02:30", "America/New_York"),
            None,
            "an hour that was skipped"
        );
        assert_eq!(
            shown("2024-03-09 +1 day 12:00", "America/New_York").unwrap(),
            "2024-03-10 12:00:00 -0400"
        );
    }
}

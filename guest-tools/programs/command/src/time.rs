//! Points in time as text, in the zone of `TZ`.

use jiff::fmt::strtime::BrokenDownTime;
use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

use crate::system::Time;

/// The zone that `TZ` names; UTC where there is none.
pub fn zone() -> TimeZone {
    zone_named(&crate::system::text_variable("TZ").unwrap_or_default())
}

/// The zone that a value of `TZ` means.
pub fn zone_named(name: &str) -> TimeZone {
    let name = name.strip_prefix(':').unwrap_or(name);
    if name.is_empty() {
        return TimeZone::UTC;
    }
    TimeZone::get(name)
        .or_else(|_| TimeZone::posix(name))
        .unwrap_or(TimeZone::UTC)
}

/// A point in time in a zone; out of range it is the nearest that has a date.
pub fn local(time: Time, zone: &TimeZone) -> Zoned {
    let stamp = Timestamp::new(time.seconds, time.nanoseconds.min(999_999_999) as i32);
    let nearest = if time.seconds < 0 {
        Timestamp::MIN
    } else {
        Timestamp::MAX
    };
    stamp.unwrap_or(nearest).to_zoned(zone.clone())
}

/// `strftime`; what is no conversion stays as it is.
pub fn format(time: &Zoned, format: &str) -> String {
    let broken = BrokenDownTime::from(time);
    if let Ok(text) = broken.to_string(format) {
        return text;
    }
    // One conversion at a time, so that a wrong one costs only itself.
    let mut out = String::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let tail = &rest[at..];
        let flags = tail[1..]
            .find(|c: char| !"_-0^#+123456789EO:.".contains(c))
            .unwrap_or(0);
        let length = 1 + flags + tail[1 + flags..].chars().next().map_or(0, char::len_utf8);
        let (conversion, after) = tail.split_at(length);
        match broken.to_string(conversion) {
            Ok(text) => out.push_str(&text),
            Err(_) => out.push_str(conversion),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

/// `2024-02-03 04:05:06.000000007 +0000`, as `stat` writes it.
pub fn full(time: Time, zone: &TimeZone) -> String {
    let date = format(&local(time, zone), "%Y-%m-%d %H:%M:%S");
    let offset = format(&local(time, zone), "%z");
    format!("{date}.{:09} {offset}", time.nanoseconds)
}

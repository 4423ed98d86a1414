//! Dates as git shows them.

use super::objects::{Person, zone_text};
use super::stop::{Outcome, fatal};
use crate::calendar::Broken;
use crate::call::bytes;
use crate::system::Time;

/// A way to show dates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    #[default]
    Default,
    Iso,
    Strict,
    Rfc,
    Short,
    Raw,
    Unix,
    Relative,
    Format(Vec<u8>),
}

/// The minutes that the zone of `TZ` is ahead of UTC at a point in time.
pub fn local_zone(seconds: i64) -> i32 {
    let time = Time {
        seconds,
        nanoseconds: 0,
    };
    let local = crate::time::local(time, &crate::time::zone());
    local.offset().seconds() / 60
}

/// A mode, and whether the time zone of `TZ` is used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DateStyle {
    pub mode: Mode,
    pub local: bool,
}

impl DateStyle {
    /// Reads the value of `--date`.
    pub fn new(text: &[u8]) -> Outcome<DateStyle> {
        if text == b"local" {
            return Ok(DateStyle {
                mode: Mode::Default,
                local: true,
            });
        }
        if let Some(format) = text.strip_prefix(b"format:") {
            let mode = Mode::Format(format.to_vec());
            return Ok(DateStyle { mode, local: false });
        }
        if let Some(format) = text.strip_prefix(b"format-local:") {
            let mode = Mode::Format(format.to_vec());
            return Ok(DateStyle { mode, local: true });
        }
        let (name, local) = match text.strip_suffix(b"-local") {
            Some(name) => (name, true),
            None => (text, false),
        };
        let mode = match name {
            b"default" => Mode::Default,
            b"iso" | b"iso8601" => Mode::Iso,
            b"iso-strict" | b"iso8601-strict" => Mode::Strict,
            b"rfc" | b"rfc2822" => Mode::Rfc,
            b"short" => Mode::Short,
            b"raw" => Mode::Raw,
            b"unix" => Mode::Unix,
            b"relative" => Mode::Relative,
            _ => return Err(fatal(bytes!("unknown date format ", text))),
        };
        Ok(DateStyle { mode, local })
    }

    /// The time of a person as text.
    pub fn show(&self, person: &Person) -> String {
        let zone = if self.local {
            local_zone(person.time)
        } else {
            person.zone
        };
        let broken = Broken::from_seconds(person.time + i64::from(zone) * 60);
        let format =
            |format: &str| String::from_utf8_lossy(&broken.format(format.as_bytes())).into_owned();
        let offset = zone_text(zone);
        match &self.mode {
            Mode::Default if self.local => format("%a %b %-d %H:%M:%S %Y"),
            Mode::Default => format!("{} {offset}", format("%a %b %-d %H:%M:%S %Y")),
            Mode::Iso => format!("{} {offset}", format("%Y-%m-%d %H:%M:%S")),
            Mode::Strict if zone == 0 => format("%Y-%m-%dT%H:%M:%SZ"),
            Mode::Strict => {
                let (hours, minutes) = offset.split_at(3);
                format!("{}{hours}:{minutes}", format("%Y-%m-%dT%H:%M:%S"))
            }
            Mode::Rfc => format!("{} {offset}", format("%a, %-d %b %Y %H:%M:%S")),
            Mode::Short => format("%Y-%m-%d"),
            Mode::Raw => format!("{} {offset}", person.time),
            Mode::Unix => person.time.to_string(),
            Mode::Relative => relative(Time::now().seconds - person.time),
            Mode::Format(given) => {
                let text = String::from_utf8_lossy(given).replace("%z", &offset);
                let name = if self.local {
                    let time = Time {
                        seconds: person.time,
                        nanoseconds: 0,
                    };
                    let local = crate::time::local(time, &crate::time::zone());
                    crate::time::format(&local, "%Z")
                } else {
                    String::new()
                };
                format(&text.replace("%Z", &name))
            }
        }
    }
}

fn relative(age: i64) -> String {
    let plural =
        |count: i64, unit: &str| format!("{count} {unit}{} ago", if count == 1 { "" } else { "s" });
    if age < 0 {
        return "in the future".to_owned();
    }
    if age < 90 {
        return plural(age, "second");
    }
    let minutes = (age + 30) / 60;
    if minutes < 90 {
        return plural(minutes, "minute");
    }
    let hours = (minutes + 30) / 60;
    if hours < 36 {
        return plural(hours, "hour");
    }
    let days = (hours + 12) / 24;
    match days {
        0..14 => plural(days, "day"),
        14..70 => plural((days + 3) / 7, "week"),
        70..365 => plural((days + 15) / 30, "month"),
        365..1825 => {
            let months = (days * 24 + 365) / 730;
            let (years, months) = (months / 12, months % 12);
            if months == 0 {
                return plural(years, "year");
            }
            let years = format!("{years} year{}", if years == 1 { "" } else { "s" });
            format!("{years}, {}", plural(months, "month"))
        }
        _ => plural((days + 183) / 365, "year"),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failure shows as a failed test")]
mod tests {
    use super::*;

    /// Recorded from git 2.47.
    #[test]
    fn shows_dates_as_git_does() {
        let person = Person {
            time: 1_112_911_993,
            zone: -420,
            ..Person::default()
        };
        let cases = [
            ("default", "Thu Apr 7 15:13:13 2005 -0700"),
            ("local", "Thu Apr 7 22:13:13 2005"),
            ("iso", "2005-04-07 15:13:13 -0700"),
            ("iso-strict", "2005-04-07T15:13:13-07:00"),
            ("iso-local", "2005-04-07 22:13:13 +0000"),
            ("rfc", "Thu, 7 Apr 2005 15:13:13 -0700"),
            ("short", "2005-04-07"),
            ("raw", "1112911993 -0700"),
            ("unix", "1112911993"),
            ("format:%Y/%m %z", "2005/04 -0700"),
        ];
        for (mode, expected) in cases {
            let style = DateStyle::new(mode.as_bytes()).unwrap();
            assert_eq!(style.show(&person), expected, "{mode}");
        }
        assert!(DateStyle::new(b"nope").is_err());
    }

    #[test]
    fn tells_how_long_ago() {
        let cases = [
            (1, "1 second ago"),
            (89, "89 seconds ago"),
            (90, "2 minutes ago"),
            (3 * 3600, "3 hours ago"),
            (86_400 * 3, "3 days ago"),
            (86_400 * 20, "3 weeks ago"),
            (86_400 * 100, "3 months ago"),
            (86_400 * 400, "1 year, 1 month ago"),
            (86_400 * 4000, "11 years ago"),
        ];
        for (age, expected) in cases {
            assert_eq!(relative(age), expected, "{age}");
        }
    }
}

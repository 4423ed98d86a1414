//! Dates: `printf %(…)T`, `\D{…}` in prompts.

use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;
use offshoot_posix::calendar::{DAYS, MONTHS};

/// A time zone, as `TZ` names it.
#[derive(Debug, Clone)]
pub struct Zone {
    zone: TimeZone,
    /// What `%Z` shows where the zone itself has no name for it.
    name: Option<String>,
}

impl Zone {
    /// Coordinated universal time.
    pub fn utc() -> Zone {
        Zone {
            zone: TimeZone::UTC,
            name: None,
        }
    }

    /// The zone that a value of `TZ` names: a file below `/usr/share/zoneinfo`, which `read` gives the
    /// content of, a zone of the IANA database, or a POSIX rule (`EST5EDT,M3.2.0,M11.1.0`). Anything
    /// else is UTC, as in glibc.
    pub fn new(value: &[u8], read: &dyn Fn(&[u8]) -> Option<Vec<u8>>) -> Zone {
        let name = value.strip_prefix(b":").unwrap_or(value);
        let Ok(text) = std::str::from_utf8(name) else {
            return Zone::utc();
        };
        if text.is_empty() {
            return Zone::utc();
        }
        let path = if name[0] == b'/' {
            name.to_vec()
        } else {
            [b"/usr/share/zoneinfo/".as_slice(), name].concat()
        };
        if !text.contains("..")
            && let Some(content) = read(&path)
            && let Ok(zone) = TimeZone::tzif(text, &content)
        {
            return Zone { zone, name: None };
        }
        if let Ok(zone) = TimeZone::get(text).or_else(|_| TimeZone::posix(text)) {
            return Zone { zone, name: None };
        }
        let letters: String = text.chars().take_while(char::is_ascii_alphabetic).collect();
        Zone {
            zone: TimeZone::UTC,
            name: Some(letters).filter(|name| name.len() >= 3),
        }
    }
}

/// A moment, taken apart.
struct Moment<'a> {
    civil: DateTime,
    seconds: i64,
    offset: i32,
    name: &'a str,
}

/// The date in a format of `strftime`, in the C locale, with the flags of glibc. At most `limit`
/// bytes of it are made; a moment that no calendar has gives nothing.
///
/// ```
/// use offshoot_shell_language::format::time::{Zone, strftime};
///
/// assert_eq!(strftime(b"%F %T %Z", 1_700_000_000, &Zone::utc(), 100), b"2023-11-14 22:13:20 UTC");
/// ```
pub fn strftime(format: &[u8], seconds: i64, zone: &Zone, limit: usize) -> Vec<u8> {
    let Ok(timestamp) = Timestamp::from_second(seconds) else {
        return Vec::new();
    };
    let info = zone.zone.to_offset_info(timestamp);
    let moment = Moment {
        civil: info.offset().to_datetime(timestamp),
        seconds,
        offset: info.offset().seconds(),
        name: zone.name.as_deref().unwrap_or(info.abbreviation()),
    };
    let mut output = Vec::new();
    moment.format(format, limit, &mut output);
    output.truncate(limit);
    output
}

/// What stands between `%` and the letter.
#[derive(Default, Clone, Copy)]
struct Style {
    /// `_`, `-` or `0`
    pad: Option<u8>,
    upper: bool,
    swap: bool,
    width: usize,
}

impl Moment<'_> {
    fn format(&self, format: &[u8], limit: usize, output: &mut Vec<u8>) {
        let mut at = 0;
        while let Some(&byte) = format.get(at) {
            if output.len() >= limit {
                return;
            }
            if byte != b'%' {
                output.push(byte);
                at += 1;
                continue;
            }
            let mut style = Style::default();
            let mut end = at + 1;
            while let Some(&flag) = format.get(end) {
                match flag {
                    b'_' | b'-' | b'0' => style.pad = Some(flag),
                    b'^' => style.upper = true,
                    b'#' => style.swap = true,
                    _ => break,
                }
                end += 1;
            }
            while let Some(digit) = format.get(end).filter(|byte| byte.is_ascii_digit()) {
                let width = style.width.saturating_mul(10) + usize::from(digit - b'0');
                style.width = width.min(limit);
                end += 1;
            }
            end += usize::from(matches!(format.get(end), Some(b'E' | b'O')));
            let known = format
                .get(end)
                .is_some_and(|&letter| self.field(letter, style, output));
            end = (end + 1).min(format.len());
            if !known {
                output.extend_from_slice(&format[at..end]);
            }
            at = end;
        }
    }

    /// Writes one field; false where no field has the letter.
    fn field(&self, letter: u8, style: Style, output: &mut Vec<u8>) -> bool {
        let civil = self.civil;
        let date = civil.date();
        let (year, hour) = (i64::from(date.year()), i64::from(civil.hour()));
        let weekday = i64::from(date.weekday().to_sunday_zero_offset());
        let twelve = if hour % 12 == 0 { 12 } else { hour % 12 };
        let mut number = |value, width, pad| style.number(value, width, pad, output);
        match letter {
            b'C' => number(year.div_euclid(100), 2, b'0'),
            b'd' => number(date.day().into(), 2, b'0'),
            b'e' => number(date.day().into(), 2, b'_'),
            b'G' => number(date.iso_week_date().year().into(), 4, b'0'),
            b'g' => number(
                i64::from(date.iso_week_date().year()).rem_euclid(100),
                2,
                b'0',
            ),
            b'H' => number(hour, 2, b'0'),
            b'I' => number(twelve, 2, b'0'),
            b'j' => number(date.day_of_year().into(), 3, b'0'),
            b'k' => number(hour, 2, b'_'),
            b'l' => number(twelve, 2, b'_'),
            b'm' => number(date.month().into(), 2, b'0'),
            b'M' => number(civil.minute().into(), 2, b'0'),
            b's' => number(self.seconds, 1, b'0'),
            b'S' => number(civil.second().into(), 2, b'0'),
            b'u' => number(if weekday == 0 { 7 } else { weekday }, 1, b'0'),
            b'U' => number(week(date, weekday), 2, b'0'),
            b'V' => number(date.iso_week_date().week().into(), 2, b'0'),
            b'w' => number(weekday, 1, b'0'),
            b'W' => number(week(date, (weekday + 6) % 7), 2, b'0'),
            b'y' => number(year.rem_euclid(100), 2, b'0'),
            b'Y' => number(year, if style.pad == Some(b'_') { 4 } else { 1 }, b'0'),
            b'a' => style.text(&DAYS[weekday as usize][..3], output),
            b'A' => style.text(DAYS[weekday as usize], output),
            b'b' | b'h' => style.text(&self.month()[..3], output),
            b'B' => style.text(self.month(), output),
            b'p' => style.text(if hour < 12 { "AM" } else { "PM" }, output),
            b'P' => style.text(if hour < 12 { "am" } else { "pm" }, output),
            b'Z' => style.text(self.name, output),
            b'z' => {
                let minutes = i64::from(self.offset.abs() / 60);
                output.push(if self.offset < 0 { b'-' } else { b'+' });
                let value = minutes / 60 * 100 + minutes % 60;
                Style {
                    width: style.width.saturating_sub(1),
                    ..style
                }
                .number(value, 4, b'0', output);
            }
            b'n' => output.push(b'\n'),
            b't' => output.push(b'\t'),
            b'%' => output.push(b'%'),
            b'c' => self.composed("%a %b %e %H:%M:%S %Y", style, output),
            b'D' | b'x' => self.composed("%m/%d/%y", style, output),
            b'F' => self.composed("%Y-%m-%d", style, output),
            b'r' => self.composed("%I:%M:%S %p", style, output),
            b'R' => self.composed("%H:%M", style, output),
            b'T' | b'X' => self.composed("%H:%M:%S", style, output),
            _ => return false,
        }
        true
    }

    fn month(&self) -> &'static str {
        MONTHS[usize::from(self.civil.month().unsigned_abs()) - 1]
    }

    fn composed(&self, format: &str, style: Style, output: &mut Vec<u8>) {
        let mut inner = Vec::new();
        self.format(format.as_bytes(), usize::MAX, &mut inner);
        style.text(&String::from_utf8_lossy(&inner), output);
    }
}

impl Style {
    fn number(self, value: i64, width: usize, pad: u8, output: &mut Vec<u8>) {
        let digits = value.unsigned_abs().to_string();
        let width = width.max(self.width);
        let fill = width.saturating_sub(digits.len() + usize::from(value < 0));
        let sign = if value < 0 { "-" } else { "" };
        match self.pad.unwrap_or(pad) {
            b'-' => output.extend_from_slice(sign.as_bytes()),
            b'_' => {
                output.resize(output.len() + fill, b' ');
                output.extend_from_slice(sign.as_bytes());
            }
            _ => {
                output.extend_from_slice(sign.as_bytes());
                output.resize(output.len() + fill, b'0');
            }
        }
        output.extend_from_slice(digits.as_bytes());
    }

    fn text(self, text: &str, output: &mut Vec<u8>) {
        let fill = self.width.saturating_sub(text.len());
        if self.pad != Some(b'-') {
            let with = if self.pad == Some(b'0') { b'0' } else { b' ' };
            output.resize(output.len() + fill, with);
        }
        let start = output.len();
        output.extend_from_slice(text.as_bytes());
        let any_lower = || text.bytes().any(|byte| byte.is_ascii_lowercase());
        if self.upper || self.swap && any_lower() {
            output[start..].make_ascii_uppercase();
        } else if self.swap {
            output[start..].make_ascii_lowercase();
        }
    }
}

/// The number of the week; `from_start` counts the days since it began.
fn week(date: Date, from_start: i64) -> i64 {
    (i64::from(date.day_of_year()) - 1 + 7 - from_start) / 7
}

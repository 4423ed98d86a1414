//! Dates in UTC: broken-down times, and formatting and reading them as the C library does.

/// A broken-down time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Broken {
    /// The year; negative before the common era.
    pub year: i64,
    /// 0 to 11.
    pub month: i64,
    /// The day of the month, from 1.
    pub day: i64,
    /// 0 to 23.
    pub hour: i64,
    /// 0 to 59.
    pub minute: i64,
    /// 0 to 60.
    pub second: i64,
    /// 0 is Sunday.
    pub weekday: i64,
    /// 0 is the first of January.
    pub yearday: i64,
}

/// The days of a week by their English names, from Sunday on.
pub const DAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];
/// The months of a year by their English names.
pub const MONTHS: [&str; 12] = [
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

/// Days from 1970 to a date of the Gregorian calendar; the month may be out of range.
pub fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = year + month.div_euclid(12);
    let month = month.rem_euclid(12) + 1;
    let year = if month <= 2 { year - 1 } else { year };
    let era = year.div_euclid(400);
    let year_of_era = year.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    era * 146_097 + day_of_era - 719_468
}

impl Broken {
    /// The time of a number of seconds since 1970.
    pub fn from_seconds(seconds: i64) -> Broken {
        let days = seconds.div_euclid(86_400);
        let rest = seconds.rem_euclid(86_400);
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let day_of_era = shifted.rem_euclid(146_097);
        let year_of_era =
            (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
        let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let shifted_month = (5 * day_of_year + 2) / 153;
        let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
        let month = (shifted_month + 2) % 12;
        let year = year_of_era + era * 400 + i64::from(month < 2);
        Broken {
            year,
            month,
            day,
            hour: rest / 3_600,
            minute: rest / 60 % 60,
            second: rest % 60,
            weekday: (days + 4).rem_euclid(7),
            yearday: days - days_from_civil(year, 0, 1),
        }
    }

    /// Seconds since 1970; fields may be out of range, as for `timegm`.
    pub fn seconds(&self) -> i64 {
        let days = days_from_civil(self.year, self.month, self.day);
        days * 86_400 + self.hour * 3_600 + self.minute * 60 + self.second
    }

    /// The same time with all fields in range.
    pub fn normal(&self) -> Broken {
        Broken::from_seconds(self.seconds())
    }

    fn twelve(&self) -> i64 {
        match self.hour % 12 {
            0 => 12,
            hour => hour,
        }
    }

    /// The ISO 8601 year and week.
    fn iso(&self) -> (i64, i64) {
        let weekday = (self.weekday + 6) % 7;
        let week = (self.yearday - weekday + 10) / 7;
        let weeks = |year: i64| {
            let first = (days_from_civil(year, 0, 1) + 4).rem_euclid(7);
            let leap = days_from_civil(year + 1, 0, 1) - days_from_civil(year, 0, 1) == 366;
            if first == 4 || (leap && first == 3) {
                53
            } else {
                52
            }
        };
        if week < 1 {
            (self.year - 1, weeks(self.year - 1))
        } else if week > weeks(self.year) {
            (self.year + 1, 1)
        } else {
            (self.year, week)
        }
    }

    /// The time as `strftime` writes it; the bytes of `format` that are no conversions stay.
    pub fn format(&self, format: &[u8]) -> Vec<u8> {
        let mut out = Vec::with_capacity(format.len() * 2);
        let mut at = 0;
        while at < format.len() {
            if format[at] != b'%' || at + 1 == format.len() {
                out.push(format[at]);
                at += 1;
                continue;
            }
            let start = at;
            at += 1;
            let mut flag = 0;
            while matches!(
                format.get(at),
                Some(b'-' | b'_' | b'0' | b'^' | b'#' | b'E' | b'O')
            ) {
                flag = format[at];
                at += 1;
            }
            let mut width = 0;
            while let Some(digit @ b'0'..=b'9') = format.get(at) {
                width = (width * 10 + usize::from(digit - b'0')).min(1024);
                at += 1;
            }
            let Some(&conversion) = format.get(at) else {
                out.extend_from_slice(&format[start..]);
                break;
            };
            at += 1;
            match self.conversion(conversion, flag, width) {
                Some(text) => out.extend_from_slice(&text),
                None => out.extend_from_slice(&format[start..at]),
            }
        }
        out
    }

    fn conversion(&self, conversion: u8, flag: u8, width: usize) -> Option<Vec<u8>> {
        let pad = |value: i64, default_width: usize, default_pad: char| {
            let pad = match flag {
                b'-' => return value.to_string(),
                b'_' => ' ',
                b'0' => '0',
                _ => default_pad,
            };
            let width = default_width.max(width);
            if pad == ' ' {
                format!("{value:width$}")
            } else {
                format!("{value:0width$}")
            }
        };
        let name = |table: &[&str], index: i64| {
            table
                .get(usize::try_from(index).unwrap_or(99))
                .copied()
                .unwrap_or("?")
                .to_owned()
        };
        let nested =
            |format: &str| String::from_utf8_lossy(&self.format(format.as_bytes())).into_owned();
        let (iso_year, iso_week) = self.iso();
        let text = match conversion {
            b'%' => "%".to_owned(),
            b'n' => "\n".to_owned(),
            b't' => "\t".to_owned(),
            b'Y' => pad(self.year, 1, '0'),
            b'C' => pad(self.year.div_euclid(100), 2, '0'),
            b'y' => pad(self.year.rem_euclid(100), 2, '0'),
            b'm' => pad(self.month + 1, 2, '0'),
            b'd' => pad(self.day, 2, '0'),
            b'e' => pad(self.day, 2, ' '),
            b'H' => pad(self.hour, 2, '0'),
            b'k' => pad(self.hour, 2, ' '),
            b'I' => pad(self.twelve(), 2, '0'),
            b'l' => pad(self.twelve(), 2, ' '),
            b'M' => pad(self.minute, 2, '0'),
            b'S' => pad(self.second, 2, '0'),
            b'j' => pad(self.yearday + 1, 3, '0'),
            b'u' => pad(if self.weekday == 0 { 7 } else { self.weekday }, 1, '0'),
            b'w' => pad(self.weekday, 1, '0'),
            b'U' => pad((self.yearday + 7 - self.weekday) / 7, 2, '0'),
            b'W' => pad((self.yearday + 7 - (self.weekday + 6) % 7) / 7, 2, '0'),
            b'V' => pad(iso_week, 2, '0'),
            b'G' => pad(iso_year, 1, '0'),
            b'g' => pad(iso_year.rem_euclid(100), 2, '0'),
            b's' => self.seconds().to_string(),
            b'a' => name(&DAYS, self.weekday).chars().take(3).collect(),
            b'A' => name(&DAYS, self.weekday),
            b'b' | b'h' => name(&MONTHS, self.month).chars().take(3).collect(),
            b'B' => name(&MONTHS, self.month),
            b'p' => (if self.hour < 12 { "AM" } else { "PM" }).to_owned(),
            b'P' => (if self.hour < 12 { "am" } else { "pm" }).to_owned(),
            b'D' | b'x' => nested("%m/%d/%y"),
            b'F' => nested("%Y-%m-%d"),
            b'T' | b'X' => nested("%H:%M:%S"),
            b'R' => nested("%H:%M"),
            b'r' => nested("%I:%M:%S %p"),
            b'c' => nested("%a %b %e %H:%M:%S %Y"),
            b'z' => "+0000".to_owned(),
            b'Z' => "UTC".to_owned(),
            _ => return None,
        };
        let text = match flag {
            b'^' => text.to_uppercase(),
            b'#' if conversion == b'Z' || conversion == b'p' => text.to_lowercase(),
            b'#' => text.to_uppercase(),
            _ => text,
        };
        Some(format!("{text:>width$}").into_bytes())
    }
}

/// Reads a time as `strptime` does: the time and what was left of the text.
pub fn parse<'a>(text: &'a str, format: &str) -> Option<(Broken, &'a str)> {
    let mut reader = Reader {
        rest: text,
        broken: Broken {
            day: 1,
            year: 1900,
            ..Broken::default()
        },
        afternoon: None,
        epoch: None,
        yearday: None,
    };
    reader.read(format)?;
    let mut broken = reader.broken;
    if let Some(seconds) = reader.epoch {
        return Some((Broken::from_seconds(seconds), reader.rest));
    }
    if let Some(afternoon) = reader.afternoon {
        broken.hour = broken.hour % 12 + if afternoon { 12 } else { 0 };
    }
    if let Some(yearday) = reader.yearday {
        broken.month = 0;
        broken.day = yearday + 1;
    }
    let days = days_from_civil(broken.year, broken.month, broken.day);
    let date = Broken::from_seconds(days * 86_400);
    broken.weekday = date.weekday;
    broken.yearday = date.yearday;
    Some((broken, reader.rest))
}

struct Reader<'a> {
    rest: &'a str,
    broken: Broken,
    afternoon: Option<bool>,
    epoch: Option<i64>,
    yearday: Option<i64>,
}

impl Reader<'_> {
    fn read(&mut self, format: &str) -> Option<()> {
        let mut characters = format.chars();
        while let Some(character) = characters.next() {
            if character.is_whitespace() {
                self.rest = self.rest.trim_start();
            } else if character != '%' {
                self.rest = self.rest.strip_prefix(character)?;
            } else {
                let mut conversion = characters.next()?;
                while matches!(conversion, '-' | '_' | '0' | 'E' | 'O') {
                    conversion = characters.next()?;
                }
                self.conversion(conversion)?;
            }
        }
        Some(())
    }

    fn number(&mut self, digits: usize, low: i64, high: i64) -> Option<i64> {
        self.rest = self.rest.trim_start();
        let length = self
            .rest
            .bytes()
            .take(digits)
            .take_while(u8::is_ascii_digit)
            .count();
        let (number, rest) = self.rest.split_at(length);
        let number: i64 = number.parse().ok()?;
        self.rest = rest;
        (low..=high).contains(&number).then_some(number)
    }

    fn name(&mut self, table: &[&str]) -> Option<i64> {
        let starts = |name: &str| {
            self.rest
                .get(..name.len())
                .is_some_and(|start| start.eq_ignore_ascii_case(name))
        };
        let (index, length) = table.iter().enumerate().find_map(|(index, name)| {
            let length = if starts(name) { name.len() } else { 3 };
            starts(&name[..length]).then_some((index, length))
        })?;
        self.rest = &self.rest[length..];
        Some(index as i64)
    }

    fn conversion(&mut self, conversion: char) -> Option<()> {
        match conversion {
            'Y' => self.broken.year = self.number(4, 0, 9999)?,
            'C' => self.broken.year = self.number(2, 0, 99)? * 100,
            'y' => {
                let year = self.number(2, 0, 99)?;
                self.broken.year = if year < 69 { 2000 + year } else { 1900 + year };
            }
            'm' => self.broken.month = self.number(2, 1, 12)? - 1,
            'd' | 'e' => self.broken.day = self.number(2, 1, 31)?,
            'H' | 'k' => self.broken.hour = self.number(2, 0, 23)?,
            'I' | 'l' => self.broken.hour = self.number(2, 1, 12)?,
            'M' => self.broken.minute = self.number(2, 0, 59)?,
            'S' => self.broken.second = self.number(2, 0, 61)?,
            'j' => self.yearday = Some(self.number(3, 1, 366)? - 1),
            'u' | 'w' => {
                self.number(1, 0, 7)?;
            }
            'U' | 'W' | 'V' | 'g' => {
                self.number(2, 0, 99)?;
            }
            'a' | 'A' => {
                self.name(&DAYS)?;
            }
            'b' | 'B' | 'h' => self.broken.month = self.name(&MONTHS)?,
            'p' | 'P' => {
                let half = self.rest.get(..2)?.to_ascii_lowercase();
                self.afternoon = Some(match half.as_str() {
                    "am" => false,
                    "pm" => true,
                    _ => return None,
                });
                self.rest = &self.rest[2..];
            }
            's' => {
                let length = self.rest.bytes().take_while(u8::is_ascii_digit).count();
                self.epoch = Some(self.rest[..length].parse().ok()?);
                self.rest = &self.rest[length..];
            }
            'Z' => {
                let length = self
                    .rest
                    .bytes()
                    .take_while(u8::is_ascii_alphabetic)
                    .count();
                self.rest = &self.rest[length..];
            }
            'z' => self.zone()?,
            'n' | 't' => self.rest = self.rest.trim_start(),
            '%' => self.rest = self.rest.strip_prefix('%')?,
            'D' => self.read("%m/%d/%y")?,
            'F' => self.read("%Y-%m-%d")?,
            'T' => self.read("%H:%M:%S")?,
            'R' => self.read("%H:%M")?,
            'r' => self.read("%I:%M:%S %p")?,
            'c' => self.read("%a %b %e %H:%M:%S %Y")?,
            'x' => self.read("%m/%d/%y")?,
            'X' => self.read("%H:%M:%S")?,
            _ => return None,
        }
        Some(())
    }

    fn zone(&mut self) -> Option<()> {
        if let Some(rest) = self.rest.strip_prefix('Z') {
            self.rest = rest;
            return Some(());
        }

        self.rest = self.rest.strip_prefix(['+', '-'])?;
        // The C library reads the offset and does not apply it.
        self.number(2, 0, 24)?;
        self.rest = self.rest.strip_prefix(':').unwrap_or(self.rest);
        if self
            .rest
            .starts_with(|character: char| character.is_ascii_digit())
        {
            self.number(2, 0, 59)?;
        }
        Some(())
    }
}

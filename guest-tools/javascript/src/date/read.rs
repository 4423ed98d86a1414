//! The texts that `Date.parse` reads: those of the language's standard, and the free ones that V8 reads beside them.

use boa_engine::JsString;

use super::{days, offset};

/// Milliseconds since 1970 in UTC, or NaN where the text is no date.
pub fn time(text: &JsString) -> f64 {
    let units: Vec<u16> = text.iter().collect();
    parsed(&units).map_or(
        f64::NAN,
        |time| if time.abs() > 8.64e15 { f64::NAN } else { time },
    )
}

fn parsed(units: &[u16]) -> Option<f64> {
    let mut scanner = Scanner::new(units);
    let (mut day, mut clock, mut zone) = (Day::default(), Clock::default(), Zone::default());
    let rest = standard(&mut scanner, &mut day, &mut clock, &mut zone)?;
    free(rest, &mut scanner, &mut day, &mut clock, &mut zone)?;
    let (year, month, date) = day.resolve()?;
    let seconds = days(year, month, date) * 86_400;
    let (of_day, thousandths) = clock.resolve()?;
    let local = seconds + of_day;
    let ahead = zone.resolve().unwrap_or_else(|| local_offset(local));
    Some((local - ahead) as f64 * 1000.0 + thousandths as f64)
}

/// How far ahead local time is where clocks show this: of two such moments the earlier one, and where there is none by
/// what was before.
fn local_offset(local: i64) -> i64 {
    let around = [local - 86_400, local + 86_400].map(|near| i64::from(offset(near)));
    let is_so = |ahead: &&i64| i64::from(offset(local - **ahead)) == **ahead;
    *around.iter().find(is_so).unwrap_or(&around[0])
}

#[derive(Clone, Copy, PartialEq)]
enum Token {
    End,
    /// A number, and how many digits it has.
    Number(i64, usize),
    Symbol(u8),
    Blank,
    Month(i64),
    /// Hours that are added in the morning or the afternoon.
    Half(i64),
    /// Hours ahead of UTC.
    Zone(i64),
    /// The letter between date and time.
    Separator,
    /// Any other word.
    Word,
    Unknown,
}

/// Words by their first three letters.
const WORDS: &[(&[u8; 3], Token)] = &[
    (b"jan", Token::Month(1)),
    (b"feb", Token::Month(2)),
    (b"mar", Token::Month(3)),
    (b"apr", Token::Month(4)),
    (b"may", Token::Month(5)),
    (b"jun", Token::Month(6)),
    (b"jul", Token::Month(7)),
    (b"aug", Token::Month(8)),
    (b"sep", Token::Month(9)),
    (b"oct", Token::Month(10)),
    (b"nov", Token::Month(11)),
    (b"dec", Token::Month(12)),
    (b"am\0", Token::Half(0)),
    (b"pm\0", Token::Half(12)),
    (b"ut\0", Token::Zone(0)),
    (b"utc", Token::Zone(0)),
    (b"z\0\0", Token::Zone(0)),
    (b"gmt", Token::Zone(0)),
    (b"cdt", Token::Zone(-5)),
    (b"cst", Token::Zone(-6)),
    (b"edt", Token::Zone(-4)),
    (b"est", Token::Zone(-5)),
    (b"mdt", Token::Zone(-6)),
    (b"mst", Token::Zone(-7)),
    (b"pdt", Token::Zone(-7)),
    (b"pst", Token::Zone(-8)),
    (b"t\0\0", Token::Separator),
];

struct Scanner<'a> {
    units: &'a [u16],
    at: usize,
    next: Token,
    /// Whether the next token is `Z`.
    is_z: bool,
}

impl<'a> Scanner<'a> {
    fn new(units: &'a [u16]) -> Scanner<'a> {
        let mut scanner = Scanner {
            units,
            at: 0,
            next: Token::End,
            is_z: false,
        };
        scanner.take();
        scanner
    }

    /// The next token, and moves on.
    fn take(&mut self) -> Token {
        let start = self.at;
        let token = std::mem::replace(&mut self.next, Token::Unknown);
        self.next = self.scan();
        let z = self.units.get(start..self.at).unwrap_or_default();
        self.is_z = matches!(z, [0x5a | 0x7a]);
        token
    }

    fn skip(&mut self, symbol: u8) -> bool {
        let found = self.next == Token::Symbol(symbol);
        if found {
            self.take();
        }
        found
    }

    /// A number of so many digits within limits, which is taken.
    fn fixed(&mut self, digits: usize, least: i64, most: i64) -> Option<i64> {
        let Token::Number(number, length) = self.next else {
            return None;
        };
        if length != digits || !(least..=most).contains(&number) {
            return None;
        }
        self.take();
        Some(number)
    }

    fn peek(&self) -> Option<u16> {
        self.units.get(self.at).copied()
    }

    fn scan(&mut self) -> Token {
        let Some(unit) = self.peek() else {
            return Token::End;
        };
        let letter = char::from_u32(unit.into()).unwrap_or('\u{fffd}');
        if letter.is_ascii_digit() {
            return self.number();
        }
        if letter.is_whitespace() || letter == '\u{feff}' {
            self.at += 1;
            return Token::Blank;
        }
        if unit >= u16::from(b'A') {
            return self.word();
        }
        if letter == '(' {
            self.parentheses();
            return Token::Unknown;
        }
        self.at += 1;
        match letter {
            ':' | '-' | '+' | '.' | ')' => Token::Symbol(letter as u8),
            _ => Token::Unknown,
        }
    }

    /// Nine digits count.
    fn number(&mut self) -> Token {
        let (start, mut number) = (self.at, 0);
        while let Some(digit @ 0x30..=0x39) = self.peek() {
            self.at += 1;
            if number < 100_000_000 {
                number = number * 10 + i64::from(digit - 0x30);
            }
        }
        Token::Number(number, self.at - start)
    }

    fn word(&mut self) -> Token {
        let (mut begin, mut length) = ([0; 3], 0);
        while let Some(unit) = self.peek() {
            let letter = char::from_u32(unit.into()).unwrap_or('\u{fffd}');
            if unit < u16::from(b'A') || letter.is_whitespace() {
                break;
            }
            if let Some(place) = begin.get_mut(length) {
                *place = u8::try_from(unit).map_or(b'?', |byte| byte.to_ascii_lowercase());
            }
            self.at += 1;
            length += 1;
        }
        let known = WORDS.iter().find(|(word, _)| **word == begin);
        match known {
            Some((_, token)) if length <= 3 || matches!(token, Token::Month(_)) => *token,
            _ => Token::Word,
        }
    }

    /// What stands in parentheses says nothing.
    fn parentheses(&mut self) {
        let mut depth = 0;
        while let Some(unit) = self.peek() {
            self.at += 1;
            match unit {
                0x28 => depth += 1,
                0x29 => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }
}

/// Three numbers, or a name and two.
#[derive(Default)]
struct Day {
    numbers: Vec<i64>,
    month: Option<i64>,
    is_standard: bool,
}

impl Day {
    fn add(&mut self, number: i64) -> Option<()> {
        self.numbers.push(number);
        (self.numbers.len() <= 3).then_some(())
    }

    /// Year, month and day.
    fn resolve(&self) -> Option<(i64, i64, i64)> {
        let is_day = |number: i64| (1..=31).contains(&number);
        let number = |index: usize| self.numbers.get(index).copied().unwrap_or(1);
        let first = *self.numbers.first()?;
        let (mut year, month, day) = match self.month {
            None if self.is_standard || !is_day(first) => (first, number(1), number(2)),
            None => (number(2), first, number(1)),
            Some(month) if !is_day(first) => (first, month, number(1)),
            Some(month) => (number(1), month, first),
        };
        if !self.is_standard {
            year += match year {
                0..=49 => 2000,
                50..=99 => 1900,
                _ => 0,
            };
        }
        ((1..=12).contains(&month) && is_day(day)).then_some((year, month, day))
    }
}

/// Hours, minutes, seconds and thousandths.
#[derive(Default)]
struct Clock {
    numbers: Vec<i64>,
    half: Option<i64>,
}

impl Clock {
    fn add(&mut self, number: i64) -> Option<()> {
        self.numbers.push(number);
        (self.numbers.len() <= 4).then_some(())
    }

    /// Adds the last one.
    fn finish(&mut self, number: i64) -> Option<()> {
        self.add(number)?;
        self.numbers.resize(4, 0);
        Some(())
    }

    fn expects(&self, number: i64) -> bool {
        match self.numbers.len() {
            1 | 2 => (0..60).contains(&number),
            3 => (0..1000).contains(&number),
            _ => false,
        }
    }

    /// Seconds of the day, and thousandths.
    fn resolve(&self) -> Option<(i64, i64)> {
        let number = |index: usize| self.numbers.get(index).copied().unwrap_or_default();
        let (mut hour, minute, second, thousandth) = (number(0), number(1), number(2), number(3));
        if let Some(half) = self.half {
            if hour > 12 {
                return None;
            }
            hour = hour % 12 + half;
        }
        let is_end = (hour, minute, second, thousandth) == (24, 0, 0, 0);
        let is_time = hour < 24 && minute < 60 && second < 60 && thousandth < 1000;
        (is_time || is_end).then_some((hour * 3600 + minute * 60 + second, thousandth))
    }
}

/// How far ahead of UTC: a sign, hours and minutes.
#[derive(Default)]
struct Zone {
    sign: Option<i64>,
    hours: Option<i64>,
    minutes: Option<i64>,
}

impl Zone {
    fn set(&mut self, hours: i64) {
        self.sign = Some(if hours < 0 { -1 } else { 1 });
        self.hours = Some(hours.abs());
        self.minutes = Some(0);
    }

    fn is_utc(&self) -> bool {
        self.hours == Some(0) && self.minutes == Some(0)
    }

    fn expects(&self, number: i64) -> bool {
        self.hours.is_some() && self.minutes.is_none() && (0..60).contains(&number)
    }

    fn resolve(&self) -> Option<i64> {
        let (hours, minutes) = (
            self.hours.unwrap_or_default(),
            self.minutes.unwrap_or_default(),
        );
        Some(self.sign? * (hours * 3600 + minutes * 60))
    }
}

/// Thousandths of a fraction's digits.
fn thousandths(number: i64, digits: usize) -> i64 {
    match digits {
        1 => number * 100,
        2 => number * 10,
        _ => number / 10_i64.pow(digits.min(9) as u32 - 3),
    }
}

/// Reads the form of the standard; the token at which the text leaves it, and none where it is wrong in it.
fn standard(
    scanner: &mut Scanner<'_>,
    day: &mut Day,
    clock: &mut Clock,
    zone: &mut Zone,
) -> Option<Token> {
    if let Token::Symbol(sign @ (b'+' | b'-')) = scanner.next {
        let token = scanner.take();
        let Token::Number(year, 6) = scanner.next else {
            return Some(token);
        };
        scanner.take();
        if sign == b'-' && year == 0 {
            return Some(token);
        }
        day.add(if sign == b'-' { -year } else { year })?;
    } else if let Some(year) = scanner.fixed(4, 0, 9999) {
        day.add(year)?;
    } else {
        return Some(scanner.take());
    }
    if scanner.skip(b'-') {
        let Some(month) = scanner.fixed(2, 1, 12) else {
            return Some(scanner.take());
        };
        day.add(month)?;
        if scanner.skip(b'-') {
            let Some(date) = scanner.fixed(2, 1, 31) else {
                return Some(scanner.take());
            };
            day.add(date)?;
        }
    }
    if scanner.next == Token::Separator {
        scanner.take();
        standard_time(scanner, clock, zone)?;
    } else if scanner.next != Token::End {
        return Some(scanner.take());
    }
    if zone.sign.is_none() && clock.numbers.is_empty() {
        zone.set(0);
    }
    day.is_standard = true;
    Some(Token::End)
}

fn standard_time(scanner: &mut Scanner<'_>, clock: &mut Clock, zone: &mut Zone) -> Option<()> {
    let hour = scanner.fixed(2, 0, 24)?;
    // Nothing comes after the end of the day.
    let most = if hour == 24 { 0 } else { 59 };
    clock.add(hour)?;
    if !scanner.skip(b':') {
        return None;
    }
    clock.add(scanner.fixed(2, 0, most)?)?;
    if scanner.skip(b':') {
        clock.add(scanner.fixed(2, 0, most)?)?;
        if scanner.skip(b'.') {
            let Token::Number(number, digits) = scanner.take() else {
                return None;
            };
            if hour == 24 && number > 0 {
                return None;
            }
            clock.add(thousandths(number, digits))?;
        }
    }
    if scanner.is_z {
        scanner.take();
        zone.set(0);
    } else if let Token::Symbol(sign @ (b'+' | b'-')) = scanner.next {
        scanner.take();
        zone.sign = Some(if sign == b'-' { -1 } else { 1 });
        if let Token::Number(both, 4) = scanner.next {
            scanner.take();
            (zone.hours, zone.minutes) = (Some(both / 100), Some(both % 100));
            if both / 100 > 23 || both % 100 > 59 {
                return None;
            }
        } else {
            zone.hours = Some(scanner.fixed(2, 0, 23)?);
            if !scanner.skip(b':') {
                return None;
            }
            zone.minutes = Some(scanner.fixed(2, 0, 59)?);
        }
    }
    (scanner.next == Token::End).then_some(())
}

/// Reads what is left in any of the free forms; none where it is no date.
fn free(
    first: Token,
    scanner: &mut Scanner<'_>,
    day: &mut Day,
    clock: &mut Clock,
    zone: &mut Zone,
) -> Option<()> {
    let mut has_number = !day.numbers.is_empty();
    let mut token = first;
    while token != Token::End {
        match token {
            Token::Number(number, _) => {
                has_number = true;
                free_number(number, scanner, day, clock, zone)?;
            }
            Token::Half(hours) if !clock.numbers.is_empty() => clock.half = Some(hours),
            Token::Month(month) => {
                day.month = Some(month);
                scanner.skip(b'-');
            }
            Token::Zone(hours) if has_number => zone.set(hours),
            Token::Half(_) | Token::Zone(_) | Token::Separator | Token::Word
                if has_number || matches!(scanner.next, Token::Number(..)) =>
            {
                return None;
            }
            Token::Symbol(sign @ (b'+' | b'-')) if zone.is_utc() || !clock.numbers.is_empty() => {
                has_number = true;
                free_offset(sign, scanner, zone)?;
            }
            Token::Symbol(b'+' | b'-' | b')') if has_number => return None,
            _ => {}
        }
        token = scanner.take();
    }
    Some(())
}

fn free_number(
    number: i64,
    scanner: &mut Scanner<'_>,
    day: &mut Day,
    clock: &mut Clock,
    zone: &mut Zone,
) -> Option<()> {
    if scanner.skip(b':') {
        if scanner.skip(b':') {
            if !clock.numbers.is_empty() {
                return None;
            }
            clock.add(number)?;
            return clock.add(0);
        }
        clock.add(number)?;
        scanner.skip(b'.');
        return Some(());
    }
    let is_fraction = scanner.skip(b'.');
    if is_fraction && clock.expects(number) {
        clock.add(number)?;
        let Token::Number(number, digits) = scanner.take() else {
            return None;
        };
        clock.finish(thousandths(number, digits))
    } else if zone.expects(number) {
        zone.minutes = Some(number);
        Some(())
    } else if clock.expects(number) {
        clock.finish(number)?;
        let follows = matches!(
            scanner.next,
            Token::End | Token::Blank | Token::Symbol(b'+' | b'-')
        );
        (follows || scanner.is_z).then_some(())
    } else {
        day.add(number)?;
        scanner.skip(b'-');
        Some(())
    }
}

fn free_offset(sign: u8, scanner: &mut Scanner<'_>, zone: &mut Zone) -> Option<()> {
    zone.sign = Some(if sign == b'-' { -1 } else { 1 });
    let (mut number, mut digits) = (0, 0);
    if let Token::Number(given, length) = scanner.next {
        (number, digits) = (given, length);
        scanner.take();
    }
    if scanner.next == Token::Symbol(b':') {
        (zone.hours, zone.minutes) = (Some(number), None);
        // It is left to be skipped: the minutes follow.
        scanner.take();
        return Some(());
    }
    (zone.hours, zone.minutes) = match digits {
        1 | 2 => (Some(number), Some(0)),
        3 | 4 => (Some(number / 100), Some(number % 100)),
        _ => return None,
    };
    Some(())
}

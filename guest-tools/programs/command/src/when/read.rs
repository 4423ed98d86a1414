//! The items of a date.

use super::token::{Number, Token, Unit};

/// What is added to a date.
#[derive(Clone, Copy, Debug, Default)]
pub struct Relative {
    pub year: i64,
    pub month: i64,
    pub day: i64,
    pub hour: i64,
    pub minute: i64,
    pub second: i64,
    pub nanosecond: i64,
}

/// Everything that the items of a date said.
#[derive(Debug, Default)]
pub struct Items {
    /// A point in time on its own: seconds and nanoseconds since 1970.
    pub stamp: Option<(i64, u32)>,
    pub year: Option<Number>,
    pub month: Option<i64>,
    pub day: Option<i64>,
    pub hour: i64,
    pub minute: i64,
    pub second: i64,
    pub nanosecond: u32,
    /// Hours that `am` or `pm` adds; without it the hour is one of 24.
    pub meridian: Option<i64>,
    /// Weekday, and which one.
    pub weekday: Option<(i64, i64)>,
    /// Seconds east of Greenwich.
    pub zone: Option<i64>,
    /// The offset that the local zone must have then.
    pub local: Option<i64>,
    pub relative: Relative,
    pub dates: u32,
    pub times: u32,
    pub days: u32,
    pub zones: u32,
    pub relatives: u32,
}

/// Reads the items; none where they make no sense.
pub fn read(tokens: Vec<Token>) -> Option<Items> {
    let mut reader = Reader {
        tokens: &tokens,
        items: Items::default(),
    };
    if let [Token::Other(b'@'), rest @ ..] = reader.tokens {
        reader.items.stamp = Some(match rest {
            [Token::Number(n) | Token::Signed(n)] => (n.value, 0),
            [Token::Decimal(seconds, nanoseconds, _)] => (*seconds, *nanoseconds),
            _ => return None,
        });
        return Some(reader.items);
    }
    while !reader.tokens.is_empty() {
        reader.item()?;
    }
    Some(reader.items)
}

struct Reader<'a> {
    tokens: &'a [Token],
    items: Items,
}

impl Reader<'_> {
    fn skip(&mut self, count: usize) {
        self.tokens = &self.tokens[count..];
    }

    fn item(&mut self) -> Option<()> {
        match self.tokens {
            [Token::Local, ..] => {
                self.items.zones += 1;
                self.skip(1);
            }
            [Token::LocalZone(offset), ..] => {
                self.items.local = Some(*offset);
                self.items.zones += 1;
                self.skip(1);
            }
            [Token::T | Token::Zone(_) | Token::SummerZone(_), ..] => return self.zone(),
            [Token::Day(day), after @ ..] => {
                let comma = after.first() == Some(&Token::Other(b','));
                self.weekday(*day, 0, 1 + usize::from(comma));
            }
            [Token::Ordinal(which), Token::Day(day), ..] => self.weekday(*day, *which, 2),
            [Token::Number(n), Token::Day(day), ..] => self.weekday(*day, n.value, 2),
            [Token::Month(_), ..] => return self.month_first(),
            [Token::DayShift(days), ..] => {
                self.items.relative.day += days;
                self.items.relatives += 1;
                self.skip(1);
            }
            [Token::Number(number), rest @ ..] => return self.number(*number, rest),
            _ => return self.relative(),
        }
        Some(())
    }

    fn weekday(&mut self, day: i64, which: i64, count: usize) {
        self.items.weekday = Some((day, which));
        self.items.days += 1;
        self.skip(count);
    }

    /// `EST`, `UTC+2`, `UTC+3 days`, `EST DST`.
    fn zone(&mut self) -> Option<()> {
        let (offset, summer) = match self.tokens[0] {
            // Seven hours west.
            Token::T => (-7 * 3600, false),
            Token::SummerZone(offset) => (offset + 3600, true),
            Token::Zone(offset) => (offset, false),
            _ => return None,
        };
        let named = matches!(self.tokens[0], Token::Zone(_));
        self.items.zones += 1;
        self.items.zone = Some(offset);
        self.skip(1);
        match self.tokens {
            [Token::Summer, ..] if named && !summer => {
                self.items.zone = Some(offset + 3600);
                self.skip(1);
            }
            [Token::Signed(_), Token::Unit(..), ..] => {}
            [Token::Signed(number), ..] if named => {
                self.items.zone = Some(offset + self.offset(*number)?);
            }
            _ => {}
        }
        Some(())
    }

    /// The signed number that comes next as an offset, `+0200`, `+2` or `+02:00`.
    fn offset(&mut self, number: Number) -> Option<i64> {
        self.skip(1);
        let minutes = match self.tokens {
            [Token::Other(b':'), Token::Number(minutes), ..] => {
                self.skip(2);
                let minutes = minutes.value;
                number.value * 60 + if number.negative { -minutes } else { minutes }
            }
            _ if number.digits <= 2 => number.value * 60,
            _ => number.value / 100 * 60 + number.value % 100,
        };
        (minutes.abs() <= 24 * 60).then_some(minutes * 60)
    }

    /// Dates that begin with the name of a month.
    fn month_first(&mut self) -> Option<()> {
        let (month, day, year, count) = match self.tokens {
            [Token::Month(m), Token::Signed(d), Token::Signed(y), ..] => {
                (*m, -d.value, Some(opposite(*y)), 3)
            }
            [
                Token::Month(m),
                Token::Number(d),
                Token::Other(b','),
                Token::Number(y),
                ..,
            ] => (*m, d.value, Some(*y), 4),
            [Token::Month(m), Token::Number(d), ..] => (*m, d.value, None, 2),
            _ => return None,
        };
        self.date(year, month, day, count);
        Some(())
    }

    fn date(&mut self, year: Option<Number>, month: i64, day: i64, count: usize) {
        self.items.dates += 1;
        self.items.year = year.or(self.items.year);
        self.items.month = Some(month);
        self.items.day = Some(day);
        self.skip(count);
    }

    /// Items that begin with a number: dates, times, relative ones, and numbers alone.
    fn number(&mut self, first: Number, rest: &[Token]) -> Option<()> {
        match rest {
            [Token::Meridian(hours), ..] => {
                self.time(first.value, 0, (0, 0), Some(*hours));
                self.skip(2);
            }
            [Token::Other(b':'), ..] => return self.clock(first),
            [
                Token::Other(b'/'),
                Token::Number(second),
                Token::Other(b'/'),
                Token::Number(third),
                ..,
            ] => {
                if first.digits >= 4 {
                    self.date(Some(first), second.value, third.value, 5);
                } else {
                    self.date(Some(*third), first.value, second.value, 5);
                }
            }
            [Token::Other(b'/'), Token::Number(second), ..] => {
                self.date(None, first.value, second.value, 3);
            }
            [Token::Month(month), Token::Signed(year), ..] => {
                self.date(Some(opposite(*year)), *month, first.value, 3);
            }
            [Token::Month(month), Token::Number(year), ..]
                if rest.get(2) != Some(&Token::Other(b':')) =>
            {
                self.date(Some(*year), *month, first.value, 3);
            }
            [Token::Month(month), ..] => self.date(None, *month, first.value, 2),
            [Token::Signed(month), Token::Signed(day), after @ ..] => {
                let joined = matches!(after, [Token::T, Token::Number(_), ..]);
                self.date(
                    Some(first),
                    -month.value,
                    -day.value,
                    3 + usize::from(joined),
                );
            }
            // All digits, and something relative: `20240101 +3 days`.
            [Token::Signed(_), Token::Unit(..), ..] => {
                self.skip(1);
                self.digits(first);
                return self.relative();
            }
            [Token::Signed(_), ..] => return self.clock(first),
            [Token::Unit(..), ..] => return self.relative(),
            _ => {
                self.skip(1);
                self.digits(first);
            }
        }
        Some(())
    }

    fn time(&mut self, hour: i64, minute: i64, second: (i64, u32), meridian: Option<i64>) {
        self.items.times += 1;
        self.items.hour = hour;
        self.items.minute = minute;
        (self.items.second, self.items.nanosecond) = second;
        self.items.meridian = meridian;
    }

    /// `10:00`, `10:00:00.5 pm`, `10:00+02:00`, `10+02`.
    fn clock(&mut self, hour: Number) -> Option<()> {
        self.skip(1);
        let (mut minute, mut second) = (0, (0, 0));
        if let [Token::Other(b':'), Token::Number(found), ..] = self.tokens {
            minute = found.value;
            self.skip(2);
            match self.tokens {
                [Token::Other(b':'), Token::Number(found), ..] => {
                    second.0 = found.value;
                    self.skip(2);
                }
                [
                    Token::Other(b':'),
                    Token::Decimal(seconds, nanoseconds, false),
                    ..,
                ] => {
                    second = (*seconds, *nanoseconds);
                    self.skip(2);
                }
                [Token::Other(b':'), ..] => return None,
                _ => {}
            }
        } else if !matches!(self.tokens, [Token::Signed(_), ..]) {
            return None;
        }
        let meridian = match self.tokens {
            [Token::Meridian(hours), ..] => {
                self.skip(1);
                Some(*hours)
            }
            _ => None,
        };
        self.time(hour.value, minute, second, meridian);
        // Even before a unit: `10:00 +3 hours` is an hour after ten o'clock three hours east.
        match self.tokens {
            [Token::Signed(number), ..] if meridian.is_none() => {
                let number = *number;
                self.items.zones += 1;
                self.items.zone = Some(self.offset(number)?);
                Some(())
            }
            _ => Some(()),
        }
    }

    /// A number alone is a year, a date or a time.
    fn digits(&mut self, number: Number) {
        let items = &mut self.items;
        let value = number.value;
        let year_is_missing = items.dates > 0
            && items.year.is_none_or(|year| year.digits == 0)
            && items.relatives == 0
            && (items.times > 0 || number.digits > 2);
        if year_is_missing {
            items.year = Some(number);
        } else if number.digits > 4 {
            items.dates += 1;
            items.day = Some(value % 100);
            items.month = Some(value / 100 % 100);
            items.year = Some(Number {
                value: value / 10_000,
                digits: number.digits - 4,
                negative: false,
            });
        } else if number.digits <= 2 {
            self.time(value, 0, (0, 0), None);
        } else {
            self.time(value / 100, value % 100, (0, 0), None);
        }
    }

    /// `3 days`, `-1.5 seconds`, `next week`, `year`, all with `ago`.
    fn relative(&mut self) -> Option<()> {
        let (count, nanoseconds, unit, length) = match self.tokens {
            [Token::Ordinal(count), Token::Unit(unit, size), ..] => {
                (count.checked_mul(*size)?, 0, *unit, 2)
            }
            [
                Token::Number(n) | Token::Signed(n),
                Token::Unit(unit, size),
                ..,
            ] => (n.value.checked_mul(*size)?, 0, *unit, 2),
            [
                Token::Decimal(seconds, fraction, _),
                Token::Unit(Unit::Second, _),
                ..,
            ] => (*seconds, i64::from(*fraction), Unit::Second, 2),
            [Token::Unit(unit, size), ..] => (*size, 0, *unit, 1),
            _ => return None,
        };
        self.skip(length);
        let mut sign = 1;
        if let [Token::Ago(factor), ..] = self.tokens {
            sign = *factor;
            self.skip(1);
        }
        let relative = &mut self.items.relative;
        let field = match unit {
            Unit::Year => &mut relative.year,
            Unit::Month => &mut relative.month,
            Unit::Day => &mut relative.day,
            Unit::Hour => &mut relative.hour,
            Unit::Minute => &mut relative.minute,
            Unit::Second => &mut relative.second,
        };
        *field = field.checked_add(count.checked_mul(sign)?)?;
        relative.nanosecond += nanoseconds * sign;
        self.items.relatives += 1;
        Some(())
    }
}

/// `17-JUN-1992` is lexed with a negative year.
fn opposite(number: Number) -> Number {
    Number {
        value: -number.value,
        ..number
    }
}

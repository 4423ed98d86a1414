//! A date in pieces.

use jiff::tz::TimeZone;

use super::words;
use crate::system::Time;

/// What relative items count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    Year,
    Month,
    Day,
    Hour,
    Minute,
    Second,
}

/// A whole number as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Number {
    pub value: i64,
    pub digits: usize,
    pub negative: bool,
}

/// A piece of a date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Token {
    Number(Number),
    /// With a sign.
    Signed(Number),
    /// Seconds and nanoseconds, and whether there was a sign.
    Decimal(i64, u32, bool),
    Month(i64),
    /// Sunday is 0.
    Day(i64),
    /// Seconds east of Greenwich.
    Zone(i64),
    /// The same, for a name that means an hour more.
    SummerZone(i64),
    Summer,
    Local,
    /// A name of the local zone: its offset then.
    LocalZone(i64),
    T,
    /// Hours that it adds.
    Meridian(i64),
    Unit(Unit, i64),
    Ordinal(i64),
    DayShift(i64),
    Ago(i64),
    Other(u8),
}

/// The pieces of `text`; none where there is a word that means nothing.
pub fn tokens(text: &str, zone: &TimeZone, now: Time) -> Option<Vec<Token>> {
    let mut rest = text.as_bytes();
    let mut tokens = Vec::new();
    while let Some(&first) = rest.first() {
        match first {
            b' ' | b'\t' | b'\n' | b'\r' | 0x0b | 0x0c => rest = &rest[1..],
            b'(' => rest = comment(rest),
            b'0'..=b'9' | b'+' | b'-' => {
                let (token, after) = number(rest)?;
                tokens.extend(token);
                rest = after;
            }
            b'a'..=b'z' | b'A'..=b'Z' => {
                let length = rest
                    .iter()
                    .position(|byte| !byte.is_ascii_alphabetic() && *byte != b'.')
                    .unwrap_or(rest.len());
                let word = std::str::from_utf8(&rest[..length]).ok()?;
                tokens.push(words::word(word, zone, now)?);
                rest = &rest[length..];
            }
            other => {
                tokens.push(Token::Other(other));
                rest = &rest[1..];
            }
        }
    }
    Some(tokens)
}

/// What follows a comment; comments nest.
fn comment(text: &[u8]) -> &[u8] {
    let mut depth = 0;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &text[at + 1..];
        }
    }
    &[]
}

/// A number, whole or with a fraction; a sign before anything else is nothing.
fn number(text: &[u8]) -> Option<(Option<Token>, &[u8])> {
    let sign = matches!(text[0], b'+' | b'-');
    let negative = text[0] == b'-';
    let body = if sign {
        text[1..].trim_ascii_start()
    } else {
        text
    };
    let digits = body.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 {
        return Some((None, body));
    }
    let whole: i64 = std::str::from_utf8(&body[..digits]).ok()?.parse().ok()?;
    let value = if negative { -whole } else { whole };
    let rest = &body[digits..];
    if let [b'.' | b',', b'0'..=b'9', ..] = rest {
        let length = rest[1..].iter().take_while(|b| b.is_ascii_digit()).count();
        let fraction = &rest[1..=length];
        let mut nanoseconds = 0_u32;
        for at in 0..9 {
            let digit = fraction.get(at).map_or(0, |digit| digit - b'0');
            nanoseconds = nanoseconds * 10 + u32::from(digit);
        }
        // Nanoseconds count forward.
        let exact = fraction.iter().skip(9).all(|digit| *digit == b'0');
        let (value, nanoseconds) = match (negative, nanoseconds, exact) {
            (false, ..) | (true, 0, true) => (value, nanoseconds),
            (true, _, true) => (value - 1, 1_000_000_000 - nanoseconds),
            (true, 999_999_999, false) => (value - 1, 0),
            (true, _, false) => (value - 1, 999_999_999 - nanoseconds),
        };
        let token = Token::Decimal(value, nanoseconds, sign);
        return Some((Some(token), &rest[1 + length..]));
    }
    let number = Number {
        value,
        digits,
        negative,
    };
    let token = if sign {
        Token::Signed(number)
    } else {
        Token::Number(number)
    };
    Some((Some(token), rest))
}

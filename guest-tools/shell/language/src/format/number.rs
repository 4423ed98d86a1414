//! Arguments of `printf` that are numbers.

use super::float::Float;

/// A number, and what is to be said about its text.
pub(super) struct Number<T> {
    pub(super) value: T,
    pub(super) complaint: Option<Complaint>,
}

/// What is wrong with a number's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Complaint {
    /// It is none, or goes on after it; the status becomes 1.
    Invalid,
    /// It does not fit; only a warning.
    OutOfRange,
}

impl Complaint {
    /// The message of `printf`, without its name in front.
    pub(super) fn message(self, text: &[u8]) -> Vec<u8> {
        match self {
            Complaint::OutOfRange => [
                b"warning: ".as_slice(),
                text,
                b": Numerical result out of range",
            ]
            .concat(),
            Complaint::Invalid => {
                let kind: &[u8] = match text {
                    [b'0', digit, ..] if digit.is_ascii_digit() => b": invalid octal number",
                    [b'0', b'x', ..] => b": invalid hex number",
                    _ => b": invalid number",
                };
                [text, kind].concat()
            }
        }
    }
}

/// The code of the character after a quote: `'a`.
fn character(text: &[u8]) -> Option<u32> {
    let [b'\'' | b'"', rest @ ..] = text else {
        return None;
    };
    let chunk = rest.utf8_chunks().next();
    Some(match chunk.and_then(|chunk| chunk.valid().chars().next()) {
        Some(character) => character.into(),
        None => rest.first().copied().unwrap_or_default().into(),
    })
}

/// Sign, absolute value (`None` where it has more than 64 bits) and whether all was read.
fn magnitude(text: &[u8]) -> (bool, Option<u64>, bool) {
    let text = text.trim_ascii_start();
    let negative = text.first() == Some(&b'-');
    let unsigned = text
        .strip_prefix(b"-")
        .or_else(|| text.strip_prefix(b"+"))
        .unwrap_or(text);
    let (base, digits) = match unsigned {
        [b'0', b'x' | b'X', rest @ ..] if rest.first().is_some_and(u8::is_ascii_hexdigit) => {
            (16, rest)
        }
        [b'0', ..] => (8, unsigned),
        _ => (10, unsigned),
    };
    let mut value = Some(0u64);
    let mut length = 0;
    for &byte in digits {
        let Some(digit) = char::from(byte).to_digit(base) else {
            break;
        };
        value = value
            .and_then(|value| value.checked_mul(base.into()))
            .and_then(|value| value.checked_add(digit.into()));
        length += 1;
    }
    (negative, value, length > 0 && length == digits.len())
}

/// For `%d` and `%i`.
pub(super) fn signed(text: &[u8]) -> Number<i64> {
    if text.is_empty() {
        return Number {
            value: 0,
            complaint: None,
        };
    }
    if let Some(code) = character(text) {
        return Number {
            value: code.into(),
            complaint: None,
        };
    }
    let (negative, value, complete) = magnitude(text);
    let value = match (negative, value) {
        (false, Some(value)) => i64::try_from(value).ok(),
        (true, Some(value)) => 0i64.checked_sub_unsigned(value),
        (_, None) => None,
    };
    let limit = if negative { i64::MIN } else { i64::MAX };
    Number {
        value: value.unwrap_or(limit),
        complaint: complaint(complete, value.is_some()),
    }
}

/// For `%u`, `%o` and `%x`.
pub(super) fn unsigned(text: &[u8]) -> Number<u64> {
    if text.is_empty() {
        return Number {
            value: 0,
            complaint: None,
        };
    }
    if let Some(code) = character(text) {
        return Number {
            value: code.into(),
            complaint: None,
        };
    }
    let (negative, value, complete) = magnitude(text);
    let wrapped = value.map(|value| {
        if negative {
            value.wrapping_neg()
        } else {
            value
        }
    });
    Number {
        value: wrapped.unwrap_or(u64::MAX),
        complaint: complaint(complete, value.is_some()),
    }
}

/// For `%f`, `%e`, `%g` and `%a`.
pub(super) fn float(text: &[u8]) -> Number<Float> {
    if text.is_empty() {
        return Number {
            value: Float::from_integer(0),
            complaint: None,
        };
    }
    if let Some(code) = character(text) {
        return Number {
            value: Float::from_integer(code.into()),
            complaint: None,
        };
    }
    let parsed = Float::parse(text);
    let complete = parsed.length == text.len();
    Number {
        value: parsed.value,
        complaint: complaint(complete, !parsed.out_of_range),
    }
}

fn complaint(complete: bool, in_range: bool) -> Option<Complaint> {
    match (complete, in_range) {
        (false, _) => Some(Complaint::Invalid),
        (true, false) => Some(Complaint::OutOfRange),
        (true, true) => None,
    }
}

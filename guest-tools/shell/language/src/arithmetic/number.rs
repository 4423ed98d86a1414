//! Integer constants.

use super::error::Problem;

/// The value of a decimal integer that is written the usual way: no sign but `-`, no leading zero,
/// up to 18 digits. Most values of variables are, and need no parser.
#[inline]
pub fn plain_integer(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    match digits {
        [] => return None,
        [b'0', rest @ ..] if negative || !rest.is_empty() => return None,
        _ if digits.len() > 18 => return None,
        _ => {}
    }
    let mut value = 0;
    for &digit in digits {
        if !digit.is_ascii_digit() {
            return None;
        }
        value = value * 10 + i64::from(digit - b'0');
    }
    Some(if negative { -value } else { value })
}

/// The value of a constant: decimal, `0x` hexadecimal, `0` octal or `base#digits`.
pub(super) fn constant(text: &[u8]) -> Result<i64, Problem> {
    let (mut base, mut fixed, digits) = match text {
        [b'0'] => return Ok(0),
        [b'0', b'x' | b'X', digits @ ..] => (16, true, digits),
        [b'0', digits @ ..] => (8, true, digits),
        digits => (10, false, digits),
    };
    let mut value: i64 = 0;
    for (at, &byte) in digits.iter().enumerate() {
        if byte == b'#' {
            if fixed {
                return Err(Problem::InvalidNumber);
            }
            if !(2..=64).contains(&value) {
                return Err(Problem::InvalidBase);
            }
            if digits
                .get(at + 1)
                .is_none_or(|&next| digit(next, value).is_none())
            {
                return Err(Problem::InvalidConstant);
            }
            (base, value, fixed) = (value, 0, true);
            continue;
        }
        let Some(digit) = digit(byte, base) else {
            break;
        };
        if digit >= base {
            return Err(Problem::DigitTooGreat);
        }
        value = value.wrapping_mul(base).wrapping_add(digit);
    }
    Ok(value)
}

/// What a digit counts; up to base 36, upper and lower case are the same.
fn digit(byte: u8, base: i64) -> Option<i64> {
    Some(i64::from(match byte {
        b'0'..=b'9' => byte - b'0',
        b'a'..=b'z' => byte - b'a' + 10,
        b'A'..=b'Z' if base <= 36 => byte - b'A' + 10,
        b'A'..=b'Z' => byte - b'A' + 36,
        b'@' => 62,
        b'_' => 63,
        _ => return None,
    }))
}

//! Floating-point numbers as `printf` of bash has them: 64 bits of mantissa.
//!
//! bash computes in the `long double` of x86, so that `printf %.1f 0.15` gives 0.2 and not 0.1.
//! Here a number is parsed to that precision, and printed from its exact decimal digits.

mod big;

use big::Big;

/// The exponents that 80-bit numbers have, for a mantissa read as an integer.
const MIN_EXPONENT: i64 = -16445;
const MAX_EXPONENT: i64 = 16320;

/// How many significant digits of an argument are read; no number is a tie beyond them.
const MAX_DIGITS: usize = 20_000;

/// A number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Float {
    pub(super) negative: bool,
    pub(super) value: Magnitude,
}

/// Its absolute value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Magnitude {
    /// `mantissa × 2^exponent`; the highest bit is set but in the tiniest numbers.
    Finite {
        mantissa: u64,
        exponent: i64,
    },
    Infinite,
    NotANumber,
}

/// What `strtold` makes of a text.
pub(super) struct Parsed {
    pub(super) value: Float,
    /// How many bytes were read; 0 where there is no number.
    pub(super) length: usize,
    /// The number is too great or too small to be exact.
    pub(super) out_of_range: bool,
}

/// Exact decimal digits: `0.d₁d₂d₃… × 10^point`.
pub(super) struct Decimal {
    pub(super) digits: Vec<u8>,
    pub(super) point: i64,
}

pub(super) const ZERO: Magnitude = Magnitude::Finite {
    mantissa: 0,
    exponent: 0,
};

impl Float {
    /// A whole number.
    pub(super) fn from_integer(value: u64) -> Float {
        let (value, _) = rounded(Big::from(value), 0, false);
        Float {
            negative: false,
            value,
        }
    }

    /// Reads the number that the text begins with.
    pub(super) fn parse(text: &[u8]) -> Parsed {
        let spaces = text
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        let mut at = spaces;
        let negative = text.get(at) == Some(&b'-');
        at += usize::from(matches!(text.get(at), Some(b'-' | b'+')));
        let rest = &text[at..];
        let (value, length, out_of_range) = if let Some((value, length)) = named(rest) {
            (value, length, false)
        } else if let [b'0', b'x' | b'X', digits @ ..] = rest
            && let Some((value, length, out)) = hexadecimal(digits)
        {
            (value, length + 2, out)
        } else if let Some(found) = decimal(rest) {
            found
        } else {
            return Parsed {
                value: Float {
                    negative: false,
                    value: ZERO,
                },
                length: 0,
                out_of_range: false,
            };
        };
        Parsed {
            value: Float { negative, value },
            length: at + length,
            out_of_range,
        }
    }
}

fn named(text: &[u8]) -> Option<(Magnitude, usize)> {
    let starts = |name: &[u8]| {
        text.get(..name.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(name))
    };
    if starts(b"infinity") {
        return Some((Magnitude::Infinite, 8));
    }
    if starts(b"inf") {
        return Some((Magnitude::Infinite, 3));
    }
    if !starts(b"nan") {
        return None;
    }
    let inner = text[3..].strip_prefix(b"(").map_or(0, |inner| {
        let name = inner
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_');
        let length = name.count();
        if inner.get(length) == Some(&b')') {
            length + 2
        } else {
            0
        }
    });
    Some((Magnitude::NotANumber, 3 + inner))
}

/// Digits with a point among them: the digits, how many come after the point, the length.
fn mantissa(text: &[u8], base: u32) -> Option<(Vec<u8>, i64, usize)> {
    let mut digits = Vec::new();
    let (mut scale, mut seen, mut point, mut at) = (0, false, false, 0);
    while let Some(&byte) = text.get(at) {
        if let Some(digit) = char::from(byte).to_digit(base) {
            seen = true;
            let leading = digits.is_empty() && digit == 0;
            if leading || digits.len() >= MAX_DIGITS {
                // Beyond the limit a digit only counts as "not exactly".
                if !leading
                    && digit != 0
                    && let Some(last) = digits.last_mut()
                {
                    *last |= 1;
                }
                scale += i64::from(point) - i64::from(!leading);
            } else {
                digits.push(digit as u8);
                scale += i64::from(point);
            }
        } else if byte == b'.' && !point {
            point = true;
        } else {
            break;
        }
        at += 1;
    }
    seen.then_some((digits, scale, at))
}

/// `e±digits` (or `p`), where there is one: the exponent and its length.
fn exponent(text: &[u8], mark: u8) -> (i64, usize) {
    let Some((first, rest)) = text.split_first() else {
        return (0, 0);
    };
    if first.to_ascii_lowercase() != mark {
        return (0, 0);
    }
    let sign = usize::from(matches!(rest.first(), Some(b'-' | b'+')));
    let digits = rest[sign..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    if digits == 0 {
        return (0, 0);
    }
    let value = rest[sign..sign + digits]
        .iter()
        .fold(0, |value: i64, digit| {
            (value * 10 + i64::from(digit - b'0')).min(100_000_000)
        });
    (
        if rest[0] == b'-' { -value } else { value },
        1 + sign + digits,
    )
}

fn hexadecimal(text: &[u8]) -> Option<(Magnitude, usize, bool)> {
    let (digits, scale, length) = mantissa(text, 16)?;
    let (power, more) = exponent(&text[length..], b'p');
    let mut value = Big::from(0);
    digits
        .iter()
        .for_each(|&digit| value.multiply_add(16, digit.into()));
    let (magnitude, out) = rounded(value, power - 4 * scale, false);
    Some((magnitude, length + more, out))
}

fn decimal(text: &[u8]) -> Option<(Magnitude, usize, bool)> {
    let (digits, scale, length) = mantissa(text, 10)?;
    let (power, more) = exponent(&text[length..], b'e');
    let length = length + more;
    let power = power - scale;
    if digits.is_empty() {
        return Some((ZERO, length, false));
    }
    let place = power + digits.len() as i64;
    if place > 5000 {
        return Some((Magnitude::Infinite, length, true));
    }
    if place < -5000 {
        return Some((ZERO, length, true));
    }
    let mut value = Big::from(0);
    digits
        .iter()
        .for_each(|&digit| value.multiply_add(10, digit.into()));
    if power >= 0 {
        value.multiply_power(10, power as u32);
        let (magnitude, out) = rounded(value, 0, false);
        return Some((magnitude, length, out));
    }
    let mut divisor = Big::from(1);
    divisor.multiply_power(10, power.unsigned_abs() as u32);
    // A quotient of at least 66 bits leaves all that rounding needs in the remainder.
    let shift = (divisor.bits() as i64 + 66 - value.bits() as i64).max(0);
    value.shift_left(shift as usize);
    let (quotient, exact) = value.divide(&divisor);
    let (magnitude, out) = rounded(quotient, -shift, !exact);
    Some((magnitude, length, out))
}

/// `value × 2^exponent` in 64 bits, to the nearest, ties to even; `more` says that a bit less than
/// one unit was left out. The flag tells whether the number is out of range.
fn rounded(value: Big, exponent: i64, more: bool) -> (Magnitude, bool) {
    let bits = value.bits() as i64;
    if bits == 0 {
        return (ZERO, false);
    }
    let drop = (bits - 64).max(MIN_EXPONENT - exponent);
    let mut exponent = exponent + drop;
    let (mut mantissa, inexact) = value.top(drop, more);
    if mantissa > u128::from(u64::MAX) {
        mantissa >>= 1;
        exponent += 1;
    }
    let mut mantissa = mantissa as u64;
    if exponent > MAX_EXPONENT + 64 {
        return (Magnitude::Infinite, true);
    }
    if mantissa == 0 {
        return (ZERO, true);
    }
    let tiny = mantissa.leading_zeros() as i64 > exponent - MIN_EXPONENT;
    if !tiny {
        let shift = mantissa.leading_zeros();
        mantissa <<= shift;
        exponent -= i64::from(shift);
    }
    if exponent > MAX_EXPONENT {
        return (Magnitude::Infinite, true);
    }
    (Magnitude::Finite { mantissa, exponent }, tiny && inexact)
}

impl Decimal {
    /// All digits of a finite number.
    pub(super) fn exact(mantissa: u64, exponent: i64) -> Decimal {
        let zeros = mantissa.trailing_zeros().min(63);
        let (mantissa, exponent) = (mantissa >> zeros, exponent + i64::from(zeros));
        let mut value = Big::from(mantissa);
        let mut scale = 0;
        if exponent >= 0 {
            value.shift_left(exponent as usize);
        } else {
            // m ÷ 2ᵏ = m × 5ᵏ ÷ 10ᵏ
            value.multiply_power(5, exponent.unsigned_abs() as u32);
            scale = exponent;
        }
        let digits = value.digits();
        let point = digits.len() as i64 + scale;
        Decimal { digits, point }
    }

    /// Keeps `count` digits, rounded to the nearest, ties to even.
    pub(super) fn round(&mut self, count: i64) {
        if count >= self.digits.len() as i64 {
            return;
        }
        if count < 0 {
            self.digits.clear();
            return;
        }
        let count = count as usize;
        let (kept, dropped) = self.digits.split_at(count);
        let up = match dropped[0] {
            5 if dropped[1..].iter().all(|&digit| digit == 0) => {
                kept.last().is_some_and(|last| last % 2 == 1)
            }
            first => first >= 5,
        };
        self.digits.truncate(count);
        if !up {
            return;
        }
        while let Some(last) = self.digits.pop() {
            if last < 9 {
                self.digits.push(last + 1);
                return;
            }
        }
        self.digits.push(1);
        self.point += 1;
    }

    /// The digit at a place: 1 is the one after the point of `0.d₁d₂…`.
    pub(super) fn digit(&self, place: i64) -> u8 {
        let digit = usize::try_from(place - 1)
            .ok()
            .and_then(|at| self.digits.get(at));
        b'0' + digit.copied().unwrap_or(0)
    }
}

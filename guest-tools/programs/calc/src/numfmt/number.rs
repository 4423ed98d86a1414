//! Numbers with units, without the errors of binary fractions.
//!
//! A unit is one of `KMGTPEZY`, powers of 1000 or 1024:
//!
//! | Scale | `K` | `Ki` |
//! |---|---|---|
//! | `none` | refused | refused |
//! | `si` | 1000 | refused |
//! | `iec` | 1024 | refused |
//! | `iec-i` | refused | 1024 |
//! | `auto` | 1000 | 1024 |

use num_bigint::BigInt;
use num_traits::{Signed as _, ToPrimitive as _, Zero as _};

/// How units count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// No units.
    None,
    /// Powers of 1000.
    Si,
    /// Powers of 1024, without an `i`.
    Iec,
    /// Powers of 1024, with an `i`.
    IecI,
    /// With an `i` powers of 1024, without it of 1000; for input alone.
    Auto,
}

impl Scale {
    /// What a unit is more than the one before it.
    fn base(self) -> u32 {
        match self {
            Scale::Iec | Scale::IecI => 1024,
            Scale::None | Scale::Si | Scale::Auto => 1000,
        }
    }
}

/// How digits that are too many are rounded (`--round`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Round {
    /// To the next larger number.
    Up,
    /// To the next smaller one.
    Down,
    /// To the one farther from zero, which is GNU's default.
    FromZero,
    /// To the one nearer to zero.
    ToZero,
    /// To the nearest one; halves go away from zero.
    Nearest,
}

/// Why a text is no number.
#[derive(Debug, PartialEq, Eq)]
pub enum Problem {
    /// It does not begin with one.
    Number,
    /// It has more than 33 digits.
    TooLarge,
    /// It has a unit and must not.
    Forbidden,
    /// What follows the number is no unit.
    Suffix,
    /// The unit has no `i` behind it.
    MissingI,
    /// What follows the unit.
    Rest(Vec<u8>),
}

/// The units in the order of their powers.
const UNITS: &[u8] = b"KMGTPEZY";
/// How many digits a number may have, without leading zeros, as GNU limits it.
const MOST_DIGITS: usize = 33;

/// A number as a fraction whose lower part is positive. It is not reduced, so equal numbers may differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ratio {
    upper: BigInt,
    lower: BigInt,
}

/// Reads a number with its unit; gives the digits after its point too, which are 0 where there is a unit. Blanks may
/// stand between the two.
///
/// ```text
/// 1.50, None → 1.50 and 2     -2K, Si → -2000 and 0     1Ki, Auto → 1024 and 0     .5 → 0.5 and 1
/// ```
pub fn parse(text: &[u8], scale: Scale) -> Result<(Ratio, usize), Problem> {
    let (negative, rest) = match text.strip_prefix(b"-") {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let count = |text: &[u8]| text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (whole, mut rest) = rest.split_at(count(rest));
    let mut fraction: &[u8] = b"";
    if let Some(after) = rest.strip_prefix(b".") {
        (fraction, rest) = after.split_at(count(after));
        if fraction.is_empty() {
            return Err(Problem::Number);
        }
    } else if whole.is_empty() {
        return Err(Problem::Number);
    }
    let significant = whole.iter().skip_while(|byte| **byte == b'0').count();
    if significant + fraction.len() > MOST_DIGITS {
        return Err(Problem::TooLarge);
    }
    let digits = [whole, fraction].concat();
    let upper = BigInt::parse_bytes(&digits, 10).unwrap_or_default();
    let mut value = Ratio {
        upper: if negative { -upper } else { upper },
        lower: BigInt::from(10).pow(fraction.len() as u32),
    };
    if rest.is_empty() {
        return Ok((value, fraction.len()));
    }
    while let [b' ' | b'\t', after @ ..] = rest {
        rest = after;
    }
    let (letter, after) = rest.split_first().ok_or(Problem::Suffix)?;
    let power = UNITS.iter().position(|unit| unit == letter);
    let power = power.ok_or(Problem::Suffix)? as u32 + 1;
    let (mut base, mut rest) = (scale.base(), after);
    match scale {
        Scale::None => return Err(Problem::Forbidden),
        Scale::Auto => {
            if let Some(after) = rest.strip_prefix(b"i") {
                (base, rest) = (1024, after);
            }
        }
        Scale::IecI => rest = rest.strip_prefix(b"i").ok_or(Problem::MissingI)?,
        Scale::Si | Scale::Iec => {}
    }
    if !rest.is_empty() {
        return Err(Problem::Rest(rest.to_vec()));
    }
    value.upper *= BigInt::from(base).pow(power);
    Ok((value, 0))
}

/// The size of a unit for `--from-unit` and `--to-unit`: `5`, `K` (1000) or `10Mi`. None for zero, for more than 64
/// bits and for what is no unit.
pub fn unit(text: &[u8]) -> Option<u128> {
    let (text, base) = match text.strip_suffix(b"i") {
        Some(text) => (text, 1024),
        None => (text, 1000),
    };
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (number, letter) = text.split_at(digits);
    let power = match letter {
        [] if base == 1000 => 0,
        [letter] => UNITS.iter().position(|unit| unit == letter)? as u32 + 1,
        _ => return None,
    };
    let number: u128 = match number {
        [] if power > 0 => 1,
        number => std::str::from_utf8(number).ok()?.parse().ok()?,
    };
    let size = number.checked_mul(u128::from(base as u32).checked_pow(power)?)?;
    (size > 0 && size <= u128::from(u64::MAX)).then_some(size)
}

impl Ratio {
    /// The number times `from / to`; `to` must not be 0.
    pub fn times(mut self, from: u128, to: u128) -> Ratio {
        self.upper *= from;
        self.lower *= to;
        self
    }

    /// How often it can be divided by `base` until its absolute value is less than `base`: 999 → 0 and 1000 → 1 for
    /// 1000.
    pub fn power(&self, base: u32) -> usize {
        let (upper, mut lower) = (self.upper.abs(), &self.lower * base);
        let mut power = 0;
        while upper >= lower {
            lower *= base;
            power += 1;
        }
        power
    }

    /// Rounded to so many digits after the point, exactly.
    pub fn rounded(&self, digits: usize, round: Round) -> Ratio {
        let ten = BigInt::from(10).pow(digits as u32);
        let upper = &self.upper * &ten;
        // Towards zero.
        let whole = &upper / &self.lower;
        let rest = &upper - &whole * &self.lower;
        let sign = BigInt::from(if self.upper.is_negative() { -1 } else { 1 });
        let away = match round {
            _ if rest.is_zero() => false,
            Round::Up => !self.upper.is_negative(),
            Round::Down => self.upper.is_negative(),
            Round::FromZero => true,
            Round::ToZero => false,
            Round::Nearest => rest.abs() * 2 >= self.lower,
        };
        Ratio {
            upper: if away { whole + sign } else { whole },
            lower: ten,
        }
    }

    /// As `%.Nf` prints it: with so many digits after the point; a half goes to the even digit.
    pub fn fixed(&self, digits: usize) -> String {
        let upper = self.upper.abs() * BigInt::from(10).pow(digits as u32);
        let mut whole = &upper / &self.lower;
        let twice = (&upper - &whole * &self.lower) * 2;
        let is_odd = (&whole % BigInt::from(2)) != BigInt::zero();
        if twice > self.lower || (twice == self.lower && is_odd) {
            whole += 1;
        }
        let text = format!("{:0>1$}", whole.to_string(), digits + 1);
        let (whole, fraction) = text.split_at(text.len() - digits);
        let sign = if self.upper.is_negative() { "-" } else { "" };
        let point = if digits > 0 { "." } else { "" };
        format!("{sign}{whole}{point}{fraction}")
    }

    /// With the unit that makes it short: without a precision one digit behind the point below ten, none above.
    /// Rounding that reaches the next unit takes it.
    ///
    /// ```text
    /// 1001 → 1.1K     9999 → 10K     999999 → 1.0M     500 → 500     (si, from zero)
    /// ```
    pub fn scaled(&self, scale: Scale, precision: Option<usize>, round: Round) -> String {
        let base = scale.base();
        let mut power = self.power(base);
        let mut value = self.clone();
        value.lower *= BigInt::from(base).pow(power as u32);
        let below_ten = |value: &Ratio| value.upper.abs() < &value.lower * 10;
        let digits = match precision {
            Some(precision) => precision.min(power * 3),
            None => usize::from(below_ten(&value)),
        };
        value = value.rounded(digits, round);
        if value.upper.abs() >= &value.lower * base {
            value.lower *= base;
            power += 1;
        }
        let point = !value.upper.is_zero() && below_ten(&value) && power > 0;
        let shown = value.fixed(precision.unwrap_or(usize::from(point)));
        let letter = power.checked_sub(1).and_then(|at| UNITS.get(at));
        let unit = match letter {
            Some(letter) if scale == Scale::IecI => format!("{}i", char::from(*letter)),
            Some(letter) => char::from(*letter).to_string(),
            None => String::new(),
        };
        shown + &unit
    }

    /// As `%g` prints what is too large for plain digits, for messages: 1e+20.
    pub fn scientific(&self) -> String {
        let value = (&self.upper / &self.lower)
            .to_f64()
            .unwrap_or(f64::INFINITY);
        let text = format!("{value:.5e}");
        match text.split_once('e') {
            Some((number, power)) => {
                let number = number.trim_end_matches('0').trim_end_matches('.');
                format!("{number}e+{power:0>2}")
            }
            None => text,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failure shows as a failed test")]

    use super::*;

    #[test]
    fn numbers_get_the_unit_that_makes_them_short() {
        let cases = [
            ("999", Scale::Si, "999"),
            ("1001", Scale::Si, "1.1K"),
            ("9999", Scale::Si, "10K"),
            ("999999", Scale::Si, "1.0M"),
            ("1048575", Scale::Iec, "1.0M"),
            ("2048000", Scale::IecI, "2.0Mi"),
            ("-1500", Scale::Si, "-1.5K"),
            ("0.5", Scale::Si, "0"),
        ];
        for (text, scale, expected) in cases {
            let (value, _) = parse(text.as_bytes(), Scale::None).unwrap();
            assert_eq!(
                value.scaled(scale, None, Round::FromZero),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn units_have_two_bases() {
        let cases = [
            ("1", Some(1)),
            ("K", Some(1000)),
            ("10Mi", Some(10 << 20)),
            ("0", None),
            ("x", None),
            ("i", None),
        ];
        for (text, expected) in cases {
            assert_eq!(unit(text.as_bytes()), expected, "{text}");
        }
    }
}

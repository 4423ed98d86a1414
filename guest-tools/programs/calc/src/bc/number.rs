//! Decimal numbers of any length, with the digits after the point that `bc` keeps.
//!
//! A number is a whole number and a scale; how many digits a result keeps follows the rules of POSIX's `bc`. With `a`
//! and `b` for the scales of the operands and `s` for the variable `scale`:
//!
//! | Operation | Digits after the point |
//! |---|---|
//! | `+`, `-` | max(a, b) |
//! | `*` | min(a + b, max(s, a, b)) |
//! | `/` | s |
//! | `%` | max(a, b + s) |
//! | `^` | min(a · exponent, max(s, a)), or s for a negative exponent |
//! | `sqrt` | max(s, a) |
//!
//! What is more is cut off, not rounded. `dc` uses the same numbers. Multiplication and the conversion between bases
//! cost what `num-bigint` takes; the fraction of a base other than 10 is printed in O(n²).

use std::cmp::Ordering;

use num_bigint::{BigInt, Sign};
use num_traits::{One as _, Signed as _, ToPrimitive as _, Zero as _};

/// `digits / 10^scale`. Trailing zeros count: 1.50 and 1.5 are equal and are printed differently.
#[derive(Clone, Debug, Default)]
pub struct Number {
    digits: BigInt,
    scale: u32,
}

/// A power of ten.
fn ten(exponent: u32) -> BigInt {
    BigInt::from(10).pow(exponent)
}

impl From<i64> for Number {
    fn from(value: i64) -> Number {
        Number {
            digits: value.into(),
            scale: 0,
        }
    }
}

impl Number {
    /// Reads digits of a base, from `0` to `Z`, with at most one point. A single digit may be larger than the base;
    /// in longer numbers such a digit counts as the largest one. The scale is the number of digits behind the point
    /// in any base.
    ///
    /// ```text
    /// base 10   1.50 → 1.50     base 16   FF → 255, A.8 → 10.5     base 2   9 → 9, 19 → 3
    /// ```
    pub fn parse(text: &str, base: u32) -> Number {
        let digit = |c: char| c.to_digit(36).unwrap_or(0);
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        if whole.len() + fraction.len() == 1 {
            let value = digit(text.trim_matches('.').chars().next().unwrap_or('0'));
            if fraction.is_empty() {
                return Number::from(i64::from(value));
            }
        }
        let mut digits = BigInt::zero();
        for c in whole.chars() {
            digits = digits * base + digit(c).min(base - 1);
        }
        let scale = fraction.len() as u32;
        if scale == 0 {
            return Number { digits, scale };
        }
        let mut part = BigInt::zero();
        for c in fraction.chars() {
            part = part * base + digit(c).min(base - 1);
        }
        let part = part * ten(scale) / BigInt::from(base).pow(scale);
        Number {
            digits: digits * ten(scale) + part,
            scale,
        }
    }

    /// The number of digits after the point.
    pub fn scale(&self) -> u32 {
        self.scale
    }

    /// All digits, without zeros before the first one but with those right behind the point: 0.05 has 2, 0 has 1.
    pub fn length(&self) -> usize {
        if self.digits.is_zero() {
            return 1.max(self.scale as usize);
        }
        self.digits.abs().to_string().len().max(self.scale as usize)
    }

    /// Whether it is zero.
    pub fn is_zero(&self) -> bool {
        self.digits.is_zero()
    }

    /// Whether it is less than zero.
    pub fn is_negative(&self) -> bool {
        self.digits.is_negative()
    }

    /// The whole part, cut towards zero; none where it is too large.
    pub fn to_i64(&self) -> Option<i64> {
        (&self.digits / ten(self.scale)).to_i64()
    }

    /// The same number with that many digits after the point; what is more is cut off towards zero.
    pub fn rescale(&self, scale: u32) -> Number {
        let digits = match scale.cmp(&self.scale) {
            Ordering::Equal => self.digits.clone(),
            Ordering::Greater => &self.digits * ten(scale - self.scale),
            Ordering::Less => &self.digits / ten(self.scale - scale),
        };
        Number { digits, scale }
    }

    /// The order of two values, whatever their scales.
    pub fn compare(&self, other: &Number) -> Ordering {
        let scale = self.scale.max(other.scale);
        self.rescale(scale).digits.cmp(&other.rescale(scale).digits)
    }

    /// `-self`
    pub fn negate(&self) -> Number {
        Number {
            digits: -&self.digits,
            scale: self.scale,
        }
    }

    /// `self + other`
    pub fn add(&self, other: &Number) -> Number {
        let scale = self.scale.max(other.scale);
        Number {
            digits: self.rescale(scale).digits + other.rescale(scale).digits,
            scale,
        }
    }

    /// `self - other`
    pub fn subtract(&self, other: &Number) -> Number {
        self.add(&other.negate())
    }

    /// `self * other`, with at most as many digits as `bc` keeps.
    pub fn multiply(&self, other: &Number, scale: u32) -> Number {
        let full = self.scale + other.scale;
        let kept = full.min(scale.max(self.scale).max(other.scale));
        Number {
            digits: &self.digits * &other.digits,
            scale: full,
        }
        .rescale(kept)
    }

    /// `self / other` with `scale` digits after the point; none for zero.
    pub fn divide(&self, other: &Number, scale: u32) -> Option<Number> {
        if other.is_zero() {
            return None;
        }
        let shift = scale + other.scale;
        let digits = if shift >= self.scale {
            &self.digits * ten(shift - self.scale) / &other.digits
        } else {
            &self.digits / (&other.digits * ten(self.scale - shift))
        };
        Some(Number { digits, scale })
    }

    /// `self % other`: what division with `scale` leaves, `self - (self / other) * other`; none for zero. So with a
    /// scale of 0 it is the usual remainder, with the sign of `self`, and with a larger one it is small: `7 % 3` is
    /// .00001 at a scale of 5.
    pub fn remainder(&self, other: &Number, scale: u32) -> Option<Number> {
        let quotient = self.divide(other, scale)?;
        let kept = self.scale.max(other.scale + scale);
        let product = Number {
            digits: quotient.digits * &other.digits,
            scale: scale + other.scale,
        };
        Some(self.rescale(kept).subtract(&product.rescale(kept)))
    }

    /// `self ^ exponent`; none for exponents of a million and more, and for negative exponents of zero.
    pub fn power(&self, exponent: i64, scale: u32) -> Option<Number> {
        let count = u32::try_from(exponent.unsigned_abs())
            .ok()
            .filter(|&count| count < 1_000_000)?;
        if exponent == 0 {
            return Some(Number::from(1));
        }
        let full = Number {
            digits: self.digits.pow(count),
            scale: self.scale.checked_mul(count)?,
        };
        if exponent < 0 {
            return Number::from(1).divide(&full, scale);
        }
        let kept = full.scale.min(scale.max(self.scale));
        Some(full.rescale(kept))
    }

    /// `self ^ exponent % modulus` of whole numbers, for `dc`; fractions are cut off. None for a modulus of zero or a
    /// negative exponent.
    pub fn modular_power(&self, exponent: &Number, modulus: &Number) -> Option<Number> {
        let whole = |number: &Number| &number.digits / ten(number.scale);
        let (exponent, modulus) = (whole(exponent), whole(modulus));
        if modulus.is_zero() || exponent.is_negative() {
            return None;
        }
        Some(Number {
            digits: whole(self).modpow(&exponent, &modulus),
            scale: 0,
        })
    }

    /// The whole part without its sign as bytes, the highest first; zero has one.
    pub fn bytes(&self) -> Vec<u8> {
        (&self.digits / ten(self.scale)).magnitude().to_bytes_be()
    }

    /// The square root, cut off behind max(`scale`, own scale) digits; none for negative numbers.
    pub fn square_root(&self, scale: u32) -> Option<Number> {
        if self.is_negative() {
            return None;
        }
        // GNU gives these two without a fraction.
        let whole = self.rescale(0);
        let is_unit = whole.digits.is_zero() || whole.digits.is_one();
        if is_unit && whole.rescale(self.scale).digits == self.digits {
            return Some(whole);
        }
        let scale = scale.max(self.scale);
        Some(Number {
            digits: self.rescale(2 * scale).digits.sqrt(),
            scale,
        })
    }

    /// The text in a base, as `bc` prints it: without a zero before the point, and up to base 16 with a character for
    /// each digit. Above, each digit is a decimal number as wide as the largest one, with a blank before it.
    ///
    /// ```text
    /// base 10   .50, -3      base 16   FF.8      base 100   ` 01 05` for 105
    /// ```
    pub fn text(&self, base: u32) -> String {
        let sign = if self.digits.sign() == Sign::Minus {
            "-"
        } else {
            ""
        };
        let size = self.digits.abs();
        let (whole, part) = (&size / ten(self.scale), &size % ten(self.scale));
        if base == 10 {
            if self.scale == 0 {
                return format!("{sign}{whole}");
            }
            let whole = if whole.is_zero() {
                String::new()
            } else {
                whole.to_string()
            };
            if self.is_zero() {
                return "0".to_owned();
            }
            return format!(
                "{sign}{whole}.{part:0>wide$}",
                part = part.to_string(),
                wide = self.scale as usize
            );
        }
        let digit = |value: u32| {
            if base <= 16 {
                char::from_digit(value, 16)
                    .map_or_else(String::new, |c| c.to_ascii_uppercase().to_string())
            } else {
                format!(" {value:0wide$}", wide = (base - 1).to_string().len())
            }
        };
        let mut digits = Vec::new();
        let mut rest = whole;
        while !rest.is_zero() {
            digits.push(digit((&rest % base).to_u32().unwrap_or(0)));
            rest /= base;
        }
        let mut text: String = digits.into_iter().rev().collect();
        if self.scale > 0 && !self.is_zero() {
            text.push('.');
            let (mut part, unit) = (part, ten(self.scale));
            let mut reach = BigInt::one();
            while reach < unit {
                part *= base;
                let digit = digit((&part / &unit).to_u32().unwrap_or(0));
                // No blank stands behind the point.
                text.push_str(if text.ends_with('.') {
                    digit.trim_start()
                } else {
                    &digit
                });
                part %= &unit;
                reach *= base;
            }
        } else if self.is_zero() {
            return "0".to_owned();
        }
        format!("{sign}{text}")
    }
}

//! One `%…` of a format: flags, width, precision, and how values look with them.

use crate::format::float::{Decimal, Float, Magnitude};
use crate::text::Text;

/// A directive without its conversion character.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Directive {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    pub(super) width: usize,
    precision: Option<usize>,
}

impl Directive {
    /// Reads flags from `at` on; gives the place after them.
    pub(super) fn flags(&mut self, text: &[u8], mut at: usize) -> usize {
        while let Some(&flag) = text.get(at) {
            match flag {
                b'-' => self.left = true,
                b'+' => self.plus = true,
                b' ' => self.space = true,
                b'#' => self.alternate = true,
                b'0' => self.zero = true,
                b'\'' => {}
                _ => break,
            }
            at += 1;
        }
        at
    }

    /// Reads the digits of width or precision; too many count as more than there can be.
    pub(super) fn digits(&mut self, text: &[u8], mut at: usize, precision: bool) -> usize {
        let mut value: usize = 0;
        let start = at;
        while let Some(digit) = text.get(at).filter(|byte| byte.is_ascii_digit()) {
            value = value
                .saturating_mul(10)
                .saturating_add(usize::from(digit - b'0'));
            at += 1;
        }
        if precision {
            self.precision = Some(value);
        } else if at > start {
            self.width = value;
        }
        at
    }

    pub(super) fn set_width(&mut self, width: i64) {
        self.left |= width < 0;
        self.width = usize::try_from(width.unsigned_abs()).unwrap_or(usize::MAX);
    }

    pub(super) fn set_precision(&mut self, precision: i64) {
        self.precision = usize::try_from(precision).ok();
    }

    /// How many bytes the precision asks for.
    pub(super) fn room(&self, conversion: u8) -> usize {
        match conversion {
            b's' | b'b' | b'q' | b'Q' | b'c' | b'n' => 0,
            _ => self.precision.unwrap_or(0),
        }
    }

    /// The text as far as the precision allows.
    pub(super) fn cut<'t>(&self, text: &'t [u8]) -> &'t [u8] {
        &text[..self.precision.unwrap_or(text.len()).min(text.len())]
    }

    /// Fills up with spaces.
    pub(super) fn pad(&self, text: &[u8]) -> Vec<u8> {
        self.assemble(b"", text, false)
    }

    /// Sign or prefix and digits, filled up to the width.
    fn assemble(&self, prefix: &[u8], digits: &[u8], zeros: bool) -> Vec<u8> {
        let fill = self.width.saturating_sub(prefix.len() + digits.len());
        let mut shown = Vec::with_capacity(fill + prefix.len() + digits.len());
        if !self.left && !zeros {
            shown.resize(fill, b' ');
        }
        shown.extend_from_slice(prefix);
        if !self.left && zeros {
            shown.resize(shown.len() + fill, b'0');
        }
        shown.extend_from_slice(digits);
        if self.left {
            shown.resize(shown.len() + fill, b' ');
        }
        shown
    }

    fn sign(&self, negative: bool) -> &'static [u8] {
        match (negative, self.plus, self.space) {
            (true, _, _) => b"-",
            (false, true, _) => b"+",
            (false, false, true) => b" ",
            (false, false, false) => b"",
        }
    }

    pub(super) fn signed(&self, value: i64) -> Vec<u8> {
        let digits = decimal(value.unsigned_abs());
        self.integer(self.sign(value < 0), digits)
    }

    pub(super) fn unsigned(&self, value: u64, conversion: u8) -> Vec<u8> {
        let mut digits = match conversion {
            b'o' => format!("{value:o}").into_bytes(),
            b'x' => format!("{value:x}").into_bytes(),
            b'X' => format!("{value:X}").into_bytes(),
            _ => decimal(value),
        };
        let mut prefix: &[u8] = b"";
        match conversion {
            b'x' if self.alternate && value != 0 => prefix = b"0x",
            b'X' if self.alternate && value != 0 => prefix = b"0X",
            // Its 0 is the prefix, which no precision takes away.
            b'o' if self.alternate && value == 0 && self.precision == Some(0) => {
                return self.pad(b"0");
            }
            b'o' if self.alternate && value != 0 && self.precision.unwrap_or(0) <= digits.len() => {
                digits.insert(0, b'0');
            }
            _ => {}
        }
        self.integer(prefix, digits)
    }

    fn integer(&self, prefix: &[u8], mut digits: Vec<u8>) -> Vec<u8> {
        match self.precision {
            Some(0) if digits == b"0" => digits.clear(),
            Some(least) if least > digits.len() => {
                digits.splice(0..0, std::iter::repeat_n(b'0', least - digits.len()));
            }
            _ => {}
        }
        self.assemble(prefix, &digits, self.zero && self.precision.is_none())
    }

    pub(super) fn float(&self, value: Float, conversion: u8) -> Vec<u8> {
        let upper = conversion.is_ascii_uppercase();
        let sign = self.sign(value.negative);
        let (mantissa, exponent) = match value.value {
            Magnitude::Finite { mantissa, exponent } => (mantissa, exponent),
            Magnitude::Infinite => {
                return self.assemble(sign, if upper { b"INF" } else { b"inf" }, false);
            }
            Magnitude::NotANumber => {
                return self.assemble(sign, if upper { b"NAN" } else { b"nan" }, false);
            }
        };
        let mut digits = match conversion.to_ascii_lowercase() {
            b'a' => {
                let prefix = [sign, b"0x"].concat();
                let mut digits = self.hexadecimal(mantissa, exponent);
                let mut prefix = prefix;
                if upper {
                    digits.make_ascii_uppercase();
                    prefix.make_ascii_uppercase();
                }
                return self.assemble(&prefix, &digits, self.zero);
            }
            b'f' => self.fixed(
                Decimal::exact(mantissa, exponent),
                self.precision.unwrap_or(6),
            ),
            b'e' => self.scientific(
                Decimal::exact(mantissa, exponent),
                self.precision.unwrap_or(6),
            ),
            _ => self.general(Decimal::exact(mantissa, exponent)),
        };
        if upper {
            digits.make_ascii_uppercase();
        }
        self.assemble(sign, &digits, self.zero)
    }

    /// `123.456`
    fn fixed(&self, mut decimal: Decimal, places: usize) -> Vec<u8> {
        decimal.round(decimal.point.saturating_add(places as i64));
        let mut shown: Vec<u8> = (1..=decimal.point)
            .map(|place| decimal.digit(place))
            .collect();
        if shown.is_empty() {
            shown.push(b'0');
        }
        if places > 0 || self.alternate {
            shown.push(b'.');
        }
        shown.extend((1..=places as i64).map(|place| decimal.digit(decimal.point + place)));
        shown
    }

    /// `1.23456e+02`
    fn scientific(&self, mut decimal: Decimal, places: usize) -> Vec<u8> {
        decimal.round((places as i64).saturating_add(1));
        let mut shown = vec![decimal.digit(1)];
        if places > 0 || self.alternate {
            shown.push(b'.');
        }
        shown.extend((1..=places as i64).map(|place| decimal.digit(place + 1)));
        let exponent = if decimal.digits.is_empty() {
            0
        } else {
            decimal.point - 1
        };
        shown.extend_from_slice(format!("e{exponent:+03}").as_bytes());
        shown
    }

    /// The shorter of the two, without zeros at the end.
    fn general(&self, mut decimal: Decimal) -> Vec<u8> {
        let significant = self.precision.unwrap_or(6).max(1) as i64;
        decimal.round(significant);
        let exponent = if decimal.digits.is_empty() {
            0
        } else {
            decimal.point - 1
        };
        let in_fixed = (-4..significant).contains(&exponent);
        let after = if in_fixed {
            significant - 1 - exponent
        } else {
            significant - 1
        };
        let after = if self.alternate {
            after
        } else {
            // Only as many as there are before the zeros at the end.
            let zeros = decimal
                .digits
                .iter()
                .rev()
                .take_while(|&&digit| digit == 0)
                .count();
            let kept = (decimal.digits.len() - zeros) as i64;
            let shown = if in_fixed {
                kept - 1 - exponent
            } else {
                kept - 1
            };
            after.min(shown.max(0))
        };
        let after = usize::try_from(after).unwrap_or(0);
        if in_fixed {
            self.fixed(decimal, after)
        } else {
            self.scientific(decimal, after)
        }
    }

    /// `8.8p+3`: four bits before the point, as an 80-bit number has them.
    fn hexadecimal(&self, mantissa: u64, exponent: i64) -> Vec<u8> {
        let mut value = u128::from(mantissa);
        let mut power = if mantissa == 0 { 0 } else { exponent + 60 };
        if let Some(places @ 0..15) = self.precision {
            let drop = 60 - 4 * places;
            let (kept, rest) = (value >> drop, value & ((1 << drop) - 1));
            let half = 1 << (drop - 1);
            let up = rest > half || rest == half && kept & 1 == 1;
            value = (kept + u128::from(up)) << drop;
            if value >> 64 != 0 {
                value >>= 4;
                power += 4;
            }
        }
        let digits = format!("{value:016x}").into_bytes();
        let least = self.precision.unwrap_or(0);
        let zeros = digits
            .iter()
            .rev()
            .take_while(|&&digit| digit == b'0')
            .count();
        let places = (16 - zeros.min(15) - 1).max(least.min(15));
        let mut shown = vec![digits[0]];
        if places > 0 || least > 0 || self.alternate {
            shown.push(b'.');
        }
        shown.extend_from_slice(&digits[1..=places]);
        shown.resize(shown.len() + least.saturating_sub(places), b'0');
        shown.extend_from_slice(format!("p{power:+}").as_bytes());
        shown
    }
}

fn decimal(value: u64) -> Vec<u8> {
    match i64::try_from(value) {
        Ok(value) => Text::from(value).into_vec(),
        Err(_) => value.to_string().into_bytes(),
    }
}

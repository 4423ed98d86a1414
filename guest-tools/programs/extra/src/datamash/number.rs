//! Numbers as C's `strtold` reads and `printf` writes them.
//!
//! Values are `f64` where GNU datamash has `long double`, so results differ from the 16th digit on; the default format
//! `%.14g` hides that.

use super::Stop;
use crate::call::bytes;
use crate::options;
use crate::quote;

/// Reads a number that fills the text, behind optional blanks: decimal, hexadecimal (`0x1.8p3`), `inf` or `nan`. `None`
/// for anything else, the empty text included.
pub fn parse(text: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(text).ok()?.trim_ascii_start();
    let bare = text.strip_prefix(['+', '-']).unwrap_or(text);
    let hexadecimal = bare.strip_prefix("0x").or_else(|| bare.strip_prefix("0X"));
    if let Some(digits) = hexadecimal {
        let value = hexadecimal_value(digits)?;
        return Some(if text.starts_with('-') { -value } else { value });
    }
    if bare.starts_with(['+', '-']) {
        return None;
    }
    text.parse().ok()
}

/// The value behind `0x`: digits with an optional point, and a binary exponent behind `p`.
fn hexadecimal_value(text: &str) -> Option<f64> {
    let (digits, exponent) = match text.split_once(['p', 'P']) {
        Some((digits, exponent)) => (digits, exponent.parse::<i32>().ok()?),
        None => (text, 0),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let mut value = 0.0;
    for digit in whole.chars().chain(fraction.chars()) {
        value = value * 16.0 + f64::from(digit.to_digit(16)?);
    }
    let shift = exponent.saturating_sub(4 * i32::try_from(fraction.len()).ok()?);
    Some(value * 2f64.powi(shift))
}

/// Whether a field says that there is no value: `NA`, `N/A` or `NaN` in any case.
pub fn is_missing(text: &[u8]) -> bool {
    let names: [&[u8]; 3] = [b"NA", b"N/A", b"NaN"];
    names.iter().any(|name| text.eq_ignore_ascii_case(name))
}

/// How numbers are written: one conversion of `printf` between two texts.
pub struct Format {
    /// The text in front of the conversion, with `%%` resolved.
    before: Vec<u8>,
    /// The text behind it.
    after: Vec<u8>,
    /// Any of `-`, `+`, space, `#`, `0` and `'`; the last one has no effect.
    flags: Vec<u8>,
    /// The least number of characters.
    width: usize,
    /// The digits behind the point, or for `g` all of them. `None` is C's default.
    precision: Option<usize>,
    /// The conversion: `a`, `e`, `f`, `g` or their upper-case forms.
    letter: u8,
}

impl Default for Format {
    fn default() -> Format {
        Format {
            before: Vec::new(),
            after: Vec::new(),
            flags: Vec::new(),
            width: 0,
            precision: Some(14),
            letter: b'g',
        }
    }
}

impl Format {
    /// So many digits after the point.
    pub fn rounded(digits: usize) -> Format {
        Format {
            precision: Some(digits),
            letter: b'f',
            ..Format::default()
        }
    }

    /// Reads `--format`: `%08.3f`, `[%g]`, `%'.2f%%`.
    ///
    /// # Errors
    /// No conversion, more than one, or one that is not for numbers with a fraction.
    pub fn parse(format: &[u8]) -> Result<Format, Stop> {
        let refuse = |why: &str| Stop::from(bytes!("format ", quote::word(format), why));
        let (before, rest) = literal(format);
        let rest = rest.ok_or_else(|| refuse(" has no % directive"))?;
        let length = |accept: fn(&u8) -> bool, text: &[u8]| {
            text.iter().take_while(|byte| accept(byte)).count()
        };
        let (flags, rest) = rest.split_at(length(|byte| b"'-+ #0".contains(byte), rest));
        let (width, mut rest) = rest.split_at(length(u8::is_ascii_digit, rest));
        let mut precision = None;
        if let Some(after) = rest.strip_prefix(b".") {
            let (digits, after) = after.split_at(length(u8::is_ascii_digit, after));
            precision = Some(options::number::<u16>(digits).map_or(0, usize::from));
            rest = after;
        }
        let letter = match rest.first() {
            Some(&letter @ (b'a' | b'A' | b'e' | b'E' | b'f' | b'F' | b'g' | b'G')) => letter,
            Some(&letter) => {
                let letter = [letter];
                let why = bytes!(" has unknown/invalid type %", letter, " directive");
                return Err(bytes!("format ", quote::word(format), why).into());
            }
            None => return Err(refuse(" ends in %")),
        };
        let (after, more) = literal(&rest[1..]);
        if more.is_some() {
            return Err(refuse(" has too many % directives"));
        }
        Ok(Format {
            before,
            after,
            flags: flags.to_vec(),
            width: options::number::<u16>(width).map_or(0, usize::from),
            precision,
            letter,
        })
    }

    /// Writes a number.
    pub fn write(&self, value: f64) -> Vec<u8> {
        let has = |flag: u8| self.flags.contains(&flag);
        let sign = match value.is_sign_negative() {
            true => "-",
            false if has(b'+') => "+",
            false if has(b' ') => " ",
            false => "",
        };
        let digits = match value.is_finite() {
            true => self.digits(value.abs()),
            false if value.is_nan() => "nan".to_owned(),
            false => "inf".to_owned(),
        };
        let digits = match self.letter.is_ascii_uppercase() {
            true => digits.to_ascii_uppercase(),
            false => digits,
        };
        let width = self.width;
        let text = if has(b'-') {
            format!("{:width$}", format!("{sign}{digits}"))
        } else if has(b'0') && value.is_finite() {
            let rest = width.saturating_sub(sign.len());
            format!("{sign}{digits:0>rest$}")
        } else {
            format!("{:>width$}", format!("{sign}{digits}"))
        };
        bytes!(self.before, text, self.after)
    }

    /// The digits of a finite number without its sign.
    fn digits(&self, value: f64) -> String {
        let precision = self.precision.unwrap_or(6);
        match self.letter.to_ascii_lowercase() {
            b'f' => format!("{value:.precision$}"),
            b'e' => exponential(value, precision),
            b'a' => hexadecimal(value, self.precision),
            _ => general(value, precision.max(1), self.flags.contains(&b'#')),
        }
    }
}

/// `%e`: one digit before the point, and an exponent of at least two digits.
fn exponential(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = match exponent.strip_prefix('-') {
        Some(exponent) => ('-', exponent),
        None => ('+', exponent),
    };
    format!("{digits}e{sign}{exponent:0>2}")
}

/// `%g`: the given number of significant digits, without trailing zeros unless `#` is set. Below 1e-4 and from
/// 10^precision on it is written as `%e`.
fn general(value: f64, precision: usize, keeps_zeros: bool) -> String {
    let scientific = exponential(value, precision - 1);
    let (digits, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let power: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |text: &str| match text.contains('.') && !keeps_zeros {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if power < -4 || power >= precision as i32 {
        return format!("{}e{exponent}", trimmed(digits));
    }
    let decimals = (precision as i32 - 1 - power) as usize;
    trimmed(&format!("{value:.decimals$}"))
}

/// `%a` of a long double, whose first digit has four bits.
fn hexadecimal(value: f64, precision: Option<usize>) -> String {
    if value == 0.0 {
        return "0x0p+0".to_owned();
    }
    let mut exponent = 0;
    let mut value = value;
    while value >= 16.0 {
        value /= 2.0;
        exponent += 1;
    }
    while value < 8.0 {
        value *= 2.0;
        exponent -= 1;
    }
    let mut digits = String::new();
    let mut rest = value;
    for _ in 0..=precision.unwrap_or(15) {
        digits.push(
            char::from_digit(rest as u32, 16)
                .unwrap_or('0')
                .to_ascii_lowercase(),
        );
        rest = (rest - rest.floor()) * 16.0;
    }
    let (first, fraction) = digits.split_at(1);
    let fraction = match precision {
        Some(_) => fraction,
        None => fraction.trim_end_matches('0'),
    };
    let point = if fraction.is_empty() { "" } else { "." };
    format!("0x{first}{point}{fraction}p{exponent:+}")
}

/// The text up to a conversion, in which `%%` is one, and what follows the sign.
fn literal(format: &[u8]) -> (Vec<u8>, Option<&[u8]>) {
    let mut text = Vec::new();
    let mut rest = format;
    while let [byte, after @ ..] = rest {
        rest = after;
        if *byte == b'%' {
            match rest.strip_prefix(b"%") {
                Some(after) => rest = after,
                None => return (text, Some(rest)),
            }
        }
        text.push(*byte);
    }
    (text, None)
}

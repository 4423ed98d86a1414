//! Numbers as text, and `printf`: the format language of C, with `%c` for characters, `*`, and gawk's `N$`. Floats are
//! printed by Rust's correctly rounded conversions and arranged as C's `%e`, `%f`, `%g` and `%a`.
//!
//! ```text
//! number(3.0, "%.6g")       3          %5.2f of 3.14159   " 3.14"
//! number(0.1, "%.6g")       0.1        %-5d| of 42        "42   |"
//! number(1e300, "%.6g")     all 301 digits: integers are written in full
//! number(nan)               +nan, -nan as gawk 5 has them
//! ```

use super::value::Value;

/// A number as `print` and concatenation write it: integers in full, others by `convert`, which is CONVFMT or OFMT.
pub fn number(value: f64, convert: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(16);
    put_number(value, convert, &mut out);
    out
}

/// Writes a number as [`number`] gives it.
pub fn put_number(value: f64, convert: &[u8], out: &mut Vec<u8>) {
    if value.trunc() == value && value.abs() < 1e16 {
        out.extend_from_slice(itoa::Buffer::new().format(value as i64).as_bytes());
    } else {
        out.extend_from_slice(&unusual(value, convert));
    }
}

/// Writes a value's text.
pub fn put_value(value: &Value, convert: &[u8], out: &mut Vec<u8>) {
    match value {
        Value::Unset | Value::Array(_) => {}
        Value::Number(number) => put_number(*number, convert, out),
        Value::Text(text) | Value::Input(text) | Value::Regex(text) => {
            out.extend_from_slice(text);
        }
    }
}

/// A number that is no integer of up to 16 digits.
fn unusual(value: f64, convert: &[u8]) -> Vec<u8> {
    if value.is_nan() {
        return if value.is_sign_negative() {
            b"-nan".to_vec()
        } else {
            b"+nan".to_vec()
        };
    }
    if value.is_infinite() {
        return if value > 0.0 {
            b"+inf".to_vec()
        } else {
            b"-inf".to_vec()
        };
    }
    if value.trunc() == value {
        return format!("{value:.0}").into_bytes();
    }
    let mut out = Vec::with_capacity(16);
    // A format of the user's that is wrong gives itself, as gawk has it.
    let _ = print(convert, &[Value::Number(value)], b"%.6g", &mut out);
    out
}

/// Flags, width and precision of a conversion.
#[derive(Clone, Copy, Default)]
struct Spec {
    minus: bool,
    plus: bool,
    space: bool,
    /// `#`.
    alternate: bool,
    zero: bool,
    /// In characters.
    width: usize,
    /// None where none is given, or a negative one by `*`.
    precision: Option<usize>,
}

impl Spec {
    /// The same without leading zeros, for what has no digits.
    fn without_zeros(self) -> Spec {
        Spec {
            zero: false,
            ..self
        }
    }
}

/// Appends a format with its arguments. A conversion that does not exist is written as it is; `%` at the end, too.
///
/// # Errors
/// A message where arguments run out, or `N$` is used on some conversions only.
pub fn print(
    format: &[u8],
    arguments: &[Value],
    convert: &[u8],
    out: &mut Vec<u8>,
) -> Result<(), String> {
    let mut taken = 0;
    let mut counted = None;
    let mut rest = format;
    while let Some(at) = memchr::memchr(b'%', rest) {
        out.extend_from_slice(&rest[..at]);
        let start = &rest[at..];
        rest = &start[1..];
        if rest.first() == Some(&b'%') {
            out.push(b'%');
            rest = &rest[1..];
            continue;
        }
        // The next argument, or the one of a number.
        let mut next = |number: Option<usize>| {
            if *counted.get_or_insert(number.is_some()) != number.is_some() {
                return Err("must use `count$' on all formats or none".to_owned());
            }
            let at = number.map_or(taken, |number| number.wrapping_sub(1));
            if number.is_none() {
                taken += 1;
            }
            arguments.get(at).ok_or_else(|| match number {
                Some(0) => "argument index with `$' must be > 0".to_owned(),
                Some(number) => format!(
                    "argument index {number} greater than total number of supplied arguments"
                ),
                None => "not enough arguments to satisfy format string".to_owned(),
            })
        };
        let (number, after) = position(rest);
        // Where arguments run out, the message shows it.
        let ran_out = |message: String, end: usize| {
            if !message.starts_with("not enough") {
                return message;
            }
            let shown = String::from_utf8_lossy(format);
            let blanks = " ".repeat(end.saturating_sub(2));
            format!("{message}\n\t`{shown}'\n\t{blanks}^ ran out for this one")
        };
        let (spec, after) = read_spec(after, &mut next)?;
        let Some((&letter, after)) = after.split_first() else {
            out.extend_from_slice(start);
            return Ok(());
        };
        if letter == b'%' {
            out.push(b'%');
            rest = after;
            continue;
        }
        if !b"diouxXeEfFgGaAcs".contains(&letter) {
            out.extend_from_slice(&start[..start.len() - after.len()]);
            rest = after;
            continue;
        }
        let end = format.len() - after.len();
        let value = next(number).map_err(|message| ran_out(message, end + 1))?;
        one(spec, letter, value, convert, out);
        rest = after;
    }
    out.extend_from_slice(rest);
    Ok(())
}

/// Takes the next argument, or that of a number.
type Next<'a, 'b> = dyn FnMut(Option<usize>) -> Result<&'a Value, String> + 'b;

/// The number of an argument, `N$`, where it is there, and the text behind it.
fn position(text: &[u8]) -> (Option<usize>, &[u8]) {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    match (crate::options::number(&text[..digits]), text.get(digits)) {
        (Some(number), Some(b'$')) => (Some(number), &text[digits + 1..]),
        _ => (None, text),
    }
}

/// Reads flags, width and precision; both are at most 2^24, so that a format cannot exhaust memory. Modifiers of length
/// are skipped.
fn read_spec<'a, 't>(text: &'t [u8], next: &mut Next<'a, '_>) -> Result<(Spec, &'t [u8]), String> {
    let mut spec = Spec::default();
    let mut at = 0;
    while let Some(&flag) = text.get(at) {
        match flag {
            b'-' => spec.minus = true,
            b'+' => spec.plus = true,
            b' ' => spec.space = true,
            b'#' => spec.alternate = true,
            b'0' => spec.zero = true,
            b'\'' => {}
            _ => break,
        }
        at += 1;
    }
    let mut count = |at: &mut usize| -> Result<Option<i64>, String> {
        if text.get(*at) == Some(&b'*') {
            *at += 1;
            let (number, after) = position(&text[*at..]);
            *at = text.len() - after.len();
            return Ok(Some(next(number)?.number() as i64));
        }
        let digits = text[*at..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let number = crate::options::number(&text[*at..*at + digits]);
        *at += digits;
        Ok(number)
    };
    const WIDEST: i64 = 1 << 24;
    if let Some(width) = count(&mut at)? {
        spec.minus |= width < 0;
        spec.width = width.unsigned_abs().min(WIDEST as u64) as usize;
    }
    if text.get(at) == Some(&b'.') {
        at += 1;
        let precision = count(&mut at)?.unwrap_or(0);
        spec.precision = (precision >= 0).then_some(precision.min(WIDEST) as usize);
    }
    while matches!(text.get(at), Some(b'h' | b'l' | b'L' | b'q')) {
        at += 1;
    }
    Ok((spec, &text[at..]))
}

/// Writes one value by its letter.
fn one(spec: Spec, letter: u8, value: &Value, convert: &[u8], out: &mut Vec<u8>) {
    match letter {
        b's' => {
            let text = value.to_text(convert);
            let end = spec
                .precision
                .map_or(text.len(), |count| prefix(&text, count));
            pad(&text[..end], spec, out);
        }
        b'c' => pad(&character(value), spec, out),
        b'd' | b'i' => integer(spec, value.number(), out),
        b'o' | b'x' | b'X' | b'u' => unsigned(spec, letter, value.number(), out),
        _ => real(spec, letter, value.number(), out),
    }
}

/// `%d`: a number without its fraction, however large.
fn integer(mut spec: Spec, number: f64, out: &mut Vec<u8>) {
    if !number.is_finite() {
        let text = signed(self::number(number, b""), spec);
        return pad(&text, spec.without_zeros(), out);
    }
    let number = number.trunc();
    let digits = self::number(number.abs(), b"%.6g");
    let digits = match (spec.precision, digits.as_slice()) {
        (Some(0), b"0") => Vec::new(),
        _ => digits,
    };
    whole(number < 0.0, digits, "", &mut spec, out);
}

/// `%o`, `%x`, `%X` and `%u`: the digits of 64 bits. Negative numbers are their two's complement, larger ones are
/// written by `%g`, or in full by `%u`.
fn unsigned(spec: Spec, letter: u8, number: f64, out: &mut Vec<u8>) {
    let truncated = number.trunc();
    if !truncated.is_finite() {
        return pad(&self::number(truncated, b""), spec, out);
    }
    if !(-9_223_372_036_854_775_808.0..18_446_744_073_709_551_616.0).contains(&truncated) {
        // Beyond 64 bits there are no digits of another base.
        return match letter {
            b'u' => integer(spec, number, out),
            _ => real(spec, b'g', number, out),
        };
    }
    let bits = if truncated < 0.0 {
        truncated as i64 as u64
    } else {
        truncated as u64
    };
    let (digits, prefix) = match letter {
        b'o' => (format!("{bits:o}"), "0"),
        b'x' => (format!("{bits:x}"), "0x"),
        b'X' => (format!("{bits:X}"), "0X"),
        _ => (bits.to_string(), ""),
    };
    let prefix = if spec.alternate && bits != 0 {
        prefix
    } else {
        ""
    };
    let octal = letter == b'o' && spec.alternate;
    let digits = if bits == 0 && spec.precision == Some(0) && !octal {
        String::new()
    } else {
        digits
    };
    let mut spec = Spec {
        plus: false,
        space: false,
        ..spec
    };
    whole(false, digits.into_bytes(), prefix, &mut spec, out);
}

/// `%e`, `%f`, `%g` and `%a`: a number with its fraction.
fn real(spec: Spec, letter: u8, number: f64, out: &mut Vec<u8>) {
    if !number.is_finite() {
        let mut text = signed(self::number(number, b""), spec);
        if letter.is_ascii_uppercase() {
            text.make_ascii_uppercase();
        }
        return pad(&text, spec.without_zeros(), out);
    }
    let digits = float(letter, number.abs(), spec);
    let negative = number.is_sign_negative();
    let mut spec = Spec {
        precision: None,
        ..spec
    };
    whole(negative, digits.into_bytes(), "", &mut spec, out);
}

/// A name of infinity or nan without its plus, unless that is asked for.
fn signed(text: Vec<u8>, spec: Spec) -> Vec<u8> {
    if text[0] == b'+' && !spec.plus {
        text[1..].to_vec()
    } else {
        text
    }
}

/// How many bytes the first `count` characters take.
fn prefix(text: &[u8], count: usize) -> usize {
    if text.is_ascii() {
        return text.len().min(count);
    }
    let mut end = 0;
    for _ in 0..count {
        if end >= text.len() {
            break;
        }
        end += crate::pattern::character_length(&text[end..]);
    }
    end
}

/// What `%c` writes: the character of a number's code, or the first of a text; NUL for an empty one.
fn character(value: &Value) -> Vec<u8> {
    let numeric = match value {
        Value::Number(_) => true,
        value => value.is_numeric_input(),
    };
    if numeric {
        let code = value.number();
        if (0.0..256.0).contains(&code) && !crate::system::is_utf8() {
            return vec![code as u8];
        }
        let character = char::from_u32(code as u32);
        return character.map_or_else(
            || vec![code as i64 as u8],
            |character| character.to_string().into_bytes(),
        );
    }
    let text = value.to_text(b"%.6g");
    if text.is_empty() {
        vec![0]
    } else {
        text[..prefix(&text, 1)].to_vec()
    }
}

/// An integer or a finished float, with sign, prefix, precision and padding.
fn whole(negative: bool, mut digits: Vec<u8>, prefix: &str, spec: &mut Spec, out: &mut Vec<u8>) {
    if let Some(precision) = spec.precision {
        spec.zero = false;
        let missing = precision.saturating_sub(digits.len());
        digits.splice(..0, std::iter::repeat_n(b'0', missing));
    }
    let sign = match (negative, spec.plus, spec.space) {
        (true, _, _) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        (false, false, false) => "",
    };
    let length = sign.len() + prefix.len() + digits.len();
    let missing = spec.width.saturating_sub(length);
    let zeros = if spec.zero && !spec.minus { missing } else { 0 };
    let mut text = Vec::with_capacity(length + zeros);
    text.extend_from_slice(sign.as_bytes());
    text.extend_from_slice(prefix.as_bytes());
    text.extend(std::iter::repeat_n(b'0', zeros));
    text.extend_from_slice(&digits);
    pad(&text, *spec, out);
}

/// Appends text, filled with spaces to the width in characters.
fn pad(text: &[u8], spec: Spec, out: &mut Vec<u8>) {
    let length = if text.is_ascii() {
        text.len()
    } else {
        String::from_utf8_lossy(text).chars().count()
    };
    let missing = spec.width.saturating_sub(length);
    if !spec.minus {
        out.extend(std::iter::repeat_n(b' ', missing));
    }
    out.extend_from_slice(text);
    if spec.minus {
        out.extend(std::iter::repeat_n(b' ', missing));
    }
}

/// A float without its sign, as C's `printf` writes it.
fn float(letter: u8, value: f64, spec: Spec) -> String {
    let precision = spec.precision.unwrap_or(6);
    let text = match letter {
        b'f' | b'F' => fixed(value, precision, spec.alternate),
        b'e' | b'E' => scientific(value, precision, spec.alternate),
        b'a' | b'A' => hexadecimal(value, spec.precision, spec.alternate),
        _ => general(value, precision.max(1), spec.alternate),
    };
    if letter.is_ascii_uppercase() {
        text.to_uppercase()
    } else {
        text
    }
}

/// `%f` of a number that is not negative.
fn fixed(value: f64, precision: usize, alternate: bool) -> String {
    let mut text = format!("{value:.precision$}");
    if alternate && precision == 0 {
        text.push('.');
    }
    text
}

/// `%e`: at least two digits of exponent.
fn scientific(value: f64, precision: usize, alternate: bool) -> String {
    let text = format!("{value:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, digits) = match exponent.strip_prefix('-') {
        Some(digits) => ('-', digits),
        None => ('+', exponent),
    };
    let dot = if alternate && precision == 0 { "." } else { "" };
    format!("{mantissa}{dot}e{sign}{digits:0>2}")
}

/// C's `%a`: the digits of the mantissa in base 16, and a power of two.
fn hexadecimal(value: f64, precision: Option<usize>, alternate: bool) -> String {
    let bits = value.to_bits();
    let mut mantissa = bits & ((1 << 52) - 1);
    let stored = (bits >> 52 & 0x7ff) as i64;
    let exponent = match (stored, mantissa) {
        (0, 0) => 0,
        (0, _) => -1022,
        _ => stored - 1023,
    };
    let mut lead = u64::from(stored != 0);
    if let Some(precision) = precision.filter(|precision| *precision < 13) {
        // Halves go to the even digit.
        let shift = 52 - 4 * precision as u32;
        let whole = (lead << 52) | mantissa;
        let (kept, lost) = (whole >> shift, whole & ((1 << shift) - 1));
        let half = 1 << (shift - 1);
        let up = lost > half || lost == half && kept & 1 == 1;
        let rounded = (kept + u64::from(up)) << shift;
        (lead, mantissa) = (rounded >> 52, rounded & ((1 << 52) - 1));
    }
    let digits = format!("{mantissa:013x}");
    let digits = match precision {
        None => digits.trim_end_matches('0').to_owned(),
        Some(precision) => format!("{digits:0<precision$.precision$}"),
    };
    let dot = if alternate || !digits.is_empty() {
        "."
    } else {
        ""
    };
    format!("0x{lead}{dot}{digits}p{exponent:+}")
}

/// `%g`: the shorter of `%e` and `%f`, without zeros at the end unless `alternate` is set.
fn general(value: f64, precision: usize, alternate: bool) -> String {
    let rounded = format!("{value:.*e}", precision - 1);
    let exponent: i32 = rounded
        .split_once('e')
        .and_then(|(_, e)| e.parse().ok())
        .unwrap_or(0);
    let trim = |text: String| {
        if alternate || !text.contains('.') {
            return text;
        }
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    };
    if value != 0.0 && (exponent < -4 || exponent >= precision as i32) {
        let text = scientific(value, precision - 1, alternate);
        let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, ""));
        return format!("{}e{exponent}", trim(mantissa.to_owned()));
    }
    let decimals = (precision as i32 - 1 - exponent).max(0) as usize;
    trim(fixed(value, decimals, alternate))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_as_c_does() {
        let cases = [
            ("%d", 42.9, "42"),
            ("%5d|", -3.0, "   -3|"),
            ("%-5d|", 3.0, "3    |"),
            ("%05d", -42.0, "-0042"),
            ("%+d", 5.0, "+5"),
            ("%x", 255.0, "ff"),
            ("%#o", 8.0, "010"),
            ("%e", 12345.678, "1.234568e+04"),
            ("%.2f", 2.345, "2.35"),
            ("%g", 0.0001, "0.0001"),
            ("%g", 1e-5, "1e-05"),
            ("%g", 1e6, "1e+06"),
            ("%g", 100000.0, "100000"),
            ("%G", 1e-10, "1E-10"),
            ("%.3g", 2.23607, "2.24"),
            ("%#.1g", 3.4567, "3."),
            ("%#g", 0.0, "0.00000"),
            ("%05.1f", 2.23607, "002.2"),
            ("%c", 65.0, "A"),
            ("%%|%i", 1.0, "%|1"),
            ("%z", 1.0, "%z"),
            ("%.3d", 5.0, "005"),
        ];
        for (format, value, expected) in cases {
            let mut out = Vec::new();
            assert!(
                print(
                    format.as_bytes(),
                    &[Value::Number(value)],
                    b"%.6g",
                    &mut out
                )
                .is_ok()
            );
            assert_eq!(String::from_utf8_lossy(&out), expected, "{format}");
        }
        assert!(print(b"%s", &[], b"%.6g", &mut Vec::new()).is_err());
    }

    #[test]
    fn numbers_become_text() {
        let cases = [
            (1.0, "1"),
            (0.1, "0.1"),
            (1e6, "1000000"),
            (2.236067977, "2.23607"),
            (2f64.powi(53) + 1.0, "9007199254740992"),
            (1e-7, "1e-07"),
            (-0.0, "0"),
        ];
        for (value, expected) in cases {
            assert_eq!(String::from_utf8_lossy(&number(value, b"%.6g")), expected);
        }
    }
}

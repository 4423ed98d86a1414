//! Keys of lines, and how they compare.
//!
//! A key is what `-k F1.C1,F2.C2` names: from character C1 of field F1 to character C2 of field F2, or to the end of
//! that field where C2 is 0 or missing. Characters are bytes. Without `-t` a field has the blanks before it, and `b`
//! makes characters count behind them:
//!
//! ```text
//! "a b c", -k 2,2            " b"
//! "a:b:c", -t : -k 2,2       "b"
//! "a:bcd", -t : -k 2.2,2.2   "c"
//! ```
//!
//! Each way to compare comes twice: as a comparison of two parts, and as a rank, an integer of the same order, for
//! most parts all of it and for the others as far as 64 bits go.

use std::cmp::Ordering;
use std::hash::{BuildHasher as _, RandomState};

/// How two keys compare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum By {
    /// As bytes.
    #[default]
    Text,
    /// `n`: as decimal numbers of any length; a part that is none is 0.
    Number,
    /// `g`: as floats, after what is no number and NaN.
    General,
    /// `h`: by sign, then by unit, then as `n`.
    Human,
    /// `M`: `JAN` to `DEC`, after what is no month.
    Month,
    /// `V`: as `version::compare` orders file names with numbers.
    Version,
    /// `R`: by a hash, so that equal parts stay together.
    Random,
}

/// What a key ignores, and how it compares.
#[derive(Clone, Copy, Debug, Default)]
pub struct Flags {
    /// The way to compare.
    pub by: By,
    /// `b`: characters of the start count behind the blanks of their field.
    pub start_blanks: bool,
    /// `b` of the end, likewise.
    pub end_blanks: bool,
    /// `d`: only letters, digits, blanks and bytes above ASCII count.
    pub dictionary: bool,
    /// `f`: ASCII letters count as upper-case.
    pub fold: bool,
    /// `i`: control characters do not count.
    pub printable: bool,
    /// `r`.
    pub reverse: bool,
}

impl Flags {
    /// Whether nothing was set, so that the options of the whole command hold.
    pub fn is_plain(&self) -> bool {
        self.by == By::Text
            && !(self.start_blanks || self.end_blanks || self.dictionary)
            && !(self.fold || self.printable || self.reverse)
    }
}

/// A part of a line. Fields and characters of the start count from 0.
#[derive(Clone, Copy, Debug, Default)]
pub struct Key {
    /// The first field.
    pub start: usize,
    /// The first character in it.
    pub start_character: usize,
    /// The last field, from 0, and how many of its characters belong to the key, 0 for all; none reaches to the end
    /// of the line.
    pub end: Option<(usize, usize)>,
    /// How parts compare.
    pub flags: Flags,
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n')
}

/// The first place from `at` on whose byte is not wanted.
fn skip(line: &[u8], mut at: usize, wanted: impl Fn(u8) -> bool) -> usize {
    while at < line.len() && wanted(line[at]) {
        at += 1;
    }
    at
}

impl Key {
    /// The key's part of a line, without the line's end. It is empty where the line has no such field, and where the
    /// end is before the start.
    pub fn of<'a>(&self, line: &'a [u8], tab: Option<u8>) -> &'a [u8] {
        let start = self.begin(line, tab);
        let end = self
            .end
            .map_or(line.len(), |end| self.limit(line, tab, end));
        &line[start.min(end)..end]
    }

    /// Where the part begins.
    fn begin(&self, line: &[u8], tab: Option<u8>) -> usize {
        let mut at = 0;
        for _ in 0..self.start {
            if at >= line.len() {
                break;
            }
            at = match tab {
                Some(tab) => (skip(line, at, |byte| byte != tab) + 1).min(line.len()),
                None => skip(line, skip(line, at, is_blank), |byte| !is_blank(byte)),
            };
        }
        if self.flags.start_blanks {
            at = skip(line, at, is_blank);
        }
        (at + self.start_character).min(line.len())
    }

    /// Where the part ends.
    fn limit(&self, line: &[u8], tab: Option<u8>, (field, character): (usize, usize)) -> usize {
        let mut left = if character == 0 { field + 1 } else { field };
        let mut at = 0;
        while at < line.len() && left > 0 {
            left -= 1;
            at = match tab {
                Some(tab) => {
                    let end = skip(line, at, |byte| byte != tab);
                    if end < line.len() && (left > 0 || character > 0) {
                        end + 1
                    } else {
                        end
                    }
                }
                None => skip(line, skip(line, at, is_blank), |byte| !is_blank(byte)),
            };
        }
        if character > 0 {
            if self.flags.end_blanks {
                at = skip(line, at, is_blank);
            }
            at = (at + character).min(line.len());
        }
        at
    }

    /// Compares two parts that `of` gave.
    pub fn compare(&self, a: &[u8], b: &[u8], random: &RandomState) -> Ordering {
        let order = match self.flags.by {
            By::Text => self.text(a, b),
            By::Number => numbers(a, b),
            By::General => general(a).cmp(&general(b)),
            By::Human => human(a).cmp(&human(b)).then_with(|| numbers(a, b)),
            By::Month => month(a).cmp(&month(b)),
            By::Version => crate::version::compare(a, b),
            By::Random => random
                .hash_one(a)
                .cmp(&random.hash_one(b))
                .then_with(|| a.cmp(b)),
        };
        if self.flags.reverse {
            order.reverse()
        } else {
            order
        }
    }

    /// A number in whose order the parts come, and what is left to compare where two are equal: nothing where they
    /// are equal then. For texts the rest is what follows the first seven bytes, with a rank again; for others it is
    /// the part.
    ///
    /// ```text
    /// text "abc"           "abc" and its length in one number, nothing left
    /// text "abcdefghi"     "abcdefg" and a mark, "hi" left
    /// number "12.5"        12.5 as a float, nothing left
    /// number of 20 digits  the float next to it, the number left
    /// ```
    pub fn rank<'a>(&self, part: &'a [u8], random: &RandomState) -> (u64, &'a [u8]) {
        const DECIDED: &[u8] = &[];
        let (rank, rest) = match self.flags.by {
            By::Text if self.is_literal() => literal_rank(part),
            By::Text => self.text_rank(part),
            By::Number => match exact(part) {
                Some(number) => (float_rank(number), DECIDED),
                None => (float_rank(rounded(part)), part),
            },
            By::General => (general(part).rank(), DECIDED),
            By::Month => (month(part) as u64, DECIDED),
            By::Human => (float_rank(f64::from(human(part))), part),
            By::Version => (u64::from(!part.is_empty()), part),
            By::Random => (random.hash_one(part), part),
        };
        (if self.flags.reverse { !rank } else { rank }, rest)
    }

    /// Whether what `rank` leaves is the rest of a text, which has a rank again, and not the whole part.
    pub fn goes_on(&self) -> bool {
        self.flags.by == By::Text
    }

    /// Whether the part is the line as it stands, so that nothing needs to be cut.
    pub fn is_line(&self) -> bool {
        let whole = self.start == 0 && self.start_character == 0 && self.end.is_none();
        whole && !self.flags.start_blanks
    }

    /// Whether bytes compare as they are.
    pub fn is_literal(&self) -> bool {
        let flags = self.flags;
        flags.by == By::Text && !(flags.dictionary || flags.printable || flags.fold)
    }

    /// Which bytes of a text count.
    fn keeps(&self, byte: u8) -> bool {
        let plain = byte.is_ascii_alphanumeric() || is_blank(byte) || byte >= 0x80;
        let visible = (b' '..=b'~').contains(&byte) || byte >= 0x80;
        (!self.flags.dictionary || plain) && (!self.flags.printable || visible)
    }

    /// A byte of a text as it counts.
    fn folded(&self, byte: u8) -> u8 {
        if self.flags.fold {
            byte.to_ascii_uppercase()
        } else {
            byte
        }
    }

    /// The same as `literal_rank`, of the bytes that count.
    fn text_rank<'a>(&self, part: &'a [u8]) -> (u64, &'a [u8]) {
        let mut first = [0; 8];
        let (mut length, mut at) = (0, 0);
        while at < part.len() {
            if self.keeps(part[at]) {
                if length == 7 {
                    first[7] = 8;
                    return (u64::from_be_bytes(first), &part[at..]);
                }
                first[length] = self.folded(part[at]);
                length += 1;
            }
            at += 1;
        }
        first[7] = length as u8;
        (u64::from_be_bytes(first), &[])
    }

    /// Compares texts by the bytes that count.
    fn text(&self, a: &[u8], b: &[u8]) -> Ordering {
        if self.is_literal() {
            return a.cmp(b);
        }
        let kept = |text| {
            let text: std::slice::Iter<u8> = text;
            text.copied()
                .filter(|byte| self.keeps(*byte))
                .map(|byte| self.folded(byte))
        };
        kept(a.iter()).cmp(kept(b.iter()))
    }
}

/// The first seven bytes, and in the lowest byte how many there are: eight stands for more. So a text comes before
/// all that begin with it.
fn literal_rank(part: &[u8]) -> (u64, &[u8]) {
    if let Some(first) = part.first_chunk::<8>() {
        return (u64::from_be_bytes(*first) & !0xff | 8, &part[7..]);
    }
    let mut first = [0; 8];
    for (to, from) in first.iter_mut().zip(part) {
        *to = *from;
    }
    first[7] = part.len() as u8;
    (u64::from_be_bytes(first), &[])
}

/// Floats as integers of the same order; both zeros are equal. NaN must not be among them.
fn float_rank(number: f64) -> u64 {
    let bits = (number + 0.0).to_bits();
    if bits >> 63 == 1 {
        !bits
    } else {
        bits | 1 << 63
    }
}

/// The sign, the digits before the point without leading zeros, and those after it without trailing ones. What
/// follows the number is ignored, and a text without one has neither.
fn parts(text: &[u8]) -> (bool, &[u8], &[u8]) {
    let at = skip(text, 0, is_blank);
    let negative = text.get(at) == Some(&b'-');
    let text = &text[at + usize::from(negative)..];
    let digits = skip(text, 0, |byte| byte.is_ascii_digit());
    let zeros = skip(&text[..digits], 0, |byte| byte == b'0');
    let (whole, rest) = (&text[zeros..digits], &text[digits..]);
    let fraction = match rest.first() {
        Some(b'.') => &rest[1..1 + skip(&rest[1..], 0, |byte| byte.is_ascii_digit())],
        _ => &rest[..0],
    };
    let trimmed = fraction
        .iter()
        .rposition(|&byte| byte != b'0')
        .map_or(0, |last| last + 1);
    (negative, whole, &fraction[..trimmed])
}

/// The number as a float where that is exact, which it is for at most 15 digits; none for longer ones.
pub fn exact(text: &[u8]) -> Option<f64> {
    let mut at = skip(text, 0, is_blank);
    let negative = text.get(at) == Some(&b'-');
    at = skip(text, at + usize::from(negative), |byte| byte == b'0');
    let (mut value, mut digits, mut scale) = (0u64, 0, 0);
    let mut point = false;
    while let Some(byte) = text.get(at) {
        match byte {
            b'0'..=b'9' => {
                value = value * 10 + u64::from(byte - b'0');
                digits += 1;
                scale += usize::from(point);
            }
            b'.' if !point => point = true,
            _ => break,
        }
        if digits > 15 {
            return None;
        }
        at += 1;
    }
    let value = value as f64 / POWERS[scale];
    Some(if negative { 0.0 - value } else { value })
}

/// Powers of ten that are exact.
const POWERS: [f64; 16] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
];

/// The float next to a number, whose order is that of numbers but for those that share it.
fn rounded(text: &[u8]) -> f64 {
    let (negative, whole, fraction) = parts(text);
    let digits = [b"0", whole, b".", fraction, b"0"].concat();
    let value: f64 = std::str::from_utf8(&digits)
        .ok()
        .and_then(|digits| digits.parse().ok())
        .unwrap_or_default();
    if negative { 0.0 - value } else { value }
}

/// Compares decimal numbers of any length, without converting them.
fn numbers(a: &[u8], b: &[u8]) -> Ordering {
    let (a, b) = (parts(a), parts(b));
    let zero = |(_, whole, fraction): (bool, &[u8], &[u8])| whole.is_empty() && fraction.is_empty();
    let (negative_a, negative_b) = (a.0 && !zero(a), b.0 && !zero(b));
    match (negative_a, negative_b) {
        (true, false) => return Ordering::Less,
        (false, true) => return Ordering::Greater,
        _ => {}
    }
    let order =
        a.1.len()
            .cmp(&b.1.len())
            .then_with(|| a.1.cmp(b.1))
            .then_with(|| a.2.cmp(b.2));
    if negative_a { order.reverse() } else { order }
}

/// A float that is ordered: what is no number (0) first, then NaN (1), then numbers (2) with their value.
#[derive(Clone, Copy, PartialEq)]
struct General(u8, f64);

impl General {
    fn rank(self) -> u64 {
        match self.0 {
            2 => float_rank(self.1),
            kind => u64::from(kind),
        }
    }
}

impl Eq for General {}

impl PartialOrd for General {
    fn partial_cmp(&self, other: &General) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for General {
    fn cmp(&self, other: &General) -> Ordering {
        let values = self.1.partial_cmp(&other.1).unwrap_or(Ordering::Equal);
        self.0.cmp(&other.0).then(values)
    }
}

/// The number that a text begins with, as C's `strtold` reads it; what is too large for a double is the largest one.
fn general(text: &[u8]) -> General {
    let text = text.trim_ascii_start();
    let sign = usize::from(matches!(text.first(), Some(b'+' | b'-')));
    let word = text[sign..].get(..3).map(<[u8]>::to_ascii_lowercase);
    let value = match word.as_deref() {
        Some([b'0', b'x', _]) if is_hexadecimal(&text[sign + 2..]) => {
            hexadecimal(&text[sign + 2..])
        }
        Some(b"inf") => f64::INFINITY,
        Some(b"nan") => return General(1, 0.0),
        _ => {
            let digits = |at: usize| skip(text, at, |byte| byte.is_ascii_digit());
            let whole = digits(sign);
            let point = text.get(whole) == Some(&b'.');
            let mut end = if point { digits(whole + 1) } else { whole };
            if end == sign || (point && end == sign + 1) {
                return General(0, 0.0);
            }
            if matches!(text.get(end), Some(b'e' | b'E')) {
                let signed = usize::from(matches!(text.get(end + 1), Some(b'+' | b'-')));
                let exponent = digits((end + 1 + signed).min(text.len()));
                if exponent > end + 1 + signed {
                    end = exponent;
                }
            }
            let number = std::str::from_utf8(&text[sign..end])
                .ok()
                .and_then(|text| text.parse().ok());
            number.map_or(0.0, |number: f64| number.min(f64::MAX))
        }
    };
    General(
        2,
        if text.first() == Some(&b'-') {
            -value
        } else {
            value
        },
    )
}

/// Whether a hexadecimal digit is there, perhaps behind a point.
fn is_hexadecimal(text: &[u8]) -> bool {
    let text = text.strip_prefix(b".").unwrap_or(text);
    text.first().is_some_and(u8::is_ascii_hexdigit)
}

/// The number of the hexadecimal digits at the start, with fraction and power of two: `1.8p3` is 12.
fn hexadecimal(text: &[u8]) -> f64 {
    let (mut value, mut power, mut at, mut point) = (0.0, 0i32, 0, false);
    while let Some(&byte) = text.get(at) {
        match char::from(byte).to_digit(16) {
            Some(digit) => {
                value = value * 16.0 + f64::from(digit);
                power = power.saturating_sub(if point { 4 } else { 0 });
            }
            None if byte == b'.' && !point => point = true,
            None => break,
        }
        at += 1;
    }
    if let Some([b'p' | b'P', rest @ ..]) = text.get(at..) {
        let (negative, digits) = match rest {
            [b'-', digits @ ..] => (true, digits),
            [b'+', digits @ ..] => (false, digits),
            digits => (false, digits),
        };
        let digits = digits.iter().take_while(|byte| byte.is_ascii_digit());
        let size = digits.fold(0i32, |size, digit| {
            size.saturating_mul(10)
                .saturating_add(i32::from(digit - b'0'))
        });
        power = power.saturating_add(if negative { -size } else { size });
    }
    if value == 0.0 {
        return value;
    }
    (value * 2f64.powi(power)).min(f64::MAX)
}

/// The sign and the unit, which weigh more than the digits: 0 for zero and what is no number, 1 for a number without
/// a unit, 2 with `K` (or `k`), and so on; negative for negative numbers.
fn human(text: &[u8]) -> i32 {
    let (negative, whole, fraction) = parts(text);
    if whole.is_empty() && fraction.is_empty() {
        return 0;
    }
    let start = skip(text, 0, |byte| is_blank(byte) || byte == b'-');
    let end = skip(text, start, |byte| byte.is_ascii_digit() || byte == b'.');
    let unit = match text.get(end) {
        Some(b'k' | b'K') => 1,
        Some(letter) => b"MGTPEZYRQ"
            .iter()
            .position(|unit| unit == letter)
            .map_or(0, |at| at as i32 + 2),
        None => 0,
    };
    // Plain numbers are still above zero, and negative ones below.
    if negative { -unit - 1 } else { unit + 1 }
}

/// The month that a text begins with, in any case: 1 to 12, or 0.
fn month(text: &[u8]) -> usize {
    const MONTHS: [&[u8]; 12] = [
        b"JAN", b"FEB", b"MAR", b"APR", b"MAY", b"JUN", b"JUL", b"AUG", b"SEP", b"OCT", b"NOV",
        b"DEC",
    ];
    let word = text
        .trim_ascii_start()
        .get(..3)
        .map(<[u8]>::to_ascii_uppercase);
    word.and_then(|word| MONTHS.iter().position(|month| *month == word))
        .map_or(0, |at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_compare_exactly() {
        let sorted = [
            "-10",
            "-9.5",
            "-1",
            "x",
            "0.1",
            "0.25",
            "3",
            "10",
            "123456789012345678901",
            "123456789012345678902",
        ];
        for (i, a) in sorted.iter().enumerate() {
            for (j, b) in sorted.iter().enumerate() {
                let found = numbers(a.as_bytes(), b.as_bytes());
                assert_eq!(found, i.cmp(&j), "{a} {b}");
                if let (Some(x), Some(y)) = (exact(a.as_bytes()), exact(b.as_bytes())) {
                    assert_eq!(x.partial_cmp(&y), Some(found), "{a} {b}");
                }
            }
        }
    }

    #[test]
    fn keys_are_cut_as_gnu_cuts_them() {
        let cases = [
            ("a b c", None, 1, 0, Some((1, 0)), " b"),
            ("a b c", None, 1, 0, None, " b c"),
            ("a:b:c", Some(b':'), 1, 0, Some((1, 0)), "b"),
            ("a:b:c", Some(b':'), 0, 0, Some((1, 1)), "a:b"),
            ("a:bcd", Some(b':'), 1, 1, Some((1, 2)), "c"),
            ("a", Some(b':'), 3, 0, None, ""),
        ];
        for (line, tab, start, start_character, end, expected) in cases {
            let key = Key {
                start,
                start_character,
                end,
                flags: Flags::default(),
            };
            assert_eq!(
                key.of(line.as_bytes(), tab),
                expected.as_bytes(),
                "{line} {start}"
            );
        }
    }
}

//! Values: numbers, strings, and input that may look like a number.
//!
//! The third kind is POSIX's "numeric string": a field, an element of `ARGV` or what `getline` read compares as a
//! number with numbers where it looks like one, and as a string with strings. Whether it does is found when it
//! matters, not when it is made:
//!
//! ```text
//! $1 == 10        numbers, for a field "10.0"        $1 == "10"      strings: false
//! ```
//!
//! Texts are shared, so that a copy of a value costs a counter. Numbers are floats of 64 bits.

use std::cell::{Cell, RefCell};
use std::cmp::Ordering;
use std::rc::Rc;

use indexmap::IndexMap;

use super::format;

/// A shared byte string.
pub type Text = Rc<Vec<u8>>;

/// A scalar: a number, a string, or input that may look like a number.
#[derive(Clone, Debug, Default)]
pub enum Value {
    /// A variable that nothing was assigned to: 0 and the empty string.
    #[default]
    Unset,
    /// A number.
    Number(f64),
    /// A string, which never compares as a number.
    Text(Text),
    /// From input: a number where it looks like one.
    Input(Text),
    /// A regular expression as a value: `@/…/`.
    Regex(Text),
    /// An element that is itself an array.
    Array(Array),
}

impl Value {
    /// A string that never compares as a number.
    pub fn text(bytes: impl Into<Vec<u8>>) -> Value {
        Value::Text(Rc::new(bytes.into()))
    }

    /// Text from outside, which compares as a number where it looks like one.
    pub fn input(bytes: impl Into<Vec<u8>>) -> Value {
        Value::Input(Rc::new(bytes.into()))
    }

    /// 1 or 0.
    pub fn bool(value: bool) -> Value {
        Value::Number(f64::from(u8::from(value)))
    }

    /// The value as a number; text gives its numeric prefix, 0 without one. An array is 0.
    pub fn number(&self) -> f64 {
        match self {
            Value::Unset => 0.0,
            Value::Number(number) => *number,
            Value::Text(text) | Value::Input(text) | Value::Regex(text) => prefix_number(text).0,
            Value::Array(_) => 0.0,
        }
    }

    /// As a string, with `convert` (CONVFMT or OFMT) for numbers that are no integers.
    pub fn to_text(&self, convert: &[u8]) -> Text {
        match self {
            Value::Unset | Value::Array(_) => Text::default(),
            Value::Number(number) => Rc::new(format::number(*number, convert)),
            Value::Text(text) | Value::Input(text) | Value::Regex(text) => Rc::clone(text),
        }
    }

    /// Whether a condition holds: not zero for numbers and input that looks like one, not empty for other texts.
    pub fn is_true(&self) -> bool {
        match self {
            Value::Unset => false,
            Value::Number(number) => *number != 0.0,
            Value::Text(text) | Value::Regex(text) => !text.is_empty(),
            Value::Array(_) => true,
            Value::Input(text) => match looks_numeric(text) {
                Some(number) => number != 0.0,
                None => !text.is_empty(),
            },
        }
    }

    /// The number where the value counts as one in comparisons.
    fn comparable(&self) -> Option<f64> {
        match self {
            Value::Unset => Some(0.0),
            Value::Number(number) => Some(*number),
            Value::Text(_) | Value::Regex(_) | Value::Array(_) => None,
            Value::Input(text) => looks_numeric(text),
        }
    }

    /// Whether it is input that looks like a number, a `strnum` as `typeof` calls it.
    pub fn is_numeric_input(&self) -> bool {
        matches!(self, Value::Input(text) if looks_numeric(text).is_some())
    }
}

thread_local! {
    static NON_DECIMAL: Cell<bool> = const { Cell::new(false) };
}

/// Whether `0x1f` and `017` in input are hexadecimal and octal numbers (`-n`); it holds for the thread.
pub fn set_non_decimal(on: bool) {
    NON_DECIMAL.set(on);
}

/// awk's comparison: as numbers where both are, else as strings, which `convert` (CONVFMT) makes of numbers; with
/// `fold` letters have no case. None where one is NaN.
pub fn compare(a: &Value, b: &Value, convert: &[u8], fold: bool) -> Option<Ordering> {
    match (a.comparable(), b.comparable()) {
        (Some(a), Some(b)) => a.partial_cmp(&b),
        _ => Some(compare_text(&a.to_text(convert), &b.to_text(convert), fold)),
    }
}

/// The order of two texts; with `fold` letters have no case.
pub fn compare_text(a: &[u8], b: &[u8], fold: bool) -> Ordering {
    if fold {
        let lower = |text: &[u8]| String::from_utf8_lossy(text).to_lowercase();
        lower(a).cmp(&lower(b))
    } else {
        a.cmp(b)
    }
}

/// The number that a whole text is, blanks around it aside; none where something else is in it, or nothing.
pub fn looks_numeric(text: &[u8]) -> Option<f64> {
    match text.first()? {
        b'0'..=b'9' | b'+' | b'-' | b'.' | b' ' | b'\t' | b'\n' | b'\r' | 11 | 12 => {}
        _ => return None,
    }
    let (number, used) = prefix_number(text);
    let rest = &text[used..];
    (used > 0 && rest.iter().all(u8::is_ascii_whitespace)).then_some(number)
}

/// The number that a text starts with, and how many bytes it takes with the blanks before it; 0 and 0 where there is
/// none.
///
/// ```text
/// " 12abc" → 12 and 3     "1e3" → 1000 and 3     "1e" → 1 and 1     ".5." → 0.5 and 2     "+inf" → infinity and 4
/// ```
pub fn prefix_number(text: &[u8]) -> (f64, usize) {
    let blanks = text
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace())
        .count();
    let mut at = blanks;
    let signed = matches!(text.get(at), Some(b'+' | b'-'));
    at += usize::from(signed);
    if signed && let Some(special) = special(&text[blanks..]) {
        return special_at(special, blanks);
    }
    if text.get(at) == Some(&b'0')
        && NON_DECIMAL.get()
        && let Some((number, used)) = non_decimal(&text[at..])
    {
        let negative = text[blanks] == b'-';
        return (if negative { -number } else { number }, at + used);
    }
    let digits = |from: usize| {
        text[from..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count()
    };
    let (mut whole, mut value) = (0, 0i64);
    while let Some(digit @ b'0'..=b'9') = text.get(at + whole) {
        value = value.wrapping_mul(10).wrapping_add(i64::from(digit - b'0'));
        whole += 1;
    }
    // Short integers are by far the most common.
    if whole > 0 && whole < 16 && !matches!(text.get(at + whole), Some(b'.' | b'e' | b'E')) {
        let value = if text[blanks] == b'-' {
            -(value as f64)
        } else {
            value as f64
        };
        return (value, at + whole);
    }
    at += whole;
    let mut fraction = 0;
    if text.get(at) == Some(&b'.') {
        fraction = digits(at + 1);
        if whole + fraction > 0 {
            at += 1 + fraction;
        }
    }
    if whole + fraction == 0 {
        return (0.0, 0);
    }
    if matches!(text.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(text.get(at + 1), Some(b'+' | b'-')));
        if text.len() > at + 1 + sign {
            let exponent = digits(at + 1 + sign);
            if exponent > 0 {
                at += 1 + sign + exponent;
            }
        }
    }
    let number = std::str::from_utf8(&text[blanks..at])
        .ok()
        .and_then(|text| text.parse().ok());
    (number.unwrap_or(0.0), at)
}

/// A hexadecimal or octal number at the start of a text, and its length; none for others, also for `08` and `01.5`.
pub fn non_decimal(text: &[u8]) -> Option<(f64, usize)> {
    let (skip, base) = match text {
        [b'0', b'x' | b'X', digit, ..] if digit.is_ascii_hexdigit() => (2, 16),
        [b'0', digit, ..] if (b'0'..=b'7').contains(digit) => (1, 8),
        _ => return None,
    };
    let digit = |byte: &u8| char::from(*byte).to_digit(base);
    let rest = &text[skip..];
    let count = rest.iter().take_while(|byte| digit(byte).is_some()).count();
    let decimal = matches!(rest.get(count), Some(b'8' | b'9' | b'.' | b'e' | b'E'));
    if base == 8 && decimal {
        return None;
    }
    let digits = rest[..count].iter().filter_map(digit);
    let value = digits.fold(0.0, |value, digit| {
        value * f64::from(base) + f64::from(digit)
    });
    Some((value, skip + count))
}

/// `+inf`, `-nan` and the like, which need their sign.
fn special(text: &[u8]) -> Option<f64> {
    let word = text.get(1..4)?.to_ascii_lowercase();
    let ends = text.get(4).is_none_or(|byte| !byte.is_ascii_alphanumeric());
    match (&word[..], ends) {
        (b"inf", true) if text[0] == b'-' => Some(f64::NEG_INFINITY),
        (b"inf", true) => Some(f64::INFINITY),
        (b"nan", true) => Some(f64::NAN),
        _ => None,
    }
}

/// Such a number behind blanks, and how many bytes both take.
fn special_at(number: f64, blanks: usize) -> (f64, usize) {
    (number, blanks + 4)
}

/// An associative array; its elements come in the order they were made.
pub type Array = Rc<RefCell<IndexMap<Text, Value, rustc_hash::FxBuildHasher>>>;

/// A key of an array that is not shared yet.
#[derive(Hash)]
pub struct Key<'a>(pub &'a [u8]);

impl indexmap::Equivalent<Text> for Key<'_> {
    fn equivalent(&self, key: &Text) -> bool {
        self.0 == key.as_slice()
    }
}

/// An array that a variable without a type may become, shared with the function it was passed to.
pub type Promise = Rc<RefCell<Option<Array>>>;

/// What a variable holds.
#[derive(Clone, Debug)]
pub enum Slot {
    /// A number or a text.
    Scalar(Value),
    /// An array.
    Array(Array),
    /// An argument that is not used yet, and may become either.
    Untyped(Promise),
}

impl Default for Slot {
    fn default() -> Slot {
        Slot::Scalar(Value::Unset)
    }
}

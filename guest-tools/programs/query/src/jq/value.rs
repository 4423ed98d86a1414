//! JSON values: cheap to copy, changed in place where nobody else holds them.
//!
//! A copy of any value is at most a counter more. Objects keep the order in which members were added; `keys` and
//! comparisons sort by the bytes of the names, which is the order of code points. Numbers are doubles; one that was
//! read with other digits than its double would print carries them along until it is computed with (`Value::Exact`),
//! which is what `jq` does with decNumber.

use std::cmp::Ordering;
use std::rc::Rc;

use indexmap::IndexMap;

/// The members of an object in the order they were added.
pub type Members = IndexMap<Rc<str>, Value>;

/// How deep values may be nested to be read, written and compared, which have a stack of their own.
pub const MAX_DEPTH: usize = 10_000;

/// How deep operations go that recurse on the guest's stack: merging, and setting and deleting along a path.
pub const MAX_RECURSION: usize = 500;

/// What an array has.
pub type Items = Nested<Vec<Value>>;

/// The content of an array or an object. However deep values are nested in it, it is dropped without recursion, which
/// a guest's stack would not bear.
#[derive(Clone, Debug, Default)]
pub struct Nested<T: Content>(T);

/// What can be nested.
pub trait Content {
    /// Whether there are arrays or objects in it.
    fn nests(&self) -> bool;
    /// Moves its values to the end of a list.
    fn move_to(&mut self, list: &mut Vec<Value>);
}

impl Content for Vec<Value> {
    fn nests(&self) -> bool {
        self.iter().any(Value::is_nested)
    }

    fn move_to(&mut self, list: &mut Vec<Value>) {
        list.append(self);
    }
}

impl Content for Members {
    fn nests(&self) -> bool {
        self.values().any(Value::is_nested)
    }

    fn move_to(&mut self, list: &mut Vec<Value>) {
        list.extend(self.drain(..).map(|(_, value)| value));
    }
}

impl<T: Content> From<T> for Nested<T> {
    fn from(content: T) -> Nested<T> {
        Nested(content)
    }
}

impl<T: Content> std::ops::Deref for Nested<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T: Content> std::ops::DerefMut for Nested<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}

impl<T: Content> Drop for Nested<T> {
    fn drop(&mut self) {
        if !self.0.nests() {
            return;
        }
        let mut list = Vec::new();
        self.0.move_to(&mut list);
        while let Some(value) = list.pop() {
            // What somebody else holds stays.
            match value {
                Value::Array(mut items) => {
                    if let Some(items) = Rc::get_mut(&mut items) {
                        items.0.move_to(&mut list);
                    }
                }
                Value::Object(mut members) => {
                    if let Some(members) = Rc::get_mut(&mut members) {
                        members.0.move_to(&mut list);
                    }
                }
                _ => {}
            }
        }
    }
}

/// A JSON value.
#[derive(Clone, Debug)]
pub enum Value {
    Null,
    Bool(bool),
    /// A number. Not-a-number is one, too, and prints as `null`.
    Number(f64),
    /// A number whose decimal digits are not those of its double: `1.0`, or more than 15 digits. The text is in
    /// decNumber's form. `100000000000000000000` prints as it was read; `+ 0` makes it `1e+20`, which is its double.
    Exact(f64, Rc<str>),
    /// A string; always valid UTF-8.
    String(Rc<str>),
    /// An array.
    Array(Rc<Items>),
    /// An object.
    Object(Rc<Nested<Members>>),
}

impl From<&str> for Value {
    fn from(text: &str) -> Value {
        Value::String(text.into())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Value {
        Value::String(text.into())
    }
}

impl From<Vec<Value>> for Value {
    fn from(items: Vec<Value>) -> Value {
        Value::Array(Rc::new(items.into()))
    }
}

impl From<Members> for Value {
    fn from(members: Members) -> Value {
        Value::Object(Rc::new(members.into()))
    }
}

impl From<f64> for Value {
    fn from(number: f64) -> Value {
        Value::Number(number)
    }
}

impl From<usize> for Value {
    fn from(number: usize) -> Value {
        Value::Number(number as f64)
    }
}

impl From<bool> for Value {
    fn from(truth: bool) -> Value {
        Value::Bool(truth)
    }
}

impl Value {
    /// The name of the type, as `type` gives it.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "boolean",
            Value::Number(_) | Value::Exact(..) => "number",
            Value::String(_) => "string",
            Value::Array(_) => "array",
            Value::Object(_) => "object",
        }
    }

    /// Whether it is an array or an object.
    fn is_nested(&self) -> bool {
        matches!(self, Value::Array(_) | Value::Object(_))
    }

    /// Everything but `null` and `false`.
    pub fn is_true(&self) -> bool {
        !matches!(self, Value::Null | Value::Bool(false))
    }

    /// The number as a double; none for other types.
    pub fn number(&self) -> Option<f64> {
        match self {
            Value::Number(number) | Value::Exact(number, _) => Some(*number),
            _ => None,
        }
    }

    /// The text of a string; none for other types.
    pub fn text(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The items of an array; none for other types.
    pub fn items(&self) -> Option<&Vec<Value>> {
        match self {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The members of an object, sorted by name.
    ///
    /// O(n log n), and a list of references for each call.
    pub fn sorted_members(members: &Members) -> Vec<(&Rc<str>, &Value)> {
        let mut sorted: Vec<_> = members.iter().collect();
        sorted.sort_by(|a, b| a.0.as_bytes().cmp(b.0.as_bytes()));
        sorted
    }

    /// Whether both are the same value in memory, or equal scalars: what a path expression may pass on.
    pub fn is_same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Null, Value::Null) => true,
            (Value::Bool(a), Value::Bool(b)) => a == b,
            (Value::Number(a), Value::Number(b)) => a.to_bits() == b.to_bits(),
            (Value::Exact(_, a), Value::Exact(_, b)) | (Value::String(a), Value::String(b)) => {
                Rc::ptr_eq(a, b)
            }
            (Value::Array(a), Value::Array(b)) => Rc::ptr_eq(a, b),
            (Value::Object(a), Value::Object(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    /// The place of a type in the order of all values: `null`, `false`, `true`, numbers, strings, arrays, objects.
    fn rank(&self) -> u8 {
        match self {
            Value::Null => 0,
            Value::Bool(false) => 1,
            Value::Bool(true) => 2,
            Value::Number(_) | Value::Exact(..) => 3,
            Value::String(_) => 4,
            Value::Array(_) => 5,
            Value::Object(_) => 6,
        }
    }

    /// The order of all values; none where they are nested too deep to compare.
    ///
    /// Strings compare by bytes, arrays item by item, objects first by their sorted names and then by the values in
    /// that order. Not-a-number is less than every number, itself included, so a sort puts it first. Exact numbers of
    /// the same double compare by their digits.
    pub fn compare(&self, other: &Value, depth: usize) -> Option<Ordering> {
        let mut around: Vec<Pairs> = Vec::new();
        let (mut a, mut b) = (self, other);
        loop {
            if around.len() >= depth {
                return None;
            }
            let order = match (a, b) {
                (Value::Array(a), Value::Array(b)) => {
                    let pairs = a.iter().zip(b.iter());
                    around.push(Pairs::Items(pairs, a.len().cmp(&b.len())));
                    Ordering::Equal
                }
                (Value::Object(a), Value::Object(b)) => {
                    let (a, b) = (Value::sorted_members(a), Value::sorted_members(b));
                    let names = a.iter().map(|(name, _)| name);
                    let names = names.cmp(b.iter().map(|(name, _)| name));
                    around.push(Pairs::Members(a.into_iter().zip(b)));
                    names
                }
                _ => a.compare_scalars(b),
            };
            if order != Ordering::Equal {
                return Some(order);
            }
            // The next pair of the innermost array or object that has one.
            loop {
                let Some(pairs) = around.last_mut() else {
                    return Some(Ordering::Equal);
                };
                let (next, end) = match pairs {
                    Pairs::Items(pairs, lengths) => (pairs.next(), *lengths),
                    Pairs::Members(pairs) => {
                        let next = pairs.next().map(|((_, a), (_, b))| (a, b));
                        (next, Ordering::Equal)
                    }
                };
                match next {
                    Some(pair) => {
                        (a, b) = pair;
                        break;
                    }
                    None if end != Ordering::Equal => return Some(end),
                    None => drop(around.pop()),
                }
            }
        }
    }

    /// The order of two values of which not both are arrays or objects.
    fn compare_scalars(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::String(a), Value::String(b)) => a.as_bytes().cmp(b.as_bytes()),
            // Both as they were written; a computed number is only its double.
            (Value::Exact(x, a), Value::Exact(y, b)) if x == y => compare_decimals(a, b),
            _ => match (self.number(), other.number()) {
                // Not-a-number is less than any number.
                (Some(x), Some(y)) => x.partial_cmp(&y).unwrap_or(if x.is_nan() {
                    Ordering::Less
                } else {
                    Ordering::Greater
                }),
                _ => self.rank().cmp(&other.rank()),
            },
        }
    }
}

/// Two lists of sorted members.
type MemberPairs<'v> = std::iter::Zip<
    std::vec::IntoIter<(&'v Rc<str>, &'v Value)>,
    std::vec::IntoIter<(&'v Rc<str>, &'v Value)>,
>;

/// What is still to be compared of two arrays or objects.
enum Pairs<'v> {
    /// The items, and the order of the lengths.
    Items(
        std::iter::Zip<std::slice::Iter<'v, Value>, std::slice::Iter<'v, Value>>,
        Ordering,
    ),
    Members(MemberPairs<'v>),
}

/// The sign, the digits and the exponent of the first digit of a decimal number.
///
/// Zeros around the digits are dropped, so `1.50` and `0.15e1` have the same parts. Zero has no digits.
fn decimal_parts(text: &str) -> (bool, String, i64) {
    let negative = text.starts_with('-');
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], text[at + 1..].parse::<i64>().unwrap_or(0)),
        None => (text, 0),
    };
    let mantissa = mantissa.trim_start_matches(['-', '+']);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let zeros = digits.len() - digits.trim_start_matches('0').len();
    let place = exponent + whole.len() as i64 - zeros as i64;
    (negative, digits.trim_matches('0').to_owned(), place)
}

/// The order of two numbers of the same double by what was written: O(number of digits).
fn compare_decimals(a: &str, b: &str) -> Ordering {
    let ((a_negative, a_digits, a_place), (b_negative, b_digits, b_place)) =
        (decimal_parts(a), decimal_parts(b));
    let sizes = a_place.cmp(&b_place).then_with(|| a_digits.cmp(&b_digits));
    match (a_negative, b_negative) {
        (false, false) => sizes,
        (true, true) => sizes.reverse(),
        (true, false) => Ordering::Less,
        (false, true) => Ordering::Greater,
    }
}

/// A number as it was written: its digits are kept where a double would print others.
///
/// None where `f64` cannot read the text. The caller has checked the form (`json::is_number`).
///
/// ```text
/// 1     → Number          1.0   → Exact, prints 1.0
/// 1e3   → Exact, prints 1E+3    0.1 → Number
/// ```
pub fn parse_number(text: &str) -> Option<Value> {
    let number: f64 = text.parse().ok()?;
    if is_usual(text) {
        return Some(Value::Number(number));
    }
    Some(match decimal_text(text) {
        Some(decimal) if has_many_digits(&decimal) || decimal != format_number(number) => {
            Value::Exact(number, decimal.into())
        }
        _ => Value::Number(number),
    })
}

/// Whether a double surely prints as the text that was read: few digits, and none without need.
///
/// A fast test for what nearly all numbers look like: at most 15 characters, no exponent, no superfluous zero.
fn is_usual(text: &str) -> bool {
    let bare = text.strip_prefix('-').unwrap_or(text);
    let plain = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    let (whole, fraction) = match bare.split_once('.') {
        None => (bare, None),
        Some((whole, fraction)) => (whole, Some(fraction)),
    };
    let leads = whole.starts_with('0') && whole != "0";
    let zero = whole == "0";
    plain(whole)
        && !whole.is_empty()
        && !leads
        && bare.len() <= 15
        && match fraction {
            None => !(zero && text.len() > 1),
            Some(fraction) => {
                plain(fraction)
                    && fraction.bytes().last().is_some_and(|byte| byte != b'0')
                    && !(zero && fraction.starts_with("000"))
            }
        }
}

/// Whether a double may stand for several numbers of as many digits.
fn has_many_digits(decimal: &str) -> bool {
    decimal.bytes().filter(u8::is_ascii_digit).count() > 15
}

/// The exponents that decimal arithmetic has.
const MAX_EXPONENT: i64 = 999_999_999;

/// As decimal arithmetic writes a number: all digits, plain unless the exponent is positive or far
/// below zero. None beyond its exponents.
fn decimal_text(text: &str) -> Option<String> {
    let sign = if text.starts_with('-') { "-" } else { "" };
    let (mantissa, exponent) = match text.find(['e', 'E']) {
        Some(at) => (&text[..at], text[at + 1..].parse::<i64>().ok()?),
        None => (text, 0),
    };
    let mantissa = mantissa.trim_start_matches(['-', '+']);
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let digits = match digits.trim_start_matches('0') {
        "" => "0",
        digits => digits,
    };
    let exponent = exponent.checked_sub(fraction.len() as i64)?;
    let adjusted = exponent.checked_add(digits.len() as i64 - 1)?;
    if adjusted.abs() > MAX_EXPONENT {
        return None;
    }
    if exponent == 0 {
        return Some(format!("{sign}{digits}"));
    }
    if exponent < 0 && adjusted >= -6 {
        let decimals = exponent.unsigned_abs() as usize;
        let padded = format!("{digits:0>width$}", width = decimals + 1);
        let (whole, fraction) = padded.split_at(padded.len() - decimals);
        return Some(format!("{sign}{whole}.{fraction}"));
    }
    let (first, rest) = digits.split_at(1);
    let dot = if rest.is_empty() { "" } else { "." };
    Some(format!("{sign}{first}{dot}{rest}E{adjusted:+}"))
}

/// A double as `jq` prints it: the shortest digits that give the same double again (at most 17), plain unless very
/// large or small. Infinities print as the largest double, not-a-number as `null`.
///
/// ```text
/// 1e15 → 1000000000000000      1e-4 → 0.0001     -0.0 → -0
/// 1e17 → 1e+17                 1e-5 → 1e-05
/// ```
pub fn format_number(number: f64) -> String {
    if number.is_nan() {
        return "null".to_owned();
    }
    let number = number.clamp(-f64::MAX, f64::MAX);
    if number == number.trunc() && number.abs() < 1e15 {
        return if number == 0.0 && number.is_sign_negative() {
            "-0".to_owned()
        } else {
            (number as i64).to_string()
        };
    }
    let scientific = format!("{:e}", number.abs());
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let digits = mantissa.replace('.', "");
    let place = exponent.parse::<i64>().unwrap_or(0) + 1;
    let length = digits.len() as i64;
    let sign = if number < 0.0 { "-" } else { "" };
    if place <= -4 || place > length + 15 {
        let (first, rest) = digits.split_at(1);
        let dot = if rest.is_empty() { "" } else { "." };
        let mark = if place > 0 { '+' } else { '-' };
        return format!("{sign}{first}{dot}{rest}e{mark}{:02}", (place - 1).abs());
    }
    if place <= 0 {
        return format!(
            "{sign}0.{}{digits}",
            "0".repeat(place.unsigned_abs() as usize)
        );
    }
    if place >= length {
        return format!("{sign}{digits}{}", "0".repeat((place - length) as usize));
    }
    let (whole, fraction) = digits.split_at(place as usize);
    format!("{sign}{whole}.{fraction}")
}

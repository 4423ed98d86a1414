//! What plain scalars stand for, and how strings must be quoted not to stand for something else.
//!
//! Resolution is that of go-yaml 3: YAML 1.2's core schema, and in addition `0b101`, digits with `_` in floats, and
//! timestamps. `yes` and `on` are strings.

use super::tree::{integer, number};

/// The tag of a plain scalar.
///
/// ```text
/// ""  ~  null → !!null      12  0x1F  0o7  0b1 → !!int      2001-12-14 → !!timestamp
/// true  FALSE → !!bool      1.5  1e3  -.inf    → !!float     1.2.3     → !!str
/// ```
pub fn resolve(text: &str) -> &'static str {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return "!!null",
        "true" | "True" | "TRUE" | "false" | "False" | "FALSE" => return "!!bool",
        ".nan" | ".NaN" | ".NAN" => return "!!float",
        _ => {}
    }
    let first = text.as_bytes()[0];
    if !matches!(first, b'0'..=b'9' | b'.' | b'-' | b'+') {
        return "!!str";
    }
    if is_timestamp(text) {
        "!!timestamp"
    } else if integer(text).is_some() {
        "!!int"
    } else if is_float(text) {
        "!!float"
    } else {
        "!!str"
    }
}

/// Whether the text is a float; integers have been ruled out.
fn is_float(text: &str) -> bool {
    let body = text.trim_start_matches(['-', '+']);
    let digits = body.bytes().any(|byte| byte.is_ascii_digit());
    let plain = body
        .bytes()
        .all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'-' | b'+'));
    matches!(body, ".inf" | ".Inf" | ".INF") || (digits && plain && number(text).is_some())
}

/// `2001-12-14`, alone or followed by a time.
fn is_timestamp(text: &str) -> bool {
    let bytes = text.as_bytes();
    let shape = |at: usize, length: usize| {
        bytes.len() >= at + length && bytes[at..at + length].iter().all(u8::is_ascii_digit)
    };
    if !(shape(0, 4) && bytes.get(4) == Some(&b'-')) {
        return false;
    }
    let date = shape(5, 2) && bytes.get(7) == Some(&b'-') && shape(8, 2);
    match bytes.get(10) {
        None => date,
        Some(b'T' | b't' | b' ') => date && shape(11, 2) && bytes.get(13) == Some(&b':'),
        Some(_) => false,
    }
}

/// Whether a string without quotes would be read as something else.
pub fn needs_quotes(text: &str) -> bool {
    resolve(text) != "!!str" || text == "<<"
}

/// Whether the text can stand without quotes.
///
/// By syntax alone; whether it would still be a string is `needs_quotes`. `flow` is for the inside of brackets, where
/// commas and brackets end a scalar. The empty text cannot.
pub fn can_be_plain(text: &str, flow: bool) -> bool {
    let Some(first) = text.chars().next() else {
        return false;
    };
    let second = text.chars().nth(1);
    let starts_wrong = match first {
        '-' | '?' | ':' => second.is_none_or(|c| c == ' ' || (flow && ",[]{}".contains(c))),
        '#' | ',' | '[' | ']' | '{' | '}' | '&' | '*' | '!' | '|' | '>' | '\'' | '"' | '%'
        | '@' | '`' => true,
        _ => false,
    };
    let marks = text.starts_with("---") || text.starts_with("...");
    let inside = text.contains(": ")
        || text.contains(" #")
        || text.ends_with(':')
        || (flow && text.contains([',', '[', ']', '{', '}', '?', ':']));
    let blank = text.starts_with([' ', '\t']) || text.ends_with([' ', '\t']);
    !starts_wrong && !marks && !inside && !blank && !has_special(text)
}

/// Whether only double quotes can hold the text.
///
/// Control characters, line ends among them, and the byte order mark.
pub fn has_special(text: &str) -> bool {
    text.chars()
        .any(|c| (c < ' ') || c == '\u{7f}' || ('\u{80}'..'\u{a0}').contains(&c) || c == '\u{feff}')
}

/// The text in double quotes.
///
/// Characters beyond ASCII stay as they are.
pub fn double_quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '\0' => out.push_str("\\0"),
            '\u{7}' => out.push_str("\\a"),
            '\u{8}' => out.push_str("\\b"),
            '\u{b}' => out.push_str("\\v"),
            '\u{c}' => out.push_str("\\f"),
            '\u{1b}' => out.push_str("\\e"),
            c if c < ' ' || ('\u{7f}'..'\u{a0}').contains(&c) => {
                out.push_str(&format!("\\x{:02X}", u32::from(c)));
            }
            '\u{feff}' => out.push_str("\\uFEFF"),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// The text in single quotes.
pub fn single_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}

/// Whether a tag is that of a scalar other than a string.
pub fn is_other(tag: &str) -> bool {
    matches!(
        tag,
        "!!null" | "!!bool" | "!!int" | "!!float" | "!!timestamp" | "!!merge"
    )
}

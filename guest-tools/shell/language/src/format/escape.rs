//! Backslash escapes: of `echo -e`, of `printf`, of `$'…'`.

/// Whose escapes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// `echo -e`: octal is `\0nnn`, `\c` ends the output.
    Echo,
    /// An argument of `printf %b`: like `Echo`, and octal may lack the 0.
    Argument,
    /// The format of `printf`: octal is `\nnn`.
    Format,
    /// `$'…'` and `${x@E}`: like `Format`; `\cx` is a control character, `\x{…}` has any number of
    /// digits, and a byte 0 ends the text.
    Quoted,
}

/// A text without its escapes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unescaped {
    /// The text.
    pub text: Vec<u8>,
    /// `\c` was met: nothing more is to be written.
    pub stopped: bool,
    /// What `printf` complains about, without its name in front.
    pub messages: Vec<&'static str>,
}

/// Replaces the escapes of a text by what they mean.
pub fn unescape(text: &[u8], dialect: Dialect) -> Unescaped {
    let mut result = Unescaped::default();
    let mut rest = text;
    while let Some(at) = memchr::memchr(b'\\', rest) {
        result.text.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        rest = &rest[escape(rest, dialect, &mut result)..];
        if result.stopped {
            return result;
        }
    }
    result.text.extend_from_slice(rest);
    if dialect == Dialect::Quoted
        && let Some(end) = memchr::memchr(0, &result.text)
    {
        result.text.truncate(end);
    }
    result
}

/// Handles the escape that the text begins with; gives its length.
pub(super) fn escape(text: &[u8], dialect: Dialect, result: &mut Unescaped) -> usize {
    let Some(&kind) = text.get(1) else {
        result.text.push(b'\\');
        return 1;
    };
    let simple = match kind {
        b'a' => 7,
        b'b' => 8,
        b'e' | b'E' => 0x1b,
        b'f' => 0x0c,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'v' => 0x0b,
        b'\\' => b'\\',
        b'\'' | b'"' | b'?' if matches!(dialect, Dialect::Format | Dialect::Quoted) => kind,
        b'0'..=b'7' => return octal(text, dialect, result),
        b'x' => return hexadecimal(text, dialect, result),
        b'u' => return unicode(text, 4, dialect, result),
        b'U' => return unicode(text, 8, dialect, result),
        b'c' => return control(text, dialect, result),
        _ => {
            result.text.extend_from_slice(&[b'\\', kind]);
            return 2;
        }
    };
    result.text.push(simple);
    2
}

fn octal(text: &[u8], dialect: Dialect, result: &mut Unescaped) -> usize {
    let zero = text[1] == b'0';
    let first = match dialect {
        Dialect::Echo if !zero => {
            result.text.extend_from_slice(&text[..2]);
            return 2;
        }
        Dialect::Echo | Dialect::Argument if zero => 2,
        _ => 1,
    };
    let (value, digits) = number(&text[first..], 3, 8);
    result.text.push(value as u8);
    first + digits
}

fn hexadecimal(text: &[u8], dialect: Dialect, result: &mut Unescaped) -> usize {
    if dialect == Dialect::Quoted && text.get(2) == Some(&b'{') {
        let (value, digits) = number(&text[3..], 16, 16);
        result.text.push(value as u8);
        return 3 + digits + usize::from(text.get(3 + digits) == Some(&b'}'));
    }
    let (value, digits) = number(&text[2..], 2, 16);
    if digits == 0 {
        return missing("missing hex digit for \\x", text, dialect, result);
    }
    result.text.push(value as u8);
    2 + digits
}

fn unicode(text: &[u8], most: usize, dialect: Dialect, result: &mut Unescaped) -> usize {
    let (value, digits) = number(&text[2..], most, 16);
    if digits == 0 {
        let message = match most {
            4 => "missing unicode digit for \\u",
            _ => "missing unicode digit for \\U",
        };
        return missing(message, text, dialect, result);
    }
    encode(value as u32, &mut result.text);
    2 + digits
}

fn missing(message: &'static str, text: &[u8], dialect: Dialect, result: &mut Unescaped) -> usize {
    if matches!(dialect, Dialect::Format | Dialect::Argument) {
        result.messages.push(message);
    }
    result.text.extend_from_slice(&text[..2]);
    2
}

fn control(text: &[u8], dialect: Dialect, result: &mut Unescaped) -> usize {
    match (dialect, text.get(2)) {
        (Dialect::Echo | Dialect::Argument, _) => {
            result.stopped = true;
            2
        }
        (Dialect::Quoted, Some(b'?')) => {
            result.text.push(0x7f);
            3
        }
        (Dialect::Quoted, Some(&byte)) => {
            result.text.push(byte.to_ascii_uppercase() & 0x1f);
            // A backslash is written twice.
            if byte == b'\\' && text.get(3) == Some(&b'\\') {
                4
            } else {
                3
            }
        }
        _ => {
            result.text.extend_from_slice(b"\\c");
            2
        }
    }
}

/// The number that the text begins with, and how many digits it has.
fn number(text: &[u8], most: usize, base: u32) -> (u64, usize) {
    let mut value: u64 = 0;
    let mut digits = 0;
    for &byte in text.iter().take(most) {
        let Some(digit) = char::from(byte).to_digit(base) else {
            break;
        };
        value = value
            .wrapping_mul(u64::from(base))
            .wrapping_add(u64::from(digit));
        digits += 1;
    }
    (value, digits)
}

/// Appends UTF-8 as it once was: up to six bytes, surrogates included.
fn encode(value: u32, text: &mut Vec<u8>) {
    let (lead, more) = match value {
        0..=0x7f => (0, 0),
        0x80..=0x7ff => (0xc0, 1),
        0x800..=0xffff => (0xe0, 2),
        0x1_0000..=0x1f_ffff => (0xf0, 3),
        0x20_0000..=0x3ff_ffff => (0xf8, 4),
        0x400_0000..=0x7fff_ffff => (0xfc, 5),
        _ => return,
    };
    text.push(lead | (value >> (6 * more)) as u8);
    for place in (0..more).rev() {
        text.push(0x80 | (value >> (6 * place) & 0x3f) as u8);
    }
}

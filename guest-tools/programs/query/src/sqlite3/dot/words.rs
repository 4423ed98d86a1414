//! The words of a line that begins with a dot, and what they stand for.
//!
//! | written | word |
//! |---|---|
//! | `a\tb` | `a`, a tab, `b` |
//! | `"a b\n"` | `a b` and a newline |
//! | `'a\n'` | `a\n`, as it stands |
//!
//! A quote that is not closed takes the rest of the line; a word ends with its closing quote, even where no blank
//! follows.

use crate::sqlite3::shell::Shell;

/// The words of a line: quoted ones as they are, those in double quotes with escapes.
pub(super) fn split(line: &[u8]) -> Vec<Vec<u8>> {
    let mut words = Vec::new();
    let mut rest = line.trim_ascii_start();
    while let Some(&first) = rest.first() {
        let (word, taken) = match first {
            b'\'' | b'"' => {
                let escapes = first == b'"';
                let mut end = 1;
                while end < rest.len() && rest[end] != first {
                    end += 1 + usize::from(escapes && rest[end] == b'\\');
                }
                let end = end.min(rest.len());
                let inner = &rest[1..end];
                (
                    if escapes {
                        unescape(inner)
                    } else {
                        inner.to_vec()
                    },
                    end + 1,
                )
            }
            _ => {
                let end = rest
                    .iter()
                    .position(u8::is_ascii_whitespace)
                    .unwrap_or(rest.len());
                (unescape(&rest[..end]), end)
            }
        };
        words.push(word);
        rest = rest.get(taken..).unwrap_or_default().trim_ascii_start();
    }
    words
}

/// Escapes of C: letters, and up to three octal digits. A backslash in front of anything else is dropped.
fn unescape(text: &[u8]) -> Vec<u8> {
    let (mut out, mut index) = (Vec::with_capacity(text.len()), 0);
    while index < text.len() {
        let byte = text[index];
        index += 1;
        if byte != b'\\' || index == text.len() {
            out.push(byte);
            continue;
        }
        let escaped = text[index];
        index += 1;
        out.push(match escaped {
            b'a' => 7,
            b'b' => 8,
            b't' => b'\t',
            b'n' => b'\n',
            b'v' => 11,
            b'f' => 12,
            b'r' => b'\r',
            b'0'..=b'7' => {
                let mut value = u32::from(escaped - b'0');
                for _ in 0..2 {
                    match text.get(index) {
                        Some(digit @ b'0'..=b'7') => {
                            value = value << 3 | u32::from(digit - b'0');
                            index += 1;
                        }
                        _ => break,
                    }
                }
                value as u8
            }
            other => other,
        });
    }
    out
}

/// A number as C reads it: what does not look like one is 0.
pub fn number(text: &[u8]) -> i64 {
    let text = String::from_utf8_lossy(text);
    let digits = text.strip_prefix(['-', '+']).unwrap_or(&text);
    let end = digits
        .find(|letter: char| !letter.is_ascii_digit())
        .unwrap_or(digits.len());
    let value: i64 = digits[..end].parse().unwrap_or(0);
    if text.starts_with('-') { -value } else { value }
}

/// `on`, `yes` and numbers other than 0 are true.
pub(super) fn boolean(shell: &mut Shell, text: &[u8]) -> bool {
    if !text.is_empty() && text.iter().all(u8::is_ascii_digit) {
        return number(text) != 0;
    }
    match text.to_ascii_lowercase().as_slice() {
        b"on" | b"yes" => true,
        b"off" | b"no" => false,
        _ => {
            shell.complain(
                [
                    "ERROR: Not a boolean value: \"".as_bytes(),
                    text,
                    b"\". Assuming \"no\".",
                ]
                .concat(),
            );
            false
        }
    }
}

/// The value of a command that takes `on` or `off` and nothing else.
pub(super) fn flag(shell: &mut Shell, name: &str, words: &[Vec<u8>]) -> Result<bool, Vec<u8>> {
    match words {
        [value] => Ok(boolean(shell, value)),
        _ => Err(format!("Usage: .{name} on|off").into_bytes()),
    }
}

/// The one word of a command, or its usage as the error.
pub(super) fn only<'words>(words: &'words [Vec<u8>], usage: &str) -> Result<&'words [u8], Vec<u8>> {
    match words {
        [word] => Ok(word),
        _ => Err(format!("Usage: {usage}").into_bytes()),
    }
}

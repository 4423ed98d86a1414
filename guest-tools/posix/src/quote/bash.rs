//! The ways in which bash quotes text so that it can be read again.
//!
//! | shown by | function |
//! |---|---|
//! | `printf %q` | [`word`] |
//! | `${x@Q}`, `${x@A}`, values in `set` of functions | [`reusable`] |
//! | `declare -p`, elements of arrays | [`declared`] |
//! | keys of associative arrays | [`key`] |
//! | `set` | [`listed`] |
//! | `set -x` | [`traced`] |
//! | `alias`, `trap -p` | [`single`] |

use super::{is_printable, octal};

/// With backslashes, as `printf %q` does; `$'…'` where something cannot be shown, `''` where the
/// text is empty.
pub fn word(text: &[u8]) -> Vec<u8> {
    if text.is_empty() {
        b"''".to_vec()
    } else if needs_escapes(text) {
        escaped(text)
    } else {
        backslashed(text)
    }
}

/// In single quotes, as `${x@Q}` does; `$'…'` where something cannot be shown.
pub fn reusable(text: &[u8]) -> Vec<u8> {
    if needs_escapes(text) {
        escaped(text)
    } else {
        single(text)
    }
}

/// In double quotes, as `declare -p` does; `$'…'` where something cannot be shown.
pub fn declared(text: &[u8]) -> Vec<u8> {
    if needs_escapes(text) {
        escaped(text)
    } else {
        double(text)
    }
}

/// As `declare -p` shows the key of an associative array: quoted only where it must be.
pub fn key(text: &[u8]) -> Vec<u8> {
    if needs_escapes(text) {
        escaped(text)
    } else if text.is_empty() || has_specials(text) || text == b"@" || text == b"*" {
        double(text)
    } else {
        text.to_vec()
    }
}

/// As `set` shows the value of a variable: quoted only where it must be, and nothing where it is
/// empty.
pub fn listed(text: &[u8]) -> Vec<u8> {
    if needs_escapes(text) {
        escaped(text)
    } else if has_specials(text) {
        single(text)
    } else {
        text.to_vec()
    }
}

/// As `set -x` shows a word: quoted only where it must be.
pub fn traced(text: &[u8]) -> Vec<u8> {
    if text.is_empty() {
        b"''".to_vec()
    } else {
        traced_value(text)
    }
}

/// As `set -x` shows the value of an assignment: like a word, but nothing where it is empty.
pub fn traced_value(text: &[u8]) -> Vec<u8> {
    if has_specials(text) {
        single(text)
    } else if needs_escapes(text) {
        escaped(text)
    } else {
        text.to_vec()
    }
}

/// In single quotes; a single quote is shown as `'\''`, alone as `\'`.
pub fn single(text: &[u8]) -> Vec<u8> {
    if text == b"'" {
        return b"\\'".to_vec();
    }
    let mut quoted = Vec::with_capacity(text.len() + 2);
    quoted.push(b'\'');
    for &byte in text {
        if byte == b'\'' {
            quoted.extend_from_slice(b"'\\''");
        } else {
            quoted.push(byte);
        }
    }
    quoted.push(b'\'');
    quoted
}

/// In double quotes.
pub fn double(text: &[u8]) -> Vec<u8> {
    let mut quoted = Vec::with_capacity(text.len() + 2);
    quoted.push(b'"');
    for &byte in text {
        if b"\"$`\\".contains(&byte) {
            quoted.push(b'\\');
        }
        quoted.push(byte);
    }
    quoted.push(b'"');
    quoted
}

/// With a backslash before every special character.
pub fn backslashed(text: &[u8]) -> Vec<u8> {
    let mut quoted = Vec::with_capacity(text.len() + 8);
    for (at, &byte) in text.iter().enumerate() {
        let before = at.checked_sub(1).map(|before| text[before]);
        let special = match byte {
            b'#' => before.is_none(),
            b'~' => matches!(before, None | Some(b':' | b'=')),
            _ => b" \t\n!\"$&'()*,;<>?[\\]^`{|}".contains(&byte),
        };
        if special {
            quoted.push(b'\\');
        }
        quoted.push(byte);
    }
    quoted
}

/// As `$'…'`: control characters and bytes that are no text become escapes.
pub fn escaped(text: &[u8]) -> Vec<u8> {
    let mut quoted = b"$'".to_vec();
    for chunk in text.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\x1b' => quoted.extend_from_slice(b"\\E"),
                '\x07' => quoted.extend_from_slice(b"\\a"),
                '\x08' => quoted.extend_from_slice(b"\\b"),
                '\x0c' => quoted.extend_from_slice(b"\\f"),
                '\n' => quoted.extend_from_slice(b"\\n"),
                '\r' => quoted.extend_from_slice(b"\\r"),
                '\t' => quoted.extend_from_slice(b"\\t"),
                '\x0b' => quoted.extend_from_slice(b"\\v"),
                '\\' | '\'' => quoted.extend_from_slice(&[b'\\', character as u8]),
                _ if is_printable(character) => {
                    quoted.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
                }
                _ => character
                    .encode_utf8(&mut [0; 4])
                    .bytes()
                    .for_each(|byte| octal(byte, &mut quoted)),
            }
        }
        chunk
            .invalid()
            .iter()
            .for_each(|&byte| octal(byte, &mut quoted));
    }
    quoted.push(b'\'');
    quoted
}

/// Whether something in the text cannot be shown as it is.
pub fn needs_escapes(text: &[u8]) -> bool {
    if text.iter().all(|byte| (0x20..0x7f).contains(byte)) {
        return false;
    }
    match std::str::from_utf8(text) {
        Ok(text) => !text.chars().all(is_printable),
        Err(_) => true,
    }
}

/// Whether the shell would read something in the text as more than itself.
pub fn has_specials(text: &[u8]) -> bool {
    text.iter().enumerate().any(|(at, byte)| {
        let before = at.checked_sub(1).map(|before| text[before]);
        match byte {
            b'~' => matches!(before, None | Some(b':' | b'=')),
            b'#' => matches!(before, None | Some(b' ' | b'\t')),
            _ => b" \t\n'\"\\|&;()<>!{}*[]?^$`".contains(byte),
        }
    })
}

//! Paths as git prints them: in quotes where they hold anything but plain characters.

use crate::call::bytes;

/// Whether a path is printed in quotes.
pub fn needs_quotes(path: &[u8]) -> bool {
    path.iter()
        .any(|&byte| !(b' '..0x7f).contains(&byte) || byte == b'"' || byte == b'\\')
}

/// The path, in quotes where it needs them.
pub fn quoted(path: &[u8]) -> Vec<u8> {
    if !needs_quotes(path) {
        return path.to_vec();
    }
    let mut out = vec![b'"'];
    for &byte in path {
        let letter = match byte {
            0x07 => b'a',
            0x08 => b'b',
            b'\t' => b't',
            b'\n' => b'n',
            0x0b => b'v',
            0x0c => b'f',
            b'\r' => b'r',
            b'"' | b'\\' => byte,
            b' '..0x7f => {
                out.push(byte);
                continue;
            }
            _ => {
                out.extend_from_slice(format!("\\{byte:03o}").as_bytes());
                continue;
            }
        };
        out.extend_from_slice(&[b'\\', letter]);
    }
    out.push(b'"');
    out
}

/// The same, and also in quotes where there is a blank: as short status lines have it.
pub fn quoted_with_blanks(path: &[u8]) -> Vec<u8> {
    if path.contains(&b' ') && !needs_quotes(path) {
        return bytes!("\"", path, "\"");
    }
    quoted(path)
}

/// Reads a path that may be in quotes, and gives what follows it.
pub fn unquoted(text: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut rest = text.strip_prefix(b"\"")?;
    let mut out = Vec::new();
    loop {
        let (&byte, after) = rest.split_first()?;
        rest = after;
        match byte {
            b'"' => return Some((out, rest)),
            b'\\' => {
                let (&letter, after) = rest.split_first()?;
                rest = after;
                out.push(match letter {
                    b'a' => 7,
                    b'b' => 8,
                    b't' => b'\t',
                    b'n' => b'\n',
                    b'v' => 0x0b,
                    b'f' => 0x0c,
                    b'r' => b'\r',
                    b'0'..=b'3' => {
                        let digits = rest.get(..2)?;
                        rest = &rest[2..];
                        let text = [letter, digits[0], digits[1]];
                        u8::from_str_radix(std::str::from_utf8(&text).ok()?, 8).ok()?
                    }
                    other => other,
                });
            }
            _ => out.push(byte),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_back() {
        let cases: [(&[u8], &[u8]); 5] = [
            (b"a b", b"a b"),
            (b"t\tab", b"\"t\\tab\""),
            ("\u{e9}".as_bytes(), b"\"\\303\\251\""),
            (b"q\"\\", b"\"q\\\"\\\\\""),
            (b"\x01", b"\"\\001\""),
        ];
        for (path, expected) in cases {
            let text = quoted(path);
            assert_eq!(text, expected);
            if let Some((back, rest)) = unquoted(&text) {
                assert_eq!((back.as_slice(), rest), (path, b"".as_slice()));
            }
        }
        assert_eq!(quoted_with_blanks(b"a b"), b"\"a b\"");
    }
}

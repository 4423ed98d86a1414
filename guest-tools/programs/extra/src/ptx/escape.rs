//! Escapes of C in the values of options: `\t`, `\x41`, `\0101`; `\c` ends the text.

/// The text with its escapes resolved; one that means nothing stays.
pub fn unescape(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        let Some((&letter, after)) = rest.split_first() else {
            break;
        };
        rest = after;
        match letter {
            b'x' => match digits(rest, 16) {
                (_, 0) => out.extend_from_slice(b"\\x"),
                (value, length) => {
                    out.push(value);
                    rest = &rest[length..];
                }
            },
            b'0' => {
                let (value, length) = digits(rest, 8);
                out.push(value);
                rest = &rest[length..];
            }
            b'c' => break,
            letter => match plain(letter) {
                Some(byte) => out.push(byte),
                None => out.extend([b'\\', letter]),
            },
        }
    }
    // What follows a null byte is not seen.
    let end = memchr::memchr(0, &out).unwrap_or(out.len());
    out.truncate(end);
    out
}

/// The byte of an escape of one letter.
fn plain(letter: u8) -> Option<u8> {
    Some(match letter {
        b'a' => 7,
        b'b' => 8,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'v' => 11,
        _ => return None,
    })
}

/// A number of at most three digits, and how many there are.
fn digits(text: &[u8], radix: u32) -> (u8, usize) {
    let values = text
        .iter()
        .take(3)
        .map_while(|&byte| char::from(byte).to_digit(radix));
    values.fold((0, 0), |(value, length), digit| {
        ((u32::from(value) * radix + digit) as u8, length + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        let cases: [(&str, &[u8]); 7] = [
            ("a\\tb\\n", b"a\tb\n"),
            ("\\.\\(", b"\\.\\("),
            ("\\x41\\x", b"A\\x"),
            ("\\0101b", b"Ab"),
            ("a\\cb", b"a"),
            ("a\\", b"a"),
            ("a\\0b", b"a"),
        ];
        for (text, expected) in cases {
            assert_eq!(unescape(text.as_bytes()), expected, "{text}");
        }
    }
}

//! Byte strings of POSIX as the text that WASI 0.2 has, and back: nothing is lost, no two become one.
//!
//! A byte that is no part of UTF-8 becomes a character of the private use area, and so do the bytes of
//! these characters themselves. Programs of our own know the form too.

use std::borrow::Cow;

/// The character that byte 0 would become; only 128 and above do.
const BASE: u32 = 0x10_fe00;

/// The text that stands for `bytes`.
pub(super) fn from_bytes(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match byte(character) {
                None => text.push(character),
                Some(_) => {
                    let mut own = [0; 4];
                    let own = character.encode_utf8(&mut own);
                    text.extend(own.bytes().filter_map(escaped));
                }
            }
        }
        text.extend(chunk.invalid().iter().copied().filter_map(escaped));
    }
    text
}

/// The bytes that `text` stands for.
pub(super) fn to_bytes(text: &str) -> Cow<'_, [u8]> {
    if !text.contains(|character| byte(character).is_some()) {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut bytes = Vec::with_capacity(text.len());
    for character in text.chars() {
        match byte(character) {
            Some(byte) => bytes.push(byte),
            None => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    Cow::Owned(bytes)
}

fn escaped(byte: u8) -> Option<char> {
    char::from_u32(BASE + u32::from(byte))
}

/// The byte that a character stands for.
fn byte(character: char) -> Option<u8> {
    let value = u32::from(character).checked_sub(BASE)?;
    u8::try_from(value).ok().filter(|byte| !byte.is_ascii())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_string_of_bytes_comes_back() {
        let escape = from_bytes(b"\xff");
        let cases: [&[u8]; 7] = [
            b"",
            b"plain",
            "é \u{fffd} \u{10ffff}".as_bytes(),
            b"a\xffb\x80",
            b"\xe2\x82",
            "\u{10fe80}".as_bytes(),
            escape.as_bytes(),
        ];
        let texts = cases.map(from_bytes);
        for (at, (case, text)) in cases.iter().zip(&texts).enumerate() {
            assert_eq!(&*to_bytes(text), *case);
            assert!(!texts[..at].contains(text), "{case:?}");
        }
        assert_eq!(texts[2], "é \u{fffd} \u{10ffff}");
    }
}

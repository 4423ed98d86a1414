//! The alphabets, and bytes written in them.
//!
//! A group of bytes is a number, whose digits in the base of the alphabet are its symbols:
//!
//! | Alphabet | Bytes | Symbols | Defined in |
//! |---|---|---|---|
//! | base64, base64url | 3 | 4 | RFC 4648, sections 4 and 5 |
//! | base32, base32hex | 5 | 8 | RFC 4648, sections 6 and 7 |
//! | base16 | 1 | 2 | RFC 4648, section 8 |
//! | base2msbf, base2lsbf | 1 | 8 | GNU |
//! | Z85 | 4 | 5 | ZeroMQ's RFC 32 |

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD_NO_PAD, URL_SAFE_NO_PAD};

/// How bytes are written with fewer symbols.
#[derive(Debug, PartialEq, Eq)]
pub struct Alphabet {
    /// The symbols, by their values.
    pub symbols: &'static [u8],
    /// How many bytes make a group.
    pub bytes: usize,
    /// How many symbols these are.
    pub width: usize,
    /// Whether a last group that is not full is filled with `=`.
    pub padded: bool,
    /// Whether the first symbol of a byte is its lowest bit.
    low_first: bool,
}

/// An alphabet whose groups have so many bytes and symbols.
const fn alphabet(symbols: &'static [u8], bytes: usize, width: usize) -> Alphabet {
    Alphabet {
        symbols,
        bytes,
        width,
        padded: bytes == 3 || bytes == 5,
        low_first: false,
    }
}

/// `A` to `Z`, `a` to `z`, `0` to `9`, `+` and `/`.
pub const BASE64: Alphabet = alphabet(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/",
    3,
    4,
);
/// The same with `-` and `_`, for names of files and URLs.
pub const BASE64URL: Alphabet = alphabet(
    b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
    3,
    4,
);
/// Letters, and digits that look like none of them.
pub const BASE32: Alphabet = alphabet(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 5, 8);
/// Digits and letters, whose texts sort as their bytes do.
pub const BASE32HEX: Alphabet = alphabet(b"0123456789ABCDEFGHIJKLMNOPQRSTUV", 5, 8);
/// Hexadecimal digits, of which lower-case ones are not read.
pub const BASE16: Alphabet = alphabet(b"0123456789ABCDEF", 1, 2);
/// Bits, the highest first.
pub const BASE2MSBF: Alphabet = alphabet(b"01", 1, 8);
/// Bits, the lowest first.
pub const BASE2LSBF: Alphabet = Alphabet {
    low_first: true,
    ..BASE2MSBF
};
/// Symbols that need no escape in most languages; groups must be full.
pub const Z85: Alphabet = alphabet(
    b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#",
    4,
    5,
);

impl Alphabet {
    /// Writes bytes, the last group filled up with `=`. Without padding (`padded`) the length must be one of whole
    /// groups.
    pub fn encode(&self, bytes: &[u8], out: &mut Vec<u8>) {
        if self.bytes == 3 {
            return self.encode_quickly(bytes, out);
        }
        out.reserve(bytes.len().div_ceil(self.bytes) * self.width);
        bytes
            .chunks(self.bytes)
            .for_each(|group| self.encode_group(group, out));
    }

    /// Four symbols for three bytes, by a library that knows how.
    fn encode_quickly(&self, bytes: &[u8], out: &mut Vec<u8>) {
        let engine = if *self == BASE64 {
            &STANDARD_NO_PAD
        } else {
            &URL_SAFE_NO_PAD
        };
        let start = out.len();
        let full = bytes.len().div_ceil(3) * 4;
        out.resize(start + full, b'=');
        // The room is enough, which is all that can be wrong.
        let _ = engine.encode_slice(bytes, &mut out[start..]);
    }

    /// Writes a group, which may be the last one and shorter.
    fn encode_group(&self, group: &[u8], out: &mut Vec<u8>) {
        let value = group.iter().fold(0, |value: u64, &byte| {
            value << 8 | u64::from(self.turned(byte))
        });
        let missing = self.bytes - group.len();
        let mut value = value << (8 * missing);
        let radix = self.symbols.len() as u64;
        let mut text = [b'='; 8];
        // So many symbols at the end have no bit of the input.
        let empty = 8 * missing / radix.ilog2() as usize;
        for (at, slot) in text[..self.width].iter_mut().enumerate().rev() {
            if at < self.width - empty {
                *slot = self.symbols[(value % radix) as usize];
            }
            value /= radix;
        }
        out.extend_from_slice(&text[..self.width]);
    }

    /// A byte as it is written, or one that was read: its bits backwards, where the lowest comes first.
    pub fn turned(&self, byte: u8) -> u8 {
        if self.low_first {
            byte.reverse_bits()
        } else {
            byte
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_group_is_filled_up() {
        let cases = [
            (BASE64, "ab", "YWI="),
            (BASE64URL, "\u{7ff}\u{7f}a", "379_YQ=="),
            (BASE32, "a", "ME======"),
            (BASE32, "abcd", "MFRGGZA="),
            (BASE32HEX, "foo", "CPNMU==="),
            (BASE16, "a\n", "610A"),
            (BASE2MSBF, "a", "01100001"),
            (BASE2LSBF, "a", "10000110"),
            (Z85, "abcd", "vpA.S"),
        ];
        for (alphabet, text, expected) in cases {
            let mut out = Vec::new();
            alphabet.encode(text.as_bytes(), &mut out);
            assert_eq!(String::from_utf8_lossy(&out), expected);
        }
    }
}

//! Bytes read from the symbols of an alphabet, as strictly and as leniently as GNU's.
//!
//! Newlines are skipped always, other bytes that are no symbols with `-i`. A group of base 64 or 32 may end with `=`
//! anywhere, and another group may follow it.

use super::alphabet::Alphabet;

/// What stands in the table for a byte that is no symbol.
const NONE: u8 = 0xff;

/// Something that is no text of the alphabet.
#[derive(Debug, PartialEq, Eq)]
pub struct Invalid;

/// Reads a text piece by piece.
pub struct Decoder {
    alphabet: &'static Alphabet,
    /// The value of each byte as a symbol.
    table: [u8; 256],
    /// Whether what is no symbol is skipped.
    lenient: bool,
    /// The symbols of a group that is not complete.
    group: Vec<u8>,
}

impl Decoder {
    /// Nothing is read yet.
    pub fn new(alphabet: &'static Alphabet, lenient: bool) -> Decoder {
        let mut table = [NONE; 256];
        for (value, &symbol) in (0..).zip(alphabet.symbols) {
            table[usize::from(symbol)] = value;
        }
        Decoder {
            alphabet,
            table,
            lenient,
            group: Vec::with_capacity(8),
        }
    }

    /// The value of a symbol, or `NONE`.
    fn value(&self, symbol: u8) -> u8 {
        self.table[usize::from(symbol)]
    }

    /// Reads more of the text, which may end within a group. What came before something wrong is written all the
    /// same.
    pub fn read(&mut self, text: &[u8], out: &mut Vec<u8>) -> Result<(), Invalid> {
        let mut rest = text;
        while !rest.is_empty() {
            if self.alphabet.bytes == 3 && self.group.is_empty() {
                rest = self.read_quickly(rest, out);
            }
            let Some((&symbol, after)) = rest.split_first() else {
                break;
            };
            rest = after;
            if symbol == b'\n' || self.lenient && symbol != b'=' && self.value(symbol) == NONE {
                continue;
            }
            self.group.push(symbol);
            if self.group.len() == self.alphabet.width {
                self.end_group(out)?;
            }
        }
        Ok(())
    }

    /// Reads groups of four symbols as long as nothing is between them; gives the rest.
    fn read_quickly<'a>(&self, text: &'a [u8], out: &mut Vec<u8>) -> &'a [u8] {
        let mut groups = text.chunks_exact(4);
        let mut read = 0;
        for group in &mut groups {
            let [a, b, c, d] = [group[0], group[1], group[2], group[3]]
                .map(|symbol| u32::from(self.value(symbol)));
            if (a | b | c | d) & 0x80 != 0 {
                break;
            }
            let value = a << 18 | b << 12 | c << 6 | d;
            out.extend_from_slice(&value.to_be_bytes()[1..]);
            read += 4;
        }
        &text[read..]
    }

    /// Reads what is left of a group at the end of the text. A group that is not complete is wrong.
    pub fn end(&mut self, out: &mut Vec<u8>) -> Result<(), Invalid> {
        if self.group.is_empty() {
            return Ok(());
        }
        // GNU keeps the whole bytes of a short group in base 64 only.
        if self.alphabet.bytes == 3 {
            self.end_group(out)?;
        }
        Err(Invalid)
    }

    /// Reads the group, which is complete or the last one.
    fn end_group(&mut self, out: &mut Vec<u8>) -> Result<(), Invalid> {
        let group = std::mem::take(&mut self.group);
        let read = if self.alphabet.padded {
            self.padded(&group, out)
        } else {
            self.full(&group, out)
        };
        self.group = group;
        self.group.clear();
        read
    }

    /// A group without padding: all of it or nothing.
    fn full(&self, group: &[u8], out: &mut Vec<u8>) -> Result<(), Invalid> {
        let radix = self.alphabet.symbols.len() as u64;
        let mut value = 0;
        for &symbol in group {
            let digit = self.value(symbol);
            if digit == NONE {
                return Err(Invalid);
            }
            value = value * radix + u64::from(digit);
        }
        let bytes = self.alphabet.bytes;
        if value >> (8 * bytes) != 0 {
            return Err(Invalid);
        }
        let value = &value.to_be_bytes()[8 - bytes..];
        out.extend(value.iter().map(|&byte| self.alphabet.turned(byte)));
        Ok(())
    }

    /// A group that may end with `=`: each byte is written once its symbols were read.
    fn padded(&self, group: &[u8], out: &mut Vec<u8>) -> Result<(), Invalid> {
        let bits = 8 * self.alphabet.bytes / self.alphabet.width;
        let (mut value, mut known, mut at) = (0u64, 0, 0);
        for _ in 0..self.alphabet.bytes {
            if known > 0 && group.get(at) == Some(&b'=') {
                let padded = group.len() == self.alphabet.width;
                let only = group[at..].iter().all(|&symbol| symbol == b'=');
                return if padded && only { Ok(()) } else { Err(Invalid) };
            }
            while known < 8 {
                let digit = group.get(at).map_or(NONE, |&symbol| self.value(symbol));
                if digit == NONE {
                    return Err(Invalid);
                }
                value = value << bits | u64::from(digit);
                known += bits;
                at += 1;
            }
            known -= 8;
            out.push((value >> known) as u8);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::alphabet::{BASE2MSBF, BASE16, BASE32, BASE64, Z85};
    use super::*;

    fn read(alphabet: &'static Alphabet, text: &str, lenient: bool) -> (String, bool) {
        let mut decoder = Decoder::new(alphabet, lenient);
        let mut out = Vec::new();
        // One byte at a time: pieces end anywhere.
        let read = text
            .bytes()
            .try_for_each(|byte| decoder.read(&[byte], &mut out));
        let end = read.and_then(|()| decoder.end(&mut out));
        let mut whole = Decoder::new(alphabet, lenient);
        let mut again = Vec::new();
        let same = whole.read(text.as_bytes(), &mut again);
        assert_eq!(same.and_then(|()| whole.end(&mut again)), end, "{text}");
        assert_eq!(out, again, "{text}");
        (String::from_utf8_lossy(&out).into_owned(), end.is_ok())
    }

    #[test]
    fn what_stands_before_something_wrong_is_written() {
        let cases = [
            (&BASE64, "YWI=YWJj", "ababc", true),
            (&BASE64, "Y\nWJ\nj", "abc", true),
            (&BASE64, "YWJj*YWJj", "abc", false),
            (&BASE64, "YWJjYW=J", "abca", false),
            (&BASE64, "YWI", "ab", false),
            (&BASE64, "YW", "a", false),
            (&BASE64, "YQ=", "a", false),
            (&BASE64, "Y=", "", false),
            (&BASE64, "====", "", false),
            (&BASE32, "MFRGG===", "abc", true),
            (&BASE32, "MFRGG=!=", "abc", false),
            (&BASE32, "MFRGG", "", false),
            (&BASE16, "61aB", "a", false),
            (&BASE16, "616", "a", false),
            (&BASE2MSBF, "0110\n000101", "a", false),
            (&Z85, "vqGadx", "alZ:", false),
            (&Z85, "#####", "", false),
        ];
        for (alphabet, text, expected, valid) in cases {
            assert_eq!(read(alphabet, text, false), (expected.to_owned(), valid));
        }
        assert_eq!(read(&BASE64, "Y!W-Jj", true), ("abc".to_owned(), true));
    }
}

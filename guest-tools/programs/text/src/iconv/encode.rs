//! Texts in Unicode, written in an encoding, piece by piece.

use std::iter;

use encoding_rs::EncoderResult;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use super::charset::{Charset, Order};

/// What stands for a character that an encoding lacks, as glibc's `//TRANSLIT` has it; none for characters that lose
/// their marks or become `?`.
fn approximate(char: char) -> Option<&'static str> {
    Some(match char {
        '\u{2018}' | '\u{2019}' | '\u{201a}' => "'",
        '\u{201c}' | '\u{201d}' | '\u{201e}' => "\"",
        '\u{2013}' | '\u{2014}' | '\u{2010}' | '\u{2011}' | '\u{2212}' => "-",
        '\u{2026}' => "...",
        '\u{a0}' | '\u{2009}' | '\u{202f}' | '\u{2002}' | '\u{2003}' => " ",
        '€' => "EUR",
        '©' => "(C)",
        '®' => "(R)",
        '™' => "(TM)",
        '«' => "<<",
        '»' => ">>",
        'ß' => "ss",
        'æ' => "ae",
        'Æ' => "AE",
        'œ' => "oe",
        'Œ' => "OE",
        '×' => "x",
        '•' => "o",
        '→' => "->",
        '←' => "<-",
        'ł' => "l",
        'Ł' => "L",
        'ø' => "o",
        'Ø' => "O",
        'đ' => "d",
        'ŉ' => "'n",
        'Đ' => "D",
        '¼' => " 1/4 ",
        '½' => " 1/2 ",
        '¾' => " 3/4 ",
        'ﬁ' => "fi",
        'ﬂ' => "fl",
        _ => return None,
    })
}

/// Writes texts in an encoding, piece by piece.
pub struct Encoder {
    charset: Charset,
    table: Option<encoding_rs::Encoder>,
    /// Whether what the encoding lacks is approximated.
    translit: bool,
    /// Whether it is left out.
    ignore: bool,
    /// The first character that the encoding lacks.
    pub lacks: Option<char>,
}

impl Encoder {
    /// Nothing is written yet.
    pub fn new(charset: Charset, translit: bool, ignore: bool) -> Encoder {
        Encoder {
            charset,
            table: match charset {
                Charset::Table(encoding) => Some(encoding.new_encoder()),
                _ => None,
            },
            translit,
            ignore,
            lacks: None,
        }
    }

    /// Writes the mark of the byte order, where the encoding has one: UTF-16 and UTF-32 without an order, whose low
    /// byte is first.
    pub fn start(&self, out: &mut Vec<u8>) {
        match self.charset {
            Charset::Utf16(None) => out.extend_from_slice(&[0xff, 0xfe]),
            Charset::Utf32(None) => out.extend_from_slice(&[0xff, 0xfe, 0, 0]),
            _ => {}
        }
    }

    /// Writes text; false where a character is lacking, and the rest is left. `lacks` is that character.
    pub fn write(&mut self, text: &str, out: &mut Vec<u8>) -> bool {
        let mut rest = text;
        loop {
            rest = &rest[self.write_known(rest, out)..];
            let Some(char) = rest.chars().next() else {
                return true;
            };
            rest = &rest[char.len_utf8()..];
            if self.translit {
                self.write_like(char, out);
                continue;
            }
            self.lacks.get_or_insert(char);
            if !self.ignore {
                return false;
            }
        }
    }

    /// Writes what stands for a character: what the table names, its letter without marks, or `?`.
    fn write_like(&mut self, char: char, out: &mut Vec<u8>) {
        let start = out.len();
        let bare: String = match approximate(char) {
            Some(text) => text.to_owned(),
            None => iter::once(char)
                .nfkd()
                .filter(|part| !is_combining_mark(*part))
                .collect(),
        };
        if bare.is_empty() || self.write_known(&bare, out) < bare.len() {
            out.truncate(start);
            self.write_known("?", out);
        }
    }

    /// Ends the text: encodings with shifts go back to the first.
    pub fn end(&mut self, out: &mut Vec<u8>) {
        if let Some(table) = &mut self.table {
            out.reserve(16);
            let (_, _) = table.encode_from_utf8_to_vec_without_replacement("", out, true);
        }
    }

    /// Writes what the encoding has, up to the first character that it lacks; gives the offset of that, or the length
    /// of the text.
    fn write_known(&mut self, text: &str, out: &mut Vec<u8>) -> usize {
        match self.charset {
            Charset::Ascii => {
                let end = ascii(text);
                out.extend_from_slice(&text.as_bytes()[..end]);
                end
            }
            Charset::Latin1 => latin1(text, out),
            Charset::Utf8 => {
                out.extend_from_slice(text.as_bytes());
                text.len()
            }
            Charset::Utf16(order) => {
                utf16(text, order == Some(Order::Big), out);
                text.len()
            }
            Charset::Utf32(order) => {
                utf32(text, order == Some(Order::Big), out);
                text.len()
            }
            Charset::Table(_) => self.write_by_table(text, out),
        }
    }

    /// The same for an encoding of the Web's standard.
    fn write_by_table(&mut self, text: &str, out: &mut Vec<u8>) -> usize {
        let Some(table) = &mut self.table else {
            return text.len();
        };
        let mut at = 0;
        loop {
            out.reserve(text.len() - at + 16);
            let (result, read) =
                table.encode_from_utf8_to_vec_without_replacement(&text[at..], out, false);
            at += read;
            match result {
                EncoderResult::InputEmpty => return text.len(),
                EncoderResult::OutputFull => {}
                EncoderResult::Unmappable(char) => return at - char.len_utf8(),
            }
        }
    }
}

/// How many bytes at the start are ASCII.
fn ascii(text: &str) -> usize {
    let found = text.bytes().position(|byte| !byte.is_ascii());
    found.unwrap_or(text.len())
}

/// The same for ISO-8859-1.
fn latin1(text: &str, out: &mut Vec<u8>) -> usize {
    let mut at = 0;
    loop {
        let end = at + ascii(&text[at..]);
        out.extend_from_slice(&text.as_bytes()[at..end]);
        at = end;
        let Some(char) = text[at..].chars().next() else {
            return at;
        };
        let Ok(byte) = u8::try_from(u32::from(char)) else {
            return at;
        };
        out.push(byte);
        at += char.len_utf8();
    }
}

/// Writes 16 bits each.
fn utf16(text: &str, is_big: bool, out: &mut Vec<u8>) {
    let mut rest = text;
    while !rest.is_empty() {
        let (plain, after) = rest.split_at(ascii(rest));
        let start = out.len();
        out.resize(start + 2 * plain.len(), 0);
        let pairs = out[start..].chunks_exact_mut(2);
        for (pair, byte) in pairs.zip(plain.bytes()) {
            pair[usize::from(is_big)] = byte;
        }
        let next = after.bytes().position(|byte| byte.is_ascii());
        let (other, after) = after.split_at(next.unwrap_or(after.len()));
        for unit in other.encode_utf16() {
            let bytes = if is_big {
                unit.to_be_bytes()
            } else {
                unit.to_le_bytes()
            };
            out.extend_from_slice(&bytes);
        }
        rest = after;
    }
}

/// Writes 32 bits each.
fn utf32(text: &str, is_big: bool, out: &mut Vec<u8>) {
    for char in text.chars() {
        let number = u32::from(char);
        let bytes = if is_big {
            number.to_be_bytes()
        } else {
            number.to_le_bytes()
        };
        out.extend_from_slice(&bytes);
    }
}

//! Texts in an encoding, read as Unicode. A text that is valid UTF-8 is not copied.

use std::borrow::Cow;

use encoding_rs::{DecoderResult, Encoding};

use super::charset::{Charset, Order};

/// A text in Unicode, and where the input went wrong.
pub struct Decoded<'a> {
    /// The text, up to what is wrong, or without it.
    pub text: Cow<'a, str>,
    /// The offset of the first invalid bytes, and whether they are only the start of a character, at the end of the
    /// input.
    pub wrong: Option<(usize, bool)>,
}

/// Reads the input up to the first invalid bytes, or with `ignore` all of it without them.
pub fn decode(charset: Charset, input: &[u8], ignore: bool) -> Decoded<'_> {
    let whole = match charset {
        Charset::Latin1 => Some(encoding_rs::mem::decode_latin1(input)),
        Charset::Utf8 => std::str::from_utf8(input).ok().map(Cow::Borrowed),
        _ => None,
    };
    if let Some(text) = whole {
        return Decoded { text, wrong: None };
    }
    let mut reader = Reader {
        input,
        ignore,
        text: String::with_capacity(input.len()),
        wrong: None,
    };
    match charset {
        Charset::Latin1 => {}
        Charset::Ascii => reader.ascii(),
        Charset::Utf8 => reader.utf8(),
        Charset::Utf16(order) => reader.utf16(order),
        Charset::Utf32(order) => reader.utf32(order),
        Charset::Table(encoding) => {
            reader.table(encoding);
            if encoding.name().starts_with("windows-") {
                reader.take_out_controls();
            }
        }
    }
    Decoded {
        text: Cow::Owned(reader.text),
        wrong: reader.wrong,
    }
}

/// A text on its way.
struct Reader<'a> {
    input: &'a [u8],
    /// Whether invalid bytes are left out instead of ending the text.
    ignore: bool,
    text: String,
    wrong: Option<(usize, bool)>,
}

impl Reader<'_> {
    /// Notes invalid bytes, which may be the start of a character; whether the text goes on behind them.
    fn skips(&mut self, at: usize, is_start: bool) -> bool {
        self.wrong.get_or_insert((at, is_start));
        self.ignore
    }

    /// Reads ASCII.
    fn ascii(&mut self) {
        for (at, &byte) in self.input.iter().enumerate() {
            if byte.is_ascii() {
                self.text.push(char::from(byte));
            } else if !self.skips(at, false) {
                break;
            }
        }
    }

    /// Reads UTF-8.
    fn utf8(&mut self) {
        let input = self.input;
        let mut at = 0;
        while at < input.len() {
            let error = match std::str::from_utf8(&input[at..]) {
                Ok(valid) => {
                    self.text.push_str(valid);
                    break;
                }
                Err(error) => error,
            };
            let end = at + error.valid_up_to();
            self.text
                .push_str(&String::from_utf8_lossy(&input[at..end]));
            let length = error.error_len();
            if !self.skips(end, length.is_none()) {
                break;
            }
            at = end + length.unwrap_or(input.len() - end);
        }
    }

    /// Reads 16 bits each; without an order or a mark the low byte is first.
    fn utf16(&mut self, order: Option<Order>) {
        let input = self.input;
        let (order, skip) = match (order, input) {
            (Some(order), _) => (order, 0),
            (None, [0xfe, 0xff, ..]) => (Order::Big, 2),
            (None, [0xff, 0xfe, ..]) => (Order::Little, 2),
            (None, _) => (Order::Little, 0),
        };
        let body = &input[skip..];
        let unit = |pair: &[u8]| match order {
            Order::Big => u16::from_be_bytes([pair[0], pair[1]]),
            Order::Little => u16::from_le_bytes([pair[0], pair[1]]),
        };
        let mut at = skip;
        for char in char::decode_utf16(body.chunks_exact(2).map(unit)) {
            match char {
                Ok(char) => {
                    self.text.push(char);
                    at += 2 * char.len_utf16();
                }
                Err(_) => {
                    if !self.skips(at, at + 2 >= input.len()) {
                        break;
                    }
                    at += 2;
                }
            }
        }
        if body.len() % 2 == 1 {
            self.skips(input.len() - 1, true);
        }
    }

    /// Reads 32 bits each, likewise.
    fn utf32(&mut self, order: Option<Order>) {
        let (order, skip) = match (order, self.input) {
            (Some(order), _) => (order, 0),
            (None, [0, 0, 0xfe, 0xff, ..]) => (Order::Big, 4),
            (None, [0xff, 0xfe, 0, 0, ..]) => (Order::Little, 4),
            (None, _) => (Order::Little, 0),
        };
        for (index, quad) in self.input[skip..].chunks(4).enumerate() {
            let number = match (<[u8; 4]>::try_from(quad), order) {
                (Ok(quad), Order::Big) => Some(u32::from_be_bytes(quad)),
                (Ok(quad), Order::Little) => Some(u32::from_le_bytes(quad)),
                (Err(_), _) => None,
            };
            match number.and_then(char::from_u32) {
                Some(char) => self.text.push(char),
                None if self.skips(skip + 4 * index, number.is_none()) => {}
                None => break,
            }
        }
    }

    /// Reads an encoding of the Web's standard.
    fn table(&mut self, encoding: &'static Encoding) {
        let input = self.input;
        let mut decoder = encoding.new_decoder_without_bom_handling();
        let mut at = 0;
        loop {
            let room = decoder.max_utf8_buffer_length(input.len() - at);
            self.text.reserve(room.unwrap_or(64).max(64));
            let (result, read) =
                decoder.decode_to_string_without_replacement(&input[at..], &mut self.text, true);
            at += read;
            match result {
                DecoderResult::InputEmpty => break,
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(length, after) => {
                    let start = at.saturating_sub(usize::from(length) + usize::from(after));
                    let is_start = at == input.len()
                        && length == 1
                        && start + 1 == at
                        && !encoding.is_single_byte();
                    if !self.skips(start, is_start) {
                        break;
                    }
                }
            }
        }
    }

    /// Treats control characters, which encodings of Windows do not have, as invalid bytes.
    fn take_out_controls(&mut self) {
        let Some(at) = self.text.chars().position(is_web_only) else {
            return;
        };
        self.wrong = self
            .wrong
            .filter(|(place, _)| *place < at)
            .or(Some((at, false)));
        if self.ignore {
            self.text.retain(|char| !is_web_only(char));
        } else if let Some(end) = self.text.find(is_web_only) {
            self.text.truncate(end);
        }
    }
}

/// The Web has control characters where encodings of Windows have nothing.
fn is_web_only(char: char) -> bool {
    ('\u{80}'..='\u{9f}').contains(&char)
}

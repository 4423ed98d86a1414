//! Texts in an encoding, read as Unicode.

use std::borrow::Cow;

use super::charset::{Charset, Order};

/// A text in Unicode, and where the input went wrong.
pub struct Decoded<'a> {
    pub text: Cow<'a, str>,
    /// The place of the first invalid bytes, and whether they are only the start of a character.
    pub wrong: Option<(usize, bool)>,
}

/// Reads the input up to the first invalid bytes, or all of it without them.
pub fn decode(charset: Charset, input: &[u8], ignore: bool) -> Decoded<'_> {
    let mut wrong = None;
    match charset {
        Charset::Latin1 => {
            let text = encoding_rs::mem::decode_latin1(input);
            return Decoded { text, wrong };
        }
        Charset::Utf8 => {
            if let Ok(text) = std::str::from_utf8(input) {
                let text = Cow::Borrowed(text);
                return Decoded { text, wrong };
            }
        }
        _ => {}
    }
    let mut text = String::with_capacity(input.len());
    match charset {
        Charset::Latin1 => {}
        Charset::Ascii => {
            for (at, &byte) in input.iter().enumerate() {
                if byte.is_ascii() {
                    text.push(char::from(byte));
                    continue;
                }
                wrong.get_or_insert((at, false));
                if !ignore {
                    break;
                }
            }
        }
        Charset::Utf8 => {
            let mut at = 0;
            while at < input.len() {
                match std::str::from_utf8(&input[at..]) {
                    Ok(valid) => {
                        text.push_str(valid);
                        break;
                    }
                    Err(error) => {
                        let end = at + error.valid_up_to();
                        text.push_str(&String::from_utf8_lossy(&input[at..end]));
                        let length = error.error_len();
                        wrong.get_or_insert((end, length.is_none()));
                        if !ignore {
                            break;
                        }
                        at = end + length.unwrap_or(input.len() - end);
                    }
                }
            }
        }
        Charset::Utf16(order) => {
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
                        text.push(char);
                        at += 2 * char.len_utf16();
                    }
                    Err(_) => {
                        wrong.get_or_insert((at, at + 2 >= input.len()));
                        at += 2;
                        if !ignore {
                            break;
                        }
                    }
                }
            }
            if body.len() % 2 == 1 && wrong.is_none() {
                wrong = Some((input.len() - 1, true));
            }
        }
        Charset::Utf32(order) => {
            let (order, skip) = match (order, input) {
                (Some(order), _) => (order, 0),
                (None, [0, 0, 0xfe, 0xff, ..]) => (Order::Big, 4),
                (None, [0xff, 0xfe, 0, 0, ..]) => (Order::Little, 4),
                (None, _) => (Order::Little, 0),
            };
            for (index, quad) in input[skip..].chunks(4).enumerate() {
                let number = match (<[u8; 4]>::try_from(quad), order) {
                    (Ok(quad), Order::Big) => Some(u32::from_be_bytes(quad)),
                    (Ok(quad), Order::Little) => Some(u32::from_le_bytes(quad)),
                    (Err(_), _) => None,
                };
                match number.and_then(char::from_u32) {
                    Some(char) => text.push(char),
                    None => {
                        wrong.get_or_insert((skip + 4 * index, number.is_none()));
                        if !ignore {
                            break;
                        }
                    }
                }
            }
        }
        Charset::Table(encoding) => {
            let mut decoder = encoding.new_decoder_without_bom_handling();
            let mut at = 0;
            loop {
                text.reserve(
                    decoder
                        .max_utf8_buffer_length(input.len() - at)
                        .unwrap_or(64)
                        .max(64),
                );
                let (result, read) =
                    decoder.decode_to_string_without_replacement(&input[at..], &mut text, true);
                at += read;
                match result {
                    encoding_rs::DecoderResult::InputEmpty => break,
                    encoding_rs::DecoderResult::OutputFull => {}
                    encoding_rs::DecoderResult::Malformed(length, after) => {
                        let start = at.saturating_sub(usize::from(length) + usize::from(after));
                        wrong.get_or_insert((
                            start,
                            at == input.len()
                                && length == 1
                                && start + 1 == at
                                && !encoding.is_single_byte(),
                        ));
                        if !ignore {
                            break;
                        }
                    }
                }
            }
        }
    }
    if let Charset::Table(encoding) = charset
        && encoding.name().starts_with("windows-")
        && let Some(at) = text.chars().position(is_web_only)
    {
        wrong = wrong.filter(|(place, _)| *place < at).or(Some((at, false)));
        if ignore {
            text.retain(|char| !is_web_only(char));
        } else if let Some(end) = text.find(is_web_only) {
            text.truncate(end);
        }
    }
    Decoded {
        text: Cow::Owned(text),
        wrong,
    }
}

/// The Web has control characters where encodings of Windows have nothing.
fn is_web_only(char: char) -> bool {
    ('\u{80}'..='\u{9f}').contains(&char)
}

//! `iconv`: texts from one encoding to another.

use std::io::{Read as _, Write as _};

use encoding_rs::Encoding;

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::quote;
use crate::system;

const SYNTAX: Syntax = Syntax {
    usage: "Usage: iconv [OPTION...] [FILE...]\nConvert encoding of given files from one encoding to another.\n",
    options: &[
        Opt("f", "from-code", Value::Required),
        Opt("t", "to-code", Value::Required),
        Opt("l", "list", Value::No),
        Opt("c", "", Value::No),
        Opt("o", "output", Value::Required),
        Opt("s", "silent", Value::No),
        Opt("", "verbose", Value::No),
    ],
    permute: true,
    status: 64,
};

/// An encoding of characters.
#[derive(Clone, Copy)]
enum Charset {
    Ascii,
    Latin1,
    Utf8,
    /// 16 or 32 bits; the byte order, where it is fixed.
    Utf16(Option<Order>),
    Utf32(Option<Order>),
    Table(&'static Encoding),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Big,
    Little,
}

/// Names that are not the Web's, and what they stand for there.
const ALIASES: &[(&str, &str)] = &[
    ("CP1250", "windows-1250"),
    ("CP1251", "windows-1251"),
    ("CP1252", "windows-1252"),
    ("CP1253", "windows-1253"),
    ("CP1254", "windows-1254"),
    ("CP1255", "windows-1255"),
    ("CP1256", "windows-1256"),
    ("CP1257", "windows-1257"),
    ("CP1258", "windows-1258"),
    ("CP866", "ibm866"),
    ("CP932", "shift_jis"),
    ("SJIS", "shift_jis"),
    ("CP936", "gbk"),
    ("CP949", "euc-kr"),
    ("UHC", "euc-kr"),
    ("CP950", "big5"),
    ("EUCJP", "euc-jp"),
    ("EUCKR", "euc-kr"),
    ("EUCCN", "gbk"),
    ("GB2312", "gbk"),
    ("MACINTOSH", "macintosh"),
    ("MAC", "macintosh"),
    ("LATIN2", "iso-8859-2"),
    ("LATIN3", "iso-8859-3"),
    ("LATIN4", "iso-8859-4"),
    ("LATIN6", "iso-8859-10"),
    ("LATIN7", "iso-8859-13"),
    ("LATIN8", "iso-8859-14"),
    ("LATIN9", "iso-8859-15"),
    ("LATIN10", "iso-8859-16"),
    ("KOI8U", "koi8-u"),
    ("KOI8R", "koi8-r"),
];

/// What `-l` shows.
const NAMES: &[&str] = &[
    "ASCII",
    "BIG5",
    "CP1250",
    "CP1251",
    "CP1252",
    "CP1253",
    "CP1254",
    "CP1255",
    "CP1256",
    "CP1257",
    "CP1258",
    "CP866",
    "CP932",
    "CP936",
    "CP949",
    "CP950",
    "EUC-JP",
    "EUC-KR",
    "GB18030",
    "GBK",
    "ISO-2022-JP",
    "ISO-8859-1",
    "ISO-8859-2",
    "ISO-8859-3",
    "ISO-8859-4",
    "ISO-8859-5",
    "ISO-8859-6",
    "ISO-8859-7",
    "ISO-8859-8",
    "ISO-8859-10",
    "ISO-8859-13",
    "ISO-8859-14",
    "ISO-8859-15",
    "ISO-8859-16",
    "KOI8-R",
    "KOI8-U",
    "LATIN1",
    "MACINTOSH",
    "SHIFT_JIS",
    "UCS-2",
    "UCS-4",
    "UTF-16",
    "UTF-16BE",
    "UTF-16LE",
    "UTF-32",
    "UTF-32BE",
    "UTF-32LE",
    "UTF-8",
    "WINDOWS-874",
];

/// The encoding of a name, without `//TRANSLIT` and the like.
fn charset(name: &str) -> Option<Charset> {
    let upper = name.to_ascii_uppercase();
    let bare: String = upper
        .chars()
        .filter(|char| !matches!(char, '-' | '_'))
        .collect();
    Some(match bare.as_str() {
        "" | "UTF8" => Charset::Utf8,
        "ASCII" | "USASCII" | "ANSIX3.41968" | "646" | "US" | "C" | "POSIX" => Charset::Ascii,
        "ISO88591" | "LATIN1" | "L1" | "88591" | "ISO8859" | "CP819" => Charset::Latin1,
        "UTF16" | "UNICODE" => Charset::Utf16(None),
        "UTF16LE" | "UCS2LE" | "UCS2" | "UNICODELITTLE" => Charset::Utf16(Some(Order::Little)),
        "UTF16BE" | "UCS2BE" | "UNICODEBIG" => Charset::Utf16(Some(Order::Big)),
        "UTF32" => Charset::Utf32(None),
        "UTF32LE" | "UCS4LE" => Charset::Utf32(Some(Order::Little)),
        "UTF32BE" | "UCS4BE" | "UCS4" => Charset::Utf32(Some(Order::Big)),
        // The Web reads these names as windows-1254 and windows-874.
        "ISO88599" | "ISO885911" | "LATIN5" | "TIS620" => return None,
        _ => {
            let alias = ALIASES.iter().find(|(known, _)| *known == bare);
            let label = alias.map_or(name, |(_, label)| label);
            let found = Encoding::for_label_no_replacement(label.as_bytes()).or_else(|| {
                // ISO8859-15 and ISO_8859-15.
                let number = bare.strip_prefix("ISO8859")?;
                Encoding::for_label_no_replacement(format!("iso-8859-{number}").as_bytes())
            });
            Charset::Table(found?)
        }
    })
}

/// A name, and whether what cannot be written is approximated or left out.
fn parse(text: &[u8]) -> (Option<Charset>, bool, bool) {
    let text = String::from_utf8_lossy(text).into_owned();
    let mut parts = text.split("//");
    let name = parts.next().unwrap_or_default();
    let flags: Vec<String> = parts
        .flat_map(|part| part.split(','))
        .map(str::to_ascii_uppercase)
        .collect();
    let has = |flag: &str| flags.iter().any(|known| known == flag);
    (charset(name), has("TRANSLIT"), has("IGNORE"))
}

/// A text in Unicode, and where the input went wrong.
struct Decoded {
    text: String,
    /// The place of the first invalid bytes, and whether they are only the start of a character.
    wrong: Option<(usize, bool)>,
}

fn decode(charset: Charset, input: &[u8], ignore: bool) -> Decoded {
    let mut text = String::with_capacity(input.len());
    let mut wrong = None;
    match charset {
        Charset::Latin1 => text.extend(input.iter().map(|&byte| char::from(byte))),
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
    Decoded { text, wrong }
}

/// What stands for a character that an encoding lacks, as GNU's `//TRANSLIT` has it.
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
        'ﬁ' => "fi",
        'ﬂ' => "fl",
        _ => return None,
    })
}

/// The text in an encoding, and the first character that the encoding lacks.
fn encode(charset: Charset, text: &str, translit: bool, ignore: bool) -> (Vec<u8>, Option<char>) {
    let mut out = Vec::with_capacity(text.len());
    let mut lacks = None;
    match charset {
        Charset::Utf16(None) => out.extend_from_slice(&[0xff, 0xfe]),
        Charset::Utf32(None) => out.extend_from_slice(&[0xff, 0xfe, 0, 0]),
        _ => {}
    }
    let mut encoder = match charset {
        Charset::Table(encoding) => Some(encoding.new_encoder()),
        _ => None,
    };
    let mut put = |char: char, out: &mut Vec<u8>| -> bool {
        match charset {
            Charset::Ascii if char.is_ascii() => out.push(char as u8),
            Charset::Ascii => return false,
            Charset::Latin1 => match u8::try_from(u32::from(char)) {
                Ok(byte) => out.push(byte),
                Err(_) => return false,
            },
            Charset::Utf8 => out.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
            Charset::Utf16(order) => {
                for unit in char.encode_utf16(&mut [0; 2]) {
                    out.extend_from_slice(&match order {
                        Some(Order::Big) => unit.to_be_bytes(),
                        _ => unit.to_le_bytes(),
                    });
                }
            }
            Charset::Utf32(order) => out.extend_from_slice(&match order {
                Some(Order::Big) => u32::from(char).to_be_bytes(),
                _ => u32::from(char).to_le_bytes(),
            }),
            Charset::Table(_) => {
                let Some(encoder) = &mut encoder else {
                    return false;
                };
                let mut text = [0; 4];
                let text: &str = char.encode_utf8(&mut text);
                let mut buffer = [0; 16];
                let (result, _, written) =
                    encoder.encode_from_utf8_without_replacement(text, &mut buffer, false);
                out.extend_from_slice(&buffer[..written]);
                if result != encoding_rs::EncoderResult::InputEmpty {
                    return false;
                }
            }
        }
        true
    };
    for char in text.chars() {
        if put(char, &mut out) {
            continue;
        }
        let stand_in = translit.then(|| approximate(char).unwrap_or("?"));
        if let Some(stand_in) = stand_in {
            for char in stand_in.chars() {
                put(char, &mut out);
            }
            continue;
        }
        lacks.get_or_insert(char);
        if !ignore {
            break;
        }
    }
    if let Some(encoder) = &mut encoder {
        let mut buffer = [0; 16];
        let (_, _, written) = encoder.encode_from_utf8_without_replacement("", &mut buffer, true);
        out.extend_from_slice(&buffer[..written]);
    }
    (out, lacks)
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

fn start(call: &Call) -> Result<i32, i32> {
    let parsed = options::parse(call, &SYNTAX)?;
    if parsed.has("l") {
        let mut out = Output::new();
        for name in NAMES {
            out.line(format!("{name}//"));
        }
        return Ok(out.finish("iconv", 0, 1));
    }
    let (from, _, ignore_input) = parse(parsed.value("f").unwrap_or_default());
    let (to, translit, ignore) = parse(parsed.value("t").unwrap_or_default());
    let name = |key: &str| quote::message(parsed.value(key).unwrap_or_default());
    let (from, to) = match (from, to) {
        (Some(from), Some(to)) => (from, to),
        (None, None) => {
            let message = bytes!(
                "conversions from ",
                name("f"),
                " and to ",
                name("t"),
                " are not supported"
            );
            return Err(options::usage_error(
                call,
                &Syntax {
                    status: 1,
                    ..SYNTAX
                },
                message,
            ));
        }
        (None, _) => {
            let message = bytes!("conversion from ", name("f"), " is not supported");
            return Err(options::usage_error(
                call,
                &Syntax {
                    status: 1,
                    ..SYNTAX
                },
                message,
            ));
        }
        (_, None) => {
            let message = bytes!("conversion to ", name("t"), " is not supported");
            return Err(options::usage_error(
                call,
                &Syntax {
                    status: 1,
                    ..SYNTAX
                },
                message,
            ));
        }
    };
    let leave_out = parsed.has("c") || ignore || ignore_input;
    let (input, mut status) = gather(call, &parsed);
    let decoded = decode(from, &input, leave_out);
    let (result, lacks) = encode(to, &decoded.text, translit, leave_out);
    let mut out = Output::new();
    match parsed.value("o").filter(|file| *file != b"-") {
        Some(file) => {
            let written = system::create_file(file, false)
                .and_then(|mut opened| Ok(opened.write_all(&result)?));
            written
                .map_err(|failure| call.fail(1, bytes!("unable to open output file: ", failure)))?;
        }
        None => out.put(&result),
    }
    out.flush();
    if let Some(char) = lacks.filter(|_| !leave_out) {
        // The place is that of the character in the input.
        let before = decoded.text.find(char).unwrap_or(0);
        let (place, _) = encode(from, &decoded.text[..before], false, true);
        let message = format!("illegal input sequence at position {}", place.len());
        status = call.fail(1, message);
    } else if lacks.is_some() && !parsed.has("c") {
        status = 1;
    }
    if let Some((at, incomplete)) = decoded.wrong {
        if !leave_out && incomplete {
            status = call.fail(1, "incomplete character or shift sequence at end of buffer");
        } else if !leave_out {
            status = call.fail(1, format!("illegal input sequence at position {at}"));
        } else if !parsed.has("c") {
            status = 1;
        }
    }
    Ok(out.finish("iconv", status, 1))
}

/// All input, and 1 where a file could not be read.
fn gather(call: &Call, parsed: &Parsed) -> (Vec<u8>, i32) {
    let (mut input, mut status) = (Vec::new(), 0);
    if parsed.operands.is_empty() {
        if let Err(error) = std::io::stdin().lock().read_to_end(&mut input) {
            status = call.fail(1, bytes!("unable to read: ", system::Failure::from(error)));
        }
        return (input, status);
    }
    for file in &parsed.operands {
        match system::read_whole(file) {
            Ok(mut content) => input.append(&mut content),
            Err(failure) => {
                status = call.fail(1, bytes!("cannot open input file `", file, "': ", failure));
            }
        }
    }
    (input, status)
}

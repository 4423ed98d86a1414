//! `iconv`: texts from one encoding to another.

mod charset;
mod decode;
mod encode;

use std::io::{Read as _, Write};

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::{CHUNK, Output};
use crate::quote;
use crate::system;
use charset::{Charset, NAMES, charset};
use decode::decode;
use encode::Encoder;

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
    let refuse = |what: Vec<u8>| {
        let syntax = Syntax {
            status: 1,
            ..SYNTAX
        };
        options::usage_error(call, &syntax, bytes!(what, " not supported"))
    };
    let (from, to) = match (from, to) {
        (Some(from), Some(to)) => (from, to),
        (None, None) => {
            let both = bytes!(
                "conversions from ",
                name("f"),
                " and to ",
                name("t"),
                " are"
            );
            return Err(refuse(both));
        }
        (None, _) => return Err(refuse(bytes!("conversion from ", name("f"), " is"))),
        (_, None) => return Err(refuse(bytes!("conversion to ", name("t"), " is"))),
    };
    let leave_out = parsed.has("c") || ignore || ignore_input;
    let (input, mut status) = gather(call, &parsed);
    let decoded = decode(from, &input, leave_out);
    let mut encoder = Encoder::new(to, translit, leave_out);
    let mut out = Output::new();
    match parsed.value("o").filter(|file| *file != b"-") {
        Some(file) => {
            let written = system::create_file(file, false)
                .and_then(|mut opened| Ok(convert(&decoded.text, &mut encoder, &mut opened)?));
            written
                .map_err(|failure| call.fail(1, bytes!("unable to open output file: ", failure)))?;
        }
        // The output knows what went wrong until it is finished.
        None => drop(convert(&decoded.text, &mut encoder, &mut out)),
    }
    out.flush();
    let lacks = encoder.lacks;
    if let Some(char) = lacks.filter(|_| !leave_out) {
        // The place is that of the character in the input.
        let before = decoded.text.find(char).unwrap_or(0);
        let mut place = Vec::new();
        Encoder::new(from, false, true).write(&decoded.text[..before], &mut place);
        let message = format!("illegal input sequence at position {}", place.len());
        status = call.fail(1, message);
    } else if lacks.is_some() && !parsed.has("c") {
        status = 1;
    }
    if let Some((at, incomplete)) = decoded.wrong {
        if incomplete {
            status = call.fail(1, "incomplete character or shift sequence at end of buffer");
        } else if !leave_out {
            status = call.fail(1, format!("illegal input sequence at position {at}"));
        } else if !parsed.has("c") {
            status = 1;
        }
    }
    Ok(out.finish("iconv", status, 1))
}

/// Writes the text in pieces, up to a character that the encoding lacks.
fn convert(text: &str, encoder: &mut Encoder, out: &mut dyn Write) -> std::io::Result<()> {
    let mut piece = Vec::with_capacity(2 * CHUNK);
    encoder.start(&mut piece);
    let mut rest = text;
    while !rest.is_empty() {
        let (now, after) = rest.split_at(rest.floor_char_boundary(CHUNK));
        rest = after;
        let goes_on = encoder.write(now, &mut piece);
        out.write_all(&piece)?;
        piece.clear();
        if !goes_on {
            break;
        }
    }
    encoder.end(&mut piece);
    out.write_all(&piece)
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

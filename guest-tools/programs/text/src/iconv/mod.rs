//! `iconv`, with the options, messages and statuses of glibc's: texts from one encoding to another.
//!
//! `charset` knows the names, `decode` reads a text as Unicode, `encode` writes Unicode. Each file is read as a
//! whole; what it becomes has a byte order mark of its own. The output is opened when something is written, so that the
//! first file may be the output as well. Encodings other than those of ASCII, Latin-1
//! and Unicode come from the tables of the WHATWG's Encoding Standard (`encoding_rs`), which differ in places from
//! glibc's.
//!
//! What an encoding lacks is an error, or with `//TRANSLIT` approximated, with `//IGNORE` or `-c` left out. Without
//! an option the encoding is UTF-8. Statuses: 0; 1 for an error in a file; 64 for a wrong command line.

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

/// The encoding of `NAME//TRANSLIT//IGNORE`, none where it is not known, and whether what cannot be written is
/// approximated or left out.
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

/// Reads the command line and converts the files. Both of the results are exit statuses.
fn start(call: &Call) -> Result<i32, i32> {
    let parsed = options::parse(call, &SYNTAX)?;
    if parsed.has("l") {
        let mut out = Output::new();
        for name in NAMES {
            out.line(format!("{name}//"));
        }
        return Ok(out.finish("iconv", 0, 1));
    }
    let (from, ..) = parse(parsed.value("f").unwrap_or_default());
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
    let mut conversion = Conversion {
        call,
        from,
        leaves_out: parsed.has("c") || ignore,
        is_quiet: parsed.has("c"),
        encoder: Encoder::new(to, translit, parsed.has("c") || ignore),
    };
    let mut out = Output::new();
    match parsed.value("o").filter(|file| *file != b"-") {
        Some(file) => {
            let mut target = Target {
                path: file,
                file: None,
                failure: None,
            };
            let status = conversion.all(&parsed, &mut target);
            match target.failure {
                Some(failure) => Err(call.fail(1, bytes!("cannot open output file: ", failure))),
                None => Ok(status),
            }
        }
        None => {
            let status = conversion.all(&parsed, &mut out);
            Ok(out.finish("iconv", status, 1))
        }
    }
}

/// A file that is made when something is written to it.
struct Target<'a> {
    path: &'a [u8],
    file: Option<system::File>,
    /// Why it could not be made.
    failure: Option<system::Failure>,
}

impl Target<'_> {
    /// The file; it is made where it is not open.
    fn open(&mut self) -> system::Result<&mut system::File> {
        let file = match self.file.take() {
            Some(file) => file,
            None => system::create_file(self.path, false)?,
        };
        Ok(self.file.insert(file))
    }
}

impl Write for Target<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self.open() {
            Ok(file) => file.write(bytes),
            Err(failure) => {
                self.failure = Some(failure);
                Err(std::io::ErrorKind::Other.into())
            }
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Files on their way into another encoding.
struct Conversion<'a> {
    call: &'a Call,
    /// The encoding of the input.
    from: Charset,
    /// What cannot be read or written is left out.
    leaves_out: bool,
    /// And nothing is said of it.
    is_quiet: bool,
    /// The output.
    encoder: Encoder,
}

impl Conversion<'_> {
    /// Converts all files, up to the first that has something wrong; gives the status.
    fn all(&mut self, parsed: &Parsed, out: &mut dyn Write) -> i32 {
        let mut status = 0;
        if parsed.operands.is_empty() {
            let mut input = Vec::new();
            if let Err(error) = crate::stream::stdin().lock().read_to_end(&mut input) {
                let reason = system::Failure::from(error);
                return self.call.fail(1, bytes!("unable to read: ", reason));
            }
            status = i32::from(!self.one(&input, out));
        }
        for file in &parsed.operands {
            match system::read_whole(file) {
                Ok(input) if self.one(&input, out) => {}
                Ok(_) => {
                    status = 1;
                    break;
                }
                Err(failure) => {
                    // What was written goes first.
                    drop(out.flush());
                    let message = bytes!("cannot open input file `", file, "': ", failure);
                    status = self.call.fail(1, message);
                }
            }
        }
        let mut rest = Vec::new();
        self.encoder.end(&mut rest);
        // The output knows what went wrong until it is finished.
        drop(out.write_all(&rest));
        status
    }

    /// Converts one input; false where something was wrong with it, after a message. Positions in messages are bytes
    /// of the input.
    fn one(&mut self, input: &[u8], out: &mut dyn Write) -> bool {
        let decoded = decode(self.from, input, self.leaves_out);
        self.encoder.lacks = None;
        if !decoded.text.is_empty() {
            let mut mark = Vec::new();
            self.encoder.start(&mut mark);
            drop(out.write_all(&mark));
        }
        drop(convert(&decoded.text, &mut self.encoder, out));
        drop(out.flush());
        let lacks = self.encoder.lacks;
        let illegal = |at: usize| {
            let message = format!("illegal input sequence at position {at}");
            self.call.fail(1, message);
            false
        };
        match (decoded.wrong, lacks) {
            (_, Some(char)) if !self.leaves_out => {
                // The place is that of the character in the input.
                let before = decoded.text.find(char).unwrap_or(0);
                let mut place = Vec::new();
                Encoder::new(self.from, false, true).write(&decoded.text[..before], &mut place);
                illegal(place.len())
            }
            // What was left out is told of at the end.
            (_, Some(_)) if !self.is_quiet => illegal(input.len()),
            (Some((_, true)), _) => {
                let message = "incomplete character or shift sequence at end of buffer";
                self.call.fail(1, message);
                false
            }
            (Some((at, _)), _) if !self.leaves_out => illegal(at),
            (Some(_), _) if !self.is_quiet => illegal(input.len()),
            _ => true,
        }
    }
}

/// Writes the text in pieces, up to a character that the encoding lacks.
fn convert(text: &str, encoder: &mut Encoder, out: &mut dyn Write) -> std::io::Result<()> {
    let mut piece = Vec::with_capacity(2 * CHUNK);
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
    Ok(())
}

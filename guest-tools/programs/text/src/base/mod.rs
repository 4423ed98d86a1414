//! `base64`, `base32` and `basenc`, after GNU coreutils 9.1: bytes as text, and back.
//!
//! The encodings are those of RFC 4648, bits as digits, and ZeroMQ's Z85. `alphabet` encodes, `decode` decodes; both
//! stream in pieces. A wrong text makes the status 1, after what stands before the error was written.

mod alphabet;
mod decode;

use std::io::{ErrorKind, Read};

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::{CHUNK, Output};
use crate::quote;
use crate::system::{self, Failure};
use alphabet::Alphabet;
use decode::Decoder;

/// Decoding.
const DECODE: Opt = Opt("d", "decode", Value::No);
/// What is no symbol is skipped.
const GARBAGE: Opt = Opt("i", "ignore-garbage", Value::No);
/// How long lines are.
const WRAP: Opt = Opt("w", "wrap", Value::Required);

const SYNTAX: Syntax = Syntax {
    usage: "Usage: base64 [OPTION]... [FILE]\n  or:  base32 [OPTION]... [FILE]\nEncode or decode FILE, or standard input, to standard output.\n\n  -d, --decode          decode data\n  -i, --ignore-garbage  when decoding, ignore non-alphabet characters\n  -w, --wrap=COLS       wrap encoded lines after COLS character (default 76).\n                          Use 0 to disable line wrapping\n",
    options: &[DECODE, GARBAGE, WRAP],
    permute: true,
    status: 1,
};

/// The syntax of `basenc`, whose options choose the encoding; the last one counts.
const SYNTAX_OF_ALL: Syntax = Syntax {
    usage: "Usage: basenc [OPTION]... [FILE]\nEncode or decode FILE, or standard input, to standard output.\n\n      --base64          same as 'base64' program (RFC4648 section 4)\n      --base64url       file- and url-safe base64 (RFC4648 section 5)\n      --base32          same as 'base32' program (RFC4648 section 6)\n      --base32hex       extended hex alphabet base32 (RFC4648 section 7)\n      --base16          hex encoding (RFC4648 section 8)\n      --base2msbf       bit string with most significant bit (msb) first\n      --base2lsbf       bit string with least significant bit (lsb) first\n      --z85             ascii85-like encoding (ZeroMQ spec:32/Z85)\n  -d, --decode          decode data\n  -i, --ignore-garbage  when decoding, ignore non-alphabet characters\n  -w, --wrap=COLS       wrap encoded lines after COLS character (default 76).\n                          Use 0 to disable line wrapping\n",
    options: &[
        Opt("", "base64", Value::No),
        Opt("", "base64url", Value::No),
        Opt("", "base32", Value::No),
        Opt("", "base32hex", Value::No),
        Opt("", "base16", Value::No),
        Opt("", "base2msbf", Value::No),
        Opt("", "base2lsbf", Value::No),
        Opt("", "z85", Value::No),
        DECODE,
        GARBAGE,
        WRAP,
    ],
    permute: true,
    status: 1,
};

/// What the options of `basenc` choose.
const ALPHABETS: &[(&str, &Alphabet)] = &[
    ("base64", &alphabet::BASE64),
    ("base64url", &alphabet::BASE64URL),
    ("base32", &alphabet::BASE32),
    ("base32hex", &alphabet::BASE32HEX),
    ("base16", &alphabet::BASE16),
    ("base2msbf", &alphabet::BASE2MSBF),
    ("base2lsbf", &alphabet::BASE2LSBF),
    ("z85", &alphabet::Z85),
];

/// How many bytes are encoded at a time: whole groups of every alphabet, so that only the last block is filled up.
const BLOCK: usize = 30 * 1024;

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

/// Reads the command line and converts. Both of the results are exit statuses.
fn start(call: &Call) -> Result<i32, i32> {
    let syntax = if call.name == "basenc" {
        &SYNTAX_OF_ALL
    } else {
        &SYNTAX
    };
    let parsed = options::parse(call, syntax)?;
    let columns = columns(call, &parsed)?;
    let refuse = |message: &[u8]| options::usage_error(call, syntax, message);
    if let Some(extra) = parsed.operands.get(1) {
        return Err(refuse(&bytes!("extra operand ", quote::word(extra))));
    }
    let known: Vec<&str> = ALPHABETS.iter().map(|(name, _)| *name).collect();
    let name = match call.name.as_str() {
        "basenc" => parsed.last(&known),
        name => Some(name),
    };
    let named = ALPHABETS.iter().find(|(known, _)| Some(*known) == name);
    let (_, alphabet) = named.ok_or_else(|| refuse(b"missing encoding type"))?;
    let file = parsed.operands.first().map_or(&b"-"[..], Vec::as_slice);
    let input = open(call, file)?;
    let mut out = Output::new();
    let done = if parsed.has("d") {
        decode(input, Decoder::new(alphabet, parsed.has("i")), &mut out)
    } else {
        encode(input, alphabet, columns, &mut out)
    };
    out.flush();
    let status = match done {
        Ok(()) => 0,
        Err(message) => call.fail(1, message),
    };
    Ok(out.finish(&call.name, status, 1))
}

/// After how many symbols a line ends (`-w`); 0 for never.
fn columns(call: &Call, parsed: &Parsed) -> Result<usize, i32> {
    let Some(text) = parsed.value("w") else {
        return Ok(76);
    };
    let digits = text.trim_ascii_start();
    let digits = digits.strip_prefix(b"+").unwrap_or(digits);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        let message = bytes!("invalid wrap size: ", quote::word(text));
        return Err(call.fail(1, message));
    }
    // No line is as long as what does not fit.
    Ok(options::number(digits).unwrap_or(0))
}

/// Opens the input.
fn open(call: &Call, file: &[u8]) -> Result<Box<dyn Read>, i32> {
    system::open_input(file).map_err(|failure| {
        if failure.0 == system::Errno::IsDirectory {
            return call.fail(1, bytes!("read error: ", failure));
        }
        call.fail(1, bytes!(quote::shell_where_needed(file), ": ", failure))
    })
}

/// What is said where reading fails.
fn read_error(error: std::io::Error) -> Vec<u8> {
    bytes!("read error: ", Failure::from(error))
}

/// Reads until the buffer is full or the input ends; gives how much there is.
fn fill(input: &mut dyn Read, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut filled = 0;
    while filled < buffer.len() {
        match input.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

/// Encodes an input, in lines of so many columns; 0 for one line without an end. The error is the message.
fn encode(
    mut input: Box<dyn Read>,
    alphabet: &Alphabet,
    columns: usize,
    out: &mut Output,
) -> Result<(), Vec<u8>> {
    let mut block = vec![0; BLOCK];
    let (mut text, mut lines, mut column) = (Vec::new(), Vec::new(), 0);
    while !out.is_broken() {
        let count = fill(&mut input, &mut block).map_err(read_error)?;
        if !alphabet.padded && count % alphabet.bytes != 0 {
            let message = "invalid input (length must be multiple of 4 characters)";
            return Err(message.into());
        }
        text.clear();
        alphabet.encode(&block[..count], &mut text);
        if columns == 0 {
            out.put(&text);
        } else {
            lines.clear();
            wrap(&text, columns, &mut column, &mut lines);
            out.put(&lines);
        }
        if count < BLOCK {
            break;
        }
    }
    if column > 0 {
        out.put("\n");
    }
    Ok(())
}

/// Ends a line after so many symbols; `column` is how many the line has already.
fn wrap(mut text: &[u8], columns: usize, column: &mut usize, lines: &mut Vec<u8>) {
    while text.len() >= columns - *column {
        let (line, rest) = text.split_at(columns - *column);
        lines.extend_from_slice(line);
        lines.push(b'\n');
        *column = 0;
        text = rest;
    }
    lines.extend_from_slice(text);
    *column += text.len();
}

/// Decodes an input. The error is the message.
fn decode(mut input: Box<dyn Read>, mut decoder: Decoder, out: &mut Output) -> Result<(), Vec<u8>> {
    let mut block = vec![0; CHUNK];
    let mut content = Vec::new();
    while !out.is_broken() {
        let count = input.read(&mut block).map_err(read_error)?;
        content.clear();
        let read = match count {
            0 => decoder.end(&mut content),
            _ => decoder.read(&block[..count], &mut content),
        };
        out.put(&content);
        read.map_err(|_| b"invalid input".to_vec())?;
        if count == 0 {
            break;
        }
    }
    Ok(())
}

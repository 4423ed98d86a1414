//! What the command line asks for.

use super::escape::unescape;
use crate::call::{Call, bytes};
use crate::options::{self, Parsed};
use crate::quote;

/// How entries are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Plain,
    Roff,
    Tex,
}

/// The command line, read.
pub struct Request {
    pub inputs: Vec<Vec<u8>>,
    pub output: Option<Vec<u8>>,
    /// An operand that is too much.
    pub extra: Option<Vec<u8>>,
    pub traditional: bool,
    pub format: Format,
    pub ignore_case: bool,
    /// References are names and line numbers.
    pub automatic: bool,
    /// References are the first fields of lines.
    pub given: bool,
    /// References stand on the right.
    pub right: bool,
    pub width: isize,
    pub gap: isize,
    /// What stands where something is cut.
    pub mark: Vec<u8>,
    pub macro_name: Vec<u8>,
    /// What ends a context; empty where nothing does.
    pub sentence: Vec<u8>,
    pub word: Vec<u8>,
    pub break_file: Option<Vec<u8>>,
    pub ignore_file: Option<Vec<u8>>,
    pub only_file: Option<Vec<u8>>,
}

const SENTENCE: &[u8] = b"[.?!][]\"')}]*\\($\\|\t\\|  \\)[ \t\n]*";

impl Request {
    /// Reads the command line.
    ///
    /// # Errors
    /// The status, after the message.
    pub fn new(call: &Call, parsed: &Parsed) -> Result<Request, i32> {
        let text = |key: &str, default: &str| {
            let given = parsed.value(key).map(unescape);
            given.unwrap_or_else(|| default.as_bytes().to_vec())
        };
        let file = |key: &str| parsed.value(key).map(<[u8]>::to_vec);
        let traditional = parsed.has("G");
        let given = parsed.has("r");
        let sentence = match parsed.value("S") {
            Some(text) => unescape(text),
            None if traditional || given => b"\n".to_vec(),
            None => SENTENCE.to_vec(),
        };
        let width = number(call, parsed.value("w"), "invalid line width: ", 72)?;
        let gap = number(call, parsed.value("g"), "invalid gap width: ", 3)?;
        let further = |at: usize| {
            let operand = parsed.operands.get(at).filter(|_| traditional);
            operand.cloned()
        };
        Ok(Request {
            inputs: inputs(parsed),
            output: further(1),
            extra: further(2),
            traditional,
            format: format(call, parsed)?,
            ignore_case: parsed.has("f"),
            automatic: parsed.has("A"),
            given,
            right: parsed.has("R"),
            width,
            gap,
            mark: text("F", "/"),
            macro_name: parsed.value("M").unwrap_or(b"xx").to_vec(),
            sentence,
            word: text("W", ""),
            break_file: file("b"),
            ignore_file: file("i"),
            only_file: file("o"),
        })
    }

    /// Whether there are references at all.
    pub fn refers(&self) -> bool {
        self.automatic || self.given
    }
}

/// The files that are read.
fn inputs(parsed: &Parsed) -> Vec<Vec<u8>> {
    match parsed.operands.as_slice() {
        [] => vec![Vec::new()],
        [first, ..] if parsed.has("G") => vec![input(first)],
        all => all.iter().map(|name| input(name)).collect(),
    }
}

/// A name; standard input has none.
fn input(name: &[u8]) -> Vec<u8> {
    if name == b"-" {
        Vec::new()
    } else {
        name.to_vec()
    }
}

fn format(call: &Call, parsed: &Parsed) -> Result<Format, i32> {
    let mut format = if parsed.has("G") {
        Format::Roff
    } else {
        Format::Plain
    };
    for (key, value) in &parsed.options {
        format = match *key {
            "O" => Format::Roff,
            "T" => Format::Tex,
            "format" => {
                let names = [vec!["roff"], vec!["tex"]];
                match options::choice(call, "--format", value, &names)? {
                    0 => Format::Roff,
                    _ => Format::Tex,
                }
            }
            _ => format,
        };
    }
    Ok(format)
}

/// A number above 0, as C writes it.
fn number(call: &Call, text: Option<&[u8]>, what: &str, default: isize) -> Result<isize, i32> {
    let Some(text) = text else {
        return Ok(default);
    };
    let bare = text.trim_ascii_start();
    let bare = bare.strip_prefix(b"+").unwrap_or(bare);
    let (digits, radix) = match bare {
        [b'0', b'x' | b'X', digits @ ..] => (digits, 16),
        [b'0', ..] => (bare, 8),
        _ => (bare, 10),
    };
    let digits = std::str::from_utf8(digits).ok();
    let digits = digits.filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()));
    digits
        .and_then(|digits| isize::from_str_radix(digits, radix).ok())
        .filter(|number| *number > 0)
        .ok_or_else(|| call.fail(1, bytes!(what, quote::word(text))))
}

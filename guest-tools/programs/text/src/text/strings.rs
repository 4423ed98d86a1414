//! `strings`, after GNU Binutils: the printable sequences of files.
//!
//! A sequence is made of printable ASCII and tabs, with `-w` of all white space, and has four characters or as many as
//! `-n` says. A character has a byte, or with `-e` two (`l`, `b`) or four (`L`, `B`), the low one or the high one first;
//! for `S` bytes above 127 belong to it. Files are read as a whole, also object files: `-d` changes nothing.
//!
//! ```text
//! strings -t x f     "     1f text": the offset of each in hexadecimal
//! ```

use super::each_file;
use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::output::Output;
use crate::system::{self, Kind};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: strings [option(s)] [file(s)]\n Display printable strings in [file(s)] (stdin by default)\n",
    options: &[
        Opt("a", "all", Value::No),
        Opt("d", "data", Value::No),
        Opt("f", "print-file-name", Value::No),
        Opt("n", "bytes", Value::Required),
        Opt("t", "radix", Value::Required),
        Opt("o", "", Value::No),
        Opt("w", "include-all-whitespace", Value::No),
        Opt("s", "output-separator", Value::Required),
        Opt("e", "encoding", Value::Required),
        Opt("1", "", Value::Optional),
        Opt("2", "", Value::Optional),
        Opt("3", "", Value::Optional),
        Opt("4", "", Value::Optional),
        Opt("5", "", Value::Optional),
        Opt("6", "", Value::Optional),
        Opt("7", "", Value::Optional),
        Opt("8", "", Value::Optional),
        Opt("9", "", Value::Optional),
    ],
    permute: true,
    status: 1,
};

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let mut least = 4;
    for (key, value) in &parsed.options {
        let text = match *key {
            "n" => value.clone(),
            digit if digit.as_bytes()[0].is_ascii_digit() => bytes!(digit, value),
            _ => continue,
        };
        match options::number::<usize>(&text).filter(|&number| number > 0) {
            Some(number) => least = number,
            None => return call.fail(1, bytes!("invalid minimum string length ", text)),
        }
    }
    let radix = if parsed.has("o") {
        Some(&b"o"[..])
    } else {
        parsed.value("t")
    };
    if radix.is_some_and(|radix| !matches!(radix, b"o" | b"d" | b"x")) {
        eprint!("{}", SYNTAX.usage);
        return 1;
    }
    let Some(shape) = Shape::new(parsed.value("e"), parsed.has("w")) else {
        eprint!("{}", SYNTAX.usage);
        return 1;
    };
    let separator = parsed.value("s").unwrap_or(b"\n");
    let mut out = Output::new();
    let mut files = parsed.operands.clone();
    let mut missing = 0;
    files.retain(|file| match system::stat(file, true) {
        _ if file == b"-" => true,
        Err(system::NO_ENTRY) => {
            missing = call.fail(1, bytes!("'", file, "': No such file"));
            false
        }
        Ok(found) if found.kind == Kind::Directory => {
            missing = call.fail(1, bytes!("Warning: '", file, "' is a directory"));
            false
        }
        _ => true,
    });
    if missing != 0 && files.is_empty() {
        return missing;
    }
    let status = each_file(call, &files, "", |name, content| {
        let mut start = 0;
        while let Some((at, text)) = shape.next(content, &mut start) {
            if text.len() >= least {
                if parsed.has("f") {
                    out.put(bytes!(
                        if name == b"-" {
                            b"{standard input}"
                        } else {
                            name
                        },
                        ": "
                    ));
                }
                match radix {
                    Some(b"d") => out.put(format!("{at:7} ")),
                    Some(b"x") => out.put(format!("{at:7x} ")),
                    Some(_) => out.put(format!("{at:7o} ")),
                    None => {}
                }
                out.put(&text);
                out.put(separator);
            }
        }
    });
    out.finish("strings", status.max(missing), 1)
}

/// What characters look like.
struct Shape {
    /// How many bytes one has.
    width: usize,
    /// The high byte comes first.
    big: bool,
    /// Bytes above 127 are printable.
    high: bool,
    /// All white space is printable.
    whitespace: bool,
}

impl Shape {
    /// The encoding of `-e`, if there is one.
    fn new(encoding: Option<&[u8]>, whitespace: bool) -> Option<Shape> {
        let (width, big, high) = match encoding {
            None | Some(b"s") => (1, false, false),
            Some(b"S") => (1, false, true),
            Some(b"l") => (2, false, false),
            Some(b"b") => (2, true, false),
            Some(b"L") => (4, false, false),
            Some(b"B") => (4, true, false),
            Some(_) => return None,
        };
        Some(Shape {
            width,
            big,
            high,
            whitespace,
        })
    }

    /// The character at the start of some bytes, if it is printable.
    fn character(&self, bytes: &[u8]) -> Option<u8> {
        let bytes = bytes.get(..self.width)?;
        let (byte, rest) = match self.big {
            true => bytes.split_last()?,
            false => bytes.split_first()?,
        };
        let printable = matches!(byte, b' '..=b'~' | b'\t')
            || self.whitespace && (byte.is_ascii_whitespace() || *byte == 11)
            || self.high && *byte > 127;
        (printable && rest.iter().all(|&byte| byte == 0)).then_some(*byte)
    }

    /// The next sequence from `at` on, with its place, which `at` is moved behind. After what is no character the next
    /// one may begin at any byte.
    fn next(&self, content: &[u8], at: &mut usize) -> Option<(usize, Vec<u8>)> {
        while self.character(content.get(*at..)?).is_none() {
            *at += 1;
        }
        let start = *at;
        let mut text = Vec::new();
        while let Some(byte) = content.get(*at..).and_then(|rest| self.character(rest)) {
            text.push(byte);
            *at += self.width;
        }
        Some((start, text))
    }
}

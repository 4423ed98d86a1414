//! `strings`, after GNU Binutils: the printable sequences of files.
//!
//! A sequence is made of printable ASCII and tabs, with `-w` of all white space, and has four bytes or as many as
//! `-n` says. Files are read as a whole, also object files: `-d` changes nothing, nor does `-e`.
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
    let separator = parsed.value("s").unwrap_or(b"\n");
    let whitespace = parsed.has("w");
    let printable = |byte: &u8| {
        matches!(byte, b' '..=b'~' | b'\t') || (whitespace && byte.is_ascii_whitespace())
    };
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
        let mut at = 0;
        while at < content.len() {
            let length = content[at..]
                .iter()
                .take_while(|byte| printable(byte))
                .count();
            if length >= least {
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
                out.put(&content[at..at + length]);
                out.put(separator);
            }
            at += length + 1;
        }
    });
    out.finish("strings", status.max(missing), 1)
}

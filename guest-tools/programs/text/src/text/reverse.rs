//! `tac`, after GNU coreutils 9.1: the records of each file backwards. Files are read as a whole.
//!
//! ```text
//! a\nb\nc\n         c\nb\na\n
//! a\nb\nc           cb\na\n        the last record has no separator to bring along
//! ```

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::output::Output;
use crate::pattern::{Dialect, Pattern, Settings};
use crate::system;

const SYNTAX: Syntax = Syntax {
    usage: "Usage: tac [OPTION]... [FILE]...\nWrite each FILE to standard output, last line first.\n",
    options: &[
        Opt("b", "before", Value::No),
        Opt("r", "regex", Value::No),
        Opt("s", "separator", Value::Required),
    ],
    permute: true,
    status: 1,
};

/// Runs `tac`.
pub fn run(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let separator = match parsed.value("s") {
        // As GNU has it, an empty separator is a zero byte.
        Some(b"") if !parsed.has("r") => b"\0",
        Some(separator) => separator,
        None => b"\n",
    };
    let separator = match parsed.has("r") {
        true if separator.is_empty() => return call.fail(1, "separator cannot be empty"),
        true => match Pattern::new(
            &crate::pattern::from_emacs(separator),
            &Settings::new(Dialect::Basic),
        ) {
            Ok(pattern) => Separator::Pattern(pattern),
            Err(message) => return call.fail(1, message),
        },
        false => Separator::Text(separator),
    };
    let mut out = Output::new();
    let standard = [b"-".to_vec()];
    let files = match parsed.operands.as_slice() {
        [] => &standard,
        files => files,
    };
    let mut status = 0;
    for file in files {
        match system::read_whole(file) {
            Ok(content) => reverse(&content, &separator, parsed.has("b"), &mut out),
            Err(failure) => {
                out.flush();
                let file = crate::quote::message(file);
                let message = bytes!("failed to open ", file, " for reading: ", failure);
                status = call.fail(1, message);
            }
        }
    }
    out.finish(&call.name, status, 1)
}

/// What stands between records.
enum Separator<'a> {
    /// A text, a newline by default.
    Text(&'a [u8]),
    /// What a pattern matches (`-r`), in the syntax of Emacs that GNU's compiles it with.
    Pattern(Pattern),
}

/// Writes the records of `content`, the last one first; each has its separator behind it, or with `before` (`-b`) in
/// front of it.
fn reverse(content: &[u8], separator: &Separator, before: bool, out: &mut Output) {
    let mut end = content.len();
    for (start, stop) in separator.places(content) {
        let cut = if before { start } else { stop };
        if before || cut != content.len() {
            out.put(&content[cut..end]);
            end = cut;
        }
    }
    out.put(&content[..end]);
}

impl Separator<'_> {
    /// Where separators stand, the last one first. They are looked for from the end on and do not overlap; a match of
    /// a pattern is the longest one that begins there and ends before the separator behind it.
    fn places(&self, content: &[u8]) -> Vec<(usize, usize)> {
        match self {
            Separator::Text(text) => memchr::memmem::rfind_iter(content, text)
                .map(|at| (at, at + text.len()))
                .collect(),
            Separator::Pattern(pattern) => {
                let mut limit = content.len();
                let mut places = Vec::new();
                for start in starts(pattern, content).into_iter().rev() {
                    let found = pattern.find_at(&content[..limit], start);
                    if let Some((from, to)) = found
                        && from == start
                        && to > from
                    {
                        places.push((from, to));
                        limit = from;
                    }
                }
                places
            }
        }
    }
}

/// Every position at which the pattern matches, from the first to the last.
fn starts(pattern: &Pattern, content: &[u8]) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut next = 0;
    while let Some((from, _)) = pattern.find_at(content, next) {
        starts.push(from);
        next = from + 1;
        if next > content.len() {
            break;
        }
    }
    starts
}

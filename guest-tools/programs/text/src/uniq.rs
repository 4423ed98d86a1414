//! `uniq`, after GNU coreutils 9.1: adjacent lines that are equal.
//!
//! The input streams, in memory of two lines. Lines are compared as bytes; `-f` skips fields, `-s` bytes behind them,
//! `-w` compares at most so many.
//!
//! | Options | Alone | First of equal ones | The others |
//! |---|---|---|---|
//! | none | shown | shown | – |
//! | `-d` | – | shown | – |
//! | `-u` | shown | – | – |
//! | `-D` | – | shown | shown |

use std::io::{self, BufRead, BufReader, Write};

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::{CHUNK, Output};
use crate::quote;
use crate::system::{self, Failure};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: uniq [OPTION]... [INPUT [OUTPUT]]\nFilter adjacent matching lines from INPUT (or standard input),\nwriting to OUTPUT (or standard output).\n",
    options: &[
        Opt("c", "count", Value::No),
        Opt("d", "repeated", Value::No),
        Opt("D", "", Value::No),
        Opt("", "all-repeated", Value::Optional),
        Opt("f", "skip-fields", Value::Required),
        Opt("", "group", Value::Optional),
        Opt("i", "ignore-case", Value::No),
        Opt("s", "skip-chars", Value::Required),
        Opt("u", "unique", Value::No),
        Opt("w", "check-chars", Value::Required),
        Opt("z", "zero-terminated", Value::No),
    ],
    permute: true,
    status: 1,
};

/// Where an empty line stands between groups (`--group`, `--all-repeated`).
#[derive(Clone, Copy, PartialEq, Eq)]
enum Between {
    /// Nowhere.
    Nothing,
    /// Before each group.
    Prepend,
    /// Behind each group.
    Append,
    /// Between two groups.
    Separate,
    /// Before each group, and behind the last one.
    Both,
}

/// Which part of a line is compared.
struct Key {
    /// How many fields are skipped: blanks and what follows them up to the next blank.
    fields: usize,
    /// How many bytes are skipped behind them.
    skip: usize,
    /// How many bytes are compared at most.
    most: usize,
    /// ASCII letters of either case are equal.
    fold: bool,
}

impl Key {
    /// The part of a line that is compared.
    fn of<'a>(&self, line: &'a [u8]) -> &'a [u8] {
        let mut rest = line;
        for _ in 0..self.fields {
            let blank = |byte: &u8| matches!(byte, b' ' | b'\t');
            let start = rest.iter().position(|byte| !blank(byte));
            rest = &rest[start.unwrap_or(rest.len())..];
            rest = &rest[rest.iter().position(blank).unwrap_or(rest.len())..];
        }
        let rest = &rest[self.skip.min(rest.len())..];
        &rest[..self.most.min(rest.len())]
    }

    /// Whether two lines are equal.
    fn same(&self, a: &[u8], b: &[u8]) -> bool {
        let (a, b) = (self.of(a), self.of(b));
        if self.fold {
            a.eq_ignore_ascii_case(b)
        } else {
            a == b
        }
    }
}

/// What the command line asks for.
struct Plan {
    key: Key,
    /// `-c`: each line has the number of equal ones before it.
    count: bool,
    /// Which are shown: lines without an equal one beside them, the first of equal ones, the others.
    shown: [bool; 3],
    /// Between groups of equal lines (`--all-repeated`).
    groups: Between,
    /// Between all groups (`--group`), which shows all lines.
    all: Between,
    /// What ends lines.
    end: u8,
}

/// Runs `uniq`.
pub fn run(call: &Call) -> i32 {
    let call = Call {
        name: call.name.clone(),
        arguments: modern(&call.arguments),
    };
    match options::parse(&call, &SYNTAX).and_then(|parsed| filter(&call, &parsed)) {
        Ok(status) | Err(status) => status,
    }
}

/// The arguments with `-N` as `-f N` and `+N` as `-s N`.
fn modern(arguments: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut options = true;
    let modern = |argument: &Vec<u8>| {
        options &= argument != b"--";
        match argument.as_slice() {
            [b'-', digits @ ..] if options && all_digits(digits) => bytes!("-f", digits),
            [b'+', digits @ ..] if options && all_digits(digits) => bytes!("-s", digits),
            _ => argument.clone(),
        }
    };
    arguments.iter().map(modern).collect()
}

fn all_digits(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_digit)
}

/// What the options ask for. The error is the status, after a message.
fn plan(call: &Call, parsed: &Parsed) -> Result<Plan, i32> {
    let number = |key: &str, what: &str, none: usize| match parsed.value(key) {
        None => Ok(none),
        Some(text) if all_digits(text) => Ok(options::number(text).unwrap_or(usize::MAX)),
        Some(text) => {
            let message = bytes!(quote::message(text), ": invalid number of ", what);
            Err(call.fail(1, message))
        }
    };
    let method = |key: &'static str, none: Between, known: &[(&str, Between)]| {
        let Some(text) = parsed.value(key) else {
            return Ok(Between::Nothing);
        };
        if text.is_empty() {
            return Ok(none);
        }
        let mut found = known
            .iter()
            .filter(|(name, _)| name.as_bytes().starts_with(text));
        match (found.next(), found.next()) {
            (Some((_, method)), None) => Ok(*method),
            _ => {
                let message = bytes!("invalid argument '", text, "' for '--", key, "'");
                Err(options::usage_error(call, &SYNTAX, message))
            }
        }
    };
    let groups = method(
        "all-repeated",
        Between::Nothing,
        &[
            ("none", Between::Nothing),
            ("prepend", Between::Prepend),
            ("separate", Between::Separate),
        ],
    )?;
    let all = method(
        "group",
        Between::Separate,
        &[
            ("separate", Between::Separate),
            ("prepend", Between::Prepend),
            ("append", Between::Append),
            ("both", Between::Both),
        ],
    )?;
    let repeated = parsed.has("D") || parsed.has("all-repeated");
    let (count, first) = (parsed.has("c"), parsed.has("d"));
    if all != Between::Nothing && (count || first || repeated || parsed.has("u")) {
        let message = "--group is mutually exclusive with -c/-d/-D/-u";
        return Err(options::usage_error(call, &SYNTAX, message));
    }
    if count && repeated {
        let message = "printing all duplicated lines and repeat counts is meaningless";
        return Err(options::usage_error(call, &SYNTAX, message));
    }
    Ok(Plan {
        key: Key {
            fields: number("f", "fields to skip", 0)?,
            skip: number("s", "bytes to skip", 0)?,
            most: number("w", "bytes to compare", usize::MAX)?,
            fold: parsed.has("i"),
        },
        count,
        shown: [!first && !repeated, !parsed.has("u"), repeated],
        groups,
        all,
        end: if parsed.has("z") { 0 } else { b'\n' },
    })
}

/// Opens the input and the output, and filters. Both of the results are exit statuses.
fn filter(call: &Call, parsed: &Parsed) -> Result<i32, i32> {
    let plan = plan(call, parsed)?;
    if let Some(extra) = parsed.operands.get(2) {
        let message = bytes!("extra operand ", quote::word(extra));
        return Err(options::usage_error(call, &SYNTAX, message));
    }
    let refuse =
        |name: &[u8], failure: Failure| call.fail(1, bytes!(quote::message(name), ": ", failure));
    let name = parsed.operands.first().map_or(&b"-"[..], Vec::as_slice);
    let input = system::open_input(name).map_err(|failure| refuse(name, failure))?;
    let mut input = BufReader::with_capacity(CHUNK, input);
    let failed = |error: io::Error| refuse(name, error.into());
    match parsed.operands.get(1).filter(|name| *name != b"-") {
        None => {
            let mut out = Output::new();
            plan.run(&mut input, &mut out).map_err(failed)?;
            Ok(out.finish(&call.name, 0, 1))
        }
        Some(target) => {
            let file = system::create_file(target, false);
            let file = file.map_err(|failure| refuse(target, failure))?;
            let mut out = io::BufWriter::with_capacity(CHUNK, file);
            plan.run(&mut input, &mut out)
                .and_then(|()| out.flush())
                .map_err(|error| refuse(target, error.into()))?;
            Ok(0)
        }
    }
}

impl Plan {
    fn run(&self, input: &mut impl BufRead, out: &mut impl Write) -> io::Result<()> {
        if self.shown == [true, true, false] && !self.count {
            self.firsts(input, out)
        } else {
            self.counted(input, out)
        }
    }

    /// The next line without its end; false where there is none.
    fn next(&self, input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
        line.clear();
        let found = input.read_until(self.end, line)? > 0;
        if line.last() == Some(&self.end) {
            line.pop();
        }
        Ok(found)
    }

    /// Passes over the lines at hand that are `line` again, byte for byte, without looking for their ends; how many.
    /// It is what makes long runs fast, and may stop early: at the end of the buffer.
    fn repeats(&self, input: &mut impl BufRead, line: &[u8]) -> io::Result<u64> {
        let length = line.len() + 1;
        let lines = input.fill_buf()?.chunks_exact(length);
        let again = lines.take_while(|next| next.split_last() == Some((&self.end, line)));
        let count = again.count();
        input.consume(count * length);
        Ok(count as u64)
    }

    fn put(&self, line: &[u8], out: &mut impl Write) -> io::Result<()> {
        out.write_all(line)?;
        out.write_all(&[self.end])
    }

    /// The first line of each group, or all lines with the groups apart.
    fn firsts(&self, input: &mut impl BufRead, out: &mut impl Write) -> io::Result<()> {
        use Between as B;
        let (mut last, mut line, mut any) = (Vec::new(), Vec::new(), false);
        while self.next(input, &mut line)? {
            let new = !any || !self.key.same(&last, &line);
            let before = matches!(self.all, B::Prepend | B::Both)
                || any && matches!(self.all, B::Append | B::Separate);
            if new && before {
                out.write_all(&[self.end])?;
            }
            if new || self.all != B::Nothing {
                self.put(&line, out)?;
                std::mem::swap(&mut last, &mut line);
                any = true;
                if self.all == B::Nothing {
                    self.repeats(input, &last)?;
                }
            }
        }
        if any && matches!(self.all, B::Append | B::Both) {
            out.write_all(&[self.end])?;
        }
        Ok(())
    }

    /// Lines chosen by how often they are there.
    fn counted(&self, input: &mut impl BufRead, out: &mut impl Write) -> io::Result<()> {
        let (mut last, mut line) = (Vec::new(), Vec::new());
        if !self.next(input, &mut last)? {
            return Ok(());
        }
        let (mut matches, mut first) = (0_u64, true);
        loop {
            if !self.shown[2] {
                matches += self.repeats(input, &last)?;
            }
            if !self.next(input, &mut line)? {
                break;
            }
            let same = self.key.same(&last, &line);
            matches += u64::from(same);
            if !same {
                first &= matches == 0;
            } else if matches == 1
                && (self.groups == Between::Prepend || self.groups == Between::Separate && !first)
            {
                out.write_all(&[self.end])?;
            }
            if !same || self.shown[2] {
                self.choose(&last, same, matches, out)?;
                std::mem::swap(&mut last, &mut line);
                if !same {
                    matches = 0;
                }
            }
        }
        self.choose(&last, false, matches, out)
    }

    /// Writes a line if it is one of those that are wanted. `matches` is how many equal lines were before it, and
    /// `same` whether the next one is equal.
    fn choose(
        &self,
        line: &[u8],
        same: bool,
        matches: u64,
        out: &mut impl Write,
    ) -> io::Result<()> {
        let [alone, first, later] = self.shown;
        let wanted = match (matches, same) {
            (0, _) => alone,
            (_, false) => first,
            (_, true) => later,
        };
        if !wanted {
            return Ok(());
        }
        if self.count {
            write!(out, "{:7} ", matches + 1)?;
        }
        self.put(line, out)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]
    use super::*;

    #[test]
    fn lines_may_lie_across_buffers() {
        let text = "a\na\na\n\n\nab\nab\nabc\nab\nab\nb\nb";
        for (arguments, wanted) in [
            (&[][..], "a\n\nab\nabc\nab\nb\n"),
            (
                &["-c"],
                "      3 a\n      2 \n      2 ab\n      1 abc\n      2 ab\n      2 b\n",
            ),
            (&["-d"], "a\n\nab\nab\nb\n"),
            (&["-u"], "abc\n"),
            (
                &["-c", "-w1"],
                "      3 a\n      2 \n      5 ab\n      2 b\n",
            ),
            (&["-D"], "a\na\na\n\n\nab\nab\nab\nab\nb\nb\n"),
            (
                &["--all-repeated=separate"],
                "a\na\na\n\n\n\n\nab\nab\n\nab\nab\n\nb\nb\n",
            ),
        ] {
            let call = Call {
                name: "uniq".into(),
                arguments: arguments
                    .iter()
                    .map(|word| word.as_bytes().to_vec())
                    .collect(),
            };
            let parsed = options::parse(&call, &SYNTAX).unwrap();
            let plan = plan(&call, &parsed).unwrap();
            for size in 1..=text.len() {
                let mut out = Vec::new();
                let mut input = BufReader::with_capacity(size, text.as_bytes());
                plan.run(&mut input, &mut out).unwrap();
                assert_eq!(
                    String::from_utf8(out).unwrap(),
                    wanted,
                    "{arguments:?}, {size}"
                );
            }
        }
    }
}

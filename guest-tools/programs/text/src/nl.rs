//! `nl`, after GNU coreutils 9.1: lines with numbers.
//!
//! A line of one, two or three delimiters (`\:`) begins the footer, the body or the header of a page; it becomes an
//! empty line, and numbers begin anew unless `-p` is given. A file that does not end with a newline gets one.
//!
//! ```text
//! nl -b a -n rz -w 3 -s ' '        001 first
//! nl -b pX                         numbers the lines that match X
//! ```

use std::io::{BufRead as _, BufReader};

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::{CHUNK, Output};
use crate::pattern::{Dialect, Pattern, Settings};
use crate::quote;
use crate::system::{self, Failure};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: nl [OPTION]... [FILE]...\nWrite each FILE to standard output, with line numbers added.\n",
    options: &[
        Opt("b", "body-numbering", Value::Required),
        Opt("d", "section-delimiter", Value::Required),
        Opt("f", "footer-numbering", Value::Required),
        Opt("h", "header-numbering", Value::Required),
        Opt("i", "line-increment", Value::Required),
        Opt("l", "join-blank-lines", Value::Required),
        Opt("n", "number-format", Value::Required),
        Opt("p", "no-renumber", Value::No),
        Opt("s", "number-separator", Value::Required),
        Opt("v", "starting-line-number", Value::Required),
        Opt("w", "number-width", Value::Required),
    ],
    permute: true,
    status: 1,
};

/// Which lines of a section have a number.
enum Style {
    /// `a`: all of them; of several empty ones those that `-l` says.
    All,
    /// `t`: those that are not empty.
    Text,
    /// `n`: none.
    None,
    /// `pPATTERN`: those that match a basic regular expression.
    Matching(Pattern),
}

/// The parts of a page, as indexes of `Numbering::styles`.
const HEADER: usize = 0;
const BODY: usize = 1;
const FOOTER: usize = 2;

/// The state of one call.
struct Numbering<'a> {
    call: &'a Call,
    /// Which lines have a number, by part.
    styles: [Style; 3],
    /// The part of the page that the next line is in.
    part: usize,
    /// What begins parts (`-d`); one character has a `:` behind it.
    delimiter: &'a [u8],
    /// `-n`: `ln` left, `rn` right, `rz` right with zeros.
    format: &'a [u8],
    /// `-s`: what stands behind a number.
    separator: &'a [u8],
    /// `-w`: how wide a number is.
    width: usize,
    /// `-v`: the first number of a page.
    start: i64,
    /// The next number; none where it would be too large.
    next: Option<i64>,
    /// `-i`.
    increment: i64,
    /// Numbers begin anew with each part; not with `-p`.
    renumbers: bool,
    /// `-l`: of how many empty lines in a row the last one has a number.
    joined: i64,
    /// How many empty lines there were since the last one.
    empty: i64,
    out: Output,
}

/// Runs `nl`.
pub fn run(call: &Call) -> i32 {
    match options::parse(call, &SYNTAX).and_then(|parsed| number(call, &parsed)) {
        Ok(status) | Err(status) => status,
    }
}

/// Reads the options and numbers the files. Both of the results are exit statuses.
fn number(call: &Call, parsed: &Parsed) -> Result<i32, i32> {
    let whole = |key, what: &str, default, least, most| match parsed.value(key) {
        None => Ok(default),
        Some(text) => options::integer(text, least, most).map_err(|why| {
            let message = bytes!("invalid ", what, ": ", quote::word(text), why);
            call.fail(1, message)
        }),
    };
    let start = whole("v", "starting line number", 1, i64::MIN, i64::MAX)?;
    let increment = whole("i", "line number increment", 1, i64::MIN, i64::MAX)?;
    let joined = whole("l", "line number of blank lines", 1, 1, i64::MAX)?;
    let width = whole("w", "line number field width", 6, 1, i32::MAX.into())?;
    let style = |key, what: &str, default: &'static [u8]| {
        style(call, what, parsed.value(key).unwrap_or(default))
    };
    let styles = [
        style("h", "header", b"n")?,
        style("b", "body", b"t")?,
        style("f", "footer", b"n")?,
    ];
    let format = parsed.value("n").unwrap_or(b"rn");
    if !matches!(format, b"ln" | b"rn" | b"rz") {
        let message = bytes!("invalid line numbering format: ", quote::word(format));
        return Err(options::usage_error(call, &SYNTAX, message));
    }
    let delimiter = match parsed.value("d").unwrap_or(b"\\:") {
        [one] => vec![*one, b':'],
        given => given.to_vec(),
    };
    let mut numbering = Numbering {
        call,
        styles,
        part: BODY,
        delimiter: &delimiter,
        format,
        separator: parsed.value("s").unwrap_or(b"\t"),
        width: usize::try_from(width).unwrap_or(6),
        start,
        next: Some(start),
        increment,
        renumbers: !parsed.has("p"),
        joined,
        empty: 0,
        out: Output::new(),
    };
    let standard = [b"-".to_vec()];
    let names = match parsed.operands.as_slice() {
        [] => &standard[..],
        names => names,
    };
    let mut status = 0;
    for name in names {
        if let Err(failure) = numbering.file(name)? {
            numbering.out.flush();
            let name = quote::shell_where_needed(name);
            status = call.fail(1, bytes!(name, ": ", failure));
        }
        if numbering.out.is_broken() {
            break;
        }
    }
    Ok(numbering.out.finish(&call.name, status, 1))
}

/// A style of `-b`, `-h` or `-f`; `what` names the part for messages.
fn style(call: &Call, what: &str, text: &[u8]) -> Result<Style, i32> {
    match text {
        b"a" => Ok(Style::All),
        b"t" => Ok(Style::Text),
        b"n" => Ok(Style::None),
        [b'p', source @ ..] => {
            let pattern = Pattern::new(source, &Settings::new(Dialect::Basic));
            let pattern = pattern.map_err(|message| call.fail(1, message))?;
            Ok(Style::Matching(pattern))
        }
        _ => {
            let message = bytes!("invalid ", what, " numbering style: ", quote::word(text));
            Err(options::usage_error(call, &SYNTAX, message))
        }
    }
}

impl Numbering<'_> {
    /// Numbers a file; the outer error is the status of one that ended the run.
    fn file(&mut self, name: &[u8]) -> Result<Result<(), Failure>, i32> {
        let mut input = match system::open_input(name) {
            Ok(input) => BufReader::with_capacity(CHUNK, input),
            Err(failure) => return Ok(Err(failure)),
        };
        let mut line = Vec::new();
        loop {
            line.clear();
            match input.read_until(b'\n', &mut line) {
                Ok(0) => return Ok(Ok(())),
                Ok(_) => {}
                Err(error) => return Ok(Err(error.into())),
            }
            if self.out.is_broken() {
                return Ok(Ok(()));
            }
            let line = line.strip_suffix(b"\n").unwrap_or(&line);
            match self.begins(line) {
                Some(part) => {
                    self.part = part;
                    if self.renumbers {
                        self.next = Some(self.start);
                    }
                    self.out.put(b"\n");
                }
                None => self.line(line)?,
            }
        }
    }

    /// The part of a page that a line of delimiters begins; none for other lines.
    fn begins(&self, line: &[u8]) -> Option<usize> {
        let length = self.delimiter.len();
        let count = line.len().checked_div(length)?;
        let delimits = line.len().is_multiple_of(length)
            && line.chunks(length).all(|chunk| chunk == self.delimiter);
        match (delimits, count) {
            (true, 1) => Some(FOOTER),
            (true, 2) => Some(BODY),
            (true, 3) => Some(HEADER),
            _ => None,
        }
    }

    /// Writes a line with its number, or with blanks in its place. The error is the status where the number is too
    /// large.
    fn line(&mut self, line: &[u8]) -> Result<(), i32> {
        let numbered = match &self.styles[self.part] {
            Style::All if self.joined > 1 && line.is_empty() => {
                self.empty += 1;
                self.empty == self.joined
            }
            Style::All => true,
            Style::Text => !line.is_empty(),
            Style::None => false,
            Style::Matching(pattern) => pattern.is_match(line),
        };
        if numbered {
            self.empty = 0;
            let Some(number) = self.next else {
                self.out.flush();
                return Err(self.call.fail(1, "line number overflow"));
            };
            let width = self.width;
            self.out.put(match self.format {
                b"ln" => format!("{number:<width$}"),
                b"rz" => format!("{number:0width$}"),
                _ => format!("{number:>width$}"),
            });
            self.out.put(self.separator);
            self.next = number.checked_add(self.increment);
        } else {
            self.out.put(" ".repeat(self.width + self.separator.len()));
        }
        self.out.put(line);
        self.out.put(b"\n");
        Ok(())
    }
}

//! `datamash`, as GNU datamash 1.7: sums, statistics and other operations on the columns of a text.
//!
//! A run reads the options (`Settings`), then the operands (`plan`), then the header if there is one, and goes through
//! the input once (`files`, `lines` or `groups`). Text is bytes in the C locale: the decimal point is a point, and
//! order is that of bytes.
//!
//! Lines end in a newline or with `-z` in a NUL byte. The exit status is 0, or 1 with one message; what was written
//! before an error stays written.

mod files;
mod groups;
mod input;
mod lines;
mod number;
mod operation;
mod plan;
mod statistics;

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::quote;
use input::Input;
use number::Format;
use plan::{Mode, Plan};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: datamash [OPTION] op [fld] [op fld ...]\nPerforms numeric/string operations on input from stdin.\nA field is a number or, with -H or --header-in, a name; several are written 1,6,8 or 2-8, a pair 2:6.\n\nPrimary operations:\n  groupby, crosstab, transpose, reverse, check\nLine-Filtering operations:\n  rmdup\nPer-Line operations:\n  base64, debase64, md5, sha1, sha224, sha256, sha384, sha512,\n  bin, strbin, round, floor, ceil, trunc, frac,\n  dirname, basename, barename, extname, getnum, cut\nNumeric Grouping operations:\n  sum, min, max, absmin, absmax, range\nTextual/Numeric Grouping operations:\n  count, first, last, rand, unique, collapse, countunique\nStatistical Grouping operations:\n  mean, geomean, harmmean, trimmean, median, q1, q3, iqr, perc,\n  mode, antimode, pstdev, sstdev, pvar, svar, mad, madraw,\n  pskew, sskew, pkurt, skurt, dpo, jarque,\n  scov, pcov, spearson, ppearson\n",
    options: &[
        Opt("C", "skip-comments", Value::No),
        Opt("f", "full", Value::No),
        Opt("g", "group", Value::Required),
        Opt("", "header-in", Value::No),
        Opt("", "header-out", Value::No),
        Opt("H", "headers", Value::No),
        Opt("i", "ignore-case", Value::No),
        Opt("s", "sort", Value::No),
        Opt("", "no-strict", Value::No),
        Opt("", "filler", Value::Required),
        Opt("t", "field-separator", Value::Required),
        Opt("", "format", Value::Required),
        Opt("", "output-delimiter", Value::Required),
        Opt("", "narm", Value::No),
        Opt("R", "round", Value::Required),
        Opt("W", "whitespace", Value::No),
        Opt("z", "zero-terminated", Value::No),
    ],
    permute: true,
    status: 1,
};

/// What ends a run before its time; the exit status is 1.
enum Stop {
    /// A message of `datamash`.
    Message(Vec<u8>),
    /// One after which `--help` is named.
    Usage(&'static str),
}

impl From<String> for Stop {
    fn from(message: String) -> Stop {
        Stop::Message(message.into_bytes())
    }
}

impl From<&str> for Stop {
    fn from(message: &str) -> Stop {
        Stop::Message(message.as_bytes().to_vec())
    }
}

impl From<Vec<u8>> for Stop {
    fn from(message: Vec<u8>) -> Stop {
        Stop::Message(message)
    }
}

/// What the options say; later ones override earlier ones.
struct Settings {
    /// The byte between fields of the input; `None` for runs of blanks (`-W`).
    separator: Option<u8>,
    /// The byte between fields of the output: `--output-delimiter`, else the one of `-t`, else a tab.
    delimiter: u8,
    /// What ends a line, in input and output.
    line_end: u8,
    /// `-C`: lines whose first character but blanks is `#` or `;` are passed over.
    skips_comments: bool,
    /// `-f`: the whole line is printed in front of the results.
    is_full: bool,
    /// The first line has the names of the columns.
    header_in: bool,
    /// A line with the titles of the columns comes first.
    header_out: bool,
    /// `-i`: keys and texts are compared without regard to the case of ASCII letters.
    ignores_case: bool,
    /// `-s`: the input is sorted by its keys before it is grouped.
    sorts: bool,
    /// Lines of different widths are an error for `transpose` and `reverse`.
    is_strict: bool,
    /// What stands for a missing cell.
    filler: Vec<u8>,
    /// `--narm`: missing values are passed over.
    skips_missing: bool,
    /// How numbers are printed: `--format`, `-R`, or `%.14g`.
    format: Format,
}

impl Settings {
    /// Reads the options. The last of `-t` and `-W` counts, and so does the last of `--format` and `-R`.
    fn read(parsed: &Parsed) -> Result<Settings, Stop> {
        let mut settings = Settings {
            separator: Some(b'\t'),
            delimiter: b'\t',
            line_end: if parsed.has("z") { 0 } else { b'\n' },
            skips_comments: parsed.has("C"),
            is_full: parsed.has("f"),
            header_in: parsed.has("H") || parsed.has("header-in"),
            header_out: parsed.has("H") || parsed.has("header-out"),
            ignores_case: parsed.has("i"),
            sorts: parsed.has("s"),
            is_strict: !parsed.has("no-strict"),
            filler: parsed.value("filler").unwrap_or(b"N/A").to_vec(),
            skips_missing: parsed.has("narm"),
            format: Format::default(),
        };
        for (key, value) in &parsed.options {
            let single = || match value[..] {
                [byte] => Ok(byte),
                _ => Err(Stop::from("the delimiter must be a single character")),
            };
            match *key {
                "t" => {
                    settings.separator = Some(single()?);
                    settings.delimiter = single()?;
                }
                "W" => (settings.separator, settings.delimiter) = (None, b'\t'),
                "format" => settings.format = Format::parse(value)?,
                "R" => {
                    let digits = options::number(value).filter(|digits| (1..=50).contains(digits));
                    settings.format = Format::rounded(digits.ok_or_else(|| {
                        bytes!("invalid rounding digits value ", quote::word(value))
                    })?);
                }
                _ => {}
            }
        }
        match parsed.value("output-delimiter") {
            Some([byte]) => settings.delimiter = *byte,
            Some(_) => return Err("the delimiter must be a single character".into()),
            None => {}
        }
        Ok(settings)
    }

    /// Writes fields as a line, with the output's delimiter and end.
    fn write<T: AsRef<[u8]>>(&self, out: &mut Output, fields: impl IntoIterator<Item = T>) {
        for (index, field) in fields.into_iter().enumerate() {
            if index > 0 {
                out.put([self.delimiter]);
            }
            out.put(field);
        }
        out.end_line(self.line_end);
    }

    /// What a text is compared by: itself, or its upper-case form with `-i`.
    fn folded(&self, text: &[u8]) -> Vec<u8> {
        match self.ignores_case {
            true => text.to_ascii_uppercase(),
            false => text.to_vec(),
        }
    }
}

/// Runs `datamash`.
pub fn run(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let mut out = Output::new();
    let status = match work(&parsed, &mut out) {
        Ok(()) => 0,
        Err(stop) => {
            out.flush();
            match stop {
                Stop::Message(message) => call.fail(1, message),
                Stop::Usage(message) => options::usage_error(call, &SYNTAX, message),
            }
        }
    };
    out.finish(&call.name, status, 1)
}

/// Plans and runs the command.
fn work(parsed: &Parsed, out: &mut Output) -> Result<(), Stop> {
    let settings = Settings::read(parsed)?;
    let mut plan = Plan::read(parsed)?;
    let mut input = Input::new(&settings);
    if settings.header_in && plan.has_header() {
        input.read_header()?;
    }
    plan.resolve(&settings, &input)?;
    match &plan.mode {
        Mode::Transpose => files::transpose(&settings, &mut input, out),
        Mode::Reverse => files::reverse(&settings, &mut input, out),
        Mode::Check(wanted) => files::check(wanted, &mut input, out),
        Mode::Unique(field) => files::unique(&settings, &mut input, field, out),
        Mode::Lines => lines::run(&settings, &plan, &mut input, out),
        Mode::Groups => groups::run(&settings, &plan, &mut input, out),
        Mode::Table => groups::table(&settings, &plan, &mut input, out),
    }
}

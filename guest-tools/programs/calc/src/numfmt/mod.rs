//! `numfmt`, after GNU coreutils 9.1: numbers for people, and back.
//!
//! A field goes through these steps: `--suffix` is taken off, `number::parse` reads number and unit (`--from`), the
//! value is multiplied by `--from-unit` and divided by `--to-unit`, rounded (`--round`) and given a unit (`--to`),
//! padded with zeros (`--format`), the suffix is put back, and the result is padded (`--padding`, `--format`).
//!
//! Values are exact fractions where GNU's are `long double`s, so that no digits differ by the errors of those; the
//! limits on the number of digits are GNU's.
//!
//! Statuses: 0; 1 for a wrong command line; 2 where a field could not be converted, unless `--invalid` is `warn` or
//! `ignore`.

mod format;
mod number;

use std::io::BufRead as _;

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::quote;
use format::Format;
use number::{Problem, Ratio, Round, Scale};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: numfmt [OPTION]... [NUMBER]...\nReformat NUMBER(s), or the numbers from standard input if none are specified.\nUNIT is none, si (1K = 1000), iec (1K = 1024), iec-i (1Ki = 1024) or, for --from, auto.\n",
    options: &[
        Opt("", "debug", Value::No),
        Opt("d", "delimiter", Value::Required),
        Opt("", "field", Value::Required),
        Opt("", "format", Value::Required),
        Opt("", "from", Value::Required),
        Opt("", "from-unit", Value::Required),
        Opt("", "grouping", Value::No),
        Opt("", "header", Value::Optional),
        Opt("", "invalid", Value::Required),
        Opt("", "padding", Value::Required),
        Opt("", "round", Value::Required),
        Opt("", "suffix", Value::Required),
        Opt("", "to", Value::Required),
        Opt("", "to-unit", Value::Required),
        Opt("z", "zero-terminated", Value::No),
    ],
    permute: true,
    status: 1,
};

/// What becomes of a field that cannot be converted (`--invalid`). It is written as it was, but for the first.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Invalid {
    /// The command ends there.
    Abort,
    /// A message, and the status becomes 2.
    Fail,
    /// A message alone.
    Warn,
    /// Nothing is said.
    Ignore,
}

/// What the command line asks for.
struct Plan {
    /// What separates fields; without it they are separated by blanks, which belong to the field behind them.
    delimiter: Option<u8>,
    /// The fields that are converted, as ranges whose ends count, from 1.
    fields: Vec<(usize, usize)>,
    format: Format,
    /// The units of the input.
    from: Scale,
    /// The units of the output, never `Auto`.
    to: Scale,
    /// What a number of the input is multiplied by.
    from_unit: u128,
    /// What a number of the output is divided by.
    to_unit: u128,
    /// How many lines of the input pass as they are.
    header: usize,
    invalid: Invalid,
    round: Round,
    /// What numbers may end with in the input, and do in the output.
    suffix: Vec<u8>,
    /// What ends lines.
    end: u8,
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

/// Converts the operands, each as a line of its own, or standard input. Both of the results are exit statuses.
fn start(call: &Call) -> Result<i32, i32> {
    let parsed = options::parse(call, &SYNTAX)?;
    let plan = plan(call, &parsed)?;
    let mut converter = Converter {
        call,
        plan,
        out: Output::new(),
        status: 0,
    };
    if parsed.operands.is_empty() {
        converter.input()?;
    } else {
        for operand in &parsed.operands {
            converter.line(operand, true)?;
        }
    }
    let status = converter.status;
    Ok(converter.out.finish(&call.name, status, 1))
}

/// The index of an option's value among those that it may have; 0 where the option is not given. A value may be
/// abbreviated.
fn choose(call: &Call, parsed: &Parsed, key: &str, values: &[&str]) -> Result<usize, i32> {
    match parsed.value(key) {
        None => Ok(0),
        Some(given) => {
            let values: Vec<Vec<&str>> = values.iter().map(|value| vec![*value]).collect();
            options::choice(call, &format!("--{key}"), given, &values)
        }
    }
}

/// What `--round` asks for.
fn rounding(call: &Call, parsed: &Parsed) -> Result<Round, i32> {
    const NAMES: [&str; 5] = ["up", "down", "from-zero", "towards-zero", "nearest"];
    const ROUNDS: [Round; 5] = [
        Round::Up,
        Round::Down,
        Round::FromZero,
        Round::ToZero,
        Round::Nearest,
    ];
    match parsed.value("round") {
        None => Ok(Round::FromZero),
        Some(_) => Ok(ROUNDS[choose(call, parsed, "round", &NAMES)?]),
    }
}

/// How numbers are written: `--format`, with the padding of `--padding` where it has none.
fn format(call: &Call, parsed: &Parsed, padding: isize) -> Result<Format, i32> {
    let mut format = match parsed.value("format") {
        None => Format::default(),
        Some(text) => Format::parse(text).map_err(|problem| {
            let (before, after) = problem.parts();
            call.fail(1, bytes!(before, quote::word(text), after))
        })?,
    };
    if format.padding == 0 {
        format.padding = padding;
    }
    Ok(format)
}

/// What the command line asks for.
fn plan(call: &Call, parsed: &Parsed) -> Result<Plan, i32> {
    let choose = |key: &str, values: &[&str]| choose(call, parsed, key, values);
    const SCALES: [Scale; 5] = [Scale::None, Scale::Si, Scale::Iec, Scale::IecI, Scale::Auto];
    let to = SCALES[choose("to", &["none", "si", "iec", "iec-i"])?];
    let from = match choose("from", &["none", "auto", "si", "iec", "iec-i"])? {
        0 => Scale::None,
        1 => Scale::Auto,
        other => SCALES[other - 1],
    };
    let invalid = [
        Invalid::Abort,
        Invalid::Fail,
        Invalid::Warn,
        Invalid::Ignore,
    ][choose("invalid", &["abort", "fail", "warn", "ignore"])?];
    let round = rounding(call, parsed)?;
    let refuse = |what: &str, text: &[u8]| call.fail(1, bytes!(what, quote::word(text)));
    let unit = |key: &str| match parsed.value(key) {
        None => Ok(1),
        Some(text) => number::unit(text).ok_or_else(|| refuse("invalid unit size: ", text)),
    };
    let (from_unit, to_unit) = (unit("from-unit")?, unit("to-unit")?);
    let header = match parsed.value("header") {
        None => 0,
        Some(b"") => 1,
        Some(text) => options::number(text)
            .filter(|lines| *lines > 0)
            .ok_or_else(|| refuse("invalid header value ", text))?,
    };
    let padding = match parsed.value("padding") {
        None => 0,
        Some(text) => options::number(text)
            .filter(|width: &isize| *width != 0)
            .ok_or_else(|| refuse("invalid padding value ", text))?,
    };
    let delimiter = match parsed.value("d") {
        None => None,
        Some([byte]) => Some(*byte),
        Some(_) => return Err(call.fail(1, "the delimiter must be a single character")),
    };
    let format = format(call, parsed, padding)?;
    let grouping = parsed.has("grouping") || format.grouping;
    if parsed.has("grouping") && parsed.has("format") {
        return Err(call.fail(1, "--grouping cannot be combined with --format"));
    }
    if grouping && to != Scale::None {
        return Err(call.fail(1, "grouping cannot be combined with --to"));
    }
    let converts = from != Scale::None || to != Scale::None || grouping || padding != 0;
    if parsed.has("debug") && !converts && !parsed.has("format") {
        call.fail(0, "no conversion option specified");
    }
    Ok(Plan {
        delimiter,
        fields: fields(call, parsed)?,
        format,
        from,
        to,
        from_unit,
        to_unit,
        header,
        invalid,
        round,
        suffix: parsed.value("suffix").unwrap_or_default().to_vec(),
        end: if parsed.has("z") { 0 } else { b'\n' },
    })
}

/// The fields that are converted, as ranges: `2,4-5,7-` gives (2, 2), (4, 5) and (7, MAX), and no option the first
/// field.
fn fields(call: &Call, parsed: &Parsed) -> Result<Vec<(usize, usize)>, i32> {
    if parsed
        .options
        .iter()
        .filter(|(key, _)| *key == "field")
        .count()
        > 1
    {
        return Err(call.fail(1, "multiple field specifications"));
    }
    let Some(list) = parsed.value("field") else {
        return Ok(vec![(1, 1)]);
    };
    let refuse = |message: Vec<u8>| options::usage_error(call, &SYNTAX, message);
    let number = |text: &[u8]| match options::number::<usize>(text) {
        Some(0) => Err(refuse(b"fields are numbered from 1".to_vec())),
        Some(number) => Ok(number),
        None => Err(refuse(bytes!("invalid field value ", quote::word(text)))),
    };
    let mut ranges = Vec::new();
    for part in list.split(|byte| b", \t".contains(byte)) {
        ranges.push(match memchr::memchr(b'-', part) {
            None => {
                let field = number(part)?;
                (field, field)
            }
            Some(at) => {
                let (first, last) = (&part[..at], &part[at + 1..]);
                let first = if first.is_empty() { 1 } else { number(first)? };
                let last = if last.is_empty() {
                    usize::MAX
                } else {
                    number(last)?
                };
                if last < first {
                    return Err(refuse(b"invalid decreasing range".to_vec()));
                }
                (first, last)
            }
        });
    }
    Ok(ranges)
}

/// Converts lines.
struct Converter<'a> {
    call: &'a Call,
    plan: Plan,
    out: Output,
    status: i32,
}

impl Converter<'_> {
    /// Converts standard input, in memory of its longest line.
    fn input(&mut self) -> Result<(), i32> {
        let mut input = std::io::stdin().lock();
        let (mut line, mut header) = (Vec::new(), self.plan.header);
        loop {
            line.clear();
            let read = input.read_until(self.plan.end, &mut line);
            let length = read.map_err(|error| {
                let failure = crate::system::Failure::from(error);
                self.call.fail(1, bytes!("error reading input: ", failure))
            })?;
            if length == 0 || self.out.is_broken() {
                return Ok(());
            }
            let ended = line.last() == Some(&self.plan.end);
            line.truncate(length - usize::from(ended));
            if header > 0 {
                header -= 1;
                self.out.put(&line);
                self.out.end_line(self.plan.end);
            } else {
                self.line(&line, ended)?;
            }
        }
    }

    /// Converts the fields of a line that are wanted. `ended` is whether its end was there, and is written again.
    fn line(&mut self, line: &[u8], ended: bool) -> Result<(), i32> {
        let (mut rest, mut number) = (line, 0);
        loop {
            number += 1;
            let length = self.field_length(rest);
            let (field, after) = rest.split_at(length);
            let is_wanted = |(first, last): &(usize, usize)| (*first..=*last).contains(&number);
            if self.plan.fields.iter().any(is_wanted) {
                self.field(field, number)?;
            } else {
                self.out.put(field);
            }
            let Some((_, next)) = after.split_first() else {
                break;
            };
            self.out.put([self.plan.delimiter.unwrap_or(b' ')]);
            rest = next;
        }
        if ended {
            self.out.end_line(self.plan.end);
        }
        Ok(())
    }

    /// The length of the field that a text begins with: up to the delimiter, or its blanks and what follows up to the
    /// next one.
    fn field_length(&self, text: &[u8]) -> usize {
        let end = match self.plan.delimiter {
            Some(delimiter) => memchr::memchr(delimiter, text),
            None => {
                let is_blank = |byte: &u8| b" \t\n".contains(byte);
                let blanks = text.iter().take_while(|byte| is_blank(byte)).count();
                let end = text[blanks..].iter().position(is_blank);
                end.map(|end| blanks + end)
            }
        };
        end.unwrap_or(text.len())
    }

    /// Converts a field. Without `--padding` and `--delimiter` it keeps the width that it had with its blanks, so
    /// that columns stay below each other.
    ///
    /// # Errors
    /// Status 2, after a message, where the field cannot be converted and `--invalid` is `abort`.
    fn field(&mut self, text: &[u8], number: usize) -> Result<(), i32> {
        let bare = text.trim_ascii_start();
        let auto = self.plan.format.padding == 0 && self.plan.delimiter.is_none();
        let width = if auto && (number > 1 || bare.len() < text.len()) {
            text.len() as isize
        } else {
            self.plan.format.padding
        };
        match self.converted(bare) {
            Ok(mut shown) => {
                shown.extend_from_slice(&self.plan.suffix);
                self.plan.format.write(&shown, width, &mut self.out);
                Ok(())
            }
            Err(message) => {
                if self.plan.invalid != Invalid::Ignore {
                    self.out.flush();
                    self.call.fail(2, message);
                }
                match self.plan.invalid {
                    Invalid::Abort => return Err(2),
                    Invalid::Fail => self.status = 2,
                    Invalid::Warn | Invalid::Ignore => {}
                }
                self.out.put(text);
                Ok(())
            }
        }
    }

    /// What a number without blanks becomes, without the suffix. The error is a message.
    fn converted(&self, text: &[u8]) -> Result<Vec<u8>, Vec<u8>> {
        let plan = &self.plan;
        let has_suffix = !plan.suffix.is_empty() && text.len() > plan.suffix.len();
        let bare = text.strip_suffix(plan.suffix.as_slice());
        let text = bare.filter(|_| has_suffix).unwrap_or(text);
        let shown = quote::word(text);
        let (value, precision) =
            number::parse(text, plan.from).map_err(|problem| match problem {
                Problem::Number => bytes!("invalid number: ", shown),
                Problem::TooLarge => bytes!("value too large to be converted: ", shown),
                Problem::Forbidden => bytes!(
                    "rejecting suffix in input: ",
                    shown,
                    " (consider using --from)"
                ),
                Problem::Suffix => bytes!("invalid suffix in input: ", shown),
                Problem::MissingI => {
                    bytes!("missing 'i' suffix in input: ", shown, " (e.g Ki/Mi/Gi)")
                }
                Problem::Rest(rest) => {
                    bytes!("invalid suffix in input ", shown, ": ", quote::word(&rest))
                }
            })?;
        let value = value.times(plan.from_unit, plan.to_unit);
        self.shown(&value, precision)
    }

    /// The text of a value. `precision` is how many digits the input had after its point, which are kept where
    /// neither a format nor a unit says otherwise.
    ///
    /// # Errors
    /// The message where a number without a unit has more than 18 digits, or one with a unit more than 32.
    fn shown(&self, value: &Ratio, precision: usize) -> Result<Vec<u8>, Vec<u8>> {
        const MOST_PLAIN: usize = 18;
        const MOST: usize = 32;
        let plan = &self.plan;
        let digits = value.power(10);
        let precision = plan.format.precision.unwrap_or(precision);
        if plan.to == Scale::None && digits + precision > MOST_PLAIN {
            let shown = value.scientific();
            let (what, more) = if precision > 0 {
                ("value/precision", format!("/{precision}"))
            } else {
                ("value", String::new())
            };
            let text =
                format!("{what} too large to be printed: '{shown}{more}' (consider using --to)");
            return Err(text.into_bytes());
        }
        if digits > MOST {
            let shown = value.scientific();
            let text =
                format!("value too large to be printed: '{shown}' (cannot handle values > 999Y)");
            return Err(text.into_bytes());
        }
        let given = plan.format.precision;
        let text = if plan.to == Scale::None {
            value.rounded(precision, plan.round).fixed(precision)
        } else {
            value.scaled(plan.to, given, plan.round)
        };
        Ok(plan.format.zero_padded(text, plan.to).into_bytes())
    }
}

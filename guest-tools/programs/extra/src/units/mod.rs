//! `units`, in the manner of GNU units: converts between units of measure.
//!
//! An expression becomes a number and the powers of eight base units (`value`); two expressions convert where the
//! powers are the same, or with a note where one is the reciprocal of the other. `table` has the definitions, `parse`
//! the grammar.
//!
//! ```text
//! units '60 mph' km/h              * 96.56064
//!                                  / 0.010356186
//! units -t 'tempF(98.6)' tempC     37
//! units 10000s 'hour;min;sec'      2 hour + 46 min + 40 sec
//! units -t 's' Hz                  conformability error (-t is strict), status 1
//! ```
//!
//! Results are doubles with eight significant digits by default. Currencies are not in the table, and there are no
//! files of definitions. The status is 1 where one of the conversions failed.

mod parse;
mod table;
mod value;

use std::io::BufRead as _;

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value as Takes};
use crate::output::Output;
use parse::Problem;
use table::Scale;
use value::Value;

const SYNTAX: Syntax = Syntax {
    usage: "Usage: units [OPTION]... ['FROM-UNIT' ['TO-UNIT']]\nConvert between units: units '60 mph' km/h, units 'tempF(98.6)' tempC, units 10000s 'hour;min;sec'.\nWith FROM-UNIT alone its definition is shown; without units, pairs of lines are read from standard input.\n",
    options: &[
        Opt("1", "one-line", Takes::No),
        Opt("d", "digits", Takes::Required),
        Opt("q", "quiet", Takes::No),
        Opt("", "silent", Takes::No),
        Opt("s", "strict", Takes::No),
        Opt("t", "terse", Takes::No),
        Opt("v", "verbose", Takes::No),
        Opt("", "compact", Takes::No),
    ],
    permute: false,
    status: 1,
};

/// What the options ask for, and the output.
struct Plan {
    out: Output,
    /// How many significant digits are shown, 1 to 17.
    digits: usize,
    /// `-t`: the result alone.
    terse: bool,
    /// Without the inverse factor.
    one: bool,
    /// No conversion to the reciprocal.
    strict: bool,
    /// `-v`: whole equations.
    verbose: bool,
    /// Without indentation and signs in front of the factors.
    compact: bool,
    /// Asks for what it reads.
    prompts: bool,
}

/// Runs `units`.
pub fn run(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let mut plan = match plan(call, &parsed) {
        Ok(plan) => plan,
        Err(status) => return status,
    };
    let texts: Vec<_> = parsed
        .operands
        .iter()
        .map(|word| String::from_utf8_lossy(word))
        .collect();
    let status = match texts.as_slice() {
        [] => plan.interact(),
        [from] => plan.answer(from, None),
        [from, to] => plan.answer(from, Some(to)),
        _ => {
            return options::usage_error(
                call,
                &SYNTAX,
                "Too many arguments (maybe you need quotes).",
            );
        }
    };
    plan.out.finish("units", status, 1)
}

/// Reads the options. `-t` implies `-1`, `-s` and `--compact`.
fn plan(call: &Call, parsed: &Parsed) -> Result<Plan, i32> {
    let digits = match parsed.value("d") {
        None => 8,
        Some(b"max") => 17,
        Some(text) => match options::number(text) {
            Some(digits @ 1..=17) => digits,
            _ => return Err(call.fail(1, bytes!("invalid number of digits: ", text))),
        },
    };
    let terse = parsed.has("t");
    Ok(Plan {
        out: Output::new(),
        digits,
        terse,
        one: terse || parsed.has("1"),
        strict: terse || parsed.has("s"),
        verbose: parsed.has("v") && !terse,
        compact: terse || parsed.has("compact"),
        prompts: !terse && !parsed.has("q") && !parsed.has("silent"),
    })
}

impl Plan {
    /// Reads pairs of lines from standard input: what there is, and what is wanted; an empty second line asks for the
    /// definition.
    fn interact(&mut self) -> i32 {
        let mut lines = std::io::stdin().lock().lines().map_while(Result::ok);
        if self.prompts {
            self.out.line(format!("{} units", table::count()));
            self.out.line("");
        }
        let mut status = 0;
        loop {
            self.ask("You have: ");
            let Some(from) = lines.next() else { break };
            if from.trim().is_empty() {
                continue;
            }
            self.ask("You want: ");
            let to = match lines.next() {
                Some(to) => Some(to).filter(|to| !to.trim().is_empty()),
                None if self.prompts => break,
                None => None,
            };
            status |= self.answer(&from, to.as_deref());
        }
        if self.prompts {
            self.out.line("");
        }
        status
    }

    /// Prints a prompt, unless `-q` or `-t` is given.
    fn ask(&mut self, question: &str) {
        if self.prompts {
            self.out.put(question);
            self.out.flush();
        }
    }

    /// Converts or defines, prints the result or what is wrong, and gives the status.
    fn answer(&mut self, from: &str, to: Option<&str>) -> i32 {
        match self.convert(from.trim(), to.map(str::trim)) {
            Ok(status) => status,
            Err((Problem::Unknown(name), _)) => {
                self.out.line(format!("Unknown unit '{name}'"));
                1
            }
            Err((problem, text)) => {
                self.out.line(format!("Error in '{text}': {problem}"));
                1
            }
        }
    }

    /// Converts `from` into `to`; without `to` shows the definition. An empty `to` stands for 1.
    ///
    /// # Errors
    /// What is wrong with an expression, and that expression.
    fn convert(&mut self, from: &str, to: Option<&str>) -> Result<i32, (Problem, String)> {
        let value = |text: &str| parse::parse(text).map_err(|problem| (problem, text.to_owned()));
        let Some(to) = to else {
            return self.define(from);
        };
        let have = value(from)?;
        if let Some(scale) = Scale::named(to) {
            let Some(degrees) = scale.degrees(have) else {
                return Ok(self.refuse(have, scale.kelvin(0.0)));
            };
            self.line(&number(degrees, self.digits));
            return Ok(0);
        }
        if to.contains(';') {
            return self.spread(have, to);
        }
        let want = value(if to.is_empty() { "1" } else { to })?;
        let (have, reciprocal) = if have.powers == want.powers {
            (have, false)
        } else if !self.strict && have.inverse().powers == want.powers {
            (have.inverse(), true)
        } else {
            return Ok(self.refuse(have, want));
        };
        let factor = have.number / want.number;
        let (shown, inverse) = (
            number(factor, self.digits),
            number(1.0 / factor, self.digits),
        );
        if reciprocal {
            self.line("reciprocal conversion");
        }
        if self.verbose {
            let left = if reciprocal {
                format!("1 / {from}")
            } else {
                from.to_owned()
            };
            self.line(&format!("{left} = {shown} {to}"));
            if !self.one {
                self.line(&format!("{left} = (1 / {inverse}) {to}"));
            }
        } else {
            let star = if self.compact { "" } else { "* " };
            self.line(&format!("{star}{shown}"));
            if !self.one {
                let slash = if self.compact { "" } else { "/ " };
                self.line(&format!("{slash}{inverse}"));
            }
        }
        Ok(0)
    }

    /// Results are indented, but for terse ones.
    fn line(&mut self, text: &str) {
        let indent = if self.compact { "" } else { "\t" };
        self.out.line(format!("{indent}{text}"));
    }

    /// Reports two values that do not convert, and gives the status 1.
    fn refuse(&mut self, have: Value, want: Value) -> i32 {
        self.out.line("conformability error");
        if !self.terse {
            self.out.line(format!("\t{}", have.shown(self.digits)));
            self.out.line(format!("\t{}", want.shown(self.digits)));
        }
        1
    }

    /// Shows what an expression is in base units, behind its definition where it is a unit's name: `Definition: 60 min
    /// = 3600 s`.
    fn define(&mut self, text: &str) -> Result<i32, (Problem, String)> {
        let value = parse::parse(text).map_err(|problem| (problem, text.to_owned()))?;
        let value = value.shown(self.digits);
        let definition =
            table::definition(text).filter(|definition| definition.parse::<f64>().is_err());
        let definition = definition.map_or(String::new(), |found| format!("{found} = "));
        let label = if self.terse {
            ""
        } else {
            "        Definition: "
        };
        self.out.line(format!("{label}{definition}{value}"));
        Ok(0)
    }

    /// Shows a value as a sum of several units: whole numbers of all but the last one. Terms of 0 are left out unless
    /// `-t`.
    fn spread(&mut self, have: Value, to: &str) -> Result<i32, (Problem, String)> {
        let names: Vec<&str> = to
            .split(';')
            .map(str::trim)
            .filter(|name| !name.is_empty())
            .collect();
        let mut left = have.number;
        let mut parts = Vec::new();
        for (at, name) in names.iter().enumerate() {
            let unit = parse::parse(name).map_err(|problem| (problem, (*name).to_owned()))?;
            if unit.powers != have.powers {
                return Ok(self.refuse(have, unit));
            }
            let mut count = left / unit.number;
            if at + 1 < names.len() {
                // What rounding took from a whole number is given back.
                count = (count + count.abs() * 1e-12).trunc();
            }
            left -= count * unit.number;
            if left.abs() < have.number.abs() * 1e-12 {
                left = 0.0;
            }
            let shown = number(count, self.digits);
            if self.terse {
                parts.push(shown);
            } else if count != 0.0 {
                parts.push(format!("{shown} {name}"));
            }
        }
        if self.terse {
            self.line(&parts.join(";"));
            return Ok(0);
        }
        if parts.is_empty() {
            parts.extend(names.last().map(|name| format!("0 {name}")));
        }
        self.line(&parts.join(" + "));
        Ok(0)
    }
}

/// A number as `%.8g` prints it, with `digits` in the place of 8.
fn number(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    if !value.is_finite() {
        return value.to_string().to_lowercase();
    }
    let scientific = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trimmed = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if exponent < -4 || exponent >= digits as i32 {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trimmed(mantissa), exponent.abs());
    }
    let places = (digits as i32 - 1 - exponent).max(0) as usize;
    trimmed(&format!("{value:.places$}"))
}

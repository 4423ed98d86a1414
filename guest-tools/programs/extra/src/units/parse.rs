//! Expressions of units: `9.81 m/s^2`, `3 ft + 2 in`, `tempF(98.6)`, `1|2 cup`.
//!
//! A parser by recursive descent. From loose to tight:
//!
//! | level | operators | example |
//! |---|---|---|
//! | `sum` | `+` `-` | `1 m + 2 cm` |
//! | `product` | `*` `/` `per` | `m/s`, `km per hour` |
//! | `juxtaposed` | none | `kg m / s s` is `kg m/(s s)` |
//! | `signed` | `+` `-` in front | `-3 m` |
//! | `powered` | `^` `**` | `s^-2`, `m^(1/2)` |
//! | `primary` | `( )`, numbers and their `\|`, names | `1\|3`, `sqrt(4 m^2)` |
//!
//! A digit behind a unit is its power (`m2`). Definitions are expressions as well and are parsed anew whenever a name
//! is used; `DEPTH` bounds how deep these and brackets nest.

use super::table::{self, Scale};
use super::value::Value;

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// No unit, prefix or function has this name.
    Unknown(String),
    /// The text is no expression, or is nested too deep.
    Parse,
    /// A sum of different kinds, as `1 m + 1 s`.
    Conformability,
    /// A root whose powers are not whole, as `sqrt(m)`.
    Root,
    /// An exponent or an argument of a function has a unit.
    Unitless,
    /// A division by zero.
    Divide,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Problem::Unknown(name) => write!(f, "Unknown unit '{name}'"),
            Problem::Parse => f.write_str("Parse error"),
            Problem::Conformability => f.write_str("Illegal sum of non-conformable units"),
            Problem::Root => f.write_str("Unit not a root"),
            Problem::Unitless => f.write_str("Unit not dimensionless"),
            Problem::Divide => f.write_str("Division by zero"),
        }
    }
}

/// How deep definitions and brackets may nest: the table is no deeper than ten.
const DEPTH: u32 = 60;

/// The value of an expression.
pub fn parse(text: &str) -> Result<Value, Problem> {
    nested(text, 0)
}

/// The value of an expression within others, which are `depth` levels deep. The text has to be used up.
pub fn nested(text: &str, depth: u32) -> Result<Value, Problem> {
    let mut parser = Parser {
        rest: text.trim_start(),
        depth,
    };
    let value = parser.sum()?;
    if parser.rest.is_empty() {
        Ok(value)
    } else {
        Err(Problem::Parse)
    }
}

/// A parser; blanks in front of `rest` are skipped already.
struct Parser<'a> {
    /// What is not parsed yet.
    rest: &'a str,
    /// How many definitions and brackets are around this place.
    depth: u32,
}

impl Parser<'_> {
    /// Takes a sign and the blanks behind it, where it comes next.
    fn take(&mut self, sign: &str) -> bool {
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    /// A word of its own, such as `per`.
    fn word(&mut self, word: &str) -> bool {
        let next = self.rest.strip_prefix(word).map(|rest| rest.chars().next());
        match next {
            Some(next) if !next.is_some_and(|c| c.is_alphanumeric() || c == '_') => self.take(word),
            _ => false,
        }
    }

    fn sum(&mut self) -> Result<Value, Problem> {
        let mut left = self.product()?;
        loop {
            let sign = if self.take("+") {
                1.0
            } else if self.take("-") {
                -1.0
            } else {
                return Ok(left);
            };
            let right = self.product()?;
            if left.powers != right.powers {
                return Err(Problem::Conformability);
            }
            left.number += sign * right.number;
        }
    }

    /// Quotients from left to right: `a/b/c` is `(a/b)/c`, and `/s` is `1/s`.
    fn product(&mut self) -> Result<Value, Problem> {
        // `/s` is `1/s`.
        let mut left = if self.rest.starts_with('/') {
            Value::plain(1.0)
        } else {
            self.juxtaposed()?
        };
        loop {
            if self.rest.starts_with("**") {
                return Err(Problem::Parse);
            }
            if self.take("*") {
                left = left.times(self.juxtaposed()?);
            } else if self.take("/") || self.word("per") {
                let right = self.juxtaposed()?;
                if right.number == 0.0 {
                    return Err(Problem::Divide);
                }
                left = left.times(right.inverse());
            } else {
                return Ok(left);
            }
        }
    }

    /// What stands side by side; it is multiplied before anything is divided, so `1/2 m` is `1/(2 m)`.
    fn juxtaposed(&mut self) -> Result<Value, Problem> {
        let mut left = self.signed()?;
        while let Some(first) = self.rest.chars().next() {
            let begins = first.is_alphanumeric()
                || !first.is_ascii()
                || matches!(first, '(' | '.' | '%' | '_');
            if !begins || self.rest.starts_with("per ") {
                break;
            }
            left = left.times(self.powered()?);
        }
        Ok(left)
    }

    fn signed(&mut self) -> Result<Value, Problem> {
        let mut sign = 1.0;
        loop {
            if self.take("-") {
                sign = -sign;
            } else if !self.take("+") {
                break;
            }
        }
        let mut value = self.powered()?;
        value.number *= sign;
        Ok(value)
    }

    /// A power. A unit's exponent has to be a whole number or one divided by a whole number.
    fn powered(&mut self) -> Result<Value, Problem> {
        let base = self.primary()?;
        if !(self.take("^") || self.take("**")) {
            return Ok(base);
        }
        let exponent = self.signed()?;
        if !exponent.is_plain() {
            return Err(Problem::Unitless);
        }
        let n = exponent.number;
        if base.is_plain() {
            return Ok(Value::plain(base.number.powf(n)));
        }
        if n.fract() == 0.0 && n.abs() < 1000.0 {
            return Ok(base.power(n as i32));
        }
        let root = 1.0 / n;
        if root.fract() == 0.0 && root.abs() < 1000.0 {
            return base.root(root as i32).ok_or(Problem::Root);
        }
        Err(Problem::Root)
    }

    /// A bracket, a number, or a name.
    fn primary(&mut self) -> Result<Value, Problem> {
        if self.depth > DEPTH {
            return Err(Problem::Parse);
        }
        if self.take("(") {
            return self.bracketed();
        }
        match self.rest.chars().next() {
            Some(c) if c.is_ascii_digit() || c == '.' => {
                let mut value = Value::plain(self.number()?);
                while self.take("|") {
                    value.number /= self.number()?;
                }
                Ok(value)
            }
            Some(c) if c.is_alphabetic() || !c.is_ascii() || matches!(c, '%' | '_') => self.name(),
            _ => Err(Problem::Parse),
        }
    }

    /// What is left of `( … )`.
    fn bracketed(&mut self) -> Result<Value, Problem> {
        self.depth += 1;
        let value = self.sum()?;
        self.depth -= 1;
        if self.take(")") {
            Ok(value)
        } else {
            Err(Problem::Parse)
        }
    }

    /// A decimal number with an optional exponent; `2e` is 2 and the unit `e`.
    fn number(&mut self) -> Result<f64, Problem> {
        let bytes = self.rest.as_bytes();
        let digits = |from: usize| {
            let more = bytes[from..]
                .iter()
                .take_while(|byte| byte.is_ascii_digit());
            from + more.count()
        };
        let mut end = digits(0);
        if bytes.get(end) == Some(&b'.') {
            end = digits(end + 1);
        }
        if let Some(b'e' | b'E') = bytes.get(end) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let after = digits(end + 1 + sign);
            if after > end + 1 + sign {
                end = after;
            }
        }
        let number = self.rest[..end].parse().map_err(|_| Problem::Parse)?;
        self.rest = self.rest[end..].trim_start();
        Ok(number)
    }

    /// A unit, a function, or a unit with its power: `m2`.
    fn name(&mut self) -> Result<Value, Problem> {
        let end = self
            .rest
            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '%' | '°')))
            .unwrap_or(self.rest.len());
        let name = &self.rest[..end];
        self.rest = &self.rest[end..];
        if self.rest.starts_with('(')
            && let Some(value) = self.function(name)?
        {
            return Ok(value);
        }
        self.rest = self.rest.trim_start();
        if let Some(value) = table::unit(name, self.depth)? {
            return Ok(value);
        }
        let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
        match (
            name[stem.len()..].parse::<i32>(),
            table::unit(stem, self.depth)?,
        ) {
            (Ok(power @ 2..=9), Some(value)) => Ok(value.power(power)),
            _ => Err(Problem::Unknown(name.to_owned())),
        }
    }

    /// The value of a function; none where no function has that name.
    fn function(&mut self, name: &str) -> Result<Option<Value>, Problem> {
        let scale = Scale::named(name);
        let root = match name {
            "sqrt" => Some(2),
            "cuberoot" => Some(3),
            _ => None,
        };
        let plain: Option<fn(f64) -> f64> = match name {
            "exp" => Some(f64::exp),
            "ln" => Some(f64::ln),
            "log" => Some(f64::log10),
            "log2" => Some(f64::log2),
            "sin" => Some(f64::sin),
            "cos" => Some(f64::cos),
            "tan" => Some(f64::tan),
            "asin" => Some(f64::asin),
            "acos" => Some(f64::acos),
            "atan" => Some(f64::atan),
            "abs" => Some(f64::abs),
            "round" => Some(f64::round),
            "floor" => Some(f64::floor),
            "ceil" => Some(f64::ceil),
            _ => None,
        };
        if scale.is_none() && root.is_none() && plain.is_none() {
            return Ok(None);
        }
        self.take("(");
        let argument = self.bracketed()?;
        if let Some(n) = root {
            return argument.root(n).map(Some).ok_or(Problem::Root);
        }
        if !argument.is_plain() {
            return Err(Problem::Unitless);
        }
        if let Some(scale) = scale {
            return Ok(Some(scale.kelvin(argument.number)));
        }
        Ok(plain.map(|plain| Value::plain(plain(argument.number))))
    }
}

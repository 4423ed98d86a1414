//! `expr`, after GNU coreutils 9.1.
//!
//! Each argument is one token, and a value is a string or a number: a string of digits counts as a number where one
//! is needed. From the loosest operator to the tightest, all associating to the left:
//!
//! ```text
//! |     &     < <= = == != >= >     + -     * / %     :     match substr index length +
//! ```
//!
//! The right side of `|` and `&` is parsed in any case; where the left side decides, its errors of value (not those
//! of syntax) are left out: `expr 1 '|' 1 / 0` is 1. Parsing recurses for parentheses, at most 200 deep.
//!
//! Numbers have any length.
//!
//! Statuses: 0; 1 where the value is null (the empty string or a zero); 2 for an error in the expression; 3 where it
//! cannot be written.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_traits::Zero as _;

use crate::call::{Call, bytes};
use crate::output::Output;
use crate::pattern::{Dialect, Pattern, Settings};
use crate::quote;

/// Runs the command. `--help` and `--version` count only as the single argument.
pub fn run(call: &Call) -> i32 {
    let mut words = call.arguments.as_slice();
    match words.first().map(Vec::as_slice) {
        Some(b"--help") if words.len() == 1 => {
            println!("Usage: expr EXPRESSION\nPrint the value of EXPRESSION.");
            return 0;
        }
        Some(b"--version") if words.len() == 1 => {
            print!("{}", crate::model::version("expr"));
            return 0;
        }
        Some(b"--") => words = &words[1..],
        _ => {}
    }
    if words.is_empty() {
        call.fail(2, "missing operand");
        eprintln!("Try 'expr --help' for more information.");
        return 2;
    }
    let mut parser = Parser {
        words,
        at: 0,
        depth: 0,
        skipping: false,
    };
    let value = parser.or().and_then(|value| match parser.peek() {
        None => Ok(value),
        Some(word) => Err(bytes!(
            "syntax error: unexpected argument ",
            quote::word(word)
        )),
    });
    match value {
        Ok(value) => {
            let status = i32::from(value.is_null());
            let mut out = Output::new();
            out.line(value.text());
            out.finish(&call.name, status, 3)
        }
        Err(message) => call.fail(2, message),
    }
}

/// A value.
#[derive(Clone, Debug)]
enum Term {
    /// An argument, or what a function gave.
    Text(Vec<u8>),
    /// What an operator gave.
    Number(BigInt),
}

impl Term {
    /// The value as text.
    fn text(&self) -> Vec<u8> {
        match self {
            Term::Text(text) => text.clone(),
            Term::Number(number) => number.to_string().into_bytes(),
        }
    }

    /// The value as a number: digits, with a `-` before them or not; none for other text, such as `+1`, ` 1` and the
    /// empty one.
    fn number(&self) -> Option<BigInt> {
        match self {
            Term::Number(number) => Some(number.clone()),
            Term::Text(text) => {
                let digits = text.strip_prefix(b"-").unwrap_or(text);
                let plain = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
                if plain {
                    std::str::from_utf8(text).ok()?.parse().ok()
                } else {
                    None
                }
            }
        }
    }

    /// Whether it is null: the empty string, or zeros with a `-` before them or not.
    fn is_null(&self) -> bool {
        let text = self.text();
        let digits = text.strip_prefix(b"-").unwrap_or(&text);
        text.is_empty() || (!digits.is_empty() && digits.iter().all(|&byte| byte == b'0'))
    }
}

/// The error is a message.
type Outcome = Result<Term, Vec<u8>>;

/// How deep parentheses may nest.
const MOST_NESTED: usize = 200;

/// Parses and evaluates in one pass: each function reads the operators of its level and gives the value.
struct Parser<'a> {
    words: &'a [Vec<u8>],
    /// The index of the next word.
    at: usize,
    depth: usize,
    /// Whether what is read no longer matters: the other side of `|` or `&` has decided.
    skipping: bool,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a [u8]> {
        self.words.get(self.at).map(Vec::as_slice)
    }

    /// Takes the next word where it is one of `operators`.
    fn take(&mut self, operators: &[&str]) -> Option<&'a [u8]> {
        let word = self.peek()?;
        let known = operators.iter().any(|operator| operator.as_bytes() == word);
        self.at += usize::from(known);
        known.then_some(word)
    }

    /// Takes a word, which must be there.
    fn next(&mut self) -> Result<&'a [u8], Vec<u8>> {
        let word = self.peek().ok_or_else(|| {
            let last = self.words.last().map(Vec::as_slice).unwrap_or_default();
            bytes!("syntax error: missing argument after ", quote::word(last))
        })?;
        self.at += 1;
        Ok(word)
    }

    /// `|`: the left side if it is not null, else the right one, else 0.
    fn or(&mut self) -> Outcome {
        let mut left = self.and()?;
        while self.take(&["|"]).is_some() {
            let right = self.side(!left.is_null(), Self::and)?;
            if left.is_null() {
                left = if right.is_null() {
                    Term::Number(BigInt::ZERO)
                } else {
                    right
                };
            }
        }
        Ok(left)
    }

    /// The right side of an operator, only read where the left one decides.
    fn side(&mut self, decided: bool, read: fn(&mut Self) -> Outcome) -> Outcome {
        let before = self.skipping;
        self.skipping |= decided;
        let right = read(self);
        self.skipping = before;
        right
    }

    /// What an operation gives, where it matters.
    fn value(&self, operation: impl FnOnce() -> Outcome) -> Outcome {
        match self.skipping {
            true => Ok(Term::Number(BigInt::ZERO)),
            false => operation(),
        }
    }

    /// `&`: the left side if neither is null, else 0.
    fn and(&mut self) -> Outcome {
        let mut left = self.comparison()?;
        while self.take(&["&"]).is_some() {
            let right = self.side(left.is_null(), Self::comparison)?;
            if left.is_null() || right.is_null() {
                left = Term::Number(BigInt::ZERO);
            }
        }
        Ok(left)
    }

    /// Comparisons, of numbers where both sides are some, else of bytes; 1 or 0.
    fn comparison(&mut self) -> Outcome {
        let mut left = self.sum()?;
        while let Some(operator) = self.take(&["<", "<=", "=", "==", "!=", ">=", ">"]) {
            let right = self.sum()?;
            let order = match (left.number(), right.number()) {
                (Some(left), Some(right)) => left.cmp(&right),
                _ => left.text().cmp(&right.text()),
            };
            let holds = match operator {
                b"<" => order == Ordering::Less,
                b"<=" => order != Ordering::Greater,
                b"=" | b"==" => order == Ordering::Equal,
                b"!=" => order != Ordering::Equal,
                b">=" => order != Ordering::Less,
                _ => order == Ordering::Greater,
            };
            left = Term::Number(u8::from(holds).into());
        }
        Ok(left)
    }

    fn sum(&mut self) -> Outcome {
        let mut left = self.product()?;
        while let Some(operator) = self.take(&["+", "-"]) {
            let right = self.product()?;
            left = self.value(|| arithmetic(&left, operator[0], &right))?;
        }
        Ok(left)
    }

    fn product(&mut self) -> Outcome {
        let mut left = self.matching()?;
        while let Some(operator) = self.take(&["*", "/", "%"]) {
            let right = self.matching()?;
            left = self.value(|| arithmetic(&left, operator[0], &right))?;
        }
        Ok(left)
    }

    /// `TEXT : PATTERN`.
    fn matching(&mut self) -> Outcome {
        let mut left = self.function()?;
        while self.take(&[":"]).is_some() {
            let right = self.function()?;
            left = self.value(|| matched(&left.text(), &right.text()))?;
        }
        Ok(left)
    }

    /// The functions of GNU, whose arguments are functions or primaries. `+ WORD` is the word as text, whatever it
    /// means.
    fn function(&mut self) -> Outcome {
        let Some(name) = self.take(&["+", "length", "match", "index", "substr"]) else {
            return self.primary();
        };
        if name == b"+" {
            return Ok(Term::Text(self.next()?.to_vec()));
        }
        let subject = self.function()?.text();
        match name {
            b"length" => Ok(Term::Number(characters(&subject).len().into())),
            b"match" => {
                let pattern = self.function()?.text();
                self.value(|| matched(&subject, &pattern))
            }
            b"index" => {
                let set = self.function()?.text();
                let set = characters(&set);
                let found = characters(&subject)
                    .iter()
                    .position(|one| set.contains(one));
                Ok(Term::Number(found.map_or(0, |at| at + 1).into()))
            }
            _ => {
                let (start, length) = (self.function()?, self.function()?);
                Ok(Term::Text(substring(
                    &subject,
                    start.number(),
                    length.number(),
                )))
            }
        }
    }

    /// A word, or an expression in parentheses.
    fn primary(&mut self) -> Outcome {
        match self.next()? {
            b"(" => {
                self.depth += 1;
                if self.depth > MOST_NESTED {
                    return Err(b"expression nested too deeply".to_vec());
                }
                let inner = self.or()?;
                self.depth -= 1;
                match self.peek() {
                    Some(b")") => self.at += 1,
                    Some(word) => {
                        let word = quote::word(word);
                        return Err(bytes!("syntax error: expecting ')' instead of ", word));
                    }
                    None => {
                        let last = quote::word(&self.words[self.at - 1]);
                        return Err(bytes!("syntax error: expecting ')' after ", last));
                    }
                }
                Ok(inner)
            }
            b")" => Err(b"syntax error: unexpected ')'".to_vec()),
            word => Ok(Term::Text(word.to_vec())),
        }
    }
}

/// What `+`, `-`, `*`, `/` or `%` gives. Division cuts towards zero, and a remainder has the sign of the left side.
///
/// # Errors
/// A side that is no number, or a division by zero.
fn arithmetic(left: &Term, operator: u8, right: &Term) -> Outcome {
    let (Some(left), Some(right)) = (left.number(), right.number()) else {
        return Err(b"non-integer argument".to_vec());
    };
    Ok(Term::Number(match operator {
        b'+' => left + right,
        b'-' => left - right,
        b'*' => left * right,
        _ if right.is_zero() => return Err(b"division by zero".to_vec()),
        b'/' => left / right,
        _ => left % right,
    }))
}

/// The characters of UTF-8, as byte strings; a byte that is in none is one of its own.
fn characters(text: &[u8]) -> Vec<&[u8]> {
    let mut found = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (character, after) = rest.split_at(crate::pattern::character_length(rest));
        found.push(character);
        rest = after;
    }
    found
}

/// The characters from `start`, counted from 1, at most `length` of them; nothing where one of the two is no positive
/// number.
fn substring(text: &[u8], start: Option<BigInt>, length: Option<BigInt>) -> Vec<u8> {
    let zero = BigInt::ZERO;
    match (start, length) {
        (Some(start), Some(length)) if start > zero && length > zero => {
            let skip = usize::try_from(start - 1u8).unwrap_or(usize::MAX);
            let take = usize::try_from(length).unwrap_or(usize::MAX);
            characters(text)
                .into_iter()
                .skip(skip)
                .take(take)
                .collect::<Vec<_>>()
                .concat()
        }
        _ => Vec::new(),
    }
}

/// `:` and `match`: the first group of a match at the start of the text, or how many characters it has if the pattern
/// has no group. Without a match that is the empty string or 0. The pattern is a basic regular expression.
///
/// ```text
/// expr abc : 'a.'         2
/// expr abc : '.\(.\)'     b
/// expr abc : 'b'          0
/// ```
///
/// # Errors
/// The message where the pattern is none.
fn matched(text: &[u8], pattern: &[u8]) -> Outcome {
    let settings = Settings::new(Dialect::Basic);
    let anchored = if pattern.first() == Some(&b'^') {
        pattern.to_vec()
    } else {
        bytes!("^", pattern)
    };
    // `^*` matches a star: what stood at the start still does.
    let anchored = if pattern.first() == Some(&b'*') {
        bytes!("^\\", pattern)
    } else {
        anchored
    };
    let compiled = Pattern::new(&anchored, &settings).map_err(String::into_bytes)?;
    let groups = compiled.groups_at(text, 0);
    if compiled.group_count() > 0 {
        let group = groups.and_then(|groups| groups[1]);
        return Ok(Term::Text(
            group.map_or(Vec::new(), |(from, to)| text[from..to].to_vec()),
        ));
    }
    let length = groups
        .and_then(|groups| groups[0])
        .map_or(0, |(from, to)| characters(&text[from..to]).len());
    Ok(Term::Number(length.into()))
}

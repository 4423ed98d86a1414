//! The functions that awk has built in, gawk's included. The parser has checked the number of arguments
//! (`Builtin::arity`), so that required ones may be indexed.
//!
//! Positions and lengths count characters in a UTF-8 locale and bytes with `-b`.

mod calendar;
mod replace;
mod sort;

use std::rc::Rc;

use super::format;
use super::interpreter::{Interpreter, Outcome, fail};
use super::random::Random;
use super::record::{Span, Splitter};
use super::tree::*;
use super::value::{Array, Value, looks_numeric, non_decimal};
use crate::pattern::character_length;
use crate::system::Time;

impl<'p> Interpreter<'p> {
    /// Calls a function that awk has built in, with its arguments not yet evaluated: some take arrays, regular
    /// expressions or what can be assigned to.
    pub(super) fn builtin(
        &mut self,
        builtin: Builtin,
        arguments: &'p [Expression],
    ) -> Outcome<Value> {
        use Builtin as B;
        let number = |value: f64| Ok(Value::Number(value));
        match builtin {
            B::Length => self.length(arguments.first()),
            B::Substr => self.substr(arguments),
            B::Index => number(self.index(arguments)?),
            B::Split | B::Patsplit => self.split_text(builtin, arguments),
            B::Sub | B::Gsub => self.substitute(builtin == B::Gsub, arguments),
            B::Gensub => self.gensub(arguments),
            B::Match => self.match_text(arguments),
            B::Sprintf => Ok(Value::text(self.formatted(arguments)?)),
            B::Tolower | B::Toupper => {
                let text = self.text(&arguments[0])?;
                Ok(Value::text(case(&text, builtin == B::Toupper)))
            }
            B::Asort | B::Asorti => self.sort_array(builtin == B::Asorti, arguments),
            B::Close => number(self.close(arguments)?),
            B::Fflush => number(self.flush(arguments.first())?),
            B::System => {
                let command = self.text(&arguments[0])?;
                match self.streams.system(&command) {
                    Ok(status) => number(f64::from(status)),
                    Err(_) => number(-1.0),
                }
            }
            B::Isarray | B::Typeof => self.kind(builtin, &arguments[0]),
            B::Strftime => self.strftime(arguments),
            B::Mktime => {
                let text = self.text(&arguments[0])?;
                let universal = match arguments.get(1) {
                    Some(flag) => self.eval(flag)?.is_true(),
                    None => false,
                };
                number(calendar::mktime(&text, universal))
            }
            B::Mkbool => {
                let value = self.eval(&arguments[0])?;
                Ok(Value::bool(value.is_true()))
            }
            B::Bindtextdomain | B::Dcgettext | B::Dcngettext => {
                self.untranslated(arguments, builtin == B::Dcngettext)
            }
            B::Systime => number(Time::now().seconds as f64),
            _ => number(self.mathematics(builtin, arguments)?),
        }
    }

    /// `index`: where a part begins, counted from 1; 0 where it is not there. IGNORECASE holds.
    fn index(&mut self, arguments: &'p [Expression]) -> Outcome<f64> {
        let (text, part) = (self.text(&arguments[0])?, self.text(&arguments[1])?);
        let at = if self.ignore_case {
            find_folded(&text, &part)
        } else {
            memchr::memmem::find(&text, &part)
        };
        Ok(at.map_or(0.0, |at| self.characters(&text[..at]) as f64 + 1.0))
    }

    /// `close`: the exit status of the stream, or of the one end of it that is named (`"to"`, `"from"`); -1, with
    /// ERRNO, where it is not open.
    fn close(&mut self, arguments: &'p [Expression]) -> Outcome<f64> {
        let name = self.text(&arguments[0])?;
        if let Some(end) = arguments.get(1) {
            let end = self.text(end)?;
            return match end.to_ascii_lowercase().as_slice() {
                b"to" => Ok(f64::from(self.streams.close_end(&name, true))),
                b"from" => Ok(f64::from(self.streams.close_end(&name, false))),
                _ => fail("close: second argument must be `to' or `from'"),
            };
        }
        let status = self.streams.close(&name);
        if status == -1 {
            let reason = "close of redirection that was never opened";
            self.set_variable(Place::Global(ERRNO), Value::text(reason))?;
        }
        Ok(f64::from(status))
    }

    /// `fflush`: one stream, or all of them where none is named.
    fn flush(&mut self, name: Option<&'p Expression>) -> Outcome<f64> {
        if let Some(name) = name {
            let name = self.text(name)?;
            if !name.is_empty() {
                if self.streams.flush_one(&name) {
                    return Ok(0.0);
                }
                let shown = String::from_utf8_lossy(&name);
                self.warn(&format!(
                    "fflush: `{shown}' is not an open file, pipe or co-process"
                ));
                return Ok(-1.0);
            }
        }
        self.streams.flush();
        Ok(0.0)
    }

    /// gettext's functions: there are no catalogs of messages, so the first text comes back, or the
    /// second as the plural.
    fn untranslated(&mut self, arguments: &'p [Expression], has_plural: bool) -> Outcome<Value> {
        let mut texts = Vec::with_capacity(arguments.len());
        for argument in arguments {
            texts.push(self.eval(argument)?);
        }
        let is_plural = has_plural && texts[2].number() != 1.0;
        let text = texts.swap_remove(usize::from(is_plural));
        Ok(Value::Text(text.to_text(&self.convert)))
    }

    /// Functions of numbers. Arguments out of a function's domain give a warning and what C gives; `rand` begins with
    /// the sequence of seed 1 unless `srand` was called.
    fn mathematics(&mut self, builtin: Builtin, arguments: &'p [Expression]) -> Outcome<f64> {
        use Builtin as B;
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(self.eval(argument)?);
        }
        self.check_bits(builtin, &values)?;
        let first = values.first().map_or(0.0, Value::number);
        let second = values.get(1).map_or(0.0, Value::number);
        let bits = |value: &Value| value.number() as u64;
        Ok(match builtin {
            B::Sin => first.sin(),
            B::Cos => first.cos(),
            B::Atan2 => first.atan2(second),
            B::Exp => {
                let power = first.exp();
                if power.is_infinite() && first.is_finite() {
                    self.warn(&format!("exp: argument {} is out of range", general(first)));
                }
                power
            }
            B::Log | B::Sqrt => {
                let name = if builtin == B::Log { "log" } else { "sqrt" };
                if first < 0.0 {
                    let shown = general(first);
                    self.warn(&format!("{name}: received negative argument {shown}"));
                }
                if builtin == B::Log {
                    first.ln()
                } else {
                    first.sqrt()
                }
            }
            B::Int => first.trunc(),
            B::Rand => {
                let first = || Random::new(1);
                self.random.get_or_insert_with(first).next()
            }
            B::Srand => {
                let old = self.seed;
                self.seed = if values.is_empty() {
                    Time::now().seconds as f64
                } else {
                    first
                };
                self.random = Some(Random::new(self.seed as i64 as u32));
                old
            }
            B::And => exact(values.iter().map(bits).fold(u64::MAX, |a, b| a & b)),
            B::Or => exact(values.iter().map(bits).fold(0, |a, b| a | b)),
            B::Xor => exact(values.iter().map(bits).fold(0, |a, b| a ^ b)),
            B::Lshift => exact((first as u64).checked_shl(second as u32).unwrap_or(0)),
            B::Rshift => exact((first as u64).checked_shr(second as u32).unwrap_or(0)),
            B::Compl => exact(!(first as u64)),
            _ if matches!(values[0], Value::Number(_)) => first,
            _ => {
                let text = values[0].to_text(&self.convert);
                non_decimal(&text).map_or(first, |(number, _)| number)
            }
        })
    }

    /// How many characters a text has, or bytes with `-b`.
    fn characters(&self, text: &[u8]) -> usize {
        if self.bytes {
            text.len()
        } else {
            characters(text)
        }
    }

    /// `length`: of a text, or the number of elements of an array.
    fn length(&mut self, argument: Option<&'p Expression>) -> Outcome<Value> {
        let text = match argument {
            None => self.whole_record(),
            Some(element @ (Expression::Element(..) | Expression::Nested(..))) => {
                // The subscript is evaluated once, whatever the element is.
                let (array, key) = self.element(element)?;
                let found = array.borrow_mut().entry(key).or_default().clone();
                if let Value::Array(inner) = found {
                    return Ok(Value::Number(inner.borrow().len() as f64));
                }
                found.to_text(&self.convert)
            }
            Some(argument) => {
                if let Some(array) = self.existing_array(argument)? {
                    let length = array.borrow().len();
                    return Ok(Value::Number(length as f64));
                }
                self.text(argument)?
            }
        };
        Ok(Value::Number(self.characters(&text) as f64))
    }

    /// `substr`: fractions are cut, a start before 1 is 1, as gawk has it.
    ///
    /// ```text
    /// substr("hello", 2, 3)  ell        substr("hello", 0, 2)  he
    /// substr("hello", 4)     lo         substr("hello", 2, -1) (empty)
    /// ```
    fn substr(&mut self, arguments: &'p [Expression]) -> Outcome<Value> {
        let text = self.text(&arguments[0])?;
        // A start before the text is its beginning; the length stays what it is.
        let first = self.eval(&arguments[1])?.number().trunc().max(1.0);
        let end = match arguments.get(2) {
            None => f64::INFINITY,
            Some(length) => first + self.eval(length)?.number().trunc(),
        };
        if end.is_nan() || end <= first {
            return Ok(Value::text(Vec::new()));
        }
        let (skip, take) = ((first - 1.0) as usize, (end - first) as usize);
        if self.bytes || text.is_ascii() {
            let from = skip.min(text.len());
            let to = from.saturating_add(take).min(text.len());
            return Ok(Value::text(&text[from..to]));
        }
        let from = advance(&text, 0, skip);
        let to = advance(&text, from, take);
        Ok(Value::text(&text[from..to]))
    }

    /// `split` and `patsplit`: fills an array from 1 with the parts, another with what is between them, and gives their
    /// number.
    fn split_text(&mut self, builtin: Builtin, arguments: &'p [Expression]) -> Outcome<Value> {
        let text = self.text(&arguments[0])?;
        let array = self.array_of(&arguments[1])?;
        let splitter = match (builtin, arguments.get(2)) {
            (Builtin::Patsplit, None) => {
                let source = self.scalar_global(FPAT).to_text(b"");
                let source = if source.is_empty() {
                    Rc::new(b"[^ \t\n]+".to_vec())
                } else {
                    source
                };
                Splitter::Content(self.pattern(&source)?)
            }
            (Builtin::Patsplit, Some(by)) => Splitter::Content(self.pattern_of(by)?),
            (_, None) => {
                let by = self.scalar_global(FS).to_text(b"");
                self.splitter(&by, false)?
            }
            (_, Some(by @ (Expression::Regex(_) | Expression::TypedRegex(_)))) => {
                let pattern = self.pattern_of(by)?;
                match pattern.source().is_empty() {
                    true => Splitter::Characters,
                    false => Splitter::Pattern(pattern),
                }
            }
            (_, Some(by)) => {
                let by = self.text(by)?;
                self.splitter(&by, false)?
            }
        };
        let separators = arguments
            .get(3)
            .map(|array| self.array_of(array))
            .transpose()?;
        let mut spans = Vec::new();
        splitter.split(&text, &mut spans);
        fill(&array, &text, &spans);
        if let Some(separators) = separators {
            fill_gaps(&separators, &text, &spans, &splitter);
        }
        Ok(Value::Number(spans.len() as f64))
    }

    /// `match`: position of the leftmost longest match, or 0. Sets RSTART and RLENGTH, and fills an array with the
    /// groups, `[n]`, `[n, "start"]` and `[n, "length"]`.
    fn match_text(&mut self, arguments: &'p [Expression]) -> Outcome<Value> {
        let text = self.text(&arguments[0])?;
        let pattern = self.pattern_of(&arguments[1])?;
        let array = arguments
            .get(2)
            .map(|array| self.array_of(array))
            .transpose()?;
        let groups = match array {
            None => pattern.find_at(&text, 0).map(|span| vec![Some(span)]),
            Some(_) => pattern.groups_at(&text, 0),
        };
        let (start, length) = match groups.as_ref().and_then(|groups| groups[0]) {
            None => (0.0, -1.0),
            Some((from, to)) => (
                self.characters(&text[..from]) as f64 + 1.0,
                self.characters(&text[from..to]) as f64,
            ),
        };
        self.set_variable(Place::Global(RSTART), Value::Number(start))?;
        self.set_variable(Place::Global(RLENGTH), Value::Number(length))?;
        if let Some(array) = array {
            let mut array = array.borrow_mut();
            array.clear();
            for (index, group) in groups.iter().flatten().enumerate() {
                let Some((from, to)) = group else { continue };
                let key = |suffix: &[u8]| {
                    let mut key = index.to_string().into_bytes();
                    if !suffix.is_empty() {
                        key.extend_from_slice(&self.subscript_gap);
                        key.extend_from_slice(suffix);
                    }
                    Rc::new(key)
                };
                array.insert(key(b""), Value::input(&text[*from..*to]));
                let start = self.characters(&text[..*from]) as f64 + 1.0;
                array.insert(key(b"start"), Value::Number(start));
                let length = self.characters(&text[*from..*to]) as f64;
                array.insert(key(b"length"), Value::Number(length));
            }
        }
        Ok(Value::Number(start))
    }

    /// Refuses negative arguments of the bit functions, in gawk's words.
    fn check_bits(&self, builtin: Builtin, values: &[Value]) -> Outcome<()> {
        use Builtin as B;
        let name = match builtin {
            B::And => "and",
            B::Or => "or",
            B::Xor => "xor",
            B::Compl => "compl",
            B::Lshift => "lshift",
            B::Rshift => "rshift",
            _ => return Ok(()),
        };
        let negative = |value: &&Value| value.number() < 0.0;
        let Some(value) = values.iter().find(negative) else {
            return Ok(());
        };
        let shown = value.to_text(b"%g");
        let shown = String::from_utf8_lossy(&shown).into_owned();
        let first = values.first().map_or(0.0, Value::number);
        let second = values.get(1).map_or(0.0, Value::number);
        match builtin {
            B::Compl => fail(format!("compl({shown}): negative value is not allowed")),
            B::Lshift | B::Rshift => fail(format!(
                "{name}({first:.6}, {second:.6}): negative values are not allowed"
            )),
            _ => {
                let at = values.iter().position(|value| value.number() < 0.0);
                let at = at.map_or(1, |at| at + 1);
                fail(format!(
                    "{name}: argument {at} negative value {shown} is not allowed"
                ))
            }
        }
    }

    /// `typeof` and `isarray`. An element that `typeof` looks at exists afterwards.
    fn kind(&mut self, builtin: Builtin, argument: &'p Expression) -> Outcome<Value> {
        // A subscript is evaluated once.
        if builtin == Builtin::Isarray {
            return Ok(Value::bool(self.existing_array(argument)?.is_some()));
        }
        let element = matches!(argument, Expression::Element(..) | Expression::Nested(..));
        if !element && self.existing_array(argument)?.is_some() {
            return Ok(Value::text("array"));
        }
        if let Expression::Field(index) = argument {
            let index = self.field_index(index)?;
            if index > self.field_count() || index == 0 && self.has_no_record() {
                return Ok(Value::text("unassigned"));
            }
        }
        let value = if element {
            let (array, key) = self.element(argument)?;
            array.borrow_mut().entry(key).or_default().clone()
        } else {
            self.eval(argument)?
        };
        Ok(Value::text(match (&value, argument) {
            (Value::Regex(_), _) => "regexp",
            (Value::Array(_), _) => "array",
            (Value::Unset, _) if element => "untyped",
            (Value::Unset, Expression::Variable(_)) => "untyped",
            (Value::Unset, _) => "unassigned",
            (Value::Number(_), _) => "number",
            (Value::Text(_), _) => "string",
            (Value::Input(text), _) if looks_numeric(text).is_some() => "strnum",
            (Value::Input(_), _) => "string",
        }))
    }
}

/// A number as `%g` writes it.
fn general(number: f64) -> String {
    let mut out = Vec::new();
    // The format is right.
    let _ = format::print(b"%g", &[Value::Number(number)], b"%.6g", &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

/// How many characters a text has in the locale; a byte that begins none is one.
fn characters(text: &[u8]) -> usize {
    if text.is_ascii() || !crate::system::is_utf8() {
        return text.len();
    }
    let (mut count, mut at) = (0, 0);
    while at < text.len() {
        at += character_length(&text[at..]);
        count += 1;
    }
    count
}

/// Where a part of a text begins, letters without their case. Folds the whole text: O(n) on each call.
fn find_folded(text: &[u8], part: &[u8]) -> Option<usize> {
    let at = memchr::memmem::find(&case(text, false), &case(part, false))?;
    // Letters may take other lengths: as many of them are before it.
    let before = characters(&case(text, false)[..at]);
    Some(advance(text, 0, before))
}

/// The offset `count` characters behind `at`, at most the end.
fn advance(text: &[u8], mut at: usize, count: usize) -> usize {
    for _ in 0..count {
        if at >= text.len() {
            break;
        }
        at += character_length(&text[at..]);
    }
    at
}

/// A text in lower or upper case: all letters where it is valid UTF-8, else those of ASCII.
fn case(text: &[u8], upper: bool) -> Vec<u8> {
    match std::str::from_utf8(text) {
        // A letter that would become several stays as it is, as in C.
        Ok(text) if !text.is_ascii() => {
            let change = |letter: char| {
                let mut one = letter.to_lowercase();
                let mut other = letter.to_uppercase();
                let changed = if upper {
                    (other.next(), other.next())
                } else {
                    (one.next(), one.next())
                };
                match changed {
                    (Some(changed), None) => changed,
                    _ => letter,
                }
            };
            text.chars().map(change).collect::<String>().into_bytes()
        }
        _ if upper => text.to_ascii_uppercase(),
        _ => text.to_ascii_lowercase(),
    }
}

/// Fills an array with parts of a text, from 1. They are input: those that look like numbers are.
fn fill(array: &Array, text: &[u8], spans: &[Span]) {
    let mut array = array.borrow_mut();
    array.clear();
    for (index, (from, to)) in spans.iter().enumerate() {
        let key = Rc::new((index + 1).to_string().into_bytes());
        array.insert(key, Value::input(&text[*from..*to]));
    }
}

/// Fills an array with the separators: number n is behind part n, 0 before the first. Blanks have the outer ones only
/// where there are some, matches of a content (`patsplit`) always.
fn fill_gaps(array: &Array, text: &[u8], spans: &[Span], splitter: &Splitter) {
    let mut array = array.borrow_mut();
    array.clear();
    let mut put = |index: usize, (from, to): Span| {
        let key = Rc::new(index.to_string().into_bytes());
        array.insert(key, Value::input(&text[from..to]));
    };
    let (Some(first), Some(last)) = (spans.first(), spans.last()) else {
        return;
    };
    let content = matches!(splitter, Splitter::Content(_));
    if content || matches!(splitter, Splitter::Blanks) && first.0 > 0 {
        put(0, (0, first.0));
    }
    for (index, pair) in spans.windows(2).enumerate() {
        put(index + 1, (pair[0].1, pair[1].0));
    }
    if content || matches!(splitter, Splitter::Blanks) && last.1 < text.len() {
        put(spans.len(), (last.1, text.len()));
    }
}

/// A number of bits as a float: where 64 bits have more than 53 significant ones, the high ones are dropped, as in
/// gawk.
fn exact(bits: u64) -> f64 {
    let shift = bits.trailing_zeros().min(64 - f64::MANTISSA_DIGITS);
    let mask = (1 << f64::MANTISSA_DIGITS) - 1;
    (bits & (mask << shift)) as f64
}

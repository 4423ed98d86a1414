//! The functions that awk has built in, gawk's included.

use std::rc::Rc;

use super::interpreter::{Interpreter, Outcome, Target, fail};
use super::random::Random;
use super::record::{Span, Splitter};
use super::tree::*;
use super::value::{Array, Slot, Text, Value, compare, compare_text, looks_numeric};
use crate::pattern::{Groups, Pattern, character_length};
use crate::system::Time;
use crate::time;

impl<'p> Interpreter<'p> {
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
            B::Index => {
                let (text, part) = (self.text(&arguments[0])?, self.text(&arguments[1])?);
                let at = memchr::memmem::find(&text, &part);
                number(at.map_or(0.0, |at| self.characters(&text[..at]) as f64 + 1.0))
            }
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
            B::Close => {
                let name = self.text(&arguments[0])?;
                if let Some(end) = arguments.get(1) {
                    let end = self.text(end)?;
                    return match end.to_ascii_lowercase().as_slice() {
                        b"to" => number(f64::from(self.streams.close_end(&name, true))),
                        b"from" => number(f64::from(self.streams.close_end(&name, false))),
                        _ => fail("close: second argument must be `to' or `from'"),
                    };
                }
                let status = self.streams.close(&name);
                if status == -1 {
                    let reason = "close of redirection that was never opened";
                    self.set_variable(Place::Global(ERRNO), Value::text(reason))?;
                }
                number(f64::from(status))
            }
            B::Fflush => {
                if let Some(name) = arguments.first() {
                    let name = self.text(name)?;
                    if !name.is_empty() {
                        return number(if self.streams.flush_one(&name) {
                            0.0
                        } else {
                            -1.0
                        });
                    }
                }
                self.streams.flush();
                number(0.0)
            }
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
                number(mktime(&text, universal))
            }
            B::Mkbool => {
                let value = self.eval(&arguments[0])?;
                Ok(Value::bool(value.is_true()))
            }
            // There are no catalogs of messages.
            B::Bindtextdomain | B::Dcgettext | B::Dcngettext => {
                let mut texts = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    texts.push(self.eval(argument)?);
                }
                let is_plural = builtin == B::Dcngettext && texts[2].number() != 1.0;
                let text = texts.swap_remove(usize::from(is_plural));
                Ok(Value::Text(text.to_text(&self.convert)))
            }
            B::Systime => number(Time::now().seconds as f64),
            _ => number(self.mathematics(builtin, arguments)?),
        }
    }

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
            B::Exp => first.exp(),
            B::Log => first.ln(),
            B::Sqrt => first.sqrt(),
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
            B::And => values.iter().map(bits).fold(u64::MAX, |a, b| a & b) as f64,
            B::Or => values.iter().map(bits).fold(0, |a, b| a | b) as f64,
            B::Xor => values.iter().map(bits).fold(0, |a, b| a ^ b) as f64,
            B::Lshift => (first as u64).checked_shl(second as u32).unwrap_or(0) as f64,
            B::Rshift => (first as u64).checked_shr(second as u32).unwrap_or(0) as f64,
            // As many bits as a number holds exactly.
            B::Compl => (!(first as u64) & ((1 << 53) - 1)) as f64,
            _ if matches!(values[0], Value::Number(_)) => first,
            _ => strtonum(&values[0].to_text(&self.convert), first),
        })
    }

    fn characters(&self, text: &[u8]) -> usize {
        if self.bytes {
            text.len()
        } else {
            characters(text)
        }
    }

    fn length(&mut self, argument: Option<&'p Expression>) -> Outcome<Value> {
        let text = match argument {
            None => self.whole_record(),
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
                self.splitter(&by)?
            }
            (_, Some(by @ (Expression::Regex(_) | Expression::TypedRegex(_)))) => {
                Splitter::Pattern(self.pattern_of(by)?)
            }
            (_, Some(by)) => {
                let by = self.text(by)?;
                self.splitter(&by)?
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

    fn substitute(&mut self, all: bool, arguments: &'p [Expression]) -> Outcome<Value> {
        let pattern = self.pattern_of(&arguments[0])?;
        let replacement = self.text(&arguments[1])?;
        let target = match arguments.get(2) {
            None => Some(Target::Field(0)),
            Some(
                target @ (Expression::Variable(_)
                | Expression::Element(..)
                | Expression::Nested(..)
                | Expression::Symbol(_)
                | Expression::Field(_)
                | Expression::Group(_)),
            ) => Some(self.target(target)?),
            Some(_) => None,
        };
        let text = match (&target, arguments.get(2)) {
            (Some(target), _) => self.value_of(target)?.to_text(&self.convert),
            (None, Some(value)) => self.text(value)?,
            (None, None) => Text::default(),
        };
        let mut out = Vec::new();
        let count = replace(
            &pattern,
            &text,
            if all { 0 } else { 1 },
            &mut out,
            |groups, out| {
                insert(&replacement, &text, groups, out);
            },
        );
        if let (true, Some(target)) = (count > 0, target) {
            self.set(target, Value::text(out))?;
        }
        Ok(Value::Number(count as f64))
    }

    fn gensub(&mut self, arguments: &'p [Expression]) -> Outcome<Value> {
        let pattern = self.pattern_of(&arguments[0])?;
        let replacement = self.text(&arguments[1])?;
        let how = self.eval(&arguments[2])?;
        let text = match arguments.get(3) {
            None => self.whole_record(),
            Some(target) => self.text(target)?,
        };
        let all = matches!(how.to_text(b"%.6g").first(), Some(b'g' | b'G'));
        let which = if all {
            0
        } else {
            how.number().max(1.0) as usize
        };
        let mut out = Vec::new();
        replace(&pattern, &text, which, &mut out, |groups, out| {
            insert_groups(&replacement, &text, groups, out);
        });
        Ok(Value::text(out))
    }

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

    /// The bit functions take no negative numbers.
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

    fn kind(&mut self, builtin: Builtin, argument: &'p Expression) -> Outcome<Value> {
        let array = self.existing_array(argument)?;
        if builtin == Builtin::Isarray {
            return Ok(Value::bool(array.is_some()));
        }
        if array.is_some() {
            return Ok(Value::text("array"));
        }
        if let Expression::Element(..) | Expression::Nested(..) = argument {
            let value = self.element_value(argument)?;
            if matches!(value, Value::Unset) {
                return Ok(Value::text("untyped"));
            }
        }
        if let Expression::Field(index) = argument {
            let index = self.field_index(index)?;
            if index > self.field_count() {
                return Ok(Value::text("unassigned"));
            }
        }
        let value = self.eval(argument)?;
        Ok(Value::text(match (&value, argument) {
            (Value::Regex(_), _) => "regexp",
            (Value::Array(_), _) => "array",
            (Value::Unset, Expression::Variable(_)) => "untyped",
            (Value::Unset, _) => "unassigned",
            (Value::Number(_), _) => "number",
            (Value::Text(_), _) => "string",
            (Value::Input(text), _) if looks_numeric(text).is_some() => "strnum",
            (Value::Input(_), _) => "string",
        }))
    }

    /// The keys of an array, in the order that PROCINFO["sorted_in"] names.
    pub(super) fn ordered_keys(&mut self, array: &Array) -> Outcome<Vec<Text>> {
        let mut keys: Vec<Text> = array.borrow().keys().cloned().collect();
        let order = match &self.globals[PROCINFO] {
            super::value::Slot::Array(info) => info.borrow().get(&b"sorted_in".to_vec()).cloned(),
            _ => None,
        };
        if let Some(order) = order {
            let order = order.to_text(b"");
            if order.as_slice() != b"@unsorted" {
                self.sort_keys(&mut keys, array, &order)?;
            }
        }
        Ok(keys)
    }

    /// Sorts keys by a function of the program, which gets two of them with their values.
    fn sort_by_function(&mut self, keys: &mut [Text], array: &Array, name: &[u8]) -> Outcome<()> {
        let shown = String::from_utf8_lossy(name).into_owned();
        let Some(&index) = self.functions.get(name) else {
            return fail(format!("sort comparison function `{shown}' is not defined"));
        };
        if self.parameters_of(index) < 4 {
            return fail(format!(
                "sort comparison function `{shown}' needs four parameters"
            ));
        }
        let slot = |key: &Text| match array.borrow().get(key) {
            Some(Value::Array(inner)) => Slot::Array(Rc::clone(inner)),
            Some(value) => Slot::Scalar(value.clone()),
            None => Slot::default(),
        };
        let key_slot = |key: &Text| Slot::Scalar(Value::Text(Rc::clone(key)));
        merge_sort(keys, &mut |a, b| {
            let slots = vec![key_slot(a), slot(a), key_slot(b), slot(b)];
            Ok(self.call_with(index, slots)?.number() <= 0.0)
        })
    }

    fn sort_keys(&mut self, keys: &mut [Text], array: &Array, order: &[u8]) -> Outcome<()> {
        if !order.starts_with(b"@") {
            return self.sort_by_function(keys, array, order);
        }
        let fold = self.ignore_case;
        let array = array.borrow();
        let by_key_text = |a: &Text, b: &Text| compare_text(a, b, fold);
        let number = |key: &Text| Value::Input(Rc::clone(key)).number();
        let value = |key: &Text| array.get(key).cloned().unwrap_or_default();
        let by_value = |a: &Text, b: &Text| {
            let (a, b) = (value(a), value(b));
            sort_values(&a, &b, &self.convert, fold)
        };
        let convert = Rc::clone(&self.convert);
        let as_numbers = |a: &Text, b: &Text| {
            let (x, y) = (value(a), value(b));
            let arrays = matches!(x, Value::Array(_)).cmp(&matches!(y, Value::Array(_)));
            let numbers = x.number().total_cmp(&y.number());
            let texts = || compare_text(&x.to_text(&convert), &y.to_text(&convert), fold);
            arrays.then(numbers).then_with(texts)
        };
        let as_texts = |a: &Text, b: &Text| {
            let (x, y) = (value(a), value(b));
            let arrays = matches!(x, Value::Array(_)).cmp(&matches!(y, Value::Array(_)));
            let texts = compare_text(&x.to_text(&convert), &y.to_text(&convert), fold);
            arrays.then(texts).then_with(|| a.cmp(b))
        };
        match order {
            b"@ind_str_asc" => keys.sort_by(by_key_text),
            b"@ind_str_desc" => keys.sort_by(|a, b| by_key_text(b, a)),
            b"@ind_num_asc" => {
                keys.sort_by(|a, b| number(a).total_cmp(&number(b)).then_with(|| a.cmp(b)));
            }
            b"@ind_num_desc" => {
                keys.sort_by(|a, b| number(b).total_cmp(&number(a)).then_with(|| b.cmp(a)));
            }
            b"@val_type_asc" => keys.sort_by(by_value),
            b"@val_type_desc" => keys.sort_by(|a, b| by_value(b, a)),
            b"@val_num_asc" => keys.sort_by(as_numbers),
            b"@val_num_desc" => keys.sort_by(|a, b| as_numbers(b, a)),
            b"@val_str_asc" => keys.sort_by(as_texts),
            b"@val_str_desc" => keys.sort_by(|a, b| as_texts(b, a)),
            b"@unsorted" => {}
            _ => {
                let order = String::from_utf8_lossy(order).into_owned();
                return fail(format!("`{order}' is invalid as a function name"));
            }
        }
        Ok(())
    }

    /// `asort` and `asorti`.
    fn sort_array(&mut self, by_index: bool, arguments: &'p [Expression]) -> Outcome<Value> {
        let source = self.array_of(&arguments[0])?;
        let target = match arguments.get(1) {
            Some(target) => self.array_of(target)?,
            None => Rc::clone(&source),
        };
        let order = match arguments.get(2) {
            Some(order) => self.text(order)?,
            None if by_index => Rc::new(b"@ind_str_asc".to_vec()),
            None => Rc::new(b"@val_type_asc".to_vec()),
        };
        let mut keys: Vec<Text> = source.borrow().keys().cloned().collect();
        self.sort_keys(&mut keys, &source, &order)?;
        let values: Vec<Value> = if by_index {
            keys.into_iter().map(Value::Text).collect()
        } else {
            let source = source.borrow();
            keys.iter()
                .map(|key| source.get(key).cloned().unwrap_or_default())
                .collect()
        };
        let mut target = target.borrow_mut();
        target.clear();
        let count = values.len();
        for (index, value) in values.into_iter().enumerate() {
            target.insert(Rc::new((index + 1).to_string().into_bytes()), value);
        }
        Ok(Value::Number(count as f64))
    }

    fn strftime(&mut self, arguments: &'p [Expression]) -> Outcome<Value> {
        let format = match arguments.first() {
            Some(format) => self.text(format)?,
            None => Rc::new(b"%a %b %e %H:%M:%S %Z %Y".to_vec()),
        };
        let when = match arguments.get(1) {
            Some(when) => Time {
                seconds: self.eval(when)?.number() as i64,
                nanoseconds: 0,
            },
            None => Time::now(),
        };
        let universal = match arguments.get(2) {
            Some(flag) => self.eval(flag)?.is_true(),
            None => false,
        };
        let zone = if universal {
            jiff::tz::TimeZone::UTC
        } else {
            time::zone()
        };
        let local = time::local(when, &zone);
        Ok(Value::text(time::format(
            &local,
            &String::from_utf8_lossy(&format),
        )))
    }
}

/// Sorts by a test that may fail: whether the first may stay before the second. Equal ones keep their
/// order.
fn merge_sort(
    keys: &mut [Text],
    in_order: &mut impl FnMut(&Text, &Text) -> Outcome<bool>,
) -> Outcome<()> {
    if keys.len() < 2 {
        return Ok(());
    }
    let (left, right) = keys.split_at_mut(keys.len() / 2);
    merge_sort(left, in_order)?;
    merge_sort(right, in_order)?;
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut from_left, mut from_right) = (left.iter().peekable(), right.iter().peekable());
    while let (Some(&a), Some(&b)) = (from_left.peek(), from_right.peek()) {
        let next = if in_order(a, b)? {
            from_left.next()
        } else {
            from_right.next()
        };
        merged.extend(next.cloned());
    }
    merged.extend(from_left.chain(from_right).cloned());
    keys.clone_from_slice(&merged);
    Ok(())
}

fn sort_values(a: &Value, b: &Value, convert: &[u8], fold: bool) -> std::cmp::Ordering {
    let rank = |value: &Value| match value {
        Value::Array(_) => 2,
        Value::Unset | Value::Number(_) => 0,
        value if value.is_numeric_input() => 0,
        _ => 1,
    };
    rank(a)
        .cmp(&rank(b))
        .then_with(|| compare(a, b, convert, fold).unwrap_or(std::cmp::Ordering::Equal))
}

/// How many characters a text has.
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

fn advance(text: &[u8], mut at: usize, count: usize) -> usize {
    for _ in 0..count {
        if at >= text.len() {
            break;
        }
        at += character_length(&text[at..]);
    }
    at
}

fn case(text: &[u8], upper: bool) -> Vec<u8> {
    match std::str::from_utf8(text) {
        Ok(text) if !text.is_ascii() => if upper {
            text.to_uppercase()
        } else {
            text.to_lowercase()
        }
        .into_bytes(),
        _ if upper => text.to_ascii_uppercase(),
        _ => text.to_ascii_lowercase(),
    }
}

fn fill(array: &Array, text: &[u8], spans: &[Span]) {
    let mut array = array.borrow_mut();
    array.clear();
    for (index, (from, to)) in spans.iter().enumerate() {
        let key = Rc::new((index + 1).to_string().into_bytes());
        array.insert(key, Value::input(&text[*from..*to]));
    }
}

/// What is between the fields, and before and after them where that is not nothing by definition.
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

/// Copies `text` with the matches replaced: all, or only number `which`. Gives how many were.
fn replace(
    pattern: &Pattern,
    text: &[u8],
    which: usize,
    out: &mut Vec<u8>,
    mut insert: impl FnMut(&Groups, &mut Vec<u8>),
) -> usize {
    let (mut at, mut copied, mut seen, mut count) = (0, 0, 0, 0);
    let mut last_end = None;
    while at <= text.len() {
        let Some(groups) = pattern.groups_at(text, at) else {
            break;
        };
        let Some((from, to)) = groups[0] else { break };
        // An empty match right after a match is none.
        if from == to && last_end == Some(from) {
            at = from
                + text
                    .get(from)
                    .map_or(1, |_| character_length(&text[from..]));
            continue;
        }
        seen += 1;
        if which == 0 || seen == which {
            out.extend_from_slice(&text[copied..from]);
            insert(&groups, out);
            copied = to;
            count += 1;
            if which != 0 {
                break;
            }
        }
        last_end = Some(to);
        at = if to > from {
            to
        } else {
            from + text
                .get(from)
                .map_or(1, |_| character_length(&text[from..]))
        };
    }
    out.extend_from_slice(&text[copied.min(text.len())..]);
    count
}

/// The replacement of `sub` and `gsub`: `&` is the match, `\&` an ampersand.
fn insert(replacement: &[u8], text: &[u8], groups: &Groups, out: &mut Vec<u8>) {
    let whole = groups[0].map_or(&b""[..], |(from, to)| &text[from..to]);
    let mut at = 0;
    while at < replacement.len() {
        let slashes = replacement[at..]
            .iter()
            .take_while(|&&byte| byte == b'\\')
            .count();
        if slashes > 0 {
            at += slashes;
            if replacement.get(at) == Some(&b'&') {
                out.extend(std::iter::repeat_n(b'\\', slashes / 2));
                if slashes % 2 == 1 {
                    out.push(b'&');
                    at += 1;
                }
            } else {
                out.extend(std::iter::repeat_n(b'\\', slashes));
            }
            continue;
        }
        match replacement[at] {
            b'&' => out.extend_from_slice(whole),
            byte => out.push(byte),
        }
        at += 1;
    }
}

/// The replacement of `gensub`, where `\1` is a group.
fn insert_groups(replacement: &[u8], text: &[u8], groups: &Groups, out: &mut Vec<u8>) {
    let group = |index: usize| {
        let span = groups.get(index).copied().flatten();
        span.map_or(&b""[..], |(from, to)| &text[from..to])
    };
    let mut bytes = replacement.iter().copied();
    while let Some(byte) = bytes.next() {
        match byte {
            b'&' => out.extend_from_slice(group(0)),
            b'\\' => match bytes.next() {
                Some(digit @ b'0'..=b'9') => {
                    out.extend_from_slice(group(usize::from(digit - b'0')))
                }
                Some(other) => out.push(other),
                None => out.push(b'\\'),
            },
            _ => out.push(byte),
        }
    }
}

fn strtonum(text: &[u8], decimal: f64) -> f64 {
    let trimmed = text.trim_ascii();
    let (negative, digits) = match trimmed.strip_prefix(b"-") {
        Some(digits) => (true, digits),
        None => (false, trimmed.strip_prefix(b"+").unwrap_or(trimmed)),
    };
    let read = |digits: &[u8], base: u32| {
        let digits = digits
            .iter()
            .map_while(|digit| char::from(*digit).to_digit(base));
        digits.fold(0.0, |value, digit| {
            value * f64::from(base) + f64::from(digit)
        })
    };
    let value = match digits {
        [b'0', b'x' | b'X', rest @ ..] => read(rest, 16),
        [b'0', rest @ ..] if !rest.is_empty() && rest.iter().all(|b| (b'0'..=b'7').contains(b)) => {
            read(rest, 8)
        }
        _ => return decimal,
    };
    if negative { -value } else { value }
}

/// `YYYY MM DD HH MM SS [DST]` as seconds; -1 where it is no time.
fn mktime(text: &[u8], universal: bool) -> f64 {
    let text = String::from_utf8_lossy(text);
    let parts: Vec<i64> = text
        .split_whitespace()
        .map_while(|word| word.parse().ok())
        .collect();
    let [year, month, day, hour, minute, second, ..] = parts[..] else {
        return -1.0;
    };
    let zone = if universal {
        jiff::tz::TimeZone::UTC
    } else {
        time::zone()
    };
    // Months and the rest may be out of range: they carry over.
    let months = year * 12 + month - 1;
    let (Ok(year), Ok(month)) = (
        i16::try_from(months.div_euclid(12)),
        i8::try_from(months.rem_euclid(12) + 1),
    ) else {
        return -1.0;
    };
    let seconds = (day - 1) * 86400 + hour * 3600 + minute * 60 + second;
    let start = jiff::civil::Date::new(year, month, 1).map(|date| date.at(0, 0, 0, 0));
    let when = start.and_then(|start| start.checked_add(jiff::SignedDuration::from_secs(seconds)));
    when.and_then(|when| when.to_zoned(zone))
        .map_or(-1.0, |when| when.timestamp().as_second() as f64)
}

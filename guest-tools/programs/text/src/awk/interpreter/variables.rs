//! Variables, arrays and elements, and the variables that awk itself watches.
//!
//! A name is untyped until its first use makes it a scalar or an array (`Slot`); using it as the other kind is fatal.
//! Referring to an element makes it, as POSIX demands; `in` does not.

use std::rc::Rc;

use super::{Interpreter, MOST_FIELDS, Outcome, Target, fail};
use crate::awk::record::{Separator, Splitter};
use crate::awk::tree::*;
use crate::awk::value::{Array, Key, Slot, Text, Value};

impl<'p> Interpreter<'p> {
    /// What a place holds.
    pub(super) fn slot(&mut self, place: Place) -> &mut Slot {
        match place {
            Place::Global(index) => &mut self.globals[index],
            Place::Local(index) => &mut self.frames[self.base + index],
        }
    }

    /// The value of a global variable; unset where it is an array. NF is not up to date here.
    pub(in crate::awk) fn scalar_global(&self, place: usize) -> Value {
        match &self.globals[place] {
            Slot::Scalar(value) => value.clone(),
            _ => Value::Unset,
        }
    }

    /// A variable's name, for messages.
    fn name(&self, place: Place) -> String {
        match place {
            Place::Global(index) => {
                String::from_utf8_lossy(&self.program.globals[index]).into_owned()
            }
            Place::Local(index) => {
                let function = self.function.map(|at| &self.program.functions[at]);
                let name = function.and_then(|function| function.parameters.get(index));
                name.map_or(String::new(), |name| {
                    String::from_utf8_lossy(name).into_owned()
                })
            }
        }
    }

    /// An element as it stands in messages: `a["x"]`.
    fn element_name(&self, expression: &Expression, key: &[u8]) -> String {
        let mut base = expression;
        while let Expression::Nested(inner, _) | Expression::Group(inner) = base {
            base = inner;
        }
        let name = match base {
            Expression::Element(place, _) | Expression::Variable(place) => self.name(*place),
            _ => "SYMTAB".to_owned(),
        };
        format!("{name}[\"{}\"]", String::from_utf8_lossy(key))
    }

    /// The array and the key of an element.
    pub(in crate::awk) fn element(&mut self, expression: &'p Expression) -> Outcome<(Array, Text)> {
        match expression {
            Expression::Element(place, subscripts) => {
                let key = self.key(subscripts)?;
                if *place == Place::Global(FUNCTAB) {
                    self.known_function(&key)?;
                }
                Ok((self.array(*place)?, key))
            }
            Expression::Nested(inner, subscripts) => {
                let array = self.array_of(inner)?;
                Ok((array, self.key(subscripts)?))
            }
            _ => fail("an argument must be an element"),
        }
    }

    /// FUNCTAB has no elements beside the functions.
    fn known_function(&self, key: &[u8]) -> Outcome<()> {
        if self.functions.contains_key(key) || Builtin::find(key).is_some() {
            return Ok(());
        }
        let name = String::from_utf8_lossy(key);
        fail(format!(
            "reference to uninitialized element `FUNCTAB[\"{name}\"] is not allowed'"
        ))
    }

    /// The array that an expression names; what has no value yet becomes one.
    pub(in crate::awk) fn array_of(&mut self, expression: &'p Expression) -> Outcome<Array> {
        match expression {
            Expression::Variable(place) => self.array(*place),
            Expression::Group(inner) => self.array_of(inner),
            Expression::Element(..) | Expression::Nested(..) => {
                let (array, key) = self.element(expression)?;
                let mut array = array.borrow_mut();
                let value = array.entry(Rc::clone(&key)).or_default();
                match value {
                    Value::Array(inner) => return Ok(Rc::clone(inner)),
                    Value::Unset => {
                        let inner = Array::default();
                        *value = Value::Array(Rc::clone(&inner));
                        return Ok(inner);
                    }
                    _ => {}
                }
                let name = self.element_name(expression, &key);
                fail(format!("attempt to use scalar `{name}' as an array"))
            }
            Expression::Symbol(name) => {
                let name = self.text(name)?;
                match self.global_named(&name) {
                    Some(place) => self.array(place),
                    None => Ok(Array::default()),
                }
            }
            _ => fail("an argument must be an array"),
        }
    }

    /// The array that an expression is by now, without making one.
    pub(in crate::awk) fn existing_array(
        &mut self,
        expression: &'p Expression,
    ) -> Outcome<Option<Array>> {
        match expression {
            Expression::Variable(place) if self.is_array(*place) => self.array(*place).map(Some),
            Expression::Element(..) | Expression::Nested(..) => {
                let (array, key) = self.element(expression)?;
                let array = array.borrow();
                Ok(match array.get(&key) {
                    Some(Value::Array(inner)) => Some(Rc::clone(inner)),
                    _ => None,
                })
            }
            Expression::Group(inner) => self.existing_array(inner),
            Expression::Symbol(name) => {
                let name = self.text(name)?;
                match self.global_named(&name) {
                    Some(place) if self.is_array(place) => self.array(place).map(Some),
                    _ => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    /// The global variable of a name.
    pub(super) fn global_named(&self, name: &[u8]) -> Option<Place> {
        let at = self.program.globals.iter().position(|known| known == name);
        at.map(Place::Global)
    }

    /// The value of an element; it is there afterwards, as awk has it.
    pub(in crate::awk) fn element_value(&mut self, expression: &'p Expression) -> Outcome<Value> {
        let (array, key) = self.element(expression)?;
        let found = array
            .borrow_mut()
            .entry(Rc::clone(&key))
            .or_default()
            .clone();
        if matches!(found, Value::Array(_)) {
            let name = self.element_name(expression, &key);
            return fail(format!("attempt to use array `{name}' in a scalar context"));
        }
        Ok(found)
    }

    /// All global variables by name, as SYMTAB has them.
    pub(super) fn symbols(&mut self) -> Array {
        let array = Array::default();
        for (at, name) in self.program.globals.iter().enumerate() {
            if at == SYMTAB || at == FUNCTAB {
                continue;
            }
            let value = match &self.globals[at] {
                Slot::Scalar(value) => value.clone(),
                Slot::Array(inner) => Value::Array(Rc::clone(inner)),
                Slot::Untyped(promise) => {
                    let inner = promise.borrow();
                    inner.clone().map_or(Value::Unset, Value::Array)
                }
            };
            array.borrow_mut().insert(Rc::new(name.clone()), value);
        }
        array
    }

    /// The value of a variable; an array is fatal. NF is found by splitting the record.
    pub(super) fn variable(&mut self, place: Place) -> Outcome<Value> {
        if place == Place::Global(NF) {
            let count = self.field_count() as f64;
            return Ok(self.count_value.clone().unwrap_or(Value::Number(count)));
        }
        match self.slot(place) {
            Slot::Scalar(value) => Ok(value.clone()),
            Slot::Untyped(promise) if promise.borrow().is_none() => Ok(Value::Unset),
            _ => fail(format!(
                "attempt to use array `{}' in a scalar context",
                self.name(place)
            )),
        }
    }

    /// The number in a variable that awk itself does not watch; none where it holds anything else.
    pub(super) fn plain_number(&mut self, place: Place) -> Option<&mut f64> {
        let watched = matches!(place, Place::Global(index) if index < SPECIAL.len());
        match self.slot(place) {
            Slot::Scalar(Value::Number(number)) if !watched => Some(number),
            _ => None,
        }
    }

    /// Sets a variable, with all that this means for those that awk watches.
    pub(in crate::awk) fn set_variable(&mut self, place: Place, value: Value) -> Outcome<()> {
        if let Place::Global(index) = place
            && index < SPECIAL.len()
        {
            return self.set_special(index, value);
        }
        match self.slot(place) {
            Slot::Array(_) => {}
            Slot::Untyped(promise) if promise.borrow().is_some() => {}
            slot => {
                *slot = Slot::Scalar(value);
                return Ok(());
            }
        }
        fail(format!(
            "attempt to use array `{}' in a scalar context",
            self.name(place)
        ))
    }

    /// Sets a variable that awk watches. FS and its relatives take effect with the next record; NF changes the record
    /// at hand.
    fn set_special(&mut self, index: usize, value: Value) -> Outcome<()> {
        let text = value.to_text(&self.convert);
        match index {
            NF => {
                let count = value.number();
                if !(0.0..=MOST_FIELDS).contains(&count) {
                    return fail(if count < 0.0 {
                        "NF set to negative value"
                    } else {
                        "NF set to invalid value"
                    });
                }
                self.own_fields().resize(count as usize, Value::Unset);
                self.count_value = Some(value);
                self.stale = true;
                return Ok(());
            }
            CONVFMT => self.convert = text,
            OFMT => self.output_convert = text,
            OFS => {
                // A record that was changed is put together with the gap of now.
                self.whole_record();
                self.field_gap = text;
            }
            ORS => self.record_end = text,
            SUBSEP => self.subscript_gap = text,
            _ => {}
        }
        if matches!(self.globals[index], Slot::Array(_)) {
            return fail(format!(
                "attempt to use array `{}' in a scalar context",
                SPECIAL[index]
            ));
        }
        self.globals[index] = Slot::Scalar(value);
        match index {
            IGNORECASE => {
                self.ignore_case = self.scalar_global(IGNORECASE).is_true();
                self.patterns.clear();
                self.set_splitter(FS)?;
                self.set_separator()
            }
            LINT | BINMODE => Ok(()),
            FS | FPAT | FIELDWIDTHS => {
                // The record at hand is split as it was when it was read.
                self.split_record();
                self.set_splitter(index)
            }
            RS => self.set_separator(),
            _ => Ok(()),
        }
    }

    /// Makes the splitter anew by the variable `by`, and says so in PROCINFO["FS"].
    fn set_splitter(&mut self, by: usize) -> Outcome<()> {
        let value = self.scalar_global(by);
        let text = value.to_text(b"%.6g");
        self.splitter = match by {
            FIELDWIDTHS => Splitter::Widths(widths(&text)?),
            FPAT => Splitter::Content(self.pattern(&text)?),
            _ if self.csv => Splitter::Csv,
            _ if matches!(value, Value::Regex(_)) => Splitter::Pattern(self.pattern(&text)?),
            _ => {
                let paragraph = matches!(self.separator, Separator::Paragraph);
                self.splitter(&text, paragraph)?
            }
        };
        if let Slot::Array(info) = &self.globals[PROCINFO] {
            let by = Value::text(if self.csv { "CSV" } else { SPECIAL[by] });
            info.borrow_mut().insert(Rc::new(b"FS".to_vec()), by);
        }
        Ok(())
    }

    /// The splitter for a value of FS; between records of paragraphs a newline separates, too.
    ///
    /// ```text
    /// " "    runs of blanks          "|"    that character
    /// ""     each character          "\\|"  or longer: a regular expression
    /// ```
    pub(in crate::awk) fn splitter(&mut self, text: &Text, paragraph: bool) -> Outcome<Splitter> {
        Ok(match text.as_slice() {
            b" " => Splitter::Blanks,
            b"" => Splitter::Characters,
            // One character means itself, in its own case.
            [byte] if *byte != b'\\' && !paragraph => Splitter::Byte(*byte),
            [byte] => {
                let escaped = if byte.is_ascii_alphanumeric() {
                    vec![*byte]
                } else {
                    vec![b'[', *byte, b']']
                };
                let escaped = if *byte == b'\\' || *byte == b'^' {
                    vec![b'\\', *byte]
                } else {
                    escaped
                };
                let source = if paragraph {
                    [&escaped[..], b"|\n"].concat()
                } else {
                    escaped
                };
                Splitter::Pattern(self.pattern(&Rc::new(source))?)
            }
            _ if paragraph => {
                let source = [b"(", text.as_slice(), b")|\n"].concat();
                Splitter::Pattern(self.pattern(&Rc::new(source))?)
            }
            _ => Splitter::Pattern(self.pattern(text)?),
        })
    }

    /// Makes the separator of records anew.
    ///
    /// ```text
    /// "\n"   lines                   ""     paragraphs: empty lines, and newline also separates fields
    /// "x"    that character          longer: a regular expression
    /// ```
    fn set_separator(&mut self) -> Outcome<()> {
        let value = self.scalar_global(RS);
        let text = value.to_text(b"%.6g");
        self.separator = match text.as_slice() {
            _ if matches!(value, Value::Regex(_)) => Separator::Pattern(self.pattern(&text)?),
            b"\n" if self.csv => Separator::Csv,
            b"" => Separator::Paragraph,
            [byte] if !self.ignore_case || !byte.is_ascii_alphabetic() => Separator::Byte(*byte),
            _ => Separator::Pattern(self.pattern(&text)?),
        };
        self.set_splitter(FS)
    }

    /// Whether a variable is an array by now.
    pub(in crate::awk) fn is_array(&mut self, place: Place) -> bool {
        match self.slot(place) {
            Slot::Array(_) => true,
            Slot::Untyped(promise) => promise.borrow().is_some(),
            Slot::Scalar(_) => false,
        }
    }

    /// The array of a variable, made where it had no value. SYMTAB is made anew at each use.
    pub(in crate::awk) fn array(&mut self, place: Place) -> Outcome<Array> {
        if place == Place::Global(SYMTAB) {
            return Ok(self.symbols());
        }
        let slot = self.slot(place);
        match slot {
            Slot::Array(array) => return Ok(Rc::clone(array)),
            Slot::Untyped(promise) => {
                let array = Rc::clone(promise.borrow_mut().get_or_insert_default());
                *slot = Slot::Array(Rc::clone(&array));
                return Ok(array);
            }
            Slot::Scalar(Value::Unset) => {
                let array = Array::default();
                *slot = Slot::Array(Rc::clone(&array));
                return Ok(array);
            }
            Slot::Scalar(_) => {}
        }
        let kind = match place {
            Place::Global(_) => "scalar",
            Place::Local(_) => "scalar parameter",
        };
        fail(format!(
            "attempt to use {kind} `{}' as an array",
            self.name(place)
        ))
    }

    /// The key of subscripts: their texts with SUBSEP between them.
    pub(super) fn key(&mut self, subscripts: &'p [Expression]) -> Outcome<Text> {
        if let [only] = subscripts {
            return Ok(self.eval(only)?.to_text(&self.convert));
        }
        let mut key = Vec::new();
        let convert = Rc::clone(&self.convert);
        for (index, subscript) in subscripts.iter().enumerate() {
            if index > 0 {
                key.extend_from_slice(&self.subscript_gap);
            }
            self.put(subscript, &convert, &mut key)?;
        }
        Ok(Rc::new(key))
    }

    /// The variable, element or field that an expression names; its parts are evaluated here, once.
    pub(in crate::awk) fn target(&mut self, expression: &'p Expression) -> Outcome<Target> {
        Ok(match expression {
            Expression::Variable(place) => Target::Variable(*place),
            Expression::Element(Place::Global(FUNCTAB), _) => {
                return fail("cannot assign to elements of FUNCTAB");
            }
            Expression::Element(..) | Expression::Nested(..) => {
                let (array, key) = self.element(expression)?;
                if matches!(array.borrow().get(&key), Some(Value::Array(_))) {
                    let name = self.element_name(expression, &key);
                    return fail(format!("attempt to use array `{name}' in a scalar context"));
                }
                Target::Element(array, key)
            }
            Expression::Symbol(name) => {
                let name = self.text(name)?;
                match self.global_named(&name) {
                    Some(place) => Target::Variable(place),
                    None => {
                        return fail("cannot assign to arbitrary elements of SYMTAB");
                    }
                }
            }
            Expression::Field(index) => Target::Field(self.field_index(index)?),
            Expression::Group(inner) => return self.target(inner),
            _ => return fail("assignment to what is no variable"),
        })
    }

    /// The value of a target, which is not made by that.
    pub(in crate::awk) fn value_of(&mut self, target: &Target) -> Outcome<Value> {
        Ok(match target {
            Target::Variable(place) => self.variable(*place)?,
            Target::Element(array, key) => array.borrow().get(key).cloned().unwrap_or_default(),
            Target::Field(index) => self.field(*index),
        })
    }

    /// Sets a target.
    pub(in crate::awk) fn set(&mut self, target: Target, value: Value) -> Outcome<()> {
        match target {
            Target::Variable(place) => return self.set_variable(place, value),
            Target::Element(array, key) => {
                array.borrow_mut().insert(key, value);
            }
            Target::Field(index) => self.set_field(index, value),
        }
        Ok(())
    }

    /// Sets a variable, an element or a field.
    pub(in crate::awk) fn assign(&mut self, target: &'p Expression, value: Value) -> Outcome<()> {
        let target = self.target(target)?;
        self.set(target, value)
    }

    /// Sets a variable, element or field to what `change` makes of its number; `change` gives the new number and the
    /// result of the expression, which differ for `x++`.
    pub(super) fn modify(
        &mut self,
        target: &'p Expression,
        change: impl FnOnce(f64) -> Outcome<(f64, f64)>,
    ) -> Outcome<Value> {
        if let Expression::Element(place, subscripts) = target {
            return self.modify_element(*place, subscripts, change);
        }
        if let Expression::Variable(place) = target
            && let Some(number) = self.plain_number(*place)
        {
            let (new, result) = change(*number)?;
            *number = new;
            return Ok(Value::Number(result));
        }
        let target = self.target(target)?;
        let (new, result) = change(self.value_of(&target)?.number())?;
        self.set(target, Value::Number(new))?;
        Ok(Value::Number(result))
    }

    /// The same for an element, looked for once; a key that is a field stays in the record.
    fn modify_element(
        &mut self,
        place: Place,
        subscripts: &'p [Expression],
        change: impl FnOnce(f64) -> Outcome<(f64, f64)>,
    ) -> Outcome<Value> {
        let (mut key, mut span) = (None, (0, 0));
        if let [Expression::Field(index)] = subscripts {
            let index = self.field_index(index)?;
            if index == 0 || self.fields.is_some() || self.csv {
                key = Some(self.field(index).to_text(&self.convert));
            } else {
                self.split_to(index);
                span = self.spans.get(index - 1).copied().unwrap_or_default();
            }
        } else {
            key = Some(self.key(subscripts)?);
        }
        let array = self.array(place)?;
        let bytes = match &key {
            Some(key) => key.as_slice(),
            None => &self.record[span.0..span.1],
        };
        let mut array = array.borrow_mut();
        let result = match array.get_mut(&Key(bytes)) {
            Some(value) => {
                let (new, result) = change(value.number())?;
                *value = Value::Number(new);
                result
            }
            None => {
                let (new, result) = change(0.0)?;
                array.insert(Rc::new(bytes.to_vec()), Value::Number(new));
                result
            }
        };
        Ok(Value::Number(result))
    }
}

/// The widths of FIELDWIDTHS, each with what is skipped before it; `*` takes the rest.
///
/// ```text
/// "3 2:4 *"  ->  (0, 3), (2, 4), (0, all)
/// ```
fn widths(text: &[u8]) -> Outcome<Vec<(usize, usize)>> {
    let words: Vec<&[u8]> = text
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
        .collect();
    let mut found = Vec::with_capacity(words.len());
    for (at, word) in words.iter().enumerate() {
        let (skip, width) = match word.iter().position(|&byte| byte == b':') {
            Some(colon) => (&word[..colon], &word[colon + 1..]),
            None => (&b"0"[..], *word),
        };
        let last = at + 1 == words.len();
        let width = match width {
            b"*" if last => Some(usize::MAX),
            b"*" => return fail("`*' must be the last designator in FIELDWIDTHS"),
            width => crate::options::number(width),
        };
        match (crate::options::number(skip), width) {
            (Some(skip), Some(width)) => found.push((skip, width)),
            _ => {
                return fail(format!(
                    "invalid FIELDWIDTHS value, for field {}, near `{}'",
                    at + 1,
                    String::from_utf8_lossy(word)
                ));
            }
        }
    }
    Ok(found)
}

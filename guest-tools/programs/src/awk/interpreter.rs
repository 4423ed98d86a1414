//! Runs an awk program.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use indexmap::IndexMap;

use super::record::{Reader, Separator, Span, Splitter, blanks_to, unquote};
use super::stream::Streams;
use super::tree::*;
use super::value::{Array, Key, Slot, Text, Value, compare, prefix_number};
use crate::pattern::{Dialect, Pattern, Settings};
use crate::system;

/// Why a statement did not end normally.
pub enum Stop {
    Next,
    NextFile,
    Exit,
    /// A fatal error.
    Fail(String),
}

/// What an evaluation gives, or why the program stops.
pub type Outcome<T> = Result<T, Stop>;

/// How a statement ended.
enum Flow {
    Normal,
    Break,
    Continue,
    Return(Value),
}

/// Stops the program with a message.
pub fn fail<T>(message: impl Into<String>) -> Outcome<T> {
    Err(Stop::Fail(message.into()))
}

/// How deep functions may call each other.
const MOST_CALLS: usize = 2000;

/// The most fields a record may be given.
const MOST_FIELDS: f64 = 10_000_000.0;

/// What can be assigned to.
pub enum Target {
    Variable(Place),
    Element(Array, Text),
    Field(usize),
}

/// A program with its variables, arrays, files and current record.
pub struct Interpreter<'p> {
    program: &'p Program,
    pub(super) globals: Vec<Slot>,
    frames: Vec<Slot>,
    base: usize,
    calls: usize,
    record: Text,
    /// The record was assigned a string, which is no input.
    assigned: bool,
    /// What NF was set to, as long as it holds.
    count_value: Option<Value>,
    /// The fields are newer than the record.
    stale: bool,
    spans: Vec<Span>,
    /// All fields are found.
    split: bool,
    /// Where the next field is looked for.
    resume: usize,
    /// Memory for the next record.
    spare: Text,
    /// The fields, once one was changed.
    fields: Option<Vec<Value>>,
    splitter: Splitter,
    separator: Separator,
    pub(super) convert: Text,
    output_convert: Text,
    field_gap: Text,
    record_end: Text,
    pub(super) subscript_gap: Text,
    pub(super) ignore_case: bool,
    pub(super) csv: bool,
    patterns: HashMap<Text, Rc<Pattern>>,
    pub(super) streams: Streams,
    pub(super) seed: f64,
    pub(super) random: u64,
    ranges: Vec<bool>,
    input: Option<Reader>,
    argument: usize,
    any_file: bool,
    pub status: i32,
    /// `next` and the like have no meaning in BEGIN and END.
    in_record: bool,
}

impl<'p> Interpreter<'p> {
    /// An interpreter before its first record.
    pub fn new(program: &'p Program) -> Interpreter<'p> {
        let text = |text: &str| Rc::new(text.as_bytes().to_vec());
        let mut awk = Interpreter {
            program,
            globals: vec![Slot::default(); program.globals.len()],
            frames: Vec::new(),
            base: 0,
            calls: 0,
            record: Text::default(),
            assigned: false,
            count_value: None,
            stale: false,
            spans: Vec::new(),
            split: true,
            resume: 0,
            spare: Text::default(),
            fields: None,
            splitter: Splitter::Blanks,
            separator: Separator::Byte(b'\n'),
            convert: text("%.6g"),
            output_convert: text("%.6g"),
            field_gap: text(" "),
            record_end: text("\n"),
            subscript_gap: text("\x1c"),
            ignore_case: false,
            csv: false,
            patterns: HashMap::new(),
            streams: Streams::new(),
            seed: 0.0,
            random: 0x9e37_79b9_7f4a_7c15,
            ranges: vec![false; program.ranges],
            input: None,
            argument: 1,
            any_file: false,
            status: 0,
            in_record: false,
        };
        let usual = [
            (FS, " "),
            (OFS, " "),
            (ORS, "\n"),
            (RS, "\n"),
            (SUBSEP, "\x1c"),
            (CONVFMT, "%.6g"),
            (OFMT, "%.6g"),
            (FILENAME, ""),
        ];
        for (place, value) in usual {
            awk.globals[place] = Slot::Scalar(Value::text(value));
        }
        for place in [NR, FNR, RSTART, NF] {
            awk.globals[place] = Slot::Scalar(Value::Number(0.0));
        }
        awk.globals[RLENGTH] = Slot::Scalar(Value::Number(-1.0));
        awk
    }

    /// Makes a global array of names and values.
    pub fn set_array(&mut self, place: usize, elements: impl Iterator<Item = (Vec<u8>, Value)>) {
        let elements = elements.map(|(name, value)| (Rc::new(name), value));
        let array: IndexMap<_, _, _> = elements.collect();
        self.globals[place] = Slot::Array(Rc::new(RefCell::new(array)));
    }

    /// `-v` and operands such as `name=value`.
    pub fn assign_text(&mut self, name: &[u8], value: &[u8]) -> Outcome<()> {
        let Some(place) = self.program.globals.iter().position(|known| known == name) else {
            return Ok(());
        };
        let value = Value::input(super::lexer::unescape(value));
        self.set_variable(Place::Global(place), value)
    }

    /// Runs all rules; afterwards `status` is what to end with.
    pub fn run(mut self) -> (Streams, Result<i32, String>) {
        let outcome = self.run_rules();
        let status = match outcome {
            Ok(()) | Err(Stop::Exit) => Ok(self.status),
            Err(Stop::Fail(message)) => Err(message),
            Err(Stop::Next | Stop::NextFile) => {
                Err("`next' used in BEGIN or END action".to_owned())
            }
        };
        (self.streams, status)
    }

    fn run_rules(&mut self) -> Outcome<()> {
        let program = self.program;
        let rules = |wanted: fn(&Trigger) -> bool| {
            program
                .rules
                .iter()
                .filter(move |rule| wanted(&rule.trigger))
        };
        let records = rules(|trigger| !matches!(trigger, Trigger::Begin))
            .next()
            .is_some();
        let mut outcome = Ok(());
        for rule in rules(|trigger| matches!(trigger, Trigger::Begin)) {
            outcome = self.body(rule);
            if outcome.is_err() {
                break;
            }
        }
        if outcome.is_ok() && records {
            outcome = self.records();
        }
        match outcome {
            Ok(()) | Err(Stop::Exit) => {}
            other => return other,
        }
        for rule in rules(|trigger| matches!(trigger, Trigger::End)) {
            self.body(rule)?;
        }
        outcome
    }

    fn records(&mut self) -> Outcome<()> {
        self.in_record = true;
        while self.next_record()? {
            match self.one_record() {
                Ok(()) | Err(Stop::Next) => {}
                Err(Stop::NextFile) => {
                    self.input = None;
                    self.file_rules(|trigger| matches!(trigger, Trigger::EndFile))?;
                }
                Err(stop) => {
                    self.in_record = false;
                    return Err(stop);
                }
            }
            if self.streams.out.is_broken() {
                return Err(Stop::Exit);
            }
        }
        self.in_record = false;
        Ok(())
    }

    fn one_record(&mut self) -> Outcome<()> {
        let program = self.program;
        for rule in &program.rules {
            let runs = match &rule.trigger {
                Trigger::Always => true,
                Trigger::When(condition) => self.condition(condition)?,
                Trigger::Range(from, to, number) => {
                    let inside = self.ranges[*number] || self.condition(from)?;
                    self.ranges[*number] = inside && !self.condition(to)?;
                    inside
                }
                _ => false,
            };
            if runs {
                self.body(rule)?;
            }
        }
        Ok(())
    }

    fn file_rules(&mut self, wanted: fn(&Trigger) -> bool) -> Outcome<()> {
        let program = self.program;
        for rule in program.rules.iter().filter(|rule| wanted(&rule.trigger)) {
            self.body(rule)?;
        }
        Ok(())
    }

    fn body(&mut self, rule: &'p Rule) -> Outcome<()> {
        match &rule.body {
            None => self.print(&[], None),
            Some(statements) => self.block(statements).map(|_| ()),
        }
    }

    // ---- input -------------------------------------------------------------------------------

    /// Reads the next record of the main input into `$0`.
    fn next_record(&mut self) -> Outcome<bool> {
        match self.main_record()? {
            None => Ok(false),
            Some(record) => {
                self.count(true);
                self.spare = std::mem::take(&mut self.record);
                self.set_record(record);
                Ok(true)
            }
        }
    }

    fn count(&mut self, own: bool) {
        for place in if own { &[NR, FNR][..] } else { &[NR][..] } {
            let number = match &self.globals[*place] {
                Slot::Scalar(value) => value.number() + 1.0,
                _ => 1.0,
            };
            self.globals[*place] = Slot::Scalar(Value::Number(number));
        }
    }

    fn main_record(&mut self) -> Outcome<Option<Text>> {
        // The memory of the record before the last one is free, unless somebody kept it.
        let mut record = std::mem::take(&mut self.spare);
        loop {
            if self.input.is_none() && !self.next_file()? {
                return Ok(None);
            }
            let separator = self.separator.clone();
            let Some(reader) = &mut self.input else {
                return Ok(None);
            };
            if Rc::get_mut(&mut record).is_none() {
                record = Text::default();
            }
            match reader.next_into(&separator, Rc::make_mut(&mut record)) {
                Ok(true) => {
                    if self.program.uses_terminator {
                        self.globals[RT] = Slot::Scalar(Value::text(reader.terminator()));
                    }
                    return Ok(Some(record));
                }
                Ok(false) => {}
                Err(error) => {
                    let failure = system::Failure::from(error);
                    let name = self.scalar_global(FILENAME).to_text(b"");
                    super::warn(&format!(
                        "{}: {}",
                        String::from_utf8_lossy(&name),
                        failure.0
                    ));
                    self.status = 2;
                }
            }
            self.input = None;
            self.file_rules(|trigger| matches!(trigger, Trigger::EndFile))?;
        }
    }

    /// Opens the next operand; false where there is none left.
    fn next_file(&mut self) -> Outcome<bool> {
        loop {
            let count = self.scalar_global(ARGC).number() as usize;
            if self.argument >= count {
                if self.any_file {
                    return Ok(false);
                }
                self.any_file = true;
                return self.start_file(b"", Box::new(std::io::stdin()));
            }
            let arguments = self.array(Place::Global(ARGV))?;
            let key = Rc::new(self.argument.to_string().into_bytes());
            let operand = arguments
                .borrow()
                .get(&key)
                .map(|value| value.to_text(b"%.6g"));
            self.argument += 1;
            self.globals[ARGIND] = Slot::Scalar(Value::Number((self.argument - 1) as f64));
            let Some(operand) = operand.filter(|operand| !operand.is_empty()) else {
                continue;
            };
            if let Some((name, value)) = super::assignment(&operand) {
                self.assign_text(name, value)?;
                continue;
            }
            self.any_file = true;
            let path: &[u8] = if operand.as_slice() == b"/dev/stdin" {
                b"-"
            } else {
                &operand
            };
            match system::open_input(path) {
                Ok(input) => return self.start_file(&operand, input),
                Err(failure) => {
                    let name = String::from_utf8_lossy(&operand);
                    super::warn(&format!(
                        "warning: command line argument `{name}': {}",
                        failure.0
                    ));
                    self.status = 2;
                }
            }
        }
    }

    fn start_file(&mut self, name: &[u8], input: Box<dyn std::io::Read>) -> Outcome<bool> {
        self.input = Some(Reader::new(input));
        self.globals[FILENAME] = Slot::Scalar(Value::input(name));
        self.globals[FNR] = Slot::Scalar(Value::Number(0.0));
        self.file_rules(|trigger| matches!(trigger, Trigger::BeginFile))?;
        Ok(true)
    }

    fn getline(&mut self, source: &'p Source, variable: Option<&'p Expression>) -> Outcome<Value> {
        let separator = self.separator.clone();
        let found = match source {
            Source::Input => Ok(self.main_record()?),
            Source::File(name) => {
                let name = self.text(name)?;
                self.streams
                    .file(&name)
                    .and_then(|reader| Ok(reader.next(&separator)?))
                    .map(|record| record.map(Rc::new))
            }
            Source::Command(name) => {
                let name = self.text(name)?;
                self.streams
                    .command(&name)
                    .and_then(|reader| Ok(reader.next(&separator)?))
                    .map(|record| record.map(Rc::new))
            }
        };
        let record = match found {
            Err(failure) => {
                self.globals[ERRNO] = Slot::Scalar(Value::text(failure.0));
                return Ok(Value::Number(-1.0));
            }
            Ok(None) => return Ok(Value::Number(0.0)),
            Ok(Some(record)) => record,
        };
        match source {
            Source::Input => self.count(true),
            Source::Command(_) => self.count(false),
            Source::File(_) => {}
        }
        match variable {
            None => self.set_record(record),
            Some(variable) => self.assign(variable, Value::Input(record))?,
        }
        Ok(Value::Number(1.0))
    }

    // ---- record and fields -------------------------------------------------------------------

    fn set_record(&mut self, record: Text) {
        self.record = record;
        self.assigned = false;
        self.count_value = None;
        self.stale = false;
        self.split = false;
        self.spans.clear();
        self.resume = 0;
        self.fields = None;
    }

    fn split_record(&mut self) {
        self.split_to(usize::MAX);
    }

    /// Finds the fields up to a number, and more where that costs nothing.
    fn split_to(&mut self, wanted: usize) {
        if self.split || self.spans.len() >= wanted {
            return;
        }
        if !matches!(self.splitter, Splitter::Blanks) {
            self.splitter.split(&self.record, &mut self.spans);
            self.split = true;
            return;
        }
        match blanks_to(&self.record, &mut self.spans, self.resume, wanted) {
            Some(at) => self.resume = at,
            None => self.split = true,
        }
    }

    fn field_count(&mut self) -> usize {
        match &self.fields {
            Some(fields) => fields.len(),
            None => {
                self.split_record();
                self.spans.len()
            }
        }
    }

    /// `$0`.
    pub(super) fn whole_record(&mut self) -> Text {
        if self.stale {
            let mut text = Vec::new();
            for (index, field) in self.fields.iter().flatten().enumerate() {
                if index > 0 {
                    text.extend_from_slice(&self.field_gap);
                }
                text.extend_from_slice(&field.to_text(&self.convert));
            }
            self.record = Rc::new(text);
            self.stale = false;
        }
        Rc::clone(&self.record)
    }

    fn field(&mut self, index: usize) -> Value {
        if index == 0 {
            let record = self.whole_record();
            return if self.assigned {
                Value::Text(record)
            } else {
                Value::Input(record)
            };
        }
        if let Some(fields) = &self.fields {
            return fields
                .get(index - 1)
                .cloned()
                .unwrap_or_else(|| Value::input(""));
        }
        self.split_to(index);
        match self.spans.get(index - 1) {
            Some(&(from, to)) if self.csv => Value::input(unquote(&self.record[from..to])),
            Some(&(from, to)) => Value::input(&self.record[from..to]),
            None => Value::input(""),
        }
    }

    fn own_fields(&mut self) -> &mut Vec<Value> {
        if self.fields.is_none() {
            self.split_record();
            let all = (1..=self.spans.len())
                .map(|index| self.field(index))
                .collect();
            self.fields = Some(all);
        }
        self.fields.get_or_insert_default()
    }

    pub(super) fn set_field(&mut self, index: usize, value: Value) {
        if index == 0 {
            let text = value.to_text(&self.convert);
            self.set_record(text);
            self.assigned = matches!(value, Value::Text(_));
            return;
        }
        let fields = self.own_fields();
        if fields.len() < index {
            fields.resize(index, Value::Unset);
        }
        fields[index - 1] = value;
        self.count_value = None;
        self.stale = true;
    }

    fn field_index(&mut self, expression: &'p Expression) -> Outcome<usize> {
        let index = self.number(expression)?;
        if index < 0.0 || index.is_nan() {
            return fail(format!("attempt to access field {index:.0}"));
        }
        if index > MOST_FIELDS {
            return fail("field number too large");
        }
        Ok(index as usize)
    }

    // ---- variables ---------------------------------------------------------------------------

    fn slot(&mut self, place: Place) -> &mut Slot {
        match place {
            Place::Global(index) => &mut self.globals[index],
            Place::Local(index) => &mut self.frames[self.base + index],
        }
    }

    pub(super) fn scalar_global(&self, place: usize) -> Value {
        match &self.globals[place] {
            Slot::Scalar(value) => value.clone(),
            _ => Value::Unset,
        }
    }

    fn name(&self, place: Place) -> String {
        match place {
            Place::Global(index) => {
                String::from_utf8_lossy(&self.program.globals[index]).into_owned()
            }
            Place::Local(index) => format!("parameter {}", index + 1),
        }
    }

    fn variable(&mut self, place: Place) -> Outcome<Value> {
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

    pub(super) fn set_variable(&mut self, place: Place, value: Value) -> Outcome<()> {
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

    fn set_special(&mut self, index: usize, value: Value) -> Outcome<()> {
        let text = value.to_text(&self.convert);
        match index {
            NF => {
                let count = value.number();
                if !(0.0..=MOST_FIELDS).contains(&count) {
                    return fail("NF set to invalid value");
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
            FS | FPAT | FIELDWIDTHS => {
                // The record at hand is split as it was when it was read.
                self.split_record();
                self.set_splitter(index)
            }
            RS => self.set_separator(),
            _ => Ok(()),
        }
    }

    fn set_splitter(&mut self, by: usize) -> Outcome<()> {
        let text = self.scalar_global(by).to_text(b"%.6g");
        self.splitter = match by {
            FIELDWIDTHS => {
                let widths = text
                    .split(u8::is_ascii_whitespace)
                    .filter(|word| !word.is_empty());
                Splitter::Widths(widths.filter_map(crate::options::number).collect())
            }
            FPAT => Splitter::Content(self.pattern(&text)?),
            _ if self.csv => Splitter::Csv,
            _ => self.splitter(&text)?,
        };
        Ok(())
    }

    /// The splitter for a value of FS.
    pub(super) fn splitter(&mut self, text: &Text) -> Outcome<Splitter> {
        let paragraph = matches!(self.separator, Separator::Paragraph);
        Ok(match text.as_slice() {
            b" " => Splitter::Blanks,
            b"" => Splitter::Characters,
            [byte] if *byte != b'\\' && !paragraph && !self.ignore_case => Splitter::Byte(*byte),
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

    fn set_separator(&mut self) -> Outcome<()> {
        let text = self.scalar_global(RS).to_text(b"%.6g");
        self.separator = match text.as_slice() {
            b"" => Separator::Paragraph,
            [byte] if !self.ignore_case || !byte.is_ascii_alphabetic() => Separator::Byte(*byte),
            _ => Separator::Pattern(self.pattern(&text)?),
        };
        self.set_splitter(FS)
    }

    /// Whether a variable is an array by now.
    pub(super) fn is_array(&mut self, place: Place) -> bool {
        match self.slot(place) {
            Slot::Array(_) => true,
            Slot::Untyped(promise) => promise.borrow().is_some(),
            Slot::Scalar(_) => false,
        }
    }

    pub(super) fn array(&mut self, place: Place) -> Outcome<Array> {
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
        fail(format!(
            "attempt to use scalar `{}' as an array",
            self.name(place)
        ))
    }

    fn key(&mut self, subscripts: &'p [Expression]) -> Outcome<Text> {
        if let [only] = subscripts {
            return Ok(self.eval(only)?.to_text(&self.convert));
        }
        let mut key = Vec::new();
        for (index, subscript) in subscripts.iter().enumerate() {
            if index > 0 {
                key.extend_from_slice(&self.subscript_gap);
            }
            let value = self.eval(subscript)?;
            key.extend_from_slice(&value.to_text(&self.convert));
        }
        Ok(Rc::new(key))
    }

    /// The variable, element or field that an expression names; its parts are evaluated here, once.
    pub(super) fn target(&mut self, expression: &'p Expression) -> Outcome<Target> {
        Ok(match expression {
            Expression::Variable(place) => Target::Variable(*place),
            Expression::Element(place, subscripts) => {
                let key = self.key(subscripts)?;
                Target::Element(self.array(*place)?, key)
            }
            Expression::Field(index) => Target::Field(self.field_index(index)?),
            Expression::Group(inner) => return self.target(inner),
            _ => return fail("assignment to what is no variable"),
        })
    }

    pub(super) fn value_of(&mut self, target: &Target) -> Outcome<Value> {
        Ok(match target {
            Target::Variable(place) => self.variable(*place)?,
            Target::Element(array, key) => array.borrow().get(key).cloned().unwrap_or_default(),
            Target::Field(index) => self.field(*index),
        })
    }

    pub(super) fn set(&mut self, target: Target, value: Value) -> Outcome<()> {
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
    pub(super) fn assign(&mut self, target: &'p Expression, value: Value) -> Outcome<()> {
        let target = self.target(target)?;
        self.set(target, value)
    }

    /// Sets a variable to what `change` makes of its number; the result is the second number.
    fn modify(
        &mut self,
        target: &'p Expression,
        change: impl FnOnce(f64) -> Outcome<(f64, f64)>,
    ) -> Outcome<Value> {
        if let Expression::Element(place, subscripts) = target {
            return self.modify_element(*place, subscripts, change);
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

    // ---- patterns ----------------------------------------------------------------------------

    /// The pattern of a text that is used as a regular expression.
    pub(super) fn pattern(&mut self, source: &Text) -> Outcome<Rc<Pattern>> {
        if let Some(pattern) = self.patterns.get(source) {
            return Ok(Rc::clone(pattern));
        }
        let settings = Settings {
            ignore_case: self.ignore_case,
            ..Settings::new(Dialect::Awk)
        };
        let pattern = match Pattern::new(source, &settings) {
            Ok(pattern) => Rc::new(pattern),
            Err(message) => {
                let source = String::from_utf8_lossy(source);
                return fail(format!("invalid regexp: {message}: /{source}/"));
            }
        };
        if self.patterns.len() > 500 {
            self.patterns.clear();
        }
        self.patterns.insert(Rc::clone(source), Rc::clone(&pattern));
        Ok(pattern)
    }

    /// The pattern that an expression stands for: a literal, or the text of a value.
    pub(super) fn pattern_of(&mut self, expression: &'p Expression) -> Outcome<Rc<Pattern>> {
        match expression {
            Expression::Regex(pattern) if !self.ignore_case => Ok(Rc::clone(pattern)),
            Expression::Regex(pattern) => self.pattern(&Rc::new(pattern.source().to_vec())),
            Expression::Group(inner) if matches!(**inner, Expression::Regex(_)) => {
                self.pattern_of(inner)
            }
            _ => {
                let source = self.text(expression)?;
                self.pattern(&source)
            }
        }
    }

    // ---- expressions -------------------------------------------------------------------------

    pub(super) fn text(&mut self, expression: &'p Expression) -> Outcome<Text> {
        Ok(self.eval(expression)?.to_text(&self.convert))
    }

    fn condition(&mut self, expression: &'p Expression) -> Outcome<bool> {
        match expression {
            Expression::Regex(_) => {
                let pattern = self.pattern_of(expression)?;
                Ok(pattern.is_match(&self.whole_record()))
            }
            _ => Ok(self.eval(expression)?.is_true()),
        }
    }

    pub(super) fn eval(&mut self, expression: &'p Expression) -> Outcome<Value> {
        Ok(match expression {
            Expression::Number(number) => Value::Number(*number),
            Expression::Text(text) => Value::Text(Rc::clone(text)),
            Expression::Regex(_) => Value::bool(self.condition(expression)?),
            Expression::Variable(place) => self.variable(*place)?,
            Expression::Element(place, subscripts) => {
                let key = self.key(subscripts)?;
                let array = self.array(*place)?;
                let mut array = array.borrow_mut();
                array.entry(key).or_default().clone()
            }
            Expression::Field(index) => {
                let index = self.field_index(index)?;
                self.field(index)
            }
            Expression::Group(inner) => self.eval(inner)?,
            Expression::Not(inner) => Value::bool(!self.condition(inner)?),
            Expression::Negate(inner) => Value::Number(-self.eval(inner)?.number()),
            Expression::Plus(inner) => Value::Number(self.eval(inner)?.number()),
            Expression::Arithmetic(..) => Value::Number(self.number(expression)?),
            Expression::Concatenate(left, right) => {
                let left = self.text(left)?;
                let right = self.text(right)?;
                let mut text = Vec::with_capacity(left.len() + right.len());
                text.extend_from_slice(&left);
                text.extend_from_slice(&right);
                Value::text(text)
            }
            Expression::Compare(comparison, left, right) => {
                self.comparison(*comparison, left, right)?
            }
            Expression::Match(negated, left, right) => {
                let text = self.text(left)?;
                let pattern = self.pattern_of(right)?;
                Value::bool(pattern.is_match(&text) != *negated)
            }
            Expression::In(subscripts, place) => {
                let key = self.key(subscripts)?;
                Value::bool(self.array(*place)?.borrow().contains_key(&key))
            }
            Expression::And(left, right) => {
                Value::bool(self.condition(left)? && self.condition(right)?)
            }
            Expression::Or(left, right) => {
                Value::bool(self.condition(left)? || self.condition(right)?)
            }
            Expression::Condition(condition, yes, no) => {
                if self.condition(condition)? {
                    self.eval(yes)?
                } else {
                    self.eval(no)?
                }
            }
            Expression::Assign(target, value) => return self.assignment(target, value),
            Expression::Update(operator, target, value) => {
                let value = self.number(value)?;
                return self.modify(target, |old| {
                    let new = arithmetic(*operator, old, value)?;
                    Ok((new, new))
                });
            }
            Expression::Step(target, step, before) => {
                return self.modify(target, |old| {
                    Ok((old + step, if *before { old } else { old + step }))
                });
            }
            Expression::Call(index, arguments) => self.call(*index, arguments)?,
            Expression::Builtin(builtin, arguments) => self.builtin(*builtin, arguments)?,
            Expression::Getline(source, variable) => self.getline(source, variable.as_deref())?,
        })
    }

    /// The number of an expression, without the text that a field would be.
    fn number(&mut self, expression: &'p Expression) -> Outcome<f64> {
        match expression {
            Expression::Number(number) => Ok(*number),
            Expression::Arithmetic(operator, left, right) => {
                let left = self.number(left)?;
                let right = self.number(right)?;
                arithmetic(*operator, left, right)
            }
            Expression::Group(inner) => self.number(inner),
            Expression::Field(index) if self.fields.is_none() && !self.csv => {
                let index = self.field_index(index)?;
                if index == 0 {
                    return Ok(self.whole_record_number());
                }
                self.split_to(index);
                let span = self.spans.get(index - 1);
                Ok(span.map_or(0.0, |&(from, to)| prefix_number(&self.record[from..to]).0))
            }
            _ => Ok(self.eval(expression)?.number()),
        }
    }

    fn whole_record_number(&mut self) -> f64 {
        prefix_number(&self.whole_record()).0
    }

    fn comparison(
        &mut self,
        comparison: Comparison,
        left: &'p Expression,
        right: &'p Expression,
    ) -> Outcome<Value> {
        use std::cmp::Ordering::{Equal, Greater, Less};
        let left = self.eval(left)?;
        let right = self.eval(right)?;
        let order = compare(&left, &right, &self.convert);
        Ok(Value::bool(match comparison {
            Comparison::Less => order == Some(Less),
            Comparison::LessEqual => matches!(order, Some(Less | Equal)),
            Comparison::Equal => order == Some(Equal),
            Comparison::NotEqual => order != Some(Equal),
            Comparison::Greater => order == Some(Greater),
            Comparison::GreaterEqual => matches!(order, Some(Greater | Equal)),
        }))
    }

    fn assignment(&mut self, target: &'p Expression, value: &'p Expression) -> Outcome<Value> {
        // `x = x y` grows the text in place, so that a loop of them takes linear time.
        if let (Expression::Variable(place), Expression::Concatenate(left, right)) = (target, value)
            && let Expression::Variable(source) = **left
            && source == *place
            && !matches!(place, Place::Global(index) if *index < SPECIAL.len())
        {
            let tail = self.text(right)?;
            return self.append(*place, &tail);
        }
        let value = self.eval(value)?;
        self.assign(target, value.clone())?;
        Ok(value)
    }

    fn append(&mut self, place: Place, tail: &[u8]) -> Outcome<Value> {
        let mut text = self.variable(place)?.to_text(&self.convert);
        self.set_variable(place, Value::Unset)?;
        Rc::make_mut(&mut text).extend_from_slice(tail);
        self.set_variable(place, Value::Text(Rc::clone(&text)))?;
        Ok(Value::Text(text))
    }

    fn call(&mut self, index: usize, arguments: &'p [Expression]) -> Outcome<Value> {
        let function = &self.program.functions[index];
        if arguments.len() > function.parameters {
            let name = String::from_utf8_lossy(&function.name);
            return fail(format!(
                "function `{name}' called with more arguments than declared"
            ));
        }
        if self.calls >= MOST_CALLS {
            return fail("functions call each other too deeply");
        }
        let mut slots = Vec::with_capacity(function.parameters);
        for argument in arguments {
            slots.push(self.argument(argument)?);
        }
        slots.resize(function.parameters, Slot::default());
        let outer = std::mem::replace(&mut self.base, self.frames.len());
        self.frames.extend(slots);
        self.calls += 1;
        let flow = self.block(&function.body);
        self.calls -= 1;
        self.frames.truncate(self.base);
        self.base = outer;
        match flow? {
            Flow::Return(value) => Ok(value),
            _ => Ok(Value::Unset),
        }
    }

    /// Arrays are passed by reference, and so is what may still become one.
    fn argument(&mut self, expression: &'p Expression) -> Outcome<Slot> {
        let Expression::Variable(place) = expression else {
            return Ok(Slot::Scalar(self.eval(expression)?));
        };
        if *place == Place::Global(NF) {
            return Ok(Slot::Scalar(self.variable(*place)?));
        }
        let special = matches!(place, Place::Global(index) if *index < SPECIAL.len());
        let slot = self.slot(*place);
        if let (Slot::Scalar(Value::Unset), false) = (&*slot, special) {
            *slot = Slot::Untyped(Rc::default());
        }
        let promised = match slot {
            Slot::Untyped(promise) => promise.borrow().clone(),
            _ => None,
        };
        if let Some(array) = promised {
            *slot = Slot::Array(array);
        }
        Ok(slot.clone())
    }

    // ---- statements --------------------------------------------------------------------------

    fn block(&mut self, statements: &'p [Statement]) -> Outcome<Flow> {
        for statement in statements {
            match self.statement(statement)? {
                Flow::Normal => {}
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Normal)
    }

    fn statement(&mut self, statement: &'p Statement) -> Outcome<Flow> {
        match statement {
            Statement::Expression(expression) => {
                self.eval(expression)?;
            }
            Statement::Print(arguments, redirect) => self.print(arguments, redirect.as_ref())?,
            Statement::Printf(arguments, redirect) => self.printf(arguments, redirect.as_ref())?,
            Statement::If(condition, then, otherwise) => {
                if self.condition(condition)? {
                    return self.statement(then);
                }
                if let Some(otherwise) = otherwise {
                    return self.statement(otherwise);
                }
            }
            Statement::While(condition, body) => {
                while self.condition(condition)? {
                    match self.statement(body)? {
                        Flow::Break => break,
                        Flow::Return(value) => return Ok(Flow::Return(value)),
                        _ => {}
                    }
                }
            }
            Statement::Do(body, condition) => loop {
                match self.statement(body)? {
                    Flow::Break => break,
                    Flow::Return(value) => return Ok(Flow::Return(value)),
                    _ => {}
                }
                if !self.condition(condition)? {
                    break;
                }
            },
            Statement::For(start, condition, step, body) => {
                return self.for_loop(start.as_deref(), condition.as_ref(), step.as_deref(), body);
            }
            Statement::ForIn(variable, array, body) => return self.for_in(variable, *array, body),
            Statement::Switch(subject, cases) => return self.switch(subject, cases),
            Statement::Block(statements) => return self.block(statements),
            Statement::Next if self.in_record => return Err(Stop::Next),
            Statement::NextFile if self.in_record => return Err(Stop::NextFile),
            Statement::Next => return fail("`next' used in BEGIN or END action"),
            Statement::NextFile => return fail("`nextfile' used in BEGIN or END action"),
            Statement::Break => return Ok(Flow::Break),
            Statement::Continue => return Ok(Flow::Continue),
            Statement::Exit(status) => {
                if let Some(status) = status {
                    self.status = self.eval(status)?.number() as i64 as i32 & 0xff;
                }
                return Err(Stop::Exit);
            }
            Statement::Return(value) => {
                let value = value.as_ref().map(|value| self.eval(value)).transpose()?;
                return Ok(Flow::Return(value.unwrap_or_default()));
            }
            Statement::Delete(place, subscripts) => {
                let key = self.key(subscripts)?;
                self.array(*place)?.borrow_mut().shift_remove(&key);
            }
            Statement::DeleteAll(place) => self.array(*place)?.borrow_mut().clear(),
        }
        Ok(Flow::Normal)
    }

    fn for_loop(
        &mut self,
        start: Option<&'p Statement>,
        condition: Option<&'p Expression>,
        step: Option<&'p Statement>,
        body: &'p Statement,
    ) -> Outcome<Flow> {
        if let Some(start) = start {
            self.statement(start)?;
        }
        while condition.map_or(Ok(true), |condition| self.condition(condition))? {
            match self.statement(body)? {
                Flow::Break => break,
                Flow::Return(value) => return Ok(Flow::Return(value)),
                _ => {}
            }
            if let Some(step) = step {
                self.statement(step)?;
            }
        }
        Ok(Flow::Normal)
    }

    fn for_in(
        &mut self,
        variable: &'p Expression,
        array: Place,
        body: &'p Statement,
    ) -> Outcome<Flow> {
        let array = self.array(array)?;
        for key in self.ordered_keys(&array)? {
            self.assign(variable, Value::Input(key))?;
            match self.statement(body)? {
                Flow::Break => break,
                Flow::Return(value) => return Ok(Flow::Return(value)),
                _ => {}
            }
        }
        Ok(Flow::Normal)
    }

    fn switch(
        &mut self,
        subject: &'p Expression,
        cases: &'p [(Option<Expression>, Vec<Statement>)],
    ) -> Outcome<Flow> {
        let subject = self.eval(subject)?;
        let mut start = cases.iter().position(|(label, _)| label.is_none());
        for (index, (label, _)) in cases.iter().enumerate() {
            let Some(label) = label else { continue };
            let hit = match label {
                Expression::Regex(_) => self
                    .pattern_of(label)?
                    .is_match(&subject.to_text(&self.convert)),
                _ => {
                    let label = self.eval(label)?;
                    compare(&subject, &label, &self.convert) == Some(std::cmp::Ordering::Equal)
                }
            };
            if hit {
                start = Some(index);
                break;
            }
        }
        for (_, body) in cases.iter().skip(start.unwrap_or(cases.len())) {
            match self.block(body)? {
                Flow::Break => break,
                Flow::Normal => {}
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Normal)
    }

    fn print(
        &mut self,
        arguments: &'p [Expression],
        redirect: Option<&'p (Redirect, Expression)>,
    ) -> Outcome<()> {
        let mut line = Vec::with_capacity(80);
        if arguments.is_empty() {
            line.extend_from_slice(&self.whole_record());
        }
        for (index, argument) in arguments.iter().enumerate() {
            let value = self.eval(argument)?;
            if index > 0 {
                line.extend_from_slice(&self.field_gap);
            }
            line.extend_from_slice(&value.to_text(&self.output_convert));
        }
        line.extend_from_slice(&self.record_end);
        self.write(&line, redirect)
    }

    fn printf(
        &mut self,
        arguments: &'p [Expression],
        redirect: Option<&'p (Redirect, Expression)>,
    ) -> Outcome<()> {
        let text = self.formatted(arguments)?;
        self.write(&text, redirect)
    }

    /// The text of a format and its arguments.
    pub(super) fn formatted(&mut self, arguments: &'p [Expression]) -> Outcome<Vec<u8>> {
        let format = self.text(&arguments[0])?;
        let mut values = Vec::with_capacity(arguments.len() - 1);
        for argument in &arguments[1..] {
            values.push(self.eval(argument)?);
        }
        let mut out = Vec::new();
        match super::format::print(&format, &values, &self.convert, &mut out) {
            Ok(()) => Ok(out),
            Err(message) => fail(message),
        }
    }

    fn write(&mut self, text: &[u8], redirect: Option<&'p (Redirect, Expression)>) -> Outcome<()> {
        let target = match redirect {
            None => None,
            Some((kind, name)) => Some((*kind, self.text(name)?)),
        };
        let target = target.as_ref().map(|(kind, name)| (*kind, name.as_slice()));
        match self.streams.write(target, text) {
            Ok(()) => Ok(()),
            Err(failure) => {
                let name = target.map_or(&b"standard output"[..], |(_, name)| name);
                let name = String::from_utf8_lossy(name);
                fail(format!("cannot redirect to `{name}': {}", failure.0))
            }
        }
    }
}

fn arithmetic(operator: Operator, left: f64, right: f64) -> Outcome<f64> {
    Ok(match operator {
        Operator::Add => left + right,
        Operator::Subtract => left - right,
        Operator::Multiply => left * right,
        Operator::Divide if right == 0.0 => return fail("division by zero"),
        Operator::Divide => left / right,
        Operator::Remainder if right == 0.0 => return fail("division by zero in %"),
        Operator::Remainder => left % right,
        Operator::Power => left.powf(right),
    })
}

//! Runs an awk program.

mod expressions;
mod fields;
mod input;
mod patterns;
mod print;
mod statements;
mod variables;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use indexmap::IndexMap;

use super::record::{Reader, Separator, Span, Splitter};
use super::stream::Streams;
use super::tree::*;
use super::value::{Array, Slot, Text, Value};
use crate::pattern::Pattern;

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
    pub(in crate::awk) globals: Vec<Slot>,
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
    /// Memory for the next line that is printed.
    line: Vec<u8>,
    /// The fields, once one was changed.
    fields: Option<Vec<Value>>,
    splitter: Splitter,
    separator: Separator,
    pub(in crate::awk) convert: Text,
    output_convert: Text,
    field_gap: Text,
    record_end: Text,
    pub(in crate::awk) subscript_gap: Text,
    pub(in crate::awk) ignore_case: bool,
    pub(in crate::awk) csv: bool,
    patterns: HashMap<Text, Rc<Pattern>>,
    pub(in crate::awk) streams: Streams,
    pub(in crate::awk) seed: f64,
    pub(in crate::awk) random: u64,
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
            line: Vec::new(),
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
        let value = Value::input(crate::awk::lexer::unescape(value));
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
}

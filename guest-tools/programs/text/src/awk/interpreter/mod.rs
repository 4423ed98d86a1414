//! Runs an awk program by walking its tree.
//!
//! Control leaves a statement in two ways: `Flow` within a function (break, continue, return), and `Stop`, as an error,
//! through any number of calls (next, exit, fatal errors). Recursion of the program is recursion here, so `MOST_CALLS`
//! and the parser's limit on nesting bound the stack.

mod ahead;
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

use super::random::Random;
use super::record::{Reader, Separator, Span, Splitter};
use super::stream::Streams;
use super::tree::*;
use super::value::{Array, Slot, Text, Value};
use crate::pattern::Pattern;

/// Why a statement did not end normally.
pub enum Stop {
    /// The next record.
    Next,
    /// The next file.
    NextFile,
    /// `exit`: END rules run, or if one of them did, the program ends with `status`.
    Exit,
    /// A fatal error: its message, without place.
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

/// How deep functions may call each other, which the stack of the guest has room for.
const MOST_CALLS: usize = 2000;

/// The most fields a record may be given, so that `$1e9 = 1` cannot exhaust memory.
const MOST_FIELDS: f64 = 10_000_000.0;

/// What can be assigned to, with its parts evaluated.
pub enum Target {
    Variable(Place),
    /// An array and a key, which need not be in it.
    Element(Array, Text),
    /// 0 is the record.
    Field(usize),
}

/// A program with its variables, arrays, files and current record.
pub struct Interpreter<'p> {
    program: &'p Program,
    /// Global variables; those that awk watches have the indexes of `SPECIAL`.
    pub(in crate::awk) globals: Vec<Slot>,
    /// The parameters of all functions that run; those of the innermost begin at `base`.
    frames: Vec<Slot>,
    base: usize,
    /// How many functions run.
    calls: usize,
    /// `$0`, unless `stale`.
    record: Text,
    /// There was a record.
    any_record: bool,
    /// The record was assigned a string, which is no input.
    assigned: bool,
    /// What NF was set to, as long as it holds.
    count_value: Option<Value>,
    /// The fields are newer than the record.
    stale: bool,
    /// Fields that were found so far in `record`.
    spans: Vec<Span>,
    /// All fields are found.
    split: bool,
    /// Where the next field is looked for.
    resume: usize,
    /// Memory for the next record: that of the one before.
    spare: Option<Text>,
    /// Memory for the next line that is printed.
    line: Vec<u8>,
    /// The fields, once one was changed.
    fields: Option<Vec<Value>>,
    /// What FS, FPAT or FIELDWIDTHS, whichever was set last, means.
    splitter: Splitter,
    /// What RS means.
    separator: Separator,
    /// CONVFMT.
    pub(in crate::awk) convert: Text,
    /// OFMT.
    output_convert: Text,
    /// OFS.
    field_gap: Text,
    /// ORS.
    record_end: Text,
    /// SUBSEP.
    pub(in crate::awk) subscript_gap: Text,
    /// IGNORECASE.
    pub(in crate::awk) ignore_case: bool,
    pub(in crate::awk) csv: bool,
    /// Each byte is a character.
    pub(in crate::awk) bytes: bool,
    /// Operands are no assignments.
    pub(in crate::awk) no_assignments: bool,
    /// Regular expressions that were texts, compiled.
    patterns: HashMap<Text, Rc<Pattern>>,
    pub(in crate::awk) streams: Streams,
    /// What `srand` was given last.
    pub(in crate::awk) seed: f64,
    /// None until the first number is asked for.
    pub(in crate::awk) random: Option<Random>,
    /// Whether each range of the program is between its two patterns.
    ranges: Vec<bool>,
    /// The file of the main input that is being read.
    input: Option<Reader>,
    /// Index in ARGV of the next operand.
    argument: usize,
    /// An operand was a file, or standard input was taken in its place.
    any_file: bool,
    /// The exit status.
    pub status: i32,
    /// The rule with a name that runs: `next` and the like have no meaning there.
    rule: Option<&'static str>,
    /// The source and the line that run.
    line_number: (u16, u32),
    /// The function that runs.
    function: Option<usize>,
    /// The functions of the program, by name.
    pub(in crate::awk) functions: HashMap<&'p [u8], usize>,
    /// The user's `main` input is a file that is edited in place.
    in_place: bool,
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
            any_record: false,
            assigned: false,
            count_value: None,
            stale: false,
            spans: Vec::new(),
            split: true,
            resume: 0,
            spare: None,
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
            bytes: false,
            no_assignments: false,
            patterns: HashMap::new(),
            streams: Streams::new(),
            seed: 0.0,
            random: None,
            ranges: vec![false; program.ranges],
            input: None,
            argument: 1,
            any_file: false,
            status: 0,
            rule: None,
            line_number: (0, 0),
            function: None,
            functions: program
                .functions
                .iter()
                .enumerate()
                .map(|(index, function)| (&function.name[..], index))
                .collect(),
            in_place: program.in_place,
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
            (FPAT, "[^[:space:]]+"),
            (FIELDWIDTHS, ""),
            (RT, ""),
            (ERRNO, ""),
            (TEXTDOMAIN, "messages"),
            (ROUNDMODE, "N"),
        ];
        for (place, value) in usual {
            awk.globals[place] = Slot::Scalar(Value::text(value));
        }
        for place in [NR, FNR, RSTART, NF, IGNORECASE, LINT, BINMODE, ARGIND] {
            awk.globals[place] = Slot::Scalar(Value::Number(0.0));
        }
        awk.globals[PREC] = Slot::Scalar(Value::Number(53.0));
        awk.globals[RLENGTH] = Slot::Scalar(Value::Number(-1.0));
        awk
    }

    /// Makes a global array of names and values.
    pub fn set_array(&mut self, place: usize, elements: impl Iterator<Item = (Vec<u8>, Value)>) {
        let elements = elements.map(|(name, value)| (Rc::new(name), value));
        let array: IndexMap<_, _, _> = elements.collect();
        self.globals[place] = Slot::Array(Rc::new(RefCell::new(array)));
    }

    /// Sets a variable to a text of the command line: `-v` and operands such as `name=value`. It is input, so `v=1` is
    /// a number; `@/…/` is a regular expression. A name that the program does not have is not set.
    pub fn assign_text(&mut self, name: &[u8], value: &[u8]) -> Outcome<()> {
        let Some(place) = self.program.globals.iter().position(|known| known == name) else {
            return Ok(());
        };
        let value = match value {
            [b'@', b'/', source @ .., b'/'] => Value::Regex(Rc::new(source.to_vec())),
            _ => Value::input(crate::awk::unescape(value)),
        };
        self.set_variable(Place::Global(place), value)
    }

    /// Runs all rules.
    ///
    /// # Errors
    /// The message of what is fatal.
    pub fn run(&mut self) -> Result<i32, String> {
        let outcome = self.run_rules();
        match outcome {
            Ok(()) | Err(Stop::Exit) => Ok(self.status),
            Err(Stop::Fail(message)) => Err(message),
            Err(Stop::Next | Stop::NextFile) => {
                Err("`next' used in BEGIN or END action".to_owned())
            }
        }
    }

    /// The place in the program that runs, before a message: `SOURCE:LINE: `.
    pub fn place(&self) -> String {
        let (source, line) = self.line_number;
        let source = self.program.sources.get(usize::from(source));
        match source {
            Some(source) if line > 0 => format!("{source}:{line}: {}", self.record_place()),
            _ => String::new(),
        }
    }

    /// Warns with the place that runs.
    pub(in crate::awk) fn warn(&mut self, message: &str) {
        self.streams.flush();
        crate::awk::warn(&format!("{}warning: {message}", self.place()));
    }

    /// The record that is at hand, before a message: `(FILENAME=… FNR=…) `.
    fn record_place(&self) -> String {
        let number = self.scalar_global(FNR).number();
        if number <= 0.0 {
            return String::new();
        }
        let name = self.scalar_global(FILENAME).to_text(b"");
        let name = match String::from_utf8_lossy(&name).into_owned() {
            name if name.is_empty() => "-".to_owned(),
            name => name,
        };
        format!("(FILENAME={name} FNR={number}) ")
    }

    /// The names of all functions, as FUNCTAB has them.
    pub fn function_names(&self) -> Vec<(Vec<u8>, Value)> {
        let own = self.program.functions.iter();
        let own = own.filter(|function| !function.is_missing);
        let own = own.map(|function| function.name.clone());
        let built_in = Builtin::NAMES.iter().map(|(name, _)| name.to_vec());
        own.chain(built_in)
            .map(|name| (name.clone(), Value::text(name)))
            .collect()
    }

    /// All global variables and what they hold, one a line, for `-d`.
    pub fn dump(&mut self) -> Vec<u8> {
        let program = self.program;
        let mut names: Vec<_> = program.globals.iter().enumerate().collect();
        names.sort_by_key(|(_, name)| *name);
        let count = names.len();
        let mut out = Vec::new();
        for (at, name) in names {
            out.extend_from_slice(name);
            out.extend_from_slice(b": ");
            let elements = |count: usize| format!("array, {count} elements\n").into_bytes();
            out.extend(match &self.globals[at] {
                _ if at == SYMTAB => elements(count),
                _ if at == NF => format!("{}\n", self.field_count()).into_bytes(),
                Slot::Array(array) => elements(array.borrow().len()),
                Slot::Untyped(_) | Slot::Scalar(Value::Unset | Value::Array(_)) => {
                    b"untyped variable\n".to_vec()
                }
                Slot::Scalar(value @ Value::Number(_)) => {
                    [&value.to_text(&self.convert)[..], b"\n"].concat()
                }
                Slot::Scalar(value) => {
                    let text = value.to_text(&self.convert);
                    format!("\"{}\"\n", text.escape_ascii()).into_bytes()
                }
            });
        }
        out
    }

    /// How many parameters a function has.
    pub(in crate::awk) fn parameters_of(&self, function: usize) -> usize {
        self.program.functions[function].parameters.len()
    }

    /// Closes all files and gives standard output back.
    pub fn finish(self) -> crate::output::Output {
        self.streams.finish()
    }

    /// BEGIN rules, records, END rules. Input is read only where there is a rule for it, END included.
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

    /// Runs the rules for each record. Ends early where nobody reads the output.
    fn records(&mut self) -> Outcome<()> {
        let mut ahead = ahead::Ahead::new(self.program);
        loop {
            if let Some(ahead) = &mut ahead {
                self.pass_over(ahead);
            }
            if !self.next_record()? {
                return Ok(());
            }
            match self.one_record() {
                Ok(()) | Err(Stop::Next) => {}
                Err(Stop::NextFile) => {
                    self.input = None;
                    self.end_file()?;
                }
                Err(stop) => return Err(stop),
            }
            if self.streams.out.is_broken() {
                return Err(Stop::Exit);
            }
        }
    }

    /// Runs the rules whose trigger the record meets, in their order.
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

    /// Runs the rules for the begin or the end of a file.
    fn file_rules(&mut self, wanted: fn(&Trigger) -> bool) -> Outcome<()> {
        let program = self.program;
        for rule in program.rules.iter().filter(|rule| wanted(&rule.trigger)) {
            self.body(rule)?;
        }
        Ok(())
    }

    /// Runs a rule, under whose name `next` may be refused.
    fn body(&mut self, rule: &'p Rule) -> Outcome<()> {
        let outer = std::mem::replace(&mut self.rule, rule.trigger.name());
        let outcome = self.action(rule);
        self.rule = outer;
        outcome
    }

    /// Runs a rule's body; without one the record is printed.
    fn action(&mut self, rule: &'p Rule) -> Outcome<()> {
        match &rule.body {
            None => self.print(&[], None),
            Some(statements) => self.block(statements).map(|_| ()),
        }
    }
}

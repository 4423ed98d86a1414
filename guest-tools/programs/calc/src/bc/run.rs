//! Running statements.
//!
//! The machine runs the code of a line of the program (`code`). Its values and the calls that are running lie on stacks
//! of its own. An error ends the line, with a message on standard error; calls that are running end with it.
//!
//! Variables are dynamically scoped: a call saves the values that its parameters and `auto` names have, and puts them
//! back at its end, so that what it calls sees them. Undefined variables and elements are 0.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::rc::Rc;

use super::code::{Defined, Op, Passed, Place, compile};
use super::number::Number;
use super::parse::Parser;
use crate::output::Output;

/// The elements of an array that were assigned to.
type Elements = HashMap<i64, Number>;

/// Why a line is left before its end.
enum Stop {
    /// Something is wrong: the message.
    Error(String),
    /// `quit` or `halt`, or nobody reads what is written.
    Quit,
}

type Outcome<T = ()> = Result<T, Stop>;

/// How deep functions may call each other: what a call takes is kept in memory.
const MAX_CALLS: usize = 200_000;

/// A calculator: all that outlives a statement.
pub struct Machine {
    variables: HashMap<String, Number>,
    /// Arrays, whose names are not those of variables.
    arrays: HashMap<String, Elements>,
    /// Functions, shared so that one may be redefined while it runs.
    functions: HashMap<String, Rc<Defined>>,
    /// `scale`: how many digits after the point divisions keep.
    scale: u32,
    /// `ibase`, from 2 to 36.
    input: u32,
    /// `obase`, from 2 to 1,000,000.
    output: u32,
    /// `last`: what was printed last.
    last: Number,
    /// The values at hand.
    stack: Vec<Number>,
    /// The calls that are running.
    calls: Vec<Call>,
    /// How many characters stand in the line that is being written.
    column: usize,
    out: Output,
}

/// A call that is running.
struct Call {
    name: String,
    function: Rc<Defined>,
    /// Where the caller goes on.
    code: Rc<Vec<Op>>,
    at: usize,
    /// How many values were at hand.
    depth: usize,
    /// What the parameters and `auto` names were before: a variable, or for the names of arrays their elements.
    kept: Vec<(Option<Number>, Option<Elements>)>,
    /// The caller's names of arrays that are passed by reference, with the parameters.
    references: Vec<(String, String)>,
}

/// An error with this message.
fn error<T>(message: impl Into<String>) -> Outcome<T> {
    Err(Stop::Error(message.into()))
}

/// 1 or 0.
fn truth(value: bool) -> Number {
    Number::from(i64::from(value))
}

impl Machine {
    /// A calculator without variables.
    pub fn new() -> Machine {
        Machine {
            variables: HashMap::new(),
            arrays: HashMap::new(),
            functions: HashMap::new(),
            scale: 0,
            input: 10,
            output: 10,
            last: Number::default(),
            stack: Vec::new(),
            calls: Vec::new(),
            column: 0,
            out: Output::new(),
        }
    }

    /// Sets `scale`.
    pub fn set_scale(&mut self, scale: u32) {
        self.scale = scale;
    }

    /// Ends the output; gives the exit status.
    pub fn finish(self) -> i32 {
        self.out.finish("bc", 0, 1)
    }

    /// Runs a program, which is called `name` in messages; false after `quit` or `halt`. One line after the other is
    /// parsed and run, so that what stands before an error in the syntax takes effect.
    pub fn run(&mut self, name: &str, source: &str) -> bool {
        let mut parser = Parser::new(source);
        while let Some(line) = parser.next() {
            for (number, message) in &line.errors {
                self.out.flush();
                eprintln!("{name} {number}: {message}");
            }
            if !line.errors.is_empty() {
                continue;
            }
            let code = match compile(&line.statements) {
                Ok(code) => code,
                Err(message) => {
                    self.out.flush();
                    // The word itself tells the one, what follows it the other.
                    let number = match message.starts_with("Return") {
                        true => line.number,
                        false => line.start,
                    };
                    eprintln!("{name} {number}: {message}");
                    continue;
                }
            };
            if self.execute(Rc::new(code)).is_err() {
                return false;
            }
        }
        true
    }

    /// Says what went wrong, or is as it should not be, at a place of the code.
    fn complain(&mut self, kind: &str, at: usize, message: &str) {
        self.out.flush();
        let function = self.calls.last().map_or("(main)", |call| &call.name);
        eprintln!("Runtime {kind} (func={function}, adr={at}): {message}");
    }

    /// Runs code to its end, or to an error, which is said.
    fn execute(&mut self, code: Rc<Vec<Op>>) -> Outcome {
        let (mut code, mut at) = (code, 0);
        let outcome = loop {
            match self.step(&mut code, &mut at) {
                Ok(true) => {}
                Ok(false) => break Ok(()),
                Err(stop) => break Err(stop),
            }
        };
        let outcome = match outcome {
            Err(Stop::Error(message)) => {
                self.complain("error", at, &message);
                Ok(())
            }
            outcome => outcome,
        };
        while let Some(call) = self.calls.pop() {
            self.restore(call);
        }
        self.stack.clear();
        outcome
    }

    /// Takes the top of the stack. The compiler sees to it that there is one.
    fn pop(&mut self) -> Number {
        self.stack.pop().unwrap_or_default()
    }

    /// Runs the next operation; false at the end.
    fn step(&mut self, code: &mut Rc<Vec<Op>>, at: &mut usize) -> Outcome<bool> {
        let here = Rc::clone(code);
        let Some(op) = here.get(*at) else {
            // A function that ends without `return` gives 0.
            return Ok(self.leave(Number::default(), code, at));
        };
        *at += 1;
        match op {
            Op::Number(text) => self.stack.push(Number::parse(text, self.input)),
            Op::Load(place) => {
                let value = self.load(place)?;
                self.stack.push(value);
            }
            Op::Copy => self.stack.extend(self.stack.last().cloned()),
            Op::Store(place) => {
                let value = self.pop();
                self.store(place, value.clone(), *at)?;
                self.stack.push(value);
            }
            Op::Step(before, step, place) => {
                if matches!(place, Place::Element(_)) {
                    self.stack.extend(self.stack.last().cloned());
                }
                let old = self.load(place)?;
                let new = old.add(&Number::from(*step));
                self.store(place, new.clone(), *at)?;
                self.stack.push(if *before { new } else { old });
            }
            Op::Negate => {
                let value = self.pop().negate();
                self.stack.push(value);
            }
            Op::Not => {
                let value = truth(self.pop().is_zero());
                self.stack.push(value);
            }
            Op::Truth => {
                let value = truth(!self.pop().is_zero());
                self.stack.push(value);
            }
            Op::Binary(operator) => {
                let (right, left) = (self.pop(), self.pop());
                let value = self.compute(operator, &left, &right, *at)?;
                self.stack.push(value);
            }
            Op::And(to) | Op::Or(to) => {
                let holds = !self.pop().is_zero();
                if holds == matches!(op, Op::Or(_)) {
                    self.stack.push(truth(holds));
                    *at = *to;
                }
            }
            Op::Jump(to) => {
                if *to < *at && self.out.is_broken() {
                    return Err(Stop::Quit);
                }
                *at = *to;
            }
            Op::Unless(to) => {
                if self.pop().is_zero() {
                    *at = *to;
                }
            }
            Op::Call(name, passed, alone) => self.call(name, passed, *alone, code, at)?,
            Op::Print(name) => {
                let value = self.pop();
                if !name.as_ref().is_some_and(|name| self.is_void(name)) {
                    self.line(value);
                }
            }
            Op::PrintValue => {
                let value = self.pop();
                self.number(&value);
                self.last = value;
            }
            Op::Text(text, escapes) => self.text(text, *escapes),
            Op::Drop => drop(self.pop()),
            Op::Return => {
                let value = self.pop();
                return Ok(self.leave(value, code, at));
            }
            Op::Quit => return Err(Stop::Quit),
            Op::Define(name, function) => {
                self.functions.insert(name.clone(), Rc::clone(function));
            }
        }
        Ok(true)
    }

    /// Prints a value as a line.
    fn line(&mut self, value: Number) {
        self.number(&value);
        self.out.end_line(b'\n');
        self.column = 0;
        self.last = value;
    }

    /// Prints a number in `obase`. A line has 68 characters of it, then a `\` and a newline.
    fn number(&mut self, number: &Number) {
        for character in number.text(self.output).chars() {
            if self.column == 68 {
                self.out.put("\\\n");
                self.column = 0;
            }
            self.out.put(character.encode_utf8(&mut [0; 4]));
            self.column += 1;
        }
    }

    /// Prints a string. With `escapes`, as `print` does it, `\n`, `\t`, `\a`, `\b`, `\f`, `\r`, `\q` (a quote) and
    /// `\\` are replaced, and other characters behind a backslash are left out with it.
    fn text(&mut self, text: &str, escapes: bool) {
        let mut characters = text.chars();
        while let Some(character) = characters.next() {
            let shown = match (character, escapes) {
                ('\\', true) => match characters.next() {
                    Some('n') => '\n',
                    Some('t') => '\t',
                    Some('a') => '\u{7}',
                    Some('b') => '\u{8}',
                    Some('f') => '\u{c}',
                    Some('r') => '\r',
                    Some('q') => '"',
                    Some('\\') => '\\',
                    _ => continue,
                },
                _ => character,
            };
            self.out.put(shown.to_string());
            self.column = if shown == '\n' { 0 } else { self.column + 1 };
        }
    }

    /// Whether a function has no value.
    fn is_void(&self, name: &str) -> bool {
        self.functions.get(name).is_some_and(|found| found.is_void)
    }

    fn compute(
        &mut self,
        operator: &str,
        left: &Number,
        right: &Number,
        at: usize,
    ) -> Outcome<Number> {
        let order = left.compare(right);
        let found = match operator {
            "+" => Some(left.add(right)),
            "-" => Some(left.subtract(right)),
            "*" => Some(left.multiply(right, self.scale)),
            "/" => left.divide(right, self.scale),
            "%" => left.remainder(right, self.scale),
            "^" => {
                if right.scale() > 0 && right.rescale(0).compare(right) != Ordering::Equal {
                    self.complain("warning", at, "non-zero scale in exponent");
                }
                let power = right.to_i64();
                let power = power.and_then(|exponent| left.power(exponent, self.scale));
                return power.map_or_else(|| error("exponent too large in raise"), Ok);
            }
            "==" => Some(truth(order == Ordering::Equal)),
            "!=" => Some(truth(order != Ordering::Equal)),
            "<" => Some(truth(order == Ordering::Less)),
            "<=" => Some(truth(order != Ordering::Greater)),
            ">" => Some(truth(order == Ordering::Greater)),
            _ => Some(truth(order != Ordering::Less)),
        };
        found.map_or_else(|| error("Divide by zero"), Ok)
    }

    /// Takes the index of an array: the whole part of a number from 0 to 16,777,215, the `BC_DIM_MAX` of GNU's.
    fn index(&mut self, name: &str) -> Outcome<i64> {
        match self.pop().to_i64() {
            Some(index) if (0..1 << 24).contains(&index) => Ok(index),
            _ => error(format!("Array {name} subscript out of bounds.")),
        }
    }

    /// The value of a variable or an element.
    fn load(&mut self, place: &Place) -> Outcome<Number> {
        let found = match place {
            Place::Variable(name) => match name.as_str() {
                "scale" => return Ok(Number::from(i64::from(self.scale))),
                "ibase" => return Ok(Number::from(i64::from(self.input))),
                "obase" => return Ok(Number::from(i64::from(self.output))),
                "last" => Some(&self.last),
                _ => self.variables.get(name),
            },
            Place::Element(name) => {
                let index = self.index(name)?;
                let elements = self.arrays.get(name);
                elements.and_then(|elements| elements.get(&index))
            }
        };
        Ok(found.cloned().unwrap_or_default())
    }

    /// Gives a value to a variable or an element. The special ones take the nearest value that they may have, with a
    /// warning.
    fn store(&mut self, place: &Place, value: Number, at: usize) -> Outcome {
        match place {
            Place::Variable(name) => match name.as_str() {
                "scale" => self.scale = self.special(name, &value, (0, 100_000), at),
                "ibase" => self.input = self.special(name, &value, (2, 36), at),
                "obase" => self.output = self.special(name, &value, (2, 1_000_000), at),
                "last" => self.last = value,
                _ => {
                    self.variables.insert(name.clone(), value);
                }
            },
            Place::Element(name) => {
                let index = self.index(name)?;
                let elements = self.arrays.entry(name.clone()).or_default();
                elements.insert(index, value);
            }
        }
        Ok(())
    }

    /// The value that a special variable gets.
    fn special(&mut self, name: &str, value: &Number, (least, most): (i64, i64), at: usize) -> u32 {
        let given = value.to_i64().unwrap_or(match value.is_negative() {
            true => i64::MIN,
            false => i64::MAX,
        });
        let taken = given.clamp(least, most);
        let message = match taken.cmp(&given) {
            Ordering::Equal => return taken as u32,
            Ordering::Greater if name == "scale" => "negative scale, set to 0".to_owned(),
            Ordering::Greater => format!("{name} too small, set to {taken}"),
            Ordering::Less => format!("{name} too large, set to {taken}"),
        };
        self.complain("warning", at, &message);
        taken as u32
    }

    /// Calls a function: `length`, `scale` and `sqrt` of one argument, or a defined one, whose code goes on. Arrays are
    /// copied, and put back at the end where they are passed by reference.
    fn call(
        &mut self,
        name: &str,
        passed: &[Passed],
        alone: bool,
        code: &mut Rc<Vec<Op>>,
        at: &mut usize,
    ) -> Outcome {
        if let ("length" | "scale" | "sqrt", [Passed::Value]) = (name, passed) {
            let value = self.pop();
            let found = match name {
                "length" => Some(Number::from(value.length() as i64)),
                "scale" => Some(Number::from(i64::from(value.scale()))),
                _ => value.square_root(self.scale),
            };
            let Some(found) = found else {
                return error("Square root of a negative number");
            };
            self.stack.push(found);
            return Ok(());
        }
        let Some(function) = self.functions.get(name).cloned() else {
            return error(format!("Function {name} not defined."));
        };
        if function.is_void && !alone {
            return error("void expression");
        }
        if function.parameters.len() != passed.len() {
            return error("Parameter number mismatch");
        }
        if self.calls.len() >= MAX_CALLS {
            return error("functions call each other too deep");
        }
        let mut values = Vec::with_capacity(passed.len());
        for passed in passed.iter().rev() {
            values.push(match passed {
                Passed::Value => (self.pop(), Elements::new()),
                Passed::Array(name) => {
                    let elements = self.arrays.get(name).cloned();
                    (Number::default(), elements.unwrap_or_default())
                }
            });
        }
        values.reverse();
        let names = function.parameters.iter().chain(&function.locals);
        values.resize(names.clone().count(), (Number::default(), Elements::new()));
        let mut kept = Vec::with_capacity(values.len());
        for (name, (value, elements)) in names.zip(values) {
            kept.push(match name.strip_suffix("[]") {
                Some(array) => (None, self.arrays.insert(array.to_owned(), elements)),
                None => (self.variables.insert(name.clone(), value), None),
            });
        }
        let pairs = function.parameters.iter().zip(passed);
        let references = pairs.filter_map(|(parameter, passed)| match passed {
            Passed::Array(own) if function.references.contains(parameter) => {
                Some((own.clone(), parameter.strip_suffix("[]")?.to_owned()))
            }
            _ => None,
        });
        let references = references.collect();
        let body = Rc::clone(&function.code);
        self.calls.push(Call {
            name: name.to_owned(),
            function,
            code: std::mem::replace(code, body),
            at: std::mem::replace(at, 0),
            depth: self.stack.len(),
            kept,
            references,
        });
        Ok(())
    }

    /// Leaves the function that runs, with its value; false where none does.
    fn leave(&mut self, value: Number, code: &mut Rc<Vec<Op>>, at: &mut usize) -> bool {
        let Some(call) = self.calls.pop() else {
            return false;
        };
        self.stack.truncate(call.depth);
        self.stack.push(value);
        *code = Rc::clone(&call.code);
        *at = call.at;
        self.restore(call);
        true
    }

    /// Gives the names of a call the values that they had before, but for arrays by reference.
    fn restore(&mut self, call: Call) {
        let changed = call.references.into_iter().filter_map(|(own, parameter)| {
            let elements = self.arrays.get(&parameter)?;
            Some((own, elements.clone()))
        });
        let changed: Vec<(String, Elements)> = changed.collect();
        let names = call.function.parameters.iter().chain(&call.function.locals);
        let names: Vec<&String> = names.collect();
        for (name, (value, elements)) in names.into_iter().zip(call.kept).rev() {
            match name.strip_suffix("[]") {
                Some(array) => match elements {
                    Some(elements) => drop(self.arrays.insert(array.to_owned(), elements)),
                    None => drop(self.arrays.remove(array)),
                },
                None => match value {
                    Some(value) => drop(self.variables.insert(name.clone(), value)),
                    None => drop(self.variables.remove(name)),
                },
            }
        }
        self.arrays.extend(changed);
    }
}

//! Running statements.
//!
//! The machine walks the tree of a statement. `break`, `continue`, `return`, `quit` and errors leave it through the
//! error of a `Result`, as `Stop`. An error ends its statement alone, with a message on standard error.
//!
//! Variables are dynamically scoped: a call saves the values that its parameters and `auto` names have, and puts them
//! back at its end, so that what it calls sees them. Undefined variables and elements are 0. Calls nest at most
//! `MAX_CALLS` deep, because they recurse on the stack.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::rc::Rc;

use super::number::Number;
use super::parse::{Argument, Expr, Function, Item, Parser, Statement};
use crate::output::Output;

/// The elements of an array that were assigned to.
type Elements = HashMap<i64, Number>;

/// Why a statement is left before its end.
enum Stop {
    /// Something is wrong: the message.
    Error(String),
    /// `return`, for the function that runs.
    Return(Number),
    /// `break`, for the innermost loop.
    Break,
    /// `continue`, likewise.
    Continue,
    /// `quit` or `halt`, for the program.
    Quit,
}

type Outcome<T = ()> = Result<T, Stop>;

/// How deep functions may call each other.
const MAX_CALLS: usize = 600;

/// A calculator: all that outlives a statement.
pub struct Machine {
    variables: HashMap<String, Number>,
    /// Arrays, whose names are not those of variables.
    arrays: HashMap<String, Elements>,
    /// Functions, shared so that one may be redefined while it runs.
    functions: HashMap<String, Rc<Function>>,
    /// `scale`: how many digits after the point divisions keep.
    scale: u32,
    /// `ibase`, from 2 to 36.
    input: u32,
    /// `obase`, from 2 to 1,000,000.
    output: u32,
    /// `last`: what was printed last.
    last: Number,
    /// How many calls are running.
    calls: usize,
    /// How many characters stand in the line that is being written.
    column: usize,
    out: Output,
}

/// An error with this message.
fn error<T>(message: &str) -> Outcome<T> {
    Err(Stop::Error(message.to_owned()))
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
            calls: 0,
            column: 0,
            out: Output::new(),
        }
    }

    /// Sets `scale`.
    pub fn set_scale(&mut self, scale: u32) {
        self.scale = scale;
    }

    /// Writes what is left of the output; gives the exit status.
    pub fn finish(self) -> i32 {
        self.out.finish("bc", 0, 1)
    }

    /// Runs a program; false after `quit` and where nobody reads the output. Line after line is parsed and run, so
    /// that what stands before an error in the syntax takes effect.
    pub fn run(&mut self, source: &str) -> bool {
        let mut parser = match Parser::new(source) {
            Ok(parser) => parser,
            Err(message) => {
                self.complain(&message);
                return true;
            }
        };
        while let Some(line) = parser.next() {
            let statements = line.unwrap_or_else(|message| {
                self.complain(&message);
                Vec::new()
            });
            for statement in &statements {
                match self.statement(statement) {
                    Err(Stop::Quit) => return false,
                    Err(Stop::Error(message)) => self.complain(&message),
                    _ => {}
                }
                if self.out.is_broken() {
                    return false;
                }
            }
        }
        true
    }

    /// Says what is wrong. Lines are not counted.
    fn complain(&mut self, message: &str) {
        self.out.flush();
        eprintln!("(standard_in) 1: {message}");
    }

    /// Prints a number in `obase`. A line has 68 characters of it, then a `\` and a newline.
    fn number(&mut self, number: &Number) {
        for character in number.text(self.output).chars() {
            if self.column == 68 {
                self.out.put("\\\n");
                self.column = 0;
            }
            self.out.put(character.to_string());
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

    /// Runs a statement.
    fn statement(&mut self, statement: &Statement) -> Outcome {
        match statement {
            Statement::Nothing => {}
            Statement::Expr(Expr::Call(name, arguments)) if self.is_void(name) => {
                self.call(name, arguments)?;
            }
            Statement::Expr(expr) => {
                let value = self.value(expr)?;
                if !matches!(expr, Expr::Assign(..)) {
                    self.number(&value);
                    self.out.end_line(b'\n');
                    self.column = 0;
                    self.last = value;
                }
            }
            Statement::Text(text) => self.text(text, false),
            Statement::Print(items) => {
                for item in items {
                    match item {
                        Item::Text(text) => self.text(text, true),
                        Item::Value(expr) => {
                            let value = self.value(expr)?;
                            self.number(&value);
                            self.last = value;
                        }
                    }
                }
            }
            Statement::If(condition, then, otherwise) => {
                if !self.value(condition)?.is_zero() {
                    self.statement(then)?;
                } else if let Some(otherwise) = otherwise {
                    self.statement(otherwise)?;
                }
            }
            Statement::While(condition, body) => {
                while !self.value(condition)?.is_zero() {
                    if self.turn(body)? {
                        break;
                    }
                }
            }
            Statement::For(start, condition, step, body) => {
                let optional = |machine: &mut Machine, expr: &Option<Expr>| {
                    expr.as_ref().map(|expr| machine.value(expr)).transpose()
                };
                optional(self, start)?;
                while optional(self, condition)?.is_none_or(|value| !value.is_zero()) {
                    if self.turn(body)? {
                        break;
                    }
                    optional(self, step)?;
                }
            }
            Statement::Block(statements) => {
                for statement in statements {
                    self.statement(statement)?;
                }
            }
            Statement::Return(expr) => {
                let value = expr.as_ref().map(|expr| self.value(expr)).transpose()?;
                return Err(Stop::Return(value.unwrap_or_default()));
            }
            Statement::Break => return Err(Stop::Break),
            Statement::Continue => return Err(Stop::Continue),
            Statement::Quit => return Err(Stop::Quit),
            Statement::Define(name, function) => {
                self.functions
                    .insert(name.clone(), Rc::new(function.clone()));
            }
        }
        Ok(())
    }

    /// One turn of a loop; true where it ends.
    fn turn(&mut self, body: &Statement) -> Outcome<bool> {
        match self.statement(body) {
            Err(Stop::Break) => Ok(true),
            Ok(()) | Err(Stop::Continue) => Ok(self.out.is_broken()),
            Err(stop) => Err(stop),
        }
    }

    /// The value of an expression, with its effects. In `a op= b`, `b` is evaluated before `a`.
    fn value(&mut self, expr: &Expr) -> Outcome<Number> {
        match expr {
            Expr::Number(text) => Ok(Number::parse(text, self.input)),
            Expr::Group(inner) => self.value(inner),
            Expr::Variable(name) => Ok(match name.as_str() {
                "scale" => Number::from(i64::from(self.scale)),
                "ibase" => Number::from(i64::from(self.input)),
                "obase" => Number::from(i64::from(self.output)),
                "last" => self.last.clone(),
                _ => self.variables.get(name).cloned().unwrap_or_default(),
            }),
            Expr::Element(name, index) => {
                let index = self.index(index)?;
                Ok(self
                    .arrays
                    .get(name)
                    .and_then(|elements| elements.get(&index))
                    .cloned()
                    .unwrap_or_default())
            }
            Expr::Negate(operand) => Ok(self.value(operand)?.negate()),
            Expr::Not(operand) => Ok(truth(self.value(operand)?.is_zero())),
            Expr::Binary("&&", left, right) => Ok(truth(
                !self.value(left)?.is_zero() && !self.value(right)?.is_zero(),
            )),
            Expr::Binary("||", left, right) => Ok(truth(
                !self.value(left)?.is_zero() || !self.value(right)?.is_zero(),
            )),
            Expr::Binary(operator, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                self.compute(operator, &left, &right)
            }
            Expr::Assign(operator, target, source) => {
                let mut value = self.value(source)?;
                if *operator != "=" {
                    let old = self.value(target)?;
                    value = self.compute(&operator[..1], &old, &value)?;
                }
                self.assign(target, value.clone())?;
                Ok(value)
            }
            Expr::Step(before, step, target) => {
                let old = self.value(target)?;
                let new = old.add(&Number::from(*step));
                self.assign(target, new.clone())?;
                Ok(if *before { new } else { old })
            }
            Expr::Call(name, _) if self.is_void(name) => error("void expression"),
            Expr::Call(name, arguments) => self.call(name, arguments),
        }
    }

    /// Whether a function has no value.
    fn is_void(&self, name: &str) -> bool {
        self.functions.get(name).is_some_and(|found| found.is_void)
    }

    fn compute(&self, operator: &str, left: &Number, right: &Number) -> Outcome<Number> {
        let order = left.compare(right);
        let found = match operator {
            "+" => Some(left.add(right)),
            "-" => Some(left.subtract(right)),
            "*" => Some(left.multiply(right, self.scale)),
            "/" => left.divide(right, self.scale),
            "%" => left.remainder(right, self.scale),
            "^" => {
                let exponent = right.to_i64();
                return exponent
                    .and_then(|exponent| left.power(exponent, self.scale))
                    .map_or_else(|| error("exponent too large in raise"), Ok);
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

    /// An index: the whole part of a number from 0 to 16,777,215, the `BC_DIM_MAX` of GNU's.
    fn index(&mut self, expr: &Expr) -> Outcome<i64> {
        match self.value(expr)?.to_i64() {
            Some(index) if (0..1 << 24).contains(&index) => Ok(index),
            _ => error("Array subscript out of bounds"),
        }
    }

    /// Gives a value to a variable or an element. The special ones take the nearest value that they may have, without
    /// the warning of GNU's.
    fn assign(&mut self, target: &Expr, value: Number) -> Outcome {
        let small = |least: i64, most: i64| {
            value
                .to_i64()
                .map_or(most, |value| value.clamp(least, most)) as u32
        };
        match target {
            Expr::Variable(name) => match name.as_str() {
                "scale" => self.scale = small(0, 100_000),
                "ibase" => self.input = small(2, 36),
                "obase" => self.output = small(2, 1_000_000),
                "last" => self.last = value,
                _ => {
                    self.variables.insert(name.clone(), value);
                }
            },
            Expr::Element(name, index) => {
                let index = self.index(index)?;
                self.arrays
                    .entry(name.clone())
                    .or_default()
                    .insert(index, value);
            }
            _ => return error("syntax error"),
        }
        Ok(())
    }

    /// Calls a function: `length`, `scale` and `sqrt` of one argument, or a defined one. Arrays are copied; a
    /// function that ends without `return` gives 0.
    fn call(&mut self, name: &str, arguments: &[Argument]) -> Outcome<Number> {
        if let ("length" | "scale" | "sqrt", [Argument::Value(argument)]) = (name, arguments) {
            let value = self.value(argument)?;
            return match name {
                "length" => Ok(Number::from(value.length() as i64)),
                "scale" => Ok(Number::from(i64::from(value.scale()))),
                _ => value
                    .square_root(self.scale)
                    .map_or_else(|| error("Square root of a negative number"), Ok),
            };
        }
        let Some(function) = self.functions.get(name).cloned() else {
            return error(&format!("Function {name} not defined."));
        };
        if function.parameters.len() != arguments.len() {
            return error("Parameter number mismatch");
        }
        if self.calls >= MAX_CALLS {
            return error("functions call each other too deep");
        }
        let mut values = Vec::new();
        for argument in arguments {
            values.push(match argument {
                Argument::Value(expr) => (self.value(expr)?, Elements::new()),
                Argument::Array(name) => (
                    Number::default(),
                    self.arrays.get(name).cloned().unwrap_or_default(),
                ),
            });
        }
        values.resize(
            function.parameters.len() + function.locals.len(),
            (Number::default(), Elements::new()),
        );
        let names: Vec<&String> = function.parameters.iter().chain(&function.locals).collect();
        let mut kept = Vec::new();
        for (name, (value, elements)) in names.iter().zip(values) {
            kept.push(match name.strip_suffix("[]") {
                Some(array) => (None, self.arrays.insert(array.to_owned(), elements)),
                None => (self.variables.insert((*name).clone(), value), None),
            });
        }
        self.calls += 1;
        let mut outcome = Ok(());
        for statement in &function.body {
            outcome = self.statement(statement);
            if outcome.is_err() {
                break;
            }
        }
        self.calls -= 1;
        let changed = self.referenced(&function, arguments);
        for (name, (value, elements)) in names.iter().zip(kept).rev() {
            match name.strip_suffix("[]") {
                Some(array) => match elements {
                    Some(elements) => drop(self.arrays.insert(array.to_owned(), elements)),
                    None => drop(self.arrays.remove(array)),
                },
                None => match value {
                    Some(value) => drop(self.variables.insert((*name).clone(), value)),
                    None => drop(self.variables.remove(*name)),
                },
            }
        }
        self.arrays.extend(changed);
        match outcome {
            Ok(()) => Ok(Number::default()),
            Err(Stop::Return(value)) => Ok(value),
            Err(stop) => Err(stop),
        }
    }

    /// The arrays that a call got by reference, by the names that the caller has for them.
    fn referenced(&self, function: &Function, arguments: &[Argument]) -> Vec<(String, Elements)> {
        let pairs = function.parameters.iter().zip(arguments);
        let named = pairs.filter_map(|(name, argument)| match argument {
            Argument::Array(own) if function.references.contains(name) => {
                let elements = self.arrays.get(name.strip_suffix("[]")?)?;
                Some((own.clone(), elements.clone()))
            }
            _ => None,
        });
        named.collect()
    }
}

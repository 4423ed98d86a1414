//! Statements as code for a machine with a stack of its own, so that functions may call each other as deep as there is
//! memory.
//!
//! Each operation takes its operands from the stack of values and leaves its result there. Of a place that is an
//! element the index lies on the stack.
//!
//! ```text
//! a[i] += f(2)     Load i, Copy, Element a, Number 2, Call f, Binary +, Store a[]
//! while (x) y      2: Load x, Unless 6, Load y, Print, Jump 2
//! ```

use std::rc::Rc;

use super::parse::{Argument, Expr, Function, Item, Statement};

/// What can be assigned to.
#[derive(Clone, Debug)]
pub enum Place {
    /// A variable; `scale`, `ibase`, `obase` and `last` are among them.
    Variable(String),
    /// An element of an array, whose index lies on the stack.
    Element(String),
}

/// What a call passes on.
#[derive(Clone, Debug)]
pub enum Passed {
    /// The next value of the stack.
    Value,
    /// An array by its name.
    Array(String),
}

/// One operation.
#[derive(Clone, Debug)]
pub enum Op {
    /// Digits, which are read in the base of `ibase`.
    Number(String),
    /// The value of a place.
    Load(Place),
    /// The top of the stack once more.
    Copy,
    /// Stores the top of the stack, which stays.
    Store(Place),
    /// `++` and `--`: whether it is done before the value is taken, and by how much.
    Step(bool, i64, Place),
    Negate,
    Not,
    /// 1 for what is not 0.
    Truth,
    /// An operator of two operands.
    Binary(&'static str),
    /// `&&`: goes on there with 0 where the top is 0, else takes it away.
    And(usize),
    /// `||`: goes on there with 1 where the top is not 0, else takes it away.
    Or(usize),
    /// Goes on there.
    Jump(usize),
    /// Takes the top away, and goes on there where it is 0.
    Unless(usize),
    /// A function with its arguments; whether the call is a statement, as that of a function without a value must be.
    Call(String, Vec<Passed>, bool),
    /// Takes the top away and prints it as a line; that of a call only where the function of this name has a value.
    Print(Option<String>),
    /// Takes the top away and prints it as `print` does.
    PrintValue,
    /// A string; whether escapes are replaced.
    Text(String, bool),
    /// Takes the top away.
    Drop,
    /// Leaves the function with the top as its value.
    Return,
    /// Ends the program.
    Quit,
    /// Defines a function.
    Define(String, Rc<Defined>),
}

/// A function that was compiled.
#[derive(Debug)]
pub struct Defined {
    /// What it is called with, in this order; names that end with `[]` are arrays.
    pub parameters: Vec<String>,
    /// The names of `auto`.
    pub locals: Vec<String>,
    /// The parameters whose array is the caller's own.
    pub references: Vec<String>,
    /// It has no value.
    pub is_void: bool,
    pub code: Rc<Vec<Op>>,
}

/// The code of statements.
///
/// # Errors
/// A message where `break`, `continue` or `return` stands where there is nothing to leave.
pub fn compile(statements: &[Statement]) -> Result<Vec<Op>, String> {
    let mut compiler = Compiler {
        code: Vec::new(),
        loops: Vec::new(),
        in_function: false,
    };
    for statement in statements {
        compiler.statement(statement)?;
    }
    Ok(compiler.code)
}

/// A loop that is being compiled: the jumps of its `break` and `continue`, which get their targets at its end.
#[derive(Default)]
struct Loop {
    breaks: Vec<usize>,
    continues: Vec<usize>,
}

struct Compiler {
    code: Vec<Op>,
    loops: Vec<Loop>,
    in_function: bool,
}

impl Compiler {
    /// Adds an operation; gives its place.
    fn emit(&mut self, op: Op) -> usize {
        self.code.push(op);
        self.code.len() - 1
    }

    /// Lets a jump go to the next operation.
    fn land(&mut self, jump: usize) {
        self.aim(jump, self.code.len());
    }

    /// Lets a jump go to a place.
    fn aim(&mut self, jump: usize, to: usize) {
        match &mut self.code[jump] {
            Op::Jump(target) | Op::Unless(target) | Op::And(target) | Op::Or(target) => {
                *target = to;
            }
            _ => {}
        }
    }

    fn statement(&mut self, statement: &Statement) -> Result<(), String> {
        match statement {
            Statement::Nothing => {}
            Statement::Expr(Expr::Call(name, arguments)) => {
                self.call(name, arguments, true);
                self.emit(Op::Print(Some(name.clone())));
            }
            Statement::Expr(expr) => {
                self.value(expr);
                self.emit(match expr {
                    Expr::Assign(..) => Op::Drop,
                    _ => Op::Print(None),
                });
            }
            Statement::Text(text) => drop(self.emit(Op::Text(text.clone(), false))),
            Statement::Print(items) => {
                for item in items {
                    match item {
                        Item::Text(text) => drop(self.emit(Op::Text(text.clone(), true))),
                        Item::Value(expr) => {
                            self.value(expr);
                            self.emit(Op::PrintValue);
                        }
                    }
                }
            }
            Statement::If(condition, then, otherwise) => {
                self.value(condition);
                let unless = self.emit(Op::Unless(0));
                self.statement(then)?;
                if let Some(otherwise) = otherwise {
                    let end = self.emit(Op::Jump(0));
                    self.land(unless);
                    self.statement(otherwise)?;
                    self.land(end);
                } else {
                    self.land(unless);
                }
            }
            Statement::While(condition, body) => {
                self.repeat(None, Some(condition), None, body)?;
            }
            Statement::For(start, condition, step, body) => {
                self.repeat(start.as_ref(), condition.as_ref(), step.as_ref(), body)?;
            }
            Statement::Block(statements) => {
                for statement in statements {
                    self.statement(statement)?;
                }
            }
            Statement::Return(_) if !self.in_function => {
                return Err("Return outside of a function.".to_owned());
            }
            Statement::Return(expr) => {
                match expr {
                    Some(expr) => self.value(expr),
                    None => drop(self.emit(Op::Number("0".to_owned()))),
                }
                self.emit(Op::Return);
            }
            Statement::Break => {
                let jump = self.emit(Op::Jump(0));
                let around = self.loops.last_mut();
                let around = around.ok_or("Break outside a for/while")?;
                around.breaks.push(jump);
            }
            Statement::Continue => {
                let jump = self.emit(Op::Jump(0));
                let around = self.loops.last_mut().ok_or("Continue outside a for")?;
                around.continues.push(jump);
            }
            Statement::Quit => drop(self.emit(Op::Quit)),
            Statement::Define(name, function) => {
                let defined = Rc::new(defined(function)?);
                self.emit(Op::Define(name.clone(), defined));
            }
        }
        Ok(())
    }

    /// A loop. Values of its start and its step are not printed.
    fn repeat(
        &mut self,
        start: Option<&Expr>,
        condition: Option<&Expr>,
        step: Option<&Expr>,
        body: &Statement,
    ) -> Result<(), String> {
        self.unprinted(start);
        let top = self.code.len();
        let end = condition.map(|condition| {
            self.value(condition);
            self.emit(Op::Unless(0))
        });
        self.loops.push(Loop::default());
        let compiled = self.statement(body);
        let inner = self.loops.pop().unwrap_or_default();
        compiled?;
        for jump in inner.continues {
            self.land(jump);
        }
        self.unprinted(step);
        self.emit(Op::Jump(top));
        for jump in inner.breaks.into_iter().chain(end) {
            self.land(jump);
        }
        Ok(())
    }

    /// An expression for its effects.
    fn unprinted(&mut self, expr: Option<&Expr>) {
        if let Some(expr) = expr {
            self.value(expr);
            self.emit(Op::Drop);
        }
    }

    /// An expression, whose value is the top of the stack behind it.
    fn value(&mut self, expr: &Expr) {
        match expr {
            Expr::Number(text) => drop(self.emit(Op::Number(text.clone()))),
            Expr::Group(inner) => self.value(inner),
            Expr::Variable(_) | Expr::Element(..) => {
                if let Some(place) = self.place(expr) {
                    self.emit(Op::Load(place));
                }
            }
            Expr::Call(name, arguments) => self.call(name, arguments, false),
            Expr::Negate(operand) => {
                self.value(operand);
                self.emit(Op::Negate);
            }
            Expr::Not(operand) => {
                self.value(operand);
                self.emit(Op::Not);
            }
            Expr::Binary(operator @ ("&&" | "||"), left, right) => {
                self.value(left);
                let jump = self.emit(match *operator {
                    "&&" => Op::And(0),
                    _ => Op::Or(0),
                });
                self.value(right);
                self.emit(Op::Truth);
                self.land(jump);
            }
            Expr::Binary(operator, left, right) => {
                self.value(left);
                self.value(right);
                self.emit(Op::Binary(operator));
            }
            Expr::Assign(operator, target, source) => {
                let Some(place) = self.place(target) else {
                    return;
                };
                // The old value counts, whatever `source` does.
                let changes = operator.strip_suffix('=').filter(|rest| !rest.is_empty());
                if changes.is_some() {
                    if matches!(place, Place::Element(_)) {
                        self.emit(Op::Copy);
                    }
                    self.emit(Op::Load(place.clone()));
                }
                self.value(source);
                self.code.extend(changes.map(Op::Binary));
                self.emit(Op::Store(place));
            }
            Expr::Step(before, step, target) => {
                if let Some(place) = self.place(target) {
                    self.emit(Op::Step(*before, *step, place));
                }
            }
        }
    }

    /// What an expression names; the index of an element is evaluated. The parser lets nothing else through.
    fn place(&mut self, expr: &Expr) -> Option<Place> {
        match expr {
            Expr::Variable(name) => Some(Place::Variable(name.clone())),
            Expr::Element(name, index) => {
                self.value(index);
                Some(Place::Element(name.clone()))
            }
            _ => None,
        }
    }

    fn call(&mut self, name: &str, arguments: &[Argument], alone: bool) {
        let mut passed = Vec::with_capacity(arguments.len());
        for argument in arguments {
            passed.push(match argument {
                Argument::Value(expr) => {
                    self.value(expr);
                    Passed::Value
                }
                Argument::Array(name) => Passed::Array(name.clone()),
            });
        }
        self.emit(Op::Call(name.to_owned(), passed, alone));
    }
}

/// A function with its code.
fn defined(function: &Function) -> Result<Defined, String> {
    let mut compiler = Compiler {
        code: Vec::new(),
        loops: Vec::new(),
        in_function: true,
    };
    for statement in &function.body {
        compiler.statement(statement)?;
    }
    Ok(Defined {
        parameters: function.parameters.clone(),
        locals: function.locals.clone(),
        references: function.references.clone(),
        is_void: function.is_void,
        code: Rc::new(compiler.code),
    })
}

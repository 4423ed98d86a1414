//! The machine that evaluates expressions.

use std::rc::Rc;

use super::error::{ArithmeticError, Failure, Problem};
use super::expression::{BinaryOp, Expression, Op, Subscript};
use super::token::{HOLE, is_space};
use super::{MAX_DEPTH, Symbol, plain_integer};
use crate::text::Text;

/// The value of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// It has none, and that counts as 0.
    Unset,
    /// A number.
    Integer(i64),
    /// A text, which is evaluated as an expression.
    Text(Text),
}

/// Which element of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Index {
    /// Of an indexed array; negative ones count from the end.
    Number(i64),
    /// Of an associative array: the text between the brackets as it stands, quotes included. Of any
    /// variable: nothing, `@` or `*`.
    Key(Text),
}

/// The variables that an expression works on.
pub trait Scope {
    /// Why the scope refuses something.
    type Error;

    /// The number of a name, as at the time of parsing.
    fn intern(&mut self, name: &[u8]) -> Symbol;

    /// The value of a variable; of an array, of its element 0.
    ///
    /// # Errors
    /// For instance where it is unset and `set -u` is on.
    fn get(&mut self, name: Symbol) -> Result<Value, Self::Error>;

    /// Assigns to a variable.
    ///
    /// # Errors
    /// For instance where it is read-only.
    fn set(&mut self, name: Symbol, value: i64) -> Result<(), Self::Error>;

    /// Whether subscripts of the variable are keys and not expressions.
    fn is_associative(&mut self, name: Symbol) -> bool;

    /// Called before the subscript of an element that is read is looked at.
    ///
    /// # Errors
    /// Where the variable is unset and `set -u` is on.
    fn require(&mut self, name: Symbol) -> Result<(), Self::Error> {
        let _ = name;
        Ok(())
    }

    /// The value of an element.
    ///
    /// # Errors
    /// As for [`Scope::get`], and where the index is out of bounds.
    fn get_element(&mut self, name: Symbol, index: &Index) -> Result<Value, Self::Error>;

    /// Assigns to an element.
    ///
    /// # Errors
    /// As for [`Scope::set`], and where the index is out of bounds.
    fn set_element(&mut self, name: Symbol, index: &Index, value: i64) -> Result<(), Self::Error>;

    /// The text of a subscript with what the shell expands in it.
    ///
    /// # Errors
    /// Where the expansion fails.
    fn expand(&mut self, subscript: Text) -> Result<Text, Self::Error> {
        Ok(subscript)
    }

    /// Called before the text of a variable or a subscript is evaluated in its turn, so that a budget
    /// can end `a='b+b' b='c+c' …`, which doubles the work with every variable.
    ///
    /// # Errors
    /// Where the budget is used up.
    fn charge(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// Evaluates expressions. Keep one and use it again: it keeps its memory.
#[derive(Debug, Default)]
pub struct Evaluator {
    pub(super) values: Vec<i64>,
    pub(super) indices: Vec<Index>,
    pub(super) frames: Vec<Frame>,
}

/// An expression whose evaluation goes on when an inner one has its value.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) expression: Rc<Expression>,
    pub(super) next: usize,
    pub(super) holes: Holes,
    pub(super) in_subscript: bool,
}

/// Which numbers are in the holes of the expression at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holes {
    /// It has none.
    None,
    /// Those of the outermost expression, from this one on.
    From(usize),
}

/// The expression at hand.
struct Current {
    expression: Rc<Expression>,
    next: usize,
    holes: Holes,
    in_subscript: bool,
}

type Evaluation<T, S> = Result<T, Failure<<S as Scope>::Error>>;

impl Evaluator {
    /// One without memory.
    pub fn new() -> Evaluator {
        Evaluator::default()
    }

    /// The value of an expression; `holes` are the numbers in its holes.
    ///
    /// # Errors
    /// [`Failure`]; what was assigned before stays assigned. Where the scope refused something,
    /// [`Evaluator::pause`] takes what is under way.
    pub fn evaluate<S: Scope>(
        &mut self,
        expression: &Rc<Expression>,
        holes: &[i64],
        scope: &mut S,
    ) -> Evaluation<i64, S> {
        if let Some(value) = expression.constant() {
            return Ok(value);
        }
        self.values.clear();
        self.indices.clear();
        self.frames.clear();
        let current = Current {
            expression: Rc::clone(expression),
            next: 0,
            holes: Holes::From(0),
            in_subscript: false,
        };
        self.run(current, holes, scope)
    }

    /// Goes on with the innermost frame.
    pub(super) fn go_on<S: Scope>(&mut self, holes: &[i64], scope: &mut S) -> Evaluation<i64, S> {
        match self.frames.pop() {
            Some(frame) => self.run(frame.into(), holes, scope),
            None => Ok(self.pop()),
        }
    }

    fn run<S: Scope>(
        &mut self,
        mut current: Current,
        holes: &[i64],
        scope: &mut S,
    ) -> Evaluation<i64, S> {
        loop {
            let Some(&op) = current.expression.code.get(current.next) else {
                let Some(frame) = self.frames.pop() else {
                    return Ok(self.pop());
                };
                current = frame.into();
                continue;
            };
            current.next += 1;
            if let Err(failure) = self.step(op, &mut current, holes, scope) {
                current.next -= 1;
                self.frames.push(current.into());
                return Err(failure);
            }
        }
    }

    fn pop(&mut self) -> i64 {
        // The parser leaves a value for every operand.
        self.values.pop().unwrap_or_default()
    }

    #[inline]
    fn step<S: Scope>(
        &mut self,
        op: Op,
        current: &mut Current,
        holes: &[i64],
        scope: &mut S,
    ) -> Evaluation<(), S> {
        match op {
            Op::Number(value) => self.values.push(value),
            Op::Hole(hole) => self.values.push(current.holes.get(holes, hole as usize)),
            Op::Load(name, at) => {
                let value = scope.get(name).map_err(Failure::Scope)?;
                self.push(value, at, current, scope, holes)?;
            }
            Op::Store(name) => {
                let value = self.values.last().copied().unwrap_or_default();
                scope.set(name, value).map_err(Failure::Scope)?;
            }
            Op::Step { name, up, post } => {
                let value = self.stepped(up, post);
                scope.set(name, value).map_err(Failure::Scope)?;
            }
            Op::Subscript { .. }
            | Op::TakeIndex
            | Op::LoadElement { .. }
            | Op::StoreElement(_)
            | Op::StepElement { .. } => self.element(op, current, holes, scope)?,
            Op::Negate => self.unary(i64::wrapping_neg),
            Op::Not => self.unary(|value| i64::from(value == 0)),
            Op::Complement => self.unary(|value| !value),
            Op::Truth => self.unary(|value| i64::from(value != 0)),
            Op::Binary(operator, at) => {
                let right = self.pop();
                let left = self.pop();
                let value = apply(operator, left, right)
                    .map_err(|problem| current.error(problem, at as usize, usize::MAX, holes))?;
                self.values.push(value);
            }
            Op::And(to) => {
                if self.pop() == 0 {
                    self.values.push(0);
                    current.next = to as usize;
                }
            }
            Op::Or(to) => {
                if self.pop() != 0 {
                    self.values.push(1);
                    current.next = to as usize;
                }
            }
            Op::JumpIfZero(to) => {
                if self.pop() == 0 {
                    current.next = to as usize;
                }
            }
            Op::Jump(to) => current.next = to as usize,
            Op::Pop => {
                self.pop();
            }
            Op::Fail(fault) => {
                let fault = current.expression.faults[fault as usize];
                return Err(current
                    .error(fault.problem, fault.token, fault.end, holes)
                    .into());
            }
        }
        Ok(())
    }

    /// What concerns arrays.
    fn element<S: Scope>(
        &mut self,
        op: Op,
        current: &mut Current,
        holes: &[i64],
        scope: &mut S,
    ) -> Evaluation<(), S> {
        match op {
            Op::Subscript {
                name,
                subscript,
                at,
                read,
            } => {
                let expression = Rc::clone(&current.expression);
                let subscript = &expression.subscripts[subscript as usize];
                if read && !subscript.text.is_empty() {
                    scope.require(name).map_err(Failure::Scope)?;
                }
                let element = !matches!(subscript.text.as_bytes(), b"" | b"@" | b"*");
                if !element || scope.is_associative(name) {
                    let key = current.holes.inner(subscript.first_hole);
                    self.indices
                        .push(Index::Key(key.fill(&subscript.text, holes)));
                    current.next += 1;
                    return Ok(());
                }
                let first = current.holes.inner(subscript.first_hole);
                let active = |byte: &u8| b"$`\"'\\".contains(byte);
                let inner = if subscript.text.iter().any(active) {
                    let text = first.fill(&subscript.text, holes);
                    let text = scope.expand(text).map_err(Failure::Scope)?;
                    Rc::new(Expression::parse(&text, &mut |name| scope.intern(name)))
                } else {
                    subscript.expression(scope)
                };
                self.enter(current, (inner, at), first, true, holes, scope)?;
            }
            Op::TakeIndex => {
                let value = self.pop();
                self.indices.push(Index::Number(value));
            }
            Op::LoadElement { name, keep, at } => {
                let index = self.indices.pop().unwrap_or(Index::Number(0));
                if let Index::Number(_) = index {
                    // To bash, a subscript that is a number is an expression as well.
                    self.check_depth(current, at, true, holes)?;
                }
                let value = match scope.get_element(name, &index) {
                    Ok(value) => value,
                    Err(refusal) => {
                        self.indices.push(index);
                        return Err(Failure::Scope(refusal));
                    }
                };
                if keep {
                    self.indices.push(index);
                }
                self.push(value, at, current, scope, holes)?;
            }
            Op::StoreElement(name) | Op::StepElement { name, .. } => {
                let index = self.indices.pop().unwrap_or(Index::Number(0));
                let before = self.values.last().copied();
                let value = match op {
                    Op::StepElement { up, post, .. } => self.stepped(up, post),
                    _ => self.values.last().copied().unwrap_or_default(),
                };
                if let Err(refusal) = scope.set_element(name, &index, value) {
                    self.indices.push(index);
                    self.values.pop();
                    self.values.extend(before);
                    return Err(Failure::Scope(refusal));
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Pushes the number that a variable's value means, or begins to evaluate it.
    #[inline]
    fn push<S: Scope>(
        &mut self,
        value: Value,
        at: u32,
        current: &mut Current,
        scope: &mut S,
        holes: &[i64],
    ) -> Evaluation<(), S> {
        let number = match &value {
            Value::Integer(value) => Some(*value),
            Value::Unset => {
                self.values.push(0);
                return Ok(());
            }
            Value::Text(text) => plain_integer(text),
        };
        if let Some(value) = number {
            // To bash, a number is an expression as well.
            self.check_depth(current, at, current.in_subscript, holes)?;
            self.values.push(value);
            return Ok(());
        }
        let Value::Text(text) = value else {
            return Ok(());
        };
        if text.iter().copied().all(is_space) {
            self.values.push(0);
            return Ok(());
        }
        let inner = Expression::parse(&text, &mut |name| scope.intern(name));
        if let Some(value) = inner.constant() {
            self.check_depth(current, at, current.in_subscript, holes)?;
            self.values.push(value);
            return Ok(());
        }
        let in_subscript = current.in_subscript;
        let inner = (Rc::new(inner), at);
        self.enter(current, inner, Holes::None, in_subscript, holes, scope)
    }

    #[inline]
    fn check_depth<E>(
        &self,
        current: &Current,
        at: u32,
        in_subscript: bool,
        holes: &[i64],
    ) -> Result<(), Failure<E>> {
        if self.frames.len() + 1 < MAX_DEPTH {
            return Ok(());
        }
        let error = current.error(Problem::TooDeep, at as usize, usize::MAX, holes);
        let error = ArithmeticError {
            in_subscript,
            ..error
        };
        Err(error.into())
    }

    /// Goes on with an inner expression.
    fn enter<S: Scope>(
        &mut self,
        current: &mut Current,
        (expression, at): (Rc<Expression>, u32),
        first: Holes,
        in_subscript: bool,
        holes: &[i64],
        scope: &mut S,
    ) -> Evaluation<(), S> {
        self.check_depth(current, at, in_subscript, holes)?;
        scope.charge().map_err(Failure::Scope)?;
        let inner = Current {
            expression,
            next: 0,
            holes: first,
            in_subscript,
        };
        let outer = std::mem::replace(current, inner);
        self.frames.push(outer.into());
        Ok(())
    }

    fn unary(&mut self, operation: fn(i64) -> i64) {
        if let Some(value) = self.values.last_mut() {
            *value = operation(*value);
        }
    }

    /// The value that `++` or `--` stores; leaves the one that it has.
    fn stepped(&mut self, up: bool, post: bool) -> i64 {
        let old = self.pop();
        let new = old.wrapping_add(if up { 1 } else { -1 });
        self.values.push(if post { old } else { new });
        new
    }
}

impl From<Frame> for Current {
    fn from(frame: Frame) -> Current {
        Current {
            expression: frame.expression,
            next: frame.next,
            holes: frame.holes,
            in_subscript: frame.in_subscript,
        }
    }
}

impl From<Current> for Frame {
    fn from(current: Current) -> Frame {
        Frame {
            expression: current.expression,
            next: current.next,
            holes: current.holes,
            in_subscript: current.in_subscript,
        }
    }
}

impl Holes {
    fn get(self, holes: &[i64], hole: usize) -> i64 {
        match self {
            Holes::None => 0,
            Holes::From(first) => holes.get(first + hole).copied().unwrap_or_default(),
        }
    }

    /// Those of a part that `first` holes stand in front of.
    fn inner(self, first: usize) -> Holes {
        match self {
            Holes::None => Holes::None,
            Holes::From(outer) => Holes::From(outer + first),
        }
    }

    /// The text with the numbers put in.
    fn fill(self, text: &[u8], holes: &[i64]) -> Text {
        let mut filled = Text::with_capacity(text.len());
        let mut hole = 0;
        for &byte in text {
            if byte == HOLE {
                filled.push_bytes(&Text::from(self.get(holes, hole)));
                hole += 1;
            } else {
                filled.push(byte);
            }
        }
        filled
    }
}

impl Subscript {
    fn expression<S: Scope>(&self, scope: &mut S) -> Rc<Expression> {
        let parse = || {
            Rc::new(Expression::parse(&self.text, &mut |name| {
                scope.intern(name)
            }))
        };
        Rc::clone(self.expression.get_or_init(parse))
    }
}

impl Current {
    /// An error at a place of the text.
    fn error(&self, problem: Problem, token: usize, end: usize, holes: &[i64]) -> ArithmeticError {
        let text = &self.expression.text[..end.min(self.expression.text.len())];
        let spaces = text
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b'\t'))
            .count();
        let token = token.clamp(spaces, text.len());
        let before = text[..token].iter().filter(|&&byte| byte == HOLE).count();
        ArithmeticError {
            expression: self.holes.fill(&text[spaces..], holes),
            problem,
            token: self.holes.inner(before).fill(&text[token..], holes),
            in_subscript: self.in_subscript,
        }
    }
}

fn apply(operator: BinaryOp, left: i64, right: i64) -> Result<i64, Problem> {
    Ok(match operator {
        BinaryOp::Add => left.wrapping_add(right),
        BinaryOp::Subtract => left.wrapping_sub(right),
        BinaryOp::Multiply => left.wrapping_mul(right),
        BinaryOp::Divide | BinaryOp::Remainder if right == 0 => {
            return Err(Problem::DivisionByZero);
        }
        BinaryOp::Divide => left.wrapping_div(right),
        BinaryOp::Remainder => left.wrapping_rem(right),
        BinaryOp::Power if right < 0 => return Err(Problem::NegativeExponent),
        BinaryOp::Power => power(left, right),
        // The hardware of bash takes the shift modulo 64.
        BinaryOp::ShiftLeft => left.wrapping_shl(right as u32),
        BinaryOp::ShiftRight => left.wrapping_shr(right as u32),
        BinaryOp::BitAnd => left & right,
        BinaryOp::BitXor => left ^ right,
        BinaryOp::BitOr => left | right,
        BinaryOp::Less => i64::from(left < right),
        BinaryOp::LessEqual => i64::from(left <= right),
        BinaryOp::Greater => i64::from(left > right),
        BinaryOp::GreaterEqual => i64::from(left >= right),
        BinaryOp::Equal => i64::from(left == right),
        BinaryOp::NotEqual => i64::from(left != right),
    })
}

/// By squaring, modulo 2⁶⁴.
fn power(mut base: i64, mut exponent: i64) -> i64 {
    let mut result: i64 = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result.wrapping_mul(base);
        }
        base = base.wrapping_mul(base);
        exponent >>= 1;
    }
    result
}

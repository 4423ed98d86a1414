//! The code of an expression.

use std::cell::OnceCell;
use std::rc::Rc;

use super::Symbol;
use super::error::Problem;
use super::parse::Parser;
use crate::text::Text;

/// An expression, ready to be evaluated any number of times.
///
/// It refers to variables by the numbers that the caller gave to their names. An expression whose
/// text is wrong is one too: evaluating it does what stands before the error and then reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    pub(super) code: Vec<Op>,
    pub(super) subscripts: Vec<Subscript>,
    pub(super) faults: Vec<Fault>,
    /// The text, with a byte 0 for each hole.
    pub(super) text: Text,
    /// For each hole, whether a negative number can stand there.
    pub(super) holes: Vec<bool>,
}

/// A subscript, which is an expression or a key: only the evaluation knows which.
#[derive(Debug, Clone)]
pub(super) struct Subscript {
    pub(super) text: Text,
    /// The number of holes in front of it.
    pub(super) first_hole: usize,
    pub(super) expression: OnceCell<Rc<Expression>>,
}

impl PartialEq for Subscript {
    fn eq(&self, other: &Subscript) -> bool {
        self.text == other.text && self.first_hole == other.first_hole
    }
}

impl Eq for Subscript {}

/// An error in the text: what, and the part of the text that the message names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Fault {
    pub(super) problem: Problem,
    pub(super) token: usize,
    pub(super) end: usize,
}

/// An instruction; operands are on a stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Op {
    Number(i64),
    Hole(u32),
    /// The place in the text is where the name is.
    Load(Symbol, u32),
    /// Finds the element that a subscript means: a key at once, or a number for `TakeIndex`.
    Subscript {
        name: Symbol,
        subscript: u32,
        at: u32,
        read: bool,
    },
    TakeIndex,
    /// Loads the element that was found last; keeps its index for a store.
    LoadElement {
        name: Symbol,
        keep: bool,
        at: u32,
    },
    /// Stores the top value, which stays.
    Store(Symbol),
    StoreElement(Symbol),
    /// Replaces the top value by one more or less, and stores that; leaves the old one where `post`.
    Step {
        name: Symbol,
        up: bool,
        post: bool,
    },
    StepElement {
        name: Symbol,
        up: bool,
        post: bool,
    },
    Negate,
    Not,
    Complement,
    /// The place in the text is where the right operand begins.
    Binary(BinaryOp, u32),
    /// Makes the top value 0 or 1.
    Truth,
    /// Goes on, or leaves 0 and jumps.
    And(u32),
    /// Goes on, or leaves 1 and jumps.
    Or(u32),
    JumpIfZero(u32),
    Jump(u32),
    Pop,
    Fail(u32),
}

/// An operator with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BinaryOp {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Power,
    ShiftLeft,
    ShiftRight,
    BitAnd,
    BitXor,
    BitOr,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

impl BinaryOp {
    /// Whether `op=` exists (shifts are read apart).
    pub(super) fn assigns(self) -> bool {
        !matches!(self, BinaryOp::Less | BinaryOp::Greater)
    }
}

impl Expression {
    /// Reads an expression. `intern` gives the number of a name.
    pub fn parse(text: &[u8], intern: &mut dyn FnMut(&[u8]) -> Symbol) -> Expression {
        Parser::new(text, intern).parse()
    }

    /// Reads an expression in which each byte 0 is a hole for a number, so that `$x + 1` need not be
    /// parsed for every value of `x`.
    ///
    /// None where text put there could mean more than a number: beside a letter or a digit, say. See
    /// [`Expression::accepts`].
    pub fn template(text: &[u8], intern: &mut dyn FnMut(&[u8]) -> Symbol) -> Option<Expression> {
        let joins = |byte: &u8| byte.is_ascii_alphanumeric() || b"_#@$\0".contains(byte);
        let mut holes = Vec::new();
        for (at, _) in text.iter().enumerate().filter(|&(_, &byte)| byte == 0) {
            let before = at.checked_sub(1).and_then(|before| text.get(before));
            if before.is_some_and(joins) || text.get(at + 1).is_some_and(joins) {
                return None;
            }
            // `-` and a negative number would read as `--`.
            holes.push(before != Some(&b'-'));
        }
        let mut expression = Expression::parse(text, intern);
        expression.holes = holes;
        Some(expression)
    }

    /// Whether these texts, put into the holes, mean what numbers there mean; gives the numbers.
    pub fn accepts<'a>(&self, values: impl Iterator<Item = &'a [u8]>) -> Option<Vec<i64>> {
        let mut numbers = Vec::with_capacity(self.holes.len());
        for (text, &negative) in values.zip(&self.holes) {
            numbers.push(super::plain_integer(text).filter(|&number| number >= 0 || negative)?);
        }
        (numbers.len() == self.holes.len()).then_some(numbers)
    }

    /// The value, where it depends on nothing.
    pub fn constant(&self) -> Option<i64> {
        match self.code.as_slice() {
            [Op::Number(value)] => Some(*value),
            _ => None,
        }
    }
}

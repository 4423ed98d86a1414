//! What can be wrong with an expression.

use std::fmt;

use crate::text::Text;

/// Why an expression has no value.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ArithmeticError {
    /// The expression, or the value of a variable or the subscript in which the error is.
    pub expression: Text,
    /// What is wrong.
    pub problem: Problem,
    /// The rest of the expression, from the last token that was read.
    pub token: Text,
    /// The error is in the subscript of an indexed array. bash gives up the whole command then, and
    /// leaves out the name of the builtin in front of the message.
    pub in_subscript: bool,
}

impl ArithmeticError {
    /// The message, as bash prints it after its name, the line and the name of the builtin.
    pub fn message(&self) -> Vec<u8> {
        let mut message = self.expression.to_vec();
        message.extend_from_slice(b": ");
        message.extend_from_slice(self.problem.message().as_bytes());
        message.extend_from_slice(b" (error token is \"");
        message.extend_from_slice(&self.token);
        message.extend_from_slice(b"\")");
        message
    }
}

impl fmt::Display for ArithmeticError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&String::from_utf8_lossy(&self.message()))
    }
}

impl std::error::Error for ArithmeticError {}

/// What is wrong with an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Problem {
    /// An operator lacks its operand.
    OperandExpected,
    /// Something that begins no token follows an operand.
    InvalidOperator,
    /// The expression goes on after its end.
    Trailing,
    /// The left side of an assignment is no variable.
    NotAssignable,
    /// `++x++`
    IncrementNotAssignable,
    /// `--x--`
    DecrementNotAssignable,
    /// `(` without `)`.
    MissingParenthesis,
    /// `?` without `:`.
    MissingColon,
    /// Nothing stands between `?` and `:`, or after `:`.
    ExpressionExpected,
    /// `/ 0` or `% 0`.
    DivisionByZero,
    /// `**` with a negative exponent.
    NegativeExponent,
    /// `[` without `]`.
    BadSubscript,
    /// A digit is too great for the base: `08`.
    DigitTooGreat,
    /// `1#0`, `65#0`
    InvalidBase,
    /// `0#1`
    InvalidNumber,
    /// `2#`
    InvalidConstant,
    /// Variables refer to each other too deep.
    TooDeep,
}

impl Problem {
    /// The wording of bash.
    pub fn message(self) -> &'static str {
        match self {
            Problem::OperandExpected => "syntax error: operand expected",
            Problem::InvalidOperator => "syntax error: invalid arithmetic operator",
            Problem::Trailing => "syntax error in expression",
            Problem::NotAssignable => "attempted assignment to non-variable",
            Problem::IncrementNotAssignable => "++: assignment requires lvalue",
            Problem::DecrementNotAssignable => "--: assignment requires lvalue",
            Problem::MissingParenthesis => "missing `)'",
            Problem::MissingColon => "`:' expected for conditional expression",
            Problem::ExpressionExpected => "expression expected",
            Problem::DivisionByZero => "division by 0",
            Problem::NegativeExponent => "exponent less than 0",
            Problem::BadSubscript => "bad array subscript",
            Problem::DigitTooGreat => "value too great for base",
            Problem::InvalidBase => "invalid arithmetic base",
            Problem::InvalidNumber => "invalid number",
            Problem::InvalidConstant => "invalid integer constant",
            Problem::TooDeep => "expression recursion level exceeded",
        }
    }
}

/// Why an evaluation ended early.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Failure<E> {
    /// The expression is wrong.
    Expression(Box<ArithmeticError>),
    /// The scope refused: an unset variable under `set -u`, a read-only one, a budget.
    Scope(E),
}

impl<E> From<ArithmeticError> for Failure<E> {
    fn from(error: ArithmeticError) -> Failure<E> {
        Failure::Expression(Box::new(error))
    }
}

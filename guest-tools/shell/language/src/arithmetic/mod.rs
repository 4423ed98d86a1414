//! Arithmetic expressions of the shell.
//!
//! [`Expression::parse`] turns text into a compact postfix code; [`Evaluator::evaluate`] runs it on
//! variables that it reaches through a [`Scope`]. An expression can be kept and evaluated again.
//! Neither step uses native stack in proportion to its input.
//!
//! Numbers have 64 bits and wrap around. Messages are those of bash, and so is the order of things:
//! what stands before a syntax error is evaluated before the error is reported.

mod error;
mod evaluate;
mod expression;
mod number;
mod parse;
mod pause;
#[cfg(test)]
mod tests;
mod token;

pub use error::{ArithmeticError, Failure, Problem};
pub use evaluate::{Evaluator, Index, Scope, Value};
pub use expression::Expression;
pub use number::plain_integer;
pub use pause::Paused;

/// The number that stands for a variable's name; the caller's to choose.
pub type Symbol = u32;

/// How deep variables may refer to each other, as in bash: `x=x; echo $((x))`.
pub const MAX_DEPTH: usize = 1024;

//! What `test`, `[` and `[[ ]]` ask.
//!
//! [`test()`] and [`bracket`] evaluate the arguments of the builtins; [`unary`] is one question with
//! one operand, which `[[ ]]` asks too. Whatever depends on the state of the shell is asked through
//! [`Facts`]; files through [`mod@file`].

mod expression;
pub mod file;
#[cfg(test)]
mod tests;

use std::fmt;

pub use expression::{bracket, test};

/// What an evaluation must know of the shell.
pub trait Facts {
    /// A question about a file: one of `b c d e f g h k p r s u w x G L N O S`.
    fn file(&mut self, question: u8, path: &[u8]) -> bool;

    /// `-nt`, `-ot`, `-ef`
    fn compare_files(&mut self, comparison: file::Comparison, left: &[u8], right: &[u8]) -> bool;

    /// `-t`: whether the descriptor is a terminal.
    fn is_terminal(&mut self, descriptor: i64) -> bool;

    /// `-o`: whether the option of `set -o` is on; false for a name that is none.
    fn is_option_on(&mut self, name: &[u8]) -> bool;

    /// `-v`: whether the variable, or the element `name[subscript]`, is set.
    fn is_set(&mut self, variable: &[u8]) -> bool;

    /// `-R`: whether the variable is a name reference that is set.
    fn is_reference(&mut self, variable: &[u8]) -> bool;
}

/// Why there is no answer. The status is 2.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TestError {
    /// `[` without `]`.
    MissingBracket,
    /// The expression ends where an operand should be.
    ArgumentExpected,
    /// Arguments are left over.
    TooManyArguments,
    /// An operator is left over.
    Unexpected(Vec<u8>),
    /// Of two arguments, the first is no operator.
    UnaryOperatorExpected(Vec<u8>),
    /// Of three arguments, the second is no operator.
    BinaryOperatorExpected(Vec<u8>),
    /// An operand of `-eq` or its kin is no number.
    IntegerExpected(Vec<u8>),
    /// `(` without `)`; what stands in its place.
    MissingParenthesis(Option<Vec<u8>>),
}

impl TestError {
    /// The message of bash, as it stands after the name of the builtin.
    pub fn message(&self) -> Vec<u8> {
        match self {
            TestError::MissingBracket => b"missing `]'".to_vec(),
            TestError::ArgumentExpected => b"argument expected".to_vec(),
            TestError::TooManyArguments => b"too many arguments".to_vec(),
            TestError::Unexpected(token) => {
                [b"syntax error: `".as_slice(), token, b"' unexpected"].concat()
            }
            TestError::UnaryOperatorExpected(token) => {
                [token.as_slice(), b": unary operator expected"].concat()
            }
            TestError::BinaryOperatorExpected(token) => {
                [token.as_slice(), b": binary operator expected"].concat()
            }
            TestError::IntegerExpected(token) => {
                [token.as_slice(), b": integer expression expected"].concat()
            }
            TestError::MissingParenthesis(None) => b"`)' expected".to_vec(),
            TestError::MissingParenthesis(Some(found)) => {
                [b"`)' expected, found ".as_slice(), found].concat()
            }
        }
    }
}

impl fmt::Display for TestError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&String::from_utf8_lossy(&self.message()))
    }
}

impl std::error::Error for TestError {}

/// Whether the word is an operator with one operand: `-f`.
pub fn is_unary(word: &[u8]) -> bool {
    matches!(word, [b'-', letter] if b"abcdefghknoprstuvwxzGLNORS".contains(letter))
}

/// The answer to an operator with one operand: the letter after its `-`.
pub fn unary(letter: u8, operand: &[u8], facts: &mut dyn Facts) -> bool {
    match letter {
        b'n' => !operand.is_empty(),
        b'z' => operand.is_empty(),
        b'o' => facts.is_option_on(operand),
        b'v' => facts.is_set(operand),
        b'R' => facts.is_reference(operand),
        b't' => integer(operand).is_some_and(|descriptor| facts.is_terminal(descriptor)),
        b'a' => facts.file(b'e', operand),
        b'h' => facts.file(b'L', operand),
        letter => facts.file(letter, operand),
    }
}

/// A decimal number as `test` takes it: with a sign and spaces around it, no more than 64 bits.
pub fn integer(text: &[u8]) -> Option<i64> {
    let text = text.trim_ascii();
    let digits = text
        .strip_prefix(b"+")
        .or_else(|| text.strip_prefix(b"-"))
        .unwrap_or(text);
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    std::str::from_utf8(text).ok()?.parse().ok()
}

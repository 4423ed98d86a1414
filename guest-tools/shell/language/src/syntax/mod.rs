//! From text to syntax tree and back.
//!
//! [`Parser`] reads a script one complete command line at a time, as bash does. [`entry`] parses
//! what is no script: a word, a here-document, the text of a compound assignment. [`mod@print`] turns
//! trees back into text and [`brace`] expands the braces of a word.

mod alias;
mod assignment;
pub mod brace;
mod codec;
mod command;
mod compound;
mod conditional;
mod cursor;
mod definition;
pub mod entry;
pub mod error;
mod heredoc;
mod parameter;
mod parser;
pub mod print;
pub mod quote;
mod reader;
mod redirect;
mod simple;
mod substitution;
#[cfg(test)]
mod tests;
mod token;
pub mod tree;
mod word;

pub use error::{MessageLine, SyntaxError, SyntaxErrorKind};
pub use parser::{AliasLookup, Options, Parser, Remains, translatable};

//! The language of the shell, below the machine that runs it: text to syntax tree and back, arithmetic,
//! patterns, quoting. It knows neither variables nor files; who does gives them by traits.

pub mod arithmetic;
pub mod codec;
pub mod format;
pub mod pattern;
pub mod syntax;
pub mod text;

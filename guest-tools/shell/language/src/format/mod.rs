//! Quoting, escapes and `printf`.
//!
//! Everything here turns texts into texts and knows no variables: [`printf`] is the builtin
//! without its option `-v`, [`quote`] has the ways in which bash quotes what it prints, [`escape`]
//! undoes backslashes, [`case`] changes letters, [`time`] writes dates.

pub mod case;
pub mod escape;
mod float;
mod number;
mod printf;
pub mod quote;
#[cfg(test)]
mod tests;
pub mod time;

pub use printf::{Context, Report, printf};

//! The compressions that archives and commands such as `zgrep` read.

pub mod codec;
pub mod coder;
mod unpacked;

pub use unpacked::{Compared, Family, Unpacked, family};

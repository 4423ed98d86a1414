//! A bash-compatible shell as a machine with an explicit stack that never blocks.

pub mod applet;
pub mod builtin;
mod codec;
#[cfg(feature = "component")]
pub mod component;
#[cfg(feature = "sandbox")]
pub mod component_sandbox;
pub mod condition;
pub mod machine;
pub mod os;
#[cfg(any(feature = "linked", test))]
pub mod sandbox;

pub use offshoot_shell_language::{arithmetic, format, pattern, syntax, text};

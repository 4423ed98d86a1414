//! What the commands of a sandbox share, beyond the vocabulary of [`offshoot_posix`].
//!
//! How a command is called and what it says ([`call`], [`options`], [`output`], [`family`]), patterns and
//! times ([`pattern`], [`glob`], [`time`], [`when`]), and inputs, files and processes as commands see them
//! ([`input`], [`stream`], [`system`]).

pub mod accounts;
pub mod call;
pub mod family;
pub mod glob;
pub mod input;
pub mod launch;
#[cfg(not(feature = "linked"))]
pub mod memory;
pub mod model;
pub mod options;
pub mod output;
pub mod pattern;
pub mod screen;
pub mod stream;
pub mod system;
pub mod time;
pub mod when;

pub use offshoot_posix::{calendar, duration, errno, mode, quote, signal, size, version};

//! Commands that look for files and in files: `grep` and its relatives, `find`, `xargs`, and with the feature `trees`
//! also `rg` and `fd`, which need the walker and the globs of ripgrep's libraries.
//!
//! The oracle is Debian 12: GNU grep 3.8, findutils 4.9.0, ripgrep 13.0.0 and fd 8.6.0. What these print is recorded in
//! `tests/cases`. Only `find` walks by hand; `rg` and `fd` share the walk of `rg/walk.rs`.

mod commands;
#[cfg(feature = "trees")]
mod fd;
mod find;
mod grep;
#[cfg(feature = "trees")]
mod rg;
mod xargs;

pub use commands::COMMANDS;

use offshoot_command::{
    accounts, call, glob, input, launch, mode, model, options, output, pattern, quote, stream,
    system, time, when,
};

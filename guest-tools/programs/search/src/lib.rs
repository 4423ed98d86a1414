//! Commands that look for files and in files.

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

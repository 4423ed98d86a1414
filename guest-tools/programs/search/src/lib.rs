//! Commands that look for files and in files.

mod commands;
mod fd;
mod find;
mod grep;
mod rg;
mod xargs;

pub use commands::COMMANDS;

use offshoot_command::{
    accounts, call, glob, input, launch, mode, model, options, output, pattern, quote, system,
    time, when,
};

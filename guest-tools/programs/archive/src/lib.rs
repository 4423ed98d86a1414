//! Archives and compressed files.

mod archive;
mod commands;

pub use commands::{COMMANDS, INTERNAL};

use offshoot_command::{
    accounts, calendar, call, glob, mode, model, options, output, quote, system, time, when,
};

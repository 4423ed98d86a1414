//! Commands that list, make, move and change files.

mod backup;
mod chmod;
mod chown;
mod commands;
mod copy;
mod dd;
mod df;
mod fallocate;
mod file;
mod ln;
mod ls;
mod make;
mod mktemp;
mod mv;
mod remove;
mod rename;
mod stat;
mod touch;
mod tree;
mod usage;
mod which;

pub use commands::COMMANDS;

use offshoot_command::{
    accounts, call, glob, mode, options, output, pattern, quote, size, stream, system, time,
    version, when,
};

//! The coreutils of uutils, called as GNU's are; a `cat` that reads FIFOs and devices, which that of uutils takes
//! for unknown where there is no Unix; and checksums, whose lists uutils reads otherwise.

mod cat;
mod checksum;
mod commands;
#[cfg(target_os = "wasi")]
mod coreutil;
#[cfg(any(target_os = "wasi", test))]
mod dates;
#[cfg(any(target_os = "wasi", test))]
mod widths;
#[cfg(target_os = "wasi")]
mod wrong_operand;
#[cfg(target_os = "wasi")]
mod wrong_option;

pub use commands::COMMANDS;

#[cfg(target_os = "wasi")]
use offshoot_command::model;
use offshoot_command::{call, options, output, quote, system};
#[cfg(any(target_os = "wasi", test))]
use offshoot_command::{time, when};

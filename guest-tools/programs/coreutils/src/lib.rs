//! The coreutils of uutils, called as GNU's are.

mod commands;
#[cfg(any(target_os = "wasi", test))]
mod coreutil;
#[cfg(any(target_os = "wasi", test))]
mod dates;
#[cfg(target_os = "wasi")]
mod wrong_operand;
#[cfg(target_os = "wasi")]
mod wrong_option;

pub use commands::COMMANDS;

#[cfg(target_os = "wasi")]
use offshoot_command::model;
#[cfg(any(target_os = "wasi", test))]
use offshoot_command::{call, quote, system, time, when};

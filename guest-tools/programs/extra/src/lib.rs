//! Commands that few people use.

mod commands;
mod dc;
mod html;
mod ptx;
mod rsync;
mod tables;
mod units;

pub use commands::COMMANDS;

use offshoot_command::{call, model, options, output, pattern, quote, system, time};

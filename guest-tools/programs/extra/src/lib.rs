//! Commands that few people use.

mod commands;
mod datamash;
mod dc;
mod ed;
mod html;
mod openssl;
mod ptx;
mod rsync;
mod tables;
mod units;
mod vi;

pub use commands::COMMANDS;

use offshoot_command::{call, launch, model, options, output, pattern, quote, system, time};

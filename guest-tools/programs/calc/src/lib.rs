//! Commands that calculate.

mod bc;
mod commands;
mod expr;
mod numfmt;

pub use bc::Number;
pub use commands::COMMANDS;

use offshoot_command::{call, model, options, output, pattern, quote, system};

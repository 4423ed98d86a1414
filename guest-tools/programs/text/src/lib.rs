//! Commands that read text and write text.

mod awk;
mod base;
mod cmp;
mod comm;
mod commands;
mod csplit;
mod diff;
mod dump;
mod fmt;
mod iconv;
mod join;
mod nl;
mod od;
mod paste;
mod patch;
mod pr;
mod sed;
mod sort;
mod split;
mod tail;
mod text;
mod uniq;

pub use commands::COMMANDS;
pub use sed::Substitute;

use offshoot_command::{
    call, duration, glob, input, launch, model, options, output, pattern, quote, size, stream,
    system, time, version,
};

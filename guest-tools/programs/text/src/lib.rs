//! Commands that read text and write text.
//!
//! `awk`, `sed`, `diff`, `patch` and `sort` have folders of their own, and so have the larger ones of GNU's
//! coreutils; small ones are in a file each, and those of no other suite in `text`. `commands` is the table of all.
//! Whether a command streams or reads its files as a whole is said in its module; a reader that closes the pipe early
//! ends all of them without a message.

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

//! `git` for sandboxes.

mod commands;
mod git;

pub use commands::COMMANDS;
pub use git::global_excludes;

use offshoot_command::{
    calendar, call, glob, launch, options, output, pattern, system, time, version,
};

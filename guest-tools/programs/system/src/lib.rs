//! Commands about processes, users, terminals and the sandbox itself.

mod checksum;
mod commands;
mod configuration;
mod flock;
mod getent;
mod getopt;
mod identity;
mod launch;
mod makefile;
mod manual;
mod month;
mod parallel;
mod process;
mod stream;
mod terminal;
mod test;
mod timing;
mod uname;
mod uuid;
mod view;
mod whereis;

pub use commands::COMMANDS;

use offshoot_command::{
    accounts, calendar, call, duration, glob, model, options, output, pattern, quote, signal,
    system, time,
};

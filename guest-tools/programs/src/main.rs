//! The Unix commands of a sandbox as one multi-call program: the name it is called by selects the
//! command, as in busybox. `offshoot-programs --list` prints all names.

mod accounts;
mod archive;
mod awk;
mod backup;
mod base;
mod bc;
mod calendar;
mod call;
mod checksum;
mod chmod;
mod chown;
mod cmp;
mod configuration;
mod copy;
#[cfg(any(target_os = "wasi", test))]
mod coreutil;
mod dc;
mod dd;
mod diff;
mod dump;
mod expr;
mod fallocate;
mod fd;
mod file;
mod find;
mod flock;
mod fmt;
mod getent;
mod getopt;
mod git;
mod glob;
mod grep;
mod html;
mod iconv;
mod identity;
mod jq;
mod launch;
mod ln;
mod ls;
mod make;
mod makefile;
mod manual;
mod memory;
mod mktemp;
mod mode;
mod model;
mod month;
mod mv;
mod numfmt;
mod od;
mod openssl;
mod options;
mod output;
mod parallel;
mod paste;
mod patch;
mod pattern;
mod pr;
mod process;
mod ptx;
mod quote;
mod remove;
mod rename;
mod rg;
mod rsync;
mod sed;
mod size;
mod sort;
mod split;
mod sqlite3;
mod stat;
mod stream;
mod system;
mod tables;
mod tail;
mod terminal;
mod test;
mod text;
mod time;
mod timing;
mod touch;
mod tree;
mod uname;
mod uniq;
mod units;
mod usage;
mod uuid;
mod version;
mod view;
mod when;
mod whereis;
mod which;
#[cfg(target_os = "wasi")]
mod wrong_operand;
#[cfg(target_os = "wasi")]
mod wrong_option;
mod xargs;
mod xml;
mod yq;

include!(concat!(env!("OUT_DIR"), "/commands.rs"));

use std::io::Write as _;

#[global_allocator]
static ALLOCATOR: memory::Reporting = memory::Reporting;

#[cfg(target_os = "wasi")]
use coreutil::run as coreutil;

fn list() -> i32 {
    let text = NAMES.join("\n") + "\n";
    i32::from(std::io::stdout().write_all(text.as_bytes()).is_err())
}

fn main() {
    system::enter_directory();
    let mut call = call::Call::from_environment();
    memory::set_name(&call.name);
    // Neither a source path nor a hint for developers means anything to who runs a command.
    if !cfg!(debug_assertions) {
        let name = call.name.clone();
        std::panic::set_hook(Box::new(move |_| eprintln!("{name}: internal error")));
    }
    let status = match dispatch(&call.name.clone(), &call) {
        Some(status) => status,
        None if call
            .arguments
            .first()
            .is_some_and(|first| first == b"--list") =>
        {
            list()
        }
        None if call.shift() => {
            dispatch(&call.name.clone(), &call).unwrap_or_else(|| unknown(&call))
        }
        None => unknown(&call),
    };
    let _ = std::io::stdout().flush();
    system::exit(status);
}

fn unknown(call: &call::Call) -> i32 {
    eprintln!("{}: command not found", call.name);
    127
}

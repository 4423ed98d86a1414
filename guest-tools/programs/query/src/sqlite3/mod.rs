//! `sqlite3`: the shell of SQLite, over SQLite itself. Messages and statuses are those of Debian 12's 3.40.

mod columns;
mod command_line;
mod dot;
mod dump;
mod functions;
mod import;
mod literal;
mod local_time;
mod print;
mod schema;
mod settings;
mod shell;
mod sink;
mod tables;

use std::path::PathBuf;

use offshoot_sqlite::Host;

use crate::call::Call;
use crate::system;

/// Runs `sqlite3`.
pub fn run(call: &Call) -> i32 {
    let host = Host {
        pid: system::identity().pid,
        is_alive: |pid| system::processes().iter().any(|process| process.pid == pid),
        directory: || {
            let path = system::canonicalize(b".").unwrap_or_default();
            PathBuf::from(String::from_utf8_lossy(&path).into_owned())
        },
    };
    if let Err(error) = offshoot_sqlite::install(host) {
        return call.fail(1, error.message);
    }
    command_line::run(call)
}

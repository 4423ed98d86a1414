//! `bc`: calculations with decimal numbers of any length.

mod number;
mod parse;
mod run;

use std::io::{Read as _, Write as _};

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::system;
pub use number::Number;
use run::Machine;

const SYNTAX: Syntax = Syntax {
    usage: "usage: bc [options] [file ...]\n",
    options: &[
        Opt("l", "mathlib", Value::No),
        Opt("q", "quiet", Value::No),
        Opt("s", "standard", Value::No),
        Opt("w", "warn", Value::No),
    ],
    permute: true,
    status: 1,
};

/// The functions of `-l`.
const LIBRARY: &str = include_str!("library.bc");

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let mut machine = Machine::new();
    if parsed.has("l") {
        machine.run(LIBRARY);
        machine.set_scale(20);
    }
    let mut going = true;
    // A line that a file does not end goes on in the next one.
    let mut text = Vec::new();
    for path in &parsed.operands {
        match system::read_whole(path) {
            Ok(more) if going => {
                text.extend(more);
                let end = text.iter().rposition(|&byte| byte == b'\n');
                let rest = text.split_off(end.map_or(0, |end| end + 1));
                going = machine.run(&String::from_utf8_lossy(&text));
                text = rest;
            }
            Ok(_) => {}
            Err(_) => {
                // Nobody is told where standard error is gone.
                let message = bytes!("File ", path, " is unavailable.\n");
                let _ = std::io::stderr().write_all(&message);
                return 1;
            }
        }
    }
    if going && std::io::stdin().lock().read_to_end(&mut text).is_ok() {
        machine.run(&String::from_utf8_lossy(&text));
    }
    machine.finish()
}

//! `bc`: calculations with decimal numbers of any length.

mod number;
mod parse;
mod run;

use std::io::Read as _;

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
    for path in &parsed.operands {
        match system::read_whole(path) {
            Ok(text) if going => going = machine.run(&String::from_utf8_lossy(&text)),
            Ok(_) => {}
            Err(failure) => {
                return call.fail(1, bytes!("File ", path, " is unavailable: ", failure));
            }
        }
    }
    if going {
        let mut text = Vec::new();
        if std::io::stdin().lock().read_to_end(&mut text).is_ok() {
            machine.run(&String::from_utf8_lossy(&text));
        }
    }
    machine.finish()
}

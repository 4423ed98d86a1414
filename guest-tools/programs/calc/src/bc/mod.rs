//! `bc`, after GNU bc 1.07.1: calculations with decimal numbers of any length.
//!
//! `parse` makes statements of a program, `code` compiles them, `run` executes the code, `number` calculates. The
//! language is POSIX's
//! with the extensions of GNU: names of several letters, `print`, `else`, `&&`, `||`, `!`, `halt`, `continue`,
//! `last`, `#` comments, `void`, and arrays as parameters. Not known are `read()`, parameters by reference (`*a[]`),
//! `limits` and `warranty`; a function declared `void` prints its value 0 like any other.
//!
//! The files run one after the other, then standard input. Each is read as a whole before it runs: there is no
//! dialogue. The status is 0 also after errors in the program, as with GNU's.

mod code;
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

/// The functions of `-l` in bc's own language: `s`, `c`, `a`, `l`, `e` and `j`.
const LIBRARY: &str = include_str!("library.bc");

/// Runs the command. A file that cannot be read ends it with status 1, after what the files before it have done.
pub fn run(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let mut machine = Machine::new();
    if parsed.has("l") {
        machine.run("(standard_in)", LIBRARY);
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
                let name = String::from_utf8_lossy(path);
                going = machine.run(&name, &String::from_utf8_lossy(&text));
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
        machine.run("(standard_in)", &String::from_utf8_lossy(&text));
    }
    machine.finish()
}

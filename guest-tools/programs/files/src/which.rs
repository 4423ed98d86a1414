//! `which` of Debian's debianutils: where in `PATH` a program is found. The status is 1 where any name was not found,
//! or none was given.

use crate::call::Call;
use crate::options::{self, Opt, Syntax, Value};
use crate::output::Output;
use crate::system;

const SYNTAX: Syntax = Syntax {
    usage: "Usage: which [-a] args\n",
    options: &[Opt("a", "all", Value::No)],
    permute: true,
    status: 2,
};

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let mut out = Output::new();
    let mut status = i32::from(parsed.operands.is_empty());
    let path = system::search_path();
    for name in &parsed.operands {
        let mut found = false;
        let places: Vec<&[u8]> = if name.contains(&b'/') {
            vec![b"/"]
        } else {
            path.split(|&byte| byte == b':').collect()
        };
        for place in places {
            if let Ok(file) = system::find_program(name, place) {
                found = true;
                out.line(&file);
                if !parsed.has("a") {
                    break;
                }
            }
        }
        if !found {
            status = 1;
        }
    }
    out.finish(&call.name, status, 2)
}

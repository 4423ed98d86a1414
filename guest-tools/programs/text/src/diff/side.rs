//! `sdiff`: `diff` side by side, with its options under other letters (`-w` is the width, `-W` ignores blanks, `-l`
//! and `-s` leave out what is the same). Merging (`-o`) needs someone to ask, and is not known.

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::quote;

const SYNTAX: Syntax = Syntax {
    usage: "Usage: sdiff [OPTION]... FILE1 FILE2\nSide-by-side merge of differences between FILE1 and FILE2, without merging.\n",
    options: &[
        Opt("i", "ignore-case", Value::No),
        Opt("E", "ignore-tab-expansion", Value::No),
        Opt("Z", "ignore-trailing-space", Value::No),
        Opt("b", "ignore-space-change", Value::No),
        Opt("W", "ignore-all-space", Value::No),
        Opt("B", "ignore-blank-lines", Value::No),
        Opt("I", "ignore-matching-lines", Value::Required),
        Opt("", "strip-trailing-cr", Value::No),
        Opt("a", "text", Value::No),
        Opt("w", "width", Value::Required),
        Opt("l", "left-column", Value::No),
        Opt("s", "suppress-common-lines", Value::No),
        Opt("t", "expand-tabs", Value::No),
        Opt("", "tabsize", Value::Required),
        Opt("d", "minimal", Value::No),
        Opt("H", "speed-large-files", Value::No),
    ],
    permute: true,
    status: 2,
};

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let refuse = |message| options::usage_error(call, &SYNTAX, message);
    match parsed.operands.as_slice() {
        [_, _] => {}
        [_, _, extra, ..] => return refuse(bytes!("extra operand ", quote::message(extra))),
        _ => {
            let name = call.name.clone().into_bytes();
            let last = call.arguments.last().unwrap_or(&name);
            return refuse(bytes!("missing operand after ", quote::message(last)));
        }
    }
    let mut arguments = vec![b"--side-by-side".to_vec()];
    for (key, value) in &parsed.options {
        let option = SYNTAX
            .options
            .iter()
            .find(|option| option.0 == *key || option.1 == *key);
        let Some(Opt(_, long, kind)) = option else {
            continue;
        };
        let mut argument = format!("--{long}").into_bytes();
        if *kind == Value::Required {
            argument.push(b'=');
            argument.extend_from_slice(value);
        }
        arguments.push(argument);
    }
    arguments.push(b"--".to_vec());
    arguments.extend(parsed.operands);
    super::run(&Call {
        name: "diff".to_owned(),
        arguments,
    })
}

//! `pidof`: the numbers of processes with a name.

use crate::call::{Call, bytes};
use crate::output::Output;
use crate::view::ps::split;
use crate::{options, quote, system};

/// Runs `pidof`: the numbers of the processes that run a program, the youngest first. The status is 1 where there is
/// none.
///
/// A name fits the program's name, its path as it was called, or with `-x` the script of a shell.
pub fn pidof(call: &Call) -> i32 {
    const SYNTAX: options::Syntax = options::Syntax {
        usage: "Usage: pidof [-s] [-q] [-o PID] [-S SEPARATOR] NAME...\n",
        options: &[
            options::Opt("s", "single-shot", options::Value::No),
            options::Opt("q", "", options::Value::No),
            options::Opt("x", "", options::Value::No),
            options::Opt("o", "omit-pid", options::Value::Required),
            options::Opt("S", "separator", options::Value::Required),
        ],
        permute: true,
        status: 1,
    };
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let mut omitted = Vec::new();
    for (_, list) in parsed.options.iter().filter(|(key, _)| *key == "o") {
        for number in split(list) {
            match options::number::<u32>(&number) {
                Some(number) => omitted.push(number),
                None => {
                    let message = bytes!("illegal omit pid value (", quote::word(&number), ")!");
                    return call.fail(1, message);
                }
            }
        }
    }
    let mut found: Vec<String> = system::processes()
        .iter()
        .filter(|process| !omitted.contains(&process.pid))
        .filter(|process| {
            let whole = process.arguments.first().map(Vec::as_slice);
            // A script is the second word of its shell.
            let script = process.arguments.get(1).filter(|_| parsed.has("x"));
            let is_script = |name: &[u8]| {
                script.is_some_and(|script| {
                    script == name || script.rsplit(|&byte| byte == b'/').next() == Some(name)
                })
            };
            let fits = |name: &Vec<u8>| {
                name == process.name() || whole == Some(name.as_slice()) || is_script(name)
            };
            parsed.operands.iter().any(fits)
        })
        .map(|process| process.pid.to_string())
        .collect();
    found.reverse();
    if parsed.has("s") {
        found.truncate(1);
    }
    let mut out = Output::new();
    if !found.is_empty() && !parsed.has("q") {
        let separator = parsed.value("S").unwrap_or(b" ");
        out.line(found.join(&String::from_utf8_lossy(separator)));
    }
    out.finish(&call.name, i32::from(found.is_empty()), 1)
}

//! `ptx`, as in GNU coreutils: a permuted index, each word of a text with what stands around it.
//!
//! The work has steps, each with a module: `request` reads the options, `scan` finds words and contexts in all inputs,
//! the entries are sorted by keyword, `measure` computes the widths of columns, `field` cuts the context of an entry to
//! them, and `print` writes it. All inputs are held in memory.

mod escape;
mod field;
mod measure;
mod print;
mod request;
mod scan;
mod word;

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::quote;
use crate::system::{self, Failure};
use field::Fields;
use measure::Measure;
use print::Printer;
use request::Request;
use scan::Index;

const SYNTAX: Syntax = Syntax {
    usage: include_str!("usage.txt"),
    options: &[
        Opt("A", "auto-reference", Value::No),
        Opt("b", "break-file", Value::Required),
        Opt("F", "flag-truncation", Value::Required),
        Opt("f", "ignore-case", Value::No),
        Opt("", "format", Value::Required),
        Opt("G", "traditional", Value::No),
        Opt("g", "gap-size", Value::Required),
        Opt("i", "ignore-file", Value::Required),
        Opt("M", "macro-name", Value::Required),
        Opt("O", "", Value::No),
        Opt("o", "only-file", Value::Required),
        Opt("R", "right-side-refs", Value::No),
        Opt("r", "references", Value::No),
        Opt("S", "sentence-regexp", Value::Required),
        Opt("T", "", Value::No),
        Opt("t", "typeset-mode", Value::No),
        Opt("W", "word-regexp", Value::Required),
        Opt("w", "width", Value::Required),
    ],
    permute: true,
    status: 1,
};

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

/// Runs the command; `Err` is the exit status after a message.
fn start(call: &Call) -> Result<i32, i32> {
    let parsed = options::parse(call, &SYNTAX)?;
    let request = Request::new(call, &parsed)?;
    let output = output(call, &request)?;
    if let Some(extra) = &request.extra {
        let message = bytes!("extra operand ", quote::word(extra));
        return Err(options::usage_error(call, &SYNTAX, message));
    }
    let mut index = Index::new(call, &request)?;
    for file in &request.inputs {
        index.add(file.clone(), read(call, file)?)?;
    }
    index.sort();
    let measure = Measure::new(&request, &index);
    let mut printer = Printer::new(&request, &measure, output);
    for entry in &index.entries {
        let fields = Fields::new(&request, &measure, &index, entry);
        printer.entry(&fields, &index);
        if printer.is_broken() {
            break;
        }
    }
    Ok(printer.finish(call))
}

/// The file that is written, where it is not standard output.
fn output(call: &Call, request: &Request) -> Result<Option<std::fs::File>, i32> {
    let Some(name) = &request.output else {
        return Ok(None);
    };
    let refuse = |failure| refuse(call, name, failure);
    system::create_file(name, false).map(Some).map_err(refuse)
}

/// A whole file; standard input for `-` and for an empty name.
fn read(call: &Call, name: &[u8]) -> Result<Vec<u8>, i32> {
    let name = if name.is_empty() { b"-" } else { name };
    system::read_whole(name).map_err(|failure| refuse(call, name, failure))
}

/// Complains of a file; the result is the exit status.
fn refuse(call: &Call, name: &[u8], failure: Failure) -> i32 {
    call.fail(1, bytes!(quote::before_colon(name), ": ", failure))
}

//! `cat`, after GNU coreutils 9.1: files one after another, FIFOs and devices among them.
//!
//! What an input has is written as soon as it is there, so that `cat` in the middle of a pipeline delays nothing.
//! Memory is constant: the state of `-n`, `-b` and `-s` is in `Display`, which a line may reach in pieces and which
//! goes on from one file to the next, as numbers do.

use std::io::Read as _;

use offshoot_posix::display::{Display, Shown};

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::output::{CHUNK, Output};
use crate::quote;
use crate::system::{self, Kind, Stat};

const SYNTAX: Syntax = Syntax {
    usage: "\
Usage: cat [OPTION]... [FILE]...
Concatenate FILE(s) to standard output.

With no FILE, or when FILE is -, read standard input.

  -A, --show-all           equivalent to -vET
  -b, --number-nonblank    number nonempty output lines, overrides -n
  -e                       equivalent to -vE
  -E, --show-ends          display $ at end of each line
  -n, --number             number all output lines
  -s, --squeeze-blank      suppress repeated empty output lines
  -t                       equivalent to -vT
  -T, --show-tabs          display TAB characters as ^I
  -u                       (ignored)
  -v, --show-nonprinting   use ^ and M- notation, except for LFD and TAB
",
    options: &[
        Opt("b", "number-nonblank", Value::No),
        Opt("n", "number", Value::No),
        Opt("s", "squeeze-blank", Value::No),
        Opt("v", "show-nonprinting", Value::No),
        Opt("E", "show-ends", Value::No),
        Opt("T", "show-tabs", Value::No),
        Opt("A", "show-all", Value::No),
        Opt("e", "", Value::No),
        Opt("t", "", Value::No),
        Opt("u", "", Value::No),
    ],
    permute: true,
    status: 1,
};

/// Runs `cat`. A file that cannot be read is said and makes the status 1; the others are written.
pub fn run(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let mut shown = Shown::default();
    for (letter, _) in &parsed.options {
        letter.bytes().for_each(|letter| {
            shown.add(letter);
        });
    }
    let standard = [b"-".to_vec()];
    let files = match parsed.operands.as_slice() {
        [] => &standard,
        files => files,
    };
    let output = system::stat_descriptor(1).ok();
    let output = output.filter(|output| output.kind == Kind::Regular);
    let (mut display, mut out, mut status) = (Display::new(shown), Output::new(), 0);
    for file in files {
        if is_output(file, output.as_ref()) {
            out.flush();
            let name = quote::shell_where_needed(file);
            status = call.fail(1, bytes!(name, ": input file is output file"));
        } else if let Err(failure) = copy(file, shown, &mut display, &mut out) {
            out.flush();
            let name = quote::shell_where_needed(file);
            status = call.fail(1, bytes!(name, ": ", failure));
        }
        if out.is_broken() {
            break;
        }
    }
    out.finish(&call.name, status, 1)
}

/// Whether reading the file to its end would never end, since it is what is written: a regular file with a content,
/// that standard output is open on. GNU refuses it likewise.
fn is_output(file: &[u8], output: Option<&Stat>) -> bool {
    let found = match file {
        b"-" => system::stat_descriptor(0),
        file => system::stat(file, true),
    };
    let same = |found: Stat| output.is_some_and(|output| found.is_same(output) && found.size > 0);
    found.is_ok_and(same)
}

/// Writes what a file has as soon as it is there. `-` is standard input. It stops early where nobody reads the
/// output.
fn copy(file: &[u8], shown: Shown, display: &mut Display, out: &mut Output) -> system::Result<()> {
    let mut input = system::open_input(file)?;
    let (mut block, mut text) = (vec![0; CHUNK], Vec::new());
    while !out.is_broken() {
        let count = match input.read(&mut block) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) => return Err(error.into()),
        };
        if shown.is_plain() {
            out.put(&block[..count]);
        } else {
            for line in block[..count].split_inclusive(|&byte| byte == b'\n') {
                display.line(&mut text, line);
            }
            out.put(&text);
            text.clear();
        }
        out.flush();
    }
    Ok(())
}

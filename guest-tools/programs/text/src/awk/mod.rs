//! `awk`: POSIX, and of gawk 5.2.1 what people use. The manual is "GAWK: Effective AWK Programming"; the language is
//! that of POSIX.1-2017, Shell & Utilities, "awk".
//!
//! A program goes through `lexer`, `parser` (to the tree of `tree`) and `interpreter`, which walks the tree. Names are
//! resolved while parsing: a global is an index into one vector, a local an index into its function's frame, a field
//! stays an expression. `value` has values and arrays, `record` records and fields, `stream` redirections, `format`
//! numbers and `printf`.
//!
//! What costs time in other awks is done late or never here: a record is split up to the field that is asked for, a
//! field is compared where it lies, and a program whose only rule is a regular expression looks for the next matching
//! record in the buffer (`interpreter/ahead`).
//!
//! Missing: extensions (`@load`), the debugger, profiles, arbitrary precision (`-M` warns), networking (`/inet`).
//! `--posix` and `--traditional` change nothing.

mod builtin;
mod format;
mod in_place;
mod interpreter;
mod lexer;
mod options;
mod parser;
mod random;
mod record;
mod stream;
mod tree;
mod value;

use crate::call::{Call, bytes, complain};
use crate::system;
use interpreter::{Interpreter, Stop};
use options::Settings;
use std::cell::{Cell, RefCell};
use std::io::Write as _;
use std::rc::Rc;
use tree::{ARGC, ARGV, ENVIRON, FS, FUNCTAB, PROCINFO, Place, RS};
use value::Value;

/// Writes a float in a format of C's `printf`, which has one conversion.
pub(crate) fn put_float(format: &[u8], value: f64, out: &mut Vec<u8>) {
    // There is a value for the conversion.
    let _ = format::print(format, &[Value::Number(value)], b"%.6g", out);
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    match start(call) {
        Ok(status) | Err(status) => status,
    }
}

/// What awk may be called by; messages begin with it.
const NAMES: [&str; 4] = ["awk", "gawk", "mawk", "nawk"];

thread_local! {
    static NAME: Cell<usize> = const { Cell::new(0) };
}

/// The name that awk was called by.
fn name() -> &'static str {
    NAMES[NAME.get()]
}

/// A warning that does not end the program.
fn warn(message: &str) {
    complain(name(), message);
}

/// Replaces the escapes of a word of the command line, such as the value of `-v`; warns of those that are none.
fn unescape(word: &[u8]) -> Vec<u8> {
    lexer::unescape(word, &mut |letter| {
        if let Some(message) = lexer::plain_escape(letter) {
            warn(&format!("warning: {message}"));
        }
    })
}

/// `name=value` as name and value, where the operand is one. The name may have a namespace: `ns::name`.
fn assignment(operand: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = operand.iter().position(|&byte| byte == b'=')?;
    let (name, value) = (&operand[..at], &operand[at + 1..]);
    let first = name.first()?;
    let fits = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':');
    (!first.is_ascii_digit() && name.iter().all(fits)).then_some((name, value))
}

/// Runs the program; both halves of the result are statuses. A program that cannot be parsed is status 1, anything
/// fatal later is 2.
fn start(call: &Call) -> Result<i32, i32> {
    // Before anything is said; where awk is linked in, another run may have been before.
    let name = NAMES.iter().position(|name| *name == call.name);
    NAME.set(name.unwrap_or(0));
    lexer::forget_warnings();
    value::set_non_decimal(false);
    let mut settings = options::read(call)?;
    if !settings.has_program {
        if settings.operands.is_empty() {
            options::usage();
            return Err(1);
        }
        let text = settings.operands.remove(0);
        settings.program("cmd. line", text);
    }
    value::set_non_decimal(settings.non_decimal);
    let pieces = std::mem::take(&mut settings.pieces);
    let program = parser::parse(pieces, settings.sandbox).map_err(|message| {
        // A program that can be read, but not run.
        let status = if message.contains("fatal: ") { 2 } else { 1 };
        call.fail(status, message)
    })?;
    let mut awk = Interpreter::new(&program);
    if let Err(Stop::Fail(message)) = prepare(&mut awk, call, &settings) {
        return Err(call.fail(2, bytes!("fatal: ", message)));
    }
    let status = match awk.run() {
        Ok(status) => status,
        Err(message) => {
            awk.streams.flush();
            call.fail(2, bytes!(awk.place(), "fatal: ", message));
            return Ok(awk.finish().finish(&call.name, 2, 2));
        }
    };
    if let Some(path) = &settings.dump
        && let Err(failure) =
            system::create_file(path, false).and_then(|mut file| Ok(file.write_all(&awk.dump())?))
    {
        let message = bytes!("warning: could not open `", path, "' for writing: ");
        call.fail(2, bytes!(message, failure));
    }
    Ok(awk.finish().finish(&call.name, status, 2))
}

/// Sets the variables that the command line and the environment determine, in gawk's order: `-F` before `-v`, which may
/// override it.
fn prepare(awk: &mut Interpreter, call: &Call, settings: &Settings) -> Result<(), Stop> {
    awk.set_array(
        ENVIRON,
        system::environment()
            .into_iter()
            .map(|(name, value)| (name, Value::input(value))),
    );
    if let value::Slot::Array(environment) = &awk.globals[ENVIRON] {
        awk.streams.set_environment(Rc::clone(environment));
    }
    let words = std::iter::once(call.name.as_bytes());
    let words = words.chain(call.arguments.iter().map(Vec::as_slice));
    let words = words.enumerate().map(|(at, word)| {
        let key = at.to_string().into_bytes();
        (Rc::new(key), Value::text(word))
    });
    let words = Value::Array(Rc::new(RefCell::new(words.collect())));
    let information = process_information();
    let information = information.chain([(b"argv".to_vec(), words)]);
    awk.set_array(PROCINFO, information);
    awk.set_array(FUNCTAB, awk.function_names().into_iter());
    let arguments = std::iter::once(call.name.as_bytes().to_vec());
    let arguments = arguments
        .chain(settings.operands.iter().cloned())
        .enumerate();
    awk.set_array(
        ARGV,
        arguments.map(|(at, word)| (at.to_string().into_bytes(), Value::input(word))),
    );
    awk.globals[ARGC] = value::Slot::Scalar(Value::Number(settings.operands.len() as f64 + 1.0));
    awk.csv = settings.csv;
    awk.bytes = settings.bytes;
    awk.no_assignments = settings.no_assignments;
    if settings.csv {
        awk.set_variable(Place::Global(FS), Value::text(","))?;
        awk.set_variable(Place::Global(RS), Value::text("\n"))?;
    }
    if let Some(separator) = &settings.separator {
        let separator = if separator == b"t" {
            b"\t".to_vec()
        } else {
            unescape(separator)
        };
        awk.set_variable(Place::Global(FS), Value::text(separator))?;
    }
    for text in &settings.assignments {
        match assignment(text) {
            Some((name, value)) => awk.assign_text(name, value)?,
            None => {
                let text = String::from_utf8_lossy(text);
                return Err(Stop::Fail(format!(
                    "`{text}' argument to `-v' not in `var=value' form"
                )));
            }
        }
    }
    Ok(())
}

/// The elements of PROCINFO but for `argv`. `version` is that of the gawk that is followed.
fn process_information() -> impl Iterator<Item = (Vec<u8>, Value)> {
    let identity = system::identity();
    let numbers = [
        ("pid", identity.pid),
        ("ppid", identity.parent),
        ("uid", identity.uid),
        ("euid", identity.uid),
        ("gid", identity.gid),
        ("egid", identity.gid),
        ("group1", identity.gid),
    ];
    let texts = [
        ("version", "5.2.1"),
        ("platform", "posix"),
        ("strftime", "%a %b %e %H:%M:%S %Z %Y"),
        ("FS", "FS"),
    ];
    let bytes = |name: &str| name.as_bytes().to_vec();
    let numbers = numbers.map(|(name, number)| (bytes(name), Value::Number(f64::from(number))));
    let texts = texts.map(|(name, text)| (bytes(name), Value::text(text)));
    numbers.into_iter().chain(texts)
}

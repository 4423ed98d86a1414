//! `awk`: POSIX, and of gawk what people use.

mod builtin;
mod format;
mod interpreter;
mod lexer;
mod parser;
mod record;
mod stream;
mod tree;
mod value;

use crate::call::{Call, bytes, complain};
use crate::system;
use interpreter::{Interpreter, Stop};
use tree::{ARGC, ARGV, ENVIRON, FS, PROCINFO, Place};
use value::Value;

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    match start(call) {
        Ok(status) | Err(status) => status,
    }
}

/// A warning that does not end the program.
fn warn(message: &str) {
    complain("awk", message);
}

/// `name=value`, where it is one.
fn assignment(operand: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = operand.iter().position(|&byte| byte == b'=')?;
    let (name, value) = (&operand[..at], &operand[at + 1..]);
    let first = name.first()?;
    let fits = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    (!first.is_ascii_digit() && name.iter().all(fits)).then_some((name, value))
}

#[derive(Default)]
struct Settings {
    source: Option<Vec<u8>>,
    assignments: Vec<Vec<u8>>,
    separator: Option<Vec<u8>>,
    csv: bool,
    operands: Vec<Vec<u8>>,
}

fn start(call: &Call) -> Result<i32, i32> {
    let mut settings = settings(call)?;
    let source = match settings.source.take() {
        Some(source) => source,
        None if settings.operands.is_empty() => {
            eprintln!("{USAGE}");
            return Err(1);
        }
        None => settings.operands.remove(0),
    };
    let program = parser::parse(&source).map_err(|message| {
        // A program that can be read, but not run.
        let status = if message.contains(": fatal: ") { 2 } else { 1 };
        call.fail(status, bytes!("cmd. line:", message))
    })?;
    let mut awk = Interpreter::new(&program);
    if let Err(Stop::Fail(message)) = prepare(&mut awk, &settings) {
        return Err(call.fail(2, bytes!("fatal: ", message)));
    }
    let (streams, outcome) = awk.run();
    let status = match outcome {
        Ok(status) => status,
        Err(message) => {
            let out = streams.finish();
            // An operand has no place in the program.
            let place = if message.starts_with("cannot open file") {
                ""
            } else {
                "cmd. line:1: "
            };
            call.fail(2, bytes!(place, "fatal: ", message));
            return Ok(out.finish(&call.name, 2, 2));
        }
    };
    Ok(streams.finish().finish(&call.name, status, 2))
}

fn prepare(awk: &mut Interpreter, settings: &Settings) -> Result<(), Stop> {
    awk.set_array(
        ENVIRON,
        system::environment()
            .into_iter()
            .map(|(name, value)| (name, Value::input(value))),
    );
    let identity = system::identity();
    let numbers = [
        ("pid", identity.pid),
        ("ppid", identity.parent),
        ("uid", identity.uid),
        ("gid", identity.gid),
    ];
    let texts = [
        ("version", "5.2.1"),
        ("strftime", "%a %b %e %H:%M:%S %Z %Y"),
        ("FS", "FS"),
    ];
    let numbers = numbers.map(|(name, number)| (name.into(), Value::Number(f64::from(number))));
    let texts = texts.map(|(name, text)| (name.into(), Value::text(text)));
    awk.set_array(PROCINFO, numbers.into_iter().chain(texts));
    let arguments = std::iter::once(b"awk".to_vec()).chain(settings.operands.iter().cloned());
    let arguments = arguments.enumerate();
    awk.set_array(
        ARGV,
        arguments.map(|(at, word)| (at.to_string().into_bytes(), Value::input(word))),
    );
    awk.globals[ARGC] = value::Slot::Scalar(Value::Number(settings.operands.len() as f64 + 1.0));
    awk.csv = settings.csv;
    if settings.csv {
        awk.set_variable(Place::Global(FS), Value::text(","))?;
    }
    if let Some(separator) = &settings.separator {
        let separator = if separator == b"t" {
            b"\t".to_vec()
        } else {
            lexer::unescape(separator)
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

/// Long options that change nothing here.
const CHANGES_NOTHING: &[&[u8]] = &[
    b"bignum",
    b"characters-as-bytes",
    b"lint",
    b"lint-old",
    b"no-optimize",
    b"optimize",
    b"posix",
    b"re-interval",
    b"sandbox",
    b"traditional",
    b"use-lc-numeric",
];

/// Says that the command line is wrong.
fn usage(call: &Call, message: impl AsRef<[u8]>) -> i32 {
    call.fail(0, message);
    eprintln!("{USAGE}");
    1
}

const USAGE: &str = "Usage: awk [-F fs] [-v var=value] [-f progfile | 'prog'] [file ...]";

/// Options end at the first operand, and a letter's value may be right behind it.
fn settings(call: &Call) -> Result<Settings, i32> {
    let mut settings = Settings::default();
    let mut words = call.arguments.iter();
    while let Some(word) = words.next() {
        let (option, value) = match word.as_slice() {
            b"--" => break,
            [b'-', b'-', long @ ..] => {
                let at = long
                    .iter()
                    .position(|&byte| byte == b'=')
                    .unwrap_or(long.len());
                let option = match &long[..at] {
                    b"field-separator" => b'F',
                    b"assign" => b'v',
                    b"file" => b'f',
                    b"source" => b'e',
                    b"exec" => b'E',
                    b"csv" => b'k',
                    b"non-decimal-data" => b'n',
                    b"debug" => b'D',
                    b"dump-variables" => b'd',
                    b"gen-pot" => b'g',
                    b"include" => b'i',
                    b"load" => b'l',
                    b"trace" => b'I',
                    b"pretty-print" => b'o',
                    b"profile" => b'p',
                    b"version" => {
                        print!("{}", crate::model::version("awk"));
                        return Err(0);
                    }
                    b"help" => {
                        println!("{USAGE}");
                        return Err(0);
                    }
                    name if CHANGES_NOTHING.contains(&name) => continue,
                    _ => {
                        let text = bytes!("unrecognized option '--", long, "'");
                        return Err(usage(call, text));
                    }
                };
                (option, long.get(at + 1..).map(<[u8]>::to_vec))
            }
            [b'-', option, value @ ..] => (*option, (!value.is_empty()).then(|| value.to_vec())),
            _ => {
                settings.operands.push(word.clone());
                break;
            }
        };
        let mut value = || {
            value
                .clone()
                .or_else(|| words.next().cloned())
                .ok_or_else(|| {
                    call.fail(
                        1,
                        format!("option requires an argument -- {}", char::from(option)),
                    )
                })
        };
        match option {
            b'F' => settings.separator = Some(value()?),
            b'v' => settings.assignments.push(value()?),
            b'k' => settings.csv = true,
            b'e' => append(&mut settings.source, &value()?),
            b'f' | b'E' => {
                let path = value()?;
                let source = system::read_whole(&path).map_err(|failure| {
                    let message =
                        bytes!("fatal: cannot open source file `", path, "' for reading: ");
                    call.fail(2, bytes!(message, failure))
                })?;
                append(&mut settings.source, &source);
                if option == b'E' {
                    break;
                }
            }
            // Modes of gawk that change nothing here.
            b'b' | b'c' | b'N' | b'O' | b'P' | b'r' | b's' | b'S' | b't' | b'M' => {}
            b'W' => {
                value()?;
            }
            b'd' | b'D' | b'g' | b'i' | b'I' | b'l' | b'n' | b'o' | b'p' => {
                let text = format!("option -{} is not supported", char::from(option));
                return Err(call.fail(2, text));
            }
            b'L' => {}
            _ => {
                let text = format!("invalid option -- '{}'", char::from(option));
                return Err(usage(call, text));
            }
        }
    }
    settings.operands.extend(words.cloned());
    Ok(settings)
}

fn append(source: &mut Option<Vec<u8>>, more: &[u8]) {
    let source = source.get_or_insert_default();
    source.extend_from_slice(more);
    source.push(b'\n');
}

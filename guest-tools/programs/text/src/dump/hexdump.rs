//! `hexdump` and `hd`: bytes in the formats asked for, after util-linux. All files are one input, which is read
//! as a whole.

use super::format::{self, Format};
use super::number;
use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::output::Output;
use crate::system;

const SYNTAX: Syntax = Syntax {
    usage: "Usage: hexdump [options] <file>...\nDisplay file contents in hexadecimal, decimal, octal, or ascii.\n",
    options: &[
        Opt("b", "one-byte-octal", Value::No),
        Opt("c", "one-byte-char", Value::No),
        Opt("C", "canonical", Value::No),
        Opt("d", "two-bytes-decimal", Value::No),
        Opt("o", "two-bytes-octal", Value::No),
        Opt("x", "two-bytes-hex", Value::No),
        Opt("e", "format", Value::Required),
        Opt("f", "format-file", Value::Required),
        Opt("n", "length", Value::Required),
        Opt("s", "skip", Value::Required),
        Opt("v", "no-squeezing", Value::No),
        Opt("L", "color", Value::Optional),
    ],
    permute: true,
    status: 1,
};

/// The formats that the options stand for, in the syntax of `-e`.
const NAMED: &[(&str, &[&str])] = &[
    (
        "b",
        &["\"%07.7_Ax\\n\"", "\"%07.7_ax \" 16/1 \"%03o \" \"\\n\""],
    ),
    (
        "c",
        &["\"%07.7_Ax\\n\"", "\"%07.7_ax \" 16/1 \"%3_c \" \"\\n\""],
    ),
    (
        "C",
        &[
            "\"%08.8_Ax\\n\"",
            "\"%08.8_ax  \" 8/1 \"%02x \" \"  \" 8/1 \"%02x \" ",
            "\"  |\" 16/1 \"%_p\" \"|\\n\"",
        ],
    ),
    (
        "d",
        &["\"%07.7_Ax\\n\"", "\"%07.7_ax \" 8/2 \"  %05u \" \"\\n\""],
    ),
    (
        "o",
        &["\"%07.7_Ax\\n\"", "\"%07.7_ax \" 8/2 \" %06o \" \"\\n\""],
    ),
    (
        "x",
        &["\"%07.7_Ax\\n\"", "\"%07.7_ax \" 8/2 \"   %04x \" \"\\n\""],
    ),
];

/// The formats without any option.
const DEFAULT: &[&str] = &["\"%07.7_Ax\\n\"", "\"%07.7_ax \" 8/2 \"%04x \" \"\\n\""];

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    run_inner(call).unwrap_or_else(|status| status)
}

/// Reads the options and writes the input. Both of the results are exit statuses.
fn run_inner(call: &Call) -> Result<i32, i32> {
    let parsed = options::parse(call, &SYNTAX)?;
    let mut formats: Vec<Format> = Vec::new();
    let add = |formats: &mut Vec<Format>, text: &[u8]| -> Result<(), i32> {
        let format = format::parse(text).map_err(|wrong| call.fail(1, wrong.message(text)))?;
        formats.push(format);
        Ok(())
    };
    let canonical = ("C", Vec::new());
    let first = (call.name == "hd").then_some(&canonical);
    for (key, value) in first.into_iter().chain(&parsed.options) {
        match (*key, NAMED.iter().find(|(name, _)| name == key)) {
            (_, Some((_, texts))) => texts
                .iter()
                .try_for_each(|text| add(&mut formats, text.as_bytes()))?,
            ("e", _) => add(&mut formats, value)?,
            ("f", _) => {
                let text = system::read_whole(value)
                    .map_err(|failure| call.fail(1, bytes!(value, ": ", failure)))?;
                for line in text.split(|&byte| byte == b'\n') {
                    if !line.is_empty() && !line.starts_with(b"#") {
                        add(&mut formats, line)?;
                    }
                }
            }
            _ => {}
        }
    }
    if formats.is_empty() {
        DEFAULT
            .iter()
            .try_for_each(|text| add(&mut formats, text.as_bytes()))?;
    }
    let colored = match parsed.value("L") {
        None => false,
        Some(b"" | b"auto" | b"=auto") => system::is_terminal(1),
        Some(b"always" | b"=always") => true,
        Some(b"never" | b"=never") => false,
        Some(other) => return Err(call.fail(1, bytes!("unsupported color mode: '", other, "'"))),
    };
    let skip = size(call, "offset", parsed.value("s"))?.unwrap_or(0);
    let length = size(call, "length", parsed.value("n"))?.unwrap_or(usize::MAX);
    let standard = [b"-".to_vec()];
    let files = if parsed.operands.is_empty() {
        &standard[..]
    } else {
        &parsed.operands
    };
    let mut content = Vec::new();
    let (mut status, mut some) = (0, false);
    for file in files {
        match system::read_whole(file) {
            Ok(text) => {
                some = true;
                content.extend_from_slice(&text);
            }
            Err(failure) => status = call.fail(1, bytes!(file, ": ", failure)),
        }
    }
    let mut out = Output::new();
    if some {
        let start = skip.min(content.len());
        let end = start.saturating_add(length).min(content.len());
        let shown = format::Shown {
            all: parsed.has("v"),
            colored,
        };
        let text = format::render(&formats, &content[start..end], start, shown);
        out.put(&text);
    }
    if !some {
        status = call.fail(status, "all input file arguments failed");
    }
    Ok(out.finish(&call.name, status, 1))
}

/// The number that the value of an option is.
fn size(call: &Call, what: &str, text: Option<&[u8]>) -> Result<Option<usize>, i32> {
    let Some(text) = text else {
        return Ok(None);
    };
    let refuse = |reason: &str| {
        let start = bytes!("failed to parse ", what, ": '", text);
        call.fail(1, bytes!(start, "': ", reason))
    };
    match number(text) {
        Some(i64::MAX) => Err(refuse("Numerical result out of range")),
        found => {
            let found = found.and_then(|number| usize::try_from(number).ok());
            found.map(Some).ok_or_else(|| refuse("Invalid argument"))
        }
    }
}

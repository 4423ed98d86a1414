//! `date`: that of uutils takes arguments, clock and output from the process, of which there is none here.

use std::io::{BufRead as _, Write as _};

use offshoot_command::call::{Call, bytes};
use offshoot_command::options::{self, Opt, Syntax, Value};
use offshoot_command::system::{self, Time};
use offshoot_command::{quote, stream, time, when};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: date [OPTION]... [+FORMAT]\nDisplay date and time in the given FORMAT.\n",
    options: &[
        Opt("d", "date", Value::Required),
        Opt("f", "file", Value::Required),
        Opt("I", "iso-8601", Value::Optional),
        Opt("r", "reference", Value::Required),
        Opt("R", "rfc-email", Value::No),
        Opt("", "rfc-3339", Value::Required),
        Opt("s", "set", Value::Required),
        Opt("u", "utc", Value::No),
        Opt("", "universal", Value::No),
    ],
    permute: true,
    status: 1,
};

/// How precise a date of ISO 8601 is, and its format.
const PRECISIONS: [(&str, &str, &str); 5] = [
    ("date", "%Y-%m-%d", "%Y-%m-%d"),
    ("hours", "%Y-%m-%dT%H%:z", "%Y-%m-%d"),
    ("minutes", "%Y-%m-%dT%H:%M%:z", "%Y-%m-%d"),
    ("seconds", "%Y-%m-%dT%H:%M:%S%:z", "%Y-%m-%d %H:%M:%S%:z"),
    ("ns", "%Y-%m-%dT%H:%M:%S,%N%:z", "%Y-%m-%d %H:%M:%S.%N%:z"),
];

/// Runs it.
pub(super) fn run(call: &Call) -> i32 {
    match date(call) {
        Ok(status) | Err(status) => status,
    }
}

fn date(call: &Call) -> Result<i32, i32> {
    let parsed = options::parse(call, &SYNTAX)?;
    let format = format(call, &parsed)?;
    let zone = match parsed.has("u") || parsed.has("universal") {
        true => time::zone_named("UTC"),
        false => time::zone(),
    };
    let now = Time::now();
    let mut status = 0;
    let mut out = Vec::new();
    let mut show = |text: &[u8]| {
        let read = std::str::from_utf8(text).ok();
        match read.and_then(|text| when::parse(text, now, &zone)) {
            Some(time) => out.push(time),
            None => status = call.fail(1, bytes!("invalid date ", quote::word(text))),
        }
    };
    match parsed.last(&["d", "f", "r", "s"]) {
        Some("d") => show(parsed.value("d").unwrap_or_default()),
        Some("f") => {
            for line in lines(call, parsed.value("f").unwrap_or_default())? {
                show(&line);
            }
        }
        Some("r") => {
            let file = parsed.value("r").unwrap_or_default();
            let found = system::stat(file, true);
            let refuse = |failure| call.fail(1, bytes!(quote::word(file), ": ", failure));
            out.push(found.map_err(refuse)?.modified);
        }
        Some(_) => return Err(call.fail(1, "cannot set date: Operation not permitted")),
        None => out.push(now),
    }
    let mut text = String::new();
    for time in out {
        text.push_str(&time::format(&time::local(time, &zone), &format));
        text.push('\n');
    }
    let written = stream::stdout().write_all(text.as_bytes());
    written.map_err(|error| call.fail(1, format!("write error: {error}")))?;
    Ok(status)
}

/// The format that operand and options ask for.
fn format(call: &Call, parsed: &options::Parsed) -> Result<String, i32> {
    let usage = |text: Vec<u8>| options::usage_error(call, &SYNTAX, text);
    let mut format = None;
    for operand in &parsed.operands {
        let word = quote::word(operand);
        match operand.strip_prefix(b"+") {
            Some(_) if format.is_some() => return Err(usage(bytes!("extra operand ", word))),
            Some(given) => format = Some(String::from_utf8_lossy(given).into_owned()),
            None => return Err(call.fail(1, bytes!("invalid date ", word))),
        }
    }
    let given = ["I", "R", "rfc-3339"];
    let count = given.iter().filter(|key| parsed.has(key)).count() + usize::from(format.is_some());
    if count > 1 {
        return Err(call.fail(1, "multiple output formats specified"));
    }
    let precision = |option: &str, given: &[u8]| {
        let names: Vec<Vec<&str>> = PRECISIONS.iter().map(|one| vec![one.0]).collect();
        options::choice(call, option, given, &names)
    };
    Ok(match parsed.last(&given) {
        Some("R") => "%a, %d %b %Y %H:%M:%S %z".to_owned(),
        Some("I") => match parsed.value("I") {
            None | Some(b"") => PRECISIONS[0].1.to_owned(),
            Some(given) => PRECISIONS[precision("--iso-8601", given)?].1.to_owned(),
        },
        Some(_) => {
            let given = parsed.value("rfc-3339").unwrap_or_default();
            PRECISIONS[precision("--rfc-3339", given)?].2.to_owned()
        }
        None => format.map_or_else(|| "%a %b %e %H:%M:%S %Z %Y".to_owned(), |it| plain(&it)),
    })
}

/// A format without what depends on a locale: `%c` and `%x` are those of C, and `E` and `O` before a letter that takes
/// them say nothing.
fn plain(format: &str) -> String {
    let mut out = String::with_capacity(format.len());
    let mut rest = format.chars().peekable();
    while let Some(character) = rest.next() {
        if character != '%' {
            out.push(character);
            continue;
        }
        let mut modified = rest.clone();
        let takes = match modified.next() {
            Some('E') => "cCxXyY",
            Some('O') => "deHImMSuUVwWy",
            _ => "",
        };
        if modified
            .peek()
            .is_some_and(|letter| takes.contains(*letter))
        {
            rest = modified;
        }
        match rest.next() {
            Some('c') => out.push_str("%a %b %e %H:%M:%S %Y"),
            Some('x') => out.push_str("%m/%d/%y"),
            Some(letter) => out.extend(['%', letter]),
            None => out.push('%'),
        }
    }
    out
}

/// The lines of a file, or of standard input.
fn lines(call: &Call, file: &[u8]) -> Result<Vec<Vec<u8>>, i32> {
    let refuse = |text: Vec<u8>| call.fail(1, text);
    let lines: Result<Vec<_>, _> = if file == b"-" {
        stream::stdin().lock().split(b'\n').collect()
    } else {
        let opened = system::open_file(file);
        let opened = opened.map_err(|failure| refuse(bytes!(quote::word(file), ": ", failure)))?;
        std::io::BufReader::new(opened).split(b'\n').collect()
    };
    lines.map_err(|error| refuse(bytes!(quote::word(file), ": ", error.to_string())))
}

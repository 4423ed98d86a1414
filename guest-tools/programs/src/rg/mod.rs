//! `rg`, on ripgrep's libraries: the walker with its ignore files, the searcher and the printers.

mod options;
mod search;
pub mod walk;

use std::io::Write as _;

use grep_regex::{RegexMatcher, RegexMatcherBuilder};

use crate::call::{Call, bytes};
use crate::options as command_line;
use crate::options::Parsed;
use crate::system::{self, Kind};

use options::SYNTAX;

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

fn print(text: &str) -> i32 {
    i32::from(std::io::stdout().write_all(text.as_bytes()).is_err())
}

fn start(call: &Call) -> Result<i32, i32> {
    let mut parsed = command_line::parse(call, &SYNTAX)?;
    if parsed.has("h") {
        return Err(print(SYNTAX.usage));
    }
    if parsed.has("V") {
        return Err(print(&format!(
            "rg (offshoot) {}\n",
            env!("CARGO_PKG_VERSION")
        )));
    }
    if parsed.has("type-list") {
        let mut text = String::new();
        for definition in walk::types(call, &parsed)?.definitions() {
            text += &format!("{}: {}\n", definition.name(), definition.globs().join(", "));
        }
        return Err(print(&text));
    }
    let files_only = parsed.has("files");
    let patterns = patterns(call, &mut parsed, files_only)?;
    let given = !parsed.operands.is_empty();
    let mut paths = std::mem::take(&mut parsed.operands);
    if !given {
        // A file or pipe on standard input is what is meant where no path is given.
        let readable = system::stat_descriptor(0)
            .is_ok_and(|stat| matches!(stat.kind, Kind::Regular | Kind::Fifo));
        let input = readable && !files_only;
        paths.push(if input { b"-".to_vec() } else { b"./".to_vec() });
    }
    if files_only {
        return search::list(call, &parsed, &paths, given);
    }
    let matcher = matcher(call, &parsed, &patterns)?;
    search::run(call, &parsed, &paths, given, &matcher)
}

/// The patterns of `-e`, `-f` or the first operand.
fn patterns(call: &Call, parsed: &mut Parsed, none: bool) -> Result<Vec<String>, i32> {
    let mut patterns = Vec::new();
    let text = |bytes: &[u8]| {
        String::from_utf8(bytes.to_vec()).map_err(|_| call.fail(2, "a pattern is not valid UTF-8"))
    };
    let mut given = false;
    for (key, value) in &parsed.options {
        match *key {
            "e" => {
                given = true;
                patterns.push(text(value)?);
            }
            "f" => {
                given = true;
                let content = system::read_whole(value)
                    .map_err(|failure| call.fail(2, bytes!(value, ": ", failure)))?;
                for line in text(&content)?.lines() {
                    patterns.push(line.to_owned());
                }
            }
            _ => {}
        }
    }
    if !given && !none {
        if parsed.operands.is_empty() {
            return Err(call.fail(
                2,
                "ripgrep requires at least one pattern to execute a search",
            ));
        }
        let first = parsed.operands.remove(0);
        patterns.push(text(&first)?);
    }
    Ok(patterns)
}

fn matcher(call: &Call, parsed: &Parsed, patterns: &[String]) -> Result<RegexMatcher, i32> {
    let mut builder = RegexMatcherBuilder::new();
    let case = parsed.last(&["i", "s", "S"]);
    let whole = parsed.last(&["w", "x"]);
    let multiline = parsed.last(&["U", "no-multiline"]) == Some("U");
    builder
        .multi_line(true)
        .unicode(!parsed.has("no-unicode"))
        .octal(false)
        .fixed_strings(parsed.last(&["F", "no-fixed-strings"]) == Some("F"))
        .case_insensitive(case == Some("i"))
        .case_smart(case == Some("S"))
        .word(whole == Some("w"))
        .whole_line(whole == Some("x"));
    if multiline {
        builder.dot_matches_new_line(parsed.has("multiline-dotall"));
        builder.crlf(parsed.has("crlf")).line_terminator(None);
    } else {
        builder
            .line_terminator(Some(b'\n'))
            .dot_matches_new_line(false);
        builder.crlf(parsed.has("crlf"));
        if parsed.has("null-data") {
            builder.line_terminator(Some(0));
        }
    }
    if !parsed.has("a") {
        builder.ban_byte(Some(0));
    }
    for (key, set) in [("regex-size-limit", true), ("dfa-size-limit", false)] {
        if let Some(text) = parsed.value(key) {
            let size = size(text).ok_or_else(|| {
                call.fail(
                    2,
                    bytes!("error parsing flag --", key, ": invalid size '", text, "'"),
                )
            })?;
            let size = usize::try_from(size).unwrap_or(usize::MAX);
            if set {
                builder.size_limit(size);
            } else {
                builder.dfa_size_limit(size);
            }
        }
    }
    builder.build_many(patterns).map_err(|error| {
        let mut message = error.to_string();
        if message.contains("\\n") && message.contains("not allowed") {
            message += "\n\nConsider enabling multiline mode with the --multiline flag (or -U for short).\nWhen multiline mode is enabled, new line characters can be matched.";
        }
        call.fail(2, message)
    })
}

/// A number of bytes, with K, M or G.
fn size(text: &[u8]) -> Option<u64> {
    let (digits, factor) = match text.last()? {
        b'K' => (&text[..text.len() - 1], 1 << 10),
        b'M' => (&text[..text.len() - 1], 1 << 20),
        b'G' => (&text[..text.len() - 1], 1 << 30),
        _ => (text, 1),
    };
    command_line::number::<u64>(digits)?.checked_mul(factor)
}

/// The value of an option that takes a number.
fn number<T: std::str::FromStr>(
    call: &Call,
    parsed: &Parsed,
    key: &str,
    name: &str,
) -> Result<Option<T>, i32> {
    let Some(text) = parsed.value(key) else {
        return Ok(None);
    };
    command_line::number(text).map(Some).ok_or_else(|| {
        let what = "value is not a valid number: invalid digit found in string";
        call.fail(2, bytes!("error parsing flag --", name, ": ", what))
    })
}

//! `rg` as ripgrep 13.0.0, on its own libraries: the walker with its ignore files (`ignore`), the searcher
//! (`grep-searcher`) and the printers (`grep-printer`).
//!
//! `options` is the command line, `walk` finds the files, `engine` joins the two matchers, `search` prints. Files are
//! searched by one thread in the order of their names, so that output is the same each time. Other than the original:
//! `-P` runs on the backtracking engine of the other commands instead of PCRE2, there is no memory map, `-z` and
//! `--pre` are missing.

mod engine;
mod options;
mod search;
pub mod walk;

use std::io::Write as _;

use grep_regex::{RegexMatcher, RegexMatcherBuilder};

use crate::call::{Call, bytes};
use crate::options as command_line;
use crate::options::Parsed;
use crate::system::{self, Kind};

use crate::pattern::{Dialect, Pattern, Settings, Whole};
use engine::{Engine, Perl};
use options::SYNTAX;

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

/// Writes a message to standard error, as ripgrep does without its own name; gives the status of errors.
fn fail(message: impl AsRef<[u8]>) -> i32 {
    let line = bytes!(message, "\n");
    // Nobody is left to be told.
    let _ = crate::stream::stderr().write_all(&line);
    2
}

/// Options and what undoes them; the last one given counts.
const OPPOSITES: &[(&str, &str)] = &[
    ("E", "no-encoding"),
    ("a", "no-text"),
    ("binary", "no-binary"),
    ("crlf", "no-crlf"),
    ("glob-case-insensitive", "no-glob-case-insensitive"),
    (
        "ignore-file-case-insensitive",
        "no-ignore-file-case-insensitive",
    ),
    ("json", "no-json"),
    ("max-columns-preview", "no-max-columns-preview"),
    ("multiline-dotall", "no-multiline-dotall"),
    ("no-ignore", "ignore"),
    ("no-ignore-dot", "ignore-dot"),
    ("no-ignore-exclude", "ignore-exclude"),
    ("no-ignore-files", "ignore-files"),
    ("no-ignore-global", "ignore-global"),
    ("no-ignore-messages", "ignore-messages"),
    ("no-ignore-parent", "ignore-parent"),
    ("no-ignore-vcs", "ignore-vcs"),
    ("no-messages", "messages"),
    ("no-require-git", "require-git"),
    ("no-unicode", "unicode"),
    ("one-file-system", "no-one-file-system"),
    ("stats", "no-stats"),
    ("trim", "no-trim"),
];

/// Takes out of the options what a later one undoes, so that `has` suffices from there on.
fn settle(parsed: &mut Parsed) {
    for &(on, off) in OPPOSITES {
        if let Some(last) = parsed.last(&[on, off]) {
            let other = if last == on { off } else { on };
            parsed.options.retain(|(key, _)| *key != other);
        }
    }
}

/// Reads the command line. The arguments in the file that `RIPGREP_CONFIG_PATH` names come before those of the call:
/// one on each line, without quoting; empty lines and those with `#` are skipped. A file that cannot be read is
/// reported and does no harm.
fn read(call: &Call) -> Result<Parsed, i32> {
    let mut parsed = command_line::parse(call, &SYNTAX)?;
    let file = std::env::var_os("RIPGREP_CONFIG_PATH").filter(|name| !name.is_empty());
    if let Some(name) = file.filter(|_| !parsed.has("no-config")) {
        let name = name.into_encoded_bytes();
        match system::read_whole(&name) {
            Ok(text) => {
                let lines = text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii);
                let mut arguments: Vec<Vec<u8>> = lines
                    .filter(|line| !line.is_empty() && !line.starts_with(b"#"))
                    .map(<[u8]>::to_vec)
                    .collect();
                arguments.extend(call.arguments.iter().cloned());
                let name = call.name.clone();
                parsed = command_line::parse(&Call { name, arguments }, &SYNTAX)?;
            }
            Err(failure) if !parsed.has("no-messages") => {
                fail(bytes!(name, ": ", failure, number_of(&failure)));
            }
            Err(_) => {}
        }
    }
    settle(&mut parsed);
    Ok(parsed)
}

/// How Rust names the error of a file that is not there; other errors have no number here.
fn number_of(failure: &system::Failure) -> &'static str {
    if failure.0 == system::Errno::NoEntry {
        " (os error 2)"
    } else {
        ""
    }
}

/// Writes a text to standard output; the status of that.
fn print(text: &str) -> i32 {
    i32::from(crate::stream::stdout().write_all(text.as_bytes()).is_err())
}

/// Runs the command; both halves of the result are statuses. Without a path, standard input is searched where it is a
/// file or pipe, else the working directory, whose files are shown without `./`.
fn start(call: &Call) -> Result<i32, i32> {
    let mut parsed = read(call)?;
    if parsed.has("h") {
        return Err(print(&command_line::help(&SYNTAX)));
    }
    if parsed.has("V") {
        return Err(print(&format!(
            "rg (offshoot) {}\n",
            env!("CARGO_PKG_VERSION")
        )));
    }
    if parsed.has("type-list") {
        let mut text = String::new();
        for definition in walk::types(&parsed)?.definitions() {
            text += &format!("{}: {}\n", definition.name(), definition.globs().join(", "));
        }
        return Err(print(&text));
    }
    let files_only = parsed.has("files");
    let patterns = patterns(&mut parsed, files_only)?;
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
        return search::list(&parsed, &paths, given);
    }
    let engine = engine(&parsed, &patterns)?;
    search::run(&parsed, &paths, given, &engine)
}

/// The engine that is asked for. With `auto` it is Perl's where the crate `regex` refuses one of the patterns.
fn engine(parsed: &Parsed, patterns: &[String]) -> Result<Engine, i32> {
    let keys = [
        "P",
        "no-pcre2",
        "engine",
        "auto-hybrid-regex",
        "no-auto-hybrid-regex",
    ];
    let named = match parsed.last(&keys) {
        Some("P") => b"pcre2",
        Some("auto-hybrid-regex") => &b"auto"[..],
        Some("engine") => parsed.value("engine").unwrap_or_default(),
        _ => b"default",
    };
    match named {
        b"default" => matcher(parsed, patterns).map(Engine::Plain),
        b"pcre2" => perl(parsed, patterns),
        b"auto"
            if patterns
                .iter()
                .any(|pattern| regex::Regex::new(pattern).is_err()) =>
        {
            perl(parsed, patterns)
        }
        b"auto" => matcher(parsed, patterns).map(Engine::Plain),
        other => {
            let values = "[possible values: default, pcre2, auto]";
            let what = bytes!(
                "error: '",
                other,
                "' isn't a valid value for '--engine <ENGINE>'"
            );
            Err(fail(bytes!(what, "\n\t", values, "\n")))
        }
    }
}

/// The engine of `-P`. Several patterns become one alternation; `-i`, `-S`, `-w` and `-x` are settings of the pattern.
fn perl(parsed: &Parsed, patterns: &[String]) -> Result<Engine, i32> {
    let case = parsed.last(&["i", "s", "S"]);
    let is_lower = !patterns
        .iter()
        .any(|pattern| pattern.chars().any(char::is_uppercase));
    let multiline = parsed.last(&["U", "no-multiline"]) == Some("U");
    let fixed = parsed.last(&["F", "no-fixed-strings"]) == Some("F");
    let pattern = |pattern: &String| match fixed {
        true => regex::escape(pattern),
        false => pattern.clone(),
    };
    let parts: Vec<String> = patterns.iter().map(pattern).collect();
    let mut source = match parts.as_slice() {
        [only] => only.clone(),
        parts => parts
            .iter()
            .map(|part| format!("(?:{part})"))
            .collect::<Vec<_>>()
            .join("|"),
    };
    if patterns.is_empty() {
        // No pattern matches nothing.
        source = "[^\\x00-\\x{10ffff}]".to_owned();
    }
    if multiline && !parsed.has("multiline-dotall") {
        source = format!("(?-s:{source})");
    }
    let settings = Settings {
        ignore_case: case == Some("i") || case == Some("S") && is_lower,
        multi_line: true,
        line_end: (!multiline).then_some(b'\n'),
        whole: match parsed.last(&["w", "x"]) {
            Some("w") => Whole::Word,
            Some("x") => Whole::Line,
            _ => Whole::No,
        },
        ..Settings::new(Dialect::Perl)
    };
    match Pattern::new(source.as_bytes(), &settings) {
        Ok(pattern) => Ok(Engine::Perl(Perl::new(pattern))),
        Err(message) => Err(fail(format!("PCRE2: error compiling pattern: {message}"))),
    }
}

/// The patterns of `-e` and `-f` (one on each line) or the first operand; with `none` (`--files`) no operand is one.
/// They must be valid UTF-8.
fn patterns(parsed: &mut Parsed, none: bool) -> Result<Vec<String>, i32> {
    let mut patterns = Vec::new();
    let text = |bytes: &[u8]| {
        String::from_utf8(bytes.to_vec()).map_err(|_| fail("a pattern is not valid UTF-8"))
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
                    .map_err(|failure| fail(bytes!(value, ": ", failure, number_of(&failure))))?;
                for line in text(&content)?.lines() {
                    patterns.push(line.to_owned());
                }
            }
            _ => {}
        }
    }
    if !given && !none {
        if parsed.operands.is_empty() {
            let what =
                "error: The following required arguments were not provided:\n    <PATTERN>\n";
            return Err(fail(what));
        }
        let first = parsed.operands.remove(0);
        patterns.push(text(&first)?);
    }
    Ok(patterns)
}

/// The automaton of ripgrep for the patterns. Without `-U` no match crosses a line end, and a pattern that demands one
/// is refused, with the original's hint.
fn matcher(parsed: &Parsed, patterns: &[String]) -> Result<RegexMatcher, i32> {
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
        builder.dot_matches_new_line(false);
        // The order counts: without `--crlf` this clears what ends a line.
        builder.crlf(parsed.has("crlf"));
        if !parsed.has("crlf") {
            builder.line_terminator(Some(b'\n'));
        }
        if parsed.has("null-data") {
            builder.line_terminator(Some(0));
        }
    }
    if !parsed.has("a") {
        builder.ban_byte(Some(0));
    }
    for (key, set) in [("regex-size-limit", true), ("dfa-size-limit", false)] {
        if let Some(text) = parsed.value(key) {
            let size = size(text)?;
            let size = usize::try_from(size).unwrap_or(usize::MAX);
            if set {
                builder.size_limit(size);
            } else {
                builder.dfa_size_limit(size);
            }
        }
    }
    let built = match patterns {
        [pattern] => builder.build(pattern),
        patterns => builder.build_many(patterns),
    };
    built.map_err(|error| {
        let mut message = error.to_string();
        if let Some(limit) = message.strip_prefix("compiled regex exceeds size limit of ") {
            message = format!("Compiled regex exceeds size limit of {limit} bytes.");
        }
        // The pattern as it was given, without what was put around it.
        let alone = patterns.iter().find_map(|pattern| regex::Regex::new(pattern).err());
        if let Some(error @ regex::Error::Syntax(_)) = alone {
            message = error.to_string();
        }
        let message_of = |literal: &str| format!("the literal '{literal}' is not allowed");
        message = message.replace(r#"the literal "\n" is not allowed"#, &message_of(r#""\n""#));
        if message.contains("\\n") && message.contains("not allowed") {
            message += "\n\nConsider enabling multiline mode with the --multiline flag (or -U for short).\nWhen multiline mode is enabled, new line characters can be matched.";
        }
        fail(message)
    })
}

/// A number of bytes with `K`, `M` or `G` for powers of 1024.
fn size(text: &[u8]) -> Result<u64, i32> {
    let (digits, factor) = match text.split_last() {
        Some((b'K', digits)) => (digits, 1 << 10),
        Some((b'M', digits)) => (digits, 1 << 20),
        Some((b'G', digits)) => (digits, 1 << 30),
        _ => (text, 1),
    };
    let bytes = command_line::number::<u64>(digits).and_then(|count| count.checked_mul(factor));
    bytes.ok_or_else(|| {
        let what =
            "which should be a sequence of digits followed by an optional 'K', 'M' or 'G' suffix";
        fail(bytes!("invalid format for size '", text, "', ", what))
    })
}

/// The value of an option that takes a number, none where it is absent; status 2 after a message for anything else.
fn number<T: std::str::FromStr>(parsed: &Parsed, key: &str, name: &str) -> Result<Option<T>, i32> {
    let Some(text) = parsed.value(key) else {
        return Ok(None);
    };
    command_line::number(text).map(Some).ok_or_else(|| {
        let what = "<NUM>': invalid digit found in string\n";
        fail(bytes!("error: Invalid value for '--", name, " ", what))
    })
}

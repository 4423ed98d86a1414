//! What the command line of `diff` asks for. Of several styles the last counts; `-q` wins over all.

use super::{Diff, SYNTAX, Style, groups};
use crate::call::{Call, bytes};
use crate::glob::Glob;
use crate::options::{Opt, Parsed, Value};
use crate::output::Output;
use crate::pattern::Pattern;
use crate::{options, quote, system};
use offshoot_codec as archive;

impl<'a> Diff<'a> {
    /// What the command line asks for, and the names of the two files. For `zdiff` and its relatives the files are
    /// decompressed first.
    ///
    /// # Errors
    /// The exit status, after a message or `--help`.
    pub(super) fn new(call: &'a Call) -> Result<(Diff<'a>, Vec<u8>, Vec<u8>), i32> {
        let arguments = joined_counts(&call.arguments);
        let mut parsed = options::parse(
            &Call {
                name: call.name.clone(),
                arguments,
            },
            &SYNTAX,
        )?;
        let mut operands = std::mem::take(&mut parsed.operands);
        let mut given = Vec::new();
        if let Some((family, _)) = archive::family(&call.name) {
            let compared = family.compare(call, &operands)?;
            operands = compared.names.to_vec();
            given = compared.given;
        }
        let [old, new] = names(call, operands)?;
        for (key, what) in [("tabsize", "tabsize"), ("W", "width")] {
            let positive = |text: &[u8]| options::number(text).is_some_and(|size: usize| size > 0);
            if let Some(text) = parsed.value(key).filter(|text| !positive(text)) {
                let message = bytes!("invalid ", what, " '", text, "'");
                return Err(options::usage_error(call, &SYNTAX, message));
            }
        }
        let style = style(call, &parsed)?;
        let functions = functions(call, &parsed)?;
        let exclude = exclude(call, &parsed)?;
        let ignore_matching = ignore_matching(call, &parsed)?;
        let color = color(call, &parsed)?;
        let out = Output::new();
        let diff = Diff {
            call,
            parsed,
            style,
            exclude,
            ignore_matching,
            functions,
            color,
            given,
            out,
            status: 0,
        };
        Ok((diff, old, new))
    }
}

/// The arguments with `-C` and `-U` joined to the next word: these take their number from it,
/// unlike their long names.
fn joined_counts(arguments: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut joined = Vec::with_capacity(arguments.len());
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let mut word = word.clone();
        if matches!(word.as_slice(), b"-U" | b"-C") {
            word.extend(words.next().into_iter().flatten());
        }
        joined.push(word);
    }
    joined
}

/// The names of the two files.
fn names(call: &Call, operands: Vec<Vec<u8>>) -> Result<[Vec<u8>; 2], i32> {
    let mut operands = operands.into_iter();
    let message = match (operands.next(), operands.next(), operands.next()) {
        (Some(old), Some(new), None) => return Ok([old, new]),
        (_, _, Some(extra)) => bytes!("extra operand ", quote::message(&extra)),
        (last, ..) => {
            let last = last.or_else(|| call.arguments.last().cloned());
            let last = last.unwrap_or_else(|| call.name.clone().into_bytes());
            bytes!("missing operand after ", quote::message(&last))
        }
    };
    Err(options::usage_error(call, &SYNTAX, message))
}

/// The patterns of `-x`, and of the files of `-X`.
fn exclude(call: &Call, parsed: &Parsed) -> Result<Vec<Glob>, i32> {
    let mut exclude = Vec::new();
    for (key, value) in &parsed.options {
        match *key {
            "x" => exclude.push(Glob::new(value, false, false)),
            "X" => {
                let list = system::read_whole(value)
                    .map_err(|failure| call.fail(2, bytes!(value, ": ", failure)))?;
                let lines = list
                    .split(|&byte| byte == b'\n')
                    .filter(|line| !line.is_empty());
                exclude.extend(lines.map(|line| Glob::new(line, false, false)));
            }
            _ => {}
        }
    }
    Ok(exclude)
}

/// The lines whose changes do not count: the pattern of all `-I`.
fn ignore_matching(call: &Call, parsed: &Parsed) -> Result<Option<Pattern>, i32> {
    let options = parsed.options.iter().filter(|(key, _)| *key == "I");
    any_of(call, options.map(|(_, value)| value.as_slice()).collect())
}

/// Whether the output has colours: `--color` alone is `auto`, which looks at standard output.
fn color(call: &Call, parsed: &Parsed) -> Result<bool, i32> {
    match parsed.value("color") {
        None | Some(b"never") => Ok(false),
        Some(b"always") => Ok(true),
        Some(b"" | b"auto") => Ok(system::is_terminal(1)),
        Some(other) => {
            let message = bytes!("invalid color '", other, "'");
            Err(options::usage_error(call, &SYNTAX, message))
        }
    }
}

/// The format. Digits as options (`-u -1 -2` for 12) are lines of context, and `-p` alone means `-c`.
fn style(call: &Call, parsed: &Parsed) -> Result<Style, i32> {
    let mut digits = String::new();
    let mut given = None;
    let refuse = |value: &[u8]| {
        let message = bytes!("invalid context length '", value, "'");
        options::usage_error(call, &SYNTAX, message)
    };
    for (key, value) in &parsed.options {
        let lines = if value.is_empty() {
            Some(3)
        } else {
            options::number(value)
        };
        let style = match *key {
            "c" => Style::Context(3),
            "u" => Style::Unified(3),
            "C" => Style::Context(lines.ok_or_else(|| refuse(value))?),
            "U" => Style::Unified(lines.ok_or_else(|| refuse(value))?),
            "e" => Style::Ed,
            "f" => Style::ForwardEd,
            "n" => Style::Rcs,
            "y" => Style::SideBySide,
            format if groups::OPTIONS.contains(&format) => Style::Groups,
            "normal" => Style::Normal,
            digit if digit.as_bytes()[0].is_ascii_digit() => {
                digits.push_str(digit);
                continue;
            }
            _ => continue,
        };
        let kind = std::mem::discriminant(&style);
        if given.is_some_and(|given| std::mem::discriminant(&given) != kind) {
            let message = "conflicting output style options";
            return Err(options::usage_error(call, &SYNTAX, message));
        }
        given = Some(style);
    }
    let mut style = given.unwrap_or(Style::Normal);
    if let (Ok(count), Style::Unified(_) | Style::Context(_)) = (digits.parse::<usize>(), style) {
        style = if matches!(style, Style::Unified(_)) {
            Style::Unified(count)
        } else {
            Style::Context(count)
        };
    }
    if style == Style::Normal && parsed.has("p") {
        style = Style::Context(3);
    }
    Ok(if parsed.has("q") { Style::Brief } else { style })
}

/// Whether the value of the last option of a word is the next word: for `-L` and `-qL`, not for `-Lx`.
pub(super) fn takes_next(word: &[u8]) -> bool {
    let required = |opt: &&Opt| opt.2 == Value::Required;
    match word {
        [b'-', b'-', long @ ..] if !long.contains(&b'=') => {
            let starts = |opt: &Opt| !long.is_empty() && opt.1.as_bytes().starts_with(long);
            SYNTAX.options.iter().filter(required).any(starts)
        }
        [b'-', b'-', ..] => false,
        [b'-', letters @ ..] => {
            let valued = |letter: &u8| {
                let mut options = SYNTAX.options.iter().filter(required);
                b"CU".contains(letter) || options.any(|opt| opt.0.as_bytes().contains(letter))
            };
            letters.iter().position(valued) == Some(letters.len() - 1)
        }
        _ => false,
    }
}

/// The pattern of `-F`, or that of `-p`.
fn functions(call: &Call, parsed: &Parsed) -> Result<Option<Pattern>, i32> {
    let mut sources: Vec<&[u8]> = Vec::new();
    for (key, value) in &parsed.options {
        match *key {
            "p" => sources.push(b"^[[:alpha:]$_]"),
            "F" => sources.push(value),
            _ => {}
        }
    }
    any_of(call, sources)
}

/// A pattern for what any of the basic expressions matches; none where there is no expression.
fn any_of(call: &Call, sources: Vec<&[u8]>) -> Result<Option<Pattern>, i32> {
    if sources.is_empty() {
        return Ok(None);
    }
    let settings = crate::pattern::Settings::new(crate::pattern::Dialect::Basic);
    let pattern = Pattern::new(&sources.join(&b"\\|"[..]), &settings);
    pattern.map(Some).map_err(|message| call.fail(2, message))
}

/// The distance of tab stops, 8 without `--tabsize`.
pub(super) fn tab_size(parsed: &Parsed) -> usize {
    let size = parsed.value("tabsize").and_then(options::number);
    size.filter(|size| *size > 0).unwrap_or(8)
}

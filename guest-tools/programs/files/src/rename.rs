//! `rename`: Debian's, with Perl's `s///` and `tr///`, and util-linux's, with two plain texts.
//!
//! There is no Perl: an expression is a sequence of the steps below, with `;` between them, each applied to what the
//! one before it made. Names are bytes to `tr` and to patterns, and UTF-8 to changes of case. An expression that is
//! neither is refused with status 2.
//!
//! ```text
//! rename 's/\.jpeg$/.jpg/' a.jpeg        a.jpg
//! rename 's/(\w+)/\u$1/' name            Name
//! rename 'y/A-Z/a-z/' README             readme
//! rename 's/ /_/g; $_ = lc' 'My File'    my_file
//! rename .htm .html *.htm                index.html
//! ```

use crate::stream::eprintln;
use std::io::Read as _;

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::pattern::{Dialect, Pattern, Settings};
use crate::system;

const SYNTAX: Syntax = Syntax {
    usage: "Usage:\n    rename [ -v ] [ -0 ] [ -n ] [ -f ] [ -d ] [ -e perlexpr ]*|perlexpr [ files ]\n    rename [ -v ] [ -n ] from to files...\nRenames files with s///, tr///, $_ = lc and $_ = uc, or by replacing a text.\n",
    options: &[
        Opt("0", "null", Value::No),
        Opt("d", "filename", Value::No),
        Opt("d", "nopath", Value::No),
        Opt("d", "nofullpath", Value::No),
        Opt("", "path", Value::No),
        Opt("", "fullpath", Value::No),
        Opt("e", "", Value::Required),
        Opt("f", "force", Value::No),
        Opt("n", "nono", Value::No),
        Opt("n", "no-act", Value::No),
        Opt("v", "verbose", Value::No),
    ],
    permute: true,
    status: 2,
};

/// One step of an expression.
enum Step {
    /// `s/PATTERN/REPLACEMENT/FLAGS`; `all` is the flag `g`.
    Substitute {
        pattern: Pattern,
        replacement: Vec<u8>,
        all: bool,
    },
    /// `tr/FROM/TO/FLAGS` or `y/…/…/`, with ranges expanded.
    Translate {
        from: Vec<u8>,
        to: Vec<u8>,
        /// `d`: what has no counterpart in `to` goes; otherwise it becomes the last of `to`.
        delete: bool,
        /// `s`: runs of the same new character become one.
        squeeze: bool,
        /// `c`: all bytes that are not in `from` are translated.
        complement: bool,
    },
    /// `$_ = lc`.
    Lower,
    /// `$_ = uc`.
    Upper,
    /// The first of a text becomes another text.
    Replace(Vec<u8>, Vec<u8>),
}

/// Pattern, replacement, flags, and the text behind them.
type Parts<'a> = (Vec<u8>, Vec<u8>, Vec<u8>, &'a [u8]);

/// The parts of `s{…}{…}flags` after the operator. Brackets nest and each part has its own; other delimiters are
/// shared, and one behind a backslash is the character alone. None where a part is not closed.
fn parts(text: &[u8]) -> Option<Parts<'_>> {
    let (&open, rest) = text.split_first()?;
    if open.is_ascii_alphanumeric() || open.is_ascii_whitespace() {
        return None;
    }
    let close = match open {
        b'{' => b'}',
        b'(' => b')',
        b'[' => b']',
        b'<' => b'>',
        same => same,
    };
    let take = |text: &[u8]| -> Option<(Vec<u8>, usize)> {
        let (mut out, mut at, mut depth) = (Vec::new(), 0, 0);
        loop {
            match *text.get(at)? {
                b'\\' => {
                    let next = *text.get(at + 1)?;
                    if next != close || open != close {
                        out.push(b'\\');
                    }
                    out.push(next);
                    at += 2;
                    continue;
                }
                byte if byte == close && depth == 0 => return Some((out, at + 1)),
                byte if byte == close => depth -= 1,
                byte if byte == open => depth += 1,
                _ => {}
            }
            out.push(text[at]);
            at += 1;
        }
    };
    let (first, length) = take(rest)?;
    let mut rest = &rest[length..];
    if open != close {
        rest = rest.trim_ascii_start().strip_prefix(&[open])?;
    }
    let (second, length) = take(rest)?;
    let rest = &rest[length..];
    let letters = rest
        .iter()
        .take_while(|byte| byte.is_ascii_alphabetic())
        .count();
    Some((first, second, rest[..letters].to_vec(), &rest[letters..]))
}

/// The steps of a Perl expression.
///
/// # Errors
/// A message that says what is not supported, or what is wrong with a pattern.
fn steps(source: &[u8]) -> Result<Vec<Step>, Vec<u8>> {
    let mut steps = Vec::new();
    let mut rest = source.trim_ascii();
    let refuse = |text: &[u8]| {
        bytes!(
            "expression '",
            text,
            "' is not supported: only s///, tr///, $_ = lc and $_ = uc are"
        )
    };
    while !rest.is_empty() {
        let word = |text: &[u8]| {
            let after = rest.strip_prefix(b"$_")?.trim_ascii_start();
            let plain = after.strip_prefix(b"=")?.trim_ascii_start();
            let after = plain.strip_prefix(text)?;
            let argument: [&[u8]; 3] = [b"($_)", b" $_", b""];
            let end = argument
                .iter()
                .find_map(|argument| after.strip_prefix(*argument))?;
            (end.is_empty() || end.trim_ascii_start().starts_with(b";")).then_some(end)
        };
        let after = if let Some(after) = word(b"lc") {
            steps.push(Step::Lower);
            after
        } else if let Some(after) = word(b"uc") {
            steps.push(Step::Upper);
            after
        } else if let Some(text) = rest.strip_prefix(b"tr").or(rest.strip_prefix(b"y")) {
            let (from, to, flags, after) = parts(text).ok_or_else(|| refuse(rest))?;
            if flags.iter().any(|flag| !b"cdsr".contains(flag)) || flags.contains(&b'r') {
                return Err(refuse(rest));
            }
            let delete = flags.contains(&b'd');
            let from = range(&from);
            let mut to = range(&to);
            if to.is_empty() && !delete {
                to.clone_from(&from);
            }
            steps.push(Step::Translate {
                from,
                to,
                delete,
                squeeze: flags.contains(&b's'),
                complement: flags.contains(&b'c'),
            });
            after
        } else if let Some(text) = rest.strip_prefix(b"s") {
            let (pattern, replacement, flags, after) = parts(text).ok_or_else(|| refuse(rest))?;
            if flags.iter().any(|flag| !b"gimsx".contains(flag)) {
                return Err(refuse(rest));
            }
            let modes: Vec<u8> = flags
                .iter()
                .copied()
                .filter(|flag| b"msx".contains(flag))
                .collect();
            let source = if modes.is_empty() {
                pattern
            } else {
                bytes!("(?", modes, ")", pattern)
            };
            let settings = Settings {
                ignore_case: flags.contains(&b'i'),
                ..Settings::new(Dialect::Perl)
            };
            steps.push(Step::Substitute {
                pattern: Pattern::new(&source, &settings).map_err(String::into_bytes)?,
                replacement,
                all: flags.contains(&b'g'),
            });
            after
        } else {
            return Err(refuse(rest));
        };
        let after = after.trim_ascii_start();
        rest = match after.strip_prefix(b";") {
            Some(after) => after.trim_ascii_start(),
            None if after.is_empty() => after,
            None => return Err(refuse(after)),
        };
    }
    Ok(steps)
}

/// The bytes of one side of `tr`: ranges expanded, `\n` and `\t`, and other bytes behind a backslash themselves. A
/// range whose end is before its start is three bytes.
fn range(text: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    let mut bytes = text.iter();
    while let Some(&byte) = bytes.next() {
        match byte {
            b'\\' => match bytes.next() {
                Some(b'n') => plain.push((b'\n', false)),
                Some(b't') => plain.push((b'\t', false)),
                Some(&other) => plain.push((other, false)),
                None => plain.push((b'\\', false)),
            },
            b'-' => plain.push((b'-', true)),
            byte => plain.push((byte, false)),
        }
    }
    let mut out = Vec::new();
    let mut at = 0;
    while at < plain.len() {
        match (plain[at], plain.get(at + 1), plain.get(at + 2)) {
            ((first, _), Some((b'-', true)), Some((last, _))) if first <= *last => {
                out.extend(first..=*last);
                at += 3;
            }
            ((byte, _), ..) => {
                out.push(byte);
                at += 1;
            }
        }
    }
    out
}

impl Step {
    /// What the step makes of a name.
    fn apply(&self, name: &[u8]) -> Vec<u8> {
        match self {
            Step::Lower => String::from_utf8_lossy(name).to_lowercase().into_bytes(),
            Step::Upper => String::from_utf8_lossy(name).to_uppercase().into_bytes(),
            Step::Replace(from, to) => match memchr::memmem::find(name, from) {
                Some(at) => bytes!(&name[..at], to, &name[at + from.len()..]),
                None => name.to_vec(),
            },
            Step::Translate {
                from,
                to,
                delete,
                squeeze,
                complement,
            } => {
                let mut out: Vec<u8> = Vec::new();
                let mut last = None;
                for &byte in name {
                    let at = from.iter().position(|known| *known == byte);
                    let at = match (complement, at) {
                        (false, at) => at,
                        (true, Some(_)) => None,
                        (true, None) => Some(usize::MAX),
                    };
                    let Some(at) = at else {
                        out.push(byte);
                        last = None;
                        continue;
                    };
                    let new = match to.get(at) {
                        Some(new) => *new,
                        None if *delete => continue,
                        None if *complement && to == from => byte,
                        None => to.last().copied().unwrap_or(byte),
                    };
                    if *squeeze && last == Some(new) {
                        continue;
                    }
                    out.push(new);
                    last = Some(new);
                }
                out
            }
            Step::Substitute {
                pattern,
                replacement,
                all,
            } => {
                let mut out = Vec::new();
                let mut at = 0;
                while let Some(groups) = pattern.groups_at(name, at) {
                    let Some(Some((start, end))) = groups.first().copied() else {
                        break;
                    };
                    out.extend_from_slice(&name[at..start]);
                    expand(replacement, name, &groups, &mut out);
                    at = end;
                    if start == end {
                        out.extend(name.get(at));
                        at += 1;
                    }
                    if !all || at > name.len() {
                        break;
                    }
                }
                out.extend_from_slice(name.get(at..).unwrap_or_default());
                out
            }
        }
    }
}

/// How letters are changed from here on: `\U`, `\L`, `\E`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Letters {
    Same,
    Upper,
    Lower,
}

/// Appends the replacement: groups (`$1`, `${1}`, `\1`, `$&`), `\n`, `\t`, and changes of case; `\u` and `\l` are for
/// one character. A group that took no part is empty.
fn expand(replacement: &[u8], name: &[u8], groups: &[Option<(usize, usize)>], out: &mut Vec<u8>) {
    let mut mode = Letters::Same;
    let mut once = Letters::Same;
    let mut put = |text: &[u8], mode: Letters, once: &mut Letters| {
        for (index, char) in String::from_utf8_lossy(text).chars().enumerate() {
            let change = match (index, *once) {
                (0, Letters::Upper | Letters::Lower) => *once,
                _ => mode,
            };
            let text: String = match change {
                Letters::Same => char.to_string(),
                Letters::Upper => char.to_uppercase().collect(),
                Letters::Lower => char.to_lowercase().collect(),
            };
            out.extend_from_slice(text.as_bytes());
            *once = Letters::Same;
        }
    };
    let group = |number: usize| {
        let found = groups.get(number).copied().flatten();
        found.map_or(&b""[..], |(start, end)| &name[start..end])
    };
    let mut at = 0;
    while at < replacement.len() {
        let rest = &replacement[at..];
        let (text, length): (&[u8], usize) = match rest {
            [b'\\', b'U', ..] => {
                mode = Letters::Upper;
                (b"", 2)
            }
            [b'\\', b'L', ..] => {
                mode = Letters::Lower;
                (b"", 2)
            }
            [b'\\', b'E', ..] => {
                mode = Letters::Same;
                (b"", 2)
            }
            [b'\\', b'u', ..] => {
                once = Letters::Upper;
                (b"", 2)
            }
            [b'\\', b'l', ..] => {
                once = Letters::Lower;
                (b"", 2)
            }
            [b'\\', b'n', ..] => (b"\n", 2),
            [b'\\', b't', ..] => (b"\t", 2),
            [b'$', b'{', digit @ b'0'..=b'9', b'}', ..] => (group(usize::from(digit - b'0')), 4),
            [b'\\' | b'$', digit @ b'1'..=b'9', ..] => (group(usize::from(digit - b'0')), 2),
            [b'$', b'&', ..] => (group(0), 2),
            [b'\\', _, ..] => (&rest[1..2], 2),
            _ => {
                let next = rest[1..].iter().position(|byte| b"\\$".contains(byte));
                let length = next.map_or(rest.len(), |next| next + 1);
                (&rest[..length], length)
            }
        };
        put(text, mode, &mut once);
        at += length;
    }
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

/// The steps: of all `-e`, else of the first operand, else, where that is no expression and two more operands follow,
/// the plain replacement of the first by the second.
///
/// # Errors
/// Status 2 after a message.
fn plan(call: &Call, parsed: &mut Parsed) -> Result<Vec<Step>, i32> {
    let given = parsed.options.iter().filter(|(key, _)| *key == "e");
    let sources: Vec<Vec<u8>> = given.map(|(_, text)| text.clone()).collect();
    let read = |source: &[u8]| steps(source).map_err(|message| call.fail(2, message));
    if !sources.is_empty() {
        return read(&sources.join(&b"\n"[..]));
    }
    if parsed.operands.is_empty() {
        eprint!("{}", SYNTAX.usage);
        return Err(SYNTAX.status);
    }
    let source = parsed.operands.remove(0);
    match steps(&source) {
        Ok(steps) => Ok(steps),
        // Two texts without any mark of an expression.
        Err(_)
            if parsed.operands.len() >= 2
                && !source.iter().any(|byte| b"$;{}()=".contains(byte)) =>
        {
            let to = parsed.operands.remove(0);
            Ok(vec![Step::Replace(source, to)])
        }
        Err(message) => Err(call.fail(2, message)),
    }
}

/// Renames the operands, else the names on standard input, one a line or with `-0` NUL-terminated. With `-d` only the
/// last name is changed. A name that exists is not overwritten without `-f`, which gets a message and is no failure;
/// `-n` only shows what would happen.
fn start(call: &Call) -> Result<i32, i32> {
    let mut parsed = options::parse(call, &SYNTAX)?;
    let steps = plan(call, &mut parsed)?;
    let mut files = parsed.operands.clone();
    if files.is_empty() {
        let mut text = Vec::new();
        crate::stream::stdin()
            .lock()
            .read_to_end(&mut text)
            .map_err(|error| {
                call.fail(1, bytes!("standard input: ", system::Failure::from(error)))
            })?;
        let end = if parsed.has("0") { 0 } else { b'\n' };
        let names = text
            .split(|&byte| byte == end)
            .filter(|name| !name.is_empty());
        files.extend(names.map(<[u8]>::to_vec));
    }
    let mut out = Output::new();
    let mut status = 0;
    for file in files {
        let base = if parsed.has("d") {
            file.iter()
                .rposition(|&byte| byte == b'/')
                .map_or(0, |at| at + 1)
        } else {
            0
        };
        let name = steps
            .iter()
            .fold(file[base..].to_vec(), |name, step| step.apply(&name));
        let new = bytes!(&file[..base], name);
        if new == file {
            continue;
        }
        if !parsed.has("f") && system::stat(&new, false).is_ok() {
            out.flush();
            eprintln!(
                "{} not renamed: {} already exists",
                String::from_utf8_lossy(&file),
                String::from_utf8_lossy(&new)
            );
            continue;
        }
        if parsed.has("n") {
            out.line(bytes!("rename(", file, ", ", new, ")"));
            continue;
        }
        match system::rename(&file, &new) {
            Ok(()) if parsed.has("v") && matches!(steps[..], [Step::Replace(..)]) => {
                out.line(bytes!("`", file, "' -> `", new, "'"));
            }
            Ok(()) if parsed.has("v") => out.line(bytes!(file, " renamed as ", new)),
            Ok(()) => {}
            Err(failure) => {
                out.flush();
                eprintln!(
                    "Can't rename {} {}: {}",
                    String::from_utf8_lossy(&file),
                    String::from_utf8_lossy(&new),
                    failure.0
                );
                status = 1;
            }
        }
    }
    Ok(out.finish("rename", status, 1))
}

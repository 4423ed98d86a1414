//! `envsubst`, after GNU gettext: variables of the environment in a text.
//!
//! `$NAME` and `${NAME}` are replaced, nothing else that a shell knows. With an operand only the variables that it
//! names are:
//!
//! ```text
//! envsubst '$A $B'      replaces $A and $B, and leaves $C
//! envsubst -v '$A$B'    lists A and B
//! ```

use std::collections::BTreeSet;
use std::io::Read as _;

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::output::Output;
use crate::system;

const SYNTAX: Syntax = Syntax {
    usage: "Usage: envsubst [OPTION] [SHELL-FORMAT]\nSubstitutes the values of environment variables.\n",
    options: &[Opt("v", "variables", Value::No)],
    permute: true,
    status: 1,
};

/// The variable that a text starts with, and the length of `$NAME` or `${NAME}`. None where it starts with none.
fn variable(text: &[u8]) -> Option<(&[u8], usize)> {
    let inner = text.strip_prefix(b"$")?;
    let braces = inner.first() == Some(&b'{');
    let name = if braces { &inner[1..] } else { inner };
    let word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let length = name.iter().take_while(|byte| word(byte)).count();
    if length == 0 || name[0].is_ascii_digit() {
        return None;
    }
    let name = &name[..length];
    match braces {
        false => Some((name, 1 + length)),
        true if inner.get(1 + length) == Some(&b'}') => Some((name, 3 + length)),
        true => None,
    }
}

/// Calls `each` with the pieces of a text in their order: none and a text between variables, which may be empty, or
/// the name of a variable and how it is written.
fn scan<'a>(text: &'a [u8], mut each: impl FnMut(Option<&'a [u8]>, &'a [u8])) {
    let (mut at, mut start) = (0, 0);
    while let Some(next) = memchr::memchr(b'$', &text[at..]) {
        at += next;
        match variable(&text[at..]) {
            Some((name, length)) => {
                each(None, &text[start..at]);
                each(Some(name), &text[at..at + length]);
                at += length;
                start = at;
            }
            None => at += 1,
        }
    }
    each(None, &text[start..]);
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if parsed.operands.len() > 1 {
        return call.fail(1, "too many arguments");
    }
    let mut out = Output::new();
    let format = parsed.operands.first();
    if parsed.has("v") {
        let Some(format) = format else {
            return call.fail(1, "missing arguments");
        };
        scan(format, |name, _| {
            if let Some(name) = name {
                out.line(name);
            }
        });
        return out.finish(&call.name, 0, 1);
    }
    let only = format.map(|format| {
        let mut names = BTreeSet::new();
        scan(format, |name, _| names.extend(name));
        names
    });
    let mut text = Vec::new();
    if let Err(error) = crate::stream::stdin().lock().read_to_end(&mut text) {
        return call.fail(
            1,
            bytes!(
                "error while reading \"standard input\": ",
                system::Failure::from(error)
            ),
        );
    }
    let environment: std::collections::HashMap<_, _> = system::environment().into_iter().collect();
    scan(&text, |name, source| match name {
        Some(name) if only.as_ref().is_none_or(|only| only.contains(name)) => {
            if let Some(value) = environment.get(name) {
                out.put(value);
            }
        }
        _ => out.put(source),
    });
    out.finish(&call.name, 0, 1)
}

//! The parser against the machine's own bash, where there is one.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::vec_box,
    reason = "a test fails by panicking"
)]

mod aliases;
mod braces;
mod depth;
mod functions;
mod properties;
mod trees;
mod verdicts;

use super::tree::List;
use super::{AliasLookup, Options, Parser, SyntaxError};
use std::io::Write;
use std::process::{Command, Stdio};

/// Parses a whole script.
fn parse(
    script: &[u8],
    aliases: Option<AliasLookup<'_>>,
) -> (Vec<List>, Vec<Box<SyntaxError>>, Parser) {
    let mut parser = Parser::new(script, Options::default());
    let mut lists = Vec::new();
    let mut errors = Vec::new();
    loop {
        match parser.next(aliases) {
            Ok(Some(list)) => lists.push(list),
            Ok(None) => break,
            Err(error) => {
                let goes_on = error.kind == super::SyntaxErrorKind::CompoundValue;
                errors.push(error);
                if !goes_on {
                    break;
                }
            }
        }
    }
    (lists, errors, parser)
}

/// Runs bash 5.2 with `arguments` and `input`; its output and errors. None where there is no such
/// bash, which is said.
fn bash(arguments: &[&str], input: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let child = Command::new("bash")
        .args(arguments)
        .env_clear()
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        eprintln!("skipped: no bash here");
        return None;
    };
    child.stdin.take().unwrap().write_all(input).ok();
    let output = child.wait_with_output().unwrap();
    Some((output.stdout, output.stderr))
}

/// Whether the machine has the bash whose messages these are.
fn has_bash() -> bool {
    let version = bash(&["-c", "echo ${BASH_VERSINFO[0]}.${BASH_VERSINFO[1]}"], b"");
    let found = version.is_some_and(|(version, _)| version == b"5.2\n");
    if !found {
        eprintln!("skipped: needs bash 5.2");
    }
    found
}

/// `text` without empty lines and blanks at the ends of lines: bash puts some by here-documents.
fn unindented(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(text);
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    lines.join("\n").replace("\n\n", "\n").trim_end().to_owned()
}

/// A line of a table: `\n`, `\t` and `\\` stand for what they stand for elsewhere.
fn unescape(line: &str) -> String {
    line.replace("\\\\", "\u{1}")
        .replace("\\n", "\n")
        .replace('\u{1}', "\\")
}

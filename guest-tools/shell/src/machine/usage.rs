//! What the shell says of its own command line, and of the texts in a script that could be translated.

use crate::format::quote;
use crate::syntax::{self, Options, translatable};

const OPTIONS: &str = "\
GNU long options:
	--debug
	--debugger
	--dump-po-strings
	--dump-strings
	--help
	--init-file
	--login
	--noediting
	--noprofile
	--norc
	--posix
	--pretty-print
	--rcfile
	--restricted
	--verbose
	--version
Shell options:
	-ilrsD or -c command or -O shopt_option		(invocation only)
	-abefhkmnptuvxBCEHPT or -o option
";

/// How the shell is called.
pub(super) fn usage(name: &[u8]) -> Vec<u8> {
    let head: [&[u8]; 4] = [
        b"Usage:	",
        name,
        b" [GNU long option] [option] ...\n	",
        name,
    ];
    let mut text = head.concat();
    text.extend_from_slice(b" [GNU long option] [option] script-file ...\n");
    text.extend_from_slice(OPTIONS.as_bytes());
    text
}

/// `--help`
pub(super) fn help(name: &[u8]) -> Vec<u8> {
    let mut text = b"GNU bash, version 5.2.15(1)-release-(x86_64-pc-linux-gnu)\n".to_vec();
    text.extend_from_slice(&usage(name));
    for (command, what) in [
        (&b" -c \"help set\"'"[..], "shell options"),
        (b" -c help'", "shell builtin commands"),
    ] {
        let tail = format!(" for more information about {what}.\n");
        text.extend_from_slice(&[b"Type `", name, command, tail.as_bytes()].concat());
    }
    text
}

/// A script that prints a text and does nothing else.
pub(super) fn printing(text: &[u8]) -> Vec<u8> {
    [b"builtin printf %s ", quote::single(text).as_slice()].concat()
}

/// How texts of `$"…"` are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strings {
    /// As they stand: `--dump-strings`.
    Plain,
    /// As a catalogue of messages: `--dump-po-strings`.
    Catalogue,
}

impl Strings {
    /// The list for a script of this name.
    pub(super) fn list(self, script: &[u8], name: &[u8], options: Options) -> Vec<u8> {
        let mut out = Vec::new();
        for syntax::MessageLine { line, text } in translatable(script, options) {
            match self {
                Strings::Plain => out.extend_from_slice(&[b"\"", &text[..], b"\"\n"].concat()),
                Strings::Catalogue => {
                    let place = format!(":{line}\nmsgid ");
                    out.extend_from_slice(&[b"#: ", name, place.as_bytes()].concat());
                    out.extend_from_slice(&catalogued(&text));
                    out.extend_from_slice(b"\nmsgstr \"\"\n");
                }
            }
        }
        out
    }
}

/// A text in the quotes of a catalogue of messages: one with newlines begins on a line of its own.
fn catalogued(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + 2);
    if text.contains(&b'\n') {
        out.extend_from_slice(b"\"\"\n");
    }
    out.push(b'"');
    for &byte in text {
        match byte {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', byte]),
            b'\n' => out.extend_from_slice(b"\\n\"\n\""),
            byte => out.push(byte),
        }
    }
    out.push(b'"');
    out
}

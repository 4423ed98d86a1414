//! `bind`: the keys of the line editor, which scripts set and list though nobody types.

mod keys;
mod line;
mod table;

use self::table::{Action, Keymap};
use super::letters::Letters;
use super::{Context, Flow, command};
use crate::text::Text;

/// How many sequences of a function are named.
const NAMED: usize = 5;

/// What the options ask for; of an option that is repeated, the last one counts.
#[derive(Default)]
struct Request<'a> {
    lists: Vec<u8>,
    keymap: Option<&'a [u8]>,
    file: Option<&'a [u8]>,
    query: Option<&'a [u8]>,
    unbind: Option<&'a [u8]>,
    remove: Option<&'a [u8]>,
    command: Option<&'a [u8]>,
}

/// The names of the line editor's functions: `compgen -A binding`.
pub(super) fn functions() -> &'static [&'static str] {
    table::functions()
}

pub(super) fn run(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    if !cx.state().interactive {
        cx.error("warning: line editing not enabled");
    }
    let mut letters = Letters::new("lvpVPsSXf:q:u:m:r:x:", arguments);
    let mut request = Request::default();
    loop {
        match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) => match given.letter {
                b'f' => request.file = given.value,
                b'q' => request.query = given.value,
                b'u' => request.unbind = given.value,
                b'm' => request.keymap = given.value,
                b'r' => request.remove = given.value,
                b'x' => request.command = given.value,
                letter => request.lists.push(letter),
            },
            Err(flow) => return flow,
        }
    }
    match perform(cx, &request, letters.operands()) {
        Some(()) => Flow::Status(0),
        None => Flow::Status(1),
    }
}

/// Does what is asked for; none where it failed and that was reported.
fn perform(cx: &mut Context<'_>, request: &Request<'_>, operands: &[Text]) -> Option<()> {
    let keymap = match request.keymap {
        None => Keymap::present(cx),
        Some(name) => Keymap::find(name).or_else(|| wrong(cx, name, "invalid keymap name"))?,
    };
    for letter in b"lpPsSvV" {
        if request.lists.contains(letter) {
            list(cx, keymap, *letter);
        }
    }
    if let Some(path) = request.file {
        source(cx, keymap, path)?;
    }
    let mut done = Some(());
    if let Some(name) = request.query {
        done = query(cx, keymap, name);
    }
    if let Some(name) = request.unbind {
        done = unbind(cx, keymap, name);
    }
    if let Some(sequence) = request.remove {
        let sequence = keys::translate(sequence);
        table::bind(cx, keymap, &sequence, &Action::Nothing);
    }
    if let Some(text) = request.command {
        done = bind_command(cx, keymap, text);
    }
    if request.lists.contains(&b'X') {
        list(cx, keymap, b'X');
    }
    for text in operands {
        line::parse(cx, keymap, text);
    }
    done
}

fn wrong<T>(cx: &mut Context<'_>, name: &[u8], what: &str) -> Option<T> {
    cx.error_about(&[b"`", name, b"'"].concat(), what);
    None
}

fn list(cx: &mut Context<'_>, keymap: Keymap, letter: u8) {
    match letter {
        b'l' => {
            for name in table::functions() {
                cx.out(format!("{name}\n"));
            }
        }
        b'p' => reusable(cx, keymap),
        b'P' => readable(cx, keymap),
        b'v' | b'V' => {
            for (name, value) in table::variables(cx) {
                let value = value.to_string_lossy().into_owned();
                cx.out(match letter {
                    b'v' => format!("set {name} {value}\n"),
                    _ => format!("{name} is set to `{value}'\n"),
                });
            }
        }
        letter => texts(cx, keymap, letter),
    }
}

/// The sequences that call a function.
fn sequences(cx: &Context<'_>, keymap: Keymap, function: &[u8]) -> Vec<Vec<u8>> {
    // One function has two names.
    let function = match function {
        b"insert-last-argument" => b"yank-last-arg",
        function => function,
    };
    table::actions(cx, keymap)
        .into_iter()
        .filter(|(_, action)| matches!(action, Action::Function(name) if name == function))
        .map(|(sequence, _)| keys::shown(&sequence))
        .collect()
}

/// `-p`
fn reusable(cx: &mut Context<'_>, keymap: Keymap) {
    cx.out("\n");
    for name in table::functions() {
        let found = sequences(cx, keymap, name.as_bytes());
        if found.is_empty() {
            cx.out(format!("# {name} (not bound)\n"));
        }
        for sequence in found {
            cx.out([b"\"", sequence.as_slice(), b"\": ", name.as_bytes(), b"\n"].concat());
        }
    }
}

/// `-P`
fn readable(cx: &mut Context<'_>, keymap: Keymap) {
    cx.out("\n");
    for name in table::functions() {
        let found = sequences(cx, keymap, name.as_bytes());
        match named(&found) {
            Some(text) => cx.out([name.as_bytes(), b" can be found on ", &text, b"\n"].concat()),
            None => cx.out(format!("{name} is not bound to any keys\n")),
        }
    }
}

/// The first few sequences, between quotes; none where there are none.
fn named(sequences: &[Vec<u8>]) -> Option<Vec<u8>> {
    if sequences.is_empty() {
        return None;
    }
    let quoted = |sequence: &Vec<u8>| [b"\"", sequence.as_slice(), b"\""].concat();
    let mut text = sequences
        .iter()
        .take(NAMED)
        .map(quoted)
        .collect::<Vec<_>>()
        .join(b", ".as_slice());
    text.extend_from_slice(if sequences.len() > NAMED {
        b", ..."
    } else {
        b"."
    });
    Some(text)
}

/// `-s` and `-S`: macros; `-X`: commands.
fn texts(cx: &mut Context<'_>, keymap: Keymap, letter: u8) {
    for (sequence, action) in table::actions(cx, keymap) {
        let key = keys::shown(&sequence);
        let line = match (letter, action) {
            (b'S', Action::Macro(text)) => {
                [&key, b" outputs ".as_slice(), &keys::shown(&text)].concat()
            }
            (b's', Action::Macro(text)) => {
                [b"\"", key.as_slice(), b"\": \"", &keys::shown(&text), b"\""].concat()
            }
            (b'X', Action::Command(text)) => {
                [b"\"", key.as_slice(), b"\": \"", &text, b"\""].concat()
            }
            _ => continue,
        };
        cx.out(line);
        cx.out("\n");
    }
}

/// `-f`
fn source(cx: &mut Context<'_>, keymap: Keymap, path: &[u8]) -> Option<()> {
    match command::read(cx, path) {
        Ok(content) => {
            line::parse_file(cx, keymap, &content);
            Some(())
        }
        Err(error) => {
            cx.error_about(path, format!("cannot read: {}", error.message()));
            None
        }
    }
}

fn known(cx: &mut Context<'_>, name: &[u8]) -> Option<()> {
    if table::functions()
        .iter()
        .any(|known| known.as_bytes() == name)
    {
        return Some(());
    }
    wrong(cx, name, "unknown function name")
}

/// `-q`
fn query(cx: &mut Context<'_>, keymap: Keymap, name: &[u8]) -> Option<()> {
    known(cx, name)?;
    let Some(text) = named(&sequences(cx, keymap, name)) else {
        cx.out([name, b" is not bound to any keys.\n"].concat());
        return None;
    };
    cx.out([name, b" can be invoked via ", &text, b"\n"].concat());
    Some(())
}

/// `-u`
fn unbind(cx: &mut Context<'_>, keymap: Keymap, name: &[u8]) -> Option<()> {
    known(cx, name)?;
    for (sequence, action) in table::actions(cx, keymap) {
        if matches!(action, Action::Function(function) if function == name) {
            table::bind(cx, keymap, &sequence, &Action::Nothing);
        }
    }
    Some(())
}

/// `-x`
fn bind_command(cx: &mut Context<'_>, keymap: Keymap, text: &[u8]) -> Option<()> {
    let text = text.trim_ascii_start();
    let Some(quoted) = text.strip_prefix(b"\"") else {
        cx.error_about(text, "first non-whitespace character is not `\"'");
        return None;
    };
    let Some(end) = line::closing(quoted, b'"') else {
        cx.error_about(text, format!("no closing `{}' in {}", '"', "key sequence"));
        return None;
    };
    let Some(rest) = quoted[end + 1..].trim_ascii_start().strip_prefix(b":") else {
        cx.error_about(text, "missing colon separator");
        return None;
    };
    let rest = rest.trim_ascii();
    let command = match rest.split_first() {
        Some((quote @ (b'"' | b'\''), inner)) => {
            &inner[..line::closing(inner, *quote).unwrap_or(inner.len())]
        }
        _ => rest,
    };
    let sequence = keys::translate(&quoted[..end]);
    table::bind(cx, keymap, &sequence, &Action::Command(command.to_vec()));
    Some(())
}

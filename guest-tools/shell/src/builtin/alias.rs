//! `alias`, `unalias`

use std::rc::Rc;

use super::letters::Letters;
use super::{Context, Flow, synopsis};
use crate::format::quote;
use crate::machine::option::SetOption;
use crate::text::Text;

pub(super) fn alias(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut letters = Letters::new("p", arguments);
    let mut all = arguments.is_empty();
    let mut reusable = !cx.on(SetOption::Posix);
    loop {
        match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(_)) => (all, reusable) = (true, true),
            Err(flow) => return flow,
        }
    }
    if all {
        let aliases = cx.state().aliases.clone();
        for (name, value) in aliases.iter() {
            cx.out(line(name, value, reusable));
        }
    }
    let operands = letters.operands();
    if let Some(at) = operands.last().and_then(|word| sign(word)) {
        // Bash cuts the word that `$_` shows.
        let name = Text::from(&operands[operands.len() - 1][..at]);
        cx.state_mut().last_argument = name;
    }
    let mut status = 0;
    for word in operands {
        let Some(at) = sign(word) else {
            match cx.state().aliases.get(word).cloned() {
                Some(value) => cx.out(line(word, &value, reusable)),
                None => {
                    cx.error_about(word, "not found");
                    status = 1;
                }
            }
            continue;
        };
        let (name, value) = (&word[..at], &word[at + 1..]);
        if name
            .iter()
            .any(|byte| b" \t\n/$`=\"'\\()<>&|;".contains(byte))
        {
            cx.error_about(
                &[b"`".as_slice(), name, b"'"].concat(),
                "invalid alias name",
            );
            status = 1;
            continue;
        }
        let aliases = Rc::make_mut(&mut cx.state_mut().aliases);
        aliases.insert(Text::from(name), Text::from(value));
    }
    Flow::Status(status)
}

/// Where the `=` of a definition is.
fn sign(word: &[u8]) -> Option<usize> {
    let at = word.iter().skip(1).position(|&byte| byte == b'=');
    at.map(|at| at + 1)
}

/// A definition, as a command that can be read again where it is to be `reusable`.
fn line(name: &[u8], value: &[u8], reusable: bool) -> Vec<u8> {
    let before: &[u8] = match (reusable, name.first()) {
        (true, Some(b'-')) => b"alias -- ",
        (true, _) => b"alias ",
        (false, _) => b"",
    };
    [before, name, b"=", &definition(value), b"\n"].concat()
}

/// The value in single quotes.
pub(super) fn definition(value: &[u8]) -> Vec<u8> {
    if value.is_empty() {
        b"''".to_vec()
    } else {
        quote::single(value)
    }
}

pub(super) fn unalias(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut letters = Letters::new("a", arguments);
    let mut all = false;
    loop {
        match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(_)) => all = true,
            Err(flow) => return flow,
        }
    }
    if all {
        cx.state_mut().aliases = Rc::default();
        return Flow::Status(0);
    }
    if letters.operands().is_empty() {
        return synopsis::usage(cx);
    }
    let mut status = 0;
    for name in letters.operands() {
        if Rc::make_mut(&mut cx.state_mut().aliases)
            .remove(name)
            .is_none()
        {
            cx.error_about(name, "not found");
            status = 1;
        }
    }
    Flow::Status(status)
}

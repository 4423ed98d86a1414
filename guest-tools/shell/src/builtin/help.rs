//! `help`, `caller`

use super::letters::{Letters, integer, none};
use super::{Context, Flow, TABLE, summary, synopsis};
use crate::machine::call::CallKind;
use crate::pattern::{self, Pattern};
use crate::text::Text;

/// `NAME --help`
pub(super) fn describe(cx: &mut Context<'_>) -> Flow {
    let name = cx.name().to_vec();
    show(cx, &name);
    Flow::Status(2)
}

fn show(cx: &mut Context<'_>, name: &[u8]) {
    describe_as(cx, name, b's');
}

/// Describes a builtin: its synopsis (`s`), what it does (`d`), or both as a page (`m`).
fn describe_as(cx: &mut Context<'_>, name: &[u8], form: u8) {
    let (Some(synopsis), Some(summary)) = (synopsis::of(name), summary::of(name)) else {
        return;
    };
    let name = String::from_utf8_lossy(name);
    cx.out(match form {
        b'd' => format!("{name} - {summary}\n"),
        b'm' => format!(
            "NAME\n    {name} - {summary}\n\nSYNOPSIS\n    {synopsis}\n\nDESCRIPTION\n    {summary}\n\nSEE ALSO\n    bash(1)\n\n"
        ),
        _ => format!("{name}: {synopsis}\n"),
    });
}

pub(super) fn run(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut letters = Letters::new("dms", arguments);
    let (mut summary, mut page) = (false, false);
    loop {
        match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) => {
                summary |= given.letter == b'd';
                page |= given.letter == b'm';
            }
            Err(flow) => return flow,
        }
    }
    let patterns = letters.operands();
    if patterns.is_empty() {
        for entry in TABLE {
            if let Some(synopsis) = synopsis::of(entry.name.as_bytes()) {
                cx.out(format!("{synopsis}\n"));
            }
        }
        return Flow::Status(0);
    }
    let form = match (summary, page) {
        (true, _) => b'd',
        (_, true) => b'm',
        _ => b's',
    };
    let mut found = false;
    for word in patterns {
        let exact = synopsis::of(word).is_some();
        let pattern = Pattern::new(word, pattern::Options::default());
        for entry in TABLE {
            let name = entry.name.as_bytes();
            let fits = if exact {
                name == word.as_bytes()
            } else {
                pattern.matches(name) || name.starts_with(word)
            };
            if fits {
                found = true;
                describe_as(cx, name, form);
            }
        }
    }
    if found {
        return Flow::Status(0);
    }
    if let Some(last) = patterns.last() {
        let word = last.to_string_lossy().into_owned();
        cx.error(format!(
            "no help topics match `{word}'.  Try `help help' or `man -k {word}' or `info {word}'."
        ));
    }
    Flow::Status(1)
}

pub(super) fn caller(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let script = cx.state().script.clone();
    if script.is_none() && !cx.can_return() {
        return Flow::Status(1);
    }
    let operands = match none(cx, arguments) {
        Ok(operands) => operands,
        Err(flow) => return flow,
    };
    let level = match operands.first() {
        None => None,
        Some(word) => match integer(word).and_then(|level| usize::try_from(level).ok()) {
            Some(level) => Some(level),
            None => {
                cx.error_about(word, "invalid number");
                return synopsis::usage(cx);
            }
        },
    };
    let calls: Vec<(CallKind, Text, Text, u32)> = cx
        .state()
        .calls
        .visible()
        .map(|call| (call.kind, call.name.clone(), call.source.clone(), call.line))
        .collect();
    let Some((_, _, _, line)) = calls.get(level.unwrap_or(0)) else {
        if level.is_none() {
            cx.out("0 NULL\n");
            return Flow::Status(0);
        }
        return Flow::Status(1);
    };
    let outer = calls.get(level.unwrap_or(0) + 1);
    let source = match (outer, &script) {
        (Some((_, _, source, _)), _) => source.clone(),
        (None, Some(script)) => script.clone(),
        (None, None) => Text::from("NULL"),
    };
    let mut text = format!("{line} ").into_bytes();
    if level.is_some() {
        match outer {
            Some((_, name, _, _)) => text.extend_from_slice(name),
            None if script.is_none() => return Flow::Status(1),
            None => text.extend_from_slice(b"main"),
        }
        text.push(b' ');
    }
    text.extend_from_slice(&source);
    text.push(b'\n');
    cx.out(text);
    Flow::Status(0)
}

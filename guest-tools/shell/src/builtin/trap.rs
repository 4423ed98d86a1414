//! `trap`

use std::collections::BTreeMap;
use std::rc::Rc;

use super::letters::Letters;
use super::{Context, Flow, synopsis};
use crate::format::quote;
use crate::machine::option::SetOption;
use crate::machine::trap::{Action, Event, INTERRUPT, signal_name};
use crate::text::Text;

pub(super) fn run(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut letters = Letters::new("lp", arguments);
    let mut show = false;
    // `-` alone is an operand; so is a signal number after `--`.
    loop {
        match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) if given.letter == b'l' => {
                cx.out(signal_table());
                return Flow::Status(0);
            }
            Ok(Some(_)) => show = true,
            Err(flow) => return flow,
        }
    }
    let operands = letters.operands();
    if show || operands.is_empty() {
        return list(cx, operands);
    }
    let (action, events) = match operands {
        // A single name, or a number first, resets.
        [only] if Event::parse(only).is_some() => (None, operands),
        [first, ..] if !first.is_empty() && first.iter().all(u8::is_ascii_digit) => {
            (None, operands)
        }
        [_] => return synopsis::usage(cx),
        [first, events @ ..] => match first.as_bytes() {
            b"-" => (None, events),
            b"" => (Some(Action::Ignore), events),
            _ => (Some(Action::Run(first.clone())), events),
        },
        [] => return synopsis::usage(cx),
    };
    let mut status = 0;
    for name in events {
        match Event::parse(name) {
            Some(event) => set(cx, event, action.clone()),
            None => {
                cx.error_about(name, "invalid signal specification");
                status = 1;
            }
        }
    }
    Flow::Status(status)
}

/// Sets or resets a trap, but for a signal that was ignored when the shell began: that stays so, and is no error.
fn set(cx: &mut Context<'_>, event: Event, action: Option<Action>) {
    if let Event::Signal(signal) = event {
        if cx.state().ignored.is_fixed(signal) {
            return;
        }
        cx.state_mut().ignored.forget(signal);
    }
    Rc::make_mut(&mut cx.state_mut().traps).set(event, action);
}

fn list(cx: &mut Context<'_>, names: &[Text]) -> Flow {
    let traps = cx.state().traps.clone();
    let mut status = 0;
    let mut wanted = Vec::new();
    for name in names {
        match Event::parse(name) {
            Some(event) => wanted.push(event),
            None => {
                cx.error_about(name, "invalid signal specification");
                status = 1;
            }
        }
    }
    let mut all: BTreeMap<_, _> = traps.listed().collect();
    if cx.state().ignored.holds(INTERRUPT) {
        // Of what a command in the background ignores, bash knows this one.
        all.insert(Event::Signal(INTERRUPT), &Action::Ignore);
    }
    let all: Vec<_> = all.into_iter().collect();
    let chosen: Vec<_> = if names.is_empty() {
        all
    } else {
        let known = |event: &Event| all.iter().find(|(known, _)| known == event).copied();
        wanted.iter().filter_map(known).collect()
    };
    let posix = cx.on(SetOption::Posix);
    for (event, action) in chosen {
        let name = event.name();
        // POSIX names signals without their prefix.
        let shown = name.strip_prefix("SIG").filter(|_| posix).unwrap_or(&name);
        let text = match action {
            Action::Ignore => b"''".to_vec(),
            Action::Run(text) if text.is_empty() => b"''".to_vec(),
            Action::Run(text) => quote::single(text),
        };
        cx.out([b"trap -- ", text.as_slice(), b" ", shown.as_bytes(), b"\n"].concat());
    }
    Flow::Status(status)
}

/// The names of all signals in one line: `kill -l` in POSIX mode.
pub(super) fn signal_names() -> String {
    let names: Vec<_> = (1..=64).filter_map(signal_name).collect();
    names.join(" ") + "\n"
}

/// All signals, five a line: `trap -l` and `kill -l`.
pub(super) fn signal_table() -> String {
    let mut table = String::new();
    let named = (1..=64).filter_map(|number| signal_name(number).map(|name| (number, name)));
    for (at, (number, name)) in named.enumerate() {
        table.push_str(&format!("{number:2}) SIG{name}"));
        table.push(if at % 5 == 4 { '\n' } else { '\t' });
    }
    if !table.ends_with('\n') {
        table.push('\n');
    }
    table
}

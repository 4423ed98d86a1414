//! What keys do: bash's defaults, and what `bind` changed.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::OnceLock;

use super::keys;
use crate::builtin::Context;
use crate::text::Text;

/// What a key sequence does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Action {
    /// It calls a function.
    Function(Vec<u8>),
    /// It stands for other keys.
    Macro(Vec<u8>),
    /// It runs a command of the shell.
    Command(Vec<u8>),
    /// Nothing.
    Nothing,
}

/// A keymap: one of the three tables, or what follows a prefix in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Keymap {
    table: &'static str,
    prefix: &'static [u8],
}

impl Keymap {
    pub(super) fn find(name: &[u8]) -> Option<Keymap> {
        let (table, prefix): (&'static str, &'static [u8]) = match name {
            b"emacs" | b"emacs-standard" => ("emacs", b""),
            b"emacs-meta" => ("emacs", b"\x1b"),
            b"emacs-ctlx" => ("emacs", b"\x18"),
            b"vi" | b"vi-move" | b"vi-command" => ("vi-command", b""),
            b"vi-insert" => ("vi-insert", b""),
            _ => return None,
        };
        Some(Keymap { table, prefix })
    }

    /// The one that `editing-mode` chose.
    pub(super) fn present(cx: &Context<'_>) -> Keymap {
        let vi = variable(cx, "editing-mode").is_some_and(|mode| mode.as_bytes() == b"vi");
        Keymap {
            table: if vi { "vi-insert" } else { "emacs" },
            prefix: b"",
        }
    }

    fn key(self, sequence: &[u8]) -> Text {
        Text::from([self.table.as_bytes(), b" ", self.prefix, sequence].concat())
    }
}

struct Defaults {
    tables: BTreeMap<&'static str, BTreeMap<Vec<u8>, &'static str>>,
    functions: Vec<&'static str>,
    variables: Vec<(&'static str, &'static str)>,
}

/// What bash 5.2 begins with.
fn defaults() -> &'static Defaults {
    static DEFAULTS: OnceLock<Defaults> = OnceLock::new();
    DEFAULTS.get_or_init(|| {
        let mut read = Defaults {
            tables: BTreeMap::new(),
            functions: Vec::new(),
            variables: Vec::new(),
        };
        let mut section = "";
        let lines = include_str!("defaults.txt").lines();
        for line in lines.filter(|line| !line.starts_with('#')) {
            if let Some(name) = line
                .strip_prefix('[')
                .and_then(|line| line.strip_suffix(']'))
            {
                section = name;
                continue;
            }
            let (name, rest) = line.split_once(' ').unwrap_or((line, ""));
            match section {
                "functions" => read.functions.push(name),
                "variables" => read.variables.push((name, rest)),
                table => {
                    let sequences = rest.split(' ').map(|key| keys::translate(key.as_bytes()));
                    let table = read.tables.entry(table).or_default();
                    table.extend(sequences.map(|sequence| (sequence, name)));
                }
            }
        }
        read
    })
}

/// The names of all functions, sorted.
pub(super) fn functions() -> &'static [&'static str] {
    &defaults().functions
}

/// What the sequences of a keymap do.
pub(super) fn actions(cx: &Context<'_>, keymap: Keymap) -> BTreeMap<Vec<u8>, Action> {
    let mut actions = BTreeMap::new();
    let within = |sequence: &[u8]| sequence.strip_prefix(keymap.prefix).map(<[u8]>::to_vec);
    for (sequence, function) in defaults().tables.get(keymap.table).into_iter().flatten() {
        if let Some(rest) = within(sequence).filter(|rest| !rest.is_empty()) {
            actions.insert(rest, Action::Function(function.as_bytes().to_vec()));
        }
    }
    let head = [keymap.table.as_bytes(), b" "].concat();
    for (key, change) in cx.state().bindings.iter() {
        let sequence = key.strip_prefix(head.as_slice()).and_then(within);
        let (Some(sequence), Some((kind, text))) = (sequence, change.split_first()) else {
            continue;
        };
        let text = text.to_vec();
        let action = match kind {
            b'f' => Action::Function(text),
            b'm' => Action::Macro(text),
            b'x' => Action::Command(text),
            _ => Action::Nothing,
        };
        actions.insert(sequence, action);
    }
    actions.retain(|_, action| *action != Action::Nothing);
    actions
}

/// Lets a sequence do something.
pub(super) fn bind(cx: &mut Context<'_>, keymap: Keymap, sequence: &[u8], action: &Action) {
    let change = match action {
        Action::Function(name) => [b"f".as_slice(), name].concat(),
        Action::Macro(text) => [b"m".as_slice(), text].concat(),
        Action::Command(text) => [b"x".as_slice(), text].concat(),
        Action::Nothing => b"-".to_vec(),
    };
    let key = keymap.key(sequence);
    Rc::make_mut(&mut cx.state_mut().bindings).insert(key, Text::from(change));
}

/// The variables of the line editor with their values.
pub(super) fn variables(cx: &Context<'_>) -> Vec<(&'static str, Text)> {
    let all = defaults().variables.iter();
    all.map(|(name, value)| {
        let changed = cx.state().bindings.get(variable_key(name).as_bytes());
        (
            *name,
            changed.cloned().unwrap_or_else(|| Text::from(*value)),
        )
    })
    .collect()
}

fn variable(cx: &Context<'_>, name: &str) -> Option<Text> {
    let mut all = variables(cx).into_iter();
    all.find(|(known, _)| *known == name)
        .map(|(_, value)| value)
}

fn variable_key(name: &str) -> Text {
    Text::from(format!("= {name}"))
}

/// Sets a variable; false where there is none of this name.
pub(super) fn set_variable(cx: &mut Context<'_>, name: &[u8], value: &[u8]) -> bool {
    let all = &defaults().variables;
    let Some((name, default)) = all
        .iter()
        .find(|(known, _)| known.as_bytes().eq_ignore_ascii_case(name))
    else {
        return false;
    };
    let value = match *default {
        "on" | "off" => {
            let lower = value.to_ascii_lowercase();
            let on = matches!(lower.as_slice(), b"" | b"on" | b"1");
            Text::from(if on { "on" } else { "off" })
        }
        default if value.is_empty() => Text::from(default),
        _ => Text::from(value),
    };
    let bindings = Rc::make_mut(&mut cx.state_mut().bindings);
    if *name == "editing-mode" {
        let keymap = match value.as_bytes() {
            b"vi" => "vi-insert",
            _ => "emacs",
        };
        bindings.insert(variable_key("keymap"), Text::from(keymap));
    }
    bindings.insert(variable_key(name), value);
    true
}

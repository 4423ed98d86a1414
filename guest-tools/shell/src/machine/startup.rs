//! What a shell begins with: its environment, and the variables that it sets itself.

use std::rc::Rc;

use super::option::SetOption;
use super::special;
use super::state::State;
use super::symbol::{Symbols, known};
use super::value::{Attributes, Value, Variable};
use crate::os::{Identity, Pid};
use crate::syntax::Parser;
use crate::text::Text;

pub(super) fn exported(value: Text) -> Variable {
    Variable {
        value: Value::Text(value),
        attributes: Attributes::EXPORT.with(Attributes::DECLARED),
    }
}

/// Takes over the environment; functions that were exported among it.
pub(super) fn import_environment(
    state: &mut State,
    symbols: &mut Symbols,
    environment: &[(Vec<u8>, Vec<u8>)],
) {
    for (name, value) in environment {
        if let Some(function) = name.strip_prefix(b"BASH_FUNC_")
            && let Some(function) = function.strip_suffix(b"%%")
            && import_function(state, symbols, function, value)
        {
            continue;
        }
        // What has no name of a variable is for other programs.
        let symbol = symbols.intern(name);
        if matches!(symbol, known::SHELLOPTS | known::BASHOPTS) {
            import_options(state, symbol, value);
            continue;
        }
        let mut variable = exported(Text::from(value));
        let old = state.variables.attributes(symbol);
        if old.has(Attributes::DYNAMIC) && !matches!(symbol, known::SECONDS | known::RANDOM) {
            continue;
        }
        variable.attributes = variable
            .attributes
            .with(Attributes(old.0 & !Attributes::DYNAMIC.0));
        state.variables.replace(symbol, variable);
        if symbol == known::POSIXLY_CORRECT {
            special::set_posix(state, true);
        }
    }
}

/// Options that the calling shell exported.
fn import_options(state: &mut State, symbol: super::symbol::Symbol, value: &[u8]) {
    for name in value.split(|&byte| byte == b':') {
        if symbol == known::SHELLOPTS {
            if let Some(option) = SetOption::find(name) {
                state.options.set(option, true);
            }
        } else if let Some(option) = super::option::Shopt::find(name) {
            state.options.set_shopt(option, true);
        }
    }
    let slot = state.variables.slot(symbol);
    slot.attributes = slot.attributes.with(Attributes::EXPORT);
}

/// Defines a function that the calling shell exported: a value that is one and nothing more.
fn import_function(state: &mut State, symbols: &mut Symbols, name: &[u8], value: &[u8]) -> bool {
    if !value.starts_with(b"() {") || name.contains(&b'/') {
        return false;
    }
    let text = [name, b" ", value].concat();
    let mut parser = Parser::new(&text, crate::syntax::Options::default());
    let Ok(Some(list)) = parser.next(None) else {
        return false;
    };
    let [item] = list.items.as_slice() else {
        return false;
    };
    let alone = item.rest.is_empty() && !item.background && matches!(parser.next(None), Ok(None));
    let ([command], true) = (item.first.stages.as_slice(), alone) else {
        return false;
    };
    let defines = matches!(
        command.kind,
        crate::syntax::tree::CommandKind::Function { .. }
    );
    if let crate::syntax::tree::CommandKind::Function { name, body } = &command.kind {
        let function = super::function::Function {
            name: Text::from(name),
            body: body.clone(),
            source: Text::from("environment"),
            line: 1,
            base: 0,
            exported: true,
            readonly: false,
            traced: false,
            code: std::cell::RefCell::default(),
        };
        let symbol = symbols.intern(name);
        Rc::make_mut(&mut state.functions).insert(symbol, Rc::new(function));
    }
    defines
}

/// Variables that every shell has.
pub(super) fn default_variables(state: &mut State, symbols: &mut Symbols, identity: &Identity) {
    let search = state.variables.value(known::PATH).scalar();
    let first = search.and_then(|path| {
        let mut entries = path.split(|&byte| byte == b':');
        entries.find(|entry| matches!(*entry, b"/bin" | b"/usr/bin"))
    });
    let own_path = match first {
        Some(b"/bin") => "/bin/bash",
        _ => "/usr/bin/bash",
    };
    // These have nothing from outside but that they are exported.
    for name in ["IFS", "OPTIND", "OPTERR", "BASH", "BASH_VERSION"] {
        let symbol = symbols.intern(name.as_bytes());
        if state.variables.get(symbol).is_some() {
            state.variables.slot(symbol).value = Value::Unset;
        }
    }
    let mut plain = |name: &str, value: &str, add: Attributes| {
        let symbol = symbols.intern(name.as_bytes());
        if state
            .variables
            .get(symbol)
            .is_some_and(|variable| variable.value.is_set())
        {
            return;
        }
        let slot = state.variables.slot(symbol);
        slot.value = Value::Text(Text::from(value));
        slot.attributes = slot.attributes.with(Attributes::DECLARED).with(add);
    };
    let none = Attributes::NONE;
    plain("IFS", " \t\n", none);
    plain("OPTIND", "1", Attributes::INTEGER);
    plain("OPTERR", "1", none);
    plain("PS4", "+ ", none);
    plain("PATH", "/usr/local/bin:/usr/bin:/bin", none);
    plain("BASH", own_path, none);
    plain("SHELL", "/bin/bash", none);
    plain("BASH_VERSION", "5.2.15(1)-release", none);
    plain("HOSTNAME", &identity.hostname, none);
    plain("HOSTTYPE", "x86_64", none);
    plain("OSTYPE", "linux-gnu", none);
    plain("MACHTYPE", "x86_64-pc-linux-gnu", none);
    plain("TERM", "dumb", none);
    plain("COMP_WORDBREAKS", " \t\n\"'@><=;|&(:", none);
    let readonly = Attributes::READONLY.with(Attributes::INTEGER);
    plain("UID", &identity.uid.to_string(), readonly);
    plain("EUID", &identity.uid.to_string(), readonly);
    set_parent(state, identity.parent);
    let level = known::SHLVL;
    let shells = super::scope::is_name(b"SHLVL")
        .then(|| state.variables.value(level).scalar().cloned())
        .flatten()
        .and_then(|text| crate::arithmetic::plain_integer(&text))
        .unwrap_or(0);
    let level_value = exported(Text::from(shells + 1));
    state.variables.replace(level, level_value);
    let directory = exported(state.directory.clone());
    state.variables.replace(known::PWD, directory);
    let old = state.variables.slot(known::OLDPWD);
    old.attributes = old
        .attributes
        .with(Attributes::EXPORT)
        .with(Attributes::DECLARED);
    let versions = ["5", "2", "15", "1", "release", "x86_64-pc-linux-gnu"];
    let symbol = known::BASH_VERSINFO;
    let array = super::value::Indexed::from_elements(versions.map(Text::from));
    let variable = Variable {
        value: Value::Indexed(Rc::new(array)),
        attributes: Attributes::INDEXED
            .with(Attributes::READONLY)
            .with(Attributes::DECLARED),
    };
    state.variables.replace(symbol, variable);
}

/// `$PPID`, whatever the environment says.
pub(super) fn set_parent(state: &mut State, parent: Pid) {
    let slot = state.variables.slot(known::PPID);
    slot.value = Value::Text(Text::from(parent.to_string()));
    let readonly = Attributes::READONLY.with(Attributes::INTEGER);
    slot.attributes = slot.attributes.with(Attributes::DECLARED).with(readonly);
}

/// Posix mode, as `sh` has it.
pub(super) fn enter_posix(state: &mut State) {
    special::set_posix(state, true);
    let slot = state.variables.slot(known::POSIXLY_CORRECT);
    slot.value = Value::Text(Text::from(b"y"));
}

//! How variables and functions are printed: `declare -p`, `set`, `declare -f`.

use super::Context;
use crate::format::quote;
use crate::machine::function::Function;
use crate::machine::option::SetOption;
use crate::machine::value::{Attributes, Value, Variable};
use crate::syntax::print;

/// The line of `declare -p`.
pub(super) fn definition(name: &[u8], variable: &Variable) -> Vec<u8> {
    let letters = variable.attributes.letters();
    let flags = if letters.is_empty() {
        "-".to_owned()
    } else {
        letters
    };
    defined(&format!("declare -{flags} "), name, variable)
}

/// The line of `export -p` and `readonly -p` in posix mode.
pub(super) fn portable(command: &[u8], name: &[u8], variable: &Variable) -> Vec<u8> {
    let has = |attribute| variable.attributes.has(attribute);
    let flag = match &variable.value {
        Value::Associative(_) => " -A",
        _ if has(Attributes::ASSOCIATIVE) => " -A",
        Value::Indexed(_) => " -a",
        _ if has(Attributes::INDEXED) => " -a",
        _ => "",
    };
    let begin = format!("{}{flag} ", String::from_utf8_lossy(command));
    defined(&begin, name, variable)
}

fn defined(begin: &str, name: &[u8], variable: &Variable) -> Vec<u8> {
    let mut line = begin.as_bytes().to_vec();
    line.extend_from_slice(name);
    match &variable.value {
        Value::Unset => {}
        Value::Text(text) => {
            line.push(b'=');
            line.extend_from_slice(&quote::declared(text));
        }
        array => {
            line.push(b'=');
            line.extend_from_slice(&elements(array));
        }
    }
    line.push(b'\n');
    line
}

/// The line of `set`; none where there is no value.
pub(super) fn assignment(name: &[u8], value: &Value) -> Option<Vec<u8>> {
    let shown = match value {
        Value::Unset => return None,
        Value::Text(text) => quote::listed(text),
        array => elements(array),
    };
    Some([name, b"=", &shown, b"\n"].concat())
}

/// `([0]="a" [1]="b")`
fn elements(value: &Value) -> Vec<u8> {
    let mut text = b"(".to_vec();
    match value {
        Value::Indexed(array) => {
            for (at, (index, element)) in array.iter().enumerate() {
                if at > 0 {
                    text.push(b' ');
                }
                text.extend_from_slice(format!("[{index}]=").as_bytes());
                text.extend_from_slice(&quote::declared(element));
            }
        }
        Value::Associative(map) => {
            for (key, element) in map.iter() {
                text.push(b'[');
                text.extend_from_slice(&quote::key(key));
                text.extend_from_slice(b"]=");
                text.extend_from_slice(&quote::declared(element));
                text.push(b' ');
            }
        }
        Value::Unset | Value::Text(_) => {}
    }
    text.push(b')');
    text
}

/// The definition of a function, as `declare -f` prints it.
pub(super) fn function(cx: &Context<'_>, function: &Function) -> Vec<u8> {
    let posix = cx.on(SetOption::Posix);
    let mut text = print::function_for(&function.name, &function.body, posix);
    text.push(b'\n');
    text
}

/// The line that says which attributes a function has.
pub(super) fn function_attributes(function: &Function) -> Vec<u8> {
    let mut flags = String::from("f");
    for (set, letter) in [
        (function.readonly, 'r'),
        (function.traced, 't'),
        (function.exported, 'x'),
    ] {
        if set {
            flags.push(letter);
        }
    }
    [b"declare -", flags.as_bytes(), b" ", &function.name, b"\n"].concat()
}

/// Whether any attribute is set that [`function_attributes`] shows.
pub(super) fn has_attributes(function: &Function) -> bool {
    function.readonly || function.traced || function.exported
}

/// Prints the variables that have one of these attributes, or all, as `declare -p` does.
pub(super) fn definitions(cx: &mut Context<'_>, wanted: Attributes) {
    // Of arrays, those alone that have one of the others.
    let arrays = match wanted {
        _ if wanted.has(Attributes::INDEXED) => Attributes::INDEXED,
        _ => Attributes(wanted.0 & Attributes::ASSOCIATIVE.0),
    };
    let others = wanted.without(arrays);
    for (name, variable) in cx.variables() {
        let has =
            |wanted: Attributes| wanted == Attributes::NONE || variable.attributes.has(wanted);
        if has(arrays) && has(others) {
            cx.out(definition(&name, &variable));
        }
    }
}

/// Prints all variables and, unless in posix mode, all functions: `set` and `declare`.
pub(super) fn everything(cx: &mut Context<'_>, functions: bool) {
    for (name, variable) in cx.variables() {
        if let Some(line) = assignment(&name, &variable.value) {
            cx.out(line);
        }
    }
    if functions {
        for known in cx.functions() {
            cx.out(function(cx, &known));
        }
    }
}

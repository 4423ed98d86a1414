//! Reading variables and elements.

use super::subscript::{end_of, index};
use super::{Place, is_name, outside, resolve};
use crate::machine::context::Failed;
use crate::machine::message::fault;
use crate::machine::option::Shopt;
use crate::machine::reference::Subscript;
use crate::machine::symbol::Symbol;
use crate::machine::task::Task;
use crate::machine::value::{Attributes, Value};
use crate::machine::{Machine, reference, special};
use crate::text::Text;

/// The value of `$name`.
#[inline]
pub fn get(machine: &mut Machine, task: &mut Task, symbol: Symbol) -> Option<Text> {
    let variable = task.state.variables.get(symbol)?;
    if !variable.attributes.has(Attributes::SLOW_GET) {
        return variable.value.scalar().cloned();
    }
    get_slowly(machine, task, symbol)
}

fn get_slowly(machine: &mut Machine, task: &mut Task, symbol: Symbol) -> Option<Text> {
    let Some(place) = resolve(machine, task, symbol) else {
        return outside(task, symbol, |task| get(machine, task, symbol)).flatten();
    };
    match place.subscript {
        Some(subscript) => element_or_list(machine, task, place.symbol, &subscript),
        None => special::value(machine, task, place.symbol)
            .scalar()
            .cloned(),
    }
}

fn element_or_list(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    subscript: &Text,
) -> Option<Text> {
    match Subscript::parse(subscript) {
        Subscript::All => {
            let items = items(&value(machine, task, symbol));
            Some(crate::machine::expand::join(&items, b" "))
        }
        Subscript::Joined => {
            let items = items(&value(machine, task, symbol));
            let separators = machine.separators(task);
            Some(crate::machine::expand::join(&items, separators.first()))
        }
        Subscript::Index => {
            let subscript = machine.expand_subscript(task, symbol, subscript).ok()?;
            get_element(machine, task, symbol, &subscript)
                .ok()
                .flatten()
        }
    }
}

/// The whole value, dynamic ones computed, namerefs followed.
pub fn value(machine: &mut Machine, task: &mut Task, symbol: Symbol) -> Value {
    let attributes = task.state.variables.attributes(symbol);
    if !attributes.has(Attributes::SLOW_GET) {
        return task.state.variables.value(symbol).clone();
    }
    match resolve(machine, task, symbol) {
        Some(Place {
            symbol,
            subscript: None,
        }) => special::value(machine, task, symbol),
        Some(Place {
            symbol,
            subscript: Some(subscript),
        }) => element_or_list(machine, task, symbol, &subscript).map_or(Value::Unset, Value::Text),
        None => outside(task, symbol, |task| value(machine, task, symbol)).unwrap_or(Value::Unset),
    }
}

/// The elements of a value; a string is an array of one.
pub fn items(value: &Value) -> Vec<Text> {
    match value {
        Value::Unset => Vec::new(),
        Value::Text(text) => vec![text.clone()],
        Value::Indexed(array) => array.iter().map(|(_, item)| item.clone()).collect(),
        Value::Associative(map) => map.iter().map(|(_, item)| item.clone()).collect(),
    }
}

/// The keys of a value.
pub fn keys(value: &Value) -> Vec<Text> {
    match value {
        Value::Unset => Vec::new(),
        Value::Text(_) => vec![Text::from("0")],
        Value::Indexed(array) => array
            .iter()
            .map(|(key, _)| Text::from(key as i64))
            .collect(),
        Value::Associative(map) => map.iter().map(|(key, _)| key.clone()).collect(),
    }
}

/// The element of an array; the subscript is an expression or a key.
pub fn get_element(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    subscript: &Text,
) -> Result<Option<Text>, Failed> {
    let Some(place) = resolve(machine, task, symbol) else {
        let get = |task: &mut Task| get_element(machine, task, symbol, subscript);
        return outside(task, symbol, get).unwrap_or(Err(Failed));
    };
    if place.subscript.is_some() {
        // An element has no elements.
        if index(machine, task, subscript, 0)?.is_none() {
            bad_name(machine, task, symbol);
            return if machine.gives_up {
                Err(Failed)
            } else {
                Ok(None)
            };
        }
        return Ok(None);
    }
    let value = special::value(machine, task, place.symbol);
    if let Value::Associative(map) = &value {
        return Ok(map.get(subscript).cloned());
    }
    let attributes = task.state.variables.attributes(place.symbol);
    if attributes.has(Attributes::ASSOCIATIVE) {
        // Declared and without a value: what stands in the brackets is a key all the same.
        return Ok(None);
    }
    let end = match &value {
        // A string has an element 0, and none that counts from the end.
        Value::Text(_) => 0,
        value => end_of(value),
    };
    let Some(at) = index(machine, task, subscript, end)? else {
        let found = task.state.variables.get(place.symbol);
        let known = found.is_some_and(|variable| variable.exists());
        bad_name(machine, task, if known { place.symbol } else { symbol });
        return match machine.gives_up {
            true => Err(Failed),
            false => Ok(None),
        };
    };
    Ok(match &value {
        Value::Indexed(array) => array.get(at).cloned(),
        Value::Text(text) if at == 0 => Some(text.clone()),
        _ => None,
    })
}

/// Complains about the subscript of an array that is read.
pub fn bad_name(machine: &mut Machine, task: &mut Task, symbol: Symbol) {
    let mut text = machine.symbols.name(symbol).to_vec();
    text.extend_from_slice(b": bad array subscript");
    fault(machine, task, &text);
}

/// The value of `name` or `name[subscript]`.
pub fn get_reference(machine: &mut Machine, task: &mut Task, text: &[u8]) -> Option<Text> {
    let (name, subscript) = reference::split(text);
    let symbol = machine.symbols.intern(name);
    let Some(subscript) = subscript else {
        return get(machine, task, symbol);
    };
    let subscript = machine.expand_subscript(task, symbol, subscript).ok()?;
    get_element(machine, task, symbol, &subscript)
        .ok()
        .flatten()
}

/// Whether builtins take keys as they are given.
fn expands_once(task: &Task) -> bool {
    task.builtin.is_some() && task.state.options.shopt(Shopt::AssocExpandOnce)
}

/// Whether a word is a name, or a name with a subscript; a key that is expanded by now may have any
/// text.
pub fn is_reference(machine: &mut Machine, task: &mut Task, word: &[u8], expanded: bool) -> bool {
    let (name, subscript) = reference::split(word);
    let once = expands_once(task);
    is_name(name)
        && subscript.is_none_or(|text| {
            let symbol = machine.symbols.intern(name);
            let keyed = (once || expanded) && machine.has_keys(task, symbol);
            !text.is_empty()
                && match keyed {
                    true => expanded || !text.contains(&b']'),
                    false => reference::is_whole(text),
                }
        })
}

/// The subscript of a reference that a builtin is given, expanded where it is not yet.
pub fn element_key(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    subscript: &[u8],
    expanded: bool,
) -> Result<Text, Failed> {
    if (expanded || expands_once(task)) && machine.has_keys(task, symbol) {
        return Ok(Text::from(subscript));
    }
    machine.expand_subscript(task, symbol, subscript)
}

/// `test -v`
pub fn is_set(machine: &mut Machine, task: &mut Task, text: &[u8]) -> bool {
    let (name, subscript) = reference::split(text);
    if let Some(number) = crate::condition::integer(text) {
        let count = task.state.positional.as_slice().len();
        return usize::try_from(number).is_ok_and(|number| number <= count);
    }
    let is_none = |subscript: &[u8]| subscript.is_empty() || !reference::is_whole(subscript);
    if !is_name(name) || subscript.is_some_and(is_none) {
        return false;
    }
    let symbol = machine.symbols.intern(name);
    let reference = task.state.variables.attributes(symbol);
    if reference.has(Attributes::NAMEREF)
        && resolve(machine, task, symbol).is_none_or(|place| place.subscript.is_some())
    {
        // The name of an element is no name of a variable.
        return false;
    }
    let Some(subscript) = subscript else {
        return get(machine, task, symbol).is_some();
    };
    let all = matches!(subscript, b"@" | b"*");
    let value = value(machine, task, symbol);
    if all && !matches!(&value, Value::Associative(_)) {
        return !items(&value).is_empty();
    }
    if let Value::Associative(map) = &value
        && all
    {
        return map.get(subscript).is_some();
    }
    let Ok(subscript) = element_key(machine, task, symbol, subscript, false) else {
        return false;
    };
    if subscript.is_empty() && machine.has_keys(task, symbol) {
        bad_name(machine, task, symbol);
        return false;
    }
    get_element(machine, task, symbol, &subscript)
        .ok()
        .flatten()
        .is_some()
}

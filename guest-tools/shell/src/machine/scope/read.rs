//! Reading variables and elements.

use super::subscript::{end_of, index};
use super::{Place, is_name, outside, resolve};
use crate::machine::context::Failed;
use crate::machine::message::fault;
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
        Subscript::All | Subscript::Joined => {
            let items = items(&value(machine, task, symbol));
            Some(crate::machine::expand::join(&items, b" "))
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
    let place = resolve(machine, task, symbol).ok_or(Failed)?;
    if place.subscript.is_some() {
        // An element has no elements.
        return Ok(None);
    }
    let value = special::value(machine, task, place.symbol);
    if let Value::Associative(map) = &value {
        return Ok(map.get(subscript).cloned());
    }
    if task
        .state
        .variables
        .attributes(place.symbol)
        .has(Attributes::ASSOCIATIVE)
    {
        return Ok(None);
    }
    let attributes = task.state.variables.attributes(place.symbol);
    if !value.is_set() && attributes.has(Attributes::ASSOCIATIVE) {
        // Declared and without a value: what stands in the brackets is a key all the same.
        return Ok(None);
    }
    let end = match &value {
        // A string has an element 0, and none that counts from the end.
        Value::Text(_) => 0,
        value => end_of(value),
    };
    let Some(at) = index(machine, task, place.symbol, subscript, end)? else {
        let mut text = machine.symbols.name(symbol).to_vec();
        text.extend_from_slice(b": bad array subscript");
        fault(machine, task, &text);
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

/// `test -v`
pub fn is_set(machine: &mut Machine, task: &mut Task, text: &[u8]) -> bool {
    let (name, subscript) = reference::split(text);
    if let Some(number) = crate::condition::integer(text) {
        let count = task.state.positional.as_slice().len();
        return usize::try_from(number).is_ok_and(|number| number <= count);
    }
    let names_none = |subscript: &[u8]| subscript.is_empty() || reference::ends_within(subscript);
    if !is_name(name) || subscript.is_some_and(names_none) {
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
        return map.get(subscript).is_some() || !map.is_empty();
    }
    let Ok(subscript) = machine.expand_subscript(task, symbol, subscript) else {
        return false;
    };
    get_element(machine, task, symbol, &subscript)
        .ok()
        .flatten()
        .is_some()
}

//! Assigning whole arrays: `a=(…)`, `a+=(…)`, and what builtins such as `read -a` and `mapfile` make.
//!
//! Elements come with their keys expanded. An indexed array counts on from the last index, an associative one takes
//! pairs of key and value where no key is written. An element whose subscript is no good is reported and left out.
//! Appending takes the array out of its slot, so it is not copied.

use std::rc::Rc;

use super::assign::{converted, invalid, readonly};
use super::subscript::index_within;
use super::{remove_reference, resolve, resolve_quietly};
use crate::format::quote;
use crate::machine::Machine;
use crate::machine::context::{Element, Failed, Key};
use crate::machine::message::fault;
use crate::machine::symbol::Symbol;
use crate::machine::task::Task;
use crate::machine::value::{Associative, Attributes, Indexed, Value};
use crate::text::Text;

/// Makes a variable an indexed array before elements are assigned, with its value as the first one. One
/// that is readonly is refused before anything is expanded.
pub fn begin_array(machine: &mut Machine, task: &mut Task, symbol: Symbol) -> Result<(), Failed> {
    let named = symbol;
    let fixed = Attributes::NAMEREF
        .with(Attributes::ASSOCIATIVE)
        .with(Attributes::INDEXED);
    let has = |task: &Task, symbol| task.state.variables.attributes(symbol).0 & fixed.0 != 0;
    let nameref = Attributes::NAMEREF;
    let symbol = match task.state.variables.attributes(symbol).has(nameref) {
        true if task.state.variables.value(symbol).is_set() => match resolve(machine, task, symbol)
        {
            Some(place) => place.symbol,
            None => return Ok(()),
        },
        _ => symbol,
    };
    let attributes = task.state.variables.attributes(symbol);
    if attributes.has(Attributes::READONLY) {
        return Err(readonly(machine, task, named));
    }
    if has(task, symbol) {
        return Ok(());
    }
    let slot = task.state.variables.slot(symbol);
    let before = slot.value.size();
    let array = match &slot.value {
        Value::Unset => Indexed::default(),
        Value::Text(text) => Indexed::from_elements([text.clone()]),
        _ => return Ok(()),
    };
    let after = array.size();
    slot.value = Value::Indexed(Rc::new(array));
    slot.attributes = slot.attributes.with(Attributes::INDEXED);
    task.state.variables.account(before, after);
    Ok(())
}

/// Replaces the whole value by an indexed array.
pub fn set_array(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    elements: Vec<Text>,
) -> Result<(), Failed> {
    if let Some(place) = resolve_quietly(machine, task, symbol)
        && let Some(subscript) = place.subscript
    {
        let name = machine.symbols.name(place.symbol);
        let target = [name.as_bytes(), b"[", &subscript, b"]"].concat();
        return Err(invalid(task, &target));
    }
    let slow = Attributes::SLOW_SET.with(Attributes::ASSOCIATIVE);
    if task.state.variables.attributes(symbol).0 & slow.0 == 0 {
        let array = Indexed::from_elements(elements);
        let slot = task.state.variables.slot(symbol);
        let (before, after) = (slot.value.size(), array.size());
        slot.value = Value::Indexed(Rc::new(array));
        slot.attributes = slot.attributes.with(Attributes::INDEXED);
        task.state.variables.account(before, after);
        return Ok(());
    }
    let elements = elements
        .into_iter()
        .map(|value| Element {
            key: Key::Next,
            append: false,
            value,
        })
        .collect();
    assign_elements(machine, task, symbol, elements, false)
}

/// A compound assignment. Without `append` the array is made anew, but keeps its attributes.
///
/// # Errors
/// A readonly variable, or a value that cannot be converted; what was assigned before stays.
pub fn assign_elements(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    elements: Vec<Element>,
    append: bool,
) -> Result<(), Failed> {
    let attributes = task.state.variables.attributes(symbol);
    if attributes.has(Attributes::NAMEREF) && !task.state.variables.value(symbol).is_set() {
        // A nameref without a target becomes an array.
        remove_reference(machine, task, symbol);
    }
    let place = resolve(machine, task, symbol).ok_or(Failed)?;
    let symbol = place.symbol;
    let attributes = task.state.variables.attributes(symbol);
    if attributes.has(Attributes::READONLY) {
        return Err(readonly(machine, task, symbol));
    }
    if attributes.has(Attributes::ASSOCIATIVE) {
        return assign_keys(machine, task, symbol, elements, append);
    }
    let old = task.state.variables.value(symbol);
    let mut array = match old {
        _ if !append => Rc::default(),
        // Taken out of its slot, so that appending to it does not copy it.
        Value::Indexed(_) => match std::mem::take(&mut task.state.variables.slot(symbol).value) {
            Value::Indexed(array) => array,
            _ => Rc::default(),
        },
        Value::Text(text) => Rc::new(Indexed::from_elements([text.clone()])),
        _ => Rc::default(),
    };
    let before = if append {
        array.size()
    } else {
        task.state.variables.value(symbol).size()
    };
    let mut next = array.end();
    let mut result = Ok(());
    for element in elements {
        if let Err(failed) = assign_one(
            machine, task, symbol, attributes, &mut array, &mut next, element,
        ) {
            result = Err(failed);
            break;
        }
    }
    let after = array.size();
    let slot = task.state.variables.slot(symbol);
    slot.value = Value::Indexed(array);
    slot.attributes = slot.attributes.with(Attributes::INDEXED);
    task.state.variables.account(before, after);
    result
}

/// Assigns one element of an indexed array; `next` is the index for one without a key.
fn assign_one(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    attributes: Attributes,
    array: &mut Rc<Indexed>,
    next: &mut u64,
    element: Element,
) -> Result<(), Failed> {
    let at = match &element.key {
        Key::Next => *next,
        Key::Refused => {
            fault(machine, task, &element.value);
            return go_on(machine);
        }
        Key::At(subscript) if matches!(subscript.as_bytes(), b"@" | b"*") => {
            let parts = [b"[", subscript.as_bytes(), b"]=", &element.value];
            let tail = b": cannot assign to non-numeric index".as_slice();
            fault(machine, task, &[&parts.concat(), tail].concat());
            return go_on(machine);
        }
        Key::At(subscript) => {
            let at = match subscript.is_empty() {
                true => None,
                false => index_within(machine, task, symbol, subscript, array)?,
            };
            match at {
                Some(at) => at,
                None => return refuse_element(machine, task, subscript, &element.value),
            }
        }
    };
    let (mut value, mut append) = (element.value, element.append);
    if attributes.has(Attributes::SLOW_SET) {
        let old = array.get(at).cloned();
        (value, append) = converted(machine, task, attributes, value, append, old)?;
    }
    let array = Rc::make_mut(array);
    if append {
        array.append_at(at, &value);
    } else {
        array.set(at, value);
    }
    *next = at + 1;
    Ok(())
}

/// An element whose subscript is no good is left out.
fn refuse_element(
    machine: &mut Machine,
    task: &mut Task,
    subscript: &[u8],
    value: &[u8],
) -> Result<(), Failed> {
    let tail = b": bad array subscript".as_slice();
    fault(
        machine,
        task,
        &[b"[", subscript, b"]=", value, tail].concat(),
    );
    go_on(machine)
}

/// An element that is no good is left out, unless the shell ends.
fn go_on(machine: &Machine) -> Result<(), Failed> {
    match machine.gives_up {
        true => Err(Failed),
        false => Ok(()),
    }
}

/// A compound assignment to an associative array. A last key without a value gets an empty one.
fn assign_keys(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    elements: Vec<Element>,
    append: bool,
) -> Result<(), Failed> {
    let attributes = task.state.variables.attributes(symbol);
    let present = match std::mem::take(&mut task.state.variables.slot(symbol).value) {
        Value::Associative(map) => Rc::unwrap_or_clone(map),
        _ => Associative::default(),
    };
    let before = present.size();
    // An element that is appended to is one of the array before the assignment.
    let (mut map, before_it) = if append {
        (present, None)
    } else {
        (present.emptied(), Some(present))
    };
    let mut key: Option<Text> = None;
    for element in elements {
        let subscript = match element.key {
            Key::At(subscript) => subscript,
            Key::Refused => {
                fault(machine, task, &element.value);
                go_on(machine)?;
                continue;
            }
            Key::Next => match key.take() {
                None => {
                    key = Some(element.value);
                    continue;
                }
                Some(key) => key,
            },
        };
        if subscript.is_empty() {
            // One of a declaration builtin, for which bash quotes both.
            let sign: &[u8] = if element.append { b"]+=" } else { b"]=" };
            let value = quote::single(&element.value);
            let tail = b": bad array subscript".as_slice();
            fault(machine, task, &[b"[''", sign, &value, tail].concat());
            go_on(machine)?;
            continue;
        }
        let old = before_it.as_ref().unwrap_or(&map).get(&subscript).cloned();
        let (value, append) = converted(
            machine,
            task,
            attributes,
            element.value,
            element.append,
            old.clone(),
        )?;
        if append && before_it.is_none() {
            map.append(&subscript, &value);
        } else if append {
            let old = old.unwrap_or_default();
            map.set(subscript, Text::from([&*old, &*value].concat()));
        } else {
            map.set(subscript, value);
        }
    }
    if let Some(key) = key {
        map.set(key, Text::new());
    }
    let after = map.size();
    task.state.variables.slot(symbol).value = Value::Associative(Rc::new(map));
    task.state.variables.account(before, after);
    Ok(())
}

/// A compound assignment from text with its parentheses.
pub fn assign_compound_text(
    machine: &mut Machine,
    task: &mut Task,
    name: &[u8],
    text: &[u8],
    append: bool,
) -> Result<(), Failed> {
    let symbol = machine.symbols.intern(name);
    let keyed = machine.has_keys(task, symbol).then_some(name);
    let elements = machine.expand_elements(task, text, keyed)?;
    assign_elements(machine, task, symbol, elements, append)
}

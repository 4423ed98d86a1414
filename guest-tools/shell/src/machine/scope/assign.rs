//! Assigning to variables and elements.
//!
//! An ordinary variable takes the short way in `set`: one look at its attributes, and the value is replaced. Namerefs,
//! readonly variables, integers, changes of case and special variables take the slow one, in bash's order: the nameref
//! is followed, then readonly is checked, then the value is converted, then hooks act, then it is stored. Every change
//! of a size is counted against the budget of the shell (`account`).
//!
//! `Failed` means that the message was printed; callers decide what else a failure does.

use std::rc::Rc;

use super::read::element_key;
use super::subscript::{bad_subscript, end_of, index, integer_number};
use super::{is_name, outside, remove_reference, resolve};
use crate::machine::context::Failed;
use crate::machine::message::{fault, report};
use crate::machine::option::SetOption;
use crate::machine::reference::Subscript;
use crate::machine::symbol::Symbol;
use crate::machine::task::Task;
use crate::machine::value::{Attributes, Indexed, Value, Variable};
use crate::machine::{Machine, reference, special};
use crate::text::Text;

/// Assigns to a variable: `name=value` or `name+=value`.
#[inline]
pub fn set(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    value: Text,
    append: bool,
) -> Result<(), Failed> {
    let export = task.state.options.on(SetOption::Allexport);
    let slot = task.state.variables.slot(symbol);
    if slot.attributes.has(Attributes::SLOW_SET) || export {
        return set_slowly(machine, task, symbol, value, append);
    }
    let (old, new);
    match &mut slot.value {
        Value::Text(text) if append => {
            (old, new) = (0, value.len());
            text.push_bytes(&value);
        }
        Value::Text(text) => {
            (old, new) = (text.len(), value.len());
            *text = value;
        }
        Value::Unset if !slot.attributes.has(ARRAYS) => {
            (old, new) = (0, value.len());
            slot.value = Value::Text(value);
        }
        _ => return set_array_scalar(task, symbol, value, append),
    }
    task.state.variables.account(old, new);
    Ok(())
}

/// The attributes of arrays of either kind.
const ARRAYS: Attributes = Attributes::INDEXED.with(Attributes::ASSOCIATIVE);

/// `a=x` where `a` is an array: its element 0.
fn set_array_scalar(
    task: &mut Task,
    symbol: Symbol,
    value: Text,
    append: bool,
) -> Result<(), Failed> {
    let slot = task.state.variables.slot(symbol);
    let old = slot.value.size();
    store_element(slot, None, value, append);
    let new = slot.value.size();
    task.state.variables.account(old, new);
    Ok(())
}

/// Puts an element in place; without a key that is element 0.
fn store_element(slot: &mut Variable, key: Option<(u64, &Text)>, value: Text, append: bool) {
    if let Value::Text(text) = &slot.value {
        slot.value = Value::Indexed(Rc::new(Indexed::from_elements([text.clone()])));
    }
    if !slot.value.is_set() {
        slot.value = if slot.attributes.has(Attributes::ASSOCIATIVE) {
            Value::Associative(Rc::default())
        } else {
            Value::Indexed(Rc::default())
        };
    }
    match &mut slot.value {
        Value::Indexed(array) => {
            slot.attributes = slot.attributes.with(Attributes::INDEXED);
            let at = key.map_or(0, |(at, _)| at);
            let array = Rc::make_mut(array);
            if append {
                array.append_at(at, &value);
            } else {
                array.set(at, value);
            }
        }
        Value::Associative(map) => {
            let zero = Text::from("0");
            let key = key.map_or(&zero, |(_, key)| key);
            let map = Rc::make_mut(map);
            if append {
                map.append(key, &value);
            } else {
                map.set(key.clone(), value);
            }
        }
        Value::Unset | Value::Text(_) => {}
    }
}

/// Reports an assignment to a readonly variable.
pub fn readonly(machine: &mut Machine, task: &mut Task, symbol: Symbol) -> Failed {
    let mut text = machine.symbols.name(symbol).to_vec();
    text.extend_from_slice(b": readonly variable");
    fault(machine, task, &text);
    Failed
}

/// Assigns where attributes say more than the value: see the module.
fn set_slowly(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    value: Text,
    append: bool,
) -> Result<(), Failed> {
    let attributes = task.state.variables.attributes(symbol);
    if attributes.has(Attributes::NAMEREF) {
        if !task.state.variables.value(symbol).is_set() {
            return set_nameref(machine, task, symbol, value);
        }
        let Some(place) = resolve(machine, task, symbol) else {
            let set = |task: &mut Task| set(machine, task, symbol, value, append);
            return outside(task, symbol, set).unwrap_or(Err(Failed));
        };
        return match place.subscript {
            Some(subscript) => {
                let target = task.state.variables.attributes(place.symbol);
                let own = task.state.variables.value(symbol).scalar().cloned();
                let own = own.map(|own| machine.symbols.intern(reference::split(&own).0));
                if target.has(Attributes::NAMEREF) && own != Some(symbol) {
                    remove_reference(machine, task, place.symbol);
                }
                let expanded = machine.expand_subscript(task, place.symbol, &subscript)?;
                set_element(
                    machine,
                    task,
                    place.symbol,
                    (&expanded, &subscript),
                    value,
                    append,
                )
            }
            None if place.symbol == symbol => Ok(()),
            None => set(machine, task, place.symbol, value, append),
        };
    }
    if attributes.has(Attributes::READONLY) {
        return Err(readonly(machine, task, symbol));
    }
    let old = append
        .then(|| special::value(machine, task, symbol).scalar().cloned())
        .flatten();
    let (value, append) = converted(machine, task, attributes, value, append, old)?;
    if attributes.has(Attributes::HOOKED) && special::assign(machine, task, symbol, &value) {
        return Ok(());
    }
    let export = task.state.options.on(SetOption::Allexport);
    let slot = task.state.variables.slot(symbol);
    if export {
        slot.attributes = slot.attributes.with(Attributes::EXPORT);
    }
    let old = slot.value.size();
    match &mut slot.value {
        Value::Text(text) if append => text.push_bytes(&value),
        Value::Text(_) => slot.value = Value::Text(value),
        Value::Unset if !slot.attributes.has(ARRAYS) => slot.value = Value::Text(value),
        _ => store_element(slot, None, value, append),
    }
    let new = slot.value.size();
    task.state.variables.account(old, new);
    Ok(())
}

/// Complains about what is no name.
pub(super) fn invalid(task: &mut Task, name: &[u8]) -> Failed {
    let command = task.command_name();
    let tail = b"': not a valid identifier".as_slice();
    report(task, &[&command, b"`".as_slice(), name, tail].concat());
    Failed
}

/// `declare -n r; r=x`: gives the nameref its target.
fn set_nameref(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    value: Text,
) -> Result<(), Failed> {
    let (name, _) = reference::split(&value);
    if !is_name(name) {
        return Err(invalid(task, &value));
    }
    task.state.variables.store(symbol, value);
    machine.note_reference(task, symbol);
    Ok(())
}

/// The value after what the attributes make of it, and whether it is still to be appended.
///
/// `-i` evaluates it (`i+=2` adds), `-l`, `-u` and `-c` change its case; `old` is the value that it is appended to.
pub fn converted(
    machine: &mut Machine,
    task: &mut Task,
    attributes: Attributes,
    value: Text,
    append: bool,
    old: Option<Text>,
) -> Result<(Text, bool), Failed> {
    let mut value = value;
    let mut append = append;
    if attributes.has(Attributes::INTEGER) {
        let mut number = integer_number(machine, task, &value)?;
        if append {
            let old = match &old {
                Some(old) => integer_number(machine, task, old)?,
                None => 0,
            };
            number = number.wrapping_add(old);
            append = false;
        }
        value = Text::from(number);
    }
    let cased = Attributes::LOWER
        .with(Attributes::UPPER)
        .with(Attributes::CAPITALIZE);
    if append && attributes.has(cased) {
        let old = old.unwrap_or_default();
        value = Text::from([old.as_bytes(), value.as_bytes()].concat());
        append = false;
    }
    if attributes.has(Attributes::LOWER) {
        value = crate::machine::expand::change_case(&value, false);
    } else if attributes.has(Attributes::UPPER) {
        value = crate::machine::expand::change_case(&value, true);
    } else if attributes.has(Attributes::CAPITALIZE) {
        let mut lower = crate::machine::expand::change_case(&value, false).into_vec();
        if let Some(first) = lower.first_mut() {
            first.make_ascii_uppercase();
        }
        value = Text::from(lower);
    }
    Ok((value, append))
}

/// Assigns to an element; its subscript is the expanded one and what messages show.
pub fn set_element(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    (subscript, shown): (&Text, &[u8]),
    value: Text,
    append: bool,
) -> Result<(), Failed> {
    let Some(place) = resolve(machine, task, symbol) else {
        let set =
            |task: &mut Task| set_element(machine, task, symbol, (subscript, shown), value, append);
        return outside(task, symbol, set).unwrap_or(Err(Failed));
    };
    let symbol = place.symbol;
    let attributes = task.state.variables.attributes(symbol);
    if attributes.has(Attributes::NAMEREF) && place.subscript.is_none() {
        return Err(invalid(task, b""));
    }
    if let Some(element) = &place.subscript {
        let name = machine.symbols.name(symbol);
        let parts = [b"`", name.as_bytes(), b"[", element.as_bytes()];
        report(
            task,
            &[&parts.concat(), b"]': not a valid identifier".as_slice()].concat(),
        );
        return Err(Failed);
    }
    let associative = attributes.has(Attributes::ASSOCIATIVE);
    let end = match task.state.variables.value(symbol) {
        // To bash, what is declared and no array has an element 0 already.
        Value::Unset if attributes.has(Attributes::DECLARED) && !attributes.has(ARRAYS) => 1,
        whole => end_of(whole),
    };
    let at = if associative {
        if subscript.is_empty() {
            bad_subscript(machine, task, symbol, shown);
            return Err(Failed);
        }
        0
    } else {
        if Subscript::parse(shown) != Subscript::Index {
            bad_subscript(machine, task, symbol, shown);
            return Err(Failed);
        }
        match index(machine, task, subscript, end)? {
            Some(at) => at,
            None => {
                bad_subscript(machine, task, symbol, shown);
                return Err(Failed);
            }
        }
    };
    if attributes.has(Attributes::READONLY) {
        return Err(readonly(machine, task, symbol));
    }
    let slow = Attributes::INTEGER
        .with(Attributes::LOWER)
        .with(Attributes::UPPER)
        .with(Attributes::CAPITALIZE);
    let (mut value, mut append) = (value, append);
    if attributes.has(slow) {
        let old = append
            .then(|| element_of(task.state.variables.value(symbol), at, subscript))
            .flatten();
        (value, append) = converted(machine, task, attributes, value, append, old)?;
    }
    if attributes.has(Attributes::HOOKED)
        && special::assign_element(machine, task, symbol, subscript, &value)
    {
        return Ok(());
    }
    let slot = task.state.variables.slot(symbol);
    let old = slot.value.size();
    store_element(slot, Some((at, subscript)), value, append);
    let new = slot.value.size();
    task.state.variables.account(old, new);
    Ok(())
}

/// The element of an array at an index or a key; of a plain value element 0.
fn element_of(value: &Value, at: u64, key: &Text) -> Option<Text> {
    match value {
        Value::Indexed(array) => array.get(at).cloned(),
        Value::Associative(map) => map.get(key).cloned(),
        Value::Text(text) if at == 0 => Some(text.clone()),
        _ => None,
    }
}

/// Assigns to `name` or `name[subscript]`, as text that a builtin was given. The subscript is expanded.
pub fn set_reference(
    machine: &mut Machine,
    task: &mut Task,
    text: &[u8],
    value: Text,
    append: bool,
) -> Result<(), Failed> {
    let (name, subscript) = reference::split(text);
    if !is_name(name) {
        let mut message = b"`".to_vec();
        message.extend_from_slice(text);
        message.extend_from_slice(b"': not a valid identifier");
        report(task, &message);
        return Err(Failed);
    }
    let symbol = machine.symbols.intern(name);
    match subscript {
        None => set(machine, task, symbol, value, append),
        Some(subscript) => {
            let expanded = element_key(machine, task, symbol, subscript, false)?;
            set_element(machine, task, symbol, (&expanded, subscript), value, append)
        }
    }
}

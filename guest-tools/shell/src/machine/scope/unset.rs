//! `unset`

use std::rc::Rc;

use super::local::is_local;
use super::read::element_key;
use super::subscript::{end_of, index};
use super::{resolve, warn_circular};
use crate::machine::context::Failed;
use crate::machine::message::report;
use crate::machine::option::Shopt;
use crate::machine::symbol::Symbol;
use crate::machine::task::Task;
use crate::machine::value::{Attributes, Value, Variable};
use crate::machine::{Machine, reference, special};
use crate::text::Text;

/// Unsets `name` or `name[subscript]`, whose key is `expanded` or is not.
pub fn unset_reference(
    machine: &mut Machine,
    task: &mut Task,
    text: &[u8],
    expanded: bool,
) -> Result<(), Failed> {
    let (name, subscript) = reference::split(text);
    let symbol = machine.symbols.intern(name);
    let Some(place) = resolve(machine, task, symbol) else {
        warn_circular(machine, task, symbol);
        return match is_local(task, symbol) {
            true => unset(machine, task, symbol),
            false => Ok(()),
        };
    };
    let expanded = expanded && subscript.is_some();
    let Some(subscript) = subscript.map(Text::from).or(place.subscript) else {
        return unset(machine, task, place.symbol);
    };
    let symbol = place.symbol;
    if task
        .state
        .variables
        .attributes(symbol)
        .has(Attributes::READONLY)
    {
        let message = [b"unset: ", name, b": cannot unset: readonly variable"].concat();
        report(task, &message);
        return Err(Failed);
    }
    let associative = task
        .state
        .variables
        .attributes(symbol)
        .has(Attributes::ASSOCIATIVE);
    if !associative && matches!(subscript.as_bytes(), b"@" | b"*") {
        return clear(machine, task, symbol);
    }
    let key = element_key(machine, task, symbol, &subscript, expanded)?;
    unset_element(machine, task, symbol, name, (&key, &subscript))
}

/// `unset 'a[@]'`: an array stays, without elements.
fn clear(machine: &mut Machine, task: &mut Task, symbol: Symbol) -> Result<(), Failed> {
    let slot = task.state.variables.slot(symbol);
    let old = slot.value.size();
    match &mut slot.value {
        Value::Indexed(array) => *array = Rc::default(),
        Value::Text(_) => {
            let name = machine.symbols.name(symbol);
            let tail = b": not an array variable".as_slice();
            report(task, &[b"unset: ", name.as_bytes(), tail].concat());
            return Err(Failed);
        }
        Value::Unset | Value::Associative(_) => {}
    }
    let new = slot.value.size();
    task.state.variables.account(old, new);
    Ok(())
}

fn unset_element(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    name: &[u8],
    (subscript, shown): (&Text, &Text),
) -> Result<(), Failed> {
    let variable = task
        .state
        .variables
        .get(symbol)
        .filter(|known| known.exists());
    let Some(variable) = variable else {
        return Ok(());
    };
    let (attributes, end) = (variable.attributes, end_of(&variable.value));
    if attributes.has(Attributes::ASSOCIATIVE) {
        if subscript.is_empty() {
            let message = [b"unset: [", shown.as_bytes(), b"]: bad array subscript"];
            report(task, &message.concat());
            return Err(Failed);
        }
        remove_key(task, symbol, subscript);
        return Ok(());
    }
    if attributes.has(Attributes::INDEXED) {
        return unset_index(machine, task, symbol, (subscript, shown), end);
    }
    // What is no array has nothing to count from.
    if index(machine, task, subscript, 0)? == Some(0) {
        return unset(machine, task, symbol);
    }
    let message = [b"unset: ", name, b": not an array variable"];
    report(task, &message.concat());
    Err(Failed)
}

fn unset_index(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    (subscript, shown): (&Text, &Text),
    end: u64,
) -> Result<(), Failed> {
    let Some(at) = index(machine, task, subscript, end)? else {
        let message = [b"unset: [", shown.as_bytes(), b"]: bad array subscript"];
        report(task, &message.concat());
        return Err(Failed);
    };
    let slot = task.state.variables.slot(symbol);
    let old = slot.value.size();
    if let Value::Indexed(array) = &mut slot.value {
        Rc::make_mut(array).remove(at);
    }
    let new = slot.value.size();
    task.state.variables.account(old, new);
    Ok(())
}

fn remove_key(task: &mut Task, symbol: Symbol, key: &Text) {
    let slot = task.state.variables.slot(symbol);
    let old = slot.value.size();
    if let Value::Associative(map) = &mut slot.value {
        Rc::make_mut(map).remove(key);
    }
    let new = slot.value.size();
    task.state.variables.account(old, new);
}

/// Unsets a variable. A local one stays local; one of a calling function reveals what it hides.
pub fn unset(machine: &mut Machine, task: &mut Task, symbol: Symbol) -> Result<(), Failed> {
    let variable = task
        .state
        .variables
        .get(symbol)
        .cloned()
        .unwrap_or_default();
    if variable.attributes.has(Attributes::READONLY) {
        let name = machine.symbols.name(symbol);
        let tail = b": cannot unset: readonly variable";
        report(task, &[b"unset: ", name.as_bytes(), tail].concat());
        return Err(Failed);
    }
    if variable.attributes.has(Attributes::HOOKED) {
        special::unset(task, symbol);
    }
    let holds = |call: &crate::machine::call::Call| call.hides(symbol);
    let owner = task.state.calls.iter().position(holds);
    let local = is_local(task, symbol);
    let keep = local || task.state.options.shopt(Shopt::LocalvarUnset);
    if owner.is_none() || keep {
        let mut left = Variable::default();
        if !variable.attributes.has(Attributes::DYNAMIC) {
            // Those that are computed lose what makes them special.
            left.attributes = Attributes(variable.attributes.0 & Attributes::HOOKED.0);
        }
        if owner.is_some() {
            // It is still there, and hides the one of the caller.
            left.attributes = left.attributes.with(Attributes::DECLARED);
        }
        task.state.variables.replace(symbol, left);
        return Ok(());
    }
    let Some(call) = task.state.calls.find_mut(holds) else {
        return Ok(());
    };
    if let Some(at) = call.saved.iter().position(|(saved, _)| *saved == symbol) {
        let (_, hidden) = call.saved.remove(at);
        task.state.variables.reveal(symbol, hidden);
    }
    Ok(())
}

//! Variables as `declare` sees them, and their attributes.

use std::rc::Rc;

use super::assign::readonly;
use super::{Place, is_name, resolve};
use crate::machine::context::Failed;
use crate::machine::message::report;
use crate::machine::symbol::{Symbol, known};
use crate::machine::task::Task;
use crate::machine::value::{Associative, Attributes, CONVERTED_BUCKETS, Indexed, Value, Variable};
use crate::machine::{Machine, special};
use crate::text::Text;

/// The variable itself; dynamic ones with their present value.
pub fn variable(machine: &mut Machine, task: &mut Task, symbol: Symbol) -> Option<Variable> {
    with_value(machine, task, symbol, special::value)
}

fn with_value(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    compute: fn(&mut Machine, &mut Task, Symbol) -> Value,
) -> Option<Variable> {
    let variable = task.state.variables.get(symbol);
    let variable = variable.filter(|variable| variable.exists()).cloned()?;
    if !variable.attributes.has(Attributes::DYNAMIC) {
        return Some(variable);
    }
    let value = compute(machine, task, symbol);
    // It is made by the first command.
    let exists = symbol != known::PIPESTATUS || value.is_set();
    exists.then(|| Variable {
        value,
        attributes: task.state.variables.attributes(symbol),
    })
}

/// The name at the end of a chain of namerefs.
pub fn follow(machine: &mut Machine, task: &mut Task, name: &[u8]) -> Text {
    let symbol = machine.symbols.intern(name);
    match resolve(machine, task, symbol) {
        Some(Place {
            symbol,
            subscript: None,
        }) => machine.symbols.name(symbol),
        Some(Place {
            symbol,
            subscript: Some(subscript),
        }) => {
            let name = machine.symbols.name(symbol);
            Text::from([name.as_bytes(), b"[", subscript.as_bytes(), b"]"].concat())
        }
        None => Text::from(name),
    }
}

/// All variables that exist, sorted by name; dynamic ones as they were when they were looked up last.
pub fn all(machine: &mut Machine, task: &mut Task) -> Vec<(Text, Variable)> {
    let symbols: Vec<Symbol> = task
        .state
        .variables
        .iter()
        .map(|(symbol, _)| symbol)
        .collect();
    let mut found: Vec<(Text, Variable)> = Vec::with_capacity(symbols.len());
    for symbol in symbols {
        let name = machine.symbols.name(symbol);
        if is_name(&name)
            && let Some(variable) = with_value(machine, task, symbol, special::listed)
        {
            found.push((name, variable));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

/// Adds and removes attributes.
pub fn change_attributes(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    add: Attributes,
    remove: Attributes,
) -> Result<(), Failed> {
    let attributes = task.state.variables.attributes(symbol);
    if attributes.has(Attributes::READONLY) && remove.has(Attributes::READONLY) {
        return Err(readonly(machine, task, symbol));
    }
    let old = task.state.variables.value(symbol).clone();
    let name = machine.symbols.name(symbol);
    match &old {
        Value::Indexed(_) if add.has(Attributes::ASSOCIATIVE) => {
            let tail = b": cannot convert indexed to associative array";
            report(
                task,
                &[task.command_name().as_slice(), name.as_bytes(), tail].concat(),
            );
            return Err(Failed);
        }
        Value::Associative(_) if add.has(Attributes::INDEXED) => {
            let tail = b": cannot convert associative to indexed array";
            report(
                task,
                &[task.command_name().as_slice(), name.as_bytes(), tail].concat(),
            );
            return Err(Failed);
        }
        _ => {}
    }
    let slot = task.state.variables.slot(symbol);
    let before = slot.value.size();
    slot.attributes = attributes
        .without(remove)
        .with(add)
        .with(Attributes::DECLARED);
    if add.has(Attributes::NAMEREF) {
        machine.note_reference(task, symbol);
    }
    let slot = task.state.variables.slot(symbol);
    if let Value::Text(text) = &slot.value {
        if add.has(Attributes::INDEXED) {
            slot.value = Value::Indexed(Rc::new(Indexed::from_elements([text.clone()])));
        } else if add.has(Attributes::ASSOCIATIVE) {
            let mut map = Associative::with_buckets(CONVERTED_BUCKETS);
            map.set(Text::from("0"), text.clone());
            slot.value = Value::Associative(Rc::new(map));
        }
    }
    let after = slot.value.size();
    task.state.variables.account(before, after);
    Ok(())
}

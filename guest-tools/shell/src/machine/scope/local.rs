//! Variables of functions, and what commands inherit.

use super::assign::readonly;
use super::read::get;
use crate::machine::Machine;
use crate::machine::call::CallKind;
use crate::machine::context::Failed;
use crate::machine::option::Shopt;
use crate::machine::symbol::Symbol;
use crate::machine::task::Task;
use crate::machine::value::{Attributes, Value, Variable};
use crate::text::Text;

/// Whether a variable is local to the running function.
pub fn is_local(task: &Task, symbol: Symbol) -> bool {
    for call in task.state.calls.iter() {
        let holds = call.hides(symbol);
        match call.kind {
            CallKind::Function => return holds,
            // `x=1 eval 'local x'`: it lives as long as the assignment.
            CallKind::Environment if holds && task.state.calls.in_function() => {
                let attributes = task.state.variables.attributes(symbol);
                return !attributes.has(Attributes::TEMPORARY);
            }
            CallKind::Environment | CallKind::Source => {}
        }
    }
    false
}

/// Whether a variable is local to a function, the running one or one that called it.
pub fn is_local_anywhere(task: &Task, symbol: Symbol) -> bool {
    let mut calls = task.state.calls.iter();
    calls.any(|call| call.kind == CallKind::Function && call.hides(symbol))
}

/// Whether the variable is one that was assigned before a command of the running function.
fn is_before_command(task: &Task, symbol: Symbol) -> bool {
    let within = |call: &&crate::machine::call::Call| call.kind != CallKind::Function;
    task.state.calls.in_function()
        && task
            .state
            .calls
            .iter()
            .take_while(within)
            .any(|call| call.hides(symbol))
}

/// Hands a variable that was assigned before the command itself to the running function:
/// `x=1 local x`. False where there is none.
fn take_assigned(task: &mut Task, symbol: Symbol) -> bool {
    if !task.in_own_environment() || !task.state.calls.in_function() {
        return false;
    }
    let hidden = task.state.calls.top_mut().and_then(|call| {
        let at = call.saved.iter().position(|(saved, _)| *saved == symbol)?;
        Some(call.saved.remove(at))
    });
    let (Some(hidden), Some(function)) = (hidden, task.state.calls.function_mut()) else {
        return false;
    };
    if function.hides(symbol) {
        let size = hidden.1.value.size();
        task.state.variables.account(size, 0);
    } else {
        function.saved.push(hidden);
    }
    true
}

/// Makes a variable local to the running function.
pub fn make_local(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    inherit: bool,
) -> Result<(), Failed> {
    let old = task
        .state
        .variables
        .get(symbol)
        .cloned()
        .unwrap_or_default();
    let inherit = inherit || task.state.options.shopt(Shopt::LocalvarInherit);
    if take_assigned(task, symbol) {
        if old.attributes.has(Attributes::READONLY) {
            return Err(readonly(machine, task, symbol));
        }
        task.state.variables.slot(symbol).attributes =
            Attributes::EXPORT.with(Attributes::DECLARED);
        return Ok(());
    }
    if is_before_command(task, symbol) {
        if old.attributes.has(Attributes::READONLY) {
            return Err(readonly(machine, task, symbol));
        }
        task.state.variables.slot(symbol).attributes =
            old.attributes.without(Attributes::TEMPORARY);
        return Ok(());
    }
    let local = is_local_anywhere(task, symbol);
    let Some(call) = task.state.calls.function_mut() else {
        return Ok(());
    };
    if call.hides(symbol) {
        return Ok(());
    }
    // That a local one of a caller is readonly binds the caller alone.
    if old.attributes.has(Attributes::READONLY) && !local {
        return Err(readonly(machine, task, symbol));
    }
    // What was assigned before the call belongs to the function.
    let assigned = call
        .parent
        .top_mut()
        .filter(|parent| parent.kind == CallKind::Environment);
    let hidden = assigned.and_then(|parent| {
        let at = parent
            .saved
            .iter()
            .position(|(saved, _)| *saved == symbol)?;
        Some(parent.saved.remove(at).1)
    });
    let kept = if hidden.is_none() {
        old.value.size()
    } else {
        0
    };
    call.saved
        .push((symbol, hidden.unwrap_or_else(|| old.clone())));
    task.state.variables.account(0, kept);
    let fresh = if old.attributes.has(Attributes::TEMPORARY) {
        Variable {
            value: old.value,
            attributes: Attributes::EXPORT.with(Attributes::DECLARED),
        }
    } else if inherit {
        Variable {
            value: old.value,
            attributes: old
                .attributes
                .without(Attributes::NAMEREF)
                .without(Attributes::READONLY)
                .with(Attributes::DECLARED),
        }
    } else {
        // What is exported is exported as a local one too.
        let kept = Attributes::HOOKED.with(Attributes::EXPORT);
        let kept = Attributes(old.attributes.0 & kept.0);
        Variable {
            value: Value::Unset,
            attributes: kept.with(Attributes::DECLARED),
        }
    };
    task.state.variables.replace(symbol, fresh);
    Ok(())
}

/// Exchanges the visible variable and the outermost one; false where they are the same.
pub fn swap_global(task: &mut Task, symbol: Symbol) -> bool {
    let holds = |call: &crate::machine::call::Call| call.hides(symbol);
    let Some(depth) = task
        .state
        .calls
        .iter()
        .filter(|call| holds(call))
        .last()
        .map(|call| call.depth())
    else {
        return false;
    };
    let visible = task
        .state
        .variables
        .get(symbol)
        .cloned()
        .unwrap_or_default();
    let found = task.state.calls.find_mut(|call| call.depth() == depth);
    let saved = found.and_then(|call| call.saved.iter_mut().find(|(saved, _)| *saved == symbol));
    let Some((_, global)) = saved else {
        return false;
    };
    let kept = visible.value.size();
    let global = std::mem::replace(global, visible);
    task.state.variables.account(0, kept);
    task.state.variables.reveal(symbol, global);
    true
}

/// The exported values that variables hide of which nothing is exported.
fn behind_unset(task: &Task) -> Vec<(Symbol, Text)> {
    let mut found: Vec<(Symbol, Text)> = Vec::new();
    for (symbol, hidden) in task.state.calls.iter().flat_map(|call| &call.saved) {
        let variable = task.state.variables.get(*symbol);
        let visible = variable
            .is_some_and(|known| known.value.is_set() && known.attributes.has(Attributes::EXPORT));
        if let (false, true, Value::Text(text)) = (
            visible,
            hidden.attributes.has(Attributes::EXPORT),
            &hidden.value,
        ) && !found.iter().any(|(known, _)| known == symbol)
        {
            found.push((*symbol, text.clone()));
        }
    }
    found
}

/// The variables and functions that a process inherits.
pub fn environment(machine: &mut Machine, task: &mut Task) -> Vec<(Vec<u8>, Vec<u8>)> {
    let exported = |variable: &Variable| {
        let set = variable.value.is_set() || variable.attributes.has(Attributes::DYNAMIC);
        set && variable.attributes.has(Attributes::EXPORT)
    };
    let symbols: Vec<Symbol> = task
        .state
        .variables
        .iter()
        .filter(|(_, variable)| exported(variable))
        .map(|(symbol, _)| symbol)
        .collect();
    let mut environment = Vec::with_capacity(symbols.len());
    for symbol in symbols {
        if matches!(
            task.state.variables.value(symbol),
            Value::Indexed(_) | Value::Associative(_)
        ) {
            continue;
        }
        let variable = task.state.variables.get(symbol);
        let value = match variable {
            // Its own value, the name.
            Some(variable) if variable.attributes.has(Attributes::NAMEREF) => {
                variable.value.scalar().cloned()
            }
            _ => get(machine, task, symbol),
        };
        if let Some(value) = value {
            environment.push((machine.symbols.name(symbol).into_vec(), value.into_vec()));
        }
    }
    for (symbol, value) in behind_unset(task) {
        environment.push((machine.symbols.name(symbol).into_vec(), value.into_vec()));
    }
    for function in task
        .state
        .functions
        .values()
        .filter(|function| function.exported)
    {
        let mut name = b"BASH_FUNC_".to_vec();
        name.extend_from_slice(&function.name);
        name.extend_from_slice(b"%%");
        let text = crate::syntax::print::exported(&function.body);
        environment.push((name, text));
    }
    environment.sort();
    environment
}

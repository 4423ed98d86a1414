//! What stands in brackets: numbers of indexed arrays.

use std::rc::Rc;

use crate::machine::Machine;
use crate::machine::context::Failed;
use crate::machine::message::fault;
use crate::machine::symbol::Symbol;
use crate::machine::task::Task;
use crate::machine::value::{Indexed, Value};
use crate::text::Text;

/// The value of a subscript; an error in it gives up all commands.
fn subscript_number(machine: &mut Machine, task: &mut Task, text: &[u8]) -> Result<i64, Failed> {
    // No message names the builtin.
    let builtin = task.builtin.take();
    let result = integer_number(machine, task, text);
    task.builtin = builtin;
    result
}

/// The same for the value of an integer.
pub(super) fn integer_number(
    machine: &mut Machine,
    task: &mut Task,
    text: &[u8],
) -> Result<i64, Failed> {
    let result = machine.arithmetic_text(task, text);
    machine.gives_up |= result.is_err();
    result
}

/// The index that an arithmetic subscript means; negative ones count from the end.
pub(super) fn index(
    machine: &mut Machine,
    task: &mut Task,
    subscript: &[u8],
    end: u64,
) -> Result<Option<u64>, Failed> {
    let number = match crate::arithmetic::plain_integer(subscript) {
        Some(number) => number,
        None => subscript_number(machine, task, subscript)?,
    };
    if number >= 0 {
        return Ok(Some(number as u64));
    }
    Ok(end.checked_sub(number.unsigned_abs()))
}

pub(super) fn end_of(value: &Value) -> u64 {
    match value {
        Value::Indexed(array) => array.end(),
        Value::Text(_) => 1,
        Value::Unset | Value::Associative(_) => 0,
    }
}

pub(super) fn bad_subscript(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    subscript: &[u8],
) {
    let mut text = machine.symbols.name(symbol).to_vec();
    text.push(b'[');
    text.extend_from_slice(subscript);
    text.extend_from_slice(b"]: bad array subscript");
    fault(machine, task, &text);
}

/// The index that a subscript of a compound value means: it may look at the array as it is by now.
pub(super) fn index_within(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    subscript: &Text,
    array: &mut Rc<Indexed>,
) -> Result<Option<u64>, Failed> {
    let end = array.end();
    if crate::arithmetic::plain_integer(subscript).is_some() {
        return index(machine, task, subscript, end);
    }
    let visible = Value::Indexed(std::mem::take(array));
    task.state.variables.slot(symbol).value = visible;
    let found = index(machine, task, subscript, end);
    if let Value::Indexed(now) = std::mem::take(&mut task.state.variables.slot(symbol).value) {
        *array = now;
    }
    found
}

/// Evaluates an expression, with its message where it fails.
pub fn arithmetic(
    machine: &mut Machine,
    task: &mut Task,
    expression: &[u8],
) -> Result<i64, Failed> {
    machine.arithmetic_text(task, expression)
}

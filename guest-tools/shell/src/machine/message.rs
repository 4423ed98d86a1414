//! Error messages as bash prints them.

use super::Machine;
use super::call::CallKind;
use super::run::Trouble;
use super::task::Task;

/// Prints `NAME: line N: TEXT` on standard error; without the line where a person types.
pub fn report(task: &mut Task, text: &[u8]) {
    let line = prefixed(task, text);
    task.output.push(2, &line);
}

/// Prints a message about a variable. Under `set -e` the shell ends where it stands, also where it would
/// not look at a status, with that of the command before; what noticed the error returns as from any
/// other.
#[cold]
pub fn fault(machine: &mut Machine, task: &mut Task, text: &[u8]) {
    let before = task.substituted.unwrap_or(task.state.status);
    fault_with(machine, task, text, before.max(1));
}

/// The same about an expansion, with status 1.
#[cold]
pub fn expansion_fault(machine: &mut Machine, task: &mut Task, text: &[u8]) {
    fault_with(machine, task, text, 1);
}

fn fault_with(machine: &mut Machine, task: &mut Task, text: &[u8], status: u8) {
    report(task, text);
    if task.exits_on_error() {
        machine.end_after(Trouble::Exit(status));
    }
}

/// The message with what stands before it, and its newline.
pub fn prefixed(task: &Task, text: &[u8]) -> Vec<u8> {
    let mut line = name(task);
    if !task.state.interactive {
        line.extend_from_slice(b": line ");
        line.extend_from_slice(task.line.max(1).to_string().as_bytes());
    }
    line.extend_from_slice(b": ");
    line.extend_from_slice(text);
    line.push(b'\n');
    line
}

/// What messages begin with: the source of the running function, or the shell's name.
pub fn name(task: &Task) -> Vec<u8> {
    let call = task.state.calls.visible().next();
    match call {
        Some(call) if call.kind != CallKind::Environment && !call.source.is_empty() => {
            call.source.to_vec()
        }
        _ => task.state.name.to_vec(),
    }
}

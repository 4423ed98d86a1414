//! Error messages as bash prints them.

use super::call::CallKind;
use super::task::Task;

/// Prints `NAME: line N: TEXT` on standard error; without the line where a person types.
pub fn report(task: &mut Task, text: &[u8]) {
    let line = prefixed(task, text);
    task.output.push(2, &line);
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

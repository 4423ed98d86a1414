//! What commands that still run have open, once the script itself has ended.

use std::rc::Rc;

use super::Machine;
use super::code::Op;
use super::descriptor::Descriptor;
use super::execution::ExecutionId;
use super::frame::{BlockKind, Frame};
use super::process::is_at_end_from;
use super::task::Task;
use crate::os::Handle;

impl Machine {
    /// Whether tasks of an execution have one of these handles open, or get it back when a redirect
    /// ends. Who reads what a script writes waits as long.
    pub fn holds(&self, id: ExecutionId, handles: &[Handle]) -> bool {
        let mut tasks = self.tasks.iter().flatten();
        tasks.any(|task| task.execution == id.0 && holds(task, handles))
    }
}

fn holds(task: &Task, handles: &[Handle]) -> bool {
    let is_one = |open: &Rc<Descriptor>| {
        let handle = open.existing_handle();
        handle.is_some_and(|handle| handles.contains(&handle))
    };
    let open = task.state.descriptors.iter().any(|(_, open)| is_one(open));
    let given_back = task.blocks.iter().enumerate().any(|(at, block)| {
        let BlockKind::Redirects(saved) = &block.kind else {
            return false;
        };
        // Bash keeps nothing for the redirects of a command that is all of a job.
        let whole = at == 0 && task.frames.first().is_some_and(is_one_redirected);
        !whole && saved.iter().flat_map(|(_, before)| before).any(is_one)
    });
    open || given_back
}

/// Whether nothing comes behind the first command with redirects of a frame.
fn is_one_redirected(frame: &Frame) -> bool {
    let ops = &frame.code.ops;
    let refused = ops.iter().find_map(|op| match op {
        Op::Redirect(_, to) => Some(*to as usize),
        _ => None,
    });
    let before = refused.and_then(|to| ops.get(to.checked_sub(1)?));
    matches!(before, Some(Op::Jump(end)) if is_at_end_from(frame, *end as usize))
}

//! Redirects of commands, as instructions.

use super::{Run, Trouble};
use crate::machine::Machine;
use crate::machine::control;
use crate::machine::frame::BlockKind;
use crate::machine::option::SetOption;
use crate::machine::task::Task;

impl Machine {
    /// Redirects begin: what was said before does not go where they lead.
    pub(super) fn begin_redirects(&mut self, task: &mut Task) {
        if !task.output.is_empty() {
            let _ = self.deliver(task);
        }
        task.push_block(BlockKind::Redirects(Vec::new()));
    }

    /// Goes on with an external command in a task of its own, where the expansion of its redirects has an effect.
    pub(super) fn redirect_apart(
        &mut self,
        task: &mut Task,
        index: u32,
        to: u32,
        sure: bool,
    ) -> Run {
        if (sure || task.state.options.on(SetOption::Nounset)) && self.is_external(task) {
            Self::jump(task, to);
            return self.external(task, index);
        }
        Ok(())
    }

    /// Makes a redirect; where it fails, goes on at an index.
    pub(super) fn redirect_or_jump(&mut self, task: &mut Task, index: u32, to: u32) -> Run {
        // What the redirects before it said does not go where it leads.
        if !task.output.is_empty() {
            let _ = self.deliver(task);
        }
        let code = Self::code(task);
        if self.redirect(task, &code.redirects[index as usize])? {
            return Ok(());
        }
        if task.begins_again() || self.gives_up {
            return Err(Trouble::Discard(1));
        }
        // The redirects before it hold for its message.
        let _ = self.deliver(task);
        task.state.status = 1;
        if is_before_special(task) {
            return Err(control::thrown(task, 1));
        }
        // A command that has a name counts as run.
        let start = task.stacks.marks.last();
        let named = start.is_some_and(|start| *start < task.stacks.words.len());
        task.reads &= !named;
        Self::jump(task, to);
        Ok(())
    }
}

/// The redirects under way are those of a compound command; whether its input is among them.
pub(super) fn note_input(task: &mut Task, given: bool) {
    if let Some(block) = task.blocks.last_mut() {
        block.input = Some(given);
    }
}

/// What the redirects under way changed stays changed.
pub(super) fn keep_input(task: &mut Task) {
    let given = task.blocks.pop().and_then(|block| block.input);
    task.state.has_input = given.unwrap_or(task.state.has_input);
}

/// Whether the redirects under way are those of one of POSIX's special builtins, where that mode is
/// on: one that fails ends the shell.
pub(in crate::machine) fn is_before_special(task: &Task) -> bool {
    let name = task
        .stacks
        .marks
        .last()
        .and_then(|start| task.stacks.words.get(*start));
    task.state.options.on(SetOption::Posix)
        && !task.state.interactive
        && name
            .and_then(|name| crate::builtin::find(name))
            .is_some_and(|entry| entry.special)
}

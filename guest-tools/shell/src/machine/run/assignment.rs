//! Assignments before commands, and what declaration builtins are given.

use std::rc::Rc;

use super::{Run, Trouble, set_status};
use crate::machine::call::CallKind;
use crate::machine::context::{ArrayArgument, Failed};
use crate::machine::control::refused_before;
use crate::machine::frame::BlockKind;
use crate::machine::option::SetOption;
use crate::machine::symbol::{Symbol, known};
use crate::machine::task::Task;
use crate::machine::value::{Attributes, Value, Variable};
use crate::machine::{Limit, Machine, scope};
use crate::text::Text;

impl Machine {
    /// Begins the assignments before a command.
    pub(super) fn environment_begin(&mut self, task: &mut Task) {
        let words = has_words(task);
        if words {
            task.state
                .calls
                .push(CallKind::Environment, Text::new(), Text::new(), task.line);
        }
        task.push_block(BlockKind::Environment { call: words });
    }

    /// Whether a command is about to run to which an assignment to this variable cannot be given.
    pub(super) fn is_readonly(&mut self, task: &mut Task, symbol: Symbol) -> bool {
        let place = scope::resolve_quietly(self, task, symbol);
        let symbol = place.map_or(symbol, |place| place.symbol);
        let attributes = task.state.variables.attributes(symbol);
        has_words(task) && attributes.has(Attributes::READONLY)
    }

    /// An assignment before a command to a readonly variable: its value is not expanded.
    pub(super) fn refuse_readonly(&mut self, task: &mut Task, symbol: Symbol, to: u32) -> Run {
        if !self.is_readonly(task, symbol) {
            return Ok(());
        }
        let Failed = scope::readonly(self, task, symbol);
        if self.gives_up {
            return Err(Trouble::Discard(1));
        }
        refused_before(task)?;
        task.stacks.operands.push(Text::new());
        Self::jump(task, to);
        Ok(())
    }

    /// `name=value` before a command, which `set -x` shows with all of its value.
    pub(super) fn trace_temporary(&mut self, task: &mut Task, symbol: Symbol, append: bool) -> Run {
        let traced = task.state.options.on(SetOption::Xtrace) && !self.is_readonly(task, symbol);
        let whole = append && is_temporary(task);
        if traced && !whole {
            let value = task.stacks.operands.last().cloned().unwrap_or_default();
            self.trace_assignment(task, symbol, None, &value, append)?;
        }
        self.assign_temporary(task, symbol, append)?;
        if traced && whole {
            let value = scope::get(self, task, symbol).unwrap_or_default();
            self.trace_assignment(task, symbol, None, &value, false)?;
        }
        Ok(())
    }

    /// Shows an assignment to come, whose value is the operand at `depth`, where `set -x` is on.
    pub(super) fn trace_value(
        &mut self,
        task: &mut Task,
        symbol: Symbol,
        depth: u32,
        append: bool,
    ) -> Run {
        if !task.state.options.on(SetOption::Xtrace) || self.is_readonly(task, symbol) {
            return Ok(());
        }
        let value = task.stacks.operands.iter().rev().nth(depth as usize);
        let value = value.cloned().unwrap_or_default();
        self.trace_assignment(task, symbol, None, &value, append)
    }

    /// `name=value` before a command: visible to it alone.
    pub(super) fn assign_temporary(
        &mut self,
        task: &mut Task,
        symbol: Symbol,
        append: bool,
    ) -> Run {
        let value = task.stacks.operand();
        if !is_temporary(task) {
            return scope::set(self, task, symbol, value, append)
                .map_err(|Failed| Trouble::Discard(1));
        }
        let symbol = scope::resolve(self, task, symbol).map_or(symbol, |place| place.symbol);
        let old = task
            .state
            .variables
            .get(symbol)
            .cloned()
            .unwrap_or_default();
        if old.attributes.has(Attributes::READONLY) {
            return Ok(());
        }
        let mut text = value;
        if append && let Some(before) = scope::get(self, task, symbol) {
            // What is appended is a number or has case where the variable has.
            let kind = old.attributes;
            let appended = scope::converted(self, task, kind, text, true, Some(before.clone()));
            let (value, apart) = appended.map_err(|Failed| Trouble::Discard(1))?;
            text = match apart {
                true => Text::from([before.as_bytes(), value.as_bytes()].concat()),
                false => value,
            };
        }
        if symbol == known::PATH {
            task.state.hashed = Rc::default();
        }
        let attributes = Attributes::EXPORT
            .with(Attributes::DECLARED)
            .with(Attributes::TEMPORARY)
            .with(Attributes(old.attributes.0 & Attributes::HOOKED.0));
        let fresh = Variable {
            value: Value::Text(text),
            attributes,
        };
        if let Some(call) = task.state.calls.top_mut()
            && !call.saved.iter().any(|(saved, _)| *saved == symbol)
        {
            let kept = old.value.size();
            call.saved.push((symbol, old));
            task.state.variables.account(0, kept);
        }
        task.state.variables.replace(symbol, fresh);
        Ok(())
    }

    /// A command without words ends.
    pub(super) fn assigned(&mut self, task: &mut Task) {
        let status = task.substituted.take().unwrap_or(0);
        task.state.last_argument = Text::new();
        set_status(task, status);
    }

    /// Fails where the variables take more than they may.
    pub(in crate::machine) fn check_variables(&self, task: &Task) -> Run {
        let limit = self.budgets(task.execution).variables;
        if limit != 0 && task.state.variables.bytes() as u64 > limit {
            return Err(Trouble::Exceeded(Limit::Variables));
        }
        Ok(())
    }

    /// A compound argument of a declaration builtin.
    pub(super) fn array_argument(&mut self, task: &mut Task, symbol: Symbol, append: bool) {
        let elements = task.stacks.arrays.pop().unwrap_or_default();
        let at = task.stacks.words.len();
        // The name of the command is no argument.
        let index = at - task.stacks.marks.last().copied().unwrap_or(0);
        task.array_arguments.push((
            at,
            ArrayArgument {
                index: index - 1,
                append,
                elements: Some(elements),
            },
        ));
        task.stacks.words.push(self.symbols.name(symbol));
    }

    /// Notes that the last word was written as `name[…]`.
    pub(super) fn note_argument(task: &mut Task) {
        let start = task.stacks.marks.last().copied().unwrap_or(0);
        if let Some(index) = task.stacks.words.len().checked_sub(start + 2) {
            let argument = ArrayArgument {
                index,
                append: false,
                elements: None,
            };
            task.array_arguments
                .push((task.stacks.words.len() - 1, argument));
        }
    }
}

/// Whether there are words since the mark: a command to run.
pub(super) fn has_words(task: &Task) -> bool {
    task.stacks.words.len() > task.stacks.marks.last().copied().unwrap_or(0)
}

/// Whether what is assigned now holds for one command only.
fn is_temporary(task: &Task) -> bool {
    let innermost = task.blocks.last().map(|block| &block.kind);
    matches!(innermost, Some(BlockKind::Environment { call: true }))
}

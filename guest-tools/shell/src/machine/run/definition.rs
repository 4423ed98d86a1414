//! Function definitions, and the names of what runs: for `$BASH_COMMAND`, `$BASH_SOURCE` and the DEBUG trap.

use std::rc::Rc;

use super::Run;
use crate::machine::control;
use crate::machine::function::Function;
use crate::machine::message::report;
use crate::machine::option::SetOption;
use crate::machine::task::Task;
use crate::machine::trap::{Action, Event};
use crate::machine::{Machine, scope};
use crate::text::Text;

impl Machine {
    pub(super) fn define(&mut self, task: &mut Task, index: u32) -> Run {
        let code = task
            .frames
            .last()
            .map(|frame| frame.code.clone())
            .unwrap_or_default();
        let definition = &code.functions[index as usize];
        let name = &definition.name;
        if name.iter().any(|byte| matches!(byte, b'$' | b'`')) {
            report(
                task,
                &[b"`", name.as_slice(), b"': not a valid identifier"].concat(),
            );
            task.state.status = 1;
            return Ok(());
        }
        let symbol = self.symbols.intern(name);
        let old = task.state.functions.get(&symbol);
        if old.is_some_and(|function| function.readonly) {
            report(task, &[name.as_slice(), b": readonly function"].concat());
            task.state.status = 1;
            return Ok(());
        }
        if task.state.options.on(SetOption::Posix) {
            let special = crate::builtin::find(name).is_some_and(|entry| entry.special);
            let refusal: &[u8] = match scope::is_name(name) {
                false => b"': not a valid identifier",
                true if special => b"': is a special builtin",
                true => b"",
            };
            if !refusal.is_empty() {
                report(task, &[b"`", name.as_slice(), refusal].concat());
                return Err(control::thrown(task, 2));
            }
        }
        let source = self.present_source(task);
        let exported = task.state.options.on(SetOption::Allexport);
        let function = Function {
            name: Text::from(name),
            body: definition.body.clone(),
            source,
            line: definition.line,
            base: definition.base,
            exported,
            readonly: false,
            traced: false,
            code: std::cell::RefCell::default(),
        };
        Rc::make_mut(&mut task.state.functions).insert(symbol, Rc::new(function));
        task.state.status = 0;
        Ok(())
    }

    /// The file whose commands run.
    pub(in crate::machine) fn present_source(&self, task: &Task) -> Text {
        if let Some(call) = task.state.calls.visible().next() {
            return call.source.clone();
        }
        match (&task.state.script, task.state.mode) {
            (Some(script), _) => script.clone(),
            (None, Some(b's')) => Text::from("main"),
            (None, _) => Text::from("environment"),
        }
    }

    /// Notes the command to come.
    pub(super) fn name(&mut self, task: &mut Task, index: u32) {
        let frame = task.frames.last();
        let text = frame
            .and_then(|frame| frame.code.sources.get(index as usize))
            .cloned();
        if task.trap_status().is_none() && task.control.around.traps.is_empty() {
            task.command = text.unwrap_or_default();
        }
    }

    /// The same, and runs the DEBUG trap.
    pub(super) fn source(&mut self, task: &mut Task, index: u32) -> Run {
        self.name(task, index);
        self.debug_trap(task)
    }

    /// Names a subshell where an ERR trap is set.
    pub(super) fn name_trapped(&mut self, task: &mut Task, index: u32) {
        if task.traps_errors() {
            self.name(task, index);
        }
    }

    /// Runs the DEBUG trap, where there is one and it is not running.
    pub(super) fn debug_trap(&mut self, task: &mut Task) -> Run {
        if let Some(Action::Run(text)) = task.state.traps.get(Event::Debug) {
            let text = text.clone();
            if !task.in_trap(Event::Debug) {
                return self.begin_trap(task, Event::Debug, &text);
            }
        }
        Ok(())
    }
}

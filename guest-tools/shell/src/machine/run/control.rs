//! Loops, `case`, assignments before commands, `set -e` and what surrounds a command.

use std::rc::Rc;

use super::{Run, Trouble, leave};
use crate::machine::Machine;
use crate::machine::call::CallKind;
use crate::machine::code::Op;
use crate::machine::context::{ArrayArgument, Failed};
use crate::machine::frame::{BlockKind, Loop};
use crate::machine::function::Function;
use crate::machine::message::report;
use crate::machine::option::SetOption;
use crate::machine::symbol::{Symbol, known};
use crate::machine::task::{Left, Task};
use crate::machine::trap::{Action, Event};
use crate::machine::value::{Attributes, Value, Variable};
use crate::machine::{Limit, scope};
use crate::text::Text;

impl Machine {
    pub(super) fn loop_instruction(&mut self, task: &mut Task, op: Op) -> Run {
        let next = task.frames.last().map_or(0, |frame| frame.next);
        match op {
            Op::Loop(exit) => begin_loop(task, next, exit, known::UNDERSCORE, Vec::new()),
            Op::LoopStep(exit) => begin_loop(task, next + 1, exit, known::UNDERSCORE, Vec::new()),
            Op::For(symbol, exit) => {
                let mut words = task.take_words();
                words.reverse();
                begin_for(task, next, exit, symbol, words);
            }
            Op::ForPositional(symbol, exit) => {
                let mut words = task.state.positional.as_slice().to_vec();
                words.reverse();
                begin_for(task, next, exit, symbol, words);
            }
            Op::ForTest => self.for_test(task),
            Op::ForDrop => {
                if let Some(inner) = innermost(task) {
                    inner.words.pop();
                }
            }
            Op::ForNext => return self.for_next(task),
            Op::SelectMenu => self.select_menu(task),
            Op::SelectNext => return self.select_next(task),
            Op::LoopName(index, ends) => return loop_name(task, index, ends),
            Op::KeepStatus => {
                let status = task.state.status;
                if let Some(inner) = innermost(task) {
                    inner.status = status;
                }
            }
            Op::RestoreStatus => {
                if let Some(inner) = innermost(task) {
                    task.state.status = inner.status;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn for_test(&mut self, task: &mut Task) {
        let Some(inner) = innermost(task) else {
            return;
        };
        if inner.words.is_empty() {
            let exit = inner.exit;
            self.leave_block(task);
            if let Some(frame) = task.frames.last_mut() {
                frame.next = exit;
            }
        }
    }

    fn for_next(&mut self, task: &mut Task) -> Run {
        let Some(inner) = innermost(task) else {
            return Ok(());
        };
        let symbol = inner.symbol;
        let word = inner.words.last().cloned().unwrap_or_default();
        let assigned = self.assign_loop(task, symbol, word);
        if task.begins_again() {
            return Err(Trouble::Discard(1));
        }
        if let Some(inner) = innermost(task) {
            inner.words.pop();
        }
        if assigned {
            return Ok(());
        }
        if task.state.options.on(SetOption::Posix) {
            return Err(crate::machine::expand::fatal(task));
        }
        if self.gives_up {
            return Err(Trouble::Discard(1));
        }
        self.leave_loops(task, 1, false, 1)
    }

    /// Gives the loop variable its next word.
    fn assign_loop(&mut self, task: &mut Task, symbol: Symbol, word: Text) -> bool {
        let attributes = task.state.variables.attributes(symbol);
        if attributes.has(Attributes::NAMEREF) {
            // A nameref as loop variable is pointed at each word.
            if scope::is_name(crate::machine::reference::split(&word).0) {
                task.state.variables.store(symbol, word);
                self.note_reference(task, symbol);
                return true;
            }
            let tail = b"': not a valid identifier".as_slice();
            report(task, &[b"`", word.as_bytes(), tail].concat());
            return false;
        }
        scope::set(self, task, symbol, word, false).is_ok()
    }

    /// Tests the subject of `case`.
    pub(super) fn case(&mut self, task: &mut Task, op: Op) {
        let (pattern, to) = match op {
            Op::CaseConstant(index, to) => {
                let code = task
                    .frames
                    .last()
                    .map(|frame| frame.code.clone())
                    .unwrap_or_default();
                (
                    self.constant_pattern(task, &code.patterns[index as usize], false),
                    to,
                )
            }
            Op::Case(to) => {
                let text = task.operand();
                (self.compiled_pattern(task, &text), to)
            }
            _ => return,
        };
        let matched = task
            .operands
            .last()
            .is_some_and(|subject| pattern.matches(subject));
        if matched && let Some(frame) = task.frames.last_mut() {
            frame.next = to as usize;
        }
    }

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
        task.operands.push(Text::new());
        Self::jump(task, to);
        Ok(())
    }

    /// `name=value` before a command, which `set -x` shows with all of its value.
    pub(super) fn trace_temporary(&mut self, task: &mut Task, symbol: Symbol, append: bool) -> Run {
        let traced = task.state.options.on(SetOption::Xtrace) && !self.is_readonly(task, symbol);
        let whole = append && is_temporary(task);
        if traced && !whole {
            let value = task.operands.last().cloned().unwrap_or_default();
            self.trace_assignment(task, symbol, None, &value, append)?;
        }
        self.assign_temporary(task, symbol, append)?;
        if traced && whole {
            let value = scope::get(self, task, symbol).unwrap_or_default();
            self.trace_assignment(task, symbol, None, &value, false)?;
        }
        Ok(())
    }

    /// `name=value` before a command: visible to it alone.
    pub(super) fn assign_temporary(
        &mut self,
        task: &mut Task,
        symbol: Symbol,
        append: bool,
    ) -> Run {
        let value = task.operand();
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
        let elements = task.arrays.pop().unwrap_or_default();
        let at = task.words.len();
        // The name of the command is no argument.
        let index = at - task.marks.last().copied().unwrap_or(0);
        task.array_arguments.push((
            at,
            ArrayArgument {
                index: index - 1,
                append,
                elements: Some(elements),
            },
        ));
        task.words.push(self.symbols.name(symbol));
    }

    /// Notes that the last word was written as `name[…]`.
    pub(super) fn note_argument(task: &mut Task) {
        let start = task.marks.last().copied().unwrap_or(0);
        if let Some(index) = task.words.len().checked_sub(start + 2) {
            let argument = ArrayArgument {
                index,
                append: false,
                elements: None,
            };
            task.array_arguments.push((task.words.len() - 1, argument));
        }
    }

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
                return Err(leave::thrown(task, 2));
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
        if task.trap_status().is_none() && task.outer_traps.is_empty() {
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

    /// A command has ended: the ERR trap, `set -e`.
    pub(super) fn check(&mut self, task: &mut Task) -> Run {
        let passes = match task.frames.last_mut() {
            Some(frame) => std::mem::take(&mut frame.passes),
            None => false,
        };
        if task.state.status == 0 || task.suppressed() {
            return Ok(());
        }
        if let Some(Action::Run(text)) = task.state.traps.get(Event::Error)
            && !task.in_trap(Event::Error)
            && !passes
        {
            // `set -e` acts when the trap has ended.
            let text = text.clone();
            return self.begin_trap(task, Event::Error, &text);
        }
        self.exit_on_error(task)
    }

    /// `set -e`
    pub(super) fn exit_on_error(&mut self, task: &mut Task) -> Run {
        if task.exits_on_error() {
            super::unwind::keep_around_call(task);
            let thrown = leave::thrown(task, task.state.status);
            if !leave::has_text_in_call(task) {
                task.left = Left::Variables;
            }
            return Err(thrown);
        }
        Ok(())
    }
}

/// What an assignment before a command that cannot be made does: in POSIX mode the command does not run,
/// and a shell that is not interactive ends where that command is a special builtin.
pub(super) fn refused_before(task: &mut Task) -> Run {
    if !task.state.options.on(SetOption::Posix) {
        return Ok(());
    }
    let ends = !task.state.interactive && super::instruction::is_before_special(task);
    Err(match ends {
        true => crate::machine::expand::fatal(task),
        false => Trouble::Discard(1),
    })
}

/// Whether there are words since the mark: a command to run.
pub(super) fn has_words(task: &Task) -> bool {
    task.words.len() > task.marks.last().copied().unwrap_or(0)
}

/// Whether what is assigned now holds for one command only.
fn is_temporary(task: &Task) -> bool {
    let innermost = task.blocks.last().map(|block| &block.kind);
    matches!(innermost, Some(BlockKind::Environment { call: true }))
}

/// Sets `$?` and `$PIPESTATUS` after a simple command.
#[inline]
pub(in crate::machine) fn set_status(task: &mut Task, status: u8) {
    task.state.status = status;
    task.substituted = None;
    if task.state.pipe_status.as_bytes() != [status] {
        task.state.pipe_status = Text::from(&[status]);
    }
}

fn begin_loop(task: &mut Task, start: usize, exit: u32, symbol: Symbol, words: Vec<Text>) {
    let exit = exit as usize;
    task.push_block(BlockKind::Loop(Loop {
        start,
        exit,
        status: 0,
        words,
        symbol,
    }));
}

fn begin_for(task: &mut Task, start: usize, exit: u32, symbol: Symbol, words: Vec<Text>) {
    if words.is_empty() {
        task.state.status = 0;
    }
    begin_loop(task, start, exit, symbol, words);
}

/// The innermost block, where it is a loop.
pub(in crate::machine) fn innermost(task: &mut Task) -> Option<&mut Loop> {
    match task.blocks.last_mut().map(|block| &mut block.kind) {
        Some(BlockKind::Loop(inner)) => Some(inner),
        _ => None,
    }
}

/// The same, to look at.
pub(super) fn innermost_of(task: &Task) -> Option<&Loop> {
    match task.blocks.last().map(|block| &block.kind) {
        Some(BlockKind::Loop(inner)) => Some(inner),
        _ => None,
    }
}

fn loop_name(task: &mut Task, index: u32, ends: bool) -> Run {
    let frame = task.frames.last();
    let name = frame
        .and_then(|frame| frame.code.texts.get(index as usize))
        .cloned();
    let name = name.unwrap_or_default();
    report(
        task,
        &[b"`", name.as_bytes(), b"': not a valid identifier"].concat(),
    );
    if ends && task.state.options.on(SetOption::Posix) && !task.state.interactive {
        return Err(leave::thrown(task, 2));
    }
    set_status(task, 1);
    Ok(())
}

//! Assignments and the elements of arrays, as instructions.

use super::{Run, Trouble};
use crate::machine::Machine;
use crate::machine::code::Op;
use crate::machine::context::{Element, Failed, Key};
use crate::machine::message::fault;
use crate::machine::option::SetOption;
use crate::machine::scope;
use crate::machine::symbol::Symbol;
use crate::machine::task::Task;
use crate::machine::value::Attributes;
use crate::text::Text;

impl Machine {
    /// Instructions of elements and compound values.
    pub(super) fn element_instruction(&mut self, task: &mut Task, op: Op) -> Run {
        match op {
            Op::AssignElement(symbol, append, text) => {
                return self.assign_element(task, symbol, append, text);
            }
            Op::JumpIfBare(to) if !super::assignment::has_words(task) => {
                task.stacks.marks.pop();
                Self::jump(task, to);
            }
            Op::JumpIfAssociative(symbol, to) if self.has_keys(task, symbol) => {
                Self::jump(task, to);
            }
            Op::ArrayDeclare(symbol) => {
                scope::begin_array(self, task, symbol)
                    .map_err(|Failed| assignment_failed(self.gives_up, task))?;
            }
            Op::ArrayBegin => task.stacks.arrays.push(Vec::new()),
            Op::JumpIfDeclaresKeys(symbol, to) if self.declares_keys(task, symbol) => {
                Self::jump(task, to);
            }
            Op::ArrayFields => add_fields(task),
            Op::ArrayElement(append) => {
                let value = task.stacks.operand();
                let key = Key::At(task.stacks.operand());
                task.stacks.add_element(key, append, value);
            }
            Op::ArrayKey(append, text) => {
                let value = task.stacks.operand();
                let key = task.stacks.operand();
                match key.is_empty() {
                    true => task
                        .stacks
                        .add_element(Key::Refused, false, Self::text_of(task, text)),
                    false => task.stacks.add_element(Key::At(key), append, value),
                }
            }
            Op::ArrayRefused(text) => {
                task.stacks
                    .add_element(Key::Refused, false, Self::text_of(task, text));
            }
            Op::ArrayAssign(symbol, append) => {
                let elements = task.stacks.arrays.pop().unwrap_or_default();
                scope::assign_elements(self, task, symbol, elements, append)
                    .map_err(|Failed| assignment_failed(self.gives_up, task))?;
                return self.check_variables(task);
            }
            Op::ElementArgument => Self::note_argument(task),
            Op::ArrayArgument(symbol, append) => self.array_argument(task, symbol, append),
            _ => {}
        }
        Ok(())
    }

    /// Assigns to an element: subscript and value are operands.
    fn assign_element(&mut self, task: &mut Task, symbol: Symbol, append: bool, text: u32) -> Run {
        let subscript = task.stacks.operand();
        let value = task.stacks.operand();
        let written = Self::text_of(task, text);
        if task.state.options.on(SetOption::Xtrace) {
            self.trace_assignment(task, symbol, Some(&written), &value, append)?;
        }
        if subscript.is_empty() && self.has_keys(task, symbol) {
            let name = self.symbols.name(symbol);
            let tail = b"]: bad array subscript".as_slice();
            let message = [name.as_bytes(), b"[", &written, tail].concat();
            fault(self, task, &message);
            return Err(assignment_failed(self.gives_up, task));
        }
        scope::set_element(self, task, symbol, (&subscript, &written), value, append)
            .map_err(|Failed| assignment_failed(self.gives_up, task))?;
        self.check_variables(task)
    }

    /// Whether a name leads to an associative array.
    pub(in crate::machine) fn has_keys(&mut self, task: &mut Task, symbol: Symbol) -> bool {
        let attributes = task.state.variables.attributes(symbol);
        if !attributes.has(Attributes::NAMEREF) {
            return attributes.has(Attributes::ASSOCIATIVE);
        }
        let place = scope::resolve_quietly(self, task, symbol);
        let symbol = place.map_or(symbol, |place| place.symbol);
        let attributes = task.state.variables.attributes(symbol);
        attributes.has(Attributes::ASSOCIATIVE)
    }

    /// Whether the words since the mark declare an associative array of this name.
    fn declares_keys(&mut self, task: &mut Task, symbol: Symbol) -> bool {
        let start = task.stacks.marks.last().copied().unwrap_or(0);
        let words = task.stacks.words.get(start..).unwrap_or_default();
        let options = words.iter().filter(|word| word.starts_with(b"-"));
        let given = |letter: u8| options.clone().any(|word| word.contains(&letter));
        let (keyed, global) = (given(b'A'), given(b'g'));
        let marks = |word: &Text| matches!(word.as_bytes(), b"export" | b"readonly");
        let local = task.state.calls.in_function() && !global && !words.first().is_some_and(marks);
        keyed || (!local || scope::is_local(task, symbol)) && self.has_keys(task, symbol)
    }

    pub(super) fn assign(&mut self, task: &mut Task, symbol: Symbol, append: bool) -> Run {
        let value = task.stacks.operand();
        if task.state.options.on(SetOption::Xtrace) {
            self.trace_assignment(task, symbol, None, &value, append)?;
        }
        if append {
            let present = task.state.variables.value(symbol).scalar();
            let size = present.map_or(0, |text| text.len()) + value.len();
            self.check_expansion(task, size)?;
        }
        scope::set(self, task, symbol, value, append)
            .map_err(|Failed| assignment_failed(self.gives_up, task))?;
        self.check_variables(task)
    }
}

/// Adds the fields since the mark as elements.
fn add_fields(task: &mut Task) {
    let words = task.stacks.take_words();
    if let Some(elements) = task.stacks.arrays.last_mut() {
        elements.extend(words.into_iter().map(|value| Element {
            key: Key::Next,
            append: false,
            value,
        }));
    }
}

/// What an assignment that fails does: in posix mode it ends a shell that is not interactive, unless
/// its subscript is wrong, which gives up all commands anyway.
pub(super) fn assignment_failed(gives_up: bool, task: &mut Task) -> Trouble {
    match task.state.options.on(SetOption::Posix) && !gives_up && !task.is_spared() {
        true => crate::machine::expand::fatal(task),
        false => Trouble::Discard(1),
    }
}

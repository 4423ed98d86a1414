//! Which native code has to be able to begin again: where commands may run in its expansions.

use super::replay::substitutes;
use crate::arithmetic::plain_integer;
use crate::machine::Machine;
use crate::machine::code::{Action, Op, Parameter, RedirectTarget, Target};
use crate::machine::context::Key;
use crate::machine::option::SetOption;
use crate::machine::reference;
use crate::machine::symbol::{Symbol, known};
use crate::machine::task::Task;
use crate::machine::value::{Attributes, Value};
use crate::text::Text;

/// How many variables are looked at to tell whether an expression waits; beyond, it may.
const LOOKS: u32 = 64;

impl Machine {
    /// Whether commands may run where a text is evaluated as an expression: in its subscripts, or in
    /// those of values that its names have.
    pub(in crate::machine) fn expression_waits(&self, task: &Task, text: &[u8]) -> bool {
        self.evaluation_waits(task, text, &mut LOOKS.clone())
    }

    fn evaluation_waits(&self, task: &Task, text: &[u8], looks: &mut u32) -> bool {
        if plain_integer(text).is_some() {
            return false;
        }
        substitutes(text) || names(text).any(|name| self.name_waits(task, name, looks))
    }

    fn name_waits(&self, task: &Task, name: &[u8], looks: &mut u32) -> bool {
        let found = self.symbols.find(name);
        let Some(variable) = found.and_then(|symbol| task.state.variables.get(symbol)) else {
            return false;
        };
        *looks = looks.saturating_sub(1);
        if *looks == 0 {
            return true;
        }
        match &variable.value {
            Value::Unset => false,
            Value::Text(text) => self.evaluation_waits(task, text, looks),
            Value::Indexed(array) => array.has_names(),
            Value::Associative(map) => map.has_names(),
        }
    }

    /// Whether commands may run where `name[subscript]` is looked up.
    pub(in crate::machine) fn reference_waits(&self, task: &Task, text: &[u8]) -> bool {
        let Some(open) = text.iter().position(|&byte| byte == b'[') else {
            return false;
        };
        self.expression_waits(task, &text[open..])
    }

    /// Remembers a nameref to an element whose subscript has to be evaluated.
    pub(in crate::machine) fn note_reference(&mut self, task: &Task, symbol: Symbol) {
        let element = |text: &Text| {
            let subscript = reference::split(text).1;
            subscript.is_some_and(|text| plain_integer(text).is_none())
        };
        let target = task.state.variables.value(symbol).scalar();
        if target.is_some_and(element) && !self.references.contains(&symbol) {
            self.references.push(symbol);
        }
    }

    /// The same for all namerefs of a task that comes from elsewhere.
    pub(in crate::machine) fn note_references(&mut self, task: &Task) {
        let references = task.state.variables.iter();
        let references = references.filter(|(_, found)| found.attributes.has(Attributes::NAMEREF));
        let symbols: Vec<Symbol> = references.map(|(symbol, _)| symbol).collect();
        for symbol in symbols {
            self.note_reference(task, symbol);
        }
    }

    /// Whether commands may run where a nameref is followed.
    pub(in crate::machine) fn nameref_waits(&self, task: &Task) -> bool {
        self.references.iter().any(|symbol| {
            let variable = task.state.variables.get(*symbol);
            let reference = variable.filter(|found| found.attributes.has(Attributes::NAMEREF));
            let target = reference.and_then(|found| found.value.scalar());
            target.is_some_and(|text| self.reference_waits(task, text))
        })
    }

    /// Whether `set -x` runs commands to show one.
    pub(in crate::machine) fn trace_waits(&self, task: &Task) -> bool {
        let prompt = || task.state.variables.value(known::PS4).scalar();
        task.state.options.on(SetOption::Xtrace) && prompt().is_some_and(|text| substitutes(text))
    }

    /// Whether an instruction has to be able to begin again whatever it works on.
    #[inline]
    pub(super) fn is_careful(&self, task: &Task) -> bool {
        let seldom = !self.references.is_empty() || task.state.options.on(SetOption::Xtrace);
        seldom && task.replaying.is_none() && (self.trace_waits(task) || self.nameref_waits(task))
    }

    /// Whether an assignment evaluates commands: to an integer.
    pub(super) fn assignment_waits(&self, task: &Task, symbol: Symbol, value: &[u8]) -> bool {
        let attributes = task.state.variables.attributes(symbol);
        attributes.has(Attributes::INTEGER) && self.expression_waits(task, value)
    }

    /// Whether an instruction that assigns has to be able to begin again.
    pub(super) fn instruction_waits(&self, task: &Task, op: Op) -> bool {
        if task.replaying.is_some() {
            return false;
        }
        let operand = |depth: usize| task.stacks.operands.iter().rev().nth(depth);
        let waits = |symbol, value: Option<&Text>| {
            value.is_some_and(|value| self.assignment_waits(task, symbol, value))
        };
        match op {
            Op::Assign(symbol, _) | Op::Temporary(symbol, _) | Op::TemporaryShown(symbol, _) => {
                waits(symbol, operand(0))
            }
            Op::AssignElement(symbol, ..) => {
                operand(0).is_some_and(|subscript| self.key_waits(task, symbol, subscript))
                    || waits(symbol, operand(1))
            }
            Op::ArrayAssign(symbol, _) => {
                let elements = task.stacks.arrays.last().map_or(&[][..], Vec::as_slice);
                elements.iter().any(|element| {
                    let key = match &element.key {
                        Key::At(subscript) => self.key_waits(task, symbol, subscript),
                        Key::Next | Key::Refused => false,
                    };
                    key || waits(symbol, Some(&element.value))
                })
            }
            Op::Redirect(index, _) => {
                let code = task.frames.last().map(|frame| &frame.code);
                let redirect = code.and_then(|code| code.redirects.get(index as usize));
                redirect.is_some_and(|redirect| match &redirect.target {
                    RedirectTarget::Variable(name) => self.reference_waits(task, name),
                    _ => false,
                })
            }
            Op::ForNext => super::loops::innermost_of(task)
                .is_some_and(|inner| waits(inner.symbol, inner.words.last())),
            _ => false,
        }
    }

    #[inline]
    fn key_waits(&self, task: &Task, symbol: Symbol, subscript: &[u8]) -> bool {
        let attributes = task.state.variables.attributes(symbol);
        plain_integer(subscript).is_none()
            && !attributes.has(Attributes::ASSOCIATIVE)
            && self.expression_waits(task, subscript)
    }

    /// Whether a parameter expansion has to be able to begin again.
    pub(super) fn parameter_waits(&self, task: &Task, parameter: &Parameter) -> bool {
        if task.replaying.is_some() {
            return false;
        }
        if let Target::Element(symbol) = parameter.target {
            let floor = task.frames.last().map_or(0, |frame| frame.heights.operands);
            let operands = task.stacks.operands.get(floor..).unwrap_or_default();
            if operands
                .iter()
                .any(|text| self.key_waits(task, symbol, text))
            {
                return true;
            }
        }
        let prompt = matches!(parameter.action, Action::Transform(b'P'));
        if !(parameter.indirect || prompt) {
            return false;
        }
        let text = match parameter.target {
            Target::Variable(symbol) => task.state.variables.value(symbol).scalar(),
            Target::Positional(number) => {
                let number = (number as usize).wrapping_sub(1);
                task.state.positional.as_slice().get(number)
            }
            _ => return true,
        };
        let waits = |text: &Text| substitutes(text) || self.reference_waits(task, text);
        text.is_some_and(waits)
    }

    /// Whether a builtin has to be able to begin again. These evaluate expressions and do nothing
    /// that could not be done twice.
    pub(super) fn builtin_waits(&self, task: &Task, entry: &str, arguments: &[Text]) -> bool {
        let any = |waits: &dyn Fn(&Text) -> bool| arguments.iter().any(waits);
        task.replaying.is_none()
            && match entry {
                "let" => any(&|text| self.expression_waits(task, text)),
                "declare" | "export" | "local" | "readonly" | "typeset" => {
                    self.trace_waits(task) || any(&|text| self.declaration_waits(task, text))
                }
                "[" | "printf" | "test" | "unset" => {
                    any(&|text| text.last() == Some(&b']') && self.reference_waits(task, text))
                }
                "compgen" => any(&|text| {
                    let option = text.starts_with(b"-");
                    substitutes(text) || option && text.iter().any(|byte| b"FC".contains(byte))
                }),
                _ => false,
            }
    }

    /// An option of integers, or an argument of a declaration builtin in which commands may run.
    fn declaration_waits(&self, task: &Task, text: &[u8]) -> bool {
        if substitutes(text) || text.starts_with(b"-") && text.contains(&b'i') {
            return true;
        }
        let end = text.iter().position(|&byte| b"=+[".contains(&byte));
        let (name, rest) = text.split_at(end.unwrap_or(text.len()));
        let symbol = self.symbols.find(name);
        let integer = symbol.is_some_and(|symbol| {
            let attributes = task.state.variables.attributes(symbol);
            attributes.has(Attributes::INTEGER)
        });
        (integer || rest.starts_with(b"[")) && self.expression_waits(task, rest)
    }
}

/// The names in an expression.
fn names(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let words = text.split(move |byte| !part(byte));
    words.filter(|word| word.first().is_some_and(|byte| !byte.is_ascii_digit()))
}

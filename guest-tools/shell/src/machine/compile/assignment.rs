//! Assignments.

use super::Compiler;
use crate::machine::code::{Form, Op};
use crate::machine::symbol::Symbol;
use crate::syntax::tree::{Assignment, AssignmentValue, Part, Word};

impl Compiler<'_> {
    #[inline(never)]
    pub(super) fn assignment_argument(&mut self, assignment: &Assignment) {
        match &assignment.value {
            AssignmentValue::Array(elements) => {
                let symbol = self.symbols.intern(&assignment.name);
                self.emit(Op::ArrayBegin);
                self.array_argument_elements(elements, symbol);
                self.emit(Op::ArrayArgument(symbol, assignment.append));
            }
            AssignmentValue::Scalar(word) => {
                if self.has_braces(word) {
                    // What braces make of it is no assignment any more: it is split.
                    let mut parts = vec![Part::Literal(crate::syntax::print::assignment(
                        &Assignment {
                            value: AssignmentValue::Scalar(Word::default()),
                            ..assignment.clone()
                        },
                    ))];
                    parts.extend(word.parts.iter().cloned());
                    return self.elements(&[Word { parts }]);
                }
                self.emit(Op::Begin(Form::Argument));
                let place = super::word::Place::new(Form::Argument);
                let mut text = assignment.name.clone();
                if let Some(subscript) = &assignment.subscript {
                    text.push(b'[');
                    self.quoted_text(&text);
                    // The builtin expands it once more.
                    self.parts(&subscript.parts, place);
                    text = b"]".to_vec();
                }
                text.extend_from_slice(if assignment.append { b"+=" } else { b"=" });
                self.quoted_text(&text);
                self.lead = text;
                let value = super::word::Place {
                    unsplit: None,
                    ..super::word::Place::value()
                };
                self.parts_with_tilde(&word.parts, value, true);
                self.emit(Op::EndWord);
            }
        }
    }

    fn quoted_text(&mut self, text: &[u8]) {
        let index = self.text(text);
        self.emit(Op::Quoted(index));
    }

    /// The assignments before a command.
    pub(super) fn environment(&mut self, assignments: &[Assignment]) {
        if assignments.is_empty() {
            return;
        }
        self.emit(Op::Environment);
        for assignment in assignments {
            self.temporary(assignment);
        }
    }

    /// Their values alone, as operands; how many.
    pub(super) fn values(&mut self, assignments: &[Assignment]) -> usize {
        let count = assignments.iter().filter(|one| one.subscript.is_none());
        let count = count.count();
        let mut traced = Vec::new();
        for assignment in assignments {
            match (&assignment.value, &assignment.subscript) {
                (AssignmentValue::Scalar(word), None) => {
                    let symbol = self.symbols.intern(&assignment.name);
                    self.temporary_value(symbol, word);
                    let depth = (count - traced.len() - 1) as u32;
                    traced.push(Op::TraceValue(symbol, depth, assignment.append));
                }
                (_, subscript) => self.no_element(assignment, subscript.as_ref()),
            }
        }
        traced.iter().for_each(|op| self.emit(*op));
        count
    }

    /// An element cannot be assigned before a command.
    fn no_element(&mut self, assignment: &Assignment, subscript: Option<&Word>) {
        let subscript = subscript.map(crate::syntax::print::word);
        let parts: [&[u8]; 5] = [
            b"`",
            &assignment.name,
            b"[",
            &subscript.unwrap_or_default(),
            b"]': not a valid identifier",
        ];
        let text = self.text(&parts.concat());
        self.emit(Op::RefuseAssignment(text));
    }

    fn temporary_value(&mut self, symbol: Symbol, word: &Word) {
        let readonly = self.hole(Op::RefuseReadonly(symbol, 0));
        self.value(word);
        self.fill(&readonly);
    }

    /// The assignments of these values.
    pub(super) fn assign_values(&mut self, assignments: &[Assignment]) {
        self.emit(Op::Environment);
        let plain = assignments.iter().filter(|one| one.subscript.is_none());
        for assignment in plain.rev() {
            let symbol = self.symbols.intern(&assignment.name);
            self.emit(Op::TemporaryShown(symbol, assignment.append));
        }
    }

    /// An assignment before a command.
    fn temporary(&mut self, assignment: &Assignment) {
        match (&assignment.value, &assignment.subscript) {
            (AssignmentValue::Scalar(word), None) => {
                let symbol = self.symbols.intern(&assignment.name);
                self.temporary_value(symbol, word);
                self.emit(Op::Temporary(symbol, assignment.append));
            }
            (_, subscript) => self.no_element(assignment, subscript.as_ref()),
        }
    }

    pub(super) fn assignment(&mut self, assignment: &Assignment) {
        let symbol = self.symbols.intern(&assignment.name);
        match (&assignment.value, &assignment.subscript) {
            (AssignmentValue::Array(elements), None) => {
                let text = self.text(&crate::syntax::print::assignment(assignment));
                self.emit(Op::Trace(text));
                self.emit(Op::ArrayDeclare(symbol));
                self.emit(Op::ArrayBegin);
                self.array_value(elements, symbol);
                self.emit(Op::ArrayAssign(symbol, assignment.append));
            }
            (AssignmentValue::Array(_), Some(subscript)) => {
                let subscript = crate::syntax::print::word(subscript);
                let element = [b"[", subscript.as_slice(), b"]"];
                let tail = b": cannot assign list to array member".as_slice();
                let text = self.text(&[&assignment.name, &element.concat(), tail].concat());
                self.emit(Op::Error(text));
            }
            (AssignmentValue::Scalar(word), None) => {
                self.value(word);
                self.emit(Op::Assign(symbol, assignment.append));
            }
            (AssignmentValue::Scalar(_), Some(subscript)) if subscript.parts.is_empty() => {
                let name = [assignment.name.as_slice(), b"[]: bad array subscript"].concat();
                let text = self.text(&name);
                self.emit(Op::Error(text));
            }
            (AssignmentValue::Scalar(word), Some(subscript)) => {
                self.value(word);
                self.subscript(symbol, subscript);
                let written = self.text(&crate::syntax::print::word(subscript));
                self.emit(Op::AssignElement(symbol, assignment.append, written));
            }
        }
    }
}

/// Whether it assigns to an element or a whole array.
pub(super) fn is_of_array(assignment: &Assignment) -> bool {
    assignment.subscript.is_some() || matches!(assignment.value, AssignmentValue::Array(_))
}

/// The assignment before a command: a compound value is a text there, `(1 2)`.
pub(super) fn with_text(assignment: &Assignment) -> Assignment {
    let AssignmentValue::Array(elements) = &assignment.value else {
        return assignment.clone();
    };
    let literal = |text: &[u8]| Part::Literal(text.to_vec());
    let mut parts = vec![literal(b"(")];
    for (index, element) in elements.iter().enumerate() {
        if index > 0 {
            parts.push(literal(b" "));
        }
        if let Some(subscript) = &element.subscript {
            parts.push(literal(b"["));
            parts.extend(subscript.parts.iter().cloned());
            let end: &[u8] = if element.append { b"]+=" } else { b"]=" };
            parts.push(literal(end));
        }
        parts.extend(element.value.parts.iter().cloned());
    }
    parts.push(literal(b")"));
    Assignment {
        value: AssignmentValue::Scalar(Word { parts }),
        ..assignment.clone()
    }
}

//! Arithmetic expressions and subscripts.

use super::Compiler;
use super::word::Place;
use super::word::quoted_constant;
use super::word::quotes_index;
use crate::machine::code::{Form, Hole, Op, Template, Use};
use crate::machine::symbol::Symbol;
use crate::syntax::tree::{Operator, Parameter, Part, Reference, Word};
use crate::text::Text;

impl Compiler<'_> {
    /// An arithmetic expression.
    pub(super) fn arithmetic(&mut self, word: &Word, usage: Use) {
        if let Some(text) = quoted_constant(&word.parts) {
            let index = self.expression(&text);
            return self.emit(Op::Arithmetic(index, usage));
        }
        let template = self.template(&word.parts);
        let hole = template.map(|index| self.hole(Op::Template(index, 0, usage)));
        self.expanded(word);
        self.emit(Op::Evaluate(usage));
        if let Some(hole) = hole {
            self.fill(&hole);
        }
    }

    /// The text of an arithmetic expression, as an operand.
    pub(super) fn expanded(&mut self, word: &Word) {
        self.emit(Op::Begin(Form::Text));
        self.expression_parts(&word.parts);
        self.emit(Op::EndOperand);
    }

    /// The subscript of a variable, as an operand: a word where it is a key, else an expression,
    /// in which quotes mean less.
    pub(super) fn subscript(&mut self, symbol: Symbol, word: &Word) {
        let index = quotes_index(&word.parts).then(|| {
            let text = crate::syntax::print::word(word);
            crate::syntax::entry::subscript(&text, Default::default(), self.line)
        });
        let Some(Ok(index)) = index else {
            return self.key(word);
        };
        let keyed = self.hole(Op::JumpIfAssociative(symbol, 0));
        self.expanded(&index);
        let end = self.hole(Op::Jump(0));
        self.fill(&keyed);
        self.key(word);
        self.fill(&end);
    }

    /// The parts of an expression. What is expanded within a subscript is quoted there, since the
    /// evaluation expands subscripts once more.
    pub(super) fn expression_parts(&mut self, parts: &[Part]) {
        let outer = self.note_bad(parts, true);
        let place = Place {
            quoted: true,
            unsplit: None,
            ..Place::new(Form::Text)
        };
        let mut depth = 0usize;
        for part in parts {
            match part {
                Part::Literal(text) | Part::Quoted(text) => {
                    for byte in text {
                        match byte {
                            b'[' => depth += 1,
                            b']' => depth = depth.saturating_sub(1),
                            _ => {}
                        }
                    }
                    self.part(part, place);
                }
                Part::Escaped(_) | Part::Arithmetic { .. } => self.part(part, place),
                part if depth == 0 => self.part(part, place),
                part => {
                    self.emit(Op::Begin(Form::Text));
                    self.part(part, place);
                    self.emit(Op::EndQuoted);
                }
            }
        }
        self.bad = outer;
    }

    pub(super) fn variable(&mut self, name: &[u8]) -> crate::machine::symbol::Symbol {
        let symbol = self.symbols.intern(name);
        self.symbols.wants_command |= symbol == crate::machine::symbol::known::BASH_COMMAND;
        symbol
    }

    /// The template of an expression whose expansions are plain parameters.
    fn template(&mut self, parts: &[Part]) -> Option<u32> {
        let mut text = Vec::new();
        let mut holes = Vec::new();
        for part in parts {
            match part {
                Part::Literal(plain) | Part::Quoted(plain) => text.extend_from_slice(plain),
                Part::Parameter(parameter) => {
                    holes.push(self.template_hole(parameter)?);
                    text.push(0);
                }
                _ => return None,
            }
        }
        self.code.templates.push(Template {
            text: Text::from(text),
            holes,
            parsed: std::cell::OnceCell::new(),
        });
        Some((self.code.templates.len() - 1) as u32)
    }

    fn template_hole(&mut self, parameter: &Parameter) -> Option<Hole> {
        if parameter.indirect || parameter.operator != Operator::Value {
            return None;
        }
        Some(match &parameter.reference {
            Reference::Variable {
                name,
                subscript: None,
            } => Hole::Variable(self.symbols.intern(name)),
            Reference::Positional(number) if *number > 0 => Hole::Positional(*number),
            Reference::Special(name @ (b'#' | b'?')) => Hole::Special(*name),
            _ => return None,
        })
    }
}

/// The name of `$name` or `${name}`.
pub(super) fn simple_variable(part: &Part) -> Option<&[u8]> {
    braced_variable(part).map(|(name, _)| name)
}

/// The same, and whether it is in braces.
pub(super) fn braced_variable(part: &Part) -> Option<(&[u8], bool)> {
    let Part::Parameter(parameter) = part else {
        return None;
    };
    match (
        &parameter.reference,
        &parameter.operator,
        parameter.indirect,
    ) {
        (
            Reference::Variable {
                name,
                subscript: None,
            },
            Operator::Value,
            false,
        ) => Some((name, !parameter.bare)),
        _ => None,
    }
}

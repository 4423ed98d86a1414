//! Words that become one string: operands, patterns, values, here-documents.

use super::Compiler;
use super::expression::simple_variable;
use super::lists::{is_divisible, may_divide, may_list};
use super::word::Place;
use super::word::constant;
use super::word::quoted_constant;
use crate::machine::code::{Division, Form, Op};
use crate::syntax::tree::{Part, Word};

impl Compiler<'_> {
    /// Where the value begins in a word that looks like an assignment and has a `~` to expand.
    pub(super) fn assigned_value(&self, word: &Word) -> Option<usize> {
        let Some(Part::Literal(text)) = word.parts.first() else {
            return None;
        };
        let tilde = |part: &Part| matches!(part, Part::Literal(text) if memchr::memchr(b'~', text).is_some());
        if self.settings.posix || !word.parts.iter().any(tilde) {
            return None;
        }
        let name = text
            .iter()
            .position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')?;
        if !crate::machine::scope::is_name(&text[..name]) {
            return None;
        }
        let mut at = name;
        if text[at] == b'[' {
            at += text[at..].iter().position(|&byte| byte == b']')? + 1;
        }
        if text.get(at) == Some(&b'+') {
            at += 1;
        }
        (text.get(at) == Some(&b'=')).then_some(at + 1)
    }

    /// A word that becomes an operand: no splitting, no paths.
    pub(super) fn operand(&mut self, word: &Word) {
        self.operand_as(word, Form::Text, false);
    }

    /// The same for a key of an associative array, in which `~` is nothing special.
    pub(super) fn key(&mut self, word: &Word) {
        match word.parts.split_first() {
            Some((Part::Literal(text), rest)) if text.starts_with(b"~") => {
                let mut parts = vec![Part::Quoted(text.clone())];
                parts.extend_from_slice(rest);
                self.operand(&Word { parts });
            }
            _ => self.operand(word),
        }
    }

    /// The same for the subject of `case` and the words of tests, which are words of commands.
    pub(super) fn subject(&mut self, word: &Word) {
        self.subject_as(word, Form::Text);
    }

    /// A pattern or another form of such a word.
    pub(super) fn subject_as(&mut self, word: &Word, form: Form) {
        if self.assigned_value(word).is_none() {
            return self.operand_as(word, form, false);
        }
        self.emit(Op::Begin(form));
        self.divide(&word.parts, Division::Joined);
        self.word_parts(word, Place::new(form));
        self.emit(Op::EndOperand);
    }

    /// A pattern of `case`: of a word that is split only the first part counts.
    pub(super) fn case_pattern(&mut self, word: &Word) {
        self.emit(Op::Begin(Form::Pattern));
        self.divide(&word.parts, Division::First);
        self.word_parts(word, Place::new(Form::Pattern));
        self.emit(Op::EndOperand);
    }

    /// A word with a list is split as if it became fields, whatever it is.
    pub(super) fn divide(&mut self, parts: &[Part], division: Division) {
        let quoted = |part: &Part| matches!(part, Part::DoubleQuoted(parts) if parts.iter().any(is_divisible));
        if parts.iter().any(quoted) {
            return self.emit(Op::Divide(division));
        }
        if parts.iter().any(is_divisible) {
            self.emit(Op::DivideUnquoted(division));
        }
        if parts.iter().any(may_list) {
            self.emit(Op::DivideIfListed(division));
        }
    }

    /// The value of an assignment: like an operand, with `~` after every `:` too.
    pub(super) fn value(&mut self, word: &Word) {
        if let Some(text) = constant(word).filter(|text| !text.windows(2).any(|pair| pair == b":~"))
        {
            let index = self.text(&text);
            return self.emit(Op::Operand(index));
        }
        if let [part] = word.parts.as_slice() {
            let part = match part {
                Part::DoubleQuoted(parts) if parts.len() == 1 => &parts[0],
                part => part,
            };
            if let Some(name) = simple_variable(part) {
                let symbol = self.variable(name);
                return self.emit(Op::OperandVariable(symbol));
            }
        }
        self.emit(Op::Begin(Form::Value));
        self.parts_with_tilde(&word.parts, Place::value(), true);
        self.emit(Op::EndOperand);
    }

    /// A pattern or another form of operand.
    pub(super) fn operand_as(&mut self, word: &Word, form: Form, quoted: bool) {
        if let Some(text) = constant(word).filter(|_| matches!(form, Form::Text | Form::Value)) {
            let index = self.text(&text);
            return self.emit(Op::Operand(index));
        }
        self.emit(Op::Begin(form));
        if form != Form::Value {
            self.divide(&word.parts, Division::Joined);
        }
        let place = Place {
            quoted,
            ..Place::new(form)
        };
        if quoted {
            self.parts(&word.parts, place);
        } else {
            self.parts_with_tilde(&word.parts, place, false);
        }
        self.emit(Op::EndOperand);
    }

    /// The text of a here-document: as between double quotes.
    pub(super) fn document(&mut self, word: &Word) {
        if let Some(text) = quoted_constant(&word.parts) {
            let index = self.text(&text);
            return self.emit(Op::Operand(index));
        }
        self.emit(Op::Begin(Form::Document));
        let divided = may_divide(&word.parts, true);
        if divided {
            self.emit(Op::BeginDividers);
        }
        self.parts(
            &word.parts,
            Place {
                quoted: true,
                divided,
                ..Place::new(Form::Document)
            },
        );
        if divided {
            self.emit(Op::EndDividers);
        }
        self.emit(Op::EndOperand);
    }
}

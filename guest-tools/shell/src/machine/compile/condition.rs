//! `[[ … ]]`.

use super::Compiler;
use super::word::constant;
use crate::machine::code::{Form, Op};
use crate::pattern;
use crate::syntax::tree::{BinaryTest, Condition, Word};

impl Compiler<'_> {
    /// Leaves the status 0 or 1.
    pub(super) fn condition(&mut self, condition: &Condition) {
        self.term(condition, false);
    }

    fn term(&mut self, condition: &Condition, inverted: bool) {
        match condition {
            Condition::Word(word) => {
                self.operand(word);
                return self.emit(Op::TestWord(inverted));
            }
            Condition::Unary(letter, word) => {
                self.operand(word);
                return self.emit(Op::TestUnary(*letter, inverted));
            }
            Condition::Binary(test, left, right) => {
                return self.binary(*test, left, right, inverted);
            }
            Condition::Not(inner) => return self.term(inner, !inverted),
            Condition::And(left, right) => {
                self.condition(left);
                let hole = self.hole(Op::JumpIfFailed(0));
                self.condition(right);
                self.fill(&hole);
            }
            Condition::Or(left, right) => {
                self.condition(left);
                let hole = self.hole(Op::JumpIfSucceeded(0));
                self.condition(right);
                self.fill(&hole);
            }
            Condition::Group(inner) => self.condition(inner),
        }
        if inverted {
            self.emit(Op::Negate);
        }
    }

    fn binary(&mut self, test: BinaryTest, left: &Word, right: &Word, inverted: bool) {
        self.subject(left);
        match test {
            BinaryTest::Match | BinaryTest::MatchShort | BinaryTest::NoMatch => {
                match self.constant_pattern(right, pattern::escape_all) {
                    Some(pattern) => {
                        self.emit(Op::TestMatch(pattern, test, inverted));
                    }
                    None => {
                        self.operand_as(right, Form::Condition, false);
                        self.emit(Op::TestBinary(test, inverted));
                    }
                }
            }
            BinaryTest::Regex => {
                self.operand_as(right, Form::Regex, false);
                self.emit(Op::TestBinary(test, inverted));
            }
            _ => {
                self.operand(right);
                self.emit(Op::TestBinary(test, inverted));
            }
        }
    }

    /// A pattern whose text is known.
    pub(super) fn constant_pattern(&mut self, word: &Word, escape: Escape) -> Option<u32> {
        let mut text = Vec::new();
        if !pattern_text(&word.parts, &mut text, escape) {
            return None;
        }
        Some(self.pattern(text))
    }
}

/// How quoted text is written in a pattern.
type Escape = fn(&[u8]) -> Vec<u8>;

fn pattern_text(parts: &[crate::syntax::tree::Part], text: &mut Vec<u8>, escape: Escape) -> bool {
    use crate::syntax::tree::Part;
    let first = text.is_empty();
    parts.iter().enumerate().all(|(index, part)| match part {
        Part::Literal(literal) => {
            text.extend_from_slice(literal);
            !(first && index == 0 && literal.first() == Some(&b'~'))
        }
        Part::Quoted(quoted) => {
            text.extend_from_slice(&escape(quoted));
            true
        }
        Part::Escaped(byte) => {
            text.extend_from_slice(&escape(&[*byte]));
            true
        }
        Part::DoubleQuoted(inner) => {
            let quoted = constant(&Word {
                parts: vec![Part::DoubleQuoted(inner.clone())],
            });
            quoted.is_some_and(|quoted| {
                text.extend_from_slice(&escape(&quoted));
                true
            })
        }
        Part::ExtendedPattern {
            operator,
            alternatives,
        } => {
            text.extend_from_slice(&[*operator, b'(']);
            let all = alternatives.iter().enumerate().all(|(index, alternative)| {
                if index > 0 {
                    text.push(b'|');
                }
                pattern_text(&alternative.parts, text, escape)
            });
            text.push(b')');
            all
        }
        _ => false,
    })
}

//! `[[ … ]]`.

use super::Compiler;
use super::lists::is_divisible;
use super::word::{Place, constant};
use crate::machine::code::{Division, Form, Op};
use crate::machine::condition::is_arithmetic;
use crate::pattern;
use crate::syntax::tree::{BinaryTest, Condition, Operator, Part, Reference, Word};

impl Compiler<'_> {
    /// The condition of a command: its tests leave a status, but all of them see the `$?` before it.
    pub(super) fn whole_condition(&mut self, condition: &Condition) {
        self.keeps_status = later_reads_status(condition);
        if !self.keeps_status {
            return self.condition(condition);
        }
        self.emit(Op::Bare);
        self.emit(Op::Begin(Form::Text));
        self.emit(Op::Special(b'?', true));
        self.emit(Op::EndOperand);
        self.condition(condition);
        self.emit(Op::Drop);
        self.keeps_status = false;
    }

    /// A condition that another one comes before.
    fn later_condition(&mut self, condition: &Condition) {
        if self.keeps_status {
            self.emit(Op::KeptStatus);
        }
        self.condition(condition);
    }

    /// Leaves the status 0 or 1.
    fn condition(&mut self, condition: &Condition) {
        self.term(condition, false);
    }

    fn term(&mut self, condition: &Condition, inverted: bool) {
        match condition {
            Condition::Word(word) => {
                self.subject(word);
                return self.emit(Op::TestWord(inverted));
            }
            Condition::Unary(letter, word) => {
                match letter {
                    b'v' => self.indexed(word),
                    _ => self.subject(word),
                }
                return self.emit(Op::TestUnary(*letter, inverted));
            }
            Condition::Binary(test, left, right) => {
                return self.binary(*test, left, right, inverted);
            }
            Condition::Not(inner) => return self.term(inner, !inverted),
            Condition::And(left, right) => {
                self.condition(left);
                let hole = self.hole(Op::JumpIfFailed(0));
                self.later_condition(right);
                self.fill(&hole);
            }
            Condition::Or(left, right) => {
                self.condition(left);
                let hole = self.hole(Op::JumpIfSucceeded(0));
                self.later_condition(right);
                self.fill(&hole);
            }
            Condition::Group(inner) => self.condition(inner),
        }
        if inverted {
            self.emit(Op::Negate);
        }
    }

    fn binary(&mut self, test: BinaryTest, left: &Word, right: &Word, inverted: bool) {
        if is_arithmetic(test) {
            self.indexed(left);
            self.indexed(right);
            return self.emit(Op::TestBinary(test, inverted));
        }
        self.subject(left);
        match test {
            BinaryTest::Match | BinaryTest::MatchShort | BinaryTest::NoMatch => {
                match self.constant_pattern(right, pattern::escape_all) {
                    Some(pattern) => {
                        self.emit(Op::TestMatch(pattern, test, inverted));
                    }
                    None => {
                        self.subject_as(right, Form::Condition);
                        self.emit(Op::TestBinary(test, inverted));
                    }
                }
            }
            BinaryTest::Regex => {
                self.subject_as(right, Form::Regex);
                self.emit(Op::TestBinary(test, inverted));
            }
            _ => {
                self.subject(right);
                self.emit(Op::TestBinary(test, inverted));
            }
        }
    }

    /// An operand that is a name or an expression. What its subscripts stand for is quoted, since
    /// the test expands them once more.
    fn indexed(&mut self, word: &Word) {
        if !has_subscript(&word.parts) {
            if !word.parts.iter().any(is_divisible) {
                return self.subject(word);
            }
            self.emit(Op::Begin(Form::Text));
            self.emit(Op::Divide(Division::Items));
            self.word_parts(word, Place::new(Form::Text));
            return self.emit(Op::EndOperand);
        }
        self.emit(Op::Begin(Form::Text));
        let place = Place::new(Form::Text);
        let mut depth = 0usize;
        for part in &word.parts {
            match part {
                Part::Literal(text) => self.bracketed(text, place, &mut depth),
                Part::DoubleQuoted(parts) if depth == 0 => self.expression_parts(parts),
                part => self.part(part, place),
            }
        }
        self.emit(Op::EndOperand);
    }

    /// Text with brackets; what is between the outermost ones is expanded apart.
    fn bracketed(&mut self, text: &[u8], place: Place, depth: &mut usize) {
        let mut rest = text;
        while let Some(at) = rest.iter().position(|byte| b"[]".contains(byte)) {
            let opens = rest[at] == b'[';
            let outermost = *depth == usize::from(!opens);
            let end = at + usize::from(opens || !outermost);
            self.part(&Part::Literal(rest[..end].to_vec()), place);
            if opens && outermost {
                self.emit(Op::Begin(Form::Text));
            } else if outermost {
                self.emit(Op::EndQuoted);
                self.part(&Part::Literal(b"]".to_vec()), place);
            }
            *depth = if opens { *depth + 1 } else { *depth - 1 };
            rest = &rest[at + 1..];
        }
        self.part(&Part::Literal(rest.to_vec()), place);
    }

    /// A pattern whose text is known.
    pub(super) fn constant_pattern(&mut self, word: &Word, escape: Escape) -> Option<u32> {
        let mut text = Vec::new();
        if self.assigned_value(word).is_some() || !pattern_text(&word.parts, &mut text, escape) {
            return None;
        }
        Some(self.pattern(text))
    }
}

/// Whether a test after the first may look at `$?`.
fn later_reads_status(condition: &Condition) -> bool {
    match condition {
        Condition::And(left, right) | Condition::Or(left, right) => {
            later_reads_status(left) || reads_status(right)
        }
        Condition::Not(inner) | Condition::Group(inner) => later_reads_status(inner),
        _ => false,
    }
}

/// Whether a word has brackets, each with its partner.
fn has_subscript(parts: &[Part]) -> bool {
    let mut depth = Some(0usize);
    let mut found = false;
    for part in parts {
        match part {
            Part::Literal(text) => {
                for byte in text {
                    depth = match byte {
                        b'[' => depth.map(|depth| depth + 1),
                        b']' => depth.and_then(|depth| depth.checked_sub(1)),
                        _ => depth,
                    };
                    found |= *byte == b'[';
                }
            }
            Part::DoubleQuoted(parts) => {
                let open = |part: &Part| matches!(part, Part::Quoted(text) if text.contains(&b'['));
                found |= parts.iter().any(open);
            }
            _ => {}
        }
    }
    found && depth == Some(0)
}

fn reads_status(condition: &Condition) -> bool {
    match condition {
        Condition::Word(word) | Condition::Unary(_, word) => word_reads_status(&word.parts),
        Condition::Binary(_, left, right) => {
            word_reads_status(&left.parts) || word_reads_status(&right.parts)
        }
        Condition::Not(inner) | Condition::Group(inner) => reads_status(inner),
        Condition::And(left, right) | Condition::Or(left, right) => {
            reads_status(left) || reads_status(right)
        }
    }
}

fn word_reads_status(parts: &[Part]) -> bool {
    parts.iter().any(|part| match part {
        Part::Literal(_) | Part::Quoted(_) | Part::Escaped(_) => false,
        Part::Parameter(parameter) => {
            parameter.reference == Reference::Special(b'?')
                || parameter.operator != Operator::Value
                // Under `set -e` it may end the shell with that status.
                || parameter.indirect
        }
        Part::DoubleQuoted(parts) => word_reads_status(parts),
        _ => true,
    })
}

/// How quoted text is written in a pattern.
type Escape = fn(&[u8]) -> Vec<u8>;

fn pattern_text(parts: &[Part], text: &mut Vec<u8>, escape: Escape) -> bool {
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

//! Assignments and compound values.

use super::error::{MessageLine, SyntaxError, SyntaxErrorKind};
use super::reader::{Parse, Reader};
use super::token::{is_meta, is_name, is_name_start};
use super::tree::{ArrayElement, Assignment, AssignmentValue, Part, Word};
use super::word::{Ends, push_literal};

/// What stands before the value.
struct Left {
    name: Vec<u8>,
    subscript: Option<Word>,
    append: bool,
}

impl Reader<'_> {
    /// Reads an assignment where one comes next. Where it turns out to be a plain word, what was
    /// read of it is put into `parts`.
    pub fn assignment(&mut self, parts: &mut Vec<Part>, ends: Ends) -> Parse<Option<Assignment>> {
        if !self.cursor.raw().is_some_and(is_name_start) {
            return Ok(None);
        }
        let length = loop {
            let rest = self.cursor.rest();
            let Some(length) = rest.iter().position(|&byte| !is_name(byte)) else {
                return Ok(None);
            };
            if !self.cursor.move_continuation(length) {
                break length;
            }
        };
        let start = self.cursor.position;
        let rest = self.cursor.rest();
        let left = match (rest[length], rest.get(length + 1)) {
            (b'=', _) => self.plain_left(length, false),
            (b'+', Some(b'=')) => self.plain_left(length, true),
            (b'[', _) => match self.subscripted_left(length, parts, ends)? {
                Some(left) => left,
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        let compound = self.cursor.raw() == Some(b'(');
        if compound && self.unreserved == Some(start) {
            // No command begins here for bash: a word it is.
            let left = self.cursor.text()[start..self.cursor.position].to_vec();
            push_literal(parts, &left);
            return Ok(None);
        }
        let value = if compound {
            let elements = self.compound_value()?;
            if self.cursor.raw().is_none_or(is_meta) {
                AssignmentValue::Array(elements)
            } else {
                // More of the word follows, of which the parentheses are part then.
                let mut parts = plain_elements(elements);
                self.word_parts(&mut parts, Ends::Command)?;
                AssignmentValue::Scalar(Word { parts })
            }
        } else {
            AssignmentValue::Scalar(self.word()?)
        };
        Ok(Some(Assignment {
            name: left.name,
            subscript: left.subscript,
            append: left.append,
            value,
        }))
    }

    fn plain_left(&mut self, length: usize, append: bool) -> Left {
        let name = self.cursor.rest()[..length].to_vec();
        self.cursor.position += length + 1 + usize::from(append);
        Left {
            name,
            subscript: None,
            append,
        }
    }

    #[inline(never)]
    fn subscripted_left(
        &mut self,
        length: usize,
        parts: &mut Vec<Part>,
        ends: Ends,
    ) -> Parse<Option<Left>> {
        let name = self.cursor.rest()[..length].to_vec();
        self.cursor.position += length;
        let (subscript, append) = self.subscript(ends)?;
        match append {
            Some(append) => Ok(Some(Left {
                name,
                subscript: Some(subscript),
                append,
            })),
            None => {
                push_literal(parts, &name);
                self.plain_subscript(parts, subscript);
                Ok(None)
            }
        }
    }

    /// Puts what was read as a subscript into a plain word.
    fn plain_subscript(&mut self, parts: &mut Vec<Part>, subscript: Word) {
        push_literal(parts, b"[");
        for part in subscript.parts {
            match part {
                Part::Literal(text) => push_literal(parts, &text),
                part => parts.push(part),
            }
        }
        if self.cursor.eat(b']') {
            push_literal(parts, b"]");
        }
    }

    /// Reads `[…]` and, where they follow, `=` or `+=`: then whether it appends. Where they don't
    /// the closing bracket is left to be read.
    #[inline(never)]
    fn subscript(&mut self, ends: Ends) -> Parse<(Word, Option<bool>)> {
        let line = self.cursor.line;
        self.cursor.position += 1;
        self.enter()?;
        let word = self.word_until(ends)?;
        self.leave();
        if self.cursor.raw() != Some(b']') {
            if ends == Ends::Subscript {
                return Err(self.unmatched(b']', line));
            }
            return Ok((word, None));
        }
        let append = match (self.cursor.raw_at(1), self.cursor.raw_at(2)) {
            (Some(b'='), _) => Some(false),
            (Some(b'+'), Some(b'=')) => Some(true),
            _ => None,
        };
        if let Some(append) = append {
            self.cursor.position += 2 + usize::from(append);
        }
        Ok((word, append))
    }

    /// Reads `name=( … )` as part of a plain word.
    pub fn plain_compound(&mut self, parts: &mut Vec<Part>) -> Parse<()> {
        let rest = self.cursor.rest();
        let length = rest.iter().position(|&byte| byte == b'(').unwrap_or(0);
        push_literal(parts, &rest[..length]);
        self.cursor.position += length;
        parts.extend(plain_elements(self.compound_value()?));
        Ok(())
    }

    /// Reads `( … )`.
    #[inline(never)]
    pub fn compound_value(&mut self) -> Parse<Vec<ArrayElement>> {
        let line = self.cursor.line;
        let substituted = self.substitutions > 0;
        self.cursor.position += 1;
        self.enter()?;
        let mut elements = Vec::new();
        loop {
            self.skip_newlines()?;
            match self.peek() {
                None => {
                    let mut error = self.unmatched(b')', line);
                    error.kind = SyntaxErrorKind::CompoundValue;
                    return Err(error);
                }
                Some(b')') => break,
                _ => {
                    let element = self.array_element();
                    elements.push(element.map_err(|error| self.ended_element(error, substituted))?);
                }
            }
        }
        self.cursor.position += 1;
        self.leave();
        Ok(elements)
    }

    /// The text ended in an element.
    #[cold]
    #[inline(never)]
    fn ended_element(
        &mut self,
        mut error: Box<SyntaxError>,
        substituted: bool,
    ) -> Box<SyntaxError> {
        if error.is_at_end() {
            let text: &[u8] = match substituted {
                true => b"unexpected EOF while looking for matching `)'",
                false => b"syntax error: unexpected end of file",
            };
            let left = self.cursor.rest();
            let newlines = left.iter().filter(|&&byte| byte == b'\n').count();
            error.lines.push(MessageLine {
                line: self.cursor.line + newlines as u32,
                text: text.to_vec(),
            });
            error.kind = SyntaxErrorKind::CompoundValue;
            // No line is left to go on with.
            self.cursor.position = self.cursor.text().len();
        }
        error
    }

    #[inline(never)]
    fn array_element(&mut self) -> Parse<ArrayElement> {
        if let Err(mut error) = self.expect_word() {
            error.kind = SyntaxErrorKind::CompoundValue;
            return Err(error);
        }
        let mut parts = Vec::new();
        if self.cursor.raw() == Some(b'[') {
            let (subscript, append) = self.subscript(Ends::Subscript)?;
            if let Some(append) = append {
                let value = self.word()?;
                return Ok(ArrayElement {
                    subscript: Some(subscript),
                    append,
                    value,
                });
            }
            self.plain_subscript(&mut parts, subscript);
        }
        self.word_parts(&mut parts, Ends::Command)?;
        if self.cursor.raw() == Some(b'(') {
            let mut error = self.unexpected_text(b"(");
            error.kind = SyntaxErrorKind::CompoundValue;
            return Err(error);
        }
        Ok(ArrayElement {
            subscript: None,
            append: false,
            value: Word { parts },
        })
    }
}

/// `( … )` as part of a word, with a blank between the elements.
fn plain_elements(elements: Vec<ArrayElement>) -> Vec<Part> {
    let mut parts = vec![Part::Literal(b"(".to_vec())];
    for (index, element) in elements.into_iter().enumerate() {
        push_literal(&mut parts, if index > 0 { b" " } else { b"" });
        if let Some(subscript) = element.subscript {
            push_literal(&mut parts, b"[");
            parts.extend(subscript.parts);
            push_literal(&mut parts, if element.append { b"]+=" } else { b"]=" });
        }
        parts.extend(element.value.parts);
    }
    push_literal(&mut parts, b")");
    parts
}

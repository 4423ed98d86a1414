//! `${ … }`: the parameter, the operator and its operand.
//!
//! | text | reference | operator |
//! |---|---|---|
//! | `${x}`, `${12}`, `${?}` | the variable, positional or special parameter | `Value` |
//! | `${#x}`, `${#a[@]}` | | `Length` |
//! | `${!x}` | indirect | `Value` |
//! | `${!x*}`, `${!a[@]}` | | `Names`, `Keys` |
//! | `${x:-w}`, `${x=w}`, `${x?w}`, `${x+w}` | | `Default`, `Assign`, `Error`, `Alternative` |
//! | `${x:1:2}`, `${x#p}`, `${x/p/r}`, `${x^^p}`, `${x@Q}` | | `Slice` … `Transform` |
//!
//! What makes no sense is `Bad` with its text kept, and fails when it is expanded, as in bash, not when it is read.
//! Quotes within an operand depend on what is around the expansion and on the operator (`operand_ansi`).

use super::quote::QuotedEnds;
use super::reader::{Ansi, Parse, Reader};
use super::substitution::Quoting;
use super::token::is_name_start;
use super::tree::{
    CaseChange, Operator, Parameter, Part, Reference, ReplaceAnchor, Subscript, Word,
};
use super::word::{Ends, join};

impl Reader<'_> {
    /// Reads `${…}`, past the dollar.
    #[inline(never)]
    pub fn braced_parameter(&mut self, parts: &mut Vec<Part>, quoting: Quoting) -> Parse<()> {
        let line = self.cursor.line;
        self.enter()?;
        self.cursor.position += 1;
        let start = self.cursor.position;
        let mut parameter = Box::new(Parameter {
            reference: Reference::Bad,
            indirect: false,
            operator: Operator::Bad,
            source: Vec::new(),
            bare: false,
        });
        self.parameter_reference(&mut parameter)?;
        if parameter.reference != Reference::Bad && parameter.operator == Operator::Bad {
            let ansi = self.operand_ansi(start);
            let outer = self.quotes;
            self.quotes.ansi = ansi;
            self.quotes.unread |= ansi != Ansi::Quoted && quoting == Quoting::Document;
            parameter.operator = self.parameter_operator(quoting)?;
            self.quotes = outer;
        }
        let plain = !matches!(parameter.reference, Reference::Special(b'?' | b'-' | b'#'));
        let text = self.cursor.text().get(start..self.cursor.position);
        let lacks_operand = matches!(text, Some(b"#%" | b"#/" | b"#=" | b"#+"));
        if self.peek() != Some(b'}')
            || lacks_operand
            || !plain && matches!(parameter.operator, Operator::Case { .. })
        {
            parameter.operator = Operator::Bad;
        }
        let bad = parameter.operator == Operator::Bad;
        let before = self.cursor.position.saturating_sub(1);
        if bad
            && parameter.reference == Reference::Special(b'$')
            && self.cursor.text().get(before) == Some(&b'$')
        {
            // This dollar begins an expansion.
            self.cursor.position = before;
        }
        if bad || names_subscript(&parameter) {
            let end = self.cursor.position;
            let source = self.cursor.text().get(start..end).unwrap_or_default();
            parameter.source = join(source);
        }
        if bad {
            let rest = self.bad_parameter(quoting)?;
            parameter.source.extend_from_slice(&rest);
        }
        if !self.cursor.eat(b'}') {
            return Err(self.unmatched(b'}', line));
        }
        self.leave();
        parts.push(Part::Parameter(parameter));
        Ok(())
    }

    /// What `$'…'` means in the operand to come, of an expansion that begins at `start`: between
    /// double quotes only patterns keep its quotes. Bash takes the first character for the operator
    /// that can be one.
    fn operand_ansi(&self, start: usize) -> Ansi {
        if self.quotes.unread {
            return Ansi::Dollar;
        }
        if !self.quotes.double && !self.quotes.outside && !self.quotes.document {
            return Ansi::Quoted;
        }
        let end = self.cursor.position + 1;
        let written = self.cursor.text().get(start..end).unwrap_or_default();
        let mut operators = written.iter().enumerate();
        let operator = operators.find(|(_, byte)| b"#%^,~:-=?+/".contains(byte));
        match operator {
            Some((at, b'#' | b'%' | b'^' | b',' | b'/')) if at > 0 => Ansi::Quoted,
            _ if self.options.posix && self.quotes.double => Ansi::Text,
            _ => Ansi::Bare,
        }
    }

    /// Reads up to the operator; an operator that stands before the name too.
    fn parameter_reference(&mut self, parameter: &mut Parameter) -> Parse<()> {
        let first = self.peek();
        let second = self.cursor.peek_second();
        let third = self.cursor.peek_after(2);
        let plain = match (first, second) {
            (Some(b'#'), Some(byte)) => !is_prefixed(byte, third, b"@*?-$!#"),
            (Some(b'!'), Some(b'@' | b'*')) => false,
            (Some(b'!'), Some(b'#' | b'?')) => self.options.posix,
            (Some(b'!'), Some(byte)) => !is_prefixed(byte, third, b""),
            _ => true,
        };
        if plain {
            parameter.reference = self.reference()?;
            return Ok(());
        }
        self.cursor.position += 1;
        parameter.reference = self.reference()?;
        if first == Some(b'#') {
            parameter.operator = Operator::Length;
            return Ok(());
        }
        self.indirect_operator(parameter);
        Ok(())
    }

    /// After `${!name`: what `!` means.
    fn indirect_operator(&mut self, parameter: &mut Parameter) {
        let next = self.peek();
        let closed = self.cursor.peek_second() == Some(b'}');
        parameter.indirect = true;
        let Reference::Variable { subscript, .. } = &parameter.reference else {
            return;
        };
        match subscript {
            None if closed && matches!(next, Some(b'*' | b'@')) => {
                self.cursor.position += 1;
                parameter.indirect = false;
                parameter.operator = Operator::Names {
                    joined: next == Some(b'*'),
                };
            }
            Some(Subscript::All | Subscript::Joined) if next == Some(b'}') => {
                parameter.indirect = false;
                parameter.operator = Operator::Keys;
            }
            _ => {}
        }
    }

    /// Reads a name with its subscript, a number, or a special character; `Bad` for anything else.
    #[inline(never)]
    fn reference(&mut self) -> Parse<Reference> {
        let Some(byte) = self.peek() else {
            return Ok(Reference::Bad);
        };
        if is_name_start(byte) {
            let name = self.name();
            let subscript = match self.peek() {
                Some(b'[') => match self.parameter_subscript()? {
                    None => return Ok(Reference::Bad),
                    subscript => subscript,
                },
                _ => None,
            };
            return Ok(Reference::Variable { name, subscript });
        }
        if byte.is_ascii_digit() {
            return Ok(self.positional());
        }
        if matches!(byte, b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') {
            self.cursor.position += 1;
            return Ok(Reference::Special(byte));
        }
        Ok(Reference::Bad)
    }

    /// Reads the number of a positional parameter.
    fn positional(&mut self) -> Reference {
        let mut digits = Vec::new();
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            self.cursor.position += 1;
            digits.push(digit);
        }
        Reference::Positional(Reference::position(&digits))
    }

    /// Reads `[…]`; none where it is empty or does not end.
    #[inline(never)]
    fn parameter_subscript(&mut self) -> Parse<Option<Subscript>> {
        self.cursor.position += 1;
        let all = match self.peek() {
            Some(b'@') => Some(Subscript::All),
            Some(b'*') => Some(Subscript::Joined),
            _ => None,
        };
        if all.is_some() && self.cursor.peek_second() == Some(b']') {
            self.cursor.position += 1;
            self.cursor.eat(b']');
            return Ok(all);
        }
        let word = self.word_until(Ends::ParameterSubscript)?;
        if !self.cursor.eat(b']') || word.parts.is_empty() {
            return Ok(None);
        }
        Ok(Some(Subscript::Index(word)))
    }

    /// Reads the operator and its operands, up to the `}`; `Value` where there is none.
    #[inline(never)]
    fn parameter_operator(&mut self, quoting: Quoting) -> Parse<Operator> {
        let Some(byte) = self.peek() else {
            return Ok(Operator::Bad);
        };
        if byte == b'}' {
            return Ok(Operator::Value);
        }
        self.cursor.position += 1;
        match byte {
            b':' => match self.peek() {
                Some(next @ (b'-' | b'=' | b'?' | b'+')) => {
                    self.cursor.position += 1;
                    self.substitute(next, true, quoting)
                }
                _ => self.slice(),
            },
            b'-' | b'=' | b'?' | b'+' => self.substitute(byte, false, quoting),
            b'#' | b'%' => {
                let longest = self.cursor.eat(byte);
                let pattern = self.word_until(Ends::Operand)?;
                Ok(match byte {
                    b'#' => Operator::RemovePrefix { longest, pattern },
                    _ => Operator::RemoveSuffix { longest, pattern },
                })
            }
            b'/' => self.replace(),
            b'^' | b',' | b'~' => self.change_case(byte),
            b'@' => Ok(self.transform()),
            _ => {
                // It may open quotes or an expansion.
                self.cursor.position -= 1;
                Ok(Operator::Bad)
            }
        }
    }

    /// Reads the word of `-`, `=`, `?` or `+`, by the quoting around.
    #[inline(never)]
    fn substitute(&mut self, byte: u8, colon: bool, quoting: Quoting) -> Parse<Operator> {
        let mut word = Word::default();
        match quoting {
            // A message is no text between double quotes, though POSIX mode finds its end like theirs.
            _ if byte == b'?' && self.quotes.ansi != Ansi::Text => {
                self.word_parts(&mut word.parts, Ends::Operand)?;
            }
            Quoting::None => self.word_parts(&mut word.parts, Ends::Operand)?,
            Quoting::Double => self.quoted_parts(&mut word.parts, QuotedEnds::Operand)?,
            Quoting::Document => {
                self.quoted_parts(&mut word.parts, QuotedEnds::DocumentOperand)?;
            }
        }
        Ok(match byte {
            b'-' => Operator::Default { colon, word },
            b'=' => Operator::Assign { colon, word },
            b'?' => Operator::Error { colon, word },
            _ => Operator::Alternative { colon, word },
        })
    }

    /// Reads `OFFSET:LENGTH`, past the colon.
    #[inline(never)]
    fn slice(&mut self) -> Parse<Operator> {
        let mut offset = Word::default();
        self.quoted_parts(&mut offset.parts, QuotedEnds::Offset)?;
        if offset.parts.is_empty() && self.peek() == Some(b'}') {
            return Ok(Operator::Bad);
        }
        let mut length = None;
        if self.cursor.eat(b':') {
            let mut word = Word::default();
            self.quoted_parts(&mut word.parts, QuotedEnds::Length)?;
            length = Some(word);
        }
        Ok(Operator::Slice { offset, length })
    }

    /// Reads `PATTERN/REPLACEMENT`, past the slash.
    #[inline(never)]
    fn replace(&mut self) -> Parse<Operator> {
        let anchor = match self.peek() {
            Some(b'/') => ReplaceAnchor::All,
            Some(b'#') => ReplaceAnchor::Prefix,
            Some(b'%') => ReplaceAnchor::Suffix,
            _ => ReplaceAnchor::First,
        };
        if anchor != ReplaceAnchor::First {
            self.cursor.position += 1;
        }
        let mut pattern = Word::default();
        if anchor == ReplaceAnchor::All && self.cursor.eat(b'/') {
            // A slash here is the first character of the pattern.
            pattern.parts.push(Part::Literal(b"/".to_vec()));
        }
        self.word_parts(&mut pattern.parts, Ends::Replaced)?;
        let mut replacement = None;
        if self.cursor.eat(b'/') {
            replacement = Some(self.word_until(Ends::Operand)?);
        }
        Ok(Operator::Replace {
            anchor,
            pattern,
            replacement,
        })
    }

    /// Reads the rest of `^`, `,` or `~`; without a pattern every character fits.
    #[inline(never)]
    fn change_case(&mut self, byte: u8) -> Parse<Operator> {
        let all = self.cursor.eat(byte);
        let pattern = self.word_until(Ends::Operand)?;
        let change = match byte {
            b'^' => CaseChange::Upper,
            b',' => CaseChange::Lower,
            _ => CaseChange::Toggle,
        };
        Ok(Operator::Case {
            change,
            all,
            pattern: (!pattern.parts.is_empty()).then_some(pattern),
        })
    }

    /// Reads the letter of `@`, which has to stand alone.
    fn transform(&mut self) -> Operator {
        match self.peek() {
            Some(letter) if letter != b'}' && self.cursor.peek_second() == Some(b'}') => {
                self.cursor.position += 1;
                Operator::Transform(letter)
            }
            _ => Operator::Bad,
        }
    }
}

/// Whether `byte`, after `#` or `!`, begins what these act on; of `special` only before `}`.
fn is_prefixed(byte: u8, after: Option<u8>, special: &[u8]) -> bool {
    is_name_start(byte) || byte.is_ascii_digit() || (special.contains(&byte) && after == Some(b'}'))
}

/// Whether a message may name the subscript as it is written.
fn names_subscript(parameter: &Parameter) -> bool {
    let subscript = matches!(
        parameter.reference,
        Reference::Variable {
            subscript: Some(Subscript::Index(_)),
            ..
        }
    );
    let operator = &parameter.operator;
    subscript
        && matches!(
            operator,
            Operator::Assign { .. } | Operator::Error { .. } | Operator::Length
        )
}

//! Quotes: `'…'`, `"…"`, `$'…'`, and text that is read as between double quotes.
//!
//! Here-documents, arithmetic expressions, subscripts and operands of expansions within quotes are read by the same
//! loop, `quoted_parts`; `QuotedEnds` says what ends the text and which bytes act in it. The rest is copied in runs, so
//! plain text costs a search for the next special byte.
//!
//! Most of the cases are where bash's grammar is not what it seems: single quotes within `"${x-…}"` are text, but hide
//! a `}`; a `$'…'` there acts or not by where it stands. `hidden` and `hiding_operand` do what bash does in two passes:
//! it looks for the end of the operand first, and expands its text afterwards as if the single quotes were not there.

use super::error::{MessageLine, SyntaxError, SyntaxErrorKind};
use super::print;
use super::reader::{Ansi, Parse, Reader};
use super::substitution::Quoting;
use super::token::is_name;
use super::tree::{List, Operator, Part, Reference, Substitution};
use super::word::push_literal;
use std::rc::Rc;

/// What ends text that is read as between double quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum QuotedEnds {
    /// `"`
    Quote,
    /// `"` within the operand of an expansion between double quotes, where a backslash quotes any
    /// character.
    Inner,
    /// The end of the here-document.
    Document,
    /// `}` of `"${x-…}"`
    Operand,
    /// `}` of `${x-…}` in a here-document.
    DocumentOperand,
    /// The end of the text of an operand, whose single quotes are nothing special.
    OperandText,
    /// `)` of an arithmetic expression, where it matches.
    Arithmetic,
    /// `;` or `)` in `for ((…))`.
    Section,
    /// `:` or `}` in `${x:…}`.
    Offset,
    /// `}` in `${x:…:…}`.
    Length,
    /// `]` of `$[…]`.
    Brackets,
    /// The end of a subscript: only double quotes and backslashes before what is special there act.
    Subscript,
}

impl QuotedEnds {
    /// Whether it is the text of an arithmetic expression.
    fn is_arithmetic(self) -> bool {
        !matches!(
            self,
            QuotedEnds::Quote
                | QuotedEnds::Inner
                | QuotedEnds::Document
                | QuotedEnds::Operand
                | QuotedEnds::DocumentOperand
                | QuotedEnds::OperandText
                | QuotedEnds::Subscript
        )
    }

    /// Whether it is the operand of an expansion.
    fn is_operand(self) -> bool {
        matches!(
            self,
            QuotedEnds::Operand | QuotedEnds::DocumentOperand | QuotedEnds::OperandText
        )
    }

    /// The quoting of what stands within.
    fn quoting(self) -> Quoting {
        match self {
            QuotedEnds::Document | QuotedEnds::DocumentOperand => Quoting::Document,
            _ => Quoting::Double,
        }
    }

    /// Whether a byte needs a look; runs of other bytes are text.
    fn is_special(self, byte: u8) -> bool {
        match byte {
            b'\\' | b'$' | b'`' | b'\n' => true,
            b'"' => self != QuotedEnds::Document,
            b'\'' => !matches!(
                self,
                QuotedEnds::Quote
                    | QuotedEnds::Inner
                    | QuotedEnds::Document
                    | QuotedEnds::OperandText
                    | QuotedEnds::Subscript
            ),
            b'}' => matches!(
                self,
                QuotedEnds::Operand
                    | QuotedEnds::DocumentOperand
                    | QuotedEnds::Offset
                    | QuotedEnds::Length
            ),
            b'(' | b')' => self.is_arithmetic(),
            b';' => self == QuotedEnds::Section,
            b':' | b'?' => self == QuotedEnds::Offset,
            b'[' | b']' => self == QuotedEnds::Brackets,
            _ => false,
        }
    }

    /// Whether a backslash quotes this byte; before others it is text.
    fn escapes(self, byte: u8) -> bool {
        match byte {
            _ if self == QuotedEnds::Inner => true,
            b'$' | b'`' | b'\\' => true,
            b'"' => self != QuotedEnds::Document,
            b'}' => self.is_operand(),
            _ => false,
        }
    }
}

/// What is open within the text.
#[derive(Default)]
struct Nesting {
    /// Parentheses that are open.
    parentheses: u32,
    /// Square brackets that are open.
    brackets: u32,
    /// `?` whose `:` has not come.
    questions: u32,
    /// Within single quotes, which stand for themselves but hide what would end the text; their line.
    single: Option<u32>,
}

/// Adds text that stands for itself.
#[inline]
pub(super) fn push_quoted(parts: &mut Vec<Part>, text: &[u8]) {
    match parts.last_mut() {
        Some(Part::Quoted(last)) => last.extend_from_slice(text),
        _ => parts.push(Part::Quoted(text.to_vec())),
    }
}

/// `$a` before text that goes on with a name is another variable; how much of `text` that takes.
pub fn lengthen_name(parts: &mut [Part], text: &[u8]) -> usize {
    let Some(Part::Parameter(parameter)) = parts.last_mut() else {
        return 0;
    };
    if !parameter.bare || parameter.operator != Operator::Value {
        return 0;
    }
    let Reference::Variable {
        name,
        subscript: None,
    } = &mut parameter.reference
    else {
        return 0;
    };
    let taken = text.iter().take_while(|byte| is_name(**byte)).count();
    name.extend_from_slice(&text[..taken]);
    parameter.source.extend_from_slice(&text[..taken]);
    taken
}

impl Reader<'_> {
    /// Reads `'…'`.
    #[inline(never)]
    pub fn single_quoted(&mut self, parts: &mut Vec<Part>) -> Parse<()> {
        let line = self.cursor.line;
        self.cursor.position += 1;
        let rest = self.cursor.rest();
        let Some(length) = rest.iter().position(|&byte| byte == b'\'') else {
            // What is said of the words around it has the line at the end.
            self.cursor.skip_to(self.cursor.text().len());
            return Err(self.unmatched(b'\'', line));
        };
        parts.push(Part::Quoted(rest[..length].to_vec()));
        let end = self.cursor.position + length + 1;
        self.cursor.skip_to(end);
        Ok(())
    }

    /// Reads `"…"`.
    #[inline(never)]
    pub fn double_quoted(&mut self, parts: &mut Vec<Part>) -> Parse<()> {
        self.double_quoted_until(parts, QuotedEnds::Quote)
    }

    /// Reads `$"…"`, past the dollar. There are no translations.
    #[inline(never)]
    pub fn translated(&mut self, parts: &mut Vec<Part>) -> Parse<()> {
        let line = self.cursor.line;
        let start = self.cursor.position + 1;
        self.double_quoted(parts)?;
        let text = self.cursor.text().get(start..self.cursor.position - 1);
        let text = text.unwrap_or_default().to_vec();
        self.translatable.push(MessageLine { line, text });
        Ok(())
    }

    /// Reads text between double quotes, of which the first comes next; `ends` is `Quote` or `Inner`.
    fn double_quoted_until(&mut self, parts: &mut Vec<Part>, ends: QuotedEnds) -> Parse<()> {
        let line = self.cursor.line;
        self.cursor.position += 1;
        self.enter()?;
        let mut inner = Vec::new();
        let quotes = self.quotes;
        self.quotes.double = true;
        self.quotes.unread = quotes.document;
        self.quoted_parts(&mut inner, ends)?;
        self.quotes = quotes;
        if self.cursor.raw().is_none() {
            return Err(self.unmatched(b'"', line));
        }
        self.leave();
        self.cursor.position += 1;
        parts.push(Part::DoubleQuoted(inner));
        Ok(())
    }

    /// Reads `$'…'`, past the dollar.
    #[inline(never)]
    pub fn ansi_quoted(&mut self, parts: &mut Vec<Part>, quoting: Quoting) -> Parse<()> {
        let mut text = self.ansi_text()?;
        if self.quotes.ansi == Ansi::Bare {
            let taken = lengthen_name(parts, &text);
            text.drain(..taken);
            if taken > 0 && text.is_empty() {
                self.cursor.position += lengthen_name(parts, self.cursor.rest());
            }
        }
        match self.quotes.ansi == Ansi::Bare && quoting == Quoting::None {
            true => push_literal(parts, &text),
            false => parts.push(Part::Quoted(text)),
        }
        Ok(())
    }

    /// Reads `$'…'`, past the dollar, in an expression: it keeps its quotes, and fails by them,
    /// unless double quotes are around it and the expression is no `$((…))`.
    #[inline(never)]
    fn ansi_in_arithmetic(&mut self, parts: &mut Vec<Part>, ends: QuotedEnds) -> Parse<()> {
        let text = self.ansi_text()?;
        let parentheses = matches!(ends, QuotedEnds::Arithmetic | QuotedEnds::Section);
        let bare = self.quotes.double && !parentheses;
        let mut quoted = Vec::new();
        if !bare {
            print::single_quoted(&mut quoted, &text);
        }
        push_quoted(parts, if bare { &text } else { &quoted });
        Ok(())
    }

    /// Reads the text of `$'…'`, from its first quote on, decoded.
    fn ansi_text(&mut self) -> Parse<Vec<u8>> {
        let line = self.cursor.line;
        self.cursor.position += 1;
        let rest = self.cursor.rest();
        let mut length = 0;
        loop {
            match rest.get(length) {
                Some(b'\'') => break,
                Some(b'\\') => length += 2,
                Some(_) => length += 1,
                None => return Err(self.unmatched(b'\'', line)),
            }
        }
        let text = decode_ansi(&rest[..length]);
        let end = self.cursor.position + length + 1;
        self.cursor.skip_to(end);
        Ok(text)
    }

    /// Reads on to what ends the text, which is left to be read; or to the end of the script.
    pub fn quoted_parts(&mut self, parts: &mut Vec<Part>, ends: QuotedEnds) -> Parse<()> {
        let mut nesting = Nesting::default();
        let start = self.cursor.position;
        loop {
            let rest = self.cursor.rest();
            let run = rest
                .iter()
                .position(|&byte| ends.is_special(byte))
                .unwrap_or(rest.len());
            if run > 0 {
                push_quoted(parts, &rest[..run]);
                self.cursor.position += run;
            }
            let Some(byte) = self.cursor.raw() else {
                return match nesting.single {
                    Some(line) => Err(self.unmatched(b'\'', line)),
                    None => Ok(()),
                };
            };
            match byte {
                b'\\' => self.quoted_escape(parts, ends, nesting.single.is_some()),
                b'$' if ends == QuotedEnds::Operand
                    && !matches!(self.quotes.ansi, Ansi::Text | Ansi::Dollar)
                    && nesting.single.is_none()
                    && self.cursor.peek_second() == Some(b'\'') =>
                {
                    self.cursor.position += 1;
                    self.ansi_quoted(parts, ends.quoting())?;
                }
                b'$' if ends.is_arithmetic()
                    && !self.quotes.document
                    && nesting.single.is_none()
                    && self.cursor.peek_second() == Some(b'\'') =>
                {
                    self.cursor.position += 1;
                    self.ansi_in_arithmetic(parts, ends)?;
                }
                b'$' if (ends == QuotedEnds::Operand || ends.is_arithmetic())
                    && !self.quotes.document
                    && nesting.single.is_none()
                    && self.cursor.peek_second() == Some(b'"') =>
                {
                    self.cursor.position += 1;
                }
                b'\'' if ends.is_operand() && self.quotes.ansi != Ansi::Text => {
                    if !self.hidden(parts)? {
                        return self.hiding_operand(parts, start, ends);
                    }
                }
                b'\''
                    if ends.is_arithmetic()
                        && nesting.single.is_none()
                        && self.quoted_key(parts) => {}
                b'$' => self.dollar(parts, ends.quoting())?,
                b'`' => self.backquoted(parts, ends.quoting())?,
                b'\n' => {
                    push_quoted(parts, b"\n");
                    self.cursor.position += 1;
                    self.cursor.count_line();
                }
                b'"' if matches!(ends, QuotedEnds::Quote | QuotedEnds::Inner) => return Ok(()),
                b'"' if ends == QuotedEnds::OperandText => self.quoted_in_text(parts)?,
                b'"' if nesting.single.is_none() => {
                    let inner = if ends.is_operand() {
                        QuotedEnds::Inner
                    } else {
                        QuotedEnds::Quote
                    };
                    self.double_quoted_until(parts, inner)?;
                }
                _ if nesting.single.is_none() && ends_quoted(byte, ends, &mut nesting) => {
                    return Ok(());
                }
                _ => {
                    if byte == b'\'' && self.quotes.ansi != Ansi::Text {
                        let line = self.cursor.line;
                        nesting.single = nesting.single.map_or(Some(line), |_| None);
                    }
                    push_quoted(parts, &[byte]);
                    self.cursor.position += 1;
                }
            }
        }
    }

    /// Reads double quotes in an operand that is text; what is not closed is text as well.
    fn quoted_in_text(&mut self, parts: &mut Vec<Part>) -> Parse<()> {
        self.cursor.position += 1;
        let mut inner = Vec::new();
        self.quoted_parts(&mut inner, QuotedEnds::Inner)?;
        match self.cursor.eat(b'"') {
            true => parts.push(Part::DoubleQuoted(inner)),
            false => parts.extend(inner),
        }
        Ok(())
    }

    /// Reads single quotes in an operand between double quotes. They stand for themselves, but hide what
    /// would end the operand; false where there is more in them than text, or has to be.
    fn hidden(&mut self, parts: &mut Vec<Part>) -> Parse<bool> {
        let rest = self.cursor.rest();
        let length = rest.iter().skip(1).position(|&byte| byte == b'\'');
        let Some(length) = length else {
            return Err(self.unmatched(b'\'', self.cursor.line));
        };
        let text = &rest[..length + 2];
        if !self.measures && text.iter().any(|byte| b"$`\"\\".contains(byte)) {
            return Ok(false);
        }
        push_quoted(parts, text);
        self.cursor.skip_to(self.cursor.position + text.len());
        Ok(true)
    }

    /// Reads the rest of an operand that began at `start`, in which single quotes hide more than text:
    /// bash looks for its end first, and then expands all of it as if they were not there.
    #[cold]
    #[inline(never)]
    fn hiding_operand(
        &mut self,
        parts: &mut Vec<Part>,
        start: usize,
        ends: QuotedEnds,
    ) -> Parse<()> {
        let first_line = self.cursor.line;
        let passed = self.cursor.text().get(start..self.cursor.position);
        let newlines = passed
            .unwrap_or_default()
            .iter()
            .filter(|&&byte| byte == b'\n');
        let line = first_line.saturating_sub(newlines.count() as u32).max(1);
        let pending = self.pending.len();
        // Places in the text stay what they are: no alias is written into it.
        let aliases = self.aliases.take();
        self.measures = true;
        let measured = self.quoted_parts(&mut Vec::new(), ends);
        self.measures = false;
        self.aliases = aliases;
        measured?;
        self.pending.truncate(pending);
        let end = self.cursor.position;
        let text = self
            .cursor
            .text()
            .get(start..end)
            .unwrap_or_default()
            .to_vec();
        let quotes = self.quotes;
        self.enter()?;
        let mut whole = Vec::new();
        let read = self.nested(text.clone(), line, |reader| {
            reader.quotes = quotes;
            reader.quoted_parts(&mut whole, QuotedEnds::OperandText)
        });
        self.leave();
        *parts = match read {
            Ok(()) => whole,
            Err(error) if error.kind == SyntaxErrorKind::TooDeep => return Err(error),
            Err(error) => vec![open_text(error, text, self.options.posix, line)],
        };
        Ok(())
    }

    /// Reads a key in an expression, `['…']`, as it is: the evaluation looks into it.
    fn quoted_key(&mut self, parts: &mut Vec<Part>) -> bool {
        let begins = matches!(parts.last(), Some(Part::Quoted(text)) if text.ends_with(b"["));
        let rest = self.cursor.rest();
        let quote = |byte: &u8| *byte == b'\'';
        let end = rest.iter().skip(1).position(quote).map(|length| length + 2);
        let Some(end) = end.filter(|&end| begins && rest.get(end) == Some(&b']')) else {
            return false;
        };
        push_quoted(parts, &rest[..end]);
        self.cursor.skip_to(self.cursor.position + end);
        true
    }

    /// Reads a backslash and what it quotes. A newline behind it vanishes; before what it cannot quote it is text.
    fn quoted_escape(&mut self, parts: &mut Vec<Part>, ends: QuotedEnds, single: bool) {
        match self.cursor.raw_at(1) {
            // Both stay, but no quotes begin here.
            Some(b'\'') if ends.is_operand() && !single => {
                self.cursor.position += 2;
                push_quoted(parts, b"\\'");
            }
            Some(b'\n') => {
                self.cursor.position += 2;
                self.cursor.count_line();
            }
            Some(byte) if ends.escapes(byte) => {
                self.cursor.position += 2;
                parts.push(Part::Escaped(byte));
            }
            _ => {
                push_quoted(parts, b"\\");
                self.cursor.position += 1;
            }
        }
    }
}

/// Text with an error, which is reported when it is expanded.
pub(super) fn open_text(error: Box<SyntaxError>, source: Vec<u8>, posix: bool, line: u32) -> Part {
    match error.closing() {
        Some(b'}' | b'\'') => Part::Unclosed {
            source,
            closing: b'}',
        },
        Some(closing @ b'`') => Part::Unclosed { source, closing },
        _ => Part::Command(Rc::new(Substitution {
            body: List::default(),
            posix,
            source: Some(source),
            line,
            error: Some(error),
        })),
    }
}

/// Whether `byte` ends the text; counts what it opens and closes.
fn ends_quoted(byte: u8, ends: QuotedEnds, nesting: &mut Nesting) -> bool {
    match byte {
        b'}' => true,
        b'(' => {
            nesting.parentheses += 1;
            false
        }
        b')' if nesting.parentheses > 0 => {
            nesting.parentheses -= 1;
            false
        }
        b')' => matches!(ends, QuotedEnds::Arithmetic | QuotedEnds::Section),
        b';' => nesting.parentheses == 0,
        b'?' | b':' if nesting.parentheses > 0 => false,
        b'?' => {
            nesting.questions += 1;
            false
        }
        b':' if nesting.questions > 0 => {
            nesting.questions -= 1;
            false
        }
        b':' => true,
        b'[' => {
            nesting.brackets += 1;
            false
        }
        b']' if nesting.brackets > 0 => {
            nesting.brackets -= 1;
            false
        }
        b']' => true,
        _ => false,
    }
}

/// The text of `$'…'`; ends at a NUL, as bash does.
pub(super) fn decode_ansi(text: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte != b'\\' {
            decoded.push(byte);
            continue;
        }
        let Some((&escape, after)) = rest.split_first() else {
            decoded.push(b'\\');
            break;
        };
        rest = after;
        let simple = match escape {
            b'a' => 7,
            b'b' => 8,
            b'e' | b'E' => 27,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 11,
            b'\\' | b'\'' | b'"' | b'?' => escape,
            _ => {
                let taken = decode_escape(escape, rest, &mut decoded);
                match taken {
                    Some(taken) => rest = &rest[taken..],
                    None => break,
                }
                continue;
            }
        };
        decoded.push(simple);
    }
    decoded
}

/// Decodes an escape with operands; returns how many bytes after `escape` it took, none at a NUL.
fn decode_escape(escape: u8, rest: &[u8], decoded: &mut Vec<u8>) -> Option<usize> {
    match escape {
        b'0'..=b'7' => {
            let (value, taken) = number(rest, 8, 2);
            let first = u32::from(escape - b'0');
            let byte = ((first << (3 * taken)) | value) as u8;
            push_unless_nul(decoded, byte)?;
            Some(taken)
        }
        b'x' if rest.first() == Some(&b'{') => {
            let (value, taken) = number(&rest[1..], 16, usize::MAX);
            push_unless_nul(decoded, value as u8)?;
            let closed = usize::from(rest.get(1 + taken) == Some(&b'}'));
            Some(1 + taken + closed)
        }
        b'x' | b'u' | b'U' => {
            let limit = match escape {
                b'x' => 2,
                b'u' => 4,
                _ => 8,
            };
            let (value, taken) = number(rest, 16, limit);
            if taken == 0 {
                decoded.extend_from_slice(&[b'\\', escape]);
            } else if escape == b'x' {
                push_unless_nul(decoded, value as u8)?;
            } else if value == 0 {
                return None;
            } else {
                push_code_point(decoded, value);
            }
            Some(taken)
        }
        b'c' => {
            let Some(&control) = rest.first() else {
                decoded.extend_from_slice(b"\\c");
                return Some(0);
            };
            let doubled = control == b'\\' && rest.get(1) == Some(&b'\\');
            let byte = match control {
                b'?' => 127,
                _ => control.to_ascii_uppercase() & 31,
            };
            push_unless_nul(decoded, byte)?;
            Some(1 + usize::from(doubled))
        }
        _ => {
            decoded.extend_from_slice(&[b'\\', escape]);
            Some(0)
        }
    }
}

/// Adds a byte; `None` for NUL, which ends the text.
fn push_unless_nul(decoded: &mut Vec<u8>, byte: u8) -> Option<()> {
    if byte == 0 {
        return None;
    }
    decoded.push(byte);
    Some(())
}

/// The number at the start of `text` and how many digits it has, up to `limit`. One that is too large wraps around.
fn number(text: &[u8], base: u32, limit: usize) -> (u32, usize) {
    let mut value: u32 = 0;
    let mut taken = 0;
    for &byte in text.iter().take(limit) {
        let Some(digit) = char::from(byte).to_digit(base) else {
            break;
        };
        value = value.wrapping_mul(base).wrapping_add(digit);
        taken += 1;
    }
    (value, taken)
}

/// Adds the UTF-8 form of `value`, also where it is no character (as bash does).
fn push_code_point(decoded: &mut Vec<u8>, value: u32) {
    let tail = |shift: u32| 0x80 | ((value >> shift) & 0x3f) as u8;
    match value {
        0..=0x7f => decoded.push(value as u8),
        0x80..=0x7ff => decoded.extend([0xc0 | (value >> 6) as u8, tail(0)]),
        0x800..=0xffff => decoded.extend([0xe0 | (value >> 12) as u8, tail(6), tail(0)]),
        0x1_0000..=0x1f_ffff => {
            decoded.extend([0xf0 | (value >> 18) as u8, tail(12), tail(6), tail(0)]);
        }
        0x20_0000..=0x3ff_ffff => {
            decoded.extend([
                0xf8 | (value >> 24) as u8,
                tail(18),
                tail(12),
                tail(6),
                tail(0),
            ]);
        }
        0x400_0000..=0x7fff_ffff => decoded.extend([
            0xfc | (value >> 30) as u8,
            tail(24),
            tail(18),
            tail(12),
            tail(6),
            tail(0),
        ]),
        _ => {}
    }
}

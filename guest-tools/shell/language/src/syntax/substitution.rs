//! What `$` and backquotes begin, process substitution, and telling `((` from two parentheses.

use super::cursor::Cursor;
use super::error::{SyntaxError, SyntaxErrorKind};
use super::print;
use super::quote::{QuotedEnds, decode_ansi, push_quoted};
use super::reader::{Ansi, Parse, Reader, SUBSTITUTION_LEVELS};
use super::token::{is_name, is_name_start};
use super::tree::{List, Operator, Parameter, Part, Reference, Substitution, Word};
use super::word::{Ends, join, push_literal};
use std::rc::Rc;

/// How many errors are put off to when they run; each costs reading the text again.
const MAX_RECOVERIES: u32 = 8;

/// The quotes around an expansion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quoting {
    /// None.
    None,
    /// Double quotes.
    Double,
    /// A here-document.
    Document,
}

impl Reader<'_> {
    /// Reads what begins with `$`.
    pub fn dollar(&mut self, parts: &mut Vec<Part>, quoting: Quoting) -> Parse<()> {
        self.cursor.position += 1;
        match self.peek() {
            Some(b'{') => self.braced_parameter(parts, quoting),
            Some(b'(') => self.dollar_parenthesis(parts, quoting),
            Some(b'[') => self.bracketed_arithmetic(parts),
            Some(b'\'')
                if quoting == Quoting::None
                    && !matches!(self.quotes.ansi, Ansi::Text | Ansi::Dollar) =>
            {
                self.ansi_quoted(parts, quoting)
            }
            Some(b'"') if quoting == Quoting::None => self.translated(parts),
            Some(byte) => {
                if let Some(reference) = self.bare_reference(byte) {
                    parts.push(Part::Parameter(Box::new(Parameter {
                        reference,
                        indirect: false,
                        operator: Operator::Value,
                        source: Vec::new(),
                        bare: true,
                    })));
                } else {
                    push_dollar(parts, quoting);
                }
                Ok(())
            }
            None => {
                push_dollar(parts, quoting);
                Ok(())
            }
        }
    }

    fn bare_reference(&mut self, byte: u8) -> Option<Reference> {
        if is_name_start(byte) {
            let name = self.name();
            return Some(Reference::Variable {
                name,
                subscript: None,
            });
        }
        let reference = match byte {
            b'0'..=b'9' => Reference::Positional(u32::from(byte - b'0')),
            b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!' => Reference::Special(byte),
            _ => return None,
        };
        self.cursor.position += 1;
        Some(reference)
    }

    /// Takes the name that comes next.
    pub fn name(&mut self) -> Vec<u8> {
        let rest = self.cursor.rest();
        let length = rest
            .iter()
            .position(|&byte| !is_name(byte))
            .unwrap_or(rest.len());
        let mut name = rest[..length].to_vec();
        self.cursor.position += length;
        if self.cursor.raw() == Some(b'\\') && self.cursor.raw_at(1) == Some(b'\n') {
            while let Some(byte) = self.peek().filter(|&byte| is_name(byte)) {
                name.push(byte);
                self.cursor.position += 1;
            }
        }
        name
    }

    #[inline(never)]
    fn dollar_parenthesis(&mut self, parts: &mut Vec<Part>, quoting: Quoting) -> Parse<()> {
        let line = self.cursor.line;
        let dollar = self.cursor.position - 1;
        if self.cursor.peek_second() == Some(b'(') {
            let start = self.cursor.position;
            self.cursor.position += 1;
            self.cursor.eat(b'(');
            if let Some(expression) = self.try_arithmetic(line)? {
                parts.push(Part::Arithmetic {
                    expression: Box::new(expression),
                    brackets: false,
                });
                return Ok(());
            }
            self.cursor.position = start;
            self.cursor.line = line;
            return self.unlike_arithmetic(parts);
        }
        self.cursor.position += 1;
        let length = self.cursor.text().len();
        let (body, line) = self.substituted_list()?;
        // Bash shows a here-document as it was written.
        let written = self.cursor.text().get(dollar..self.cursor.position);
        let moved = self.cursor.text().len() != length;
        let source = written.filter(|_| quoting == Quoting::Document && !moved);
        let source = source.map(<[u8]>::to_vec);
        parts.push(Part::Command(Rc::new(Substitution {
            body,
            posix: self.options.posix,
            source,
            line,
            error: None,
        })));
        Ok(())
    }

    /// Reads `$((…)…)`. Bash takes it for arithmetic until it runs; so an error in it is reported
    /// only then, and it is shown as it was written.
    #[inline(never)]
    fn unlike_arithmetic(&mut self, parts: &mut Vec<Part>) -> Parse<()> {
        let (start, line) = (self.cursor.position + 1, self.cursor.line);
        let state = (
            self.depth,
            self.substitutions,
            self.pending_base,
            self.quotes,
        );
        let pending = self.pending.len();
        self.cursor.position = start;
        // Places in the text stay what they are: no alias is written into it.
        let aliases = self.aliases.take();
        let list = self.substituted_list();
        self.aliases = aliases;
        let ((body, line), source, error) = match list {
            Ok(list) => {
                let source = matched(&self.cursor.text()[start..self.cursor.position]);
                (list, Some([b"$(".as_slice(), &source].concat()), None)
            }
            Err(error) if self.recoveries < MAX_RECOVERIES => {
                self.recoveries += 1;
                (
                    self.depth,
                    self.substitutions,
                    self.pending_base,
                    self.quotes,
                ) = state;
                self.pending.truncate(pending);
                self.cursor.position = start;
                self.cursor.line = line;
                self.quoted_parts(&mut Vec::new(), QuotedEnds::Arithmetic)?;
                if !self.cursor.eat(b')') {
                    return Err(self.unmatched(b')', line));
                }
                let source = &self.cursor.text()[start..self.cursor.position];
                let written = [b"$(".as_slice(), source].concat();
                ((List::default(), line), Some(written), Some(error))
            }
            Err(error) => return Err(error),
        };
        parts.push(Part::Command(Rc::new(Substitution {
            body,
            posix: self.options.posix,
            source,
            line,
            error,
        })));
        Ok(())
    }

    /// Reads `<( … )` or `>( … )`.
    #[inline(never)]
    pub fn process_substitution(&mut self, parts: &mut Vec<Part>) -> Parse<()> {
        let output = self.cursor.raw() == Some(b'>');
        self.cursor.position += 1;
        self.cursor.eat(b'(');
        let (body, line) = self.substituted_list()?;
        let body = Rc::new(Substitution {
            body,
            posix: self.options.posix,
            source: None,
            line,
            error: None,
        });
        parts.push(Part::Process { output, body });
        Ok(())
    }

    /// Reads the commands up to `)`, past the opening parenthesis, and says on which line they begin.
    #[inline(never)]
    fn substituted_list(&mut self) -> Parse<(List, u32)> {
        self.enter_levels(SUBSTITUTION_LEVELS)?;
        self.substitutions += 1;
        let base = std::mem::replace(&mut self.pending_base, self.pending.len());
        let quotes = std::mem::take(&mut self.quotes);
        self.quotes.outside = quotes.double || quotes.outside;
        self.skip_lines_to_command()?;
        let line = self.cursor.line;
        let mut list = List::default();
        if self.peek() != Some(b')')
            && let Err(error) = self.list(&mut list)
        {
            let error = substituted(self.recovered(error));
            let open = [
                SyntaxErrorKind::UnexpectedEnd,
                SyntaxErrorKind::ConditionalEnd,
            ];
            if error.is_at_end() && !open.contains(&error.kind) {
                // bash reads the end once more.
                self.cursor.line += 1;
            }
            return Err(error);
        }
        if !self.cursor.eat(b')') {
            return self.unexpected().map_err(substituted);
        }
        if self.pending.len() > self.pending_base {
            self.warn_unterminated(self.pending.len() - self.pending_base);
        }
        self.pending_base = base;
        self.quotes = quotes;
        self.substitutions -= 1;
        self.leave_levels(SUBSTITUTION_LEVELS);
        Ok((list, line))
    }

    /// Reads `$[ … ]`, past the dollar.
    #[inline(never)]
    fn bracketed_arithmetic(&mut self, parts: &mut Vec<Part>) -> Parse<()> {
        let line = self.cursor.line;
        self.enter()?;
        self.cursor.position += 1;
        let mut inner = Vec::new();
        self.quoted_parts(&mut inner, QuotedEnds::Brackets)?;
        if !self.cursor.eat(b']') {
            return Err(self.unmatched(b']', line));
        }
        self.leave();
        parts.push(Part::Arithmetic {
            expression: Box::new(Word { parts: inner }),
            brackets: true,
        });
        Ok(())
    }

    /// Reads an arithmetic expression and `))`, past `((`; none where the parentheses end apart,
    /// and then the place must be restored by the caller.
    ///
    /// That is remembered, so that nested ones are not tried again for each one around them.
    #[inline(never)]
    pub fn try_arithmetic(&mut self, line: u32) -> Parse<Option<Word>> {
        let place = self.cursor.position;
        if self.cursor.not_arithmetic.contains(&place) {
            return Ok(None);
        }
        let pending = self.pending.len();
        self.enter()?;
        let mut parts = Vec::new();
        self.quoted_parts(&mut parts, QuotedEnds::Arithmetic)?;
        self.leave();
        match (self.cursor.raw(), self.cursor.raw_at(1)) {
            (None, _) => Err(self.unmatched(b')', line)),
            (_, Some(b')')) => {
                self.cursor.position += 2;
                Ok(Some(Word { parts }))
            }
            _ => {
                self.cursor.not_arithmetic.insert(place);
                self.pending.truncate(pending);
                Ok(None)
            }
        }
    }

    /// Reads backquotes. Errors within are kept for when the commands run.
    #[inline(never)]
    pub fn backquoted(&mut self, parts: &mut Vec<Part>, quoting: Quoting) -> Parse<()> {
        let line = self.cursor.line;
        self.cursor.position += 1;
        let rest = self.cursor.rest();
        let mut length = 0;
        loop {
            match rest.get(length) {
                Some(b'`') => break,
                Some(b'\\') => length += 2,
                Some(_) => length += 1,
                None => {
                    self.cursor.skip_to(self.cursor.text().len());
                    return Err(self.unmatched(b'`', line));
                }
            }
        }
        let source = join(&rest[..length]);
        let written = [b"`".as_slice(), &source, b"`"].concat();
        let end = self.cursor.position + length + 1;
        self.cursor.skip_to(end);
        self.enter_levels(SUBSTITUTION_LEVELS)?;
        let mut text = unescape_backquoted(&source, quoting);
        let backslashes = text.iter().rev().take_while(|byte| **byte == b'\\');
        if !text.is_empty() && backslashes.count() % 2 == 0 {
            // The last line ends like the others; a backslash at the very end stays one.
            text.push(b'\n');
        }
        let (body, error) = self.nested(text, line, |reader| reader.whole_list());
        self.leave_levels(SUBSTITUTION_LEVELS);
        parts.push(Part::Command(Rc::new(Substitution {
            body,
            posix: self.options.posix,
            source: Some(written),
            line,
            error,
        })));
        Ok(())
    }

    /// Runs `rule` on another text, as deep as this one.
    pub fn nested<T>(
        &mut self,
        text: Vec<u8>,
        line: u32,
        rule: impl FnOnce(&mut Reader<'_>) -> T,
    ) -> T {
        let options = super::Options {
            remains: super::Remains::default(),
            ..self.options
        };
        let mut reader = Reader::new(Cursor::new(text, line), options, self.aliases);
        reader.depth = self.depth;
        let result = rule(&mut reader);
        self.warnings.append(&mut reader.warnings);
        result
    }

    /// Reads command lines to the end of the text or to an error.
    fn whole_list(&mut self) -> (List, Option<Box<SyntaxError>>) {
        let mut whole = List::default();
        loop {
            match self.command_line() {
                Ok(Some(list)) => whole.items.extend(list.items),
                Ok(None) => return (whole, None),
                Err(error) => return (whole, Some(error)),
            }
        }
    }

    /// Reads on to the `}` that ends an expansion that is none; the text of that, as bash shows it.
    #[inline(never)]
    pub fn bad_parameter(&mut self, quoting: Quoting) -> Parse<Vec<u8>> {
        let mut parts = Vec::new();
        match quoting {
            Quoting::None => self.word_parts(&mut parts, Ends::Operand)?,
            Quoting::Double => self.quoted_parts(&mut parts, QuotedEnds::Operand)?,
            Quoting::Document => self.quoted_parts(&mut parts, QuotedEnds::DocumentOperand)?,
        }
        let word = Word { parts };
        Ok(match quoting {
            Quoting::None => print::word(&word),
            Quoting::Double | Quoting::Document => print::document(&word),
        })
    }
}

/// Notes where an error is.
fn substituted(error: Box<SyntaxError>) -> Box<SyntaxError> {
    let mut error = error;
    error.substituted = match error.kind {
        SyntaxErrorKind::UnexpectedToken | SyntaxErrorKind::Sections => true,
        SyntaxErrorKind::Conditional => !error.incomplete,
        _ => false,
    };
    error
}

/// What bash keeps of a text of which it only looks for the end: line continuations are left out, and
/// `$'…'` is decoded.
fn matched(text: &[u8]) -> Vec<u8> {
    let mut kept = Vec::with_capacity(text.len());
    let mut rest = text;
    let mut double = false;
    while let Some((&byte, after)) = rest.split_first() {
        let quote = |from: &[u8], quote| Some(1 + from.iter().position(|&byte| byte == quote)?);
        let taken = match (byte, after.first()) {
            (b'\\', Some(b'\n')) => {
                rest = &after[1..];
                continue;
            }
            (b'\\', Some(_)) => 2,
            (b'\'', _) if !double => 1 + quote(after, b'\'').unwrap_or(after.len()),
            (b'$', Some(b'\'')) if !double => {
                let length = ansi_length(&after[1..]);
                print::single_quoted(&mut kept, &decode_ansi(&after[1..=length]));
                rest = after.get(length + 2..).unwrap_or_default();
                continue;
            }
            (b'$', Some(b'"')) if !double => {
                rest = after;
                continue;
            }
            (b'"', _) => {
                double = !double;
                1
            }
            _ => 1,
        };
        kept.extend_from_slice(&rest[..taken]);
        rest = &rest[taken..];
    }
    kept
}

/// How long the text of `$'…'` is, up to the quote that ends it.
fn ansi_length(text: &[u8]) -> usize {
    let mut length = 0;
    loop {
        match text.get(length) {
            Some(b'\\') => length = text.len().min(length + 2),
            Some(b'\'') | None => return length,
            Some(_) => length += 1,
        }
    }
}

fn push_dollar(parts: &mut Vec<Part>, quoting: Quoting) {
    match quoting {
        Quoting::None => push_literal(parts, b"$"),
        _ => push_quoted(parts, b"$"),
    }
}

fn unescape_backquoted(source: &[u8], quoting: Quoting) -> Vec<u8> {
    let mut text = Vec::with_capacity(source.len());
    let mut bytes = source.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        let escapes = match bytes.peek() {
            Some(b'$' | b'`' | b'\\') => true,
            Some(b'"') => quoting == Quoting::Double,
            _ => false,
        };
        match bytes.peek().copied() {
            Some(next) if byte == b'\\' && escapes => {
                bytes.next();
                text.push(next);
            }
            _ => text.push(byte),
        }
    }
    text
}

//! Words outside double quotes.

use super::reader::{Parse, Reader};
use super::substitution::Quoting;
use super::tree::{Part, Word};

/// What ends a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ends {
    /// Blanks and operators.
    Command,
    /// Blanks and operators; extended patterns whether or not `extglob` is on.
    Pattern,
    /// Blanks and operators outside of parentheses; `|` and parentheses are text.
    Regex,
    /// `}`
    Operand,
    /// `}` or `/`
    Replaced,
    /// `|` or `)`
    Alternative,
    /// `|` or `)`, or what ends the operand around it: `}`.
    OperandAlternative,
    /// `|` or `)`, or what ends the pattern around it: `}` or `/`.
    ReplacedAlternative,
    /// The `]` that matches.
    Subscript,
    /// The `]` that matches, or `}`
    ParameterSubscript,
    /// The `]` that matches, or blanks and operators.
    SubscriptWord,
}

impl Ends {
    const fn bit(self) -> u16 {
        1 << self as u8
    }

    /// What ends the alternatives of an extended pattern within.
    fn alternative(self) -> Ends {
        match self {
            Ends::Operand | Ends::OperandAlternative => Ends::OperandAlternative,
            Ends::Replaced | Ends::ReplacedAlternative => Ends::ReplacedAlternative,
            _ => Ends::Alternative,
        }
    }
}

const META: u16 =
    Ends::Command.bit() | Ends::Pattern.bit() | Ends::Regex.bit() | Ends::SubscriptWord.bit();

/// For each byte, where it is not plain text.
static SPECIAL: [u16; 256] = special();

const fn special() -> [u16; 256] {
    let replaced = Ends::Replaced.bit() | Ends::ReplacedAlternative.bit();
    let operand = Ends::Operand.bit() | Ends::OperandAlternative.bit() | replaced;
    let alternative =
        Ends::Alternative.bit() | Ends::OperandAlternative.bit() | Ends::ReplacedAlternative.bit();
    let parameter = Ends::ParameterSubscript.bit();
    let subscript = Ends::Subscript.bit() | parameter | Ends::SubscriptWord.bit();
    let rules: [(&[u8], u16); 10] = [
        (b"'\"\\$`\n", u16::MAX),
        (b" \t;&|()<>", META),
        (b"}", operand),
        (b"}", parameter),
        (b"/", replaced),
        (b"(<>", operand),
        (b"|()", alternative),
        (b"[]", subscript),
        (b"(", operand | alternative),
        (b"<>", alternative),
    ];
    let mut table = [0; 256];
    let mut rule = 0;
    while rule < rules.len() {
        let (bytes, mask) = rules[rule];
        let mut index = 0;
        while index < bytes.len() {
            table[bytes[index] as usize] |= mask;
            index += 1;
        }
        rule += 1;
    }
    table
}

/// Adds unquoted text.
#[inline]
pub(super) fn push_literal(parts: &mut Vec<Part>, text: &[u8]) {
    match parts.last_mut() {
        Some(Part::Literal(last)) => last.extend_from_slice(text),
        _ => parts.push(Part::Literal(text.to_vec())),
    }
}

/// `text` without line continuations.
pub(super) fn join(text: &[u8]) -> Vec<u8> {
    let mut joined = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some((&byte, after)) = rest.split_first() {
        let taken = match after.first() {
            Some(b'\n') if byte == b'\\' => {
                rest = &after[1..];
                continue;
            }
            Some(_) if byte == b'\\' => 2,
            _ => 1,
        };
        joined.extend_from_slice(&rest[..taken]);
        rest = &rest[taken..];
    }
    joined
}

impl Reader<'_> {
    /// Reads a word of a command.
    #[inline]
    pub fn word(&mut self) -> Parse<Word> {
        self.word_until(Ends::Command)
    }

    /// Reads a word that `ends` ends.
    pub fn word_until(&mut self, ends: Ends) -> Parse<Word> {
        let mut parts = Vec::new();
        self.word_parts(&mut parts, ends)?;
        Ok(Word { parts })
    }

    /// Reads on to what ends the word, which is left to be read; or to the end of the text.
    pub fn word_parts(&mut self, parts: &mut Vec<Part>, ends: Ends) -> Parse<()> {
        let mask = ends.bit();
        let line = self.cursor.line;
        let mut nesting = 0;
        loop {
            let rest = self.cursor.rest();
            let run = rest
                .iter()
                .position(|&byte| SPECIAL[usize::from(byte)] & mask != 0)
                .unwrap_or(rest.len());
            if run > 0 {
                push_literal(parts, &rest[..run]);
                self.cursor.position += run;
            }
            let Some(byte) = self.cursor.raw() else {
                return self.end_of_text(ends, nesting, line);
            };
            match byte {
                b'\\' => self.escape(parts),
                b'\'' => self.single_quoted(parts)?,
                b'"' => self.double_quoted(parts)?,
                b'$' => self.dollar(parts, Quoting::None)?,
                b'`' => self.backquoted(parts, Quoting::None)?,
                _ if self.ends_word(parts, ends, byte, &mut nesting)? => return Ok(()),
                _ => {}
            }
        }
    }

    /// The text ended: a regular expression may not end within parentheses.
    #[cold]
    fn end_of_text(&self, ends: Ends, nesting: u32, line: u32) -> Parse<()> {
        if ends != Ends::Regex || nesting == 0 {
            return Ok(());
        }
        Err(self.unmatched(b')', line))
    }

    #[inline(never)]
    fn escape(&mut self, parts: &mut Vec<Part>) {
        match self.cursor.raw_at(1) {
            Some(b'\n') => {
                self.cursor.position += 2;
                self.cursor.count_line();
            }
            Some(byte) => {
                self.cursor.position += 2;
                parts.push(Part::Escaped(byte));
            }
            None => {
                self.cursor.position += 1;
                parts.push(Part::Escaped(b'\\'));
            }
        }
    }

    /// Whether `byte` ends the word; else it is taken.
    #[inline(never)]
    fn ends_word(
        &mut self,
        parts: &mut Vec<Part>,
        ends: Ends,
        byte: u8,
        nesting: &mut u32,
    ) -> Parse<bool> {
        if matches!(byte, b'<' | b'>') && self.cursor.peek_after(1) == Some(b'(') {
            self.process_substitution(parts)?;
            return Ok(false);
        }
        if byte == b'(' && self.is_extended_pattern(parts, ends) {
            self.extended_pattern(parts, ends.alternative())?;
            return Ok(false);
        }
        if byte == b'\n' && META & ends.bit() == 0 {
            push_literal(parts, b"\n");
            self.cursor.position += 1;
            self.cursor.count_line();
            return Ok(false);
        }
        let stop = match ends {
            Ends::Command | Ends::Pattern => true,
            Ends::Operand | Ends::Replaced => matches!(byte, b'}' | b'/'),
            Ends::Regex => !regex_takes(byte, nesting),
            Ends::Alternative | Ends::OperandAlternative | Ends::ReplacedAlternative => {
                matches!(byte, b'}' | b'/')
                    || !matches!(byte, b'<' | b'>') && !nested(byte, b'(', b')', nesting)
            }
            Ends::Subscript => !nested(byte, b'[', b']', nesting),
            Ends::ParameterSubscript => byte == b'}' || !nested(byte, b'[', b']', nesting),
            Ends::SubscriptWord => {
                !matches!(byte, b'[' | b']') || !nested(byte, b'[', b']', nesting)
            }
        };
        if !stop {
            push_literal(parts, &[byte]);
            self.cursor.position += 1;
            if byte == b'\n' {
                self.cursor.count_line();
            }
        }
        Ok(stop)
    }

    fn is_extended_pattern(&self, parts: &[Part], ends: Ends) -> bool {
        let allowed = match ends {
            Ends::Command | Ends::SubscriptWord => self.options.extglob,
            Ends::Regex | Ends::Subscript | Ends::ParameterSubscript => false,
            _ => true,
        };
        allowed
            && matches!(parts.last(), Some(Part::Literal(text))
                if matches!(text.last(), Some(b'?' | b'*' | b'+' | b'@' | b'!')))
    }

    /// Reads `( … )` after the operator that ends the last part.
    #[inline(never)]
    fn extended_pattern(&mut self, parts: &mut Vec<Part>, ends: Ends) -> Parse<()> {
        let Some(Part::Literal(text)) = parts.last_mut() else {
            return Ok(());
        };
        let operator = text.pop().unwrap_or(b'@');
        if text.is_empty() {
            parts.pop();
        }
        self.enter()?;
        let line = self.cursor.line;
        let mut alternatives = Vec::new();
        loop {
            self.cursor.position += 1;
            alternatives.push(self.word_until(ends)?);
            match self.cursor.raw() {
                Some(b'|') => {}
                Some(_) => break,
                None => return Err(self.unmatched(b')', line)),
            }
        }
        self.leave();
        if !self.cursor.eat(b')') {
            plain_pattern(parts, operator, alternatives);
            return Ok(());
        }
        parts.push(Part::ExtendedPattern {
            operator,
            alternatives,
        });
        Ok(())
    }
}

/// Puts what looked like an extended pattern, but was not closed.
fn plain_pattern(parts: &mut Vec<Part>, operator: u8, alternatives: Vec<Word>) {
    let mut separator = b'(';
    push_literal(parts, &[operator]);
    for alternative in alternatives {
        push_literal(parts, &[separator]);
        separator = b'|';
        for part in alternative.parts {
            match part {
                Part::Literal(text) => push_literal(parts, &text),
                part => parts.push(part),
            }
        }
    }
}

/// Whether `byte` is text because it opens a pair or closes one that was opened.
fn nested(byte: u8, open: u8, close: u8, nesting: &mut u32) -> bool {
    if byte == open {
        *nesting += 1;
    } else if *nesting == 0 {
        return false;
    } else if byte == close {
        *nesting -= 1;
    }
    true
}

/// Whether `byte`, an operator elsewhere, is text of a regular expression.
fn regex_takes(byte: u8, nesting: &mut u32) -> bool {
    nested(byte, b'(', b')', nesting) || byte == b'|'
}

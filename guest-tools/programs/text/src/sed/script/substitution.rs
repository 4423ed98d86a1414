//! Patterns and what takes their place: the arguments of `s` and `y`, and GNU's escapes.

use std::collections::HashMap;
use std::rc::Rc;

use super::parser::{Outcome, Parser};
use super::{Action, BARE_CLASS, Case, Part, Substitution};
use crate::pattern::{Dialect, Pattern, Settings, has_bare_class};

impl Parser<'_> {
    /// The text up to a delimiter that no backslash and, in a pattern, no bracket hides; none where there is no such
    /// delimiter. A delimiter behind a backslash loses the backslash, other escapes stay as they are.
    ///
    /// ```text
    /// /a\/b/     a/b          ,a\,b,     a,b          /[/]/      [/]
    /// ```
    pub(super) fn delimited(&mut self, delimiter: u8, is_pattern: bool) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        let mut bracket_start = None;
        loop {
            let byte = self.next()?;
            if let Some(start) = bracket_start {
                // The first `]` of a bracket expression is a member.
                let negated = text.get(start) == Some(&b'^');
                let members = text.len() - start - usize::from(negated);
                match byte {
                    b']' if members > 0 => bracket_start = None,
                    b'[' if matches!(self.peek(), Some(b':' | b'.' | b'=')) => {
                        let mark = self.peek().unwrap_or(b':');
                        let rest = &self.source[self.at + 1..];
                        if let Some(end) = rest.windows(2).position(|pair| pair == [mark, b']']) {
                            text.push(byte);
                            text.extend_from_slice(&self.source[self.at..self.at + end + 3]);
                            self.at += end + 3;
                            continue;
                        }
                    }
                    b'\n' => return None,
                    _ => {}
                }
                text.push(byte);
                continue;
            }
            match byte {
                _ if byte == delimiter => return Some(text),
                b'\\' => {
                    let next = self.next()?;
                    if next == delimiter {
                        // It is itself now, and no operator.
                        text.push(next)
                    } else if next == b'\n' && is_pattern {
                        text.push(b'\n');
                    } else {
                        text.extend([byte, next]);
                    }
                }
                b'\n' if is_pattern => return None,
                b'[' if is_pattern => {
                    text.push(byte);
                    bracket_start = Some(text.len());
                }
                _ => text.push(byte),
            }
        }
    }

    /// Compiles a pattern; none for the empty one.
    pub(super) fn pattern(
        &self,
        source: &[u8],
        ignore_case: bool,
        multi_line: bool,
    ) -> Outcome<Option<Rc<Pattern>>> {
        if source.is_empty() {
            return Ok(None);
        }
        let settings = Settings {
            ignore_case,
            multi_line,
            ..Settings::new(self.dialect)
        };
        let source = escapes(source);
        if has_bare_class(&source) {
            return Err(BARE_CLASS.to_owned());
        }
        let source = if self.posix && self.dialect == Dialect::Basic {
            without_operators(&source)
        } else {
            source
        };
        if self.dialect == Dialect::Extended {
            check_extended(&source)?;
        }
        Ok(Some(Rc::new(Pattern::new(&source, &settings)?)))
    }

    /// Reads an `s` behind its letter. Any byte but a newline and a backslash may be the delimiter.
    pub(super) fn substitution(&mut self) -> Outcome<Action> {
        const UNTERMINATED: &str = "unterminated `s' command";
        let delimiter = self
            .next()
            .filter(|byte| !b"\n\\".contains(byte))
            .ok_or(UNTERMINATED)?;
        let source = self.delimited(delimiter, true).ok_or(UNTERMINATED)?;
        let replacement = self.replacement(delimiter).ok_or(UNTERMINATED)?;
        let mut substitution = Substitution {
            pattern: None,
            groups: replacement
                .iter()
                .any(|part| matches!(part, Part::Group(1..))),
            replacement,
            number: 1,
            all: false,
            print: 0,
            evaluate: false,
            file: None,
        };
        let (mut ignore_case, mut multi_line, mut numbered) = (false, false, false);
        loop {
            match self.peek() {
                Some(b'g') if substitution.all => {
                    self.at += 1;
                    return Err("multiple `g' options to `s' command".to_owned());
                }
                Some(b'g') => substitution.all = true,
                Some(b'p') if substitution.print > 0 => {
                    self.at += 1;
                    return Err("multiple `p' options to `s' command".to_owned());
                }
                Some(b'p') => substitution.print += 1,
                Some(b'i' | b'I') => ignore_case = true,
                Some(b'm' | b'M') => multi_line = true,
                Some(b'e') => substitution.evaluate = true,
                Some(b'0'..=b'9') => {
                    if numbered {
                        self.at += 1;
                        return Err("multiple number options to `s' command".to_owned());
                    }
                    numbered = true;
                    substitution.number = self.number().unwrap_or(0) as usize;
                    if substitution.number == 0 {
                        return Err("number option to `s' command may not be zero".to_owned());
                    }
                    continue;
                }
                Some(b'w') => {
                    self.at += 1;
                    substitution.file = Some(self.file()?);
                    break;
                }
                Some(b' ' | b'\t' | b'\n' | b';' | b'}' | b'#') | None => {
                    self.end()?;
                    break;
                }
                Some(b'\r') => {}
                Some(_) => {
                    self.at += 1;
                    return Err("unknown option to `s'".to_owned());
                }
            }
            self.at += 1;
        }
        substitution.pattern = self.pattern(&source, ignore_case, multi_line)?;
        let groups = substitution
            .pattern
            .as_ref()
            .map_or(9, |pattern| pattern.group_count());
        for part in &substitution.replacement {
            if let Part::Group(number) = part
                && *number > groups
            {
                return Err(format!("invalid reference \\{number} on `s' command's RHS"));
            }
        }
        Ok(Action::Substitute(Box::new(substitution)))
    }

    /// Reads a replacement up to its delimiter; none where that is missing. A newline may stand in it, with a
    /// backslash or not.
    fn replacement(&mut self, delimiter: u8) -> Option<Vec<Part>> {
        let mut parts = Vec::new();
        let mut literal = Vec::new();
        let mut push = |literal: &mut Vec<u8>, part: Part| {
            if !literal.is_empty() {
                parts.push(Part::Literal(std::mem::take(literal)));
            }
            parts.push(part);
        };
        loop {
            let byte = self.next()?;
            match byte {
                _ if byte == delimiter => break,
                b'&' => push(&mut literal, Part::Group(0)),
                b'\\' => {
                    let next = self.next()?;
                    match next {
                        _ if next == delimiter => literal.push(next),
                        b'0'..=b'9' => push(&mut literal, Part::Group(usize::from(next - b'0'))),
                        b'U' => push(&mut literal, Part::Case(Case::Upper)),
                        b'L' => push(&mut literal, Part::Case(Case::Lower)),
                        b'u' => push(&mut literal, Part::Case(Case::UpperNext)),
                        b'l' => push(&mut literal, Part::Case(Case::LowerNext)),
                        b'E' => push(&mut literal, Part::Case(Case::End)),
                        _ => match escape(next, &self.source[self.at..]) {
                            Some((byte, used)) => {
                                literal.push(byte);
                                self.at += used;
                            }
                            None => literal.push(next),
                        },
                    }
                }
                _ => literal.push(byte),
            }
        }
        if !literal.is_empty() {
            parts.push(Part::Literal(literal));
        }
        Some(parts)
    }

    /// Reads a `y` behind its letter. Of a character that is named twice the first meaning counts.
    pub(super) fn transliteration(&mut self) -> Outcome<Action> {
        const UNTERMINATED: &str = "unterminated `y' command";
        let delimiter = self.next().ok_or(UNTERMINATED)?;
        let from = self.delimited(delimiter, false).ok_or(UNTERMINATED)?;
        let to = self.delimited(delimiter, false).ok_or(UNTERMINATED)?;
        let (from, to) = (characters(&from), characters(&to));
        if from.len() != to.len() {
            return Err("strings for `y' command are different lengths".to_owned());
        }
        self.end()?;
        let mut table = HashMap::new();
        for (from, to) in from.into_iter().zip(to) {
            table.entry(from).or_insert(to);
        }
        Ok(Action::Transliterate(table))
    }
}

/// The byte of an escape whose letter is `letter`, and how many bytes more it takes.
pub(super) fn escape(letter: u8, rest: &[u8]) -> Option<(u8, usize)> {
    let digits = |base: u32, most: usize| {
        let digits = rest
            .iter()
            .take(most)
            .map_while(|byte| char::from(*byte).to_digit(base));
        digits.fold((0u32, 0), |(value, count), digit| {
            (value * base + digit, count + 1)
        })
    };
    let numeric = |base, most| match digits(base, most) {
        (_, 0) => None,
        (value, count) => Some((value as u8, count)),
    };
    match letter {
        b'a' => Some((7, 0)),
        b'f' => Some((12, 0)),
        b'n' => Some((b'\n', 0)),
        b'r' => Some((b'\r', 0)),
        b't' => Some((b'\t', 0)),
        b'v' => Some((11, 0)),
        b'c' => rest
            .first()
            .map(|byte| (byte.to_ascii_uppercase() ^ 0x40, 1)),
        b'd' => numeric(10, 3),
        b'o' => numeric(8, 3),
        b'x' => numeric(16, 2),
        _ => None,
    }
}

/// Replaces the escapes of a pattern that the pattern syntax does not have, also inside brackets. A character that is
/// given by number means what it means itself: `\x2a` is the operator `*`, and `\x3f` a question mark in basic patterns.
fn escapes(source: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(source.len());
    let mut at = 0;
    while at < source.len() {
        let byte = source[at];
        at += 1;
        let Some(&next) = source.get(at).filter(|_| byte == b'\\') else {
            out.push(byte);
            continue;
        };
        at += 1;
        match escape(next, &source[at..]) {
            Some((value, used)) => {
                at += used;
                out.push(value);
            }
            None => out.extend([byte, next]),
        }
    }
    out
}

/// A basic pattern in which `\+`, `\?` and `\|` are the characters.
fn without_operators(source: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(source.len());
    let mut rest = source;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match (byte, after.first()) {
            (b'\\', Some(next)) => {
                if !b"+?|".contains(next) {
                    out.push(byte);
                }
                out.push(*next);
                rest = &after[1..];
            }
            _ => out.push(byte),
        }
    }
    out
}

/// The characters of a `y` string.
fn characters(text: &[u8]) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if text[at] == b'\\' && at + 1 < text.len() {
            let next = text[at + 1];
            at += 2;
            match escape(next, &text[at..]) {
                Some((byte, used)) => {
                    found.push(vec![byte]);
                    at += used;
                }
                None if next == b'\\' => found.push(vec![b'\\']),
                None => found.extend([vec![b'\\'], vec![next]]),
            }
            continue;
        }
        let length = crate::pattern::character_length(&text[at..]);
        found.push(text[at..at + length].to_vec());
        at += length;
    }
    found
}

/// Refuses what GNU's sed refuses in an extended expression, and its grep takes literally.
fn check_extended(source: &[u8]) -> Outcome<()> {
    if matches!(source.first(), Some(b'*' | b'+' | b'?')) {
        return Err("Invalid preceding regular expression".to_owned());
    }
    let mut at = 0;
    while at < source.len() {
        match source[at] {
            b'\\' => at += 1,
            // Brackets hide everything; where they end is for the compiler to say.
            b'[' => return Ok(()),
            b'{' if at > 0 => {
                let body = &source[at + 1..];
                let inside = |byte: &u8| byte.is_ascii_digit() || *byte == b',';
                let length = body.iter().take_while(|byte| inside(byte)).count();
                if length == body.len() {
                    return Err("Unmatched \\{".to_owned());
                }
            }
            _ => {}
        }
        at += 1;
    }
    Ok(())
}

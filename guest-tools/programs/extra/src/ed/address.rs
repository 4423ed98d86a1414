//! The addresses in front of a command: `2`, `.,$`, `/a/;/b/+1`, `'a`, `%`.
//!
//! Addresses are evaluated from left to right, `;` makes the one before it the current line, and of more than two the
//! last two count. With the current line 3 of 9:
//!
//! | text | lines |
//! |---|---|
//! | `p` | 3 |
//! | `2,5p` | 2 to 5 |
//! | `,p`, `%p` | 1 to 9 |
//! | `;p` | 3 to 9 |
//! | `5,p` | 5 |
//! | `.+2p`, `+2p`, `++p` | 5 |
//! | `/x/;+1p` | the next line with `x`, and the one after it |

use std::rc::Rc;

use super::Editor;
use super::error::Error;
use crate::pattern::{Pattern, Settings};

/// What is left of a line of commands.
pub struct Cursor<'a> {
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    /// A cursor at the start of a line, which has no newline at its end.
    pub fn new(rest: &'a [u8]) -> Cursor<'a> {
        Cursor { rest }
    }

    /// The next byte; `None` at the end.
    pub fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    /// Takes the next byte.
    pub fn next(&mut self) -> Option<u8> {
        let (&first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(first)
    }

    /// Whether this byte comes next; it is taken then.
    pub fn takes(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        if found {
            self.rest = &self.rest[1..];
        }
        found
    }

    /// Passes over ASCII whitespace.
    pub fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_ascii_start();
    }

    /// All that is left.
    pub fn take_rest(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.rest)
    }

    /// Whether a decimal digit comes next.
    pub fn is_at_digit(&self) -> bool {
        self.peek().is_some_and(|byte| byte.is_ascii_digit())
    }

    /// The number that comes next; `Error::Range` where it exceeds a `usize`, or where there is no digit.
    pub fn number(&mut self) -> Result<usize, Error> {
        let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit());
        let (digits, rest) = self.rest.split_at(digits.count());
        self.rest = rest;
        let digits = std::str::from_utf8(digits).unwrap_or_default();
        digits.parse().map_err(|_| Error::Range)
    }
}

/// The lines that a command was given.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// The first line; `to` where there was one address, the current line where there was none.
    pub from: usize,
    /// The last line. It may be 0, and it may be smaller than `from`: `Editor::check` is the caller's task.
    pub to: usize,
    /// How many addresses there were.
    pub count: usize,
}

impl Editor {
    /// The addresses in front of a command. Each is within 0 and the last line; that they are in order is not checked
    /// here.
    pub fn range(&mut self, line: &mut Cursor<'_>) -> Result<Range, Error> {
        let here = self.buffer.current;
        let mut found: Vec<usize> = Vec::new();
        // A separator with nothing in front of it means lines up to the last one.
        let mut reaches_end = false;
        let (to, given) = loop {
            let address = self.address(line)?;
            line.skip_blanks();
            let separator = match line.peek() {
                Some(byte @ (b',' | b';')) => byte,
                Some(b'%') if address.is_none() => b',',
                _ => match (address, found.last()) {
                    (Some(to), _) => break (to, true),
                    (None, Some(_)) if reaches_end => break (self.buffer.last(), true),
                    (None, Some(&last)) => break (last, true),
                    (None, None) => break (here, false),
                },
            };
            line.next();
            reaches_end = address.is_none();
            let from = match (address, found.is_empty(), separator) {
                (Some(from), _, _) => from,
                (None, true, b',') => 1,
                (None, true, _) => self.buffer.current,
                (None, false, _) => self.buffer.last(),
            };
            if separator == b';' {
                self.buffer.current = from;
            }
            found.push(from);
        };
        let count = found.len() + usize::from(given);
        let from = found.last().copied().unwrap_or(to);
        Ok(Range { from, to, count })
    }

    /// One address with its offsets: `/x/+2`, `$-1`, `.+1 2`, `---`. `None` where there is no address.
    ///
    /// A result beyond the last line or below 0 is `Error::Address`.
    fn address(&mut self, line: &mut Cursor<'_>) -> Result<Option<usize>, Error> {
        line.skip_blanks();
        let base = match line.peek() {
            Some(b'.') => {
                line.next();
                Some(self.buffer.current)
            }
            Some(b'$') => {
                line.next();
                Some(self.buffer.last())
            }
            Some(byte) if byte.is_ascii_digit() => Some(line.number()?),
            Some(divider @ (b'/' | b'?')) => {
                line.next();
                let pattern = self.delimited(line, divider)?;
                Some(self.search(&pattern, divider == b'/')?)
            }
            Some(b'\'') => {
                line.next();
                let letter = line.next().ok_or(Error::Mark)?;
                Some(
                    self.buffer
                        .marked(letter_of(letter)?)
                        .ok_or(Error::Address)?,
                )
            }
            _ => None,
        };
        let mut at = base.map(|base| i64::try_from(base).unwrap_or(i64::MAX));
        let here = i64::try_from(self.buffer.current).unwrap_or(i64::MAX);
        loop {
            let is_apart = matches!(line.peek(), Some(b' ' | b'\t'));
            line.skip_blanks();
            let sign = match line.peek() {
                Some(b'+') => 1,
                Some(b'-') => -1,
                // A number behind another one is added.
                Some(byte) if byte.is_ascii_digit() && is_apart && at.is_some() => 0,
                Some(b'.' | b'$' | b'/' | b'\'') if at.is_some() => return Err(Error::Address),
                _ => break,
            };
            if sign != 0 {
                line.next();
            }
            let by = match line.is_at_digit() {
                true => i64::try_from(line.number()?).map_err(|_| Error::Range)?,
                false => 1,
            };
            let by = if sign < 0 { -by } else { by };
            at = Some(at.unwrap_or(here).saturating_add(by));
        }
        let Some(at) = at else {
            return Ok(None);
        };
        let line = usize::try_from(at).map_err(|_| Error::Address)?;
        match line <= self.buffer.last() {
            true => Ok(Some(line)),
            false => Err(Error::Address),
        }
    }

    /// The pattern up to a delimiter or the end of the line, and an `I` behind it for any case. An empty pattern is the
    /// last one.
    pub fn delimited(&mut self, line: &mut Cursor<'_>, divider: u8) -> Result<Rc<Pattern>, Error> {
        let source = pattern_text(line, divider);
        let ignore_case = line.takes(b'I');
        if source.is_empty() {
            return self.pattern.clone().ok_or(Error::NoPattern);
        }
        self.compile(&source, ignore_case)
    }

    /// Compiles a pattern in the dialect of the run (`-E`) and remembers it as the last one.
    pub fn compile(&mut self, source: &[u8], ignore_case: bool) -> Result<Rc<Pattern>, Error> {
        let settings = Settings {
            ignore_case,
            ..Settings::new(self.settings.dialect)
        };
        let pattern = Rc::new(Pattern::new(source, &settings).map_err(Error::Pattern)?);
        self.pattern = Some(Rc::clone(&pattern));
        Ok(pattern)
    }

    /// The next line with a match, or the previous one. The search wraps around and looks at the current line last.
    fn search(&self, pattern: &Pattern, forward: bool) -> Result<usize, Error> {
        let (here, last) = (self.buffer.current, self.buffer.last());
        let mut order: Box<dyn Iterator<Item = usize>> = match forward {
            true => Box::new((here + 1..=last).chain(1..=here)),
            false => Box::new((1..here).rev().chain((here.max(1)..=last).rev())),
        };
        let found = order.find(|&number| pattern.is_match(&self.buffer.line(number)));
        found.ok_or(Error::NoMatch)
    }
}

/// The source of a pattern up to the delimiter, which is taken. A delimiter within brackets or behind a backslash does
/// not end it; `\/` becomes `/`.
pub fn pattern_text(line: &mut Cursor<'_>, divider: u8) -> Vec<u8> {
    let mut source = Vec::new();
    while let Some(byte) = line.next() {
        match byte {
            byte if byte == divider => break,
            b'\\' => {
                // The delimiter itself is an ordinary character then.
                match line.next() {
                    Some(next) if next == divider => {}
                    Some(next) => {
                        source.extend([b'\\', next]);
                        continue;
                    }
                    None => {
                        source.push(b'\\');
                        break;
                    }
                }
                source.push(divider);
            }
            b'[' => brackets(line, &mut source),
            byte => source.push(byte),
        }
    }
    source
}

/// Copies a bracket expression behind its `[`, to its `]`. A `]` that comes first, and classes such as `[:alpha:]`,
/// belong to it.
fn brackets(line: &mut Cursor<'_>, source: &mut Vec<u8>) {
    source.push(b'[');
    if line.takes(b'^') {
        source.push(b'^');
    }
    if line.takes(b']') {
        source.push(b']');
    }
    while let Some(byte) = line.next() {
        source.push(byte);
        match byte {
            b']' => return,
            b'[' if matches!(line.peek(), Some(b'.' | b':' | b'=')) => {
                let kind = line.next().unwrap_or_default();
                source.push(kind);
                while let Some(byte) = line.next() {
                    source.push(byte);
                    if byte == kind && line.takes(b']') {
                        source.push(b']');
                        break;
                    }
                }
            }
            _ => {}
        }
    }
}

/// The place of a mark's letter in the alphabet, from 0; `Error::Mark` for anything but `a` to `z`.
pub fn letter_of(letter: u8) -> Result<usize, Error> {
    match letter {
        b'a'..=b'z' => Ok(usize::from(letter - b'a')),
        _ => Err(Error::Mark),
    }
}

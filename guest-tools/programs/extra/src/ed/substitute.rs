//! `s/PATTERN/TEXT/FLAGS`

use std::rc::Rc;

use super::address::{Cursor, Range, pattern_text};
use super::buffer::Line;
use super::command::Print;
use super::error::Error;
use super::{Editor, Next};
use crate::pattern::{Groups, Pattern};

/// A part of what a match becomes.
#[derive(Clone)]
enum Part {
    Text(Vec<u8>),
    Group(usize),
}

/// What `s` did last.
#[derive(Clone)]
pub struct Substitution {
    pattern: Rc<Pattern>,
    parts: Rc<Vec<Part>>,
    /// Only the match with this number, and all behind it where `all` is set.
    nth: usize,
    all: bool,
    print: Print,
}

impl Editor {
    /// Does `s`.
    pub fn substitute(&mut self, line: &mut Cursor<'_>, range: Range) -> Result<Next, Error> {
        let again = line
            .peek()
            .is_none_or(|byte| byte.is_ascii_digit() || matches!(byte, b'g' | b'p' | b'r'));
        let substitution = match again {
            true => self.repeated(line)?,
            false => self.given(line)?,
        };
        self.check(range.from, range.to)?;
        self.substitution = Some(substitution.clone());
        let (mut number, mut end, mut changed) = (range.from, range.to, None);
        while number <= end {
            let old = self.buffer.line(number);
            if let Some(new) = substituted(&old, &substitution)? {
                let lines: Vec<Line> = new
                    .split(|&byte| byte == b'\n')
                    .map(|line| Line::new(line.to_vec()))
                    .collect();
                let more = lines.len() - 1;
                self.buffer.replace(number - 1, number, lines);
                number += more;
                end += more;
                changed = Some(number);
            }
            number += 1;
        }
        match changed {
            Some(line) => self.buffer.current = line,
            // In a list of commands it is nothing to stop at.
            None if self.is_global => {}
            None => return Err(Error::NoMatch),
        }
        if changed.is_some() && substitution.print.is_any() {
            let here = self.buffer.current;
            self.print((here, here), substitution.print)?;
        }
        Ok(Next::Go)
    }

    /// The last one again, with other flags perhaps.
    fn repeated(&mut self, line: &mut Cursor<'_>) -> Result<Substitution, Error> {
        let (mut all, mut plain, mut last_pattern, mut nth) = (false, false, false, None);
        while let Some(byte) = line.peek() {
            match byte {
                b'g' => all = !all,
                b'p' => plain = !plain,
                b'r' => last_pattern = true,
                byte if byte.is_ascii_digit() => {
                    nth = Some(line.number()?.max(1));
                    continue;
                }
                _ => return Err(Error::Suffix),
            }
            line.next();
        }
        let mut new = self.substitution.clone().ok_or(Error::NoSubstitution)?;
        new.print.plain ^= plain;
        new.all ^= all;
        if let Some(nth) = nth.or(all.then_some(1)) {
            new.nth = nth;
        }
        if last_pattern {
            new.pattern = self.pattern.clone().ok_or(Error::NoPattern)?;
        }
        Ok(new)
    }

    fn given(&mut self, line: &mut Cursor<'_>) -> Result<Substitution, Error> {
        let divider = match line.next() {
            Some(b' ') | None => return Err(Error::Delimiter),
            Some(divider) => divider,
        };
        let source = pattern_text(line, divider);
        let (text, is_ended) = replacement_text(line, divider);
        // What has no end is printed.
        let mut print = Print {
            plain: !is_ended,
            ..Print::default()
        };
        let (mut nth, mut all, mut ignore_case, mut counted) = (1, false, false, false);
        while let Some(byte) = line.peek() {
            match byte {
                b'g' if !counted && !all => all = true,
                b'I' | b'i' => ignore_case = true,
                byte if byte.is_ascii_digit() && !counted && !all => {
                    counted = true;
                    nth = line.number()?;
                    if nth == 0 {
                        return Err(Error::Suffix);
                    }
                    continue;
                }
                b'p' => print.plain = true,
                b'l' => print.listed = true,
                b'n' => print.numbered = true,
                _ => return Err(Error::Suffix),
            }
            line.next();
        }
        let pattern = match source.is_empty() {
            true => self.pattern.clone().ok_or(Error::NoPattern)?,
            false => self.compile(&source, ignore_case)?,
        };
        let parts = match text.as_slice() {
            b"%" => {
                let last = self.substitution.as_ref();
                Rc::clone(&last.ok_or(Error::NoSubstitution)?.parts)
            }
            text => Rc::new(parts(text)),
        };
        Ok(Substitution {
            pattern,
            parts,
            nth,
            all,
            print,
        })
    }
}

/// The text up to a delimiter, and whether there was one.
fn replacement_text(line: &mut Cursor<'_>, divider: u8) -> (Vec<u8>, bool) {
    let mut text = Vec::new();
    while let Some(byte) = line.next() {
        match byte {
            byte if byte == divider => return (text, true),
            b'\\' => {
                text.push(b'\\');
                text.extend(line.next());
            }
            byte => text.push(byte),
        }
    }
    (text, false)
}

/// What a match becomes: `&` and `\1` are parts of it.
fn parts(text: &[u8]) -> Vec<Part> {
    let (mut parts, mut plain) = (Vec::new(), Vec::new());
    let mut bytes = text.iter();
    while let Some(&byte) = bytes.next() {
        let group = match byte {
            b'&' => Some(0),
            b'\\' => match bytes.next() {
                Some(digit @ b'1'..=b'9') => Some(usize::from(digit - b'0')),
                Some(&other) => {
                    plain.push(other);
                    None
                }
                None => None,
            },
            byte => {
                plain.push(byte);
                None
            }
        };
        if let Some(group) = group {
            parts.push(Part::Text(std::mem::take(&mut plain)));
            parts.push(Part::Group(group));
        }
    }
    parts.push(Part::Text(plain));
    parts
}

/// A line with its matches replaced; none where there is nothing to replace.
fn substituted(line: &[u8], what: &Substitution) -> Result<Option<Vec<u8>>, Error> {
    let (mut made, mut at, mut count, mut changed) = (Vec::new(), 0, 0, false);
    while at <= line.len()
        && let Some(groups) = what.pattern.groups_at(line, at)
        && let Some(Some((start, end))) = groups.first().copied()
    {
        count += 1;
        made.extend_from_slice(&line[at..start]);
        if count >= what.nth {
            changed = true;
            put(&what.parts, line, &groups, &mut made);
        } else {
            made.extend_from_slice(&line[start..end]);
        }
        at = end;
        if changed && !what.all {
            break;
        }
        if end == start {
            if what.all {
                return Err(Error::Endless);
            }
            made.extend(line.get(end));
            at += 1;
        }
    }
    made.extend_from_slice(line.get(at..).unwrap_or_default());
    Ok(changed.then_some(made))
}

fn put(parts: &[Part], line: &[u8], groups: &Groups, made: &mut Vec<u8>) {
    for part in parts {
        match part {
            Part::Text(text) => made.extend_from_slice(text),
            Part::Group(group) => {
                if let Some(Some((start, end))) = groups.get(*group) {
                    made.extend_from_slice(&line[*start..*end]);
                }
            }
        }
    }
}

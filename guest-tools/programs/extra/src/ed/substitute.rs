//! `s/PATTERN/TEXT/FLAGS`, its repetitions, and what they replace.
//!
//! | command | what it does |
//! |---|---|
//! | `s/a/b/` | replaces the first match of each line |
//! | `s/a/b/3` | the third match |
//! | `s/a/b/g` | every match |
//! | `s/a/b/I` | without regard to case |
//! | `s/a/b/p`, `s/a/b` | prints the last changed line |
//! | `s` | repeats the last one; `sg`, `sp`, `s2` toggle or set its flags |
//! | `sr` | repeats it with the last pattern that was searched for |
//! | `s/a/%/` | uses the last replacement again |
//!
//! An empty pattern is the last one of any command. In the replacement `&` is the match, `\1` to `\9` are its groups,
//! and a newline behind a backslash splits the line. Where no line has a match, `s` fails with `Error::NoMatch`, except
//! within the list of a `g`.

use std::rc::Rc;

use super::address::{Cursor, Range, pattern_text};
use super::buffer::Line;
use super::command::Print;
use super::error::Error;
use super::{Editor, Next};
use crate::pattern::{Groups, Pattern};

/// A part of a replacement.
#[derive(Clone)]
enum Part {
    /// Bytes as they are, newlines among them.
    Text(Vec<u8>),
    /// What a group matched; 0 is the whole match.
    Group(usize),
}

/// What `s` did last, as `s` and `%` use it again. Copies share pattern and replacement.
#[derive(Clone)]
pub struct Substitution {
    pattern: Rc<Pattern>,
    parts: Rc<Vec<Part>>,
    /// The match that is replaced, from 1; with `all` also those behind it.
    nth: usize,
    /// Whether `g` was given.
    all: bool,
    /// How the last changed line is printed.
    print: Print,
}

impl Editor {
    /// Does `s` for each line of the range; the last line that changed becomes the current one.
    ///
    /// A replacement with newlines makes several lines of one; the range then grows by those, and they are not looked
    /// at again.
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

    /// The last substitution again: `g` and `p` toggle its flags, a number sets the match, `r` takes the last pattern.
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

    /// Reads delimiter, pattern, replacement and flags. Any byte but a space may be the delimiter. A command that ends
    /// before the second delimiter prints the line, as if `p` had been given.
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

/// The replacement up to the delimiter, and whether there was one. Backslashes are kept for `parts`.
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

/// Splits a replacement into texts and groups: `a&b\1` is text `a`, group 0, text `b`, group 1, and an empty text. A
/// backslash in front of anything but a digit is dropped.
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

/// A line with its matches replaced; `None` where nothing is replaced.
///
/// An empty match moves on by one byte. With `all` it is `Error::Endless`, as in GNU ed: `s/x*/-/g` is refused.
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

/// Appends the replacement of a match. A group that took no part in it is empty.
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

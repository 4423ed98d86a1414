//! The text that is left to read, with aliases written into it.
//!
//! An alias replaces its name in place: its text goes where the text already read stood, so that
//! reading on stays a walk over one buffer.

use std::collections::BTreeSet;

use crate::codec::{Codec, Context, Corrupt, Read, Reader, Writer};
use crate::record;

/// A place in a text.
#[derive(Debug, Default)]
pub(super) struct Cursor {
    text: Vec<u8>,
    /// The next byte.
    pub position: usize,
    /// The line of the next byte, from 1.
    pub line: u32,
    /// The aliases whose text was not read to its end, innermost last.
    expanding: Vec<Expansion>,
    /// Where the text of an alias ends that makes the word after it an alias too.
    blank_end: Option<usize>,
    /// Places behind `((` or `$((` where no arithmetic expression is.
    pub not_arithmetic: BTreeSet<usize>,
}

/// The text of an alias within the buffer.
#[derive(Debug)]
struct Expansion {
    end: usize,
    name: Vec<u8>,
}

impl Cursor {
    /// A cursor at the start of `text`.
    pub fn new(text: Vec<u8>, line: u32) -> Cursor {
        Cursor {
            text,
            line,
            ..Cursor::default()
        }
    }

    /// Adds text at the end.
    pub fn append(&mut self, text: &[u8]) {
        self.text.extend_from_slice(text);
    }

    /// The whole buffer.
    #[inline]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// What is left.
    #[inline]
    pub fn rest(&self) -> &[u8] {
        self.text.get(self.position..).unwrap_or_default()
    }

    /// The next byte as it stands.
    #[inline]
    pub fn raw(&self) -> Option<u8> {
        self.text.get(self.position).copied()
    }

    /// The byte `offset` after the next one, as it stands.
    #[inline]
    pub fn raw_at(&self, offset: usize) -> Option<u8> {
        self.text.get(self.position + offset).copied()
    }

    /// The next byte after line continuations, which are skipped.
    #[inline]
    pub fn peek(&mut self) -> Option<u8> {
        let byte = self.raw();
        if byte == Some(b'\\') && self.raw_at(1) == Some(b'\n') {
            return self.peek_continued();
        }
        byte
    }

    #[cold]
    fn peek_continued(&mut self) -> Option<u8> {
        while self.raw() == Some(b'\\') && self.raw_at(1) == Some(b'\n') {
            self.position += 2;
            self.count_line();
        }
        self.raw()
    }

    /// The byte after the next one; both may have line continuations before them.
    #[inline]
    pub fn peek_second(&mut self) -> Option<u8> {
        self.peek()?;
        self.peek_after(1)
    }

    /// The byte that follows `offset` bytes from here, after line continuations.
    pub fn peek_after(&self, mut offset: usize) -> Option<u8> {
        while self.raw_at(offset) == Some(b'\\') && self.raw_at(offset + 1) == Some(b'\n') {
            offset += 2;
        }
        self.raw_at(offset)
    }

    /// Skips `expected` where it comes next.
    #[inline]
    pub fn eat(&mut self, expected: u8) -> bool {
        let found = self.peek() == Some(expected);
        if found {
            self.position += 1;
        }
        found
    }

    /// Counts the end of a line, unless it belongs to an alias.
    #[inline]
    pub fn count_line(&mut self) {
        if self.expanding.is_empty() || !self.in_alias() {
            self.line += 1;
        }
    }

    /// Skips to `end` and counts the lines between.
    pub fn skip_to(&mut self, end: usize) {
        let passed = self.text.get(self.position..end).unwrap_or_default();
        let lines = passed.iter().filter(|&&byte| byte == b'\n').count();
        if self.expanding.is_empty() || !self.in_alias() {
            self.line += lines as u32;
        }
        self.position = end;
    }

    /// Moves a line continuation that follows the next `length` bytes before them, where it means
    /// the same; whether there was one.
    pub fn move_continuation(&mut self, length: usize) -> bool {
        let end = self.position + length;
        let found = self.text.get(end..end + 2) == Some(b"\\\n");
        if found {
            self.text[self.position..end + 2].rotate_right(2);
            self.position += 2;
            self.count_line();
        }
        found
    }

    /// The line of the last byte that was read; the newline at its end belongs to it.
    pub fn last_line(&self) -> u32 {
        let before = self
            .position
            .checked_sub(1)
            .and_then(|at| self.text.get(at));
        self.line - u32::from(before == Some(&b'\n') && self.line > 1)
    }

    /// Skips what is left of the line.
    pub fn skip_line(&mut self) {
        let rest = self.rest();
        let length = rest.iter().position(|&byte| byte == b'\n');
        let end = self.position + length.map_or(rest.len(), |length| length + 1);
        self.skip_to(end);
    }

    /// The line that holds the next byte, for messages.
    pub fn current_line(&self) -> &[u8] {
        let position = self.position.min(self.text.len());
        let (before, after) = self.text.split_at(position);
        let start = before
            .iter()
            .rposition(|&byte| byte == b'\n')
            .map_or(0, |index| index + 1);
        let end = after
            .iter()
            .position(|&byte| byte == b'\n')
            .map_or(self.text.len(), |index| position + index);
        &self.text[start..end]
    }

    fn in_alias(&self) -> bool {
        self.expanding
            .iter()
            .any(|expansion| expansion.end >= self.position && self.position > 0)
    }

    /// Whether the text here comes from the alias `name`.
    pub fn is_expanding(&self, name: &[u8]) -> bool {
        self.expanding
            .iter()
            .any(|expansion| expansion.end > self.position && expansion.name == name)
    }

    /// Whether the word here follows the text of an alias that ended in a blank.
    #[inline]
    pub fn follows_blank_alias(&mut self) -> bool {
        match self.blank_end {
            Some(end) if self.position >= end => {
                self.blank_end = None;
                true
            }
            _ => false,
        }
    }

    /// Replaces the next `length` bytes, where the alias `name` stands, by its text.
    pub fn expand_alias(&mut self, length: usize, name: Vec<u8>, text: &[u8]) {
        let mut end = self.position + length;
        if end < text.len() {
            end += self.make_room(text.len());
        }
        self.expanding.retain(|expansion| expansion.end >= end);
        self.position = end - text.len();
        self.text[self.position..end].copy_from_slice(text);
        if matches!(text.last(), Some(b' ' | b'\t')) {
            self.blank_end = Some(end);
        }
        self.expanding.push(Expansion { end, name });
    }

    /// Moves the whole text back by more than `missing` bytes; returns by how many.
    fn make_room(&mut self, missing: usize) -> usize {
        let room = missing + self.text.len().max(64);
        self.text.splice(0..0, std::iter::repeat_n(b'\n', room));
        for expansion in &mut self.expanding {
            expansion.end += room;
        }
        let places = std::mem::take(&mut self.not_arithmetic);
        self.not_arithmetic = places.into_iter().map(|place| place + room).collect();
        if let Some(end) = &mut self.blank_end {
            *end += room;
        }
        self.position += room;
        room
    }
}

record!(Expansion { end, name });

impl<C: Context> Codec<C> for Cursor {
    /// What was read is left out, but for the line that a message may show.
    fn encode(&self, writer: &mut Writer<C>) {
        let Cursor {
            text,
            position,
            line,
            expanding,
            blank_end,
            not_arithmetic,
        } = self;
        let position = (*position).min(text.len());
        let newline = text[..position].iter().rposition(|&byte| byte == b'\n');
        let start = newline.unwrap_or(0);
        writer.slice(&text[start..]);
        (position - start).encode(writer);
        line.encode(writer);
        let open = expanding.iter().filter(|open| open.end >= position);
        let open: Vec<Expansion> = open
            .map(|open| Expansion {
                end: open.end - start,
                name: open.name.clone(),
            })
            .collect();
        open.encode(writer);
        blank_end
            .map(|end| end.saturating_sub(start))
            .encode(writer);
        let places: BTreeSet<usize> = not_arithmetic
            .range(start..)
            .map(|place| place - start)
            .collect();
        places.encode(writer);
    }

    fn decode(reader: &mut Reader<'_, C>) -> Read<Cursor> {
        let cursor = Cursor {
            text: reader.slice()?.to_vec(),
            position: Codec::decode(reader)?,
            line: Codec::decode(reader)?,
            expanding: Codec::decode(reader)?,
            blank_end: Codec::decode(reader)?,
            not_arithmetic: Codec::decode(reader)?,
        };
        if cursor.position > cursor.text.len() {
            return Err(Corrupt);
        }
        Ok(cursor)
    }
}

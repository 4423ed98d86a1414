//! Records of an input, and fields of a record.
//!
//! A reader keeps one buffer and gives each record as a copy in memory of the caller's. Searches go on where they ended
//! when more is read, so that a record of n bytes costs O(n); a pattern is searched for anew in the whole of it, but
//! the buffer doubles.

use std::io::Read;
use std::ops::Range;
use std::rc::Rc;

use memchr::{memchr, memrchr};

use crate::input::read_more;
use crate::pattern::{Pattern, character_length};

/// What ends a record.
#[derive(Clone)]
pub enum Separator {
    /// That byte.
    Byte(u8),
    /// Empty lines; newlines at either end of the input do not count.
    Paragraph,
    /// A newline that is in no quotes, with a carriage return before it or not.
    Csv,
    /// Each match that is not empty.
    Pattern(Rc<Pattern>),
}

/// Reads records.
pub struct Reader {
    input: Box<dyn Read>,
    /// What was read, from a byte before the next record on.
    buffer: Vec<u8>,
    /// Where the next record begins.
    start: usize,
    /// The input is at its end.
    ended: bool,
    /// Where what ended the last record is in the buffer.
    terminator: Range<usize>,
}

/// How long a record is, and what ends it.
type Lengths = (usize, usize);

impl Reader {
    /// Reads records from `input`.
    pub fn new(input: Box<dyn Read>) -> Reader {
        Reader {
            input,
            buffer: Vec::new(),
            start: 0,
            ended: false,
            terminator: 0..0,
        }
    }

    /// Reads the next record into `record`, whose memory is used again; false at the end. A last record without its
    /// separator counts.
    pub fn next_into(
        &mut self,
        separator: &Separator,
        record: &mut Vec<u8>,
    ) -> std::io::Result<bool> {
        let found = match separator {
            Separator::Byte(byte) => self.until_byte(*byte),
            Separator::Paragraph => self.paragraph(),
            Separator::Csv => self.until_unquoted_newline(),
            Separator::Pattern(pattern) => self.until_pattern(pattern),
        };
        let Some((length, separator)) = found? else {
            return Ok(false);
        };
        let middle = self.start + length;
        let end = middle + separator;
        record.clear();
        record.extend_from_slice(&self.buffer[self.start..middle]);
        self.terminator = middle..end;
        self.start = end;
        Ok(true)
    }

    /// The next record; none at the end.
    pub fn next(&mut self, separator: &Separator) -> std::io::Result<Option<Vec<u8>>> {
        let mut record = Vec::new();
        Ok(self.next_into(separator, &mut record)?.then_some(record))
    }

    /// Passes over records that end in a newline and lie before the one that `find` finds a place in, as far
    /// as they were read, and gives how many they are. The last one that is whole stays: it may be the last of
    /// all, which the end sees.
    pub fn pass(&mut self, find: impl FnOnce(&[u8]) -> Option<usize>) -> usize {
        let unread = &self.buffer[self.start..];
        let Some(end) = memrchr(b'\n', unread) else {
            return 0;
        };
        let last = memrchr(b'\n', &unread[..end]).map_or(0, |at| at + 1);
        let found = find(&unread[..=end]).map_or(last, |found| {
            memrchr(b'\n', &unread[..found]).map_or(0, |at| at + 1)
        });
        let passed = &unread[..found.min(last)];
        let count = memchr::memchr_iter(b'\n', passed).count();
        self.start += passed.len();
        count
    }

    /// The text that ended the last record.
    pub fn terminator(&self) -> &[u8] {
        &self.buffer[self.terminator.clone()]
    }

    /// Reads more; false at the end.
    fn fill(&mut self) -> std::io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        // A byte is kept before the record, so that `^` matches only where the input begins.
        if self.start > 1 {
            self.buffer.drain(..self.start - 1);
            self.start = 1;
        }
        let pending = self.buffer.len();
        self.ended = read_more(&mut self.input, &mut self.buffer, pending)? == 0;
        Ok(!self.ended)
    }

    /// The last record, which nothing ends; none where nothing is left.
    fn rest(&self) -> Option<Lengths> {
        let left = self.buffer.len() - self.start;
        (left > 0).then_some((left, 0))
    }

    /// A record that ends with a byte.
    fn until_byte(&mut self, byte: u8) -> std::io::Result<Option<Lengths>> {
        let mut searched = 0;
        loop {
            if let Some(at) = memchr(byte, &self.buffer[self.start + searched..]) {
                return Ok(Some((searched + at, 1)));
            }
            searched = self.buffer.len() - self.start;
            if !self.fill()? {
                return Ok(self.rest());
            }
        }
    }

    /// A line of CSV, which may contain newlines within quotes.
    fn until_unquoted_newline(&mut self) -> std::io::Result<Option<Lengths>> {
        let (mut at, mut quoted) = (0, false);
        loop {
            let text = &self.buffer[self.start..];
            while let Some(next) = memchr::memchr2(b'"', b'\n', &text[at..]) {
                at += next + 1;
                match text[at - 1] {
                    b'"' => quoted = !quoted,
                    _ if quoted => {}
                    _ => {
                        let returned = usize::from(text[..at - 1].ends_with(b"\r"));
                        return Ok(Some((at - 1 - returned, 1 + returned)));
                    }
                }
            }
            at = text.len();
            if !self.fill()? {
                return Ok(self.rest());
            }
        }
    }

    /// A record that ends with a match. A match at the end of what was read is not final: more might make it longer.
    fn until_pattern(&mut self, pattern: &Pattern) -> std::io::Result<Option<Lengths>> {
        loop {
            let found = pattern.find_at(&self.buffer, self.start);
            match found {
                // At the end of what was read, the separator may go on.
                Some((from, to)) if to > from && (to < self.buffer.len() || self.ended) => {
                    return Ok(Some((from - self.start, to - from)));
                }
                _ => {}
            }
            if !self.fill()? {
                return Ok(match pattern.find_at(&self.buffer, self.start) {
                    Some((from, to)) if to > from => Some((from - self.start, to - from)),
                    _ => self.rest(),
                });
            }
        }
    }

    /// A record that ends with empty lines.
    fn paragraph(&mut self) -> std::io::Result<Option<Lengths>> {
        loop {
            let text = &self.buffer[self.start..];
            let blank = text.iter().take_while(|&&byte| byte == b'\n').count();
            let full = blank < text.len();
            self.start += blank;
            if full {
                break;
            }
            if !self.fill()? {
                return Ok(None);
            }
        }
        let mut searched = 0;
        loop {
            let text = &self.buffer[self.start..];
            if let Some(at) = memchr::memmem::find(&text[searched..], b"\n\n") {
                let at = searched + at;
                let run = text[at..].iter().take_while(|&&byte| byte == b'\n').count();
                if at + run < text.len() || self.ended {
                    return Ok(Some((at, run)));
                }
            }
            searched = text.len().saturating_sub(1);
            if !self.fill()? {
                let text = &self.buffer[self.start..];
                let newlines = text.iter().rev().take_while(|&&byte| byte == b'\n').count();
                let length = text.len() - newlines;
                return Ok(Some((length, newlines)));
            }
            searched = searched
                .min(self.buffer.len() - self.start)
                .saturating_sub(1);
        }
    }
}

/// What is between fields, or what they are.
#[derive(Clone)]
pub enum Splitter {
    /// Runs of blanks, none at the ends.
    Blanks,
    /// Each of these separates: two in a row have an empty field between them.
    Byte(u8),
    /// Each character is a field.
    Characters,
    /// Each match that is not empty separates.
    Pattern(Rc<Pattern>),
    /// Each match is a field.
    Content(Rc<Pattern>),
    /// Widths in characters, each with the number of characters skipped before it.
    Widths(Vec<(usize, usize)>),
    /// Comma-separated values with quotes.
    Csv,
}

/// Where a field starts and ends in its record.
pub type Span = (usize, usize);

impl Splitter {
    /// Finds the fields of a text, in the order of the text; an empty text has none.
    ///
    /// ```text
    /// Blanks        "  a  b "  ->  a, b
    /// Byte(b':')    ":a::b"    ->  "", a, "", b
    /// Characters    "añb"      ->  a, ñ, b
    /// Content(\w+)  "a-bc"     ->  a, bc
    /// Csv           "x,\"y,z\"" -> x, "y,z" (with its quotes)
    /// ```
    pub fn split(&self, text: &[u8], spans: &mut Vec<Span>) {
        spans.clear();
        if text.is_empty() {
            return;
        }
        match self {
            Splitter::Blanks => blanks(text, spans),
            Splitter::Byte(byte) => {
                let mut start = 0;
                for at in memchr::memchr_iter(*byte, text) {
                    spans.push((start, at));
                    start = at + 1;
                }
                spans.push((start, text.len()));
            }
            Splitter::Characters => {
                let mut start = 0;
                while start < text.len() {
                    let end = start + character_length(&text[start..]);
                    spans.push((start, end));
                    start = end;
                }
            }
            Splitter::Pattern(pattern) => between(text, pattern, spans),
            Splitter::Content(pattern) => content(text, pattern, spans),
            Splitter::Widths(widths) => by_width(text, widths, spans),
            Splitter::Csv => csv(text, spans),
        }
    }
}

/// Splits at runs of blanks.
fn blanks(text: &[u8], spans: &mut Vec<Span>) {
    blanks_to(text, spans, 0, usize::MAX);
}

/// Splits at blanks from a place on, until there are `wanted` fields; gives where to go on, and nothing
/// at the end of the text.
pub fn blanks_to(text: &[u8], spans: &mut Vec<Span>, from: usize, wanted: usize) -> Option<usize> {
    let blank = |at: usize| {
        text.get(at)
            .map(|byte| matches!(byte, b' ' | b'\t' | b'\n'))
    };
    let mut at = from;
    while spans.len() < wanted {
        while blank(at)? {
            at += 1;
        }
        let start = at;
        while blank(at) == Some(false) {
            at += 1;
        }
        spans.push((start, at));
    }
    Some(at)
}

/// Splits at the matches of a pattern.
fn between(text: &[u8], pattern: &Pattern, spans: &mut Vec<Span>) {
    let (mut start, mut at) = (0, 0);
    while let Some((from, to)) = pattern.find_at(text, at) {
        if to == from {
            // An empty match separates nothing.
            at = from + 1;
            if at > text.len() {
                break;
            }
            continue;
        }
        spans.push((start, from));
        (start, at) = (to, to);
    }
    spans.push((start, text.len()));
}

/// The matches of a pattern, for FPAT. An empty match is an empty field, unless it touches the one before.
fn content(text: &[u8], pattern: &Pattern, spans: &mut Vec<Span>) {
    let mut at = 0;
    let mut filled = false;
    while at <= text.len() {
        let Some((from, to)) = pattern.find_at(text, at) else {
            return;
        };
        if to > from {
            spans.push((from, to));
            (at, filled) = (to, true);
        } else {
            // An empty field, unless it touches the one before.
            if !filled || from > at {
                spans.push((from, from));
            }
            (at, filled) = (from + 1, false);
        }
    }
}

/// Fields of fixed widths, as far as the text goes.
fn by_width(text: &[u8], widths: &[(usize, usize)], spans: &mut Vec<Span>) {
    let forward = |mut at: usize, mut count: usize| {
        while count > 0 && at < text.len() {
            at += character_length(&text[at..]);
            count -= 1;
        }
        at
    };
    let mut start = 0;
    for &(skip, width) in widths {
        start = forward(start, skip);
        if start >= text.len() {
            return;
        }
        let end = forward(start, width);
        spans.push((start, end));
        start = end;
    }
}

/// Quoted fields keep their quotes in the span; [`unquote`] takes them off.
fn csv(text: &[u8], spans: &mut Vec<Span>) {
    let mut start = 0;
    let mut quoted = false;
    for (at, &byte) in text.iter().enumerate() {
        match byte {
            b'"' => quoted = !quoted,
            b',' if !quoted => {
                spans.push((start, at));
                start = at + 1;
            }
            _ => {}
        }
    }
    spans.push((start, text.len()));
}

/// A CSV field without its quotes.
pub fn unquote(field: &[u8]) -> Vec<u8> {
    let Some(inner) = field
        .strip_prefix(b"\"")
        .and_then(|field| field.strip_suffix(b"\""))
    else {
        return field.to_vec();
    };
    let mut out = Vec::with_capacity(inner.len());
    let mut bytes = inner.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        if byte == b'"' && bytes.peek() == Some(&b'"') {
            bytes.next();
        }
        out.push(byte);
    }
    out
}

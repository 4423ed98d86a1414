//! Records of an input, and fields of a record.

use std::io::Read;
use std::rc::Rc;

use memchr::memchr;

use crate::output::CHUNK;
use crate::pattern::{Pattern, character_length};

/// What ends a record.
#[derive(Clone)]
pub enum Separator {
    Byte(u8),
    /// Empty lines.
    Paragraph,
    Pattern(Rc<Pattern>),
}

/// Reads records.
pub struct Reader {
    input: Box<dyn Read>,
    buffer: Vec<u8>,
    start: usize,
    ended: bool,
}

impl Reader {
    /// Reads records from `input`.
    pub fn new(input: Box<dyn Read>) -> Reader {
        Reader {
            input,
            buffer: Vec::new(),
            start: 0,
            ended: false,
        }
    }

    /// The next record, and the text that ended it.
    pub fn next(&mut self, separator: &Separator) -> std::io::Result<Option<(Vec<u8>, Vec<u8>)>> {
        match separator {
            Separator::Byte(byte) => self.until_byte(*byte),
            Separator::Paragraph => self.paragraph(),
            Separator::Pattern(pattern) => self.until_pattern(pattern),
        }
    }

    /// Reads more; false at the end.
    fn fill(&mut self) -> std::io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        let old = self.buffer.len();
        self.buffer.resize(old + CHUNK.max(old), 0);
        let read = loop {
            match self.input.read(&mut self.buffer[old..]) {
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        self.buffer.truncate(old + *read.as_ref().unwrap_or(&0));
        self.ended = read? == 0;
        Ok(!self.ended)
    }

    fn take(&mut self, length: usize, separator: usize) -> (Vec<u8>, Vec<u8>) {
        let middle = self.start + length;
        let end = middle + separator;
        let record = self.buffer[self.start..middle].to_vec();
        let ended_by = self.buffer[middle..end].to_vec();
        self.start = end;
        (record, ended_by)
    }

    fn rest(&mut self) -> Option<(Vec<u8>, Vec<u8>)> {
        let left = self.buffer.len() - self.start;
        (left > 0).then(|| self.take(left, 0))
    }

    fn until_byte(&mut self, byte: u8) -> std::io::Result<Option<(Vec<u8>, Vec<u8>)>> {
        let mut searched = 0;
        loop {
            if let Some(at) = memchr(byte, &self.buffer[self.start + searched..]) {
                return Ok(Some(self.take(searched + at, 1)));
            }
            searched = self.buffer.len() - self.start;
            if !self.fill()? {
                return Ok(self.rest());
            }
        }
    }

    fn until_pattern(&mut self, pattern: &Pattern) -> std::io::Result<Option<(Vec<u8>, Vec<u8>)>> {
        loop {
            let text = &self.buffer[self.start..];
            match pattern.find_at(text, 0) {
                // At the end of what was read, the separator may go on.
                Some((from, to)) if to > from && (to < text.len() || self.ended) => {
                    return Ok(Some(self.take(from, to - from)));
                }
                _ => {}
            }
            if !self.fill()? {
                let text = &self.buffer[self.start..];
                return Ok(match pattern.find_at(text, 0) {
                    Some((from, to)) if to > from => Some(self.take(from, to - from)),
                    _ => self.rest(),
                });
            }
        }
    }

    fn paragraph(&mut self) -> std::io::Result<Option<(Vec<u8>, Vec<u8>)>> {
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
                    return Ok(Some(self.take(at, run)));
                }
            }
            searched = text.len().saturating_sub(1);
            if !self.fill()? {
                let text = &self.buffer[self.start..];
                let newlines = text.iter().rev().take_while(|&&byte| byte == b'\n').count();
                let length = text.len() - newlines;
                return Ok(Some(self.take(length, newlines)));
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
    Byte(u8),
    /// Each character is a field.
    Characters,
    Pattern(Rc<Pattern>),
    /// Each match is a field.
    Content(Rc<Pattern>),
    /// Widths in characters.
    Widths(Vec<usize>),
    /// Comma-separated values with quotes.
    Csv,
}

/// Where a field starts and ends.
pub type Span = (usize, usize);

impl Splitter {
    /// The fields of a text.
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

fn blanks(text: &[u8], spans: &mut Vec<Span>) {
    let blank = |byte: u8| matches!(byte, b' ' | b'\t' | b'\n');
    let mut at = 0;
    loop {
        while at < text.len() && blank(text[at]) {
            at += 1;
        }
        if at == text.len() {
            return;
        }
        let start = at;
        while at < text.len() && !blank(text[at]) {
            at += 1;
        }
        spans.push((start, at));
    }
}

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

fn by_width(text: &[u8], widths: &[usize], spans: &mut Vec<Span>) {
    let mut start = 0;
    for &width in widths {
        if start >= text.len() {
            return;
        }
        let mut end = start;
        for _ in 0..width {
            if end < text.len() {
                end += character_length(&text[end..]);
            }
        }
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

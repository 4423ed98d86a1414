//! One of the two files: its lines, their fields, and whether they are sorted. The memory of lines is used again.

use std::cmp::Ordering;
use std::io::Read;

use memchr::{memchr, memchr_iter, memmem};

use crate::call::{Call, bytes};
use crate::input::read_more;
use crate::quote;
use crate::system::Failure;

/// What stands between fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Separator {
    /// Runs of blanks; those before the first field are left out.
    Blanks,
    /// One character.
    Text(Vec<u8>),
    /// Nothing: the line is one field.
    None,
}

/// How lines are read and compared, and what is said about it.
pub struct Rules<'a> {
    pub call: &'a Call,
    /// What stands between fields.
    pub separator: Separator,
    /// `-i`: ASCII letters of either case are equal.
    pub fold: bool,
    /// What ends lines.
    pub end: u8,
    /// Whether lines must be sorted: not (none), from the first line without a partner on (false), or always, where
    /// the first one out of order ends the command (true).
    pub order: Option<bool>,
}

impl Rules<'_> {
    /// The order of two join fields; one that is not there is an empty one.
    pub fn compare(&self, a: &[u8], b: &[u8]) -> Ordering {
        if !self.fold || a.is_empty() || b.is_empty() {
            return a.cmp(b);
        }
        let upper = |text: &'_ [u8]| text.to_ascii_uppercase();
        upper(a).cmp(&upper(b))
    }
}

/// A line without its end, and where its fields are.
#[derive(Default)]
pub struct Line {
    text: Vec<u8>,
    fields: Vec<(usize, usize)>,
}

impl Line {
    /// A field, which is empty where there is none.
    pub fn field(&self, index: usize) -> &[u8] {
        let span = self.fields.get(index).copied().unwrap_or_default();
        &self.text[span.0..span.1]
    }

    /// How many fields it has.
    pub fn len(&self) -> usize {
        self.fields.len()
    }

    /// Finds the fields. An empty line has none.
    fn split(&mut self, rules: &Rules) {
        self.fields.clear();
        let text = &self.text;
        if text.is_empty() {
            return;
        }
        match &rules.separator {
            Separator::None => self.fields.push((0, text.len())),
            Separator::Text(between) => {
                let mut start = 0;
                let mut add = |at: usize| {
                    self.fields.push((start, at));
                    start = at + between.len();
                };
                match between.as_slice() {
                    [byte] => memchr_iter(*byte, text).for_each(&mut add),
                    _ => memmem::find_iter(text, between).for_each(&mut add),
                }
                add(text.len());
            }
            Separator::Blanks => {
                let blank = |at: usize| {
                    text.get(at)
                        .map(|byte| matches!(byte, b' ' | b'\t' | b'\n'))
                };
                let mut at = 0;
                while blank(at) == Some(true) {
                    at += 1;
                }
                if at == text.len() {
                    return;
                }
                // Blanks at the end are followed by an empty field.
                loop {
                    let start = at;
                    while blank(at) == Some(false) {
                        at += 1;
                    }
                    self.fields.push((start, at));
                    if at == text.len() {
                        return;
                    }
                    while blank(at) == Some(true) {
                        at += 1;
                    }
                    if at == text.len() {
                        return self.fields.push((at, at));
                    }
                }
            }
        }
    }
}

/// A file, and those of its lines that have the same join field.
pub struct Side {
    input: Box<dyn Read>,
    buffer: Vec<u8>,
    /// Where the next line begins in the buffer.
    start: usize,
    name: Vec<u8>,
    /// The join field, counted from 0.
    pub key: usize,
    lines: Vec<Line>,
    /// How many of `lines` are at hand; the others are memory.
    count: usize,
    /// The line before the first one of `lines`.
    before: Line,
    /// How many lines were read.
    number: u64,
    /// How many of them are not compared with the next one.
    unordered: u64,
    /// It was said that it is not sorted.
    pub disordered: bool,
}

impl Side {
    /// Nothing is read yet.
    pub fn new(input: Box<dyn Read>, name: Vec<u8>, key: usize) -> Side {
        Side {
            input,
            buffer: Vec::new(),
            start: 0,
            name,
            key,
            lines: Vec::new(),
            count: 0,
            before: Line::default(),
            number: 0,
            unordered: 0,
            disordered: false,
        }
    }

    /// The lines at hand: one, or while pairs are made all with the same join field and the one behind them.
    pub fn lines(&self) -> &[Line] {
        &self.lines[..self.count]
    }

    /// The first line at hand.
    pub fn first(&self) -> Option<&Line> {
        self.lines().first()
    }

    /// The join field of a line at hand.
    pub fn key_of(&self, line: usize) -> &[u8] {
        self.lines[line].field(self.key)
    }

    /// The next line is not compared with those before.
    pub fn forget_order(&mut self) {
        self.unordered = self.number;
    }

    /// Puts the next line in place of those at hand; false at the end, where there is none at hand.
    pub fn next(&mut self, rules: &Rules, unpaired: bool) -> Result<bool, i32> {
        self.count = 0;
        if let Some(first) = self.lines.first_mut() {
            std::mem::swap(first, &mut self.before);
        }
        self.add(rules, unpaired)
    }

    /// Adds the next line to those at hand; false at the end.
    pub fn add(&mut self, rules: &Rules, unpaired: bool) -> Result<bool, i32> {
        if self.lines.len() == self.count {
            self.lines.push(Line::default());
        }
        let mut line = std::mem::take(&mut self.lines[self.count]);
        line.text.clear();
        let found = self.read(rules, &mut line.text)?;
        line.split(rules);
        self.lines[self.count] = line;
        if !found {
            return Ok(false);
        }
        self.number += 1;
        self.count += 1;
        if self.number - 1 > self.unordered {
            self.check(rules, unpaired)?;
        }
        Ok(true)
    }

    /// Of the lines at hand the last one stays.
    pub fn keep_last(&mut self) {
        self.lines.swap(0, self.count - 1);
        self.count = 1;
    }

    /// No line is at hand.
    pub fn clear(&mut self) {
        self.count = 0;
    }

    /// Says so where the last line read belongs before the one before it.
    fn check(&mut self, rules: &Rules, unpaired: bool) -> Result<(), i32> {
        let Some(fatal) = rules.order.filter(|always| *always || unpaired) else {
            return Ok(());
        };
        let last = &self.lines[self.count - 1];
        let before = match self.count {
            1 => &self.before,
            count => &self.lines[count - 2],
        };
        let order = rules.compare(before.field(self.key), last.field(self.key));
        if self.disordered || order != Ordering::Greater {
            return Ok(());
        }
        let place = format!(":{}: is not sorted: ", self.number);
        rules.call.fail(1, bytes!(self.name, place, last.text));
        self.disordered = true;
        if fatal { Err(1) } else { Ok(()) }
    }

    /// Reads a line; false at the end.
    fn read(&mut self, rules: &Rules, line: &mut Vec<u8>) -> Result<bool, i32> {
        let mut searched = 0;
        loop {
            let rest = &self.buffer[self.start..];
            if let Some(at) = memchr(rules.end, &rest[searched..]) {
                line.extend_from_slice(&rest[..searched + at]);
                self.start += searched + at + 1;
                return Ok(true);
            }
            searched = rest.len();
            self.buffer.drain(..self.start);
            self.start = 0;
            let read = read_more(&mut self.input, &mut self.buffer, searched);
            if read.map_err(|error| unreadable(rules.call, error.into()))? == 0 {
                line.append(&mut self.buffer);
                return Ok(!line.is_empty());
            }
        }
    }
}

/// Says that reading failed.
pub fn unreadable(call: &Call, failure: Failure) -> i32 {
    call.fail(1, bytes!("read error: ", failure))
}

/// Says that a file cannot be opened.
pub fn refused(call: &Call, name: &[u8], failure: Failure) -> i32 {
    call.fail(1, bytes!(quote::shell_where_needed(name), ": ", failure))
}

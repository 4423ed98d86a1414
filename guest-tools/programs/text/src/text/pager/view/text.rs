//! The text that is looked at, as far as it was read. Lines are kept, so that moving back costs nothing; memory is
//! that of what was read.

use std::io::Read;

/// A text that is read as far as it is needed.
pub struct Text {
    /// Its name; none for standard input.
    pub name: Option<Vec<u8>>,
    input: Option<Box<dyn Read>>,
    lines: Vec<Vec<u8>>,
    /// The beginning of the next line.
    partial: Vec<u8>,
    /// Several empty lines are one (`-s`).
    squeeze: bool,
}

/// Lines that are looked ahead to know how much of a file is left, for the per cent of `more`.
pub(super) const AHEAD: usize = 100_000;

/// Bytes that are read at once.
const BLOCK: usize = 64 << 10;

impl Text {
    /// A text that comes from there.
    pub fn new(name: Option<Vec<u8>>, input: Box<dyn Read>, squeeze: bool) -> Text {
        Text {
            name,
            input: Some(input),
            lines: Vec::new(),
            partial: Vec::new(),
            squeeze,
        }
    }

    /// The line of this number, from 0; none behind the last.
    pub fn line(&mut self, number: usize) -> Option<&[u8]> {
        while self.lines.len() <= number && self.fill() {}
        self.lines.get(number).map(Vec::as_slice)
    }

    /// How many lines there are.
    pub fn count(&mut self) -> usize {
        while self.fill() {}
        self.lines.len()
    }

    /// How many lines are known, and whether these are all.
    pub fn known(&self) -> (usize, bool) {
        (self.lines.len(), self.input.is_none())
    }

    /// Reads more; false where there is none.
    fn fill(&mut self) -> bool {
        let Some(input) = &mut self.input else {
            return false;
        };
        let mut block = vec![0; BLOCK];
        // What cannot be read ends the text.
        let count = input.read(&mut block).unwrap_or(0);
        if count == 0 {
            self.input = None;
            if !self.partial.is_empty() {
                let last = std::mem::take(&mut self.partial);
                self.push(last);
            }
            return true;
        }
        for part in block[..count].split_inclusive(|&byte| byte == b'\n') {
            self.partial.extend_from_slice(part);
            if self.partial.pop_if(|byte| *byte == b'\n').is_some() {
                let line = std::mem::take(&mut self.partial);
                self.push(line);
            }
        }
        true
    }

    /// Adds a line, without its end.
    pub(super) fn push(&mut self, line: Vec<u8>) {
        let again = line.is_empty() && self.lines.last().is_some_and(Vec::is_empty);
        if !(again && self.squeeze) {
            self.lines.push(line);
        }
    }
}

//! Lines of an input, of which some are looked at before they are taken.
//!
//! Looking goes ahead of taking, so that a match is known before it is decided where the lines before it go. Lines
//! are kept from the next one to take to the last one looked at.

use std::collections::VecDeque;
use std::io::{self, BufRead};

/// The lines; the first one has the number 1.
pub struct Lines<R> {
    input: R,
    /// Lines that were read and not taken.
    kept: VecDeque<Vec<u8>>,
    /// The number of the next line to take.
    next: u64,
    /// The number of the next line to look at.
    look: u64,
}

impl<R: BufRead> Lines<R> {
    /// No line is read.
    pub fn new(input: R) -> Lines<R> {
        Lines {
            input,
            kept: VecDeque::new(),
            next: 1,
            look: 1,
        }
    }

    /// The number of the line that is taken next.
    pub fn number(&self) -> u64 {
        self.next
    }

    /// The number of the line that was looked at last.
    pub fn looked_at(&self) -> u64 {
        self.look - 1
    }

    /// Looks next at this line, or at the next one to take, where that comes later.
    pub fn look_from(&mut self, number: u64) {
        self.look = number;
    }

    /// The next line with its end, which is gone then; none at the end.
    pub fn take(&mut self) -> io::Result<Option<Vec<u8>>> {
        if !self.keep(1)? {
            return Ok(None);
        }
        self.look = self.look.max(self.next + 1);
        self.next += 1;
        Ok(self.kept.pop_front())
    }

    /// The next line to look at, with its end, which stays; none at the end.
    pub fn look(&mut self) -> io::Result<Option<&[u8]>> {
        self.look = self.look.max(self.next);
        let ahead = (self.look - self.next) as usize;
        if !self.keep(ahead + 1)? {
            return Ok(None);
        }
        self.look += 1;
        Ok(self.kept.get(ahead).map(Vec::as_slice))
    }

    /// Whether no line is left to take.
    pub fn is_at_end(&mut self) -> io::Result<bool> {
        Ok(!self.keep(1)?)
    }

    /// Reads until so many lines are kept; whether there are as many.
    fn keep(&mut self, count: usize) -> io::Result<bool> {
        while self.kept.len() < count {
            let mut line = Vec::new();
            if self.input.read_until(b'\n', &mut line)? == 0 {
                return Ok(false);
            }
            self.kept.push_back(line);
        }
        Ok(true)
    }
}

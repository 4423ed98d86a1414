//! Where commands come from.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read};

use crate::system;

/// Standard input, and before it the lines of a list.
pub struct Input {
    reader: BufReader<Box<dyn Read>>,
    /// What is left of the list that runs; only that is read then.
    list: Option<VecDeque<Vec<u8>>>,
}

impl Input {
    pub fn new() -> Input {
        let input = system::open_input(b"-").unwrap_or_else(|_| Box::new(std::io::empty()));
        Input {
            reader: BufReader::new(input),
            list: None,
        }
    }

    /// The next line, without its end.
    pub fn line(&mut self) -> Option<Vec<u8>> {
        match &mut self.list {
            Some(list) => list.pop_front(),
            None => self.typed(),
        }
    }

    /// The next line of standard input. What has no end is none, as GNU has it.
    pub fn typed(&mut self) -> Option<Vec<u8>> {
        let mut line = Vec::new();
        match self.reader.read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return None,
            Ok(_) => {}
        }
        (line.pop() == Some(b'\n')).then_some(line)
    }

    /// Reads this list now, or standard input again.
    pub fn read_list(&mut self, list: Option<VecDeque<Vec<u8>>>) {
        self.list = list;
    }

    /// The lines of a text, up to a line with nothing but a full stop.
    pub fn text(&mut self) -> Vec<Vec<u8>> {
        let mut lines = Vec::new();
        while let Some(line) = self.line() {
            if line == b"." {
                break;
            }
            lines.push(line);
        }
        lines
    }
}

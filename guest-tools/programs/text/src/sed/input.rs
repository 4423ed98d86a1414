//! The lines of the input files as one stream, or as one of each file.
//!
//! `$` needs to know whether another line follows, so that files are read ahead: `is_last` opens the next files until
//! one has something. Where the script quits, what was read ahead of standard input is given back to those who share
//! it.

use std::io::Read;

use memchr::memchr;

use crate::call::{Call, bytes};
use crate::input::read_more;
use crate::system;

/// Reads lines, and knows which one is the last.
pub struct Input<'a> {
    call: &'a Call,
    /// The names of the files.
    files: Vec<Vec<u8>>,
    /// The index of the file that is opened next.
    next_file: usize,
    /// The file that is read.
    current: Option<Box<dyn Read>>,
    buffer: Vec<u8>,
    /// Where the next line begins in the buffer.
    start: usize,
    /// Everything of the current file is in the buffer.
    drained: bool,
    separate: bool,
    end: u8,
    /// The number of the last line read, from 1; of each file by itself with `-s`.
    pub line: u64,
    /// The name of the file that it is from, `-` for standard input.
    pub name: Vec<u8>,
    /// A new file was begun by the last read.
    pub began: bool,
    /// The exit status of what could not be read.
    pub status: i32,
}

impl<'a> Input<'a> {
    /// Reads `files` one after the other; `separate` treats each as an input of its own, `end` ends a line.
    pub fn new(call: &'a Call, files: Vec<Vec<u8>>, separate: bool, end: u8) -> Input<'a> {
        Input {
            call,
            files,
            next_file: 0,
            current: None,
            buffer: Vec::new(),
            start: 0,
            drained: true,
            separate,
            end,
            line: 0,
            name: b"-".to_vec(),
            began: false,
            status: 0,
        }
    }

    /// Appends the next line to `line`, without its end: whether it had one, or none where there is no more. A file
    /// that cannot be read is said, and the next one follows.
    pub fn read(&mut self, line: &mut Vec<u8>) -> Option<bool> {
        self.began = false;
        while !self.has_more() {
            if !self.open_next() {
                return None;
            }
        }
        self.line += 1;
        let mut searched = 0;
        loop {
            let rest = &self.buffer[self.start..];
            if let Some(at) = memchr(self.end, &rest[searched..]) {
                line.extend_from_slice(&rest[..searched + at]);
                self.start += searched + at + 1;
                return Some(true);
            }
            searched = rest.len();
            if !self.fill() {
                line.extend_from_slice(&self.buffer[self.start..]);
                self.start = self.buffer.len();
                return Some(false);
            }
        }
    }

    /// Whether the last line read is the last one of the stream, or with `-s` of its file. It may wait for input.
    pub fn is_last(&mut self) -> bool {
        loop {
            if self.has_more() {
                return false;
            }
            if self.separate || self.next_file >= self.files.len() {
                return true;
            }
            if !self.open_next() {
                return true;
            }
        }
    }

    /// Whether no other file follows the current one on the command line.
    pub fn is_last_file(&self) -> bool {
        self.next_file >= self.files.len()
    }

    /// Leaves what was read of standard input and not used to who shares it.
    pub fn give_back(&self) {
        if self.name == b"-" && self.current.is_some() {
            system::give_back(self.buffer.len() - self.start);
        }
    }

    /// Whether the current file has another byte.
    fn has_more(&mut self) -> bool {
        self.start < self.buffer.len() || self.fill()
    }

    /// Reads more of the current file; false at its end.
    fn fill(&mut self) -> bool {
        let Some(input) = self.current.as_mut().filter(|_| !self.drained) else {
            return false;
        };
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.start = 0;
        }
        let pending = self.buffer.len();
        let count = read_more(input, &mut self.buffer, pending).unwrap_or_else(|error| {
            let failure = system::Failure::from(error);
            let name = match self.name.as_slice() {
                b"-" => b"stdin",
                name => name,
            };
            let message = bytes!("read error on ", name, ": ", failure.0);
            self.status = self.call.fail(4, message);
            0
        });
        self.drained = count == 0;
        count > 0
    }

    /// Opens the next file that can be; false where there is none.
    fn open_next(&mut self) -> bool {
        while let Some(name) = self.files.get(self.next_file) {
            self.next_file += 1;
            match system::open_input(name) {
                Ok(input) => {
                    self.current = Some(input);
                    self.name.clone_from(name);
                    self.buffer.clear();
                    self.start = 0;
                    self.drained = false;
                    self.began = true;
                    if self.separate {
                        self.line = 0;
                    }
                    return true;
                }
                Err(failure) => {
                    let directory = failure.0 == system::Errno::IsDirectory;
                    let message = match (directory, self.separate) {
                        (true, true) => bytes!("couldn't edit ", name, ": not a regular file"),
                        (true, false) => bytes!("read error on ", name, ": ", failure),
                        (false, _) => bytes!("can't read ", name, ": ", failure),
                    };
                    self.status = if directory { 4 } else { 2 };
                    self.call.fail(2, message);
                }
            }
        }
        false
    }
}

//! Files byte by byte, through a buffer. An error of reading looks like the end of the file, and is kept until that
//! is looked at.

use std::io::{self, ErrorKind, Read};

use crate::output::CHUNK;
use crate::system::{self, Failure};

/// A file that is read, with its name for messages.
pub struct Source {
    /// The name for messages; `-` is standard input.
    pub name: Vec<u8>,
    reader: Box<dyn Read>,
    buffer: Vec<u8>,
    at: usize,
    /// Nothing more can be read.
    ended: bool,
    /// Why reading ended early.
    pub failure: Option<Failure>,
}

impl Source {
    /// Opens a file; a directory is one that fails when it is read.
    ///
    /// # Errors
    /// Why it cannot be opened.
    pub fn open(name: &[u8]) -> Result<Source, Failure> {
        match system::open_input(name) {
            Ok(reader) => Ok(Source::new(name, reader)),
            Err(failure) if failure.0 == system::Errno::IsDirectory => Ok(Source {
                failure: Some(failure),
                ended: true,
                ..Source::new(name, Box::new(io::empty()))
            }),
            Err(failure) => Err(failure),
        }
    }

    fn new(name: &[u8], reader: Box<dyn Read>) -> Source {
        Source {
            name: name.to_vec(),
            reader,
            buffer: Vec::new(),
            at: 0,
            ended: false,
            failure: None,
        }
    }

    /// The next byte, none at the end.
    #[inline]
    pub fn next(&mut self) -> Option<u8> {
        match self.buffer.get(self.at).copied() {
            Some(byte) => {
                self.at += 1;
                Some(byte)
            }
            None if self.fill() => self.next(),
            None => None,
        }
    }

    /// Leaves out a newline, where there is one.
    pub fn skip_newline(&mut self) {
        if self.next().is_some_and(|byte| byte != b'\n') {
            self.at -= 1;
        }
    }

    /// Reads more; false at the end.
    fn fill(&mut self) -> bool {
        while !self.ended {
            self.buffer.resize(CHUNK, 0);
            self.at = 0;
            let read = self.reader.read(&mut self.buffer);
            self.buffer.truncate(*read.as_ref().unwrap_or(&0));
            match read {
                Ok(0) => self.ended = true,
                Ok(_) => return true,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    self.ended = true;
                    self.failure = Some(error.into());
                }
            }
        }
        false
    }
}

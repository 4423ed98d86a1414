//! All files as one input. Files that cannot be read are said and left out.

use std::io::{ErrorKind, Read};

use crate::call::{Call, bytes};
use crate::quote;
use crate::system::{self, Failure};

/// The files, one after the other.
pub struct Input<'a> {
    call: &'a Call,
    files: std::slice::Iter<'a, Vec<u8>>,
    /// The file that is read, with its name.
    current: Option<(&'a [u8], Box<dyn Read>)>,
    /// How many bytes may still be read.
    left: u64,
    /// Whether a file could be opened; a directory can, and not be read.
    pub opened: bool,
    /// The exit status: 1 once a file could not be read.
    pub status: i32,
}

impl<'a> Input<'a> {
    /// The files as one input of at most `most` bytes; the first one that can be is opened.
    pub fn new(call: &'a Call, files: &'a [Vec<u8>], most: u64) -> Input<'a> {
        let mut input = Input {
            call,
            files: files.iter(),
            current: None,
            left: most,
            opened: false,
            status: 0,
        };
        input.next_file();
        input
    }

    /// Says that a file cannot be read.
    fn complain(&mut self, file: &[u8], failure: Failure) {
        let name = if file == b"-" {
            b"standard input".to_vec()
        } else {
            quote::shell_where_needed(file)
        };
        self.status = self.call.fail(1, bytes!(name, ": ", failure));
    }

    /// Opens the next file that can be.
    fn next_file(&mut self) {
        self.current = None;
        while let Some(file) = self.files.next() {
            match system::open_input(file) {
                Ok(input) => {
                    self.opened = true;
                    self.current = Some((file, input));
                    return;
                }
                Err(failure) => {
                    self.opened |= failure.0 == system::Errno::IsDirectory;
                    self.complain(file, failure);
                }
            }
        }
    }

    /// Reads until the buffer is full or the input ends; gives how much there is. Less than the buffer holds means
    /// the end.
    pub fn fill(&mut self, buffer: &mut [u8]) -> usize {
        let most = buffer
            .len()
            .min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let mut filled = 0;
        while filled < most {
            let Some((file, input)) = &mut self.current else {
                break;
            };
            match input.read(&mut buffer[filled..most]) {
                Ok(0) => self.next_file(),
                Ok(count) => filled += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => {
                    let file: &[u8] = file;
                    self.complain(file, Failure::from(error));
                    self.next_file();
                }
            }
        }
        self.left -= filled as u64;
        filled
    }

    /// Reads so many bytes away; false where the input has fewer.
    pub fn skip(&mut self, count: u64) -> bool {
        let mut away = vec![0; 16 * 1024];
        let mut left = count;
        while left > 0 {
            let most = away.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            match self.fill(&mut away[..most]) {
                0 => return false,
                read => left -= read as u64,
            }
        }
        true
    }
}

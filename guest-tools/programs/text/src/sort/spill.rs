//! Lines that are too many for the memory: parts in order in files without a name, merged in the end.
//!
//! When the lines and what sorting adds to them reach the memory of `-S`, they are sorted and written to a file that
//! is unlinked at once: nothing is left behind, however the command ends. The last part stays in memory. All files
//! are merged in one pass, with one buffer each; `--batch-size` changes nothing.

use crate::system::File;
use std::cmp::Ordering;
use std::io::{BufRead as _, BufReader, BufWriter, Read as _, Write as _};

use super::Sort;
use crate::call::bytes;
use crate::output::CHUNK;
use crate::quote;
use crate::system::{self, Failure};

/// Bytes that a line takes beside its content while it is put in order, measured for 32-bit pointers.
const LINE: usize = 44;

/// Lines as they are read.
pub(super) struct Parts<'a> {
    sort: &'a Sort<'a>,
    /// Lines with their ends; the last one may go on.
    content: Vec<u8>,
    /// How many whole lines `content` has.
    lines: usize,
    /// The parts that are in order already, in the order of the input.
    written: Vec<Written>,
}

/// Lines in order in a file, and the first one that was not taken yet.
struct Written {
    /// The file behind `line`.
    reader: BufReader<File>,
    /// The next line, without its end.
    line: Vec<u8>,
}

impl<'a> Parts<'a> {
    /// No line is read.
    pub(super) fn new(sort: &'a Sort<'a>) -> Parts<'a> {
        Parts {
            sort,
            content: Vec::new(),
            lines: 0,
            written: Vec::new(),
        }
    }

    /// Reads all lines of a file; a last line without an end gets one.
    pub(super) fn read(&mut self, file: &[u8]) -> Result<(), i32> {
        let (sort, memory) = (self.sort, self.sort.settings.memory);
        let wrong = |failure| sort.cannot_read(file, failure);
        let mut input = system::open_input(file).map_err(wrong)?;
        let mut block = vec![0; CHUNK.min(memory)];
        loop {
            let count = input
                .read(&mut block)
                .map_err(|error| wrong(error.into()))?;
            let new = &block[..count];
            self.lines += memchr::memchr_iter(sort.settings.end, new).count();
            self.content.extend_from_slice(new);
            if count == 0 {
                break;
            }
            if self.content.len() + self.lines * LINE > memory {
                self.write()?;
            }
        }
        let last = self.content.last();
        if last.is_some_and(|last| *last != sort.settings.end) {
            self.content.push(sort.settings.end);
            self.lines += 1;
        }
        Ok(())
    }

    /// Puts the whole lines that are in memory in order and writes them.
    fn write(&mut self) -> Result<(), i32> {
        let end = self.sort.settings.end;
        let Some(last) = memchr::memrchr(end, &self.content) else {
            return Ok(());
        };
        let whole = last + 1;
        let (reader, file) = self.temporary()?;
        let mut writer = BufWriter::with_capacity(CHUNK, file);
        let lines = self.sort.lines(&self.content[..whole]);
        let mut sorted = self.sort.order.sort(lines).into_iter();
        let written = sorted.try_for_each(|line| {
            writer.write_all(line)?;
            writer.write_all(&[end])
        });
        written
            .and_then(|()| writer.flush())
            .map_err(|error| self.wrong("write failed: ", error.into()))?;
        self.content.drain(..whole);
        self.lines = 0;
        self.written.push(Written {
            reader: BufReader::with_capacity(CHUNK, reader),
            line: Vec::new(),
        });
        Ok(())
    }

    /// A new file without a name, open for reading and for writing, in the directory of `-T`, `TMPDIR` or `/tmp`.
    fn temporary(&self) -> Result<(File, File), i32> {
        let directory = &self.sort.settings.directory;
        let mut number = 0u64;
        loop {
            let path = system::join(directory, format!("sort{number:06}").as_bytes());
            let opened = match system::create_new(&path) {
                Err(failure) if failure == system::EXIST => {
                    number += 1;
                    continue;
                }
                opened => opened,
            };
            let opened = opened.and_then(|file| Ok((system::open_file(&path)?, file)));
            let failed = |failure| self.wrong("cannot create temporary file in ", failure);
            let files = opened.map_err(failed)?;
            system::unlink(&path).map_err(failed)?;
            return Ok(files);
        }
    }

    /// Says what failed with a temporary file; gives the exit status.
    fn wrong(&self, what: &str, failure: Failure) -> i32 {
        let directory = &self.sort.settings.directory;
        let message = bytes!(what, quote::message(directory), ": ", failure);
        self.sort.call.fail(2, message)
    }

    /// Hands out all lines in order, without their ends. Among equal ones those that were read first come first.
    pub(super) fn finish(mut self, mut put: impl FnMut(&[u8])) -> Result<(), i32> {
        let order = &self.sort.order;
        let mut written = std::mem::take(&mut self.written);
        let mut memory = order.sort(self.sort.lines(&self.content)).into_iter();
        if written.is_empty() {
            memory.for_each(put);
            return Ok(());
        }
        let mut rest = memory.next();
        // Of files that have a line left, the one with the least last.
        let mut queue: Vec<usize> = Vec::with_capacity(written.len());
        for number in 0..written.len() {
            self.advance(&mut written, &mut queue, number)?;
        }
        loop {
            let first = queue.last().map(|number| written[*number].line.as_slice());
            let from_memory = match (first, rest) {
                (None, None) => return Ok(()),
                // What is in memory was read last.
                (Some(line), Some(other)) => order.compare(line, other) == Ordering::Greater,
                (first, _) => first.is_none(),
            };
            if from_memory {
                put(rest.unwrap_or_default());
                rest = memory.next();
            } else if let Some(number) = queue.pop() {
                put(&written[number].line);
                self.advance(&mut written, &mut queue, number)?;
            }
        }
    }

    /// Reads the next line of a file and puts it in its place in the queue.
    fn advance(
        &self,
        written: &mut [Written],
        queue: &mut Vec<usize>,
        number: usize,
    ) -> Result<(), i32> {
        let Written { reader, line } = &mut written[number];
        line.clear();
        let read = reader.read_until(self.sort.settings.end, line);
        if read.map_err(|error| self.wrong("read failed: ", error.into()))? == 0 {
            return Ok(());
        }
        line.pop();
        let line = &written[number].line;
        let at = queue.partition_point(|other| {
            let order = self.sort.order.compare(&written[*other].line, line);
            order.then(other.cmp(&number)) == Ordering::Greater
        });
        queue.insert(at, number);
        Ok(())
    }
}

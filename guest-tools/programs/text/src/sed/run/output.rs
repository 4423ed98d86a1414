//! What is written: lines, files, and what waits for the end of a cycle. All output goes through `Run::put`, which
//! knows whether it is for standard output or for the new file of `-i`, and ends a line that lacks its end first.

use crate::system::File;
use std::io::{BufWriter, Write};

use super::Run;
use crate::call::bytes;
use crate::output::CHUNK;
use crate::sed::replacement::Replacement;
use crate::sed::script::Action;
use crate::system;

/// What `a`, `r` and `R` put out at the end of a cycle.
pub(super) enum Queued<'a> {
    /// The text of `a`.
    Text(&'a [u8]),
    /// The name of the file of `r`.
    File(&'a [u8]),
    /// A line of `R`, without its end.
    Line(Vec<u8>),
}

/// A file that `w` writes.
pub(super) struct Written {
    pub(super) writer: BufWriter<File>,
    /// Its last line lacks its end.
    pub(super) missing_end: bool,
}

impl<'a> Run<'a> {
    /// Writes bytes as they are.
    pub(super) fn put(&mut self, bytes: &[u8]) {
        let end = self.plan.end;
        let missing = std::mem::take(&mut self.missing_end);
        if let Some(replacement) = &mut self.replacement {
            let first = if missing {
                replacement.writer.write_all(&[end])
            } else {
                Ok(())
            };
            if first
                .and_then(|()| replacement.writer.write_all(bytes))
                .is_err()
            {
                self.failure = Some(self.call.fail(4, "couldn't write to output file"));
            }
        } else {
            if missing {
                self.out.put([end]);
            }
            self.out.put(bytes);
        }
    }

    /// Makes the files of `w` empty before the first line is read; gives the status of a failure, or 0. `/dev/stdout`
    /// and `/dev/stderr` are none.
    pub(super) fn open_files(&mut self) -> i32 {
        for command in self.commands {
            let name = match &command.action {
                Action::Write(name) | Action::WriteFirst(name) => name,
                Action::Substitute(substitution) => match &substitution.file {
                    Some(name) => name,
                    None => continue,
                },
                _ => continue,
            };
            if name == b"/dev/stdout" || name == b"/dev/stderr" {
                continue;
            }
            match system::create_file(name, false) {
                Ok(file) => {
                    let written = Written {
                        writer: BufWriter::with_capacity(CHUNK, file),
                        missing_end: false,
                    };
                    self.files.insert(name, written);
                }
                Err(failure) => {
                    return self
                        .call
                        .fail(4, bytes!("couldn't open file ", name, ": ", failure));
                }
            }
        }
        0
    }

    /// Writes a line; one that had no end in its file gets none until something follows.
    pub(super) fn put_line(&mut self, line: &[u8], ended: bool) {
        self.put(line);
        if ended {
            self.put(&[self.plan.end]);
        } else {
            self.missing_end = true;
        }
    }

    /// Writes the pattern space.
    pub(super) fn print_space(&mut self) {
        let space = std::mem::take(&mut self.space);
        self.put_line(&space, self.ended);
        self.space = space;
    }

    /// Writes what `a`, `r` and `R` have queued.
    pub(super) fn put_queue(&mut self) {
        for queued in std::mem::take(&mut self.queue) {
            match queued {
                Queued::Text(text) => self.put(text),
                Queued::Line(line) => self.put_line(&line, true),
                Queued::File(name) => {
                    let path = if name == b"/dev/stdin" { b"-" } else { name };
                    // A file that cannot be read is an empty one.
                    if let Ok(content) = system::read_whole(path)
                        && !content.is_empty()
                    {
                        self.put(&content);
                        self.missing_end = false;
                    }
                }
            }
        }
    }

    /// A line for `w`; like the output, the file gets a line end that was missing before the next line.
    pub(super) fn write_file(&mut self, name: &'a [u8], line: &[u8], ended: bool) {
        if name == b"/dev/stdout" && self.replacement.is_some() {
            // The new file gets only what is printed.
            if std::mem::replace(&mut self.copy_lacks_end, !ended) {
                self.out.put([self.plan.end]);
            }
            self.out.put(line);
            if ended {
                self.out.put([self.plan.end]);
            }
            return;
        }
        if name == b"/dev/stdout" {
            std::mem::swap(&mut self.missing_end, &mut self.copy_lacks_end);
            self.put_line(line, ended);
            std::mem::swap(&mut self.missing_end, &mut self.copy_lacks_end);
            return;
        }
        let end = [self.plan.end];
        let after: &[u8] = if ended { &end } else { b"" };
        if name == b"/dev/stderr" {
            let _ = crate::stream::stderr().write_all(&bytes!(line, after));
            return;
        }
        let Some(file) = self.files.get_mut(name) else {
            return;
        };
        let before: &[u8] = if file.missing_end { &end } else { b"" };
        file.missing_end = !ended;
        // Another command may read the file before the end.
        let written = file.writer.write_all(&bytes!(before, line, after));
        if written.and_then(|()| file.writer.flush()).is_err() {
            self.failure = Some(self.call.fail(4, bytes!("couldn't write to ", name)));
        }
    }

    /// Ends the new file of the last input and begins that of this one. Standard input has none.
    pub(super) fn begin_replacement(&mut self) {
        self.finish_replacement();
        if self.input.name == b"-" {
            return;
        }
        match Replacement::begin(&self.input.name) {
            Ok(replacement) => self.replacement = Some(replacement),
            Err(failure) => {
                let message = bytes!("couldn't open temporary file: ", failure);
                self.failure = Some(self.call.fail(4, message));
            }
        }
    }

    /// Puts the new file in the place of the old one.
    pub(super) fn finish_replacement(&mut self) {
        let Some(mut replacement) = self.replacement.take() else {
            return;
        };
        self.missing_end = false;
        if let Err(failure) = replacement.finish(self.plan.in_place.as_deref().unwrap_or_default())
        {
            let message = bytes!("cannot rename ", replacement.temporary, ": ", failure);
            self.failure = Some(self.call.fail(4, message));
        }
    }
}

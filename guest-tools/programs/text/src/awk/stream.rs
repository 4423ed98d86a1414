//! The files and commands that a program has open.
//!
//! They are known by their names, as the program writes them: `print > "f"` twice is one open file. Sinks and sources
//! are apart, so that a name may be read and written; a coprocess (`|&`) has an entry in both. A command runs in
//! `/bin/sh`, with the elements of `ENVIRON` as its environment, and everything that was written is flushed before it
//! starts, so that outputs come in order.
//!
//! All stay open until `close` or the end, when they are closed in the order in which they were opened. `/inet` is
//! refused.

use crate::system::File;
use std::io::{BufWriter, Read, Write};

use indexmap::IndexMap;

use super::in_place::{InPlace, Refusal};
use super::record::Reader;
use super::tree::Redirect;
use super::value::Array;
use crate::output::{CHUNK, Output};
use crate::system::{self, Failure, Handle, Spawn, Streams as Redirections};

/// What is written to.
enum Sink {
    /// Standard output, under a name of its own.
    Standard,
    /// Standard error.
    Error,
    /// A file.
    File(BufWriter<File>),
    /// The input of a command, and the number of its process.
    Command(BufWriter<Handle>, u32),
    /// Its process belongs to the source of the same name.
    Coprocess(BufWriter<Handle>),
}

/// What is read from.
struct Source {
    /// Its records.
    reader: Reader,
    /// The process, where it is a command's output.
    child: Option<u32>,
}

/// Everything that is open, by name.
pub struct Streams {
    /// Standard output.
    pub out: Output,
    /// What is open for writing, in the order in which it was opened.
    sinks: IndexMap<Vec<u8>, Sink>,
    /// What is open for reading, likewise.
    sources: IndexMap<Vec<u8>, Source>,
    /// ENVIRON, which commands get as their environment.
    environment: Option<Array>,
    /// Where output goes while a file is edited in place.
    in_place: Option<InPlace>,
    /// The source that was read last.
    last: Vec<u8>,
}

impl Streams {
    /// No file and no pipe is open.
    pub fn new() -> Streams {
        Streams {
            out: Output::new(),
            sinks: IndexMap::new(),
            sources: IndexMap::new(),
            environment: None,
            in_place: None,
            last: Vec::new(),
        }
    }

    /// Commands get the elements of `array` as their environment.
    pub fn set_environment(&mut self, array: Array) {
        self.environment = Some(array);
    }

    /// What is printed from here on goes into a new file in the place of `target`, until `end_in_place`; a suffix
    /// keeps the old one.
    pub fn begin_in_place(&mut self, target: &[u8], suffix: &[u8]) -> Result<(), Refusal> {
        self.out.flush();
        self.in_place = Some(InPlace::begin(target, suffix)?);
        Ok(())
    }

    /// Ends the replacement of a file, if there is one.
    pub fn end_in_place(&mut self) -> system::Result<()> {
        self.in_place.take().map_or(Ok(()), InPlace::finish)
    }

    /// Writes to standard output, or to the file that is edited in place.
    fn standard(&mut self, text: &[u8]) -> system::Result<()> {
        match &mut self.in_place {
            Some(replacement) => replacement.file.write_all(text)?,
            None => self.out.put(text),
        }
        Ok(())
    }

    /// What ended the record that was read last from a file or command.
    pub fn terminator(&self) -> &[u8] {
        let source = self.sources.get(&self.last);
        source.map_or(b"", |source| source.reader.terminator())
    }

    /// Writes to a file or command, which is opened where it is not; without one to standard output. How it was
    /// opened first counts as long as it is open.
    pub fn write(&mut self, target: Option<(Redirect, &[u8])>, text: &[u8]) -> system::Result<()> {
        let Some((redirect, name)) = target else {
            return self.standard(text);
        };
        if !self.sinks.contains_key(name) {
            let sink = self.open_sink(redirect, name)?;
            self.sinks.insert(name.to_vec(), sink);
        }
        if matches!(self.sinks.get(name), None | Some(Sink::Standard)) {
            return self.standard(text);
        }
        match self.sinks.get_mut(name) {
            None | Some(Sink::Standard) => {}
            Some(Sink::Error) => {
                self.out.flush();
                crate::stream::stderr().write_all(text)?;
            }
            Some(Sink::File(file)) => file.write_all(text)?,
            Some(Sink::Command(pipe, _) | Sink::Coprocess(pipe)) => pipe.write_all(text)?,
        }
        Ok(())
    }

    /// Opens a file or starts a command for writing.
    fn open_sink(&mut self, redirect: Redirect, name: &[u8]) -> system::Result<Sink> {
        if redirect == Redirect::TwoWay {
            return self.open_coprocess(name);
        }
        if redirect == Redirect::Pipe {
            self.flush();
            let (reader, writer) = system::pipe()?;
            let streams = Redirections {
                input: Some(&reader),
                ..Redirections::default()
            };
            let child = self.shell(name, streams)?;
            return Ok(Sink::Command(
                BufWriter::with_capacity(CHUNK, writer),
                child,
            ));
        }
        match name {
            b"/dev/stdout" | b"-" => return Ok(Sink::Standard),
            b"/dev/stderr" => return Ok(Sink::Error),
            _ => {}
        }
        let file = system::create_file(name, redirect == Redirect::Append)?;
        Ok(Sink::File(BufWriter::with_capacity(CHUNK, file)))
    }

    /// Starts a command whose input is written and whose output is read.
    fn open_coprocess(&mut self, name: &[u8]) -> system::Result<Sink> {
        if name.starts_with(b"/inet") {
            return Err(Failure(system::Errno::NotSupported));
        }
        self.flush();
        let (input, writer) = system::pipe()?;
        let (reader, output) = system::pipe()?;
        let streams = Redirections {
            input: Some(&input),
            output: Some(&output),
            ..Redirections::default()
        };
        let child = Some(self.shell(name, streams)?);
        let reader = Reader::new(Box::new(reader) as Box<dyn Read>);
        self.sources.insert(name.to_vec(), Source { reader, child });
        Ok(Sink::Coprocess(BufWriter::with_capacity(CHUNK, writer)))
    }

    /// The reader of a file, which is opened where it is not.
    pub fn file(&mut self, name: &[u8]) -> system::Result<&mut Reader> {
        if !self.sources.contains_key(name) {
            let path = if name == b"/dev/stdin" { b"-" } else { name };
            let reader = Reader::new(system::open_input(path)?);
            self.sources.insert(
                name.to_vec(),
                Source {
                    reader,
                    child: None,
                },
            );
        }
        self.source(name)
    }

    /// The reader of a command's output; with `both` it is a coprocess. The command is started where it does not run.
    pub fn command(&mut self, name: &[u8], both: bool) -> system::Result<&mut Reader> {
        if both && !self.sources.contains_key(name) {
            let sink = self.open_coprocess(name)?;
            self.sinks.insert(name.to_vec(), sink);
        }
        if let Some(Sink::Coprocess(pipe)) = self.sinks.get_mut(name) {
            // It may wait for what was written.
            let _ = pipe.flush();
        }
        if !self.sources.contains_key(name) {
            self.flush();
            let (reader, writer) = system::pipe()?;
            let streams = Redirections {
                output: Some(&writer),
                ..Redirections::default()
            };
            let child = Some(self.shell(name, streams)?);
            let reader = Reader::new(Box::new(reader) as Box<dyn Read>);
            self.sources.insert(name.to_vec(), Source { reader, child });
        }
        self.source(name)
    }

    /// The reader of an open source, which is the last one read from here on.
    fn source(&mut self, name: &[u8]) -> system::Result<&mut Reader> {
        let source = self
            .sources
            .get_mut(name)
            .ok_or(Failure(system::Errno::BadDescriptor))?;
        self.last.clear();
        self.last.extend_from_slice(name);
        Ok(&mut source.reader)
    }

    /// Runs a command to its end and gives its status: the exit status, or 256 and the signal's number.
    pub fn system(&mut self, command: &[u8]) -> system::Result<i32> {
        self.flush();
        let child = self.shell(command, Redirections::default())?;
        status(child)
    }

    /// Hands everything that was written on.
    pub fn flush(&mut self) {
        self.out.flush();
        if let Some(replacement) = &mut self.in_place {
            let _ = replacement.file.flush();
        }
        for sink in self.sinks.values_mut() {
            // What fails here fails again when the file is closed.
            let _ = match sink {
                Sink::File(file) => file.flush(),
                Sink::Command(pipe, _) | Sink::Coprocess(pipe) => pipe.flush(),
                _ => Ok(()),
            };
        }
    }

    /// Flushes what is open for writing under a name; false where nothing is, or that fails.
    pub fn flush_one(&mut self, name: &[u8]) -> bool {
        match self.sinks.get_mut(name) {
            Some(Sink::File(file)) => file.flush().is_ok(),
            Some(Sink::Command(pipe, _) | Sink::Coprocess(pipe)) => pipe.flush().is_ok(),
            Some(_) => {
                self.out.flush();
                true
            }
            None => false,
        }
    }

    /// Closes one end of a coprocess, `to` it or `from` it; gives what `close` does.
    pub fn close_end(&mut self, name: &[u8], to: bool) -> i32 {
        if !to {
            return self.close_source(name);
        }
        match self.sinks.shift_remove(name) {
            Some(sink) => self.close_sink(sink),
            None => -1,
        }
    }

    /// Closes a source, and waits for its command.
    fn close_source(&mut self, name: &[u8]) -> i32 {
        match self.sources.shift_remove(name) {
            Some(source) => {
                drop(source.reader);
                source.child.map_or(0, |child| status(child).unwrap_or(-1))
            }
            None => -1,
        }
    }

    /// Closes a file or command: 0 or the status of the command, or -1 where it was not open or could not be written.
    pub fn close(&mut self, name: &[u8]) -> i32 {
        let mut found = -1;
        if let Some(Sink::Coprocess(_)) = self.sinks.get(name) {
            self.close_end(name, true);
            return self.close_end(name, false);
        }
        if let Some(source) = self.sources.shift_remove(name) {
            drop(source.reader);
            found = source.child.map_or(0, |child| status(child).unwrap_or(-1));
        }
        if let Some(sink) = self.sinks.shift_remove(name) {
            if matches!(sink, Sink::Command(..)) {
                self.out.flush();
            }
            found = self.close_sink(sink);
        }
        found
    }

    /// Closes a sink, and waits for its command.
    fn close_sink(&mut self, sink: Sink) -> i32 {
        match sink {
            Sink::Standard => {
                self.out.flush();
                0
            }
            Sink::Error => 0,
            Sink::File(mut file) => {
                if file.flush().is_ok() {
                    0
                } else {
                    -1
                }
            }
            Sink::Coprocess(mut pipe) => {
                let _ = pipe.flush();
                drop(pipe.into_parts().0);
                0
            }
            Sink::Command(mut pipe, child) => {
                // A command that read enough has closed its end.
                let _ = pipe.flush();
                drop(pipe.into_parts().0);
                status(child).unwrap_or(-1)
            }
        }
    }

    /// Starts a command; gives the number of its process.
    fn shell(&self, command: &[u8], streams: Redirections) -> system::Result<u32> {
        let arguments = [b"sh".to_vec(), b"-c".to_vec(), command.to_vec()];
        let environment = match &self.environment {
            None => system::environment(),
            Some(array) => {
                let array = array.borrow();
                let text = |value: &super::value::Value| value.to_text(b"%.6g").to_vec();
                array
                    .iter()
                    .map(|(name, value)| (name.to_vec(), text(value)))
                    .collect()
            }
        };
        system::spawn(&Spawn {
            path: b"/bin/sh",
            arguments: &arguments,
            environment: &environment,
            directory: None,
            streams,
        })
    }

    /// Closes everything, in the order it was opened; gives standard output, which is to be finished.
    pub fn finish(mut self) -> Output {
        // A program that ends inside the file has replaced it by what it printed so far.
        let _ = self.end_in_place();
        while let Some((_, sink)) = self.sinks.pop() {
            self.close_sink(sink);
        }
        self.out.flush();
        while let Some((_, source)) = self.sources.pop() {
            drop(source.reader);
            if let Some(child) = source.child {
                let _ = status(child);
            }
        }
        self.out
    }
}

/// Waits for a process.
fn status(child: u32) -> system::Result<i32> {
    Ok(match system::wait(child)? {
        system::Exit::Code(code) => i32::from(code),
        system::Exit::Signal(signal) => 256 + i32::from(signal),
    })
}

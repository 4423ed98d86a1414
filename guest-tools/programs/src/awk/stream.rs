//! The files and commands that a program has open.

use std::fs::File;
use std::io::{BufWriter, Read, Write};

use indexmap::IndexMap;

use super::record::Reader;
use super::tree::Redirect;
use crate::output::{CHUNK, Output};
use crate::system::{self, Failure, Handle, Spawn, Streams as Redirections};

enum Sink {
    Standard,
    Error,
    File(BufWriter<File>),
    Command(BufWriter<Handle>, u32),
}

struct Source {
    reader: Reader,
    child: Option<u32>,
}

/// Everything that is open, by name.
pub struct Streams {
    pub out: Output,
    sinks: IndexMap<Vec<u8>, Sink>,
    sources: IndexMap<Vec<u8>, Source>,
}

impl Streams {
    /// No file and no pipe is open.
    pub fn new() -> Streams {
        Streams {
            out: Output::new(),
            sinks: IndexMap::new(),
            sources: IndexMap::new(),
        }
    }

    /// Writes to a file or command; without one to standard output.
    pub fn write(&mut self, target: Option<(Redirect, &[u8])>, text: &[u8]) -> system::Result<()> {
        let Some((redirect, name)) = target else {
            self.out.put(text);
            return Ok(());
        };
        if !self.sinks.contains_key(name) {
            let sink = self.open_sink(redirect, name)?;
            self.sinks.insert(name.to_vec(), sink);
        }
        match self.sinks.get_mut(name) {
            None | Some(Sink::Standard) => self.out.put(text),
            Some(Sink::Error) => {
                self.out.flush();
                std::io::stderr().write_all(text)?;
            }
            Some(Sink::File(file)) => file.write_all(text)?,
            Some(Sink::Command(pipe, _)) => pipe.write_all(text)?,
        }
        Ok(())
    }

    fn open_sink(&mut self, redirect: Redirect, name: &[u8]) -> system::Result<Sink> {
        if redirect == Redirect::Pipe {
            self.flush();
            let (reader, writer) = system::pipe()?;
            let streams = Redirections {
                input: Some(&reader),
                ..Redirections::default()
            };
            let child = shell(name, streams)?;
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

    /// The reader of a file.
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

    /// The reader of a command's output.
    pub fn command(&mut self, name: &[u8]) -> system::Result<&mut Reader> {
        if !self.sources.contains_key(name) {
            self.flush();
            let (reader, writer) = system::pipe()?;
            let streams = Redirections {
                output: Some(&writer),
                ..Redirections::default()
            };
            let child = Some(shell(name, streams)?);
            let reader = Reader::new(Box::new(reader) as Box<dyn Read>);
            self.sources.insert(name.to_vec(), Source { reader, child });
        }
        self.source(name)
    }

    fn source(&mut self, name: &[u8]) -> system::Result<&mut Reader> {
        let source = self
            .sources
            .get_mut(name)
            .ok_or(Failure("Bad file descriptor"))?;
        Ok(&mut source.reader)
    }

    /// Runs a command to its end and gives its status.
    pub fn system(&mut self, command: &[u8]) -> system::Result<i32> {
        self.flush();
        let child = shell(command, Redirections::default())?;
        status(child)
    }

    /// Hands everything that was written on.
    pub fn flush(&mut self) {
        self.out.flush();
        for sink in self.sinks.values_mut() {
            // What fails here fails again when the file is closed.
            let _ = match sink {
                Sink::File(file) => file.flush(),
                Sink::Command(pipe, _) => pipe.flush(),
                _ => Ok(()),
            };
        }
    }

    /// Whether a name is open for writing, after flushing it.
    pub fn flush_one(&mut self, name: &[u8]) -> bool {
        match self.sinks.get_mut(name) {
            Some(Sink::File(file)) => file.flush().is_ok(),
            Some(Sink::Command(pipe, _)) => pipe.flush().is_ok(),
            Some(_) => {
                self.out.flush();
                true
            }
            None => false,
        }
    }

    /// Closes a file or command: its status, or -1 where it was not open.
    pub fn close(&mut self, name: &[u8]) -> i32 {
        let mut found = -1;
        if let Some(source) = self.sources.shift_remove(name) {
            drop(source.reader);
            found = source.child.map_or(0, |child| status(child).unwrap_or(-1));
        }
        if let Some(sink) = self.sinks.shift_remove(name) {
            found = self.close_sink(sink);
        }
        found
    }

    fn close_sink(&mut self, sink: Sink) -> i32 {
        match sink {
            Sink::Standard | Sink::Error => 0,
            Sink::File(mut file) => {
                if file.flush().is_ok() {
                    0
                } else {
                    -1
                }
            }
            Sink::Command(mut pipe, child) => {
                self.out.flush();
                // A command that read enough has closed its end.
                let _ = pipe.flush();
                drop(pipe.into_parts().0);
                status(child).unwrap_or(-1)
            }
        }
    }

    /// Closes everything, in the order it was opened.
    pub fn finish(mut self) -> Output {
        self.out.flush();
        while let Some((_, sink)) = self.sinks.shift_remove_index(0) {
            self.close_sink(sink);
        }
        while let Some((_, source)) = self.sources.shift_remove_index(0) {
            drop(source.reader);
            if let Some(child) = source.child {
                let _ = status(child);
            }
        }
        self.out
    }
}

fn shell(command: &[u8], streams: Redirections) -> system::Result<u32> {
    let arguments = [b"sh".to_vec(), b"-c".to_vec(), command.to_vec()];
    let environment = system::environment();
    system::spawn(&Spawn {
        path: b"/bin/sh",
        arguments: &arguments,
        environment: &environment,
        directory: None,
        streams,
    })
}

fn status(child: u32) -> system::Result<i32> {
    Ok(match system::wait(child)? {
        system::Exit::Code(code) => i32::from(code),
        system::Exit::Signal(signal) => 256 + i32::from(signal),
    })
}

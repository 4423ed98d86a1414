//! A command that a command starts: a shell of its own, which runs to its end within the run.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use offshoot_command::system::{Exit, Failure, Result, Spawn};

use super::host::{OpenFile, RunHost};
use super::pipe::Pipe;
use super::start;
use crate::applet::{self, io::BLOCK};
use crate::machine::{Budgets, Machine, Outcome, Progress, Request, Setup, Source};
use crate::os::{Errno, Handle, Interest, Os};

/// Runs within one another, since each takes a part of the native stack.
const NESTED: u32 = 8;

thread_local! {
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// One run more within another, until it is dropped.
struct Nested;

impl Nested {
    fn enter() -> Result<Nested> {
        if DEPTH.get() == NESTED {
            return Err(Failure(Errno::TooManyProcesses));
        }
        DEPTH.set(DEPTH.get() + 1);
        Ok(Nested)
    }
}

impl Drop for Nested {
    fn drop(&mut self) {
        DEPTH.set(DEPTH.get() - 1);
    }
}

/// What a stream of it is.
#[derive(Clone)]
pub(super) enum End {
    /// A stream that the command itself has.
    Inherited(u32),
    /// A file that the command opened.
    File(Rc<OpenFile>),
    /// Of a pipe to the command.
    Pipe(Rc<Pipe>),
}

/// A command and its streams: standard input, output and error.
pub(super) struct Child {
    words: Vec<Vec<u8>>,
    environment: Vec<(Vec<u8>, Vec<u8>)>,
    directory: Vec<u8>,
    streams: [End; 3],
}

impl Child {
    /// What was asked for; it holds the ends of pipes that it was given.
    pub(super) fn new(host: &RunHost, spawn: &Spawn<'_>) -> Result<Child> {
        if spawn.streams.kept.is_some() {
            return Err(Failure(Errno::NotSupported));
        }
        let given = [
            spawn.streams.input,
            spawn.streams.output,
            spawn.streams.errors,
        ];
        let mut streams = [0, 1, 2].map(End::Inherited);
        for (stream, file) in streams.iter_mut().zip(given) {
            if let Some(file) = file {
                *stream = host.end_of(file.number())?;
            }
        }
        let name = start::builtin(spawn.path).map_or(spawn.path, str::as_bytes);
        let mut words = vec![name.to_vec()];
        words.extend(spawn.arguments.iter().skip(1).cloned());
        let directory = spawn.directory.map_or_else(
            || host.context().directory.clone(),
            |path| crate::machine::path::absolute(&host.context().directory, path),
        );
        let child = Child {
            words,
            environment: spawn.environment.to_vec(),
            directory,
            streams,
        };
        child.each_pipe(Pipe::hold);
        Ok(child)
    }

    /// Whether somebody may still write what it reads.
    pub(super) fn awaits(&self) -> bool {
        matches!(&self.streams[0], End::Pipe(pipe) if pipe.is_open())
    }

    /// Whether it reads this pipe.
    pub(super) fn reads(&self, pipe: &Rc<Pipe>) -> bool {
        matches!(&self.streams[0], End::Pipe(one) if Rc::ptr_eq(one, pipe))
    }

    /// Whether it writes to this pipe.
    pub(super) fn writes(&self, pipe: &Rc<Pipe>) -> bool {
        let is = |end: &End| matches!(end, End::Pipe(one) if Rc::ptr_eq(one, pipe));
        self.streams[1..].iter().any(is)
    }

    fn each_pipe(&self, act: fn(&Pipe, bool)) {
        for (number, end) in self.streams.iter().enumerate() {
            if let End::Pipe(pipe) = end {
                act(pipe, number > 0);
            }
        }
    }

    /// Runs it to its end.
    pub(super) fn run(self, host: &RunHost) -> Result<Exit> {
        let nested = Nested::enter()?;
        let utf8 = offshoot_posix::locale::is_utf8();
        // What the shell prints is quoted the same whatever the locale is.
        offshoot_posix::locale::set_utf8(false);
        let ended = self.run_shell(host);
        offshoot_posix::locale::set_utf8(utf8);
        drop(nested);
        ended.map(Exit::Code).map_err(Failure)
    }

    /// Runs the words with the environment that was given: what a shell adds to its own is not for them.
    fn script(&self) -> Vec<u8> {
        let given = |name: &str| {
            let mut all = self.environment.iter();
            all.find(|(known, _)| known == name.as_bytes())
        };
        let mut script = String::new();
        for name in ["PWD", "OLDPWD", "SHLVL"] {
            if given(name).is_none() {
                script.push_str(&format!("export -n {name}; "));
            }
        }
        // The shell that the last command of another starts takes its level.
        let name = self.words[0].rsplit(|&byte| byte == b'/').next();
        if let Some((_, level)) = given("SHLVL")
            && name.is_some_and(|name| applet::find(name).is_some())
            && level.iter().all(u8::is_ascii_digit)
        {
            script.push_str(&format!("SHLVL={}; ", String::from_utf8_lossy(level)));
        }
        script.push_str("\"$@\"");
        script.into_bytes()
    }

    fn run_shell(&self, host: &RunHost) -> crate::os::Result<u8> {
        let context = host.context();
        let mut streams = Connections::new(host, &self.streams)?;
        let mut machine = Machine::new(context.os.clone());
        let session = machine.session(&Setup {
            environment: self.environment.clone(),
            directory: self.directory.clone(),
            umask: context.umask,
            posix: false,
        });
        let given = context.budgets;
        let budgets = Budgets {
            steps: match given.steps {
                0 => 0,
                steps => steps.saturating_sub(context.spent.get()).max(1),
            },
            // What it writes is counted where it arrives.
            output: 0,
            ..given
        };
        let request = Request {
            source: Source::Text(self.script()),
            name: b"bash".to_vec(),
            arguments: self.words.clone(),
            environment: Vec::new(),
            directory: None,
            descriptors: streams.descriptors.clone(),
            budgets,
        };
        let id = machine.start(&session, request);
        let status = loop {
            let progress = machine.poll();
            let moved = streams.drain(host);
            match machine.outcome(id) {
                Some(Outcome::Exited(status)) => break status,
                Some(Outcome::Exceeded(_)) => break 1,
                None => {}
            }
            match progress {
                Progress::More => {}
                Progress::Finished => break 1,
                Progress::Idle(interests) => {
                    if moved | streams.feed(host, &interests) {
                        continue;
                    }
                    let Some(at) = interests.iter().filter_map(time).min() else {
                        // It waits for what goes on outside of this run.
                        break 1;
                    };
                    let wait = at.saturating_sub(context.os.monotonic());
                    std::thread::sleep(Duration::from_nanos(wait));
                }
            }
        };
        let spent = machine.steps(id);
        context.spent.set(context.spent.get().saturating_add(spent));
        machine.drop_execution(id);
        streams.drain(host);
        streams.give_back(host);
        Ok(status)
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.each_pipe(Pipe::close);
    }
}

fn time(interest: &Interest) -> Option<u64> {
    match interest {
        Interest::Time(at) => Some(*at),
        _ => None,
    }
}

/// A pipe of the system between a stream of the shell and what it stands for.
struct Connection {
    end: End,
    /// What is read of it, and what is written to it; none where that end is closed.
    reader: Option<Handle>,
    writer: Option<Handle>,
}

impl Connection {
    fn new(os: &dyn Os, end: &End) -> crate::os::Result<Connection> {
        let (reader, writer) = os.pipe()?;
        Ok(Connection {
            end: end.clone(),
            reader: Some(reader),
            writer: Some(writer),
        })
    }
}

/// The streams of the shell.
struct Connections {
    os: Rc<dyn Os>,
    descriptors: Vec<(u32, Handle)>,
    input: Option<Connection>,
    /// Of the input, what the pipe had no room for.
    rest: Vec<u8>,
    outputs: Vec<Connection>,
}

impl Connections {
    fn new(host: &RunHost, ends: &[End; 3]) -> crate::os::Result<Connections> {
        let mut made = Connections {
            os: host.context().os.clone(),
            descriptors: Vec::new(),
            input: None,
            rest: Vec::new(),
            outputs: Vec::new(),
        };
        for (number, end) in (0..).zip(ends) {
            let handle = match end {
                End::File(file) => Some(file.handle()),
                _ if number == 0 => {
                    let connection = Connection::new(&*made.os, end)?;
                    let reader = connection.reader;
                    made.input = Some(connection);
                    reader
                }
                // Both in one pipe, so that the order stays.
                _ if number == 2 && host.is_same(&ends[1], end) => {
                    made.outputs.first().and_then(|first| first.writer)
                }
                _ => {
                    let connection = Connection::new(&*made.os, end)?;
                    let writer = connection.writer;
                    made.outputs.push(connection);
                    writer
                }
            };
            if let Some(handle) = handle {
                made.descriptors.push((number, handle));
            }
        }
        Ok(made)
    }

    /// Passes on what was written; says whether that was anything.
    fn drain(&mut self, host: &RunHost) -> bool {
        let mut moved = false;
        let mut block = vec![0; BLOCK];
        for output in &mut self.outputs {
            while let Some(reader) = output.reader {
                let Ok(count @ 1..) = self.os.read(reader, &mut block) else {
                    break;
                };
                moved = true;
                if host.write_all(&output.end, &block[..count]).is_err() {
                    // From now on the shell's writes fail, as those to a pipe that nobody reads.
                    self.os.close(reader);
                    output.reader = None;
                }
            }
        }
        moved
    }

    /// Gives input where that is waited for; says whether there was any, or its end.
    fn feed(&mut self, host: &RunHost, interests: &[Interest]) -> bool {
        let Some(input) = &mut self.input else {
            return false;
        };
        let (Some(reader), Some(writer)) = (input.reader, input.writer) else {
            return false;
        };
        if !interests.contains(&Interest::Readable(reader)) {
            return false;
        }
        if self.rest.is_empty() {
            let mut block = vec![0; BLOCK];
            let count = host.read_end(&input.end, &mut block).unwrap_or(0);
            self.rest.extend_from_slice(&block[..count]);
        }
        if self.rest.is_empty() {
            self.os.close(writer);
            input.writer = None;
            return true;
        }
        let count = self.os.write(writer, &self.rest).unwrap_or(0);
        self.rest.drain(..count);
        count > 0
    }

    /// Input that was not taken is there for who reads next.
    fn give_back(&mut self, host: &RunHost) {
        let Some(input) = &self.input else { return };
        let mut left = Vec::new();
        if let Some(reader) = input.reader {
            let mut block = vec![0; BLOCK];
            while let Ok(count @ 1..) = self.os.read(reader, &mut block) {
                left.extend_from_slice(&block[..count]);
            }
        }
        left.append(&mut self.rest);
        host.give_back(&input.end, &left);
    }
}

impl Drop for Connections {
    fn drop(&mut self) {
        for connection in self.outputs.iter().chain(&self.input) {
            for handle in connection.reader.iter().chain(&connection.writer) {
                self.os.close(*handle);
            }
        }
    }
}

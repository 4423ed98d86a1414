//! `wasi:cli`: arguments, environment, exit, standard streams and terminals.

use wasmtime::component::Resource;
use wasmtime_wasi_io::streams::{DynInputStream, DynOutputStream};

use super::Guest;
use super::bindings::wasi::cli::{
    environment, exit, stderr, stdin, stdout, terminal_input, terminal_output, terminal_stderr,
    terminal_stdin, terminal_stdout,
};
use super::limiter::Held;
use super::streams::{ObjectInput, ObjectOutput};
use super::text::from_bytes;
use crate::process::{Ended, ProcessEnd};

/// `terminal-input`; it has no operations.
pub struct TerminalInput;
/// `terminal-output`; it has no operations.
pub struct TerminalOutput;

impl environment::Host for Guest {
    fn get_environment(&mut self) -> wasmtime::Result<Vec<(String, String)>> {
        let variables = self.startup.environment.iter();
        Ok(variables
            .map(|(name, value)| (from_bytes(name), from_bytes(value)))
            .collect())
    }

    fn get_arguments(&mut self) -> wasmtime::Result<Vec<String>> {
        Ok(self
            .startup
            .arguments
            .iter()
            .map(|argument| from_bytes(argument))
            .collect())
    }

    fn initial_cwd(&mut self) -> wasmtime::Result<Option<String>> {
        self.knows_directory = true;
        Ok(Some(from_bytes(&self.startup.directory)))
    }
}

impl exit::Host for Guest {
    fn exit(&mut self, status: Result<(), ()>) -> wasmtime::Result<()> {
        self.exit_with_code(u8::from(status.is_err()))
    }

    fn exit_with_code(&mut self, status: u8) -> wasmtime::Result<()> {
        Err(Ended(ProcessEnd::Exited(status)).into())
    }
}

impl Guest {
    fn output(&mut self, number: u32) -> wasmtime::Result<Resource<DynOutputStream>> {
        let failure = self.stream_failure.clone();
        let (object, held) = (self.descriptor(number), Held::new(&self.kernel));
        let stream: DynOutputStream = Box::new(ObjectOutput::new(object, held, failure));
        Ok(self.resources.push(stream)?)
    }

    fn is_terminal(&self, number: u32) -> bool {
        self.descriptors
            .get(number)
            .is_ok_and(|object| object.is_terminal())
    }
}

impl stdin::Host for Guest {
    fn get_stdin(&mut self) -> wasmtime::Result<Resource<DynInputStream>> {
        let failure = self.stream_failure.clone();
        let stream: DynInputStream = Box::new(ObjectInput::new(self.descriptor(0), failure));
        Ok(self.resources.push(stream)?)
    }
}

impl stdout::Host for Guest {
    fn get_stdout(&mut self) -> wasmtime::Result<Resource<DynOutputStream>> {
        self.output(1)
    }
}

impl stderr::Host for Guest {
    fn get_stderr(&mut self) -> wasmtime::Result<Resource<DynOutputStream>> {
        self.output(2)
    }
}

impl terminal_input::Host for Guest {}

impl terminal_input::HostTerminalInput for Guest {
    fn drop(&mut self, terminal: Resource<TerminalInput>) -> wasmtime::Result<()> {
        self.resources.delete(terminal)?;
        Ok(())
    }
}

impl terminal_output::Host for Guest {}

impl terminal_output::HostTerminalOutput for Guest {
    fn drop(&mut self, terminal: Resource<TerminalOutput>) -> wasmtime::Result<()> {
        self.resources.delete(terminal)?;
        Ok(())
    }
}

impl terminal_stdin::Host for Guest {
    fn get_terminal_stdin(&mut self) -> wasmtime::Result<Option<Resource<TerminalInput>>> {
        match self.is_terminal(0) {
            true => Ok(Some(self.resources.push(TerminalInput)?)),
            false => Ok(None),
        }
    }
}

impl terminal_stdout::Host for Guest {
    fn get_terminal_stdout(&mut self) -> wasmtime::Result<Option<Resource<TerminalOutput>>> {
        match self.is_terminal(1) {
            true => Ok(Some(self.resources.push(TerminalOutput)?)),
            false => Ok(None),
        }
    }
}

impl terminal_stderr::Host for Guest {
    fn get_terminal_stderr(&mut self) -> wasmtime::Result<Option<Resource<TerminalOutput>>> {
        match self.is_terminal(2) {
            true => Ok(Some(self.resources.push(TerminalOutput)?)),
            false => Ok(None),
        }
    }
}

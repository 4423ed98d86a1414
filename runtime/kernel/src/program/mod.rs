//! Programs: what the files of `/bin` stand for.

mod component;
mod function;
mod image;
mod interrupt;
mod pages;
mod reach;
mod resolve;
mod rounds;
mod stream;
mod working_set;

pub(crate) use component::Loaded;
pub use function::{Input, Invocation, Output};
pub(crate) use image::Head;
pub use image::Image;
pub(crate) use interrupt::Interrupt;
pub use resolve::marker;
pub(crate) use resolve::resolve;
pub use rounds::Rounds;
pub use stream::LoopbackStream;

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

use crate::guest::{Guest, ShellPre};
use crate::process::{Delivery, ProcessEnd};
use crate::{Artifact, Engine, Result};
use component::Command;
use function::Function;

/// The future of a process.
pub(crate) type Run = Pin<Box<dyn Future<Output = ProcessEnd> + Send>>;

/// The future of a host function.
type FunctionFuture = Pin<Box<dyn Future<Output = u8> + Send>>;

/// Something that a sandbox can run as a process; cheap to clone.
#[derive(Clone)]
pub struct Program(Kind);

#[derive(Clone)]
enum Kind {
    Command(Arc<Command>),
    Shell(Arc<Loaded<ShellPre<Guest>>>),
    Function(Arc<Function>),
}

impl Program {
    /// A WASI 0.2 command of the host. It is loaded when it is first run.
    pub fn command(engine: &Engine, artifact: Artifact) -> Program {
        Program(Kind::Command(Arc::new(Command::new(engine, artifact))))
    }

    /// The shell: what `/bin/sh` and `/bin/bash` stand for, and what [`crate::Shell`] runs. It is loaded
    /// when it is first run.
    pub fn shell(engine: &Engine, artifact: Artifact) -> Program {
        Program(Kind::Shell(Arc::new(Loaded::new(engine, artifact))))
    }

    /// A WASI 0.2 command of the embedder, compiled now, in this process.
    ///
    /// The compiler promises nothing about hostile input: pass only components whose author is
    /// trusted that far.
    ///
    /// # Errors
    /// [`crate::Error::Refused`] for what the engine refuses, [`crate::Error::Interface`] for a
    /// component that imports what a sandbox does not offer (sockets, for instance) or is no command.
    pub fn component(engine: &Engine, bytes: &[u8]) -> Result<Program> {
        Ok(Program(Kind::Command(Arc::new(Command::compile(
            engine, bytes,
        )?))))
    }

    /// As [`Program::component`], with the machine code kept in `directory` for the next process, which
    /// then loads it in milliseconds instead of compiling for seconds.
    ///
    /// What lies there is run as machine code. So the directory is made for its owner alone (mode 0700)
    /// and used only while it and the file belong to this user and nobody else may write to them: it must
    /// be none that a sandbox can write to, through a mount for instance. Where it cannot be used, the
    /// component is compiled. The newest 48 components are kept.
    ///
    /// # Errors
    /// As [`Program::component`].
    pub fn component_cached(engine: &Engine, bytes: &[u8], directory: &Path) -> Result<Program> {
        let component = crate::engine::cached(engine, bytes, directory)?;
        let command = Command::of(engine, &component)?;
        Ok(Program(Kind::Command(Arc::new(command))))
    }

    /// A function of the embedder, which runs in the host and is a command inside.
    ///
    /// It returns the exit status. Killing the process drops its future.
    pub fn function<F, R>(function: F) -> Program
    where
        F: Fn(Invocation) -> R + Send + Sync + 'static,
        R: Future<Output = u8> + Send + 'static,
    {
        Program(Kind::Function(Arc::new(Function::new(move |call| {
            Box::pin(function(call))
        }))))
    }

    /// Loads it now instead of when it is first run.
    ///
    /// # Errors
    /// [`crate::Error::Artifact`] and [`crate::Error::Interface`].
    pub fn load(&self) -> Result<()> {
        match &self.0 {
            Kind::Command(command) => command.load(),
            Kind::Shell(shell) => shell.get().map(drop),
            Kind::Function(_) => Ok(()),
        }
    }

    /// Whether the other one is a clone of it.
    pub fn is_same(&self, other: &Program) -> bool {
        match (&self.0, &other.0) {
            (Kind::Command(one), Kind::Command(other)) => Arc::ptr_eq(one, other),
            (Kind::Shell(one), Kind::Shell(other)) => Arc::ptr_eq(one, other),
            (Kind::Function(one), Kind::Function(other)) => Arc::ptr_eq(one, other),
            _ => false,
        }
    }

    /// Who acts upon the signals of its processes.
    pub(crate) fn delivery(&self) -> Delivery {
        match &self.0 {
            Kind::Shell(_) => Delivery::Guest,
            _ => Delivery::Default,
        }
    }

    /// The shell, where it is one.
    pub(crate) fn as_shell(&self) -> Option<&Arc<Loaded<ShellPre<Guest>>>> {
        match &self.0 {
            Kind::Shell(shell) => Some(shell),
            _ => None,
        }
    }

    /// Whether each process of it is an instance in the engine's pool.
    pub(crate) fn is_instance(&self) -> bool {
        !matches!(self.0, Kind::Function(_))
    }

    /// What its process does.
    pub(crate) fn run(&self, guest: Guest) -> Run {
        match &self.0 {
            Kind::Command(command) => Box::pin(component::run(Arc::clone(command), guest)),
            Kind::Shell(shell) => Box::pin(crate::shell::run_process(Arc::clone(shell), guest)),
            Kind::Function(function) => function.run(guest),
        }
    }
}

impl fmt::Debug for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Kind::Command(_) => "Program(command)",
            Kind::Shell(_) => "Program(shell)",
            Kind::Function(_) => "Program(function)",
        })
    }
}

/// The programs of a sandbox by name. A file in the sandbox stands for one when it holds its
/// [`marker`].
#[derive(Debug, Clone, Default)]
pub struct Programs(HashMap<String, Program>);

impl Programs {
    /// Adds a program, or replaces the one of this name. Several names may share one program, which
    /// tells them apart by its first argument: the name in the [`marker`] of the file that is run, also
    /// where that is a copy or a link of another name.
    pub fn insert(&mut self, name: impl Into<String>, program: Program) {
        self.0.insert(name.into(), program);
    }

    /// The program of this name.
    pub fn get(&self, name: &str) -> Option<&Program> {
        self.0.get(name)
    }

    /// Whether one binary is several of the programs. The shell, whose names are alike, is none of these.
    pub(crate) fn is_shared(&self, program: &Program) -> bool {
        let mut others = self.0.values().filter(|other| other.is_same(program));
        program.as_shell().is_none() && others.nth(1).is_some()
    }

    /// All names, in no order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

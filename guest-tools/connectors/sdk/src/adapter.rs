//! From the interface's functions to the trait's.

use std::cell::RefCell;
use std::marker::PhantomData;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::bindings::exports::offshoot::sandbox::backend as wit;
use crate::{
    Capabilities, Capture, Code, Command, Connector, Error, Event, FileStat, Options, Result,
    Running, Sandbox, ShellResult, SignalName, Stage,
};

/// A [`Connector`] as the interface has it; [`export!`](crate::export) needs it.
#[derive(Debug)]
pub struct Adapter<C>(PhantomData<C>);

/// A running command behind its handle; [`export!`](crate::export) needs it.
pub struct Process(RefCell<Box<dyn Running>>);

impl std::fmt::Debug for Process {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Process")
    }
}

impl wit::GuestProcess for Process {
    fn id(&self) -> String {
        self.0.borrow().id()
    }

    fn next(&self) -> Result<Option<Event>> {
        self.0.borrow_mut().next()
    }
}

fn read<T: DeserializeOwned>(state: &str) -> Result<T> {
    serde_json::from_str(state)
        .map_err(|error| Error::new(Code::Corrupt, format!("the state: {error}")))
}

fn written<T: Serialize>(state: &T) -> Result<String> {
    serde_json::to_string(state)
        .map_err(|error| Error::new(Code::Corrupt, format!("the state: {error}")))
}

fn settings<T: DeserializeOwned>(options: &Options) -> Result<T> {
    serde_json::from_str(&options.settings)
        .map_err(|error| Error::new(Code::Invalid, format!("settings: {error}")))
}

fn given<S: Serialize>(sandbox: Sandbox<S>) -> Result<wit::Sandbox> {
    Ok(wit::Sandbox {
        state: written(&sandbox.state)?,
        root: sandbox.root,
        cwd: sandbox.cwd,
        capabilities: sandbox.capabilities,
    })
}

impl<C: Connector> wit::Guest for Adapter<C> {
    type Process = Process;

    fn describe() -> Capabilities {
        C::describe()
    }

    fn create(options: Options) -> Result<wit::Sandbox> {
        given(C::create(settings(&options)?, options)?)
    }

    fn attach(data: String, options: Options) -> Result<wit::Sandbox> {
        given(C::attach(&data, settings(&options)?, options)?)
    }

    fn start(snapshot: String, options: Options) -> Result<wit::Sandbox> {
        given(C::start(&snapshot, settings(&options)?, options)?)
    }

    fn exec(state: String, command: Command) -> Result<ShellResult> {
        C::exec(&read(&state)?, command)
    }

    fn read_file(state: String, path: String) -> Result<Vec<u8>> {
        C::read_file(&read(&state)?, &path)
    }

    fn write_file(state: String, path: String, content: Vec<u8>) -> Result<()> {
        C::write_file(&read(&state)?, &path, content)
    }

    fn stat(state: String, path: String) -> Result<FileStat> {
        C::stat(&read(&state)?, &path)
    }

    fn readdir(state: String, path: String) -> Result<Vec<String>> {
        C::readdir(&read(&state)?, &path)
    }

    fn exists(state: String, path: String) -> Result<bool> {
        C::exists(&read(&state)?, &path)
    }

    fn mkdir(state: String, path: String, recursive: bool) -> Result<()> {
        C::mkdir(&read(&state)?, &path, recursive)
    }

    fn rm(state: String, path: String, recursive: bool, force: bool) -> Result<()> {
        C::rm(&read(&state)?, &path, recursive, force)
    }

    fn cleanup(state: String) -> Result<()> {
        C::cleanup(&read(&state)?)
    }

    fn spawn(state: String, command: Command) -> Result<wit::Process> {
        let running = C::spawn(&read(&state)?, command)?;
        Ok(wit::Process::new(Process(RefCell::new(running))))
    }

    fn signal(state: String, process: String, signal: SignalName) -> Result<()> {
        C::signal(&read(&state)?, &process, signal)
    }

    fn write_input(state: String, process: String, data: Vec<u8>) -> Result<()> {
        C::write_input(&read(&state)?, &process, data)
    }

    fn close_input(state: String, process: String) -> Result<()> {
        C::close_input(&read(&state)?, &process)
    }

    fn snapshot(state: String, label: Option<String>) -> Result<Capture> {
        C::snapshot(&read(&state)?, label)
    }

    fn restore(state: String, snapshot: String) -> Result<String> {
        written(&C::restore(&read(&state)?, &snapshot)?)
    }

    fn delete_snapshot(state: String, snapshot: String) -> Result<()> {
        C::delete_snapshot(&read(&state)?, &snapshot)
    }

    fn fork(state: String, label: Option<String>) -> Result<wit::Sandbox> {
        given(C::fork(&read(&state)?, label)?)
    }

    fn suspend(state: String) -> Result<()> {
        C::suspend(&read(&state)?)
    }

    fn resume(state: String) -> Result<String> {
        written(&C::resume(&read(&state)?)?)
    }

    fn reference(state: String) -> Result<String> {
        C::reference(&read(&state)?)
    }

    fn life(state: String) -> Result<Stage> {
        C::life(&read(&state)?)
    }
}

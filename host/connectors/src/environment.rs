//! A sandbox behind a connector.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant};

use offshoot_backend::{
    Capabilities, Code, Environment, Error, Exec, Factory, FileStat, Options, Reference,
    RemoveOptions, Result, Running, ShellResult, Snapshot, State, Stdin, collect,
};
use offshoot_boxed::boxed;
use tokio::sync::Mutex;

use crate::bindings::wit;
use crate::connector::{Connector, Inner};
use crate::convert;
use crate::instance::call;
use crate::process::{Process, Target};

/// A sandbox: what the component's state names.
pub(crate) struct Remote {
    connector: Connector,
    held: RwLock<Held>,
    root: String,
    cwd: String,
    capabilities: Capabilities,
    /// What it was made with; none where it was attached to, and then cleanup only detaches.
    options: Option<Options>,
    ended: AtomicBool,
    ending: Mutex<()>,
}

/// What restoring and resuming replace.
struct Held {
    state: Arc<str>,
    /// The snapshot that it was last restored from or captured in.
    parent: Option<String>,
}

impl Remote {
    pub(crate) fn new(
        connector: &Connector,
        sandbox: wit::Sandbox,
        capabilities: Capabilities,
        options: Option<Options>,
    ) -> Remote {
        connector.inner().vault.hold(&sandbox.state);
        Remote {
            connector: connector.clone(),
            held: RwLock::new(Held {
                state: sandbox.state.into(),
                parent: None,
            }),
            root: sandbox.root,
            cwd: sandbox.cwd,
            capabilities,
            options,
            ended: AtomicBool::new(false),
            ending: Mutex::new(()),
        }
    }

    fn inner(&self) -> &Arc<Inner> {
        self.connector.inner()
    }

    fn state_of(&self) -> Arc<str> {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
        Arc::clone(&held.state)
    }

    fn parent(&self) -> Option<String> {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
        held.parent.clone()
    }

    fn set_parent(&self, snapshot: &str) {
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        held.parent = Some(snapshot.to_owned());
    }

    /// Puts another state in place.
    fn replace(&self, state: String) {
        let vault = &self.inner().vault;
        vault.hold(&state);
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        vault.release(&held.state);
        held.state = state.into();
    }

    /// Refuses after cleanup, and what is not claimed.
    fn offered(&self, operation: &'static str, claimed: bool, what: &str) -> Result<()> {
        if self.ended.load(Ordering::Acquire) {
            return Err(Error::ended(operation).on(self.inner().name.clone()));
        }
        match claimed {
            true => Ok(()),
            false => Err(self.refusal(operation, what)),
        }
    }

    /// Refuses file operations after cleanup, and where they are not claimed.
    fn files(&self, operation: &'static str) -> Result<()> {
        self.offered(operation, self.capabilities.filesystem, "files")
    }

    /// Starts a command, with a task that reads what it does.
    async fn launch(&self, exec: &Exec) -> Result<Process> {
        let target = Target::new(self.inner(), self.state_of());
        let command = convert::command(exec, &self.cwd, true);
        let process = Process::start(target, command, exec.stdin.clone(), exec.timeout).await;
        process.map_err(|error| error.on(self.inner().name.clone()))
    }

    /// Runs a command of which only the end is told.
    async fn run(&self, exec: &Exec) -> Result<ShellResult> {
        let command = convert::command(exec, &self.cwd, false);
        let started = Instant::now();
        let instances = &self.inner().instances;
        let state = self.state_of();
        let mut lease = instances.lease("exec").await?;
        let (store, backend) = lease.split();
        let time = Duration::from_millis(instances.limits().command_ms);
        let outcome = instances
            .drive(backend.call_exec(store, &state, &command), Some(time))
            .await;
        Ok(convert::result(
            exec,
            lease.settle(outcome)?,
            started.elapsed(),
        ))
    }

    /// The execution, with what makes it one of this sandbox.
    fn check(&self, operation: &'static str, exec: &Exec) -> Result<()> {
        let record = &self.capabilities;
        self.offered(operation, record.exec, "commands")?;
        if exec.stdin != Stdin::Empty {
            self.offered(operation, record.stdin, "standard input")?;
        }
        if !exec.environment.is_empty() || exec.replace_environment {
            self.offered(
                operation,
                record.exec_environment,
                "variables of one execution",
            )?;
        }
        if exec.cwd.as_ref().is_some_and(|cwd| *cwd != self.cwd) {
            self.offered(
                operation,
                record.exec_directory,
                "a directory of one execution",
            )?;
        }
        Ok(())
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        self.inner().vault.release(&self.state_of());
    }
}

/// One function of the component, with the sandbox's state and what it takes after that.
macro_rules! function {
    ($remote:expr, $operation:expr, $function:ident($($argument:expr),*)) => {{
        let state = $remote.state_of();
        call!($remote.inner().instances, $operation, $function(&state $(, $argument)*))
    }};
}

#[boxed]
impl Environment for Remote {
    fn backend(&self) -> &str {
        &self.inner().name
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn root(&self) -> &str {
        &self.root
    }

    fn cwd(&self) -> &str {
        &self.cwd
    }

    async fn exec(&self, exec: Exec) -> Result<ShellResult> {
        self.check("exec", &exec)?;
        if !self.capabilities.streaming {
            return self.run(&exec).await;
        }
        let started = Instant::now();
        let mut process = self.launch(&exec).await?;
        if matches!(exec.stdin, Stdin::Piped) {
            drop(process.take_input());
        }
        let limit = self.inner().instances.limits().output_bytes;
        let collected = collect(&exec, &mut process, started, limit).await;
        match collected {
            Ok(mut result) => {
                result.timed_out = process.timed_out();
                Ok(result)
            }
            Err(error) => Err(error.during("exec").on(self.inner().name.clone())),
        }
    }

    async fn spawn(&self, exec: Exec) -> Result<Box<dyn Running>> {
        self.offered("spawn", self.capabilities.streaming, "streaming")?;
        self.check("spawn", &exec)?;
        Ok(Box::new(self.launch(&exec).await?))
    }

    async fn read_file_buffer(&self, path: &str) -> Result<Vec<u8>> {
        self.files("read_file_buffer")?;
        function!(self, "read_file_buffer", call_read_file(path))
    }

    async fn write_file(&self, path: &str, content: &[u8]) -> Result<()> {
        self.files("write_file")?;
        function!(self, "write_file", call_write_file(path, content))
    }

    async fn stat(&self, path: &str) -> Result<FileStat> {
        self.files("stat")?;
        let stat = function!(self, "stat", call_stat(path))?;
        Ok(convert::stat(&stat))
    }

    async fn readdir(&self, path: &str) -> Result<Vec<String>> {
        self.files("readdir")?;
        let names = function!(self, "readdir", call_readdir(path))?;
        convert::names(path, names).map_err(|error| error.on(self.inner().name.clone()))
    }

    async fn exists(&self, path: &str) -> Result<bool> {
        self.files("exists")?;
        function!(self, "exists", call_exists(path))
    }

    async fn mkdir(&self, path: &str, recursive: bool) -> Result<()> {
        self.files("mkdir")?;
        function!(self, "mkdir", call_mkdir(path, recursive))
    }

    async fn rm(&self, path: &str, options: RemoveOptions) -> Result<()> {
        let RemoveOptions { recursive, force } = options;
        self.files("rm")?;
        function!(self, "rm", call_rm(path, recursive, force))
    }

    async fn cleanup(&self) -> Result<()> {
        let _only_one = self.ending.lock().await;
        if self.ended.load(Ordering::Acquire) {
            return Ok(());
        }
        if self.options.is_some() {
            self.inner().end(&self.state_of()).await?;
        }
        self.ended.store(true, Ordering::Release);
        Ok(())
    }

    async fn snapshot(&self, label: Option<&str>) -> Result<Snapshot> {
        self.offered("snapshot", self.capabilities.snapshot, "snapshots")?;
        let taken = function!(self, "snapshot", call_snapshot(label))?;
        let mut snapshot = Snapshot::new(self.inner().name.clone(), &taken.id).labelled(label);
        snapshot.size = taken.size;
        snapshot.parent = self.parent();
        self.set_parent(&taken.id);
        Ok(snapshot)
    }

    async fn restore(&self, snapshot: &Snapshot) -> Result<()> {
        self.offered("restore", self.capabilities.restore, "snapshots")?;
        let id = snapshot.of(&self.inner().name, "restore")?;
        let state = function!(self, "restore", call_restore(id))?;
        self.replace(state);
        self.set_parent(id);
        Ok(())
    }

    async fn start(&self, snapshot: &Snapshot) -> Result<Arc<dyn Environment>> {
        self.offered("start", self.capabilities.restore, "snapshots")?;
        let options = self.options.clone().unwrap_or_default();
        self.connector.start(snapshot, options).await
    }

    async fn delete_snapshot(&self, snapshot: &Snapshot) -> Result<()> {
        self.offered("delete_snapshot", self.capabilities.snapshot, "snapshots")?;
        let id = snapshot.of(&self.inner().name, "delete_snapshot")?;
        function!(self, "delete_snapshot", call_delete_snapshot(id))
    }

    async fn fork(&self, label: Option<&str>) -> Result<Arc<dyn Environment>> {
        self.offered("fork", true, "forks")?;
        if !self.capabilities.fork {
            let message = "the connector does not offer forks";
            return Err(self
                .inner()
                .error(Code::SandboxUnavailable, "fork", message));
        }
        let branch = function!(self, "fork", call_fork(label))?;
        self.connector.branch(branch, self.options.clone()).await
    }

    async fn suspend(&self) -> Result<()> {
        self.offered("suspend", self.capabilities.suspend, "suspending")?;
        function!(self, "suspend", call_suspend())
    }

    async fn resume(&self) -> Result<()> {
        self.offered("resume", self.capabilities.resume, "suspending")?;
        let state = function!(self, "resume", call_resume())?;
        self.replace(state);
        Ok(())
    }

    async fn reference(&self) -> Result<Reference> {
        self.offered("reference", self.capabilities.reconnect, "references")?;
        let data = function!(self, "reference", call_reference())?;
        Ok(Reference::new(self.inner().name.clone(), data))
    }

    async fn state(&self) -> Result<State> {
        if self.ended.load(Ordering::Acquire) {
            return Ok(State::Deleted);
        }
        let stage = function!(self, "state", call_life())?;
        Ok(convert::state(stage))
    }
}

/// How long a call waits for a kill before it tells that the time is over.
pub(crate) const KILL: Duration = Duration::from_millis(200);

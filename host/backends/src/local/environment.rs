//! A sandbox of the local backend.

use super::files::Root;
use super::process::{self, Launch, Process, Tree};
use super::space::Space;
use super::{
    ALLOWED, Address, Made, NAME, capabilities, io, lock, no_snapshot, text, working_directory,
};
use crate::inside;
use offshoot_backend::{
    Capabilities, Code, Environment, Error, Exec, FileStat, Reference, RemoveOptions, Result,
    Running, ShellResult, Snapshot, State, Stdin,
};
use offshoot_boxed::boxed;
use rustix::process::Signal;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// Where a sandbox's directory comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// It was made for the sandbox.
    Made,
    /// The embedder named it.
    Given,
    /// It is another process's.
    Attached,
}

/// What the owner and all that attached share.
#[derive(Debug)]
pub(super) struct Shared {
    made: Arc<Made>,
    space: Arc<Space>,
    path: PathBuf,
    root: String,
    files: Root,
    /// Whether the directory is removed at the end.
    owned: bool,
    /// What names the directory as that of a live sandbox.
    announced: Option<PathBuf>,
    variables: Vec<(String, String)>,
    mark: String,
    next: AtomicU64,
    running: Arc<Mutex<HashMap<u64, Tree>>>,
    ended: Arc<AtomicBool>,
    suspended: AtomicBool,
    parent: Mutex<Option<String>>,
}

impl Shared {
    pub(super) fn new(
        made: &Arc<Made>,
        space: Arc<Space>,
        path: PathBuf,
        origin: Origin,
        variables: Vec<(String, String)>,
    ) -> Result<Arc<Shared>> {
        let failed = |error| io("create", "", error);
        let announced = match origin {
            Origin::Attached => None,
            Origin::Made | Origin::Given => Some(space.announce(&path).map_err(failed)?),
        };
        let shared = Arc::new(Shared {
            made: Arc::clone(made),
            mark: space.mark(),
            space,
            root: text(&path)?.to_owned(),
            files: Root::open(&path).map_err(failed)?,
            owned: origin == Origin::Made,
            announced,
            variables,
            next: AtomicU64::new(0),
            running: Arc::default(),
            ended: Arc::default(),
            suspended: AtomicBool::new(false),
            parent: Mutex::new(None),
            path: path.clone(),
        });
        lock(&made.live).insert(path, Arc::downgrade(&shared));
        Ok(shared)
    }

    /// Whether its directory is still where it was.
    pub(super) fn is_there(&self) -> bool {
        self.files.is_there()
    }

    fn signal(&self, signal: Signal) {
        for tree in lock(&self.running).values() {
            tree.signal(signal);
        }
    }

    /// Runs `act` while no command runs, so that what it copies belongs together.
    fn still<T>(&self, act: impl FnOnce() -> T) -> T {
        self.signal(Signal::STOP);
        let done = act();
        if !self.suspended.load(Ordering::Acquire) {
            self.signal(Signal::CONT);
        }
        done
    }

    fn end(&self) -> std::io::Result<()> {
        if self.ended.swap(true, Ordering::AcqRel) {
            return Ok(());
        }
        self.signal(Signal::KILL);
        process::end_marked(&self.mark);
        lock(&self.made.live).remove(&self.path);
        if let Some(name) = &self.announced {
            // What is left goes with the space.
            let _ = std::fs::remove_file(name);
        }
        match self.owned {
            true => crate::copy::remove(&self.path),
            false => Ok(()),
        }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        // Without cleanup nobody is left to hear of a failure; the space removes the rest.
        let _ = self.end();
    }
}

/// One holder of a sandbox.
#[derive(Debug)]
pub(super) struct Local {
    shared: Arc<Shared>,
    cwd: String,
    is_owner: bool,
    detached: AtomicBool,
}

impl Local {
    pub(super) fn owner(shared: Arc<Shared>, cwd: Option<&str>) -> Result<Local> {
        Local::new(shared, cwd, true)
    }

    pub(super) fn attached(shared: Arc<Shared>, cwd: Option<&str>) -> Result<Local> {
        Local::new(shared, cwd, false)
    }

    fn new(shared: Arc<Shared>, cwd: Option<&str>, is_owner: bool) -> Result<Local> {
        let cwd = working_directory(&shared.root, cwd)?;
        if cwd != shared.root {
            let made = shared.files.make(&cwd, true);
            made.map_err(|error| error.during("create"))?;
        }
        Ok(Local {
            shared,
            cwd,
            is_owner,
            detached: AtomicBool::new(false),
        })
    }

    fn ready(&self, operation: &'static str) -> Result<&Arc<Shared>> {
        let shared = &self.shared;
        let ended = shared.ended.load(Ordering::Acquire) || self.detached.load(Ordering::Acquire);
        if ended || !shared.files.is_there() {
            return Err(Error::ended(operation).on(NAME));
        }
        if shared.suspended.load(Ordering::Acquire) {
            let message = "the sandbox is suspended; resume it first";
            return Err(Error::new(Code::SandboxUnavailable, operation, message).on(NAME));
        }
        Ok(shared)
    }

    /// Runs a file operation where it may block.
    async fn blocking<T: Send + 'static>(
        &self,
        operation: &'static str,
        act: impl FnOnce(&Shared) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let shared = Arc::clone(self.ready(operation)?);
        let done = tokio::task::spawn_blocking(move || act(&shared)).await;
        done.map_err(|error| Error::new(Code::Died, operation, error.to_string()).on(NAME))?
    }

    fn process(&self, operation: &'static str, mut exec: Exec) -> Result<Process> {
        let shared = self.ready(operation)?;
        let cwd = exec.cwd.clone().unwrap_or_else(|| self.cwd.clone());
        if cwd != shared.root {
            let found = shared.files.stat(&cwd);
            found.map_err(|error| error.during(operation))?;
        }
        let variables = match exec.replace_environment {
            true => Vec::new(),
            false => ALLOWED
                .iter()
                .filter_map(|name| Some(((*name).to_owned(), std::env::var(name).ok()?)))
                .chain(shared.variables.iter().cloned())
                .collect(),
        };
        let variables = variables
            .into_iter()
            .chain(std::mem::take(&mut exec.environment))
            .collect();
        let number = shared.next.fetch_add(1, Ordering::Relaxed);
        let script = match exec.script.len() > inside::MAX_ARGUMENT {
            true => Some(
                shared
                    .space
                    .script(&exec.script)
                    .map_err(|error| io(operation, "", error))?,
            ),
            false => None,
        };
        let launch = Launch {
            variables,
            mark: format!("{}{number}", shared.mark),
            cwd,
            script,
            ended: Arc::clone(&shared.ended),
        };
        let running = Arc::clone(&shared.running);
        let mut process = Process::start(&exec, launch, move |tree| {
            lock(&running).insert(number, tree);
            Box::new(Listed { running, number })
        })?;
        if let Stdin::Bytes(bytes) = std::mem::take(&mut exec.stdin) {
            process.feed(bytes);
        }
        Ok(process)
    }

    /// The working directory relative to the root.
    fn relative_cwd(&self) -> String {
        let rest = self.cwd.strip_prefix(&self.shared.root).unwrap_or("");
        rest.trim_start_matches('/').to_owned()
    }

    async fn branch(&self, id: &str) -> Result<Arc<dyn Environment>> {
        let (id, made) = (id.to_owned(), Arc::clone(&self.shared.made));
        let cwd = self.relative_cwd();
        let shared = self
            .blocking("start", move |shared| {
                let captured = shared.space.snapshot(&id);
                let captured = captured.ok_or_else(|| no_snapshot("start", &id))?;
                let failed = |error| io("start", "", error);
                let root = shared.space.directory().map_err(failed)?;
                captured.fill(&root).map_err(failed)?;
                let space = Arc::clone(&shared.space);
                let branch =
                    Shared::new(&made, space, root, Origin::Made, shared.variables.clone())?;
                *lock(&branch.parent) = Some(id);
                Ok(branch)
            })
            .await?;
        Ok(Arc::new(Local::owner(shared, Some(&cwd))?))
    }
}

/// A command in the sandbox's list of what runs.
struct Listed {
    running: Arc<Mutex<HashMap<u64, Tree>>>,
    number: u64,
}

impl Drop for Listed {
    fn drop(&mut self) {
        lock(&self.running).remove(&self.number);
    }
}

#[boxed]
impl Environment for Local {
    fn backend(&self) -> &str {
        NAME
    }

    fn capabilities(&self) -> Capabilities {
        capabilities()
    }

    fn root(&self) -> &str {
        &self.shared.root
    }

    fn cwd(&self) -> &str {
        &self.cwd
    }

    async fn exec(&self, mut exec: Exec) -> Result<ShellResult> {
        let started = Instant::now();
        if exec.stdin == Stdin::Piped {
            exec.stdin = Stdin::Empty;
        }
        let mut process = self.process("exec", exec.clone())?;
        inside::result(&exec, &mut process, started).await
    }

    async fn read_file_buffer(&self, path: &str) -> Result<Vec<u8>> {
        let path = path.to_owned();
        self.blocking("read_file_buffer", move |shared| shared.files.read(&path))
            .await
    }

    async fn write_file(&self, path: &str, content: &[u8]) -> Result<()> {
        let (path, content) = (path.to_owned(), content.to_vec());
        self.blocking("write_file", move |shared| {
            shared.files.write(&path, &content)
        })
        .await
    }

    async fn stat(&self, path: &str) -> Result<FileStat> {
        let path = path.to_owned();
        self.blocking("stat", move |shared| shared.files.stat(&path))
            .await
    }

    async fn readdir(&self, path: &str) -> Result<Vec<String>> {
        let path = path.to_owned();
        self.blocking("readdir", move |shared| shared.files.names(&path))
            .await
    }

    async fn mkdir(&self, path: &str, recursive: bool) -> Result<()> {
        let path = path.to_owned();
        self.blocking("mkdir", move |shared| shared.files.make(&path, recursive))
            .await
    }

    async fn rm(&self, path: &str, options: RemoveOptions) -> Result<()> {
        let path = path.to_owned();
        self.blocking("rm", move |shared| shared.files.remove(&path, options))
            .await
    }

    async fn cleanup(&self) -> Result<()> {
        self.detached.store(true, Ordering::Release);
        if !self.is_owner {
            return Ok(());
        }
        let shared = Arc::clone(&self.shared);
        let ended = tokio::task::spawn_blocking(move || shared.end()).await;
        let ended = ended.unwrap_or_else(|error| Err(std::io::Error::other(error)));
        ended.map_err(|error| io("cleanup", "", error))
    }

    async fn spawn(&self, exec: Exec) -> Result<Box<dyn Running>> {
        Ok(Box::new(self.process("spawn", exec)?))
    }

    async fn snapshot(&self, label: Option<&str>) -> Result<Snapshot> {
        let (label, cwd) = (label.map(str::to_owned), self.relative_cwd());
        self.blocking("snapshot", move |shared| {
            let captured =
                shared.still(|| shared.space.capture(&shared.path, &cwd, &shared.variables));
            let (id, size) = captured.map_err(|error| io("snapshot", "", error))?;
            let mut snapshot = Snapshot::new(NAME, &*id).labelled(label.as_deref());
            snapshot.size = Some(size);
            snapshot.parent = lock(&shared.parent).replace(id);
            Ok(snapshot)
        })
        .await
    }

    async fn restore(&self, snapshot: &Snapshot) -> Result<()> {
        let id = snapshot.of(NAME, "restore")?.to_owned();
        self.blocking("restore", move |shared| {
            let captured = shared.space.snapshot(&id);
            let captured = captured.ok_or_else(|| no_snapshot("restore", &id))?;
            let filled = shared.still(|| captured.fill(&shared.path));
            filled.map_err(|error| io("restore", "", error))?;
            *lock(&shared.parent) = Some(id);
            Ok(())
        })
        .await
    }

    async fn start(&self, snapshot: &Snapshot) -> Result<Arc<dyn Environment>> {
        self.branch(snapshot.of(NAME, "start")?).await
    }

    async fn delete_snapshot(&self, snapshot: &Snapshot) -> Result<()> {
        let id = snapshot.of(NAME, "delete_snapshot")?.to_owned();
        let space = Arc::clone(&self.shared.space);
        let deleted = tokio::task::spawn_blocking(move || space.delete(&id)).await;
        let deleted = deleted.unwrap_or_else(|error| Err(std::io::Error::other(error)));
        deleted.map_err(|error| io("delete_snapshot", "", error))
    }

    async fn fork(&self, label: Option<&str>) -> Result<Arc<dyn Environment>> {
        // By way of a capture, so that commands stand still for one copy of names only where the
        // file system shares storage.
        let snapshot = self.snapshot(label).await?;
        let branch = self.branch(&snapshot.id).await;
        *lock(&self.shared.parent) = snapshot.parent.clone();
        self.delete_snapshot(&snapshot).await?;
        branch
    }

    async fn suspend(&self) -> Result<()> {
        let shared = &self.shared;
        if shared.ended.load(Ordering::Acquire) {
            return Err(Error::ended("suspend").on(NAME));
        }
        shared.suspended.store(true, Ordering::Release);
        shared.signal(Signal::STOP);
        Ok(())
    }

    async fn resume(&self) -> Result<()> {
        let shared = &self.shared;
        if shared.ended.load(Ordering::Acquire) {
            return Err(Error::ended("resume").on(NAME));
        }
        shared.signal(Signal::CONT);
        shared.suspended.store(false, Ordering::Release);
        Ok(())
    }

    async fn reference(&self) -> Result<Reference> {
        let shared = self.ready("reference")?;
        let address = Address {
            directory: shared.path.clone(),
        };
        let data = serde_json::to_string(&address)
            .map_err(|error| Error::new(Code::Invalid, "reference", error.to_string()).on(NAME))?;
        Ok(Reference::new(NAME, data))
    }

    async fn state(&self) -> Result<State> {
        let shared = &self.shared;
        if shared.ended.load(Ordering::Acquire) || self.detached.load(Ordering::Acquire) {
            return Ok(State::Deleted);
        }
        if !shared.files.is_there() {
            return Ok(State::Failed);
        }
        Ok(match shared.suspended.load(Ordering::Acquire) {
            true => State::Suspended,
            false => State::Running,
        })
    }
}

//! The rules that hold on every backend, in one place, so that no backend has to know them.

use crate::capabilities::Capabilities;
use crate::environment::{Environment, State};
use crate::error::{Code, Error, Result};
use crate::exec::{Exec, ShellResult, Stdin};
use crate::files::{FileStat, RemoveOptions};
use crate::path;
use crate::policy::Boundary;
use crate::running::Running;
use crate::snapshot::{Reference, Snapshot};
use async_trait::async_trait;
use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::Mutex;
use tokio::time;

/// The longest path that is passed on, as Linux counts it without the final NUL.
const MAX_PATH: usize = 4095;
/// The longest name.
const MAX_NAME: usize = 255;

/// An environment under the rules of the contract:
///
/// - the backend receives absolute, normalised paths, and none that leaves its root as text
///   (`PATH_ESCAPE`) or that no file could have (`INVALID`, `LIMIT`);
/// - a relative working directory of `exec` starts at the sandbox's;
/// - `write_file` into a missing directory makes it and tries once more; nothing else is repeated;
/// - time-outs are rounded up to the backend's unit, and watched here where the backend does not
///   (`TIMEOUT`);
/// - an operation or option that is not claimed is refused before the backend is called;
/// - dropping a call releases the caller at once; where the backend cannot cancel a command, its
///   late answer is still awaited and given to [`Rules::on_orphan`];
/// - calls in flight settle with `DIED` when the backend ends or falls silent ([`Watch`]);
/// - a fork is made of a snapshot where the backend has these but no fork of its own;
/// - after cleanup every operation fails with `SANDBOX_UNAVAILABLE`.
pub struct Rules {
    inner: Arc<dyn Environment>,
    capabilities: Capabilities,
    watch: Watch,
    on_orphan: Option<OrphanObserver>,
    ended: AtomicBool,
    cleanup: Mutex<()>,
}

/// Who is told of late answers.
type OrphanObserver = Arc<dyn Fn(Orphan) + Send + Sync>;

/// How a backend that ended is noticed while a call waits for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Watch {
    /// How often the backend is asked for its state.
    pub poll: Duration,
    /// How long it may take to answer that.
    pub silence: Duration,
}

impl Default for Watch {
    fn default() -> Watch {
        Watch {
            poll: Duration::from_secs(5),
            silence: Duration::from_secs(10),
        }
    }
}

/// The late answer to a command whose caller had gone.
#[derive(Debug)]
#[non_exhaustive]
pub struct Orphan {
    /// What was executed.
    pub command: String,
    /// What came of it.
    pub result: Result<ShellResult>,
}

impl Rules {
    /// Puts the rules around an environment.
    pub fn new(inner: Arc<dyn Environment>) -> Rules {
        let mut capabilities = inner.capabilities();
        capabilities.fork |= capabilities.snapshot && capabilities.restore;
        Rules {
            inner,
            capabilities,
            watch: Watch::default(),
            on_orphan: None,
            ended: AtomicBool::new(false),
            cleanup: Mutex::new(()),
        }
    }

    /// Sets how a backend that ended is noticed.
    #[must_use]
    pub fn watch(mut self, watch: Watch) -> Rules {
        self.watch = watch;
        self
    }

    /// Sets who is told when a command whose caller had gone ends after all.
    #[must_use]
    pub fn on_orphan(mut self, observer: impl Fn(Orphan) + Send + Sync + 'static) -> Rules {
        self.on_orphan = Some(Arc::new(observer));
        self
    }

    /// The same rules around another environment of this backend.
    fn around(&self, inner: Arc<dyn Environment>) -> Arc<dyn Environment> {
        let mut rules = Rules::new(inner).watch(self.watch);
        rules.on_orphan.clone_from(&self.on_orphan);
        Arc::new(rules)
    }

    fn error(&self, code: Code, operation: &'static str, message: impl Into<String>) -> Error {
        Error::new(code, operation, message).on(self.backend().to_owned())
    }

    fn offered(&self, operation: &'static str, claimed: bool, what: &str) -> Result<()> {
        if self.ended.load(Ordering::Acquire) {
            return Err(Error::ended(operation).on(self.backend().to_owned()));
        }
        if claimed {
            return Ok(());
        }
        Err(self.refusal(operation, what))
    }

    /// The path as the backend gets it.
    fn path(&self, operation: &'static str, text: &str) -> Result<String> {
        self.offered(operation, self.capabilities.filesystem, "files")?;
        self.within(operation, text)
    }

    fn within(&self, operation: &'static str, text: &str) -> Result<String> {
        if text.contains('\0') {
            let message = format!("{text:?}: a path holds no NUL");
            return Err(self.error(Code::Invalid, operation, message));
        }
        let resolved = self.resolve_path(text);
        if path::escapes(self.cwd(), text) || !path::is_within(self.root(), &resolved) {
            let message = format!("{text}: the path leads out of {}", self.root());
            return Err(self.error(Code::PathEscape, operation, message));
        }
        if resolved.len() > MAX_PATH {
            let message = format!("limit reached: a path has at most {MAX_PATH} bytes");
            return Err(self.error(Code::Limit, operation, message));
        }
        if resolved.split('/').any(|name| name.len() > MAX_NAME) {
            let message = format!("limit reached: a name has at most {MAX_NAME} bytes");
            return Err(self.error(Code::Limit, operation, message));
        }
        Ok(resolved)
    }

    /// The execution as the backend gets it.
    fn request(&self, operation: &'static str, mut exec: Exec) -> Result<Exec> {
        let capabilities = &self.capabilities;
        self.offered(operation, capabilities.exec, "commands")?;
        if exec.stdin != Stdin::Empty {
            self.offered(operation, capabilities.stdin, "standard input")?;
        }
        if !exec.environment.is_empty() || exec.replace_environment {
            let what = "variables of one execution";
            self.offered(operation, capabilities.exec_environment, what)?;
        }
        for (name, value) in &exec.environment {
            if !is_variable(name, value) {
                let message = format!("the variable {name:?} has no valid name or value");
                return Err(self.error(Code::Invalid, operation, message));
            }
        }
        let mut words = exec.arguments.iter().chain(&exec.name);
        if exec.script.contains(&0) || words.any(|word| word.contains(&0)) {
            let message = "a script and its arguments hold no NUL";
            return Err(self.error(Code::Invalid, operation, message));
        }
        let directory = match &exec.cwd {
            Some(cwd) => self.within(operation, cwd)?,
            None => self.cwd().to_owned(),
        };
        if directory != self.cwd() {
            let what = "a directory of one execution";
            self.offered(operation, capabilities.exec_directory, what)?;
        }
        exec.cwd = Some(directory);
        exec.timeout = exec
            .timeout
            .map(|timeout| round_up(timeout, capabilities.timeout_unit_ms));
        Ok(exec)
    }

    /// Awaits the backend, but not beyond its end.
    async fn call<T>(
        &self,
        operation: &'static str,
        call: impl Future<Output = Result<T>> + Send,
    ) -> Result<T> {
        let settled = tokio::select! {
            biased;
            settled = call => settled,
            error = self.death(operation) => Err(error),
        };
        settled.map_err(|error| error.on(self.backend().to_owned()))
    }

    /// Returns when the backend ended.
    async fn death(&self, operation: &'static str) -> Error {
        loop {
            time::sleep(self.watch.poll).await;
            let message = match time::timeout(self.watch.silence, self.inner.state()).await {
                Ok(Ok(State::Failed)) => "the sandbox failed during the call".to_owned(),
                Ok(Ok(State::Deleted)) => "the sandbox was deleted during the call".to_owned(),
                Ok(Ok(_)) => continue,
                Ok(Err(error)) if error.code() != Code::Died => continue,
                Ok(Err(error)) => error.message().to_owned(),
                Err(_) => format!("no answer for {} ms", self.watch.silence.as_millis()),
            };
            return self.error(Code::Died, operation, message);
        }
    }

    /// Runs a command on a backend that cannot cancel it: the answer is awaited in any case.
    async fn detached(&self, exec: Exec) -> Result<ShellResult> {
        let (inner, observer) = (Arc::clone(&self.inner), self.on_orphan.clone());
        let command = exec.text().into_owned();
        let (answer, answered) = tokio::sync::oneshot::channel();
        tokio::spawn(async move {
            let result = inner.exec(exec).await;
            if let Err(result) = answer.send(result)
                && let Some(observer) = observer
            {
                observer(Orphan { command, result });
            }
        });
        match answered.await {
            Ok(result) => result,
            Err(_) => Err(self.error(Code::Died, "exec", "the call panicked")),
        }
    }
}

/// Whether a process can have this variable.
pub(crate) fn is_variable(name: &str, value: &str) -> bool {
    !name.is_empty() && !name.contains(['=', '\0']) && !value.contains('\0')
}

/// The next whole number of units, never less.
fn round_up(timeout: Duration, unit_ms: u64) -> Duration {
    let unit = u128::from(unit_ms.max(1)) * 1_000_000;
    let rounded = timeout.as_nanos().div_ceil(unit).saturating_mul(unit);
    let millis = u64::try_from(rounded / 1_000_000).unwrap_or(u64::MAX);
    Duration::from_millis(millis)
}

#[async_trait]
impl Environment for Rules {
    fn backend(&self) -> &str {
        self.inner.backend()
    }

    fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    fn root(&self) -> &str {
        self.inner.root()
    }

    fn cwd(&self) -> &str {
        self.inner.cwd()
    }

    async fn exec(&self, exec: Exec) -> Result<ShellResult> {
        let exec = self.request("exec", exec)?;
        let timeout = exec.timeout.filter(|_| !self.capabilities.exec_timeout);
        let call = async {
            if self.capabilities.cancel {
                self.inner.exec(exec).await
            } else {
                self.detached(exec).await
            }
        };
        let Some(timeout) = timeout else {
            return self.call("exec", call).await;
        };
        match time::timeout(timeout, self.call("exec", call)).await {
            Ok(settled) => settled,
            Err(_) => {
                let message = format!("no answer within {} ms", timeout.as_millis());
                Err(self.error(Code::Timeout, "exec", message))
            }
        }
    }

    async fn read_file_buffer(&self, path: &str) -> Result<Vec<u8>> {
        let path = self.path("read_file_buffer", path)?;
        self.call("read_file_buffer", self.inner.read_file_buffer(&path))
            .await
    }

    async fn read_file(&self, path: &str) -> Result<String> {
        let path = self.path("read_file", path)?;
        self.call("read_file", self.inner.read_file(&path)).await
    }

    async fn write_file(&self, path: &str, content: &[u8]) -> Result<()> {
        let path = self.path("write_file", path)?;
        let write = || self.call("write_file", self.inner.write_file(&path, content));
        let parent = match path.rsplit_once('/') {
            Some((parent, _)) if !parent.is_empty() && path != self.root() => parent,
            _ => return write().await,
        };
        match write().await {
            Err(error) if error.code() == Code::NotFound => {
                self.call("write_file", self.inner.mkdir(parent, true))
                    .await
                    .map_err(|error| error.during("write_file"))?;
                write().await
            }
            settled => settled,
        }
    }

    async fn stat(&self, path: &str) -> Result<FileStat> {
        let path = self.path("stat", path)?;
        self.call("stat", self.inner.stat(&path)).await
    }

    async fn readdir(&self, path: &str) -> Result<Vec<String>> {
        let path = self.path("readdir", path)?;
        self.call("readdir", self.inner.readdir(&path)).await
    }

    async fn exists(&self, path: &str) -> Result<bool> {
        match self.path("exists", path) {
            Ok(path) => self.call("exists", self.inner.exists(&path)).await,
            Err(error) => match error.code() {
                Code::PathEscape | Code::Invalid | Code::Limit => Ok(false),
                _ => Err(error),
            },
        }
    }

    async fn mkdir(&self, path: &str, recursive: bool) -> Result<()> {
        let path = self.path("mkdir", path)?;
        self.call("mkdir", self.inner.mkdir(&path, recursive)).await
    }

    async fn rm(&self, path: &str, options: RemoveOptions) -> Result<()> {
        let path = self.path("rm", path)?;
        if path == self.root() {
            let message = format!("{path}: the root stays");
            return Err(self.error(Code::Conflict, "rm", message));
        }
        self.call("rm", self.inner.rm(&path, options)).await
    }

    async fn cleanup(&self) -> Result<()> {
        let _only_one = self.cleanup.lock().await;
        if self.ended.load(Ordering::Acquire) {
            return Ok(());
        }
        self.call("cleanup", self.inner.cleanup()).await?;
        self.ended.store(true, Ordering::Release);
        Ok(())
    }

    async fn spawn(&self, exec: Exec) -> Result<Box<dyn Running>> {
        self.offered("spawn", self.capabilities.streaming, "streaming")?;
        let exec = self.request("spawn", exec)?;
        self.call("spawn", self.inner.spawn(exec)).await
    }

    async fn snapshot(&self, label: Option<&str>) -> Result<Snapshot> {
        self.offered("snapshot", self.capabilities.snapshot, "snapshots")?;
        self.call("snapshot", self.inner.snapshot(label)).await
    }

    async fn restore(&self, snapshot: &Snapshot) -> Result<()> {
        self.offered("restore", self.capabilities.restore, "snapshots")?;
        snapshot.of(self.backend(), "restore")?;
        self.call("restore", self.inner.restore(snapshot)).await
    }

    async fn start(&self, snapshot: &Snapshot) -> Result<Arc<dyn Environment>> {
        self.offered("start", self.capabilities.restore, "snapshots")?;
        snapshot.of(self.backend(), "start")?;
        let started = self.call("start", self.inner.start(snapshot)).await?;
        Ok(self.around(started))
    }

    async fn delete_snapshot(&self, snapshot: &Snapshot) -> Result<()> {
        self.offered("delete_snapshot", self.capabilities.snapshot, "snapshots")?;
        snapshot.of(self.backend(), "delete_snapshot")?;
        self.call("delete_snapshot", self.inner.delete_snapshot(snapshot))
            .await
    }

    async fn fork(&self, label: Option<&str>) -> Result<Arc<dyn Environment>> {
        // A fork that is not claimed is refused by the environment itself, with its own code.
        self.offered("fork", true, "forks")?;
        let branch = if self.inner.capabilities().fork || !self.capabilities.fork {
            self.call("fork", self.inner.fork(label)).await?
        } else {
            let snapshot = self.call("fork", self.inner.snapshot(label)).await?;
            let branch = self.call("fork", self.inner.start(&snapshot)).await;
            // Where the branch still needs it, the backend refuses and keeps it.
            let _ = self.inner.delete_snapshot(&snapshot).await;
            branch?
        };
        Ok(self.around(branch))
    }

    async fn suspend(&self) -> Result<()> {
        self.offered("suspend", self.capabilities.suspend, "suspending")?;
        self.call("suspend", self.inner.suspend()).await
    }

    async fn resume(&self) -> Result<()> {
        self.offered("resume", self.capabilities.resume, "suspending")?;
        self.call("resume", self.inner.resume()).await
    }

    async fn reference(&self) -> Result<Reference> {
        self.offered("reference", self.capabilities.reconnect, "references")?;
        self.call("reference", self.inner.reference()).await
    }

    async fn restrict(&self, boundary: Arc<Boundary>) -> Result<()> {
        let Capabilities {
            file_policy,
            command_policy,
            ..
        } = self.capabilities;
        let what = "rules that hold for commands too";
        self.offered("restrict", file_policy || command_policy, what)?;
        self.call("restrict", self.inner.restrict(boundary)).await
    }

    async fn state(&self) -> Result<State> {
        if self.ended.load(Ordering::Acquire) {
            return Ok(State::Deleted);
        }
        self.inner.state().await
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rules")
            .field("inner", &self.inner)
            .field("watch", &self.watch)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;

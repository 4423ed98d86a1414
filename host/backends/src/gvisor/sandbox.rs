//! A sandbox that is a container of gVisor's.

use super::process::{Place, Process};
use super::runsc::Runsc;
use super::{NAME, capabilities};
use crate::copy;
use crate::inside;
use crate::space::{Owned, private};
use futures::future::join;
use offshoot_backend::{
    Capabilities, Code, Environment, Error, Exec, Result, Running, ShellResult, Snapshot, State,
    Stdin, path,
};
use offshoot_boxed::boxed;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock};

/// The container's own process: it does nothing but take in processes whose parent is gone.
const INIT: &str = "trap 'exit 0' TERM INT; while :; do sleep 3600 & wait $!; done";
/// How long a checkpoint waits for commands in flight to end.
const PATIENCE: Duration = Duration::from_secs(5);
const SNAPSHOTS: &str = "snapshots";
const BUNDLES: &str = "bundles";

/// What a factory shares with its sandboxes.
#[derive(Debug)]
pub(super) struct Made {
    runsc: Runsc,
    space: Owned,
}

impl Made {
    /// Reaps what crashed owners left, and takes a new directory.
    pub(super) fn open(runsc: Runsc, base: Option<&Path>) -> io::Result<Made> {
        let end = |path: &Path, _: &str| runsc.at(&path.join("state")).end_all();
        let parts = ["state", BUNDLES, SNAPSHOTS];
        let space = Owned::open(base, "offshoot-gvisor", &parts, &end)?;
        let runsc = runsc.at(&space.path().join("state"));
        Ok(Made { runsc, space })
    }

    fn snapshot(&self, operation: &'static str, id: &str) -> Result<PathBuf> {
        let directory = self.space.named(SNAPSHOTS, id);
        let directory = directory.filter(|path| path.join("plan.json").is_file());
        directory.ok_or_else(|| {
            let message = format!("there is no snapshot {id}");
            Error::new(Code::NotFound, operation, message).on(NAME)
        })
    }

    /// What a snapshot's sandbox was made of.
    pub(super) fn captured(&self, operation: &'static str, id: &str) -> Result<Plan> {
        let directory = self.snapshot(operation, id)?;
        let text = fs::read(directory.join("plan.json")).map_err(|e| io(operation, &e))?;
        serde_json::from_slice(&text).map_err(|error| {
            let message = format!("the snapshot {id}: {error}");
            Error::new(Code::Corrupt, operation, message).on(NAME)
        })
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        self.runsc.end_all();
    }
}

/// Where commands are looked for.
const SEARCH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/// What a container is made of, and its branches after it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Plan {
    rootfs: PathBuf,
    root: String,
    cwd: String,
    variables: Vec<(String, String)>,
}

impl Plan {
    pub(super) fn new(rootfs: PathBuf, root: String) -> Plan {
        Plan {
            rootfs,
            cwd: root.clone(),
            root,
            variables: Vec::new(),
        }
    }

    /// The same with another working directory and more variables.
    pub(super) fn with(
        mut self,
        operation: &'static str,
        cwd: Option<&str>,
        variables: Vec<(String, String)>,
    ) -> Result<Plan> {
        if let Some(cwd) = cwd {
            self.cwd = path::resolve(&self.root, cwd);
        }
        if !path::is_within(&self.root, &self.cwd) {
            let message = format!("{}: the path leads out of {}", self.cwd, self.root);
            return Err(Error::new(Code::PathEscape, operation, message).on(NAME));
        }
        self.variables
            .retain(|(name, _)| !variables.iter().any(|(new, _)| new == name));
        self.variables.extend(variables);
        Ok(self)
    }

    /// What every process in it gets.
    fn variables(&self) -> Vec<(String, String)> {
        let mut all = vec![("PATH".to_owned(), SEARCH.to_owned())];
        all.retain(|(name, _)| !self.variables.iter().any(|(own, _)| own == name));
        all.extend(self.variables.iter().cloned());
        all
    }

    /// The configuration that `runsc` reads.
    fn bundle(&self) -> serde_json::Value {
        let variables = self.variables();
        let variables = variables
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        let variables: Vec<String> = variables.collect();
        let namespaces =
            ["pid", "network", "ipc", "uts", "mount"].map(|kind| json!({"type": kind}));
        json!({
            "ociVersion": "1.0.0",
            "process": {
                "user": {"uid": 0, "gid": 0},
                "args": ["sh", "-c", INIT],
                "env": variables,
                "cwd": "/",
            },
            "root": {"path": self.rootfs, "readonly": false},
            "hostname": "offshoot",
            "mounts": [
                {"destination": "/proc", "type": "proc", "source": "proc"},
                {"destination": "/tmp", "type": "tmpfs", "source": "tmpfs"},
            ],
            "linux": {"namespaces": namespaces},
        })
    }
}

/// Whether a container is alive.
pub(super) async fn is_running(runsc: &Runsc, id: &str) -> Result<bool> {
    Ok(runsc.status(id).await?.as_deref() == Some("running"))
}

fn io(operation: &'static str, error: &io::Error) -> Error {
    Error::new(Code::Died, operation, error.to_string()).on(NAME)
}

/// Where in its life a sandbox is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Awake,
    Asleep,
    /// A checkpoint was taken and could not be continued from.
    Lost,
}

/// A container, its bundle, and what runs in it.
#[derive(Debug)]
pub(super) struct Sandbox {
    made: Arc<Made>,
    plan: Plan,
    id: String,
    bundle: PathBuf,
    phase: Mutex<Phase>,
    /// Read by commands in flight, written by checkpoints.
    gate: Arc<RwLock<()>>,
    ended: Arc<AtomicBool>,
    parent: Mutex<Option<String>>,
}

impl Sandbox {
    /// A fresh container.
    pub(super) async fn create(made: Arc<Made>, plan: Plan) -> Result<Sandbox> {
        let sandbox = Sandbox::new(made, plan, "create")?;
        let bundle = sandbox.bundle.display().to_string();
        let start = ["run", "--detach", "--bundle", &bundle, &sandbox.id];
        sandbox.runsc("create", &start).await?;
        let Plan { root, cwd, .. } = &sandbox.plan;
        let directories = ["exec", &sandbox.id, "mkdir", "-p", "--", root, cwd];
        sandbox.runsc("create", &directories).await?;
        Ok(sandbox)
    }

    /// A container that goes on from a snapshot.
    pub(super) async fn from_snapshot(made: Arc<Made>, plan: Plan, id: &str) -> Result<Sandbox> {
        let image = made.snapshot("start", id)?;
        let sandbox = Sandbox::new(made, plan, "start")?;
        sandbox.go_on("start", &image).await?;
        *lock(&sandbox.parent) = Some(id.to_owned());
        Ok(sandbox)
    }

    /// A bundle without a container.
    fn new(made: Arc<Made>, plan: Plan, operation: &'static str) -> Result<Sandbox> {
        let bundle = made.space.directory(BUNDLES);
        let bundle = bundle.map_err(|error| io(operation, &error))?;
        let text = plan.bundle().to_string();
        fs::write(bundle.join("config.json"), text).map_err(|error| io(operation, &error))?;
        let id = format!("{}-{}", made.space.id(), made.space.number());
        Ok(Sandbox {
            made,
            plan,
            id,
            bundle,
            phase: Mutex::new(Phase::Awake),
            gate: Arc::default(),
            ended: Arc::default(),
            parent: Mutex::default(),
        })
    }

    async fn runsc(&self, operation: &'static str, arguments: &[&str]) -> Result<()> {
        let log = self.bundle.join("log");
        self.made.runsc.run(operation, &log, arguments).await
    }

    fn ready(&self, operation: &'static str) -> Result<()> {
        if self.ended.load(Ordering::Acquire) {
            return Err(Error::ended(operation).on(NAME));
        }
        let unavailable = |code, message: &str| Err(Error::new(code, operation, message).on(NAME));
        match *lock(&self.phase) {
            Phase::Awake => Ok(()),
            Phase::Asleep => unavailable(
                Code::SandboxUnavailable,
                "the sandbox is suspended; resume it first",
            ),
            Phase::Lost => unavailable(Code::Died, "the sandbox was lost in a checkpoint"),
        }
    }

    async fn process(&self, operation: &'static str, mut exec: Exec) -> Result<Process> {
        let in_flight: OwnedRwLockReadGuard<()> = Arc::clone(&self.gate).read_owned().await;
        self.ready(operation)?;
        exec.cwd.get_or_insert_with(|| self.plan.cwd.clone());
        let place = Place {
            runsc: self.made.runsc.clone(),
            id: self.id.clone(),
            ended: Arc::clone(&self.ended),
            bundle: self.bundle.clone(),
            variables: self.plan.variables(),
        };
        let started = Process::start(place, &exec, in_flight);
        let mut process = started.map_err(|error| error.during(operation))?;
        if let Stdin::Bytes(bytes) = std::mem::take(&mut exec.stdin) {
            process.feed(bytes);
        }
        Ok(process)
    }

    /// Waits until no command is in flight, and keeps others out.
    async fn still(&self, operation: &'static str) -> Result<OwnedRwLockWriteGuard<()>> {
        let alone = Arc::clone(&self.gate).write_owned();
        let Ok(alone) = tokio::time::timeout(PATIENCE, alone).await else {
            let message = "a command is in flight";
            let error = Error::new(Code::Conflict, operation, message).on(NAME);
            return Err(error.with_retryable(true));
        };
        Ok(alone)
    }

    /// Writes everything into a directory; the container has ended then.
    async fn stop(&self, operation: &'static str, image: &Path) -> Result<()> {
        private(image).map_err(|error| io(operation, &error))?;
        let shown = image.display().to_string();
        let checkpoint = ["checkpoint", "--image-path", &shown, &self.id];
        if let Err(error) = self.runsc(operation, &checkpoint).await {
            let _ = copy::remove(image);
            return Err(error);
        }
        self.runsc(operation, &["delete", "-force", &self.id]).await
    }

    /// Makes the container from what a directory holds.
    async fn go_on(&self, operation: &'static str, image: &Path) -> Result<()> {
        let (image, bundle) = (
            image.display().to_string(),
            self.bundle.display().to_string(),
        );
        let arguments = [
            "restore",
            "--detach",
            "--image-path",
            &image,
            "--bundle",
            &bundle,
            &self.id,
        ];
        let restored = self.runsc(operation, &arguments).await;
        *lock(&self.phase) = match restored {
            Ok(()) => Phase::Awake,
            Err(_) => Phase::Lost,
        };
        restored
    }

    async fn end(&self, operation: &'static str) -> Result<()> {
        // Its log is in the bundle, which may be gone by now.
        private(&self.bundle).map_err(|error| io(operation, &error))?;
        self.runsc(operation, &["delete", "-force", &self.id]).await
    }

    fn asleep(&self) -> PathBuf {
        self.bundle.join("asleep")
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[boxed]
impl Environment for Sandbox {
    fn backend(&self) -> &str {
        NAME
    }

    fn capabilities(&self) -> Capabilities {
        capabilities()
    }

    fn root(&self) -> &str {
        &self.plan.root
    }

    fn cwd(&self) -> &str {
        &self.plan.cwd
    }

    async fn exec(&self, mut exec: Exec) -> Result<ShellResult> {
        let started = Instant::now();
        if exec.stdin == Stdin::Piped {
            exec.stdin = Stdin::Empty;
        }
        let mut process = self.process("exec", exec.clone()).await?;
        inside::result(&exec, &mut process, started).await
    }

    async fn cleanup(&self) -> Result<()> {
        self.ended.store(true, Ordering::Release);
        self.end("cleanup").await?;
        copy::remove(&self.bundle).map_err(|error| io("cleanup", &error))
    }

    async fn spawn(&self, exec: Exec) -> Result<Box<dyn Running>> {
        Ok(Box::new(self.process("spawn", exec).await?))
    }

    async fn snapshot(&self, label: Option<&str>) -> Result<Snapshot> {
        let _still = self.still("snapshot").await?;
        self.ready("snapshot")?;
        let space = &self.made.space;
        let id = format!("{}-{}", space.id(), space.number());
        let image = space.path().join(SNAPSHOTS).join(&id);
        self.stop("snapshot", &image).await?;
        self.go_on("snapshot", &image).await?;
        // Last, since it is what makes the directory a snapshot.
        let plan = serde_json::to_vec(&self.plan).unwrap_or_default();
        fs::write(image.join("plan.json"), plan).map_err(|error| io("snapshot", &error))?;
        let mut snapshot = Snapshot::new(NAME, &*id).labelled(label);
        let written = fs::metadata(image.join("checkpoint.img"));
        snapshot.size = written.ok().map(|written| written.len());
        snapshot.parent = lock(&self.parent).replace(id);
        Ok(snapshot)
    }

    async fn restore(&self, snapshot: &Snapshot) -> Result<()> {
        let id = snapshot.of(NAME, "restore")?;
        let image = self.made.snapshot("restore", id)?;
        let _still = self.still("restore").await?;
        self.ready("restore")?;
        self.end("restore").await?;
        self.go_on("restore", &image).await?;
        *lock(&self.parent) = Some(id.to_owned());
        Ok(())
    }

    async fn start(&self, snapshot: &Snapshot) -> Result<Arc<dyn Environment>> {
        self.ready("start")?;
        let id = snapshot.of(NAME, "start")?;
        let (made, plan) = (Arc::clone(&self.made), self.plan.clone());
        let branch = Sandbox::from_snapshot(made, plan, id).await?;
        Ok(Arc::new(branch))
    }

    async fn delete_snapshot(&self, snapshot: &Snapshot) -> Result<()> {
        let id = snapshot.of(NAME, "delete_snapshot")?;
        match self.made.space.named(SNAPSHOTS, id) {
            Some(image) => copy::remove(&image).map_err(|error| io("delete_snapshot", &error)),
            None => Ok(()),
        }
    }

    async fn fork(&self, _: Option<&str>) -> Result<Arc<dyn Environment>> {
        let _still = self.still("fork").await?;
        self.ready("fork")?;
        let branch = Sandbox::new(Arc::clone(&self.made), self.plan.clone(), "fork")?;
        let image = branch.asleep();
        self.stop("fork", &image).await?;
        let (origin, made) = join(self.go_on("fork", &image), branch.go_on("fork", &image)).await;
        copy::remove(&image).map_err(|error| io("fork", &error))?;
        origin?;
        made?;
        lock(&branch.parent).clone_from(&lock(&self.parent));
        Ok(Arc::new(branch))
    }

    async fn suspend(&self) -> Result<()> {
        let _still = self.still("suspend").await?;
        if *lock(&self.phase) == Phase::Asleep && !self.ended.load(Ordering::Acquire) {
            return Ok(());
        }
        self.ready("suspend")?;
        self.stop("suspend", &self.asleep()).await?;
        *lock(&self.phase) = Phase::Asleep;
        Ok(())
    }

    async fn resume(&self) -> Result<()> {
        let _still = self.still("resume").await?;
        if self.ended.load(Ordering::Acquire) || *lock(&self.phase) != Phase::Asleep {
            return self.ready("resume");
        }
        self.go_on("resume", &self.asleep()).await?;
        copy::remove(&self.asleep()).map_err(|error| io("resume", &error))
    }

    async fn state(&self) -> Result<State> {
        if self.ended.load(Ordering::Acquire) {
            return Ok(State::Deleted);
        }
        let phase = *lock(&self.phase);
        match phase {
            Phase::Asleep => Ok(State::Suspended),
            Phase::Lost => Ok(State::Failed),
            // While a checkpoint is taken there may be no container for a moment.
            Phase::Awake => match self.gate.try_read() {
                Err(_) => Ok(State::Running),
                Ok(_awake) if is_running(&self.made.runsc, &self.id).await? => Ok(State::Running),
                Ok(_awake) => Ok(State::Failed),
            },
        }
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        if self.ended.load(Ordering::Acquire) {
            return;
        }
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let mut ending = self.made.runsc.command(&["delete", "-force", &self.id]);
            let (made, bundle) = (Arc::clone(&self.made), self.bundle.clone());
            runtime.spawn(async move {
                // Without cleanup nobody hears of a failure; the space removes what is left.
                let _ = ending.status().await;
                let _ = copy::remove(&bundle);
                drop(made);
            });
        }
    }
}

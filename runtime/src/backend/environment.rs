//! A virtual sandbox under the contract of all backends.

use super::running::Process;
use super::wall::{self, Wall};
use super::{NAME, capabilities};
use crate::sandbox::Sandbox;
use offshoot_backend::{
    Boundary, Capabilities, Code, Environment, Error, Exec, FileStat, RemoveOptions, Result,
    Running, ShellResult, Snapshot, State,
};
use offshoot_boxed::boxed;
use offshoot_kernel::SystemRandom;
use offshoot_vfs::Random;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

/// A virtual sandbox as an [`Environment`], for code that runs on every backend.
///
/// ```
/// # #[tokio::main] async fn main() -> offshoot::Result<()> {
/// use offshoot::Sandbox;
/// use offshoot::backend::{Environment, Rules, Virtual};
/// use std::sync::Arc;
/// let sandbox = Sandbox::builder().file("/home/user/a", "1").build()?;
/// let environment = Rules::new(Arc::new(Virtual::new(sandbox)));
/// assert_eq!(environment.readdir(".").await?, ["a"]);
/// # Ok(()) }
/// ```
pub struct Virtual {
    cwd: String,
    held: RwLock<Held>,
    snapshots: Arc<Snapshots>,
}

/// What restoring replaces.
#[derive(Clone)]
struct Held {
    sandbox: Sandbox,
    /// The snapshot that it was last restored from or captured in.
    parent: Option<String>,
    /// The rules that its files and commands are under.
    boundary: Option<Arc<Wall>>,
}

impl Virtual {
    /// This sandbox. Restoring a snapshot puts another one in its place, and ends this one.
    pub fn new(sandbox: Sandbox) -> Virtual {
        Virtual::with(sandbox, Arc::default())
    }

    pub(super) fn with(sandbox: Sandbox, snapshots: Arc<Snapshots>) -> Virtual {
        Virtual {
            cwd: sandbox.cwd().to_owned(),
            held: RwLock::new(Held {
                sandbox,
                parent: None,
                boundary: None,
            }),
            snapshots,
        }
    }

    fn held(&self) -> Held {
        let held = self.held.read().unwrap_or_else(PoisonError::into_inner);
        held.clone()
    }

    fn sandbox(&self) -> Sandbox {
        self.held().sandbox
    }

    fn replace(&self, new: Held) -> Held {
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *held, new)
    }

    fn beside(&self, held: Held) -> Arc<dyn Environment> {
        let made = Virtual::with(held.sandbox.clone(), Arc::clone(&self.snapshots));
        made.replace(held);
        Arc::new(made)
    }

    /// The files of a snapshot with the settings of this sandbox, and under its rules.
    fn captured(&self, snapshot: &Snapshot, operation: &'static str) -> Result<Held> {
        let Held {
            sandbox, boundary, ..
        } = self.held();
        sandbox.alive(operation)?;
        let kept = self.snapshots.find(snapshot, operation)?;
        let sandbox = kept.fork_as(sandbox.configuration().clone())?;
        wall::put(&sandbox, boundary.as_ref());
        Ok(Held {
            sandbox,
            parent: Some(snapshot.id.clone()),
            boundary,
        })
    }
}

/// The same error, of this backend.
fn named<T>(result: Result<T>) -> Result<T> {
    result.map_err(|error| error.on(NAME))
}

#[boxed]
impl Environment for Virtual {
    fn backend(&self) -> &str {
        NAME
    }

    fn capabilities(&self) -> Capabilities {
        capabilities(self.sandbox().has_network())
    }

    fn cwd(&self) -> &str {
        &self.cwd
    }

    async fn exec(&self, exec: Exec) -> Result<ShellResult> {
        named(self.sandbox().exec(exec).await)
    }

    async fn read_file_buffer(&self, path: &str) -> Result<Vec<u8>> {
        named(self.sandbox().read_file_buffer(path).await)
    }

    async fn write_file(&self, path: &str, content: &[u8]) -> Result<()> {
        named(self.sandbox().write_file(path, content).await)
    }

    async fn stat(&self, path: &str) -> Result<FileStat> {
        named(self.sandbox().stat(path).await)
    }

    async fn readdir(&self, path: &str) -> Result<Vec<String>> {
        named(self.sandbox().readdir(path).await)
    }

    async fn mkdir(&self, path: &str, recursive: bool) -> Result<()> {
        named(self.sandbox().mkdir(path, recursive).await)
    }

    async fn rm(&self, path: &str, options: RemoveOptions) -> Result<()> {
        named(self.sandbox().rm(path, options).await)
    }

    async fn cleanup(&self) -> Result<()> {
        self.sandbox().cleanup().await;
        Ok(())
    }

    async fn spawn(&self, exec: Exec) -> Result<Box<dyn Running>> {
        let execution = named(self.sandbox().spawn(exec))?;
        Ok(Box::new(Process::new(execution)))
    }

    async fn snapshot(&self, label: Option<&str>) -> Result<Snapshot> {
        let Held {
            sandbox, parent, ..
        } = self.held();
        named(sandbox.alive("snapshot"))?;
        let mut snapshot = self.snapshots.keep(sandbox.fork()).labelled(label);
        snapshot.parent = parent;
        self.replace(Held {
            parent: Some(snapshot.id.clone()),
            ..self.held()
        });
        Ok(snapshot)
    }

    async fn restore(&self, snapshot: &Snapshot) -> Result<()> {
        let new = named(self.captured(snapshot, "restore"))?;
        let old = self.replace(new);
        // What still runs would write to files that nobody sees any more.
        old.sandbox.cleanup().await;
        Ok(())
    }

    async fn start(&self, snapshot: &Snapshot) -> Result<Arc<dyn Environment>> {
        Ok(self.beside(named(self.captured(snapshot, "start"))?))
    }

    async fn delete_snapshot(&self, snapshot: &Snapshot) -> Result<()> {
        snapshot.of(NAME, "delete_snapshot")?;
        self.snapshots.lock().remove(&snapshot.id);
        Ok(())
    }

    async fn fork(&self, label: Option<&str>) -> Result<Arc<dyn Environment>> {
        let _ = label;
        let held = self.held();
        named(held.sandbox.alive("fork"))?;
        let sandbox = held.sandbox.fork();
        wall::put(&sandbox, held.boundary.as_ref());
        Ok(self.beside(Held { sandbox, ..held }))
    }

    async fn restrict(&self, boundary: Arc<Boundary>) -> Result<()> {
        let mut held = self.held.write().unwrap_or_else(PoisonError::into_inner);
        named(held.sandbox.alive("restrict"))?;
        let wall = Arc::new(Wall::new(boundary)?);
        wall::put(&held.sandbox, Some(&wall));
        held.boundary = Some(wall);
        Ok(())
    }

    async fn state(&self) -> Result<State> {
        Ok(match self.sandbox().alive("state") {
            Ok(()) => State::Running,
            Err(_) => State::Deleted,
        })
    }
}

impl fmt::Debug for Virtual {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Virtual")
            .field("sandbox", &self.sandbox())
            .finish_non_exhaustive()
    }
}

/// Captured sandboxes by id. A snapshot is a fork that nothing runs in.
#[derive(Debug, Default)]
pub(super) struct Snapshots(Mutex<HashMap<String, Sandbox>>);

impl Snapshots {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Sandbox>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, sandbox: Sandbox) -> Snapshot {
        // Whoever starts from it has rules of his own.
        wall::put(&sandbox, None);
        let mut nonce = [0; 12];
        SystemRandom.fill(&mut nonce);
        let id: String = nonce.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut snapshot = Snapshot::new(NAME, id);
        snapshot.size = Some(sandbox.vfs().usage().bytes);
        self.lock().insert(snapshot.id.clone(), sandbox);
        snapshot
    }

    pub(super) fn find(&self, snapshot: &Snapshot, operation: &'static str) -> Result<Sandbox> {
        let id = snapshot.of(NAME, operation)?;
        self.lock().get(id).cloned().ok_or_else(|| {
            let message = format!("there is no snapshot {id}");
            Error::new(Code::NotFound, operation, message).on(NAME)
        })
    }
}

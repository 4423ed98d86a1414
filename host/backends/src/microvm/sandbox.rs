//! A sandbox that is a virtual machine.

use super::channel::Channel;
use super::machines::{Home, Live, Made, Plan};
use super::process::Process;
use super::vmm::{Image, Memory};
use super::{NAME, capabilities};
use crate::copy;
use crate::inside;
use offshoot_backend::{
    Capabilities, Code, Environment, Error, Exec, Result, Running, ShellResult, Snapshot, State,
    Stdin,
};
use offshoot_boxed::boxed;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::{OwnedRwLockReadGuard, OwnedRwLockWriteGuard, RwLock};

/// How long suspending and restoring wait for commands in flight to end.
const PATIENCE: Duration = Duration::from_secs(5);

/// Where in its life a sandbox is.
#[derive(Debug)]
enum Phase {
    Awake(Arc<Live>),
    Asleep(Arc<Home>, Image),
    /// It could not be continued.
    Lost,
    Ended,
}

/// A sandbox, whose work goes on where its caller does not wait: a machine that is paused in the
/// middle would be of no use.
#[derive(Debug, Clone)]
pub(super) struct Sandbox(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    made: Arc<Made>,
    plan: Plan,
    phase: Mutex<Phase>,
    /// Read by commands in flight, written where the machine ends under them.
    gate: Arc<RwLock<()>>,
    /// Held by whatever pauses, ends or continues the machine.
    life: tokio::sync::Mutex<()>,
    ended: AtomicBool,
    parent: Mutex<Option<String>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn unavailable(operation: &'static str, message: &str) -> Error {
    Error::new(Code::SandboxUnavailable, operation, message).on(NAME)
}

/// Runs to the end, whether the caller waits or not.
async fn to_the_end<T: Send + 'static>(
    operation: &'static str,
    work: impl Future<Output = Result<T>> + Send + 'static,
) -> Result<T> {
    let done = match tokio::spawn(work).await {
        Ok(done) => done,
        Err(error) => Err(Error::new(Code::Died, operation, error.to_string()).on(NAME)),
    };
    done.map_err(|error| error.during(operation))
}

impl Sandbox {
    /// A fresh machine, from the state in which the kernel has just started.
    pub(super) async fn create(made: Arc<Made>, plan: Plan) -> Result<Sandbox> {
        to_the_end("create", async move {
            let live = made.fresh(&plan).await?;
            let sandbox = Sandbox::new(made, plan, live, None);
            let Plan { root, cwd, .. } = &sandbox.0.plan;
            let exec = Exec::new("mkdir -p -- \"$@\"").arguments([root, cwd]);
            let made = sandbox.exec(exec.cwd("/")).await?;
            match made.success() {
                true => Ok(sandbox),
                false => {
                    let said = made.stderr_text().into_owned();
                    Err(Error::new(Code::Died, "create", said).on(NAME))
                }
            }
        })
        .await
    }

    /// A machine that goes on from a snapshot.
    pub(super) async fn from_snapshot(made: Arc<Made>, plan: Plan, id: &str) -> Result<Sandbox> {
        let (_, image) = made.snapshot("start", id)?;
        let id = id.to_owned();
        to_the_end("start", async move {
            let home = made.home()?;
            let live = made.wake(home, &plan.machine, &image, Memory::Shared);
            let live = live.await?;
            Ok(Sandbox::new(made, plan, live, Some(id)))
        })
        .await
    }

    fn new(made: Arc<Made>, plan: Plan, live: Live, parent: Option<String>) -> Sandbox {
        Sandbox(Arc::new(Inner {
            made,
            plan,
            phase: Mutex::new(Phase::Awake(Arc::new(live))),
            gate: Arc::default(),
            life: tokio::sync::Mutex::default(),
            ended: AtomicBool::new(false),
            parent: Mutex::new(parent),
        }))
    }

    async fn process(&self, operation: &'static str, mut exec: Exec) -> Result<Process> {
        let in_flight: OwnedRwLockReadGuard<()> = Arc::clone(&self.0.gate).read_owned().await;
        let live = self.0.live(operation)?;
        exec.cwd.get_or_insert_with(|| self.0.plan.cwd.clone());
        let (channel, variables) = (Arc::clone(&live.channel), self.0.plan.variables());
        let started = Process::start(channel, exec, variables, in_flight);
        started.map_err(|error| error.during(operation))
    }

    /// Runs with the life of the sandbox in its hands, to the end.
    async fn alone<T: Send + 'static, F: Future<Output = Result<T>> + Send>(
        &self,
        operation: &'static str,
        work: impl FnOnce(Arc<Inner>) -> F + Send + 'static,
    ) -> Result<T> {
        let inner = Arc::clone(&self.0);
        to_the_end(operation, async move {
            let turn = Arc::clone(&inner);
            let _life = turn.life.lock().await;
            work(inner).await
        })
        .await
    }
}

impl Inner {
    /// The machine, where it can be used.
    fn live(&self, operation: &'static str) -> Result<Arc<Live>> {
        if self.ended.load(Ordering::Acquire) {
            return Err(Error::ended(operation).on(NAME));
        }
        match &*lock(&self.phase) {
            Phase::Awake(live) if live.is_alive() => Ok(Arc::clone(live)),
            Phase::Awake(_) => Err(unavailable(operation, "the sandbox has ended")),
            Phase::Asleep(..) => {
                let message = "the sandbox is suspended; resume it first";
                Err(unavailable(operation, message))
            }
            Phase::Lost => Err(unavailable(operation, "the sandbox was lost")),
            Phase::Ended => Err(Error::ended(operation).on(NAME)),
        }
    }

    /// Sets where it is now, unless cleanup came first.
    fn set(&self, operation: &'static str, phase: Phase) -> Result<()> {
        let mut now = lock(&self.phase);
        if matches!(*now, Phase::Ended) {
            return Err(Error::ended(operation).on(NAME));
        }
        *now = phase;
        Ok(())
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

    async fn snapshot(&self, label: Option<String>) -> Result<Snapshot> {
        let live = self.live("snapshot")?;
        let (id, directory) = self.made.new_snapshot("snapshot")?;
        let captured = async {
            let image = live.capture(&directory).await?;
            let image = self
                .made
                .flat(&self.plan.machine, image, &directory)
                .await?;
            self.made.keep("snapshot", &directory, &self.plan, &image)
        };
        match captured.await {
            Ok(size) => {
                let mut snapshot = Snapshot::new(NAME, &*id).labelled(label.as_deref());
                snapshot.size = Some(size);
                snapshot.parent = lock(&self.parent).replace(id);
                Ok(snapshot)
            }
            Err(error) => {
                // What is left goes with the factory.
                let _ = copy::remove(&directory);
                Err(error)
            }
        }
    }

    async fn restore(&self, id: String) -> Result<()> {
        let (_, image) = self.made.snapshot("restore", &id)?;
        let live = self.live("restore")?;
        let _still = self.still("restore").await?;
        let (home, machine) = (self.made.home()?, &self.plan.machine);
        let restored = self
            .made
            .wake(home, machine, &image, Memory::Shared)
            .await?;
        // Only now: until here it is as it was.
        live.end().await?;
        self.set("restore", Phase::Awake(Arc::new(restored)))?;
        *lock(&self.parent) = Some(id);
        Ok(())
    }

    async fn fork(&self) -> Result<Sandbox> {
        let live = self.live("fork")?;
        let (home, machine) = (self.made.home()?, &self.plan.machine);
        let image = live.capture(home.path()).await?;
        let branch = self.made.wake(home, machine, &image, Memory::Own).await?;
        let (made, parent) = (Arc::clone(&self.made), lock(&self.parent).clone());
        Ok(Sandbox::new(made, self.plan.clone(), branch, parent))
    }

    async fn suspend(&self) -> Result<()> {
        if !self.ended.load(Ordering::Acquire) && matches!(*lock(&self.phase), Phase::Asleep(..)) {
            return Ok(());
        }
        let live = self.live("suspend")?;
        let _still = self.still("suspend").await?;
        let image = live.put_away().await?;
        self.set("suspend", Phase::Asleep(Arc::clone(&live.home), image))
    }

    async fn resume(&self) -> Result<()> {
        let asleep = match &*lock(&self.phase) {
            Phase::Asleep(home, image) => Some((Arc::clone(home), image.clone())),
            _ => None,
        };
        let Some((home, image)) = asleep else {
            return self.live("resume").map(drop);
        };
        let machine = &self.plan.machine;
        // Where this fails it sleeps on.
        let vm = self
            .made
            .paused(&home, machine, &image, Memory::Own)
            .await?;
        match Live::go(vm, home).await {
            Ok(live) => self.set("resume", Phase::Awake(Arc::new(live))),
            Err(error) => {
                self.set("resume", Phase::Lost)?;
                Err(error)
            }
        }
    }

    async fn cleanup(&self) -> Result<()> {
        self.ended.store(true, Ordering::Release);
        let before = std::mem::replace(&mut *lock(&self.phase), Phase::Ended);
        match before {
            Phase::Awake(live) => {
                Channel::close(&live.channel);
                live.end().await?;
                live.home.remove("cleanup")
            }
            Phase::Asleep(home, _) => home.remove("cleanup"),
            Phase::Lost | Phase::Ended => Ok(()),
        }
    }
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
        &self.0.plan.root
    }

    fn cwd(&self) -> &str {
        &self.0.plan.cwd
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
        let inner = Arc::clone(&self.0);
        to_the_end("cleanup", async move { inner.cleanup().await }).await
    }

    async fn spawn(&self, exec: Exec) -> Result<Box<dyn Running>> {
        Ok(Box::new(self.process("spawn", exec).await?))
    }

    async fn snapshot(&self, label: Option<&str>) -> Result<Snapshot> {
        let label = label.map(str::to_owned);
        let work = |inner: Arc<Inner>| async move { inner.snapshot(label).await };
        self.alone("snapshot", work).await
    }

    async fn restore(&self, snapshot: &Snapshot) -> Result<()> {
        let id = snapshot.of(NAME, "restore")?.to_owned();
        let work = |inner: Arc<Inner>| async move { inner.restore(id).await };
        self.alone("restore", work).await
    }

    async fn start(&self, snapshot: &Snapshot) -> Result<Arc<dyn Environment>> {
        // Where it is asleep or gone, nothing is started with its settings.
        self.0.live("start")?;
        let id = snapshot.of(NAME, "start")?;
        let (made, plan) = (Arc::clone(&self.0.made), self.0.plan.clone());
        let branch = Sandbox::from_snapshot(made, plan, id).await?;
        Ok(Arc::new(branch))
    }

    async fn delete_snapshot(&self, snapshot: &Snapshot) -> Result<()> {
        let id = snapshot.of(NAME, "delete_snapshot")?;
        self.0.made.delete("delete_snapshot", id)
    }

    async fn fork(&self, _: Option<&str>) -> Result<Arc<dyn Environment>> {
        let work = |inner: Arc<Inner>| async move { inner.fork().await };
        let branch = self.alone("fork", work).await?;
        Ok(Arc::new(branch))
    }

    async fn suspend(&self) -> Result<()> {
        let work = |inner: Arc<Inner>| async move { inner.suspend().await };
        self.alone("suspend", work).await
    }

    async fn resume(&self) -> Result<()> {
        let work = |inner: Arc<Inner>| async move { inner.resume().await };
        self.alone("resume", work).await
    }

    async fn state(&self) -> Result<State> {
        Ok(match &*lock(&self.0.phase) {
            Phase::Awake(live) if live.is_alive() => State::Running,
            Phase::Awake(_) | Phase::Lost => State::Failed,
            Phase::Asleep(..) => State::Suspended,
            Phase::Ended => State::Deleted,
        })
    }
}

//! Suspends a sandbox that nobody uses, and wakes it when somebody does.

use crate::capabilities::Capabilities;
use crate::environment::{Environment, State};
use crate::error::{Code, Error, Result};
use crate::exec::{Exec, ShellResult};
use crate::factory::{Factory, Options};
use crate::files::{FileStat, RemoveOptions};
use crate::policy::Boundary;
use crate::rules::Rules;
use crate::running::{Event, Input, Running, Signal};
use crate::snapshot::{Reference, Snapshot};
use async_trait::async_trait;
use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, SystemTime};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};

/// How many changes of state are kept.
const TIMELINE: usize = 64;
/// A suspend that failed is tried again after the idle time, doubled with every failure, this often.
const MAX_DOUBLINGS: u32 = 6;

/// An environment that is suspended after a time without an operation.
///
/// The time counts from the end of the last operation, and nothing is suspended while one is in
/// flight, a streaming command included. The next operation resumes it once, however many callers
/// arrive together. A suspend that fails is noted in the [timeline](IdleSuspend::timeline) and
/// tried again later; the sandbox stays usable.
///
/// A backend that cannot suspend but can start from a snapshot is suspended by snapshot and
/// cleanup, see [`IdleSuspend::restartable`].
pub struct IdleSuspend(Arc<Shared>, JoinHandle<()>);

struct Shared {
    gate: Mutex<Gate>,
    /// Held during a change of state.
    transition: tokio::sync::Mutex<()>,
    idle: Duration,
    auto_resume: bool,
    restart: Option<Restart>,
    capabilities: Capabilities,
    backend: String,
    root: String,
    cwd: String,
}

struct Gate {
    state: State,
    environment: Arc<dyn Environment>,
    /// What the sandbox sleeps in, where it was suspended by snapshot and cleanup.
    asleep: Option<Snapshot>,
    in_flight: usize,
    last: Instant,
    failures: u32,
    timeline: VecDeque<Transition>,
}

/// How a sandbox is made again from a snapshot.
#[derive(Debug, Clone)]
struct Restart {
    factory: Arc<dyn Factory>,
    options: Options,
}

/// One change of state.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Transition {
    /// The new state.
    pub state: State,
    /// When.
    pub at: SystemTime,
    /// Why the change that was tried did not happen.
    pub error: Option<String>,
}

impl IdleSuspend {
    /// Puts the timer around an environment. Without a time, or where the environment cannot be
    /// suspended, it comes back unchanged.
    ///
    /// Must be called on a tokio runtime whose timer is enabled.
    pub fn wrap(
        environment: Arc<dyn Environment>,
        idle_ms: u64,
        auto_resume: bool,
    ) -> Arc<dyn Environment> {
        let Capabilities {
            suspend, resume, ..
        } = environment.capabilities();
        if idle_ms == 0 || !suspend || !resume {
            return environment;
        }
        Arc::new(IdleSuspend::new(environment, idle_ms, auto_resume, None))
    }

    /// As [`IdleSuspend::wrap`], but an environment without suspend is put to sleep by snapshot and
    /// cleanup, and woken by starting a new one from the snapshot, where the backend can do that.
    pub fn restartable(
        environment: Arc<dyn Environment>,
        factory: Arc<dyn Factory>,
        mut options: Options,
    ) -> Arc<dyn Environment> {
        let Capabilities {
            suspend,
            resume,
            snapshot,
            restore,
            ..
        } = environment.capabilities();
        let idle_ms = options.idle_suspend_ms.unwrap_or(0);
        let auto_resume = options.auto_resume_on_access;
        if (suspend && resume) || idle_ms == 0 || !snapshot || !restore {
            return IdleSuspend::wrap(environment, idle_ms, auto_resume);
        }
        options.idle_suspend_ms = None;
        let restart = Some(Restart { factory, options });
        Arc::new(IdleSuspend::new(environment, idle_ms, auto_resume, restart))
    }

    fn new(
        environment: Arc<dyn Environment>,
        idle_ms: u64,
        auto_resume: bool,
        restart: Option<Restart>,
    ) -> IdleSuspend {
        let mut capabilities = environment.capabilities();
        capabilities.suspend = true;
        capabilities.resume = true;
        // What is started from a snapshot would not have the boundary of what it replaces.
        capabilities.file_policy &= restart.is_none();
        capabilities.command_policy &= restart.is_none();
        let shared = Arc::new(Shared {
            idle: Duration::from_millis(idle_ms),
            auto_resume,
            restart,
            capabilities,
            backend: environment.backend().to_owned(),
            root: environment.root().to_owned(),
            cwd: environment.cwd().to_owned(),
            transition: tokio::sync::Mutex::new(()),
            gate: Mutex::new(Gate {
                state: State::Running,
                environment,
                asleep: None,
                in_flight: 0,
                last: Instant::now(),
                failures: 0,
                timeline: VecDeque::new(),
            }),
        });
        let timer = tokio::spawn(watch(Arc::downgrade(&shared)));
        IdleSuspend(shared, timer)
    }

    /// The last changes of state, oldest first.
    pub fn timeline(&self) -> Vec<Transition> {
        self.0.gate().timeline.iter().cloned().collect()
    }
}

impl Drop for IdleSuspend {
    fn drop(&mut self) {
        self.1.abort();
    }
}

/// Suspends the sandbox whenever it was idle long enough, until it is gone.
async fn watch(shared: Weak<Shared>) {
    loop {
        let due = match shared.upgrade() {
            None => return,
            Some(shared) => {
                let gate = shared.gate();
                match gate.state {
                    State::Deleted => return,
                    State::Running if gate.in_flight == 0 => gate.last + shared.patience(&gate),
                    _ => Instant::now() + shared.idle,
                }
            }
        };
        sleep_until(due).await;
        let Some(shared) = shared.upgrade() else {
            return;
        };
        let is_due = {
            let gate = shared.gate();
            gate.state == State::Running
                && gate.in_flight == 0
                && gate.last + shared.patience(&gate) <= Instant::now()
        };
        if is_due {
            // A failure is in the timeline, and the next round tries again.
            let _ = shared.suspend(true).await;
        }
    }
}

impl Shared {
    fn gate(&self) -> MutexGuard<'_, Gate> {
        self.gate.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long it must be idle now.
    fn patience(&self, gate: &Gate) -> Duration {
        self.idle * 2u32.pow(gate.failures.min(MAX_DOUBLINGS))
    }

    /// The environment, awake, for one operation.
    async fn enter(self: &Arc<Shared>, operation: &'static str) -> Result<Visit> {
        loop {
            {
                let mut gate = self.gate();
                match gate.state {
                    State::Running => {
                        gate.in_flight += 1;
                        return Ok(Visit {
                            environment: Arc::clone(&gate.environment),
                            shared: Arc::clone(self),
                        });
                    }
                    State::Deleted => return Err(Error::ended(operation).on(self.backend.clone())),
                    State::Suspended if !self.auto_resume => {
                        let message = "the sandbox is suspended; resume it first";
                        let error = Error::new(Code::SandboxUnavailable, operation, message);
                        return Err(error.on(self.backend.clone()));
                    }
                    _ => {}
                }
            }
            self.resume().await?;
        }
    }

    async fn suspend(&self, only_if_idle: bool) -> Result<()> {
        let _transition = self.transition.lock().await;
        let environment = {
            let mut gate = self.gate();
            match gate.state {
                State::Running => {}
                State::Deleted => return Err(Error::ended("suspend").on(self.backend.clone())),
                _ => return Ok(()),
            }
            if gate.in_flight > 0 {
                if only_if_idle {
                    return Ok(());
                }
                let message = "operations are in flight";
                let error = Error::new(Code::Conflict, "suspend", message);
                return Err(error.on(self.backend.clone()).with_retryable(true));
            }
            gate.enter(State::Suspending, None);
            Arc::clone(&gate.environment)
        };
        let done = match &self.restart {
            None => environment.suspend().await.map(|()| None),
            Some(_) => match environment.snapshot(None).await {
                Ok(snapshot) => environment.cleanup().await.map(|()| Some(snapshot)),
                Err(error) => Err(error),
            },
        };
        let mut gate = self.gate();
        match done {
            Ok(asleep) => {
                gate.asleep = asleep;
                gate.failures = 0;
                gate.enter(State::Suspended, None);
                Ok(())
            }
            Err(error) => {
                gate.failures = gate.failures.saturating_add(1);
                gate.last = Instant::now();
                gate.enter(State::Running, Some(error.to_string()));
                Err(error)
            }
        }
    }

    async fn resume(&self) -> Result<()> {
        let _transition = self.transition.lock().await;
        let (environment, asleep) = {
            let mut gate = self.gate();
            match gate.state {
                State::Suspended => {}
                State::Deleted => return Err(Error::ended("resume").on(self.backend.clone())),
                _ => return Ok(()),
            }
            gate.enter(State::Resuming, None);
            (Arc::clone(&gate.environment), gate.asleep.clone())
        };
        let done = match (&self.restart, &asleep) {
            (Some(restart), Some(snapshot)) => {
                let Restart { factory, options } = restart;
                let started = factory.start(snapshot, options.clone()).await;
                started.map(|started| Arc::new(Rules::new(started)) as Arc<dyn Environment>)
            }
            _ => environment.resume().await.map(|()| environment),
        };
        let awake = {
            let mut gate = self.gate();
            match done {
                Ok(environment) => {
                    gate.environment = Arc::clone(&environment);
                    gate.asleep = None;
                    gate.last = Instant::now();
                    gate.enter(State::Running, None);
                    environment
                }
                Err(error) => {
                    gate.enter(State::Suspended, Some(error.to_string()));
                    return Err(error);
                }
            }
        };
        if let Some(snapshot) = asleep {
            // Where the sandbox still needs it, the backend refuses and keeps it.
            let _ = awake.delete_snapshot(&snapshot).await;
        }
        Ok(())
    }
}

impl Gate {
    fn enter(&mut self, state: State, error: Option<String>) {
        self.state = state;
        if self.timeline.len() == TIMELINE {
            self.timeline.pop_front();
        }
        let at = SystemTime::now();
        self.timeline.push_back(Transition { state, at, error });
    }
}

/// One operation in flight.
struct Visit {
    shared: Arc<Shared>,
    environment: Arc<dyn Environment>,
}

impl Drop for Visit {
    fn drop(&mut self) {
        let mut gate = self.shared.gate();
        gate.in_flight -= 1;
        gate.last = Instant::now();
    }
}

#[async_trait]
impl Environment for IdleSuspend {
    fn backend(&self) -> &str {
        &self.0.backend
    }

    fn capabilities(&self) -> Capabilities {
        self.0.capabilities
    }

    fn root(&self) -> &str {
        &self.0.root
    }

    fn cwd(&self) -> &str {
        &self.0.cwd
    }

    async fn exec(&self, exec: Exec) -> Result<ShellResult> {
        let visit = self.0.enter("exec").await?;
        visit.environment.exec(exec).await
    }

    async fn read_file_buffer(&self, path: &str) -> Result<Vec<u8>> {
        let visit = self.0.enter("read_file_buffer").await?;
        visit.environment.read_file_buffer(path).await
    }

    async fn read_file(&self, path: &str) -> Result<String> {
        let visit = self.0.enter("read_file").await?;
        visit.environment.read_file(path).await
    }

    async fn write_file(&self, path: &str, content: &[u8]) -> Result<()> {
        let visit = self.0.enter("write_file").await?;
        visit.environment.write_file(path, content).await
    }

    async fn stat(&self, path: &str) -> Result<FileStat> {
        let visit = self.0.enter("stat").await?;
        visit.environment.stat(path).await
    }

    async fn readdir(&self, path: &str) -> Result<Vec<String>> {
        let visit = self.0.enter("readdir").await?;
        visit.environment.readdir(path).await
    }

    async fn exists(&self, path: &str) -> Result<bool> {
        let visit = self.0.enter("exists").await?;
        visit.environment.exists(path).await
    }

    async fn mkdir(&self, path: &str, recursive: bool) -> Result<()> {
        let visit = self.0.enter("mkdir").await?;
        visit.environment.mkdir(path, recursive).await
    }

    async fn rm(&self, path: &str, options: RemoveOptions) -> Result<()> {
        let visit = self.0.enter("rm").await?;
        visit.environment.rm(path, options).await
    }

    async fn cleanup(&self) -> Result<()> {
        let _transition = self.0.transition.lock().await;
        let (environment, asleep) = {
            let gate = self.0.gate();
            if gate.state == State::Deleted {
                return Ok(());
            }
            (Arc::clone(&gate.environment), gate.asleep.clone())
        };
        match (asleep, &self.0.restart) {
            (Some(snapshot), Some(Restart { factory, options })) => {
                // Only a live sandbox can delete a snapshot.
                let awake = factory.start(&snapshot, options.clone()).await?;
                let deleted = awake.delete_snapshot(&snapshot).await;
                awake.cleanup().await?;
                deleted?;
            }
            _ => environment.cleanup().await?,
        }
        self.0.gate().enter(State::Deleted, None);
        self.1.abort();
        Ok(())
    }

    async fn spawn(&self, exec: Exec) -> Result<Box<dyn Running>> {
        let visit = self.0.enter("spawn").await?;
        let running = visit.environment.spawn(exec).await?;
        Ok(Box::new(Busy {
            running,
            _visit: visit,
        }))
    }

    async fn snapshot(&self, label: Option<&str>) -> Result<Snapshot> {
        let visit = self.0.enter("snapshot").await?;
        visit.environment.snapshot(label).await
    }

    async fn restore(&self, snapshot: &Snapshot) -> Result<()> {
        let visit = self.0.enter("restore").await?;
        visit.environment.restore(snapshot).await
    }

    async fn start(&self, snapshot: &Snapshot) -> Result<Arc<dyn Environment>> {
        let visit = self.0.enter("start").await?;
        visit.environment.start(snapshot).await
    }

    async fn delete_snapshot(&self, snapshot: &Snapshot) -> Result<()> {
        let visit = self.0.enter("delete_snapshot").await?;
        visit.environment.delete_snapshot(snapshot).await
    }

    async fn fork(&self, label: Option<&str>) -> Result<Arc<dyn Environment>> {
        let visit = self.0.enter("fork").await?;
        visit.environment.fork(label).await
    }

    async fn suspend(&self) -> Result<()> {
        self.0.suspend(false).await
    }

    async fn resume(&self) -> Result<()> {
        self.0.resume().await
    }

    async fn reference(&self) -> Result<Reference> {
        let visit = self.0.enter("reference").await?;
        visit.environment.reference().await
    }

    async fn restrict(&self, boundary: Arc<Boundary>) -> Result<()> {
        if !(self.capabilities().file_policy || self.capabilities().command_policy) {
            return Err(self.refusal("restrict", "rules that hold for commands too"));
        }
        let visit = self.0.enter("restrict").await?;
        visit.environment.restrict(boundary).await
    }

    async fn state(&self) -> Result<State> {
        let (state, environment) = {
            let gate = self.0.gate();
            (gate.state, Arc::clone(&gate.environment))
        };
        match state {
            State::Running => environment.state().await,
            state => Ok(state),
        }
    }
}

impl fmt::Debug for IdleSuspend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IdleSuspend")
            .field("backend", &self.0.backend)
            .field("idle", &self.0.idle)
            .finish_non_exhaustive()
    }
}

/// A streaming command, which counts as an operation in flight.
struct Busy {
    running: Box<dyn Running>,
    _visit: Visit,
}

#[async_trait]
impl Running for Busy {
    async fn next(&mut self) -> Result<Option<Event>> {
        self.running.next().await
    }

    fn take_input(&mut self) -> Option<Box<dyn Input>> {
        self.running.take_input()
    }

    async fn signal(&mut self, signal: Signal) -> Result<()> {
        self.running.signal(signal).await
    }
}

#[cfg(test)]
#[path = "idle_tests.rs"]
mod tests;

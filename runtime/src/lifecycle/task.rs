//! Tasks: named commands of a sandbox that run beside everything else.
//!
//! A task is a script of its own. It sleeps and wakes with the sandbox where it can be kept, and does
//! not keep the sandbox awake. Its output is kept in the memory of whoever has the sandbox awake.

use super::amend::{Attempt, Kept};
use super::event::EventKind;
use super::lease::{Bootup, Live};
use super::record::Record;
use super::service::Sandboxes;
use super::slot::Slot;
use crate::error::{Code, Error, Result};
use crate::execution::Execution;
use bytes::Bytes;
use offshoot_kernel::ByteReader;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::{Notify, watch};

/// Bytes of a task's output that are kept; what comes first gives way.
const OUTPUT: usize = 16 << 10;

/// Tasks that one sandbox has at most.
const MOST: usize = 64;

/// A named command; see [`CreateOptions::task`](super::CreateOptions::task).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[must_use]
pub struct Task {
    name: String,
    command: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    port: Option<u16>,
    #[serde(default)]
    at_start: bool,
}

impl Task {
    /// A command under a name.
    pub fn new(name: impl Into<String>, command: impl Into<String>) -> Task {
        Task {
            name: name.into(),
            command: command.into(),
            port: None,
            at_start: false,
        }
    }

    /// It is started with the sandbox where that starts without it: the first time, when its setup
    /// has gone through, and after a shutdown.
    pub fn at_start(mut self) -> Task {
        self.at_start = true;
        self
    }

    /// The port that it serves, for people. A virtual sandbox has none that could be reached.
    pub fn port(mut self, port: u16) -> Task {
        self.port = Some(port);
        self
    }

    /// Refuses two of one name, and too many.
    pub(super) fn check(tasks: &[Task]) -> Result<()> {
        let mut names: Vec<&str> = tasks.iter().map(|task| task.name.as_str()).collect();
        names.sort_unstable();
        names.dedup();
        if names.len() < tasks.len() || names.len() > MOST || names.first() == Some(&"") {
            let message = format!("tasks have names of their own, and there are at most {MOST}");
            return Err(Error::new(Code::Invalid, "task", message));
        }
        Ok(())
    }
}

/// How a task is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum TaskStatus {
    /// It was not started since the sandbox woke here.
    #[default]
    Idle,
    /// It runs.
    Running,
    /// It sleeps with the sandbox, and goes on with it.
    Sleeping,
    /// It ended by itself with status 0.
    Finished,
    /// It ended otherwise.
    Failed,
    /// It was stopped.
    Stopped,
}

/// What is known of a task.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaskInfo {
    /// Its name.
    pub name: String,
    /// What runs.
    pub command: String,
    /// The port that it serves.
    pub port: Option<u16>,
    /// Whether it is started with the sandbox.
    pub at_start: bool,
    /// How it is.
    pub status: TaskStatus,
    /// Its exit status, where it has ended.
    pub exit_code: Option<u8>,
    /// What it wrote to both streams since the sandbox woke here, the last 16 KiB of it.
    pub output: Vec<u8>,
}

/// How far a task is that was started here.
#[derive(Debug, Clone, Copy, Default)]
struct Progress {
    status: TaskStatus,
    exit_code: Option<u8>,
}

/// A task that was started here.
#[derive(Clone)]
pub(super) struct TaskRun {
    stop: Arc<Notify>,
    progress: watch::Receiver<Progress>,
    output: Arc<Mutex<VecDeque<u8>>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Slot {
    fn task_runs(&self) -> MutexGuard<'_, BTreeMap<String, TaskRun>> {
        lock(&self.tasks)
    }

    /// What ran while the sandbox was awake before ended with that, whether or not its driver has noticed
    /// by now: what is started from now on does not find it running.
    pub(super) fn forget_ended_tasks(&self) {
        let runs = |run: &TaskRun| run.progress.borrow().status == TaskStatus::Running;
        self.task_runs().retain(|_, run| !runs(run));
    }

    fn is_running(&self, task: &str) -> bool {
        let runs = self.task_runs();
        let run = runs.get(task);
        run.is_some_and(|run| run.progress.borrow().status == TaskStatus::Running)
    }
}

fn missing(name: &str, task: &str) -> Error {
    let message = format!("{name} has no task {task}");
    Error::new(Code::NotFound, "task", message)
}

/// The tasks of one sandbox, by name. See [`Sandboxes::tasks`].
///
/// A task is for what is to run beside everything else: a server, a watcher, a long build. It is declared
/// when the sandbox is [made](super::CreateOptions::task) or [changed](super::Update::tasks), sleeps and
/// wakes with it, and does not keep it awake.
///
/// ```
/// # #[tokio::main] async fn main() -> offshoot::Result<()> {
/// use offshoot::{Sandbox, lifecycle::{CreateOptions, Origin, Sandboxes, Store, Task, TaskStatus}};
/// use std::time::Duration;
/// let sandboxes = Sandboxes::open(Store::memory());
/// let options = CreateOptions::new().task(Task::new("count", "seq 3"));
/// sandboxes.create_with("box", Origin::template(Sandbox::builder()), options).await?;
///
/// let tasks = sandboxes.tasks("box");
/// tasks.run("count").await?;
/// let count = tasks.wait("count", Duration::from_secs(600)).await?;
/// assert_eq!(count.status, TaskStatus::Finished);
/// assert_eq!(count.output, b"1\n2\n3\n");
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct Tasks {
    sandboxes: Sandboxes,
    name: String,
}

impl Sandboxes {
    /// The tasks of a sandbox.
    pub fn tasks(&self, name: impl Into<String>) -> Tasks {
        Tasks {
            sandboxes: self.clone(),
            name: name.into(),
        }
    }
}

impl Tasks {
    /// All of them; the sandbox is not woken for it.
    ///
    /// # Errors
    /// `NOT_FOUND`, those of the store.
    pub async fn list(&self) -> Result<Vec<TaskInfo>> {
        let record = self.sandboxes.read(&self.name).await?.1;
        let slot = self.sandboxes.slot(&self.name);
        let runs = slot.task_runs().clone();
        let info = |task: Task| {
            let run = runs.get(&task.name);
            let asleep = record.task_scripts.contains_key(&task.name) && !slot.is_awake();
            let progress = run.map_or_else(Progress::default, |run| *run.progress.borrow());
            let output = run.map(|run| lock(&run.output).iter().copied().collect());
            TaskInfo {
                status: match asleep {
                    true => TaskStatus::Sleeping,
                    false => progress.status,
                },
                exit_code: progress.exit_code,
                output: output.unwrap_or_default(),
                name: task.name,
                command: task.command,
                port: task.port,
                at_start: task.at_start,
            }
        };
        Ok(record.tasks.into_iter().map(info).collect())
    }

    /// One of them.
    ///
    /// # Errors
    /// `NOT_FOUND` for the sandbox or the task, those of the store.
    pub async fn get(&self, task: &str) -> Result<TaskInfo> {
        let all = self.list().await?;
        let found = all.into_iter().find(|found| found.name == task);
        found.ok_or_else(|| missing(&self.name, task))
    }

    /// Starts a task; the sandbox is woken where it sleeps. One that runs is fine.
    ///
    /// # Errors
    /// `NOT_FOUND` for the sandbox or the task, those of [`Sandboxes::lease`].
    pub async fn run(&self, task: &str) -> Result<()> {
        let _lease = self.sandboxes.lease(&self.name).await?;
        let record = self.sandboxes.read(&self.name).await?.1;
        let found = record.tasks.iter().find(|found| found.name == task);
        let found = found.ok_or_else(|| missing(&self.name, task))?;
        let slot = self.sandboxes.slot(&self.name);
        let mut live = slot.live.lock().await;
        let lost = || Error::new(Code::Died, "task", "the sandbox is not awake");
        let live = live.as_mut().ok_or_else(lost)?;
        self.sandboxes
            .start_task(&slot, &self.name, live, found, None)
            .await
    }

    /// Ends a task with everything that it started, and waits for that. One that does not run is fine.
    ///
    /// # Errors
    /// `NOT_FOUND` for the sandbox or the task, those of the store.
    pub async fn stop(&self, task: &str) -> Result<()> {
        self.get(task).await?;
        let slot = self.sandboxes.slot(&self.name);
        let run = slot.task_runs().get(task).cloned();
        if let Some(mut run) = run {
            run.stop.notify_one();
            let ended = |progress: &Progress| progress.status != TaskStatus::Running;
            // Where nobody tells any more, it has ended.
            let _ = run.progress.wait_for(ended).await;
        }
        let task = task.to_owned();
        self.sandboxes
            .note(&self.name, move |record| {
                record.task_scripts.remove(&task);
            })
            .await
    }

    /// Ends a task where it runs, and starts it.
    ///
    /// # Errors
    /// Those of [`Tasks::run`].
    pub async fn restart(&self, task: &str) -> Result<()> {
        self.stop(task).await?;
        self.run(task).await
    }

    /// Waits until a task has ended by itself or was stopped.
    ///
    /// # Errors
    /// `NOT_FOUND` for the sandbox or the task, `TIMEOUT`.
    pub async fn wait(&self, task: &str, timeout: Duration) -> Result<TaskInfo> {
        let run = self
            .sandboxes
            .slot(&self.name)
            .task_runs()
            .get(task)
            .cloned();
        if let Some(mut run) = run {
            let ended = |progress: &Progress| progress.status != TaskStatus::Running;
            let waited = tokio::time::timeout(timeout, run.progress.wait_for(ended)).await;
            waited.map(drop).map_err(|_| {
                let message = format!("{}: the task {task} still runs", self.name);
                Error::new(Code::Timeout, "task", message).with_retryable(true)
            })?;
        }
        self.get(task).await
    }
}

impl Sandboxes {
    /// Goes on with tasks that slept with the sandbox, or starts those that start with it.
    pub(super) fn tasks_after(&self, name: &str, bootup: Bootup, record: &Record) {
        let starts = |task: &&Task| match bootup {
            Bootup::Running => false,
            Bootup::Resume => record.task_scripts.contains_key(&task.name),
            Bootup::Clean | Bootup::Fork => task.at_start,
        };
        let tasks: Vec<Task> = record.tasks.iter().filter(starts).cloned().collect();
        if tasks.is_empty() {
            return;
        }
        let (service, name) = (Arc::downgrade(&self.0), name.to_owned());
        let scripts = record.task_scripts.clone();
        tokio::spawn(async move {
            let Some(service) = service.upgrade() else {
                return;
            };
            let sandboxes = Sandboxes(service);
            let slot = sandboxes.slot(&name);
            let mut live = slot.live.lock().await;
            let Some(live) = live.as_mut() else { return };
            for task in tasks {
                let script = scripts.get(&task.name).copied();
                // One that cannot go on leaves the others alone; its status says so.
                let _ = sandboxes
                    .start_task(&slot, &name, live, &task, script)
                    .await;
            }
        });
    }

    /// Starts a task, or lets the script go on that it was.
    async fn start_task(
        &self,
        slot: &Arc<Slot>,
        name: &str,
        live: &mut Live,
        task: &Task,
        script: Option<u64>,
    ) -> Result<()> {
        if slot.is_running(&task.name) {
            return Ok(());
        }
        let running = match script.filter(|id| live.sleeps(*id)) {
            Some(id) => live.go_on(id)?,
            // Both streams in the order in which they were written.
            None => live.sandbox.spawn(format!("exec 2>&1\n{}", task.command))?,
        };
        let (id, started) = (running.id(), task.name.clone());
        let (tell, progress) = watch::channel(Progress {
            status: TaskStatus::Running,
            exit_code: None,
        });
        let run = TaskRun {
            stop: Arc::default(),
            progress,
            output: Arc::default(),
        };
        slot.task_runs().insert(task.name.clone(), run.clone());
        let service = Arc::downgrade(&self.0);
        let driver = Driver {
            service,
            name: name.to_owned(),
            task: task.name.clone(),
            run,
            tell,
        };
        tokio::spawn(driver.run(running));
        let note = move |attempt: &mut Attempt| {
            attempt.record.task_scripts.insert(started.clone(), id);
            attempt.tell(EventKind::TaskStarted, Some(started.clone()));
            Ok(())
        };
        self.amend("task", name, Kept::WhileRunning, note).await?;
        self.deliver_later(name);
        Ok(())
    }
}

/// Stays with a task to its end.
struct Driver {
    service: Weak<super::service::Service>,
    name: String,
    task: String,
    run: TaskRun,
    tell: watch::Sender<Progress>,
}

impl Driver {
    async fn run(self, mut running: Execution) {
        let (mut output, mut errors) = (running.take_stdout(), running.take_stderr());
        while output.is_some() || errors.is_some() {
            let (piece, from) = tokio::select! {
                piece = next(&mut output) => (piece, &mut output),
                piece = next(&mut errors) => (piece, &mut errors),
                () = self.run.stop.notified() => {
                    running.kill();
                    return self.end(TaskStatus::Stopped, None).await;
                }
            };
            match piece {
                Some(piece) => self.keep(&piece),
                None => *from = None,
            }
        }
        let ended = tokio::select! {
            ended = running.wait() => ended,
            () = self.run.stop.notified() => return self.end(TaskStatus::Stopped, None).await,
        };
        match ended {
            Ok(0) => self.end(TaskStatus::Finished, Some(0)).await,
            Ok(status) => self.end(TaskStatus::Failed, Some(status)).await,
            // The sandbox was put to sleep with it, or ended.
            Err(error) if error.code() == Code::SandboxUnavailable => {
                self.tell(TaskStatus::Sleeping, None);
            }
            Err(error) => {
                self.keep(error.to_string().as_bytes());
                self.end(TaskStatus::Failed, None).await;
            }
        }
    }

    fn keep(&self, bytes: &[u8]) {
        let mut output = lock(&self.run.output);
        output.extend(bytes);
        let over = output.len().saturating_sub(OUTPUT);
        output.drain(..over);
    }

    fn tell(&self, status: TaskStatus, exit_code: Option<u8>) {
        self.tell.send_replace(Progress { status, exit_code });
    }

    async fn end(&self, status: TaskStatus, exit_code: Option<u8>) {
        if let Some(service) = self.service.upgrade() {
            let sandboxes = Sandboxes(service);
            let task = self.task.clone();
            let note = move |attempt: &mut Attempt| {
                attempt.record.task_scripts.remove(&task);
                if status != TaskStatus::Stopped {
                    let how = match exit_code {
                        Some(code) => format!("{task}: status {code}"),
                        None => format!("{task}: a fault"),
                    };
                    attempt.tell(EventKind::TaskEnded, Some(how));
                }
                Ok(())
            };
            // Where the sandbox is gone, nobody asks.
            let _ = sandboxes
                .amend("task", &self.name, Kept::WhileRunning, note)
                .await;
            sandboxes.deliver_later(&self.name);
        }
        self.tell(status, exit_code);
    }
}

/// The next piece of a stream; never, where it has ended before.
async fn next(stream: &mut Option<ByteReader>) -> Option<Bytes> {
    match stream {
        Some(stream) => stream.read().await,
        None => std::future::pending().await,
    }
}

//! Commands that run in a sandbox, and who listens to them.

mod calls;
mod command;
mod discipline;
mod running;
mod terminal;

use super::durable::Saver;
use super::failure::{Code, Failure, Result};
use super::messages::process::{Event, ProcessConfig, ProcessInfo, ProcessSelector, Selector};
use bytes::Bytes;
use offshoot::ByteWriter;
use running::Cause;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{Notify, mpsc, watch};

pub(super) use calls::{launch, serve};

/// Events that wait for one listener; beyond them a command waits.
const BACKLOG: usize = 32;

/// Signals that wait for a command.
const SIGNALS: usize = 16;

/// The first number that a command gets. They are the endpoint's own; the sandbox has others inside.
const FIRST_PID: u32 = 1_000;

/// What a listener hears.
type Item = Result<Event>;

/// The commands of a sandbox.
pub(super) struct Processes {
    table: Mutex<Table>,
    saver: Arc<Saver>,
    /// What happened to the sandbox, where its commands are ended for that.
    over: OnceLock<&'static str>,
    /// Rung whenever one has ended.
    ended: Notify,
}

#[derive(Default)]
struct Table {
    started: u32,
    alive: BTreeMap<u32, Arc<Process>>,
}

/// A command that runs.
struct Process {
    pid: u32,
    config: ProcessConfig,
    tag: Option<String>,
    input: tokio::sync::Mutex<Input>,
    /// Signals for whoever drives it.
    signals: mpsc::Sender<u8>,
    /// None when everything has been said.
    listeners: Mutex<Option<Vec<mpsc::Sender<Item>>>>,
    /// From then on nobody is waited for.
    killed: watch::Sender<bool>,
}

/// Where its input goes.
enum Input {
    /// It has none, or no more.
    Closed,
    Pipe(ByteWriter),
    /// What is typed, which waits here while the shell does not read.
    Terminal(mpsc::Sender<Bytes>),
}

/// What whoever drives a command hears, beside that it is killed.
struct Orders {
    signals: mpsc::Receiver<u8>,
    killed: watch::Receiver<bool>,
}

/// Waits until it is killed.
async fn kill(killed: &mut watch::Receiver<bool>) {
    let is_killed = killed.wait_for(|killed| *killed).await.is_ok();
    if !is_killed {
        // Without the process itself nobody can kill it.
        std::future::pending().await
    }
}

impl Processes {
    pub(super) fn new(saver: Arc<Saver>) -> Processes {
        Processes {
            table: Mutex::default(),
            saver,
            over: OnceLock::new(),
            ended: Notify::new(),
        }
    }

    /// Whether any command runs.
    pub(super) fn is_busy(&self) -> bool {
        !self.lock().alive.is_empty()
    }

    /// Enters a command, with its first listener.
    fn insert(
        &self,
        config: ProcessConfig,
        tag: Option<String>,
        input: Input,
    ) -> (Arc<Process>, Orders, mpsc::Receiver<Item>) {
        let (signals, told) = mpsc::channel(SIGNALS);
        let (killed, kill) = watch::channel(false);
        let (listener, heard) = mpsc::channel(BACKLOG);
        let mut table = self.lock();
        let pid = FIRST_PID.wrapping_add(table.started);
        table.started = table.started.wrapping_add(1);
        let process = Arc::new(Process {
            pid,
            config,
            tag,
            input: tokio::sync::Mutex::new(input),
            signals,
            listeners: Mutex::new(Some(vec![listener])),
            killed,
        });
        table.alive.insert(pid, Arc::clone(&process));
        let orders = Orders {
            signals: told,
            killed: kill,
        };
        (process, orders, heard)
    }

    fn find(&self, selector: Option<ProcessSelector>) -> Result<Arc<Process>> {
        let selector = selector.and_then(|selector| selector.selector);
        let table = self.lock();
        let (found, what) = match selector {
            None => return Err(Failure::invalid("no process is selected")),
            Some(Selector::Pid(pid)) => (table.alive.get(&pid), format!("pid {pid}")),
            Some(Selector::Tag(tag)) => {
                let found = table
                    .alive
                    .values()
                    .find(|process| process.tag.as_ref() == Some(&tag));
                (found, format!("tag {tag:?}"))
            }
        };
        let missing = || Failure::new(Code::NotFound, format!("process with {what} not found"));
        found.cloned().ok_or_else(missing)
    }

    fn list(&self) -> Vec<ProcessInfo> {
        let table = self.lock();
        let info = |process: &Arc<Process>| ProcessInfo {
            config: Some(process.config.clone()),
            pid: process.pid,
            tag: process.tag.clone(),
        };
        table.alive.values().map(info).collect()
    }

    /// Takes a command out of the list and says how it ended, once that is stored where it must be.
    async fn finish(&self, process: &Process, code: offshoot::Result<u8>, cause: Option<Cause>) {
        let last = match (self.over.get(), cause) {
            (Some(what), Some(Cause::Killed)) => {
                let message = format!("the command ended because its sandbox {what}");
                Err(Failure::new(Code::Unavailable, message))
            }
            _ => running::end(code, cause),
        };
        self.saver.touch();
        let last = match self.saver.settle().await {
            Ok(()) => last,
            Err(failure) => Err(failure),
        };
        self.lock().alive.remove(&process.pid);
        self.ended.notify_waiters();
        for listener in process.close() {
            let last = last.clone();
            // One who does not listen is waited for by nobody else.
            tokio::spawn(async move { listener.send(last).await });
        }
    }

    /// Kills all commands, and waits until they are gone. Who listens is told that the sandbox is not
    /// there any more: it "was killed".
    pub(super) async fn end(&self, what: &'static str) {
        let _ = self.over.set(what);
        loop {
            let ended = self.ended.notified();
            tokio::pin!(ended);
            ended.as_mut().enable();
            let alive: Vec<_> = self.lock().alive.values().cloned().collect();
            if alive.is_empty() {
                return;
            }
            for process in alive {
                process.kill();
            }
            ended.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Process {
    /// A new listener; none where it has ended.
    fn listen(&self) -> Option<mpsc::Receiver<Item>> {
        let (listener, heard) = mpsc::channel(BACKLOG);
        self.listeners().as_mut()?.push(listener);
        Some(heard)
    }

    /// Tells everybody, and waits for those who are behind until it is killed.
    async fn tell(&self, event: Event) {
        let listeners = self.listeners().clone().unwrap_or_default();
        let mut killed = self.killed.subscribe();
        for listener in listeners {
            tokio::select! {
                biased;
                _ = listener.send(Ok(event.clone())) => {}
                _ = killed.wait_for(|killed| *killed) => {}
            }
        }
        if let Some(listeners) = self.listeners().as_mut() {
            listeners.retain(|listener| !listener.is_closed());
        }
    }

    fn close(&self) -> Vec<mpsc::Sender<Item>> {
        self.listeners().take().unwrap_or_default()
    }

    fn kill(&self) {
        self.killed.send_replace(true);
    }

    /// Sends a signal; one that has ended needs to hear nothing.
    fn signal(&self, number: u8) -> Result<()> {
        match self.signals.try_send(number) {
            Err(TrySendError::Full(_)) => {
                let message = format!("{SIGNALS} signals wait for process {}", self.pid);
                Err(Failure::new(Code::ResourceExhausted, message))
            }
            _ => Ok(()),
        }
    }

    fn listeners(&self) -> MutexGuard<'_, Option<Vec<mpsc::Sender<Item>>>> {
        self.listeners
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

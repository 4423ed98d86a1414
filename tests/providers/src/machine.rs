//! What runs in a made-up service: a virtual sandbox that a provider's protocol is spoken over.

use futures::stream::{self, Stream};
use offshoot::backend::{
    self, Code, Environment, Error, Event, Exec, Factory, Options, Registry, Result, Running,
    Signal, Snapshot,
};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Notify, mpsc};

/// What a command wrote, and that it ended.
#[derive(Debug, Clone)]
pub enum Said {
    /// To standard output.
    Out(Vec<u8>),
    /// To standard error.
    Err(Vec<u8>),
    /// It ended with this status.
    End(u8),
    /// It did not begin, or the machine ended under it.
    Failed(String),
}

/// A command that runs or ran, with all that it said.
#[derive(Debug)]
pub struct Job {
    said: Mutex<Vec<Said>>,
    changed: Notify,
    signals: mpsc::UnboundedSender<Signal>,
    input: mpsc::UnboundedSender<Option<Vec<u8>>>,
}

impl Job {
    fn said(&self) -> MutexGuard<'_, Vec<Said>> {
        self.said.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn say(&self, said: Said) {
        self.said().push(said);
        self.changed.notify_waiters();
    }

    /// What it said at a place, and whether that was all.
    fn at(&self, place: usize) -> (Option<Said>, bool) {
        let said = self.said();
        let over = matches!(said.last(), Some(Said::End(_) | Said::Failed(_)));
        (said.get(place).cloned(), over)
    }

    /// Its status, where it ended.
    pub fn status(&self) -> Option<u8> {
        match self.said().last() {
            Some(Said::End(status)) => Some(*status),
            Some(Said::Failed(_)) => Some(255),
            _ => None,
        }
    }

    /// What it says, from the beginning, until its end.
    pub fn listen(self: &Arc<Job>) -> impl Stream<Item = Said> + Send + use<> {
        stream::unfold((Arc::clone(self), 0), |(job, at)| async move {
            loop {
                let changed = job.changed.notified();
                let (next, over) = job.at(at);
                match next {
                    Some(next) => {
                        drop(changed);
                        return Some((next, (job, at + 1)));
                    }
                    None if over => return None,
                    None => changed.await,
                }
            }
        })
    }

    /// Writes to its standard input, where it was begun with one; nothing is its end.
    pub fn write(&self, data: Option<Vec<u8>>) {
        // A task that is gone reads no more.
        let _ = self.input.send(data);
    }

    /// Sends a signal; what ended takes none.
    pub fn signal(&self, signal: Signal) {
        // A task that is gone has ended.
        let _ = self.signals.send(signal);
    }
}

/// Runs words on a machine, the first of which is the program.
pub fn start(machine: Arc<dyn Environment>, words: &[String], exec: Exec) -> Arc<Job> {
    let (sender, receiver) = mpsc::unbounded_channel();
    let (input, mut written) = mpsc::unbounded_channel::<Option<Vec<u8>>>();
    let job = Arc::new(Job {
        said: Mutex::default(),
        changed: Notify::new(),
        signals: sender,
        input,
    });
    let mut exec = exec.arguments(words);
    exec.script = b"exec \"$@\"".to_vec();
    let told = Arc::clone(&job);
    tokio::spawn(async move {
        let end = match machine.spawn(exec).await {
            Ok(mut running) => {
                if let Some(mut input) = running.take_input() {
                    tokio::spawn(async move {
                        while let Some(Some(data)) = written.recv().await {
                            if input.write(&data).await.is_err() {
                                break;
                            }
                        }
                    });
                }
                follow(running, receiver, &told).await
            }
            Err(error) => Err(error),
        };
        told.say(match end {
            Ok(status) => Said::End(status),
            Err(error) => Said::Failed(error.to_string()),
        });
    });
    job
}

async fn follow(
    mut running: Box<dyn Running>,
    mut signals: mpsc::UnboundedReceiver<Signal>,
    job: &Job,
) -> Result<u8> {
    loop {
        tokio::select! {
            event = running.next() => match event? {
                Some(Event::Stdout(bytes)) => job.say(Said::Out(bytes.to_vec())),
                Some(Event::Stderr(bytes)) => job.say(Said::Err(bytes.to_vec())),
                Some(Event::Exit(status)) => return Ok(status),
                _ => return Err(Error::new(Code::Died, "exec", "it ended without a status")),
            },
            Some(signal) = signals.recv() => running.signal(signal).await?,
        }
    }
}

/// Where machines come from, and their snapshots.
pub struct Machines {
    registry: Registry,
    snapshots: Mutex<HashMap<String, Snapshot>>,
}

impl std::fmt::Debug for Machines {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Machines")
    }
}

impl Machines {
    /// None yet.
    ///
    /// # Errors
    /// Where there is no virtual backend.
    pub fn new() -> Result<Machines> {
        Ok(Machines {
            registry: backend::registry()?,
            snapshots: Mutex::default(),
        })
    }

    fn virtual_ones(&self) -> Result<Arc<dyn Factory>> {
        self.registry.factory(backend::NAME)
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<String, Snapshot>> {
        self.snapshots
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// A machine with a directory and variables, with the files of a snapshot where one is named.
    ///
    /// # Errors
    /// `NOT_FOUND` for a snapshot that is gone.
    pub async fn make(
        &self,
        cwd: &str,
        env: Vec<(String, String)>,
        snapshot: Option<&str>,
    ) -> Result<Arc<dyn Environment>> {
        let mut options = Options::default();
        options.cwd = Some(cwd.to_owned());
        options.env = env;
        let factory = self.virtual_ones()?;
        let Some(id) = snapshot else {
            return factory.create(options).await;
        };
        let found = self.kept().get(id).cloned();
        let missing = || Error::new(Code::NotFound, "start", format!("no snapshot {id}"));
        factory.start(&found.ok_or_else(missing)?, options).await
    }

    /// Captures a machine's files under an id.
    ///
    /// # Errors
    /// Those of the machine.
    pub async fn capture(&self, machine: &dyn Environment, id: &str) -> Result<()> {
        let snapshot = machine.snapshot(None).await?;
        self.kept().insert(id.to_owned(), snapshot);
        Ok(())
    }

    /// Forgets a snapshot; whether there was one.
    pub fn forget(&self, id: &str) -> bool {
        self.kept().remove(id).is_some()
    }

    /// Whether there is a snapshot.
    pub fn has(&self, id: &str) -> bool {
        self.kept().contains_key(id)
    }
}

//! The process of a monitor: what it said, how its sockets are reached, and its end.

use super::NAME;
use super::qmp::died;
use crate::copy;
use offshoot_backend::{Code, Error, Result};
use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::AsyncReadExt;
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep};

/// How soon it is looked again whether a monitor is so far.
pub(super) const LOOK: Duration = Duration::from_millis(2);
/// How long a monitor may take until it can be talked to, and for a state.
pub(super) const PATIENCE: Duration = Duration::from_secs(60);
/// Who a monitor is where it is started by root: nobody, with a directory.
pub(super) const NOBODY: u32 = 65_534;
/// The file in which a machine's directory says who its monitor is.
pub(super) const PID: &str = "pid";
/// How long what it said last may take to arrive.
const LAST_WORDS: Duration = Duration::from_millis(50);
/// What a monitor writes about itself, kept for messages. A guest can make some devices complain for ever.
const SAID: usize = 4 << 10;

pub(super) fn failed(error: &io::Error) -> Error {
    died(error.to_string())
}

pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A program in PATH.
///
/// # Errors
/// `SANDBOX_UNAVAILABLE` where there is none.
pub(super) fn find(program: &str, operation: &'static str) -> Result<PathBuf> {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&paths)
        .map(|directory| directory.join(program))
        .find(|path| path.is_file());
    found.ok_or_else(|| {
        let message = format!("there is no {program} in PATH");
        Error::new(Code::SandboxUnavailable, operation, message).on(NAME)
    })
}

/// A monitor that runs. It ends when it is dropped.
#[derive(Debug)]
pub(super) struct Monitor {
    name: &'static str,
    /// Kept open, since by it sockets have short paths, whatever the directory's own is.
    directory: File,
    child: Mutex<Child>,
    said: Arc<Mutex<Vec<u8>>>,
}

impl Monitor {
    /// Starts one, whose files lie in `directory`, and whose standard error is a pipe.
    pub(super) fn start(
        name: &'static str,
        directory: File,
        command: &mut Command,
    ) -> Result<Monitor> {
        let started = command.kill_on_drop(true).spawn();
        let mut child = started.map_err(|error| died(format!("{name}: {error}")))?;
        let said = Arc::default();
        listen(&mut child, &said);
        Ok(Monitor {
            name,
            directory,
            child: Mutex::new(child),
            said,
        })
    }

    /// A short path of a file in its directory.
    pub(super) fn near(&self, name: &str) -> PathBuf {
        near(&self.directory, name)
    }

    /// The number of the process; none where it has ended.
    pub(super) fn id(&self) -> Option<u32> {
        lock(&self.child).id()
    }

    pub(super) fn is_alive(&self) -> bool {
        matches!(lock(&self.child).try_wait(), Ok(None))
    }

    /// Tries until it works, or the monitor has ended, or the time is over.
    pub(super) async fn until<T, F: Future<Output = Result<T>>>(
        &self,
        attempt: impl Fn() -> F,
    ) -> Result<T> {
        let until = Instant::now() + PATIENCE;
        loop {
            let is_alive = self.is_alive();
            match attempt().await {
                Ok(done) => return Ok(done),
                Err(error) if !is_alive || Instant::now() > until => {
                    // What it said last may be on its way.
                    sleep(LAST_WORDS).await;
                    return Err(self.explain(&error));
                }
                Err(_) => sleep(LOOK).await,
            }
        }
    }

    /// The error with what the monitor said.
    pub(super) fn explain(&self, error: &Error) -> Error {
        let said = lock(&self.said).clone();
        let said = String::from_utf8_lossy(&said);
        match said.lines().next_back() {
            Some(line) => died(format!("{}: {line}", error.message())),
            None => error.clone(),
        }
    }

    /// Ends it at once; one that has ended is fine.
    pub(super) async fn end(&self) -> Result<()> {
        // One that has ended cannot be killed.
        let _ = lock(&self.child).start_kill();
        let until = Instant::now() + PATIENCE;
        while self.is_alive() {
            if Instant::now() > until {
                return Err(died(format!("{} does not end", self.name)));
            }
            sleep(LOOK).await;
        }
        Ok(())
    }
}

/// A short path of a file in an open directory, for this process and the one that it becomes.
pub(super) fn near(directory: &File, name: &str) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}/{name}", directory.as_raw_fd()))
}

/// Keeps the beginning of what a monitor says.
fn listen(child: &mut Child, said: &Arc<Mutex<Vec<u8>>>) {
    let (stream, said) = (child.stderr.take(), Arc::clone(said));
    tokio::spawn(async move {
        let Some(mut stream) = stream else { return };
        let mut buffer = [0; 1 << 10];
        while let Ok(length @ 1..) = stream.read(&mut buffer).await {
            let mut said = lock(&said);
            let room = SAID.saturating_sub(said.len()).min(length);
            said.extend_from_slice(&buffer[..room]);
        }
    });
}

/// Copies memory, away from the threads that must not wait.
pub(super) async fn sparse(from: PathBuf, to: PathBuf) -> Result<()> {
    let copied = tokio::task::spawn_blocking(move || copy::sparse(&from, &to)).await;
    let copied = copied.map_err(|error| died(error.to_string()))?;
    copied.map_err(|error| failed(&error))
}

/// Ends every monitor whose files lie in directories below one that has no owner any more.
pub(super) fn end_all(machines: &Path) {
    use rustix::process::{Pid, Signal, kill_process};
    for home in fs::read_dir(machines).into_iter().flatten().flatten() {
        let home = home.path();
        let number = fs::read_to_string(home.join(PID)).unwrap_or_default();
        let Some(process) = number.trim().parse().ok().and_then(Pid::from_raw) else {
            continue;
        };
        // The number may belong to somebody else by now.
        let place = fs::read_link(format!("/proc/{}/cwd", process.as_raw_pid()));
        if place.is_ok_and(|place| place == home) {
            let _ = kill_process(process, Signal::KILL);
        }
    }
}

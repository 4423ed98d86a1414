//! A sandbox of some backend.

use crate::files;
use crate::process::Process;
use offshoot::backend::{
    Capabilities, Code, Environment, Error, Exec, FileStat, RemoveOptions, Result, ShellResult,
    Snapshot, State, Stdin,
};
use std::fmt;
use std::sync::Arc;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// A sandbox; its operations are those of [`Environment`], with the same errors.
///
/// Dropping it without [`Sandbox::destroy`] leaves it to the backend, which removes what only its
/// owner had.
pub struct Sandbox {
    environment: Option<Arc<dyn Environment>>,
    capabilities: Capabilities,
    backend: String,
    cwd: String,
    runtime: Handle,
}

impl fmt::Debug for Sandbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sandbox")
            .field("backend", &self.backend)
            .field("cwd", &self.cwd)
            .finish_non_exhaustive()
    }
}

impl Sandbox {
    /// Must be called on a runtime, which what the backend leaves behind ends on.
    pub(crate) fn new(environment: Arc<dyn Environment>) -> Sandbox {
        Sandbox {
            capabilities: environment.capabilities(),
            backend: environment.backend().to_owned(),
            cwd: environment.cwd().to_owned(),
            environment: Some(environment),
            runtime: Handle::current(),
        }
    }

    fn environment(&self, operation: &'static str) -> Result<&Arc<dyn Environment>> {
        let environment = self.environment.as_ref();
        environment.ok_or_else(|| Error::ended(operation).on(self.backend.clone()))
    }

    /// What it can and cannot do, with the settings that it has.
    pub fn capabilities(&self) -> Capabilities {
        self.capabilities
    }

    /// The name of its backend.
    pub fn backend(&self) -> &str {
        &self.backend
    }

    /// The working directory that relative paths start from.
    pub fn cwd(&self) -> &str {
        &self.cwd
    }

    /// Runs a script to its end.
    ///
    /// # Errors
    /// As [`Environment::exec`].
    pub async fn exec(&self, exec: Exec) -> Result<ShellResult> {
        self.environment("exec")?.exec(exec).await
    }

    /// Starts a script. Its input is open where none is given and the backend has inputs.
    ///
    /// # Errors
    /// As [`Environment::spawn`].
    pub async fn spawn(&self, mut exec: Exec) -> Result<Process> {
        if exec.stdin == Stdin::Empty && self.capabilities.stdin {
            exec = exec.stdin(Stdin::Piped);
        }
        self.start_process(exec).await
    }

    /// Starts a script with the input that it is given, and no other.
    ///
    /// # Errors
    /// As [`Environment::spawn`].
    pub async fn start_process(&self, exec: Exec) -> Result<Process> {
        let running = self.environment("spawn")?.spawn(exec).await?;
        Ok(Process::new(running, self.backend.clone()))
    }

    /// A file, byte for byte.
    ///
    /// # Errors
    /// As [`Environment::read_file_buffer`].
    pub async fn read(&self, path: &str) -> Result<Vec<u8>> {
        self.environment("read_file_buffer")?
            .read_file_buffer(path)
            .await
    }

    /// Writes a file in one step, making parents.
    ///
    /// # Errors
    /// As [`Environment::write_file`].
    pub async fn write(&self, path: &str, content: &[u8]) -> Result<()> {
        self.environment("write_file")?
            .write_file(path, content)
            .await
    }

    /// What is in a directory, in byte order of the names. Of a symbolic link only that is told.
    ///
    /// # Errors
    /// As [`Environment::readdir`] and [`Environment::stat`]; what is gone by then is left out.
    pub async fn list(&self, path: &str) -> Result<Vec<(String, FileStat)>> {
        files::list(self.environment("readdir")?.as_ref(), path).await
    }

    /// Facts about a path; links are followed.
    ///
    /// # Errors
    /// As [`Environment::stat`].
    pub async fn info(&self, path: &str) -> Result<FileStat> {
        self.environment("stat")?.stat(path).await
    }

    /// Whether there is something.
    ///
    /// # Errors
    /// As [`Environment::exists`].
    pub async fn exists(&self, path: &str) -> Result<bool> {
        self.environment("exists")?.exists(path).await
    }

    /// Makes a directory.
    ///
    /// # Errors
    /// As [`Environment::mkdir`].
    pub async fn make_dir(&self, path: &str, parents: bool) -> Result<()> {
        self.environment("mkdir")?.mkdir(path, parents).await
    }

    /// Removes a file, or a directory with all in it.
    ///
    /// # Errors
    /// As [`Environment::rm`].
    pub async fn remove(&self, path: &str, options: RemoveOptions) -> Result<()> {
        self.environment("rm")?.rm(path, options).await
    }

    /// Renames, over a file or an empty directory that is there. It is one step where commands run, but over a
    /// link to a directory; elsewhere a file is copied and removed, and a directory refused.
    ///
    /// # Errors
    /// `NOT_FOUND`, `CONFLICT` for what cannot take the other's place, `PATH_ESCAPE`, `POLICY_DENIED`,
    /// `CAPABILITY`.
    pub async fn rename(&self, source: &str, target: &str) -> Result<()> {
        files::rename(self.environment("rename")?.as_ref(), source, target).await
    }

    /// Captures it.
    ///
    /// # Errors
    /// As [`Environment::snapshot`].
    pub async fn snapshot(&self, label: Option<&str>) -> Result<Snapshot> {
        self.environment("snapshot")?.snapshot(label).await
    }

    /// Sets it back to a snapshot.
    ///
    /// # Errors
    /// As [`Environment::restore`].
    pub async fn restore(&self, snapshot: &Snapshot) -> Result<()> {
        self.environment("restore")?.restore(snapshot).await
    }

    /// Deletes a snapshot.
    ///
    /// # Errors
    /// As [`Environment::delete_snapshot`].
    pub async fn delete_snapshot(&self, snapshot: &Snapshot) -> Result<()> {
        self.environment("delete_snapshot")?
            .delete_snapshot(snapshot)
            .await
    }

    /// An independent copy.
    ///
    /// # Errors
    /// As [`Environment::fork`].
    pub async fn fork(&self, label: Option<&str>) -> Result<Sandbox> {
        let environment = Arc::clone(self.environment("fork")?);
        let label = label.map(str::to_owned);
        made(
            "fork",
            async move { environment.fork(label.as_deref()).await },
        )
        .await
    }

    /// Puts it to sleep.
    ///
    /// # Errors
    /// As [`Environment::suspend`].
    pub async fn suspend(&self) -> Result<()> {
        self.environment("suspend")?.suspend().await
    }

    /// Wakes it.
    ///
    /// # Errors
    /// As [`Environment::resume`].
    pub async fn resume(&self) -> Result<()> {
        self.environment("resume")?.resume().await
    }

    /// Where in its life it is, in one word.
    ///
    /// # Errors
    /// As [`Environment::state`].
    pub async fn state(&self) -> Result<&'static str> {
        Ok(match self.environment("state")?.state().await? {
            State::Pending => "pending",
            State::Running => "running",
            State::Suspending => "suspending",
            State::Suspended => "suspended",
            State::Resuming => "resuming",
            State::Failed => "failed",
            State::Deleted => "deleted",
            _ => "unknown",
        })
    }

    /// How another holder reaches it, as text.
    ///
    /// # Errors
    /// As [`Environment::reference`].
    pub async fn reference(&self) -> Result<String> {
        let reference = self.environment("reference")?.reference().await?;
        Ok(reference.to_string())
    }

    /// Ends it; one that was reconnected to is only let go.
    ///
    /// # Errors
    /// As [`Environment::cleanup`].
    pub async fn destroy(&self) -> Result<()> {
        self.environment("cleanup")?.cleanup().await
    }
}

/// Waits for a sandbox that is made. Who gives up waiting leaves none behind: it is ended when it is there.
pub(crate) async fn made(
    operation: &'static str,
    making: impl Future<Output = Result<Arc<dyn Environment>>> + Send + 'static,
) -> Result<Sandbox> {
    let (answer, answered) = oneshot::channel();
    tokio::spawn(async move {
        let made = making.await.map(Sandbox::new);
        if let Err(Ok(left)) = answer.send(made) {
            // Nobody is there to hear of a failure; what is left, the backend's reaper removes.
            let _ = left.destroy().await;
        }
    });
    let lost = |_| Error::new(Code::Died, operation, "the call panicked");
    answered.await.map_err(lost)?
}

/// Reads a snapshot as [`snapshot_text`] wrote it.
///
/// # Errors
/// `INVALID` for what is none.
pub fn snapshot_from(text: &str) -> Result<Snapshot> {
    serde_json::from_str(text)
        .map_err(|error| Error::new(Code::Invalid, "restore", error.to_string()))
}

/// What a backend can and cannot do, as JSON.
///
/// # Errors
/// None in practice.
pub fn capabilities_text(capabilities: &Capabilities) -> Result<String> {
    serde_json::to_string(capabilities)
        .map_err(|error| Error::new(Code::Corrupt, "capabilities", error.to_string()))
}

/// A snapshot as JSON.
///
/// # Errors
/// None in practice.
pub fn snapshot_text(snapshot: &Snapshot) -> Result<String> {
    serde_json::to_string(snapshot)
        .map_err(|error| Error::new(Code::Corrupt, "snapshot", error.to_string()))
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        // What a backend does at the end, it does on the runtime that is entered.
        let _runtime = self.runtime.enter();
        self.environment.take();
    }
}

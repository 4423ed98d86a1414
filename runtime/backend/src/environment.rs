//! The operations that every sandbox has, whatever it runs on.

use crate::capabilities::Capabilities;
use crate::error::{Code, Error, Result};
use crate::exec::{Exec, ShellResult};
use crate::files::{FileStat, RemoveOptions};
use crate::path;
use crate::policy::Boundary;
use crate::running::Running;
use crate::snapshot::{Reference, Snapshot};
use async_trait::async_trait;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// A sandbox on some backend: commands, files, and the lifecycle where the backend has one.
///
/// Code written against it runs unchanged on every backend. Optional operations are asked for
/// through [`Environment::capabilities`]; one that is not claimed is refused with `CAPABILITY`
/// (`SANDBOX_UNAVAILABLE` for [`Environment::fork`]) before anything is touched.
///
/// # For those who implement it
///
/// Implement the required operations and the optional ones that you claim. Everything that is the
/// same for all backends is done by [`Rules`](crate::Rules), which
/// [`Registry::open`](crate::Registry::open) puts around every environment. So an implementation
/// may rely on this: paths and `exec.cwd` (always set) are absolute and normalised, paths of file
/// operations lie below [`Environment::root`] as text, names of variables are sensible, and
/// whatever is not claimed is not asked for. What stays with the implementation: symbolic and hard
/// links that lead out of the root, judged where the file is opened; killing a command with its
/// whole tree at its time-out; replacing files atomically.
/// [`conformance`](crate::conformance) proves that it does.
#[async_trait]
pub trait Environment: Send + Sync + 'static {
    /// The name of the backend, as errors show it.
    fn backend(&self) -> &str;

    /// What it can and cannot do; complete and constant from the first call on.
    fn capabilities(&self) -> Capabilities;

    /// The directory that file operations cannot leave.
    fn root(&self) -> &str {
        "/"
    }

    /// The working directory that relative paths start from.
    fn cwd(&self) -> &str;

    /// Joins a path to the working directory and removes empty segments, `.` and `..`. Pure text:
    /// two spellings of a path give the same key, and nothing is looked up.
    fn resolve_path(&self, path: &str) -> String {
        path::resolve(self.cwd(), path)
    }

    /// Runs a script from fresh shell state until everything that it started has ended, and
    /// returns what it wrote. Whatever the script does is a result; so is a time-out (exit code
    /// 124).
    ///
    /// # Errors
    /// `LIMIT` where the output or another resource is used up ([`Error::output`] has what was
    /// written), `NOT_FOUND` for a missing working directory, `POLICY_DENIED`, `DIED` where the
    /// sandbox ended during the call, `SANDBOX_UNAVAILABLE` before it.
    async fn exec(&self, exec: Exec) -> Result<ShellResult>;

    /// Reads a file's bytes; like all operations on files claimed by `filesystem`.
    ///
    /// # Errors
    /// `NOT_FOUND`, `PATH_ESCAPE`, `POLICY_DENIED`, `CONFLICT` for a directory.
    async fn read_file_buffer(&self, path: &str) -> Result<Vec<u8>> {
        let _ = path;
        Err(self.refusal("read_file_buffer", "files"))
    }

    /// Reads a file as text.
    ///
    /// # Errors
    /// `NOT_TEXT` where it is not UTF-8 (see [`Environment::read_file_lossy`]); else as
    /// [`Environment::read_file_buffer`].
    async fn read_file(&self, path: &str) -> Result<String> {
        String::from_utf8(self.read_file_buffer(path).await?).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            let message = format!("{path}: not UTF-8 at byte {at}");
            Error::new(Code::NotText, "read_file", message).on(self.backend().to_owned())
        })
    }

    /// Reads a file as text; bytes that are not UTF-8 become U+FFFD.
    ///
    /// # Errors
    /// As [`Environment::read_file_buffer`].
    async fn read_file_lossy(&self, path: &str) -> Result<String> {
        Ok(String::from_utf8_lossy(&self.read_file_buffer(path).await?).into_owned())
    }

    /// Writes a file, with missing parents; readers see the old content or the new, never a part.
    ///
    /// # Errors
    /// `LIMIT` where the quota is used up, `PATH_ESCAPE`, `POLICY_DENIED`, `CONFLICT`.
    async fn write_file(&self, path: &str, content: &[u8]) -> Result<()> {
        let _ = (path, content);
        Err(self.refusal("write_file", "files"))
    }

    /// Facts about a path; symbolic links are followed.
    ///
    /// # Errors
    /// `NOT_FOUND`, `PATH_ESCAPE`, `POLICY_DENIED`.
    async fn stat(&self, path: &str) -> Result<FileStat> {
        let _ = path;
        Err(self.refusal("stat", "files"))
    }

    /// The names in a directory, dotfiles included, in byte order.
    ///
    /// # Errors
    /// `CONFLICT` on anything but a directory, `NOT_TEXT` for a name that is not UTF-8, `NOT_FOUND`,
    /// `PATH_ESCAPE`, `POLICY_DENIED`.
    async fn readdir(&self, path: &str) -> Result<Vec<String>> {
        let _ = path;
        Err(self.refusal("readdir", "files"))
    }

    /// Whether the path exists; a missing parent is no error, and a path that leads out of the
    /// sandbox does not exist.
    ///
    /// # Errors
    /// `DIED`, `SANDBOX_UNAVAILABLE`; never for a missing path.
    async fn exists(&self, path: &str) -> Result<bool> {
        match self.stat(path).await {
            Ok(_) => Ok(true),
            Err(error) => match error.code() {
                Code::NotFound | Code::PathEscape | Code::Conflict | Code::PolicyDenied => {
                    Ok(false)
                }
                _ => Err(error.during("exists")),
            },
        }
    }

    /// Makes a directory; with `recursive` its parents too, and an existing directory is fine.
    ///
    /// # Errors
    /// `CONFLICT` where it exists, `NOT_FOUND` where the parent is missing, `PATH_ESCAPE`,
    /// `POLICY_DENIED`, `LIMIT`.
    async fn mkdir(&self, path: &str, recursive: bool) -> Result<()> {
        let _ = (path, recursive);
        Err(self.refusal("mkdir", "files"))
    }

    /// Removes a file, or with `recursive` a directory and all that is in it. A symbolic link is
    /// removed itself.
    ///
    /// # Errors
    /// `NOT_FOUND` unless `force`, `CONFLICT` for a directory without `recursive`, `PATH_ESCAPE`,
    /// `POLICY_DENIED`.
    async fn rm(&self, path: &str, options: RemoveOptions) -> Result<()> {
        let _ = (path, options);
        Err(self.refusal("rm", "files"))
    }

    /// Ends the sandbox: what runs is killed, what the backend holds for it is given back, and
    /// later operations fail with `SANDBOX_UNAVAILABLE`. Doing it twice is fine. Branches and
    /// snapshots are not affected. On a sandbox that was attached to, it only detaches.
    ///
    /// # Errors
    /// `DIED` where the backend could not be reached.
    async fn cleanup(&self) -> Result<()>;

    /// Starts a script and returns at once; claimed by `streaming`.
    ///
    /// # Errors
    /// As [`Environment::exec`]; what happens later is reported by [`Running::next`].
    async fn spawn(&self, exec: Exec) -> Result<Box<dyn Running>> {
        drop(exec);
        Err(self.refusal("spawn", "streaming"))
    }

    /// Captures the sandbox.
    ///
    /// # Errors
    /// `LIMIT`, `DIED`, `SANDBOX_UNAVAILABLE`.
    async fn snapshot(&self, label: Option<&str>) -> Result<Snapshot> {
        let _ = label;
        Err(self.refusal("snapshot", "snapshots"))
    }

    /// Sets the sandbox back to what `snapshot` captured, byte for byte.
    ///
    /// # Errors
    /// `NOT_FOUND` for a snapshot that does not exist, `CORRUPT`, `TOO_NEW`.
    async fn restore(&self, snapshot: &Snapshot) -> Result<()> {
        let _ = snapshot;
        Err(self.refusal("restore", "snapshots"))
    }

    /// A new sandbox from a snapshot, with this one's settings; claimed by `restore`.
    ///
    /// # Errors
    /// As [`Environment::restore`].
    async fn start(&self, snapshot: &Snapshot) -> Result<Arc<dyn Environment>> {
        let _ = snapshot;
        Err(self.refusal("start", "snapshots"))
    }

    /// Deletes a snapshot; claimed by `snapshot`. A missing one is fine.
    ///
    /// # Errors
    /// `CONFLICT` where it is in use.
    async fn delete_snapshot(&self, snapshot: &Snapshot) -> Result<()> {
        let _ = snapshot;
        Err(self.refusal("delete_snapshot", "snapshots"))
    }

    /// An independent copy: neither side sees what the other does from now on.
    ///
    /// # Errors
    /// `LIMIT`, `DIED`, `SANDBOX_UNAVAILABLE`.
    async fn fork(&self, label: Option<&str>) -> Result<Arc<dyn Environment>> {
        let _ = label;
        let message = format!("the backend {} does not offer forks", self.backend());
        Err(Error::new(Code::SandboxUnavailable, "fork", message).on(self.backend().to_owned()))
    }

    /// Puts the sandbox to sleep so that [`Environment::resume`] continues it. A sandbox that
    /// sleeps already is fine.
    ///
    /// # Errors
    /// `DIED`; the sandbox is then usable as before.
    async fn suspend(&self) -> Result<()> {
        Err(self.refusal("suspend", "suspending"))
    }

    /// Continues after [`Environment::suspend`]. A sandbox that runs is fine.
    ///
    /// # Errors
    /// `DIED`, `NOT_FOUND` where what was written by `suspend` is gone.
    async fn resume(&self) -> Result<()> {
        Err(self.refusal("resume", "suspending"))
    }

    /// A reference by which another holder attaches to this very sandbox, without any credential;
    /// claimed by `reconnect`.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE` after cleanup.
    async fn reference(&self) -> Result<Reference> {
        Err(self.refusal("reference", "references"))
    }

    /// Where in its life the sandbox is, as the backend sees it now. A call in flight on a sandbox
    /// that answers [`State::Failed`] or [`State::Deleted`], or nothing for too long, settles with
    /// `DIED`.
    ///
    /// # Errors
    /// `DIED` where the backend could not be reached.
    async fn state(&self) -> Result<State> {
        Ok(State::Running)
    }

    /// Puts rules where the sandbox's commands reach files and start each other, from now on and for
    /// its branches; claimed by `file_policy` and `command_policy`. Rules that were there are replaced.
    ///
    /// It is called by [`Restricted`](crate::Restricted), which also judges file operations.
    ///
    /// # Errors
    /// `CAPABILITY` for a rule that would not hold, `SANDBOX_UNAVAILABLE` after cleanup.
    async fn restrict(&self, boundary: Arc<Boundary>) -> Result<()> {
        let _ = boundary;
        Err(self.refusal("restrict", "rules that hold for commands too"))
    }

    /// The typed refusal of what this backend does not offer.
    fn refusal(&self, operation: &'static str, what: &str) -> Error {
        Error::unsupported(self.backend().to_owned(), operation, what)
    }
}

impl fmt::Debug for dyn Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Environment")
            .field("backend", &self.backend())
            .field("cwd", &self.cwd())
            .finish_non_exhaustive()
    }
}

/// Where in its life a sandbox is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum State {
    /// Being made.
    Pending,
    /// Ready.
    Running,
    /// On its way to sleep.
    Suspending,
    /// Asleep.
    Suspended,
    /// Waking up.
    Resuming,
    /// Ended by a fault.
    Failed,
    /// Ended by cleanup.
    Deleted,
}

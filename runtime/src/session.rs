//! Shell state that lives from one execution to the next.

use crate::error::Result;
use crate::sandbox::Sandbox;
use bytes::Bytes;
use offshoot_backend::{Exec, ShellResult};
use offshoot_kernel::Session as ShellState;
use std::fmt;
use tokio::sync::Mutex;

/// A session of a sandbox: variables, functions, options and working directory stay.
///
/// Executions of one session run one after the other; sessions of one sandbox share its files.
///
/// ```
/// # #[tokio::main] async fn main() -> offshoot::Result<()> {
/// let sandbox = offshoot::Sandbox::new()?;
/// let session = sandbox.session();
/// session.exec("cd /tmp; greet() { echo \"hello $1 from $PWD\"; }").await?;
/// assert_eq!(session.exec("greet you").await?.stdout_text(), "hello you from /tmp\n");
/// # Ok(()) }
/// ```
pub struct Session {
    sandbox: Sandbox,
    state: Mutex<ShellState>,
}

impl Session {
    pub(crate) fn new(sandbox: Sandbox, state: ShellState) -> Session {
        Session {
            sandbox,
            state: Mutex::new(state),
        }
    }

    /// Runs a script on the session's state. Where a time-out or a limit ends it, the state is as
    /// it was before; files are not rolled back.
    ///
    /// # Errors
    /// As [`Sandbox::exec`].
    pub async fn exec(&self, exec: impl Into<Exec>) -> Result<ShellResult> {
        let mut state = self.state.lock().await;
        self.sandbox.collect(exec.into(), Some(&mut state)).await
    }

    /// An independent copy of the session on a branch of its sandbox. It waits for an execution in
    /// flight.
    pub async fn fork(&self) -> Session {
        let state = self.state.lock().await.fork();
        Session::new(self.sandbox.fork(), state)
    }

    /// The state as bytes that [`Sandbox::import_session`] takes, in this sandbox or another, in this
    /// process or a later one. It waits for an execution in flight.
    ///
    /// In them are variables, functions, options, traps, aliases, the working directory, the history,
    /// and the files that `exec 3<file` left open: by their paths and offsets, so that a file that is
    /// not there where the session goes on is closed there. The bytes begin with the version of their
    /// format; equal states give equal bytes.
    ///
    /// ```
    /// # #[tokio::main] async fn main() -> offshoot::Result<()> {
    /// let sandbox = offshoot::Sandbox::new()?;
    /// let session = sandbox.session();
    /// session.exec("cd /tmp; n=41; next() { echo $((n + 1)); }; printf 'a\nb\n' > f").await?;
    /// session.exec("exec 3< f; read -u 3 line").await?;
    /// let state = session.export().await?;
    ///
    /// let copy = sandbox.import_session(state);
    /// let result = copy.exec("next; pwd; read -u 3 line; echo $line").await?;
    /// assert_eq!(result.stdout_text(), "42\n/tmp\nb\n");
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// As [`Sandbox::exec`], where nothing ran on the session yet.
    pub async fn export(&self) -> Result<Bytes> {
        let mut state = self.state.lock().await;
        if state.state().is_none() {
            // A state has bytes once a script went through to its end.
            self.sandbox
                .collect(Exec::from(""), Some(&mut state))
                .await?;
        }
        Ok(state.state().cloned().unwrap_or_default())
    }

    /// The state as bytes after the last execution that went through to its end; none before the
    /// first.
    pub(crate) async fn state(&self) -> Option<Bytes> {
        self.state.lock().await.state().cloned()
    }

    /// The sandbox that it runs in.
    pub fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("sandbox", &self.sandbox)
            .finish_non_exhaustive()
    }
}

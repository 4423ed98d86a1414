//! Shell state that lives from one execution to the next.

use crate::error::Result;
use crate::sandbox::Sandbox;
use bytes::Bytes;
use offshoot_backend::{Exec, ShellResult};
use offshoot_kernel::{Gate, Session as ShellState};
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use tokio::sync::Mutex;

/// What a session begins with, and what it may do; see [`Sandbox::session_with`].
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct SessionOptions {
    environment: Vec<(String, String)>,
    read_only: bool,
}

impl SessionOptions {
    /// The sandbox's own environment, and everything is allowed.
    pub fn new() -> SessionOptions {
        SessionOptions::default()
    }

    /// Sets a variable of this session's environment.
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> SessionOptions {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Whose name git puts on commits of this session.
    pub fn git_identity(self, name: &str, email: &str) -> SessionOptions {
        let roles = ["AUTHOR", "COMMITTER"];
        roles.into_iter().fold(self, |options, role| {
            options
                .env(format!("GIT_{role}_NAME"), name)
                .env(format!("GIT_{role}_EMAIL"), email)
        })
    }

    /// The session cannot change the sandbox: each execution runs on a copy of the sandbox as it is
    /// then, and the copy is thrown away. Its variables and working directory stay.
    pub fn read_only(mut self) -> SessionOptions {
        self.read_only = true;
        self
    }

    /// Whether the session can change anything.
    pub(crate) fn is_read_only(&self) -> bool {
        self.read_only
    }
}

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
    state: Arc<Mutex<ShellState>>,
    read_only: bool,
}

impl Session {
    pub(crate) fn new(sandbox: Sandbox, state: ShellState, read_only: bool) -> Session {
        Session {
            sandbox,
            state: Arc::new(Mutex::new(state)),
            read_only,
        }
    }

    /// The same session with other rights.
    pub(crate) fn as_allowed(&self, read_only: bool) -> Session {
        Session {
            sandbox: self.sandbox.clone(),
            state: Arc::clone(&self.state),
            read_only,
        }
    }

    /// Runs a script on the session's state. Where a time-out or a limit ends it, the state is as
    /// it was before; files are not rolled back.
    ///
    /// # Errors
    /// As [`Sandbox::exec`].
    pub async fn exec(&self, exec: impl Into<Exec>) -> Result<ShellResult> {
        let mut state = self.state.lock().await;
        let sandbox = match self.read_only {
            true => &self.sandbox.reading()?,
            false => &self.sandbox,
        };
        sandbox.collect(exec.into(), Some(&mut state)).await
    }

    /// Whether it cannot change the sandbox.
    pub fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// An independent copy of the session on a branch of its sandbox. It waits for an execution in
    /// flight.
    pub async fn fork(&self) -> Session {
        let state = self.state.lock().await.fork();
        Session::new(self.sandbox.fork(), state, self.read_only)
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

impl Sandbox {
    /// A session with an environment of its own, and perhaps without the right to change anything.
    /// Sessions of one sandbox see each other's files, never each other's variables.
    ///
    /// ```
    /// # #[tokio::main] async fn main() -> offshoot::Result<()> {
    /// use offshoot::{Sandbox, SessionOptions};
    /// let sandbox = Sandbox::builder().file("/home/user/notes", "one\n").build()?;
    /// let options = SessionOptions::new().env("WHO", "guest").read_only();
    /// let guest = sandbox.session_with(options);
    /// let seen = guest.exec("echo $WHO >> notes; cat notes").await?;
    /// assert_eq!(seen.stdout_text(), "one\nguest\n");
    /// assert_eq!(sandbox.read_file("notes").await?, "one\n");
    /// # Ok(()) }
    /// ```
    pub fn session_with(&self, options: SessionOptions) -> Session {
        let mut setup = self.shell_setup();
        for (name, value) in options.environment {
            setup
                .environment
                .retain(|(known, _)| known != name.as_bytes());
            setup.environment.push((name.into(), value.into()));
        }
        Session::new(self.clone(), ShellState::new(setup), options.read_only)
    }

    /// A copy that is thrown away, from which nothing can be asked of the sandbox's service.
    pub(crate) fn reading(&self) -> Result<Sandbox> {
        self.alive("exec")?;
        let copy = self.fork();
        copy.set_gate(Some(Arc::new(Reading)));
        Ok(copy)
    }
}

/// Stands before the programs of a copy that may only be read.
struct Reading;

impl Gate for Reading {
    fn refusal<'a>(
        &'a self,
        command: &'a [Vec<u8>],
    ) -> Pin<Box<dyn Future<Output = Option<String>> + Send + 'a>> {
        let granted = crate::lifecycle::GRANTED.as_bytes();
        let refused = command.first().is_some_and(|name| name == granted);
        let reason = refused.then(|| "the session is read-only".to_owned());
        Box::pin(async move { reason })
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("sandbox", &self.sandbox)
            .finish_non_exhaustive()
    }
}

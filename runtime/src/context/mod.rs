//! Contexts: interpreters whose state lives from one cell to the next.

mod captured;
mod cell;
mod frames;
mod list;
mod process;
mod run;

use crate::error::Below;
use crate::error::{Code, Error, Result};
use crate::sandbox::Sandbox;
use captured::Holds;
use offshoot_backend::{Exec, FileKind};
use offshoot_kernel::{HeldMemory, Rounds, Session as ShellState, Signals};
use offshoot_vfs::Caller;
use process::{Killer, Process};
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

pub use captured::CapturedContext;
pub(crate) use captured::Taking;
pub use cell::{Cell, CellError, CellEvent, CellOutcome, CellResult};
pub(crate) use list::Contexts;
pub use run::CellRun;

/// How long an interrupted cell, or an interpreter that ends, may take.
const PATIENCE: Duration = Duration::from_secs(2);

/// SIGINT.
const INTERRUPT: u8 = 2;

/// What cells are written in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Language {
    /// CPython; where the library was built with the feature `python`.
    #[default]
    Python,
    /// The sandbox's `node`, where it has one.
    JavaScript,
    /// The sandbox's shell, as in a [`crate::Session`].
    Bash,
}

impl Language {
    /// Its name: `python`, `javascript`, `bash`.
    ///
    /// ```
    /// use offshoot::Language;
    /// assert_eq!("js".parse::<Language>()?.as_str(), "javascript");
    /// assert!("cobol".parse::<Language>().is_err());
    /// # Ok::<(), offshoot::Error>(())
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Language::Python => "python",
            Language::JavaScript => "javascript",
            Language::Bash => "bash",
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Language {
    type Err = Error;

    /// # Errors
    /// `CAPABILITY` for a language that there are no contexts of.
    fn from_str(name: &str) -> Result<Language> {
        match name {
            "python" | "python3" => Ok(Language::Python),
            "javascript" | "js" | "node" => Ok(Language::JavaScript),
            "bash" | "sh" => Ok(Language::Bash),
            _ => {
                let message = format!(
                    "there are no contexts in {name:?}: python, javascript and bash are known"
                );
                Err(Error::new(Code::Capability, "context", message))
            }
        }
    }
}

/// What a context begins with; see [`Sandbox::context`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub struct ContextOptions {
    language: Language,
    cwd: Option<String>,
    environment: Vec<(String, String)>,
    interruptible: bool,
}

impl ContextOptions {
    /// A context of this language, in the sandbox's working directory and with its environment.
    pub fn new(language: Language) -> ContextOptions {
        ContextOptions {
            language,
            cwd: None,
            environment: Vec::new(),
            interruptible: true,
        }
    }

    /// The working directory that it begins in; relative to the sandbox's.
    pub fn cwd(mut self, directory: impl Into<String>) -> ContextOptions {
        self.cwd = Some(directory.into());
        self
    }

    /// Sets a variable of its environment.
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> ContextOptions {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// An interrupt or a time-out ends the interpreter with all that it holds, instead of raising an exception in it.
    pub fn uninterruptible(mut self) -> ContextOptions {
        self.interruptible = false;
        self
    }

    fn prepare(&self, exec: Exec) -> Exec {
        let variables = self.environment.iter();
        let exec = variables.fold(exec, |exec, (name, value)| exec.env(name, value));
        match &self.cwd {
            Some(directory) => exec.cwd(directory),
            None => exec,
        }
    }
}

impl From<Language> for ContextOptions {
    fn from(language: Language) -> ContextOptions {
        ContextOptions::new(language)
    }
}

impl Default for ContextOptions {
    fn default() -> ContextOptions {
        ContextOptions::new(Language::default())
    }
}

/// An interpreter of a sandbox, that keeps variables, imports and functions from cell to cell. Clones are the
/// same context; with the last of them it ends.
///
/// Cells of one context run one after the other; contexts of one sandbox share its files and nothing else. A
/// context ends where its sandbox is cleaned up or suspended: what is called on it then answers
/// `SANDBOX_UNAVAILABLE`.
///
/// A fork of the sandbox, and the sandbox once it wakes, have the context under the same id, with what it held:
/// [`Sandbox::find_context`] gives it, and it starts with its first cell. What stands against that is what stands
/// against [`Context::capture`], JavaScript, and a cell that runs. Such a context is there as well; its first cell
/// answers `CONFLICT` and says why, and [`Context::restart`] begins afresh.
///
/// Its interpreter is a process, whose memory counts as one's. Until it has started with its first cell, what it holds
/// counts against [`Limits::total_memory`](crate::Limits::total_memory), in each fork by itself; a fork in which that
/// does not fit has the context without it.
///
/// ```
/// # #[tokio::main] async fn main() -> offshoot::Result<()> {
/// use offshoot::{Language, Sandbox};
/// let sandbox = Sandbox::new()?;
/// let context = sandbox.context(Language::Bash).await?;
/// context.run("cd /tmp; greet() { echo \"hello $1 from $PWD\"; }").await?;
/// let outcome = context.run("greet you").await?;
/// assert_eq!(outcome.stdout_text(), "hello you from /tmp\n");
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Context(Arc<Inner>);

struct Inner {
    id: String,
    sandbox: Sandbox,
    options: ContextOptions,
    directory: String,
    /// A file that Python looks for.
    flag: String,
    state: Arc<tokio::sync::Mutex<State>>,
    reach: Mutex<Reach>,
    /// An interrupt that the present cell has not followed.
    interrupted: AtomicBool,
    told: Notify,
    closed: AtomicBool,
}

/// What there is of the interpreter.
#[derive(Default)]
struct State {
    process: Option<Process>,
    /// The shell's state, while none runs.
    shell: Option<ShellState>,
    /// Cells that were begun.
    cells: u64,
    /// Why there is none.
    gone: Option<(Code, String)>,
    /// What it began with, until the first cell. A Python that goes on with something may start only then.
    unchanged: Option<Holds>,
    /// What that counts as memory, where no list of the sandbox has it.
    held: Option<HeldMemory>,
}

/// How the present process is reached while a cell runs.
#[derive(Default)]
struct Reach {
    killer: Option<Killer>,
    /// Signals of the shell whose cell runs.
    signals: Option<Signals>,
    /// How a Python is interrupted that computes.
    rounds: Option<Rounds>,
    /// A cell runs.
    busy: bool,
    /// It was ended by a restart or a close.
    killed: bool,
}

impl Sandbox {
    /// Starts an interpreter that keeps its state from cell to cell.
    ///
    /// ```
    /// # #[tokio::main] async fn main() -> offshoot::Result<()> {
    /// use offshoot::{Code, Language, Sandbox};
    /// let sandbox = Sandbox::new()?;
    /// match sandbox.context(Language::Python).await {
    ///     Ok(context) => {
    ///         context.run("x = 41").await?;
    ///         assert_eq!(context.run("x + 1").await?.text(), Some("42"));
    ///     }
    ///     Err(error) => assert_eq!(error.code(), Code::Capability, "without the feature `python`"),
    /// }
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// `CAPABILITY` for a language that is not there, `NOT_FOUND` or `CONFLICT` for a working directory that
    /// is none, `SANDBOX_UNAVAILABLE` after [`Sandbox::cleanup`], `INVALID` outside a tokio runtime.
    pub async fn context(&self, options: impl Into<ContextOptions>) -> Result<Context> {
        let options = options.into();
        self.alive("context")?;
        process::check(self, options.language)?;
        let directory = self.resolve_path(options.cwd.as_deref().unwrap_or_else(|| self.cwd()));
        if self.stat(&directory).await?.kind != FileKind::Directory {
            return Err(Error::file(
                "context",
                &directory,
                offshoot_vfs::Error::NotDirectory,
            ));
        }
        let context = Context::new(self, process::unguessable(), options, directory, 0);
        context.begin(&mut *context.0.state.lock().await, Holds::Nothing, true)?;
        self.context_list().add(&context);
        Ok(context)
    }
}

impl Context {
    fn new(
        sandbox: &Sandbox,
        id: String,
        options: ContextOptions,
        directory: String,
        cells: u64,
    ) -> Context {
        let state = State {
            cells,
            ..State::default()
        };
        Context(Arc::new(Inner {
            flag: format!("/run/interrupt-{id}"),
            id,
            sandbox: sandbox.clone(),
            options,
            directory,
            state: Arc::new(tokio::sync::Mutex::new(state)),
            reach: Mutex::default(),
            interrupted: AtomicBool::new(false),
            told: Notify::new(),
            closed: AtomicBool::new(false),
        }))
    }

    /// Its name: unguessable, and the same as long as it lives.
    pub fn id(&self) -> &str {
        &self.0.id
    }

    /// What its cells are written in.
    pub fn language(&self) -> Language {
        self.0.options.language
    }

    /// The working directory that it began in.
    pub fn cwd(&self) -> &str {
        &self.0.directory
    }

    /// The sandbox that it is in.
    pub fn sandbox(&self) -> &Sandbox {
        &self.0.sandbox
    }

    /// Runs a cell to its end.
    ///
    /// An exception is a result, and so is an interrupt or a time-out that Python followed: what the context
    /// holds stays. Dropping the future interrupts the cell.
    ///
    /// # Errors
    /// Those of [`CellRun::next`].
    pub async fn run(&self, cell: impl Into<Cell>) -> Result<CellOutcome> {
        let mut run = self.start(cell).await?;
        let mut outcome = CellOutcome::default();
        while let Some(event) = run.next().await? {
            outcome.add(event);
        }
        outcome.timed_out = run.timed_out();
        Ok(outcome)
    }

    /// Starts a cell once those before it have ended, and returns what it does as it happens.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE` where the context has ended with its sandbox, or was closed; `DIED` where its
    /// interpreter has ended: [`Context::restart`] begins afresh.
    pub async fn start(&self, cell: impl Into<Cell>) -> Result<CellRun> {
        self.alive()?;
        let state = Arc::clone(&self.0.state).lock_owned().await;
        CellRun::begin(self.clone(), state, cell.into()).await
    }

    /// Ends the cell that runs by a `KeyboardInterrupt`, in Bash by SIGINT.
    ///
    /// Python is interrupted between two of its instructions, in `time.sleep`, and while it waits for a process or
    /// for sockets; JavaScript in a loop of a cell that has a condition, and where it awaits. Where it does not
    /// follow within two seconds, it is ended with all that it holds.
    pub fn interrupt(&self) {
        let reach = self.reach();
        if !reach.busy {
            return;
        }
        self.0.interrupted.store(true, Ordering::Release);
        match &reach.signals {
            Some(signals) => signals.send(INTERRUPT),
            None => {
                if let Some(rounds) = &reach.rounds {
                    rounds.interrupt();
                }
                self.raise_flag();
            }
        }
        self.0.told.notify_waiters();
    }

    /// Begins afresh, without what it held. A cell that runs is ended; whoever waits for it gets `DIED`.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE` where the context has ended with its sandbox, or was closed.
    pub async fn restart(&self) -> Result<()> {
        self.alive()?;
        self.kill();
        let mut state = self.0.state.lock().await;
        *state = State::default();
        self.lower_flag();
        self.0.sandbox.context_list().forget(&self.0.id);
        self.begin(&mut state, Holds::Nothing, true)
    }

    /// Ends it, and a cell that runs. Doing it twice is fine.
    pub fn close(&self) {
        self.0.closed.store(true, Ordering::Release);
        self.kill();
        self.0.sandbox.context_list().remove(&self.0.id);
    }

    /// Puts an interpreter into the state, which goes on with what it is given. One in Python or JavaScript starts
    /// `now` or with the first cell.
    fn begin(&self, state: &mut State, holds: Holds, now: bool) -> Result<()> {
        let Inner {
            sandbox,
            options,
            flag,
            ..
        } = &*self.0;
        *self.reach() = Reach::default();
        match (options.language, &holds) {
            (_, Holds::Lost(reason)) => {
                let message =
                    format!("{reason}: what the context held is gone until it is restarted");
                state.gone = Some((Code::Conflict, message));
            }
            (Language::Bash, _) => {
                let mut setup = sandbox.shell_setup();
                setup.directory = self.0.directory.clone().into_bytes();
                for (name, value) in &options.environment {
                    setup
                        .environment
                        .retain(|(known, _)| known != name.as_bytes());
                    let variable = (name.clone().into_bytes(), value.clone().into_bytes());
                    setup.environment.push(variable);
                }
                state.shell = Some(match &holds {
                    Holds::Shell(saved) => ShellState::load(saved.clone(), setup),
                    _ => ShellState::new(setup),
                });
            }
            _ if now => {
                let image = match &holds {
                    Holds::Python(image) => Some(image),
                    _ => None,
                };
                let process = Process::interpreter(sandbox, options, flag, image)?;
                {
                    let mut reach = self.reach();
                    reach.killer = Some(process.killer());
                    reach.rounds = process.rounds();
                }
                state.process = Some(process);
            }
            _ => {}
        }
        state.unchanged = Some(holds);
        Ok(())
    }

    /// Starts what has not started yet: a cell is about to begin.
    fn wake(&self, state: &mut State) -> Result<()> {
        if let Some(holds) = state.unchanged.take() {
            let is_missing = state.process.is_none() && self.language() != Language::Bash;
            if is_missing && let Err(error) = self.begin(state, holds.clone(), true) {
                state.unchanged = Some(holds);
                return Err(error);
            }
            state.unchanged = None;
        }
        state.held = None;
        self.0.sandbox.context_list().forget(&self.0.id);
        Ok(())
    }

    /// The file that interrupts a cell.
    fn flag(&self) -> &str {
        &self.0.flag
    }

    fn alive(&self) -> Result<()> {
        let message = if self.0.closed.load(Ordering::Acquire) {
            "the context was closed"
        } else if self.0.sandbox.alive("context").is_err() {
            "the context has ended with its sandbox"
        } else {
            return Ok(());
        };
        Err(Error::new(Code::SandboxUnavailable, "context", message))
    }

    fn kill(&self) {
        let mut reach = self.reach();
        reach.killed = true;
        if let Some(killer) = &reach.killer {
            killer.kill();
        }
    }

    fn raise_flag(&self) {
        let (vfs, flag) = (self.0.sandbox.vfs(), self.0.flag.as_bytes());
        // Where there is no such directory, the process is ended.
        let _ = vfs.write_file(&Caller::ROOT, vfs.root(), flag, b"", 0o644);
    }

    fn lower_flag(&self) {
        self.0.interrupted.store(false, Ordering::Release);
        if let Some(rounds) = &self.reach().rounds {
            rounds.clear_interrupt();
        }
        let (vfs, flag) = (self.0.sandbox.vfs(), self.0.flag.as_bytes());
        let _ = vfs.unlink(&Caller::ROOT, vfs.root(), flag);
    }

    fn reach(&self) -> MutexGuard<'_, Reach> {
        self.0.reach.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.sandbox.context_list().drop_from(self);
    }
}

impl fmt::Debug for Context {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Context")
            .field("id", &self.0.id)
            .field("language", &self.language())
            .finish_non_exhaustive()
    }
}

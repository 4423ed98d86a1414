//! A cell that runs.

use super::cell::{Cell, CellEvent};
use super::process::{self, Arrival, Process};
use super::{Context, Language, PATIENCE, State};
use crate::error::{Code, Error, Result};
use offshoot_kernel::Session as ShellState;
use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use tokio::sync::OwnedMutexGuard;
use tokio::time::{Instant, sleep_until};

/// A cell that runs: what it does comes as it happens; see [`Context::start`].
///
/// A slow reader slows it down. Dropped before its end, the cell is interrupted.
///
/// ```
/// # #[tokio::main] async fn main() -> offshoot::Result<()> {
/// use offshoot::{CellEvent, Language, Sandbox};
/// let sandbox = Sandbox::new()?;
/// let context = sandbox.context(Language::Bash).await?;
/// let mut run = context.start("echo one; exit 3").await?;
/// let mut seen = Vec::new();
/// while let Some(event) = run.next().await? {
///     match event {
///         CellEvent::Stdout(bytes) => seen.push(String::from_utf8_lossy(&bytes).into_owned()),
///         CellEvent::Error(error) => seen.push(error.value),
///         _ => {}
///     }
/// }
/// assert_eq!(seen, ["one\n", "3"]);
/// # Ok(()) }
/// ```
pub struct CellRun {
    context: Context,
    state: OwnedMutexGuard<State>,
    events: VecDeque<CellEvent>,
    deadline: Option<Instant>,
    /// When an interrupted cell is ended.
    patience: Option<Instant>,
    timed_out: bool,
    over: bool,
    /// What the shell had before the cell.
    before: Option<ShellState>,
}

impl CellRun {
    pub(super) async fn begin(
        context: Context,
        state: OwnedMutexGuard<State>,
        cell: Cell,
    ) -> Result<CellRun> {
        context.alive()?;
        let mut run = CellRun {
            context,
            state,
            events: VecDeque::new(),
            deadline: None,
            patience: None,
            timed_out: false,
            over: false,
            before: None,
        };
        run.settle().await?;
        run.context.wake(&mut run.state)?;
        run.context.lower_flag();
        run.state.cells += 1;
        run.context.reach().busy = true;
        match run.context.language() {
            Language::Bash => run.begin_shell(&cell)?,
            _ => {
                let process = run.state.process.as_mut();
                let process = process.ok_or_else(ended)?;
                process.give(&cell, run.context.flag()).await?;
            }
        }
        run.deadline = cell.timeout.map(|timeout| Instant::now() + timeout);
        Ok(run)
    }

    fn begin_shell(&mut self, cell: &Cell) -> Result<()> {
        let shell = self.state.shell.take().ok_or_else(ended)?;
        self.before = Some(shell.fork());
        let process = Process::bash(self.context.sandbox(), shell, cell)?;
        {
            let mut reach = self.context.reach();
            reach.killer = Some(process.killer());
            reach.signals = Some(process.signals());
        }
        self.events.push_back(CellEvent::Started(self.state.cells));
        self.state.process = Some(process);
        Ok(())
    }

    /// Waits for a cell before this one whose reader is gone; it was interrupted then.
    async fn settle(&mut self) -> Result<()> {
        if let Some((code, reason)) = &self.state.gone {
            return Err(Error::new(*code, "context", reason.clone()));
        }
        if self
            .state
            .process
            .as_ref()
            .is_some_and(|process| process.is_busy)
        {
            self.patience = Some(Instant::now() + PATIENCE);
            while self.step().await? {
                self.events.clear();
            }
            (self.over, self.patience) = (false, None);
            self.events.clear();
        }
        Ok(())
    }

    /// What happens next; none when the cell has ended.
    ///
    /// # Errors
    /// `TIMEOUT` where the time-out passed and the cell did not follow, `DIED` where its interpreter ended or
    /// was ended, `LIMIT` where it reached a limit, `SANDBOX_UNAVAILABLE` where its sandbox ended: what the
    /// context held is gone then.
    pub async fn next(&mut self) -> Result<Option<CellEvent>> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Ok(Some(event));
            }
            if self.over || !self.step().await? {
                return Ok(self.events.pop_front());
            }
        }
    }

    /// Waits for what arrives; whether the cell goes on.
    async fn step(&mut self) -> Result<bool> {
        let context = self.context.clone();
        let told = context.0.told.notified();
        tokio::pin!(told);
        told.as_mut().enable();
        let is_interrupted =
            self.patience.is_none() && context.0.interrupted.load(Ordering::Acquire);
        if is_interrupted {
            self.patience = Some(Instant::now() + PATIENCE);
        }
        let Some(process) = &mut self.state.process else {
            return Err(ended());
        };
        let deadline = self.deadline.filter(|_| self.patience.is_none());
        let arrival = tokio::select! {
            biased;
            arrival = process.next(&mut self.events) => arrival,
            () = at(self.patience) => return self.give_up(),
            () = at(deadline) => {
                self.timed_out = true;
                context.interrupt();
                return Ok(true);
            }
            () = told => return Ok(true),
        };
        match arrival {
            Arrival::More => Ok(true),
            Arrival::Over => {
                process.rest(&mut self.events).await;
                process.settled().await;
                self.finish();
                Ok(false)
            }
            Arrival::Ended((end, shell)) => self.ended(end, shell),
        }
    }

    /// The process has ended: with the cell in Bash, else before its time.
    fn ended(
        &mut self,
        end: Result<offshoot_kernel::ProcessEnd>,
        shell: Option<ShellState>,
    ) -> Result<bool> {
        self.finish();
        self.state.process = None;
        self.context.alive().inspect_err(|_| self.events.clear())?;
        if self.context.reach().killed {
            return Err(self.lose(Code::Died, "the context was restarted"));
        }
        if self.context.language() == Language::Bash {
            self.state.shell = shell.or_else(|| self.before.take());
            let error = process::status(&end?)?;
            self.events.extend(error.map(CellEvent::Error));
            return Ok(false);
        }
        let failed = match end.map(|end| (crate::sandbox::failure(&end), end)) {
            Err(error) | Ok((Some(error), _)) => error.during("context"),
            Ok((None, end)) => {
                let message = format!("the interpreter ended with status {}", end.status());
                Error::new(Code::Died, "context", message)
            }
        };
        Err(self.lose(failed.code(), failed.message()))
    }

    /// An interrupted cell did not follow.
    fn give_up(&mut self) -> Result<bool> {
        let code = match self.timed_out {
            true => Code::Timeout,
            false => Code::Died,
        };
        self.finish();
        self.state.process = None;
        if self.context.language() == Language::Bash {
            self.state.shell = self.before.take();
            let message = "the cell did not follow the interrupt and was ended; the shell is as it was before";
            return Err(Error::new(code, "context", message));
        }
        Err(self.lose(
            code,
            "the cell did not follow the interrupt, and its interpreter was ended",
        ))
    }

    /// What the context held is gone.
    fn lose(&mut self, code: Code, message: &str) -> Error {
        let message = format!("{message}: what the context held is gone until it is restarted");
        self.state.gone = Some((Code::Died, message.clone()));
        Error::new(code, "context", message)
    }

    fn finish(&mut self) {
        self.over = true;
        {
            let mut reach = self.context.reach();
            reach.busy = false;
            reach.signals = None;
        }
        self.context.lower_flag();
    }

    /// Whether its time-out has passed.
    pub fn timed_out(&self) -> bool {
        self.timed_out
    }

    /// The context that it runs in.
    pub fn context(&self) -> &Context {
        &self.context
    }
}

impl Drop for CellRun {
    fn drop(&mut self) {
        if self.over {
            return;
        }
        self.context.interrupt();
        if let Some(before) = self.before.take() {
            self.finish();
            self.state.process = None;
            self.state.shell = Some(before);
        }
    }
}

impl std::fmt::Debug for CellRun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("CellRun")
            .field("context", &self.context)
            .field("over", &self.over)
            .finish_non_exhaustive()
    }
}

fn ended() -> Error {
    Error::new(
        Code::Died,
        "context",
        "the context has no interpreter: restart it",
    )
}

async fn at(time: Option<Instant>) {
    match time {
        Some(time) => sleep_until(time).await,
        None => std::future::pending().await,
    }
}

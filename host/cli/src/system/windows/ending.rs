//! What a console tells its processes.

use anyhow::Context;
use std::future::{Future, pending};
use tokio::signal::windows::{CtrlC, CtrlClose, CtrlShutdown, ctrl_c, ctrl_close, ctrl_shutdown};

/// The statuses after Ctrl-C, a shutdown and the end of the console: those of the signals that Unix has for them.
const INTERRUPTED: u8 = 130;
const TERMINATED: u8 = 143;
const HUNG_UP: u8 = 129;

/// Waits for Ctrl-C, a shutdown and the end of the console. As long as it exists, and after, Ctrl-C does not end
/// the process by itself.
pub struct Ending {
    interrupt: CtrlC,
    shutdown: CtrlShutdown,
    close: CtrlClose,
}

impl Ending {
    /// From now on.
    ///
    /// # Errors
    /// Where the system lets nobody wait for them.
    pub fn new() -> anyhow::Result<Ending> {
        const WHAT: &str = "waiting for signals";
        Ok(Ending {
            interrupt: ctrl_c().context(WHAT)?,
            shutdown: ctrl_shutdown().context(WHAT)?,
            close: ctrl_close().context(WHAT)?,
        })
    }

    /// The status to end with, once one of them has come.
    pub async fn status(&mut self) -> u8 {
        tokio::select! {
            _ = self.interrupt.recv() => INTERRUPTED,
            _ = self.shutdown.recv() => TERMINATED,
            _ = self.close.recv() => HUNG_UP,
        }
    }

    /// The status to end with once the console is gone; an interactive shell lives through the others.
    pub async fn hangup(&mut self) -> u8 {
        self.close.recv().await;
        HUNG_UP
    }
}

/// Ctrl-C, or a shutdown.
///
/// # Errors
/// As [`Ending::new`].
pub fn told_to_end() -> anyhow::Result<impl Future<Output = ()>> {
    let (mut interrupt, mut shutdown) = (ctrl_c()?, ctrl_shutdown()?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = shutdown.recv() => {}
        }
    })
}

/// Waits for what stops a job: nothing does here.
pub struct Suspension;

impl Suspension {
    /// From now on.
    ///
    /// # Errors
    /// None; Unix has some.
    pub fn new() -> anyhow::Result<Suspension> {
        Ok(Suspension)
    }

    /// Never.
    pub async fn asked(&mut self) {
        pending().await
    }
}

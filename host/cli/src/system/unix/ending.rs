//! Signals that this command waits for.

use anyhow::Context;
use std::future::Future;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The status after a signal is this and the signal's number, as in a shell.
const SIGNALLED: u8 = 128;

/// SIGTSTP, which POSIX has no number for: this one everywhere but on a few old machines.
const STOP: i32 = 20;

/// Waits for Ctrl-C, SIGTERM and SIGHUP. As long as it exists, and after, none of them ends the process by itself.
pub struct Ending {
    signals: [(Signal, u8); 3],
}

impl Ending {
    /// From now on.
    ///
    /// # Errors
    /// Where the system lets nobody wait for signals.
    pub fn new() -> anyhow::Result<Ending> {
        let wait = |kind: SignalKind| {
            let signal = signal(kind).context("waiting for signals")?;
            let number = u8::try_from(kind.as_raw_value()).unwrap_or(0);
            anyhow::Ok((signal, SIGNALLED + number))
        };
        Ok(Ending {
            signals: [
                wait(SignalKind::interrupt())?,
                wait(SignalKind::terminate())?,
                wait(SignalKind::hangup())?,
            ],
        })
    }

    /// The status to end with, once a signal has come.
    pub async fn status(&mut self) -> u8 {
        let [(interrupt, first), (terminate, second), (hangup, third)] = &mut self.signals;
        tokio::select! {
            _ = interrupt.recv() => *first,
            _ = terminate.recv() => *second,
            _ = hangup.recv() => *third,
        }
    }

    /// The status to end with once the terminal is gone; an interactive shell lives through the others.
    pub async fn hangup(&mut self) -> u8 {
        let [_, _, (hangup, status)] = &mut self.signals;
        hangup.recv().await;
        *status
    }
}

/// Ctrl-C, or what service managers send.
///
/// # Errors
/// As [`Ending::new`].
pub fn told_to_end() -> anyhow::Result<impl Future<Output = ()>> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Waits for what stops a job: Ctrl-Z where the terminal makes signals of keys.
pub struct Suspension(Signal);

impl Suspension {
    /// From now on.
    ///
    /// # Errors
    /// As [`Ending::new`].
    pub fn new() -> anyhow::Result<Suspension> {
        let signal = signal(SignalKind::from_raw(STOP)).context("signals")?;
        Ok(Suspension(signal))
    }

    /// Once it has come.
    pub async fn asked(&mut self) {
        self.0.recv().await;
    }
}

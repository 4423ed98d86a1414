//! What asks this command to end.

use anyhow::Context;
use std::future::Future;

#[cfg(unix)]
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The status after a signal is this and the signal's number, as in a shell.
const SIGNALLED: u8 = 128;

/// Waits for Ctrl-C, and on Unix for SIGTERM and SIGHUP. As long as it exists, and after, none of them
/// ends the process by itself.
pub struct Ending {
    #[cfg(unix)]
    signals: [(Signal, u8); 3],
}

impl Ending {
    /// From now on.
    ///
    /// # Errors
    /// Where the system lets nobody wait for signals.
    pub fn new() -> anyhow::Result<Ending> {
        #[cfg(unix)]
        {
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
        #[cfg(not(unix))]
        Ok(Ending {})
    }

    /// The status to end with, once a signal has come.
    pub async fn status(&mut self) -> u8 {
        #[cfg(unix)]
        {
            let [(interrupt, first), (terminate, second), (hangup, third)] = &mut self.signals;
            tokio::select! {
                _ = interrupt.recv() => *first,
                _ = terminate.recv() => *second,
                _ = hangup.recv() => *third,
            }
        }
        #[cfg(not(unix))]
        {
            let _ = tokio::signal::ctrl_c().await;
            SIGNALLED + 2
        }
    }

    /// The status to end with once the terminal is gone; an interactive shell lives through the others.
    pub async fn hangup(&mut self) -> u8 {
        #[cfg(unix)]
        {
            let [_, _, (hangup, status)] = &mut self.signals;
            hangup.recv().await;
            *status
        }
        #[cfg(not(unix))]
        std::future::pending().await
    }

    /// The outcome of `work`, or the status to end with where a signal comes first, and then the work
    /// is given up.
    pub async fn or<T>(&mut self, work: impl Future<Output = T>) -> Result<T, u8> {
        tokio::select! {
            done = work => Ok(done),
            status = self.status() => Err(status),
        }
    }
}

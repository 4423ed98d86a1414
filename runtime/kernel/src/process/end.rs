//! How processes end.

use std::fmt;

use super::signal;
use crate::Limit;

/// How a process or an execution ended. What was written before is always delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProcessEnd {
    /// It returned this status.
    Exited(u8),
    /// A signal ended it: its own trap counts as 6 (`SIGABRT`), a write without a reader as 13.
    Signalled(u8),
    /// It reached this limit and was ended.
    Limit(Limit),
    /// The host failed on its behalf: a fault of this library or of a host function, in words for
    /// the embedder. Guests see an aborted process.
    Fault(String),
}

impl ProcessEnd {
    /// The status that a shell would report: 128 + n for a signal, 124 where time ran out, 137 for
    /// any other limit, 134 for a fault.
    pub fn status(&self) -> u8 {
        match self {
            ProcessEnd::Exited(status) => *status,
            ProcessEnd::Limit(Limit::WallTime) => 124,
            other => 128 + other.signal().unwrap_or(0),
        }
    }

    /// The signal that stands for this end where only a signal can be told.
    pub(crate) fn signal(&self) -> Option<u8> {
        match self {
            ProcessEnd::Exited(_) => None,
            ProcessEnd::Signalled(number) => Some(*number),
            ProcessEnd::Limit(_) => Some(signal::KILL),
            ProcessEnd::Fault(_) => Some(signal::ABORT),
        }
    }
}

impl fmt::Display for ProcessEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProcessEnd::Exited(status) => write!(f, "exited with status {status}"),
            ProcessEnd::Signalled(number) => write!(f, "ended by signal {number}"),
            ProcessEnd::Limit(limit) => write!(f, "ended at the limit of {limit}"),
            ProcessEnd::Fault(reason) => write!(f, "ended by a fault of the host: {reason}"),
        }
    }
}

/// Travels as an error out of a host call, up through the guest, to end its process so.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Ended(pub(crate) ProcessEnd);

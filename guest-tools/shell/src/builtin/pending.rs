//! What builtins that wait go on from. Plain data, so that a waiting script can be saved.

use super::command::Sourcing;
use super::mapfile::Mapping;
use super::read::{Reading, Storing};
use super::wait::Waiting;
use super::{Context, Flow};

/// The state of a builtin that waits: one variant a builtin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pending {
    /// `mapfile`
    Mapfile(Box<Mapping>),
    /// `read`
    Read(Box<Reading>),
    /// `wait`, `fg`
    Wait(Box<Waiting>),
    /// `source`
    Source(Box<Sourcing>),
    /// `read`, once it has read
    Store(Box<Storing>),
}

impl Pending {
    /// Goes on after one of the awaited things happened, or perhaps none of them.
    pub fn resume(self, cx: &mut Context<'_>) -> Flow {
        match self {
            Pending::Mapfile(mapping) => mapping.resume(cx),
            Pending::Read(reading) => reading.resume(cx),
            Pending::Wait(waiting) => waiting.resume(cx),
            Pending::Source(sourcing) => sourcing.resume(cx),
            Pending::Store(storing) => storing.resume(cx),
        }
    }

    /// Whether a trapped signal ends the wait, with status 128 + signal: `wait`, in POSIX mode `read` too.
    pub fn interruptible(&self) -> bool {
        matches!(self, Pending::Read(_) | Pending::Wait(_))
    }
}

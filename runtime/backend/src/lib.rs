//! The contract between sandboxes and what they run on.
//!
//! - [`Environment`]: the operations of a sandbox, the same on every backend, and
//!   [`Capabilities`], the complete record of which optional ones it has.
//! - [`Factory`] makes sandboxes on one backend; [`Registry`] knows backends by name.
//! - [`Rules`] does what is the same for all backends, so that an implementation only translates;
//!   [`IdleSuspend`] and the other wrappers work on all of them.
//! - [`Policy`] narrows what a sandbox may do.
//! - [`conformance`] proves that a backend does what it claims, and nothing else.
//!
//! Nothing in here knows a backend by name.

mod capabilities;
pub mod conformance;
mod environment;
mod error;
mod exec;
mod factory;
mod files;
mod idle;
mod matrix;
pub mod path;
mod policy;
mod posix;
mod record;
mod registry;
mod rules;
mod running;
mod snapshot;
#[cfg(test)]
mod testing;
mod trace;

pub use capabilities::{Capabilities, Isolation, Network, Persistence};
pub use environment::{Environment, State};
pub use error::{Code, Error, Result};
pub use exec::{Exec, ShellResult, Stdin};
pub use factory::{Factory, Options, Record, ResourceLimits};
pub use files::{FileKind, FileStat, RemoveOptions};
pub use idle::{IdleSuspend, Transition};
pub use matrix::matrix;
pub use policy::{
    Access, Approval, Approver, Boundary, Decision, ExecRule, NetworkRule, Policy, Restricted,
};
pub use posix::PosixOverExec;
pub use record::{Answer, Call, Failure, Recorder, Recording, Replayer, Request};
pub use registry::{Registry, Selection};
pub use rules::{Orphan, Rules, Watch};
pub use running::{Event, Input, Running, Signal, TIMED_OUT, collect};
pub use snapshot::{Fork, Reference, Snapshot};
pub use trace::Traced;

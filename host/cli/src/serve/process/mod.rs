//! Sandboxes in a process of their own. It is given descriptors and ended by a signal: only Unix has these.

#[cfg(unix)]
mod supervisor;
#[cfg(unix)]
mod worker;

#[cfg(unix)]
pub(super) use supervisor::run as supervise;
#[cfg(unix)]
pub(super) use worker::run as work;

/// Says that there is no such process here.
#[cfg(not(unix))]
pub(super) fn supervise(_: &crate::arguments::Serve) -> anyhow::Result<u8> {
    use offshoot::{Code, Error};
    let message =
        "this system has no sandboxes in a process of their own: leave --isolation thread";
    Err(Error::new(Code::Capability, "serve", message).into())
}

#[cfg(not(unix))]
pub(super) use supervise as work;

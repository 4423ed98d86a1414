//! The kernel with real guests: what programs see, how they end, and what they cannot do.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failed step fails the test"
)]
#![allow(clippy::panic, reason = "a failed step fails the test")]

mod attacks;
mod composed;
mod descriptors;
mod limits;
mod neighbours;
mod processes;
mod shell;
mod sockets;
mod support;
mod suspend;
mod wasi;

//! What stores and snapshots promise, each promise on every store.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failed step is a failed test"
)]

mod collect;
mod container;
mod crash;
mod damage;
mod encrypted;
mod golden;
mod model;
mod nodes;
mod processes;
mod remote;
mod roundtrip;
mod sim;
mod stores;
mod support;

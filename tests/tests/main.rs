//! What crosses crates, in one binary.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod adversarial;
mod applets;
mod bounds;
mod commands;
mod contexts;
mod contract;
mod end_to_end;
mod files;
mod javascript;
mod leases;
mod lifecycle;
mod network;
mod options;
mod patterns;
mod pipelines;
mod processes;
mod python;
mod references;
mod service;
mod sessions;
mod single_component;
mod soak;
mod streams;
mod support;
mod suspend;
mod templates;
mod terminal;
mod threats;
mod updates;
mod watchdog;
mod webhooks;

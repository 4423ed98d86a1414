//! Components as backends: what keeps the contract does, and what breaks it harms nobody.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod boxes;
mod broken;
mod javascript;
mod live;
mod service;
mod template;

use offshoot_kernel::{Engine, EngineOptions};
use std::sync::OnceLock;

/// The one engine of the process.
fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(|| Engine::new(&EngineOptions::default()).unwrap())
}

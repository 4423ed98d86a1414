//! The native half of the npm package: what the classes in `lib/index.cjs` stand on.
//!
//! Errors cross as JSON in the message, with code, operation and what a script had written; the other half makes
//! typed errors of them.

#![allow(
    unsafe_code,
    missing_docs,
    unnameable_types,
    reason = "the border to Node: what napi's macros expand to"
)]

#[cfg(feature = "backends")]
mod backend;
mod command;
mod context;
mod error;
mod process;
mod sandbox;
mod sandboxes;
mod session;
mod settings;
mod terminal;
mod watcher;

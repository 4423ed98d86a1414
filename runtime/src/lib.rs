#![doc = include_str!("../README.md")]
//!
//! # The API in short
//!
//! - [`Sandbox`]: one filesystem with its settings; [`Sandbox::builder`] describes it.
//! - [`Sandbox::exec`] runs a script to its end from fresh shell state; [`Sandbox::spawn`] streams.
//! - [`Sandbox::terminal`] is a shell for a person to type to.
//! - [`Session`] keeps shell state from one execution to the next.
//! - [`Sandbox::context`] is an interpreter that keeps its state from cell to cell, as a notebook does.
//! - [`Sandbox::watch`] tells what changes in its files.
//! - [`Execution::suspend`] makes a running script data, [`Sandbox::resume`] lets it go on.
//! - [`Sandbox::fork`] branches it; [`Mount`] shows folders of the host.
//! - [`Command`] adds a command of the embedder's: a Rust function or a WASI component.
//! - [`backend`] has the contract that all backends meet, with their registry and the suite that
//!   proves them.
//! - [`lifecycle`] keeps sandboxes by name in a store: suspend, resume, branches, and handles for snapshots,
//!   counted leases, setup, tasks, templates, projects, references and the care of the store.
//! - `network` (a feature) lets `curl` and `wget` reach what a policy allows.
//! - `extra` (a feature, on by default) has the commands that few people use: `units`, `dc`, `rsync` and their like.
//! - [`blocking`] has the same without async.

#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test fails by panicking"))]

pub mod backend;
pub mod blocking;
mod builder;
mod command;
mod configuration;
mod context;
mod error;
mod execution;
mod files;
mod guest;
mod import;
mod layout;
pub mod lifecycle;
#[cfg(feature = "network")]
pub mod network;
mod no_network;
mod parking;
mod running;
mod sandbox;
mod session;
mod suspended;
mod template;
mod terminal;
mod trim;
mod watch;

pub use builder::Builder;
pub use command::Command;
pub use context::{
    CapturedContext, Cell, CellError, CellEvent, CellOutcome, CellResult, CellRun, Context,
    ContextOptions, Language,
};
pub use execution::Execution;
pub use files::DirectoryEntry;
pub use layout::User;
pub use offshoot_backend::{
    Code, Error, Exec, FileKind, FileStat, RemoveOptions, Result, ShellResult, Stdin,
};
pub use offshoot_kernel::{
    Budgets, ByteReader, ByteWriter, EngineOptions, Input, Invocation, Limits, LoopbackStream,
    Output, Signals, user_cache,
};
pub use offshoot_vfs::{ApplyError, HostDirectory, Mount, Protected, Quotas, Vfs};
pub use sandbox::Sandbox;
pub use session::{Session, SessionOptions};
pub use suspended::Suspended;
pub use template::{engine, set_up_engine, warm};
pub use terminal::{Terminal, TerminalEvent};
pub use watch::{FileEvent, FileEventKind, WatchOptions, Watcher};

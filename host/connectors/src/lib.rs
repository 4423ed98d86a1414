//! Remote backends as WebAssembly components.
//!
//! A connector is a component that exports the interface `backend` of `wit/` and has HTTP as its only
//! way out. This crate is its host: a [`Connector`] is a [`Factory`](offshoot_backend::Factory) like
//! any other backend. What it may reach, with which credentials, is said by whoever runs it, in a
//! [`Manifest`]; the component sees neither the long-lived credential nor, where the manifest names
//! their field, the tokens that come with answers.
//!
//! - [`Connector`]: one component, loaded.
//! - [`directory`]: all components of a directory, each with its manifest beside it.
//! - [`e2b`], [`daytona`] and [`providers`]: connectors that are part of this crate; [`find`] has them by name.
//!
//! A component that traps, loops, floods or lies costs the call that it was asked for, with a typed
//! error: it runs in an instance of its own with limits of memory and of computing, and that
//! instance is thrown away.

#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test fails by panicking"))]

mod bindings;
mod connector;
mod convert;
pub mod daytona;
pub mod directory;
pub mod e2b;
mod environment;
mod find;
mod grpc;
mod guest;
mod guests;
mod instance;
mod log;
mod manifest;
mod outgoing;
mod process;
pub mod providers;
mod vault;
mod websocket;

pub use connector::Connector;
pub use find::{find, names};
pub use manifest::{Credential, Files, Limits, Manifest, Token};

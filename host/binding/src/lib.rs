//! Backends for the packages of other languages.
//!
//! A [`Choice`] names one, native or a connector, and [`Backend`] makes sandboxes on it. [`Sandbox`] and [`Process`] are
//! what such a package hands out: they may be shared, used at once from several threads, and dropped on any, also where
//! no runtime is. What goes in and out is what JSON has, or bytes.

mod backend;
mod choice;
mod files;
mod process;
mod sandbox;

pub use backend::{Backend, Wish};
pub use choice::{Choice, names};
pub use process::Process;
pub use sandbox::{Sandbox, capabilities_text, snapshot_from, snapshot_text};

//! E2B's protocols: the control plane (REST), envd (Connect RPC and file transfer) and the code interpreter,
//! on one port.
//!
//! The official SDKs are pointed here with `E2B_API_URL` and `E2B_SANDBOX_URL`, both the endpoint's
//! address. Which sandbox a call to envd means is read from the header `E2b-Sandbox-Id`, from a host
//! name `49983-ID.…`, or from the signature of a file's URL.

mod access;
mod connect;
mod control;
mod durable;
mod endpoint;
mod entry;
mod failure;
mod files;
mod frames;
mod interpreter;
mod messages;
mod process;
mod record;
mod share;

pub(crate) use control::fresh_uuid;
pub use durable::Durability;
pub use endpoint::{Builder, Endpoint};

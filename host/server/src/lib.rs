//! Endpoints of other sandbox services, over Offshoot's virtual sandboxes.
//!
//! [`foundry`] is the container of a hosted agent of Azure's Foundry.
//!
//! [`e2b`] speaks E2B's control plane and its in-sandbox protocol (envd), so that E2B's own SDKs work
//! against a process of yours. An [`e2b::Endpoint`] keeps its sandboxes in a
//! [`Store`](offshoot::lifecycle::Store): paused ones survive the process.
//!
//! ```no_run
//! # #[tokio::main] async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use offshoot::lifecycle::{Sandboxes, Store};
//! use offshoot_server::e2b::Endpoint;
//!
//! let endpoint = Endpoint::builder(Sandboxes::open(Store::memory()), "e2b_local_key").open().await?;
//! let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
//! println!("E2B_API_URL=http://{0} E2B_SANDBOX_URL=http://{0}", listener.local_addr()?);
//! endpoint.serve(listener, std::future::pending()).await?;
//! # Ok(()) }
//! ```

mod connection;
pub mod e2b;
mod error;
pub mod foundry;
mod web;

pub use error::{Error, Result};

//! Services that speak other providers' protocols over our own sandboxes: their wire, their errors, their
//! limits and their odd behaviour, as far as the connectors and the providers' own clients ask.
//!
//! That a service has its provider's shape is what the provider's own client proves, in the version that
//! `install` pins. Where no client can be pointed at it, its module says what it was made from.
//!
//! A service is a handler for [`service::Service`]; what runs in it is a [`machine`].

#![allow(
    clippy::unwrap_used,
    reason = "only tests link this, and a test fails by panicking"
)]

pub mod azure_containers;
pub mod azure_foundry;
pub mod azure_sandboxes;
pub mod azure_sessions;
pub mod cloudflare;
pub mod codesandbox;
pub mod databricks;
pub mod machine;
pub mod modal;
pub mod service;
pub mod vercel;

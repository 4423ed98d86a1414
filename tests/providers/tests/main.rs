//! Each connector against a service of its provider's shape, and the provider's own client against the same
//! service, so that the shape is right.
//!
//! `install DIRECTORY` installs the clients once, and `OFFSHOOT_PROVIDER_SDKS` names the directory. Without it
//! the clients' tests say so and do nothing.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

mod azure_containers;
mod azure_foundry;
mod azure_sandboxes;
mod azure_sessions;
mod cloudflare;
mod codesandbox;
mod databricks;
mod databricks_sql;
mod modal;
mod speed;
mod support;
mod vercel;

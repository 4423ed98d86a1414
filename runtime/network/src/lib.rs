//! HTTP out of a sandbox.
//!
//! A [`Policy`] is a list of origins with methods; what is not listed is refused. A [`Client`] makes the
//! requests: one parser reads a URL for the check and for the connection, names are resolved once and
//! only to addresses that the policy allows, redirects come back to the caller, who asks again. The
//! host adds its [`Secret`]s at this boundary and takes them out of answers.

#![cfg_attr(test, allow(clippy::unwrap_used, reason = "a test fails by panicking"))]

mod address;
mod client;
mod error;
mod exchange;
mod forms;
mod gateway;
mod local;
mod narrowing;
mod origin;
mod outgoing;
mod policy;
mod redact;
mod resolve;
mod secret;
mod tls;
mod websocket;

pub use client::{Client, Request, Response};
pub use error::{Error, Result};
pub use gateway::Gateway;
pub use http;
pub use narrowing::Narrowing;
pub use policy::{Limits, Policy, Rule};
pub use secret::Secret;
pub use url::Url;
pub use websocket::{Message, WebSocket};

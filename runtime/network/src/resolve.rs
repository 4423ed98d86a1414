//! Names become addresses that the policy allows, or none.

use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

use crate::policy::Policy;

/// Resolves with the host's resolver and leaves out what the policy refuses. The connection is made
/// to what remains, so nothing can change between the check and the dial.
pub(crate) struct Checked(pub(crate) Arc<Policy>);

/// Why a name led nowhere.
#[derive(Debug)]
pub(crate) enum Nowhere {
    /// It has no address.
    Unknown,
    /// It has none that may be dialled.
    Refused,
}

impl fmt::Display for Nowhere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Nowhere::Unknown => "no address",
            Nowhere::Refused => "address refused",
        })
    }
}

impl std::error::Error for Nowhere {}

impl Resolve for Checked {
    fn resolve(&self, name: Name) -> Resolving {
        let policy = Arc::clone(&self.0);
        Box::pin(async move {
            let found: Vec<SocketAddr> = tokio::net::lookup_host((name.as_str(), 0))
                .await
                .map_err(|_| Nowhere::Unknown)?
                .collect();
            if found.is_empty() {
                return Err(Nowhere::Unknown.into());
            }
            let allowed: Vec<SocketAddr> = found
                .into_iter()
                .filter(|address| policy.may_dial(name.as_str(), address.ip()))
                .collect();
            if allowed.is_empty() {
                return Err(Nowhere::Refused.into());
            }
            Ok(Box::new(allowed.into_iter()) as Addrs)
        })
    }
}

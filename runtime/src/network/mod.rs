//! `curl` and `wget`: the only way from a sandbox to the network, and only as a policy allows.
//!
//! They run as functions of the host, so nothing inside ever holds a socket. A [`Policy`] lists the origins
//! and methods; give it to [`Builder::network`](crate::Builder::network). A [`Secret`] is added to requests
//! on their way out.

mod curl;
mod fetch;
mod files;
mod form;
mod options;
mod report;
mod wget;

use crate::command::Command;
use crate::error::{Code, Error, Result};
use offshoot_network::Client;
pub use offshoot_network::{Limits, Policy, Rule, Secret};

/// The commands, under this policy.
///
/// # Errors
/// `DIED` where the host cannot start what requests run on.
pub(crate) fn commands(policy: Policy) -> Result<Vec<(String, Command)>> {
    let client = Client::new(policy)
        .map_err(|error| Error::new(Code::Died, "network", error.to_string()))?;
    let other = client.clone();
    let curl = Command::function(move |call| curl::run(client.clone(), call));
    let wget = Command::function(move |call| wget::run(other.clone(), call));
    Ok(vec![("curl".to_owned(), curl), ("wget".to_owned(), wget)])
}

//! `curl` and `wget`: the only way from a sandbox to the network, and only as a policy allows. They also reach what
//! listens inside the sandbox, over its loopback, unless the policy means a server of the host by that URL.
//!
//! They run as functions of the host, so nothing inside ever holds a socket of it. A [`Policy`] lists the origins
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
use offshoot_kernel::{Invocation, Program};
pub use offshoot_network::{Client, Gateway, Limits, Policy, Rule, Secret};
use std::future::Future;
use std::sync::OnceLock;

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

/// The commands in a sandbox without a policy.
pub(crate) fn programs() -> [(&'static str, Program); 2] {
    [
        ("curl", Program::function(|call| closed(call, curl::run))),
        ("wget", Program::function(|call| closed(call, wget::run))),
    ]
}

/// Runs a command with a client for which nothing is allowed.
async fn closed<R: Future<Output = u8>>(
    mut call: Invocation,
    run: impl FnOnce(Client, Invocation) -> R,
) -> u8 {
    static CLIENT: OnceLock<offshoot_network::Result<Client>> = OnceLock::new();
    match CLIENT.get_or_init(|| Client::new(Policy::default())) {
        Ok(client) => run(client.clone(), call).await,
        Err(error) => {
            // The status says it as well.
            let _ = call.stderr.write_all(format!("{error}\n").as_bytes()).await;
            2
        }
    }
}

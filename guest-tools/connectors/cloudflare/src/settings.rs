//! What the connector is configured with, and what it keeps of a sandbox.

use offshoot_connector::{Code, Error, Options, Result};
use serde::{Deserialize, Serialize};

/// The directory that file operations cannot leave: all of the container.
pub(crate) const ROOT: &str = "/";
/// The directory of a sandbox, the only one that the bridge writes to.
pub(crate) const WORKSPACE: &str = "/workspace";

/// The connector's settings.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    /// Where the Worker with the bridge is.
    pub(crate) url: String,
}

/// What is kept of a sandbox.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct State {
    /// The sandbox's id at the bridge.
    pub(crate) id: String,
    /// Where the Worker is.
    pub(crate) url: String,
    /// Variables of every command, which the bridge does not know.
    pub(crate) environment: Vec<(String, String)>,
}

impl Settings {
    pub(crate) fn state(&self, id: String, options: &Options) -> Result<State> {
        Ok(State {
            id,
            url: self.base()?,
            environment: options.environment.clone(),
        })
    }

    /// The address of the bridge's routes.
    pub(crate) fn base(&self) -> Result<String> {
        match self.url.trim_end_matches('/') {
            "" => {
                let message = "the bridge's address is not set: CLOUDFLARE_SANDBOX_URL";
                Err(Error::new(Code::Invalid, message))
            }
            url => Ok(format!("{url}/v1/sandbox")),
        }
    }
}

impl State {
    /// The address of something in the sandbox, or of the sandbox itself.
    pub(crate) fn place(&self, what: &str) -> String {
        format!("{}/{}{what}", self.url, self.id)
    }
}

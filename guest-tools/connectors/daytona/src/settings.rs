//! What the connector is configured with, and what it keeps of a sandbox.

use offshoot_connector::Network;
use serde::{Deserialize, Serialize};

/// The directory that file operations cannot leave: all of the machine.
pub(crate) const ROOT: &str = "/";
/// The working directory of a sandbox that does not tell its own.
pub(crate) const HOME: &str = "/home/daytona";

/// The connector's settings.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    /// The control plane's address.
    pub(crate) api: String,
    /// What new sandboxes are made of; the organization's default without it.
    pub(crate) snapshot: Option<String>,
    /// The region of new sandboxes; the organization's default without it.
    pub(crate) target: Option<String>,
    /// Minutes without use after which the provider stops a new sandbox, 0 for never; the provider's
    /// default without it.
    pub(crate) auto_stop_minutes: Option<u32>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            api: "https://app.daytona.io/api".to_owned(),
            snapshot: None,
            target: None,
            auto_stop_minutes: None,
        }
    }
}

/// What is kept of a sandbox.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct State {
    /// Its id at the provider.
    pub(crate) id: String,
    /// The control plane's address.
    pub(crate) api: String,
    /// Where it answers itself.
    pub(crate) toolbox: String,
    /// Whether it has no way out.
    pub(crate) blocked: bool,
}

impl State {
    pub(crate) fn network(&self) -> Network {
        match self.blocked {
            true => Network::None,
            false => Network::Provider,
        }
    }
}

//! What the connector is configured with, and what it keeps of a sandbox.

use serde::{Deserialize, Serialize};

/// The directory that file operations cannot leave: all of the machine.
pub(crate) const ROOT: &str = "/";

/// The connector's settings.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    /// The control plane's address.
    pub(crate) api: String,
    /// The sandbox or template that new ones are copies of.
    pub(crate) template: String,
    /// The size of new machines (`Pico`, `Nano`, `Micro` …); the service's default without it.
    pub(crate) tier: Option<String>,
    /// Seconds without use after which the service lets a machine sleep; its default without it.
    pub(crate) hibernation_timeout_seconds: Option<u32>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            api: "https://api.codesandbox.io".to_owned(),
            template: "pcz35m".to_owned(),
            tier: None,
            hibernation_timeout_seconds: None,
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
    /// Where its machine answers itself.
    pub(crate) pint: String,
    /// What stands for the machine's token.
    pub(crate) token: String,
    /// Its directory for work.
    pub(crate) cwd: String,
    /// Variables of every command, which the service does not know.
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) tier: Option<String>,
    pub(crate) hibernation_timeout_seconds: Option<u32>,
}

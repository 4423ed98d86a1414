//! What the connector is configured with, and what it keeps of a sandbox.

use offshoot_connector::Network;
use serde::{Deserialize, Serialize};

/// The directory that file operations cannot leave: all of the machine.
pub(crate) const ROOT: &str = "/";

/// The connector's settings.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    /// The control plane's address.
    pub(crate) api: String,
    /// The environment of the workspace that sandboxes belong to; its default without it.
    pub(crate) environment: Option<String>,
    /// The app that sandboxes belong to, which is made where it is missing.
    pub(crate) app: String,
    /// An image of a registry that new sandboxes are made of. It has `bash` and the usual tools.
    pub(crate) image: String,
    /// An image that Modal has already, in place of one of a registry.
    pub(crate) image_id: Option<String>,
    /// The directory that commands begin in.
    pub(crate) directory: String,
    /// Processors that are reserved, in parts too; the service's default without it.
    pub(crate) cpu: Option<f64>,
    /// MiB of memory that are reserved; the service's default without it.
    pub(crate) memory_mb: Option<u32>,
    /// GPUs: `H100`, or `A100-80GB:2` for two.
    pub(crate) gpu: Option<String>,
    /// Names of the workspace's secrets that commands have as variables.
    pub(crate) secrets: Vec<String>,
    /// How long a sandbox lives, in seconds.
    pub(crate) lifetime_seconds: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            api: "https://api.modal.com".to_owned(),
            environment: None,
            app: "offshoot".to_owned(),
            image: "debian:bookworm-slim".to_owned(),
            image_id: None,
            directory: "/root".to_owned(),
            cpu: None,
            memory_mb: None,
            gpu: None,
            secrets: Vec::new(),
            lifetime_seconds: 3600,
        }
    }
}

/// What is kept of a sandbox.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct State {
    /// Its id at the provider.
    pub(crate) id: String,
    /// What runs in it, as its command router knows it.
    pub(crate) task: String,
    /// What it was made with.
    pub(crate) settings: Settings,
    /// Variables of each command.
    pub(crate) variables: Vec<(String, String)>,
    /// Facts for the provider's lists.
    pub(crate) tags: Vec<(String, String)>,
    /// Whether it has no way out.
    pub(crate) closed: bool,
}

impl State {
    pub(crate) fn network(&self) -> Network {
        match self.closed {
            true => Network::None,
            false => Network::Provider,
        }
    }
}

//! What the connector is configured with, and what it keeps of a sandbox.

use serde::{Deserialize, Serialize};

/// The directory that file operations cannot leave: all of the container.
pub(crate) const ROOT: &str = "/";
/// The directory of a sandbox. No image is known to have it, so it is made.
pub(crate) const HOME: &str = "/workspace";

/// The connector's settings.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    /// Azure's management service.
    pub(crate) api: String,
    /// The subscription and the resource group that new container groups belong to.
    pub(crate) subscription: String,
    pub(crate) resource_group: String,
    /// Their region; that of the resource group without it.
    pub(crate) location: Option<String>,
    /// An image with `bash`, `stty` and GNU's tools.
    pub(crate) image: String,
    pub(crate) cpu: f64,
    pub(crate) memory_gb: f64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            api: "https://management.azure.com".to_owned(),
            subscription: String::new(),
            resource_group: String::new(),
            location: None,
            image: "mcr.microsoft.com/devcontainers/base:debian".to_owned(),
            cpu: 1.0,
            memory_gb: 1.5,
        }
    }
}

/// What is kept of a sandbox.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct State {
    /// The container group's name.
    pub(crate) id: String,
    /// The address of its resource group's container groups.
    pub(crate) groups: String,
}

//! What the connector is configured with, and what it keeps of a sandbox.

use serde::{Deserialize, Serialize};

/// The connector's settings.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    /// The workspace.
    pub(crate) host: String,
    /// The cluster, a classic one for all purposes.
    pub(crate) cluster: String,
    /// Where sandboxes have their directories on the cluster's driver.
    pub(crate) directory: String,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            host: String::new(),
            cluster: String::new(),
            directory: "/tmp".to_owned(),
        }
    }
}

/// What is kept of a sandbox.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct State {
    /// The workspace.
    pub(crate) host: String,
    /// The cluster.
    pub(crate) cluster: String,
    /// What the sandbox is told from the cluster's others by.
    pub(crate) id: String,
    /// All that the sandbox has on the driver. That it is there tells that the driver is still the same.
    pub(crate) home: String,
    /// Variables of every command.
    pub(crate) environment: Vec<(String, String)>,
}

impl State {
    /// The directory that file operations cannot leave.
    pub(crate) fn root(&self) -> String {
        format!("{}/files", self.home)
    }
}

//! What the connector is configured with, and what it keeps of a sandbox.

use serde::{Deserialize, Serialize};

/// The directory that file operations cannot leave: all of the sandbox.
pub(crate) const ROOT: &str = "/";
/// The directory of a sandbox.
pub(crate) const HOME: &str = "/home/user";

/// The connector's settings.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    /// The endpoint of the Foundry project.
    pub(crate) endpoint: String,
    /// The agent by its name.
    pub(crate) agent: String,
    /// Its version, by default the latest.
    pub(crate) version: Option<String>,
}

/// What is kept of a sandbox.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct State {
    /// The session's id.
    pub(crate) id: String,
    /// The endpoint of the Foundry project.
    pub(crate) endpoint: String,
    pub(crate) agent: String,
    /// Variables of every command, which the session does not know.
    pub(crate) environment: Vec<(String, String)>,
}

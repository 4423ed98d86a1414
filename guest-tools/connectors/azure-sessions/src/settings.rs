//! What the connector is configured with, and what it keeps of a sandbox.

use serde::{Deserialize, Serialize};

/// The directory that file operations cannot leave: all of the session.
pub(crate) const ROOT: &str = "/";
/// The directory of a session, the only one that the service uploads to.
pub(crate) const DATA: &str = "/mnt/data";

/// The connector's settings.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    /// The management endpoint of a pool of shell sessions.
    pub(crate) endpoint: String,
    /// Seconds that the service gives a command without a time-out.
    pub(crate) command_seconds: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            endpoint: String::new(),
            command_seconds: 600,
        }
    }
}

/// What is kept of a sandbox.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct State {
    /// The session's identifier.
    pub(crate) id: String,
    /// The pool's management endpoint.
    pub(crate) endpoint: String,
    /// Variables of every command, which the service does not know.
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) command_seconds: u64,
}

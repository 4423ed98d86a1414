//! What the connector is configured with, and what it keeps of a sandbox.

use offshoot_connector::Network;
use serde::{Deserialize, Serialize};

/// The directory that file operations cannot leave: all of the machine.
pub(crate) const ROOT: &str = "/";

/// The connector's settings.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    /// The service's address.
    pub(crate) api: String,
    /// The team that sandboxes belong to; the token's own without it.
    pub(crate) team: Option<String>,
    /// The project that sandboxes belong to.
    pub(crate) project: Option<String>,
    /// What commands find: `node24`, `node22`, `python3.13`; the service's default without it.
    pub(crate) runtime: Option<String>,
    /// An image of the provider's registry, in place of a runtime.
    pub(crate) image: Option<String>,
    /// Milliseconds after which the service ends a session; what it has then stays.
    pub(crate) session_ms: u64,
    /// Processors of new sandboxes; the service's default without it.
    pub(crate) vcpus: Option<u32>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            api: "https://vercel.com/api".to_owned(),
            team: None,
            project: None,
            runtime: None,
            image: None,
            session_ms: 2_700_000,
            vcpus: None,
        }
    }
}

/// What is kept of a sandbox.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct State {
    /// Its name, which stays.
    pub(crate) name: String,
    /// The session that it ran in last. After a snapshot it has another.
    pub(crate) session: String,
    /// Its directory for work.
    pub(crate) cwd: String,
    /// The service's address.
    pub(crate) api: String,
    pub(crate) team: Option<String>,
    pub(crate) project: Option<String>,
    /// Whether it has no way out.
    pub(crate) closed: bool,
    /// How long a session is asked to last.
    pub(crate) session_ms: u64,
}

impl State {
    pub(crate) fn network(&self) -> Network {
        match self.closed {
            true => Network::None,
            false => Network::Provider,
        }
    }
}

//! What the connector is configured with, and what it keeps of a sandbox.

use offshoot_connector::Network;
use serde::{Deserialize, Serialize};

/// The directory that file operations cannot leave: all of the machine.
pub(crate) const ROOT: &str = "/";
/// The directory of a sandbox. No image is known to have it, so it is made.
pub(crate) const HOME: &str = "/workspace";

/// The connector's settings.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    /// The service of a region.
    pub(crate) endpoint: String,
    /// The subscription, the resource group and the group of sandboxes that new ones belong to.
    pub(crate) subscription: String,
    pub(crate) resource_group: String,
    pub(crate) group: String,
    /// A public image of the provider.
    pub(crate) disk: String,
    /// An image of the group, by its id, in place of a public one.
    pub(crate) disk_id: Option<String>,
    pub(crate) cpu: String,
    pub(crate) memory: String,
    /// Seconds without use after which the provider stops a sandbox; 0 for never.
    pub(crate) auto_suspend_seconds: u64,
    /// What the provider keeps of one that it stops by itself.
    pub(crate) auto_suspend_mode: Mode,
    /// Whose the commands are; the image's own user without it.
    pub(crate) user: Option<String>,
}

/// What is kept of a sandbox that nobody uses.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(crate) enum Mode {
    Memory,
    Disk,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            endpoint: String::new(),
            subscription: String::new(),
            resource_group: String::new(),
            group: String::new(),
            disk: "ubuntu".to_owned(),
            disk_id: None,
            cpu: "1000m".to_owned(),
            memory: "2048Mi".to_owned(),
            auto_suspend_seconds: 1800,
            auto_suspend_mode: Mode::Memory,
            user: None,
        }
    }
}

/// What is kept of a sandbox.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct State {
    /// Its id; one that was set back has another.
    pub(crate) id: String,
    /// The address of its group.
    pub(crate) group: String,
    /// Variables of every command that the sandbox was not made with: one of a snapshot has the snapshot's.
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) user: Option<String>,
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

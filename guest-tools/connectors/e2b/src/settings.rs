//! What the connector is configured with, and what it keeps of a sandbox.

use serde::{Deserialize, Serialize};

/// The directory that file operations cannot leave: all of the machine.
pub(crate) const ROOT: &str = "/";
/// The working directory where none is asked for.
pub(crate) const HOME: &str = "/home/user";

/// Domains whose sandboxes all answer under one name.
const SHARED: [&str; 3] = ["e2b.app", "e2b.dev", "e2b.pro"];

/// The connector's settings.
#[derive(Debug, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Settings {
    /// The service's domain.
    domain: String,
    /// The control plane's address; `https://api.DOMAIN` without it.
    api: Option<String>,
    /// Where sandboxes answer; by the domain without it.
    sandbox: Option<String>,
    /// What new sandboxes are made of.
    pub(crate) template: String,
    /// How long a sandbox lives that nobody resumes, in seconds.
    pub(crate) lifetime_seconds: u64,
    /// The account that commands and files belong to; the template's without it.
    user: Option<String>,
    /// Whether pauses and snapshots keep what runs.
    memory: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            domain: "e2b.app".to_owned(),
            api: None,
            sandbox: None,
            template: "base".to_owned(),
            lifetime_seconds: 3600,
            user: None,
            memory: true,
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
    pub(crate) envd: String,
    /// What stands for its token.
    pub(crate) token: String,
    pub(crate) user: Option<String>,
    pub(crate) lifetime_seconds: u64,
    pub(crate) memory: bool,
    pub(crate) internet: Option<bool>,
}

impl Settings {
    /// The control plane's address.
    pub(crate) fn api(&self) -> String {
        match &self.api {
            Some(api) => api.trim_end_matches('/').to_owned(),
            None => format!("https://api.{}", self.domain),
        }
    }

    /// The state of a sandbox that was made or reached.
    pub(crate) fn state(
        &self,
        id: String,
        token: String,
        domain: Option<&str>,
        internet: Option<bool>,
    ) -> State {
        let domain = domain.unwrap_or(&self.domain);
        let envd = match &self.sandbox {
            Some(sandbox) => sandbox.trim_end_matches('/').to_owned(),
            None if SHARED.contains(&domain) => format!("https://sandbox.{domain}"),
            None => format!("https://49983-{id}.{domain}"),
        };
        State {
            id,
            api: self.api(),
            envd,
            token,
            user: self.user.clone(),
            lifetime_seconds: self.lifetime_seconds,
            memory: self.memory,
            internet,
        }
    }
}

//! Policies: what a sandbox may do, beyond what its backend allows anyway.

mod approval;
mod boundary;
mod command;
mod restricted;
#[cfg(test)]
mod tests;

pub use approval::{Approval, Approver, Decision};
pub use boundary::{Access, Boundary};
pub use restricted::Restricted;
pub(crate) use restricted::RestrictedFactory;

use crate::capabilities::{Capabilities, Network};
use crate::error::{Error, Result};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// How long an approval is waited for where the policy does not say.
const PATIENCE: Duration = Duration::from_secs(60);

/// One layer of rules. A sandbox may have several, of a workspace, an agent, a session, a call; what
/// one of them refuses is refused, so a layer only ever narrows.
///
/// Patterns are absolute paths, or begin with `**/`. `*` and `?` stay within a name, `**` crosses
/// directories, and `/a/**` means `/a` too. What is refused beats what is permitted. System directories
/// (`/bin`, `/dev`, `/etc`, `/lib`, `/proc`, `/sbin`, `/usr`) may be read and devices written unless
/// they are refused by name.
///
/// ```
/// use offshoot_backend::Policy;
/// let policy: Policy = serde_json::from_str(
///     r#"{"write": ["/workspace/**"], "write_deny": ["**/.git/**"], "deny": ["**/.env"]}"#,
/// )?;
/// assert!(policy.read.is_none());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// What may be read; everything where there is no list.
    pub read: Option<Vec<String>>,
    /// What may be made, changed and removed; everything where there is no list.
    pub write: Option<Vec<String>>,
    /// What may be neither read nor written.
    pub deny: Vec<String>,
    /// What may not be written.
    pub write_deny: Vec<String>,
    /// What may be written by a file operation that an [`Approver`] approves. A command cannot wait
    /// for the answer: it is refused.
    pub write_approval: Vec<String>,
    /// The commands that may run; all where there is no list. A pattern is the first words of a
    /// command, each a glob: `ls`, `git status`, `git * --force`. What is judged is each simple
    /// command as it is parsed, by the name of the program behind it, whoever starts it. Builtins of the
    /// shell are no programs: such a list does not keep them from running, and a rule below that names
    /// one is honoured where there is a program that does the same (`echo`, `kill`), else refused. `*`
    /// alone names all programs.
    pub command: Option<Vec<String>>,
    /// The commands that may not run.
    pub command_deny: Vec<String>,
    /// The commands that wait for an [`Approver`] before they start.
    pub command_approval: Vec<String>,
    /// Whether commands run.
    pub exec: ExecRule,
    /// The way out.
    pub network: NetworkRule,
    /// Hosts that may not be asked, whatever the port: `host.example`, `*.example` for all below. A host
    /// is known by how a URL names it.
    pub network_deny: Vec<String>,
    /// How long an operation waits for its approval; a minute by default.
    pub approval_timeout_ms: Option<u64>,
}

/// Whether commands run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ExecRule {
    /// They do.
    #[default]
    Allow,
    /// Each waits for an [`Approver`].
    Ask,
    /// They do not.
    Deny,
}

/// What way out a sandbox may have, of what its backend gives it.
///
/// ```
/// use offshoot_backend::{NetworkRule, Policy};
/// let policy: Policy =
///     serde_json::from_str(r#"{"network": {"only": ["GET,POST https://api.example.com/v1/"]}}"#)?;
/// assert_ne!(policy.network, NetworkRule::None);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum NetworkRule {
    /// All of it.
    #[default]
    Inherit,
    /// None.
    None,
    /// Requests that one of these covers: `[METHOD,…] ORIGIN`, with `GET,HEAD` where no method is named.
    /// An origin has a scheme, a host (`*.` for all below), a port where it is not the scheme's, and may
    /// have the beginning of a path. A backend honours them that enforces requests itself
    /// ([`Network::Policy`](crate::Network::Policy)).
    Only(Vec<String>),
}

impl Policy {
    /// Whether it says anything about files.
    fn has_file_rules(&self) -> bool {
        let lists = [&self.deny, &self.write_deny, &self.write_approval];
        self.read.is_some() || self.write.is_some() || lists.iter().any(|list| !list.is_empty())
    }

    fn has_command_rules(&self) -> bool {
        let lists = [&self.command_deny, &self.command_approval];
        self.command.is_some() || lists.iter().any(|list| !list.is_empty())
    }

    fn has_network_rules(&self) -> bool {
        self.network != NetworkRule::Inherit || !self.network_deny.is_empty()
    }
}

/// What the layers say together, apart from paths.
#[derive(Debug, Clone)]
struct Summary {
    exec: ExecRule,
    patience: Duration,
    /// The backend has to apply rules where commands run.
    boundary: bool,
    /// There is no way out.
    offline: bool,
}

/// Reads the layers, and refuses what a backend with these capabilities cannot honour.
fn check(policies: &[Policy], backend: &str, capabilities: &Capabilities) -> Result<Summary> {
    let refuse = |what| Err(Error::unsupported(backend.to_owned(), "restrict", what));
    let any = |rule| policies.iter().any(|policy| policy.exec == rule);
    let exec = match (any(ExecRule::Deny), any(ExecRule::Ask)) {
        (true, _) => ExecRule::Deny,
        (false, true) => ExecRule::Ask,
        (false, false) => ExecRule::Allow,
    };
    let files = policies.iter().any(Policy::has_file_rules);
    let runs = capabilities.exec && exec != ExecRule::Deny;
    if files && runs && !capabilities.file_policy {
        return refuse("rules for files that hold for commands too");
    }
    let commands = runs && policies.iter().any(Policy::has_command_rules);
    if commands && !capabilities.command_policy {
        return refuse("rules for the commands that a command starts");
    }
    // Where there is no way out, nothing is left to narrow.
    let requests = runs
        && capabilities.network != Network::None
        && policies.iter().any(Policy::has_network_rules);
    let has_boundary = capabilities.file_policy || capabilities.command_policy;
    if requests && !(capabilities.network == Network::Policy && has_boundary) {
        return refuse("rules for a network that it does not enforce itself");
    }
    let offline = policies
        .iter()
        .any(|policy| policy.network == NetworkRule::None);
    let patience = policies.iter().filter_map(|p| p.approval_timeout_ms).min();
    Ok(Summary {
        exec,
        patience: patience.map_or(PATIENCE, Duration::from_millis),
        boundary: (files && capabilities.file_policy) || commands || requests,
        offline,
    })
}

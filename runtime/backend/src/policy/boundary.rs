//! The rules for files in the form in which they are applied.

use super::approval::Desk;
use super::command::Commands;
use super::{NetworkRule, Policy};
use crate::error::{Code, Error, Result};
use crate::path::is_within;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What every command reads.
const SYSTEM: [&str; 7] = ["/bin", "/dev", "/etc", "/lib", "/proc", "/sbin", "/usr"];
/// What every command writes to.
const DEVICES: &str = "/dev";
/// What begins the part of a pattern that is not literal.
const META: [char; 5] = ['*', '?', '[', '{', '\\'];

/// What is about to be done with a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Access {
    /// Its content is read, or the names in it.
    Read,
    /// It is made, changed, moved or removed.
    Write,
}

/// The rules for files and commands of one sandbox, for the backend that applies them where its
/// commands reach files and start each other; see [`Environment::restrict`](crate::Environment::restrict).
///
/// Paths are absolute, without symbolic links, `.` and `..`.
pub struct Boundary {
    layers: Vec<Layer>,
    commands: Vec<Commands>,
    networks: Vec<(NetworkRule, Vec<String>)>,
    desk: Option<Desk>,
    /// What an operation under way was approved for.
    granted: Mutex<Vec<String>>,
}

/// What is to be done about an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    Permitted,
    Ask,
    Refused,
}

impl Boundary {
    /// Reads the patterns of all layers.
    ///
    /// # Errors
    /// `INVALID` for a pattern that is not one.
    pub fn new(policies: &[Policy]) -> Result<Boundary> {
        let layers: Result<Vec<Layer>> = policies.iter().map(Layer::new).collect();
        let commands: Result<Vec<Commands>> = policies.iter().map(Commands::new).collect();
        Ok(Boundary {
            layers: layers?,
            commands: commands?,
            networks: networks(policies)?,
            desk: None,
            granted: Mutex::default(),
        })
    }

    /// Whether this path may be used so. What needs an approval may not, but by the operation that
    /// has it.
    pub fn permits(&self, path: &[u8], access: Access) -> bool {
        let path = String::from_utf8_lossy(path);
        match self.judge(&path, access) {
            Verdict::Permitted => true,
            Verdict::Ask => self.granted().iter().any(|granted| *granted == path),
            Verdict::Refused => false,
        }
    }

    /// Whether this directory and every path below it, of whatever name, may be used so.
    pub fn permits_tree(&self, directory: &[u8], access: Access) -> bool {
        let directory = String::from_utf8_lossy(directory);
        self.layers
            .iter()
            .all(|layer| layer.permits_tree(&directory, access))
    }

    /// The same with where approvals come from.
    pub(super) fn asking(mut self, desk: Desk) -> Boundary {
        self.desk = Some(desk);
        self
    }

    /// Why this command may not run, once it is parsed; its first word is the name of the program
    /// that really runs. It waits for an approval where it needs one.
    pub async fn refusal(&self, command: &[Vec<u8>]) -> Option<String> {
        let words = command.iter().map(|word| String::from_utf8_lossy(word));
        let words: Vec<String> = words.map(|word| word.into_owned()).collect();
        match strictest(self.commands.iter().map(|rules| rules.judge(&words))) {
            Verdict::Permitted => None,
            Verdict::Refused => Some("the policy does not let it run".to_owned()),
            Verdict::Ask => match &self.desk {
                Some(desk) => desk.refusal("command", &words.join(" ")).await,
                None => Some("it needs an approval, and nobody gives any".to_owned()),
            },
        }
    }

    /// Whether a rule about commands is meant to keep this name from running unasked.
    pub fn restrains_command(&self, name: &str) -> bool {
        self.commands.iter().any(|rules| rules.restrains(name))
    }

    /// Whether a rule names this builtin of the shell itself, which no program stands for. `*` alone
    /// does not: it means programs. A backend asks for those that it cannot judge.
    pub fn names_builtin(&self, name: &str) -> bool {
        self.commands.iter().any(|rules| rules.names_builtin(name))
    }

    /// Whether some rule is about this command, so that it must be judged.
    pub fn judges_command(&self, name: &str) -> bool {
        self.commands.iter().any(Commands::has_list) || self.restrains_command(name)
    }

    /// The rules of each layer that says anything about requests: what may be asked, and the hosts
    /// that may not. Their texts look like rules; a backend that enforces them reads them.
    pub fn networks(&self) -> &[(NetworkRule, Vec<String>)] {
        &self.networks
    }

    pub(super) fn judge(&self, path: &str, access: Access) -> Verdict {
        strictest(self.layers.iter().map(|layer| layer.judge(path, access)))
    }

    /// Permits writing this path as long as the answer lives.
    pub(super) fn grant<'a>(&'a self, path: &str) -> Grant<'a> {
        self.granted().push(path.to_owned());
        Grant(self, path.to_owned())
    }

    fn granted(&self) -> MutexGuard<'_, Vec<String>> {
        self.granted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What the layers say about requests. Of the texts only what every backend reads alike is judged.
fn networks(policies: &[Policy]) -> Result<Vec<(NetworkRule, Vec<String>)>> {
    let said = policies.iter().filter(|policy| policy.has_network_rules());
    said.map(|policy| {
        if let NetworkRule::Only(rules) = &policy.network
            && let Some(bad) = rules.iter().find(|rule| !is_request_rule(rule))
        {
            let message = format!("the rule {bad:?}: write [METHOD,...] http(s)://HOST");
            return Err(Error::new(Code::Invalid, "restrict", message));
        }
        let no_host = |host: &&String| host.is_empty() || host.contains(['/', '@', ' ', ':']);
        if let Some(bad) = policy.network_deny.iter().find(no_host) {
            let message = format!("the rule {bad:?}: it is no host");
            return Err(Error::new(Code::Invalid, "restrict", message));
        }
        Ok((policy.network.clone(), policy.network_deny.clone()))
    })
    .collect()
}

fn is_request_rule(rule: &str) -> bool {
    let (methods, origin) = rule.trim().rsplit_once(' ').unwrap_or(("GET", rule.trim()));
    let host = ["http://", "https://"]
        .iter()
        .find_map(|scheme| origin.strip_prefix(scheme));
    let is_method = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_uppercase());
    methods.split(',').map(str::trim).all(is_method)
        && host.is_some_and(|host| !host.is_empty() && !host.starts_with(['/', ':', '?', '#']))
}

fn strictest(verdicts: impl Iterator<Item = Verdict>) -> Verdict {
    verdicts.fold(Verdict::Permitted, |all, one| match (all, one) {
        (Verdict::Refused, _) | (_, Verdict::Refused) => Verdict::Refused,
        (Verdict::Ask, _) | (_, Verdict::Ask) => Verdict::Ask,
        _ => Verdict::Permitted,
    })
}

impl fmt::Debug for Boundary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Boundary")
            .field("layers", &self.layers.len())
            .finish_non_exhaustive()
    }
}

/// An approval in use.
pub(super) struct Grant<'a>(&'a Boundary, String);

impl Drop for Grant<'_> {
    fn drop(&mut self) {
        let mut granted = self.0.granted();
        if let Some(at) = granted.iter().position(|path| *path == self.1) {
            granted.swap_remove(at);
        }
    }
}

/// The patterns of one policy.
struct Layer {
    read: Option<Patterns>,
    write: Option<Patterns>,
    deny: Patterns,
    write_deny: Patterns,
    write_approval: Patterns,
}

impl Layer {
    fn new(policy: &Policy) -> Result<Layer> {
        let list = |list: &Option<Vec<String>>| list.as_deref().map(Patterns::new).transpose();
        Ok(Layer {
            read: list(&policy.read)?,
            write: list(&policy.write)?,
            deny: Patterns::new(&policy.deny)?,
            write_deny: Patterns::new(&policy.write_deny)?,
            write_approval: Patterns::new(&policy.write_approval)?,
        })
    }

    fn judge(&self, path: &str, access: Access) -> Verdict {
        let listed = |list: &Option<Patterns>| list.as_ref().is_none_or(|list| list.has(path));
        let (permitted, denied, ask) = match access {
            Access::Read => (listed(&self.read) || is_system(path), false, false),
            Access::Write => (
                listed(&self.write) || is_within(DEVICES, path),
                self.write_deny.has(path),
                self.write_approval.has(path),
            ),
        };
        match permitted && !denied && !self.deny.has(path) {
            false => Verdict::Refused,
            true if ask => Verdict::Ask,
            true => Verdict::Permitted,
        }
    }

    fn permits_tree(&self, directory: &str, access: Access) -> bool {
        let whole = |list: &Option<Patterns>| {
            let covers = |list: &Patterns| list.trees.iter().any(|tree| is_within(tree, directory));
            list.as_ref().is_none_or(covers)
        };
        if self.deny.touches(directory) {
            return false;
        }
        match access {
            Access::Read => whole(&self.read),
            Access::Write => {
                whole(&self.write)
                    && !self.write_deny.touches(directory)
                    && !self.write_approval.touches(directory)
            }
        }
    }
}

fn is_system(path: &str) -> bool {
    path == "/" || SYSTEM.iter().any(|system| is_within(system, path))
}

/// A list of patterns.
struct Patterns {
    set: GlobSet,
    /// The directories that patterns of the form `/literal/**` cover whole.
    trees: Vec<String>,
    /// The directory of each pattern below which everything that it matches lies.
    bases: Vec<String>,
}

impl Patterns {
    fn new(list: &[String]) -> Result<Patterns> {
        let mut set = GlobSetBuilder::new();
        let (mut trees, mut bases) = (Vec::new(), Vec::new());
        for text in list {
            let invalid = |reason: &str| {
                let message = format!("the pattern {text:?}: {reason}");
                Error::new(Code::Invalid, "restrict", message)
            };
            if !text.starts_with('/') && !text.starts_with("**/") {
                return Err(invalid("it must begin with / or **/"));
            }
            if text.split('/').any(|name| matches!(name, "." | "..")) {
                return Err(invalid("it must have no . and .. in it"));
            }
            let mut add = |text: &str| -> Result<()> {
                let glob = GlobBuilder::new(text)
                    .literal_separator(true)
                    .backslash_escape(true)
                    .build();
                set.add(glob.map_err(|error| invalid(&error.kind().to_string()))?);
                Ok(())
            };
            add(text)?;
            if let Some(directory) = text.strip_suffix("/**") {
                add(if directory.is_empty() { "/" } else { directory })?;
                if !directory.contains(META) {
                    trees.push(root_or(directory));
                }
            }
            bases.push(base(text));
        }
        let set = set.build().map_err(|error| {
            Error::new(Code::Limit, "restrict", format!("limit reached: {error}"))
        })?;
        Ok(Patterns { set, trees, bases })
    }

    fn has(&self, path: &str) -> bool {
        self.set.is_match(path)
    }

    /// Whether a path in this directory, or the directory itself, could match.
    fn touches(&self, directory: &str) -> bool {
        let near = |base: &String| is_within(directory, base) || is_within(base, directory);
        self.bases.iter().any(near)
    }
}

/// The literal directories that a pattern begins with.
fn base(pattern: &str) -> String {
    match pattern.find(META) {
        None => root_or(pattern.trim_end_matches('/')),
        Some(meta) => root_or(
            pattern[..meta]
                .rsplit_once('/')
                .map_or("", |(base, _)| base),
        ),
    }
}

fn root_or(directory: &str) -> String {
    if directory.is_empty() { "/" } else { directory }.to_owned()
}

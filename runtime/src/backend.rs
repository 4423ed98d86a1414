//! The contract that all backends meet, and the virtual sandbox as one of them.
//!
//! [`Environment`] has the operations that every sandbox has, whatever it runs on; code written
//! against it runs unchanged on each. [`registry`] knows the virtual backend and takes others;
//! [`conformance`] proves what a backend claims.
//!
//! ```
//! # #[tokio::main] async fn main() -> offshoot::Result<()> {
//! use offshoot::backend::{Options, Selection};
//! let registry = offshoot::backend::registry()?;
//! let sandbox = registry.open(Selection::Default, Options::default()).await?;
//! sandbox.write_file("greeting", b"hello").await?;
//! let branch = sandbox.fork(None).await?;
//! branch.exec("echo ' there' >> greeting".into()).await?;
//! assert_eq!(branch.read_file("greeting").await?, "hello there\n");
//! assert_eq!(sandbox.read_file("greeting").await?, "hello");
//! sandbox.cleanup().await
//! # }
//! ```

mod environment;
mod running;
mod stored;
mod wall;

pub use environment::Virtual;
pub use offshoot_backend::*;
pub use stored::StoredFactory;

use crate::configuration::Configuration;
use crate::sandbox::Sandbox;
use crate::{Builder, Limits};
use environment::Snapshots;
use offshoot_boxed::boxed;
use serde::Deserialize;
use std::sync::Arc;

/// The name that the virtual backend is selected by.
pub const NAME: &str = "virtual";

/// What a virtual sandbox can do.
pub(crate) const CAPABILITIES: Capabilities = {
    let mut record = Capabilities::NONE;
    record.exec = true;
    record.filesystem = true;
    record.binary_files = true;
    record.network = Network::None;
    record.snapshot = true;
    record.restore = true;
    record.fork = true;
    record.persistence = Persistence::Session;
    record.isolation = Isolation::Wasm;
    record.separate_stderr = true;
    record.exec_environment = true;
    record.exec_directory = true;
    record.exec_timeout = true;
    record.exact_output = true;
    record.background = true;
    record.stdin = true;
    record.streaming = true;
    record.cancel = true;
    record.signals = true;
    record.file_policy = true;
    record.command_policy = true;
    record.memory_limit = true;
    record.snapshot_files = true;
    record.snapshot_settings = true;
    record
};

/// The same for a sandbox with or without a network.
fn capabilities(has_network: bool) -> Capabilities {
    let mut record = CAPABILITIES;
    if has_network {
        record.network = Network::Policy;
    }
    record
}

/// A registry with the virtual backend, which is its default.
///
/// # Errors
/// None in practice: the name is free in a new registry.
pub fn registry() -> Result<Registry> {
    let registry = Registry::strict().with_default(NAME);
    registry.register(Arc::new(VirtualFactory::default()))?;
    Ok(registry)
}

/// Makes virtual sandboxes for whoever selects the backend by name.
///
/// Settings: `seed`, a number that fixes clock, randomness and process numbers; `network`, a list of what
/// `curl` and `wget` may ask, as [`Rule::parse`](crate::network::Rule::parse) reads it
/// (`GET,POST https://api.example.com`), where without one there is no network. Snapshots are kept in memory, as long as the factory or a sandbox of it lives, and cost what changed since.
#[derive(Debug, Clone, Default)]
pub struct VirtualFactory {
    snapshots: Arc<Snapshots>,
}

/// What a configuration may set.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Settings {
    seed: Option<u64>,
    network: Vec<String>,
}

#[boxed]
impl Factory for VirtualFactory {
    fn name(&self) -> &str {
        NAME
    }

    fn capabilities(&self) -> Capabilities {
        CAPABILITIES
    }

    async fn create(&self, options: Options) -> Result<Arc<dyn Environment>> {
        let builder = builder(&options, settings(&options)?)?;
        let sandbox = builder.build().map_err(|error| error.on(NAME))?;
        Ok(self.environment(sandbox))
    }

    async fn start(&self, snapshot: &Snapshot, options: Options) -> Result<Arc<dyn Environment>> {
        let Settings { seed, network } = settings(&options)?;
        let kept = self.snapshots.find(snapshot, "start")?;
        if !network.is_empty()
            || options
                .network
                .is_some_and(|asked| asked != capabilities(kept.has_network()).network)
        {
            let what = "another network than the snapshot's";
            return Err(Error::unsupported(NAME, "start", what));
        }
        let mut configuration = Configuration::clone(kept.configuration());
        for (name, value) in options.env.iter().cloned() {
            configuration.set_variable(name, value);
        }
        if let Some(cwd) = directory(&options, &configuration.cwd)? {
            configuration.set_cwd(cwd);
        }
        configuration.limits = limits(configuration.limits, &options);
        configuration.seed = seed.or(configuration.seed);
        let sandbox = kept
            .fork_as(configuration)
            .map_err(|error| error.during("start").on(NAME))?;
        Ok(self.environment(sandbox))
    }
}

impl VirtualFactory {
    fn environment(&self, sandbox: Sandbox) -> Arc<dyn Environment> {
        Arc::new(Virtual::with(sandbox, Arc::clone(&self.snapshots)))
    }
}

/// Refuses what cannot be honoured, and reads the backend's own settings.
fn settings(options: &Options) -> Result<Settings> {
    let settings: Settings = options.settings_as(NAME)?;
    options.check(NAME, &capabilities(!settings.network.is_empty()))?;
    Ok(settings)
}

#[cfg(feature = "network")]
fn with_network(builder: Builder, rules: &[String]) -> Result<Builder> {
    use crate::network::{Policy, Rule};
    let invalid = |error: offshoot_network::Error| {
        Error::new(Code::Invalid, "create", error.to_string()).on(NAME)
    };
    let rules = rules.iter().map(|rule| Rule::parse(rule).map_err(invalid));
    let rules: Vec<Rule> = rules.collect::<Result<_>>()?;
    builder.network(rules.into_iter().fold(Policy::default(), Policy::allow))
}

#[cfg(not(feature = "network"))]
fn with_network(_: Builder, _: &[String]) -> Result<Builder> {
    Err(Error::unsupported(
        NAME,
        "create",
        "a network in this build",
    ))
}

/// What the options describe.
fn builder(options: &Options, Settings { seed, network }: Settings) -> Result<Builder> {
    let mut builder = Builder::default().limits(limits(Limits::default(), options));
    for (name, value) in &options.env {
        builder = builder.env(name, value);
    }
    if let Some(cwd) = directory(options, "/")? {
        builder = builder.cwd(cwd);
    }
    if let Some(seed) = seed {
        builder = builder.deterministic(seed);
    }
    if !network.is_empty() {
        builder = with_network(builder, &network)?;
    }
    Ok(builder)
}

/// The working directory that is asked for, absolute.
fn directory(options: &Options, base: &str) -> Result<Option<String>> {
    let Some(cwd) = &options.cwd else {
        return Ok(None);
    };
    if path::escapes(base, cwd) {
        let message = format!("{cwd}: the path leads out of /");
        return Err(Error::new(Code::PathEscape, "create", message).on(NAME));
    }
    Ok(Some(path::resolve(base, cwd)))
}

fn limits(limits: Limits, options: &Options) -> Limits {
    match options.limits.memory_bytes {
        None => limits,
        Some(bytes) => Limits {
            memory: bytes.min(Limits::MOST_MEMORY),
            total_memory: bytes,
            ..limits
        },
    }
}

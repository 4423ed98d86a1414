//! How sandboxes are made.

use crate::capabilities::{Capabilities, Network};
use crate::environment::Environment;
use crate::error::{Code, Error, Result};
use crate::policy::Policy;
use crate::snapshot::Snapshot;
use async_trait::async_trait;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Makes sandboxes on one backend.
#[async_trait]
pub trait Factory: Send + Sync + 'static {
    /// The name that it is selected by.
    fn name(&self) -> &str;

    /// What a sandbox with default settings can do.
    fn capabilities(&self) -> Capabilities;

    /// Makes a sandbox. Settings, limits and ways out that cannot be honoured are refused before
    /// anything is made.
    ///
    /// # Errors
    /// `INVALID` for settings without a meaning, `CAPABILITY` for what the backend does not offer,
    /// `SANDBOX_UNAVAILABLE` where the backend cannot be reached.
    async fn create(&self, options: Options) -> Result<Arc<dyn Environment>>;

    /// Reaches a live sandbox by the data of a portable reference. Its cleanup only detaches.
    ///
    /// # Errors
    /// `INVALID` for malformed data, `NOT_FOUND` where there is no such sandbox.
    async fn attach(&self, data: &str, options: Options) -> Result<Arc<dyn Environment>> {
        let _ = (data, options);
        Err(Error::unsupported(
            self.name().to_owned(),
            "attach",
            "references",
        ))
    }

    /// Makes a sandbox from a snapshot.
    ///
    /// # Errors
    /// As [`Factory::create`]; `NOT_FOUND` where there is no such snapshot.
    async fn start(&self, snapshot: &Snapshot, options: Options) -> Result<Arc<dyn Environment>> {
        let _ = (snapshot, options);
        Err(Error::unsupported(
            self.name().to_owned(),
            "start",
            "snapshots",
        ))
    }
}

impl fmt::Debug for dyn Factory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Factory").field(&self.name()).finish()
    }
}

/// What a sandbox is made with; the same for every backend but for [`Options::settings`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Options {
    /// Variables of every command.
    pub env: Vec<(String, String)>,
    /// Free-form facts for the embedder.
    pub metadata: BTreeMap<String, String>,
    /// The working directory; below the root.
    pub cwd: Option<String>,
    /// Suspend after this many milliseconds without an operation.
    pub idle_suspend_ms: Option<u64>,
    /// Whether an operation on a suspended sandbox resumes it; if not, it fails with
    /// `SANDBOX_UNAVAILABLE`.
    pub auto_resume_on_access: bool,
    /// Limits of resources.
    pub limits: ResourceLimits,
    /// The way out that is wanted; the backend's usual one by default.
    pub network: Option<Network>,
    /// What it may do, beyond what the backend allows anyway. The registry sees to it; a factory need
    /// not look.
    pub policies: Vec<Policy>,
    /// What this backend alone knows: image, directory, endpoint.
    pub settings: Map<String, Value>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            env: Vec::new(),
            metadata: BTreeMap::new(),
            cwd: None,
            idle_suspend_ms: None,
            auto_resume_on_access: true,
            limits: ResourceLimits::default(),
            network: None,
            policies: Vec::new(),
            settings: Map::new(),
        }
    }
}

impl Options {
    /// The same with a setting of the backend.
    #[must_use]
    pub fn setting(mut self, name: impl Into<String>, value: impl Into<Value>) -> Options {
        self.settings.insert(name.into(), value.into());
        self
    }

    /// Reads the backend's settings into its own type; a type with `deny_unknown_fields` refuses
    /// misspelt ones.
    ///
    /// # Errors
    /// `INVALID` with what is wrong.
    pub fn settings_as<T: DeserializeOwned>(&self, backend: &str) -> Result<T> {
        serde_json::from_value(Value::Object(self.settings.clone())).map_err(|error| {
            let message = format!("settings: {error}");
            Error::new(Code::Invalid, "create", message).on(backend.to_owned())
        })
    }

    /// Refuses settings where the backend has none.
    ///
    /// # Errors
    /// `INVALID` that names the first.
    pub fn no_settings(&self, backend: &str) -> Result<()> {
        match self.settings.keys().next() {
            None => Ok(()),
            Some(name) => {
                let message = format!("settings: there is no setting {name}");
                Err(Error::new(Code::Invalid, "create", message).on(backend.to_owned()))
            }
        }
    }

    /// Refuses what the record does not claim: limits and ways out.
    ///
    /// # Errors
    /// `CAPABILITY` that names the option.
    pub fn check(&self, backend: &str, capabilities: &Capabilities) -> Result<()> {
        let limits = &self.limits;
        for (asked, offered, what) in [
            (
                limits.memory_bytes.is_some(),
                capabilities.memory_limit,
                "a limit of memory",
            ),
            (
                limits.cpus.is_some(),
                capabilities.cpu_limit,
                "a limit of processors",
            ),
            (
                limits.processes.is_some(),
                capabilities.process_limit,
                "a limit of processes",
            ),
        ] {
            if asked && !offered {
                return Err(Error::unsupported(backend.to_owned(), "create", what));
            }
        }
        match self.network {
            Some(network) if network != capabilities.network => Err(Error::unsupported(
                backend.to_owned(),
                "create",
                &format!("the network {network} here"),
            )),
            _ => Ok(()),
        }
    }
}

/// Limits of a sandbox's resources; one that the backend cannot enforce is refused.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ResourceLimits {
    /// Bytes of memory of all processes together.
    pub memory_bytes: Option<u64>,
    /// Processors, in parts too.
    pub cpus: Option<f64>,
    /// Processes alive at once.
    pub processes: Option<u32>,
}

/// A backend with its settings, as a configuration file has it:
/// `{"backend": "docker", "image": "debian:12"}`.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Record {
    /// The backend's name.
    pub backend: String,
    /// The working directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// Everything else: `image`, `mode`, `binding` and what the backend knows.
    #[serde(flatten)]
    pub settings: Map<String, Value>,
}

impl Record {
    /// A record of this backend without settings.
    pub fn new(backend: impl Into<String>) -> Record {
        Record {
            backend: backend.into(),
            ..Record::default()
        }
    }
}

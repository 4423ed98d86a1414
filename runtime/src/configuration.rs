//! What a sandbox is made of besides files, as it is kept with a snapshot.

use crate::error::{Code, Error, Result};
use crate::layout::{self, User};
use crate::sandbox::{Sandbox, Settings};
use crate::template::{self, Sources};
use offshoot_kernel::{Budgets, Identity, Limits, Programs};
use offshoot_vfs::{Quotas, Vfs};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// The version of the stored form.
const VERSION: u16 = 1;

/// Everything but files and own commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Configuration {
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) cwd: String,
    pub(crate) user: User,
    pub(crate) limits: Limits,
    pub(crate) quotas: Quotas,
    pub(crate) budgets: Budgets,
    pub(crate) seed: Option<u64>,
}

impl Configuration {
    /// A sandbox of these settings on a filesystem that was made with `sources`.
    pub(crate) fn assemble(
        self,
        vfs: Vfs,
        programs: Arc<Programs>,
        sources: Sources,
    ) -> Result<Sandbox> {
        let shell = template::shell()?;
        let setup = Settings::setup(&self.environment, &self.cwd);
        let User {
            name,
            uid,
            gid,
            hostname,
            ..
        } = &self.user;
        let kernel = offshoot_kernel::Settings {
            engine: template::engine()?.clone(),
            programs,
            identity: Identity {
                uid: *uid,
                gid: *gid,
                user: name.clone(),
                group: name.clone(),
                hostname: hostname.clone(),
            },
            limits: self.limits.clone(),
            time: sources.time,
            random: sources.random,
        };
        let settings = Settings {
            kernel: Arc::new(kernel),
            shell,
            setup,
            configuration: Arc::new(self),
        };
        layout::attach(&vfs);
        Ok(Sandbox::with(vfs, Arc::new(settings)))
    }

    /// Forgets what somebody else has set that decides what the sandbox may take and who it is (T43).
    pub(crate) fn confine(&mut self) {
        self.limits = Limits::default();
        self.quotas = Quotas::default();
        self.budgets = Budgets::default();
        let User { home, .. } = std::mem::take(&mut self.user);
        self.user.home = home;
    }

    /// Sets a variable, once.
    pub(crate) fn set_variable(&mut self, name: String, value: String) {
        self.environment.retain(|(existing, _)| *existing != name);
        self.environment.push((name, value));
    }

    /// Sets the working directory, absolute, and the variable that tells it.
    pub(crate) fn set_cwd(&mut self, cwd: String) {
        self.set_variable("PWD".to_owned(), cwd.clone());
        self.cwd = cwd;
    }

    /// The stored form; equal for equal settings.
    pub(crate) fn encode(&self) -> Result<Vec<u8>> {
        serde_json::to_vec(&Stored::from(self))
            .map_err(|error| Error::new(Code::Died, "snapshot", error.to_string()))
    }

    /// Reads the stored form.
    ///
    /// # Errors
    /// `TOO_NEW` and `CORRUPT`.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Configuration> {
        let corrupt = |error: serde_json::Error| {
            Error::new(Code::Corrupt, "restore", format!("settings: {error}"))
        };
        let Version { version } = serde_json::from_slice(bytes).map_err(corrupt)?;
        if version > VERSION {
            let message = format!("settings of version {version}; this one reads up to {VERSION}");
            return Err(Error::new(Code::TooNew, "restore", message));
        }
        let stored: Stored = serde_json::from_slice(bytes).map_err(corrupt)?;
        Ok(stored.into())
    }
}

#[derive(Deserialize)]
struct Version {
    version: u16,
}

#[derive(Serialize, Deserialize)]
struct Stored {
    version: u16,
    environment: Vec<(String, String)>,
    cwd: String,
    user: User,
    limits: StoredLimits,
    quotas: StoredQuotas,
    budgets: StoredBudgets,
    seed: Option<u64>,
}

/// Limits as they are stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredLimits {
    memory: u64,
    total_memory: u64,
    wall_time_ms: Option<u64>,
    cpu_time_ms: Option<u64>,
    processes: usize,
    open_files: usize,
    output: u64,
    instances: usize,
    tables: usize,
    arguments: usize,
}

/// Quotas as they are stored.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct StoredQuotas {
    bytes: u64,
    inodes: u64,
    file_size: u64,
    name_length: usize,
    path_length: usize,
}

#[derive(Serialize, Deserialize)]
struct StoredBudgets {
    steps: u64,
    depth: u32,
    output: u64,
    expansion: u64,
    variables: u64,
}

fn milliseconds(time: Option<Duration>) -> Option<u64> {
    time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX))
}

impl From<&Limits> for StoredLimits {
    fn from(from: &Limits) -> StoredLimits {
        StoredLimits {
            memory: from.memory,
            total_memory: from.total_memory,
            wall_time_ms: milliseconds(from.wall_time),
            cpu_time_ms: milliseconds(from.cpu_time),
            processes: from.processes,
            open_files: from.open_files,
            output: from.output,
            instances: from.instances,
            tables: from.tables,
            arguments: from.arguments,
        }
    }
}

impl From<&StoredLimits> for Limits {
    fn from(from: &StoredLimits) -> Limits {
        Limits {
            memory: from.memory,
            total_memory: from.total_memory,
            wall_time: from.wall_time_ms.map(Duration::from_millis),
            cpu_time: from.cpu_time_ms.map(Duration::from_millis),
            processes: from.processes,
            open_files: from.open_files,
            output: from.output,
            instances: from.instances,
            tables: from.tables,
            arguments: from.arguments,
        }
    }
}

impl From<&Quotas> for StoredQuotas {
    fn from(from: &Quotas) -> StoredQuotas {
        StoredQuotas {
            bytes: from.bytes,
            inodes: from.inodes,
            file_size: from.file_size,
            name_length: from.name_length,
            path_length: from.path_length,
        }
    }
}

impl From<&StoredQuotas> for Quotas {
    fn from(from: &StoredQuotas) -> Quotas {
        Quotas {
            bytes: from.bytes,
            inodes: from.inodes,
            file_size: from.file_size,
            name_length: from.name_length,
            path_length: from.path_length,
        }
    }
}

impl From<&Configuration> for Stored {
    fn from(from: &Configuration) -> Stored {
        let Configuration {
            limits,
            quotas,
            budgets,
            ..
        } = from;
        Stored {
            version: VERSION,
            environment: from.environment.clone(),
            cwd: from.cwd.clone(),
            user: from.user.clone(),
            limits: limits.into(),
            quotas: quotas.into(),
            budgets: StoredBudgets {
                steps: budgets.steps,
                depth: budgets.depth,
                output: budgets.output,
                expansion: budgets.expansion,
                variables: budgets.variables,
            },
            seed: from.seed,
        }
    }
}

impl From<Stored> for Configuration {
    fn from(from: Stored) -> Configuration {
        let Stored {
            limits,
            quotas,
            budgets,
            ..
        } = from;
        Configuration {
            environment: from.environment,
            cwd: from.cwd,
            user: from.user,
            limits: (&limits).into(),
            quotas: (&quotas).into(),
            budgets: Budgets {
                steps: budgets.steps,
                depth: budgets.depth,
                output: budgets.output,
                expansion: budgets.expansion,
                variables: budgets.variables,
            },
            seed: from.seed,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    fn configuration() -> Configuration {
        Configuration {
            environment: vec![("A".to_owned(), "1".to_owned())],
            cwd: "/work".to_owned(),
            user: User::default(),
            limits: Limits {
                wall_time: Some(Duration::from_millis(1500)),
                ..Limits::default()
            },
            quotas: Quotas::default(),
            budgets: Budgets::default(),
            seed: Some(7),
        }
    }

    #[test]
    fn settings_come_back() {
        let encoded = configuration().encode().unwrap();
        assert_eq!(Configuration::decode(&encoded).unwrap(), configuration());
    }

    #[test]
    fn what_cannot_be_read_is_refused() {
        let encoded = String::from_utf8(configuration().encode().unwrap()).unwrap();
        let newer = encoded.replacen("\"version\":1", "\"version\":2", 1);
        for (bytes, code) in [
            (newer.as_str(), Code::TooNew),
            ("{\"version\":1}", Code::Corrupt),
            ("no json", Code::Corrupt),
        ] {
            let error = Configuration::decode(bytes.as_bytes()).unwrap_err();
            assert_eq!(error.code(), code, "{bytes}");
        }
    }
}

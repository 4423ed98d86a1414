//! What a sandbox is made of besides files, as it is kept with a snapshot.

use crate::error::{Code, Error, Result};
use crate::layout::User;
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
        Ok(Sandbox::with(vfs, Arc::new(settings)))
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

#[derive(Serialize, Deserialize)]
struct StoredLimits {
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

#[derive(Serialize, Deserialize)]
struct StoredQuotas {
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
            limits: StoredLimits {
                memory: limits.memory,
                total_memory: limits.total_memory,
                wall_time_ms: milliseconds(limits.wall_time),
                cpu_time_ms: milliseconds(limits.cpu_time),
                processes: limits.processes,
                open_files: limits.open_files,
                output: limits.output,
                instances: limits.instances,
                tables: limits.tables,
                arguments: limits.arguments,
            },
            quotas: StoredQuotas {
                bytes: quotas.bytes,
                inodes: quotas.inodes,
                file_size: quotas.file_size,
                name_length: quotas.name_length,
                path_length: quotas.path_length,
            },
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
            limits: Limits {
                memory: limits.memory,
                total_memory: limits.total_memory,
                wall_time: limits.wall_time_ms.map(Duration::from_millis),
                cpu_time: limits.cpu_time_ms.map(Duration::from_millis),
                processes: limits.processes,
                open_files: limits.open_files,
                output: limits.output,
                instances: limits.instances,
                tables: limits.tables,
                arguments: limits.arguments,
            },
            quotas: Quotas {
                bytes: quotas.bytes,
                inodes: quotas.inodes,
                file_size: quotas.file_size,
                name_length: quotas.name_length,
                path_length: quotas.path_length,
            },
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

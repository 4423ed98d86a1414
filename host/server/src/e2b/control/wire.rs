//! The objects of the control plane.

use super::super::access::Keys;
use super::super::endpoint::Endpoint;
use super::super::entry::Entry;
use super::super::failure::{Failure, Result};
use super::super::record::{OnTimeout, Record, now, timestamp};
use offshoot::Quotas;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;

/// The version of envd whose protocol is spoken.
pub(super) const ENVD_VERSION: &str = "0.6.4";

/// Who runs the sandboxes.
const CLIENT_ID: &str = "offshoot";

/// What is said of a sandbox's processors and memory, as its `/proc` says it.
pub(super) const CPUS: u32 = 1;
pub(super) const MEMORY_MIB: u32 = 1024;

/// The longest time that a sandbox can be given; the clock of its end must not overflow.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 3600);

/// What the client asks for in seconds; the default of the protocol without it.
pub(super) fn timeout(seconds: Option<u64>) -> Result<Duration> {
    let timeout = Duration::from_secs(seconds.unwrap_or(300));
    match timeout <= LONGEST {
        true => Ok(timeout),
        false => {
            let message = format!("a timeout of at most {} seconds", LONGEST.as_secs());
            Err(Failure::invalid(message))
        }
    }
}

/// A request for a sandbox.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct NewSandbox {
    #[serde(rename = "templateID")]
    pub(super) template_id: String,
    pub(super) timeout: Option<u64>,
    #[serde(default)]
    pub(super) auto_pause: bool,
    pub(super) auto_resume: Option<AutoResume>,
    #[serde(default)]
    pub(super) metadata: Option<BTreeMap<String, String>>,
    #[serde(default)]
    pub(super) env_vars: Option<BTreeMap<String, String>>,
    #[serde(rename = "allow_internet_access")]
    pub(super) internet: Option<bool>,
    pub(super) network: Option<Value>,
    pub(super) mcp: Option<Value>,
    pub(super) iam: Option<Value>,
    pub(super) volume_mounts: Option<Vec<Value>>,
}

#[derive(Debug, Deserialize)]
pub(super) struct AutoResume {
    pub(super) enabled: bool,
}

/// A request that names a time.
#[derive(Debug, Deserialize)]
pub(super) struct Time {
    pub(super) timeout: Option<u64>,
}

/// A request for more time.
#[derive(Debug, Deserialize)]
pub(super) struct Refresh {
    pub(super) duration: Option<u64>,
}

/// A request for branches.
#[derive(Debug, Deserialize)]
pub(super) struct NewForks {
    pub(super) timeout: Option<u64>,
    pub(super) count: Option<usize>,
}

/// A request for a snapshot.
#[derive(Debug, Deserialize)]
pub(super) struct NewSnapshot {
    pub(super) name: Option<String>,
}

/// A sandbox that was made or connected to.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Sandbox {
    #[serde(rename = "templateID")]
    template_id: String,
    #[serde(rename = "sandboxID")]
    sandbox_id: String,
    #[serde(rename = "clientID")]
    client_id: &'static str,
    envd_version: &'static str,
    envd_access_token: String,
    traffic_access_token: String,
    domain: Option<String>,
}

impl Sandbox {
    pub(super) fn of(entry: &Entry, keys: &Keys) -> Sandbox {
        Sandbox {
            template_id: entry.record().template,
            sandbox_id: entry.id.clone(),
            client_id: CLIENT_ID,
            envd_version: ENVD_VERSION,
            envd_access_token: keys.token(&entry.id),
            traffic_access_token: keys.traffic_token(&entry.id),
            domain: None,
        }
    }
}

/// A sandbox in a list.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Listed {
    #[serde(rename = "templateID")]
    template_id: String,
    #[serde(rename = "sandboxID")]
    sandbox_id: String,
    #[serde(rename = "clientID")]
    client_id: &'static str,
    started_at: String,
    end_at: String,
    cpu_count: u32,
    #[serde(rename = "memoryMB")]
    memory_mb: u32,
    #[serde(rename = "diskSizeMB")]
    disk_size_mb: u64,
    metadata: BTreeMap<String, String>,
    state: &'static str,
    envd_version: &'static str,
}

impl Listed {
    pub(super) fn of(id: &str, record: Record) -> Listed {
        Listed {
            template_id: record.template,
            sandbox_id: id.to_owned(),
            client_id: CLIENT_ID,
            started_at: timestamp(record.started),
            end_at: timestamp(record.ends),
            cpu_count: CPUS,
            memory_mb: MEMORY_MIB,
            disk_size_mb: Quotas::default().bytes >> 20,
            metadata: record.metadata,
            state: match record.paused {
                true => "paused",
                false => "running",
            },
            envd_version: ENVD_VERSION,
        }
    }
}

/// Everything about a sandbox.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Detail {
    #[serde(flatten)]
    listed: Listed,
    envd_access_token: String,
    allow_internet_access: bool,
    domain: Option<String>,
    lifecycle: Lifecycle,
    #[serde(skip_serializing_if = "Option::is_none")]
    pause_mode: Option<&'static str>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Lifecycle {
    auto_resume: bool,
    on_timeout: OnTimeout,
}

impl Detail {
    pub(super) fn of(entry: &Entry, at: &Endpoint) -> Detail {
        let record = entry.record();
        Detail {
            envd_access_token: at.keys().token(&entry.id),
            allow_internet_access: at.0.sandboxes.has_network() && !record.offline,
            domain: None,
            lifecycle: Lifecycle {
                auto_resume: record.auto_resume,
                on_timeout: record.on_timeout,
            },
            pause_mode: record.paused.then_some("filesystem"),
            listed: Listed::of(&entry.id, record),
        }
    }
}

/// What a sandbox takes at a moment.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Metric {
    timestamp: String,
    timestamp_unix: u64,
    cpu_count: u32,
    cpu_used_pct: f64,
    mem_used: u64,
    mem_total: u64,
    mem_cache: u64,
    disk_used: u64,
    disk_total: u64,
}

impl Metric {
    /// Files and the memory of processes are counted; the time of processors is not.
    pub(super) fn of(sandbox: &offshoot::Sandbox) -> Metric {
        let now = now();
        Metric {
            timestamp: timestamp(now),
            timestamp_unix: now / 1_000,
            cpu_count: CPUS,
            cpu_used_pct: 0.0,
            mem_used: sandbox.memory_used(),
            mem_total: u64::from(MEMORY_MIB) << 20,
            mem_cache: 0,
            disk_used: sandbox.vfs().usage().bytes,
            disk_total: sandbox.quotas().bytes,
        }
    }
}

/// One of the branches that were asked for.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Fork {
    Sandbox(Sandbox),
    Error(Value),
}

/// A snapshot.
#[derive(Debug, Serialize)]
pub(super) struct Snapshot {
    #[serde(rename = "snapshotID")]
    pub(super) snapshot_id: String,
    pub(super) names: Vec<String>,
}

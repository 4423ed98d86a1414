//! What the endpoint knows of a sandbox beside its files.

use chrono::{DateTime, SecondsFormat};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

/// The version of the stored form.
const VERSION: u16 = 1;

/// Kept with the sandbox in its store, as its title.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    /// Also tells these from the titles that people give.
    e2b: u16,
    /// A sandbox, or a snapshot that others are made from.
    pub(super) kind: Kind,
    /// The template or snapshot that it was made from.
    pub(super) template: String,
    pub(super) metadata: BTreeMap<String, String>,
    /// Variables of every command.
    pub(super) envs: BTreeMap<String, String>,
    /// Milliseconds since 1970.
    pub(super) started: u64,
    /// Milliseconds since 1970.
    pub(super) ends: u64,
    /// The time that it was last given.
    pub(super) timeout: Duration,
    pub(super) on_timeout: OnTimeout,
    /// Whether a call to envd wakes it where it is paused.
    pub(super) auto_resume: bool,
    pub(super) paused: bool,
    /// Of a snapshot: the name it was given.
    pub(super) name: Option<String>,
    /// Of a snapshot: the sandbox that it was taken of.
    pub(super) source: Option<String>,
    /// The digest of the key that whoever made it sent along.
    #[serde(default)]
    pub(super) key: Option<String>,
    /// Whether it has no network, whatever the server allows.
    #[serde(default)]
    pub(super) offline: bool,
    /// What is known of files beside their contents, by the number of the inode.
    #[serde(default)]
    pub(super) notes: Notes,
    /// What runs in it from its start on.
    #[serde(default)]
    pub(super) start: Option<Start>,
    /// The contexts that code runs in which names none, by language.
    #[serde(default)]
    pub(super) contexts: BTreeMap<String, String>,
}

/// What clients wrote down about files.
pub(super) type Notes = BTreeMap<u64, Note>;

/// What a client wrote down about a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Note {
    /// Where the file was then.
    pub(super) path: String,
    pub(super) metadata: BTreeMap<String, String>,
}

/// What a template has run in its sandboxes whenever they wake, and as what commands run in them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Start {
    /// The command that is started.
    pub(super) command: String,
    /// The command that succeeds when that is ready; empty for none.
    pub(super) ready: String,
    /// Where commands run that name no directory; empty for home.
    pub(super) directory: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    Sandbox,
    Snapshot,
}

/// What happens at the end of a sandbox's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum OnTimeout {
    Kill,
    Pause,
}

impl Record {
    /// A sandbox that starts now.
    pub(super) fn sandbox(template: impl Into<String>, timeout: Duration) -> Record {
        let started = now();
        Record {
            e2b: VERSION,
            kind: Kind::Sandbox,
            template: template.into(),
            metadata: BTreeMap::new(),
            envs: BTreeMap::new(),
            started,
            ends: started.saturating_add(millis(timeout)),
            timeout,
            on_timeout: OnTimeout::Kill,
            auto_resume: false,
            paused: false,
            name: None,
            source: None,
            key: None,
            offline: false,
            notes: Notes::new(),
            start: None,
            contexts: BTreeMap::new(),
        }
    }

    /// A snapshot of the sandbox `source`, taken now.
    pub(super) fn snapshot(of: &Record, source: &str, name: Option<String>) -> Record {
        Record {
            kind: Kind::Snapshot,
            started: now(),
            ends: u64::MAX,
            name,
            source: Some(source.to_owned()),
            key: None,
            ..of.clone()
        }
    }

    /// A branch of a sandbox, which starts now.
    pub(super) fn fork(of: &Record, timeout: Duration) -> Record {
        let started = now();
        Record {
            started,
            ends: started.saturating_add(millis(timeout)),
            timeout,
            paused: false,
            key: None,
            ..of.clone()
        }
    }

    /// Gives it `timeout` from now.
    pub(super) fn extend(&mut self, timeout: Duration) {
        self.timeout = timeout;
        self.ends = now().saturating_add(millis(timeout));
    }

    pub(super) fn encode(&self) -> String {
        // Maps with text as keys always encode.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// None for the titles of sandboxes that are not the endpoint's.
    pub(super) fn decode(title: &str) -> Option<Record> {
        serde_json::from_str(title)
            .ok()
            .filter(|record: &Record| record.e2b == VERSION)
    }
}

/// Milliseconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .map_or(0, millis)
}

pub(super) fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

/// A time in the form of RFC 3339; the last one that it has for those beyond.
pub(super) fn timestamp(millis: u64) -> String {
    i64::try_from(millis)
        .ok()
        .and_then(DateTime::from_timestamp_millis)
        .unwrap_or(DateTime::<chrono::Utc>::MAX_UTC)
        .to_rfc3339_opts(SecondsFormat::Millis, true)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn only_its_own_titles_are_read() {
        let record = Record::sandbox("base", Duration::from_secs(5));
        assert_eq!(record.ends - record.started, 5_000);
        assert_eq!(Record::decode(&record.encode()).unwrap(), record);
        for title in ["", "a title", "{}", "{\"e2b\":1}"] {
            assert!(Record::decode(title).is_none(), "{title}");
        }
    }

    #[test]
    fn times_are_written_in_utc() {
        assert_eq!(timestamp(1_700_000_000_123), "2023-11-14T22:13:20.123Z");
    }
}

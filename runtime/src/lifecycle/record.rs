//! What is known of a sandbox besides its state.

use crate::error::{Code, Error, Result};
use offshoot_store::{ObjectId, Ref, State};
use serde::{Deserialize, Serialize};

/// The version of the stored form.
const VERSION: u16 = 1;

/// Kept with the ref, and changed with it in one step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    version: u16,
    /// Where it came from.
    pub(super) parent: Option<Parent>,
    /// The pin that keeps what it was made from.
    pub(super) base_pin: String,
    /// What it was made from, or was when its changes were last promoted.
    pub(super) base: ObjectId,
    /// The epoch in which it was made.
    pub(super) born: u64,
    /// Milliseconds without a lease after which it is suspended.
    pub(super) idle_ms: Option<u64>,
    pub(super) title: Option<String>,
    pub(super) tags: Vec<String>,
}

impl Record {
    pub(super) fn new(base_pin: String, base: ObjectId, born: u64) -> Record {
        Record {
            version: VERSION,
            parent: None,
            base_pin,
            base,
            born,
            idle_ms: None,
            title: None,
            tags: Vec::new(),
        }
    }

    pub(super) fn encode(&self) -> Result<Vec<u8>> {
        serde_json::to_vec(self)
            .map_err(|error| Error::new(Code::Died, "record", error.to_string()))
    }

    pub(super) fn decode(name: &str, bytes: &[u8]) -> Result<Record> {
        let record: Record = serde_json::from_slice(bytes)
            .map_err(|error| Error::new(Code::Corrupt, "record", format!("{name}: {error}")))?;
        if record.version > VERSION {
            let found = record.version;
            let message = format!("{name}: version {found}; this one reads up to {VERSION}");
            return Err(Error::new(Code::TooNew, "record", message));
        }
        Ok(record)
    }
}

/// What a branch came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Parent {
    /// The sandbox.
    pub name: String,
    /// Its state at that time.
    pub commit: ObjectId,
}

/// What is known of a sandbox. Times are milliseconds since 1970, by the store's clock.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Info {
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub state: State,
    /// Its last durable state.
    pub commit: Option<ObjectId>,
    /// Bytes in files, at the last durable state.
    pub bytes: u64,
    /// Files and directories, at the last durable state.
    pub files: u64,
    /// Where it came from; none for what a template made.
    pub parent: Option<Parent>,
    /// Who has it awake.
    pub owner: Option<String>,
    /// A text for people.
    pub title: Option<String>,
    /// At most ten.
    pub tags: Vec<String>,
    /// Milliseconds without a lease after which it is suspended.
    pub idle_ms: Option<u64>,
    /// When it was made.
    pub created: u64,
    /// When its state last changed.
    pub changed: u64,
    /// Why it failed.
    pub reason: Option<String>,
}

impl Info {
    pub(super) fn new(name: String, found: Ref, record: Record, size: (u64, u64)) -> Info {
        Info {
            name,
            state: found.state,
            commit: found.commit,
            bytes: size.0,
            files: size.1,
            parent: record.parent,
            owner: found.owner,
            title: record.title,
            tags: record.tags,
            idle_ms: record.idle_ms,
            created: found.created,
            changed: found.changed,
            reason: found.reason,
        }
    }
}

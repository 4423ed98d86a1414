//! Commits: what a snapshot consists of, what it captured and what not.

use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::format::{MIN_READER, SCHEMA};
use crate::object::Target;
use crate::{Error, Kind, Object, ObjectId, Result};

/// The longest encoded commit; against one that fills memory (T43).
const LONGEST: usize = 1 << 20;

/// The object that refs and pins name: one state of one sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commit {
    /// What it was made from; the first one is the state before it.
    pub parents: Vec<ObjectId>,
    /// The root of the tree.
    pub tree: ObjectId,
    /// Bytes in the tree's files.
    pub bytes: u64,
    /// Files, directories and further names in the tree.
    pub files: u64,
    /// Shell sessions by name: object and length.
    pub sessions: BTreeMap<String, (ObjectId, u64)>,
    /// The sandbox's settings: object and length.
    pub settings: Option<(ObjectId, u64)>,
    /// Capabilities that the sandbox had.
    pub caps: BTreeSet<String>,
    /// What belonged to the sandbox and is not in here.
    pub omitted: Vec<Omission>,
    /// Milliseconds since 1970, by the store's clock.
    pub created: u64,
    /// A name for people.
    pub label: Option<String>,
    /// What the embedder wants to find again.
    pub metadata: BTreeMap<String, String>,
    /// What made it: name and version.
    pub engine: String,
}

/// Something of a sandbox that a snapshot leaves out.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Omission {
    /// What is mounted here; whoever restores mounts it again.
    Mount(Vec<u8>),
    /// So many files that were open without a name.
    UnnamedFiles(u64),
    /// So many processes that were running.
    Processes(u64),
    /// Anything else, in words.
    Other(String),
}

impl Commit {
    /// The object.
    ///
    /// # Errors
    /// `LIMIT` for more than 1 MiB of labels, sessions' names and metadata.
    pub fn encode(&self) -> Result<Object> {
        let mut payload = Vec::with_capacity(256);
        payload.extend_from_slice(&SCHEMA.to_le_bytes());
        payload.extend_from_slice(&MIN_READER.to_le_bytes());
        let payload = postcard::to_extend(self, payload).map_err(|_| Error::Limit {
            what: "size of a commit",
        })?;
        if payload.len() > LONGEST {
            return Err(Error::Limit {
                what: "size of a commit",
            });
        }
        Ok(Object::new(Kind::Commit, payload))
    }

    /// What the object says.
    ///
    /// # Errors
    /// `TOO_NEW` where it asks for a newer reader, `CORRUPT` where it is no commit.
    pub fn decode(object: &Object) -> Result<Commit> {
        let damaged = |reason| Error::damaged(object.id, reason);
        if object.kind != Kind::Commit || object.payload.len() > LONGEST {
            return Err(damaged("it is no commit"));
        }
        let (head, body) = object
            .payload
            .split_first_chunk::<4>()
            .ok_or_else(|| damaged("it is cut off"))?;
        let min_reader = u16::from_le_bytes([head[2], head[3]]);
        if min_reader > SCHEMA {
            return Err(Error::TooNew {
                found: min_reader.into(),
                supported: SCHEMA.into(),
            });
        }
        match postcard::take_from_bytes::<Commit>(body) {
            // A later schema with the same minimal reader may have more at the end.
            Ok((commit, rest)) if rest.is_empty() || Commit::schema(object) > SCHEMA => Ok(commit),
            _ => Err(damaged("it is no commit")),
        }
    }

    /// Whether a sandbox that is brought back from this one is the same as from the other.
    pub(crate) fn is_like(&self, other: &Commit) -> bool {
        (self.tree, &self.sessions, &self.settings, &self.caps)
            == (other.tree, &other.sessions, &other.settings, &other.caps)
            && self.omitted == other.omitted
    }

    /// The schema that a commit's object was written in.
    pub(crate) fn schema(object: &Object) -> u16 {
        let head = object.payload.first_chunk::<2>();
        head.map_or(0, |head| u16::from_le_bytes(*head))
    }

    /// What a commit leads to. Its parents are only named: keeping history is up to pins and refs.
    pub(crate) fn targets(&self) -> Vec<Target> {
        let target = |kind, id, claim| Target { kind, id, claim };
        let mut targets = vec![target(Kind::Tree, self.tree, None)];
        for (id, length) in self.sessions.values() {
            targets.push(target(Kind::Session, *id, Some(*length)));
        }
        if let Some((id, length)) = &self.settings {
            targets.push(target(Kind::Settings, *id, Some(*length)));
        }
        targets
    }
}

/// What goes into a commit beside the files.
#[derive(Debug, Clone, Default)]
pub struct Capture {
    /// What it is made from; the first one is the state before it.
    pub parents: Vec<ObjectId>,
    /// The state of each shell session, as the shell encodes it.
    pub sessions: BTreeMap<String, Bytes>,
    /// The sandbox's settings, as the façade encodes them.
    pub settings: Option<Bytes>,
    /// Capabilities that the sandbox has.
    pub caps: BTreeSet<String>,
    /// What the caller knows to be left out. Mounts and files without a name are added.
    pub omitted: Vec<Omission>,
    /// Where nothing has changed since the state before it, that one is named again and none is made. When
    /// files were last read is no change.
    pub only_changes: bool,
    /// A name for people.
    pub label: Option<String>,
    /// What the embedder wants to find again.
    pub metadata: BTreeMap<String, String>,
    /// Name and version of what makes the commit.
    pub engine: String,
    /// Values that must not be stored, credentials for instance. Everything that a commit adds to a
    /// store is searched for them; one that is cut in two by a border between chunks of 64 KiB is
    /// not found.
    pub secrets: Vec<Bytes>,
}

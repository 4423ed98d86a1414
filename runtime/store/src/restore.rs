//! Coming back: a filesystem that reads its objects when they are looked at, and the receipt that
//! says what was kept.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use offshoot_vfs::{ObjectKind, ObjectSource, Options, Vfs};

use crate::inner::Inner;
use crate::{Commit, Error, Kind, ObjectId, Omission, Result, Store};

/// Faults that are kept until somebody asks.
const FAULTS: usize = 64;

/// What a checkout brings back.
#[derive(Debug)]
pub struct Restored {
    /// The files. Nodes and contents are read when they are first looked at; where that fails the
    /// guest sees `EIO` and [`Restored::faults`] knows why.
    pub vfs: Vfs,
    /// The state of each shell session.
    pub sessions: BTreeMap<String, Bytes>,
    /// The sandbox's settings.
    pub settings: Option<Bytes>,
    /// The commit.
    pub commit: Commit,
    /// What was kept.
    pub receipt: Receipt,
    /// What went wrong while objects were read later.
    pub faults: Faults,
}

/// Says what a checkout brought back. There is no receipt for less than everything: that is an error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Receipt {
    /// What was checked out.
    pub commit: ObjectId,
    /// What that was made from.
    pub parents: Vec<ObjectId>,
    /// Bytes in files.
    pub bytes: u64,
    /// Files, directories and further names.
    pub files: u64,
    /// What the snapshot left out when it was made.
    pub omitted: Vec<Omission>,
    /// Capabilities that the sandbox had and that are not granted now.
    pub caps_delta: BTreeSet<String>,
    /// What made the commit.
    pub engine: String,
    /// The schema that it was written in.
    pub schema: u16,
    /// How much was looked at.
    pub verified: Verified,
    /// The ref's epoch; 0 for a checkout without a ref.
    pub epoch: u64,
}

/// How much of a commit was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verified {
    /// The commit, its sessions, settings and the tree's root are there and intact. Each other object
    /// is verified when it is read.
    Root,
    /// Every object is there and intact.
    Everything,
}

/// Faults of a store that showed when a restored filesystem read from it. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct Faults(Arc<Mutex<VecDeque<Error>>>);

impl Faults {
    /// The faults since the last call, oldest first; of many, the newest 64.
    pub fn take(&self) -> Vec<Error> {
        self.list().drain(..).collect()
    }

    fn list(&self) -> std::sync::MutexGuard<'_, VecDeque<Error>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn add(&self, error: Error) {
        let mut list = self.list();
        if list.len() == FAULTS {
            list.pop_front();
        }
        list.push_back(error);
    }
}

/// Reads the objects of a tree for a filesystem.
pub(crate) struct Reader {
    pub(crate) inner: Arc<Inner>,
    pub(crate) faults: Faults,
    pub(crate) seal: u64,
}

impl Reader {
    fn object(&self, id: ObjectId, kind: ObjectKind) -> Result<Vec<u8>> {
        let object = self.inner.get(id)?;
        if object.kind != Kind::from(kind) {
            return Err(Error::damaged(id, "it is of another kind"));
        }
        Ok(object.payload.to_vec())
    }
}

impl ObjectSource for Reader {
    fn read(&self, id: ObjectId, kind: ObjectKind) -> offshoot_vfs::Result<Vec<u8>> {
        self.object(id, kind).map_err(|error| {
            // What a tree leads to must be there, so missing is damage.
            self.faults.add(match error {
                Error::NotFound { .. } => Error::damaged(id, "it is missing"),
                other => other,
            });
            offshoot_vfs::Error::Io
        })
    }

    fn seal(&self) -> u64 {
        self.seal
    }

    fn damaged(&self, id: ObjectId, _kind: ObjectKind) {
        self.faults
            .add(Error::damaged(id, "it is not what leads to it says"));
    }
}

impl Store {
    /// The seal for what a commit leads to: all of it is there as long as the collector has not
    /// condemned the commit.
    fn seal_of(&self, id: ObjectId) -> Result<u64> {
        let gc_epoch = self.inner.refs.gc_epoch()?;
        if self.inner.pending().get(id).is_some() {
            self.inner.waiting(gc_epoch)?;
        } else if self.inner.objects.contains(&[id])? != [true] {
            return Ok(0);
        }
        self.inner.seal(gc_epoch)
    }

    /// A commit.
    ///
    /// # Errors
    /// `NOT_FOUND`, `CORRUPT`, `TOO_NEW`.
    pub fn get_commit(&self, id: ObjectId) -> Result<Commit> {
        Ok(self.inner.get_commit(id)?.0)
    }

    /// Brings a commit back. Reads the commit, sessions, settings and the tree's root; the rest when it
    /// is looked at.
    ///
    /// # Errors
    /// `NOT_FOUND`, `CORRUPT`, `TOO_NEW`; `LIMIT` where the tree is larger than the quotas of
    /// `options`.
    pub fn checkout(&self, id: ObjectId, options: Options) -> Result<Restored> {
        self.restore(id, options, &BTreeSet::new())
    }

    /// [`Store::checkout`], with a receipt that says which capabilities the sandbox had beyond
    /// `granted`.
    ///
    /// # Errors
    /// Those of [`Store::checkout`].
    pub fn restore(
        &self,
        id: ObjectId,
        options: Options,
        granted: &BTreeSet<String>,
    ) -> Result<Restored> {
        let (commit, schema) = self.inner.get_commit(id)?;
        let missing = |error| match error {
            Error::NotFound { what } => Error::Corrupt {
                what,
                reason: "a commit leads to it, and it is missing",
            },
            other => other,
        };
        let blob = |(id, length): (ObjectId, u64), kind| -> Result<Bytes> {
            let object = self.inner.get(id).map_err(missing)?;
            if object.kind != kind || object.payload.len() as u64 != length {
                return Err(Error::damaged(id, "it is not what its commit says"));
            }
            Ok(object.payload)
        };
        let mut sessions = BTreeMap::new();
        for (name, session) in &commit.sessions {
            sessions.insert(name.clone(), blob(*session, Kind::Session)?);
        }
        let settings = commit
            .settings
            .map(|settings| blob(settings, Kind::Settings));
        let settings = settings.transpose()?;
        let faults = Faults::default();
        let source: Arc<dyn ObjectSource> = Arc::new(Reader {
            inner: Arc::clone(&self.inner),
            faults: faults.clone(),
            seal: self.seal_of(id)?,
        });
        let vfs = match Vfs::open_stored(commit.tree, &source, options) {
            Ok(vfs) => vfs,
            Err(offshoot_vfs::Error::NoSpace) => {
                return Err(Error::Limit {
                    what: "the tree is larger than its new quotas",
                });
            }
            Err(error) => return Err(faults.take().pop().unwrap_or(Error::Vfs(error))),
        };
        let usage = vfs.usage();
        if (usage.bytes, usage.inodes) != (commit.bytes, commit.files) {
            return Err(Error::damaged(id, "its counts are not its tree's"));
        }
        let receipt = Receipt {
            commit: id,
            parents: commit.parents.clone(),
            bytes: commit.bytes,
            files: commit.files,
            omitted: commit.omitted.clone(),
            caps_delta: commit.caps.difference(granted).cloned().collect(),
            engine: commit.engine.clone(),
            schema,
            verified: Verified::Root,
            epoch: 0,
        };
        Ok(Restored {
            vfs,
            sessions,
            settings,
            commit,
            receipt,
            faults,
        })
    }
}

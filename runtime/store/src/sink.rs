//! What a tree is stored through: hashes, looks for secrets, collects.

use bytes::Bytes;
use memchr::memmem;
use offshoot_vfs::{ObjectKind, ObjectSink};

use crate::inner::Inner;
use crate::{Error, Kind, ObjectId, Result};

/// Bytes of commits that wait in memory before they are handed to the store, not yet durable.
const WAITING: usize = 8 << 20;

pub(crate) struct Sink<'a> {
    inner: &'a Inner,
    gc_epoch: u64,
    seal: u64,
    secrets: Vec<memmem::Finder<'a>>,
    /// Objects and bytes that this commit added.
    pub(crate) added: (u64, u64),
}

impl<'a> Sink<'a> {
    pub(crate) fn new(
        inner: &'a Inner,
        gc_epoch: u64,
        seal: u64,
        secrets: &'a [Bytes],
    ) -> Sink<'a> {
        let finders = secrets.iter().filter(|secret| !secret.is_empty());
        Sink {
            inner,
            gc_epoch,
            seal,
            secrets: finders
                .map(|secret| memmem::Finder::new(&secret[..]))
                .collect(),
            added: (0, 0),
        }
    }

    /// Adds an object beside the tree.
    pub(crate) fn add(&mut self, kind: Kind, payload: Bytes) -> Result<ObjectId> {
        let holds = |secret: &memmem::Finder<'_>| secret.find(&payload).is_some();
        if self.secrets.iter().any(holds) {
            let what = format!("a {kind:?} object").to_lowercase();
            return Err(Error::Secret { what });
        }
        let object = self.inner.stored_form(kind, payload)?;
        let id = object.id;
        self.added.0 += 1;
        self.added.1 += object.payload.len() as u64;
        let waiting = {
            let mut pending = self.inner.pending();
            pending.add(object);
            pending.bytes()
        };
        if waiting > WAITING {
            self.inner.hand_over()?;
        }
        Ok(id)
    }
}

impl ObjectSink for Sink<'_> {
    type Error = Error;

    fn seal(&self) -> u64 {
        self.seal
    }

    fn holds(&mut self, id: ObjectId) -> Result<bool> {
        self.inner.holds(self.gc_epoch, id)
    }

    fn put(&mut self, kind: ObjectKind, payload: Vec<u8>) -> Result<ObjectId> {
        self.add(Kind::from(kind), payload.into())
    }
}

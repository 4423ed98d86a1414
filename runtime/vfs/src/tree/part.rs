//! Parts of a tree that are in memory, in a store, or both.
//!
//! A part is loaded when it is first looked at and knows the id that it was stored under until it
//! is changed. So opening a stored tree costs its root, and storing one costs what changed.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crate::{Error, Link, ObjectId, ObjectKind, ObjectSink, ObjectSource, Result};

/// What a part consists of.
pub(crate) trait Body: Clone + Send + Sync {
    const KIND: ObjectKind;

    /// What its parent says about it: the level of a node, the length of a chunk.
    fn claim(&self) -> u64;

    /// Checks everything that can be checked without looking further.
    fn decode(payload: &[u8], source: &Arc<dyn ObjectSource>) -> Result<Self>;

    /// Stores what it leads to and makes its own payload.
    fn encode<S: ObjectSink>(&self, sink: &mut S) -> Result<Vec<u8>, S::Error>;

    /// What it leads to, of what was just decoded.
    fn links(&self, found: &mut Vec<Link>);
}

pub(crate) struct Part<B> {
    body: OnceLock<B>,
    stored: OnceLock<Box<Stored>>,
}

struct Stored {
    id: ObjectId,
    claim: u64,
    /// The sink's [`ObjectSink::seal`] when it was last known to be there.
    seal: AtomicU64,
    /// Where it is read from; none for what came from memory.
    source: Option<Arc<dyn ObjectSource>>,
}

impl<B: Body> Part<B> {
    pub(crate) fn new(body: B) -> Part<B> {
        Part {
            body: OnceLock::from(body),
            stored: OnceLock::new(),
        }
    }

    /// A part that is only in a store.
    pub(crate) fn absent(id: ObjectId, claim: u64, source: &Arc<dyn ObjectSource>) -> Part<B> {
        let stored = Stored {
            id,
            claim,
            seal: AtomicU64::new(source.seal()),
            source: Some(Arc::clone(source)),
        };
        Part {
            body: OnceLock::new(),
            stored: OnceLock::from(Box::new(stored)),
        }
    }

    pub(crate) fn get(&self) -> Result<&B> {
        match self.body.get() {
            Some(body) => Ok(body),
            None => self.load(),
        }
    }

    #[cold]
    fn load(&self) -> Result<&B> {
        let stored = self.stored.get().ok_or(Error::Io)?;
        let source = stored.source.as_ref().ok_or(Error::Io)?;
        let payload = source.read(stored.id, B::KIND)?;
        match B::decode(&payload, source) {
            Ok(body) if body.claim() == stored.claim => Ok(self.body.get_or_init(|| body)),
            _ => {
                source.damaged(stored.id, B::KIND);
                Err(Error::Io)
            }
        }
    }

    pub(crate) fn resident(&self) -> Option<&B> {
        self.body.get()
    }

    /// What the parent says about it, without looking at it.
    pub(crate) fn claim(&self) -> u64 {
        match (self.body.get(), self.stored.get()) {
            (Some(body), _) => body.claim(),
            (None, Some(stored)) => stored.claim,
            (None, None) => 0,
        }
    }

    /// Mutable access; copies it where it is shared.
    pub(crate) fn edit(this: &mut Arc<Part<B>>) -> Result<&mut B> {
        this.get()?;
        let part = Arc::make_mut(this);
        part.stored.take();
        part.body.get_mut().ok_or(Error::Io)
    }

    /// Whether both are known to hold the same.
    pub(crate) fn same(a: &Arc<Part<B>>, b: &Arc<Part<B>>) -> bool {
        Arc::ptr_eq(a, b)
            || matches!((a.stored.get(), b.stored.get()), (Some(a), Some(b)) if a.id == b.id)
    }

    /// Its id in the store behind `sink`, once it and all it leads to are there.
    pub(crate) fn save<S: ObjectSink>(&self, sink: &mut S) -> Result<ObjectId, S::Error> {
        let seal = sink.seal();
        if let Some(stored) = self.stored.get()
            && (stored.seal.load(Ordering::Acquire) == seal || sink.holds(stored.id)?)
        {
            stored.seal.store(seal, Ordering::Release);
            return Ok(stored.id);
        }
        let body = self.get()?;
        let payload = body.encode(sink)?;
        let id = sink.put(B::KIND, payload)?;
        let stored = self.stored.get_or_init(|| {
            let (claim, source) = (body.claim(), None);
            let seal = AtomicU64::new(seal);
            Box::new(Stored {
                id,
                claim,
                seal,
                source,
            })
        });
        // A sink that hashes otherwise than the last one must not confuse the two.
        if stored.id == id {
            stored.seal.store(seal, Ordering::Release);
        }
        Ok(id)
    }

    /// Notes what a parent that was just decoded leads to.
    pub(crate) fn link(&self, found: &mut Vec<Link>) {
        if let Some(stored) = self.stored.get() {
            found.push(Link {
                kind: B::KIND,
                id: stored.id,
                claim: stored.claim,
            });
        }
    }
}

impl<B: Clone> Clone for Part<B> {
    /// A copy to be changed, so it is not what is stored.
    fn clone(&self) -> Part<B> {
        Part {
            body: self.body.clone(),
            stored: OnceLock::new(),
        }
    }
}

/// What a stored object leads to.
pub(crate) fn links<B: Body>(
    payload: &[u8],
    claim: Option<u64>,
    source: &Arc<dyn ObjectSource>,
) -> Result<Vec<Link>> {
    let body = B::decode(payload, source)?;
    if claim.is_some_and(|claim| claim != body.claim()) {
        return Err(Error::Corrupt);
    }
    let mut found = Vec::new();
    body.links(&mut found);
    Ok(found)
}

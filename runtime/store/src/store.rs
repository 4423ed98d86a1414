//! The store: commits of filesystems, and refs that name them.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use offshoot_vfs::{ObjectSource, Options, Vfs};

use crate::cipher::Cipher;
use crate::object::targets;
use crate::pending::Pending;
use crate::refs::check_name;
use crate::restore::{Faults, Reader, Receipt, Restored, Verified};
use crate::sink::Sink;
use crate::{
    Capture, Commit, Durability, Error, Filter, Kind, MemoryStore, Object, ObjectId, Objects,
    Omission, Pin, Published, Ref, Refs, Result, Swap, Transition,
};
#[cfg(feature = "encryption")]
use crate::{Key, SealedRefs};

/// How often a publish starts again because the collector was at work.
const ATTEMPTS: u32 = 8;

/// A place for commits and refs. Clones are handles on the same store.
///
/// Everything here blocks: call it from a thread that may wait. Names of refs and pins have 1 to 255
/// bytes and no control characters.
#[derive(Clone)]
pub struct Store {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) objects: Arc<dyn Objects>,
    pub(crate) refs: Arc<dyn Refs>,
    pending: Mutex<Pending>,
    seal: Mutex<Seal>,
    /// What is there with all that it leads to, as it was found under an epoch of the collector.
    whole: Mutex<(u64, HashSet<ObjectId>)>,
    /// What objects are encrypted with, where they are.
    cipher: Option<Cipher>,
}

/// Under which collector's epoch what is stored was last looked up.
struct Seal {
    gc_epoch: u64,
    number: u64,
}

impl Seal {
    fn new(gc_epoch: u64) -> Seal {
        // Numbers are never used twice in a process, so a node that another store has sealed is
        // never taken for one of this store's.
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Seal { gc_epoch, number }
    }
}

/// What a commit has become.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// Its name.
    pub commit: ObjectId,
    /// How durable it is.
    pub durability: Durability,
    /// Objects that it added to what was stored before.
    pub new_objects: u64,
    /// Bytes of these.
    pub new_bytes: u64,
    /// What it left out.
    pub omitted: Vec<Omission>,
    /// The ref that names it, where one was changed.
    pub found: Option<Ref>,
}

impl Inner {
    pub(crate) fn pending(&self) -> MutexGuard<'_, Pending> {
        self.pending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The seal for a collector's epoch.
    fn seal(&self, gc_epoch: u64) -> Result<u64> {
        let mut seal = self.seal.lock().unwrap_or_else(PoisonError::into_inner);
        if seal.gc_epoch != gc_epoch {
            self.objects.refresh()?;
            *seal = Seal::new(gc_epoch);
        }
        Ok(seal.number)
    }

    /// What waits, and may be stored under this epoch of the collector.
    fn waiting(&self, gc_epoch: u64) -> Result<Vec<Object>> {
        let mut pending = self.pending();
        let read = |object: &Object| targets(&self.opened(object.clone())?, None);
        pending.revalidate(gc_epoch, read, |id| self.stores(gc_epoch, id))?;
        Ok(pending.all())
    }

    /// Hands what waits to the store. Not durable yet.
    pub(crate) fn hand_over(&self) -> Result<()> {
        let waiting = self.waiting(self.refs.gc_epoch()?)?;
        self.objects.put(&waiting)?;
        self.pending().forget(&waiting);
        Ok(())
    }

    /// Whether an object is there with all that it leads to, under this epoch of the collector.
    ///
    /// That the object itself is there says nothing about the rest: somebody may have put it while
    /// the collector was taking away what it leads to.
    pub(crate) fn holds(&self, gc_epoch: u64, id: ObjectId) -> Result<bool> {
        if self.pending().get(id).is_some() {
            return Ok(true);
        }
        self.stores(gc_epoch, id)
    }

    fn stores(&self, gc_epoch: u64, id: ObjectId) -> Result<bool> {
        let mut whole = self.whole.lock().unwrap_or_else(PoisonError::into_inner);
        if whole.0 != gc_epoch {
            *whole = (gc_epoch, HashSet::new());
        }
        self.stores_all(&mut whole.1, vec![id])
    }

    /// Looks everything up that these lead to and that is not known to be there. What was found is
    /// only believed where nothing was missing.
    fn stores_all(&self, known: &mut HashSet<ObjectId>, first: Vec<ObjectId>) -> Result<bool> {
        let (mut seen, mut level) = (HashSet::new(), first);
        while !level.is_empty() {
            level.retain(|id| !known.contains(id) && seen.insert(*id));
            if self.objects.contains(&level)?.contains(&false) {
                return Ok(false);
            }
            let mut next = Vec::new();
            for id in level {
                let found = self.objects.get(id).and_then(Object::verify);
                let targets = match found.and_then(|object| self.opened(object)) {
                    Ok(object) => targets(&object, None),
                    Err(error) => Err(error),
                };
                match targets {
                    Ok(found) => {
                        let (leaves, nodes): (Vec<_>, Vec<_>) = found
                            .into_iter()
                            .partition(|target| target.kind == Kind::Chunk);
                        let leaves: Vec<_> = leaves.into_iter().map(|target| target.id).collect();
                        if self.objects.contains(&leaves)?.contains(&false) {
                            return Ok(false);
                        }
                        next.extend(nodes.into_iter().map(|target| target.id));
                    }
                    Err(Error::NotFound { .. } | Error::Corrupt { .. }) => return Ok(false),
                    Err(error) => return Err(error),
                }
            }
            level = next;
        }
        known.extend(seen);
        Ok(true)
    }

    /// An object, intact.
    pub(crate) fn get(&self, id: ObjectId) -> Result<Object> {
        let waiting = self.pending().get(id).cloned();
        let stored = match waiting {
            Some(object) => object,
            None => self.objects.get(id)?.verify()?,
        };
        self.opened(stored)
    }

    /// An object as it is stored.
    pub(crate) fn stored_form(&self, kind: Kind, payload: Bytes) -> Result<Object> {
        match &self.cipher {
            Some(cipher) => cipher.seal(kind, &payload),
            None => Ok(Object::new(kind, payload)),
        }
    }

    /// What an object as it is stored means.
    pub(crate) fn opened(&self, stored: Object) -> Result<Object> {
        match &self.cipher {
            Some(cipher) => cipher.open(stored),
            None => Ok(stored),
        }
    }

    pub(crate) fn is_encrypted(&self) -> bool {
        self.cipher.is_some()
    }

    fn get_commit(&self, id: ObjectId) -> Result<(Commit, u16)> {
        let object = self.get(id)?;
        Ok((Commit::decode(&object)?, Commit::schema(&object)))
    }
}

impl Store {
    /// A store of these two. They may be one.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`.
    pub fn new(objects: Arc<dyn Objects>, refs: Arc<dyn Refs>) -> Result<Store> {
        Store::with(objects, refs, None)
    }

    /// A store of these two on a medium that others can read or write to. What is in objects, and what
    /// the caller keeps with refs, is encrypted with a key that never gets there; what refs say is
    /// bound to the key together with their epoch, so that one that was changed or put back is
    /// refused. See [`SealedRefs`] for what stays readable.
    ///
    /// Of those who share a key, equal content is stored once. A store is encrypted from its
    /// beginning or not at all.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`.
    #[cfg(feature = "encryption")]
    pub fn encrypted(objects: Arc<dyn Objects>, refs: Arc<dyn Refs>, key: &Key) -> Result<Store> {
        let refs = Arc::new(SealedRefs::new(refs, key));
        Store::with(objects, refs, Some(Cipher::new(key, "objects")))
    }

    fn with(
        objects: Arc<dyn Objects>,
        refs: Arc<dyn Refs>,
        cipher: Option<Cipher>,
    ) -> Result<Store> {
        let gc_epoch = refs.gc_epoch()?;
        let seal = Mutex::new(Seal::new(gc_epoch));
        let pending = Mutex::new(Pending::new(gc_epoch));
        Ok(Store {
            inner: Arc::new(Inner {
                objects,
                refs,
                pending,
                seal,
                whole: Mutex::default(),
                cipher,
            }),
        })
    }

    /// A new store in memory.
    pub fn memory() -> Store {
        let store = Arc::new(MemoryStore::new());
        let seal = Mutex::new(Seal::new(0));
        let pending = Mutex::default();
        Store {
            inner: Arc::new(Inner {
                objects: store.clone(),
                refs: store,
                pending,
                seal,
                whole: Mutex::default(),
                cipher: None,
            }),
        }
    }

    /// The embedded store in a directory, made where it is missing.
    ///
    /// # Errors
    /// Those of [`crate::SqliteStore::open`].
    #[cfg(feature = "sqlite")]
    pub fn sqlite(directory: impl AsRef<std::path::Path>) -> Result<Store> {
        let store = Arc::new(crate::SqliteStore::open(directory)?);
        Store::new(store.clone(), store)
    }

    /// The embedded store in a directory, opened with `options`, and [`encrypted`](Store::encrypted) where
    /// there is a key.
    ///
    /// # Errors
    /// Those of [`crate::SqliteStore::open`].
    #[cfg(all(feature = "sqlite", feature = "encryption"))]
    pub fn sqlite_with(
        directory: impl AsRef<std::path::Path>,
        options: crate::SqliteOptions,
        key: Option<&Key>,
    ) -> Result<Store> {
        let store = Arc::new(crate::SqliteStore::open_with(directory, options)?);
        match key {
            Some(key) => Store::encrypted(store.clone(), store, key),
            None => Store::new(store.clone(), store),
        }
    }

    /// The embedded store in a directory, [`encrypted`](Store::encrypted).
    ///
    /// # Errors
    /// Those of [`crate::SqliteStore::open`].
    #[cfg(all(feature = "sqlite", feature = "encryption"))]
    pub fn sqlite_encrypted(directory: impl AsRef<std::path::Path>, key: &Key) -> Result<Store> {
        let store = Arc::new(crate::SqliteStore::open(directory)?);
        Store::encrypted(store.clone(), store, key)
    }

    /// The objects.
    pub fn objects(&self) -> &Arc<dyn Objects> {
        &self.inner.objects
    }

    /// The refs.
    pub fn refs(&self) -> &Arc<dyn Refs> {
        &self.inner.refs
    }

    /// Captures a filesystem, in this process only: a later durable call on this store makes it
    /// durable, and its end forgets it. Costs what changed since the last commit of these nodes.
    ///
    /// # Errors
    /// `POLICY_DENIED` for a declared secret, `LIMIT`, those of the store.
    pub fn commit(&self, vfs: &Vfs, capture: &Capture) -> Result<Stored> {
        for _ in 0..ATTEMPTS {
            let gc_epoch = self.inner.pending().gc_epoch();
            let stored = self.capture(gc_epoch, vfs, vfs, capture)?;
            if self.inner.pending().gc_epoch() == gc_epoch {
                return Ok(stored);
            }
        }
        Err(busy_collector())
    }

    /// Has a commit of a filesystem wait to be stored. `tree` is the filesystem again, or one with the same
    /// files whose tree is to be named.
    fn capture(&self, gc_epoch: u64, vfs: &Vfs, tree: &Vfs, capture: &Capture) -> Result<Stored> {
        let mut sink = Sink::new(
            &self.inner,
            gc_epoch,
            self.inner.seal(gc_epoch)?,
            &capture.secrets,
        );
        let mut omitted = capture.omitted.clone();
        omitted.extend(
            vfs.mounts()
                .into_iter()
                .filter(|mount| !mount.system)
                .map(|mount| Omission::Mount(mount.path)),
        );
        match vfs.unnamed_files() {
            0 => {}
            count => omitted.push(Omission::UnnamedFiles(count as u64)),
        }
        let saved = tree.save(&mut sink)?;
        let mut sessions = BTreeMap::new();
        for (name, state) in &capture.sessions {
            let id = sink.add(Kind::Session, state.clone())?;
            sessions.insert(name.clone(), (id, state.len() as u64));
        }
        let settings = match &capture.settings {
            Some(settings) => {
                let id = sink.add(Kind::Settings, settings.clone())?;
                Some((id, settings.len() as u64))
            }
            None => None,
        };
        let commit = Commit {
            parents: capture.parents.clone(),
            tree: saved.id,
            bytes: saved.usage.bytes,
            files: saved.usage.inodes,
            sessions,
            settings,
            caps: capture.caps.clone(),
            omitted,
            created: self.inner.refs.now()?,
            label: capture.label.clone(),
            metadata: capture.metadata.clone(),
            engine: capture.engine.clone(),
        };
        let id = sink.add(Kind::Commit, commit.encode()?.payload)?;
        Ok(Stored {
            commit: id,
            durability: Durability::Memory,
            new_objects: sink.added.0,
            new_bytes: sink.added.1,
            omitted: commit.omitted,
            found: None,
        })
    }

    /// Captures a filesystem and keeps the commit under a name until [`Store::unpin`]. Durable.
    ///
    /// # Errors
    /// Those of [`Store::commit`].
    pub fn snapshot(&self, name: &str, vfs: &Vfs, capture: &Capture) -> Result<Stored> {
        check_name(name)?;
        for _ in 0..ATTEMPTS {
            let gc_epoch = self.inner.refs.gc_epoch()?;
            self.inner.waiting(gc_epoch)?;
            let mut stored = self.capture(gc_epoch, vfs, vfs, capture)?;
            self.inner.hand_over()?;
            stored.durability = self.inner.objects.flush()?;
            self.inner.refs.pin(&Pin {
                name: name.to_owned(),
                commit: stored.commit,
                until: None,
            })?;
            // The pin was set before the collector could remove what it was about to.
            if self.inner.refs.gc_epoch()? == gc_epoch {
                return Ok(stored);
            }
        }
        Err(busy_collector())
    }

    /// Keeps a commit that is stored already under a name.
    ///
    /// # Errors
    /// `NOT_FOUND`, those of the store.
    pub fn pin(&self, name: &str, commit: ObjectId, until: Option<u64>) -> Result<()> {
        check_name(name)?;
        let pin = Pin {
            name: name.to_owned(),
            commit,
            until,
        };
        self.keep(commit, || self.inner.refs.pin(&pin))
    }

    /// Runs `name_it`, which makes a stored commit reachable, so that the collector cannot have
    /// begun to remove the commit before.
    fn keep(&self, commit: ObjectId, name_it: impl Fn() -> Result<()>) -> Result<()> {
        for _ in 0..ATTEMPTS {
            let gc_epoch = self.inner.refs.gc_epoch()?;
            if self.inner.pending().get(commit).is_some() {
                self.inner.hand_over()?;
                self.inner.objects.flush()?;
            }
            // Where it was lost with what it leads to, it is not there either.
            if !self.inner.holds(gc_epoch, commit)? {
                return Err(Error::no_object(commit));
            }
            name_it()?;
            if self.inner.refs.gc_epoch()? == gc_epoch {
                return Ok(());
            }
        }
        Err(busy_collector())
    }

    /// Removes a pin; whether there was one. What only it kept is collected later.
    ///
    /// # Errors
    /// Those of the store.
    pub fn unpin(&self, name: &str) -> Result<bool> {
        self.inner.refs.unpin(name)
    }

    /// All pins.
    ///
    /// # Errors
    /// Those of the store.
    pub fn pins(&self) -> Result<Vec<Pin>> {
        self.inner.refs.pins()
    }

    /// Makes a ref: pending without a commit, suspended with one, which must be stored.
    ///
    /// # Errors
    /// `CONFLICT` where the name is taken, `NOT_FOUND` where the commit is not stored.
    pub fn create(&self, name: &str, commit: Option<ObjectId>) -> Result<Ref> {
        check_name(name)?;
        let now = self.inner.refs.now()?;
        let Some(commit) = commit else {
            let new = Ref::pending(None, now);
            self.insert(name, &new)?;
            return Ok(new);
        };
        let new = Ref::suspended(commit, now);
        // Once it is there, another attempt finds it there.
        let made = std::cell::Cell::new(false);
        self.keep(commit, || {
            if !made.get() {
                self.insert(name, &new)?;
                made.set(true);
            }
            Ok(())
        })?;
        Ok(new)
    }

    fn insert(&self, name: &str, new: &Ref) -> Result<()> {
        let expected = None;
        self.inner.refs.swap(Swap {
            name,
            expected,
            new,
        })
    }

    /// One ref.
    ///
    /// # Errors
    /// `NOT_FOUND`, those of the store.
    pub fn read(&self, name: &str) -> Result<Ref> {
        self.inner
            .refs
            .read(name)?
            .ok_or_else(|| Error::no_ref(name))
    }

    /// Refs in the order of their names, from the first one behind `after`.
    ///
    /// # Errors
    /// Those of the store.
    pub fn list(
        &self,
        filter: &Filter,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(String, Ref)>> {
        self.inner.refs.list(filter, after, limit)
    }

    /// The store's clock.
    ///
    /// # Errors
    /// Those of the store.
    pub fn now(&self) -> Result<u64> {
        self.inner.refs.now()
    }

    /// Changes a ref by a transition that needs no new commit. Owners present their epoch.
    ///
    /// Of several callers that try the same at once, one succeeds.
    ///
    /// # Errors
    /// `NOT_FOUND`, `FENCED` for an epoch that is not the present one, `CONFLICT` where the state does
    /// not allow it or somebody else was faster.
    pub fn change(&self, name: &str, epoch: Option<u64>, transition: &Transition) -> Result<Ref> {
        let old = self.read(name)?;
        let new = old.after(transition, epoch, self.inner.refs.now()?)?;
        let expected = Some(old.version());
        let named = match transition {
            Transition::FinishSuspend(commit) | Transition::Checkpoint(commit) => Some(*commit),
            _ => None,
        };
        let swapped = std::cell::Cell::new(false);
        let swap = || {
            if !swapped.get() {
                self.inner.refs.swap(Swap {
                    name,
                    expected,
                    new: &new,
                })?;
                swapped.set(true);
            }
            Ok(())
        };
        match named {
            Some(commit) => self.keep(commit, swap)?,
            None => swap()?,
        }
        Ok(new)
    }

    /// Captures a running or suspending sandbox durably and lets its ref say suspended, with this as
    /// its last commit. The owner's memory can go when this has succeeded, and not before.
    ///
    /// # Errors
    /// `FENCED` where another node owns it by now, `CONFLICT`, those of [`Store::commit`]. The ref is
    /// what it was then, except after `SANDBOX_UNAVAILABLE`: read it.
    pub fn suspend(&self, name: &str, epoch: u64, vfs: &Vfs, capture: &Capture) -> Result<Stored> {
        self.suspend_with(name, epoch, vfs, capture, |_| Ok(()))
    }

    /// [`Store::suspend`], with a say in what the ref becomes: `amend` gets the new ref and may change
    /// deadline and data, or refuse. It is asked again whenever somebody else was faster.
    ///
    /// # Errors
    /// Those of [`Store::suspend`] and of `amend`.
    pub fn suspend_with<E: From<Error>>(
        &self,
        name: &str,
        epoch: u64,
        vfs: &Vfs,
        capture: &Capture,
        amend: impl FnMut(&mut Ref) -> Result<(), E>,
    ) -> Result<Stored, E> {
        let transition = Transition::FinishSuspend;
        self.publish(name, epoch, vfs, capture, transition, amend)
    }

    /// Captures a running sandbox durably, and lets its ref name this as its last commit.
    ///
    /// # Errors
    /// Those of [`Store::suspend`].
    pub fn checkpoint(
        &self,
        name: &str,
        epoch: u64,
        vfs: &Vfs,
        capture: &Capture,
    ) -> Result<Stored> {
        self.checkpoint_with(name, epoch, vfs, capture, |_| Ok(()))
    }

    /// [`Store::checkpoint`], with a say in what the ref becomes, as in [`Store::suspend_with`].
    ///
    /// # Errors
    /// Those of [`Store::suspend_with`].
    pub fn checkpoint_with<E: From<Error>>(
        &self,
        name: &str,
        epoch: u64,
        vfs: &Vfs,
        capture: &Capture,
        amend: impl FnMut(&mut Ref) -> Result<(), E>,
    ) -> Result<Stored, E> {
        let transition = Transition::Checkpoint;
        self.publish(name, epoch, vfs, capture, transition, amend)
    }

    fn publish<E: From<Error>>(
        &self,
        name: &str,
        epoch: u64,
        vfs: &Vfs,
        capture: &Capture,
        transition: impl Fn(ObjectId) -> Transition,
        mut amend: impl FnMut(&mut Ref) -> Result<(), E>,
    ) -> Result<Stored, E> {
        let refs = &self.inner.refs;
        for _ in 0..ATTEMPTS {
            let gc_epoch = refs.gc_epoch()?;
            let old = self.read(name)?;
            // A late owner learns it before anything is stored.
            let mut new = old.after(&transition(ObjectId::default()), Some(epoch), refs.now()?)?;
            amend(&mut new)?;
            let mut capture = capture.clone();
            if capture.parents.is_empty() {
                capture.parents.extend(old.commit);
            }
            self.inner.waiting(gc_epoch)?;
            let last = old.commit.filter(|_| capture.only_changes);
            let mut stored = match last.and_then(|last| self.unless_read(last, vfs)) {
                Some(tree) => self.capture(gc_epoch, vfs, &tree, &capture)?,
                None => self.capture(gc_epoch, vfs, vfs, &capture)?,
            };
            if let Some(last) = last {
                self.reuse(&mut stored, last)?;
            }
            let mut new = old.after(&transition(stored.commit), Some(epoch), refs.now()?)?;
            amend(&mut new)?;
            let swap = Swap {
                name,
                expected: Some(old.version()),
                new: &new,
            };
            let waiting = self.inner.waiting(gc_epoch)?;
            match refs.publish(&*self.inner.objects, &waiting, gc_epoch, swap) {
                Ok(Published::Done(durability)) => {
                    self.inner.pending().forget(&waiting);
                    stored.durability = durability;
                    stored.found = Some(new);
                    return Ok(stored);
                }
                // Somebody changed what does not concern the owner, or the next look says what.
                Ok(Published::Moved) | Err(Error::Conflict { .. }) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(busy_collector().into())
    }

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

fn busy_collector() -> Error {
    Error::conflict("the collector or somebody else was faster again and again")
}

//! The store: commits of filesystems, and refs that name them.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use offshoot_vfs::Vfs;

use crate::cipher::Cipher;
use crate::inner::{Inner, Seal};
use crate::pending::Pending;
use crate::refs::check_name;
use crate::sink::Sink;
use crate::{
    Capture, Commit, Durability, Error, Filter, Kind, MemoryStore, ObjectId, Objects, Omission,
    Pin, Published, Ref, Refs, Result, Swap, Transition,
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

    /// Whether an embedded store lies in a directory; to open one makes it.
    #[cfg(feature = "sqlite")]
    pub fn is_sqlite_at(directory: impl AsRef<std::path::Path>) -> bool {
        crate::SqliteStore::is_at(directory.as_ref())
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
}

fn busy_collector() -> Error {
    Error::conflict("the collector or somebody else was faster again and again")
}

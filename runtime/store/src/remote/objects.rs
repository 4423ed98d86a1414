//! Objects in packs.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use object_store::{ObjectStore, ObjectStoreExt, PutMode, WriteMultipart};

use super::index::{Condemned, Copy, Index, Listed};
use super::{Remote, RemoteOptions, failed, unique};
use crate::{Durability, Error, Object, ObjectId, ObjectInfo, Objects, Result};

/// The version of indexes and marks.
const VERSION: u16 = 1;
const _: () = assert!(VERSION == 1);
/// Bytes of payloads that go into one pack.
const PACK: usize = 32 << 20;
/// Packs above this length are uploaded in parts.
const PARTS: usize = 64 << 20;

/// Objects in an object store, those of one write in one pack. Clones are handles on the same store.
///
/// Which objects there are is read once and kept in memory, about 150 bytes each; what others have
/// written since is looked for where an object is not known.
#[derive(Clone)]
pub struct RemoteObjects(Arc<Inner>);

struct Inner {
    remote: Remote,
    options: RemoteOptions,
    index: Mutex<Index>,
    /// One look at a time for what others have written.
    looking: Mutex<()>,
}

impl RemoteObjects {
    /// The objects below `prefix`.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`, `CORRUPT`, `TOO_NEW`.
    pub fn new(
        store: Arc<dyn ObjectStore>,
        prefix: &str,
        options: RemoteOptions,
    ) -> Result<RemoteObjects> {
        let objects = RemoteObjects(Arc::new(Inner {
            remote: Remote::new(store, prefix)?,
            options,
            index: Mutex::default(),
            looking: Mutex::default(),
        }));
        objects.look()?;
        Ok(objects)
    }

    /// A local directory, durably written. For its refs take a [`crate::SqliteStore`].
    ///
    /// # Errors
    /// Those of [`RemoteObjects::new`].
    pub fn local(directory: impl AsRef<std::path::Path>) -> Result<RemoteObjects> {
        let directory = directory.as_ref();
        std::fs::create_dir_all(directory).map_err(|error| Error::io("create store", &error))?;
        let store = object_store::local::LocalFileSystem::new_with_prefix(directory)
            .map_err(|error| failed("open store", &error))?
            .with_fsync(true);
        let options = RemoteOptions {
            durability: Durability::Local,
            ..RemoteOptions::default()
        };
        RemoteObjects::new(Arc::new(store), "", options)
    }

    fn index(&self) -> MutexGuard<'_, Index> {
        self.0.index.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads indexes and marks that are new, and forgets packs that are gone.
    fn look(&self) -> Result<()> {
        let _one = self
            .0
            .looking
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let remote = &self.0.remote;
        let listed = remote.list("index")?;
        let marks = remote.list("condemned")?;
        let names: BTreeSet<&str> = listed.iter().map(|(name, _)| &name[..]).collect();
        let gone: Vec<_> = {
            let index = self.index();
            let known = index.packs.keys();
            known
                .filter(|name| !names.contains(&name[..]))
                .cloned()
                .collect()
        };
        for name in gone {
            self.index().forget(&name);
        }
        for (name, time) in listed {
            if self.index().packs.contains_key(&name) {
                continue;
            }
            // One that was removed since is gone.
            if let Some((bytes, _)) = remote.get(&remote.path("index", &name))? {
                let found: Listed = decode(&name, &bytes)?;
                self.index().add(name, time, found.copies);
            }
        }
        for (name, time) in marks {
            if self.index().marks.contains(&name) {
                continue;
            }
            if let Some((bytes, _)) = remote.get(&remote.path("condemned", &name))? {
                let found: Condemned = decode(&name, &bytes)?;
                let mut index = self.index();
                index.condemn(time, found);
                index.marks.insert(name);
            }
        }
        Ok(())
    }

    /// Stores objects in a pack of their own, whether they are known or not.
    fn write(&self, objects: &[Object]) -> Result<()> {
        let remote = &self.0.remote;
        let mut pack = Vec::with_capacity(objects.iter().map(|object| object.payload.len()).sum());
        let mut copies = Vec::with_capacity(objects.len());
        for object in objects {
            copies.push(Copy {
                id: object.id,
                kind: object.kind as u8,
                offset: pack.len() as u64,
                length: object.payload.len() as u64,
            });
            pack.extend_from_slice(&object.payload);
        }
        let name = unique();
        let put = |error: object_store::Error| failed("write objects", &error);
        self.upload(&name, pack).map_err(put)?;
        let listed = encode(&Listed {
            version: VERSION,
            copies: copies.clone(),
        })?;
        let path = remote.path("index", &name);
        remote.put(&path, listed, PutMode::Create).map_err(put)?;
        let (store, at) = (Arc::clone(&remote.store), path);
        let meta = remote.bridge.wait(async move { store.head(&at).await });
        let time = meta.map_err(put)?.last_modified.timestamp_millis();
        let time = u64::try_from(time).unwrap_or(0);
        self.index().add(name, time, copies);
        Ok(())
    }

    fn upload(&self, name: &str, pack: Vec<u8>) -> object_store::Result<()> {
        let remote = &self.0.remote;
        let path = remote.path("packs", name);
        if pack.len() <= PARTS {
            return remote.put(&path, pack, PutMode::Create);
        }
        let store = Arc::clone(&remote.store);
        remote.bridge.wait(async move {
            let mut upload = WriteMultipart::new(store.put_multipart(&path).await?);
            upload.write(&pack);
            upload.finish().await.map(drop)
        })
    }

    fn find(&self, id: ObjectId) -> Option<(String, Copy)> {
        let index = self.index();
        let (name, copy) = index.find(id)?;
        Some((name.to_owned(), copy.clone()))
    }

    fn read(&self, id: ObjectId, name: &str, copy: &Copy) -> Result<Option<Object>> {
        let remote = &self.0.remote;
        let (store, path) = (Arc::clone(&remote.store), remote.path("packs", name));
        let range = copy.offset..copy.offset + copy.length;
        let payload = if range.is_empty() {
            Bytes::new()
        } else {
            let read = remote
                .bridge
                .wait(async move { store.get_range(&path, range).await });
            match read {
                Ok(payload) => payload,
                Err(object_store::Error::NotFound { .. }) => return Ok(None),
                Err(error) => return Err(failed("read object", &error)),
            }
        };
        if payload.len() as u64 != copy.length {
            return Err(Error::damaged(id, "it has another length"));
        }
        let kind = self.index().kind(copy)?;
        Ok(Some(Object { id, kind, payload }))
    }

    /// Takes copies out of their packs. A pack without any goes whole.
    fn drop_copies(&self, gone: BTreeMap<String, Vec<ObjectId>>) -> Result<()> {
        let remote = &self.0.remote;
        for (name, ids) in gone {
            let left: Vec<Copy> = {
                let mut index = self.index();
                ids.iter().for_each(|id| index.drop_copy(&name, *id));
                let pack = index.packs.get(&name);
                pack.map(|pack| pack.copies.values().cloned().collect())
                    .unwrap_or_default()
            };
            if left.is_empty() {
                // First the index, so that nobody finds what is about to go.
                remote.delete(&remote.path("index", &name))?;
                remote.delete(&remote.path("packs", &name))?;
                self.index().forget(&name);
                continue;
            }
            let size: u64 = left.iter().map(|copy| copy.length).sum();
            let listed = encode(&Listed {
                version: VERSION,
                copies: left.clone(),
            })?;
            let path = remote.path("index", &name);
            remote
                .put(&path, listed, PutMode::Overwrite)
                .map_err(|error| failed("shrink index", &error))?;
            self.repack(&name, &left, size)?;
        }
        Ok(())
    }

    /// Moves what is left of a pack that is mostly holes to a new one.
    fn repack(&self, name: &str, left: &[Copy], size: u64) -> Result<()> {
        let end = left.iter().map(|copy| copy.offset + copy.length).max();
        if size * 2 >= end.unwrap_or(0) {
            return Ok(());
        }
        let mut objects = Vec::with_capacity(left.len());
        for copy in left {
            let object = self.read(copy.id, name, copy)?;
            objects.push(object.ok_or_else(|| Error::no_object(copy.id))?.verify()?);
        }
        self.write(&objects)?;
        // Condemned copies have become unmarked ones, which only means that they stay longer. The
        // old pack goes when the collector comes again: others may be reading from it.
        let copies = left.iter().map(|copy| copy.id).collect();
        self.mark(BTreeMap::from([(name.to_owned(), copies)]))
    }

    fn mark(&self, copies: BTreeMap<String, Vec<ObjectId>>) -> Result<()> {
        if copies.is_empty() {
            return Ok(());
        }
        let remote = &self.0.remote;
        let marks = encode(&Condemned {
            version: VERSION,
            copies,
        })?;
        remote
            .put(&remote.path("condemned", &unique()), marks, PutMode::Create)
            .map_err(|error| failed("condemn objects", &error))?;
        self.look()
    }
}

impl Objects for RemoteObjects {
    fn put(&self, objects: &[Object]) -> Result<()> {
        let missing: Vec<Object> = {
            let index = self.index();
            let new = |object: &&Object| index.staying(object.id).is_empty();
            objects.iter().filter(new).cloned().collect()
        };
        let mut rest = &missing[..];
        while !rest.is_empty() {
            let mut size = 0;
            let fits = rest.iter().take_while(|object| {
                size += object.payload.len();
                size <= PACK
            });
            let (pack, after) = rest.split_at(fits.count().max(1));
            self.write(pack)?;
            rest = after;
        }
        Ok(())
    }

    fn flush(&self) -> Result<Durability> {
        // The service's answer to each write was the promise.
        Ok(self.0.options.durability)
    }

    fn get(&self, id: ObjectId) -> Result<Object> {
        // A copy may be gone since it was found, and another one be there: moved, or stored anew.
        for _ in 0..3 {
            if let Some((name, copy)) = self.find(id)
                && let Some(object) = self.read(id, &name, &copy)?
            {
                return Ok(object);
            }
            self.look()?;
        }
        match self.find(id) {
            Some(_) => Err(Error::damaged(id, "its pack is missing")),
            None => Err(Error::no_object(id)),
        }
    }

    fn contains(&self, ids: &[ObjectId]) -> Result<Vec<bool>> {
        let ask = || -> Vec<bool> {
            let index = self.index();
            ids.iter()
                .map(|id| !index.staying(*id).is_empty())
                .collect()
        };
        let known = ask();
        if known.contains(&false) {
            self.look()?;
            return Ok(ask());
        }
        Ok(known)
    }

    fn list(&self, after: Option<ObjectId>, limit: usize) -> Result<Vec<ObjectInfo>> {
        if after.is_none() {
            self.look()?;
        }
        let index = self.index();
        let start = after.map_or(Bound::Unbounded, Bound::Excluded);
        let objects = index.places.range((start, Bound::Unbounded));
        let info = |(id, _): (&ObjectId, _)| ObjectInfo {
            id: *id,
            length: index.find(*id).map_or(0, |(_, copy)| copy.length),
            stored_at: index.stored_at(*id),
            condemned_at: index.condemned_at(*id),
        };
        Ok(objects.take(limit).map(info).collect())
    }

    fn condemn(&self, ids: &[ObjectId]) -> Result<()> {
        let mut copies: BTreeMap<String, Vec<ObjectId>> = BTreeMap::new();
        for id in ids {
            for name in self.index().staying(*id) {
                copies.entry(name).or_default().push(*id);
            }
        }
        self.mark(copies)
    }

    fn reprieve(&self, ids: &[ObjectId]) -> Result<()> {
        // A mark is for ever, so what is wanted again is copied.
        let mut objects = Vec::new();
        for id in ids {
            let gone = self.index().staying(*id).is_empty();
            if gone
                && let Some((name, copy)) = self.find(*id)
                && let Some(object) = self.read(*id, &name, &copy)?
            {
                objects.push(object.verify()?);
            }
        }
        Objects::put(self, &objects)
    }

    fn remove(&self, ids: &[ObjectId], condemned_before: u64) -> Result<u64> {
        self.look()?;
        let mut gone: BTreeMap<String, Vec<ObjectId>> = BTreeMap::new();
        let mut removed = 0;
        {
            let index = self.index();
            for id in ids {
                let places = index.places.get(id).into_iter().flatten();
                let ripe = |name: &&String| index.is_ripe(name, *id, condemned_before);
                let ripe: Vec<&String> = places.clone().filter(ripe).collect();
                removed += u64::from(!ripe.is_empty() && ripe.len() == places.count());
                for name in ripe {
                    gone.entry(name.clone()).or_default().push(*id);
                }
            }
        }
        self.drop_copies(gone)?;
        Ok(removed)
    }

    fn quarantine(&self, id: ObjectId) -> Result<()> {
        let places: Vec<String> = {
            let index = self.index();
            index
                .places
                .get(&id)
                .into_iter()
                .flatten()
                .cloned()
                .collect()
        };
        let remote = &self.0.remote;
        for name in &places {
            let copy = self
                .index()
                .packs
                .get(name)
                .and_then(|pack| pack.copies.get(&id).cloned());
            if let Some(copy) = copy
                && let Ok(Some(object)) = self.read(id, name, &copy)
            {
                let path = remote.path("quarantine", &format!("{id}-{}", unique()));
                remote
                    .put(&path, object.payload.to_vec(), PutMode::Create)
                    .map_err(|error| failed("quarantine object", &error))?;
            }
        }
        self.drop_copies(places.into_iter().map(|name| (name, vec![id])).collect())
    }

    fn refresh(&self) -> Result<()> {
        self.look()
    }

    fn footprint(&self) -> Result<Option<u64>> {
        let index = self.index();
        let copies = index.packs.values().flat_map(|pack| pack.copies.values());
        Ok(Some(copies.map(|copy| copy.length).sum()))
    }
}

fn encode(value: &impl serde::Serialize) -> Result<Vec<u8>> {
    postcard::to_stdvec(value).map_err(|_| Error::Limit {
        what: "size of an index",
    })
}

fn decode<T: serde::de::DeserializeOwned>(name: &str, bytes: &[u8]) -> Result<T> {
    // Both begin with their version.
    match postcard::take_from_bytes::<u16>(bytes) {
        Ok((version, _)) if version > VERSION => Err(Error::TooNew {
            found: version.into(),
            supported: VERSION.into(),
        }),
        _ => postcard::from_bytes(bytes).map_err(|_| Error::Corrupt {
            what: format!("index {name}"),
            reason: "it makes no sense",
        }),
    }
}

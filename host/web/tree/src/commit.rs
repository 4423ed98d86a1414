//! Trees as commits of the native store: the same objects, the same containers.
//!
//! Where objects lie is the host's business, and its stores answer later. So a commit comes and goes as a list
//! of objects: the host stores what is new, and brings everything that a commit leads to.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use offshoot_store::{
    Commit, Error, Export, Import, Kind, MemoryStore, Object, ObjectId, Objects, Store, targets,
};
use offshoot_vfs::{ObjectKind, ObjectSink, Options, Quotas, Vfs};

use crate::bindings::exports::offshoot::web::trees::{
    Capture, CommitFacts, Container, Named, Refusal, StoredObject,
};
use crate::convert;

type Answer<T> = Result<T, Refusal>;

/// What the host has stored of a tree, as far as is known.
pub(crate) struct Stored {
    seal: u64,
    known: HashSet<ObjectId>,
    last: Option<Last>,
}

/// The last commit, and the tree as it was then.
struct Last {
    commit: Commit,
    object: Object,
    vfs: Vfs,
}

impl Default for Stored {
    /// Nothing. Its number was never used, so that no node counts as stored.
    fn default() -> Stored {
        static NEXT: AtomicU64 = AtomicU64::new(1 << 32);
        Stored {
            seal: NEXT.fetch_add(1, Ordering::Relaxed),
            known: HashSet::new(),
            last: None,
        }
    }
}

/// Collects what is not known to be stored.
struct Sink<'a> {
    stored: &'a mut Stored,
    new: Vec<StoredObject>,
}

impl Sink<'_> {
    fn add(&mut self, object: Object) -> ObjectId {
        let id = object.id;
        if self.stored.known.insert(id) {
            self.new.push(object.into());
        }
        id
    }
}

impl ObjectSink for Sink<'_> {
    type Error = offshoot_vfs::Error;

    fn seal(&self) -> u64 {
        self.stored.seal
    }

    fn holds(&mut self, id: ObjectId) -> Result<bool, Self::Error> {
        Ok(self.stored.known.contains(&id))
    }

    fn put(&mut self, kind: ObjectKind, payload: Vec<u8>) -> Result<ObjectId, Self::Error> {
        Ok(self.add(Object::new(kind.into(), payload)))
    }
}

/// The objects that a commit of the tree adds, the commit last; the last commit where it would be like that.
///
/// # Errors
/// Where a part of the tree cannot be read, or the capture is too large.
pub(crate) fn save(vfs: &Vfs, capture: Capture, stored: &mut Stored) -> Answer<Vec<StoredObject>> {
    let new = Vec::new();
    let last = stored.last.take();
    let mut sink = Sink { stored, new };
    // Times of reading alone are no change; what cannot be compared counts as changed.
    let state = last
        .as_ref()
        .filter(|last| vfs.is_only_read_since(&last.vfs).unwrap_or(false))
        .map_or(vfs, |last| &last.vfs)
        .fork();
    let saved = state.save(&mut sink).map_err(convert::refusal)?;
    let settings = capture.settings;
    let length = settings.len() as u64;
    let settings = (sink.add(Object::new(Kind::Settings, settings)), length);
    let mut sessions = BTreeMap::new();
    for session in capture.sessions {
        let length = session.bytes.len() as u64;
        let id = sink.add(Object::new(Kind::Session, session.bytes));
        sessions.insert(session.name, (id, length));
    }
    let parent = capture.parent.as_deref().map(id_of).transpose()?;
    let commit = Commit {
        parents: parent.into_iter().collect(),
        tree: saved.id,
        bytes: saved.usage.bytes,
        files: saved.usage.inodes,
        sessions,
        settings: Some(settings),
        caps: Default::default(),
        omitted: Vec::new(),
        created: capture.created,
        label: None,
        metadata: BTreeMap::new(),
        engine: capture.engine,
    };
    let mut objects = sink.new;
    let again =
        last.filter(|last| parent == Some(last.object.id) && is_like(&last.commit, &commit));
    let (commit, object) = match again {
        Some(last) => (last.commit, last.object),
        None => {
            let object = commit.encode().map_err(refusal)?;
            (commit, object)
        }
    };
    objects.push(object.clone().into());
    let vfs = state;
    stored.last = Some(Last {
        commit,
        object,
        vfs,
    });
    Ok(objects)
}

/// Whether a sandbox that is brought back from one is the same as from the other.
fn is_like(one: &Commit, other: &Commit) -> bool {
    (one.tree, &one.sessions, &one.settings, &one.caps)
        == (other.tree, &other.sessions, &other.settings, &other.caps)
        && one.omitted == other.omitted
}

/// A commit of the state of `commit` behind `before`.
///
/// # Errors
/// Where it is damaged or too new.
pub(crate) fn restored(
    commit: StoredObject,
    before: &[u8],
    label: String,
    created: u64,
) -> Answer<StoredObject> {
    let commit = intact(commit)?;
    let again = Commit {
        parents: vec![id_of(before)?, commit.id],
        label: Some(label),
        created,
        ..Commit::decode(&commit).map_err(refusal)?
    };
    Ok(again.encode().map_err(refusal)?.into())
}

/// The tree of a commit, whole and checked, and what its store has of it.
///
/// # Errors
/// Where an object is missing or damaged, or the tree is larger than the quotas of `options`.
pub(crate) fn load(
    commit: &[u8],
    objects: Vec<StoredObject>,
    options: Options,
) -> Answer<(Vfs, Stored)> {
    let object = objects.iter().find(|object| object.id == commit);
    let object = object.cloned().map(intact).transpose()?;
    let (store, known) = filled(objects)?;
    let restored = store.checkout(id_of(commit)?, options).map_err(refusal)?;
    restored.vfs.verify(true).map_err(damaged)?;
    let last = object.map(|object| Last {
        commit: restored.commit,
        object,
        vfs: restored.vfs.fork(),
    });
    let stored = Stored {
        known,
        last,
        ..Stored::default()
    };
    Ok((restored.vfs, stored))
}

/// The names that an object leads to.
///
/// # Errors
/// Where it is damaged or too new.
pub(crate) fn links(object: StoredObject) -> Answer<Vec<Vec<u8>>> {
    let found = targets(&intact(object)?, None).map_err(refusal)?;
    Ok(found
        .into_iter()
        .map(|target| target.id.0.to_vec())
        .collect())
}

/// What a commit says.
///
/// # Errors
/// Where it is damaged or too new.
pub(crate) fn facts(commit: StoredObject) -> Answer<CommitFacts> {
    let commit = Commit::decode(&intact(commit)?).map_err(refusal)?;
    let named = |(name, (id, _)): (String, (ObjectId, u64))| Named {
        name,
        id: id.0.to_vec(),
    };
    Ok(CommitFacts {
        bytes: commit.bytes,
        files: commit.files,
        created: commit.created,
        parent: commit.parents.first().map(|id| id.0.to_vec()),
        label: commit.label,
        settings: commit.settings.map(|(id, _)| id.0.to_vec()),
        sessions: commit.sessions.into_iter().map(named).collect(),
    })
}

/// A container of a commit, without a seal.
///
/// # Errors
/// Where an object is missing or damaged.
pub(crate) fn pack(container: Container) -> Answer<Vec<u8>> {
    let commit = id_of(&container.commit)?;
    let (store, _) = filled(container.objects)?;
    let options = Export {
        name: container.name,
        epoch: container.epoch,
        key: None,
    };
    let mut bytes = Vec::new();
    store
        .export(commit, &options, &mut bytes)
        .map_err(refusal)?;
    Ok(bytes)
}

/// What a container without a seal holds.
///
/// # Errors
/// For anything that is not as it was exported, and a tree that is larger than `quotas`.
pub(crate) fn unpack(mut bytes: &[u8], quotas: Quotas) -> Answer<Container> {
    let (memory, store) = empty()?;
    let options = Import {
        quotas,
        ..Import::default()
    };
    let header = store.import(&options, &mut bytes).map_err(refusal)?;
    let mut objects = Vec::new();
    for info in memory.list(None, usize::MAX).map_err(refusal)? {
        objects.push(memory.get(info.id).map_err(refusal)?.into());
    }
    Ok(Container {
        name: header.name,
        epoch: header.epoch,
        commit: header.commit.0.to_vec(),
        objects,
    })
}

fn empty() -> Answer<(Arc<MemoryStore>, Store)> {
    let memory = Arc::new(MemoryStore::new());
    let store = Store::new(memory.clone(), memory.clone()).map_err(refusal)?;
    Ok((memory, store))
}

/// A store of these objects, and their names.
fn filled(objects: Vec<StoredObject>) -> Answer<(Store, HashSet<ObjectId>)> {
    let (memory, store) = empty()?;
    let objects: Vec<Object> = objects.into_iter().map(intact).collect::<Answer<_>>()?;
    memory.put(&objects).map_err(refusal)?;
    let known = objects.iter().map(|object| object.id).collect();
    Ok((store, known))
}

/// An object that is what its name says.
fn intact(object: StoredObject) -> Answer<Object> {
    let kind = Kind::from_number(object.kind).map_err(refusal)?;
    let found = Object::new(kind, object.payload);
    match found.id == id_of(&object.id)? {
        true => Ok(found),
        false => Err(Refusal::Corrupt),
    }
}

fn id_of(bytes: &[u8]) -> Answer<ObjectId> {
    let id = bytes.try_into().map_err(|_| Refusal::Corrupt)?;
    Ok(ObjectId(id))
}

impl From<Object> for StoredObject {
    fn from(object: Object) -> StoredObject {
        StoredObject {
            id: object.id.0.to_vec(),
            kind: object.kind as u8,
            payload: object.payload.to_vec(),
        }
    }
}

fn refusal(error: Error) -> Refusal {
    match error {
        Error::TooNew { .. } => Refusal::TooNew,
        Error::Limit { .. } => convert::refusal(offshoot_vfs::Error::NoSpace),
        Error::Vfs(error) => damaged(error),
        _ => Refusal::Corrupt,
    }
}

/// What does not fit is told apart; whatever else is wrong lies in the objects.
fn damaged(error: offshoot_vfs::Error) -> Refusal {
    match error {
        offshoot_vfs::Error::NoSpace => convert::refusal(error),
        _ => Refusal::Corrupt,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::bindings::exports::offshoot::web::trees::NamedBytes;
    use offshoot_store::Capture as NativeCapture;
    use offshoot_vfs::Caller;

    const ROOT: Caller = Caller::ROOT;

    fn capture(parent: Option<Vec<u8>>) -> Capture {
        let session = NamedBytes {
            name: "main".into(),
            bytes: b"state".to_vec(),
        };
        Capture {
            parent,
            settings: b"{}".to_vec(),
            sessions: vec![session],
            engine: "test 1".into(),
            created: 7,
        }
    }

    fn filled_tree() -> Vfs {
        let vfs = Vfs::new(Options::default());
        vfs.write_file(&ROOT, vfs.root(), b"/large", &[7; 200_000], 0o600)
            .unwrap();
        vfs.write_file(&ROOT, vfs.root(), b"/small", b"text", 0o644)
            .unwrap();
        vfs
    }

    fn objects_of(memory: &MemoryStore) -> Vec<StoredObject> {
        let infos = memory.list(None, usize::MAX).unwrap();
        let object = |id| memory.get(id).unwrap().into();
        infos.into_iter().map(|info| object(info.id)).collect()
    }

    #[test]
    fn what_the_native_store_wrote_is_read_here_and_back() {
        let vfs = filled_tree();
        let memory = Arc::new(MemoryStore::new());
        let native = Store::new(memory.clone(), memory.clone()).unwrap();
        let captured = NativeCapture {
            settings: Some(b"{}".to_vec().into()),
            ..NativeCapture::default()
        };
        let first = native.snapshot("pin", &vfs, &captured).unwrap().commit;

        let (here, mut stored) = load(&first.0, objects_of(&memory), Options::default()).unwrap();
        assert_eq!(offshoot_vfs::diff(&vfs, &here).unwrap(), vec![]);
        here.write_file(&ROOT, here.root(), b"/small", b"other", 0o644)
            .unwrap();
        let parent = Some(first.0.to_vec());
        let new = save(&here, capture(parent), &mut stored).unwrap();
        let size: usize = new.iter().map(|object| object.payload.len()).sum();
        assert!(size < 2000, "only what changed: {size} bytes");

        let objects: Vec<Object> = new.into_iter().map(|one| intact(one).unwrap()).collect();
        let second = objects.last().unwrap().id;
        memory.put(&objects).unwrap();
        let back = native.checkout(second, Options::default()).unwrap();
        assert_eq!(offshoot_vfs::diff(&here, &back.vfs).unwrap(), vec![]);
        assert_eq!(back.commit.parents, [first]);
        assert_eq!(back.sessions["main"], "state");
        assert_eq!(back.settings.unwrap(), "{}");
    }

    #[test]
    fn a_native_tree_and_this_one_are_the_same_objects() {
        let vfs = filled_tree();
        let native = Store::memory();
        let commit = native
            .commit(&vfs, &NativeCapture::default())
            .unwrap()
            .commit;
        let tree = native.get_commit(commit).unwrap().tree;
        let objects = save(&vfs.fork(), capture(None), &mut Stored::default()).unwrap();
        assert!(objects.iter().any(|object| object.id == tree.0));
        // Nothing new the second time but what was not stored.
        let mut stored = Stored::default();
        let all = save(&vfs, capture(None), &mut stored).unwrap();
        assert_eq!(save(&vfs, capture(None), &mut stored).unwrap().len(), 1);
        assert_eq!(
            save(&vfs, capture(None), &mut Stored::default())
                .unwrap()
                .len(),
            all.len()
        );
    }

    #[test]
    fn containers_go_both_ways() {
        let vfs = filled_tree();
        let native = Store::memory();
        let commit = native
            .commit(&vfs, &NativeCapture::default())
            .unwrap()
            .commit;
        let options = Export {
            name: "box".into(),
            epoch: 3,
            key: None,
        };
        let mut bytes = Vec::new();
        native.export(commit, &options, &mut bytes).unwrap();
        let unpacked = unpack(&bytes, Quotas::default()).unwrap();
        assert_eq!((unpacked.name.as_str(), unpacked.epoch), ("box", 3));
        assert_eq!(pack(unpacked).unwrap(), bytes);

        let mut objects = save(&vfs, capture(None), &mut Stored::default()).unwrap();
        let commit = objects.last().unwrap().id.clone();
        let container = |objects| Container {
            name: "box".into(),
            epoch: 4,
            commit: commit.clone(),
            objects,
        };
        let bytes = pack(container(objects.clone())).unwrap();
        let header = native.import(&Import::default(), &mut &bytes[..]).unwrap();
        let back = native.checkout(header.commit, Options::default()).unwrap();
        assert_eq!(offshoot_vfs::diff(&vfs, &back.vfs).unwrap(), vec![]);

        let cut = unpack(&bytes[..bytes.len() - 1], Quotas::default());
        assert!(matches!(cut, Err(Refusal::Corrupt)));
        objects.remove(0);
        assert!(matches!(pack(container(objects)), Err(Refusal::Corrupt)));
    }

    #[test]
    fn damage_is_found() {
        let objects = save(&filled_tree(), capture(None), &mut Stored::default()).unwrap();
        let commit = objects.last().unwrap().id.clone();
        for at in 0..objects.len() {
            let mut fewer = objects.clone();
            let lost = fewer.remove(at);
            assert!(load(&commit, fewer, Options::default()).is_err(), "{at}");
            let mut changed = objects.clone();
            changed[at].payload.push(0);
            assert!(load(&commit, changed, Options::default()).is_err(), "{at}");
            assert!(links(lost).is_ok());
        }
        let all = facts(objects.last().unwrap().clone()).unwrap();
        assert_eq!((all.created, all.sessions.len()), (7, 1));
    }
}

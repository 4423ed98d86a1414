//! Containers: what was exported comes back, and nothing else does.

use std::sync::Arc;

use offshoot_store::{Error, Export, Import, Key, Kind, MemoryStore, Object, Objects, Root, Store};
use offshoot_vfs::{Options, Quotas, Vfs};
use proptest::prelude::*;

use crate::support::*;

fn exported(fs: &Vfs, key: Option<Key>) -> Vec<u8> {
    let store = Store::memory();
    let commit = store.commit(fs, &capture()).unwrap().commit;
    let options = Export {
        name: "box".into(),
        epoch: 7,
        key,
    };
    let mut bytes = Vec::new();
    store.export(commit, &options, &mut bytes).unwrap();
    bytes
}

fn import(bytes: &[u8], options: &Import) -> Result<(Store, offshoot_store::Header), Error> {
    let memory = Arc::new(MemoryStore::new());
    let store = Store::new(memory.clone(), memory.clone()).unwrap();
    match store.import(options, &mut &bytes[..]) {
        Ok(header) => Ok((store, header)),
        Err(error) => {
            assert!(
                memory.list(None, 1).unwrap().is_empty(),
                "something was stored"
            );
            Err(error)
        }
    }
}

fn key() -> Key {
    Key::derive(b"a secret of this test")
}

fn sealed() -> Import {
    Import {
        key: Some(key()),
        ..Import::default()
    }
}

#[test]
fn what_was_exported_comes_back() {
    let fs = variety();
    for key in [None, Some(key())] {
        let bytes = exported(&fs, key.clone());
        let options = Import {
            key,
            name: Some("box".into()),
            at_least: 7,
            ..Import::default()
        };
        let (store, header) = import(&bytes, &options).unwrap();
        assert_eq!(header.epoch, 7);
        let back = store.checkout(header.commit, Options::default()).unwrap();
        assert_same(&dump(&back.vfs), &dump(&fs));
        assert_eq!(back.sessions["main"], "cwd=/tmp");
        // The same state makes the same bytes.
        let mut again = Vec::new();
        let export = Export {
            name: "box".into(),
            epoch: 7,
            key: options.key,
        };
        store.export(header.commit, &export, &mut again).unwrap();
        assert!(again == bytes);
    }
}

#[test]
fn t42_a_tampered_container_is_refused() {
    let bytes = exported(&files(5, 300), Some(key()));
    let step = if slow() { 1 } else { 7 };
    for at in (0..bytes.len()).step_by(step) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        assert!(import(&flipped, &sealed()).is_err(), "flipped at {at}");
        assert!(import(&bytes[..at], &sealed()).is_err(), "cut at {at}");
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(import(&longer, &sealed()).is_err());
    let error = |options: &Import| import(&bytes, options).err().unwrap().code();
    let other = Import {
        key: Some(Key::derive(b"another secret")),
        ..Import::default()
    };
    assert_eq!(error(&other), "CORRUPT");
    assert_eq!(error(&Import::default()), "CORRUPT");
    let unsealed = exported(&files(5, 300), None);
    assert_eq!(
        import(&unsealed, &sealed()).err().unwrap().code(),
        "CORRUPT"
    );
    let newer = Import {
        at_least: 8,
        ..sealed()
    };
    assert_eq!(error(&newer), "FENCED");
    let named = Import {
        name: Some("other box".into()),
        ..sealed()
    };
    assert_eq!(error(&named), "CORRUPT");
}

/// D12: an older root is put back.
#[test]
fn a_rolled_back_root_is_found() {
    let root = |epoch, seq| Root {
        name: "box".into(),
        commit: offshoot_vfs::ObjectId([epoch as u8; 32]),
        epoch,
        seq,
    };
    let seal = key().seal(&root(4, 9)).unwrap();
    assert_eq!(key().open(&seal, (4, 9)).unwrap(), root(4, 9));
    assert_eq!(key().open(&seal, (0, 0)).unwrap(), root(4, 9));
    for newer in [(4, 10), (5, 0)] {
        assert_eq!(key().open(&seal, newer).unwrap_err().code(), "FENCED");
    }
    let mut forged = seal.clone();
    forged.root.epoch = 5;
    assert_eq!(key().open(&forged, (5, 0)).unwrap_err().code(), "CORRUPT");
    let other = Key::derive(b"x");
    assert_eq!(other.open(&seal, (0, 0)).unwrap_err().code(), "CORRUPT");
}

#[test]
fn the_limits_of_an_import_apply() {
    let bytes = exported(&files(50, 300), None);
    let small = Import {
        max_bytes: 1000,
        ..Import::default()
    };
    assert_eq!(import(&bytes, &small).err().unwrap().code(), "LIMIT");
    let quotas = Quotas {
        inodes: 10,
        ..Quotas::default()
    };
    let few = Import {
        quotas,
        ..Import::default()
    };
    assert_eq!(import(&bytes, &few).err().unwrap().code(), "LIMIT");
}

/// A container with these objects, as somebody would forge it.
fn forged(commit: offshoot_vfs::ObjectId, objects: &[Object], versions: [u16; 4]) -> Vec<u8> {
    let mut bytes = b"OFFSHOOT".to_vec();
    for version in versions {
        bytes.extend(version.to_le_bytes());
    }
    let header = offshoot_store::Header {
        algorithm: "blake3".into(),
        name: String::new(),
        epoch: 0,
        commit,
        objects: objects.len() as u64,
        bytes: objects
            .iter()
            .map(|object| object.payload.len() as u64)
            .sum(),
    };
    let header = postcard::to_stdvec(&header).unwrap();
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header);
    for object in objects {
        bytes.push(object.kind as u8);
        bytes.extend((object.payload.len() as u32).to_le_bytes());
        bytes.extend(&object.payload[..]);
    }
    let checksum = blake3::hash(&bytes);
    bytes.extend(checksum.as_bytes());
    bytes
}

/// All objects of a commit.
fn objects_of(fs: &Vfs) -> (offshoot_vfs::ObjectId, Vec<Object>) {
    let (memory, store) = memory();
    let commit = store.snapshot("s", fs, &capture()).unwrap().commit;
    let all = memory.list(None, usize::MAX).unwrap();
    let all = all
        .iter()
        .map(|info| memory.get(info.id).unwrap())
        .collect();
    (commit, all)
}

const NOW: [u16; 4] = [1, 1, 1, 0];

#[test]
fn a_newer_container_is_too_new() {
    let (commit, objects) = objects_of(&files(3, 10));
    import(&forged(commit, &objects, NOW), &Import::default()).unwrap();
    for versions in [[2, 1, 1, 0], [1, 2, 2, 0], [1, 9, 9, 0]] {
        let error = import(&forged(commit, &objects, versions), &Import::default());
        assert_eq!(error.err().unwrap().code(), "TOO_NEW", "{versions:?}");
    }
    // Newer, but still readable.
    import(&forged(commit, &objects, [1, 2, 1, 0]), &Import::default()).unwrap();
}

#[test]
fn t43_a_hostile_container_is_refused() {
    let (commit, objects) = objects_of(&variety());
    let refused = |commit, objects: &[Object], what: &str| {
        let result = import(&forged(commit, objects, NOW), &Import::default());
        let code = result.err().unwrap_or_else(|| panic!("{what}")).code();
        assert!(
            ["CORRUPT", "LIMIT", "EIO"].contains(&code),
            "{what}: {code}"
        );
    };
    for index in 0..objects.len() {
        let mut fewer = objects.clone();
        fewer.remove(index);
        refused(commit, &fewer, "an object is missing");
    }
    let mut more = objects.clone();
    more.push(Object::new(Kind::Chunk, vec![1, 2, 3]));
    refused(commit, &more, "an object too many");
    more.pop();
    more.push(more[0].clone());
    refused(commit, &more, "an object twice");
    for object in &objects {
        refused(
            object.id,
            &objects,
            if object.id == commit {
                continue;
            } else {
                "no commit"
            },
        );
    }
    let mut long = forged(commit, &objects[..0], NOW);
    long.truncate(long.len() - 32);
    long.extend([8, 255, 255, 255, 255]);
    let checksum = blake3::hash(&long);
    long.extend(checksum.as_bytes());
    assert_eq!(
        import(&long, &Import::default()).err().unwrap().code(),
        "CORRUPT"
    );
}

/// Changes a node of a small tree and everything that leads to it, so that all ids fit.
fn with_changed_node(
    objects: &[Object],
    kind: Kind,
    at: usize,
    byte: u8,
) -> Option<(offshoot_vfs::ObjectId, Vec<Object>)> {
    let mut objects = objects.to_vec();
    let index = objects.iter().position(|object| object.kind == kind)?;
    let mut payload = objects[index].payload.to_vec();
    let at = at % payload.len();
    if payload[at] == byte {
        return None;
    }
    payload[at] = byte;
    let mut renamed = vec![(objects[index].id, Object::new(kind, payload.clone()).id)];
    objects[index] = Object::new(kind, payload);
    while let Some((old, new)) = renamed.pop() {
        for object in &mut objects {
            let mut payload = object.payload.to_vec();
            let found = payload.windows(32).position(|window| window == old.0);
            if let Some(found) = found {
                payload[found..found + 32].copy_from_slice(&new.0);
                let changed = Object::new(object.kind, payload);
                renamed.push((object.id, changed.id));
                *object = changed;
            }
        }
    }
    let commit = objects
        .iter()
        .find(|object| object.kind == Kind::Commit)?
        .id;
    Some((commit, objects))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(if slow() { 6_000 } else { 1500 }))]
    /// Whatever a node says, it is refused or it is a tree that works: no panic, no endless loop.
    #[test]
    fn t43_a_forged_node_does_no_harm(kind in 2u8..6, at: usize, byte: u8) {
        static SMALL: std::sync::OnceLock<Vec<Object>> = std::sync::OnceLock::new();
        let objects = SMALL.get_or_init(|| {
            let fs = files(40, 20);
            write(&fs, "/large", &pattern(200_000));
            fs.link(&ROOT, (fs.root(), b"/large"), (fs.root(), b"/d0/link"), false).unwrap();
            fs.symlink(&ROOT, b"large", fs.root(), b"/symlink").unwrap();
            objects_of(&fs).1
        });
        let kind = Kind::from_number(kind).unwrap();
        if let Some((commit, objects)) = with_changed_node(objects, kind, at, byte) {
            let container = forged(commit, &objects, NOW);
            if let Ok((store, header)) = import(&container, &Import::default()) {
                let back = store.checkout(header.commit, Options::default()).unwrap().vfs;
                try_dump(&back).unwrap();
                back.write_file(&ROOT, back.root(), b"/d0/new", b"x", 0o644).unwrap();
                let _ = back.remove_tree(&ROOT, back.root(), b"/d0");
                let _ = back.remove_tree(&ROOT, back.root(), b"/large");
                back.verify(true).unwrap();
            }
            // Without the look at everything, as from a store that is trusted.
            let memory = Arc::new(MemoryStore::new());
            memory.put(&objects).unwrap();
            let store = Store::new(memory.clone(), memory).unwrap();
            if let Ok(back) = store.checkout(commit, Options::default()) {
                let root = back.vfs.root();
                let _ = try_dump_loosely(&back.vfs);
                let _ = back.vfs.write_file(&ROOT, root, b"/d0/new", b"x", 0o644);
                let _ = back.vfs.set_size(&ROOT, root, b"/large", 100);
                let _ = back.vfs.remove_tree(&ROOT, root, b"/large");
            }
        }
    }
}

/// Looks at the directories of a tree that may lead in circles.
fn try_dump_loosely(fs: &Vfs) -> offshoot_vfs::Result<()> {
    for path in [&b"/"[..], b"/d0", b"/d0/.."] {
        for entry in fs.read_dir(&ROOT, fs.root(), path)? {
            let below = [path, b"/", &entry.name].concat();
            let _ = fs.read_file(&ROOT, fs.root(), &below);
        }
    }
    Ok(())
}

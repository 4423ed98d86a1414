//! Stores whose medium is somebody else's: nothing is read there, and nothing changed there is believed.

use std::sync::Arc;

use memchr::memmem;
use offshoot_store::{
    Capture, Collect, Export, Import, Key, MemoryStore, Objects, Refs, SealedRefs, SqliteOptions,
    SqliteStore, State, Store, Swap, Transition, conformance,
};
use offshoot_vfs::Options;

use crate::support::*;

fn key() -> Key {
    Key::derive(b"a key of a tenant")
}

fn shared(memory: &MemoryStore, key: &Key) -> Store {
    let shared = Arc::new(memory.clone());
    Store::encrypted(shared.clone(), shared, key).unwrap()
}

fn encrypted() -> (MemoryStore, Store) {
    let memory = MemoryStore::new();
    let store = shared(&memory, &key());
    (memory, store)
}

/// Everything that the medium holds.
fn medium(memory: &MemoryStore) -> Vec<u8> {
    let mut all = Vec::new();
    for info in Objects::list(memory, None, usize::MAX).unwrap() {
        all.extend_from_slice(&memory.get(info.id).unwrap().payload);
    }
    for (_, found) in Refs::list(memory, &Default::default(), None, 1000).unwrap() {
        all.extend_from_slice(&found.data);
    }
    all
}

#[test]
fn sealed_refs_conform() {
    let memory = MemoryStore::new();
    let sealed = SealedRefs::new(Arc::new(memory.clone()), &key());
    conformance::check(&memory, &sealed).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let sqlite = SqliteStore::open(directory.path()).unwrap();
    let sealed = SealedRefs::new(Arc::new(sqlite.clone()), &key());
    conformance::check(&sqlite, &sealed).unwrap();
}

#[test]
fn what_is_stored_cannot_be_read_without_the_key() {
    let (memory, store) = encrypted();
    let fs = variety();
    write(&fs, "/letter", &b"marker of the content ".repeat(100));
    store.create("box", None).unwrap();
    let epoch = store
        .change("box", None, &Transition::Start(claim("a")))
        .unwrap()
        .epoch;
    let put = |new: &mut offshoot_store::Ref| {
        new.data = b"marker of the record".to_vec();
        Ok::<(), offshoot_store::Error>(())
    };
    let capture = Capture {
        label: Some("marker of the label".into()),
        ..capture()
    };
    let stored = store
        .suspend_with("box", epoch, &fs, &capture, put)
        .unwrap();
    let bytes = medium(&memory);
    for marker in ["marker", "file with a rather long name", "cwd=/tmp"] {
        assert_eq!(memmem::find(&bytes, marker.as_bytes()), None, "{marker}");
    }
    // Whoever has the medium alone can still tell whether it is whole.
    for info in Objects::list(&memory, None, usize::MAX).unwrap() {
        memory.get(info.id).unwrap().verify().unwrap();
    }
    // Another process with the key has everything back.
    let again = shared(&memory, &key());
    assert_eq!(again.read("box").unwrap().data, b"marker of the record");
    let back = again.checkout(stored.commit, Options::default()).unwrap();
    assert_same(&dump(&back.vfs), &dump(&fs));
    assert_eq!(back.sessions["main"], "cwd=/tmp");
    assert!(again.check(false).unwrap().is_clean());
    // Nobody else has.
    let other = shared(&memory, &Key::derive(b"another key"));
    assert_eq!(other.read("box").unwrap_err().code(), "CORRUPT");
    let refused = other.checkout(stored.commit, Options::default());
    assert_eq!(refused.unwrap_err().code(), "CORRUPT");
    let plain = Store::new(Arc::new(memory.clone()), Arc::new(memory)).unwrap();
    assert!(plain.checkout(stored.commit, Options::default()).is_err());
}

#[test]
fn equal_content_is_stored_once_for_one_key_and_is_not_seen_by_another() {
    let (memory, store) = encrypted();
    let fs = files(50, 5000);
    let first = store.snapshot("one", &fs, &Capture::default()).unwrap();
    let again = files(50, 5000);
    let count = || Objects::list(&memory, None, usize::MAX).unwrap().len();
    let before = count();
    let other = shared(&memory, &Key::derive(b"another key"));
    other.snapshot("two", &again, &Capture::default()).unwrap();
    assert!(count() >= 2 * before - 1, "{before} and {}", count());
    let more = store.snapshot("three", &fs.fork(), &Capture::default());
    assert!(more.unwrap().new_objects <= 2);
    assert!(first.new_objects > 50);
}

#[test]
fn the_collector_and_the_check_read_through_it() {
    let (memory, store) = encrypted();
    let kept = store.snapshot("kept", &variety(), &capture()).unwrap();
    store
        .snapshot("gone", &files(300, 900), &capture())
        .unwrap();
    store.unpin("gone").unwrap();
    let grace = std::time::Duration::ZERO;
    let mut removed = 0;
    for _ in 0..2 {
        std::thread::sleep(std::time::Duration::from_millis(5));
        let options = Collect { grace, history: 0 };
        removed += store.collect(&options).unwrap().removed;
    }
    assert!(removed > 10, "{removed}");
    assert!(store.check(false).unwrap().is_clean());
    store.verify(kept.commit).unwrap();
    // A flipped bit is damage, as everywhere.
    let info = Objects::list(&memory, None, 1).unwrap()[0];
    memory.damage(info.id, |payload| payload[30] ^= 1);
    let report = store.check(false).unwrap();
    assert_eq!(report.damaged.len(), 1);
    assert_eq!(report.damaged[0].0, info.id);
}

/// T42: what a ref says is believed only where somebody with the key has said it.
#[test]
fn t42_a_ref_that_was_changed_or_put_back_is_refused() {
    let (memory, store) = encrypted();
    let fs = files(3, 100);
    for name in ["box", "other"] {
        store.create(name, None).unwrap();
    }
    let epoch = store
        .change("box", None, &Transition::Start(claim("a")))
        .unwrap()
        .epoch;
    let first = store.checkpoint("box", epoch, &fs, &capture()).unwrap();
    let old = memory.read("box").unwrap().unwrap();
    write(&fs, "/d0/f1", b"changed");
    store.checkpoint("box", epoch, &fs, &capture()).unwrap();
    let newest = memory.read("box").unwrap().unwrap();

    let put = |name: &str, new: &offshoot_store::Ref| {
        let expected = memory.read(name).unwrap().map(|found| found.version());
        memory
            .swap(Swap {
                name,
                expected,
                new,
            })
            .unwrap();
    };
    type Forge = fn(&mut offshoot_store::Ref, offshoot_store::ObjectId);
    let forged: [(&str, Forge); 6] = [
        ("commit", |found, commit| found.commit = Some(commit)),
        ("epoch", |found, _| found.epoch += 1),
        ("seq", |found, _| found.seq += 7),
        ("state", |found, _| found.state = State::Suspended),
        ("owner", |found, _| found.owner = None),
        ("data", |found, _| found.data[20] ^= 1),
    ];
    for (what, forge) in forged {
        let mut new = newest.clone();
        forge(&mut new, first.commit);
        put("box", &new);
        assert_eq!(store.read("box").unwrap_err().code(), "CORRUPT", "{what}");
    }
    // One sandbox's ref is not another's.
    put("other", &newest);
    assert_eq!(store.read("other").unwrap_err().code(), "CORRUPT");

    // D12: an older one of its own is found by whoever has seen the newer one.
    put("box", &old);
    assert_eq!(store.read("box").unwrap_err().code(), "FENCED");
    let unaware = SealedRefs::new(Arc::new(memory.clone()), &key());
    assert!(unaware.read("box").unwrap().is_some());
    put("box", &newest);
    unaware.read("box").unwrap();
    let witness = unaware.known();
    put("box", &old);
    let told = SealedRefs::new(Arc::new(memory.clone()), &key());
    told.expect(witness);
    assert_eq!(told.read("box").unwrap_err().code(), "FENCED");
}

#[test]
fn containers_carry_what_is_inside_between_stores() {
    let fs = variety();
    let expected = dump(&fs);
    let (_, store) = encrypted();
    let (_, plain) = memory();
    let (_, other) = encrypted();
    let mut from = (
        store.clone(),
        store.snapshot("s", &fs, &capture()).unwrap().commit,
    );
    // From one that is encrypted to one that is not, and back.
    for to in [plain, other] {
        let mut container = Vec::new();
        from.0
            .export(from.1, &Export::default(), &mut container)
            .unwrap();
        let header = to.import(&Import::default(), &mut &container[..]).unwrap();
        to.pin("imported", header.commit, None).unwrap();
        let back = to.checkout(header.commit, Options::default()).unwrap();
        assert_same(&dump(&back.vfs), &expected);
        assert_eq!(back.sessions["main"], "cwd=/tmp");
        assert!(to.check(false).unwrap().is_clean());
        from = (to, header.commit);
    }
}

#[test]
fn the_embedded_store_is_encrypted_as_well() {
    let directory = tempfile::tempdir().unwrap();
    let fs = variety();
    let commit = {
        let store = Store::sqlite_encrypted(directory.path(), &key()).unwrap();
        store.snapshot("s", &fs, &capture()).unwrap().commit
    };
    let store = Store::sqlite_encrypted(directory.path(), &key()).unwrap();
    let back = store.checkout(commit, Options::default()).unwrap();
    assert_same(&dump(&back.vfs), &dump(&fs));
    store.verify(commit).unwrap();
}

/// A check without the key, or with another one, puts nothing aside.
#[test]
fn t55_a_check_with_the_wrong_key_changes_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let open = |key: Option<&Key>| {
        Store::sqlite_with(directory.path(), SqliteOptions::default(), key).unwrap()
    };
    let stored = open(Some(&key()))
        .snapshot("s", &variety(), &capture())
        .unwrap();
    for wrong in [None, Some(Key::derive(b"a key of somebody else"))] {
        for quarantine in [false, true] {
            let refused = open(wrong.as_ref()).check(quarantine).unwrap_err();
            assert_eq!(refused.code(), "CORRUPT");
            assert!(refused.to_string().contains("key"), "{refused}");
        }
    }
    let store = open(Some(&key()));
    assert!(store.check(true).unwrap().is_clean());
    store.verify(stored.commit).unwrap();
}

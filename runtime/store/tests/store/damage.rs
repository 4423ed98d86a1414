//! Bit rot: what is damaged is found, put aside, and harms nothing else.

use std::sync::Arc;

use offshoot_store::{Objects, SqliteStore, Store};
use offshoot_vfs::Options;

use crate::support::*;

/// D03: every byte of every object, flipped.
#[test]
fn a_flipped_bit_in_any_object_is_found() {
    let (memory, store) = memory();
    let stored = store.snapshot("s", &variety(), &capture()).unwrap();
    let other = store
        .snapshot("other", &files(20, 2000), &capture())
        .unwrap();
    let all = memory.list(None, usize::MAX).unwrap();
    assert!(all.len() > 100);
    for info in all {
        let every = if slow() { 1 } else { 97 };
        for at in
            (0..info.length as usize).step_by(every * if info.length > 9000 { 499 } else { 1 })
        {
            let flip = |payload: &mut Vec<u8>| payload[at] ^= 1 << (at % 8);
            memory.damage(info.id, flip);
            let found = memory.get(info.id).unwrap().verify();
            assert_eq!(found.unwrap_err().code(), "CORRUPT");
            memory.damage(info.id, flip);
        }
        // Once for each object: the whole store says so as well.
        if info.length > 0 && (slow() || info.id.0[0] < 16) {
            let flip = |payload: &mut Vec<u8>| payload[0] ^= 0x40;
            memory.damage(info.id, flip);
            let report = store.check(false).unwrap();
            assert!(report.damaged.iter().any(|(id, _)| *id == info.id));
            assert!(!report.broken.is_empty());
            memory.damage(info.id, flip);
        }
    }
    assert!(store.check(false).unwrap().is_clean());
    store.verify(stored.commit).unwrap();
    store.verify(other.commit).unwrap();
}

#[test]
fn what_is_damaged_is_put_aside_and_can_be_stored_again() {
    let (memory, store) = memory();
    let fs = files(50, 3000);
    store.snapshot("s", &fs, &capture()).unwrap();
    let other = store.snapshot("other", &variety(), &capture()).unwrap();
    let chunk = memory.list(None, usize::MAX).unwrap();
    let chunk = chunk.iter().find(|info| info.length == 3000).unwrap();
    memory.damage(chunk.id, |payload| payload[1000] ^= 1);
    let report = store.check(true).unwrap();
    assert_eq!((report.damaged.len(), report.quarantined), (1, 1));
    assert_eq!(report.broken, ["pin s"]);
    // Other commits are unharmed.
    store.verify(other.commit).unwrap();
    // Somebody still has the content, and stores it anew.
    let again = store_of(&memory)
        .snapshot("again", &rebuilt(&fs), &capture())
        .unwrap();
    assert!(store.verify(again.commit).is_ok());
    assert!(store.check(false).unwrap().is_clean());
}

/// Another process's view of the same store.
fn store_of(memory: &offshoot_store::MemoryStore) -> Store {
    let shared = std::sync::Arc::new(memory.clone());
    Store::new(shared.clone(), shared).unwrap()
}

/// The same files, made anew.
fn rebuilt(fs: &offshoot_vfs::Vfs) -> offshoot_vfs::Vfs {
    let new = offshoot_vfs::Vfs::new(Options::default());
    for (path, seen) in dump(fs) {
        let path = String::from_utf8(path).unwrap();
        match seen.content {
            Some(_) => write(&new, &path, &read(fs, &path)),
            None if path.is_empty() => {}
            None => new
                .create_dir(&ROOT, new.root(), path.as_bytes(), 0o755)
                .unwrap(),
        }
    }
    new
}

/// The same on a real file: bytes of a SQLite store, flipped one after the other.
#[test]
fn a_flipped_bit_in_the_database_never_goes_unseen() {
    let directory = tempfile::tempdir().unwrap();
    let fs = files(60, 600);
    let expected = dump(&fs);
    let commit = {
        let (sqlite, store) = sqlite(directory.path());
        let stored = store.snapshot("s", &fs, &capture()).unwrap();
        sqlite.checkpoint().unwrap();
        stored.commit
    };
    let file = directory.path().join("store.db");
    let _ = std::fs::remove_file(directory.path().join("store.db-wal"));
    let intact = std::fs::read(&file).unwrap();
    let mut seen = 0;
    for at in (0..intact.len()).step_by(if slow() { 97 } else { 3001 }) {
        let mut bytes = intact.clone();
        bytes[at] ^= 1 << (at % 8);
        std::fs::write(&file, &bytes).unwrap();
        for extra in ["store.db-wal", "store.db-shm"] {
            let _ = std::fs::remove_file(directory.path().join(extra));
        }
        let outcome = (|| {
            let shared = std::sync::Arc::new(offshoot_store::SqliteStore::open(directory.path())?);
            let store = Store::new(shared.clone(), shared)?;
            store.verify(commit)?;
            let back = store.checkout(commit, Options::default())?;
            Ok::<_, offshoot_store::Error>(try_dump(&back.vfs))
        })();
        match outcome {
            // The bit means nothing, or not for this.
            Ok(Ok(found)) => assert_same(&found, &expected),
            Ok(Err(error)) => assert_eq!(error.code(), "EIO"),
            Err(error) => {
                seen += 1;
                let code = error.code();
                assert!(
                    ["CORRUPT", "NOT_FOUND", "SANDBOX_UNAVAILABLE", "TOO_NEW"].contains(&code),
                    "{error}"
                );
            }
        }
    }
    assert!(seen > 10, "{seen}");
}

#[test]
fn what_was_put_aside_and_is_whole_comes_back() {
    let directory = tempfile::tempdir().unwrap();
    let sqlite = Arc::new(SqliteStore::open(directory.path()).unwrap());
    let (memory, _) = memory();
    let stores: [(Arc<dyn Objects>, Store); 2] = [
        (sqlite.clone(), Store::new(sqlite.clone(), sqlite).unwrap()),
        (Arc::new(memory.clone()), store_of(&memory)),
    ];
    for (objects, store) in stores {
        let stored = store.snapshot("s", &variety(), &capture()).unwrap();
        let all = objects.list(None, usize::MAX).unwrap();
        all.iter()
            .for_each(|info| objects.quarantine(info.id).unwrap());
        assert_eq!(objects.aside().unwrap(), all.len() as u64);
        assert!(store.verify(stored.commit).is_err());
        assert_eq!(store.release().unwrap(), all.len() as u64);
        assert_eq!((objects.aside().unwrap(), store.release().unwrap()), (0, 0));
        store.verify(stored.commit).unwrap();
    }
    // What is damaged stays where it is.
    let (memory, store) = self::memory();
    store.snapshot("s", &files(50, 3000), &capture()).unwrap();
    let first = memory.list(None, 1).unwrap()[0];
    memory.damage(first.id, |payload| payload[0] ^= 1);
    assert_eq!(store.check(true).unwrap().aside, 1);
    assert_eq!(store.release().unwrap(), 0);
}

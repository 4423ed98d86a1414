//! D07: what older versions have written is read for ever. These files are never made anew; a format
//! that changes gets a file of its own beside them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use offshoot_store::{
    Export, Import, Key, MemoryStore, SqliteOptions, SqliteStore, State, Store, Transition,
};
use offshoot_vfs::{Options, Vfs};

use crate::support::*;

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

fn key() -> Key {
    Key::derive(b"golden")
}

/// The state that all golden files hold.
fn state() -> Vfs {
    let fs = timeless();
    let root = fs.root();
    write(&fs, "/empty", b"");
    write(&fs, "/tiny", b"tiny");
    write(&fs, "/small", &pattern(3000));
    write(&fs, "/large", &pattern(70_000));
    fs.create_dir_all(&ROOT, root, b"/a/b", 0o750).unwrap();
    for index in 0..70 {
        write(
            &fs,
            &format!("/a/b/a name that is too long to be inline {index}"),
            b"x",
        );
    }
    fs.set_size(&ROOT, root, b"/empty", 1 << 20).unwrap();
    fs.link(&ROOT, (root, b"/tiny"), (root, b"/a/link"), false)
        .unwrap();
    fs.symlink(&ROOT, b"../tiny", root, b"/a/symlink").unwrap();
    fs.create_fifo(&ROOT, root, b"/a/fifo", 0o600).unwrap();
    fs.create_device(&ROOT, root, b"/a/null", offshoot_vfs::Device::Null, 0o666)
        .unwrap();
    fs.set_owner(&ROOT, root, b"/small", (Some(1000), Some(100)), true)
        .unwrap();
    fs
}

fn still() -> Arc<ManualClock> {
    Arc::new(ManualClock::default())
}

fn container(key: Option<Key>) -> Vec<u8> {
    let memory = Arc::new(MemoryStore::with_clock(still()));
    let store = Store::new(memory.clone(), memory).unwrap();
    let commit = store.commit(&state(), &capture()).unwrap().commit;
    let options = Export {
        name: "golden".into(),
        epoch: 3,
        key,
    };
    let mut bytes = Vec::new();
    store.export(commit, &options, &mut bytes).unwrap();
    bytes
}

fn database(directory: &Path) {
    let options = SqliteOptions {
        clock: still(),
        ..SqliteOptions::default()
    };
    let sqlite = Arc::new(SqliteStore::open_with(directory, options).unwrap());
    let store = Store::new(sqlite.clone(), sqlite.clone()).unwrap();
    store.create("golden", None).unwrap();
    let epoch = store
        .change("golden", None, &Transition::Start(claim("a")))
        .unwrap()
        .epoch;
    store
        .suspend("golden", epoch, &state(), &capture())
        .unwrap();
    store.snapshot("pinned", &state(), &capture()).unwrap();
    sqlite.checkpoint().unwrap();
}

fn check(store: &Store, commit: offshoot_vfs::ObjectId) {
    store.verify(commit).unwrap();
    let back = store.checkout(commit, Options::default()).unwrap();
    assert_same(&dump(&back.vfs), &dump(&state()));
    assert_eq!(back.sessions["main"], "cwd=/tmp");
    assert_eq!(back.settings.as_deref(), Some(&b"limits"[..]));
    assert_eq!(back.commit.engine, "test 1");
}

/// Makes the files of a new format, and only those that are not there.
fn make(name: &str, content: impl FnOnce() -> Vec<u8>) -> Vec<u8> {
    let path = golden().join(name);
    if !path.exists() {
        assert!(
            std::env::var_os("OFFSHOOT_NEW_GOLDEN").is_some(),
            "{name} is missing"
        );
        std::fs::create_dir_all(golden()).unwrap();
        std::fs::write(&path, content()).unwrap();
    }
    std::fs::read(path).unwrap()
}

#[test]
fn containers_of_every_version_are_read() {
    for (name, key) in [
        ("container-1.offshoot", None),
        ("container-1-sealed.offshoot", Some(key())),
    ] {
        let bytes = make(name, || container(key.clone()));
        let store = Store::memory();
        let options = Import {
            key: key.clone(),
            at_least: 3,
            ..Import::default()
        };
        let header = store.import(&options, &mut &bytes[..]).unwrap();
        assert_eq!((&header.name[..], header.epoch), ("golden", 3));
        check(&store, header.commit);
        // What is written today is the same to the byte, until the format gets a new number.
        assert!(container(key) == bytes, "{name}: the format has changed");
    }
}

#[test]
fn databases_of_every_version_are_read() {
    let bytes = make("sqlite-1.db", || {
        let directory = tempfile::tempdir().unwrap();
        database(directory.path());
        std::fs::read(directory.path().join("store.db")).unwrap()
    });
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("store.db"), bytes).unwrap();
    let (_, store) = sqlite(directory.path());
    assert!(store.check(false).unwrap().is_clean());
    let found = store.read("golden").unwrap();
    assert_eq!((found.state, found.epoch), (State::Suspended, 1));
    check(&store, found.commit.unwrap());
    check(&store, store.pins().unwrap()[0].commit);
    // And written by the present version.
    let epoch = store
        .change("golden", None, &Transition::Resume(claim("b")))
        .unwrap()
        .epoch;
    assert_eq!(epoch, 2);
}

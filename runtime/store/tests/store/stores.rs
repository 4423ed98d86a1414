//! The conformance suite on each store.

use std::sync::Arc;

use offshoot_store::{MemoryStore, SqliteOptions, SqliteStore, conformance};

use crate::support::ManualClock;

#[test]
fn memory_conforms() {
    let store = MemoryStore::new();
    conformance::check(&store, &store).unwrap();
}

#[test]
fn sqlite_conforms() {
    let directory = tempfile::tempdir().unwrap();
    let store = SqliteStore::open(directory.path()).unwrap();
    conformance::check(&store, &store).unwrap();
    store.check_integrity().unwrap();
}

#[test]
fn sqlite_alone_conforms() {
    let directory = tempfile::tempdir().unwrap();
    let options = SqliteOptions {
        exclusive: true,
        spill_above: 1000,
        ..SqliteOptions::default()
    };
    let store = SqliteStore::open_with(directory.path(), options).unwrap();
    conformance::check(&store, &store).unwrap();
}

/// Objects in one place and refs in another.
#[test]
fn mixed_stores_conform() {
    let directory = tempfile::tempdir().unwrap();
    let sqlite = SqliteStore::open(directory.path()).unwrap();
    let memory = MemoryStore::with_clock(Arc::new(ManualClock::default()));
    conformance::check(&memory, &sqlite).unwrap();
    conformance::check(&sqlite, &memory).unwrap();
}

#[test]
fn a_file_that_is_no_store_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("store.db");
    std::fs::write(
        &file,
        "something else, long enough to be no database ".repeat(100),
    )
    .unwrap();
    let error = SqliteStore::open(directory.path()).err().unwrap();
    assert_eq!(error.code(), "CORRUPT");

    std::fs::remove_file(&file).unwrap();
    let other = rusqlite::Connection::open(&file).unwrap();
    other.execute_batch("CREATE TABLE theirs(x)").unwrap();
    drop(other);
    let error = SqliteStore::open(directory.path()).err().unwrap();
    assert_eq!(error.code(), "CORRUPT");
}

#[test]
fn a_store_of_a_newer_version_is_too_new() {
    let directory = tempfile::tempdir().unwrap();
    drop(SqliteStore::open(directory.path()).unwrap());
    let file = rusqlite::Connection::open(directory.path().join("store.db")).unwrap();
    file.pragma_update(None, "user_version", 2).unwrap();
    drop(file);
    let error = SqliteStore::open(directory.path()).err().unwrap();
    assert_eq!(error.code(), "TOO_NEW");
}

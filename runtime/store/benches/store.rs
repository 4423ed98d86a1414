//! What snapshots cost: suspends after an edit, commits without durability, full suspends, resumes,
//! listings. All on the embedded store on a real disk.
#![allow(
    missing_docs,
    reason = "criterion's macros make undocumented functions"
)]
#![allow(clippy::unwrap_used, reason = "a failed step is a failed bench")]

use std::hint::black_box;
use std::sync::Arc;

use criterion::{BatchSize, BenchmarkId, Criterion, criterion_group, criterion_main};
use offshoot_store::{Capture, Claim, Filter, Ref, Refs, SqliteStore, Store, Swap, Transition};
use offshoot_vfs::{Caller, Options, Vfs};

const ROOT: Caller = Caller::ROOT;
/// Files of one directory in the trees below.
const PER_DIRECTORY: usize = 1000;

fn path(index: usize) -> Vec<u8> {
    format!("/d{}/file{}", index / PER_DIRECTORY, index % PER_DIRECTORY).into_bytes()
}

fn write(fs: &Vfs, path: &[u8], content: &[u8]) {
    fs.write_file(&ROOT, fs.root(), path, content, 0o644)
        .unwrap();
}

fn files(count: usize, length: usize) -> Vfs {
    let fs = Vfs::new(Options::default());
    for index in 0..count {
        if index % PER_DIRECTORY == 0 {
            let directory = format!("/d{}", index / PER_DIRECTORY);
            fs.create_dir(&ROOT, fs.root(), directory.as_bytes(), 0o755)
                .unwrap();
        }
        // Contents differ, or they would be stored once.
        let mut content = index.to_le_bytes().to_vec();
        content.resize(length, b'x');
        write(&fs, &path(index), &content);
    }
    fs
}

fn running(store: &Store, name: &str) -> u64 {
    let claim = Claim {
        owner: "bench".into(),
        lease_until: None,
    };
    store.create(name, None).unwrap();
    store
        .change(name, None, &Transition::Start(claim))
        .unwrap()
        .epoch
}

fn edits(c: &mut Criterion) {
    let mut group = c.benchmark_group("after a one-file edit");
    for count in [1_000, 100_000] {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::sqlite(directory.path()).unwrap();
        let epoch = running(&store, "box");
        let fs = files(count, 8);
        let capture = Capture::default();
        store.checkpoint("box", epoch, &fs, &capture).unwrap();
        let mut round = 0usize;
        let mut edit = || {
            round += 1;
            write(&fs, &path(round * 7919 % count), &round.to_le_bytes());
        };
        group.bench_function(BenchmarkId::new("durable", count), |b| {
            b.iter_batched(
                &mut edit,
                |()| store.checkpoint("box", epoch, &fs, &capture).unwrap(),
                BatchSize::PerIteration,
            );
        });
        group.bench_function(BenchmarkId::new("in memory", count), |b| {
            b.iter_batched(
                &mut edit,
                |()| store.commit(&fs, &capture).unwrap(),
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

fn full(c: &mut Criterion) {
    let mut group = c.benchmark_group("full suspend");
    group.sample_size(20);
    group.bench_function("10 k files, 10 MB", |b| {
        b.iter_batched(
            || {
                let directory = tempfile::tempdir().unwrap();
                let store = Store::sqlite(directory.path()).unwrap();
                let epoch = running(&store, "box");
                (directory, store, epoch, files(10_000, 1000))
            },
            |(directory, store, epoch, fs)| {
                store
                    .suspend("box", epoch, &fs, &Capture::default())
                    .unwrap();
                // Closing and removing are not part of it.
                (directory, store, fs)
            },
            BatchSize::PerIteration,
        );
    });
    group.finish();
}

fn resume(c: &mut Criterion) {
    let mut group = c.benchmark_group("resume to the first read");
    for count in [100, 100_000] {
        let directory = tempfile::tempdir().unwrap();
        let commit = {
            let store = Store::sqlite(directory.path()).unwrap();
            let stored = store.snapshot("s", &files(count, 300), &Capture::default());
            stored.unwrap().commit
        };
        let store = Store::sqlite(directory.path()).unwrap();
        group.bench_function(BenchmarkId::from_parameter(count), |b| {
            b.iter(|| {
                let back = store.checkout(commit, Options::default()).unwrap();
                let content = back.vfs.read_file(&ROOT, back.vfs.root(), &path(count / 2));
                black_box(content.unwrap());
            });
        });
    }
    group.finish();
}

fn listing(c: &mut Criterion) {
    const REFS: usize = 100_000;
    let directory = tempfile::tempdir().unwrap();
    let sqlite = Arc::new(SqliteStore::open(directory.path()).unwrap());
    let store = Store::new(sqlite.clone(), sqlite.clone()).unwrap();
    let stored = store
        .snapshot("s", &files(1, 1), &Capture::default())
        .unwrap();
    let new = Ref::suspended(stored.commit, store.now().unwrap());
    // Straight into the database: a hundred thousand waits for the disk are not what is measured.
    let refs = (0..REFS).map(|index| (format!("sandbox-{index:06}"), new.clone()));
    sqlite.make(&refs.collect::<Vec<_>>(), &[]).unwrap();
    assert!(
        sqlite
            .swap(Swap {
                name: "sandbox-000007",
                expected: None,
                new: &new
            })
            .is_err()
    );
    let mut group = c.benchmark_group("a page of 100,000 refs");
    for (name, after) in [("first", None), ("middle", Some("sandbox-050000"))] {
        group.bench_function(name, |b| {
            b.iter(|| black_box(store.list(&Filter::default(), after, 100).unwrap()));
        });
    }
    group.finish();
}

criterion_group!(benches, edits, full, resume, listing);
criterion_main!(benches);

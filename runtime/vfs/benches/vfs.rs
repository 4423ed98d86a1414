//! What the filesystem costs: forks whatever the size, the first write after one, drops, lookups,
//! reads, writes, listings. `memory` at the end counts bytes instead of time.
#![allow(
    missing_docs,
    reason = "criterion's macros make undocumented functions"
)]
#![allow(clippy::unwrap_used, reason = "a failed step is a failed bench")]

use std::alloc::System;
use std::hint::black_box;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use offshoot_vfs::{Caller, File, OpenOptions, Options, Quotas, Vfs, diff};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

const ROOT: Caller = Caller::ROOT;
const MILLION: usize = 1_000_000;
/// Files of one directory in the trees below.
const PER_DIRECTORY: usize = 1000;
const READ_WRITE: OpenOptions = OpenOptions {
    read: true,
    truncate: false,
    ..OpenOptions::WRITE
};

/// Counts what is allocated, so that a claim about memory has no noise.
#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn empty() -> Vfs {
    let quotas = Quotas {
        bytes: 1 << 40,
        inodes: 1 << 40,
        ..Quotas::default()
    };
    Vfs::new(Options {
        quotas,
        ..Options::default()
    })
}

fn path(index: usize) -> Vec<u8> {
    format!("/d{}/file{}", index / PER_DIRECTORY, index % PER_DIRECTORY).into_bytes()
}

fn files(count: usize) -> Vfs {
    let fs = empty();
    for index in 0..count {
        if index % PER_DIRECTORY == 0 {
            let directory = format!("/d{}", index / PER_DIRECTORY);
            fs.create_dir(&ROOT, fs.root(), directory.as_bytes(), 0o755)
                .unwrap();
        }
        fs.write_file(&ROOT, fs.root(), &path(index), b"content", 0o644)
            .unwrap();
    }
    fs
}

fn million() -> &'static Vfs {
    static TREE: OnceLock<Vfs> = OnceLock::new();
    TREE.get_or_init(|| files(MILLION))
}

fn gigabyte() -> &'static Vfs {
    static TREE: OnceLock<Vfs> = OnceLock::new();
    TREE.get_or_init(|| {
        let fs = empty();
        let file = open(&fs, "/big");
        let block = vec![7; 1 << 20];
        for index in 0..1024 {
            file.write_at(index << 20, &block).unwrap();
        }
        fs
    })
}

fn open(fs: &Vfs, path: &str) -> File {
    fs.open(&ROOT, fs.root(), path.as_bytes(), &READ_WRITE, 0o644)
        .unwrap()
}

/// The trees that forks are measured on.
fn trees() -> Vec<(&'static str, Vfs)> {
    vec![
        ("1 file", files(1)),
        ("10 k files", files(10_000)),
        ("1 M files", million().clone()),
        ("1 GB", gigabyte().clone()),
    ]
}

fn forks(c: &mut Criterion) {
    let trees = trees();
    let mut group = c.benchmark_group("fork");
    for (name, fs) in &trees {
        group.bench_function(BenchmarkId::from_parameter(name), |b| {
            b.iter_custom(|rounds| {
                // What a fork costs beside its drop, which is measured on its own.
                let mut total = Duration::ZERO;
                let mut kept = Vec::with_capacity(1000);
                for _ in 0..rounds.div_ceil(1000) {
                    let start = Instant::now();
                    kept.extend((0..1000).map(|_| fs.fork()));
                    total += start.elapsed();
                    kept.clear();
                }
                total.mul_f64(rounds as f64 / (rounds.div_ceil(1000) * 1000) as f64)
            });
        });
    }
    group.finish();
    let mut group = c.benchmark_group("first write after fork");
    for (name, fs) in &trees {
        let (first, big) = if *name == "1 GB" {
            (b"/big".to_vec(), true)
        } else {
            (path(0), false)
        };
        group.bench_function(BenchmarkId::from_parameter(name), |b| {
            b.iter_batched(
                || {
                    let fork = fs.fork();
                    let text = String::from_utf8(first.clone()).unwrap();
                    (open(&fork, &text), fork)
                },
                |(file, fork)| {
                    file.write_at(if big { 5 << 20 } else { 0 }, b"changed")
                        .unwrap();
                    (file, fork)
                },
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
    let mut group = c.benchmark_group("drop 10 k forks of 1 M files");
    group.sample_size(10);
    for (name, written) in [("untouched", false), ("with one write each", true)] {
        group.bench_function(name, |b| {
            b.iter_batched(
                || {
                    let fork = |index: usize| {
                        let fork = million().fork();
                        if written {
                            fork.write_file(&ROOT, fork.root(), &path(index * 97), b"x", 0o644)
                                .unwrap();
                        }
                        fork
                    };
                    (0..10_000).map(fork).collect::<Vec<_>>()
                },
                drop,
                BatchSize::PerIteration,
            );
        });
    }
    group.finish();
}

fn names(c: &mut Criterion) {
    let fs = million();
    let root = fs.root();
    let mut group = c.benchmark_group("lookup");
    let mut index = 0;
    group.bench_function("stat, 1 M files", |b| {
        b.iter_batched(
            || {
                index = (index + 7919) % MILLION;
                path(index)
            },
            |path| fs.stat(&ROOT, root, &path, true).unwrap(),
            BatchSize::SmallInput,
        );
    });
    group.bench_function("stat, the same file", |b| {
        b.iter(|| {
            fs.stat(&ROOT, root, black_box(b"/d500/file500"), true)
                .unwrap()
        });
    });
    let deep = empty();
    let directory = b"/a/b/c/d/e/f/g/h";
    deep.create_dir_all(&ROOT, deep.root(), directory, 0o755)
        .unwrap();
    group.bench_function("stat, 8 directories deep", |b| {
        b.iter(|| {
            deep.stat(&ROOT, deep.root(), black_box(directory), true)
                .unwrap()
        });
    });
    group.finish();
    let mut group = c.benchmark_group("readdir");
    let flat = empty();
    for index in 0..100_000 {
        let path = format!("/entry{index}").into_bytes();
        flat.write_file(&ROOT, flat.root(), &path, b"", 0o644)
            .unwrap();
    }
    group.throughput(Throughput::Elements(100_000));
    group.sample_size(20);
    group.bench_function("100 k entries", |b| {
        b.iter(|| flat.read_dir(&ROOT, flat.root(), b"/").unwrap());
    });
    group.finish();
    c.bench_function("create and unlink among 100 k", |b| {
        b.iter(|| {
            flat.write_file(&ROOT, flat.root(), b"/entry5x", b"", 0o644)
                .unwrap();
            flat.unlink(&ROOT, flat.root(), b"/entry5x").unwrap();
        });
    });
    let changed = fs.fork();
    changed
        .write_file(&ROOT, root, b"/d123/file456", b"other", 0o644)
        .unwrap();
    c.bench_function("diff, one change in 1 M files", |b| {
        b.iter(|| diff(fs, &changed))
    });
}

fn contents(c: &mut Criterion) {
    let fs = gigabyte();
    let file = open(fs, "/big");
    let mut buffer = vec![0; 64 * 1024];
    let mut group = c.benchmark_group("content");
    let blocks = (1 << 30) / buffer.len() as u64;
    group.throughput(Throughput::Bytes(buffer.len() as u64));
    let mut block = 0;
    group.bench_function("read in order, 64 KiB", |b| {
        b.iter(|| {
            block = (block + 1) % blocks;
            file.read_at(block * 65_536, &mut buffer).unwrap()
        });
    });
    let data = vec![9; 65_536];
    let fresh = empty();
    let target = open(&fresh, "/new");
    group.bench_function("overwrite in order, 64 KiB", |b| {
        b.iter(|| {
            block = (block + 1) % 1024;
            target.write_at(block * 65_536, &data).unwrap()
        });
    });
    group.finish();
    let mut group = c.benchmark_group("small content");
    group.throughput(Throughput::Bytes(4096));
    let mut position = 0u64;
    let mut random = move || {
        position = position
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        position >> 34
    };
    group.bench_function("read at random, 4 KiB of 1 GB", |b| {
        b.iter(|| file.read_at(random(), &mut buffer[..4096]).unwrap());
    });
    let copy = fs.fork();
    let own = open(&copy, "/big");
    group.bench_function("write at random, 4 KiB of 1 GB, shared with a fork", |b| {
        b.iter(|| own.write_at(random(), &data[..4096]).unwrap());
    });
    group.bench_function("append, 4 KiB", |b| {
        b.iter_batched_ref(
            || {
                let fs = empty();
                (
                    fs.open(&ROOT, fs.root(), b"/log", &OpenOptions::APPEND, 0o644)
                        .unwrap(),
                    0,
                )
            },
            |(file, _)| file.write(&data[..4096]).unwrap(),
            BatchSize::NumIterations(4096),
        );
    });
    group.finish();
    c.bench_function("append 16 MiB in steps of 100 bytes", |b| {
        b.iter_batched(
            empty,
            |fs| {
                let file = fs
                    .open(&ROOT, fs.root(), b"/log", &OpenOptions::APPEND, 0o644)
                    .unwrap();
                for _ in 0..(16 << 20) / 100 {
                    file.write(&data[..100]).unwrap();
                }
                fs
            },
            BatchSize::PerIteration,
        );
    });
}

fn memory(_: &mut Criterion) {
    let live = || {
        let stats = ALLOCATOR.stats();
        stats.bytes_allocated - stats.bytes_deallocated
    };
    for (name, fs) in trees() {
        let before = live();
        let forks: Vec<_> = (0..1000).map(|_| fs.fork()).collect();
        let idle = (live() - before) / 1000;
        println!("memory of an idle fork, {name}: {idle} bytes");
        assert!(idle <= 4096, "an idle fork of {name} takes {idle} bytes");
        let first = if name == "1 GB" {
            "/new".into()
        } else {
            String::from_utf8(path(0)).unwrap()
        };
        for fork in &forks {
            fork.write_file(&ROOT, fork.root(), first.as_bytes(), b"x", 0o644)
                .unwrap();
        }
        println!(
            "  the same after one small write: {} bytes",
            (live() - before) / 1000
        );
    }
    let before = live();
    let fs = files(100_000);
    println!(
        "memory of a file with 7 bytes, among 100 k: {} bytes",
        (live() - before) / 100_000
    );
    drop(fs);
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(50)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1));
    targets = forks, names, contents, memory
}
criterion_main!(benches);

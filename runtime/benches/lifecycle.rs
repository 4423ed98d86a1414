//! What a kept sandbox costs: waking to the first execution, putting to sleep after an edit, forks and
//! branches, a page of a long listing, memory. On the embedded store on a real disk.

#![allow(
    clippy::unwrap_used,
    missing_docs,
    reason = "a benchmark fails by panicking"
)]

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use offshoot::lifecycle::{ListOptions, Origin, Sandboxes, Store};
use offshoot::{Exec, Quotas, Sandbox};
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use std::hint::black_box;
use tokio::runtime::Runtime;

/// Counts what is allocated, so that a claim about memory has no noise.
#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn opened() -> (Runtime, tempfile::TempDir, Sandboxes) {
    let directory = tempfile::tempdir().unwrap();
    let sandboxes = Sandboxes::open(Store::sqlite(directory.path()).unwrap());
    (Runtime::new().unwrap(), directory, sandboxes)
}

/// A sandbox with so many files, made outside.
fn files(count: usize) -> Sandbox {
    let quotas = Quotas {
        bytes: 1 << 40,
        inodes: 1 << 40,
        ..Quotas::default()
    };
    let sandbox = Sandbox::builder().quotas(quotas).build().unwrap();
    let (vfs, who) = (sandbox.vfs(), sandbox.caller());
    for index in 0..count {
        let directory = format!("/home/user/d{}", index / 1_000);
        if index % 1_000 == 0 {
            vfs.create_dir(&who, vfs.root(), directory.as_bytes(), 0o755)
                .unwrap();
        }
        let path = format!("{directory}/f{index}");
        vfs.write_file(&who, vfs.root(), path.as_bytes(), path.as_bytes(), 0o644)
            .unwrap();
    }
    sandbox
}

fn with_files(count: usize) -> Origin {
    let files = (0..count).map(|index| format!("/data/d{}/f{index}", index / 1_000));
    let builder = files.fold(Sandbox::builder(), |builder, path| {
        builder.file(&path, &path)
    });
    Origin::template(builder)
}

fn sleep_and_wake(c: &mut Criterion) {
    let (runtime, _directory, sandboxes) = opened();
    let mut group = c.benchmark_group("kept sandbox");
    for count in [10, 100_000] {
        let name = format!("box-{count}");
        runtime
            .block_on(sandboxes.create(&name, with_files(count)))
            .unwrap();
        let exec = |script: &str| {
            let ran = sandboxes.exec(&name, Exec::new(script));
            black_box(runtime.block_on(ran).unwrap());
        };
        let suspend = || black_box(runtime.block_on(sandboxes.suspend(&name)).unwrap());
        exec("true");
        suspend();
        group.bench_function(format!("resume to the first exec, {count} files"), |b| {
            b.iter_batched(suspend, |_| exec("echo hi"), BatchSize::PerIteration);
        });
        let mut round = 0;
        group.bench_function(format!("suspend after an edit, {count} files"), |b| {
            let edit = || {
                round += 1;
                exec(&format!("echo {round} > /tmp/edit"));
            };
            b.iter_batched(edit, |()| suspend(), BatchSize::PerIteration);
        });
    }
    group.finish();
}

fn branches(c: &mut Criterion) {
    let mut group = c.benchmark_group("fork");
    for count in [1, 10_000, 1_000_000] {
        let sandbox = files(count);
        group.bench_function(format!("{count} files"), |b| {
            b.iter_batched(|| (), |()| sandbox.fork(), BatchSize::NumIterations(1_000));
        });
    }
    group.finish();
    let sandbox = Sandbox::new().unwrap();
    c.bench_function("fork_many(1_000) in memory", |b| {
        b.iter_with_large_drop(|| sandbox.fork_many(1_000));
    });
    let (runtime, _directory, sandboxes) = opened();
    runtime
        .block_on(sandboxes.create("main", with_files(10)))
        .unwrap();
    let mut round = 0;
    c.bench_function("fork_many(1_000) kept", |b| {
        b.iter(|| {
            round += 1;
            let prefix = format!("fork-{round}");
            runtime
                .block_on(sandboxes.fork_many("main", &prefix, 1_000))
                .unwrap()
        });
    });
}

fn listing(c: &mut Criterion) {
    let (runtime, _directory, sandboxes) = opened();
    runtime
        .block_on(sandboxes.create("main", with_files(10)))
        .unwrap();
    for index in 0..100 {
        let prefix = format!("box-{index:03}");
        runtime
            .block_on(sandboxes.fork_many("main", &prefix, 1_000))
            .unwrap();
    }
    let mut group = c.benchmark_group("a page of 100,000 sandboxes");
    for (name, after) in [("first", None), ("middle", Some("box-050-500"))] {
        let options = ListOptions::new().limit(100);
        let options = match after {
            Some(after) => options.after(after),
            None => options,
        };
        group.bench_function(name, |b| {
            b.iter(|| {
                let page = sandboxes.list_page(options.clone());
                black_box(runtime.block_on(page).unwrap())
            });
        });
    }
    group.finish();
}

/// Bytes of the heap, not time: printed, once.
fn memory(_: &mut Criterion) {
    const COUNT: usize = 1_000;
    let (runtime, _directory, sandboxes) = opened();
    runtime
        .block_on(sandboxes.create("main", with_files(10)))
        .unwrap();
    let names = runtime.block_on(sandboxes.fork_many("main", "box", COUNT));
    let sandbox = Sandbox::new().unwrap();
    let region = Region::new(ALLOCATOR);
    let forks = sandbox.fork_many(COUNT);
    report("a fork", &region);
    drop(forks);
    // Those that are awake and idle, with their claims and renewals.
    runtime.block_on(async {
        let region = Region::new(ALLOCATOR);
        let mut leases = Vec::new();
        for name in names.unwrap() {
            leases.push(sandboxes.lease(&name).await.unwrap());
        }
        report("a sandbox that woke", &region);
        for (what, script) in [
            ("and has run a script", "echo hi"),
            ("and has written a file", "echo hi > note"),
        ] {
            for lease in &leases {
                lease.exec(script).await.unwrap();
            }
            report(what, &region);
        }
    });
}

fn report(what: &str, region: &Region<'_, System>) {
    let change = region.change();
    let held = change.bytes_allocated as i64 - change.bytes_deallocated as i64;
    println!(
        "memory of {what}: {} bytes",
        (held + change.bytes_reallocated as i64) / 1_000
    );
}

criterion_group!(benches, sleep_and_wake, branches, listing, memory);
criterion_main!(benches);

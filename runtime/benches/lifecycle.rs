//! What a kept sandbox costs: waking to the first execution, putting to sleep after an edit, many
//! branches, a page of a long listing. On the embedded store on a real disk.

#![allow(
    clippy::unwrap_used,
    missing_docs,
    reason = "a benchmark fails by panicking"
)]

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use offshoot::lifecycle::{ListOptions, Origin, Sandboxes, Store};
use offshoot::{Exec, Sandbox};
use std::hint::black_box;
use tokio::runtime::Runtime;

fn opened() -> (Runtime, tempfile::TempDir, Sandboxes) {
    let directory = tempfile::tempdir().unwrap();
    let sandboxes = Sandboxes::open(Store::sqlite(directory.path()).unwrap());
    (Runtime::new().unwrap(), directory, sandboxes)
}

/// A sandbox with so many files, made outside.
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
    for count in [10, 10_000] {
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

criterion_group!(benches, sleep_and_wake, branches, listing);
criterion_main!(benches);

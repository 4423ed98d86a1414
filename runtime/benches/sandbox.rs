//! What an embedder waits for: fork, warm and cold executions, one more process in a pipeline.
//!
//! Compare figures of one run only; `offshoot bench-json` gives the same beside other shells.

#![allow(
    clippy::unwrap_used,
    missing_docs,
    reason = "a benchmark fails by panicking"
)]

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use offshoot::blocking::Sandbox;
use std::hint::black_box;

/// Programs, not applets: each is a process.
const STAGE: &str = " | /usr/bin/cat";

fn fork(c: &mut Criterion) {
    let mut group = c.benchmark_group("fork");
    for files in [1, 10_000] {
        let sandbox = Sandbox::new().unwrap();
        let script = format!("mkdir t; cd t; for ((i = 0; i < {files}; i++)); do : > f$i; done");
        sandbox.exec(script).unwrap();
        group.bench_function(format!("{files} files"), |b| {
            b.iter_batched(|| (), |()| sandbox.fork(), BatchSize::NumIterations(1_000));
        });
    }
    group.finish();
}

fn exec(c: &mut Criterion) {
    let sandbox = Sandbox::new().unwrap();
    let echo = |script: &str| black_box(sandbox.exec(script).unwrap().stdout);
    c.bench_function("warm echo", |b| b.iter(|| echo("echo hi")));
    c.bench_function("cold echo", |b| {
        b.iter(|| Sandbox::new().unwrap().exec("echo hi").unwrap());
    });
    c.bench_function("fork and echo", |b| {
        b.iter(|| sandbox.fork().exec("echo hi").unwrap())
    });
    let mut group = c.benchmark_group("pipeline of programs");
    for stages in [1, 2, 4, 8] {
        let script = format!("echo hi{}", STAGE.repeat(stages));
        group.bench_function(format!("{stages}"), |b| b.iter(|| echo(&script)));
    }
    group.finish();
}

criterion_group!(benches, fork, exec);
criterion_main!(benches);

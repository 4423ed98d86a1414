//! What a process costs: started, run, joined to a pipeline; and what the shell's driver costs.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a failed step ends the benchmark"
)]

#[path = "../tests/kernel/support.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod support;

use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use offshoot_kernel::{
    Capture, Engine, EngineOptions, Kernel, Process, Program, Request, SpawnOptions, Stdio, marker,
};
use offshoot_vfs::Pipe;
use support::{Sandbox, engine};
use tokio::runtime::{Builder, Runtime};

/// A command that does nothing, with two pages of memory.
const NOTHING: &str = r#"(component
    (core module $m (memory 2) (func (export "run") (result i32) i32.const 0))
    (core instance $i (instantiate $m))
    (func $run (result (result)) (canon lift (core func $i "run")))
    (instance $e (export "run" (func $run)))
    (export "wasi:cli/run@0.2.12" (instance $e)))"#;

fn runtime() -> Runtime {
    Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .unwrap()
}

/// A sandbox whose `/bin/nothing` does nothing and whose `/bin/host` is a host function.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::with(|settings| {
        let mut programs = (*settings.programs).clone();
        let bytes = wat::parse_str(NOTHING).unwrap();
        programs.insert("nothing", Program::component(engine(), &bytes).unwrap());
        programs.insert("host", Program::function(|_| async { 0 }));
        settings.programs = Arc::new(programs);
    });
    sandbox.write("/bin/nothing", &marker("nothing"), 0o755);
    sandbox.write("/bin/host", &marker("host"), 0o755);
    sandbox
}

fn start(sandbox: &Sandbox, path: &str) -> Process {
    sandbox.spawn(SpawnOptions::new(path, ["program"]))
}

fn processes(criterion: &mut Criterion) {
    let runtime = runtime();
    let sandbox = sandbox();
    let mut group = criterion.benchmark_group("process");
    for path in ["/bin/host", "/bin/nothing"] {
        group.bench_function(format!("run {path}"), |bencher| {
            bencher.iter(|| {
                runtime.block_on(async {
                    tokio::spawn({
                        let process = start(&sandbox, path);
                        async move { process.wait().await }
                    })
                    .await
                    .unwrap()
                })
            });
        });
    }
    group.bench_function("run echo built with std", |bencher| {
        bencher.iter(|| runtime.block_on(sandbox.run(&["echo", "hi"])));
    });
    for stages in [1, 2, 4, 8] {
        group.bench_function(format!("pipeline of {stages} cats"), |bencher| {
            bencher.iter(|| runtime.block_on(pipeline(&sandbox, stages)));
        });
    }
    group.finish();
}

async fn pipeline(sandbox: &Sandbox, stages: usize) {
    let mut input = Stdio::Bytes("a line of input\n".into());
    let output = Capture::new();
    let mut processes = Vec::new();
    for stage in 1..=stages {
        let (reader, writer) = Pipe::ends();
        let stdout = match stage == stages {
            true => Stdio::Capture(output.clone()),
            false => Stdio::Writer(writer),
        };
        let options = sandbox
            .options(&["cat"])
            .descriptor(0, input)
            .descriptor(1, stdout);
        input = Stdio::Reader(reader);
        processes.push(sandbox.spawn(options));
    }
    drop(input);
    for process in &processes {
        process.wait().await;
    }
    assert_eq!(output.len(), 16);
}

fn engines(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("engine");
    for processes in [64, 1000] {
        let options = EngineOptions {
            processes,
            ..EngineOptions::default()
        };
        group.bench_function(format!("make and drop, {processes} processes"), |bencher| {
            bencher.iter(|| Engine::new(&options).unwrap());
        });
    }
    group.finish();
}

fn shell(criterion: &mut Criterion) {
    let runtime = runtime();
    let sandbox = sandbox();
    let mut group = criterion.benchmark_group("shell");
    let mut shell = sandbox.shell();
    group.bench_function("warm print", |bencher| {
        bencher.iter(|| {
            let output = Capture::new();
            let request = Request::text("print hi").descriptor(1, Stdio::Capture(output.clone()));
            runtime
                .block_on(shell.run(&sandbox.setup, request))
                .unwrap();
            assert_eq!(output.len(), 3);
        });
    });
    group.bench_function("fresh kernel, instance and print", |bencher| {
        bencher.iter(|| {
            let settings = sandbox.kernel.settings();
            let kernel = Kernel::new(Arc::clone(settings), sandbox.kernel.vfs().fork());
            let mut shell = offshoot_kernel::Shell::new(&kernel, support::shell_program()).unwrap();
            let request = Request::text("print hi");
            runtime
                .block_on(shell.run(&sandbox.setup, request))
                .unwrap()
        });
    });
    group.bench_function("instantiate and drop", |bencher| {
        bencher.iter(|| {
            runtime.block_on(shell.warm()).unwrap();
            shell.discard();
        });
    });
    group.finish();
}

criterion_group!(benches, engines, processes, shell);
criterion_main!(benches);

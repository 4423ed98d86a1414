//! Attacks of the threat list in their smallest form; the names carry the ids.

use std::time::{Duration, Instant};

use offshoot_kernel::{Limit, Limits, ProcessEnd, Program, marker};

use crate::support::{Result, Sandbox, engine, wait};

/// How late a deadline may be, above what the attack itself explains.
const SLACK: Duration = Duration::from_millis(250);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t19_t26_endless_loops_end_at_the_deadline() {
    let sandbox = Sandbox::new();
    // The last fills 32 MiB in one instruction, over and over: no more than 0.6 ms for each MiB.
    for words in [
        &["loop"][..],
        &["ping-pong"],
        &["fill"],
        &["sleep", "100000"],
    ] {
        let mut options = sandbox.options(words);
        options.wall_time = Some(Duration::from_millis(100));
        let start = Instant::now();
        let result = sandbox.run_with(options, b"").await;
        assert_eq!(result.end, ProcessEnd::Limit(Limit::WallTime), "{words:?}");
        assert_eq!(result.end.status(), 124);
        assert!(
            start.elapsed() < Duration::from_millis(100) + SLACK,
            "{words:?}: {:?}",
            start.elapsed()
        );
    }
}

/// Runs a command whose core module is `module`; it returns 1 for failure from `run`.
async fn run_module(module: &str) -> Result {
    run_module_with(module, Limits::default()).await
}

/// The same within other limits.
async fn run_module_with(module: &str, limits: Limits) -> Result {
    let component = format!(
        r#"(component
            (core module $m {module})
            (core instance $i (instantiate $m))
            (func $run (result (result)) (canon lift (core func $i "run")))
            (instance $e (export "run" (func $run)))
            (export "wasi:cli/run@0.2.12" (instance $e)))"#
    );
    let program = Program::component(engine(), &wat::parse_str(component).unwrap()).unwrap();
    let sandbox = Sandbox::with(|settings| {
        let mut programs = (*settings.programs).clone();
        programs.insert("module", program);
        settings.programs = programs.into();
        settings.limits = limits;
        settings.limits.wall_time = Some(Duration::from_millis(100));
    });
    sandbox.write("/bin/module", &marker("module"), 0o755);
    let mut options = sandbox.options(&[]);
    options.path = b"/bin/module".to_vec();
    sandbox.run_with(options, b"").await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t26_loops_in_strange_places_end_too() {
    let run = r#"(func (export "run") (result i32) i32.const 0)"#;
    for module in [
        // In the start function, before the process has really begun.
        format!("(func $s (loop (br 0))) (start $s) {run}"),
        // In bulk operations.
        r#"(memory 160) (func (export "run") (result i32)
            (loop (memory.fill (i32.const 0) (i32.const 1) (i32.const 0xa00000)) (br 0))
            unreachable)"#
            .to_owned(),
        r#"(memory 160) (func (export "run") (result i32)
            (loop (memory.copy (i32.const 0) (i32.const 9) (i32.const 0x9ffff0)) (br 0))
            unreachable)"#
            .to_owned(),
        // In calls, without a loop.
        r#"(func $f (param i32) (result i32)
            (if (result i32) (i32.eqz (local.get 0))
                (then (i32.const 0))
                (else (i32.add (call $f (i32.sub (local.get 0) (i32.const 1)))
                               (call $f (i32.sub (local.get 0) (i32.const 1)))))))
        (func (export "run") (result i32) (call $f (i32.const 100)))"#
            .to_owned(),
    ] {
        let start = Instant::now();
        let result = run_module(&module).await;
        assert_eq!(result.end, ProcessEnd::Limit(Limit::WallTime), "{module}");
        assert!(
            start.elapsed() < Duration::from_millis(100) + SLACK,
            "{module}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t27_growing_is_refused_at_the_limit() {
    let grown = "(i32.const -1) (i32.ne)";
    for (module, end) in [
        (
            // 256 MiB are 4,096 pages: the last one fits, one more does not.
            format!(
                r#"(memory 1) (func (export "run") (result i32)
                    (i32.eq (memory.grow (i32.const 4095)) (i32.const -1))
                    (memory.grow (i32.const 1)) {grown} (i32.or))"#
            ),
            ProcessEnd::Exited(0),
        ),
        (
            format!(
                r#"(table 1 funcref) (func (export "run") (result i32)
                    (table.grow (ref.null func) (i32.const 10000000)) {grown})"#
            ),
            ProcessEnd::Exited(0),
        ),
        (
            r#"(memory 1) (func (export "run") (result i32)
                (drop (memory.grow (i32.const 65535))) unreachable)"#
                .to_owned(),
            ProcessEnd::Limit(Limit::Memory),
        ),
        (
            r#"(table 1 funcref) (func (export "run") (result i32)
                (drop (table.grow (ref.null func) (i32.const 20000))) unreachable)"#
                .to_owned(),
            ProcessEnd::Limit(Limit::Tables),
        ),
    ] {
        assert_eq!(run_module(&module).await.end, end, "{module}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t27_a_limit_above_the_default_one_holds_as_well() {
    // As many pages as the number says, of which the last one is written, and not one more.
    let module = |pages: u32| {
        format!(
            r#"(memory 1) (func (export "run") (result i32)
                (i32.eq (memory.grow (i32.const {})) (i32.const -1))
                (i32.store8 (i32.sub (i32.mul (i32.const {pages}) (i32.const 65536)) (i32.const 1))
                    (i32.const 7))
                (memory.grow (i32.const 1)) (i32.const -1) (i32.ne) (i32.or))"#,
            pages - 1
        )
    };
    for (bytes, pages) in [(1 << 30, 16_384), (Limits::MOST_MEMORY, 65_536)] {
        let limits = Limits::default().with_memory(bytes);
        let result = run_module_with(&module(pages), limits).await;
        assert_eq!(result.end, ProcessEnd::Exited(0), "{pages} pages");
    }
    // One that begins with more than it may have does not begin.
    let large = r#"(memory 4097) (func (export "run") (result i32) i32.const 0)"#;
    assert_eq!(
        run_module(large).await.end,
        ProcessEnd::Limit(Limit::Memory)
    );
    let limits = Limits::default().with_memory(512 << 20);
    let result = run_module_with(large, limits).await;
    assert_eq!(result.end, ProcessEnd::Exited(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn traps_are_told_apart_on_stderr() {
    for (body, message) in [
        ("unreachable", "unreachable"),
        ("(i32.div_s (i32.const 1) (i32.const 0))", "divide by zero"),
        ("(i32.load (i32.const -1))", "out of bounds memory access"),
        (
            "(call_indirect (result i32) (i32.const 0))",
            "uninitialized element",
        ),
    ] {
        let module =
            format!(r#"(memory 1) (table 1 funcref) (func (export "run") (result i32) {body})"#);
        let result = run_module(&module).await;
        assert_eq!(result.end, ProcessEnd::Signalled(6), "{body}");
        assert!(result.stderr.contains(message), "{body}: {}", result.stderr);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t19_a_timeout_ends_the_whole_tree() {
    let sandbox = Sandbox::new();
    let mut options = sandbox.options(&["spawn", "program", "spawn", "program", "loop"]);
    options.wall_time = Some(Duration::from_millis(100));
    let process = sandbox.spawn(options);
    assert_eq!(wait(&process).await, ProcessEnd::Limit(Limit::WallTime));
    let start = Instant::now();
    while !sandbox.kernel.processes().is_empty() {
        assert!(start.elapsed() < Duration::from_secs(5));
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t39_nothing_happens_after_a_timeout() {
    let sandbox = Sandbox::limited(|limits| limits.wall_time = Some(Duration::from_millis(60)));
    let mut shell = sandbox.shell();
    for script in [
        "start rewrite /tmp/x\nmore",
        "start rewrite /tmp/x\nloop",
        "run rewrite /tmp/x",
    ] {
        let (end, _) = sandbox.script(&mut shell, script).await;
        assert_eq!(end, ProcessEnd::Limit(Limit::WallTime), "{script}");
        let before = sandbox.read("/tmp/x");
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert_eq!(sandbox.read("/tmp/x"), before, "{script}");
        assert!(sandbox.kernel.processes().is_empty(), "{script}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t26_a_loop_leaves_the_processor_to_others() {
    let sandbox = Sandbox::new();
    let loops: Vec<_> = (0..4)
        .map(|_| sandbox.spawn(sandbox.options(&["loop"])))
        .collect();
    let start = Instant::now();
    assert_eq!(sandbox.run(&["echo", "me too"]).await.stdout, "me too\n");
    assert!(
        start.elapsed() < Duration::from_secs(2),
        "{:?}",
        start.elapsed()
    );
    loops.iter().for_each(|process| process.kill(9));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t27_memory_grows_to_its_limit_only() {
    let result = Sandbox::new().run(&["grow", "1000"]).await;
    assert_eq!(result.end, ProcessEnd::Limit(Limit::Memory));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t28_handles_and_random_bytes_are_bounded() {
    let sandbox = Sandbox::new();
    let result = sandbox.run(&["handles", "5000"]).await;
    assert_eq!(result.end, ProcessEnd::Exited(0), "{}", result.stderr);
    let open: usize = result.stdout.trim().parse().unwrap();
    assert!((200..=256).contains(&open), "{open}");
    assert_eq!(sandbox.run(&["random", "65536"]).await.stdout, "65536\n");
    let result = sandbox.run(&["random", "1073741824"]).await;
    assert_eq!(result.end, ProcessEnd::Signalled(6));
    assert!(result.stderr.contains("random bytes"), "{}", result.stderr);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t28_listings_of_large_directories_count_as_memory() {
    let sandbox = Sandbox::limited(|limits| limits.total_memory = 16 << 20);
    for number in 0..2000 {
        sandbox.write(&format!("/tmp/{number}"), b"", 0o644);
    }
    let result = sandbox.run(&["listings", "200"]).await;
    assert_eq!(result.end, ProcessEnd::Exited(0), "{}", result.stderr);
    let open: usize = result.stdout.trim().parse().unwrap();
    assert!((10..100).contains(&open), "{open}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t20_ended_children_that_nobody_asks_for_are_bounded() {
    let sandbox = Sandbox::limited(|limits| limits.processes = 4);
    let result = sandbox.run(&["orphans", "1000"]).await;
    assert_eq!(result.end, ProcessEnd::Exited(0), "{}", result.stderr);
    assert!(sandbox.kernel.processes().is_empty());
    assert_eq!(
        sandbox.run(&["echo", "room again"]).await.stdout,
        "room again\n"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t29_dropping_work_at_any_await_point_harms_nobody() {
    let sandbox = Sandbox::new();
    let mut shell = sandbox.shell();
    // From before the instance exists to after the end.
    for delay in (0..40).map(|n| Duration::from_micros(n * 50)) {
        let script = "print a\nsleep 1\nrun echo x\nprint b";
        let run = sandbox.script(&mut shell, script);
        let _ = tokio::time::timeout(delay, run).await;
        let (end, output) = sandbox.script(&mut shell, "print fine\npid").await;
        assert_eq!(end, ProcessEnd::Exited(0));
        assert!(output.starts_with("fine\n"), "{output}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t31_no_process_sees_anothers_memory() {
    let sandbox = Sandbox::new();
    for _ in 0..5 {
        assert_eq!(sandbox.run(&["secret"]).await.end, ProcessEnd::Exited(0));
        assert_eq!(sandbox.run(&["canary"]).await.stdout, "0\n");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t38_opening_and_closing_leaks_nothing() {
    let sandbox = Sandbox::new();
    let before = host_descriptors();
    let result = sandbox.run(&["churn", "20000"]).await;
    assert_eq!(result.end, ProcessEnd::Exited(0), "{}", result.stderr);
    // Other tests run beside this one and open files of the host for a moment.
    assert!(host_descriptors() < before + 20);
}

/// Descriptors that this process has open; 0 where the system does not tell.
fn host_descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").map_or(0, Iterator::count)
}

//! Every limit ends what reached it with its name, and keeps what was written before.

use std::time::{Duration, Instant};

use offshoot_kernel::{Capture, Error, Limit, Limits, ProcessEnd, Stdio};

use crate::support::{Sandbox, wait};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn limits_name_themselves() {
    type Change = fn(&mut Limits);
    let cases: [(Change, &[&str], Limit); 6] = [
        (
            |limits| limits.memory = 16 << 20,
            &["grow", "64"],
            Limit::Memory,
        ),
        (
            |limits| limits.total_memory = 16 << 20,
            &["grow", "64"],
            Limit::Memory,
        ),
        (|limits| limits.memory = 1 << 16, &["echo"], Limit::Memory),
        (
            |limits| limits.wall_time = Some(Duration::from_millis(50)),
            &["loop"],
            Limit::WallTime,
        ),
        (
            |limits| limits.cpu_time = Some(Duration::from_millis(50)),
            &["loop"],
            Limit::CpuTime,
        ),
        (|limits| limits.instances = 1, &["echo"], Limit::Instances),
    ];
    for (change, words, limit) in cases {
        let result = Sandbox::limited(change).run(words).await;
        assert_eq!(
            result.end,
            ProcessEnd::Limit(limit),
            "{words:?}: {}",
            result.stderr
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn memory_is_given_back() {
    let sandbox = Sandbox::limited(|limits| limits.total_memory = 64 << 20);
    for _ in 0..4 {
        assert_eq!(sandbox.run(&["grow", "40"]).await.stdout, "40\n");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sleeping_costs_no_processor_time() {
    let sandbox = Sandbox::limited(|limits| limits.cpu_time = Some(Duration::from_millis(200)));
    let process = sandbox.spawn(sandbox.options(&["sleep", "400"]));
    assert_eq!(wait(&process).await, ProcessEnd::Exited(0));
    assert!(process.cpu_time() < Duration::from_millis(200));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t25_output_is_cut_at_the_exact_byte() {
    let sandbox = Sandbox::limited(|limits| limits.output = 10_001);
    let (stdout, stderr) = (Capture::new(), Capture::new());
    let options = sandbox
        .options(&["yes"])
        .descriptor(1, Stdio::Capture(stdout.clone()))
        .descriptor(2, Stdio::Capture(stderr.clone()));
    let end = wait(&sandbox.spawn(options)).await;
    assert_eq!(end, ProcessEnd::Limit(Limit::Output));
    assert_eq!(stdout.len() + stderr.len(), 10_001);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t25_a_slow_reader_slows_the_writer_down() {
    let sandbox = Sandbox::new();
    let (stdout, mut output) = Stdio::output();
    let process = sandbox.spawn(sandbox.options(&["yes"]).descriptor(1, stdout));
    let mut received = 0;
    for _ in 0..20 {
        tokio::time::sleep(Duration::from_millis(1)).await;
        received += output.read().await.unwrap().len();
    }
    assert!(received <= 20 * (64 << 10));
    assert_eq!(process.ended(), None);
    drop(output);
    assert_eq!(wait(&process).await, ProcessEnd::Signalled(13));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t20_the_process_limit_is_an_error_to_who_reaches_it() {
    let sandbox = Sandbox::limited(|limits| {
        limits.processes = 8;
        limits.wall_time = Some(Duration::from_secs(10));
    });
    let result = sandbox.run(&["bomb"]).await;
    assert_eq!(
        (result.end, result.stdout.is_empty()),
        (ProcessEnd::Exited(0), false)
    );
    sandbox.kernel.terminate();
    let start = Instant::now();
    while !sandbox.kernel.processes().is_empty() {
        assert!(start.elapsed() < Duration::from_secs(5));
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert_eq!(sandbox.run(&["echo", "usable"]).await.stdout, "usable\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t20_the_embedder_gets_a_typed_error() {
    let sandbox = Sandbox::limited(|limits| limits.processes = 1);
    let first = sandbox.spawn(sandbox.options(&["loop"]));
    let error = sandbox
        .kernel
        .spawn(sandbox.options(&["echo"]))
        .unwrap_err();
    assert!(
        matches!(error, Error::Limit(Limit::Processes)) && error.retryable(),
        "{error}"
    );
    first.kill(9);
    wait(&first).await;
    assert_eq!(sandbox.run(&["echo", "again"]).await.stdout, "again\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t28_arguments_are_bounded() {
    let sandbox = Sandbox::limited(|limits| limits.arguments = 1000);
    let long = "x".repeat(2000);
    let error = sandbox
        .kernel
        .spawn(sandbox.options(&["echo", &long]))
        .unwrap_err();
    assert_eq!(error.code(), "E2BIG", "{error}");
}

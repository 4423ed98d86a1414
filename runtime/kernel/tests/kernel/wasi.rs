//! WASI as programs built with std see it.

use std::sync::Arc;

use offshoot_kernel::{FixedTime, ProcessEnd, SeededRandom, Settings, Stdio};
use offshoot_vfs::Timestamp;

use crate::support::{Sandbox, wait};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_work_as_std_expects() {
    let result = Sandbox::new().run(&["fs"]).await;
    assert_eq!(result.end, ProcessEnd::Exited(0), "{}", result.stderr);
    assert_eq!(result.stdout, "all good\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn files_work_where_std_does_not_go() {
    let result = Sandbox::new().run(&["raw"]).await;
    assert_eq!(result.end, ProcessEnd::Exited(0), "{}", result.stderr);
    assert_eq!(result.stdout, "all good\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn several_things_are_waited_for_at_once() {
    let sandbox = Sandbox::new();
    let (stdin, mut feed) = Stdio::input();
    let (stdout, mut output) = Stdio::output();
    let options = sandbox
        .options(&["poll"])
        .descriptor(0, stdin)
        .descriptor(1, stdout);
    let process = sandbox.spawn(options);
    assert_eq!(output.read().await.as_deref(), Some(&b"timer\n"[..]));
    feed.write(b"four").await.unwrap();
    let rest = String::from_utf8(output.read_to_end().await).unwrap();
    assert!(rest.ends_with("input\n4\n"), "{rest}");
    assert_eq!(wait(&process).await, ProcessEnd::Exited(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn arguments_environment_and_input_arrive() {
    let sandbox = Sandbox::new();
    let mut options = sandbox.options(&["args", "", "a b", "ü"]);
    options.arguments.truncate(2);
    assert_eq!(
        sandbox.run_with(options, b"").await.stdout,
        "program\nargs\n"
    );
    let options = sandbox
        .options(&["env"])
        .variable("A", "1")
        .variable("B", "x=y");
    assert_eq!(sandbox.run_with(options, b"").await.stdout, "A=1\nB=x=y\n");
    assert_eq!(
        sandbox
            .run_with(sandbox.options(&["cat"]), b"in\0put")
            .await
            .stdout,
        "in\0put"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn relative_paths_start_in_the_working_directory() {
    let sandbox = Sandbox::new();
    // A program that knows nothing of working directories.
    sandbox.run(&["put", "note", "relative"]).await;
    assert_eq!(sandbox.read("/home/user/note"), "relative");
    sandbox.run(&["put", "/tmp/note", "absolute"]).await;
    assert_eq!(sandbox.read("/tmp/note"), "absolute");
    sandbox.run(&["put", "../up", "above"]).await;
    assert_eq!(sandbox.read("/home/up"), "above");
    assert_eq!(sandbox.run(&["cat", "./note"]).await.stdout, "relative");
    // One that asks for its directory.
    let result = sandbox.run(&["enter"]).await;
    assert_eq!(result.stdout, "/home/user relative\n", "{}", result.stderr);
    assert_eq!(sandbox.read("/home/user/new"), "relative");
    assert_eq!(sandbox.read("/top"), "absolute");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn identity_is_the_sandboxs() {
    let result = Sandbox::new().run(&["identity"]).await;
    assert_eq!(
        result.stdout, "1000 user offshoot true\n",
        "{}",
        result.stderr
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn deterministic_runs_are_equal() {
    let fixed = |settings: &mut Settings| {
        let start = Timestamp {
            seconds: 1_700_000_000,
            nanoseconds: 0,
        };
        settings.time = Arc::new(FixedTime::new(start));
        settings.random = Arc::new(SeededRandom::new(7));
    };
    let mut numbers = Vec::new();
    for _ in 0..2 {
        let sandbox = Sandbox::with(fixed);
        let clock = sandbox.run(&["clock"]).await;
        assert_eq!(clock.stdout, "1700000000\n", "{}", clock.stderr);
        numbers.push(sandbox.run(&["numbers"]).await.stdout);
    }
    assert_eq!(numbers[0], numbers[1]);
    let other = Sandbox::new().run(&["numbers"]).await.stdout;
    assert_ne!(numbers[0], other);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_system_clock_is_near_the_hosts() {
    let result = Sandbox::new().run(&["clock"]).await;
    let seconds: u64 = result.stdout.trim().parse().expect(&result.stderr);
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    assert!(now.as_secs().abs_diff(seconds) < 30);
}

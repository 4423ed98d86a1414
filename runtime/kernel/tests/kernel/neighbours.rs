//! What one sandbox leaves to others: places and time.

use std::future::poll_fn;
use std::task::Poll;
use std::time::{Duration, Instant};

use offshoot_kernel::{Limit, ProcessEnd, Stdio};

use crate::support::{Sandbox, wait};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t49_places_are_shared_and_newcomers_get_some() {
    let hogs: Vec<_> = (0..5)
        .map(|_| Sandbox::limited(|limits| limits.processes = 500))
        .collect();
    let (mut counts, mut running, mut refused) = ([0; 5], Vec::new(), 0);
    while refused < hogs.len() {
        refused = 0;
        for (hog, count) in hogs.iter().zip(&mut counts) {
            match hog.kernel.spawn(hog.options(&["sleep", "100000"])) {
                Ok(process) => {
                    running.push(process);
                    *count += 1;
                }
                Err(error) => {
                    assert_eq!(
                        (error.code(), error.retryable()),
                        ("LIMIT", true),
                        "{error}"
                    );
                    refused += 1;
                }
            }
        }
    }
    assert!(
        counts.iter().all(|count| (20..=45).contains(count)),
        "{counts:?}"
    );
    let newcomer = Sandbox::new();
    let result = newcomer.run(&["echo", "there is room"]).await;
    assert_eq!(result.stdout, "there is room\n", "{}", result.stderr);
    let mut shell = newcomer.shell();
    let (_, output) = newcomer.script(&mut shell, "run echo also inside").await;
    assert!(output.starts_with("also inside\n"), "{output}");
    running.iter().for_each(|process| process.kill(9));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t51_buffers_of_streams_count_as_memory() {
    let sandbox = Sandbox::limited(|limits| limits.total_memory = 32 << 20);
    // Nobody reads, so that each stream keeps what the pipe has no room for: 64 KiB each.
    let (stdout, _output) = Stdio::output();
    let options = sandbox.options(&["streams", "900"]).descriptor(1, stdout);
    let process = sandbox.spawn(options);
    assert_eq!(wait(&process).await, ProcessEnd::Limit(Limit::Memory));
    assert_eq!(sandbox.run(&["echo", "on"]).await.stdout, "on\n");
}

/// The time between what a timer says and the answer of a program, half of all take more.
async fn echo(sandbox: &Sandbox) -> Duration {
    let mut taken = Vec::new();
    for _ in 0..25 {
        let start = Instant::now();
        tokio::time::sleep(Duration::from_millis(1)).await;
        assert_eq!(sandbox.run(&["echo", "x"]).await.stdout, "x\n");
        taken.push(start.elapsed());
    }
    taken.sort();
    println!("echo: p50 {:?}, worst {:?}", taken[12], taken[24]);
    taken[12]
}

/// Computes for a millisecond at a time and gives way by waking itself, without end.
async fn selfish() {
    poll_fn(|context| {
        let start = Instant::now();
        while start.elapsed() < Duration::from_millis(1) {}
        context.waker().wake_by_ref();
        Poll::<()>::Pending
    })
    .await;
}

/// Both are measured in one run, so that a busy machine slows both down.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn t50_loops_give_way_to_timers_and_sockets() {
    let quiet = tokio::spawn(async {
        let sandbox = Sandbox::new();
        let alone = echo(&sandbox).await;
        let loops: Vec<_> = (0..4).map(|_| tokio::spawn(selfish())).collect();
        let beside_selfish = echo(&sandbox).await;
        loops.iter().for_each(|task| task.abort());
        let attacker = Sandbox::new();
        let loops: Vec<_> = (0..4)
            .map(|_| attacker.spawn(attacker.options(&["loop"])))
            .collect();
        let beside_guests = echo(&sandbox).await;
        loops.iter().for_each(|process| process.kill(9));
        (alone, beside_selfish, beside_guests)
    });
    let (alone, selfish, guests) = quiet.await.unwrap();
    println!("alone {alone:?}, beside tasks {selfish:?}, beside guests {guests:?}");
    assert!(
        guests * 3 < selfish,
        "{guests:?} beside guests, {selfish:?} beside tasks"
    );
}

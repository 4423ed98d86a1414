//! What takes how long on it.

use super::{Ground, sh};
use offshoot_backend::Exec;
use std::time::Instant;

/// What a call takes, in milliseconds: the middle of several.
async fn middle<F: Future<Output = ()>>(times: usize, call: impl Fn() -> F) -> f64 {
    let mut taken = Vec::new();
    for _ in 0..times {
        let started = Instant::now();
        call().await;
        taken.push(started.elapsed().as_secs_f64() * 1e3);
    }
    taken.sort_by(f64::total_cmp);
    taken[taken.len() / 2]
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it measures, and demands nothing"]
async fn times() {
    let Some(ground) = Ground::new() else { return };
    let factory = ground.factory();
    let first = Instant::now();
    let environment = ground.open(&factory).await;
    println!(
        "first sandbox, with its kernel's start: {:?}",
        first.elapsed()
    );
    let fresh = middle(5, || async {
        ground.open(&factory).await.cleanup().await.unwrap();
    });
    println!("a further sandbox, and its end: {:.1} ms", fresh.await);
    let exec = middle(20, || async {
        sh(&environment, "true").await;
    });
    println!("exec: {:.1} ms", exec.await);
    let snapshot = middle(5, || async {
        let snapshot = environment.snapshot(None).await.unwrap();
        environment.delete_snapshot(&snapshot).await.unwrap();
    });
    println!("snapshot, and its end: {:.1} ms", snapshot.await);
    let snapshot = environment.snapshot(None).await.unwrap();
    println!("snapshot: {} bytes on disk", snapshot.size.unwrap());
    let start = middle(5, || async {
        let branch = environment.start(&snapshot).await.unwrap();
        branch.cleanup().await.unwrap();
    });
    println!("start of a snapshot, and its end: {:.1} ms", start.await);
    let branch = environment.start(&snapshot).await.unwrap();
    let again = middle(3, || async {
        let snapshot = branch.snapshot(None).await.unwrap();
        branch.delete_snapshot(&snapshot).await.unwrap();
    });
    println!("snapshot of a branch, and its end: {:.1} ms", again.await);
    let fork = middle(5, || async {
        environment
            .fork(None)
            .await
            .unwrap()
            .cleanup()
            .await
            .unwrap();
    });
    println!("fork, and its end: {:.1} ms", fork.await);
    let fork = middle(5, || async {
        let fork = environment.fork(None).await.unwrap();
        sh(&fork, "true").await;
        fork.cleanup().await.unwrap();
    });
    println!("fork, its first exec, and its end: {:.1} ms", fork.await);
    let sleep = middle(5, || async {
        environment.suspend().await.unwrap();
        environment.resume().await.unwrap();
    });
    println!("suspend and resume: {:.1} ms", sleep.await);
    let flood = Instant::now();
    let exec = Exec::new("head -c 50000000 /dev/zero");
    assert_eq!(
        environment.exec(exec).await.unwrap().stdout.len(),
        50_000_000
    );
    println!("50 MB of output: {:?}", flood.elapsed());
    let flood = Instant::now();
    sh(&environment, "head -c 50000000 /dev/zero | cat > /dev/null").await;
    println!("50 MB within: {:?}", flood.elapsed());
    branch.cleanup().await.unwrap();
    let before = ground.machines();
    let mut branches = Vec::new();
    for _ in 0..4 {
        let branch = environment.start(&snapshot).await.unwrap();
        sh(&branch, "echo $$ > file; cat file").await;
        branches.push(branch);
    }
    for machine in ground.machines() {
        if !before.contains(&machine) {
            println!("private memory of a branch: {} kB", private(machine));
        }
    }
    for branch in branches {
        branch.cleanup().await.unwrap();
    }
    environment.cleanup().await.unwrap();
}

/// What a process has that no other one has, in kB.
fn private(process: i32) -> u64 {
    let facts = std::fs::read_to_string(format!("/proc/{process}/smaps_rollup")).unwrap();
    let lines = facts.lines().filter(|line| line.starts_with("Private_"));
    let numbers = lines.filter_map(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    numbers.sum()
}

//! Pipelines drawn by number, against the machine's bash: same output, same status, and none that
//! stands still.
//!
//! `OFFSHOOT_PIPELINES` says how many are drawn, or as `N..M` which; without it a few, or some more
//! of them where `OFFSHOOT_SLOW_TESTS` is set.

mod draw;
mod oracle;

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use offshoot::{ByteReader, ByteWriter, Command, Exec, Execution, Sandbox, Stdin};

use crate::support::drawn;
use crate::watchdog::{Moved, standstill};
use draw::{BIG, Pipeline};

/// What came out.
#[derive(PartialEq, Eq)]
struct Outcome {
    status: i32,
    stdout: Vec<u8>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pipelines_do_what_bash_does() {
    let base = sandbox().await;
    let tools = oracle::tools();
    let mut failures = String::new();
    let (mut count, mut draws, mut unjudged) = (0, 0, Vec::new());
    for number in drawn("OFFSHOOT_PIPELINES", 30, 60) {
        let pipeline = draw::pipeline(number);
        draws += 1;
        let expected = oracle::outcome(&pipeline, tools.path());
        let found = match ours(base.fork(), &pipeline).await {
            Ok(found) => found,
            Err(still) => panic!("pipeline {number} {still}:\n{}", pipeline.script),
        };
        let Some(expected) = expected else {
            unjudged.push(number);
            continue;
        };
        if found != expected {
            count += 1;
            let _ = writeln!(
                failures,
                "pipeline {number}:\n{}\nbash {}\nours {}\n",
                pipeline.script,
                summary(&expected),
                summary(&found)
            );
        }
    }
    assert!(count == 0, "{count} differ\n{failures}");
    println!("{draws} drawn; bash itself stood still at {unjudged:?}");
    assert!(
        unjudged.len() * 50 <= draws.max(50),
        "bash stood still too often: {unjudged:?}"
    );
}

/// A sandbox with the file `big` and the embedder's commands.
async fn sandbox() -> Sandbox {
    let slow = Command::function(|mut call| async move {
        let mut buffer = [0; 1000];
        loop {
            match call.stdin.read(&mut buffer).await {
                Ok(0) => return 0,
                Ok(count) if call.stdout.write_all(&buffer[..count]).await.is_ok() => {
                    tokio::task::yield_now().await;
                }
                _ => return 141,
            }
        }
    });
    let gulp = Command::function(|mut call| async move {
        let Ok(all) = call.stdin.read_to_end(usize::MAX).await else {
            return 1;
        };
        match call.stdout.write_all(&all).await {
            Ok(()) => 0,
            Err(_) => 141,
        }
    });
    let first = Command::function(|mut call| async move {
        let mut left: usize = call.argument(1).and_then(|text| text.parse().ok()).unwrap();
        let mut buffer = vec![0; 3000];
        while left > 0 {
            let most = left.min(buffer.len());
            match call.stdin.read(&mut buffer[..most]).await {
                Ok(count @ 1..) if call.stdout.write_all(&buffer[..count]).await.is_ok() => {
                    left -= count;
                }
                Ok(0) => return 0,
                _ => return 141,
            }
        }
        0
    });
    let r#gen = Command::function(|mut call| async move {
        let size: usize = call.argument(1).and_then(|text| text.parse().ok()).unwrap();
        for chunk in draw::text(size).chunks(5000) {
            if call.stdout.write_all(chunk).await.is_err() {
                return 141;
            }
        }
        0
    });
    let commands = [
        ("slow", slow),
        ("gulp", gulp),
        ("first", first),
        ("gen", r#gen),
    ];
    let mut builder = Sandbox::builder();
    for (name, command) in commands {
        builder = builder.command(name, command);
    }
    let base = builder.build().unwrap();
    base.write_file("big", draw::text(BIG)).await.unwrap();
    base
}

/// What the sandbox makes of it; why it is given up where it stands still.
async fn ours(sandbox: Sandbox, pipeline: &Pipeline) -> Result<Outcome, &'static str> {
    let exec = Exec::new(&pipeline.script)
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdin::Piped);
    let mut running = sandbox.spawn(exec).unwrap();
    let moved = Arc::new(Moved::default());
    tokio::select! {
        outcome = drive(&mut running, pipeline, &moved) => Ok(outcome),
        still = standstill(&moved) => Err(still),
    }
}

async fn drive(running: &mut Execution, pipeline: &Pipeline, moved: &Moved) -> Outcome {
    let stdin = running.take_stdin().unwrap();
    let mut stdout = running.take_stdout().unwrap();
    let mut stderr = running.take_stderr().unwrap();
    let (_, stdout, _) = tokio::join!(
        feed(stdin, pipeline, moved),
        collect(&mut stdout, pipeline.slow, moved),
        collect(&mut stderr, false, moved),
    );
    let status = match running.wait().await {
        Ok(status) => i32::from(status),
        Err(error) => panic!("{error}:\n{}", pipeline.script),
    };
    Outcome { status, stdout }
}

async fn feed(mut stdin: ByteWriter, pipeline: &Pipeline, moved: &Moved) {
    for chunk in pipeline.stdin.chunks(10_000) {
        if pipeline.slow {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        if stdin.write(chunk).await.is_err() {
            return;
        }
        moved.add(chunk.len());
    }
}

async fn collect(stream: &mut ByteReader, slow: bool, moved: &Moved) -> Vec<u8> {
    let mut all = Vec::new();
    while let Some(chunk) = stream.read().await {
        moved.add(chunk.len());
        all.extend_from_slice(&chunk);
        if slow {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    }
    all
}

/// The status, the length and the first difference would be: the beginning and the end.
fn summary(outcome: &Outcome) -> String {
    let Outcome { status, stdout } = outcome;
    let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let end = stdout.len().saturating_sub(200);
    format!(
        "{status}, {} bytes: {:?} … {:?}",
        stdout.len(),
        shown(&stdout[..stdout.len().min(200)]),
        shown(&stdout[end..])
    )
}

//! Scripts that are suspended and go on: the host's half, with a shell that does little.

use std::sync::Arc;

use offshoot_kernel::{
    Capture, Error, ProcessEnd, Request, Resume, Shell, Stdio, Suspended, Suspender,
};
use tokio::task::JoinHandle;

use crate::support::{PATIENCE, Sandbox, text};

type Ended = offshoot_kernel::Result<ProcessEnd>;

/// Starts a script in a shell of its own.
fn start(sandbox: &Sandbox, request: Request) -> (Suspender, JoinHandle<Ended>) {
    let suspender = request.suspender.clone();
    let (mut shell, setup) = (sandbox.shell(), Arc::clone(&sandbox.setup));
    let task = tokio::spawn(async move { shell.run(&setup, request).await });
    (suspender, task)
}

/// Goes on in a shell of its own, to the end; what it writes.
async fn go_on(sandbox: &Sandbox, suspended: &Suspended, stdin: Stdio) -> (ProcessEnd, String) {
    // As another process would have it.
    let suspended = Suspended::from_bytes(&suspended.to_bytes().unwrap()).unwrap();
    let reopened = sandbox.kernel.reopen(&suspended).unwrap();
    let output = Capture::new();
    let resume = Resume {
        descriptors: vec![(0, stdin), (1, Stdio::Capture(output.clone()))],
        ..Resume::default()
    };
    let mut shell: Shell = sandbox.shell();
    let end = tokio::time::timeout(PATIENCE, shell.resume(reopened, resume)).await;
    (end.unwrap().unwrap(), text(&output))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_script_that_waits_goes_on_elsewhere() {
    let sandbox = Sandbox::new();
    let (stdin, mut feed) = Stdio::input();
    let output = Capture::new();
    let request = Request::text("print a\npid\nsleep 20\ncat\npid")
        .descriptor(0, stdin)
        .descriptor(1, Stdio::Capture(output.clone()));
    let (suspender, task) = start(&sandbox, request);
    feed.write(b"typed ahead, ").await.unwrap();
    let suspended = suspender.pause().await.unwrap().stop().await;
    assert!(matches!(task.await.unwrap(), Err(Error::Suspended)));
    assert!(sandbox.kernel.processes().is_empty());
    assert!(feed.write(b"too late").await.is_err());
    assert!(suspended.is_open(0));
    assert!(matches!(suspender.pause().await, Err(Error::Over)));
    let before = text(&output);
    for _ in 0..2 {
        let rest = Stdio::Bytes("then this\n".into());
        let (end, after) = go_on(&sandbox, &suspended, rest).await;
        assert_eq!(end, ProcessEnd::Exited(0));
        let all = before.clone() + &after;
        let pid = all.lines().last().unwrap();
        // The number is the same, as the script has it in `$$`.
        let expected = format!("a\n{pid}\ntyped ahead, then this\n{pid}\n");
        assert_eq!(all, expected, "{before}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_that_is_paused_goes_on_where_nobody_stops_it() {
    let sandbox = Sandbox::new();
    let output = Capture::new();
    let (stdin, mut feed) = Stdio::input();
    let request = Request::text("cat\nprint end")
        .descriptor(0, stdin)
        .descriptor(1, Stdio::Capture(output.clone()));
    let (suspender, task) = start(&sandbox, request);
    drop(suspender.pause().await.unwrap());
    feed.write(b"later\n").await.unwrap();
    drop(feed);
    assert_eq!(task.await.unwrap().unwrap(), ProcessEnd::Exited(0));
    assert_eq!(text(&output), "later\nend\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_program_in_flight_is_named_or_waited_for() {
    let sandbox = Sandbox::new();
    let output = Capture::new();
    let (stdin, feed) = Stdio::input();
    let request = Request::text("print start\nrun cat\nrun echo second\nprint end")
        .descriptor(0, stdin)
        .descriptor(1, Stdio::Capture(output.clone()));
    let (suspender, task) = start(&sandbox, request);
    let error = loop {
        match suspender.pause().await {
            Err(error) => break error,
            Ok(paused) => drop(paused),
        }
        tokio::task::yield_now().await;
    };
    assert!(
        matches!(&error, Error::InFlight(name) if name == "program"),
        "{error}"
    );
    assert!(error.retryable());
    // Whoever gives up waiting leaves no trace.
    let patient = tokio::time::timeout(std::time::Duration::from_millis(5), async {
        suspender.pause_patiently().await
    });
    assert!(patient.await.is_err());
    let asked = suspender.clone();
    let patient = tokio::spawn(async move { asked.pause_patiently().await });
    drop(feed);
    let suspended = patient.await.unwrap().unwrap().stop().await;
    assert!(matches!(task.await.unwrap(), Err(Error::Suspended)));
    assert_eq!(text(&output), "start\nExitStatus::Exited(0)\n");
    let (end, after) = go_on(&sandbox, &suspended, Stdio::Null).await;
    assert_eq!(end, ProcessEnd::Exited(0));
    assert_eq!(after, "second\nExitStatus::Exited(0)\nend\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_the_shell_wrote_is_looked_at_by_the_shell() {
    let sandbox = Sandbox::new();
    let (suspender, _task) = start(&sandbox, Request::text("sleep 100000"));
    let suspended = suspender.pause().await.unwrap().stop().await;
    let mut bytes = suspended.to_bytes().unwrap().to_vec();
    let at = bytes.windows(5).position(|word| word == b"sleep").unwrap();
    bytes[at] = 0xff;
    assert!(matches!(Suspended::from_bytes(&bytes), Err(Error::Corrupt)));
    // With the right sum again: FNV-1a.
    bytes.truncate(bytes.len() - 8);
    let step = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    let sum = bytes.iter().fold(0xcbf2_9ce4_8422_2325, step);
    bytes.extend_from_slice(&sum.to_le_bytes());
    let damaged = Suspended::from_bytes(&bytes).unwrap();
    let reopened = sandbox.kernel.reopen(&damaged).unwrap();
    let error = sandbox.shell().resume(reopened, Resume::default()).await;
    assert!(matches!(error, Err(Error::Corrupt)));
}

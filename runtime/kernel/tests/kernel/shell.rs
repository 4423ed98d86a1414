//! The driver of the shell, with the smallest component that can be driven so.

use std::time::{Duration, Instant};

use offshoot_kernel::{Capture, Error, Limit, ProcessEnd, Request, Session, Setup, Stdio};

use crate::support::{Sandbox, text};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scripts_run_to_their_end() {
    let sandbox = Sandbox::new();
    let mut shell = sandbox.shell();
    for (script, end, output) in [
        ("print hi", ProcessEnd::Exited(0), "hi\n"),
        ("exit 4", ProcessEnd::Exited(4), ""),
        ("print x\nexceed", ProcessEnd::Limit(Limit::Steps), "x\n"),
        ("sleep 5\nprint late", ProcessEnd::Exited(0), "late\n"),
        (
            "run echo child",
            ProcessEnd::Exited(0),
            "child\nExitStatus::Exited(0)\n",
        ),
        (
            "run exit 9",
            ProcessEnd::Exited(0),
            "ExitStatus::Exited(9)\n",
        ),
        (
            "run panic",
            ProcessEnd::Exited(0),
            "ExitStatus::Signalled(6)\n",
        ),
        ("trap", ProcessEnd::Signalled(6), ""),
        ("print back", ProcessEnd::Exited(0), "back\n"),
    ] {
        assert_eq!(
            sandbox.script(&mut shell, script).await,
            (end, output.into()),
            "{script}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_instance_is_kept_unless_it_was_harmed() {
    let sandbox = Sandbox::limited(|limits| limits.wall_time = Some(Duration::from_millis(100)));
    let mut shell = sandbox.shell();
    for (script, kept) in [
        ("print a", true),
        ("exit 1", true),
        ("trap", false),
        ("loop", false),
        ("more", false),
    ] {
        sandbox.script(&mut shell, script).await;
        assert_eq!(shell.is_warm(), kept, "{script}");
    }
    shell.warm().await.unwrap();
    assert!(shell.is_warm());
    shell.discard();
    assert_eq!(sandbox.script(&mut shell, "print b").await.1, "b\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn input_arrives_while_the_script_waits_for_it() {
    let sandbox = Sandbox::new();
    let mut shell = sandbox.shell();
    let (stdin, mut feed) = Stdio::input();
    let output = Capture::new();
    let request = Request::text("cat\nprint end")
        .descriptor(0, stdin)
        .descriptor(1, Stdio::Capture(output.clone()));
    let feeder = tokio::spawn(async move {
        for word in ["one ", "two\n"] {
            tokio::time::sleep(Duration::from_millis(5)).await;
            feed.write(word.as_bytes()).await.unwrap();
        }
    });
    assert_eq!(
        shell.run(&sandbox.setup, request).await.unwrap(),
        ProcessEnd::Exited(0)
    );
    feeder.await.unwrap();
    assert_eq!(text(&output), "one two\nend\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn fresh_state_is_fresh_and_sessions_are_not() {
    let sandbox = Sandbox::new();
    let mut shell = sandbox.shell();
    for _ in 0..3 {
        assert_eq!(sandbox.script(&mut shell, "add\nadd").await.1, "1\n2\n");
    }
    let mut session = Session::new(Setup::default());
    assert_eq!(in_session(&sandbox, &mut session, "add").await.1, "1\n");
    let mut branch = session.fork();
    assert_eq!(in_session(&sandbox, &mut session, "add").await.1, "2\n");
    // A trap costs what the execution did, not what the session was.
    assert_eq!(
        in_session(&sandbox, &mut session, "add\ntrap").await.0,
        ProcessEnd::Signalled(6)
    );
    assert_eq!(in_session(&sandbox, &mut session, "add").await.1, "3\n");
    assert_eq!(in_session(&sandbox, &mut branch, "add").await.1, "2\n");
    let mut loaded = Session::load(session.state().unwrap().clone(), Setup::default());
    assert_eq!(in_session(&sandbox, &mut loaded, "add").await.1, "4\n");
    let mut damaged = Session::load("no state".into(), Setup::default());
    let mut shell = sandbox.shell();
    let error = shell
        .run_session(&mut damaged, Request::text("add"))
        .await
        .unwrap_err();
    assert!(matches!(error, Error::Corrupt), "{error}");
}

async fn in_session(
    sandbox: &Sandbox,
    session: &mut Session,
    script: &str,
) -> (ProcessEnd, String) {
    let output = Capture::new();
    let mut shell = sandbox.shell();
    let request = Request::text(script).descriptor(1, Stdio::Capture(output.clone()));
    let end = shell.run_session(session, request).await.unwrap();
    (end, text(&output))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_instance_serves_a_session_again_and_again() {
    let sandbox = Sandbox::new();
    let mut shell = sandbox.shell();
    let mut session = Session::new(Setup::default());
    for expected in 1..50 {
        let output = Capture::new();
        let request = Request::text("add").descriptor(1, Stdio::Capture(output.clone()));
        shell.run_session(&mut session, request).await.unwrap();
        assert_eq!(text(&output), format!("{expected}\n"));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn signals_reach_the_script() {
    let sandbox = Sandbox::new();
    let mut shell = sandbox.shell();
    for script in ["print ready\nsleep 100000", "print ready\nmore"] {
        let output = Capture::new();
        let request = Request::text(script).descriptor(1, Stdio::Capture(output.clone()));
        let kernel = sandbox.kernel.clone();
        let seen = output.clone();
        let killer = tokio::spawn(async move {
            while seen.is_empty() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            let pid = kernel.processes()[0].pid;
            kernel.kill(pid, 15).unwrap();
        });
        let end = shell.run(&sandbox.setup, request).await.unwrap();
        killer.await.unwrap();
        assert_eq!(
            (end, text(&output)),
            (ProcessEnd::Exited(40), "ready\ntrap 15\n".into())
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_embedder_can_signal_an_execution() {
    let sandbox = Sandbox::new();
    let mut shell = sandbox.shell();
    for (signal, end) in [(15, ProcessEnd::Exited(40)), (9, ProcessEnd::Signalled(9))] {
        let request = Request::text("sleep 100000");
        let signals = request.signals.clone();
        let (ended, ()) = tokio::join!(shell.run(&sandbox.setup, request), async {
            tokio::time::sleep(Duration::from_millis(10)).await;
            signals.send(signal);
        });
        assert_eq!(ended.unwrap(), end);
        let early = Request::text("print x");
        early.signals.send(signal);
        assert_eq!(shell.run(&sandbox.setup, early).await.unwrap(), end);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_end_of_an_execution_ends_what_it_started() {
    let sandbox = Sandbox::new();
    let mut shell = sandbox.shell();
    assert_eq!(
        sandbox.script(&mut shell, "start loop\nprint done").await.1,
        "done\n"
    );
    assert!(sandbox.kernel.processes().is_empty());

    let mut request = Request::text("start loop\nprint done");
    request.detach = true;
    shell.run(&sandbox.setup, request).await.unwrap();
    assert_eq!(sandbox.kernel.processes().len(), 1);
    sandbox.kernel.terminate();
    eventually_quiet(&sandbox).await;

    let mut request = Request::text("start sleep 30");
    request.wait_for_background = true;
    let start = Instant::now();
    shell.run(&sandbox.setup, request).await.unwrap();
    assert!(start.elapsed() >= Duration::from_millis(30));
    assert!(sandbox.kernel.processes().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_dropped_execution_ends_what_it_started() {
    let sandbox = Sandbox::new();
    let mut shell = sandbox.shell();
    let run = sandbox.script(&mut shell, "run loop");
    assert!(
        tokio::time::timeout(Duration::from_millis(50), run)
            .await
            .is_err()
    );
    assert!(!shell.is_warm());
    eventually_quiet(&sandbox).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_shell_is_a_program_too() {
    let sandbox = Sandbox::new();
    let mut options = sandbox.options(&[]);
    options.path = b"/bin/sh".to_vec();
    options.arguments = ["sh", "print from a process", "exit 6"]
        .map(|word| word.into())
        .to_vec();
    let result = sandbox.run_with(options, b"").await;
    assert_eq!(result.end, ProcessEnd::Exited(6), "{}", result.stderr);
    assert_eq!(result.stdout, "from a process\n");
}

async fn eventually_quiet(sandbox: &Sandbox) {
    let start = Instant::now();
    while !sandbox.kernel.processes().is_empty() {
        assert!(
            start.elapsed() < Duration::from_secs(5),
            "{:?}",
            sandbox.kernel.processes()
        );
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn executions_can_run_on_tasks_of_their_own() {
    let sandbox = Sandbox::new();
    let tasks = (0..8).map(|number| {
        let (mut shell, setup) = (sandbox.shell(), sandbox.setup.clone());
        tokio::spawn(async move {
            let output = Capture::new();
            let request = Request::text(format!("run echo {number}\nsleep 2\nprint {number}"))
                .descriptor(1, Stdio::Capture(output.clone()));
            let end = shell.run(&setup, request).await.unwrap();
            (number, end, text(&output))
        })
    });
    for task in tasks.collect::<Vec<_>>() {
        let (number, end, output) = task.await.unwrap();
        assert_eq!(end, ProcessEnd::Exited(0));
        assert_eq!(
            output,
            format!("{number}\nExitStatus::Exited(0)\n{number}\n")
        );
    }
}

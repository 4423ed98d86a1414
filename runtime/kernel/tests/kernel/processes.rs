//! How processes start, end, and reach each other.

use std::time::{Duration, Instant};

use offshoot_kernel::{Capture, Error, Limit, ProcessEnd, Program, Programs, Stdio};

use crate::support::{Sandbox, text, wait};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn programs_end_as_they_say() {
    let sandbox = Sandbox::new();
    let cases: &[(&[&str], ProcessEnd, &str, &str)] = &[
        (&["echo", "a", "b"], ProcessEnd::Exited(0), "a b\n", ""),
        (&["exit", "3"], ProcessEnd::Exited(3), "", ""),
        (&["exit", "0"], ProcessEnd::Exited(0), "", ""),
        (&["fail"], ProcessEnd::Exited(1), "", ""),
        (&["panic"], ProcessEnd::Signalled(6), "", "on purpose"),
        (
            &["recurse"],
            ProcessEnd::Signalled(6),
            "",
            "call stack exhausted",
        ),
    ];
    for (words, end, stdout, stderr) in cases {
        let result = sandbox.run(words).await;
        assert_eq!(result.end, *end, "{words:?}");
        assert_eq!(result.stdout, *stdout, "{words:?}");
        assert!(
            result.stderr.contains(stderr),
            "{words:?}: {}",
            result.stderr
        );
    }
    assert!(sandbox.kernel.processes().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_trap_says_so_on_stderr_without_paths_of_the_host() {
    let result = Sandbox::new().run(&["recurse"]).await;
    assert!(result.stderr.starts_with("program: "), "{}", result.stderr);
    assert!(!result.stderr.contains(".rs"), "{}", result.stderr);
    assert_eq!(result.end.status(), 134);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn kill_works_at_any_instruction() {
    let sandbox = Sandbox::new();
    for (words, signal) in [
        (&["loop"][..], 9),
        (&["loop"], 15),
        (&["ping-pong"], 2),
        (&["sleep", "100000"], 15),
        (&["cat", "/dev/zero"], 9),
    ] {
        let process = sandbox.spawn(sandbox.options(words));
        tokio::time::sleep(Duration::from_millis(10)).await;
        assert_eq!(process.ended(), None, "{words:?}");
        let start = Instant::now();
        process.kill(signal);
        assert_eq!(
            wait(&process).await,
            ProcessEnd::Signalled(signal),
            "{words:?}"
        );
        assert!(
            start.elapsed() < Duration::from_millis(500),
            "{words:?} took {:?}",
            start.elapsed()
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stopped_process_stands_still_until_it_is_continued() {
    let sandbox = Sandbox::new();
    let (stdout, mut reader) = Stdio::output();
    let process = sandbox.spawn(sandbox.options(&["sleep", "30"]).descriptor(1, stdout));
    process.kill(19);
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert_eq!(process.ended(), None);
    process.kill(18);
    assert_eq!(wait(&process).await, ProcessEnd::Exited(0));
    assert_eq!(reader.read().await, None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn harmless_signals_end_nothing() {
    let sandbox = Sandbox::new();
    let process = sandbox.spawn(sandbox.options(&["sleep", "20"]));
    [17, 18, 23, 28]
        .into_iter()
        .for_each(|signal| process.kill(signal));
    assert_eq!(wait(&process).await, ProcessEnd::Exited(0));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_cannot_be_executed() {
    let sandbox = Sandbox::new();
    sandbox.write("/bin/plain", b"echo hi\n", 0o755);
    sandbox.write("/bin/hidden", b"\x7fOFFSHOOT program program\n", 0o644);
    sandbox.write("/bin/unknown", b"\x7fOFFSHOOT program nosuch\n", 0o755);
    sandbox.write("/bin/circle", b"#!/bin/circle\n", 0o755);
    sandbox.write("/bin/lost", b"#!/bin/nothing\n", 0o755);
    for (path, code) in [
        ("/bin/missing", "ENOENT"),
        ("/bin/plain", "ENOEXEC"),
        ("/bin/hidden", "EACCES"),
        ("/bin/unknown", "ENOEXEC"),
        ("/bin/circle", "ELOOP"),
        ("/bin/lost", "ENOENT"),
        ("/home", "EACCES"),
    ] {
        let mut options = sandbox.options(&[]);
        options.path = path.into();
        assert_eq!(
            sandbox.kernel.spawn(options).unwrap_err().code(),
            code,
            "{path}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn scripts_run_by_their_interpreter() {
    let sandbox = Sandbox::new();
    sandbox.write("/bin/one", b"#! /bin/program args\n", 0o755);
    sandbox.write("/bin/two", b"#!/bin/one x y\n", 0o755);
    for (path, expected) in [
        ("/bin/one", "/bin/program\nargs\n/bin/one\nA\n"),
        (
            "/bin/two",
            "/bin/program\nargs\n/bin/one\nx y\n/bin/two\nA\n",
        ),
    ] {
        let mut options = sandbox.options(&["A"]);
        options.path = path.into();
        assert_eq!(
            sandbox.run_with(options, b"").await.stdout,
            expected,
            "{path}"
        );
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn programs_start_programs() {
    let sandbox = Sandbox::new();
    for (words, expected) in [
        (&["spawn", "program", "exit", "5"][..], "exited 5\n"),
        (&["spawn", "program", "panic"], "signalled 6\n"),
        (&["spawn", "program", "env"], "FROM=parent\nexited 0\n"),
        (
            &["spawn", "program", "spawn", "program", "echo", "deep"],
            "deep\nexited 0\nexited 0\n",
        ),
        (
            &["pipeline"],
            "0\nExitStatus::Signalled(13)\nExitStatus::Exited(0)\nExitStatus::Exited(0)\n",
        ),
        (
            &["kill-child"],
            "Ok(ExitStatus::Signalled(15))\nchild no-process\n",
        ),
    ] {
        let result = sandbox.run(words).await;
        assert_eq!(
            result.end,
            ProcessEnd::Exited(0),
            "{words:?}: {}",
            result.stderr
        );
        let expected = expected.replacen("0\nExitStatus::Sig", "3\nExitStatus::Sig", 1);
        assert_eq!(sorted(&result.stdout), sorted(&expected), "{words:?}");
    }
    assert!(sandbox.kernel.processes().is_empty());
}

/// The lines in an order that does not depend on who was faster.
fn sorted(text: &str) -> Vec<&str> {
    let mut lines: Vec<_> = text.lines().collect();
    lines.sort_unstable();
    lines
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn host_functions_are_commands() {
    let sandbox = Sandbox::with(|settings| {
        let mut programs = Programs::clone(&settings.programs);
        let upper = Program::function(|mut call| async move {
            let bytes = call.stdin.read_to_end(1 << 20).await.unwrap_or_default();
            let _ = call.stdout.write_all(&bytes.to_ascii_uppercase()).await;
            let word = call.argument(1).unwrap_or("-").to_owned();
            let _ = call.stderr.write_all(word.as_bytes()).await;
            9
        });
        programs.insert("upper", upper);
        let broken = Program::function(|call| async move {
            assert!(call.arguments.is_empty(), "broken on purpose");
            0
        });
        programs.insert("broken", broken);
        settings.programs = programs.into();
    });
    sandbox.write("/bin/upper", &offshoot_kernel::marker("upper"), 0o755);
    sandbox.write("/bin/broken", &offshoot_kernel::marker("broken"), 0o755);
    let mut options = sandbox.options(&["word"]);
    options.path = b"/bin/upper".to_vec();
    let result = sandbox.run_with(options.clone(), b"shout").await;
    assert_eq!(
        (result.end, &*result.stdout),
        (ProcessEnd::Exited(9), "SHOUT")
    );
    assert_eq!(result.stderr, "word");

    // A panic of the host ends the process that it worked for, and nothing else.
    options.path = b"/bin/broken".to_vec();
    let result = sandbox.run_with(options, b"").await;
    assert!(matches!(&result.end, ProcessEnd::Fault(why) if why.contains("broken on purpose")));
    assert_eq!(sandbox.run(&["echo", "fine"]).await.stdout, "fine\n");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn terminate_ends_everything() {
    let sandbox = Sandbox::new();
    let processes: Vec<_> = (0..5)
        .map(|_| sandbox.spawn(sandbox.options(&["loop"])))
        .collect();
    assert_eq!(sandbox.kernel.processes().len(), 5);
    sandbox.kernel.terminate();
    for process in &processes {
        assert_eq!(wait(process).await, ProcessEnd::Signalled(9));
    }
    assert!(sandbox.kernel.processes().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn output_before_the_end_is_delivered() {
    let sandbox = Sandbox::new();
    let capture = Capture::new();
    let mut options = sandbox
        .options(&["yes"])
        .descriptor(1, Stdio::Capture(capture.clone()));
    options.wall_time = Some(Duration::from_millis(50));
    assert_eq!(
        wait(&sandbox.spawn(options)).await,
        ProcessEnd::Limit(Limit::WallTime)
    );
    assert!(text(&capture).starts_with("yyyy"));
}

#[test]
fn processes_need_a_runtime() {
    let sandbox = Sandbox::new();
    let error = sandbox
        .kernel
        .spawn(sandbox.options(&["echo"]))
        .unwrap_err();
    assert!(matches!(error, Error::Engine(_)), "{error}");
    assert!(sandbox.kernel.processes().is_empty());
}

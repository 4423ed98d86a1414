//! Scripts that are suspended while they run, and go on in another instance, another sandbox,
//! another process: what they print and how they end is what it would have been.

use offshoot::lifecycle::{Origin, Sandboxes, Store};
use offshoot::{Code, Exec, Execution, Sandbox, Stdin, Suspended};
use std::time::Duration;

/// Scripts that wait, each ended by a line of `----`. They read [`INPUT`].
const SCRIPTS: &str = include_str!("waiting.txt");

const INPUT: &str = "first line\nsecond line\nthird";

fn scripts() -> impl Iterator<Item = &'static str> {
    let all = SCRIPTS.split("----\n").map(str::trim_end);
    all.filter(|script| !script.is_empty())
}

fn exec(script: &str) -> Exec {
    Exec::new(script).name("script").stdin(INPUT)
}

/// Everything that a script has written and will write: standard output, then standard error.
async fn outputs(running: &mut Execution) -> (Vec<u8>, Vec<u8>) {
    let mut stdout = running.take_stdout().unwrap();
    let mut stderr = running.take_stderr().unwrap();
    tokio::join!(stdout.read_to_end(), stderr.read_to_end())
}

/// What a script prints and how it ends, undisturbed.
async fn plain(script: &str) -> (String, String, u8) {
    let result = Sandbox::new().unwrap().exec(exec(script)).await.unwrap();
    let (stdout, stderr) = (result.stdout_text(), result.stderr_text());
    (stdout.into_owned(), stderr.into_owned(), result.exit_code)
}

/// A service as another process would have it.
fn service(directory: &tempfile::TempDir) -> Sandboxes {
    Sandboxes::open(Store::sqlite(directory.path()).unwrap())
}

/// The same with the sandbox put to sleep every `pause`, and woken by a service that has nothing but
/// the store; how often it slept under the script, too.
async fn interrupted(script: &str, pause: Duration) -> ((String, String, u8), usize) {
    let directory = tempfile::tempdir().unwrap();
    let mut sandboxes = service(&directory);
    let template = Origin::template(Sandbox::builder());
    sandboxes.create("box", template).await.unwrap();
    let mut running = sandboxes
        .lease("box")
        .await
        .unwrap()
        .spawn(exec(script))
        .unwrap();
    let (mut stdout, mut stderr) = (Vec::new(), Vec::new());
    let mut slept = 0;
    loop {
        let id = running.id();
        let read = async {
            let (more, errors) = outputs(&mut running).await;
            stdout.extend(more);
            stderr.extend(errors);
        };
        let suspend = async {
            tokio::time::sleep(pause).await;
            sandboxes.suspend_patiently("box").await.unwrap();
        };
        tokio::join!(read, suspend);
        sandboxes = service(&directory);
        let lease = sandboxes.lease("box").await.unwrap();
        let Some(sleeping) = lease.sleeping_scripts().await.unwrap().pop() else {
            let text = |bytes| String::from_utf8(bytes).unwrap();
            let status = running.wait().await.unwrap();
            return ((text(stdout), text(stderr), status), slept);
        };
        assert_eq!((sleeping.id, sleeping.script.as_str()), (id, script));
        slept += 1;
        let gone = running.wait().await.unwrap_err();
        assert_eq!(gone.code(), Code::SandboxUnavailable);
        running = lease.resume_script(sleeping.id).await.unwrap();
        assert!(lease.sleeping_scripts().await.unwrap().is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_goes_on_in_another_process_as_if_nothing_had_been() {
    for script in scripts() {
        let expected = plain(script).await;
        assert!(!expected.0.is_empty(), "{script}\n{expected:?}");
        assert!(!expected.1.contains("panicked"), "{script}\n{expected:?}");
        let mut slept = 0;
        for pause in [0, 7, 30] {
            let (got, times) = interrupted(script, Duration::from_millis(pause)).await;
            assert_eq!(got, expected, "{script}");
            slept += times;
        }
        assert!(slept > 0, "never slept: {script}");
    }
}

/// The script at its first wait, when it has printed `ready`.
async fn at_rest(sandbox: &Sandbox, exec: Exec) -> Execution {
    let mut running = sandbox.spawn(exec).unwrap();
    let mut stdout = running.take_stdout().unwrap();
    let mut seen = Vec::new();
    while !seen.ends_with(b"ready\n") {
        seen.extend(stdout.read().await.unwrap());
    }
    running
}

async fn finish(sandbox: &Sandbox, suspended: &Suspended) -> String {
    let mut running = sandbox.resume(suspended).unwrap();
    drop(running.take_stdin());
    let (stdout, stderr) = outputs(&mut running).await;
    assert_eq!(running.wait().await.unwrap(), 0);
    String::from_utf8([stdout, stderr].concat()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn two_branches_go_on_from_one_point() {
    let sandbox = Sandbox::new().unwrap();
    let script = "exec 3>>log; echo one >&3; x=1; echo ready; read -r line; (( x++ ))
        echo \"$x $line\" >&3; cat log";
    let running = at_rest(&sandbox, Exec::new(script).stdin(Stdin::Piped)).await;
    let suspended = running.suspend().await.unwrap();
    let branch = sandbox.fork();
    branch.exec("echo branch >> log").await.unwrap();
    assert_eq!(finish(&branch, &suspended).await, "one\nbranch\n2 \n");
    assert_eq!(finish(&sandbox, &suspended).await, "one\n2 \n");
    // Once more, where it has been already.
    assert_eq!(finish(&sandbox, &suspended).await, "one\n2 \n2 \n");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_typed_ahead_is_read_first() {
    let sandbox = Sandbox::new().unwrap();
    let script = "read -r a; echo ready; while read -r b; do echo \"$a $b\"; a=$b; done";
    let mut running = sandbox
        .spawn(Exec::new(script).stdin(Stdin::Piped))
        .unwrap();
    let mut stdin = running.take_stdin().unwrap();
    let mut stdout = running.take_stdout().unwrap();
    stdin.write(b"one\ntw").await.unwrap();
    assert_eq!(&stdout.read().await.unwrap()[..], b"ready\n");
    let suspended = running.suspend().await.unwrap();
    assert!(stdin.write(b"lost").await.is_err());
    let mut running = sandbox.resume(&suspended).unwrap();
    let mut stdin = running.take_stdin().unwrap();
    stdin.write(b"o\nthree\n").await.unwrap();
    drop(stdin);
    let (stdout, _) = outputs(&mut running).await;
    assert_eq!(String::from_utf8_lossy(&stdout), "one two\ntwo three\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn files_without_a_name_are_kept_with_what_is_in_them() {
    let sandbox = Sandbox::new().unwrap();
    let script = "exec 3<>notes; echo 0123456789 >&3; exec 4<notes; read -n 3 <&4; rm notes
        mkfifo queue; exec 5<>queue; rm queue; echo first >&5; echo second >&5
        echo kept > named; exec 6<named; mv named renamed
        echo ready; read -t 1000; read -r rest <&4; echo $rest; echo more >&3; read -r rest <&4
        echo $rest; read -r a <&5; read -r b <&5; echo $a $b; read -r c <&6; echo $c; ls -A / | grep -c resumed";
    let running = at_rest(&sandbox, Exec::new(script).stdin(Stdin::Piped)).await;
    let suspended = running.suspend().await.unwrap();
    let bytes = suspended.to_bytes().unwrap();
    let expected = "3456789\nmore\nfirst second\nkept\n0\n";
    for sandbox in [sandbox.fork(), sandbox] {
        let suspended = Suspended::from_bytes(&bytes).unwrap();
        let mut running = sandbox.resume(&suspended).unwrap();
        drop(running.take_stdin());
        let (stdout, stderr) = outputs(&mut running).await;
        assert_eq!(String::from_utf8_lossy(&stderr), "");
        assert_eq!(String::from_utf8_lossy(&stdout), expected);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_in_flight_is_named_and_can_be_waited_for() {
    let sandbox = Sandbox::new().unwrap();
    let script = "echo ready; sort; echo \"$(seq 3 | sort -r | head -n 1) done\"; sleep 1";
    let mut running = sandbox
        .spawn(Exec::new(script).stdin(Stdin::Piped))
        .unwrap();
    let mut stdin = running.take_stdin().unwrap();
    let error = loop {
        match running.suspend().await {
            Err(error) => break error,
            // It had not come to the program yet.
            Ok(suspended) => {
                running = sandbox.resume(&suspended).unwrap();
                stdin = running.take_stdin().unwrap();
            }
        }
    };
    assert_eq!((error.code(), error.retryable()), (Code::Conflict, true));
    assert!(error.to_string().contains("`sort`"), "{error}");
    let feed = async {
        stdin.write(b"a\nb\n").await.unwrap();
        drop(stdin);
    };
    let (suspended, ()) = tokio::join!(running.suspend_patiently(), feed);
    // It may have come as far as its last sleep.
    let written = running.take_stdout().unwrap().read_to_end().await;
    let rest = finish(&sandbox, &suspended.unwrap()).await;
    let written = String::from_utf8(written).unwrap() + &rest;
    assert!(written.ends_with("a\nb\n3 done\n"), "{written}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sandbox_is_not_suspended_under_a_program() {
    let sandboxes = Sandboxes::open(Store::memory());
    let template = Origin::template(Sandbox::builder());
    sandboxes.create("box", template).await.unwrap();
    let script = "echo ready; sort; sleep 1000";
    let lease = sandboxes.lease("box").await.unwrap();
    let waiting = at_rest(&lease, Exec::new("echo ready; sleep 0.01; echo woken")).await;
    let mut running = at_rest(&lease, Exec::new(script).stdin(Stdin::Piped)).await;
    drop(lease);
    let error = loop {
        match sandboxes.suspend("box").await {
            Err(error) => break error,
            Ok(_) => {
                let lease = sandboxes.lease("box").await.unwrap();
                running = lease.resume_script(running.id()).await.unwrap();
            }
        }
    };
    assert_eq!(error.code(), Code::Conflict);
    assert!(error.to_string().contains("`sort`"), "{error}");
    drop(running.take_stdin());
    sandboxes.suspend_patiently("box").await.unwrap();
    let lease = sandboxes.lease("box").await.unwrap();
    let left = lease.sleeping_scripts().await.unwrap();
    assert!(left.iter().any(|script| script.id == running.id()));
    assert!(lease.discard_script(running.id()).await);
    let missing = lease.resume_script(running.id()).await.unwrap_err();
    assert_eq!(missing.code(), Code::NotFound);
    drop(waiting);
}

#[tokio::test(flavor = "multi_thread")]
async fn sleeping_scripts_belong_to_the_state() {
    let sandboxes = Sandboxes::open(Store::memory());
    let template = Origin::template(Sandbox::builder());
    sandboxes.create("box", template).await.unwrap();
    let lease = sandboxes.lease("box").await.unwrap();
    let script = "echo ready; read -r; echo on $((6 * 7))";
    let running = at_rest(&lease, Exec::new(script).stdin(Stdin::Piped)).await;
    drop(lease);
    sandboxes.suspend("box").await.unwrap();
    // It is in branches, and in exports; nobody has to resume it.
    sandboxes
        .create("branch", Origin::sandbox("box"))
        .await
        .unwrap();
    sandboxes.exec("box", "echo awake").await.unwrap();
    sandboxes.suspend("box").await.unwrap();
    for name in ["box", "branch"] {
        let lease = sandboxes.lease(name).await.unwrap();
        let sleeping = lease.sleeping_scripts().await.unwrap();
        assert_eq!(sleeping.len(), 1, "{name}");
        let mut resumed = lease.resume_script(running.id()).await.unwrap();
        drop(resumed.take_stdin());
        let (stdout, _) = outputs(&mut resumed).await;
        assert_eq!(String::from_utf8_lossy(&stdout), "on 42\n");
        assert!(!lease.discard_script(running.id()).await);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_script_that_was_killed_before_does_not_sleep() {
    let directory = tempfile::tempdir().unwrap();
    let template = Origin::template(Sandbox::builder());
    service(&directory).create("box", template).await.unwrap();
    for round in 0..60 {
        let sandboxes = service(&directory);
        let lease = sandboxes.lease("box").await.unwrap();
        assert!(lease.sleeping_scripts().await.unwrap().is_empty());
        let script = "(sleep 1000 & wait) & echo ready; wait";
        let mut running = at_rest(&lease, Exec::new(script)).await;
        match round % 3 {
            0 => running.kill(),
            1 => running.signal(9),
            _ => drop(running),
        }
        drop(lease);
        sandboxes.suspend_patiently("box").await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_go_on_says_why() {
    let sandbox = Sandbox::new().unwrap();
    let script = "echo text > file; exec 3<file; echo ready; sleep 1000; cat <&3";
    let running = at_rest(&sandbox, Exec::new(script)).await;
    let suspended = running.suspend().await.unwrap();
    assert_eq!(running.suspend().await.unwrap_err().code(), Code::NotFound);

    for (change, code) in [
        ("rm file", Code::NotFound),
        ("rm file; mkdir file", Code::Conflict),
        ("mv file /tmp; ln -s nowhere file", Code::NotFound),
    ] {
        let branch = sandbox.fork();
        branch.exec(change).await.unwrap();
        let error = branch.resume(&suspended).unwrap_err();
        assert_eq!(error.code(), code, "{change}");
        assert!(error.to_string().contains("/home/user/file"), "{error}");
    }

    let bytes = suspended.to_bytes().unwrap();
    for at in (0..bytes.len()).step_by(7) {
        let mut damaged = bytes.to_vec();
        damaged[at] ^= 4;
        let error = Suspended::from_bytes(&damaged).unwrap_err();
        assert_eq!(error.code(), Code::Corrupt, "{at}");
        let error = Suspended::from_bytes(&bytes[..at]).unwrap_err();
        assert_eq!(error.code(), Code::Corrupt, "cut at {at}");
    }
    let mut newer = bytes.to_vec();
    newer[10] = 99;
    let error = Suspended::from_bytes(&sealed(newer)).unwrap_err();
    assert_eq!(error.code(), Code::TooNew);

    // What the shell wrote is looked at by the shell.
    let mut damaged = bytes.to_vec();
    let at = damaged.windows(8).position(|word| word == b"OFFTASKS");
    damaged[at.unwrap() + 20] ^= 1;
    let suspended = Suspended::from_bytes(&sealed(damaged)).unwrap();
    let error = sandbox.resume(&suspended).unwrap().wait().await;
    assert_eq!(error.unwrap_err().code(), Code::Corrupt);
}

/// With the sum that belongs to it: FNV-1a.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    bytes.truncate(bytes.len() - 8);
    let step = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    let sum = bytes.iter().fold(0xcbf2_9ce4_8422_2325, step);
    bytes.extend_from_slice(&sum.to_le_bytes());
    bytes
}

#[tokio::test(flavor = "multi_thread")]
async fn nesting_of_commands_ends_in_no_trap() {
    let sandbox = Sandbox::new().unwrap();
    for (before, within, after) in [
        ("{ ", "sleep 0.02", "\n}"),
        ("( ", "sleep 0.02", " )"),
        ("if ", "sleep 0.02", "\nthen :; fi"),
        ("x=$(", "sleep 0.02", ")"),
        ("echo \"$(", "sleep 0.02", ")\""),
        ("f() { ", "sleep 0.02", "\n}; f"),
        (": ${x-", "$(sleep 0.02)", "}"),
        ("while :; do ", "sleep 0.02", "\nbreak; done"),
    ] {
        for levels in [60, 190, 330, 399] {
            let nested = before.repeat(levels) + within + &after.repeat(levels);
            let script = format!("echo ready\ng() {{ {nested}\n}}; sleep 0.02; g > log; echo end");
            let mut running = at_rest(&sandbox, Exec::new(&script)).await;
            let mut written = Vec::new();
            // Before the call, and within.
            for _ in 0..3 {
                match running.suspend_patiently().await {
                    Ok(suspended) => {
                        if running.take_stderr().is_some()
                            && let Some(mut stdout) = running.take_stdout()
                        {
                            written.extend(stdout.read_to_end().await);
                        }
                        running = sandbox.resume(&suspended).unwrap();
                    }
                    // The parser refused it and the script ended, or it cannot be kept and goes on.
                    Err(error) => {
                        let known = [Code::NotFound, Code::Capability];
                        assert!(
                            known.contains(&error.code()),
                            "{levels} of {before}: {error}"
                        );
                        break;
                    }
                }
                tokio::time::sleep(Duration::from_millis(15)).await;
            }
            if let Some(mut stdout) = running.take_stdout() {
                written.extend(stdout.read_to_end().await);
            }
            let status = running.wait().await.unwrap();
            assert!(status < 126, "{levels} of {before}: {status}");
            let expected: &[u8] = if status == 0 { b"end\n" } else { b"" };
            assert_eq!(written, expected, "{levels} of {before}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn limits_go_on_where_they_were() {
    let sandbox = Sandbox::new().unwrap();
    let exec = Exec::new("echo ready; sleep 1000").timeout_ms(60);
    let running = at_rest(&sandbox, exec).await;
    let suspended = running.suspend().await.unwrap();
    tokio::time::sleep(Duration::from_millis(80)).await;
    assert_eq!(
        sandbox.resume(&suspended).unwrap().wait().await.unwrap(),
        124
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_large_is_kept_too() {
    let sandbox = Sandbox::new().unwrap();
    let script = "x=$(printf '%08000000d' 7); echo ready; read -r; echo ${#x} ${x:(-1)}";
    let running = at_rest(&sandbox, Exec::new(script).stdin(Stdin::Piped)).await;
    let suspended = running.suspend().await.unwrap();
    assert!(suspended.to_bytes().unwrap().len() > 8_000_000);
    assert_eq!(finish(&sandbox, &suspended).await, "8000000 7\n");
}

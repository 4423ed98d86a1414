//! Kept sandboxes whose owners are killed, stopped and crowded: nothing is lost, and nobody waits for a
//! process that is gone.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]
#![cfg(unix)]

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::time::Duration;

const OFFSHOOT: &str = env!("CARGO_BIN_EXE_offshoot");

fn command(store: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(OFFSHOOT);
    command
        .args(words)
        .env("OFFSHOOT_STORE", store)
        .stdin(Stdio::null());
    command
}

fn run(store: &Path, words: &[&str]) -> Output {
    command(store, words).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Both outputs of a command, which must end with this status.
fn says(store: &Path, status: i32, words: &[&str]) -> (String, String) {
    let output = run(store, words);
    let said = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(status), "{words:?}\n{said:?}");
    said
}

fn state(store: &Path, name: &str) -> String {
    let (listed, _) = says(store, 0, &["ls", "--json"]);
    let listed: Value = serde_json::from_str(&listed).unwrap();
    let all = listed.as_array().unwrap().iter();
    let mut found = all.filter(|info| info["name"] == name);
    found.next().unwrap()["state"].as_str().unwrap().to_owned()
}

/// A script that runs in `name`, once it has said "ready".
fn started(store: &Path, name: &str, script: &str) -> (Child, BufReader<ChildStdout>) {
    let mut child = command(store, &["exec", name, "-c", script])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    if line != "ready\n" {
        let mut errors = String::new();
        child
            .stderr
            .take()
            .unwrap()
            .read_to_string(&mut errors)
            .unwrap();
        panic!("{line}{errors}");
    }
    (child, stdout)
}

fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill")
        .args([name, &child.id().to_string()])
        .status();
    assert!(sent.unwrap().success());
}

#[test]
fn a_signal_ends_a_script_and_keeps_what_it_changed() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path();
    says(store, 0, &["create", "box"]);
    for (name, status) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let script = format!("echo {name} >> f; echo ready; sleep 1000");
        let (mut child, _stdout) = started(store, "box", &script);
        signal(&child, name);
        assert_eq!(child.wait().unwrap().code(), Some(status), "{name}");
        // It sleeps already: nobody has to wait.
        assert_eq!(state(store, "box"), "suspended", "{name}");
    }
    let (kept, _) = says(store, 0, &["exec", "box", "-c", "cat f"]);
    assert_eq!(kept, "-INT\n-TERM\n-HUP\n");
    // Where the whole answer is one document, too.
    let words = [
        "exec",
        "box",
        "--json",
        "-c",
        "echo json >> f; mkfifo p; read x < p",
    ];
    let mut child = command(store, &words)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    while state(store, "box") != "running" {}
    std::thread::sleep(Duration::from_millis(500));
    signal(&child, "-TERM");
    assert_eq!(child.wait().unwrap().code(), Some(143));
    assert_eq!(state(store, "box"), "suspended");
    says(store, 0, &["fsck"]);
}

#[test]
fn a_killed_process_is_taken_over_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path();
    says(store, 0, &["create", "box"]);
    says(store, 0, &["exec", "box", "-c", "echo before > f"]);
    let branches = [
        &["exec", "box", "-c", "cat f"][..],
        &["fork", "box", "idea"],
        &["snapshot", "box", "label"],
        &["suspend", "box"],
        &["restore", "box", "box~0"],
    ];
    for words in branches {
        let (mut child, _stdout) = started(store, "box", "echo lost > f; echo ready; sleep 1000");
        child.kill().unwrap();
        child.wait().unwrap();
        let (said, errors) = says(store, 0, words);
        assert_eq!(errors, "", "{words:?}");
        if words[0] == "exec" {
            assert_eq!(said, "before\n");
        }
    }
    let (said, _) = says(store, 0, &["exec", "idea", "-c", "cat f"]);
    assert_eq!(said, "before\n");
    says(store, 0, &["gc"]);
    // What the dead have left is tidied up.
    assert_eq!(std::fs::read_dir(store.join("owners")).unwrap().count(), 0);
    says(store, 0, &["fsck"]);
}

#[test]
fn a_command_waits_for_a_sandbox_that_is_busy_and_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path();
    says(store, 0, &["create", "box"]);
    for words in [
        &["fork", "box", "idea"][..],
        &["diff", "box", "box~0"],
        &["publish", "box", "template"],
        &["export", "box", "/dev/null"],
    ] {
        let script = "echo x >> f; echo ready; read line";
        let (mut child, _stdout) = started(store, "box", script);
        let waiting = command(store, words).stderr(Stdio::piped()).spawn();
        let mut waiting = waiting.unwrap();
        let mut line = String::new();
        let mut errors = BufReader::new(waiting.stderr.take().unwrap());
        errors.read_line(&mut line).unwrap();
        let said = format!("process {} has it awake; waiting", child.id());
        assert!(line.contains(&said), "{words:?}: {line}");
        child.stdin.take().unwrap().write_all(b"go\n").unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0));
        let status = waiting.wait().unwrap().code();
        assert!(matches!(status, Some(0 | 1)), "{words:?}: {status:?}");
    }
}

#[test]
fn a_script_that_cannot_be_resumed_sleeps_on() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path();
    says(store, 0, &["create", "box"]);
    let script = "echo one > log; echo ready; read -r x; echo \"two $x\"; cat log";
    let (mut child, _stdout) = started(store, "box", script);
    says(store, 0, &["suspend", "box"]);
    assert_eq!(child.wait().unwrap().code(), Some(75));
    // Too little address space for the memory of a shell.
    let bounded = format!("ulimit -v 3000000; exec {OFFSHOOT} exec box --resume");
    let refused = Command::new("sh")
        .args(["-c", &bounded])
        .env("OFFSHOOT_STORE", store)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(121), "{refused:?}");
    let (shown, _) = says(store, 0, &["resume", "box"]);
    assert!(shown.contains("script 1 sleeps: echo one"), "{shown}");
    // A process that is killed while the script runs has not taken it over for good.
    let mut killed = command(store, &["exec", "box", "--resume"])
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    while state(store, "box") != "running" {}
    killed.kill().unwrap();
    killed.wait().unwrap();
    let mut gone_on = command(store, &["exec", "box", "--resume"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    gone_on.stdin.take().unwrap().write_all(b"late\n").unwrap();
    let done = gone_on.wait_with_output().unwrap();
    assert_eq!(text(&done.stdout), "two late\none\n");
    let (_, errors) = says(store, 121, &["exec", "box", "--resume"]);
    assert!(errors.contains("none"), "{errors}");
}

#[test]
fn t54_an_owner_that_was_stopped_for_too_long_is_told() {
    if std::env::var_os("OFFSHOOT_SLOW_TESTS").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path();
    says(store, 0, &["create", "box"]);
    let script = "echo mine > f; echo ready; read line; echo done";
    let (mut child, _stdout) = started(store, "box", script);
    signal(&child, "-STOP");
    // The lease runs out by the store's clock.
    std::thread::sleep(Duration::from_secs(31));
    says(store, 0, &["exec", "box", "-c", "echo theirs > f"]);
    let typed = child.stdin.take().unwrap();
    signal(&child, "-CONT");
    drop(typed);
    let done = child.wait_with_output().unwrap();
    let errors = text(&done.stderr);
    assert_eq!(done.status.code(), Some(122), "{errors}");
    assert!(errors.contains("another process took box over"), "{errors}");
    let (kept, _) = says(store, 0, &["exec", "box", "-c", "cat f"]);
    assert_eq!(kept, "theirs\n");
}

#[test]
fn what_this_command_cannot_do_is_told_from_a_scripts_status() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path();
    says(store, 0, &["create", "box"]);
    says(store, 2, &["exec", "box", "-c", "exit 2"]);
    let (_, errors) = says(store, 121, &["exec", "box", "echo hi"]);
    assert!(errors.contains("-c \"echo hi\""), "{errors}");
    for words in [
        &["exec", "nobody", "-c", "true"][..],
        &["exec", "box"],
        &["exec", "box", "--no-such-flag"],
        &["run", "/no/such/file"],
    ] {
        says(store, 121, words);
    }
    let (document, errors) = says(store, 121, &["exec", "nobody", "--json", "-c", "true"]);
    let document: Value = serde_json::from_str(&document).unwrap();
    assert_eq!(document["error"]["code"], "NOT_FOUND");
    assert!(errors.contains("no sandbox is called nobody"), "{errors}");
    says(store, 2, &["set", "nobody"]);
}

#[test]
fn a_setup_is_waited_for_and_its_failure_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path();
    let first = "first=sleep 0.3; echo 1 > one";
    says(
        store,
        0,
        &[
            "create",
            "good",
            "--setup",
            first,
            "--setup",
            "second=cat one > two",
        ],
    );
    let (said, errors) = says(
        store,
        0,
        &["exec", "good", "-c", "cat one two; echo x > mine"],
    );
    assert_eq!(said, "1\n1\n");
    assert!(
        errors.contains("good is set up first: first, second"),
        "{errors}"
    );
    let (said, errors) = says(store, 0, &["exec", "good", "-c", "cat mine"]);
    assert_eq!((said.as_str(), errors.as_str()), ("x\n", ""));
    // Whoever wakes it first begins the setup, and leaves it whole.
    for words in [
        &["resume", "NAME"][..],
        &["export", "NAME", "/dev/null", "--tar"],
        &["suspend", "NAME"],
        &["fork", "NAME", "NAME-branch"],
    ] {
        let name = format!("new-{}", words[0]);
        says(store, 0, &["create", &name, "--setup", first]);
        let words: Vec<String> = words
            .iter()
            .map(|word| word.replace("NAME", &name))
            .collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        says(store, 0, &words);
        let (said, _) = says(store, 0, &["exec", &name, "-c", "cat one"]);
        assert_eq!(said, "1\n", "{words:?}");
    }

    says(store, 0, &["create", "early", "--setup", first]);
    let (_, errors) = says(store, 2, &["publish", "early", "template"]);
    assert!(errors.contains("setup is not finished"), "{errors}");

    let bad = "deps=echo broken; test -e fixed";
    says(
        store,
        0,
        &[
            "create",
            "bad",
            "--setup",
            bad,
            "--setup",
            "late=echo l > l",
        ],
    );
    for _ in 0..2 {
        let (said, errors) = says(store, 121, &["exec", "bad", "-c", "echo ran"]);
        assert_eq!(said, "");
        let told = ["deps failed with status 1", "broken", "setup bad --rerun"];
        assert!(told.iter().all(|part| errors.contains(part)), "{errors}");
    }
    let (listed, _) = says(store, 0, &["ls"]);
    assert!(listed.contains("setup failed: deps"), "{listed}");
    let (shown, _) = says(store, 1, &["setup", "bad"]);
    assert!(
        shown.contains("failed with status 1") && shown.contains("    broken"),
        "{shown}"
    );
    let (shown, _) = says(store, 1, &["setup", "bad", "--rerun"]);
    assert!(shown.contains("failed with status 1"), "{shown}");
    let (shown, _) = says(store, 0, &["setup", "bad", "--skip", "deps"]);
    assert!(shown.contains("left out"), "{shown}");
    let (said, _) = says(store, 0, &["exec", "bad", "-c", "cat l"]);
    assert_eq!(said, "l\n");
}

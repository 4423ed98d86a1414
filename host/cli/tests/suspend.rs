//! A script that one process runs, another one puts to sleep, and a third one goes on with.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

fn offshoot(store: &Path, arguments: &[&str]) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_offshoot"));
    command.args(arguments).env("OFFSHOOT_STORE", store);
    let piped = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    piped.spawn().unwrap()
}

/// The status and both outputs of a command that reads `input`.
fn output(store: &Path, arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut child = offshoot(store, arguments);
    let mut stdin = child.stdin.take().unwrap();
    // One that ends at once does not read.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let done = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (done.status.code(), text(done.stdout), text(done.stderr))
}

#[test]
fn three_processes_run_one_script() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path();
    assert_eq!(output(store, &["create", "box"], "").0, Some(0));

    let script =
        "trap 'echo bye' EXIT; echo one > log; echo one; read -r x; echo \"two $x\"; cat log";
    let mut first = offshoot(store, &["exec", "box", "-c", script]);
    let typed = first.stdin.take().unwrap();
    let mut stdout = BufReader::new(first.stdout.take().unwrap());
    let mut line = String::new();
    stdout.read_line(&mut line).unwrap();
    assert_eq!(line, "one\n");

    let (status, _, errors) = output(store, &["suspend", "box"], "");
    assert_eq!((status, errors.as_str()), (Some(0), ""));
    assert_eq!(first.wait().unwrap().code(), Some(75));
    let (mut rest, mut errors) = (String::new(), String::new());
    stdout.read_to_string(&mut rest).unwrap();
    first.stderr.unwrap().read_to_string(&mut errors).unwrap();
    assert_eq!(rest, "");
    assert!(errors.contains("offshoot exec box --resume 1"), "{errors}");
    drop(typed);

    let (_, shown, _) = output(store, &["resume", "box"], "");
    assert!(shown.contains("script 1 sleeps: trap"), "{shown}");
    let gone_on = output(store, &["exec", "box", "--resume"], "late\n");
    let expected = (Some(0), "two late\none\nbye\n".to_owned(), String::new());
    assert_eq!(gone_on, expected);
    let (status, _, errors) = output(store, &["exec", "box", "--resume"], "");
    assert_eq!(status, Some(121));
    assert!(errors.contains("none"), "{errors}");
}

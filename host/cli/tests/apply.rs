//! `--mount` and `--apply`: what comes back to the host, what does not, and how it is said.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const MOUNT: [&str; 4] = ["--mount", "work:/work:cow", "--cwd", "/work"];

/// A folder in which `work` is to be mounted.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let work = folder.path().join("work");
    fs::create_dir_all(work.join("project/.git/hooks")).unwrap();
    fs::write(work.join("project/.git/config"), "[core]\n").unwrap();
    fs::write(work.join("a"), "one\n").unwrap();
    folder
}

fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_offshoot"));
    command
        .arg("run")
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::null());
    command
}

fn run(folder: &Path, words: &[&str]) -> Output {
    command(folder, words).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Applies what a script does: the status, and what is said about it.
fn apply(folder: &Path, script: &str) -> (Option<i32>, String) {
    let output = run(
        folder,
        &[&["--apply"], &MOUNT[..], &["-c", script]].concat(),
    );
    (output.status.code(), text(&output.stderr))
}

/// The same in JSON.
fn apply_json(folder: &Path, script: &str) -> (Option<i32>, Value) {
    let words = [&["--json", "--apply"], &MOUNT[..], &["-c", script]].concat();
    let output = run(folder, &words);
    let said = text(&output.stdout);
    let document = serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said}"));
    (output.status.code(), document)
}

#[test]
fn a_refusal_names_the_path() {
    let folder = folder();
    let folder = folder.path();
    for (script, path, why) in [
        ("echo x > .bashrc", "work/.bashrc", "make the host run"),
        (
            "rm -r project",
            "work/project/.git/config",
            "make the host run",
        ),
        ("ln -s /etc/passwd l", "work/l", "leads out"),
    ] {
        let script = format!("echo two > a; {script}");
        let (status, said) = apply(folder, &script);
        assert_eq!(status, Some(121), "{said}");
        for part in [path, why, "nothing is written to work"] {
            assert!(said.contains(part), "{part}: {said}");
        }
        let (status, document) = apply_json(folder, &script);
        assert_eq!(status, Some(121));
        assert_eq!(document["applied"], Value::Array(Vec::new()));
        let message = document["error"]["message"].as_str().unwrap();
        assert!(message.contains(path) && message.contains(why), "{message}");
    }
    assert_eq!(fs::read_to_string(folder.join("work/a")).unwrap(), "one\n");
    assert!(folder.join("work/project/.git/config").exists());
}

#[test]
fn what_the_host_changes_meanwhile_stays() {
    let folder = folder();
    let script = "cat a; read word; echo two > a";
    let words = [&["--apply"], &MOUNT[..], &["-c", script]].concat();
    let mut child = command(folder.path(), &words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    stdout.read_line(&mut line).unwrap();
    let a = folder.path().join("work/a");
    fs::write(&a, "the host's\n").unwrap();
    child.stdin.take().unwrap().write_all(b"go\n").unwrap();
    let output = child.wait_with_output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(121), "{said}");
    assert!(said.contains("work/a: the host has changed it"), "{said}");
    assert_eq!(fs::read_to_string(&a).unwrap(), "the host's\n");
}

#[test]
fn one_object_says_what_the_script_did_and_what_came_back() {
    let folder = folder();
    let folder = folder.path();
    let script = "echo out; echo two > a; echo new > b";
    let (status, mut document) = apply_json(folder, script);
    let applied = document["applied"].as_array_mut().unwrap();
    applied.sort_by_key(|change| change["path"].to_string());
    assert_eq!(status, Some(0));
    assert_eq!(document["stdout"], "out\n");
    let applied = serde_json::json!([
        { "path": "work/a", "kind": "M" }, { "path": "work/b", "kind": "A" }
    ]);
    assert_eq!(document["applied"], applied);
    assert_eq!(document["withheld"], 0);
    let (status, document) = apply_json(folder, "echo three > a; exit 3");
    assert_eq!(status, Some(3));
    assert_eq!(document["applied"], Value::Array(Vec::new()));
    assert_eq!(document["withheld"], 1);
    assert_eq!(fs::read_to_string(folder.join("work/a")).unwrap(), "two\n");
}

#[test]
fn names_do_nothing_to_the_terminal() {
    let folder = folder();
    let script = r#"echo x > $'red\e[31m'; echo x > $'two\nlines'"#;
    let (status, said) = apply(folder.path(), script);
    assert_eq!(status, Some(0), "{said}");
    assert!(!said.contains('\u{1b}'), "{said}");
    for line in [r#"A "work/red\033[31m""#, r#"A "work/two\nlines""#] {
        assert!(said.lines().any(|said| said == line), "{line}: {said}");
    }
    let (status, said) = apply(folder.path(), r#"ln -s /etc $'l\e[2J'"#);
    assert_eq!(status, Some(121));
    assert!(!said.contains('\u{1b}'), "{said}");
}

#[test]
fn what_cannot_be_is_said_before_anything_runs() {
    let folder = folder();
    for (words, said) in [
        (
            &["--apply", "--mount", "work:/work", "-c", "echo ran"][..],
            "no folder is mounted with :cow",
        ),
        (&["--apply", "-c", "echo ran"], "no folder is mounted"),
        (
            &["--mount", "work:/work:rw", "-c", "echo ran"],
            "\"rw\" is no mode",
        ),
        (
            &[
                "--mount",
                "work:/work:cow",
                "--cwd",
                "/work/none",
                "-c",
                "echo ran",
            ],
            "the host has no folder work/none",
        ),
    ] {
        let output = run(folder.path(), words);
        assert_eq!(output.status.code(), Some(121), "{words:?}");
        assert_eq!(text(&output.stdout), "", "{words:?}");
        let errors = text(&output.stderr);
        assert!(errors.contains(said), "{words:?}: {errors}");
    }
}

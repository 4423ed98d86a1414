//! The life of a store: what has run out, what is kept of the past, and room on the disk.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]
#![cfg(unix)]

use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

const OFFSHOOT: &str = env!("CARGO_BIN_EXE_offshoot");

fn run(store: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(OFFSHOOT);
    let command = command.args(words).env("OFFSHOOT_STORE", store);
    command.stdin(Stdio::null()).output().unwrap()
}

/// Both outputs of a command, which must end with this status.
fn says(store: &Path, status: i32, words: &[&str]) -> (String, String) {
    let output = run(store, words);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let said = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(status), "{words:?}\n{said:?}");
    said
}

fn json(store: &Path, words: &[&str]) -> Value {
    let words = [&words[..1], &["--json"], &words[1..]].concat();
    serde_json::from_str(&says(store, 0, &words).0).unwrap()
}

fn size(path: &Path) -> u64 {
    let data = std::fs::metadata(path).unwrap();
    if !data.is_dir() {
        return data.len();
    }
    let entries = std::fs::read_dir(path).unwrap();
    entries.map(|entry| size(&entry.unwrap().path())).sum()
}

#[test]
fn what_has_run_out_is_gone_without_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path();
    says(store, 0, &["create", "long", "--ttl", "2h"]);
    says(store, 0, &["create", "short", "--ttl", "1ms"]);
    let (listed, _) = says(store, 0, &["ls"]);
    assert!(
        listed.contains("long") && listed.contains("1h left"),
        "{listed}"
    );
    assert!(!listed.contains("short"), "{listed}");
    says(store, 0, &["create", "short", "--ttl", "1ms"]);
    std::thread::sleep(Duration::from_millis(5));
    let (_, errors) = says(store, 121, &["exec", "short", "-c", "true"]);
    assert!(errors.contains("no sandbox is called short"), "{errors}");
}

#[test]
fn the_past_is_kept_as_told_and_given_back() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path();
    says(store, 0, &["create", "box"]);
    let states = || json(store, &["log", "box"]).as_array().unwrap().len();
    for round in 0..8 {
        let script = format!("head -c 400000 /dev/urandom > big; echo {round} > n");
        says(store, 0, &["exec", "box", "-c", &script]);
    }
    assert_eq!(states(), 9);
    // What only reads makes no state.
    for script in ["cat n", "ls -la /; wc -c big; find . | sort", "exit 3"] {
        run(store, &["exec", "box", "-c", script]);
    }
    assert_eq!(states(), 9);
    says(store, 0, &["snapshot", "box", "kept"]);
    says(store, 0, &["exec", "box", "-c", "echo last > n; rm big"]);
    let before = size(store);
    for (told, left) in [("20", 10), ("1d", 10), ("3", 4), ("false", 1)] {
        says(store, 0, &["set", "box", "--history", told]);
        assert_eq!(states(), left, "{told}");
    }
    says(store, 0, &["gc", "--grace", "0"]);
    let after = size(store);
    assert!(after + 6 * 400_000 < before, "{before} {after}");
    // The snapshot is one state of 400 kB.
    says(store, 0, &["restore", "box", "box@kept"]);
    assert_eq!(
        says(store, 0, &["exec", "box", "-c", "cat n; wc -c < big"]).0,
        "7\n400000\n"
    );
    says(store, 0, &["rm", "box"]);
    says(store, 0, &["gc", "--grace", "0"]);
    let empty = size(&store.join("store.db"));
    assert!(empty < 300_000, "{empty}");
    says(store, 0, &["fsck"]);
}

#[test]
fn a_store_is_its_owners_alone() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("store");
    says(&store, 0, &["create", "box"]);
    // Larger objects are files of their own only where chunks are; here a session of some size.
    says(
        &store,
        0,
        &["exec", "box", "--session", "s", "-c", "x=$(seq 30000)"],
    );
    let mut pending = vec![store];
    let mut seen = 0;
    while let Some(path) = pending.pop() {
        let data = std::fs::metadata(&path).unwrap();
        let mode = data.permissions().mode() & 0o777;
        let wanted = if data.is_dir() { 0o700 } else { 0o600 };
        assert_eq!(mode, wanted, "{path:?}: {mode:o}");
        seen += 1;
        if data.is_dir() {
            let entries = std::fs::read_dir(&path).unwrap();
            pending.extend(entries.map(|entry| entry.unwrap().path()));
        }
    }
    assert!(seen >= 4, "{seen}");
}

/// Runs a script of the host where file systems can be mounted; none where this user may not.
fn mounting(folder: &Path, script: &str) -> Option<Output> {
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-ec", script])
        .env("OFFSHOOT", OFFSHOOT)
        .current_dir(folder)
        .stdin(Stdio::null())
        .output()
        .ok()?;
    let may = Command::new("unshare")
        .args([
            "--user",
            "--map-root-user",
            "--mount",
            "mount",
            "-t",
            "tmpfs",
            "none",
            ".",
        ])
        .current_dir(folder)
        .status()
        .ok()?;
    may.success().then_some(output)
}

#[test]
fn a_full_disk_can_be_read_and_emptied() {
    let folder = tempfile::tempdir().unwrap();
    let script = r#"
        mkdir disk; mount -t tmpfs -o size=6m none disk
        export OFFSHOOT_STORE=$PWD/disk/store
        $OFFSHOOT create box; $OFFSHOOT create other
        $OFFSHOOT exec other -c 'echo other > f'
        n=0
        while $OFFSHOOT exec box -c 'head -c 700000 /dev/urandom >> f; wc -c < f' >> sizes; do
            n=$((n + 1)); test $n -lt 30
        done
        cat /dev/zero > disk/filler || :
        echo full
        $OFFSHOOT ls; $OFFSHOOT log box | wc -l; $OFFSHOOT diff box~1 box | grep /f
        $OFFSHOOT export other exported; $OFFSHOOT fork box idea && exit 9
        $OFFSHOOT rm box
        $OFFSHOOT gc --grace 0
        rm disk/filler
        $OFFSHOOT exec other -c 'cat f; head -c 700000 /dev/urandom > g; wc -c < g'
        $OFFSHOOT fsck
        echo end
    "#;
    let Some(output) = mounting(folder.path(), script) else {
        return;
    };
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{output:?}");
    assert!(
        said.contains("full\n") && said.ends_with("clean\nend\n"),
        "{said}"
    );
    assert!(said.contains("other\n700000\n"), "{said}");
}

#[test]
fn a_store_that_cannot_be_written_to_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let script = r#"
        export OFFSHOOT_STORE=$PWD/store
        $OFFSHOOT create box; $OFFSHOOT exec box -c 'echo 1 > f'
        $OFFSHOOT exec box -c 'echo 2 > f'
        mount --bind store store; mount -o remount,ro,bind store
        $OFFSHOOT ls; $OFFSHOOT log box; $OFFSHOOT diff box~1 box | grep /f
        $OFFSHOOT export box exported; $OFFSHOOT fsck
        $OFFSHOOT exec box -c 'echo 3 > f' && exit 9
        umount store
        $OFFSHOOT import copy exported; $OFFSHOOT exec copy -c 'cat f'
    "#;
    let Some(output) = mounting(folder.path(), script) else {
        return;
    };
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{output:?}");
    assert!(
        said.contains("M /home/user/f") && said.ends_with("2\n"),
        "{said}"
    );
    assert!(errors.contains("can only be read now"), "{errors}");
}

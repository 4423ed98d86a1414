//! Every builtin against the real bash: standard output, standard error and status of scripts.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::process::Command;
use std::rc::Rc;

use offshoot_vfs::{Caller, Vfs};

use super::{TABLE, synopsis};
use crate::machine::{Machine, Outcome, Progress, Request, Setup, Source};
use crate::os::Os;
use crate::os::linked::{LinkedOs, Settings};

#[derive(Debug, PartialEq, Eq)]
struct Result {
    status: u8,
    stdout: String,
    stderr: String,
}

fn environment() -> Vec<(Vec<u8>, Vec<u8>)> {
    let pairs = [
        ("LC_ALL", "C.UTF-8"),
        ("TZ", "UTC"),
        ("PATH", "/usr/bin:/bin"),
        ("HOME", "/"),
    ];
    pairs
        .map(|(name, value)| (name.into(), value.into()))
        .to_vec()
}

fn ours(script: &str) -> Result {
    let vfs = Vfs::new(offshoot_vfs::Options::default());
    for directory in ["/tmp", "/usr/bin", "/etc", "/dev"] {
        vfs.create_dir_all(&Caller::ROOT, vfs.root(), directory.as_bytes(), 0o755)
            .unwrap();
    }
    vfs.create_device(
        &Caller::ROOT,
        vfs.root(),
        b"/dev/null",
        offshoot_vfs::Device::Null,
        0o666,
    )
    .unwrap();
    let os = Rc::new(LinkedOs::new(vfs, Settings::default()));
    let stdin = os.input(Vec::new()).unwrap();
    let (stdout, out) = os.output().unwrap();
    let (stderr, err) = os.output().unwrap();
    let mut machine = Machine::new(os.clone());
    let session = machine.session(&Setup {
        environment: environment(),
        directory: b"/tmp".to_vec(),
        umask: 0o022,
        posix: false,
    });
    let request = Request {
        source: Source::Text(script.into()),
        name: b"bash".to_vec(),
        arguments: Vec::new(),
        environment: Vec::new(),
        directory: None,
        descriptors: vec![(0, stdin), (1, stdout), (2, stderr)],
        budgets: crate::machine::Budgets {
            steps: 10_000_000,
            ..Default::default()
        },
    };
    let execution = machine.start(&session, request);
    let status = loop {
        let progress = machine.poll();
        match machine.outcome(execution) {
            Some(Outcome::Exited(status)) => break status,
            Some(Outcome::Exceeded(limit)) => panic!("exceeds {limit:?}: {script}"),
            None => {}
        }
        if let Progress::Idle(interests) = progress
            && !interests.iter().any(|interest| os.is_ready(*interest))
        {
            assert!(!interests.is_empty(), "waits for nothing: {script}");
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        let _ = os.monotonic();
    };
    Result {
        status,
        stdout: text(&out.take()),
        stderr: text(&err.take()),
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn bash(script: &str) -> Result {
    use std::os::unix::ffi::OsStringExt;
    let pairs = environment().into_iter();
    let pairs = pairs.map(|(name, value)| {
        (
            std::ffi::OsString::from_vec(name),
            std::ffi::OsString::from_vec(value),
        )
    });
    let output = Command::new("bash")
        .args(["-c", script])
        .env_clear()
        .envs(pairs)
        .current_dir("/tmp")
        .stdin(std::process::Stdio::null())
        .output()
        .unwrap();
    Result {
        status: output.status.code().unwrap_or(255) as u8,
        stdout: text(&output.stdout),
        stderr: text(&output.stderr),
    }
}

fn has_bash() -> bool {
    let version = Command::new("bash")
        .args(["-c", "echo $BASH_VERSION"])
        .output();
    version.is_ok_and(|output| output.stdout.starts_with(b"5.2"))
}

#[test]
fn builtins_do_what_bash_does() {
    if !has_bash() {
        eprintln!("skipped: there is no bash 5.2 here to compare with");
        return;
    }
    let mut failures = Vec::new();
    for script in include_str!("scripts.txt").split("\n---\n") {
        let script = script.trim_start_matches('\n');
        let (ours, bash) = (ours(script), bash(script));
        if ours != bash {
            failures.push(format!("{script}\n  ours {ours:#?}\n  bash {bash:#?}"));
        }
    }
    assert!(
        failures.is_empty(),
        "{} scripts differ\n{}",
        failures.len(),
        failures.join("\n")
    );
}

#[test]
fn the_table_is_sorted_and_every_builtin_has_a_synopsis() {
    assert!(TABLE.is_sorted_by_key(|entry| entry.name));
    for entry in TABLE {
        assert!(
            synopsis::of(entry.name.as_bytes()).is_some(),
            "{}",
            entry.name
        );
    }
}

//! Scripts in the shell over the linked filesystem and in the machine's bash: same output, same
//! status.
#![cfg(feature = "linked")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use std::process::Command;

use offshoot_shell::sandbox::{ExecOptions, Options, Sandbox};

/// Scripts, each ended by a line of `----`. They use builtins only.
const SCRIPTS: [&str; 4] = [
    include_str!("scripts.txt"),
    include_str!("language.txt"),
    include_str!("corners.txt"),
    include_str!("shells.txt"),
];

#[test]
fn scripts_do_what_bash_does() {
    let bash = Command::new("bash").arg("--version").output();
    let Ok(version) = bash else {
        panic!("the oracle, bash, is not installed");
    };
    assert!(
        String::from_utf8_lossy(&version.stdout).contains("version 5.2"),
        "needs bash 5.2"
    );
    let mut failures = Vec::new();
    for script in SCRIPTS
        .iter()
        .flat_map(|file| file.split("\n----\n"))
        .filter(|script| !script.trim().is_empty())
    {
        let directory = tempfile();
        let expected = Command::new("bash")
            .args(["-c", script])
            .current_dir(&directory)
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .env("HOME", "/home/user")
            .env("LC_ALL", "C.UTF-8")
            .output()
            .unwrap();
        std::fs::remove_dir_all(&directory).unwrap();
        let sandbox = Sandbox::new(Options {
            environment: vec![(b"LC_ALL".to_vec(), b"C.UTF-8".to_vec())],
            ..Options::default()
        })
        .unwrap();
        let got = sandbox
            .exec(script.as_bytes(), &ExecOptions::default())
            .unwrap();
        let status = expected.status.code().unwrap_or(-1);
        if got.stdout != expected.stdout
            || i32::from(got.status) != status
            || got.stderr != expected.stderr
        {
            failures.push(format!(
                "script:\n{script}\nbash:  {status} {:?} {:?}\nshell: {} {:?} {:?}\n",
                String::from_utf8_lossy(&expected.stdout),
                String::from_utf8_lossy(&expected.stderr),
                got.status,
                String::from_utf8_lossy(&got.stdout),
                String::from_utf8_lossy(&got.stderr),
            ));
        }
    }
    assert!(
        failures.is_empty(),
        "{} scripts differ\n{}",
        failures.len(),
        failures.join("\n")
    );
}

fn tempfile() -> std::path::PathBuf {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let directory =
        std::env::temp_dir().join(format!("shell-oracle-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    directory
}

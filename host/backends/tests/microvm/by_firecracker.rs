//! What runs again with Firecracker's stand-in in PATH, and QEMU under it.

use super::*;

/// Says where the stand-in records what it is asked for.
const RECORD: &str = "OFFSHOOT_FIRECRACKER_RECORD";

fn ground() -> Option<Ground> {
    std::env::var_os(RECORD)?;
    Ground::by("firecracker")
}

#[test]
fn runs_again() {
    if Ground::new().is_none() {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let open = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(directory.path(), open).unwrap();
    let (programs, record) = (directory.path().join("bin"), directory.path().join("calls"));
    firecracker::install(&programs, &record);
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let paths = std::env::split_paths(&paths);
    let paths = std::env::join_paths(std::iter::once(programs).chain(paths)).unwrap();
    let ran = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--test-threads=1", "by_firecracker::"])
        .env("PATH", paths)
        .env(RECORD, &record)
        .status()
        .unwrap();
    assert!(ran.success());
    let calls = firecracker::recorded(&record);
    for path in ["/actions", "/vm", "/snapshot/create", "/snapshot/load"] {
        assert!(calls.iter().any(|call| call.1 == path), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "runs_again runs it"]
async fn the_suite() {
    // It takes as long as all the others.
    if std::env::var_os("OFFSHOOT_SLOW_TESTS").is_none() {
        return;
    }
    let Some(ground) = ground() else { return };
    passes(ground).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "runs_again runs it"]
async fn a_machine_that_is_killed() {
    let Some(ground) = ground() else { return };
    killed(ground).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "runs_again runs it"]
async fn branches_that_go_on() {
    let Some(ground) = ground() else { return };
    branches(ground).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "runs_again runs it"]
async fn suspending() {
    let Some(ground) = ground() else { return };
    suspends(ground).await;
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "runs_again runs it"]
async fn secrets() {
    let Some(ground) = ground() else { return };
    tells_nothing(ground).await;
}

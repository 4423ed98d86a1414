#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use crate::testing::{Recorded, lock};

fn ruled(change: impl FnOnce(&mut Recorded)) -> (Arc<Recorded>, Rules) {
    let mut recorded = Recorded::new();
    change(&mut recorded);
    let recorded = Arc::new(recorded);
    let rules = Rules::new(Arc::clone(&recorded) as Arc<dyn Environment>);
    (recorded, rules)
}

#[tokio::test]
async fn a_backend_gets_absolute_normalised_paths() {
    let (recorded, rules) = ruled(|_| ());
    rules.write_file("./a/../b", b"x").await.unwrap();
    assert_eq!(rules.read_file("/base//home/b").await.unwrap(), "x");
    rules.exec(Exec::new("ls").cwd("../other/.")).await.unwrap();
    rules.exec("pwd".into()).await.unwrap();
    assert_eq!(
        recorded.calls(),
        [
            "write /base/home/b",
            "read /base/home/b",
            "exec ls in /base/other None",
            "exec pwd in /base/home None",
        ]
    );
}

#[tokio::test]
async fn what_leaves_the_root_or_has_no_meaning_never_reaches_a_backend() {
    let (recorded, rules) = ruled(|_| ());
    let long = "n".repeat(256);
    for (path, code) in [
        ("/etc/passwd", Code::PathEscape),
        ("../../etc", Code::PathEscape),
        ("/base/../base/x/../../..", Code::PathEscape),
        ("/baseline", Code::PathEscape),
        ("a\0b", Code::Invalid),
        (&long, Code::Limit),
        (&"d/".repeat(3000), Code::Limit),
    ] {
        let error = rules.read_file(path).await.unwrap_err();
        assert_eq!(
            (error.code(), error.backend()),
            (code, Some("recorded")),
            "{path}"
        );
        assert!(!rules.exists(path).await.unwrap());
    }
    for exec in [
        Exec::new("x").cwd("/etc"),
        Exec::new("x\0"),
        Exec::new("x").env("", "y"),
        Exec::new("x").stdin("unclaimed"),
    ] {
        rules.exec(exec).await.unwrap_err();
    }
    rules
        .rm("/base", RemoveOptions::default())
        .await
        .unwrap_err();
    assert_eq!(recorded.calls(), Vec::<String>::new());
}

#[tokio::test]
async fn a_missing_directory_is_made_once() {
    let (recorded, rules) = ruled(|_| ());
    rules.write_file("new/file", b"x").await.unwrap();
    assert_eq!(
        recorded.calls(),
        [
            "write /base/home/new/file",
            "mkdir /base/home/new true",
            "write /base/home/new/file",
        ]
    );
}

#[tokio::test]
async fn a_claim_is_needed_before_a_backend_is_called() {
    let (recorded, rules) = ruled(|recorded| recorded.capabilities = Capabilities::NONE);
    let none = Snapshot::new("recorded", "1");
    let refusals = [
        rules.exec("x".into()).await.map(drop),
        rules.spawn("x".into()).await.map(drop),
        rules.read_file("x").await.map(drop),
        rules.exists("x").await.map(drop),
        rules.snapshot(None).await.map(drop),
        rules.restore(&none).await,
        rules.start(&none).await.map(drop),
        rules.suspend().await,
        rules.resume().await,
        rules.reference().await.map(drop),
    ];
    for refusal in refusals {
        assert_eq!(refusal.unwrap_err().code(), Code::Capability);
    }
    let error = rules.fork(None).await.unwrap_err();
    assert_eq!(error.code(), Code::SandboxUnavailable);
    assert!(error.to_string().contains("recorded"), "{error}");
    assert_eq!(recorded.calls(), Vec::<String>::new());
}

#[tokio::test]
async fn a_fork_is_made_of_a_snapshot_where_there_is_no_other() {
    let (recorded, rules) = ruled(|recorded| {
        recorded.capabilities.snapshot = true;
        recorded.capabilities.restore = true;
    });
    assert!(rules.capabilities().fork);
    rules.fork(None).await.unwrap();
    assert_eq!(recorded.calls(), ["snapshot", "start", "delete_snapshot"]);
}

#[test]
fn time_outs_are_rounded_up() {
    for (nanos, unit_ms, expected_ms) in [
        (0, 1, 0),
        (1, 1, 1),
        (1_000_000, 1, 1),
        (1_000_001, 1, 2),
        (1_000_001, 1000, 1000),
        (2_000_000_000, 1000, 2000),
        (2_000_000_001, 1000, 3000),
    ] {
        let rounded = round_up(Duration::from_nanos(nanos), unit_ms);
        assert_eq!(
            rounded,
            Duration::from_millis(expected_ms),
            "{nanos} {unit_ms}"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn a_time_out_that_the_backend_does_not_keep_is_kept_here() {
    let (_, rules) = ruled(|recorded| {
        recorded.capabilities.exec_timeout = false;
        recorded.exec_time = Duration::from_secs(3600);
    });
    let exec = Exec::new("x").timeout_ms(1000);
    assert_eq!(rules.exec(exec).await.unwrap_err().code(), Code::Timeout);
}

#[tokio::test(start_paused = true)]
async fn calls_settle_when_the_backend_ends() {
    let (recorded, rules) = ruled(|recorded| recorded.exec_time = Duration::from_secs(3600));
    *lock(&recorded.state) = State::Failed;
    let error = rules.exec("x".into()).await.unwrap_err();
    assert_eq!(
        (error.code(), error.backend()),
        (Code::Died, Some("recorded"))
    );
}

#[tokio::test(start_paused = true)]
async fn a_late_answer_is_observed() {
    let (seen, mut orphans) = tokio::sync::mpsc::unbounded_channel();
    let (_, rules) = ruled(|recorded| {
        recorded.capabilities.cancel = false;
        recorded.exec_time = Duration::from_secs(60);
    });
    let rules = rules.on_orphan(move |orphan| seen.send(orphan).unwrap());
    let abandoned = time::timeout(Duration::from_secs(1), rules.exec("late".into())).await;
    assert!(abandoned.is_err());
    let orphan = orphans.recv().await.unwrap();
    assert_eq!(orphan.command, "late");
    assert!(orphan.result.unwrap().success());
}

#[tokio::test]
async fn nothing_works_after_cleanup_and_it_may_be_repeated() {
    let (recorded, rules) = ruled(|_| ());
    rules.cleanup().await.unwrap();
    rules.cleanup().await.unwrap();
    for refusal in [
        rules.exec("x".into()).await.map(drop),
        rules.write_file("x", b"").await,
        rules.exists("x").await.map(drop),
        rules.suspend().await,
    ] {
        let error = refusal.unwrap_err();
        assert_eq!(error.code(), Code::SandboxUnavailable);
        let text = "no longer alive (owner cleanup ran)";
        assert!(error.to_string().contains(text), "{error}");
    }
    assert_eq!(rules.state().await.unwrap(), State::Deleted);
    assert_eq!(recorded.calls(), ["cleanup"]);
}

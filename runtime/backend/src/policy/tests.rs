#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]
use super::boundary::Verdict;
use super::*;
use crate::environment::Environment;
use crate::error::Code;
use crate::factory::Options;
use crate::files::RemoveOptions;
use crate::registry::Registry;
use crate::testing::{Fixed, Recorded, lock};
use async_trait::async_trait;
use std::sync::{Arc, Mutex};

fn list(patterns: &[&str]) -> Vec<String> {
    patterns.iter().map(|&text| text.to_owned()).collect()
}

fn workspace() -> Policy {
    Policy {
        write: Some(list(&["/base/**", "/tmp/**"])),
        write_deny: list(&["**/.git/**", "/base/fixed"]),
        write_approval: list(&["/base/ask/**"]),
        deny: list(&["**/.env", "/base/secret/**"]),
        ..Policy::default()
    }
}

fn bare() -> Recorded {
    let mut recorded = Recorded::new();
    recorded.capabilities = recorded.capabilities.without_exec();
    recorded
}

#[test]
fn patterns_say_what_they_say() {
    let boundary = Boundary::new(&[workspace()]).unwrap();
    for (path, read, write) in [
        ("/base", true, true),
        ("/base/a/b", true, true),
        ("/basement", true, false),
        ("/etc/passwd", true, false),
        ("/dev/null", true, true),
        ("/base/.env", false, false),
        ("/base/deep/.env", false, false),
        ("/base/.env2", true, true),
        ("/base/secret", false, false),
        ("/base/secret/a", false, false),
        ("/base/.git", true, false),
        ("/base/x/.git/config", true, false),
        ("/base/fixed", true, false),
        ("/base/ask/a", true, false),
    ] {
        let found =
            [Access::Read, Access::Write].map(|access| boundary.permits(path.as_bytes(), access));
        assert_eq!(found, [read, write], "{path}");
    }
    assert_eq!(boundary.judge("/base/ask/a", Access::Write), Verdict::Ask);
}

#[test]
fn a_tree_is_permitted_where_no_name_in_it_could_be_refused() {
    let any = Boundary::new(&[workspace()]).unwrap();
    assert!(
        !any.permits_tree(b"/base/a", Access::Read),
        "**/.env may be in it"
    );
    let policy = Policy {
        deny: list(&["/base/secret/**"]),
        write_deny: list(&["/base/*/fixed"]),
        ..workspace()
    };
    let boundary = Boundary::new(&[policy]).unwrap();
    for (directory, read, write) in [
        ("/base/a", true, false),
        ("/tmp/a", true, true),
        ("/base", false, false),
        ("/", false, false),
        ("/base/secret/deep", false, false),
        ("/home", true, false),
    ] {
        let found = [Access::Read, Access::Write]
            .map(|access| boundary.permits_tree(directory.as_bytes(), access));
        assert_eq!(found, [read, write], "{directory}");
    }
}

#[test]
fn layers_only_narrow() {
    let inner = Policy {
        read: Some(list(&["/base/**", "/home/**"])),
        write: Some(list(&["/**"])),
        ..Policy::default()
    };
    let boundary = Boundary::new(&[workspace(), inner]).unwrap();
    for (path, read, write) in [
        ("/base/a", true, true),
        ("/home/a", true, false),
        ("/tmp/a", false, true),
        ("/opt/a", false, false),
        ("/base/.env", false, false),
        ("/usr/bin/ls", true, false),
    ] {
        let found =
            [Access::Read, Access::Write].map(|access| boundary.permits(path.as_bytes(), access));
        assert_eq!(found, [read, write], "{path}");
    }
}

#[tokio::test]
async fn commands_are_judged_by_their_first_words() {
    let outer = Policy {
        command: Some(list(&["git", "ls", "rm"])),
        command_deny: list(&["git push", "git * --force"]),
        ..Policy::default()
    };
    let inner = Policy {
        command_deny: list(&["r?"]),
        command_approval: list(&["git fetch"]),
        ..Policy::default()
    };
    let boundary = Boundary::new(&[outer, inner]).unwrap();
    for (command, permitted) in [
        ("git status", true),
        ("git", true),
        ("git push", false),
        ("git push origin", false),
        ("git clean --force", false),
        ("git fetch", false),
        ("ls -l", true),
        ("rm x", false),
        ("cat x", false),
    ] {
        let words: Vec<Vec<u8>> = command.split(' ').map(|word| word.into()).collect();
        let refusal = boundary.refusal(&words).await;
        assert_eq!(refusal.is_none(), permitted, "{command}: {refusal:?}");
    }
    assert!(boundary.restrains_command("rm") && !boundary.restrains_command("cat"));
    for pattern in ["", "  ", "a[ b"] {
        let policy = Policy {
            command_deny: list(&[pattern]),
            ..Policy::default()
        };
        assert_eq!(Boundary::new(&[policy]).unwrap_err().code(), Code::Invalid);
    }
}

#[test]
fn malformed_patterns_are_refused() {
    for pattern in ["", "relative", "/a/../b", "/a/./b", "/a[", "*/a"] {
        let policy = Policy {
            deny: list(&[pattern]),
            ..Policy::default()
        };
        let error = Boundary::new(&[policy]).unwrap_err();
        assert_eq!(error.code(), Code::Invalid, "{pattern}");
    }
    let misspelt = serde_json::from_str::<Policy>(r#"{"writeDeny": []}"#);
    assert!(misspelt.is_err());
}

#[tokio::test]
async fn what_cannot_be_honoured_is_refused_before_anything_is_made() {
    let recorded = Arc::new(Recorded::new());
    let registry = Registry::strict();
    registry
        .register(Arc::new(Fixed("a", Arc::clone(&recorded))))
        .unwrap();
    let malformed = Policy {
        exec: ExecRule::Deny,
        deny: list(&["x"]),
        ..Policy::default()
    };
    for (policy, code) in [(workspace(), Code::Capability), (malformed, Code::Invalid)] {
        let options = Options {
            policies: vec![policy],
            ..Options::default()
        };
        let error = registry.open("a", options).await.unwrap_err();
        assert_eq!(error.code(), code, "{error}");
    }
    assert_eq!(recorded.calls(), Vec::<String>::new());

    // Rules for requests need who enforces them; where there is no way out, there is nothing to enforce.
    for (network, rule, refused) in [
        (Network::Host, NetworkRule::None, true),
        (Network::Provider, NetworkRule::Only(Vec::new()), true),
        (Network::Policy, NetworkRule::Only(Vec::new()), false),
        (Network::None, NetworkRule::Only(Vec::new()), false),
    ] {
        let policy = Policy {
            network: rule,
            ..Policy::default()
        };
        let mut capabilities = recorded.capabilities;
        (capabilities.exec, capabilities.network) = (true, network);
        capabilities.command_policy = true;
        let checked = check(&[policy], "a", &capabilities);
        let code = checked.map(drop).map_err(|error| error.code());
        assert_eq!(code.err(), refused.then_some(Code::Capability), "{network}");
    }

    // Without commands the rules for files can be honoured everywhere.
    let quiet = Policy {
        exec: ExecRule::Deny,
        ..workspace()
    };
    let options = Options {
        policies: vec![quiet],
        ..Options::default()
    };
    let sandbox = registry.open("a", options).await.unwrap();
    assert!(!sandbox.capabilities().exec);
    let error = sandbox.exec("true".into()).await.unwrap_err();
    assert_eq!(error.code(), Code::Capability);
    let error = sandbox.write_file("/base/secret/a", b"").await.unwrap_err();
    assert_eq!(
        (error.code(), error.backend()),
        (Code::PolicyDenied, Some("recorded"))
    );
    assert_eq!(recorded.calls(), ["create 0"]);
}

#[tokio::test]
async fn file_operations_are_judged() {
    let recorded = Arc::new(bare());
    let inner = Arc::clone(&recorded) as Arc<dyn Environment>;
    let restricted = Restricted::new(inner, &[workspace()], None).await.unwrap();
    let tree = RemoveOptions {
        recursive: true,
        force: true,
    };
    let denied = [
        restricted.read_file("/base/home/.env").await.map(drop),
        restricted.read_file("../secret/a").await.map(drop),
        restricted.stat("/base/secret").await.map(drop),
        restricted.readdir("/base/./secret").await.map(drop),
        restricted.write_file("/etc/passwd", b"").await,
        restricted.write_file("/base/a/../fixed", b"").await,
        restricted.write_file("/base/ask/a", b"").await,
        restricted.mkdir("/base/.git/x", true).await,
        restricted.rm("/base/fixed", RemoveOptions::default()).await,
        restricted.rm("/base", tree).await,
        restricted.reference().await.map(drop),
    ];
    let codes: Vec<Code> = denied
        .iter()
        .map(|done| done.as_ref().unwrap_err().code())
        .collect();
    let mut expected = vec![Code::PolicyDenied; 10];
    expected.push(Code::Capability);
    assert_eq!(codes, expected);
    assert!(!restricted.exists("/base/home/.env").await.unwrap());
    assert_eq!(recorded.calls(), Vec::<String>::new());
    restricted.write_file("/base/home/a", b"x").await.unwrap();
    restricted
        .rm("/base/home/a", RemoveOptions::default())
        .await
        .unwrap();
}

/// Answers as it is told, and remembers what it was asked.
struct Clerk {
    answer: Option<Decision>,
    asked: Mutex<Vec<String>>,
}

#[async_trait]
impl Approver for Clerk {
    async fn decide(&self, approval: &Approval) -> Decision {
        lock(&self.asked).push(format!("{} {}", approval.operation, approval.subject));
        match &self.answer {
            Some(answer) => answer.clone(),
            None => std::future::pending().await,
        }
    }
}

async fn ask(answer: Option<Decision>) -> (Vec<String>, Vec<String>, Vec<String>) {
    let clerk = Arc::new(Clerk {
        answer,
        asked: Mutex::default(),
    });
    let mut recorded = Recorded::new();
    recorded.capabilities.exec = true;
    let recorded = Arc::new(recorded);
    let asking = Policy {
        exec: ExecRule::Ask,
        approval_timeout_ms: Some(5_000),
        ..Policy::default()
    };
    let inner = Arc::clone(&recorded) as Arc<dyn Environment>;
    let commands = Restricted::new(
        inner,
        &[asking],
        Some(Arc::clone(&clerk) as Arc<dyn Approver>),
    )
    .await
    .unwrap();
    let files = Policy {
        write_approval: list(&["/base/home/ask"]),
        approval_timeout_ms: Some(5_000),
        ..Policy::default()
    };
    let quiet = Arc::new(bare());
    let inner = Arc::clone(&quiet) as Arc<dyn Environment>;
    let files = Restricted::new(
        inner,
        &[files],
        Some(Arc::clone(&clerk) as Arc<dyn Approver>),
    )
    .await
    .unwrap();
    let told = [
        commands.exec("rm x".into()).await.map(drop),
        files.write_file("/base/home/ask", b"x").await,
    ];
    let told = told.map(|done| done.map_or_else(|error| error.to_string(), |()| "done".to_owned()));
    let mut calls = recorded.calls();
    calls.extend(quiet.calls());
    let asked = std::mem::take(&mut *lock(&clerk.asked));
    (told.to_vec(), asked, calls)
}

#[tokio::test(start_paused = true)]
async fn an_operation_waits_for_its_approval() {
    let asked = list(&["exec rm x", "write_file /base/home/ask"]);
    let (told, questions, calls) = ask(Some(Decision::Approve)).await;
    assert_eq!((told, questions), (list(&["done", "done"]), asked.clone()));
    assert_eq!(calls.len(), 2);
    let (told, questions, calls) = ask(Some(Decision::Deny("no".to_owned()))).await;
    let denied = list(&[
        "recorded: exec: rm x: not approved: no",
        "recorded: write_file: /base/home/ask: not approved: no",
    ]);
    assert_eq!((told, questions), (denied, asked.clone()));
    assert_eq!(calls, Vec::<String>::new());
    let (told, questions, calls) = ask(None).await;
    let late = list(&[
        "recorded: exec: rm x: no answer within 5000 ms",
        "recorded: write_file: /base/home/ask: no answer within 5000 ms",
    ]);
    assert_eq!((told, questions), (late, asked));
    assert_eq!(calls, Vec::<String>::new());
}

#[test]
fn a_grant_ends_with_its_operation() {
    let policy = Policy {
        write_approval: list(&["/a"]),
        ..Policy::default()
    };
    let boundary = Boundary::new(&[policy]).unwrap();
    let first = boundary.grant("/a");
    let second = boundary.grant("/a");
    drop(first);
    assert!(boundary.permits(b"/a", Access::Write));
    drop(second);
    assert!(!boundary.permits(b"/a", Access::Write));
}

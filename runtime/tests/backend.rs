//! The virtual backend meets the contract of all backends.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use offshoot::backend::conformance::{self, Made};
use offshoot::backend::{
    Approval, Approver, Code, Decision, Environment, Factory, NAME, Options, Policy, Registry,
    Restricted, Rules, Selection, Snapshot, StoredFactory, Virtual, VirtualFactory, registry,
};
use offshoot::lifecycle::{Key, Sandboxes, Store};
use std::sync::Arc;

/// Options with this working directory and these variables.
fn options(cwd: Option<&str>, env: &[(&str, &str)]) -> Options {
    let mut options = Options::default();
    options.cwd = cwd.map(str::to_owned);
    let owned = |(name, value): &(&str, &str)| (name.to_string(), value.to_string());
    options.env = env.iter().map(owned).collect();
    options
}

#[tokio::test(flavor = "multi_thread")]
async fn the_virtual_backend_passes_the_suite() {
    let factory = Arc::new(VirtualFactory::default());
    let report = conformance::run(&Made::new(factory, Options::default())).await;
    assert!(report.passed(), "\n{}", report.table());
}

#[tokio::test]
async fn settings_are_honoured_or_refused() {
    let registry = registry().unwrap();
    let seeded = options(Some("/data/in"), &[("A", "1")]).setting("seed", 7);
    let sandbox = registry.open(Selection::Default, seeded).await.unwrap();
    let script = "echo $A $PWD $(date +%F)".into();
    let shown = sandbox.exec(script).await.unwrap();
    assert_eq!(shown.stdout_text(), "1 /data/in 2024-01-01\n");

    let outside = options(Some("../.."), &[]);
    for (options, code) in [
        (Options::default().setting("image", "x"), Code::Invalid),
        (outside, Code::PathEscape),
    ] {
        let error = registry.open(NAME, options).await.unwrap_err();
        assert_eq!((error.code(), error.backend()), (code, Some(NAME)));
    }
}

#[tokio::test]
async fn a_snapshot_starts_with_its_settings_or_others() {
    let factory = VirtualFactory::default();
    let origin = factory.create(options(None, &[("A", "1")])).await.unwrap();
    let first = origin.snapshot(Some("first")).await.unwrap();
    let second = origin.snapshot(None).await.unwrap();
    assert_eq!(second.parent.as_deref(), Some(&*first.id));
    let others = options(Some("below"), &[("A", "2")]);
    for (options, expected) in [
        (Options::default(), "1 /home/user\n"),
        (others, "2 /home/user/below\n"),
    ] {
        let started = factory.start(&first, options).await.unwrap();
        let shown = started.exec("echo $A $PWD".into()).await.unwrap();
        assert_eq!(shown.stdout_text(), expected);
    }
    let foreign = Snapshot::new("local", &*first.id);
    let error = origin.restore(&foreign).await.unwrap_err();
    assert_eq!(error.code(), Code::Invalid);
}

fn kept(store: &Store) -> Arc<StoredFactory> {
    let sandboxes = Sandboxes::builder(store.clone())
        .reference_key(Key::derive(b"of this test"))
        .build();
    Arc::new(StoredFactory::new(sandboxes))
}

#[tokio::test(flavor = "multi_thread")]
async fn kept_sandboxes_pass_the_suite() {
    let subject = Made::new(kept(&Store::memory()), Options::default());
    let report = conformance::run(&subject).await;
    assert!(report.passed(), "\n{}", report.table());
}

#[tokio::test]
async fn a_reference_reaches_a_sandbox_from_another_process() {
    let store = Store::memory();
    // Two services over one store are two processes to each other.
    let (here, there) = (kept(&store), kept(&store));
    let sandbox = here.create(options(None, &[("A", "1")])).await.unwrap();
    sandbox
        .write_file("/home/user/note", b"kept")
        .await
        .unwrap();
    let text = sandbox.reference().await.unwrap().to_string();
    sandbox.suspend().await.unwrap();

    let elsewhere = Registry::strict();
    elsewhere.register(there).unwrap();
    let reference = text.parse().unwrap();
    let attached = elsewhere
        .attach(&reference, Options::default())
        .await
        .unwrap();
    assert_eq!(attached.read_file("note").await.unwrap(), "kept");
    let shown = attached.exec("echo $A; echo more >> note".into()).await;
    assert_eq!(shown.unwrap().stdout, b"1\n");
    let error = sandbox.resume().await.unwrap_err();
    assert_eq!((error.code(), error.retryable()), (Code::Conflict, true));
    attached.suspend().await.unwrap();
    sandbox.resume().await.unwrap();
    let note = sandbox.read_file_buffer("/home/user/note").await.unwrap();
    assert_eq!(note, b"keptmore\n");
    sandbox.cleanup().await.unwrap();
    let error = elsewhere
        .attach(&reference, Options::default())
        .await
        .unwrap_err();
    assert_eq!(error.code(), Code::SandboxUnavailable);
    assert!(
        error
            .message()
            .contains("no longer alive (owner cleanup ran)")
    );
}

#[tokio::test]
async fn every_claim_turned_round_is_found() {
    let subject = Made::new(Arc::new(VirtualFactory::default()), Options::default());
    let twins = conformance::run_twins(&subject, &|_, _| true).await;
    assert!(twins.passed(), "\n{}", twins.table());
}

/// Ways in which a command could leave what a policy permits; each is refused, and is no error.
const AROUND: &[&str] = &[
    "echo x > /site/fixed/a",
    "cp /site/a /site/fixed/a",
    "ln -s fixed /site/soft; echo x > /site/soft/a",
    "ln /site/fixed/a /site/hard && echo x > /site/hard",
    "mv /site/fixed /site/elsewhere",
    "mv /site /moved",
    "rm -rf /site/fixed",
    "cd /site/fixed; echo x > a",
    "exec 3<> /site/fixed/a; echo x >&3",
    "bash -c 'echo x > /site/fixed/a'",
    "find /site/fixed -type f -exec cp /site/a {} ';'",
    "echo /site/fixed/a | xargs truncate -s 0",
    "tee /site/fixed/a < /site/a",
    "sed -i s/kept/x/ /site/fixed/a",
    "tar -C / -cf - site/a | tar -C /site/fixed -xf -",
    "chmod 000 /site/fixed/a; touch -d 2001-01-01 /site/fixed/a",
    "cat /site/.env",
    "cp /site/.env /site/shown; cat /site/shown",
    "mv /site/.env /site/shown; cat /site/shown",
    "ln /site/.env /site/shown; cat /site/shown",
    "grep -r hidden /site",
    "read line < /site/.env; echo $line",
    "mapfile lines < /site/.env; echo ${lines[0]}",
    "source /site/.env; echo $KEY",
    "awk '{print}' /site/.env",
    "tar -cf - /site | cat",
    "echo x > /home/user/new",
    "mkdir /home/user/dir",
];

#[tokio::test]
async fn no_command_leaves_what_a_policy_permits() {
    let policy: Policy = serde_json::from_str(
        r#"{"write": ["/site/**", "/tmp/**"], "write_deny": ["/site/fixed/**"], "deny": ["**/.env"]}"#,
    )
    .unwrap();
    for attempt in AROUND {
        let sandbox = offshoot::Sandbox::builder()
            .file("/site/a", "plain\n")
            .file("/site/.env", "KEY=hidden\n")
            .file("/site/fixed/a", "kept\n")
            .build()
            .unwrap();
        let inner = Arc::new(Virtual::new(sandbox.clone()));
        let restricted = Restricted::new(inner, std::slice::from_ref(&policy), None).await;
        let restricted = Rules::new(Arc::new(restricted.unwrap()));
        let branch = restricted.fork(None).await.unwrap();
        for environment in [&restricted as &dyn Environment, &*branch] {
            let result = environment.exec((*attempt).into()).await.unwrap();
            let shown = [result.stdout, result.stderr].concat();
            let shown = String::from_utf8_lossy(&shown).into_owned();
            assert!(!shown.contains("hidden"), "{attempt}: {shown}");
            let kept = environment.read_file("/site/fixed/a").await.unwrap();
            assert_eq!(kept, "kept\n", "{attempt}: {shown}");
            assert_eq!(
                environment.readdir("/site/fixed").await.unwrap(),
                ["a"],
                "{attempt}"
            );
            let home = environment.readdir("/home/user").await.unwrap();
            assert_eq!(home, Vec::<String>::new(), "{attempt}");
        }
    }
}

#[tokio::test]
async fn a_policy_holds_after_restoring_and_an_approval_opens_one_path() {
    struct Yes;
    #[async_trait::async_trait]
    impl Approver for Yes {
        async fn decide(&self, _: &Approval) -> Decision {
            Decision::Approve
        }
    }
    let registry = registry().unwrap().with_approver(Arc::new(Yes));
    let mut wanted = options(None, &[]);
    wanted.policies = vec![Policy {
        write_approval: vec!["/home/user/ask/**".to_owned()],
        ..Policy::default()
    }];
    let sandbox = registry.open(NAME, wanted).await.unwrap();
    let attempt = "mkdir -p ask; echo x > ask/a; echo x > ask/b";
    let snapshot = sandbox.snapshot(None).await.unwrap();
    sandbox.restore(&snapshot).await.unwrap();
    let started = sandbox.start(&snapshot).await.unwrap();
    for environment in [&sandbox, &started] {
        environment.exec(attempt.into()).await.unwrap();
        assert!(!environment.exists("ask").await.unwrap());
        environment.mkdir("ask", false).await.unwrap();
        environment.write_file("ask/a", b"approved").await.unwrap();
        environment.exec(attempt.into()).await.unwrap();
        assert_eq!(environment.read_file("ask/a").await.unwrap(), "approved");
        assert_eq!(environment.readdir("ask").await.unwrap(), ["a"]);
    }
}

#[tokio::test]
async fn a_command_waits_for_its_approval_and_what_cannot_be_judged_is_refused() {
    struct Clerk(std::sync::Mutex<Vec<String>>);
    #[async_trait::async_trait]
    impl Approver for Clerk {
        async fn decide(&self, approval: &Approval) -> Decision {
            self.0.lock().unwrap().push(approval.subject.clone());
            match approval.subject.contains("-r") {
                true => Decision::Deny("not the tree".to_owned()),
                false => Decision::Approve,
            }
        }
    }
    let clerk = Arc::new(Clerk(std::sync::Mutex::default()));
    let registry = registry()
        .unwrap()
        .with_approver(Arc::clone(&clerk) as Arc<dyn Approver>);
    let mut wanted = options(None, &[]);
    wanted.policies = vec![Policy {
        command_approval: vec!["rm".to_owned()],
        ..Policy::default()
    }];
    let sandbox = registry.open(NAME, wanted.clone()).await.unwrap();
    let branch = sandbox.fork(None).await.unwrap();
    for environment in [&sandbox, &branch] {
        let script = "mkdir d; touch d/a b; echo d | xargs rm -r; rm b; echo $?; ls";
        let result = environment.exec(script.into()).await.unwrap();
        assert_eq!(result.stdout_text(), "0\nd\n", "{}", result.stderr_text());
        assert!(result.stderr_text().contains("not approved: not the tree"));
        let asked = std::mem::take(&mut *clerk.0.lock().unwrap());
        assert_eq!(asked, ["rm -r d", "rm b"]);
    }
    for name in ["eval", "read", "ba?h", "c*"] {
        wanted.policies[0].command_deny = vec![name.to_owned()];
        let error = registry.open(NAME, wanted.clone()).await.unwrap_err();
        assert_eq!(error.code(), Code::Capability, "{error}");
    }
}

#[tokio::test]
async fn a_rule_holds_however_the_command_is_provided() {
    let registry = registry().unwrap();
    let open = async |policy: &str| {
        let mut wanted = options(None, &[]);
        wanted.policies = vec![serde_json::from_str(policy).unwrap()];
        registry.open(NAME, wanted).await.unwrap()
    };
    // Builtins, applets and programs alike; what is not named stays.
    let some =
        open(r#"{"command_deny": ["cat", "echo -n", "\\["], "command_approval": ["kill"]}"#).await;
    for (script, stdout, status) in [
        ("printf x > f; cat f", "", 126),
        (
            "printf x > f; command cat f; /bin/cat f; exec cat f",
            "",
            126,
        ),
        ("builtin cat; builtin echo no", "", 1),
        ("echo -n no; echo yes", "yes\n", 0),
        (
            "enable echo; (echo -n no); bash -c 'echo -n no'; eval 'echo -n no'",
            "",
            126,
        ),
        ("[ 1 = 1 ] || test 1 = 1 && printf yes", "yes", 0),
        ("sleep 5 & kill $!; printf $?; wait -n & wait", "126", 0),
        ("printf no | cat | wc -c; wc -c < f", "0\n1\n", 0),
        ("echo() { printf own; }; echo -n", "own", 0),
    ] {
        let branch = some.fork(None).await.unwrap();
        branch.write_file("f", b"x").await.unwrap();
        let exec = offshoot::Exec::new(script).timeout_ms(20_000);
        let result = branch.exec(exec).await.unwrap();
        let shown = (&*result.stdout_text(), result.exit_code);
        assert_eq!(
            shown,
            (stdout, status),
            "{script}: {}",
            result.stderr_text()
        );
    }
    let listed = open(r#"{"command": ["wc", "find"]}"#).await;
    let script =
        "echo hi | cat; echo $?; echo hi | wc -l; find . -name none -exec cat {} +; test 1";
    let result = listed.exec(script.into()).await.unwrap();
    assert_eq!(result.stdout_text(), "126\n1\n", "{}", result.stderr_text());
    let none = open(r#"{"command_deny": ["*"]}"#).await;
    let result = none.exec("cd /tmp; x=1; ls; echo $x".into()).await.unwrap();
    assert_eq!((&*result.stdout, result.exit_code), (&b""[..], 126));
}

/// Answers every request with `ok`, until it is dropped.
#[cfg(feature = "network")]
async fn service() -> (String, tokio::task::JoinHandle<()>) {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let origin = format!("http://{}", listener.local_addr().unwrap());
    let task = tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut request = [0; 4096];
            let count = stream.read(&mut request).await.unwrap_or(0);
            let target = String::from_utf8_lossy(&request[..count]).into_owned();
            let answer = match target.contains(" /away ") {
                true => "HTTP/1.1 302 Found\r\nlocation: /v2/x\r\ncontent-length: 0\r\n\r\n",
                false => "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok",
            };
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    (origin, task)
}

#[cfg(feature = "network")]
#[tokio::test(flavor = "multi_thread")]
async fn a_policy_narrows_the_network_to_origins_and_methods() {
    use offshoot::backend::{Network, NetworkRule};
    let (origin, service) = service().await;
    let registry = registry().unwrap();
    let open = async |policies: Vec<Policy>| {
        let rule = format!("GET,POST,DELETE {origin}");
        let mut wanted = options(None, &[]).setting("network", vec![rule]);
        wanted.network = Some(Network::Policy);
        wanted.policies = policies;
        registry.open(NAME, wanted).await
    };
    let only = |rule: &str| Policy {
        network: NetworkRule::Only(vec![rule.to_owned()]),
        ..Policy::default()
    };
    let get = format!("GET {origin}/v1/");
    let more = format!("GET,POST {origin}");
    let deny = Policy {
        network_deny: vec!["127.0.0.1".to_owned()],
        ..Policy::default()
    };
    let none = Policy {
        network: NetworkRule::None,
        ..Policy::default()
    };
    for (policies, expected) in [
        (vec![], "ok ok ok ok"),
        (vec![only(&more)], "ok ok no ok"),
        (vec![only(&more), only(&get)], "ok no no no"),
        (vec![only(&more), deny], "no no no no"),
        (vec![none], "no no no no"),
    ] {
        let is_off = policies
            .iter()
            .any(|policy| policy.network == NetworkRule::None);
        let sandbox = open(policies).await.unwrap();
        let claimed = match is_off {
            true => Network::None,
            false => Network::Policy,
        };
        assert_eq!(sandbox.capabilities().network, claimed);
        let script = format!(
            "ask() {{ [ \"$(curl -sL \"$@\")\" = ok ] && echo ok || echo no; }}
             echo $(ask {origin}/v1/a; ask -d x {origin}/v1/a; ask -X DELETE {origin}/v1/a
             wget -qO- {origin}/away | grep -q ok && echo ok || echo no)"
        );
        let snapshot = sandbox.snapshot(None).await.unwrap();
        let started = sandbox.start(&snapshot).await.unwrap();
        let branch = sandbox.fork(None).await.unwrap();
        for environment in [&sandbox, &branch, &started] {
            let result = environment.exec(script.clone().into()).await.unwrap();
            assert_eq!(
                result.stdout_text().trim(),
                expected,
                "{}",
                result.stderr_text()
            );
        }
    }
    for rules in ["ftp://a.com", "get http://a.com", "http://", "GET"] {
        let error = open(vec![only(rules)]).await.unwrap_err();
        assert_eq!(error.code(), Code::Invalid, "{rules}: {error}");
    }
    service.abort();
}

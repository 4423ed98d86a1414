//! Modal.

use crate::support;
use offshoot::Exec;
use offshoot::backend::{Code, Environment, Event, Factory, Network, Options, Signal, Stdin};
use offshoot_connectors::{Connector, providers};
use offshoot_providers::modal::{self, HOME, Modal, SECRET, TOKEN_ID, TOKEN_SECRET};
use offshoot_providers::service::Service;
use std::sync::Arc;

const NAME: &str = "modal";

async fn served() -> (Service, Arc<Modal>, Connector) {
    let (service, modal) = modal::serve().await.unwrap();
    let connector = connector(&service.url()).await;
    (service, modal, connector)
}

async fn connector(url: &str) -> Connector {
    let set = |name: &str| {
        ["MODAL_SERVER_URL", "MODAL_ROUTER_URL"]
            .contains(&name)
            .then(|| url.to_owned())
    };
    let mut manifest = providers::manifest_with(NAME, &set).unwrap();
    for credential in &mut manifest.credentials {
        credential.value = Some(match credential.env.as_str() {
            "MODAL_TOKEN_ID" => TOKEN_ID.to_owned(),
            _ => TOKEN_SECRET.to_owned(),
        });
    }
    // Who runs commands there is not root, as at Modal.
    manifest
        .settings
        .insert("directory".to_owned(), HOME.into());
    let engine = offshoot::engine().unwrap();
    providers::connector(engine, NAME, &manifest).await.unwrap()
}

async fn run(sandbox: &dyn Environment, script: &str) -> String {
    let exec = Exec::new(script).cwd(sandbox.cwd());
    let ran = sandbox.exec(exec).await.unwrap();
    assert_eq!(ran.exit_code, 0, "{}", ran.stderr_text());
    ran.stdout_text().into_owned()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_connector_passes_the_suite() {
    let (_service, _, connector) = served().await;
    support::suite(connector, Options::default()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn twins_of_the_connector_are_found() {
    let (_service, _, connector) = served().await;
    let claims = [
        "stdin",
        "separate_stderr",
        "exact_output",
        "streaming",
        "cancel",
        "snapshot",
        "suspend",
    ];
    support::twins(connector, &claims).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_settle_when_the_service_dies() {
    let (service, _, connector) = served().await;
    support::settles_when_the_service_dies(connector, service.end()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn t34_the_credential_goes_to_the_control_plane_alone() {
    let (service, _, connector) = served().await;
    let control = |line: &str| line.contains("/modal.client.ModalClient/");
    support::keeps_the_credential_back(connector, &service, TOKEN_SECRET, control).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn t34_the_component_holds_no_token_of_a_sandbox() {
    let (service, _, connector) = served().await;
    let sandbox = connector.create(Options::default()).await.unwrap();
    assert_eq!(run(&*sandbox, "echo here").await, "here\n");
    let token = |headers: &str, before: &str| {
        let line = headers.lines().find_map(|line| line.strip_prefix(before));
        line.map(str::to_owned)
    };
    let seen = service.seen();
    let tokens: Vec<String> = seen
        .iter()
        .flat_map(|one| {
            [
                token(&one.headers, "authorization: Bearer "),
                token(&one.headers, "x-modal-auth-token: "),
            ]
        })
        .flatten()
        .collect();
    assert!(tokens.len() > 3);
    // The service gets what it gave, and the component had something else.
    assert!(
        tokens.iter().all(|token| token.starts_with("eyJ")),
        "{tokens:?}"
    );
    let told = format!(
        "{connector:?} {sandbox:?} {}",
        sandbox.reference().await.unwrap()
    );
    assert!(tokens.iter().all(|token| !told.contains(token)));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sandbox_at_the_provider_keeps_the_contract() {
    support::live(NAME, "OFFSHOOT_LIVE_MODAL").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_service_is_what_the_client_expects() {
    let Some(directory) = support::clients() else {
        return;
    };
    let (service, modal, _) = served().await;
    let url = service.url();
    let variables = [
        ("MODAL_SERVER_URL", &*url),
        ("MODAL_TOKEN_ID", TOKEN_ID),
        ("MODAL_TOKEN_SECRET", TOKEN_SECRET),
        ("MODAL_CONFIG_PATH", "/nonexistent/modal.toml"),
    ];
    support::client(&directory, "modal_client.py", &variables).await;
    assert_eq!(modal.alive(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_is_begun_once_and_tokens_are_renewed() {
    let (service, modal, connector) = served().await;
    let sandbox = connector.create(Options::default()).await.unwrap();
    assert_eq!(run(&*sandbox, "echo once").await, "once\n");
    modal.expire();
    let before = modal.executions();
    assert_eq!(run(&*sandbox, "echo again").await, "again\n");
    assert_eq!(modal.executions() - before, 1);
    let id = sandbox.reference().await.unwrap().provider_data;
    modal.expire();
    let same = connector.attach(&id, Options::default()).await.unwrap();
    assert_eq!(run(&*same, "echo same").await, "same\n");
    service.end().await;
    let error = sandbox
        .exec(Exec::new("echo twice").cwd(HOME))
        .await
        .unwrap_err();
    assert_eq!(error.code(), Code::Died, "{error}");
    assert_eq!(modal.executions() - before, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn streams_come_apart_while_a_command_runs() {
    let (_service, _, connector) = served().await;
    let sandbox = connector.create(Options::default()).await.unwrap();
    let script = "while read -r line; do echo \"out $line\"; echo \"err $line\" >&2; done; exit 7";
    let exec = Exec::new(script).cwd(sandbox.cwd()).stdin(Stdin::Piped);
    let mut running = sandbox.spawn(exec).await.unwrap();
    let mut input = running.take_input().unwrap();
    for number in 0..3 {
        input.write(format!("{number}\n").as_bytes()).await.unwrap();
        let mut heard = (Vec::new(), Vec::new());
        while !heard.0.ends_with(b"\n") || !heard.1.ends_with(b"\n") {
            match running.next().await.unwrap() {
                Some(Event::Stdout(bytes)) => heard.0.extend_from_slice(&bytes),
                Some(Event::Stderr(bytes)) => heard.1.extend_from_slice(&bytes),
                _ => break,
            }
        }
        let expected = (
            format!("out {number}\n").into_bytes(),
            format!("err {number}\n").into_bytes(),
        );
        assert_eq!(heard, expected);
    }
    drop(input);
    assert_eq!(running.next().await.unwrap(), Some(Event::Exit(7)));
}

#[tokio::test(flavor = "multi_thread")]
async fn more_input_and_output_than_one_message_holds() {
    let (_service, _, connector) = served().await;
    let sandbox = connector.create(Options::default()).await.unwrap();
    let input: Vec<u8> = (0..5_000_000_u32).map(|n| (n % 251) as u8).collect();
    let exec = Exec::new("tee /dev/stderr").cwd(sandbox.cwd());
    let ran = sandbox.exec(exec.stdin(input.clone())).await.unwrap();
    assert!(ran.stdout == input && ran.stderr == input);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_is_killed_with_all_that_it_started() {
    let (_service, _, connector) = served().await;
    let sandbox = connector.create(Options::default()).await.unwrap();
    let script = "(sleep 600; echo late >> late) & echo begun; sleep 600";
    let exec = Exec::new(script).cwd(sandbox.cwd());
    let mut running = sandbox.spawn(exec).await.unwrap();
    assert!(matches!(
        running.next().await.unwrap(),
        Some(Event::Stdout(_))
    ));
    let left = "for c in /proc/[0-9]*/cmdline; do tr '\\0' ' ' <$c; echo; done | grep -cx 'sleep 600 ' || true";
    assert_eq!(run(&*sandbox, left).await, "2\n");
    running.signal(Signal::Kill).await.unwrap();
    let ended = loop {
        match running.next().await.unwrap() {
            // The shell around it says what became of it.
            Some(Event::Stderr(_)) => {}
            event => break event,
        }
    };
    assert_eq!(ended, Some(Event::Exit(137)));
    assert_eq!(run(&*sandbox, left).await, "0\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_reach_the_provider() {
    let (service, modal, connector) = served().await;
    let mut options = Options::default()
        .setting("cpu", 0.5)
        .setting("memory_mb", 512)
        .setting("lifetime_seconds", 120)
        .setting("secrets", serde_json::json!([SECRET]));
    options.metadata = [("kind".to_owned(), "made".to_owned())].into();
    options.env = vec![("KEPT".to_owned(), "a b".to_owned())];
    options.network = Some(Network::None);
    let sandbox = connector.create(options).await.unwrap();
    assert_eq!(sandbox.capabilities().network, Network::None);
    assert_eq!(
        run(&*sandbox, "echo $KEPT $FROM_SECRET").await,
        "a b kept\n"
    );
    let id = sandbox.reference().await.unwrap().provider_data;
    let made = modal.definition(&id);
    for part in [
        "milli_cpu: 500",
        "memory_mb: 512",
        "timeout_secs: 120",
        "network_access_type: 2",
        "tag_value: \"made\"",
    ] {
        assert!(made.contains(part), "{made}");
    }
    let gpus = Options::default().setting("gpu", "a100:2");
    let sandbox = connector.create(gpus).await.unwrap();
    assert_eq!(run(&*sandbox, "echo gpu").await, "gpu\n");
    let made = modal.definition(&sandbox.reference().await.unwrap().provider_data);
    assert!(made.contains("count: 2, gpu_type: \"A100\""), "{made}");
    let branch = sandbox.fork(None).await.unwrap();
    assert_eq!(run(&*branch, "echo branch").await, "branch\n");
    let lines = service.seen();
    assert!(lines.iter().any(|one| one.line.ends_with("/SandboxCreate")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fork_and_a_snapshot_have_the_files_of_their_time() {
    let (_service, modal, connector) = served().await;
    let mut options = Options::default();
    options.env = vec![("KEPT".to_owned(), "a b".to_owned())];
    let sandbox = connector.create(options).await.unwrap();
    let file = format!("{HOME}/file");
    sandbox.write_file(&file, b"first").await.unwrap();
    let snapshot = sandbox.snapshot(None).await.unwrap();
    sandbox.write_file(&file, b"second").await.unwrap();
    let branch = sandbox.fork(None).await.unwrap();
    branch.write_file(&file, b"third").await.unwrap();
    assert_eq!(run(&*branch, "echo $KEPT").await, "a b\n");
    assert_eq!(sandbox.read_file_buffer(&file).await.unwrap(), b"second");
    let other = connector
        .start(&snapshot, Options::default())
        .await
        .unwrap();
    assert_eq!(other.read_file_buffer(&file).await.unwrap(), b"first");
    sandbox.restore(&snapshot).await.unwrap();
    assert_eq!(sandbox.read_file_buffer(&file).await.unwrap(), b"first");
    // The one that was set back took the place of another.
    assert_eq!(modal.alive(), 3);
    sandbox.delete_snapshot(&snapshot).await.unwrap();
    let gone = connector.start(&snapshot, Options::default()).await;
    let gone = gone.map(drop).unwrap_err();
    assert_eq!(gone.code(), Code::NotFound, "{gone}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_ended_is_not_there_any_more() {
    let (_service, modal, connector) = served().await;
    let sandbox = connector.create(Options::default()).await.unwrap();
    let id = sandbox.reference().await.unwrap().provider_data;
    let same = connector.attach(&id, Options::default()).await.unwrap();
    let exec = Exec::new("echo begun; sleep 600").cwd(sandbox.cwd());
    let mut running = same.spawn(exec).await.unwrap();
    assert!(matches!(
        running.next().await.unwrap(),
        Some(Event::Stdout(_))
    ));
    sandbox.cleanup().await.unwrap();
    assert_eq!(modal.alive(), 0);
    let error = running.next().await.unwrap_err();
    assert_eq!(error.code(), Code::Died, "{error}");
    let error = same.exec(Exec::new("true").cwd(HOME)).await.unwrap_err();
    assert_eq!(error.code(), Code::SandboxUnavailable, "{error}");
    for (data, code) in [
        (&*id, Code::NotFound),
        ("sb-nobody", Code::NotFound),
        ("", Code::Invalid),
        ("a/b", Code::Invalid),
    ] {
        let attached = connector.attach(data, Options::default()).await;
        let error = attached.map(drop).unwrap_err();
        assert_eq!(error.code(), code, "{data:?}: {error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_asked_for_is_refused() {
    let (service, modal, connector) = served().await;
    for (name, value) in [
        ("gpu", serde_json::json!("A100:none")),
        ("cpu", serde_json::json!(-1.0)),
        ("nobody", serde_json::json!("x")),
    ] {
        let options = Options::default().setting(name, value);
        let error = connector.create(options).await.map(drop).unwrap_err();
        assert_eq!(error.code(), Code::Invalid, "{name}: {error}");
    }
    assert!(service.seen().is_empty());
    for (name, value, code) in [
        ("image", serde_json::json!("no-such"), Code::Invalid),
        ("image_id", serde_json::json!("im-none"), Code::NotFound),
        ("secrets", serde_json::json!(["none"]), Code::NotFound),
    ] {
        let options = Options::default().setting(name, value);
        let error = connector.create(options).await.map(drop).unwrap_err();
        assert_eq!(error.code(), code, "{name}: {error}");
    }
    assert_eq!(modal.alive(), 0);
}

//! Cloudflare's Sandbox SDK, by its own bridge.

use crate::support;
use offshoot::Exec;
use offshoot::backend::{Code, Factory, Network, Options};
use offshoot_connectors::Connector;
use offshoot_providers::cloudflare::{Bridge, KEY, WORKSPACE};

const NAME: &str = "cloudflare";

/// The bridge and the connector, where Cloudflare's code is installed.
async fn served() -> Option<(Bridge, Connector)> {
    let bridge = Bridge::start(&support::clients()?).await.unwrap();
    let variables = [("CLOUDFLARE_SANDBOX_URL", bridge.url())];
    let connector = support::connector(NAME, &variables, KEY).await;
    Some((bridge, connector))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_connector_passes_the_suite() {
    let Some((bridge, connector)) = served().await else {
        return;
    };
    support::suite(connector, Options::default()).await;
    assert_eq!(bridge.containers().count(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn twins_of_the_connector_are_found() {
    let Some((_bridge, connector)) = served().await else {
        return;
    };
    let claims = [
        "stdin",
        "separate_stderr",
        "exec_environment",
        "exec_timeout",
        "suspend",
        "snapshot",
    ];
    support::twins(connector, &claims).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_settle_when_the_service_dies() {
    let Some((bridge, connector)) = served().await else {
        return;
    };
    support::settles_when_the_service_dies(connector, async { drop(bridge) }).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn t34_the_key_is_told_by_nobody() {
    let Some((_bridge, connector)) = served().await else {
        return;
    };
    support::tells_no_credential(connector, KEY).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sandbox_at_the_provider_keeps_the_contract() {
    support::live(NAME, "OFFSHOOT_LIVE_CLOUDFLARE").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_container_that_slept_is_not_passed_off_as_an_empty_one() {
    // The bridge begins a new container for the same id.
    let Some((bridge, connector)) = served().await else {
        return;
    };
    let sandbox = connector.create(Options::default()).await.unwrap();
    let file = format!("{WORKSPACE}/file");
    sandbox.write_file(&file, b"kept").await.unwrap();
    let id = sandbox.reference().await.unwrap().provider_data;
    let same = connector.attach(&id, Options::default()).await.unwrap();
    assert_eq!(same.read_file_buffer(&file).await.unwrap(), b"kept");
    bridge.containers().sleep().await.unwrap();
    // Until the bridge has heard of it, it asks in vain.
    let mut gone = sandbox.exec("ls".into()).await.unwrap_err();
    for _ in 0..200 {
        if gone.code() != Code::Died {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        gone = sandbox.exec("ls".into()).await.unwrap_err();
    }
    assert_eq!(gone.code(), Code::SandboxUnavailable, "{gone}");
    let gone = sandbox.readdir("/").await.unwrap_err();
    assert_eq!(gone.code(), Code::SandboxUnavailable, "{gone}");
    let attached = connector.attach(&id, Options::default()).await;
    let gone = attached.map(drop).unwrap_err();
    assert_eq!(gone.code(), Code::NotFound, "{gone}");
    assert_eq!(bridge.containers().count(), 0, "what asking began is ended");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_container_ends_with_its_sandbox() {
    let Some((bridge, connector)) = served().await else {
        return;
    };
    let sandbox = connector.create(Options::default()).await.unwrap();
    assert_eq!(bridge.containers().count(), 1);
    sandbox.cleanup().await.unwrap();
    assert_eq!(bridge.containers().count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn words_arrive_as_they_are_and_long_ones_leave_nothing() {
    // The bridge quotes them for a shell.
    let Some((_bridge, connector)) = served().await else {
        return;
    };
    let sandbox = connector.create(Options::default()).await.unwrap();
    let words = [
        "",
        "a b",
        "'\"\\",
        "x\n\ty\r",
        "$HOME `id` $(id)",
        "ä€🦀",
        "\u{1}\u{7f}",
    ];
    let exec = Exec::new("printf '<%s>' \"$@\"").arguments(words);
    let shown = sandbox.exec(exec).await.unwrap();
    let expected: String = words.iter().map(|word| format!("<{word}>")).collect();
    assert_eq!(shown.stdout_text(), expected);
    let script = format!("ls -A; echo \"${{#1}}\" # {}", "'".repeat(90_000));
    let exec = Exec::new(script).arguments(["y".repeat(90_000)]);
    let shown = sandbox.exec(exec.cwd(WORKSPACE)).await.unwrap();
    assert_eq!(shown.stdout_text(), "90000\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_asked_for_is_refused_before_anything_is_made() {
    let Some((bridge, connector)) = served().await else {
        return;
    };
    let mut closed = Options::default();
    closed.network = Some(Network::None);
    let nowhere = Options::default().setting("url", "");
    for (options, code) in [(closed, Code::Capability), (nowhere, Code::Invalid)] {
        let error = connector.create(options).await.map(drop).unwrap_err();
        assert_eq!(error.code(), code, "{error}");
    }
    for wrong in ["", "../x", "no-such", "\u{0}"] {
        let error = connector.attach(wrong, Options::default()).await;
        assert_eq!(error.map(drop).unwrap_err().code(), Code::Invalid);
    }
    assert_eq!(bridge.containers().count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_key_is_a_refusal_and_told_by_nobody() {
    let Some((bridge, _)) = served().await else {
        return;
    };
    let variables = [("CLOUDFLARE_SANDBOX_URL", bridge.url())];
    let connector = support::connector(NAME, &variables, "wr0ngc0de").await;
    let error = connector.create(Options::default()).await;
    let error = error.map(drop).unwrap_err();
    assert_eq!(error.code(), Code::PolicyDenied, "{error}");
    assert!(!format!("{error} {error:?}").contains("wr0ngc0de"));
}

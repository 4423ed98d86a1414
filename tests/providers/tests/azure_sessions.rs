//! Dynamic sessions of Azure Container Apps.

use crate::support;
use offshoot::Exec;
use offshoot::backend::{Code, Factory, Network, Options};
use offshoot_connectors::Connector;
use offshoot_providers::azure_sessions::{self, DATA, Sessions, TOKEN};
use offshoot_providers::service::Service;
use std::sync::Arc;

const NAME: &str = "azure-sessions";

async fn served() -> (Service, Arc<Sessions>, Connector) {
    let (service, sessions) = azure_sessions::serve().await.unwrap();
    let url = service.url();
    let variables = [("AZURE_SESSION_POOL_ENDPOINT", &*url)];
    let connector = support::connector(NAME, &variables, TOKEN).await;
    (service, sessions, connector)
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
        "exec_environment",
        "exec_timeout",
        "suspend",
        "snapshot",
    ];
    support::twins(connector, &claims).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_settle_when_the_service_dies() {
    let (service, _, connector) = served().await;
    support::settles_when_the_service_dies(connector, service.end()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn t34_the_token_is_added_by_the_host() {
    let (service, _, connector) = served().await;
    support::keeps_the_credential_back(connector, &service, TOKEN, |_| true).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sandbox_at_the_provider_keeps_the_contract() {
    support::live(NAME, "OFFSHOOT_LIVE_AZURE_SESSIONS").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_service_is_what_the_client_expects() {
    let Some(directory) = support::clients() else {
        return;
    };
    let (service, _, _) = served().await;
    let url = service.url();
    let variables = [("POOL", url.as_str()), ("TOKEN", TOKEN)];
    support::client(&directory, "azure_sessions_client.py", &variables).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_ended_is_not_passed_off_as_an_empty_one() {
    // The service begins a new session of the same identifier.
    let (_service, sessions, connector) = served().await;
    let sandbox = connector.create(Options::default()).await.unwrap();
    let file = format!("{DATA}/file");
    sandbox.write_file(&file, b"kept").await.unwrap();
    let id = sandbox.reference().await.unwrap().provider_data;
    let same = connector.attach(&id, Options::default()).await.unwrap();
    assert_eq!(same.read_file_buffer(&file).await.unwrap(), b"kept");
    sessions.cool_down().await.unwrap();
    let gone = sandbox.exec(Exec::new("ls").cwd(DATA)).await.unwrap_err();
    assert_eq!(gone.code(), Code::SandboxUnavailable, "{gone}");
    for path in [&*file, "/"] {
        let gone = sandbox.readdir(path).await.unwrap_err();
        assert_eq!(gone.code(), Code::SandboxUnavailable, "{gone}");
    }
    let attached = connector.attach(&id, Options::default()).await;
    let gone = attached.map(drop).unwrap_err();
    assert_eq!(gone.code(), Code::NotFound, "{gone}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_ends_with_its_sandbox() {
    let (_service, sessions, connector) = served().await;
    let sandbox = connector.create(Options::default()).await.unwrap();
    assert_eq!(sessions.count(), 1);
    sandbox.cleanup().await.unwrap();
    assert_eq!(sessions.count(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_script_is_run_once_and_leaves_nothing() {
    let (_service, sessions, connector) = served().await;
    let sandbox = connector.create(Options::default()).await.unwrap();
    let before = sessions.executions();
    let script = format!("ls -A; echo \"${{#1}}\" # {}", "x".repeat(100_000));
    let exec = Exec::new(script).arguments(["y".repeat(90_000)]).cwd(DATA);
    let shown = sandbox.exec(exec).await.unwrap();
    assert_eq!(shown.stdout_text(), "90000\n");
    assert_eq!(sessions.executions() - before, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_asked_for_is_refused_before_anything_is_made() {
    let (service, _, connector) = served().await;
    let mut closed = Options::default();
    closed.network = Some(Network::None);
    let nowhere = Options::default().setting("endpoint", "");
    for (options, code) in [(closed, Code::Capability), (nowhere, Code::Invalid)] {
        let error = connector.create(options).await.map(drop).unwrap_err();
        assert_eq!(error.code(), code, "{error}");
    }
    assert!(service.seen().is_empty());
}

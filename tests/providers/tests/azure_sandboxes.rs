//! Sandboxes of Azure Container Apps.

use crate::support;
use offshoot::Exec;
use offshoot::backend::{Code, Factory, Network, Options};
use offshoot_connectors::Connector;
use offshoot_providers::azure_sandboxes::{self, GROUP, RESOURCES, SUBSCRIPTION, Sandboxes, TOKEN};
use offshoot_providers::service::Service;
use std::sync::Arc;

const NAME: &str = "azure-sandboxes";
/// The directory of a sandbox.
const HOME: &str = "/workspace";

async fn served() -> (Service, Arc<Sandboxes>, Connector) {
    let (service, sandboxes) = azure_sandboxes::serve().await.unwrap();
    let url = service.url();
    let connector = support::connector(NAME, &variables(&url), TOKEN).await;
    (service, sandboxes, connector)
}

fn variables(url: &str) -> [(&str, &str); 4] {
    [
        ("AZURE_SANDBOX_ENDPOINT", url),
        ("AZURE_SUBSCRIPTION_ID", SUBSCRIPTION),
        ("AZURE_RESOURCE_GROUP", RESOURCES),
        ("AZURE_SANDBOX_GROUP", GROUP),
    ]
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
        "snapshot",
        "restore",
        "fork",
        "suspend",
        "streaming",
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
    support::live(NAME, "OFFSHOOT_LIVE_AZURE_SANDBOXES").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_service_is_reached_over_tls() {
    let (service, sandboxes, _) = served().await;
    let (url, certificate) = service.secured().unwrap();
    let mut variables = variables(&url).to_vec();
    variables.push(("AZURE_SANDBOX_TOKEN", TOKEN));
    variables.push(("OFFSHOOT_LIVE_AZURE_SANDBOXES", "1"));
    support::over_tls("azure_sandboxes", certificate, &variables).await;
    assert!(!sandboxes.executions().is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_service_is_what_the_client_expects() {
    let (service, _, _) = served().await;
    let (url, certificate) = service.secured().unwrap();
    support::client_over_tls(
        "azure_sandboxes_client.py",
        certificate,
        &variables(&url),
        TOKEN,
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sandbox_has_its_variables_user_and_labels() {
    // The published adapter had no variables of commands, and the service none for sandboxes of snapshots.
    let (_service, sandboxes, connector) = served().await;
    let mut options = Options::default().setting("user", "nobody");
    options.env = vec![("KEPT".to_owned(), "a 'b'".to_owned())];
    options.metadata = vec![("task".to_owned(), "1".to_owned())]
        .into_iter()
        .collect();
    let sandbox = connector.create(options).await.unwrap();
    let shown = |sandbox: Arc<dyn offshoot::backend::Environment>| async move {
        let exec = Exec::new("echo \"$KEPT $ONCE\"").env("ONCE", "1").cwd(HOME);
        sandbox.exec(exec).await.unwrap().stdout_text().into_owned()
    };
    assert_eq!(shown(Arc::clone(&sandbox)).await, "a 'b' 1\n");
    let asked = &sandboxes.asked()[0];
    assert_eq!(asked["labels"]["task"], "1", "{asked}");
    let users = sandboxes.executions();
    assert!(
        users.iter().all(|asked| asked["user"] == "nobody"),
        "{users:?}"
    );
    let id = sandbox.reference().await.unwrap().provider_data;
    let same = connector.attach(&id, Options::default()).await.unwrap();
    assert_eq!(shown(same).await, "a 'b' 1\n");
    let snapshot = sandbox.snapshot(None).await.unwrap();
    let mut options = Options::default();
    options.env = vec![("KEPT".to_owned(), "other".to_owned())];
    let started = connector.start(&snapshot, options).await.unwrap();
    assert_eq!(shown(started).await, "other 1\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sandbox_that_was_disabled_is_not_woken() {
    let (_service, sandboxes, connector) = served().await;
    let sandbox = connector.create(Options::default()).await.unwrap();
    let id = sandbox.reference().await.unwrap().provider_data;
    sandboxes.disable(&id).await.unwrap();
    let asleep = sandbox.exec(Exec::new("true").cwd(HOME)).await.unwrap_err();
    assert_eq!(asleep.code(), Code::SandboxUnavailable, "{asleep}");
    for _ in 0..2 {
        let attached = connector.attach(&id, Options::default()).await;
        let error = attached.map(drop).unwrap_err();
        assert_eq!(error.code(), Code::SandboxUnavailable, "{error}");
        assert!(error.to_string().contains("disabled"), "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_is_begun_once_and_a_fork_leaves_no_snapshot() {
    let (service, sandboxes, connector) = served().await;
    let sandbox = connector.create(Options::default()).await.unwrap();
    let branch = sandbox.fork(None).await.unwrap();
    branch.cleanup().await.unwrap();
    assert_eq!(sandboxes.snapshots(), 0);
    let before = sandboxes.executions().len();
    sandbox
        .exec(Exec::new("echo once").cwd(HOME))
        .await
        .unwrap();
    assert_eq!(sandboxes.executions().len() - before, 1);
    service.end().await;
    let error = sandbox.exec(Exec::new("echo twice").cwd(HOME)).await;
    assert_eq!(error.unwrap_err().code(), Code::Died);
    assert_eq!(sandboxes.executions().len() - before, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sandbox_without_a_way_out_is_asked_for() {
    let (_service, _, connector) = served().await;
    let mut options = Options::default();
    options.network = Some(Network::None);
    let closed = connector.create(options.clone()).await.unwrap();
    assert_eq!(closed.capabilities().network, Network::None);
    let open = connector.create(Options::default()).await.unwrap();
    let id = open.reference().await.unwrap().provider_data;
    let error = connector
        .attach(&id, options.clone())
        .await
        .map(drop)
        .unwrap_err();
    assert_eq!(error.code(), Code::Capability, "{error}");
    // A sandbox of a snapshot has the snapshot's way out.
    let snapshot = open.snapshot(None).await.unwrap();
    let error = connector
        .start(&snapshot, options)
        .await
        .map(drop)
        .unwrap_err();
    assert_eq!(error.code(), Code::Capability, "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_asked_for_is_refused_before_anything_is_made() {
    let (service, _, connector) = served().await;
    let nowhere = Options::default().setting("group", "");
    let misspelt = Options::default().setting("auto_suspend_mode", "Both");
    for options in [nowhere, misspelt] {
        let error = connector.create(options).await.map(drop).unwrap_err();
        assert_eq!(error.code(), Code::Invalid, "{error}");
    }
    assert!(service.seen().is_empty());
}

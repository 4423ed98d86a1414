//! Databricks: clusters.

use crate::support;
use offshoot::Exec;
use offshoot::backend::{Code, Environment, Factory, Network, Options};
use offshoot_connectors::Connector;
use offshoot_providers::databricks::{self, CLUSTER, TOKEN, Workspace};
use offshoot_providers::service::Service;
use std::sync::Arc;

const NAME: &str = "databricks";

async fn served() -> (Service, Arc<Workspace>, Connector) {
    let (service, workspace) = databricks::serve().await.unwrap();
    let (url, directory) = (service.url(), workspace.directory());
    let variables = [
        ("DATABRICKS_HOST", &*url),
        ("DATABRICKS_CLUSTER_ID", CLUSTER),
        ("DATABRICKS_DIRECTORY", &*directory),
    ];
    let connector = support::connector(NAME, &variables, TOKEN).await;
    (service, workspace, connector)
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
    let (service, workspace, connector) = served().await;
    support::keeps_the_credential_back(connector, &service, TOKEN, |_| true).await;
    // Each command's context ends with it. A call that the host gives up leaves one to the service, which ends idle ones.
    assert_eq!(workspace.contexts(), 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sandbox_at_the_provider_keeps_the_contract() {
    support::live(NAME, "OFFSHOOT_LIVE_DATABRICKS").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_service_is_what_the_client_expects() {
    let Some(directory) = support::clients() else {
        return;
    };
    let (service, workspace, _) = served().await;
    workspace.terminate().unwrap();
    let url = service.url();
    let variables = [
        ("DATABRICKS_HOST", &*url),
        ("DATABRICKS_TOKEN", TOKEN),
        ("DATABRICKS_CLUSTER_ID", CLUSTER),
    ];
    support::client(&directory, "databricks_client.py", &variables).await;
    assert_eq!((workspace.starts(), workspace.contexts()), (1, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_that_sleeps_is_started() {
    let (_service, workspace, connector) = served().await;
    workspace.terminate().unwrap();
    let options = Options::default();
    let (one, other) = tokio::join!(
        connector.create(options.clone()),
        connector.create(options.clone())
    );
    let (one, other) = (one.unwrap(), other.unwrap());
    assert_eq!(workspace.starts(), 1);
    let file = |sandbox: &dyn Environment| format!("{}/file", sandbox.cwd());
    one.write_file(&file(&*one), b"one").await.unwrap();
    assert!(!other.exists(&file(&*other)).await.unwrap());
    one.cleanup().await.unwrap();
    assert!(other.exists(other.cwd()).await.unwrap());
    workspace.break_down();
    let error = connector.create(options).await.map(drop).unwrap_err();
    assert_eq!(error.code(), Code::SandboxUnavailable, "{error}");
    assert!(
        error.to_string().contains("Cloud provider failure"),
        "{error}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_that_was_replaced_is_not_passed_off_as_an_empty_sandbox() {
    let (_service, workspace, connector) = served().await;
    let options = Options::default();
    let sandbox = connector.create(options.clone()).await.unwrap();
    let file = format!("{}/file", sandbox.cwd());
    sandbox.write_file(&file, b"kept").await.unwrap();
    let id = sandbox.reference().await.unwrap().provider_data;
    let same = connector.attach(&id, options.clone()).await.unwrap();
    assert_eq!(same.read_file_buffer(&file).await.unwrap(), b"kept");
    workspace.terminate().unwrap();
    for restarted in [false, true] {
        if restarted {
            let other = connector.create(options.clone()).await.unwrap();
            other.cleanup().await.unwrap();
        }
        let gone = sandbox.exec("ls".into()).await.unwrap_err();
        assert_eq!(gone.code(), Code::SandboxUnavailable, "{gone}");
        let gone = sandbox.readdir(sandbox.cwd()).await.unwrap_err();
        assert_eq!(gone.code(), Code::SandboxUnavailable, "{gone}");
        let attached = connector.attach(&id, options.clone()).await;
        let gone = attached.map(drop).unwrap_err();
        assert_eq!(gone.code(), Code::NotFound, "{gone}");
        assert_eq!(workspace.starts(), u32::from(restarted));
    }
    sandbox.cleanup().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_longer_than_the_service_takes_and_tells_goes_in_pieces() {
    let (_service, workspace, connector) = served().await;
    let sandbox = connector.create(Options::default()).await.unwrap();
    let input: Vec<u8> = (0..3_000_000_u32).map(|n| (n % 251) as u8).collect();
    let exec = Exec::new("cat; echo done >&2").stdin(input.clone());
    let ran = sandbox.exec(exec).await.unwrap();
    assert!(ran.stdout == input);
    assert_eq!(ran.stderr_text(), "done\n");
    sandbox.cleanup().await.unwrap();
    let left = std::fs::read_dir(workspace.directory()).unwrap();
    assert_eq!((left.count(), workspace.contexts()), (0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_asked_for_is_refused_before_anything_is_made() {
    let (service, _, connector) = served().await;
    let mut closed = Options::default();
    closed.network = Some(Network::None);
    let nowhere = Options::default().setting("cluster", "");
    for (options, code) in [(closed, Code::Capability), (nowhere, Code::Invalid)] {
        let error = connector.create(options).await.map(drop).unwrap_err();
        assert_eq!(error.code(), code, "{error}");
    }
    assert!(service.seen().is_empty());
    let other = Options::default().setting("cluster", "no-such");
    let error = connector.create(other).await.map(drop).unwrap_err();
    assert_eq!(error.code(), Code::NotFound, "{error}");
}

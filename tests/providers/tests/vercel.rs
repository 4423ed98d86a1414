//! Vercel Sandbox.

use crate::support;
use offshoot::Exec;
use offshoot::backend::{Code, Factory, Options};
use offshoot_connectors::Connector;
use offshoot_providers::service::Service;
use offshoot_providers::vercel::{self, HOME, PROJECT, TEAM, TOKEN, Vercel};
use std::sync::Arc;

const NAME: &str = "vercel";

async fn served() -> (Service, Arc<Vercel>, Connector) {
    let (service, vercel) = vercel::serve().await.unwrap();
    let connector = connector(&service.url()).await;
    (service, vercel, connector)
}

async fn connector(url: &str) -> Connector {
    let variables = [
        ("VERCEL_SANDBOX_API_URL", url),
        ("VERCEL_TEAM_ID", TEAM),
        ("VERCEL_PROJECT_ID", PROJECT),
    ];
    support::connector(NAME, &variables, TOKEN).await
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
        "suspend",
        "streaming",
        "terminal",
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
    support::live(NAME, "OFFSHOOT_LIVE_VERCEL").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_service_is_what_the_clients_expect() {
    let Some(directory) = support::clients() else {
        return;
    };
    let (service, _, _) = served().await;
    let url = service.url();
    let variables = [
        ("VERCEL_SANDBOX_API_URL", url.as_str()),
        ("VERCEL_TOKEN", TOKEN),
        ("VERCEL_TEAM_ID", TEAM),
        ("VERCEL_PROJECT_ID", PROJECT),
    ];
    for script in ["vercel_client.mjs", "vercel_client.py"] {
        support::client(&directory, script, &variables).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_command_is_begun_once() {
    let (service, vercel, connector) = served().await;
    let sandbox = connector.create(Options::default()).await.unwrap();
    let before = vercel.executions();
    let shown = sandbox
        .exec(Exec::new("echo once").cwd(sandbox.cwd()))
        .await
        .unwrap();
    assert_eq!(shown.stdout_text(), "once\n");
    assert_eq!(vercel.executions() - before, 1);
    service.end().await;
    let error = sandbox
        .exec(Exec::new("echo twice").cwd(HOME))
        .await
        .unwrap_err();
    assert_eq!(error.code(), Code::Died, "{error}");
    assert_eq!(vercel.executions() - before, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn names_with_newlines_are_listed() {
    // The provider's own client lists with `ls` and takes such a name for two.
    let (_service, _, connector) = served().await;
    let sandbox = connector.create(Options::default()).await.unwrap();
    let place = format!("{HOME}/listed");
    sandbox.mkdir(&place, false).await.unwrap();
    sandbox
        .write_file(&format!("{place}/one\ntwo"), b"x")
        .await
        .unwrap();
    assert_eq!(sandbox.readdir(&place).await.unwrap(), ["one\ntwo"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fork_has_what_the_source_has_now() {
    // The provider's fork has what the source had when its last session ended.
    let (_service, _, connector) = served().await;
    let mut options = Options::default();
    options.env = vec![("KEPT".to_owned(), "a b".to_owned())];
    let sandbox = connector.create(options).await.unwrap();
    let file = format!("{HOME}/file");
    sandbox.write_file(&file, b"now").await.unwrap();
    let branch = sandbox.fork(None).await.unwrap();
    assert_eq!(branch.read_file_buffer(&file).await.unwrap(), b"now");
    let shown = branch
        .exec(Exec::new("echo \"$KEPT\"").cwd(HOME))
        .await
        .unwrap();
    assert_eq!(shown.stdout_text(), "a b\n");
    branch.write_file(&file, b"later").await.unwrap();
    assert_eq!(sandbox.read_file_buffer(&file).await.unwrap(), b"now");
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_reach_the_provider() {
    let (service, _, connector) = served().await;
    for runtime in ["node24", "node22", "python3.13"] {
        let options = Options::default().setting("runtime", runtime);
        connector
            .create(options)
            .await
            .unwrap()
            .cleanup()
            .await
            .unwrap();
    }
    let lines: Vec<String> = service.seen().into_iter().map(|one| one.line).collect();
    let made = lines
        .iter()
        .filter(|line| line.starts_with("POST /v2/sandboxes?"));
    assert_eq!(made.count(), 3, "{lines:?}");
    for (name, value) in [("runtime", "node1"), ("nobody", "x")] {
        let options = Options::default().setting(name, value);
        let error = connector.create(options).await.map(drop).unwrap_err();
        assert_eq!(error.code(), Code::Invalid, "{error}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sandbox_without_a_way_out_is_asked_for() {
    use offshoot::backend::Network;
    let (_service, _, connector) = served().await;
    let mut options = Options::default();
    options.network = Some(Network::None);
    let closed = connector.create(options.clone()).await.unwrap();
    assert_eq!(closed.capabilities().network, Network::None);
    let open = connector.create(Options::default()).await.unwrap();
    let name = open.reference().await.unwrap().provider_data;
    let error = connector
        .attach(&name, options)
        .await
        .map(drop)
        .unwrap_err();
    assert_eq!(error.code(), Code::Capability, "{error}");
}

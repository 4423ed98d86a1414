//! CodeSandbox.

use crate::support;
use offshoot::Exec;
use offshoot::backend::{Code, Factory, Network, Options};
use offshoot_connectors::Connector;
use offshoot_providers::codesandbox::{self, CodeSandbox, HOME, KEY, TOKEN};
use offshoot_providers::service::Service;
use std::sync::Arc;

const NAME: &str = "codesandbox";

/// The control plane, what machines answer, and the connector.
async fn served() -> (Service, Service, Arc<CodeSandbox>, Connector) {
    let (service, machines, sandboxes) = codesandbox::serve().await.unwrap();
    let (api, pint) = (service.url(), machines.url());
    let variables = [("CSB_BASE_URL", &*api), ("CSB_PINT_URL", &*pint)];
    let connector = support::connector(NAME, &variables, KEY).await;
    (service, machines, sandboxes, connector)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_connector_passes_the_suite() {
    let (_service, _machines, _, connector) = served().await;
    support::suite(connector, Options::default()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn twins_of_the_connector_are_found() {
    let (_service, _machines, _, connector) = served().await;
    let claims = [
        "stdin",
        "exec_environment",
        "exec_timeout",
        "fork",
        "snapshot",
        "streaming",
    ];
    support::twins(connector, &claims).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_settle_when_the_service_dies() {
    let (service, machines, _, connector) = served().await;
    let end = async {
        service.end().await;
        machines.end().await;
    };
    support::settles_when_the_service_dies(connector, end).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn t34_the_key_is_for_the_control_plane_alone() {
    let (service, machines, _, connector) = served().await;
    support::keeps_the_credential_back(connector, &service, KEY, |_| true).await;
    let inside = machines.seen();
    assert!(!inside.is_empty());
    for one in inside {
        assert_eq!(one.headers.matches(TOKEN).count(), 1, "{one:?}");
        assert!(!one.headers.contains(KEY), "{one:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn t34_the_token_of_a_machine_is_kept_back() {
    let (_service, _machines, _, connector) = served().await;
    let sandbox = connector.create(Options::default()).await.unwrap();
    let reference = sandbox.reference().await.unwrap();
    let exec = Exec::new("env; cat /proc/self/environ").cwd(HOME);
    let shown = sandbox.exec(exec).await.unwrap();
    for told in [
        format!("{sandbox:?} {reference}"),
        shown.stdout_text().into_owned(),
    ] {
        assert!(!told.contains(TOKEN), "{told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sandbox_at_the_provider_keeps_the_contract() {
    support::live(NAME, "OFFSHOOT_LIVE_CODESANDBOX").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_control_plane_is_what_the_client_expects() {
    let Some(directory) = support::clients() else {
        return;
    };
    let (service, _machines, _, _) = served().await;
    let api = service.url();
    let variables = [("CSB_BASE_URL", api.as_str()), ("CSB_API_KEY", KEY)];
    support::client(&directory, "codesandbox_client.mjs", &variables).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn variables_reach_commands_that_the_provider_has_none_for() {
    let (_service, _machines, sandboxes, connector) = served().await;
    let mut options = Options::default();
    options.env = vec![("KEPT".to_owned(), "a 'b'".to_owned())];
    options.cwd = Some("in side".to_owned());
    let sandbox = connector.create(options).await.unwrap();
    let before = sandboxes.executions();
    let exec = Exec::new("pwd; echo \"$KEPT $GIVEN\"")
        .cwd(sandbox.cwd())
        .env("GIVEN", "now");
    let shown = sandbox.exec(exec.clone()).await.unwrap();
    assert_eq!(shown.stdout_text(), format!("{HOME}/in side\na 'b' now\n"));
    assert_eq!(sandboxes.executions() - before, 1);
    sandbox.suspend().await.unwrap();
    let error = sandbox.exec(exec.clone()).await.unwrap_err();
    assert_eq!(error.code(), Code::SandboxUnavailable, "{error}");
    sandbox.resume().await.unwrap();
    let again = sandbox.exec(exec).await.unwrap();
    assert_eq!(again.stdout_text(), shown.stdout_text());
    sandbox.cleanup().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_closed_way_out_is_refused_before_anything_is_made() {
    let (service, _machines, _, connector) = served().await;
    let mut options = Options::default();
    options.network = Some(Network::None);
    let error = connector.create(options).await.map(drop).unwrap_err();
    assert_eq!(error.code(), Code::Capability, "{error}");
    assert!(service.seen().is_empty());
}

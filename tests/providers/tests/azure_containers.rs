//! Azure Container Instances.

use crate::support;
use offshoot::Exec;
use offshoot::backend::{Code, Factory, Network, Options};
use offshoot_connectors::Connector;
use offshoot_providers::azure_containers::{
    self, Containers, PASSWORD, RESOURCES, SUBSCRIPTION, TOKEN,
};
use offshoot_providers::service::Service;
use std::sync::Arc;

const NAME: &str = "azure-containers";
/// The directory of a sandbox.
const HOME: &str = "/workspace";

async fn served() -> (Service, Arc<Containers>, Connector) {
    let (service, containers) = azure_containers::serve().await.unwrap();
    let url = service.url();
    let connector = support::connector(NAME, &variables(&url), TOKEN).await;
    (service, containers, connector)
}

fn variables(url: &str) -> [(&str, &str); 5] {
    [
        ("AZURE_MANAGEMENT_URL", url),
        ("AZURE_CONTAINERS_URL", url),
        ("AZURE_SUBSCRIPTION_ID", SUBSCRIPTION),
        ("AZURE_RESOURCE_GROUP", RESOURCES),
        ("AZURE_LOCATION", "westus2"),
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
        "exec_timeout",
        "exact_output",
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
    let carries = |line: &str| !line.starts_with("GET /exec/");
    support::keeps_the_credential_back(connector, &service, TOKEN, carries).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn t34_the_password_of_a_terminal_is_kept_back_by_the_host() {
    // It comes in an answer and goes in a message.
    let (_service, containers, connector) = served().await;
    support::tells_no_credential(connector, PASSWORD).await;
    assert!(containers.opened() > 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sandbox_at_the_provider_keeps_the_contract() {
    support::live(NAME, "OFFSHOOT_LIVE_AZURE_CONTAINERS").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_service_is_reached_over_tls() {
    let (service, containers, _) = served().await;
    let (url, certificate) = service.secured().unwrap();
    let mut variables = variables(&url).to_vec();
    variables.push(("AZURE_MANAGEMENT_TOKEN", TOKEN));
    variables.push(("OFFSHOOT_LIVE_AZURE_CONTAINERS", "1"));
    support::over_tls("azure_containers", certificate, &variables).await;
    assert!(containers.opened() > 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_service_is_what_the_clients_expect() {
    let (service, _, _) = served().await;
    let (url, certificate) = service.secured().unwrap();
    support::client_over_tls(
        "azure_containers_client.py",
        certificate,
        &variables(&url),
        TOKEN,
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_container_that_was_started_anew_is_not_passed_off_as_the_sandbox() {
    let (_service, containers, connector) = served().await;
    let sandbox = connector.create(Options::default()).await.unwrap();
    let file = format!("{HOME}/file");
    sandbox.write_file(&file, b"kept").await.unwrap();
    let id = sandbox.reference().await.unwrap().provider_data;
    let same = connector.attach(&id, Options::default()).await.unwrap();
    assert_eq!(same.read_file_buffer(&file).await.unwrap(), b"kept");
    containers.restart().await.unwrap();
    let gone = sandbox.exec(Exec::new("ls").cwd(HOME)).await.unwrap_err();
    assert_eq!(gone.code(), Code::SandboxUnavailable, "{gone}");
    let attached = connector.attach(&id, Options::default()).await;
    let gone = attached.map(drop).unwrap_err();
    assert_eq!(gone.code(), Code::NotFound, "{gone}");
}

#[tokio::test(flavor = "multi_thread")]
async fn variables_reach_those_who_attach_and_are_asked_for_as_secrets() {
    let (_service, containers, connector) = served().await;
    let mut options = Options::default();
    options.env = vec![("KEPT".to_owned(), "a 'b'".to_owned())];
    let sandbox = connector.create(options).await.unwrap();
    let id = sandbox.reference().await.unwrap().provider_data;
    let same = connector.attach(&id, Options::default()).await.unwrap();
    let shown = same
        .exec(Exec::new("echo \"$KEPT\"").cwd(HOME))
        .await
        .unwrap();
    assert_eq!(shown.stdout_text(), "a 'b'\n");
    let asked = &containers.asked()[0];
    let container = &asked["properties"]["containers"][0]["properties"];
    assert_eq!(
        container["environmentVariables"][0]["secureValue"], "a 'b'",
        "{asked}"
    );
    assert_eq!(asked["location"], "westus2");
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_go_both_ways_through_one_terminal() {
    // A terminal has ends of lines, characters that mean something, and what was typed among its output.
    let (_service, containers, connector) = served().await;
    let sandbox = connector.create(Options::default()).await.unwrap();
    let before = containers.opened();
    let all: Vec<u8> = (0..=255).cycle().take(60_000).collect();
    let exec = Exec::new("cat; printf 'e\\n' >&2; exit 3")
        .stdin(&all)
        .cwd(HOME);
    let ran = sandbox.exec(exec).await.unwrap();
    assert!(ran.stdout == all, "{} bytes", ran.stdout.len());
    assert_eq!((&*ran.stderr, ran.exit_code), (&b"e\n"[..], 3));
    assert_eq!(containers.opened() - before, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_asked_for_is_refused_before_anything_is_made() {
    let (service, _, connector) = served().await;
    let mut closed = Options::default();
    closed.network = Some(Network::None);
    let nowhere = Options::default().setting("resource_group", "");
    let mut long = Options::default();
    long.metadata = vec![("tag".to_owned(), "x".repeat(257))]
        .into_iter()
        .collect();
    for (options, code) in [
        (closed, Code::Capability),
        (nowhere, Code::Invalid),
        (long, Code::Limit),
    ] {
        let error = connector.create(options).await.map(drop).unwrap_err();
        assert_eq!(error.code(), code, "{error}");
    }
    assert!(service.seen().is_empty());
}

//! Hosted agents of Azure's Foundry, whose containers are our own server.

use crate::support;
use offshoot::Exec;
use offshoot::backend::{Code, Factory, Network, Options};
use offshoot::lifecycle::{Sandboxes, Store};
use offshoot_connectors::Connector;
use offshoot_providers::azure_foundry::{self, AGENT, Foundry, PROJECT, TOKEN};
use offshoot_providers::service::Service;
use offshoot_server::foundry::{Endpoint, Image};
use std::sync::Arc;
use tokio::net::TcpListener;

const NAME: &str = "azure-foundry";
/// The directory of a sandbox.
const HOME: &str = "/home/user";

async fn served() -> (Service, Arc<Foundry>, Connector) {
    let (service, foundry) = azure_foundry::serve().await.unwrap();
    let endpoint = service.url() + PROJECT;
    let connector = support::connector(NAME, &variables(&endpoint), TOKEN).await;
    (service, foundry, connector)
}

fn variables(endpoint: &str) -> [(&str, &str); 2] {
    [
        ("FOUNDRY_PROJECT_ENDPOINT", endpoint),
        ("FOUNDRY_AGENT_NAME", AGENT),
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
async fn t34_the_token_is_added_by_the_host_and_ends_at_the_service() {
    let (service, foundry, connector) = served().await;
    support::keeps_the_credential_back(connector, &service, TOKEN, |_| true).await;
    let handed = foundry.handed();
    assert!(!handed.is_empty());
    assert!(
        handed.iter().all(|headers| !headers.contains(TOKEN)),
        "{handed:?}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sandbox_at_the_provider_keeps_the_contract() {
    support::live(NAME, "OFFSHOOT_LIVE_AZURE_FOUNDRY").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_service_is_reached_over_tls() {
    let (service, foundry, _) = served().await;
    let (url, certificate) = service.secured().unwrap();
    let endpoint = url + PROJECT;
    let mut variables = variables(&endpoint).to_vec();
    variables.push(("FOUNDRY_TOKEN", TOKEN));
    variables.push(("OFFSHOOT_LIVE_AZURE_FOUNDRY", "1"));
    support::over_tls("azure_foundry", certificate, &variables).await;
    assert!(!foundry.handed().is_empty());
}

/// What `offshoot build` writes is what the client makes a version of the agent with.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_service_is_what_the_client_expects() {
    let (service, foundry, _) = served().await;
    let (url, certificate) = service.secured().unwrap();
    let endpoint = url + PROJECT;
    let image = Image::new(AGENT, "registry.example/boxes:2")
        .vault("API_KEY", "example/key")
        .secret("https://api.example.com Authorization: Bearer $API_KEY");
    let definition = image.definition().unwrap().to_string();
    let mut variables = variables(&endpoint).to_vec();
    variables.push(("DEFINITION", &definition));
    support::client_over_tls("azure_foundry_client.py", certificate, &variables, TOKEN).await;
    assert!(foundry.sessions().is_empty());
    assert!(
        foundry
            .handed()
            .iter()
            .all(|headers| !headers.contains(TOKEN))
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_is_a_sandbox_that_outlives_its_container() {
    let (_service, foundry, connector) = served().await;
    let mut options = Options::default();
    options.env = vec![("KEPT".to_owned(), "a 'b'".to_owned())];
    let sandbox = connector.create(options).await.unwrap();
    let file = format!("{HOME}/file");
    sandbox.write_file(&file, b"kept").await.unwrap();
    let other = connector.create(Options::default()).await.unwrap();
    assert!(!other.exists(&file).await.unwrap());
    let shown = sandbox.exec(Exec::new("echo \"$KEPT\"").cwd(HOME)).await;
    assert_eq!(shown.unwrap().stdout_text(), "a 'b'\n");
    sandbox.suspend().await.unwrap();
    sandbox.resume().await.unwrap();
    assert_eq!(sandbox.read_file_buffer(&file).await.unwrap(), b"kept");
    let id = sandbox.reference().await.unwrap().provider_data;
    let same = connector.attach(&id, Options::default()).await.unwrap();
    assert_eq!(same.read_file_buffer(&file).await.unwrap(), b"kept");
    sandbox.cleanup().await.unwrap();
    assert_eq!(foundry.sessions().len(), 1);
    let gone = same.read_file_buffer(&file).await.unwrap_err();
    assert_eq!(gone.code(), Code::SandboxUnavailable, "{gone}");
    let gone = connector.attach(&id, Options::default()).await;
    assert_eq!(gone.map(drop).unwrap_err().code(), Code::NotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_that_lost_its_disk_is_not_passed_off_as_an_empty_one() {
    let (_service, foundry, connector) = served().await;
    let sandbox = connector.create(Options::default()).await.unwrap();
    let id = sandbox.reference().await.unwrap().provider_data;
    foundry.lose(&id).await.unwrap();
    let lost = sandbox.exec(Exec::new("ls").cwd(HOME)).await.unwrap_err();
    assert_eq!(lost.code(), Code::SandboxUnavailable, "{lost}");
    let attached = connector.attach(&id, Options::default()).await;
    assert_eq!(attached.map(drop).unwrap_err().code(), Code::NotFound);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_asked_for_is_refused_before_anything_is_made() {
    let (service, foundry, connector) = served().await;
    let mut closed = Options::default();
    closed.network = Some(Network::None);
    let nowhere = Options::default().setting("endpoint", "");
    for (options, code) in [(closed, Code::Capability), (nowhere, Code::Invalid)] {
        let error = connector.create(options).await.map(drop).unwrap_err();
        assert_eq!(error.code(), code, "{error}");
    }
    assert!(service.seen().is_empty());
    for options in [
        Options::default().setting("agent", "nobody"),
        Options::default().setting("version", "7"),
    ] {
        let error = connector.create(options).await.map(drop).unwrap_err();
        assert_eq!(error.code(), Code::NotFound, "{error}");
    }
    assert!(foundry.sessions().is_empty());
}

/// Our server and Microsoft's own host of hosted agents answer the same in what Foundry relies on.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_container_has_the_shape_of_microsofts_own() {
    let Some(directory) = support::clients() else {
        return;
    };
    let sandboxes = Sandboxes::open(Store::memory());
    let endpoint = Endpoint::builder(sandboxes).build().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let served = tokio::spawn(endpoint.serve(listener, std::future::pending()));
    let variables = [("CONTAINER", &*url)];
    support::client(&directory, "azure_foundry_container.py", &variables).await;
    served.abort();
}

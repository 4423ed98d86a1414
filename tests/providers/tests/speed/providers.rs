//! Each provider with its service and its client.

use super::{Client, Subject, boxes};
use crate::support;
use offshoot::backend::Options;
use offshoot::lifecycle::{Sandboxes, Store};
use offshoot_connectors::{Connector, daytona, e2b, providers};
use offshoot_providers::{
    azure_containers, azure_foundry, azure_sandboxes, azure_sessions, codesandbox, databricks,
    modal, vercel,
};
use std::any::Any;
use std::path::PathBuf;
use tokio::net::TcpListener;

/// The providers, in the order of the table.
pub(super) const NAMES: [&str; 11] = [
    "azure-containers",
    "azure-foundry",
    "azure-sandboxes",
    "azure-sessions",
    "codesandbox",
    "databricks",
    "databricks-sql",
    "daytona",
    "e2b",
    "modal",
    "vercel",
];

/// A provider; none where its client is not installed.
pub(super) async fn subject(name: &'static str) -> Option<Subject> {
    let sdk = match name {
        "daytona" => std::env::var_os("OFFSHOOT_DAYTONA_SDK"),
        "e2b" => std::env::var_os("OFFSHOOT_E2B_SDK"),
        _ => std::env::var_os("OFFSHOOT_PROVIDER_SDKS"),
    };
    let sdk = PathBuf::from(sdk?);
    let subject = match name {
        "azure-containers" => containers(sdk).await,
        "azure-foundry" => foundry(sdk).await,
        "azure-sandboxes" => sandboxes(sdk).await,
        "azure-sessions" => sessions(sdk).await,
        "codesandbox" => codesandbox(sdk).await,
        "databricks" => clusters(sdk).await,
        "databricks-sql" => statements(sdk).await,
        "daytona" => daytona(sdk).await,
        "e2b" => e2b(sdk).await,
        "modal" => modal(sdk).await,
        _ => vercel(sdk).await,
    };
    Some(Subject { name, ..subject })
}

fn made(
    client: &'static str,
    connector: Connector,
    other: Client,
    service: impl Any + Send,
) -> Subject {
    Subject {
        name: "",
        client,
        connector,
        options: Options::default(),
        script: "true",
        other,
        _service: Box::new(service),
    }
}

/// The same variables with what a client over TLS needs.
fn secured<'a>(
    variables: &[(&'a str, &'a str)],
    certificate: &'a str,
    token: &'a str,
) -> Vec<(&'a str, &'a str)> {
    let trust = [("REQUESTS_CA_BUNDLE", certificate), ("TOKEN", token)];
    [variables, &trust].concat()
}

async fn containers(sdk: PathBuf) -> Subject {
    use azure_containers::{RESOURCES, SUBSCRIPTION, TOKEN};
    let (service, containers) = azure_containers::serve().await.unwrap();
    let variables = |url: &'static str| {
        [
            ("AZURE_MANAGEMENT_URL", url),
            ("AZURE_CONTAINERS_URL", url),
            ("AZURE_SUBSCRIPTION_ID", SUBSCRIPTION),
            ("AZURE_RESOURCE_GROUP", RESOURCES),
            ("AZURE_LOCATION", "westus2"),
        ]
    };
    let (url, certificate) = service.secured().unwrap();
    let certificate = certificate.display().to_string();
    let plain = variables(service.url().leak());
    let connector = support::connector("azure-containers", &plain, TOKEN).await;
    let over_tls = variables(url.leak());
    let over_tls = secured(&over_tls, &certificate, TOKEN);
    let other = Client::start(&sdk, "measure_azure_containers.py", &over_tls);
    let client = "azure-mgmt-containerinstance 10.1.0 (TLS)";
    made(client, connector, other, (service, containers))
}

async fn foundry(sdk: PathBuf) -> Subject {
    use azure_foundry::{AGENT, PROJECT, TOKEN};
    let (service, foundry) = azure_foundry::serve().await.unwrap();
    let variables = |endpoint: &'static str| {
        [
            ("FOUNDRY_PROJECT_ENDPOINT", endpoint),
            ("FOUNDRY_AGENT_NAME", AGENT),
        ]
    };
    let (url, certificate) = service.secured().unwrap();
    let certificate = certificate.display().to_string();
    let plain = variables((service.url() + PROJECT).leak());
    let connector = support::connector("azure-foundry", &plain, TOKEN).await;
    let over_tls = variables((url + PROJECT).leak());
    let over_tls = secured(&over_tls, &certificate, TOKEN);
    let other = Client::start(&sdk, "measure_azure_foundry.py", &over_tls);
    let client = "azure-ai-projects 2.10.0 (TLS)";
    made(client, connector, other, (service, foundry))
}

async fn sandboxes(sdk: PathBuf) -> Subject {
    use azure_sandboxes::{GROUP, RESOURCES, SUBSCRIPTION, TOKEN};
    let (service, sandboxes) = azure_sandboxes::serve().await.unwrap();
    let variables = |url: &'static str| {
        [
            ("AZURE_SANDBOX_ENDPOINT", url),
            ("AZURE_SUBSCRIPTION_ID", SUBSCRIPTION),
            ("AZURE_RESOURCE_GROUP", RESOURCES),
            ("AZURE_SANDBOX_GROUP", GROUP),
        ]
    };
    let (url, certificate) = service.secured().unwrap();
    let certificate = certificate.display().to_string();
    let plain = variables(service.url().leak());
    let connector = support::connector("azure-sandboxes", &plain, TOKEN).await;
    let over_tls = variables(url.leak());
    let over_tls = secured(&over_tls, &certificate, TOKEN);
    let other = Client::start(&sdk, "measure_azure_sandboxes.py", &over_tls);
    let client = "azure-containerapps-sandbox 0.1.0b4 (TLS)";
    made(client, connector, other, (service, sandboxes))
}

async fn sessions(sdk: PathBuf) -> Subject {
    use azure_sessions::TOKEN;
    let (service, sessions) = azure_sessions::serve().await.unwrap();
    let url = service.url();
    let variables = [("AZURE_SESSION_POOL_ENDPOINT", &*url)];
    let connector = support::connector("azure-sessions", &variables, TOKEN).await;
    let variables = [("POOL", &*url), ("TOKEN", TOKEN)];
    let other = Client::start(&sdk, "measure_azure_sessions.py", &variables);
    let client = "langchain-azure-dynamic-sessions 1.0.4";
    made(client, connector, other, (service, sessions))
}

async fn codesandbox(sdk: PathBuf) -> Subject {
    use codesandbox::KEY;
    let (service, machines, sandboxes) = codesandbox::serve().await.unwrap();
    let (api, pint) = (service.url(), machines.url());
    let variables = [("CSB_BASE_URL", &*api), ("CSB_PINT_URL", &*pint)];
    let connector = support::connector("codesandbox", &variables, KEY).await;
    let variables = [("CSB_BASE_URL", &*api), ("CSB_API_KEY", KEY)];
    let other = Client::start(&sdk, "measure_codesandbox.mjs", &variables);
    let client = "@codesandbox/sdk 2.4.2";
    made(client, connector, other, (service, machines, sandboxes))
}

async fn clusters(sdk: PathBuf) -> Subject {
    use databricks::{CLUSTER, TOKEN};
    let (service, workspace) = databricks::serve().await.unwrap();
    let (url, directory) = (service.url(), workspace.directory());
    let mut variables = vec![
        ("DATABRICKS_HOST", &*url),
        ("DATABRICKS_CLUSTER_ID", CLUSTER),
        ("DATABRICKS_DIRECTORY", &*directory),
    ];
    let connector = support::connector("databricks", &variables, TOKEN).await;
    variables.push(("DATABRICKS_TOKEN", TOKEN));
    let other = Client::start(&sdk, "measure_databricks.py", &variables);
    made(
        "databricks-sdk 0.162.0",
        connector,
        other,
        (service, workspace),
    )
}

async fn statements(sdk: PathBuf) -> Subject {
    use databricks::{TOKEN, WAREHOUSE};
    let (service, workspace) = databricks::serve().await.unwrap();
    let url = service.url();
    let mut variables = vec![
        ("DATABRICKS_HOST", &*url),
        ("DATABRICKS_WAREHOUSE_ID", WAREHOUSE),
        ("DATABRICKS_CATALOG", "main"),
    ];
    let connector = support::connector("databricks-sql", &variables, TOKEN).await;
    variables.push(("DATABRICKS_TOKEN", TOKEN));
    let other = Client::start(&sdk, "measure_databricks_sql.py", &variables);
    let subject = made(
        "databricks-sdk 0.162.0",
        connector,
        other,
        (service, workspace),
    );
    Subject {
        script: "SELECT 1",
        ..subject
    }
}

async fn daytona(sdk: PathBuf) -> Subject {
    let served = boxes::service::serve();
    let api = format!("{}/api", served.url());
    let service = daytona::Service {
        api: Some(api.clone()),
        key: Some(boxes::service::KEY.to_owned()),
        ..daytona::Service::default()
    };
    let engine = offshoot::engine().unwrap();
    let connector = daytona::connector(engine, &service).await.unwrap();
    let variables = [
        ("DAYTONA_API_URL", &*api),
        ("DAYTONA_API_KEY", boxes::service::KEY),
    ];
    let other = Client::start(&sdk, "measure_daytona.py", &variables);
    made("daytona 0.226.1", connector, other, served)
}

async fn e2b(sdk: PathBuf) -> Subject {
    const KEY: &str = "e2b_0123456789012345678901234567890123456789";
    let sandboxes = Sandboxes::open(Store::memory());
    let endpoint = offshoot_server::e2b::Endpoint::builder(sandboxes, KEY);
    let endpoint = endpoint.open().await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let (ends, ended) = tokio::sync::oneshot::channel::<()>();
    tokio::spawn(endpoint.serve(listener, async move {
        let _ = ended.await;
    }));
    let service = e2b::Service {
        domain: None,
        api: Some(url.clone()),
        sandbox: Some(url.clone()),
        key: Some(KEY.to_owned()),
    };
    let engine = offshoot::engine().unwrap();
    let connector = e2b::connector(engine, &service).await.unwrap();
    let variables = [
        ("E2B_API_URL", &*url),
        ("E2B_SANDBOX_URL", &*url),
        ("E2B_API_KEY", KEY),
    ];
    let other = Client::start(&sdk, "measure_e2b.py", &variables);
    let subject = made("e2b 2.63.0", connector, other, ends);
    Subject {
        options: Options::default().setting("memory", false),
        ..subject
    }
}

async fn modal(sdk: PathBuf) -> Subject {
    let (service, modal) = modal::serve().await.unwrap();
    let url = service.url();
    let set = |name: &str| name.ends_with("_URL").then(|| url.clone());
    let mut manifest = providers::manifest_with("modal", &set).unwrap();
    for credential in &mut manifest.credentials {
        credential.value = Some(match credential.env.as_str() {
            "MODAL_TOKEN_ID" => modal::TOKEN_ID.to_owned(),
            _ => modal::TOKEN_SECRET.to_owned(),
        });
    }
    // Who runs commands there is not root, as at Modal.
    let home = modal::HOME.into();
    manifest.settings.insert("directory".to_owned(), home);
    let engine = offshoot::engine().unwrap();
    let connector = providers::connector(engine, "modal", &manifest).await;
    let connector = connector.unwrap();
    let variables = [
        ("MODAL_SERVER_URL", &*url),
        ("MODAL_TOKEN_ID", modal::TOKEN_ID),
        ("MODAL_TOKEN_SECRET", modal::TOKEN_SECRET),
        ("MODAL_CONFIG_PATH", "/nonexistent/modal.toml"),
    ];
    let other = Client::start(&sdk, "measure_modal.py", &variables);
    made("modal 1.6.4", connector, other, (service, modal))
}

async fn vercel(sdk: PathBuf) -> Subject {
    use vercel::{PROJECT, TEAM, TOKEN};
    let (service, vercel) = vercel::serve().await.unwrap();
    let url = service.url();
    let mut variables = vec![
        ("VERCEL_SANDBOX_API_URL", &*url),
        ("VERCEL_TEAM_ID", TEAM),
        ("VERCEL_PROJECT_ID", PROJECT),
    ];
    let connector = support::connector("vercel", &variables, TOKEN).await;
    variables.push(("VERCEL_TOKEN", TOKEN));
    let other = Client::start(&sdk, "measure_vercel.py", &variables);
    made("vercel-sandbox 0.10.0", connector, other, (service, vercel))
}

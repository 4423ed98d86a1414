//! The Daytona connector against a service of Daytona's shape; and Daytona's own client against the same
//! service, so that the shape is right.
//!
//! `tests/daytona/install DIRECTORY` installs the client once, and `OFFSHOOT_DAYTONA_SDK` names the
//! directory. Without it the client's test says so and does nothing.

#![allow(
    clippy::unwrap_used,
    dead_code,
    reason = "a test fails by panicking; the service is shared"
)]

#[path = "../../../connectors/tests/components/service.rs"]
mod http;
mod multipart;
mod service;

use offshoot::backend::{Code, Factory, Options, conformance};
use offshoot_connectors::Connector;
use offshoot_connectors::daytona::{self, Service};
use service::KEY;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use tokio::process::Command;

async fn connector(url: &str) -> Connector {
    let service = Service {
        api: Some(format!("{url}/api")),
        key: Some(KEY.to_owned()),
        ..Service::default()
    };
    let engine = offshoot::engine().unwrap();
    daytona::connector(engine, &service).await.unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_connector_for_daytona_passes_the_suite() {
    let served = service::serve();
    let connector = connector(&served.url()).await;
    let subject = conformance::Made::new(Arc::new(connector), Options::default());
    let only = std::env::var("OFFSHOOT_LIVE_ONLY").unwrap_or_default();
    let wanted = |area: &str, name: &str| only.is_empty() || only == area || only == name;
    let report = conformance::run_only(&subject, &wanted).await;
    assert!(report.passed(), "{}", report.table());
}

#[tokio::test(flavor = "multi_thread")]
async fn t34_the_key_is_added_by_the_host() {
    let served = service::serve();
    let connector = connector(&served.url()).await;
    let sandbox = connector.create(Options::default()).await.unwrap();
    let reference = sandbox.reference().await.unwrap();
    let mut told = vec![reference.to_string(), format!("{connector:?} {sandbox:?}")];
    let exec = offshoot::Exec::new("env; cat /proc/self/environ").cwd(sandbox.cwd());
    told.push(sandbox.exec(exec).await.unwrap().stdout_text().into_owned());
    for error in [
        sandbox.read_file_buffer("/no/such").await.map(drop),
        connector
            .attach("no-such", Options::default())
            .await
            .map(drop),
    ] {
        let error = error.unwrap_err();
        assert_eq!(error.code(), Code::NotFound, "{error}");
        told.push(format!("{error} {error:?}"));
    }
    sandbox.cleanup().await.unwrap();
    assert!(told.iter().all(|text| !text.contains(KEY)));
    // All requests had it, and none had it twice.
    let heads = served.heads();
    assert!(heads.len() > 5);
    for head in heads {
        assert_eq!(head.matches(KEY).count(), 1, "{head}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_directory_is_found_and_made() {
    let served = service::serve();
    let connector = connector(&served.url()).await;
    let mut options = Options::default();
    options.cwd = Some("in side".to_owned());
    options.env = vec![("KEPT".to_owned(), "a b".to_owned())];
    let sandbox = connector.create(options).await.unwrap();
    assert!(sandbox.cwd().ends_with("/in side"), "{}", sandbox.cwd());
    let id = sandbox.reference().await.unwrap().provider_data;
    sandbox.suspend().await.unwrap();
    // What sleeps is woken by who reaches it.
    let second = connector.attach(&id, Options::default()).await.unwrap();
    let exec = offshoot::Exec::new("pwd; echo \"$KEPT\"").cwd(sandbox.cwd());
    let shown = second.exec(exec).await.unwrap();
    assert_eq!(shown.stdout_text(), format!("{}\na b\n", sandbox.cwd()));
    sandbox.cleanup().await.unwrap();
}

/// Where the client is, if it is.
fn installed() -> Option<PathBuf> {
    let directory = std::env::var_os("OFFSHOOT_DAYTONA_SDK").map(PathBuf::from);
    if directory.is_none() {
        eprintln!(
            "skipped: run host/cli/tests/daytona/install DIRECTORY and set OFFSHOOT_DAYTONA_SDK to it"
        );
    }
    directory
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_service_is_what_daytonas_client_expects() {
    let Some(sdk) = installed() else { return };
    let served = service::serve();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/daytona/client.py");
    let output = Command::new(sdk.join("python/bin/python"))
        .arg(script)
        .current_dir(&sdk)
        .env("DAYTONA_API_KEY", KEY)
        .env("DAYTONA_API_URL", format!("{}/api", served.url()))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{out}\n{err}");
}

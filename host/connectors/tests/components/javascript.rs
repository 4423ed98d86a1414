//! A connector in JavaScript, by the five classic steps.
//!
//! `guest-tools/connectors/javascript/build DIRECTORY` makes the component, and
//! `OFFSHOOT_JAVASCRIPT_CONNECTOR` names its file. Without it this test says so and does nothing.

use crate::{boxes, engine};
use offshoot_backend::{Factory, Options, conformance};
use offshoot_connectors::Connector;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_connector_in_javascript_passes_the_classic_steps() {
    let Some(file) = std::env::var_os("OFFSHOOT_JAVASCRIPT_CONNECTOR") else {
        eprintln!("skipped: build it and set OFFSHOOT_JAVASCRIPT_CONNECTOR to its file");
        return;
    };
    let (_service, manifest) = boxes::serve();
    let wasm = std::fs::read(file).unwrap();
    let connector = Connector::load(engine(), "boxes", &wasm, &manifest);
    let made = connector.await.unwrap().create(Options::default()).await;
    let environment = made.unwrap();
    let report = conformance::classic(environment.clone()).await;
    environment.cleanup().await.unwrap();
    assert!(report.passed(), "{}", report.table());
}

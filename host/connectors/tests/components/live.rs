//! The E2B connector against a service: E2B's own, or `offshoot serve --e2b`.
//!
//! With `OFFSHOOT_LIVE_E2B` set to `memory` (a service that keeps what runs) or `files`, the suite
//! runs against the service that E2B's variables name (`E2B_API_KEY`, `E2B_DOMAIN` or
//! `E2B_API_URL` and `E2B_SANDBOX_URL`). Without it this test says so and does nothing.

use crate::engine;
use offshoot_backend::{Options, conformance};
use offshoot_connectors::e2b::{self, Service};
use std::sync::Arc;

#[tokio::test(flavor = "multi_thread")]
async fn e2b_keeps_the_contract() {
    let Ok(kind) = std::env::var("OFFSHOOT_LIVE_E2B") else {
        eprintln!("skipped: set OFFSHOOT_LIVE_E2B and E2B's variables to run it");
        return;
    };
    let service = Service::from_environment();
    let connector = e2b::connector(engine(), &service);
    let options = Options::default().setting("memory", kind == "memory");
    let only = std::env::var("OFFSHOOT_LIVE_ONLY").unwrap_or_default();
    let subject = conformance::Made::new(Arc::new(connector.await.unwrap()), options);
    let wanted = |area: &str, name: &str| only.is_empty() || only == area || only == name;
    let report = conformance::run_only(&subject, &wanted).await;
    println!("{}", report.table());
    assert!(report.passed());
}

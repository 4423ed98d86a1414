//! Every backend of this crate passes the public suite, and the suite finds broken ones.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use offshoot_backend::conformance::{self, Made};
use offshoot_backend::{Factory, Options};
use offshoot_backends::empty::Empty;
use offshoot_backends::local::LocalFactory;
use std::sync::Arc;

async fn passes(factory: Arc<dyn Factory>) {
    let report = conformance::run(&Made::new(factory, Options::default())).await;
    assert!(report.passed(), "\n{}", report.table());
}

#[tokio::test(flavor = "multi_thread")]
async fn empty() {
    passes(Arc::new(Empty)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn local() {
    passes(Arc::new(LocalFactory::default())).await;
}

//! The virtual backend meets the contract of all backends.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use offshoot::backend::conformance::{self, Made};
use offshoot::backend::{
    Code, Factory, NAME, Options, Selection, Snapshot, VirtualFactory, registry,
};
use std::sync::Arc;

/// Options with this working directory and these variables.
fn options(cwd: Option<&str>, env: &[(&str, &str)]) -> Options {
    let mut options = Options::default();
    options.cwd = cwd.map(str::to_owned);
    let owned = |(name, value): &(&str, &str)| (name.to_string(), value.to_string());
    options.env = env.iter().map(owned).collect();
    options
}

#[tokio::test(flavor = "multi_thread")]
async fn the_virtual_backend_passes_the_suite() {
    let factory = Arc::new(VirtualFactory::default());
    let report = conformance::run(&Made::new(factory, Options::default())).await;
    assert!(report.passed(), "\n{}", report.table());
}

#[tokio::test]
async fn settings_are_honoured_or_refused() {
    let registry = registry().unwrap();
    let seeded = options(Some("/data/in"), &[("A", "1")]).setting("seed", 7);
    let sandbox = registry.open(Selection::Default, seeded).await.unwrap();
    let script = "echo $A $PWD $(date +%F)".into();
    let shown = sandbox.exec(script).await.unwrap();
    assert_eq!(shown.stdout_text(), "1 /data/in 2024-01-01\n");

    let outside = options(Some("../.."), &[]);
    for (options, code) in [
        (Options::default().setting("image", "x"), Code::Invalid),
        (outside, Code::PathEscape),
    ] {
        let error = registry.open(NAME, options).await.unwrap_err();
        assert_eq!((error.code(), error.backend()), (code, Some(NAME)));
    }
}

#[tokio::test]
async fn a_snapshot_starts_with_its_settings_or_others() {
    let factory = VirtualFactory::default();
    let origin = factory.create(options(None, &[("A", "1")])).await.unwrap();
    let first = origin.snapshot(Some("first")).await.unwrap();
    let second = origin.snapshot(None).await.unwrap();
    assert_eq!(second.parent.as_deref(), Some(&*first.id));
    let others = options(Some("below"), &[("A", "2")]);
    for (options, expected) in [
        (Options::default(), "1 /home/user\n"),
        (others, "2 /home/user/below\n"),
    ] {
        let started = factory.start(&first, options).await.unwrap();
        let shown = started.exec("echo $A $PWD".into()).await.unwrap();
        assert_eq!(shown.stdout_text(), expected);
    }
    let foreign = Snapshot::new("local", &*first.id);
    let error = origin.restore(&foreign).await.unwrap_err();
    assert_eq!(error.code(), Code::Invalid);
}

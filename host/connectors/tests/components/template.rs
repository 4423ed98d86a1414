//! The template's connector against its made-up service; and the guide, whose code is the template's.

use crate::{boxes, engine};
use offshoot_backend::{Options, conformance};
use offshoot_connectors::{Connector, Manifest};
use std::path::Path;
use std::sync::Arc;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_template_keeps_the_contract() {
    let (_service, manifest) = boxes::serve();
    let wasm = std::fs::read(env!("TEMPLATE_WASM")).unwrap();
    let connector = Connector::load(engine(), "boxes", &wasm, &manifest);
    let subject = conformance::Made::new(Arc::new(connector.await.unwrap()), Options::default());
    let wanted = |area: &str, name: &str| {
        let left_out = name.contains("lasts as long") || name.contains("200 KiB");
        area == "classic" || area == "exec" && !left_out
    };
    let report = conformance::run_only(&subject, &wanted).await;
    assert!(report.passed(), "{}", report.table());
}

#[test]
fn the_guide_shows_the_template() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |path: &str| std::fs::read_to_string(root.join(path)).unwrap();
    let guide = read("docs/connectors.md");
    let template = read("guest-tools/connectors/template/src/lib.rs");
    let mut shown = 0;
    for part in guide.split("```rust\n").skip(1) {
        let code = part.split("```").next().unwrap();
        assert!(template.contains(code), "not in the template:\n{code}");
        shown += 1;
    }
    assert!(shown >= 3, "{shown} parts of the template are shown");
    let manifest = guide.split("```json\n").nth(1).unwrap();
    let manifest = manifest.split("```").next().unwrap();
    let read: Manifest = serde_json::from_str(manifest).unwrap();
    assert_eq!((read.hosts.len(), read.tokens.len()), (2, 1));
}

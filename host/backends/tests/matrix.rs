//! The page of capabilities is what the code says.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use offshoot_backend::Registry;
use std::path::Path;

#[test]
fn the_page_of_capabilities_is_true() {
    let registry = Registry::strict();
    offshoot_backends::register(&registry).unwrap();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/capabilities.md");
    let page = std::fs::read_to_string(page).unwrap();
    let table = offshoot_backend::matrix(&registry);
    assert!(
        page.ends_with(&table),
        "docs/capabilities.md must end with this table:\n{table}"
    );
}

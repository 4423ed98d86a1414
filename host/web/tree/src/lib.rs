//! The filesystem of the JavaScript host.
//!
//! One instance of this component holds the trees of all sandboxes of a host, as the crate
//! `offshoot-vfs` has them, so that a fork is a pointer copy there too. `wit/trees.wit` is its
//! interface. Nothing in it is reachable by guests: they see what the host makes of it.

mod commit;
mod convert;
mod file;
mod snapshot;
mod source;
mod tree;

/// What the WIT says, as Rust.
#[allow(
    missing_docs,
    unsafe_code,
    unnameable_types,
    clippy::all,
    clippy::allow_attributes_without_reason,
    reason = "generated"
)]
mod bindings {
    wit_bindgen::generate!({
        path: ["../../../wit", "wit"],
        world: "offshoot:web/host-trees",
        generate_all,
    });
}

struct Component;

impl bindings::exports::offshoot::web::trees::Guest for Component {
    type File = file::OpenFile;
    type Tree = tree::LiveTree;
}

// A native linker has no such names.
#[cfg(target_arch = "wasm32")]
#[allow(unsafe_code, reason = "generated: what the component exports")]
mod export {
    use super::{Component, bindings};
    bindings::export!(Component with_types_in bindings);
}

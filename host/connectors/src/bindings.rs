//! What `wit/backend.wit` says, as Rust.

#![allow(missing_docs, unnameable_types, reason = "generated")]

wasmtime::component::bindgen!({
    inline: "
        package offshoot:connectors;
        world provider {
            export offshoot:sandbox/backend@0.1.0;
        }
    ",
    path: "../../wit",
    world: "offshoot:connectors/provider",
    exports: { default: async },
});

pub(crate) use exports::offshoot::sandbox::backend as wit;
pub(crate) use offshoot::sandbox::types::Timestamp;

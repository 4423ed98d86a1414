//! What `wit/backend.wit` says, as Rust.

#![allow(missing_docs, unnameable_types, reason = "generated")]

wasmtime::component::bindgen!({
    inline: "
        package offshoot:connectors;
        world provider {
            import offshoot:sandbox/websocket@0.1.0;
            export offshoot:sandbox/backend@0.1.0;
        }
    ",
    path: "../../wit",
    world: "offshoot:connectors/provider",
    imports: { default: async | trappable },
    exports: { default: async },
    with: { "offshoot:sandbox/websocket.connection": crate::websocket::Connection },
});

pub(crate) use exports::offshoot::sandbox::backend as wit;
pub(crate) use offshoot::sandbox::types::Timestamp;
pub(crate) use offshoot::sandbox::websocket;

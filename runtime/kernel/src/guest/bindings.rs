//! What `wit/` says, as Rust.

#![allow(missing_docs, unnameable_types, reason = "generated")]

wasmtime::component::bindgen!({
    inline: "
        package offshoot:kernel;
        world command {
            import wasi:cli/environment@0.2.12;
            import wasi:cli/exit@0.2.12;
            import wasi:cli/stdin@0.2.12;
            import wasi:cli/stdout@0.2.12;
            import wasi:cli/stderr@0.2.12;
            import wasi:cli/terminal-input@0.2.12;
            import wasi:cli/terminal-output@0.2.12;
            import wasi:cli/terminal-stdin@0.2.12;
            import wasi:cli/terminal-stdout@0.2.12;
            import wasi:cli/terminal-stderr@0.2.12;
            import wasi:clocks/monotonic-clock@0.2.12;
            import wasi:clocks/wall-clock@0.2.12;
            import wasi:filesystem/types@0.2.12;
            import wasi:filesystem/preopens@0.2.12;
            import wasi:random/random@0.2.12;
            import wasi:random/insecure@0.2.12;
            import wasi:random/insecure-seed@0.2.12;
            import wasi:sockets/network@0.2.12;
            import wasi:sockets/instance-network@0.2.12;
            import wasi:sockets/ip-name-lookup@0.2.12;
            import wasi:sockets/tcp@0.2.12;
            import wasi:sockets/tcp-create-socket@0.2.12;
            import wasi:sockets/udp@0.2.12;
            import wasi:sockets/udp-create-socket@0.2.12;
            import offshoot:sandbox/vfs@0.1.0;
            import offshoot:sandbox/process@0.1.0;
            export wasi:cli/run@0.2.12;
        }
    ",
    path: "wit",
    world: "offshoot:kernel/command",
    imports: {
        "wasi:filesystem/types.[method]descriptor.open-at": async | trappable,
        "wasi:filesystem/types.[method]descriptor.read": async | trappable,
        "wasi:filesystem/types.[method]descriptor.write": async | trappable,
        "offshoot:sandbox/process.wait": async | trappable,
        default: trappable,
    },
    exports: { default: async },
    trappable_error_type: {
        "wasi:filesystem/types.error-code" => crate::guest::Failure,
        "wasi:sockets/network.error-code" => crate::guest::sockets::SocketFailure,
        "offshoot:sandbox/types.errno" => crate::guest::Failure,
    },
    with: {
        "wasi:io": wasmtime_wasi_io::bindings::wasi::io,
        "wasi:filesystem/types.descriptor": crate::guest::filesystem::Descriptor,
        "wasi:filesystem/types.directory-entry-stream": crate::guest::filesystem::Entries,
        "wasi:sockets/network.network": crate::guest::sockets::Network,
        "wasi:sockets/ip-name-lookup.resolve-address-stream": crate::guest::sockets::Addresses,
        "wasi:sockets/tcp.tcp-socket": crate::guest::sockets::TcpSocket,
        "wasi:sockets/udp.udp-socket": crate::guest::sockets::UdpSocket,
        "wasi:sockets/udp.incoming-datagram-stream": crate::guest::sockets::Incoming,
        "wasi:sockets/udp.outgoing-datagram-stream": crate::guest::sockets::Outgoing,
        "wasi:cli/terminal-input.terminal-input": crate::guest::cli::TerminalInput,
        "wasi:cli/terminal-output.terminal-output": crate::guest::cli::TerminalOutput,
    },
});

/// The shell, whose imports are among those above.
pub(crate) mod shell {
    wasmtime::component::bindgen!({
        path: "wit",
        world: "shell-guest",
        exports: { default: async },
        with: {
            "wasi:clocks": super::wasi::clocks,
            "wasi:io": wasmtime_wasi_io::bindings::wasi::io,
            "wasi:random": super::wasi::random,
            "offshoot:sandbox/types": super::offshoot::sandbox::types,
            "offshoot:sandbox/vfs": super::offshoot::sandbox::vfs,
            "offshoot:sandbox/process": super::offshoot::sandbox::process,
        },
    });
}

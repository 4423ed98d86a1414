//! Builds the connectors: E2B's, which is part of the crate and compiled ahead of time, and those that
//! the tests load from files, which take seconds.

use offshoot_guest_build::{Guest, build, watch_sources};
use std::error::Error;
use std::fs;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    watch_sources()?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let wasm = build(&Guest::library("offshoot-connector-e2b", &[]))?;
    let artifact = out.join("e2b.cwasm");
    let code = offshoot_kernel::Engine::precompile(&fs::read(wasm)?)?;
    fs::write(&artifact, code)?;
    let table = format!(
        "/// The connector for E2B, as machine code.\n\
         static E2B: &[u8] = include_bytes!({artifact:?});\n"
    );
    fs::write(out.join("guests.rs"), table)?;
    for (package, variable) in [
        ("offshoot-connector-template", "TEMPLATE_WASM"),
        ("offshoot-connector-broken", "BROKEN_WASM"),
    ] {
        let wasm = build(&Guest::library(package, &[]))?;
        println!("cargo::rustc-env={variable}={}", wasm.display());
    }
    Ok(())
}

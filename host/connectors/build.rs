//! Builds the connectors: those of the crate, which are compiled ahead of time, and those that the
//! tests load from files, which take seconds.

use offshoot_guest_build::{Guest, build, compiled};
use offshoot_kernel::Engine;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

/// Connectors that need no more than their manifest, in order of their names.
const PROVIDERS: [&str; 10] = [
    "azure-containers",
    "azure-foundry",
    "azure-sandboxes",
    "azure-sessions",
    "cloudflare",
    "codesandbox",
    "databricks",
    "databricks-sql",
    "modal",
    "vercel",
];

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let mut table = String::new();
    for (name, constant, service) in [("e2b", "E2B", "E2B"), ("daytona", "DAYTONA", "Daytona")] {
        let wasm = build(&Guest::library(&format!("offshoot-connector-{name}"), &[]))?;
        let artifact = compiled(&wasm, Engine::fingerprint(), |bytes| {
            Ok::<_, Box<dyn Error>>(Engine::precompile(bytes)?)
        })?;
        writeln!(
            table,
            "/// The connector for {service}, as machine code.\n\
             pub(crate) static {constant}: &[u8] = include_bytes!({artifact:?});"
        )?;
    }
    let connectors = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?)
        .join("../../guest-tools/connectors")
        .canonicalize()?;
    let mut providers = String::new();
    for name in PROVIDERS {
        let wasm = build(&Guest::library(&format!("offshoot-connector-{name}"), &[]))?;
        let artifact = out.join(format!("{name}.cwasm"));
        let code = offshoot_kernel::Engine::precompile(&fs::read(wasm)?)?;
        fs::write(&artifact, code)?;
        let manifest = connectors.join(name).join("manifest.json");
        println!("cargo::rerun-if-changed={}", manifest.display());
        write!(
            providers,
            "crate::providers::Built {{ name: {name:?}, manifest: include_str!({manifest:?}), \
             code: include_bytes!({artifact:?}) }},"
        )?;
    }
    writeln!(
        table,
        "/// The connectors that need no more than their manifest.\n\
         pub(crate) static PROVIDERS: &[crate::providers::Built] = &[{providers}];"
    )?;
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

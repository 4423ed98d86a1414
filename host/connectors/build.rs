//! Builds the connectors: those of the crate, which are compiled ahead of time, and those that the
//! tests load from files, which take seconds.

use offshoot_guest_build::{Guest, build_all, compiled};
use offshoot_kernel::Engine;
use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

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

/// The connectors that are types of their own: name, constant and service.
const OWN: [(&str, &str, &str); 2] = [("e2b", "E2B", "E2B"), ("daytona", "DAYTONA", "Daytona")];

/// Those that tests load from files, and the variables with their paths.
const TESTED: [(&str, &str); 2] = [("template", "TEMPLATE_WASM"), ("broken", "BROKEN_WASM")];

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(std::env::var("OUT_DIR")?);
    let names = OWN.iter().map(|(name, _, _)| *name);
    let names = names
        .chain(PROVIDERS)
        .chain(TESTED.iter().map(|(name, _)| *name));
    let guests: Vec<Guest> = names
        .map(|name| Guest::library(&format!("offshoot-connector-{name}"), &[]))
        .collect();
    let components = build_all(&guests)?;
    let (own, others) = components.split_at(OWN.len());
    let (providers, tested) = others.split_at(PROVIDERS.len());

    let mut table = String::new();
    for ((_, constant, service), wasm) in OWN.iter().zip(own) {
        let artifact = code(wasm)?;
        writeln!(
            table,
            "/// The connector for {service}, as machine code.\n\
             pub(crate) static {constant}: &[u8] = include_bytes!({artifact:?});"
        )?;
    }
    let connectors = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR")?)
        .join("../../guest-tools/connectors")
        .canonicalize()?;
    let mut built = String::new();
    for (name, wasm) in PROVIDERS.iter().zip(providers) {
        let artifact = code(wasm)?;
        let manifest = connectors.join(name).join("manifest.json");
        println!("cargo::rerun-if-changed={}", manifest.display());
        write!(
            built,
            "crate::providers::Built {{ name: {name:?}, manifest: include_str!({manifest:?}), \
             code: include_bytes!({artifact:?}) }},"
        )?;
    }
    writeln!(
        table,
        "/// The connectors that need no more than their manifest.\n\
         pub(crate) static PROVIDERS: &[crate::providers::Built] = &[{built}];"
    )?;
    fs::write(out.join("guests.rs"), table)?;
    for ((_, variable), wasm) in TESTED.iter().zip(tested) {
        println!("cargo::rustc-env={variable}={}", wasm.display());
    }
    Ok(())
}

/// The path of a connector's machine code.
fn code(wasm: &Path) -> Result<PathBuf, Box<dyn Error>> {
    compiled(wasm, Engine::fingerprint(), |bytes| {
        Ok(Engine::precompile(bytes)?)
    })
}

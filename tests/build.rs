//! Builds the single-component sandbox that one of the tests drives.

use offshoot_guest_build::{Guest, build};

fn main() -> Result<(), offshoot_guest_build::Error> {
    let component = build(&Guest::library("offshoot-shell", &["sandbox", "commands"]))?;
    println!("cargo::rustc-env=SANDBOX_WASM={}", component.display());
    Ok(())
}

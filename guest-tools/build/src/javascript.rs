//! The engine of JavaScript as a component: a workspace of its own, since it pins crates that others here need newer.

use std::path::PathBuf;

use crate::{Error, Guest, TARGET, cargo, replace_if_changed, sources, target_directory, variable};

/// Builds `node`, and has Cargo watch what it is made of. Where this crate came from a registry there is none, and
/// Cargo prints a line that says so.
///
/// # Errors
/// As [`crate::build`].
pub fn javascript() -> Result<Option<PathBuf>, Error> {
    if crate::prebuilt::folder().is_some() {
        println!(
            "cargo::warning=node is left out of the sandbox: only a build of the whole repository makes it"
        );
        return Ok(None);
    }
    crate::ensure_target()?;
    let out = PathBuf::from(variable("OUT_DIR")?);
    let target = target_directory(&out).join("guest/javascript");
    let root = crate::workspace_root()?.join("guest-tools/javascript");
    let guest = Guest::program("offshoot-javascript", &[]);
    let mut command = cargo(&target, "release")?;
    command.current_dir(&root).arg("--locked");
    crate::build_in(command, std::slice::from_ref(&guest))?;
    let built = target.join(TARGET).join("release");
    sources::watch(
        &root,
        &["Cargo.toml", "Cargo.lock"],
        &built,
        std::slice::from_ref(&guest),
    )?;
    let copy = out.join(&guest.file);
    replace_if_changed(&built.join(&guest.file), &copy)?;
    Ok(Some(copy))
}

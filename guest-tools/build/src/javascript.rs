//! The engine of JavaScript as a component: a workspace of its own, since it pins crates that others here need newer.

#[cfg(feature = "embed")]
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use crate::{Error, Guest, TARGET, cargo, engine, profile, sources, target_directory, variable};
#[cfg(feature = "embed")]
use crate::{artifact, prepared};

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
    let profile = profile(&variable("PROFILE")?);
    let engine = engine::changed(&root, &target)?;
    let mut command = cargo(&target, profile)?;
    command.current_dir(&root).arg("--locked");
    command.args(["--config", &format!("paths=[{engine:?}]")]);
    crate::build_in(command, std::slice::from_ref(&guest))?;
    let built = target.join(TARGET).join(profile);
    sources::watch(
        &root,
        &["Cargo.toml", "Cargo.lock", engine::DIFF],
        &built,
        std::slice::from_ref(&guest),
    )?;
    finished(&built.join(&guest.file), &out).map(Some)
}

/// The component as it is embedded: with the memory of an engine that has run Node's own parts.
#[cfg(feature = "embed")]
fn finished(wasm: &Path, _: &Path) -> Result<PathBuf, Error> {
    let mut hasher = DefaultHasher::new();
    include_str!("prepared.rs").hash(&mut hasher);
    artifact::made(
        wasm,
        ("prepared", "wasm"),
        hasher.finish(),
        prepared::prepared,
    )
}

/// The component as it was built: it runs Node's own parts at each start.
#[cfg(not(feature = "embed"))]
fn finished(wasm: &Path, out: &Path) -> Result<PathBuf, Error> {
    let copy = out.join(wasm.file_name().unwrap_or_default());
    crate::replace_if_changed(wasm, &copy)?;
    Ok(copy)
}

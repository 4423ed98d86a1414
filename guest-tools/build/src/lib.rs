//! The guests for build scripts: built for `wasm32-wasip2` in the workspace, prebuilt where this crate came
//! from a registry.
//!
//! In the workspace a bare machine needs nothing but the Rust toolchain: the missing target is added through rustup.
//! Guests live in a target directory of their own below the outer one, so that the two Cargos
//! never wait for each other's lock, and Cargo's own freshness check keeps unchanged guests. Debug
//! builds take the profile `guest-dev`, which is built again in seconds, all others `guest`.
//!
//! ```no_run
//! let shell = offshoot_guest_build::Guest::library("offshoot-shell", &["component"]);
//! let wasm = offshoot_guest_build::build(&shell)?;
//! println!("{} bytes", std::fs::read(wasm)?.len());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod artifact;
mod engine;
mod javascript;
mod prebuilt;
#[cfg(feature = "embed")]
mod prepared;
mod python;
mod sources;

pub use artifact::compiled;
pub use javascript::javascript;
#[cfg(feature = "prebuild")]
pub use prebuilt::prebuild;
pub use prebuilt::{base, commands, pack, packed, standard, unpack};
pub use python::python;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// The target that guests are built for.
pub const TARGET: &str = "wasm32-wasip2";

/// Why a guest could not be built.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The target's standard library is missing and could not be added.
    #[error(
        "the guests need Rust's {TARGET} target, which `rustup target add {TARGET}` could not add \
         ({reason}): install it for this toolchain and build again"
    )]
    Target {
        /// What rustup said.
        reason: String,
    },
    /// Cargo could not build the package.
    #[error("building {package} for {TARGET} failed; Cargo's messages are above")]
    Build {
        /// The packages that were built together.
        package: String,
    },
    /// The engine of JavaScript could not be changed.
    #[error("changing the engine of JavaScript failed: {0}")]
    Engine(String),
    /// CPython could not be made into a component.
    #[error("making python3 failed: {0}")]
    Python(String),
    /// A guest could not be made to begin where its preparation ended.
    #[error("preparing a guest failed: {0}")]
    Prepare(String),
    /// Not called from a build script.
    #[error("{0} is not set: this runs in build scripts only")]
    Environment(&'static str),
    /// Asked for where there is no workspace, and not among what is prebuilt.
    #[error("{0} is not prebuilt: only a build of the whole repository has it")]
    Prebuilt(String),
    /// A file could not be read or copied.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What happened.
        source: std::io::Error,
    },
}

impl Error {
    /// What becomes of an error of the file `path`.
    fn file(path: &Path) -> impl FnOnce(std::io::Error) -> Error {
        let path = path.to_path_buf();
        move |source| Error::File { path, source }
    }

    /// A stable code for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Error::Target { .. } => "TARGET",
            Error::Build { .. } => "BUILD",
            Error::Engine(_) => "ENGINE",
            Error::Python(_) => "PYTHON",
            Error::Prepare(_) => "PREPARE",
            Error::Environment(_) => "ENVIRONMENT",
            Error::Prebuilt(_) => "PREBUILT",
            Error::File { .. } => "FILE",
        }
    }
}

/// A guest to build.
#[derive(Debug, Clone)]
pub struct Guest {
    package: String,
    features: Vec<String>,
    file: String,
}

impl Guest {
    /// A package whose library is the component.
    pub fn library(package: &str, features: &[&str]) -> Guest {
        Guest::new(package, features, package.replace('-', "_"))
    }

    /// A package whose binary of the same name is the component.
    pub fn program(package: &str, features: &[&str]) -> Guest {
        Guest::new(package, features, package.to_owned())
    }

    fn new(package: &str, features: &[&str], stem: String) -> Guest {
        Guest {
            package: package.to_owned(),
            features: features
                .iter()
                .map(|feature| (*feature).to_owned())
                .collect(),
            file: format!("{stem}.wasm"),
        }
    }
}

/// Builds `guests` side by side in the profile for guests that goes with the outer one, has Cargo watch what
/// they are made of, and returns the paths of the components: copies that later builds of the same package
/// with other features leave alone. A feature that one of them asks for is on in all that have it.
///
/// # Errors
/// [`Error::Target`] where the target is missing and cannot be added, [`Error::Build`] where Cargo
/// fails, [`Error::Environment`] outside a build script, [`Error::Prebuilt`] where it is none of those that
/// the packaged crate has.
pub fn build_all(guests: &[Guest]) -> Result<Vec<PathBuf>, Error> {
    if let Some(folder) = prebuilt::folder() {
        return prebuilt::unpack_all(&folder, guests);
    }
    ensure_target()?;
    let out = PathBuf::from(variable("OUT_DIR")?);
    let target = target_directory(&out).join("guest");
    let profile = profile(&variable("PROFILE")?);
    build_in(cargo(&target, profile)?, guests)?;
    let built = target.join(TARGET).join(profile);
    let shared = ["Cargo.toml", "Cargo.lock", "wit"];
    sources::watch(&workspace_root()?, &shared, &built, guests)?;
    let copies = guests.iter().map(|guest| {
        let copy = out.join(format!("{}-{}", guest.features.join("-"), guest.file));
        replace_if_changed(&built.join(&guest.file), &copy)?;
        Ok(copy)
    });
    copies.collect()
}

/// Runs Cargo for `guests`.
fn build_in(mut command: Command, guests: &[Guest]) -> Result<(), Error> {
    for guest in guests {
        command.args(["--package", &guest.package]);
        // Not `PACKAGE/FEATURE`: where a package depends on itself for its tests, that names the dependency's.
        for feature in &guest.features {
            command.args(["--features", feature]);
        }
    }
    if command.status().is_ok_and(|status| status.success()) {
        return Ok(());
    }
    let packages: Vec<&str> = guests.iter().map(|guest| guest.package.as_str()).collect();
    Err(Error::Build {
        package: packages.join(", "),
    })
}

/// [`build_all`] of one guest.
///
/// # Errors
/// Those of [`build_all`].
pub fn build(guest: &Guest) -> Result<PathBuf, Error> {
    build_all(std::slice::from_ref(guest)).map(|mut built| built.remove(0))
}

/// The folder of the workspace's `Cargo.toml`.
///
/// # Errors
/// [`Error::Environment`] outside a build script.
pub fn workspace_root() -> Result<PathBuf, Error> {
    let mut folder = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    while !folder.join("Cargo.lock").exists() {
        if !folder.pop() {
            return Err(Error::Environment("a workspace with a Cargo.lock"));
        }
    }
    Ok(folder)
}

/// Adds the target's standard library through rustup where the compiler does not have it.
fn ensure_target() -> Result<(), Error> {
    // A build script makes several kinds of guests at once, and rustup is not made to be run twice at a time.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(PoisonError::into_inner);
    if has_target() {
        return Ok(());
    }
    let added = Command::new("rustup")
        .args(["target", "add", TARGET])
        .output();
    let reason = match added {
        Ok(output) if output.status.success() => return Ok(()),
        Ok(output) => {
            let said = String::from_utf8_lossy(&output.stderr);
            let mut lines = said.lines();
            let line = lines.find(|line| line.starts_with("error:"));
            line.unwrap_or(said.trim()).to_owned()
        }
        Err(error) => error.to_string(),
    };
    // Another build may be adding it.
    for _ in 0..PATIENCE {
        if has_target() {
            return Ok(());
        }
        std::thread::sleep(Duration::from_secs(1));
    }
    Err(Error::Target { reason })
}

/// Seconds that another build's rustup is waited for.
const PATIENCE: u32 = 10;

/// Whether the compiler has the target's standard library.
fn has_target() -> bool {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let library = Command::new(rustc)
        .args(["--print", "target-libdir", "--target", TARGET])
        .output()
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok());
    library.is_some_and(|path| Path::new(path.trim()).is_dir())
}

/// The profile for guests of an outer build in `profile`, as Cargo names it to build scripts.
fn profile(profile: &str) -> &'static str {
    match profile {
        "debug" => "guest-dev",
        _ => "guest",
    }
}

/// A Cargo that does not inherit what the outer one set for host code.
fn cargo(target: &Path, profile: &str) -> Result<Command, Error> {
    let mut command = Command::new(variable("CARGO")?);
    command.current_dir(workspace_root()?);
    for name in [
        "CARGO_ENCODED_RUSTFLAGS",
        "RUSTFLAGS",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTC",
        // The outer Cargo's jobs: scripts that wait for the guests' target directory hold them, and one would be left.
        "CARGO_MAKEFLAGS",
        "MAKEFLAGS",
    ] {
        command.env_remove(name);
    }
    command.args([
        "build",
        "--quiet",
        "--profile",
        profile,
        "--target",
        TARGET,
        "--target-dir",
    ]);
    command.arg(target);
    Ok(command)
}

/// Finds `target` in `target/PROFILE/build/PACKAGE-HASH/out`.
fn target_directory(out: &Path) -> PathBuf {
    let mut folders = out
        .ancestors()
        .skip_while(|folder| !folder.ends_with("build"));
    folders.nth(2).unwrap_or(out).to_path_buf()
}

/// Copies `from` over `to` unless they are equal, so that what depends on `to` stays fresh.
fn replace_if_changed(from: &Path, to: &Path) -> Result<(), Error> {
    let new = std::fs::read(from).map_err(Error::file(from))?;
    if std::fs::read(to).is_ok_and(|old| old == new) {
        return Ok(());
    }
    std::fs::write(to, new).map_err(Error::file(to))
}

fn variable(name: &'static str) -> Result<String, Error> {
    std::env::var(name).map_err(|_| Error::Environment(name))
}

//! A directory of components as the backends of a project.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use offshoot_backend::{Code, Error, Registry, Result};
use offshoot_kernel::Engine;

use crate::connector::Connector;

/// The components of a directory: each `NAME.wasm` in it, in order of their names.
///
/// # Errors
/// `NOT_FOUND` where there is no such directory.
pub fn files(directory: &Path) -> Result<Vec<PathBuf>> {
    let failed = |error: std::io::Error| {
        let message = format!("{}: {error}", directory.display());
        Error::new(Code::NotFound, "load", message)
    };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "wasm")
        {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Registers all components of a directory, each under the name of its file and with the
/// [`Manifest`](crate::Manifest) beside it.
///
/// # Errors
/// As [`Connector::open`] for any of them, `CONFLICT` for a name that is taken.
pub async fn register(registry: &Registry, engine: &Engine, directory: &Path) -> Result<()> {
    for file in files(directory)? {
        registry.register(Arc::new(Connector::open(engine, &file).await?))?;
    }
    Ok(())
}

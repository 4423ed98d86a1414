//! Connectors that are part of this crate and need no more than their manifest, which lies beside the
//! component's source as `manifest.json`.

use std::sync::Arc;

use offshoot_backend::{Code, Error, Registry, Result};
use offshoot_kernel::{Artifact, Engine};

use crate::connector::Connector;
use crate::guests::PROVIDERS;
use crate::manifest::{Manifest, variable};

/// A connector as the build made it.
pub(crate) struct Built {
    pub(crate) name: &'static str,
    pub(crate) manifest: &'static str,
    pub(crate) code: &'static [u8],
}

/// The names of these connectors, in order.
///
/// ```
/// assert!(offshoot_connectors::providers::names().any(|name| name == "vercel"));
/// ```
pub fn names() -> impl Iterator<Item = &'static str> {
    PROVIDERS.iter().map(|built| built.name)
}

/// What a connector may do, with the variables of this process in place.
///
/// # Errors
/// `NOT_FOUND` for a name that is none of [`names`].
pub fn manifest(name: &str) -> Result<Manifest> {
    manifest_with(name, &variable)
}

/// As [`manifest()`], with variables that the caller gives; a credential is still taken from the process.
///
/// # Errors
/// As [`manifest()`].
pub fn manifest_with(name: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<Manifest> {
    let invalid = |error: serde_json::Error| Error::new(Code::Invalid, "load", error.to_string());
    let value = serde_json::from_str(built(name)?.manifest).map_err(invalid)?;
    Manifest::expanded(value, variable).map_err(invalid)
}

/// The connector of a name.
///
/// # Errors
/// `NOT_FOUND` for a name that is none of [`names`], `INVALID` for a manifest without a meaning. A
/// credential that is missing is told when a sandbox is made.
pub async fn connector(engine: &Engine, name: &str, manifest: &Manifest) -> Result<Connector> {
    let artifact = Artifact::trusted(built(name)?.code);
    Connector::precompiled(engine, name, artifact, manifest).await
}

/// Registers all of them, each with its own manifest.
///
/// # Errors
/// As [`connector`], `CONFLICT` for a name that is taken.
pub async fn register(registry: &Registry, engine: &Engine) -> Result<()> {
    for name in names() {
        let connector = connector(engine, name, &manifest(name)?).await?;
        registry.register(Arc::new(connector))?;
    }
    Ok(())
}

fn built(name: &str) -> Result<&'static Built> {
    let found = PROVIDERS.iter().find(|built| built.name == name);
    found.ok_or_else(|| Error::new(Code::NotFound, "load", format!("no connector {name}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_manifest_has_a_meaning() {
        for name in names() {
            let manifest = manifest_with(name, &|_| None).unwrap();
            assert!(!manifest.hosts.is_empty() && !manifest.credentials.is_empty());
            let (_, missing) = manifest.policy().unwrap();
            assert!(missing.len() <= manifest.credentials.len());
            assert!(manifest.credentials.iter().all(|one| !one.env.is_empty()));
        }
        assert_eq!(manifest("nobody").unwrap_err().code(), Code::NotFound);
    }
}

//! Which backend it shall be.

use offshoot::backend::{self, Code, Error, Factory, Registry, Result};
use offshoot_connectors::{Connector, Manifest};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// A backend by name, with what it needs.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Choice {
    /// One of [`names`], or the path of a connector's component, which ends with `.wasm`.
    pub name: String,
    /// The backend's own settings, which each sandbox is made with.
    pub settings: Map<String, Value>,
    /// A connector's credentials and addresses, by the variables that its documentation names. What is not
    /// here is taken from this process.
    pub variables: HashMap<String, String>,
    /// What a component may do, in place of the file beside it.
    pub manifest: Option<Value>,
}

impl std::fmt::Debug for Choice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Choice")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// The names of all backends of this build, in order.
///
/// # Errors
/// None in practice: no two backends have one name.
pub fn names() -> Result<Vec<String>> {
    let mut names = native()?.list();
    names.extend(offshoot_connectors::names().into_iter().map(str::to_owned));
    names.sort_unstable();
    Ok(names)
}

/// The backends that are no connectors.
fn native() -> Result<Registry> {
    let registry = backend::registry()?.without_default();
    #[cfg(unix)]
    offshoot_backends::register(&registry)?;
    Ok(registry)
}

impl Choice {
    /// Reads a choice as a package sends it.
    ///
    /// # Errors
    /// `INVALID` for what is none.
    pub fn from_json(text: &str) -> Result<Choice> {
        serde_json::from_str(text).map_err(|error| invalid(error.to_string()))
    }

    /// The factory that is meant.
    pub(crate) async fn factory(&self) -> Result<Arc<dyn Factory>> {
        if self.name.ends_with(".wasm") {
            return Ok(Arc::new(self.component().await?));
        }
        if self.manifest.is_some() {
            return Err(invalid(format!(
                "{}: only a component's path has a manifest",
                self.name
            )));
        }
        if offshoot_connectors::names().contains(&self.name.as_str()) {
            let found = offshoot_connectors::find(offshoot::engine()?, &self.name, &self.variables);
            return Ok(Arc::new(found.await?));
        }
        let native = native()?;
        if !native.list().contains(&self.name) {
            let message = format!(
                "no backend {}; there are: {}, and connectors by the path of their component",
                self.name,
                names()?.join(", ")
            );
            return Err(Error::new(Code::NotFound, "load", message));
        }
        if !self.variables.is_empty() {
            return Err(invalid(format!(
                "{}: only a connector reads variables",
                self.name
            )));
        }
        native.factory(&self.name)
    }

    /// The connector of a file, with its manifest.
    async fn component(&self) -> Result<Connector> {
        let file = Path::new(&self.name);
        let read = |path: &Path| {
            std::fs::read(path).map_err(|error| {
                let message = format!("{}: {error}", path.display());
                Error::new(Code::NotFound, "load", message)
            })
        };
        let beside = file.with_extension("json");
        let manifest = match &self.manifest {
            Some(manifest) => manifest.clone(),
            None => serde_json::from_slice(&read(&beside)?)
                .map_err(|error| invalid(format!("{}: {error}", beside.display())))?,
        };
        let variable = |name: &str| {
            let own = || std::env::var(name).ok().filter(|value| !value.is_empty());
            self.variables.get(name).cloned().or_else(own)
        };
        let mut manifest = Manifest::expanded(manifest, &variable)
            .map_err(|error| invalid(format!("the manifest: {error}")))?;
        for credential in &mut manifest.credentials {
            credential.value = variable(&credential.env);
        }
        let name = file.file_stem().and_then(|name| name.to_str());
        let wasm = read(file)?;
        Connector::load(
            offshoot::engine()?,
            name.unwrap_or_default(),
            &wasm,
            &manifest,
        )
        .await
    }
}

fn invalid(message: impl Into<String>) -> Error {
    Error::new(Code::Invalid, "load", message)
}

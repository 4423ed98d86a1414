//! The connectors that are part of this crate, by name.

use std::collections::HashMap;

use offshoot_backend::Result;
use offshoot_kernel::Engine;

use crate::connector::Connector;
use crate::manifest::variable;
use crate::{daytona, e2b, providers};

/// The names of all connectors of this crate, in order.
///
/// ```
/// let names = offshoot_connectors::names();
/// assert!(names.contains(&"e2b") && names.is_sorted());
/// ```
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<_> = providers::names().collect();
    names.extend([daytona::NAME, e2b::NAME]);
    names.sort_unstable();
    names
}

/// The connector of a name, for the service and with the credentials that variables name: those of
/// `variables`, else those of this process.
///
/// # Errors
/// `NOT_FOUND` for a name that is none of [`names`], `INVALID` for addresses that are none. A credential
/// that is missing is told when a sandbox is made.
pub async fn find(
    engine: &Engine,
    name: &str,
    variables: &HashMap<String, String>,
) -> Result<Connector> {
    let value = |name: &str| variables.get(name).cloned().or_else(|| variable(name));
    match name {
        e2b::NAME => e2b::connector(engine, &e2b::Service::from_variables(&value)).await,
        daytona::NAME => {
            daytona::connector(engine, &daytona::Service::from_variables(&value)).await
        }
        _ => {
            let mut manifest = providers::manifest_with(name, &value)?;
            for credential in &mut manifest.credentials {
                credential.value = value(&credential.env);
            }
            providers::connector(engine, name, &manifest).await
        }
    }
}

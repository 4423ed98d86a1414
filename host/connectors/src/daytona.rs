//! The connector for Daytona, compiled into this crate.

use offshoot_backend::Result;
use offshoot_kernel::{Artifact, Engine};
use serde_json::{Map, Value};

use crate::connector::Connector;
use crate::guests;
use crate::manifest::{Credential, Manifest, variable};

/// The name that it is selected by.
pub const NAME: &str = "daytona";

/// The variable that holds the API key.
const KEY: &str = "DAYTONA_API_KEY";
/// Daytona's own control plane.
const API: &str = "https://app.daytona.io/api";
/// Where Daytona's own sandboxes answer.
const TOOLBOX: &str = "https://*.app.daytona.io";

/// Where a Daytona service is; the default is Daytona's own.
///
/// ```
/// use offshoot_connectors::daytona::Service;
/// let service = Service {
///     api: Some("https://daytona.example.com/api".into()),
///     toolbox: Some("https://proxy.example.com".into()),
///     ..Service::default()
/// };
/// assert_eq!(service.manifest().hosts.len(), 2);
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Service {
    /// The control plane's address; `https://app.daytona.io/api` by default.
    pub api: Option<String>,
    /// The origin that sandboxes answer at, which may begin with `*.`. The service tells an address for
    /// each sandbox, and the key goes to none but this. By default Daytona's own, and with another
    /// control plane the control plane's.
    pub toolbox: Option<String>,
    /// The API key; the variable `DAYTONA_API_KEY` by default.
    pub key: Option<String>,
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service")
            .field("api", &self.api)
            .field("toolbox", &self.toolbox)
            .finish_non_exhaustive()
    }
}

impl Service {
    /// What the environment says: `DAYTONA_API_URL` and `DAYTONA_API_KEY`, which Daytona's own clients
    /// read too, and `DAYTONA_TOOLBOX_URL`.
    pub fn from_environment() -> Service {
        Service {
            key: None,
            ..Service::from_variables(&variable)
        }
    }

    /// The same with variables that the caller gives.
    pub fn from_variables(variable: &dyn Fn(&str) -> Option<String>) -> Service {
        Service {
            api: variable("DAYTONA_API_URL"),
            toolbox: variable("DAYTONA_TOOLBOX_URL"),
            key: variable(KEY),
        }
    }

    /// What the connector may do: the API key goes to the control plane and to where sandboxes answer,
    /// since both want it.
    pub fn manifest(&self) -> Manifest {
        let api = self.api.as_deref().unwrap_or(API).trim_end_matches('/');
        let toolbox = match (&self.toolbox, &self.api) {
            (Some(toolbox), _) => toolbox,
            (None, None) => TOOLBOX,
            (None, Some(_)) => origin(api),
        };
        let mut settings = Map::new();
        settings.insert("api".to_owned(), Value::from(api));
        let hosts = vec![api.to_owned(), toolbox.to_owned()];
        let credentials = hosts.iter().map(|host| Credential {
            origin: host.clone(),
            header: "Authorization".to_owned(),
            env: KEY.to_owned(),
            prefix: "Bearer ".to_owned(),
            value: self.key.clone(),
        });
        Manifest {
            credentials: credentials.collect(),
            hosts,
            settings,
            ..Manifest::default()
        }
    }
}

/// A URL without its path.
fn origin(url: &str) -> &str {
    let begin = url.find("://").map_or(0, |at| at + 3);
    let path = url[begin..].find('/');
    path.map_or(url, |at| &url[..begin + at])
}

/// The connector for a service.
///
/// # Errors
/// `INVALID` for addresses that are none. A key that is missing is told when a sandbox is made.
pub async fn connector(engine: &Engine, service: &Service) -> Result<Connector> {
    let artifact = Artifact::trusted(guests::DAYTONA);
    Connector::precompiled(engine, NAME, artifact, &service.manifest()).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_goes_where_the_operator_said() {
        let service = |api: Option<&str>, toolbox: Option<&str>| Service {
            api: api.map(str::to_owned),
            toolbox: toolbox.map(str::to_owned),
            key: None,
        };
        let own = "https://own.example/api";
        for (service, expected) in [
            (service(None, None), [API, TOOLBOX]),
            (service(Some(own), None), [own, "https://own.example"]),
            (
                service(Some("http://127.0.0.1:1"), None),
                ["http://127.0.0.1:1"; 2],
            ),
            (
                service(Some(own), Some("https://*.own.example")),
                [own, "https://*.own.example"],
            ),
        ] {
            let manifest = service.manifest();
            let origins: Vec<&str> = manifest
                .credentials
                .iter()
                .map(|credential| credential.origin.as_str())
                .collect();
            assert_eq!(manifest.hosts, expected);
            assert_eq!(origins, expected);
        }
    }
}

//! The connector for E2B, compiled into this crate.

use offshoot_backend::Result;
use offshoot_kernel::{Artifact, Engine};
use serde_json::{Map, Value};

use crate::connector::Connector;
use crate::guests;
use crate::manifest::{Credential, Manifest, Token, variable};

/// The name that it is selected by.
pub const NAME: &str = "e2b";

/// The variable that holds the API key.
const KEY: &str = "E2B_API_KEY";

/// The paths of the control plane. Where one address serves everything, they tell it from the
/// sandboxes, which shall not see the key.
const CONTROL: [&str; 3] = ["/sandboxes", "/templates", "/v2/sandboxes"];

/// Where an E2B service is; the default is E2B's own.
///
/// ```
/// use offshoot_connectors::e2b::Service;
/// // What `offshoot serve --e2b` serves.
/// let service = Service {
///     api: Some("http://127.0.0.1:3000".into()),
///     sandbox: Some("http://127.0.0.1:3000".into()),
///     ..Service::default()
/// };
/// assert_eq!(service.manifest().hosts.len(), 2);
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Service {
    /// Its domain; `e2b.app` by default.
    pub domain: Option<String>,
    /// The control plane's address, where it is not `https://api.DOMAIN`.
    pub api: Option<String>,
    /// Where sandboxes answer, where that does not follow from the domain.
    pub sandbox: Option<String>,
    /// The API key; the variable `E2B_API_KEY` by default.
    pub key: Option<String>,
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service")
            .field("domain", &self.domain)
            .field("api", &self.api)
            .field("sandbox", &self.sandbox)
            .finish_non_exhaustive()
    }
}

impl Service {
    /// What E2B's own clients read from the environment: `E2B_DOMAIN`, `E2B_API_URL`,
    /// `E2B_SANDBOX_URL`, `E2B_API_KEY`.
    pub fn from_environment() -> Service {
        Service {
            key: None,
            ..Service::from_variables(&variable)
        }
    }

    /// The same with variables that the caller gives.
    pub fn from_variables(variable: &dyn Fn(&str) -> Option<String>) -> Service {
        Service {
            domain: variable("E2B_DOMAIN"),
            api: variable("E2B_API_URL"),
            sandbox: variable("E2B_SANDBOX_URL"),
            key: variable(KEY),
        }
    }

    /// What the connector may do: the API key goes to the control plane alone, and the token of a
    /// sandbox to where sandboxes answer.
    pub fn manifest(&self) -> Manifest {
        let domain = self.domain.as_deref().unwrap_or("e2b.app");
        let api = self.api.clone().unwrap_or(format!("https://api.{domain}"));
        let sandbox = self
            .sandbox
            .clone()
            .unwrap_or(format!("https://*.{domain}"));
        let mut settings = Map::new();
        for (name, value) in [
            ("domain", &self.domain),
            ("api", &self.api),
            ("sandbox", &self.sandbox),
        ] {
            if let Some(value) = value {
                settings.insert(name.to_owned(), Value::from(value.as_str()));
            }
        }
        let at = |path: &str| format!("{}{path}", api.trim_end_matches('/'));
        Manifest {
            hosts: vec![api.clone(), sandbox.clone()],
            credentials: CONTROL
                .map(|path| Credential {
                    origin: at(path),
                    header: "X-API-Key".to_owned(),
                    env: KEY.to_owned(),
                    prefix: String::new(),
                    value: self.key.clone(),
                })
                .to_vec(),
            tokens: CONTROL
                .map(|path| Token {
                    field: "envdAccessToken".to_owned(),
                    origin: at(path),
                    used: sandbox.clone(),
                })
                .to_vec(),
            settings,
            ..Manifest::default()
        }
    }
}

/// The connector for a service.
///
/// # Errors
/// `INVALID` for addresses that are none. A key that is missing is told when a sandbox is made.
pub async fn connector(engine: &Engine, service: &Service) -> Result<Connector> {
    let artifact = Artifact::trusted(guests::E2B);
    Connector::precompiled(engine, NAME, artifact, &service.manifest()).await
}

//! What a sandbox may ask the network for.

use std::net::IpAddr;
use std::time::Duration;

use http::Method;
use url::Url;

use crate::address;
use crate::error::{Error, Result};
use crate::gateway::Gateway;
use crate::origin::{self, Pattern};
use crate::secret::Secret;

/// One origin that may be asked, with which methods.
///
/// A rule is an origin with an optional path prefix: `https://api.example.com`,
/// `https://*.example.com:8443`, `https://host.example/v1/`, `http://127.0.0.1:8080`, `https://*`.
/// `GET` and `HEAD` are allowed unless [`Rule::methods`] says otherwise.
///
/// ```
/// use offshoot_network::Rule;
/// # fn main() -> offshoot_network::Result<()> {
/// let rule = Rule::new("https://api.example.com/v1/")?.methods(["GET", "POST"])?;
/// # let _ = rule; Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct Rule {
    pattern: Pattern,
    methods: Vec<Method>,
    internal: bool,
}

impl Rule {
    /// Allows `GET` and `HEAD` below `origin`.
    ///
    /// # Errors
    /// `INVALID` where the text is no such origin.
    pub fn new(origin: &str) -> Result<Rule> {
        let pattern = Pattern::parse(origin)?;
        let internal = pattern.is_deliberately_internal();
        Ok(Rule {
            pattern,
            methods: vec![Method::GET, Method::HEAD],
            internal,
        })
    }

    /// Reads `[METHOD,…] ORIGIN`, as a command line gives it: `GET,POST https://api.example.com`.
    ///
    /// # Errors
    /// `INVALID` where the text is no such rule.
    pub fn parse(text: &str) -> Result<Rule> {
        match text.trim().rsplit_once(char::is_whitespace) {
            Some((methods, origin)) => {
                let methods = methods.split(',').map(str::trim);
                Rule::new(origin)?.methods(methods.filter(|method| !method.is_empty()))
            }
            None => Rule::new(text.trim()),
        }
    }

    /// Allows these methods and no others.
    ///
    /// # Errors
    /// `INVALID` for what is no method.
    pub fn methods<'a>(mut self, methods: impl IntoIterator<Item = &'a str>) -> Result<Rule> {
        self.methods = methods
            .into_iter()
            .map(|method| {
                Method::from_bytes(method.as_bytes())
                    .map_err(|_| Error::invalid(method, "it is no method"))
            })
            .collect::<Result<_>>()?;
        Ok(self)
    }

    /// Lets the origin's name lead into the host's own networks: loopback, private and link-local
    /// addresses. An address that a rule names itself, or `localhost`, needs no such permission.
    #[must_use]
    pub fn internal(mut self) -> Rule {
        self.internal = true;
        self
    }

    /// Whether it is about this request.
    pub(crate) fn covers(&self, method: &Method, url: &Url) -> bool {
        self.pattern.matches(url) && self.methods.contains(method)
    }
}

/// How much one request may cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Bytes of a request's body; 16 MiB.
    pub request_bytes: u64,
    /// Bytes of an answer's body; 64 MiB.
    pub response_bytes: u64,
    /// From the first attempt to connect to the last byte; 60 s.
    pub time: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            request_bytes: 16 << 20,
            response_bytes: 64 << 20,
            time: Duration::from_secs(60),
        }
    }
}

/// What may be asked, what the host adds to it, and how much it may cost. The default allows nothing.
///
/// ```
/// use offshoot_network::{Policy, Rule, Secret};
/// # fn main() -> offshoot_network::Result<()> {
/// let policy = Policy::default()
///     .allow(Rule::new("https://api.example.com")?)
///     .secret(Secret::header("https://api.example.com", "authorization", "Bearer s3cr3t")?);
/// assert!(policy.check("GET", "https://api.example.com/items").is_ok());
/// assert!(policy.check("POST", "https://api.example.com/items").is_err());
/// assert!(policy.check("GET", "https://169.254.169.254/").is_err());
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct Policy {
    /// Every layer must allow a request.
    layers: Vec<Vec<Rule>>,
    secrets: Vec<Secret>,
    limits: Limits,
    roots: Vec<Vec<u8>>,
    gateway: Option<Gateway>,
}

impl Default for Policy {
    fn default() -> Policy {
        Policy {
            layers: vec![Vec::new()],
            secrets: Vec::new(),
            limits: Limits::default(),
            roots: Vec::new(),
            gateway: None,
        }
    }
}

impl Policy {
    /// Adds a rule; a request needs one that allows it.
    #[must_use]
    pub fn allow(mut self, rule: Rule) -> Policy {
        if let Some(layer) = self.layers.last_mut() {
            layer.push(rule);
        }
        self
    }

    /// Adds a credential.
    #[must_use]
    pub fn secret(mut self, secret: Secret) -> Policy {
        self.secrets.push(secret);
        self
    }

    /// Sets what one request may cost.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Policy {
        self.limits = limits;
        self
    }

    /// Trusts one more root certificate (DER), beside those of the host.
    #[must_use]
    pub fn root_certificate(mut self, der: impl Into<Vec<u8>>) -> Policy {
        self.roots.push(der.into());
        self
    }

    /// Has what this policy allows leave by another process, which judges it once more and adds the secrets.
    #[must_use]
    pub fn gateway(mut self, gateway: Gateway) -> Policy {
        self.gateway = Some(gateway);
        self
    }

    /// What both policies allow, at the lower cost. The secrets stay those of this one.
    #[must_use]
    pub fn narrowed(mut self, other: &Policy) -> Policy {
        self.layers.extend(other.layers.iter().cloned());
        self.limits = Limits {
            request_bytes: self.limits.request_bytes.min(other.limits.request_bytes),
            response_bytes: self.limits.response_bytes.min(other.limits.response_bytes),
            time: self.limits.time.min(other.limits.time),
        };
        self
    }

    /// Whether a request may be made as far as its URL tells. A name's addresses are judged when it
    /// is resolved, and the address that was judged is the one that is dialled.
    ///
    /// # Errors
    /// `INVALID` for no HTTP URL, `POLICY_DENIED` where no rule allows it.
    pub fn check(&self, method: &str, url: &str) -> Result<()> {
        let method = Method::from_bytes(method.as_bytes())
            .map_err(|_| Error::invalid(method, "it is no method"))?;
        self.allows(&method, &origin::http_url(url)?)
    }

    /// Whether it allows nothing at all.
    pub fn is_closed(&self) -> bool {
        self.layers.iter().any(Vec::is_empty)
    }

    pub(crate) fn allows(&self, method: &Method, url: &Url) -> Result<()> {
        let internal = origin::is_internal_literal(url);
        let allowed = self.layers.iter().all(|layer| {
            let mut rules = layer.iter();
            rules.any(|rule| rule.covers(method, url) && (rule.internal || !internal))
        });
        if allowed {
            return Ok(());
        }
        Err(Error::Denied {
            method: method.to_string(),
            origin: origin::origin(url),
        })
    }

    /// Whether a host of this name may be reached at this address.
    pub(crate) fn may_dial(&self, name: &str, address: IpAddr) -> bool {
        address::is_public(address)
            || self.layers.iter().all(|layer| {
                let mut rules = layer.iter();
                rules.any(|rule| rule.internal && rule.pattern.can_mean(name))
            })
    }

    pub(crate) fn secrets_for(&self, url: &Url) -> impl Iterator<Item = &Secret> {
        self.secrets.iter().filter(|secret| secret.is_for(url))
    }

    pub(crate) fn way_out(&self) -> Option<&Gateway> {
        self.gateway.as_ref()
    }

    pub(crate) fn roots(&self) -> &[Vec<u8>] {
        &self.roots
    }

    /// What one request may cost.
    pub fn request_limits(&self) -> Limits {
        self.limits
    }
}

//! Rules that only take away from what a policy allows.

use http::Method;
use url::{Host, Url};

use crate::error::{Error, Result};
use crate::origin::{self, Hosts};
use crate::policy::Rule;

/// What may be asked at most, in layers that each only narrow. Beside a [`Policy`](crate::Policy),
/// which says what may be asked at all: credentials, limits and the judgement of addresses are its.
///
/// ```
/// use offshoot_network::Narrowing;
/// # fn main() -> offshoot_network::Result<()> {
/// let narrowing = Narrowing::default()
///     .allow(["GET,POST https://*.example.com"])?
///     .deny(["internal.example.com"])?;
/// assert!(narrowing.permits("POST", "https://api.example.com/items"));
/// assert!(!narrowing.permits("DELETE", "https://api.example.com/items"));
/// assert!(!narrowing.permits("GET", "https://internal.example.com/"));
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, Default)]
pub struct Narrowing {
    layers: Vec<Vec<Rule>>,
    denied: Vec<Hosts>,
}

impl Narrowing {
    /// Adds a layer: a request needs one of its rules, each as [`Rule::parse`] reads it.
    ///
    /// # Errors
    /// `INVALID` where a text is no rule.
    pub fn allow<T: AsRef<str>>(mut self, rules: impl IntoIterator<Item = T>) -> Result<Narrowing> {
        let rules = rules.into_iter().map(|text| Rule::parse(text.as_ref()));
        self.layers.push(rules.collect::<Result<_>>()?);
        Ok(self)
    }

    /// Denies hosts, whatever the scheme, port and method: `host.example`, `*.example` for all below.
    /// A host is known by how the URL names it, so this is no defence against names that somebody
    /// else gives it.
    ///
    /// # Errors
    /// `INVALID` where a text is no host.
    pub fn deny<T: AsRef<str>>(mut self, hosts: impl IntoIterator<Item = T>) -> Result<Narrowing> {
        for host in hosts {
            let host = host.as_ref();
            if host.contains(['/', '@', '?', '#']) {
                return Err(Error::invalid(host, "it is no host"));
            }
            self.denied.push(Hosts::parse(&format!("https://{host}"))?);
        }
        Ok(self)
    }

    /// Whether every layer permits this request.
    pub fn permits(&self, method: &str, url: &str) -> bool {
        let (Ok(method), Ok(url)) = (Method::from_bytes(method.as_bytes()), origin::http_url(url))
        else {
            return false;
        };
        let mut layers = self.layers.iter();
        layers.all(|layer| layer.iter().any(|rule| rule.covers(&method, &url))) && !self.denies(url)
    }

    fn denies(&self, mut url: Url) -> bool {
        // The same host, to a resolver.
        let plain = match url.host() {
            Some(Host::Domain(name)) => name.strip_suffix('.').map(str::to_owned),
            _ => None,
        };
        if plain.is_some_and(|plain| url.set_host(Some(&plain)).is_err()) {
            return true;
        }
        self.denied.iter().any(|hosts| hosts.matches(&url))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_only_take_away() {
        let narrowing = Narrowing::default()
            .allow(["GET,POST https://*.a.com", "http://b.com:8080/v1"])
            .and_then(|one| one.allow(["GET,DELETE https://x.a.com", "http://b.com:8080"]))
            .and_then(|two| two.deny(["*.secret.a.com", "b.com"]))
            .unwrap();
        for (method, url, permitted) in [
            ("GET", "https://x.a.com/", true),
            ("POST", "https://x.a.com/", false),
            ("DELETE", "https://x.a.com/", false),
            ("GET", "https://y.a.com/", false),
            ("GET", "https://x.a.com:444/", false),
            ("GET", "http://b.com:8080/v1/x", false),
            ("GET", "not a url", false),
            ("G T", "https://x.a.com/", false),
        ] {
            assert_eq!(narrowing.permits(method, url), permitted, "{method} {url}");
        }
        let denied = Narrowing::default()
            .deny(["a.com", "*.b.com", "127.0.0.1"])
            .unwrap();
        for (url, permitted) in [
            ("https://a.com/", false),
            ("http://A.com.:8080/", false),
            ("https://x.a.com/", true),
            ("https://b.com/", true),
            ("https://x.b.com./", false),
            ("http://2130706433/", false),
        ] {
            assert_eq!(denied.permits("PUT", url), permitted, "{url}");
        }
        let nothing = Narrowing::default().allow::<&str>([]).unwrap();
        assert!(!nothing.permits("GET", "https://a.com/"));
        assert!(Narrowing::default().permits("GET", "https://a.com/"));
        for host in ["", "a.com/x", "u@a.com", "a*.com", "a b"] {
            assert!(Narrowing::default().deny([host]).is_err(), "{host}");
        }
    }
}

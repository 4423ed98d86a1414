//! Patterns for origins, and URLs that were parsed once for everything that follows.

use std::net::IpAddr;

use url::{Host, Url};

use crate::address;
use crate::error::{Error, Result};

/// Scheme, hosts, port and a path prefix: `https://api.example.com`, `https://*.example.com:8443`,
/// `https://host.example/v1/`, `http://127.0.0.1:8080`, `https://*`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pattern {
    scheme: String,
    hosts: Hosts,
    port: u16,
    path: String,
}

/// The hosts that a pattern means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Hosts {
    Any,
    /// What stands before it is a name with its dot: `.example.com`.
    Below(String),
    Exactly(Host),
}

impl Pattern {
    /// Reads a pattern with the parser that reads the URLs of requests.
    pub(crate) fn parse(text: &str) -> Result<Pattern> {
        let url = http_url(text)?;
        if url.query().is_some() {
            return Err(Error::invalid(text, "a rule has no query"));
        }
        Ok(Pattern {
            scheme: url.scheme().to_owned(),
            hosts: Hosts::of(&url, text)?,
            port: port(&url),
            path: url.path().to_owned(),
        })
    }

    /// Whether `url` lies within.
    pub(crate) fn matches(&self, url: &Url) -> bool {
        self.scheme == url.scheme()
            && self.port == port(url)
            && self.hosts.matches(url)
            && self.matches_path(url.path())
    }

    fn matches_path(&self, path: &str) -> bool {
        if self.path == "/" {
            return true;
        }
        // A server may decode these before it looks for `..`, which the parser of URLs does not.
        let lower = path.to_ascii_lowercase();
        if ["%2f", "%5c", "%2e", "%00"]
            .iter()
            .any(|code| lower.contains(code))
        {
            return false;
        }
        let Some(rest) = path.strip_prefix(self.path.as_str()) else {
            return false;
        };
        rest.is_empty() || self.path.ends_with('/') || rest.starts_with('/')
    }

    /// Whether it names this one host and nothing else.
    pub(crate) fn names(&self, host: &str) -> bool {
        matches!(&self.hosts, Hosts::Exactly(own) if own.to_string().eq_ignore_ascii_case(host))
    }

    /// Whether a host of this name can be meant.
    pub(crate) fn can_mean(&self, name: &str) -> bool {
        match &self.hosts {
            Hosts::Any => true,
            Hosts::Below(suffix) => name.to_ascii_lowercase().ends_with(suffix.as_str()),
            Hosts::Exactly(_) => self.names(name),
        }
    }

    /// Whether it names an address, or this very machine, on purpose.
    pub(crate) fn is_deliberately_internal(&self) -> bool {
        match &self.hosts {
            Hosts::Exactly(Host::Domain(name)) => name == "localhost",
            Hosts::Exactly(_) => true,
            _ => false,
        }
    }
}

impl Hosts {
    /// The hosts of a URL with a `*` in it.
    pub(crate) fn parse(text: &str) -> Result<Hosts> {
        Hosts::of(&http_url(text)?, text)
    }

    fn of(url: &Url, text: &str) -> Result<Hosts> {
        Ok(match url.host() {
            Some(Host::Domain("*")) => Hosts::Any,
            Some(Host::Domain(name)) => match name.strip_prefix('*') {
                Some(rest) if rest.starts_with('.') && !rest.contains('*') => {
                    Hosts::Below(rest.to_owned())
                }
                None if !name.contains('*') => Hosts::Exactly(Host::Domain(name.to_owned())),
                _ => return Err(Error::invalid(text, "a * stands for whole labels in front")),
            },
            Some(host) => Hosts::Exactly(host.to_owned()),
            None => return Err(Error::invalid(text, "it names no host")),
        })
    }

    /// Whether the host of `url` is one of them.
    pub(crate) fn matches(&self, url: &Url) -> bool {
        match (self, url.host()) {
            (Hosts::Any, Some(_)) => true,
            (Hosts::Below(suffix), Some(Host::Domain(name))) => {
                name.len() > suffix.len() && name.ends_with(suffix.as_str())
            }
            (Hosts::Exactly(host), Some(given)) => *host == given.to_owned(),
            _ => false,
        }
    }
}

/// The URL of a request: `http` or `https` with a host and without a name or password.
pub(crate) fn http_url(text: &str) -> Result<Url> {
    let url = Url::parse(text).map_err(|_| Error::invalid(text, "it is no URL"))?;
    check(&url)?;
    Ok(url)
}

/// What [`http_url`] demands.
pub(crate) fn check(url: &Url) -> Result<()> {
    let fault = if !matches!(url.scheme(), "http" | "https") {
        "only http and https are spoken"
    } else if !url.username().is_empty() || url.password().is_some() {
        "a name and a password don't belong into a URL"
    } else if url.host_str().is_none_or(str::is_empty) {
        "it names no host"
    } else {
        return Ok(());
    };
    Err(Error::invalid(&origin(url), fault))
}

/// Scheme, host and port, for messages: without anything secret.
pub(crate) fn origin(url: &Url) -> String {
    let host = url.host_str().unwrap_or_default();
    match url.port() {
        Some(port) => format!("{}://{host}:{port}", url.scheme()),
        None => format!("{}://{host}", url.scheme()),
    }
}

/// The host where it is an address.
pub(crate) fn literal(url: &Url) -> Option<IpAddr> {
    match url.host()? {
        Host::Ipv4(address) => Some(IpAddr::V4(address)),
        Host::Ipv6(address) => Some(IpAddr::V6(address)),
        Host::Domain(_) => None,
    }
}

/// Whether the host is an address of the host's own networks.
pub(crate) fn is_internal_literal(url: &Url) -> bool {
    literal(url).is_some_and(|address| !address::is_public(address))
}

fn port(url: &Url) -> u16 {
    url.port_or_known_default().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_what_they_say() {
        let table = [
            ("https://a.com", "https://a.com/x?y", true),
            ("https://a.com", "https://A.COM/", true),
            ("https://a.com", "https://a.com:443/", true),
            ("https://a.com", "https://a.com:8443/", false),
            ("https://a.com", "http://a.com/", false),
            ("https://a.com", "https://a.com.evil.org/", false),
            ("https://a.com", "https://a.com./", false),
            ("https://a.com", "https://b.a.com/", false),
            ("https://a.com:8443", "https://a.com:8443/", true),
            ("https://*.a.com", "https://b.a.com/", true),
            ("https://*.a.com", "https://c.b.a.com/", true),
            ("https://*.a.com", "https://a.com/", false),
            ("https://*.a.com", "https://evila.com/", false),
            ("https://*.a.com", "https://b.a.com./", false),
            ("https://*", "https://anything.example/", true),
            ("https://*", "http://anything.example/", false),
            (
                "https://bücher.example",
                "https://xn--bcher-kva.example/",
                true,
            ),
            ("http://127.0.0.1:80", "http://2130706433/", true),
            ("http://127.0.0.1:80", "http://0177.0.0.1/", true),
            ("http://127.0.0.1:80", "http://127.0.0.2/", false),
            ("https://a.com/v1", "https://a.com/v1", true),
            ("https://a.com/v1", "https://a.com/v1/x", true),
            ("https://a.com/v1", "https://a.com/v10", false),
            ("https://a.com/v1/", "https://a.com/v1/x", true),
            ("https://a.com/v1/", "https://a.com/v1/../v2/x", false),
            ("https://a.com/v1/", "https://a.com/v1/%2e%2e/v2", false),
            ("https://a.com/v1/", "https://a.com/v1/..%2fv2", false),
            ("https://a.com/v1/", "https://a.com/v1\\..\\v2", false),
        ];
        for (pattern, url, expected) in table {
            let found = Pattern::parse(pattern)
                .unwrap()
                .matches(&http_url(url).unwrap());
            assert_eq!(found, expected, "{pattern} {url}");
        }
    }

    #[test]
    fn what_is_no_pattern_is_refused() {
        for text in [
            "a.com",
            "ftp://a.com",
            "https://",
            "https://a*.com",
            "https://*a.com",
            "https://a.*.com",
            "https://*.*.com",
            "https://u:p@a.com",
            "https://a.com/?q=1",
            "https://a b/",
        ] {
            assert!(Pattern::parse(text).is_err(), "{text}");
        }
    }
}

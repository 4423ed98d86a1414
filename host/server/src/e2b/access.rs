//! Who may ask: the key of the control plane, the token of each sandbox, signed URLs of files.

use super::endpoint::Endpoint;
use super::entry::Entry;
use super::failure::{Code, Failure, Result};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use http::{HeaderMap, HeaderName, header};
use sha2::{Digest, Sha256};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

const API_KEY: HeaderName = HeaderName::from_static("x-api-key");
const ACCESS_TOKEN: HeaderName = HeaderName::from_static("x-access-token");
const TRAFFIC_TOKEN: HeaderName = HeaderName::from_static("e2b-traffic-access-token");
const SANDBOX_PORT: HeaderName = HeaderName::from_static("e2b-sandbox-port");
const SANDBOX_ID: HeaderName = HeaderName::from_static("e2b-sandbox-id");
const TIMEOUT: HeaderName = HeaderName::from_static("connect-timeout-ms");
const KEEPALIVE: HeaderName = HeaderName::from_static("keepalive-ping-interval");

/// The longest time that a client can name.
const LONGEST: Duration = Duration::from_secs(366 * 24 * 3600);

/// The pause between two signs of life where the client names none.
const USUAL_KEEPALIVE: Duration = Duration::from_secs(90);

/// The key of the control plane. Tokens are derived from it, so none is stored, and a restart with the
/// same key leaves clients connected.
pub(super) struct Keys(String);

impl Keys {
    pub(super) fn new(key: String) -> Keys {
        Keys(key)
    }

    /// Refuses a request to the control plane without the key.
    pub(super) fn check(&self, headers: &HeaderMap) -> Result<()> {
        match text(headers, &API_KEY) {
            Some(given) if same(given, &self.0) => Ok(()),
            Some(_) => Err(unauthenticated("the API key is not valid")),
            None => Err(unauthenticated("the header X-API-Key is missing")),
        }
    }

    /// Whether a token was made here for this.
    pub(super) fn made(&self, token: &str, what: &str) -> bool {
        same(token, &self.token(what))
    }

    /// The token by which a client talks to what listens in the sandbox `id`.
    pub(super) fn traffic_token(&self, id: &str) -> String {
        self.token(&format!("traffic {id}"))
    }

    /// The token by which a client talks to the sandbox `id`.
    pub(super) fn token(&self, id: &str) -> String {
        let key = blake3::derive_key(
            "offshoot e2b access token of a sandbox v1",
            self.0.as_bytes(),
        );
        blake3::keyed_hash(&key, id.as_bytes()).to_hex().to_string()
    }
}

/// What a signed URL says.
#[derive(Debug, Clone, Default)]
pub(super) struct Signed<'a> {
    pub(super) path: &'a str,
    /// `read` or `write`.
    pub(super) operation: &'static str,
    pub(super) username: &'a str,
    pub(super) signature: Option<&'a str>,
    pub(super) expiration: Option<u64>,
}

impl Signed<'_> {
    /// The signature that belongs to a token: what the SDKs compute.
    fn by(&self, token: &str) -> String {
        let Signed {
            path,
            operation,
            username,
            ..
        } = self;
        let mut text = format!("{path}:{operation}:{username}:{token}");
        if let Some(expiration) = self.expiration {
            text += &format!(":{expiration}");
        }
        format!("v1_{}", STANDARD_NO_PAD.encode(Sha256::digest(text)))
    }

    fn matches(&self, token: &str) -> bool {
        self.signature
            .is_some_and(|given| same(given.trim_end_matches('='), &self.by(token)))
    }

    fn is_over(&self) -> bool {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let now = now.map_or(0, |now| now.as_secs());
        self.expiration.is_some_and(|end| end < now)
    }
}

/// A call to envd that may be answered: which sandbox, as whom, how long.
#[derive(Clone)]
pub(super) struct Call {
    pub(super) endpoint: Endpoint,
    pub(super) entry: Arc<Entry>,
    /// The account in the sandbox that it is made for, where one is named.
    pub(super) username: Option<String>,
    /// When the client gives up.
    pub(super) timeout: Option<Duration>,
    /// The pause between two signs of life on a stream.
    pub(super) keepalive: Duration,
}

impl Call {
    /// Finds the sandbox and checks the token, or for a file's URL the signature.
    pub(super) fn identify(
        endpoint: &Endpoint,
        headers: &HeaderMap,
        signed: Option<Signed<'_>>,
    ) -> Result<Call> {
        let entry = match (named(headers), &signed) {
            (Some(id), _) => endpoint.entry(&id).ok_or_else(|| Failure::gone(&id))?,
            (None, Some(signed)) => endpoint.signer(signed)?,
            (None, None) => {
                return Err(unauthenticated("the header E2b-Sandbox-Id is missing"));
            }
        };
        let token = endpoint.keys().token(&entry.id);
        let by_token = text(headers, &ACCESS_TOKEN).map(|given| same(given, &token));
        match (by_token, signed) {
            (Some(true), _) => {}
            (Some(false), _) => return Err(unauthenticated("the access token is not valid")),
            (None, Some(signed)) if signed.matches(&token) => {
                if signed.is_over() {
                    return Err(unauthenticated("the signature has expired"));
                }
            }
            (None, Some(signed)) if signed.signature.is_some() => {
                return Err(unauthenticated("the signature is not valid"));
            }
            (None, _) => return Err(unauthenticated("the header X-Access-Token is missing")),
        }
        Call::with(endpoint, entry, headers)
    }

    /// Finds the sandbox and checks the token of the sandbox, or that of what listens in it: the code
    /// interpreter's clients send only the latter with some calls.
    pub(super) fn of_traffic(endpoint: &Endpoint, headers: &HeaderMap) -> Result<Call> {
        let Some(given) = text(headers, &TRAFFIC_TOKEN) else {
            return Call::identify(endpoint, headers, None);
        };
        let missing = || unauthenticated("the header E2b-Sandbox-Id is missing");
        let id = named(headers).ok_or_else(missing)?;
        let entry = endpoint.entry(&id).ok_or_else(|| Failure::gone(&id))?;
        match same(given, &endpoint.keys().traffic_token(&entry.id)) {
            true => Call::with(endpoint, entry, headers),
            false => Err(unauthenticated("the traffic access token is not valid")),
        }
    }

    fn with(endpoint: &Endpoint, entry: Arc<Entry>, headers: &HeaderMap) -> Result<Call> {
        Ok(Call {
            endpoint: endpoint.clone(),
            entry,
            username: username(headers)?,
            timeout: milliseconds(headers)?,
            keepalive: keepalive(headers),
        })
    }
}

impl Endpoint {
    /// The sandbox whose token made a signature. A URL of a file names no sandbox where all of them
    /// share one address.
    fn signer(&self, signed: &Signed<'_>) -> Result<Arc<Entry>> {
        if signed.signature.is_none() {
            return Err(unauthenticated("the header E2b-Sandbox-Id is missing"));
        }
        self.entries()
            .into_iter()
            .find(|entry| signed.matches(&self.keys().token(&entry.id)))
            .ok_or_else(|| unauthenticated("the signature is not valid"))
    }
}

/// The sandbox that a request names in its header or its host: `49983-ID.DOMAIN`.
fn named(headers: &HeaderMap) -> Option<String> {
    if let Some(id) = text(headers, &SANDBOX_ID) {
        return Some(id.to_owned());
    }
    host(headers).map(|(_, id)| id.to_owned())
}

/// The port of the sandbox that a request names in its header or its host.
pub(super) fn port(headers: &HeaderMap) -> Option<&str> {
    text(headers, &SANDBOX_PORT).or_else(|| host(headers).map(|(port, _)| port))
}

/// Port and sandbox in a host: `49983-ID.DOMAIN`.
fn host(headers: &HeaderMap) -> Option<(&str, &str)> {
    let label = text(headers, &header::HOST)?.split('.').next()?;
    let (port, id) = label.split_once('-')?;
    port.parse::<u16>().ok()?;
    Some((port, id))
}

/// The account in `Authorization: Basic NAME:`.
fn username(headers: &HeaderMap) -> Result<Option<String>> {
    let Some(given) = text(headers, &header::AUTHORIZATION) else {
        return Ok(None);
    };
    let Some(encoded) = given.strip_prefix("Basic ") else {
        return Ok(None);
    };
    let decoded = STANDARD.decode(encoded.trim()).ok();
    let decoded = decoded.and_then(|bytes| String::from_utf8(bytes).ok());
    let pair = decoded.ok_or_else(|| unauthenticated("the header Authorization is malformed"))?;
    let name = pair.split(':').next().unwrap_or_default();
    Ok((!name.is_empty()).then(|| name.to_owned()))
}

/// The time-out of the client, in Connect's header.
fn milliseconds(headers: &HeaderMap) -> Result<Option<Duration>> {
    let Some(given) = text(headers, &TIMEOUT) else {
        return Ok(None);
    };
    let malformed = |_| Failure::invalid(format!("{TIMEOUT}: {given:?} is no number"));
    let timeout = Duration::from_millis(given.parse().map_err(malformed)?);
    // The clock of its end must not overflow.
    Ok(Some(timeout.min(LONGEST)))
}

fn keepalive(headers: &HeaderMap) -> Duration {
    let seconds = text(headers, &KEEPALIVE).and_then(|given| given.parse::<u64>().ok());
    match seconds {
        Some(seconds @ 1..) => Duration::from_secs(seconds).min(LONGEST),
        _ => USUAL_KEEPALIVE,
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name)?.to_str().ok()
}

fn unauthenticated(message: &str) -> Failure {
    Failure::new(Code::Unauthenticated, message)
}

/// Compares by digests, so that the time it takes says nothing of how much is right.
fn same(given: &str, expected: &str) -> bool {
    Sha256::digest(given) == Sha256::digest(expected)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn signatures_are_those_of_the_sdk() {
        // From `get_signature("/a b", "read", "user", "token", …)` of the Python SDK.
        for (expiration, expected) in [
            (None, "v1_3y7zC7/SVa0mfOWGah2e4+8/STWMnZ8YMEZ8XJy2GHA"),
            (
                Some(1_700_000_000),
                "v1_h4gfJ4Xy+/3Xnb/DadkghxN8naQZDOfijgK7xwCFzac",
            ),
        ] {
            let signed = Signed {
                path: "/a b",
                operation: "read",
                username: "user",
                signature: Some(expected),
                expiration,
            };
            assert_eq!(signed.by("token"), expected);
            assert!(signed.matches("token"));
            assert!(!signed.matches("another"));
        }
    }

    #[test]
    fn sandboxes_are_named_by_header_or_host() {
        for (name, value, expected) in [
            ("e2b-sandbox-id", "iabc", Some("iabc")),
            ("host", "49983-iabc.example.test:80", Some("iabc")),
            ("host", "127.0.0.1:3000", None),
            ("host", "my-host.example.test", None),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(HeaderName::from_static(name), value.parse().unwrap());
            assert_eq!(named(&headers).as_deref(), expected, "{value}");
        }
    }

    #[test]
    fn tokens_differ_by_sandbox_and_key() {
        let (one, two) = (Keys::new("one".into()), Keys::new("two".into()));
        assert_eq!(one.token("i1"), one.token("i1"));
        assert_ne!(one.token("i1"), one.token("i2"));
        assert_ne!(one.token("i1"), two.token("i1"));
        assert_eq!(one.token("i1").len(), 64);
    }

    #[test]
    fn times_beyond_the_clock_are_bounded() {
        for given in ["18446744073709551615", "9223372036854775807"] {
            let mut headers = HeaderMap::new();
            headers.insert(KEEPALIVE, given.parse().unwrap());
            headers.insert(TIMEOUT, given.parse().unwrap());
            assert_eq!(keepalive(&headers), LONGEST);
            assert_eq!(milliseconds(&headers).unwrap(), Some(LONGEST));
        }
    }

    #[test]
    fn accounts_come_from_basic_authorization() {
        for (value, expected) in [
            ("Basic dXNlcjo=", Ok(Some("user".to_owned()))),
            ("Basic Og==", Ok(None)),
            ("Basic !", Err(Code::Unauthenticated)),
            ("Bearer x", Ok(None)),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(header::AUTHORIZATION, value.parse().unwrap());
            assert_eq!(
                username(&headers).map_err(|failure| failure.code()),
                expected
            );
        }
    }
}

//! Events as signed requests: told in order for each sandbox, at least once.
//!
//! Each is a `POST` of one event as JSON, signed over the time and the body:
//!
//! ```text
//! Offshoot-Event: SANDBOX/SEQUENCE
//! Offshoot-Signature: t=SECONDS,v1=HEX(HMAC-SHA256(secret, "SECONDS." + body))
//! ```
//!
//! Any status from 200 to 299 takes it. Otherwise it is told again, after pauses that grow, and what
//! comes after it waits.

use super::event::{Event, Listener, listener};
use super::release::CallbackError;
use crate::error::{Code, Error, Result};
use crate::network::{Policy, Rule};
use bytes::Bytes;
use offshoot_network::http::Method;
use offshoot_network::{Client, Request};
use ring::hmac;
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Where events are told; see [`SandboxesBuilder::webhook`](super::SandboxesBuilder::webhook).
///
/// Addresses of the host's own networks are refused, unless the URL names one itself or
/// [`Webhook::internal`] allows them; redirects are not followed.
#[derive(Clone)]
#[must_use]
pub struct Webhook {
    url: String,
    secret: Arc<[u8]>,
    internal: bool,
}

impl Webhook {
    /// Tells events to this URL, signed with a secret that its server knows.
    pub fn new(url: impl Into<String>, secret: impl AsRef<[u8]>) -> Webhook {
        Webhook {
            url: url.into(),
            secret: Arc::from(secret.as_ref()),
            internal: false,
        }
    }

    /// Lets the URL's name lead into the host's own networks.
    pub fn internal(mut self) -> Webhook {
        self.internal = true;
        self
    }

    /// What tells it.
    pub(super) fn listener(self) -> Result<Listener> {
        let invalid = |error: offshoot_network::Error| {
            Error::new(Code::Invalid, "webhook", error.to_string())
        };
        let request = Request::new(Method::POST, &self.url).map_err(invalid)?;
        let origin = request.url().origin().ascii_serialization();
        let mut rule = Rule::new(&origin).map_err(invalid)?;
        rule = rule.methods(["POST"]).map_err(invalid)?;
        if self.internal {
            rule = rule.internal();
        }
        let client = Client::new(Policy::default().allow(rule)).map_err(invalid)?;
        Ok(listener(move |event| {
            let (client, request) = (client.clone(), request.clone());
            let secret = Arc::clone(&self.secret);
            async move { send(&client, request, &secret, &event).await }
        }))
    }
}

impl fmt::Debug for Webhook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The secret is not shown.
        f.debug_struct("Webhook")
            .field("url", &self.url)
            .finish_non_exhaustive()
    }
}

async fn send(
    client: &Client,
    mut request: Request,
    secret: &[u8],
    event: &Event,
) -> std::result::Result<(), CallbackError> {
    let body = serde_json::to_vec(event)?;
    let time = now();
    let signature = format!("t={time},v1={}", hex(&tag(secret, time, &body)));
    let id = format!("{}/{}", event.sandbox, event.sequence);
    for (name, value) in [
        ("content-type", "application/json"),
        ("offshoot-event", id.as_str()),
        ("offshoot-signature", signature.as_str()),
    ] {
        request.headers.insert(name, value.parse()?);
    }
    request.body = Bytes::from(body);
    let mut answer = client.send(request).await?;
    let status = answer.status;
    // The connection can be used again when the answer was read.
    answer.body().await?;
    match status {
        200..300 => Ok(()),
        status => Err(format!("the webhook answered with status {status}").into()),
    }
}

/// Whether a request was signed with this secret, at most `tolerance` ago; for its server.
///
/// `signature` is the header `Offshoot-Signature`. What it says takes the same time to refuse wherever
/// it differs. A request that is told again has the same `Offshoot-Event`.
///
/// ```
/// use offshoot::lifecycle::verify_webhook;
/// use std::time::Duration;
/// let forged = "t=1700000000,v1=00";
/// assert!(!verify_webhook(b"secret", forged, b"{}", Duration::from_secs(300)));
/// ```
pub fn verify_webhook(secret: &[u8], signature: &str, body: &[u8], tolerance: Duration) -> bool {
    let mut parts = signature.split(',').filter_map(|part| part.split_once('='));
    let time = parts.clone().find(|(name, _)| *name == "t");
    let Some(time) = time.and_then(|(_, time)| time.parse::<u64>().ok()) else {
        return false;
    };
    let fresh = now().abs_diff(time) <= tolerance.as_secs();
    let fits = |tag: Vec<u8>| hmac::verify(&key(secret), &signed(time, body), &tag).is_ok();
    let signed = parts.any(|(name, value)| name == "v1" && unhex(value).is_some_and(fits));
    fresh && signed
}

fn signed(time: u64, body: &[u8]) -> Vec<u8> {
    let mut text = format!("{time}.").into_bytes();
    text.extend_from_slice(body);
    text
}

fn key(secret: &[u8]) -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, secret)
}

fn tag(secret: &[u8], time: u64, body: &[u8]) -> Vec<u8> {
    let tag = hmac::sign(&key(secret), &signed(time, body));
    tag.as_ref().to_vec()
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default().as_secs()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits = text.as_bytes().chunks(2);
    let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits.map(byte).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_those_of_the_standard() {
        // Made with Python's hmac.
        let known = "b8569b78799ff9e3cbff0fc2d63a33a2b57f3282abd07c37ae5e8e7d79a5f163";
        assert_eq!(hex(&tag(b"secret", 1_700_000_000, b"{}")), known);
    }

    #[test]
    fn only_what_was_signed_lately_with_the_secret_is_taken() {
        let (time, body) = (now(), b"{\"kind\":\"created\"}");
        let good = format!("t={time},v1={}", hex(&tag(b"secret", time, body)));
        let minute = Duration::from_secs(60);
        assert!(verify_webhook(b"secret", &good, body, minute));
        assert!(!verify_webhook(b"other", &good, body, minute));
        assert!(!verify_webhook(b"secret", &good, b"{}", minute));
        let old = time - 100;
        let stale = format!("t={old},v1={}", hex(&tag(b"secret", old, body)));
        assert!(!verify_webhook(b"secret", &stale, body, minute));
        // The time cannot be changed alone.
        let moved = stale.replace(&old.to_string(), &time.to_string());
        assert!(!verify_webhook(b"secret", &moved, body, minute));
        for nonsense in ["", "t=,v1=", "t=1", "v1=00", "t=x,v1=zz", "t=1,v1=é"] {
            assert!(!verify_webhook(b"secret", nonsense, body, minute));
        }
    }
}

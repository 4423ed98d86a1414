//! The one error type of the crate.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// Why a request got no answer.
///
/// No message holds a secret: they name origins and rules, never headers or bodies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The text of a rule, a secret or a URL says nothing usable.
    #[error("{text}: {reason}")]
    Invalid {
        /// What was given.
        text: String,
        /// What is wrong with it.
        reason: Cow<'static, str>,
    },
    /// No rule allows it.
    #[error("the network policy refuses {method} {origin}")]
    Denied {
        /// The method.
        method: String,
        /// Scheme, host and port.
        origin: String,
    },
    /// The name leads to addresses inside the host's networks only.
    #[error("the network policy refuses the address of {host}")]
    Address {
        /// The name or address.
        host: String,
    },
    /// The name has no address.
    #[error("could not resolve host: {host}")]
    Resolve {
        /// The name.
        host: String,
    },
    /// Nobody answers there.
    #[error("could not connect to {origin}")]
    Connect {
        /// Scheme, host and port.
        origin: String,
    },
    /// The other side's certificate or its protocol does not hold.
    #[error("no secure connection to {origin}")]
    Secure {
        /// Scheme, host and port.
        origin: String,
    },
    /// The time of the whole exchange is up.
    #[error("the request to {origin} timed out")]
    Timeout {
        /// Scheme, host and port.
        origin: String,
    },
    /// A body is longer than the policy allows.
    #[error("the {what} is longer than {limit} bytes")]
    TooLarge {
        /// Request or response.
        what: Cow<'static, str>,
        /// The limit.
        limit: u64,
    },
    /// The other side broke off or spoke no HTTP.
    #[error("the exchange with {origin} broke off")]
    Broken {
        /// Scheme, host and port.
        origin: String,
    },
    /// The other side answered in place of a WebSocket.
    #[error("{origin} answered with status {status} in place of a WebSocket")]
    NoWebSocket {
        /// Scheme, host and port.
        origin: String,
        /// The status.
        status: u16,
    },
    /// The answer is compressed although that was declined, so nobody can tell what is in it.
    #[error("{origin} answered with a content encoding that was declined")]
    Encoded {
        /// Scheme, host and port.
        origin: String,
    },
    /// The host could not start what requests run on.
    #[error("the host cannot make requests: {reason}")]
    Unavailable {
        /// Why.
        reason: String,
    },
}

impl Error {
    /// A stable name of the kind of failure: `INVALID`, `POLICY_DENIED`, `NOT_FOUND`, `TIMEOUT`,
    /// `LIMIT`, `DIED`, `SANDBOX_UNAVAILABLE`.
    pub fn code(&self) -> &'static str {
        match self {
            Error::Invalid { .. } => "INVALID",
            Error::Denied { .. } | Error::Address { .. } | Error::Encoded { .. } => "POLICY_DENIED",
            Error::Resolve { .. } => "NOT_FOUND",
            Error::Timeout { .. } => "TIMEOUT",
            Error::TooLarge { .. } => "LIMIT",
            Error::Connect { .. }
            | Error::Secure { .. }
            | Error::Broken { .. }
            | Error::NoWebSocket { .. } => "DIED",
            Error::Unavailable { .. } => "SANDBOX_UNAVAILABLE",
        }
    }

    /// Whether the same request can succeed later.
    pub fn is_retryable(&self) -> bool {
        matches!(
            self,
            Error::Resolve { .. }
                | Error::Connect { .. }
                | Error::Timeout { .. }
                | Error::Broken { .. }
        )
    }

    pub(crate) fn too_large(what: &'static str, limit: u64) -> Error {
        Error::TooLarge {
            what: what.into(),
            limit,
        }
    }

    pub(crate) fn invalid(text: &str, reason: &'static str) -> Error {
        Error::Invalid {
            text: text.to_owned(),
            reason: reason.into(),
        }
    }
}

/// What this crate's operations return.
pub type Result<T> = std::result::Result<T, Error>;

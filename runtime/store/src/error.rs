//! The one error type of the crate.

use crate::ObjectId;

/// Why an operation on a store failed.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Nothing has this name.
    #[error("{what} not found")]
    NotFound {
        /// An object, a ref or a pin, with its name.
        what: String,
    },
    /// What is stored is not what was stored.
    #[error("{what} is damaged: {reason}")]
    Corrupt {
        /// Which object, ref or file.
        what: String,
        /// What does not hold.
        reason: &'static str,
    },
    /// A key does not fit: written with another key, or changed by somebody without it.
    #[error("not authentic: {reason}")]
    NotAuthentic {
        /// What does not hold.
        reason: &'static str,
    },
    /// An older state was put in the place of a newer one.
    #[error("rolled back: epoch {found} where at least {expected} is known")]
    RolledBack {
        /// The epoch that was presented.
        found: u64,
        /// The lowest that is acceptable.
        expected: u64,
    },
    /// Written by a newer version in a form that this one cannot read.
    #[error("format {found} is too new; this version reads up to {supported}")]
    TooNew {
        /// The lowest reader it asks for.
        found: u32,
        /// What this version is.
        supported: u32,
    },
    /// Somebody else owns the sandbox by now.
    #[error("fenced: epoch {presented} was presented, the present one is {current}")]
    Fenced {
        /// The caller's epoch.
        presented: u64,
        /// The ref's.
        current: u64,
    },
    /// The ref was changed meanwhile, or is in a state that does not allow this.
    #[error("conflict: {reason}")]
    Conflict {
        /// What stands against it.
        reason: String,
    },
    /// More than the caller allows.
    #[error("beyond a limit: {what}")]
    Limit {
        /// Which limit.
        what: &'static str,
    },
    /// A declared secret was about to be stored.
    #[error("refused: {what} holds a value that was declared secret")]
    Secret {
        /// Where it was found.
        what: String,
    },
    /// An argument without a meaning.
    #[error("invalid: {what}")]
    Invalid {
        /// Which one, and why.
        what: &'static str,
    },
    /// The medium beneath failed: a disk, a database, a service.
    #[error("{operation}: {message}")]
    Unavailable {
        /// What was tried.
        operation: &'static str,
        /// What the medium said.
        message: String,
        /// Whether the same may succeed later.
        retry: bool,
    },
    /// The filesystem refused.
    #[error("filesystem: {0}")]
    Vfs(#[from] offshoot_vfs::Error),
}

impl Error {
    /// The stable code.
    pub fn code(&self) -> &'static str {
        match self {
            Error::NotFound { .. } => "NOT_FOUND",
            Error::Corrupt { .. } | Error::NotAuthentic { .. } => "CORRUPT",
            Error::RolledBack { .. } | Error::Fenced { .. } => "FENCED",
            Error::TooNew { .. } => "TOO_NEW",
            Error::Conflict { .. } => "CONFLICT",
            Error::Limit { .. } => "LIMIT",
            Error::Secret { .. } => "POLICY_DENIED",
            Error::Invalid { .. } => "INVALID",
            Error::Unavailable { .. } => "SANDBOX_UNAVAILABLE",
            Error::Vfs(error) => error.code(),
        }
    }

    /// Whether the same call may succeed later without anything else being done.
    pub fn retryable(&self) -> bool {
        match self {
            Error::Unavailable { retry, .. } => *retry,
            Error::Conflict { .. } => true,
            _ => false,
        }
    }

    pub(crate) fn no_object(id: ObjectId) -> Error {
        let what = format!("object {id}");
        Error::NotFound { what }
    }

    pub(crate) fn no_ref(name: &str) -> Error {
        let what = format!("ref {name:?}");
        Error::NotFound { what }
    }

    pub(crate) fn damaged(id: ObjectId, reason: &'static str) -> Error {
        let what = format!("object {id}");
        Error::Corrupt { what, reason }
    }

    pub(crate) fn conflict(reason: impl Into<String>) -> Error {
        let reason = reason.into();
        Error::Conflict { reason }
    }

    pub(crate) fn io(operation: &'static str, error: &std::io::Error) -> Error {
        use std::io::ErrorKind as K;
        let retry = matches!(
            error.kind(),
            K::Interrupted | K::TimedOut | K::StorageFull | K::WouldBlock
        );
        let message = error.to_string();
        Error::Unavailable {
            operation,
            message,
            retry,
        }
    }
}

/// The result of an operation on a store.
pub type Result<T, E = Error> = std::result::Result<T, E>;

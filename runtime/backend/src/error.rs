//! What can go wrong on the host's side of a sandbox.
//!
//! A command that ends with a non-zero status is a result, never an error, and what a guest sees
//! (an errno, a message on stderr) is a different type altogether.

use crate::exec::ShellResult;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

/// The stable code of an [`Error`]: match on this, not on messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum Code {
    /// The sandbox is suspended, was cleaned up, or cannot be reached now.
    SandboxUnavailable,
    /// Permission bits, a read-only mount or a policy refuse.
    PolicyDenied,
    /// The backend does not offer the operation or the option.
    Capability,
    /// A deadline passed where no exit status can be given.
    Timeout,
    /// No such path, sandbox, snapshot or backend.
    NotFound,
    /// The path leads out of the workspace.
    PathEscape,
    /// A resource limit was reached; the message names it.
    Limit,
    /// The sandbox or its provider ended during the call.
    Died,
    /// Another holder took the sandbox over.
    Fenced,
    /// What is there conflicts with the request: an existing file, a directory in place of a file.
    Conflict,
    /// Stored bytes or a provider's answer are damaged.
    Corrupt,
    /// Stored bytes were written by a newer version.
    TooNew,
    /// An argument has no meaning: an empty name, a NUL in a path.
    Invalid,
    /// A file was read as text and is not UTF-8.
    NotText,
}

impl Code {
    /// The code as it appears in logs and in other languages.
    ///
    /// ```
    /// assert_eq!(offshoot_backend::Code::NotFound.as_str(), "NOT_FOUND");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            Code::SandboxUnavailable => "SANDBOX_UNAVAILABLE",
            Code::PolicyDenied => "POLICY_DENIED",
            Code::Capability => "CAPABILITY",
            Code::Timeout => "TIMEOUT",
            Code::NotFound => "NOT_FOUND",
            Code::PathEscape => "PATH_ESCAPE",
            Code::Limit => "LIMIT",
            Code::Died => "DIED",
            Code::Fenced => "FENCED",
            Code::Conflict => "CONFLICT",
            Code::Corrupt => "CORRUPT",
            Code::TooNew => "TOO_NEW",
            Code::Invalid => "INVALID",
            Code::NotText => "NOT_TEXT",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An operation on a sandbox failed on the host's side.
///
/// ```
/// use offshoot_backend::{Code, Error};
/// let error = Error::new(Code::NotFound, "read_file", "/nowhere: no such file").on("local");
/// assert_eq!(error.code(), Code::NotFound);
/// assert_eq!(error.backend(), Some("local"));
/// assert!(!error.retryable());
/// ```
#[derive(Debug, Clone)]
pub struct Error(Box<Parts>);

#[derive(Debug, Clone)]
struct Parts {
    code: Code,
    backend: Option<Cow<'static, str>>,
    operation: Cow<'static, str>,
    message: String,
    retryable: bool,
    errno: Option<&'static str>,
    output: Option<ShellResult>,
}

impl Error {
    /// Makes an error of `operation`, such as `"exec"`. A message never holds a credential.
    pub fn new(
        code: Code,
        operation: impl Into<Cow<'static, str>>,
        message: impl Into<String>,
    ) -> Error {
        Error(Box::new(Parts {
            code,
            backend: None,
            operation: operation.into(),
            message: message.into(),
            retryable: false,
            errno: None,
            output: None,
        }))
    }

    /// The refusal of an operation or option that a backend does not offer.
    pub fn unsupported(
        backend: impl Into<Cow<'static, str>>,
        operation: impl Into<Cow<'static, str>>,
        what: &str,
    ) -> Error {
        let backend = backend.into();
        let message = format!("the backend {backend} does not offer {what}");
        Error::new(Code::Capability, operation, message).on(backend)
    }

    /// The error of an operation after the owner's cleanup.
    pub fn ended(operation: impl Into<Cow<'static, str>>) -> Error {
        let message = "the sandbox is no longer alive (owner cleanup ran)";
        Error::new(Code::SandboxUnavailable, operation, message)
    }

    /// The same error, of this backend; a backend that is named already stays.
    #[must_use]
    pub fn on(mut self, backend: impl Into<Cow<'static, str>>) -> Error {
        self.0.backend.get_or_insert(backend.into());
        self
    }

    /// The same error of another operation.
    #[must_use]
    pub fn during(mut self, operation: impl Into<Cow<'static, str>>) -> Error {
        self.0.operation = operation.into();
        self
    }

    /// The same error, saying whether the same call can succeed later.
    #[must_use]
    pub fn with_retryable(mut self, retryable: bool) -> Error {
        self.0.retryable = retryable;
        self
    }

    /// The same error of a file operation, with the name that POSIX has for it: `ENOTDIR`.
    #[must_use]
    pub fn with_errno(mut self, errno: &'static str) -> Error {
        self.0.errno = Some(errno);
        self
    }

    /// The same error, carrying what the command wrote before it was ended.
    #[must_use]
    pub fn with_output(mut self, output: ShellResult) -> Error {
        self.0.output = Some(output);
        self
    }

    /// The stable code.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// The backend that it happened on, where one is known.
    pub fn backend(&self) -> Option<&str> {
        self.0.backend.as_deref()
    }

    /// The operation that failed: `exec`, `read_file` …
    pub fn operation(&self) -> &str {
        &self.0.operation
    }

    /// What happened, without operation and backend.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Whether the same call can succeed later without a change on the caller's side.
    pub fn retryable(&self) -> bool {
        self.0.retryable
    }

    /// The name that POSIX has for a failed file operation, such as `ENOTDIR`: finer than the code,
    /// for callers whose own contract distinguishes more. Nothing where a backend does not know it.
    ///
    /// ```
    /// use offshoot_backend::{Code, Error};
    /// let error = Error::new(Code::Conflict, "entries", "notes: not a directory").with_errno("ENOTDIR");
    /// assert_eq!(error.errno(), Some("ENOTDIR"));
    /// ```
    pub fn errno(&self) -> Option<&'static str> {
        self.0.errno
    }

    /// What a command had written when a limit ended it: a limit never discards output.
    pub fn output(&self) -> Option<&ShellResult> {
        self.0.output.as_ref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(backend) = &self.0.backend {
            write!(f, "{backend}: ")?;
        }
        write!(f, "{}: {}", self.0.operation, self.0.message)
    }
}

impl std::error::Error for Error {}

/// The result of an operation on a sandbox.
pub type Result<T> = std::result::Result<T, Error>;

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn the_first_backend_named_stays() {
        let error = Error::new(Code::Died, "exec", "gone").on("docker").on("x");
        assert_eq!(error.to_string(), "docker: exec: gone");
    }

    #[test]
    fn codes_read_the_same_everywhere() {
        for code in [Code::SandboxUnavailable, Code::TooNew, Code::NotText] {
            let text = serde_json::to_string(&code).unwrap();
            assert_eq!(text, format!("\"{code}\""));
        }
    }
}

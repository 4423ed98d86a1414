//! What can go wrong on the host's side of a sandbox.
//!
//! A command that ends with a non-zero status is a result, never an error, and what a guest sees
//! (an errno, a message on stderr) is a different type altogether.

use crate::exec::ShellResult;
use std::fmt;

/// The stable code of an [`Error`]: match on this, not on messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Code {
    /// The sandbox was cleaned up, or cannot be reached now.
    SandboxUnavailable,
    /// Permission bits, a read-only mount or a policy refuse.
    PolicyDenied,
    /// The backend does not offer the operation or the option.
    Capability,
    /// A deadline passed where no exit status can be given.
    Timeout,
    /// No such path.
    NotFound,
    /// The path leads out of the workspace.
    PathEscape,
    /// A resource limit was reached; the message names it.
    Limit,
    /// The sandbox ended during the call.
    Died,
    /// What is there conflicts with the request: an existing file, a directory in place of a file.
    Conflict,
    /// Stored bytes are damaged.
    Corrupt,
    /// Stored bytes were written by a newer version.
    TooNew,
    /// An argument has no meaning: an empty name, a NUL in a path.
    Invalid,
    /// Somebody else owns the sandbox by now.
    Fenced,
    /// A file was read as text and is not UTF-8.
    NotText,
}

impl Code {
    /// The code as it appears in logs and in other languages.
    ///
    /// ```
    /// assert_eq!(offshoot::Code::NotFound.as_str(), "NOT_FOUND");
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
            Code::Conflict => "CONFLICT",
            Code::Corrupt => "CORRUPT",
            Code::TooNew => "TOO_NEW",
            Code::Invalid => "INVALID",
            Code::Fenced => "FENCED",
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
/// # fn main() -> Result<(), offshoot::Error> {
/// let sandbox = offshoot::blocking::Sandbox::new()?;
/// let error = sandbox.read_file("/nowhere").unwrap_err();
/// assert_eq!(error.code(), offshoot::Code::NotFound);
/// assert!(!error.retryable());
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Error(Box<Parts>);

#[derive(Debug)]
struct Parts {
    code: Code,
    operation: &'static str,
    message: String,
    retryable: bool,
    output: Option<ShellResult>,
}

impl Error {
    /// Makes an error of `operation`, such as `"exec"`.
    pub(crate) fn new(code: Code, operation: &'static str, message: impl Into<String>) -> Error {
        Error(Box::new(Parts {
            code,
            operation,
            message: message.into(),
            retryable: false,
            output: None,
        }))
    }

    /// A file operation on `path` failed.
    pub(crate) fn file(operation: &'static str, path: &str, error: offshoot_vfs::Error) -> Error {
        Error::new(code_of(&error), operation, format!("{path}: {error}"))
    }

    /// The kernel failed.
    pub(crate) fn kernel(operation: &'static str, error: offshoot_kernel::Error) -> Error {
        let code = match &error {
            offshoot_kernel::Error::Limit(_) => Code::Limit,
            offshoot_kernel::Error::File(error) | offshoot_kernel::Error::Reopen { error, .. } => {
                code_of(error)
            }
            offshoot_kernel::Error::InFlight(_) | offshoot_kernel::Error::Replaced(_) => {
                Code::Conflict
            }
            offshoot_kernel::Error::Kept(_) => Code::Capability,
            offshoot_kernel::Error::Over => Code::NotFound,
            offshoot_kernel::Error::Suspended => Code::SandboxUnavailable,
            offshoot_kernel::Error::Corrupt => Code::Corrupt,
            offshoot_kernel::Error::TooNew => Code::TooNew,
            _ => Code::Died,
        };
        let mut made = Error::new(code, operation, error.to_string());
        made.0.retryable = error.retryable();
        made
    }

    /// The store failed.
    pub(crate) fn store(operation: &'static str, error: &offshoot_store::Error) -> Error {
        let code = match error.code() {
            "NOT_FOUND" => Code::NotFound,
            "CORRUPT" => Code::Corrupt,
            "FENCED" => Code::Fenced,
            "TOO_NEW" => Code::TooNew,
            "CONFLICT" => Code::Conflict,
            "LIMIT" => Code::Limit,
            "POLICY_DENIED" => Code::PolicyDenied,
            "INVALID" => Code::Invalid,
            "SANDBOX_UNAVAILABLE" => Code::SandboxUnavailable,
            _ => Code::Died,
        };
        let mut made = Error::new(code, operation, error.to_string());
        made.0.retryable = error.retryable();
        made
    }

    /// The same error, which a later call may not meet.
    pub(crate) fn again(mut self) -> Error {
        self.0.retryable = true;
        self
    }

    /// The same error, carrying what the command wrote before it was ended.
    pub(crate) fn with_output(mut self, output: ShellResult) -> Error {
        self.0.output = Some(output);
        self
    }

    /// The stable code.
    pub fn code(&self) -> Code {
        self.0.code
    }

    /// The operation that failed: `exec`, `read_file` …
    pub fn operation(&self) -> &'static str {
        self.0.operation
    }

    /// Whether the same call can succeed later without a change on the caller's side.
    pub fn retryable(&self) -> bool {
        self.0.retryable
    }

    /// What a command had written when a limit ended it: a limit never discards output.
    pub fn output(&self) -> Option<&ShellResult> {
        self.0.output.as_ref()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0.operation, self.0.message)
    }
}

impl std::error::Error for Error {}

/// The result of an operation on a sandbox.
pub type Result<T> = std::result::Result<T, Error>;

/// The code of a failed file operation.
fn code_of(error: &offshoot_vfs::Error) -> Code {
    match error.code() {
        "ENOENT" => Code::NotFound,
        "EACCES" | "EPERM" | "EROFS" => Code::PolicyDenied,
        "ENOSPC" | "EFBIG" | "ENAMETOOLONG" | "EMFILE" => Code::Limit,
        "ENOTSUP" => Code::Capability,
        "EINVAL" => Code::Invalid,
        "EIO" => Code::Died,
        _ => Code::Conflict,
    }
}

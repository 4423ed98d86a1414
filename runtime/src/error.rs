//! What the layers below report, as errors of the contract.

pub use offshoot_backend::{Code, Error, Result};

/// Makes errors of what the filesystem, the kernel and the store report.
pub(crate) trait Below {
    /// A file operation on `path` failed.
    fn file(operation: &'static str, path: &str, error: offshoot_vfs::Error) -> Self;

    /// The kernel failed.
    fn kernel(operation: &'static str, error: offshoot_kernel::Error) -> Self;

    /// The store failed.
    fn store(operation: &'static str, error: &offshoot_store::Error) -> Self;
}

impl Below for Error {
    fn file(operation: &'static str, path: &str, error: offshoot_vfs::Error) -> Error {
        Error::new(code_of(&error), operation, format!("{path}: {error}")).with_errno(error.code())
    }

    fn kernel(operation: &'static str, error: offshoot_kernel::Error) -> Error {
        let code = match &error {
            offshoot_kernel::Error::Limit(_) => Code::Limit,
            offshoot_kernel::Error::File(error) | offshoot_kernel::Error::Reopen { error, .. } => {
                code_of(error)
            }
            offshoot_kernel::Error::InFlight(_)
            | offshoot_kernel::Error::Replaced(_)
            | offshoot_kernel::Error::Held(_) => Code::Conflict,
            offshoot_kernel::Error::Kept(_) => Code::Capability,
            offshoot_kernel::Error::Over => Code::NotFound,
            offshoot_kernel::Error::Suspended => Code::SandboxUnavailable,
            offshoot_kernel::Error::Corrupt => Code::Corrupt,
            offshoot_kernel::Error::TooNew => Code::TooNew,
            _ => Code::Died,
        };
        Error::new(code, operation, error.to_string()).with_retryable(error.retryable())
    }

    fn store(operation: &'static str, error: &offshoot_store::Error) -> Error {
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
        Error::new(code, operation, error.to_string()).with_retryable(error.retryable())
    }
}

/// The code of a failed file operation.
fn code_of(error: &offshoot_vfs::Error) -> Code {
    match error.code() {
        "ENOENT" => Code::NotFound,
        "EACCES" | "EPERM" | "EROFS" | "POLICY_DENIED" => Code::PolicyDenied,
        "PATH_ESCAPE" => Code::PathEscape,
        "CORRUPT" => Code::Corrupt,
        "ENOSPC" | "EFBIG" | "ENAMETOOLONG" | "EMFILE" | "EOVERFLOW" => Code::Limit,
        "ENOTSUP" => Code::Capability,
        "EINVAL" => Code::Invalid,
        "EIO" => Code::Died,
        _ => Code::Conflict,
    }
}

//! The one error type of the crate: what the embedder sees.

use crate::Limit;

/// Why the kernel could not do what the embedder asked for.
///
/// What happens inside a sandbox is never one of these: a program that fails, is killed or reaches a
/// limit ends with a [`crate::ProcessEnd`].
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// WebAssembly that the engine's configuration refuses, or that is damaged.
    #[error("the engine refuses this component: {0}")]
    Refused(String),
    /// An artifact that another version or configuration compiled.
    #[error("this artifact was not compiled for this engine: {0}")]
    Artifact(String),
    /// A component that imports something a sandbox does not offer, or lacks an export.
    #[error("the component does not fit: {0}")]
    Interface(String),
    /// A limit of the sandbox or of the engine.
    #[error("limit reached: {0}")]
    Limit(Limit),
    /// A file operation that the kernel did for the embedder.
    #[error(transparent)]
    File(#[from] offshoot_vfs::Error),
    /// The path names no program of this sandbox.
    #[error("{0}: not a program")]
    NotProgram(String),
    /// No living process has this number.
    #[error("no process {0}")]
    NoProcess(u32),
    /// Arguments and environment are larger than [`crate::Limits::arguments`].
    #[error("argument list too long")]
    Arguments,
    /// Saved shell state is damaged.
    #[error("the saved state of the shell is damaged")]
    Corrupt,
    /// A newer version wrote the saved shell state.
    #[error("a newer version wrote the saved state of the shell")]
    TooNew,
    /// A command that is no part of the shell is under way: its name.
    #[error("`{0}` is under way")]
    InFlight(String),
    /// Something of a script cannot be kept.
    #[error("the script cannot be suspended: {0}")]
    Kept(String),
    /// A program cannot be captured as it is.
    #[error("the program cannot be captured: {0}")]
    Held(String),
    /// Nothing of the execution runs any more.
    #[error("the script has ended")]
    Over,
    /// The execution was suspended: it exists as data only.
    #[error("the script was suspended")]
    Suspended,
    /// A file that a suspended script has open cannot be opened again.
    #[error("{path}, which the script has open: {error}")]
    Reopen {
        /// Its path when the script was suspended.
        path: String,
        /// Why.
        error: offshoot_vfs::Error,
    },
    /// Where a suspended script has a file open there is something of another kind by now.
    #[error("{0}, which the script has open, is something else by now")]
    Replaced(String),
    /// The engine could not be set up, or no place for another instance is left.
    #[error("the engine failed: {0}")]
    Engine(String),
    /// The shell trapped or was ended while the kernel talked to it outside an execution.
    #[error("the shell ended: {0}")]
    Died(String),
}

impl Error {
    /// A stable code for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Error::Refused(_) => "REFUSED",
            Error::Artifact(_) => "ARTIFACT",
            Error::Interface(_) => "INTERFACE",
            Error::Limit(_) => "LIMIT",
            Error::File(error) => error.code(),
            Error::NotProgram(_) => "ENOEXEC",
            Error::NoProcess(_) => "ESRCH",
            Error::Arguments => "E2BIG",
            Error::Corrupt => "CORRUPT",
            Error::TooNew => "TOO_NEW",
            Error::InFlight(_) | Error::Replaced(_) | Error::Held(_) => "CONFLICT",
            Error::Kept(_) => "CAPABILITY",
            Error::Over => "NOT_FOUND",
            Error::Suspended => "SUSPENDED",
            Error::Reopen { error, .. } => error.code(),
            Error::Engine(_) => "ENGINE",
            Error::Died(_) => "DIED",
        }
    }

    /// Whether the same call can succeed later without a change by the caller: when other processes
    /// have ended, for instance.
    pub fn retryable(&self) -> bool {
        matches!(
            self,
            Error::Limit(Limit::Processes | Limit::Places)
                | Error::Engine(_)
                | Error::Died(_)
                | Error::InFlight(_)
        )
    }
}

/// The result of a kernel operation.
pub type Result<T, E = Error> = std::result::Result<T, E>;

//! Errors as guests see them: an errno, or the end of the process.

use std::sync::{Arc, Mutex, PoisonError};

use offshoot_vfs::Error;
use wasmtime::component::ResourceTableError;
use wasmtime_wasi_io::streams::StreamError;

use super::bindings::offshoot::sandbox::types;
use super::bindings::wasi::filesystem::types::ErrorCode;
use super::{Errno, Guest};
use crate::process::{Ended, ProcessEnd, signal};

/// Why a host call failed: with an errno that the guest sees, or with the end of the guest.
#[derive(Debug)]
pub enum Failure {
    Errno(Errno),
    Trap(wasmtime::Error),
}

impl Failure {
    /// What a write without a reader does to a program that has no way to handle the signal.
    pub(crate) fn broken_pipe() -> Failure {
        Failure::Trap(Ended(ProcessEnd::Signalled(signal::PIPE)).into())
    }
}

impl From<Errno> for Failure {
    fn from(errno: Errno) -> Failure {
        Failure::Errno(errno)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Errno(error.into())
    }
}

impl From<ResourceTableError> for Failure {
    fn from(error: ResourceTableError) -> Failure {
        match error {
            ResourceTableError::Full => Failure::Errno(Errno::TooManyDescriptors),
            other => Failure::Trap(other.into()),
        }
    }
}

impl From<wasmtime::Error> for Failure {
    fn from(error: wasmtime::Error) -> Failure {
        Failure::Trap(error)
    }
}

impl types::Host for Guest {
    fn convert_errno(&mut self, failure: Failure) -> wasmtime::Result<Errno> {
        match failure {
            Failure::Errno(errno) => Ok(errno),
            Failure::Trap(error) => Err(error),
        }
    }
}

/// An errno on its way through a stream, where `filesystem-error-code` finds it again.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct StreamErrno(pub(crate) Error);

/// How the streams of a guest last failed: `wasi-libc` drops the error without asking what it was.
#[derive(Clone, Debug, Default)]
pub(crate) struct StreamFailure(Arc<Mutex<Option<Error>>>);

impl StreamFailure {
    /// What a failed read or write is to a stream.
    pub(crate) fn of(&self, error: Error) -> StreamError {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        match error {
            Error::BrokenPipe => {
                StreamError::Trap(Ended(ProcessEnd::Signalled(signal::PIPE)).into())
            }
            other => StreamError::LastOperationFailed(StreamErrno(other).into()),
        }
    }

    /// The last failure.
    pub(crate) fn last(&self) -> Option<Errno> {
        let last = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        last.map(Errno::from)
    }
}

impl From<Error> for Errno {
    fn from(error: Error) -> Errno {
        match error {
            Error::Access => Errno::Access,
            Error::Again => Errno::Again,
            Error::BadDescriptor => Errno::BadDescriptor,
            Error::Busy => Errno::Busy,
            Error::CrossDevice => Errno::CrossDevice,
            Error::Exist => Errno::Exist,
            Error::FileTooLarge => Errno::FileTooLarge,
            Error::Invalid => Errno::Invalid,
            Error::IsDirectory => Errno::IsDirectory,
            Error::TooManyLinks => Errno::TooManyLinks,
            Error::NameTooLong => Errno::NameTooLong,
            Error::NoEntry => Errno::NoEntry,
            Error::NoSpace => Errno::NoSpace,
            Error::NotDirectory => Errno::NotDirectory,
            Error::NotEmpty => Errno::NotEmpty,
            Error::NotPermitted => Errno::NotPermitted,
            Error::NotSupported => Errno::NotSupported,
            Error::NoDevice => Errno::NoDevice,
            Error::Overflow => Errno::Overflow,
            Error::BrokenPipe => Errno::BrokenPipe,
            Error::ReadOnly => Errno::ReadOnly,
            Error::CannotSeek => Errno::CannotSeek,
            _ => Errno::Io,
        }
    }
}

/// The other way, for what the embedder is told; what the filesystem does not know is `EIO`.
impl From<Errno> for Error {
    fn from(errno: Errno) -> Error {
        match errno {
            Errno::Access => Error::Access,
            Errno::IsDirectory => Error::IsDirectory,
            Errno::NameTooLong => Error::NameTooLong,
            Errno::NoEntry => Error::NoEntry,
            Errno::NotDirectory => Error::NotDirectory,
            Errno::NotPermitted => Error::NotPermitted,
            Errno::TooManyLinks => Error::TooManyLinks,
            Errno::Invalid => Error::Invalid,
            _ => Error::Io,
        }
    }
}

impl From<Errno> for ErrorCode {
    fn from(errno: Errno) -> ErrorCode {
        match errno {
            Errno::Access => ErrorCode::Access,
            Errno::Again | Errno::TooManyProcesses => ErrorCode::WouldBlock,
            Errno::BadDescriptor => ErrorCode::BadDescriptor,
            Errno::Busy => ErrorCode::Busy,
            Errno::CrossDevice => ErrorCode::CrossDevice,
            Errno::Exist => ErrorCode::Exist,
            Errno::FileTooLarge => ErrorCode::FileTooLarge,
            Errno::IllegalSequence => ErrorCode::IllegalByteSequence,
            Errno::Invalid | Errno::NoExec | Errno::Child | Errno::NoProcess => ErrorCode::Invalid,
            Errno::Io => ErrorCode::Io,
            Errno::IsDirectory => ErrorCode::IsDirectory,
            Errno::TooManyLinks => ErrorCode::Loop,
            // WASI has no EMFILE; a quota is the nearest.
            Errno::TooManyDescriptors => ErrorCode::Quota,
            Errno::NameTooLong => ErrorCode::NameTooLong,
            Errno::NoEntry => ErrorCode::NoEntry,
            Errno::NoMemory => ErrorCode::InsufficientMemory,
            Errno::NoSpace => ErrorCode::InsufficientSpace,
            Errno::NotDirectory => ErrorCode::NotDirectory,
            Errno::NotEmpty => ErrorCode::NotEmpty,
            Errno::NotPermitted => ErrorCode::NotPermitted,
            Errno::NotSupported => ErrorCode::Unsupported,
            Errno::NoDevice => ErrorCode::NoSuchDevice,
            Errno::Overflow | Errno::ArgumentsTooLong => ErrorCode::Overflow,
            Errno::BrokenPipe => ErrorCode::Pipe,
            Errno::ReadOnly => ErrorCode::ReadOnly,
            Errno::CannotSeek => ErrorCode::InvalidSeek,
            Errno::ConnectionRefused => ErrorCode::NoSuchDevice,
        }
    }
}

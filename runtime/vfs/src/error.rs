//! The one error type of the crate.

/// Why an operation failed, named after the POSIX error of the same meaning.
///
/// None of these is worth an immediate retry except [`Error::Again`], which says that a pipe has
/// nothing to give or no room.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The permission bits of the file or of a directory on its path refuse.
    #[error("permission denied")]
    Access,
    /// The operation would block; wait for readiness and try again.
    #[error("resource temporarily unavailable")]
    Again,
    /// The file is not open for this kind of access.
    #[error("bad file descriptor")]
    BadDescriptor,
    /// The file is in use, a mount point for instance.
    #[error("device or resource busy")]
    Busy,
    /// A link or rename across two mounts.
    #[error("invalid cross-device link")]
    CrossDevice,
    /// The path exists already.
    #[error("file exists")]
    Exist,
    /// Beyond the largest file size.
    #[error("file too large")]
    FileTooLarge,
    /// An argument without a meaning here.
    #[error("invalid argument")]
    Invalid,
    /// The host, or another source of a mount, failed.
    #[error("input/output error")]
    Io,
    /// A directory where a file is needed.
    #[error("is a directory")]
    IsDirectory,
    /// More than 40 symbolic links on one path.
    #[error("too many levels of symbolic links")]
    TooManyLinks,
    /// A name above 255 bytes or a path above 4,096.
    #[error("file name too long")]
    NameTooLong,
    /// No such file or directory.
    #[error("no such file or directory")]
    NoEntry,
    /// The quota of bytes or inodes is used up.
    #[error("no space left on device")]
    NoSpace,
    /// A file where a directory is needed.
    #[error("not a directory")]
    NotDirectory,
    /// The directory has entries.
    #[error("directory not empty")]
    NotEmpty,
    /// Only the owner or root may do this.
    #[error("operation not permitted")]
    NotPermitted,
    /// Not offered here.
    #[error("operation not supported")]
    NotSupported,
    /// No such device.
    #[error("no such device or address")]
    NoDevice,
    /// A value that does not fit.
    #[error("value too large for defined data type")]
    Overflow,
    /// A pipe without a reader.
    #[error("broken pipe")]
    BrokenPipe,
    /// The mount is read-only.
    #[error("read-only file system")]
    ReadOnly,
    /// The file cannot seek.
    #[error("illegal seek")]
    CannotSeek,
    /// The embedder asked for a host directory that is not mounted without explicit permission.
    #[error("this host directory is refused unless sensitive directories are allowed explicitly")]
    Refused,
    /// A path that is to be written to its owner's disk makes a host or an agent run something.
    #[error("it could make the host run something, and is not changed without permission")]
    Protected,
    /// The host has changed a path that is to be written.
    #[error("the host has changed it meanwhile")]
    Conflict,
    /// An archive names a path outside the directory that it is unpacked into, or a symbolic link leads out of its one.
    #[error("the archive names a path outside its directory")]
    PathEscape,
    /// An archive is damaged, or says something about its size that is not true.
    #[error("the archive is damaged")]
    Corrupt,
    /// Whoever asked for it gave up.
    #[error("nobody waits for it any more")]
    Cancelled,
}

impl Error {
    /// The stable code: the POSIX name, or for what only an embedder sees an upper-case word.
    pub fn code(self) -> &'static str {
        match self {
            Error::Access => "EACCES",
            Error::Again => "EAGAIN",
            Error::BadDescriptor => "EBADF",
            Error::Busy => "EBUSY",
            Error::CrossDevice => "EXDEV",
            Error::Exist => "EEXIST",
            Error::FileTooLarge => "EFBIG",
            Error::Invalid => "EINVAL",
            Error::Io => "EIO",
            Error::IsDirectory => "EISDIR",
            Error::TooManyLinks => "ELOOP",
            Error::NameTooLong => "ENAMETOOLONG",
            Error::NoEntry => "ENOENT",
            Error::NoSpace => "ENOSPC",
            Error::NotDirectory => "ENOTDIR",
            Error::NotEmpty => "ENOTEMPTY",
            Error::NotPermitted => "EPERM",
            Error::NotSupported => "ENOTSUP",
            Error::NoDevice => "ENXIO",
            Error::Overflow => "EOVERFLOW",
            Error::BrokenPipe => "EPIPE",
            Error::ReadOnly => "EROFS",
            Error::CannotSeek => "ESPIPE",
            Error::Refused => "POLICY_DENIED",
            Error::Protected => "POLICY_DENIED",
            Error::Conflict => "CONFLICT",
            Error::PathEscape => "PATH_ESCAPE",
            Error::Corrupt => "CORRUPT",
            Error::Cancelled => "CANCELLED",
        }
    }
}

/// The result of a filesystem operation.
pub type Result<T, E = Error> = std::result::Result<T, E>;

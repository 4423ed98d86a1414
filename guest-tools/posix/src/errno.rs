//! Why an operation of the system failed.

use std::fmt;

/// Why an operation failed, named after the POSIX error of the same meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Errno {
    /// EACCES
    Access,
    /// EAGAIN
    Again,
    /// EBADF
    BadDescriptor,
    /// EBUSY
    Busy,
    /// ECHILD
    Child,
    /// EXDEV
    CrossDevice,
    /// EEXIST
    Exist,
    /// EFBIG
    FileTooLarge,
    /// EILSEQ
    IllegalSequence,
    /// EINVAL
    Invalid,
    /// EIO
    Io,
    /// EISDIR
    IsDirectory,
    /// ELOOP
    TooManyLinks,
    /// EMFILE
    TooManyDescriptors,
    /// ENAMETOOLONG
    NameTooLong,
    /// ENOENT
    NoEntry,
    /// ENOEXEC
    NoExec,
    /// ENOMEM
    NoMemory,
    /// ENOSPC
    NoSpace,
    /// ESRCH
    NoProcess,
    /// ENOTDIR
    NotDirectory,
    /// ENOTEMPTY
    NotEmpty,
    /// EPERM
    NotPermitted,
    /// ENOTSUP
    NotSupported,
    /// ENXIO
    NoDevice,
    /// EOVERFLOW
    Overflow,
    /// EPIPE
    BrokenPipe,
    /// EROFS
    ReadOnly,
    /// ESPIPE
    CannotSeek,
    /// EAGAIN of fork
    TooManyProcesses,
    /// E2BIG
    ArgumentsTooLong,
    /// ECONNREFUSED
    ConnectionRefused,
}

impl Errno {
    /// The message that `strerror` of glibc gives, as bash and the GNU tools print it.
    ///
    /// ```
    /// use offshoot_posix::errno::Errno;
    ///
    /// assert_eq!(Errno::NoEntry.message(), "No such file or directory");
    /// ```
    pub fn message(self) -> &'static str {
        match self {
            Errno::Access => "Permission denied",
            Errno::Again => "Resource temporarily unavailable",
            Errno::BadDescriptor => "Bad file descriptor",
            Errno::Busy => "Device or resource busy",
            Errno::Child => "No child processes",
            Errno::CrossDevice => "Invalid cross-device link",
            Errno::Exist => "File exists",
            Errno::FileTooLarge => "File too large",
            Errno::IllegalSequence => "Invalid or incomplete multibyte or wide character",
            Errno::Invalid => "Invalid argument",
            Errno::Io => "Input/output error",
            Errno::IsDirectory => "Is a directory",
            Errno::TooManyLinks => "Too many levels of symbolic links",
            Errno::TooManyDescriptors => "Too many open files",
            Errno::NameTooLong => "File name too long",
            Errno::NoEntry => "No such file or directory",
            Errno::NoExec => "Exec format error",
            Errno::NoMemory => "Cannot allocate memory",
            Errno::NoSpace => "No space left on device",
            Errno::NoProcess => "No such process",
            Errno::NotDirectory => "Not a directory",
            Errno::NotEmpty => "Directory not empty",
            Errno::NotPermitted => "Operation not permitted",
            Errno::NotSupported => "Operation not supported",
            Errno::NoDevice => "No such device or address",
            Errno::Overflow => "Value too large for defined data type",
            Errno::BrokenPipe => "Broken pipe",
            Errno::ReadOnly => "Read-only file system",
            Errno::CannotSeek => "Illegal seek",
            Errno::TooManyProcesses => "Resource temporarily unavailable",
            Errno::ArgumentsTooLong => "Argument list too long",
            Errno::ConnectionRefused => "Connection refused",
        }
    }
}

impl fmt::Display for Errno {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message())
    }
}

impl AsRef<[u8]> for Errno {
    fn as_ref(&self) -> &[u8] {
        self.message().as_bytes()
    }
}

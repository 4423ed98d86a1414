//! Open files of a run.

use std::io::{self, Read, Seek, SeekFrom, Write};

use super::host::{Opening, host};
use crate::system::{Errno, Failure, Kind, Result, Stat};

/// An open file, closed when dropped; or a standard stream.
#[derive(Debug)]
pub struct File(u32);

impl File {
    /// Opens a file; the path is absolute.
    pub(super) fn open(path: &[u8], how: Opening) -> Result<File> {
        Ok(File(host()?.open(path, how)?))
    }

    /// A file that the host has opened.
    pub(super) fn opened(number: u32) -> File {
        File(number)
    }

    /// Its number at the host.
    pub fn number(&self) -> u32 {
        self.0
    }

    /// What is known of it.
    ///
    /// # Errors
    /// The run is over.
    pub fn metadata(&self) -> io::Result<Metadata> {
        let found = host().and_then(|host| host.stat_file(self.0));
        found.map(Metadata).map_err(error)
    }
}

/// What is known of an open file.
#[derive(Clone, Debug)]
pub struct Metadata(Stat);

#[allow(
    clippy::len_without_is_empty,
    reason = "as the standard library has it"
)]
impl Metadata {
    /// Bytes of content.
    pub fn len(&self) -> u64 {
        self.0.size
    }

    /// Whether it is a regular file.
    pub fn is_file(&self) -> bool {
        self.0.kind == Kind::Regular
    }
}

impl Drop for File {
    fn drop(&mut self) {
        // After the run its host has closed it.
        if let Ok(host) = host() {
            host.close(self.0);
        }
    }
}

/// What a failure is to who uses traits of the standard library. [`Failure`] is made of it again.
pub(crate) fn error(failure: Failure) -> io::Error {
    use io::ErrorKind as Kind;
    let kind = match failure.0 {
        Errno::NoEntry => Kind::NotFound,
        Errno::Access => Kind::PermissionDenied,
        Errno::Exist => Kind::AlreadyExists,
        Errno::IsDirectory => Kind::IsADirectory,
        Errno::NotDirectory => Kind::NotADirectory,
        Errno::NotEmpty => Kind::DirectoryNotEmpty,
        Errno::BrokenPipe => Kind::BrokenPipe,
        Errno::Invalid => Kind::InvalidInput,
        Errno::NoSpace => Kind::StorageFull,
        Errno::FileTooLarge => Kind::FileTooLarge,
        Errno::ReadOnly => Kind::ReadOnlyFilesystem,
        Errno::CannotSeek => Kind::NotSeekable,
        Errno::NotSupported => Kind::Unsupported,
        other => return io::Error::other(other.message()),
    };
    kind.into()
}

pub(crate) fn read(file: u32, buffer: &mut [u8]) -> io::Result<usize> {
    host()
        .and_then(|host| host.read(file, buffer))
        .map_err(error)
}

pub(crate) fn write(file: u32, bytes: &[u8]) -> io::Result<usize> {
    host()
        .and_then(|host| host.write(file, bytes))
        .map_err(error)
}

impl Read for File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        read(self.0, buffer)
    }
}

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        write(self.0, bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for File {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        host().and_then(|host| host.seek(self.0, to)).map_err(error)
    }
}

/// An open file for a child.
pub type Handle = File;

/// A standard stream as it is: no more is read and written than is asked for.
pub type Standard = File;

/// Standard input (0), output (1) or error (2) without a buffer, for who shares it with others. Its end closes nothing.
pub fn standard(descriptor: u32) -> Result<Standard> {
    Ok(File(descriptor))
}

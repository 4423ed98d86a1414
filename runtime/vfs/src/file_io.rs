//! Open files as the standard library's readers and writers.

use std::io::{self, Read, Seek, SeekFrom, Write};

use crate::{Error, File};

impl Read for File {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        Ok(File::read(self, buffer)?)
    }
}

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(File::write(self, bytes)?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for File {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        Ok(File::seek(self, to)?)
    }
}

impl From<Error> for io::Error {
    fn from(error: Error) -> io::Error {
        use io::ErrorKind as K;
        let kind = match error {
            Error::Access | Error::NotPermitted | Error::Refused | Error::Protected => {
                K::PermissionDenied
            }
            Error::Again => K::WouldBlock,
            Error::Busy => K::ResourceBusy,
            Error::CrossDevice => K::CrossesDevices,
            Error::Exist => K::AlreadyExists,
            Error::FileTooLarge => K::FileTooLarge,
            Error::BadDescriptor | Error::Invalid | Error::Overflow => K::InvalidInput,
            Error::IsDirectory => K::IsADirectory,
            Error::NameTooLong => K::InvalidFilename,
            Error::NoEntry | Error::NoDevice => K::NotFound,
            Error::NoSpace => K::StorageFull,
            Error::NotDirectory => K::NotADirectory,
            Error::NotEmpty => K::DirectoryNotEmpty,
            Error::NotSupported => K::Unsupported,
            Error::BrokenPipe => K::BrokenPipe,
            Error::ReadOnly => K::ReadOnlyFilesystem,
            Error::CannotSeek => K::NotSeekable,
            Error::Corrupt | Error::PathEscape => K::InvalidData,
            Error::Io | Error::TooManyLinks | Error::Cancelled | Error::Conflict => K::Other,
        };
        io::Error::new(kind, error)
    }
}

//! Open files.

use std::io::SeekFrom;

use offshoot_vfs::File;

use crate::bindings::exports::offshoot::web::trees::{Caller, GuestFile, Special};
use crate::bindings::offshoot::sandbox::types::{Errno, FileKind, FileStat};
use crate::bindings::offshoot::sandbox::vfs::{DirectoryEntry, NewTime, Whence};
use crate::convert;

/// Bytes that one call reads at most.
const READ_BYTES: usize = 1 << 20;

/// An open file as a resource.
pub(crate) struct OpenFile(pub(crate) File);

impl OpenFile {
    /// Reads what `read` puts into a buffer of at most `most` bytes.
    fn buffered(
        most: u32,
        read: impl FnOnce(&mut [u8]) -> offshoot_vfs::Result<usize>,
    ) -> Result<Vec<u8>, Errno> {
        let mut buffer = vec![0; (most as usize).min(READ_BYTES)];
        let count = read(&mut buffer)?;
        buffer.truncate(count);
        Ok(buffer)
    }
}

/// How many bytes were taken.
fn counted(count: offshoot_vfs::Result<usize>) -> Result<u32, Errno> {
    u32::try_from(count?).map_err(|_| Errno::Overflow)
}

impl GuestFile for OpenFile {
    fn kind(&self) -> FileKind {
        self.0.kind().into()
    }

    fn special(&self) -> Special {
        convert::special(&self.0)
    }

    fn read(&self, most: u32) -> Result<Vec<u8>, Errno> {
        Self::buffered(most, |buffer| self.0.read(buffer))
    }

    fn read_at(&self, position: u64, most: u32) -> Result<Vec<u8>, Errno> {
        Self::buffered(most, |buffer| self.0.read_at(position, buffer))
    }

    fn write(&self, bytes: Vec<u8>) -> Result<u32, Errno> {
        counted(self.0.write(&bytes))
    }

    fn write_at(&self, position: u64, bytes: Vec<u8>) -> Result<u32, Errno> {
        counted(self.0.write_at(position, &bytes))
    }

    fn append(&self, bytes: Vec<u8>) -> Result<u32, Errno> {
        counted(self.0.append(&bytes))
    }

    fn seek(&self, offset: i64, whence: Whence) -> Result<u64, Errno> {
        let to = match whence {
            Whence::Start => SeekFrom::Start(u64::try_from(offset).map_err(|_| Errno::Invalid)?),
            Whence::Current => SeekFrom::Current(offset),
            Whence::End => SeekFrom::End(offset),
        };
        Ok(self.0.seek(to)?)
    }

    fn stat(&self) -> Result<FileStat, Errno> {
        Ok(self.0.metadata()?.into())
    }

    fn set_size(&self, size: u64) -> Result<(), Errno> {
        Ok(self.0.set_size(size)?)
    }

    fn set_times(&self, caller: Caller, accessed: NewTime, modified: NewTime) -> Result<(), Errno> {
        let (accessed, modified) = (convert::new_time(accessed)?, convert::new_time(modified)?);
        Ok(self.0.set_times(&caller.into(), accessed, modified)?)
    }

    fn read_directory(&self) -> Result<Vec<DirectoryEntry>, Errno> {
        Ok(self.0.read_dir()?.into_iter().map(Into::into).collect())
    }

    fn is_readable(&self) -> bool {
        let ready = |reader: &offshoot_vfs::PipeReader| reader.is_readable();
        self.is_met() && self.0.pipe_reader().is_none_or(ready)
    }

    fn is_writable(&self) -> bool {
        let ready = |writer: &offshoot_vfs::PipeWriter| writer.is_writable();
        self.is_met() && self.0.pipe_writer().is_none_or(ready)
    }

    fn is_met(&self) -> bool {
        self.0.pipe().is_none() || self.0.has_met()
    }
}

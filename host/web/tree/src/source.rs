//! Files that the host makes when somebody looks.

use std::sync::Arc;

use offshoot_vfs::{Device, Error, Kind, Result, Source, SourceFile, SourceStat, Timestamp, Views};

use crate::bindings::offshoot::sandbox::types::{Errno, FileKind};
use crate::bindings::offshoot::web::sources;

/// Bytes that one call asks the host for at most.
const READ_BYTES: usize = 1 << 20;

/// A source of the host, as one process sees it.
pub(crate) struct HostSource {
    pub(crate) number: u32,
    pub(crate) process: u32,
}

/// A source of the host that shows each process something else.
pub(crate) struct HostViews(pub(crate) u32);

impl Views for HostViews {
    fn view(self: Arc<Self>, process: u32) -> Arc<dyn Source> {
        let number = self.0;
        Arc::new(HostSource { number, process })
    }
}

impl Source for HostSource {
    fn stat(&self, path: &[u8]) -> Result<SourceStat> {
        let stat = sources::stat(self.number, self.process, path).map_err(error)?;
        let (kind, device) = match stat.kind {
            FileKind::Regular => (Kind::Regular, None),
            FileKind::Directory => (Kind::Directory, None),
            FileKind::Symlink => (Kind::Symlink, None),
            FileKind::CharacterDevice => (Kind::Device, Some(Device::Descriptor(stat.descriptor))),
            FileKind::Fifo => return Err(Error::NotSupported),
        };
        Ok(SourceStat {
            device,
            uid: stat.uid,
            gid: stat.gid,
            size: stat.size,
            modified: Timestamp {
                seconds: stat.modified.seconds,
                nanoseconds: stat.modified.nanoseconds,
            },
            ..SourceStat::new(kind, stat.mode)
        })
    }

    fn read_dir(&self, path: &[u8]) -> Result<Vec<Vec<u8>>> {
        sources::read_directory(self.number, self.process, path).map_err(error)
    }

    fn read_link(&self, path: &[u8]) -> Result<Vec<u8>> {
        sources::read_link(self.number, self.process, path).map_err(error)
    }

    fn open(&self, path: &[u8]) -> Result<Arc<dyn SourceFile>> {
        let file = sources::open(self.number, self.process, path).map_err(error)?;
        Ok(Arc::new(HostFile(file)))
    }
}

/// A file that the host has open for this component.
struct HostFile(u32);

impl SourceFile for HostFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let most = buffer.len().min(READ_BYTES);
        let bytes = sources::read_at(self.0, offset, most as u32).map_err(error)?;
        let count = bytes.len().min(most);
        buffer[..count].copy_from_slice(&bytes[..count]);
        Ok(count)
    }
}

impl Drop for HostFile {
    fn drop(&mut self) {
        sources::close(self.0);
    }
}

/// What the host answered, as the filesystem has it.
fn error(errno: Errno) -> Error {
    match errno {
        Errno::Access => Error::Access,
        Errno::Invalid => Error::Invalid,
        Errno::IsDirectory => Error::IsDirectory,
        Errno::NoEntry => Error::NoEntry,
        Errno::NotDirectory => Error::NotDirectory,
        Errno::NotPermitted => Error::NotPermitted,
        Errno::NotSupported => Error::NotSupported,
        _ => Error::Io,
    }
}

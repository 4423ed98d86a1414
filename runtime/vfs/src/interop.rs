//! Bridges to and from the `vfs` crate.

use std::fmt;
use std::io::{Read, Seek, SeekFrom};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use vfs::error::VfsErrorKind;
use vfs::{FileSystem, SeekAndRead, SeekAndWrite, VfsFileType, VfsMetadata, VfsResult};

use crate::{
    Caller, Error, Kind, NewTime, OpenOptions, Result, Source, SourceFile, SourceStat, Timestamp,
    Vfs,
};

/// Any filesystem of the `vfs` crate as a [`Source`], to be mounted live or as an overlay.
///
/// That crate knows no modes, owners and links: directories have mode 755, files 644.
#[derive(Debug)]
pub struct FileSystemSource<F>(pub F);

/// That crate's paths are text, start with a slash, and the root is empty.
fn text(path: &[u8]) -> Result<String> {
    match path {
        [] => Ok(String::new()),
        _ => Ok(format!(
            "/{}",
            std::str::from_utf8(path).map_err(|_| Error::NoEntry)?
        )),
    }
}

impl<F: FileSystem> Source for FileSystemSource<F> {
    fn stat(&self, path: &[u8]) -> Result<SourceStat> {
        let metadata = self
            .0
            .metadata(&text(path)?)
            .map_err(|error| error_of(error.kind()))?;
        let (kind, mode) = match metadata.file_type {
            VfsFileType::File => (Kind::Regular, 0o644),
            VfsFileType::Directory => (Kind::Directory, 0o755),
        };
        let since = metadata
            .modified
            .and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let since = since.unwrap_or_default();
        let modified = Timestamp {
            seconds: since.as_secs() as i64,
            nanoseconds: since.subsec_nanos(),
        };
        Ok(SourceStat {
            size: metadata.len,
            modified,
            ..SourceStat::new(kind, mode)
        })
    }

    fn read_dir(&self, path: &[u8]) -> Result<Vec<Vec<u8>>> {
        let names = self
            .0
            .read_dir(&text(path)?)
            .map_err(|error| error_of(error.kind()))?;
        Ok(names.map(String::into_bytes).collect())
    }

    fn read_link(&self, _path: &[u8]) -> Result<Vec<u8>> {
        Err(Error::Invalid)
    }

    fn open(&self, path: &[u8]) -> Result<Arc<dyn SourceFile>> {
        let file = self
            .0
            .open_file(&text(path)?)
            .map_err(|error| error_of(error.kind()))?;
        Ok(Arc::new(Opened(Mutex::new(file))))
    }
}

struct Opened(Mutex<Box<dyn SeekAndRead + Send>>);

impl SourceFile for Opened {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(offset)).map_err(|_| Error::Io)?;
        file.read(buffer).map_err(|_| Error::Io)
    }
}

fn error_of(kind: &VfsErrorKind) -> Error {
    match kind {
        VfsErrorKind::FileNotFound => Error::NoEntry,
        VfsErrorKind::InvalidPath => Error::Invalid,
        VfsErrorKind::DirectoryExists | VfsErrorKind::FileExists => Error::Exist,
        VfsErrorKind::NotSupported => Error::NotSupported,
        VfsErrorKind::IoError(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Error::NoEntry
        }
        _ => Error::Io,
    }
}

/// A [`Vfs`] as a filesystem of the `vfs` crate, on behalf of one caller.
///
/// Names that are not UTF-8 are left out of listings, symbolic links are followed.
pub struct AsFileSystem {
    vfs: Vfs,
    caller: Caller,
}

impl AsFileSystem {
    /// The whole tree of `vfs`, as `caller` may use it.
    pub fn new(vfs: Vfs, caller: Caller) -> AsFileSystem {
        AsFileSystem { vfs, caller }
    }

    fn run<T>(
        &self,
        path: &str,
        operation: impl FnOnce(&Vfs, &Caller, &[u8]) -> Result<T>,
    ) -> VfsResult<T> {
        let path = if path.is_empty() { "/" } else { path };
        operation(&self.vfs, &self.caller, path.as_bytes()).map_err(|error| {
            vfs::VfsError::from(match error {
                Error::NoEntry => VfsErrorKind::FileNotFound,
                Error::NotSupported => VfsErrorKind::NotSupported,
                other => VfsErrorKind::IoError(other.into()),
            })
        })
    }

    fn write(&self, path: &str, options: OpenOptions) -> VfsResult<Box<dyn SeekAndWrite + Send>> {
        let file = self.run(path, |vfs, who, path| {
            vfs.open(who, vfs.root(), path, &options, 0o666)
        })?;
        Ok(Box::new(file))
    }

    fn set_times(&self, path: &str, accessed: NewTime, modified: NewTime) -> VfsResult<()> {
        self.run(path, |vfs, who, path| {
            vfs.set_times(who, vfs.root(), path, accessed, modified, true)
        })
    }
}

impl fmt::Debug for AsFileSystem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AsFileSystem")
            .field("vfs", &self.vfs)
            .finish_non_exhaustive()
    }
}

impl FileSystem for AsFileSystem {
    fn read_dir(&self, path: &str) -> VfsResult<Box<dyn Iterator<Item = String> + Send>> {
        let entries = self.run(path, |vfs, who, path| vfs.read_dir(who, vfs.root(), path))?;
        let names = entries
            .into_iter()
            .filter_map(|entry| String::from_utf8(entry.name).ok());
        Ok(Box::new(names))
    }

    fn create_dir(&self, path: &str) -> VfsResult<()> {
        let made = self
            .vfs
            .create_dir(&self.caller, self.vfs.root(), path.as_bytes(), 0o777);
        if made == Err(Error::Exist) {
            let metadata = self.metadata(path)?;
            return Err(match metadata.file_type {
                VfsFileType::Directory => VfsErrorKind::DirectoryExists.into(),
                VfsFileType::File => VfsErrorKind::FileExists.into(),
            });
        }
        self.run(path, |_, _, _| made)
    }

    fn open_file(&self, path: &str) -> VfsResult<Box<dyn SeekAndRead + Send>> {
        let options = OpenOptions::READ;
        let file = self.run(path, |vfs, who, path| {
            vfs.open(who, vfs.root(), path, &options, 0)
        })?;
        Ok(Box::new(file))
    }

    fn create_file(&self, path: &str) -> VfsResult<Box<dyn SeekAndWrite + Send>> {
        self.write(path, OpenOptions::WRITE)
    }

    fn append_file(&self, path: &str) -> VfsResult<Box<dyn SeekAndWrite + Send>> {
        self.write(
            path,
            OpenOptions {
                create: false,
                ..OpenOptions::APPEND
            },
        )
    }

    fn metadata(&self, path: &str) -> VfsResult<VfsMetadata> {
        let metadata = self.run(path, |vfs, who, path| vfs.stat(who, vfs.root(), path, true))?;
        let directory = metadata.kind == Kind::Directory;
        Ok(VfsMetadata {
            file_type: if directory {
                VfsFileType::Directory
            } else {
                VfsFileType::File
            },
            len: if directory { 0 } else { metadata.size },
            created: system_time(metadata.created),
            modified: system_time(metadata.modified),
            accessed: system_time(metadata.accessed),
        })
    }

    fn set_modification_time(&self, path: &str, time: SystemTime) -> VfsResult<()> {
        self.set_times(path, NewTime::Keep, new_time(time))
    }

    fn set_access_time(&self, path: &str, time: SystemTime) -> VfsResult<()> {
        self.set_times(path, new_time(time), NewTime::Keep)
    }

    fn exists(&self, path: &str) -> VfsResult<bool> {
        match self.run(path, |vfs, who, path| {
            Ok(vfs.stat(who, vfs.root(), path, true))
        }) {
            Ok(Err(Error::NoEntry | Error::NotDirectory)) => Ok(false),
            Ok(found) => self.run(path, |_, _, _| found.map(|_| true)),
            Err(error) => Err(error),
        }
    }

    fn remove_file(&self, path: &str) -> VfsResult<()> {
        self.run(path, |vfs, who, path| vfs.unlink(who, vfs.root(), path))
    }

    fn remove_dir(&self, path: &str) -> VfsResult<()> {
        self.run(path, |vfs, who, path| vfs.remove_dir(who, vfs.root(), path))
    }

    fn move_file(&self, from: &str, to: &str) -> VfsResult<()> {
        self.run(from, |vfs, who, from| {
            vfs.rename(who, (vfs.root(), from), (vfs.root(), to.as_bytes()))
        })
    }

    fn move_dir(&self, from: &str, to: &str) -> VfsResult<()> {
        self.move_file(from, to)
    }
}

fn system_time(time: Timestamp) -> Option<SystemTime> {
    let since = Duration::new(u64::try_from(time.seconds).ok()?, time.nanoseconds);
    UNIX_EPOCH.checked_add(since)
}

fn new_time(time: SystemTime) -> NewTime {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    NewTime::At(Timestamp {
        seconds: since.as_secs() as i64,
        nanoseconds: since.subsec_nanos(),
    })
}

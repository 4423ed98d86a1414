//! What a mount can read from: one trait for host directories, synthetic files and other crates'
//! filesystems.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::{Device, Error, Kind, Result, Timestamp};

/// Files that a mount reads through to.
///
/// Paths are relative to the source's root, without a leading slash, `.` or `..`; the root is the
/// empty path. Symbolic links are not followed: the filesystem resolves them itself, inside its own
/// tree. [`Source::stat`], [`Source::read_dir`] and [`Source::read_link`] run under the lock of the
/// filesystem, so they must be quick and must not call back into it.
pub trait Source: Send + Sync {
    /// What a path is; of a symbolic link, the link itself.
    ///
    /// # Errors
    /// `ENOENT` where there is nothing that may be seen.
    fn stat(&self, path: &[u8]) -> Result<SourceStat>;

    /// The names in a directory, in any order.
    ///
    /// # Errors
    /// `ENOENT`, `ENOTDIR`.
    fn read_dir(&self, path: &[u8]) -> Result<Vec<Vec<u8>>>;

    /// The target of a symbolic link.
    ///
    /// # Errors
    /// `ENOENT`, `EINVAL` for anything else.
    fn read_link(&self, path: &[u8]) -> Result<Vec<u8>>;

    /// Opens a regular file for reading.
    ///
    /// # Errors
    /// `ENOENT`, `EACCES`.
    fn open(&self, path: &[u8]) -> Result<Arc<dyn SourceFile>>;
}

/// An open file of a [`Source`].
pub trait SourceFile: Send + Sync {
    /// Reads at most `buffer.len()` bytes at `offset`; 0 is the end.
    ///
    /// # Errors
    /// `EIO` where the source fails.
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize>;
}

impl SourceFile for Vec<u8> {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        let rest = usize::try_from(offset)
            .ok()
            .and_then(|offset| self.get(offset..));
        let rest = rest.unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }
}

/// What a [`Source`] says about a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceStat {
    /// The kind of file.
    pub kind: Kind,
    /// Which device, where `kind` is [`Kind::Device`].
    pub device: Option<Device>,
    /// Permission bits.
    pub mode: u32,
    /// Owner.
    pub uid: u32,
    /// Group.
    pub gid: u32,
    /// Length in bytes; 0 where it is only known by reading, as in `/proc`.
    pub size: u64,
    /// Last change of the content.
    pub modified: Timestamp,
}

impl SourceStat {
    /// A file or directory of root's, from the beginning of time.
    pub fn new(kind: Kind, mode: u32) -> SourceStat {
        let modified = Timestamp::default();
        SourceStat {
            kind,
            device: None,
            mode,
            uid: 0,
            gid: 0,
            size: 0,
            modified,
        }
    }
}

/// What [`crate::Mount::views`] shows in one filesystem, which may depend on who looks, as
/// `/proc/self` does.
pub trait Views: Send + Sync {
    /// What the process of this number sees ([`crate::Caller::process`]). Asked under the lock of the
    /// filesystem, once for each name that is looked up.
    fn view(self: Arc<Self>, process: u32) -> Arc<dyn Source>;
}

/// A source without files.
pub(crate) struct Nothing;

impl Source for Nothing {
    fn stat(&self, path: &[u8]) -> Result<SourceStat> {
        match path {
            b"" => Ok(SourceStat::new(Kind::Directory, 0o555)),
            _ => Err(Error::NoEntry),
        }
    }

    fn read_dir(&self, _path: &[u8]) -> Result<Vec<Vec<u8>>> {
        Ok(Vec::new())
    }

    fn read_link(&self, _path: &[u8]) -> Result<Vec<u8>> {
        Err(Error::NoEntry)
    }

    fn open(&self, _path: &[u8]) -> Result<Arc<dyn SourceFile>> {
        Err(Error::NoEntry)
    }
}

/// Makes the content of one synthetic file, once for each opening.
type Generator = Arc<dyn Fn() -> Vec<u8> + Send + Sync>;

/// Read-only files whose content is made when they are opened: what `/proc` consists of.
///
/// ```
/// use offshoot_vfs::{Caller, Mount, Options, SyntheticFiles, Vfs};
///
/// let fs = Vfs::new(Options::default());
/// fs.create_dir(&Caller::ROOT, fs.root(), b"/proc", 0o555)?;
/// let proc = SyntheticFiles::new().file(b"sys/kernel/ostype", || b"Linux\n".to_vec());
/// fs.mount(&Caller::ROOT, b"/proc", Mount::source(proc))?;
/// assert_eq!(fs.read_file(&Caller::ROOT, fs.root(), b"/proc/sys/kernel/ostype")?, b"Linux\n");
/// # Ok::<(), offshoot_vfs::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct SyntheticFiles {
    files: BTreeMap<Vec<u8>, Generator>,
}

impl SyntheticFiles {
    /// An empty set.
    pub fn new() -> SyntheticFiles {
        SyntheticFiles::default()
    }

    /// Adds a file, and the directories on its path.
    #[must_use]
    pub fn file(
        mut self,
        path: &[u8],
        content: impl Fn() -> Vec<u8> + Send + Sync + 'static,
    ) -> SyntheticFiles {
        self.files.insert(path.to_vec(), Arc::new(content));
        self
    }

    /// The parts of file paths that come after directory `path`.
    fn below<'a>(&'a self, path: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        self.files.keys().filter_map(move |file| match path {
            [] => Some(&file[..]),
            _ => file.strip_prefix(path)?.strip_prefix(b"/"),
        })
    }
}

impl Source for SyntheticFiles {
    fn stat(&self, path: &[u8]) -> Result<SourceStat> {
        if self.files.contains_key(path) {
            return Ok(SourceStat::new(Kind::Regular, 0o444));
        }
        let directory = path.is_empty() || self.below(path).next().is_some();
        if directory {
            Ok(SourceStat::new(Kind::Directory, 0o555))
        } else {
            Err(Error::NoEntry)
        }
    }

    fn read_dir(&self, path: &[u8]) -> Result<Vec<Vec<u8>>> {
        let first = |rest: &[u8]| rest.split(|&byte| byte == b'/').next().map(<[u8]>::to_vec);
        let mut names: Vec<_> = self.below(path).filter_map(first).collect();
        names.dedup();
        Ok(names)
    }

    fn read_link(&self, _path: &[u8]) -> Result<Vec<u8>> {
        Err(Error::Invalid)
    }

    fn open(&self, path: &[u8]) -> Result<Arc<dyn SourceFile>> {
        let content = self.files.get(path).ok_or(Error::NoEntry)?;
        Ok(Arc::new(content()))
    }
}

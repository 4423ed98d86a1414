//! The few file operations that a store makes itself, as a trait, so that a test can make each of
//! them fail.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::permission;

/// Files of a directory. Paths are relative to it.
pub trait Disk: Send + Sync {
    /// Makes a directory where it is missing.
    ///
    /// # Errors
    /// Those of the medium, as for all of these.
    fn create_dir(&self, path: &Path) -> io::Result<()>;

    /// Makes a file with this content, or replaces it.
    ///
    /// # Errors
    /// Those of the medium.
    fn write(&self, path: &Path, content: &[u8]) -> io::Result<()>;

    /// Makes a file's content durable.
    ///
    /// # Errors
    /// Those of the medium.
    fn sync(&self, path: &Path) -> io::Result<()>;

    /// Makes the names in a directory durable.
    ///
    /// # Errors
    /// Those of the medium.
    fn sync_dir(&self, path: &Path) -> io::Result<()>;

    /// Moves a file, replacing what is there.
    ///
    /// # Errors
    /// Those of the medium.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// A file's content.
    ///
    /// # Errors
    /// Those of the medium.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Removes a file.
    ///
    /// # Errors
    /// Those of the medium.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// The names in a directory.
    ///
    /// # Errors
    /// Those of the medium.
    fn list(&self, path: &Path) -> io::Result<Vec<String>>;
}

/// A directory of the host.
#[derive(Debug, Clone)]
pub struct HostDisk {
    root: PathBuf,
}

impl HostDisk {
    /// The directory at this path.
    pub fn new(root: impl Into<PathBuf>) -> HostDisk {
        HostDisk { root: root.into() }
    }
}

impl Disk for HostDisk {
    fn create_dir(&self, path: &Path) -> io::Result<()> {
        permission::create_dir(&self.root.join(path))
    }

    fn write(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        let mut options = File::options();
        options.write(true).create(true).truncate(true);
        let mut file = permission::private(&mut options).open(self.root.join(path))?;
        file.write_all(content)
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        File::options()
            .write(true)
            .open(self.root.join(path))?
            .sync_all()
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        // Windows keeps names durable by itself, and opens no directories.
        if cfg!(unix) {
            File::open(self.root.join(path))?.sync_all()?;
        }
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(self.root.join(from), self.root.join(to))
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let mut content = Vec::new();
        File::open(self.root.join(path))?.read_to_end(&mut content)?;
        Ok(content)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(self.root.join(path))
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        let entries = fs::read_dir(self.root.join(path))?;
        let name =
            |entry: io::Result<fs::DirEntry>| Ok(entry?.file_name().to_string_lossy().into_owned());
        entries.map(name).collect()
    }
}

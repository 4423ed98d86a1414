//! Directories of the host as a source.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cap_std::ambient_authority;
use cap_std::fs::{Dir, Metadata};

use crate::{Error, Kind, Result, Source, SourceFile, SourceStat, Timestamp};

/// Directories that hold the system's or the user's secrets, or devices; refused with all that is
/// inside and all that contains them.
const SYSTEM: [&str; 20] = [
    "/boot",
    "/dev",
    "/etc",
    "/proc",
    "/run",
    "/sys",
    "/var/backups",
    "/var/cache",
    "/var/db",
    "/var/lib",
    "/var/log",
    "/var/mail",
    "/var/run",
    "/var/spool",
    "/private/etc",
    "/private/var/db",
    "/private/var/log",
    "/private/var/root",
    "/Library",
    "/System",
];
/// Where users' home directories are.
const HOMES: [&str; 2] = ["/home", "/Users"];
/// Names of directories with keys and tokens, wherever they are.
const SECRET: [&str; 18] = [
    ".aws",
    ".azure",
    ".cargo",
    ".config",
    ".docker",
    ".gem",
    ".git-credentials",
    ".gnupg",
    ".gradle",
    ".kube",
    ".m2",
    ".mozilla",
    ".netrc",
    ".oci",
    ".password-store",
    ".pki",
    ".ssh",
    ".terraform.d",
];

/// Names of directories that only a user's home directory has, wherever that is.
const KEYS: [&str; 6] = [
    ".aws",
    ".azure",
    ".gnupg",
    ".kube",
    ".password-store",
    ".ssh",
];
/// Entries of a directory that are looked at for being home directories.
const LOOKED_AT: usize = 1024;

/// A directory of the host, opened once. Nothing outside it can be reached through it, whatever
/// symbolic links it has and whoever swaps them: every access goes through `cap-std`.
///
/// Regular files, directories and symbolic links are seen; devices, sockets and pipes are not.
/// Symbolic links are resolved by the filesystem in the guest's tree, never on the host.
#[derive(Debug, Clone)]
pub struct HostDirectory {
    pub(crate) root: Arc<Dir>,
}

impl HostDirectory {
    /// Opens a directory.
    ///
    /// # Errors
    /// [`Error::Refused`] for `/`, system directories such as `/etc`, home directories as a whole,
    /// and directories with secrets such as `.ssh` and `.aws` ([`HostDirectory::open_sensitive`]
    /// opens these); `ENOENT`, `EACCES`, `ENOTDIR`.
    pub fn open(path: impl AsRef<Path>) -> Result<HostDirectory> {
        let path = path
            .as_ref()
            .canonicalize()
            .map_err(|error| error_of(&error))?;
        let home = std::env::home_dir().and_then(|home| home.canonicalize().ok());
        if is_sensitive(&path, home.as_deref()) || holds_keys(&path) {
            return Err(Error::Refused);
        }
        HostDirectory::open_sensitive(path)
    }

    /// Opens any directory: for an embedder that was told this very directory by its user.
    ///
    /// # Errors
    /// `ENOENT`, `EACCES`, `ENOTDIR`.
    pub fn open_sensitive(path: impl AsRef<Path>) -> Result<HostDirectory> {
        let root = Dir::open_ambient_dir(path, ambient_authority());
        let root = root.map_err(|error| error_of(&error))?;
        Ok(HostDirectory {
            root: Arc::new(root),
        })
    }

    /// What is at a path now and when it was changed last: none where there is nothing, and no kind for what no guest
    /// sees.
    pub(crate) fn look(&self, path: &[u8]) -> Result<Option<(Option<Kind>, Timestamp)>> {
        let metadata = match self.metadata(path) {
            Err(Error::NoEntry | Error::NotDirectory) => return Ok(None),
            metadata => metadata?,
        };
        let modified = metadata.modified().map(|time| timestamp(time.into_std()));
        Ok(Some((kind_of(&metadata), modified.unwrap_or_default())))
    }

    fn metadata(&self, path: &[u8]) -> Result<Metadata> {
        let metadata = match path {
            [] => self.root.dir_metadata(),
            _ => self.root.symlink_metadata(host_path(path)?),
        };
        metadata.map_err(|error| error_of(&error))
    }
}

/// Whether mounting `path` would hand secrets to a guest.
fn is_sensitive(path: &Path, home: Option<&Path>) -> bool {
    let overlaps = |other: &&str| path.starts_with(other) || Path::new(other).starts_with(path);
    let is_home = home.is_some_and(|home| home.starts_with(path))
        || path == Path::new("/root")
        || HOMES
            .iter()
            .any(|homes| path.parent() == Some(Path::new(homes)))
        || HOMES.iter().any(|homes| Path::new(homes).starts_with(path));
    let secret = |name: &OsStr| SECRET.iter().any(|secret| name == OsStr::new(secret));
    path.parent().is_none() || SYSTEM.iter().any(overlaps) || is_home || path.iter().any(secret)
}

/// Whether a directory is somebody's home, by what is in it, or has homes in it (T12).
fn holds_keys(path: &Path) -> bool {
    let is_home = |path: &Path| KEYS.iter().any(|name| path.join(name).is_dir());
    let below = std::fs::read_dir(path).into_iter().flatten();
    let below = below.filter_map(|entry| entry.ok()).take(LOOKED_AT);
    let own = |entry: &std::fs::DirEntry| entry.file_type().is_ok_and(|kind| kind.is_dir());
    is_home(path) || below.filter(own).any(|entry| is_home(&entry.path()))
}

impl Source for HostDirectory {
    fn stat(&self, path: &[u8]) -> Result<SourceStat> {
        let metadata = self.metadata(path)?;
        let kind = kind_of(&metadata).ok_or(Error::NoEntry)?;
        let modified = metadata.modified().map(|time| timestamp(time.into_std()));
        Ok(SourceStat {
            size: metadata.len(),
            modified: modified.unwrap_or_default(),
            ..SourceStat::new(kind, mode_of(&metadata))
        })
    }

    fn read_dir(&self, path: &[u8]) -> Result<Vec<Vec<u8>>> {
        let entries = match path {
            [] => self.root.entries(),
            _ => self.root.read_dir(host_path(path)?),
        };
        let name = |entry: io::Result<cap_std::fs::DirEntry>| {
            entry
                .map(|entry| bytes_of(entry.file_name().as_os_str()))
                .map_err(|error| error_of(&error))
        };
        entries
            .map_err(|error| error_of(&error))?
            .map(name)
            .collect()
    }

    fn read_link(&self, path: &[u8]) -> Result<Vec<u8>> {
        let target = self.root.read_link_contents(host_path(path)?);
        target
            .map(|target| bytes_of(target.as_os_str()))
            .map_err(|error| error_of(&error))
    }

    fn open(&self, path: &[u8]) -> Result<Arc<dyn SourceFile>> {
        // What is no file is not touched: opening a device may do something.
        if !self.metadata(path)?.is_file() {
            return Err(Error::NoEntry);
        }
        let file = self
            .root
            .open_with(host_path(path)?, &reading())
            .map_err(|error| error_of(&error))?;
        // Somebody may have put something else in its place since (T52).
        let opened = file.metadata().map_err(|error| error_of(&error))?;
        if !opened.is_file() {
            return Err(Error::NoEntry);
        }
        Ok(Arc::new(HostFile(file.into_std())))
    }
}

/// How files are opened for reading: a pipe in the place of one is not waited for.
pub(crate) fn reading() -> cap_std::fs::OpenOptions {
    let mut options = cap_std::fs::OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use cap_std::fs::OpenOptionsExt;
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits() as i32);
    }
    options
}

struct HostFile(std::fs::File);

impl SourceFile for HostFile {
    #[cfg(unix)]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        use std::os::unix::fs::FileExt;
        self.0
            .read_at(buffer, offset)
            .map_err(|error| error_of(&error))
    }

    #[cfg(windows)]
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> Result<usize> {
        use std::os::windows::fs::FileExt;
        self.0
            .seek_read(buffer, offset)
            .map_err(|error| error_of(&error))
    }
}

/// None for what no guest sees.
fn kind_of(metadata: &Metadata) -> Option<Kind> {
    match metadata.file_type() {
        kind if kind.is_file() => Some(Kind::Regular),
        kind if kind.is_dir() => Some(Kind::Directory),
        kind if kind.is_symlink() => Some(Kind::Symlink),
        _ => None,
    }
}

#[cfg(unix)]
fn mode_of(metadata: &Metadata) -> u32 {
    use cap_std::fs::PermissionsExt;
    metadata.permissions().mode() & 0o777
}

#[cfg(not(unix))]
fn mode_of(metadata: &Metadata) -> u32 {
    match (metadata.is_dir(), metadata.permissions().readonly()) {
        (true, _) => 0o755,
        (false, true) => 0o444,
        (false, false) => 0o644,
    }
}

/// A path of the guest's as one of the host's.
#[cfg(unix)]
pub(crate) fn host_path(path: &[u8]) -> Result<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    Ok(PathBuf::from(OsStr::from_bytes(path)))
}

/// A path of the guest's as one of the host's. Names that are devices on Windows (`CON`, `nul.txt`,
/// `COM¹`) or carry its syntax (`C:`, `\`) are refused.
#[cfg(not(unix))]
pub(crate) fn host_path(path: &[u8]) -> Result<PathBuf> {
    let path = std::str::from_utf8(path).map_err(|_| Error::NoEntry)?;
    let plain = |name: &str| {
        let stem = name
            .split('.')
            .next()
            .unwrap_or_default()
            .trim_end()
            .to_uppercase();
        let port = ["COM", "LPT"]
            .iter()
            .find_map(|port| stem.strip_prefix(port));
        let device = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(&&*stem)
            || port.is_some_and(|number| number.chars().count() == 1);
        !device && !name.contains([':', '\\', '<', '>', '"', '|', '?', '*'])
    };
    if path.split('/').all(plain) {
        Ok(path.split('/').collect())
    } else {
        Err(Error::NoEntry)
    }
}

#[cfg(unix)]
fn bytes_of(name: &OsStr) -> Vec<u8> {
    use std::os::unix::ffi::OsStrExt;
    name.as_bytes().to_vec()
}

#[cfg(not(unix))]
fn bytes_of(name: &OsStr) -> Vec<u8> {
    name.to_string_lossy().replace('\\', "/").into_bytes()
}

fn timestamp(time: std::time::SystemTime) -> Timestamp {
    use std::time::UNIX_EPOCH;
    match time.duration_since(UNIX_EPOCH) {
        Ok(after) => Timestamp {
            seconds: after.as_secs() as i64,
            nanoseconds: after.subsec_nanos(),
        },
        Err(error) => {
            let before = error.duration();
            let borrow = i64::from(before.subsec_nanos() > 0);
            Timestamp {
                seconds: -(before.as_secs() as i64) - borrow,
                nanoseconds: (1_000_000_000 - before.subsec_nanos()) % 1_000_000_000,
            }
        }
    }
}

/// What a guest sees of a failure of the host.
pub(crate) fn error_of(error: &io::Error) -> Error {
    match error.kind() {
        io::ErrorKind::NotFound => Error::NoEntry,
        io::ErrorKind::PermissionDenied => Error::Access,
        io::ErrorKind::AlreadyExists => Error::Exist,
        io::ErrorKind::NotADirectory => Error::NotDirectory,
        io::ErrorKind::IsADirectory => Error::IsDirectory,
        io::ErrorKind::DirectoryNotEmpty => Error::NotEmpty,
        io::ErrorKind::ReadOnlyFilesystem => Error::ReadOnly,
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Error::NoSpace,
        io::ErrorKind::FileTooLarge => Error::FileTooLarge,
        io::ErrorKind::InvalidFilename => Error::NameTooLong,
        _ => Error::Io,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

    use super::*;

    #[test]
    fn t12_sensitive_directories() {
        let home = Path::new("/data/me");
        for (path, sensitive) in [
            ("/", true),
            ("/etc", true),
            ("/etc/ssl/private", true),
            ("/proc/self", true),
            ("/home", true),
            ("/home/other", true),
            ("/home/other/project", false),
            ("/Users/other", true),
            ("/root", true),
            ("/root/project", false),
            ("/data", true),
            ("/data/me", true),
            ("/data/me/project", false),
            ("/data/me/.ssh", true),
            ("/data/me/.aws/cli", true),
            ("/data/me/.config/gh", true),
            ("/srv/.gnupg", true),
            ("/tmp/work", false),
            ("/etcetera", false),
            ("/data/me/.cargo", true),
            ("/data/me/.cargo/registry", true),
            ("/var", true),
            ("/var/lib/postgresql", true),
            ("/var/log", true),
            ("/var/tmp/build", false),
            ("/var/folders/xy/T", false),
        ] {
            assert_eq!(
                is_sensitive(Path::new(path), Some(home)),
                sensitive,
                "{path}"
            );
        }
    }

    #[test]
    fn t12_directories_with_keys_in_them() {
        let top = tempfile::tempdir().unwrap();
        let make = |path: &str| std::fs::create_dir_all(top.path().join(path)).unwrap();
        make("homes/me/.ssh");
        make("homes/me/project/src");
        for (path, refused) in [
            ("homes/me", true),
            ("homes", true),
            ("homes/me/project", false),
        ] {
            let opened = HostDirectory::open(top.path().join(path));
            assert_eq!(opened.is_err(), refused, "{path}");
        }
    }
}

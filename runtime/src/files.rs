//! The file operations of a sandbox. Relative paths start at the sandbox's working directory.

use crate::error::{Below, Code, Error, Result};
use crate::sandbox::Sandbox;
use offshoot_backend::{FileKind, FileStat, RemoveOptions, path};
use offshoot_vfs::{Caller, Kind, Metadata, Timestamp, Vfs};
use std::time::{Duration, SystemTime};

impl Sandbox {
    /// Reads a file as text.
    ///
    /// # Errors
    /// `NOT_TEXT` where it is not UTF-8 (see [`Sandbox::read_file_lossy`]), `NOT_FOUND`,
    /// `PATH_ESCAPE`, `POLICY_DENIED`, `CONFLICT` for a directory.
    pub async fn read_file(&self, path: &str) -> Result<String> {
        String::from_utf8(self.read_file_buffer(path).await?).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            Error::new(
                Code::NotText,
                "read_file",
                format!("{path}: not UTF-8 at byte {at}"),
            )
        })
    }

    /// Reads a file as text; bytes that are not UTF-8 become U+FFFD.
    ///
    /// # Errors
    /// As [`Sandbox::read_file`], but for `NOT_TEXT`.
    pub async fn read_file_lossy(&self, path: &str) -> Result<String> {
        Ok(String::from_utf8_lossy(&self.read_file_buffer(path).await?).into_owned())
    }

    /// Reads a file's bytes; all 256 values come back as they were written.
    ///
    /// # Errors
    /// As [`Sandbox::read_file`], but for `NOT_TEXT`.
    pub async fn read_file_buffer(&self, path: &str) -> Result<Vec<u8>> {
        self.at("read_file", path, |vfs, who, path| {
            vfs.read_file(who, vfs.root(), path)
        })
    }

    /// Writes a file, with missing parents; readers see the old content or the new, never a part.
    ///
    /// # Errors
    /// `LIMIT` where the quota is used up, `PATH_ESCAPE`, `POLICY_DENIED`, `CONFLICT`.
    pub async fn write_file(&self, path: &str, content: impl AsRef<[u8]>) -> Result<()> {
        self.at("write_file", path, |vfs, who, path| {
            if let Some(slash @ 1..) = path.iter().rposition(|byte| *byte == b'/') {
                vfs.create_dir_all(who, vfs.root(), &path[..slash], 0o777)?;
            }
            vfs.write_file(who, vfs.root(), path, content.as_ref(), 0o666)
        })
    }

    /// Facts about a path; symbolic links are followed.
    ///
    /// # Errors
    /// `NOT_FOUND`, `PATH_ESCAPE`, `POLICY_DENIED`.
    pub async fn stat(&self, path: &str) -> Result<FileStat> {
        self.at("stat", path, |vfs, who, path| {
            let own = vfs.stat(who, vfs.root(), path, false)?;
            let is_symlink = own.kind == Kind::Symlink;
            let target = if is_symlink {
                vfs.stat(who, vfs.root(), path, true)?
            } else {
                own
            };
            Ok(facts(&target, is_symlink))
        })
    }

    /// The names in a directory, dotfiles included, in byte order.
    ///
    /// # Errors
    /// `CONFLICT` on anything but a directory, `NOT_TEXT` for a name that is not UTF-8, `NOT_FOUND`,
    /// `PATH_ESCAPE`, `POLICY_DENIED`.
    pub async fn readdir(&self, path: &str) -> Result<Vec<String>> {
        let entries = self.at("readdir", path, |vfs, who, path| {
            vfs.read_dir(who, vfs.root(), path)
        })?;
        entries
            .into_iter()
            .map(|entry| {
                String::from_utf8(entry.name).map_err(|error| {
                    let name = String::from_utf8_lossy(error.as_bytes()).into_owned();
                    Error::new(Code::NotText, "readdir", format!("{path}: the name {name}"))
                })
            })
            .collect()
    }

    /// Whether the path exists; a missing parent is no error, and a path out of the sandbox does
    /// not exist.
    pub async fn exists(&self, path: &str) -> bool {
        self.at("exists", path, |vfs, who, path| {
            vfs.stat(who, vfs.root(), path, true)
        })
        .is_ok()
    }

    /// Makes a directory; with `recursive` its parents too, and an existing directory is fine.
    ///
    /// # Errors
    /// `CONFLICT` where it exists, `NOT_FOUND` where the parent is missing, `PATH_ESCAPE`,
    /// `POLICY_DENIED`, `LIMIT`.
    pub async fn mkdir(&self, path: &str, recursive: bool) -> Result<()> {
        self.at("mkdir", path, |vfs, who, path| {
            if recursive {
                vfs.create_dir_all(who, vfs.root(), path, 0o777)
            } else {
                vfs.create_dir(who, vfs.root(), path, 0o777)
            }
        })
    }

    /// Removes a file, or with `recursive` a directory and all that is in it.
    ///
    /// # Errors
    /// `NOT_FOUND` unless `force`, `CONFLICT` for a directory without `recursive`, `PATH_ESCAPE`,
    /// `POLICY_DENIED`.
    pub async fn rm(&self, path: &str, options: RemoveOptions) -> Result<()> {
        let removed = self.at("rm", path, |vfs, who, path| {
            if options.recursive {
                vfs.remove_tree(who, vfs.root(), path)
            } else {
                vfs.unlink(who, vfs.root(), path)
            }
        });
        match removed {
            Err(error) if error.code() == Code::NotFound && options.force => Ok(()),
            other => other,
        }
    }

    /// Joins a path to the working directory and removes empty segments, `.` and `..`. Pure text:
    /// two spellings of a path give the same key, and nothing is looked up.
    pub fn resolve_path(&self, path: &str) -> String {
        path::resolve(self.cwd(), path)
    }

    /// Runs a file operation as the sandbox's user.
    fn at<T>(
        &self,
        operation: &'static str,
        path: &str,
        run: impl FnOnce(&Vfs, &Caller, &[u8]) -> offshoot_vfs::Result<T>,
    ) -> Result<T> {
        if path::escapes(self.cwd(), path) {
            let message = format!("{path}: the path leads out of the sandbox");
            return Err(Error::new(Code::PathEscape, operation, message));
        }
        self.alive(operation)?;
        let resolved = path::resolve(self.cwd(), path);
        run(self.vfs(), &self.caller(), resolved.as_bytes())
            .map_err(|error| Error::file(operation, path, error))
    }
}

/// What the filesystem knows of a path.
fn facts(metadata: &Metadata, is_symlink: bool) -> FileStat {
    let kind = match metadata.kind {
        Kind::Regular => FileKind::File,
        Kind::Directory => FileKind::Directory,
        Kind::Symlink => FileKind::Symlink,
        _ => FileKind::Other,
    };
    let mut stat = FileStat::new(kind, metadata.size);
    stat.mtime = system_time(metadata.modified);
    stat.ctime = system_time(metadata.changed);
    stat.atime = system_time(metadata.accessed);
    stat.is_symlink = Some(is_symlink);
    stat.mode = Some(metadata.mode);
    stat
}

/// The host's form of a time; none beyond its range.
fn system_time(time: Timestamp) -> Option<SystemTime> {
    let seconds = Duration::from_secs(time.seconds.unsigned_abs());
    let whole = if time.seconds < 0 {
        SystemTime::UNIX_EPOCH.checked_sub(seconds)
    } else {
        SystemTime::UNIX_EPOCH.checked_add(seconds)
    };
    whole?.checked_add(Duration::from_nanos(u64::from(time.nanoseconds)))
}

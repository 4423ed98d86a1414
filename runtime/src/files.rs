//! The file operations of a sandbox. Relative paths start at the sandbox's working directory.

use crate::error::{Below, Code, Error, Result};
use crate::sandbox::Sandbox;
use offshoot_backend::{FileKind, FileStat, RemoveOptions, path};
use offshoot_vfs::{Caller, Kind, Metadata, Timestamp, Vfs};
use std::io::{Read, Write};
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
            vfs.atomically(|vfs| write(vfs, who, path, content.as_ref()))
        })
    }

    /// Writes many files, with missing parents, in one step: all of them or, after an error, none.
    /// Whoever reads meanwhile, a fork or a snapshot included, sees all as before or all as after.
    ///
    /// ```
    /// # #[tokio::main] async fn main() -> offshoot::Result<()> {
    /// let sandbox = offshoot::Sandbox::new()?;
    /// sandbox.write_files([("src/main.rs", "fn main() {}"), ("Cargo.toml", "")]).await?;
    /// assert!(sandbox.write_files([("new", ""), ("src/main.rs/below", "")]).await.is_err());
    /// assert!(!sandbox.exists("new").await);
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// As [`Sandbox::write_file`], with the path that could not be written.
    pub async fn write_files<P: AsRef<str>, C: AsRef<[u8]>>(
        &self,
        files: impl IntoIterator<Item = (P, C)>,
    ) -> Result<()> {
        let mut resolved = Vec::new();
        for (path, content) in files {
            let path = path.as_ref().to_owned();
            resolved.push((self.inside("write_files", &path)?, path, content));
        }
        self.alive("write_files")?;
        let who = self.caller();
        self.vfs().atomically(|vfs| {
            for (resolved, path, content) in &resolved {
                write(vfs, &who, resolved.as_bytes(), content.as_ref())
                    .map_err(|error| Error::file("write_files", path, error))?;
            }
            Ok(())
        })
    }

    /// Copies a file, or with `recursive` a directory and all that is in it, with missing parents and
    /// in one step. It costs the number of files and not their size: content is shared until one
    /// side is written.
    ///
    /// Permission bits are kept, symbolic links stay links, owner and times are new. A file may
    /// replace a file.
    ///
    /// # Errors
    /// `CONFLICT` for a directory without `recursive` and where something else is at `to` already,
    /// `INVALID` for a directory into itself; `LIMIT`, `NOT_FOUND`, `PATH_ESCAPE`, `POLICY_DENIED`.
    pub async fn copy(&self, from: &str, to: &str, recursive: bool) -> Result<()> {
        self.both("copy", from, to, |vfs, who, from, to| {
            let top = vfs.stat(who, vfs.root(), from, false)?;
            if top.kind == Kind::Directory && !recursive {
                return Err(offshoot_vfs::Error::IsDirectory);
            }
            vfs.atomically(|vfs| {
                make_parents(vfs, who, to)?;
                vfs.copy(who, (vfs.root(), from), (vfs.root(), to))
            })
        })
    }

    /// Moves a file or a directory, with missing parents of the new path, in one step. A file may
    /// replace a file, a directory an empty directory.
    ///
    /// # Errors
    /// `CONFLICT` where something else is at `to` and from one mount to another, `INVALID` for a
    /// directory into itself; `NOT_FOUND`, `PATH_ESCAPE`, `POLICY_DENIED`.
    pub async fn rename(&self, from: &str, to: &str) -> Result<()> {
        self.both("rename", from, to, |vfs, who, from, to| {
            vfs.atomically(|vfs| {
                vfs.stat(who, vfs.root(), from, false)?;
                make_parents(vfs, who, to)?;
                vfs.rename(who, (vfs.root(), from), (vfs.root(), to))
            })
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
        let names = entries.into_iter().map(|entry| entry.name);
        names.map(|name| text_of("readdir", path, name)).collect()
    }

    /// What is in a directory, with facts, in byte order of names. Symbolic links are not followed:
    /// their kind is [`FileKind::Symlink`].
    ///
    /// ```
    /// # #[tokio::main] async fn main() -> offshoot::Result<()> {
    /// use offshoot::{FileKind, Sandbox};
    /// let sandbox = Sandbox::builder().file("/data/a/b", "").file("/data/text", "four").build()?;
    /// let entries = sandbox.entries("/data").await?;
    /// assert_eq!((entries[0].name.as_str(), entries[0].stat.kind), ("a", FileKind::Directory));
    /// assert_eq!((entries[1].name.as_str(), entries[1].stat.size), ("text", 4));
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// As [`Sandbox::readdir`].
    pub async fn entries(&self, path: &str) -> Result<Vec<DirectoryEntry>> {
        let listed = self.at("entries", path, |vfs, who, path| {
            // One moment, whatever happens meanwhile.
            let vfs = vfs.fork();
            let directory = vfs.resolve(who, vfs.root(), path, true)?;
            let entries = vfs.read_dir(who, directory, b".")?.into_iter();
            let facts = entries.map(|entry| {
                let metadata = vfs.stat(who, directory, &entry.name, false)?;
                Ok((entry.name, facts(&metadata, metadata.kind == Kind::Symlink)))
            });
            facts.collect::<offshoot_vfs::Result<Vec<_>>>()
        })?;
        let named = listed.into_iter().map(|(name, stat)| {
            let name = text_of("entries", path, name)?;
            Ok(DirectoryEntry { name, stat })
        });
        named.collect()
    }

    /// Writes a directory, as it is at this moment, to `writer` as a tar archive (pax format), with
    /// modes, owners, times and links. What is mounted inside is left out.
    ///
    /// It is written by the thread that polls: give a writer that does not block for long.
    ///
    /// # Errors
    /// `CONFLICT` for what is no directory, `NOT_FOUND`, `PATH_ESCAPE`, `DIED` where `writer` fails.
    pub async fn export_tar(&self, path: &str, writer: impl Write) -> Result<()> {
        self.at("export_tar", path, |vfs, who, path| {
            // An archive is made as root, so what the user may see is asked first.
            vfs.read_dir(who, vfs.root(), path)?;
            vfs.export_tar(path, writer)
        })
    }

    /// Unpacks a tar archive into a directory, all of it or nothing, with the owners and modes that it
    /// names. Files that are there already are replaced, and no name leads out of the directory.
    ///
    /// # Errors
    /// `PATH_ESCAPE` for an archive that leads out, `CORRUPT` for a damaged one, `LIMIT` where it does
    /// not fit, `CONFLICT` where the files were changed meanwhile, `NOT_FOUND`, `DIED` where
    /// `reader` fails.
    pub async fn import_tar(&self, path: &str, reader: impl Read) -> Result<()> {
        self.at("import_tar", path, |vfs, _, path| {
            vfs.import_tar(path, reader)
        })
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
        let resolved = self.inside(operation, path)?;
        self.alive(operation)?;
        run(self.vfs(), &self.caller(), resolved.as_bytes())
            .map_err(|error| Error::file(operation, path, error))
    }

    /// Runs an operation on two paths.
    fn both(
        &self,
        operation: &'static str,
        from: &str,
        to: &str,
        run: impl FnOnce(&Vfs, &Caller, &[u8], &[u8]) -> offshoot_vfs::Result<()>,
    ) -> Result<()> {
        let (source, target) = (self.inside(operation, from)?, self.inside(operation, to)?);
        self.alive(operation)?;
        let who = self.caller();
        run(self.vfs(), &who, source.as_bytes(), target.as_bytes())
            .map_err(|error| Error::file(operation, &format!("{from} to {to}"), error))
    }

    /// The absolute form of a path that does not lead out.
    pub(crate) fn inside(&self, operation: &'static str, path: &str) -> Result<String> {
        if path::escapes(self.cwd(), path) {
            let message = format!("{path}: the path leads out of the sandbox");
            return Err(Error::new(Code::PathEscape, operation, message));
        }
        Ok(path::resolve(self.cwd(), path))
    }
}

/// A name in a directory, with facts; see [`Sandbox::entries`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct DirectoryEntry {
    /// The name.
    pub name: String,
    /// What it is, itself where it is a symbolic link.
    pub stat: FileStat,
}

fn text_of(operation: &'static str, path: &str, name: Vec<u8>) -> Result<String> {
    String::from_utf8(name).map_err(|error| {
        let name = String::from_utf8_lossy(error.as_bytes()).into_owned();
        Error::new(Code::NotText, operation, format!("{path}: the name {name}"))
    })
}

fn write(vfs: &Vfs, who: &Caller, path: &[u8], content: &[u8]) -> offshoot_vfs::Result<()> {
    make_parents(vfs, who, path)?;
    vfs.write_file(who, vfs.root(), path, content, 0o666)
}

fn make_parents(vfs: &Vfs, who: &Caller, path: &[u8]) -> offshoot_vfs::Result<()> {
    match path.iter().rposition(|byte| *byte == b'/') {
        Some(slash @ 1..) => {
            let made = vfs.create_dir_all(who, vfs.root(), &path[..slash], 0o777);
            made.map_err(|error| match error {
                offshoot_vfs::Error::Exist => offshoot_vfs::Error::NotDirectory,
                other => other,
            })
        }
        _ => Ok(()),
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

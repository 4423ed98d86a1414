//! File operations that cannot leave a directory: every path is opened through cap-std, which
//! judges links where they are followed.

use super::io as typed;
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, FileTypeExt, Metadata, MetadataExt, OpenOptions, OpenOptionsExt};
use offshoot_backend::{Code, Error, FileKind, FileStat, RemoveOptions, Result};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// The bytes of a file that are read at once, and the names of a directory: what lies below the root
/// is the guest's, and a sparse file of any size costs it nothing (T14, T15).
const MOST_BYTES: u64 = 256 << 20;
const MOST_NAMES: usize = 1_000_000;

/// A directory as the root of file operations.
#[derive(Debug)]
pub(super) struct Root {
    path: PathBuf,
    directory: Dir,
}

impl Root {
    /// Opens a directory by its canonical path.
    pub(super) fn open(path: &Path) -> io::Result<Root> {
        Ok(Root {
            path: path.to_owned(),
            directory: Dir::open_ambient_dir(path, ambient_authority())?,
        })
    }

    /// Whether the directory is still where it was.
    pub(super) fn is_there(&self) -> bool {
        self.path.is_dir()
    }

    /// Runs `act` on the path relative to the root. Where cap-std refuses an absolute link that
    /// leads back into the root, `act` is tried on the path that it leads to, through cap-std
    /// again: whatever changes meanwhile, nothing outside is opened.
    fn at<T>(
        &self,
        operation: &'static str,
        path: &str,
        act: impl Fn(&Path) -> io::Result<T>,
    ) -> Result<T> {
        let relative = self.relative(path);
        let done = match act(&relative) {
            Err(error) if is_escape(&error) => match self.inside(&relative) {
                Some(direct) => act(&direct),
                None => Err(error),
            },
            done => done,
        };
        done.map_err(|error| typed(operation, path, error))
    }

    fn relative(&self, path: &str) -> PathBuf {
        match Path::new(path).strip_prefix(&self.path) {
            Ok(relative) if !relative.as_os_str().is_empty() => relative.to_owned(),
            _ => PathBuf::from("."),
        }
    }

    /// The path below the root that `relative` leads to, by absolute links.
    fn inside(&self, relative: &Path) -> Option<PathBuf> {
        let full = self.path.join(relative);
        let resolved = match full.canonicalize() {
            Ok(resolved) => resolved,
            Err(_) => full.parent()?.canonicalize().ok()?.join(full.file_name()?),
        };
        let inside = resolved.strip_prefix(&self.path).ok()?;
        Some(match inside.as_os_str().is_empty() {
            true => PathBuf::from("."),
            false => inside.to_owned(),
        })
    }

    pub(super) fn read(&self, path: &str) -> Result<Vec<u8>> {
        self.at("read_file_buffer", path, |relative| {
            let mut options = OpenOptions::new();
            let file = self
                .directory
                .open_with(relative, patient(options.read(true)))?;
            let metadata = file.metadata()?;
            self.only_file(&metadata)?;
            let expected = metadata.len().min(MOST_BYTES);
            let mut content = Vec::with_capacity(usize::try_from(expected).unwrap_or(0));
            // It may grow while it is read.
            file.take(MOST_BYTES + 1).read_to_end(&mut content)?;
            match content.len() as u64 > MOST_BYTES {
                true => Err(ErrorKind::FileTooLarge.into()),
                false => Ok(content),
            }
        })
    }

    /// Replaces a file: what is written under another name takes its place at once.
    pub(super) fn write(&self, path: &str, content: &[u8]) -> Result<()> {
        self.at("write_file", path, |relative| {
            self.replace(relative, content, 0)
        })
    }

    fn replace(&self, relative: &Path, content: &[u8], links: u32) -> io::Result<()> {
        let (parent, name) = self.parent(relative)?;
        let existing = match parent.symlink_metadata(&name) {
            Ok(metadata) if metadata.is_symlink() && links < 40 => {
                return match self.directory.canonicalize(relative) {
                    Ok(target) => self.replace(&target, content, links + 1),
                    Err(error) if error.kind() == ErrorKind::NotFound => {
                        let mut options = OpenOptions::new();
                        options.write(true).create(true);
                        let mut file = self.directory.open_with(relative, patient(&mut options))?;
                        self.only_file(&file.metadata()?)?;
                        file.set_len(0)?;
                        file.write_all(content)
                    }
                    Err(error) => Err(error),
                };
            }
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(error),
        };
        if let Some(metadata) = &existing {
            self.only_file(metadata)?;
        }
        let temporary = temporary_name();
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        let written = parent
            .open_with(&temporary, &options)
            .and_then(|mut file: File| {
                file.write_all(content)?;
                match &existing {
                    Some(metadata) => file.set_permissions(metadata.permissions()),
                    None => Ok(()),
                }
            })
            .and_then(|()| parent.rename(&temporary, &parent, &name));
        if written.is_err() {
            let _ = parent.remove_file(&temporary);
        }
        written
    }

    pub(super) fn stat(&self, path: &str) -> Result<FileStat> {
        self.at("stat", path, |relative| {
            let metadata = self.directory.metadata(relative)?;
            let kind = match metadata.file_type() {
                kind if kind.is_file() => FileKind::File,
                kind if kind.is_dir() => FileKind::Directory,
                kind if kind.is_symlink() => FileKind::Symlink,
                _ => FileKind::Other,
            };
            let mut stat = FileStat::new(kind, metadata.len());
            stat.mtime = metadata.modified().ok().map(|time| time.into_std());
            stat.atime = metadata.accessed().ok().map(|time| time.into_std());
            stat.ctime = u64::try_from(metadata.ctime()).ok().map(|seconds| {
                let nanoseconds = u32::try_from(metadata.ctime_nsec()).unwrap_or(0);
                std::time::UNIX_EPOCH + std::time::Duration::new(seconds, nanoseconds)
            });
            stat.mode = Some(metadata.mode() & 0o7777);
            stat.is_symlink = Some(self.directory.symlink_metadata(relative)?.is_symlink());
            Ok(stat)
        })
    }

    pub(super) fn names(&self, path: &str) -> Result<Vec<String>> {
        let names = self.at("readdir", path, |relative| {
            let entries = self.directory.read_dir(relative)?.take(MOST_NAMES + 1);
            let names = entries.map(|entry| Ok(entry?.file_name()));
            let names = names.collect::<io::Result<Vec<_>>>()?;
            match names.len() > MOST_NAMES {
                true => Err(ErrorKind::FileTooLarge.into()),
                false => Ok(names),
            }
        })?;
        let mut names = names
            .into_iter()
            .map(|name| {
                name.into_string().map_err(|name| {
                    let message = format!("{path}: the name {}", name.display());
                    Error::new(Code::NotText, "readdir", message).on(super::NAME)
                })
            })
            .collect::<Result<Vec<_>>>()?;
        names.sort_unstable();
        Ok(names)
    }

    pub(super) fn make(&self, path: &str, recursive: bool) -> Result<()> {
        self.at("mkdir", path, |relative| match recursive {
            true => self.directory.create_dir_all(relative),
            false if relative == Path::new(".") => Err(ErrorKind::AlreadyExists.into()),
            false => self.directory.create_dir(relative),
        })
    }

    pub(super) fn remove(&self, path: &str, options: RemoveOptions) -> Result<()> {
        let removed = self.at("rm", path, |relative| {
            let (parent, name) = self.parent(relative)?;
            if !parent.symlink_metadata(&name)?.is_dir() {
                parent.remove_file(&name)
            } else if options.recursive {
                parent.remove_dir_all(&name)
            } else {
                Err(ErrorKind::IsADirectory.into())
            }
        });
        match removed {
            Err(error) if options.force && error.code() == Code::NotFound => Ok(()),
            removed => removed,
        }
    }

    /// The directory that holds a path, and its name there.
    fn parent(&self, relative: &Path) -> io::Result<(Dir, PathBuf)> {
        let Some(name) = relative.file_name() else {
            return Err(ErrorKind::IsADirectory.into());
        };
        let parent = match relative.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => self.directory.open_dir(parent)?,
            _ => self.directory.try_clone()?,
        };
        Ok((parent, PathBuf::from(name)))
    }

    /// Refuses what is no regular file, and a file that has a name outside the root too.
    fn only_file(&self, metadata: &Metadata) -> io::Result<()> {
        if metadata.is_dir() {
            return Err(ErrorKind::IsADirectory.into());
        }
        if !metadata.is_file() || metadata.file_type().is_fifo() {
            return Err(io::Error::new(
                ErrorKind::ResourceBusy,
                "not a regular file",
            ));
        }
        let links = metadata.nlink();
        if links > 1 && self.links_inside((metadata.dev(), metadata.ino()), links)? < links {
            return Err(io::Error::new(
                ErrorKind::PermissionDenied,
                "the file has a name outside, too",
            ));
        }
        Ok(())
    }

    /// How many names below the root a file has, `enough` at most. Only files with several names
    /// pay for the walk.
    fn links_inside(&self, identity: (u64, u64), enough: u64) -> io::Result<u64> {
        let mut found = 0;
        // By name: handles of all that is still to be seen could be more than the host has.
        let mut left = vec![PathBuf::from(".")];
        while let Some(path) = left.pop() {
            let Ok(entries) = self.directory.read_dir(&path) else {
                continue;
            };
            for entry in entries {
                let entry = entry?;
                let Ok(metadata) = entry.metadata() else {
                    continue;
                };
                if metadata.is_dir() {
                    left.push(path.join(entry.file_name()));
                } else if (metadata.dev(), metadata.ino()) == identity {
                    found += 1;
                    if found == enough {
                        return Ok(found);
                    }
                }
            }
        }
        Ok(found)
    }
}

/// Options under which a named pipe or a device does not keep the host waiting.
fn patient(options: &mut OpenOptions) -> &OpenOptions {
    let flags = rustix::fs::OFlags::NONBLOCK.bits();
    options.custom_flags(flags.cast_signed())
}

/// What cap-std answers for a path that leaves its directory has no number.
fn is_escape(error: &io::Error) -> bool {
    error.kind() == ErrorKind::PermissionDenied && error.raw_os_error().is_none()
}

fn temporary_name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    format!(".offshoot-{}-{number}.tmp", std::process::id())
}

//! One change, written to the host.

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use cap_std::fs::Dir;

use super::{State, Step, split};
use crate::host::{error_of, host_path, reading};
use crate::tree::{Body, Content, Entry, Name, Names, Origin};
use crate::{ChangeKind, HostDirectory, Kind, Result, Timestamp};

impl State {
    /// Writes a step, and notes that the source has now what the overlay has.
    pub(super) fn write_back(
        &mut self,
        mount: u32,
        step: &Step,
        host: &HostDirectory,
    ) -> Result<()> {
        let path = match &step.change.path[..] {
            b"" => PathBuf::from("."),
            path => host_path(path)?,
        };
        match step.inode {
            Some(inode) => self.write_out(mount, inode, &path, &host.root)?,
            None => remove(&path, &host.root).map_err(|error| error_of(&error))?,
        }
        self.note(mount, step, host)
    }

    fn write_out(&self, mount: u32, inode: u64, path: &std::path::Path, host: &Dir) -> Result<()> {
        let inode = self.tree(mount)?.inode(inode)?;
        let written = match &inode.body {
            Body::File(content) => write_file(host, path, content, inode.mode, inode.modified),
            Body::Remote { .. } => set_mode(host, path, inode.mode).and_then(|()| {
                set_modified(
                    &host.open_with(path, &reading())?.into_std(),
                    inode.modified,
                )
            }),
            Body::Directory(_) => match host.create_dir(path) {
                Err(error) if error.kind() != std::io::ErrorKind::AlreadyExists => Err(error),
                _ => set_mode(host, path, inode.mode),
            },
            Body::Symlink(target) => match link(host, &host_path(target)?, path) {
                Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => Ok(()),
                done => done,
            },
            Body::Fifo | Body::Device(_) => Ok(()),
        };
        written.map_err(|error| error_of(&error))
    }

    fn note(&mut self, mount: u32, step: &Step, host: &HostDirectory) -> Result<()> {
        let path = &step.change.path[..];
        let name = Name::new(split(path).1);
        let tree = self.tree_mut(mount)?;
        let now = match step.inode {
            None => None,
            Some(number) => {
                let found = host.look(path)?;
                let inode = tree.inode_mut(number)?;
                let kind = inode.kind();
                if let Some((_, modified)) = found
                    && kind != Kind::Directory
                {
                    inode.created = modified;
                }
                if let Body::Directory(directory) = &mut inode.body
                    && step.change.kind == ChangeKind::Added
                {
                    // What is in it comes in steps of its own.
                    directory.origin = Some(Arc::new(Origin {
                        base: Some(Names::default()),
                        ..Origin::unlisted(path)
                    }));
                }
                let entry = Entry {
                    inode: number,
                    kind,
                };
                Some((entry, inode.created))
            }
        };
        if path.is_empty() {
            return Ok(());
        }
        match &mut tree.directory_mut(step.parent)?.origin {
            Some(origin) => Arc::make_mut(origin).note(&name, now),
            None => Ok(()),
        }
    }
}

/// Removes what is at a path, if there is anything.
fn remove(path: &std::path::Path, host: &Dir) -> std::io::Result<()> {
    let removed = match host.symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => host.remove_dir_all(path),
        Ok(_) => host.remove_file(path),
        Err(error) => Err(error),
    };
    match removed {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

/// Writes beside the file and renames, so that the host never sees half of it.
fn write_file(
    host: &Dir,
    path: &std::path::Path,
    content: &Content,
    mode: u32,
    modified: Timestamp,
) -> std::io::Result<()> {
    let mut name = std::ffi::OsString::from(".offshoot-");
    name.push(path.file_name().unwrap_or_default());
    let beside = path.with_file_name(name);
    let mut options = cap_std::fs::OpenOptions::new();
    // What an interrupted attempt left is replaced, and a link in its place is not followed.
    let _ = host.remove_file(&beside);
    let mut file = host.open_with(&beside, options.write(true).create_new(true))?;
    let mut buffer = vec![0; 64 * 1024];
    let mut offset = 0;
    loop {
        let count = content.read(offset, &mut buffer)?;
        if count == 0 {
            break;
        }
        file.write_all(&buffer[..count])?;
        offset += count as u64;
    }
    set_modified(&file.into_std(), modified)?;
    set_mode(host, &beside, mode)?;
    host.rename(&beside, host, path)
}

/// Sets a file's time where the host can express it.
fn set_modified(file: &std::fs::File, time: Timestamp) -> std::io::Result<()> {
    let seconds = Duration::from_secs(time.seconds.unsigned_abs());
    let whole = match time.seconds {
        0.. => UNIX_EPOCH.checked_add(seconds),
        _ => UNIX_EPOCH.checked_sub(seconds),
    };
    let nanoseconds = Duration::from_nanos(time.nanoseconds.into());
    match whole.and_then(|whole| whole.checked_add(nanoseconds)) {
        Some(time) => file.set_modified(time),
        None => Ok(()),
    }
}

#[cfg(unix)]
fn link(host: &Dir, target: &std::path::Path, path: &std::path::Path) -> std::io::Result<()> {
    host.symlink_contents(target, path)
}

#[cfg(not(unix))]
fn link(host: &Dir, target: &std::path::Path, path: &std::path::Path) -> std::io::Result<()> {
    host.symlink_file(target, path)
}

#[cfg(unix)]
fn set_mode(host: &Dir, path: &std::path::Path, mode: u32) -> std::io::Result<()> {
    use cap_std::fs::PermissionsExt;
    host.set_permissions(path, cap_std::fs::Permissions::from_mode(mode & 0o777))
}

#[cfg(not(unix))]
fn set_mode(_host: &Dir, _path: &std::path::Path, _mode: u32) -> std::io::Result<()> {
    Ok(())
}

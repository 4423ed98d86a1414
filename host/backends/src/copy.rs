//! Copies of trees: by reflink where the file system has it, so that a copy costs no storage.

use std::collections::HashMap;
use std::fs::{self, Metadata, OpenOptions, Permissions};
use std::io;
use std::os::unix::fs::{
    FileTypeExt, MetadataExt, OpenOptionsExt, PermissionsExt, lchown, symlink,
};
use std::path::{Path, PathBuf};

/// Where the copied files lived, for absolute links into their own tree.
pub(crate) enum Origin {
    /// Links stay as they are.
    None,
    /// Links to the first path lead to the second.
    At(PathBuf, PathBuf),
}

/// Copies all that is below `from` into the directory `to`, which may exist, with modes, owners
/// where that is permitted, times, symbolic and hard links, and on Linux named pipes. Sockets are left out:
/// a copy of one has no meaning. Gives the bytes in files.
pub(crate) fn tree(from: &Path, to: &Path, origin: &Origin) -> io::Result<u64> {
    Copier {
        origin,
        linked: HashMap::new(),
        bytes: 0,
    }
    .run(from, to)
}

struct Copier<'a> {
    origin: &'a Origin,
    /// Where files with several names were copied to.
    linked: HashMap<(u64, u64), PathBuf>,
    bytes: u64,
}

impl Copier<'_> {
    fn run(mut self, from: &Path, to: &Path) -> io::Result<u64> {
        // Not recursive: a tree may be deeper than a stack.
        let mut open = vec![(from.to_owned(), to.to_owned())];
        let mut made = Vec::new();
        while let Some((from, to)) = open.pop() {
            let metadata = fs::symlink_metadata(&from)?;
            match fs::create_dir(&to) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
            for entry in fs::read_dir(&from)? {
                let entry = entry?;
                let (source, target) = (entry.path(), to.join(entry.file_name()));
                if entry.file_type()?.is_dir() {
                    open.push((source, target));
                } else {
                    self.leaf(&source, &target)?;
                }
            }
            made.push((to, metadata));
        }
        // From the leaves up: filling a directory changes its time, and its mode may forbid it.
        for (directory, metadata) in made.iter().rev() {
            adorn(directory, metadata)?;
        }
        Ok(self.bytes)
    }

    fn leaf(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let metadata = match fs::symlink_metadata(from) {
            // A temporary file that a running command has removed meanwhile.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            other => other?,
        };
        let kind = metadata.file_type();
        if metadata.nlink() > 1 {
            let identity = (metadata.dev(), metadata.ino());
            if let Some(first) = self.linked.get(&identity) {
                return fs::hard_link(first, to);
            }
            self.linked.insert(identity, to.to_owned());
        }
        if kind.is_symlink() {
            let target = fs::read_link(from)?;
            symlink(self.moved(&target).unwrap_or(target), to)?;
            return owned(lchown(to, Some(metadata.uid()), Some(metadata.gid())));
        }
        if kind.is_file() {
            contents(from, to)?;
            self.bytes += metadata.len();
        } else if !(kind.is_fifo() && pipe(to, metadata.mode())?) {
            return Ok(());
        }
        adorn(to, &metadata)
    }

    /// Where an absolute link into the tree leads in the copy.
    fn moved(&self, target: &Path) -> Option<PathBuf> {
        match self.origin {
            Origin::None => None,
            Origin::At(old, new) => target.strip_prefix(old).ok().map(|rest| new.join(rest)),
        }
    }
}

/// Makes a named pipe; whether this system has a call for it.
#[cfg(target_os = "linux")]
fn pipe(to: &Path, mode: u32) -> io::Result<bool> {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    let mode = Mode::from_raw_mode(mode & 0o7777);
    mknodat(CWD, to, FileType::Fifo, mode, 0)?;
    Ok(true)
}

#[cfg(not(target_os = "linux"))]
fn pipe(_: &Path, _: u32) -> io::Result<bool> {
    Ok(false)
}

/// Copies a file's contents, sharing storage where that is possible.
fn contents(from: &Path, to: &Path) -> io::Result<()> {
    // What was a file a moment ago may be a link or a pipe by now.
    let flags = rustix::fs::OFlags::NOFOLLOW | rustix::fs::OFlags::NONBLOCK;
    let flags = flags.bits().cast_signed();
    let source = OpenOptions::new()
        .read(true)
        .custom_flags(flags)
        .open(from)?;
    let mut target = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(to)?;
    #[cfg(target_os = "linux")]
    if rustix::fs::ioctl_ficlone(&target, &source).is_ok() {
        return Ok(());
    }
    io::copy(&mut &source, &mut target).map(drop)
}

/// Gives a copy the owner, mode and times of its original.
fn adorn(path: &Path, metadata: &Metadata) -> io::Result<()> {
    owned(lchown(path, Some(metadata.uid()), Some(metadata.gid())))?;
    fs::set_permissions(path, Permissions::from_mode(metadata.mode() & 0o7777))?;
    let time = |seconds, nanoseconds| rustix::fs::Timespec {
        tv_sec: seconds,
        tv_nsec: nanoseconds,
    };
    let times = rustix::fs::Timestamps {
        last_access: time(metadata.atime(), metadata.atime_nsec()),
        last_modification: time(metadata.mtime(), metadata.mtime_nsec()),
    };
    let flags = rustix::fs::AtFlags::SYMLINK_NOFOLLOW;
    Ok(rustix::fs::utimensat(rustix::fs::CWD, path, &times, flags)?)
}

/// Only root may give files away; anybody else's copy belongs to who made it.
fn owned(changed: io::Result<()>) -> io::Result<()> {
    match changed {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(()),
        other => other,
    }
}

/// Copies a file whose holes stay holes; by reflink where the file system has it.
#[cfg(target_os = "linux")]
pub(crate) fn sparse(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{SeekFrom, copy_file_range, ftruncate, ioctl_ficlone, seek};
    let source = fs::File::open(from)?;
    let target = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(to)?;
    if ioctl_ficlone(&target, &source).is_ok() {
        return Ok(());
    }
    ftruncate(&target, source.metadata()?.len())?;
    let mut end = 0;
    loop {
        let mut from = match seek(&source, SeekFrom::Data(end)) {
            Ok(start) => start,
            // There is nothing but a hole.
            Err(rustix::io::Errno::NXIO) => return Ok(()),
            Err(error) => return Err(error.into()),
        };
        end = seek(&source, SeekFrom::Hole(from))?;
        let mut to = from;
        while from < end {
            let length = usize::try_from(end - from).unwrap_or(usize::MAX);
            if copy_file_range(&source, Some(&mut from), &target, Some(&mut to), length)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
    }
}

/// Removes a tree, also where directories forbid it to their owner; a missing one is fine.
pub(crate) fn remove(path: &Path) -> io::Result<()> {
    let metadata = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        other => other?,
    };
    if !metadata.is_dir() {
        return fs::remove_file(path);
    }
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            unlock(path)?;
            fs::remove_dir_all(path)
        }
        other => other,
    }
}

/// Lets the owner into every directory of a tree.
fn unlock(path: &Path) -> io::Result<()> {
    let mut open = vec![path.to_owned()];
    while let Some(directory) = open.pop() {
        fs::set_permissions(&directory, Permissions::from_mode(0o700))?;
        for entry in fs::read_dir(&directory)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                open.push(entry.path());
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn a_sparse_copy_has_the_same_bytes_and_holes() {
        use std::os::unix::fs::FileExt;
        let base = tempfile::tempdir().unwrap();
        let (from, to) = (base.path().join("from"), base.path().join("to"));
        let file = fs::File::create(&from).unwrap();
        file.set_len(64 << 20).unwrap();
        file.write_all_at(b"first", 0).unwrap();
        file.write_all_at(b"middle", 20 << 20).unwrap();
        sparse(&from, &to).unwrap();
        let copy = fs::read(&to).unwrap();
        assert!(copy == fs::read(&from).unwrap());
        assert!(fs::metadata(&to).unwrap().blocks() * 512 < 16 << 20);
        assert!(sparse(&from, &to).is_err());
    }

    #[test]
    fn a_copy_has_everything_and_shares_nothing() {
        let base = tempfile::tempdir().unwrap();
        let (from, to) = (base.path().join("from"), base.path().join("to"));
        fs::create_dir_all(from.join("a/b")).unwrap();
        fs::write(from.join("a/file"), b"text").unwrap();
        fs::hard_link(from.join("a/file"), from.join("a/b/same")).unwrap();
        symlink("../file", from.join("a/b/relative")).unwrap();
        symlink(from.join("a"), from.join("absolute")).unwrap();
        fs::set_permissions(from.join("a/file"), Permissions::from_mode(0o640)).unwrap();
        fs::set_permissions(from.join("a/b"), Permissions::from_mode(0o500)).unwrap();
        let origin = Origin::At(from.clone(), to.clone());
        assert_eq!(tree(&from, &to, &origin).unwrap(), 4);
        let of = |path: &str| fs::symlink_metadata(to.join(path)).unwrap();
        assert_eq!(of("a/file").ino(), of("a/b/same").ino());
        assert_eq!(of("a/file").mode() & 0o7777, 0o640);
        assert_eq!(of("a/b").mode() & 0o7777, 0o500);
        assert_eq!(
            of("a/file").modified().unwrap(),
            fs::metadata(from.join("a/file"))
                .unwrap()
                .modified()
                .unwrap()
        );
        assert_eq!(fs::read_link(to.join("absolute")).unwrap(), to.join("a"));
        assert_eq!(
            fs::read_link(to.join("a/b/relative")).unwrap(),
            Path::new("../file")
        );
        fs::write(to.join("a/file"), b"changed").unwrap();
        assert_eq!(fs::read(from.join("a/file")).unwrap(), b"text");
        remove(&to).unwrap();
        remove(&to).unwrap();
        assert!(!to.exists() && from.exists());
    }
}

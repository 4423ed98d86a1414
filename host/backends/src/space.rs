//! Directories that are owned by one factory, and what is left when its process crashed.
//!
//! Below a base directory of the user, every factory has a directory of its own with a lock file
//! that it holds for life: where the lock is free, the owner is gone, and what it left is removed.

use crate::copy;
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The directory of one factory; removed when it is dropped.
#[derive(Debug)]
pub(crate) struct Owned {
    path: PathBuf,
    id: String,
    next: AtomicU64,
    _lock: File,
}

impl Owned {
    /// Takes a new directory with these parts below `base`, or below the directory `usual` of this
    /// user among the temporary files. What crashed owners left is given to `end`, with its path and
    /// id, and removed.
    pub(crate) fn open(
        base: Option<&Path>,
        usual: &str,
        parts: &[&str],
        end: &dyn Fn(&Path, &str),
    ) -> io::Result<Owned> {
        let user = rustix::process::geteuid().as_raw();
        let base = match base {
            Some(base) => base.to_owned(),
            None => std::env::temp_dir().join(format!("{usual}-{user}")),
        };
        private(&base)?;
        let owner = fs::symlink_metadata(&base)?;
        // In a directory that everybody may write, somebody else may have been first.
        if !owner.is_dir() || owner.uid() != user || owner.mode() & 0o022 != 0 {
            let message = format!("{}: not a directory of this user alone", base.display());
            return Err(io::Error::other(message));
        }
        let base = base.canonicalize()?;
        // Held while directories are made and reaped: one without a lock yet is not taken for one
        // without an owner.
        let gate = lock_file(&base.join("lock"))?;
        gate.lock()?;
        reap(&base, end)?;
        let id = identity();
        let path = base.join(&id);
        private(&path)?;
        let lock = lock_file(&path.join("lock"))?;
        lock.lock()?;
        for part in parts {
            private(&path.join(part))?;
        }
        Ok(Owned {
            path,
            id,
            next: AtomicU64::new(1),
            _lock: lock,
        })
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What it is known by, on this machine, for ever.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// A number that was not given before.
    pub(crate) fn number(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// A new directory in one of its parts.
    pub(crate) fn directory(&self, part: &str) -> io::Result<PathBuf> {
        let directory = self.path.join(part).join(self.number().to_string());
        private(&directory)?;
        Ok(directory)
    }

    /// Where something of this id is in a part; none where it is no id of ours, which is a name and
    /// never a path.
    pub(crate) fn named(&self, part: &str, id: &str) -> Option<PathBuf> {
        let is_name = id
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
        (is_name && !id.is_empty()).then(|| self.path.join(part).join(id))
    }
}

impl Drop for Owned {
    fn drop(&mut self) {
        // What cannot be removed now is reaped later.
        let _ = copy::remove(&self.path);
    }
}

/// Removes the directories whose owner is gone, after `end` had a look.
fn reap(base: &Path, end: &dyn Fn(&Path, &str)) -> io::Result<()> {
    for entry in fs::read_dir(base)? {
        let directory = entry?.path();
        if !directory.is_dir() {
            continue;
        }
        let lock = OpenOptions::new().write(true).open(directory.join("lock"));
        if lock.is_ok_and(|lock| lock.try_lock().is_err()) {
            continue;
        }
        if let Some(id) = directory.file_name().and_then(|name| name.to_str()) {
            end(&directory, id);
        }
        copy::remove(&directory)?;
    }
    Ok(())
}

/// Makes a directory that only its user may enter; one that exists is fine.
pub(crate) fn private(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

fn lock_file(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
}

/// A name that no other space of this machine has: process, time and a count.
fn identity() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let time = SystemTime::now().duration_since(UNIX_EPOCH);
    format!(
        "{:x}-{:x}-{:x}",
        std::process::id(),
        time.map_or(0, |time| time.as_nanos()),
        COUNT.fetch_add(1, Ordering::Relaxed)
    )
}

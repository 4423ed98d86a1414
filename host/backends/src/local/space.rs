//! Directories that are owned by one factory, and what is left when its process crashed.
//!
//! Below a base directory of the user, every factory has a directory of its own with a lock file
//! that it holds for life: where the lock is free, the owner is gone, and what it left is removed.

use super::copy::{self, Origin};
use super::process;
use serde::{Deserialize, Serialize};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The directory of one factory; removed when it is dropped.
#[derive(Debug)]
pub(super) struct Space {
    directory: PathBuf,
    /// What processes of this space are known by.
    id: String,
    next: AtomicU64,
    _lock: File,
}

/// What was captured of a sandbox.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Captured {
    /// Where the files were, since absolute links name it.
    root: PathBuf,
    /// The working directory, relative to the root.
    pub(super) cwd: String,
    /// The sandbox's variables.
    pub(super) variables: Vec<(String, String)>,
    /// Where the copy is.
    #[serde(skip)]
    tree: PathBuf,
}

impl Space {
    /// Reaps what crashed owners left, and takes a new directory.
    pub(super) fn open(base: Option<&Path>) -> io::Result<Space> {
        let user = rustix::process::geteuid().as_raw();
        let base = match base {
            Some(base) => base.to_owned(),
            None => std::env::temp_dir().join(format!("offshoot-{user}")),
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
        reap(&base)?;
        let id = identity();
        let directory = base.join(&id);
        private(&directory)?;
        let lock = lock_file(&directory.join("lock"))?;
        lock.lock()?;
        for part in ["sandboxes", "snapshots", "scripts"] {
            private(&directory.join(part))?;
        }
        Ok(Space {
            directory,
            id,
            next: AtomicU64::new(1),
            _lock: lock,
        })
    }

    /// What processes of a new sandbox are known by.
    pub(super) fn mark(&self) -> String {
        format!("{}.{}.", self.id, self.number())
    }

    fn number(&self) -> u64 {
        self.next.fetch_add(1, Ordering::Relaxed)
    }

    /// A new empty directory for a sandbox.
    pub(super) fn directory(&self) -> io::Result<PathBuf> {
        let directory = self
            .directory
            .join("sandboxes")
            .join(self.number().to_string());
        private(&directory)?;
        Ok(directory)
    }

    /// A file for a script that is too long for an argument.
    pub(super) fn script(&self, script: &[u8]) -> io::Result<PathBuf> {
        let path = self
            .directory
            .join("scripts")
            .join(self.number().to_string());
        fs::write(&path, script)?;
        Ok(path)
    }

    /// Copies a tree into a new snapshot and gives its id and size.
    pub(super) fn capture(
        &self,
        root: &Path,
        cwd: &str,
        variables: &[(String, String)],
    ) -> io::Result<(String, u64)> {
        let id = format!("{}-{}", self.id, self.number());
        let directory = self.directory.join("snapshots").join(&id);
        private(&directory)?;
        let tree = directory.join("tree");
        let captured = Captured {
            root: root.to_owned(),
            cwd: cwd.to_owned(),
            variables: variables.to_vec(),
            tree: tree.clone(),
        };
        let size = copy::tree(root, &tree, &Origin::None).and_then(|size| {
            let text = serde_json::to_vec(&captured)?;
            // Last, since it is what makes the directory a snapshot.
            fs::write(directory.join("captured.json"), text)?;
            Ok(size)
        });
        match size {
            Ok(size) => Ok((id, size)),
            Err(error) => {
                let _ = copy::remove(&directory);
                Err(error)
            }
        }
    }

    /// A snapshot by its id.
    pub(super) fn snapshot(&self, id: &str) -> Option<Captured> {
        let directory = self.snapshot_directory(id)?;
        let text = fs::read(directory.join("captured.json")).ok()?;
        let mut captured: Captured = serde_json::from_slice(&text).ok()?;
        captured.tree = directory.join("tree");
        Some(captured)
    }

    /// Deletes a snapshot; a missing one is fine.
    pub(super) fn delete(&self, id: &str) -> io::Result<()> {
        match self.snapshot_directory(id) {
            Some(directory) => copy::remove(&directory),
            None => Ok(()),
        }
    }

    /// An id is a name, never a path.
    fn snapshot_directory(&self, id: &str) -> Option<PathBuf> {
        let is_name = id
            .bytes()
            .all(|byte| byte.is_ascii_hexdigit() || byte == b'-');
        (is_name && !id.is_empty()).then(|| self.directory.join("snapshots").join(id))
    }
}

impl Captured {
    /// Copies what was captured into an existing directory, in place of what is in it.
    pub(super) fn fill(&self, root: &Path) -> io::Result<()> {
        for entry in fs::read_dir(root)? {
            copy::remove(&entry?.path())?;
        }
        copy::tree(
            &self.tree,
            root,
            &Origin::At(self.root.clone(), root.to_owned()),
        )?;
        Ok(())
    }
}

impl Drop for Space {
    fn drop(&mut self) {
        process::end_marked(&self.id);
        // What cannot be removed now is reaped later.
        let _ = copy::remove(&self.directory);
    }
}

/// Removes the directories whose owner is gone, and ends its processes.
fn reap(base: &Path) -> io::Result<()> {
    for entry in fs::read_dir(base)? {
        let directory = entry?.path();
        if !directory.is_dir() {
            continue;
        }
        let Ok(lock) = OpenOptions::new().write(true).open(directory.join("lock")) else {
            copy::remove(&directory)?;
            continue;
        };
        if lock.try_lock().is_ok() {
            if let Some(id) = directory.file_name().and_then(|name| name.to_str()) {
                process::end_marked(id);
            }
            copy::remove(&directory)?;
        }
    }
    Ok(())
}

/// Makes a directory that only its user may enter; one that exists is fine.
fn private(path: &Path) -> io::Result<()> {
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

//! Who is there: each owner holds a lock on a file of its own, `owners/NAME`, which the system takes from
//! it when its process ends, however that happens.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use same_file::Handle;

use crate::{Error, Presence, Result, permission};

/// The folder of the locks.
const OWNERS: &str = "owners";

/// What names of owners end with that hold a lock. Others are older, or of another store.
const LOCKED: &str = ".lock";

/// A locked file, which goes with its owner.
struct Held {
    path: PathBuf,
    file: File,
}

impl Drop for Held {
    fn drop(&mut self) {
        // Whoever looks finds the lock until the file is gone.
        let _ = fs::remove_file(&self.path);
        let _ = self.file.unlock();
    }
}

/// Shows an owner in the store's `directory`.
pub(super) fn announce(directory: &Path, owner: &str) -> Result<Presence> {
    let failed = |error: io::Error| Error::io("announce owner", &error);
    let folder = directory.join(OWNERS);
    permission::create_dir(&folder).map_err(failed)?;
    let name = format!("{owner}{LOCKED}");
    let path = folder.join(&name);
    let mut options = File::options();
    options.write(true).create_new(true);
    loop {
        let file = permission::private(&mut options).open(&path);
        let file = file.map_err(failed)?;
        file.lock().map_err(failed)?;
        // Whoever tidied before it was locked has removed it. Nobody else makes a file of this name.
        if path.try_exists().map_err(failed)? {
            return Ok(Presence::new(name, Held { path, file }));
        }
    }
}

/// Whether an owner is known to be gone. Where it cannot be told, it is not.
pub(super) fn is_gone(directory: &Path, owner: &str) -> bool {
    if !owner.ends_with(LOCKED) || owner.contains(['/', '\\']) {
        return false;
    }
    let path = directory.join(OWNERS).join(owner);
    match File::open(&path) {
        Ok(file) => is_free(&file),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    }
}

/// Removes the locks of owners that are gone; how many.
pub(super) fn tidy(directory: &Path) -> u64 {
    let entries = fs::read_dir(directory.join(OWNERS)).into_iter().flatten();
    let gone = entries.flatten().filter(|entry| {
        entry.file_name().to_string_lossy().ends_with(LOCKED) && remove_free(&entry.path())
    });
    gone.count() as u64
}

/// Removes a file that nobody holds. It is locked until it is gone, and is still the one that was opened: an
/// owner that begins would otherwise lock it in between, or make another of its name.
fn remove_free(path: &Path) -> bool {
    let Ok(opened) = Handle::from_path(path) else {
        return false;
    };
    let is_named = || Handle::from_path(path).is_ok_and(|named| named == opened);
    is_free(opened.as_file()) && is_named() && fs::remove_file(path).is_ok()
}

/// Whether nobody holds the lock. A shared one is tried, so that several may look at once.
fn is_free(file: &File) -> bool {
    !matches!(
        file.try_lock_shared(),
        Err(TryLockError::WouldBlock | TryLockError::Error(_))
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]
    use super::*;

    #[test]
    fn an_owner_is_there_until_its_presence_ends() {
        let folder = tempfile::tempdir().unwrap();
        let presence = announce(folder.path(), "1-a").unwrap();
        let owner = presence.owner().to_owned();
        assert!(!is_gone(folder.path(), &owner));
        assert_eq!(tidy(folder.path()), 0);
        drop(presence);
        assert!(is_gone(folder.path(), &owner));
        // Nothing is known of names that never had a lock.
        for other in ["1-a", "somebody", "../x.lock"] {
            assert!(!is_gone(folder.path(), other), "{other}");
        }
    }

    #[test]
    fn an_owner_that_begins_is_not_tidied() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let over = std::sync::atomic::AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !over.load(std::sync::atomic::Ordering::Relaxed) {
                        tidy(path);
                    }
                });
            }
            let gone = (0..2000).find(|number| {
                let presence = announce(path, &format!("{number}-a")).unwrap();
                is_gone(path, presence.owner())
            });
            over.store(true, std::sync::atomic::Ordering::Relaxed);
            assert_eq!(gone, None);
        });
        assert_eq!(fs::read_dir(path.join(OWNERS)).unwrap().count(), 0);
    }

    #[test]
    fn what_a_dead_owner_left_is_tidied() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join(OWNERS)).unwrap();
        let left = folder.path().join(OWNERS).join("2-b.lock");
        File::create(&left).unwrap();
        assert!(is_gone(folder.path(), "2-b.lock"));
        assert_eq!(tidy(folder.path()), 1);
        assert!(!left.exists() && is_gone(folder.path(), "2-b.lock"));
    }
}

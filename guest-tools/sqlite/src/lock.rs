//! Locks between processes over plain files: WASI has no others.
//!
//! One process at a time uses a database, as with SQLite's own `unix-dotfile`. The lock is the file
//! `DATABASE.lock`, which holds the process's id; it appears whole, by a hard link.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::host::host;

/// How long a process waits: a lock is held for one transaction, and readers exclude each other too.
const PATIENCE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(1);

/// The locks that this process holds: one with its number that is not here is left from another life.
static HELD: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn held() -> MutexGuard<'static, Vec<PathBuf>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A lock that is held, until it is dropped.
#[derive(Debug)]
pub(crate) enum Lock {
    /// The file of the lock.
    File(PathBuf),
    /// Nothing can be written here, so nobody needs a lock.
    ReadOnly,
}

impl Drop for Lock {
    fn drop(&mut self) {
        if let Lock::File(path) = self {
            held().retain(|other| other != path);
            // Somebody else finds that its owner is gone, where this fails.
            let _ = fs::remove_file(path);
        }
    }
}

/// Takes the lock of a database; none where another process keeps it.
pub(crate) fn acquire(database: &Path) -> Option<Lock> {
    let start = Instant::now();
    let lock = beside(database, ".lock");
    let own = beside(database, &format!(".lock-{}", host().pid));
    if let Err(error) = fs::write(&own, host().pid.to_string()) {
        return match error.kind() {
            ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => Some(Lock::ReadOnly),
            _ => None,
        };
    }
    let taken = loop {
        match fs::hard_link(&own, &lock) {
            Ok(()) => break true,
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(_) => break false,
        }
        if !remove_stale(&lock) {
            if start.elapsed() >= PATIENCE {
                break false;
            }
            std::thread::sleep(PAUSE);
        }
    };
    let _ = fs::remove_file(&own);
    taken.then(|| {
        held().push(lock.clone());
        Lock::File(lock)
    })
}

/// Takes away the lock of a process that is gone.
fn remove_stale(lock: &Path) -> bool {
    if held().iter().any(|held| held == lock) || !is_stale(lock) {
        return false;
    }
    // Somebody else may have taken it away and locked anew since: then it goes back.
    let aside = beside(lock, &format!("-stale-{}", host().pid));
    if fs::rename(lock, &aside).is_err() {
        return true;
    }
    if !is_stale(&aside) {
        let _ = fs::hard_link(&aside, lock);
    }
    let _ = fs::remove_file(&aside);
    true
}

fn is_stale(lock: &Path) -> bool {
    fs::read_to_string(lock)
        .ok()
        .and_then(|owner| owner.trim().parse().ok())
        .is_some_and(|owner: u32| owner == host().pid || !(host().is_alive)(owner))
}

fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failure shows as a failed test")]
mod tests {
    use super::*;

    #[test]
    fn a_lock_is_one_file_while_it_is_held() {
        let place = tempfile::tempdir().unwrap();
        let database = place.path().join("d");
        let lock = acquire(&database).unwrap();
        let names = || fs::read_dir(place.path()).unwrap().count();
        assert_eq!(names(), 1);
        drop(lock);
        assert_eq!(names(), 0);
    }

    #[test]
    fn nothing_is_taken_from_the_living() {
        let place = tempfile::tempdir().unwrap();
        let lock = place.path().join("d.lock");
        for owner in ["1", "", "x"] {
            fs::write(&lock, owner).unwrap();
            assert!(!remove_stale(&lock));
            assert!(lock.exists());
        }
    }

    #[test]
    fn what_an_earlier_process_of_the_same_number_left_is_taken() {
        let place = tempfile::tempdir().unwrap();
        let database = place.path().join("d");
        fs::write(place.path().join("d.lock"), host().pid.to_string()).unwrap();
        let lock = acquire(&database).unwrap();
        assert!(!remove_stale(&place.path().join("d.lock")));
        drop(lock);
    }
}

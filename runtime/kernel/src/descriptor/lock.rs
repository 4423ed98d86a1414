//! Locks of whole files, as `flock` has them: what keeps to them asks first.

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};

use super::Object;
use crate::guest::Errno;

/// A lock that an open file has.
struct Held {
    owner: Weak<Object>,
    exclusive: bool,
}

/// Who has which file of a sandbox locked. A lock ends with its open file, so nobody has to give it back.
#[derive(Default)]
pub(crate) struct Locks {
    /// By device and inode.
    files: BTreeMap<(u64, u64), Vec<Held>>,
}

impl Locks {
    /// Locks the file for all that share `object`, in place of the lock that they had; `EAGAIN` where
    /// another lock is in the way, and then they keep theirs.
    pub(crate) fn lock(&mut self, object: &Arc<Object>, exclusive: bool) -> Result<(), Errno> {
        let key = key(object)?;
        self.forget_closed();
        let held = self.files.entry(key).or_default();
        let is_own = |held: &Held| held.owner.as_ptr() == Arc::as_ptr(object);
        let is_free = held
            .iter()
            .all(|held| is_own(held) || !(exclusive || held.exclusive));
        if !is_free {
            return Err(Errno::Again);
        }
        held.retain(|held| !is_own(held));
        held.push(Held {
            owner: Arc::downgrade(object),
            exclusive,
        });
        Ok(())
    }

    /// Gives back the lock of all that share `object`, where they have one.
    pub(crate) fn unlock(&mut self, object: &Arc<Object>) -> Result<(), Errno> {
        if let Some(held) = self.files.get_mut(&key(object)?) {
            held.retain(|held| held.owner.as_ptr() != Arc::as_ptr(object));
        }
        self.forget_closed();
        Ok(())
    }

    /// So that the table is no larger than what is open.
    fn forget_closed(&mut self) {
        self.files.retain(|_, held| {
            held.retain(|held| held.owner.strong_count() > 0);
            !held.is_empty()
        });
    }
}

fn key(object: &Object) -> Result<(u64, u64), Errno> {
    let found = object.metadata()?;
    Ok((found.device, found.inode))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failure shows as a failed test")]

    use offshoot_vfs::{Caller, OpenOptions, Options, Vfs};

    use super::*;

    /// Two open files of one name.
    fn same_file() -> [Arc<Object>; 2] {
        let files = Vfs::new(Options::default());
        [0, 1].map(|_| {
            let options = OpenOptions {
                write: true,
                create: true,
                ..Default::default()
            };
            let file = files.open(&Caller::ROOT, files.root(), b"/f", &options, 0o600);
            Arc::new(Object::from_file(file.unwrap()))
        })
    }

    #[test]
    fn a_lock_ends_with_its_open_file() {
        let [first, second] = same_file();
        let mut locks = Locks::default();
        locks.lock(&first, true).unwrap();
        locks.lock(&first, true).unwrap();
        assert_eq!(locks.lock(&second, false), Err(Errno::Again));
        locks.lock(&first, false).unwrap();
        locks.lock(&second, false).unwrap();
        assert_eq!(locks.lock(&first, true), Err(Errno::Again));
        locks.unlock(&second).unwrap();
        locks.lock(&first, true).unwrap();
        drop(first);
        locks.lock(&second, true).unwrap();
        drop(second);
        let [other, _] = same_file();
        locks.unlock(&other).unwrap();
        assert!(locks.files.is_empty());
    }
}

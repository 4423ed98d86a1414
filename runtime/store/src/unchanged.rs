//! States that are the last one again.

use offshoot_vfs::{Options, Quotas, Vfs};

use crate::{ObjectId, Result, Store, Stored};

impl Store {
    /// The files of the last commit, where nothing but reading has happened since.
    pub(crate) fn unless_read(&self, last: ObjectId, vfs: &Vfs) -> Option<Vfs> {
        // What cannot be compared counts as changed.
        let before = self.checkout(last, unlimited()).ok()?;
        let unchanged = vfs.is_only_read_since(&before.vfs).unwrap_or(false);
        unchanged.then_some(before.vfs)
    }

    /// Names the last commit instead of a new one that is like it.
    pub(crate) fn reuse(&self, stored: &mut Stored, last: ObjectId) -> Result<()> {
        if last == stored.commit {
            return Ok(());
        }
        let (before, now) = (self.get_commit(last), self.get_commit(stored.commit)?);
        if before.is_ok_and(|before| before.is_like(&now)) {
            let unused = self.inner.pending().get(stored.commit).cloned();
            self.inner.pending().forget(unused.as_slice());
            (stored.commit, stored.new_objects, stored.new_bytes) = (last, 0, 0);
        }
        Ok(())
    }
}

/// For trees that are only looked at here.
pub(crate) fn unlimited() -> Options {
    Options {
        quotas: Quotas {
            bytes: u64::MAX,
            inodes: u64::MAX,
            ..Quotas::default()
        },
        ..Options::default()
    }
}

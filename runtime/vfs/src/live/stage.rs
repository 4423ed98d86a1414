//! Changing a copy, to take it over whole or not at all.

use std::sync::{Arc, Mutex};

use super::state::State;
use super::{Live, Vfs};
#[cfg(feature = "tar")]
use crate::{Error, Result};

impl Vfs {
    /// Makes several changes in one step, which no other operation sees half done: what `change` does
    /// to the filesystem that it gets counts here once it has returned `Ok`, and not at all otherwise.
    ///
    /// All others wait meanwhile, `change` too where it uses this filesystem and not the one it gets:
    /// it would wait for ever.
    ///
    /// # Errors
    /// Those of `change`.
    ///
    /// ```
    /// use offshoot_vfs::{Caller, Error, Options, Vfs};
    ///
    /// let fs = Vfs::new(Options::default());
    /// let write = |fs: &Vfs, path: &[u8]| fs.write_file(&Caller::ROOT, fs.root(), path, b"", 0o644);
    /// let failed = fs.atomically(|fs| {
    ///     write(fs, b"/a")?;
    ///     write(fs, b"/missing/b")
    /// });
    /// assert_eq!(failed, Err(Error::NoEntry));
    /// assert!(fs.read_dir(&Caller::ROOT, fs.root(), b"/")?.is_empty());
    /// # Ok::<(), offshoot_vfs::Error>(())
    /// ```
    pub fn atomically<T, E>(
        &self,
        change: impl FnOnce(&Vfs) -> std::result::Result<T, E>,
    ) -> std::result::Result<T, E> {
        let mut state = self.lock();
        let staged = self.staged(&state);
        let done = change(&staged)?;
        state.take_trees_of(&staged.lock());
        Ok(done)
    }

    /// A filesystem with the same trees, files without names included, and what it was made from.
    #[cfg(feature = "tar")]
    pub(crate) fn stage(&self) -> (Vfs, State) {
        let state = self.lock();
        (self.staged(&state), state.copy())
    }

    fn staged(&self, state: &State) -> Vfs {
        let state = Mutex::new(state.copy());
        let options = self.0.options.clone();
        Vfs(Arc::new(Live { state, options }))
    }

    /// Takes over the trees of `staged`, unless they were changed here since `before`.
    #[cfg(feature = "tar")]
    pub(crate) fn commit(&self, staged: &Vfs, before: &State) -> Result<()> {
        let mut state = self.lock();
        if !state.has_trees_of(before) {
            return Err(Error::Busy);
        }
        state.take_trees_of(&staged.lock());
        Ok(())
    }
}

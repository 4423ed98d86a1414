//! Changing a copy, to take it over whole or not at all.

use std::sync::{Arc, Mutex};

use super::state::State;
use super::{Live, Vfs};
use crate::{Error, Result};

impl Vfs {
    /// A filesystem with the same trees, files without names included, and what it was made from.
    pub(crate) fn stage(&self) -> (Vfs, State) {
        let state = self.lock();
        let staged = Mutex::new(state.copy());
        let options = self.0.options.clone();
        (
            Vfs(Arc::new(Live {
                state: staged,
                options,
            })),
            state.copy(),
        )
    }

    /// Takes over the trees of `staged`, unless they were changed here since `before`.
    pub(crate) fn commit(&self, staged: &Vfs, before: &State) -> Result<()> {
        let mut state = self.lock();
        if !state.has_trees_of(before) {
            return Err(Error::Busy);
        }
        state.take_trees_of(&staged.lock());
        Ok(())
    }
}

//! Whether an owner is still there, for stores that can tell.

use std::any::Any;
use std::fmt;

/// Shows that an owner is there for as long as it exists; see [`Refs::announce`].
///
/// [`Refs::announce`]: crate::Refs::announce
pub struct Presence {
    owner: String,
    _shown: Box<dyn Any + Send + Sync>,
}

impl Presence {
    /// The owner that `shown` shows until it is dropped, or its process ends.
    pub fn new(owner: impl Into<String>, shown: impl Any + Send + Sync) -> Presence {
        Presence {
            owner: owner.into(),
            _shown: Box::new(shown),
        }
    }

    /// The owner's name in refs.
    pub fn owner(&self) -> &str {
        &self.owner
    }
}

impl fmt::Debug for Presence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Presence").field(&self.owner).finish()
    }
}

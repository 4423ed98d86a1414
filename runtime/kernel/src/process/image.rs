//! What a process was started from, as others may ask for it.

use std::borrow::Cow;
use std::sync::Arc;

/// Environment variables, in the order in which they were given.
pub(crate) type Variables = [(Vec<u8>, Vec<u8>)];

/// What holds the environment of a process, shared with whoever started it.
pub(crate) trait Environment: Send + Sync {
    fn variables(&self) -> &Variables;
}

impl Environment for Vec<(Vec<u8>, Vec<u8>)> {
    fn variables(&self) -> &Variables {
        self
    }
}

/// What a process was started from.
#[derive(Clone, Default)]
pub(crate) struct Image {
    /// The file that it runs, absolute and without symbolic links.
    pub(crate) program: Cow<'static, [u8]>,
    /// The arguments, its name first.
    pub(crate) arguments: Vec<Vec<u8>>,
    /// None where nobody knows it any more.
    pub(crate) environment: Option<Arc<dyn Environment>>,
    /// The working directory, where the process has told of no other one.
    pub(crate) directory: Vec<u8>,
    /// The descriptors that it began with; none where it keeps its own numbers.
    pub(crate) descriptors: Option<Vec<u32>>,
}

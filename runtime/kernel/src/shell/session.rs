//! Shell state that lives from one execution to the next.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use wasmtime::component::ResourceAny;

use super::Setup;

/// A session of a shell: variables, functions, options and directory.
///
/// It is plain data on the host's side: it survives the instance, can be saved, loaded in another
/// process, and forked by copying.
pub struct Session {
    setup: Arc<Setup>,
    saved: Option<Bytes>,
    pub(super) live: Option<Live>,
}

/// The session inside an instance.
pub(super) struct Live {
    pub(super) instance: u64,
    pub(super) resource: ResourceAny,
    pub(super) bin: Bin,
}

/// Sessions of an instance that nobody holds any more. They are dropped there when it runs next.
#[derive(Clone, Default)]
pub(super) struct Bin(Arc<Mutex<Vec<ResourceAny>>>);

impl Bin {
    fn put(&self, resource: ResourceAny) {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(resource);
    }

    pub(super) fn empty(&self) -> Vec<ResourceAny> {
        std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Session {
    /// A fresh session.
    pub fn new(setup: Setup) -> Session {
        Session {
            setup: Arc::new(setup),
            saved: None,
            live: None,
        }
    }

    /// A session from what [`Session::state`] gave. The bytes are checked when it first runs.
    pub fn load(state: Bytes, setup: Setup) -> Session {
        Session {
            setup: Arc::new(setup),
            saved: Some(state),
            live: None,
        }
    }

    /// Its state after the last execution that went through to its end; none before the first.
    pub fn state(&self) -> Option<&Bytes> {
        self.saved.as_ref()
    }

    /// An independent copy of the state after the last execution; costs a pointer.
    #[must_use]
    pub fn fork(&self) -> Session {
        Session {
            setup: Arc::clone(&self.setup),
            saved: self.saved.clone(),
            live: None,
        }
    }

    /// What it was made with.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    pub(super) fn shared_setup(&self) -> &Arc<Setup> {
        &self.setup
    }

    pub(super) fn saved(&mut self, state: Vec<u8>) {
        self.saved = Some(state.into());
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        self.bin.put(self.resource);
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("setup", &self.setup)
            .field("bytes", &self.saved.as_ref().map(Bytes::len))
            .finish_non_exhaustive()
    }
}

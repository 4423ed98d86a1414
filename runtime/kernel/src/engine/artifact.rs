//! Components that were compiled ahead of time.

#![allow(unsafe_code, reason = "machine code cannot be checked, only trusted")]

use std::collections::BTreeSet;
use std::ptr::NonNull;
use std::sync::{Mutex, PoisonError};

use wasmtime::component::Component;

use super::Engine;
use crate::{Error, Result};

/// Makes data begin at a page, for [`Artifact::embedded`].
#[derive(Debug)]
#[repr(C, align(4096))]
pub struct PageAligned<T: ?Sized>(pub T);

/// Machine code of a component, made by [`Engine::precompile`].
#[derive(Clone, Copy)]
pub struct Artifact {
    code: &'static [u8],
    in_place: bool,
}

impl Artifact {
    /// Trusts `bytes` to come from [`Engine::precompile`], unchanged.
    ///
    /// They are run as machine code: pass only what the build made. Bytes of another version or
    /// configuration are noticed and refused, hostile ones are not. Loading costs a copy of them.
    pub const fn trusted(bytes: &'static [u8]) -> Artifact {
        Artifact {
            code: bytes,
            in_place: false,
        }
    }

    /// The same for a static of the binary, whose read-only pages can be run where they are: only the
    /// pages that run are ever read.
    ///
    /// Linux on x86-64 does that the first time; for another engine, and elsewhere, loading costs a copy.
    pub const fn embedded(bytes: &'static PageAligned<[u8]>) -> Artifact {
        Artifact {
            code: &bytes.0,
            in_place: true,
        }
    }

    /// Makes the code ready to run.
    ///
    /// # Errors
    /// [`Error::Artifact`] for bytes of another version or configuration.
    pub fn load(self, engine: &Engine) -> Result<Component> {
        if self.in_place
            && pages::ENABLED
            && self.claim()
            && let Ok(component) = self.map(engine)
        {
            return Ok(component);
        }
        // SAFETY: the constructors' contract is that the bytes come from `Engine::precompile`; they
        // are static, so nobody can have changed them since.
        let component = unsafe { Component::deserialize(engine.wasm(), self.code) };
        component.map_err(|error| Error::Artifact(format!("{error:#}")))
    }

    /// Whether this is the first to run the code in place: wasmtime registers each address once.
    fn claim(self) -> bool {
        static CLAIMED: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());
        let mut claimed = CLAIMED.lock().unwrap_or_else(PoisonError::into_inner);
        claimed.insert(self.code.as_ptr().addr())
    }

    fn map(self, engine: &Engine) -> wasmtime::Result<Component> {
        // SAFETY: as in `load`; the bytes live as long as the process, and nothing can write to
        // statics without interior mutability.
        unsafe { Component::deserialize_raw(engine.wasm(), NonNull::from(self.code)) }
    }
}

/// As [`Artifact::load`], for code that [`super::Engine::precompile`] or the cache's compiler made and
/// that only this user could have changed since; [`crate::program`]'s cache is the only caller.
pub(crate) fn load_kept(engine: &Engine, code: &[u8]) -> Result<Component> {
    // SAFETY: the cache checks that the file the code was read from, and its directory, belong to this
    // user and that nobody else may write there; what was made for another engine is refused.
    let component = unsafe { Component::deserialize(engine.wasm(), code) };
    component.map_err(|error| Error::Artifact(format!("{error:#}")))
}

impl std::fmt::Debug for Artifact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Artifact({} bytes)", self.code.len())
    }
}

/// How code becomes executable where it lies in pages that wasmtime did not allocate.
#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
pub(super) mod pages {
    use rustix::mm::{MprotectFlags, mprotect};
    use std::sync::Arc;
    use wasmtime::CustomCodeMemory;

    /// Whether code can be run in place.
    pub(in super::super) const ENABLED: bool = true;

    struct Pages;

    impl CustomCodeMemory for Pages {
        fn required_alignment(&self) -> usize {
            4096
        }

        fn publish_executable(&self, code: *const u8, length: usize) -> wasmtime::Result<()> {
            let flags = MprotectFlags::READ | MprotectFlags::EXEC;
            // SAFETY: the range is the code of an artifact, whole pages of it. No reference can be
            // used for writing: it is a static, or wasmtime's own memory, which has just been made
            // read-only.
            unsafe { mprotect(code.cast_mut().cast(), length, flags)? };
            Ok(())
        }

        /// Leaves the pages as they are: a static stays what it is, and memory of wasmtime's own is
        /// given back to the system right after.
        fn unpublish_executable(&self, _: *const u8, _: usize) -> wasmtime::Result<()> {
            Ok(())
        }
    }

    /// Has wasmtime ask us to publish code.
    pub(in super::super) fn configure(config: &mut wasmtime::Config) {
        config.with_custom_code_memory(Some(Arc::new(Pages)));
    }
}

/// Elsewhere code is copied: caches and branch protection have rules of their own there.
#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
pub(super) mod pages {
    pub(in super::super) const ENABLED: bool = false;

    pub(in super::super) fn configure(_: &mut wasmtime::Config) {}
}

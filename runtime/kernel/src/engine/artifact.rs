//! Components of the host: compiled ahead of time, or packed.

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

/// Makes a component of what was packed.
pub type Unpack = fn(&[u8]) -> std::io::Result<Vec<u8>>;

/// A component of the host: machine code that [`Engine::precompile`] made, or the component itself, which
/// is compiled when it is first loaded.
#[derive(Clone, Copy)]
pub struct Artifact(Form);

#[derive(Clone, Copy)]
enum Form {
    Code(&'static [u8]),
    InPlace(&'static [u8]),
    Packed(&'static [u8], Unpack),
}

impl Artifact {
    /// Trusts `bytes` to come from [`Engine::precompile`], unchanged.
    ///
    /// They are run as machine code: pass only what the build made. Bytes of another version or
    /// configuration are noticed and refused, hostile ones are not. Loading costs a copy of them.
    pub const fn trusted(bytes: &'static [u8]) -> Artifact {
        Artifact(Form::Code(bytes))
    }

    /// The same for a static of the binary, whose read-only pages can be run where they are: only the
    /// pages that run are ever read.
    ///
    /// Linux on x86-64 does that the first time; for another engine, and elsewhere, loading costs a copy.
    pub const fn embedded(bytes: &'static PageAligned<[u8]>) -> Artifact {
        Artifact(Form::InPlace(&bytes.0))
    }

    /// A component of which `unpack` makes WebAssembly. Loading compiles it, which takes seconds, or
    /// takes what [`crate::EngineOptions::cache`] has of it.
    ///
    /// For embedders whose build shall not compile for the machine that it runs on, or that want small
    /// binaries: code is more than twice as large as the component, and nine times as it packed.
    pub const fn packed(bytes: &'static [u8], unpack: Unpack) -> Artifact {
        Artifact(Form::Packed(bytes, unpack))
    }

    /// Whether loading may take seconds.
    pub(crate) fn is_slow(self) -> bool {
        matches!(self.0, Form::Packed(..))
    }

    /// Makes the code ready to run.
    ///
    /// # Errors
    /// [`Error::Artifact`] for bytes of another version or configuration, or that cannot be unpacked;
    /// [`Error::Refused`] for a component that the engine refuses.
    pub fn load(self, engine: &Engine) -> Result<Component> {
        let code = match self.0 {
            Form::Code(code) => code,
            Form::InPlace(code) => {
                if pages::ENABLED
                    && claim(code)
                    && let Ok(component) = map(engine, code)
                {
                    return Ok(component);
                }
                code
            }
            Form::Packed(bytes, unpack) => {
                let unpack = || unpack(bytes).map_err(|error| Error::Artifact(error.to_string()));
                return match engine.cache() {
                    Some(cache) => {
                        super::cache::packed(engine, bytes, || Ok(unpack()?.into()), cache)
                    }
                    None => engine.compile(&unpack()?),
                };
            }
        };
        // SAFETY: the constructors' contract is that the bytes come from `Engine::precompile`; they
        // are static, so nobody can have changed them since.
        let component = unsafe { Component::deserialize(engine.wasm(), code) };
        component.map_err(|error| Error::Artifact(format!("{error:#}")))
    }
}

/// Whether this is the first to run the code in place: wasmtime registers each address once.
fn claim(code: &'static [u8]) -> bool {
    static CLAIMED: Mutex<BTreeSet<usize>> = Mutex::new(BTreeSet::new());
    let mut claimed = CLAIMED.lock().unwrap_or_else(PoisonError::into_inner);
    claimed.insert(code.as_ptr().addr())
}

fn map(engine: &Engine, code: &'static [u8]) -> wasmtime::Result<Component> {
    // SAFETY: as in `load`; the bytes live as long as the process, and nothing can write to
    // statics without interior mutability.
    unsafe { Component::deserialize_raw(engine.wasm(), NonNull::from(code)) }
}

/// As [`Artifact::load`], for code that [`super::Engine::precompile`] or the cache's compiler made and
/// that only this user could have changed since; the cache is the only caller.
pub(super) fn load_kept(engine: &Engine, code: &[u8]) -> Result<Component> {
    // SAFETY: the cache checks that the file the code was read from, and its directory, belong to this
    // user and that nobody else may write there; what was made for another engine is refused.
    let component = unsafe { Component::deserialize(engine.wasm(), code) };
    component.map_err(|error| Error::Artifact(format!("{error:#}")))
}

impl std::fmt::Debug for Artifact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (Form::Code(bytes) | Form::InPlace(bytes) | Form::Packed(bytes, _)) = self.0;
        write!(f, "Artifact({} bytes)", bytes.len())
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

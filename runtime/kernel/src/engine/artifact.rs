//! Components that were compiled ahead of time. The one place with `unsafe`.

#![allow(unsafe_code, reason = "machine code cannot be checked, only trusted")]

use wasmtime::component::Component;

use super::Engine;
use crate::{Error, Result};

/// Machine code of a component, made by [`Engine::precompile`].
#[derive(Clone, Copy)]
pub struct Artifact(&'static [u8]);

impl Artifact {
    /// Trusts `bytes` to come from [`Engine::precompile`], unchanged.
    ///
    /// They are run as machine code: pass only what the build embedded in the binary. Bytes of
    /// another version or configuration are noticed and refused, hostile ones are not.
    pub const fn trusted(bytes: &'static [u8]) -> Artifact {
        Artifact(bytes)
    }

    /// Makes the code ready to run; costs a copy of it.
    ///
    /// # Errors
    /// [`Error::Artifact`] for bytes of another version or configuration.
    pub fn load(self, engine: &Engine) -> Result<Component> {
        // SAFETY: `Artifact::trusted` is the only constructor, and its contract is that the bytes
        // come from `Engine::precompile`; they are static, so nobody can have changed them since.
        let component = unsafe { Component::deserialize(engine.wasm(), self.0) };
        component.map_err(|error| Error::Artifact(format!("{error:#}")))
    }
}

impl std::fmt::Debug for Artifact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Artifact({} bytes)", self.0.len())
    }
}

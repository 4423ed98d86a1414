//! The engine: one configuration for every sandbox of a process, and for the build that compiles ahead.

mod artifact;
mod cache;
mod config;
mod cpu;
mod places;
#[cfg(test)]
mod tests;
mod ticker;

pub use artifact::{Artifact, PageAligned, Unpack};
pub(crate) use cache::component as cached;
pub use config::{EngineOptions, user_cache};
pub use cpu::Cpu;
pub(crate) use places::Place;
pub use ticker::Running;

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use wasmtime::component::{Component, Linker};

use crate::guest::Guest;
use crate::{Error, Result};
use config::Allocation;
use places::Places;
use ticker::Ticker;

/// Compiles and runs components; cheap to clone. A process needs exactly one.
///
/// It holds the pool that all instances come from, the linkers, and a thread that ticks every
/// millisecond or two while a guest runs, so that each guest can be stopped at any instruction.
///
/// # Examples
/// ```
/// use offshoot_kernel::{Engine, EngineOptions};
///
/// let engine = Engine::new(&EngineOptions::default())?;
/// assert!(Engine::precompile(b"no component").is_err());
/// # drop(engine);
/// # Ok::<(), offshoot_kernel::Error>(())
/// ```
#[derive(Clone)]
pub struct Engine(Arc<Inner>);

struct Inner {
    wasm: wasmtime::Engine,
    pooled: bool,
    places: Places,
    ticker: Ticker,
    linker: OnceLock<Linker<Guest>>,
    cache: Option<PathBuf>,
}

impl Engine {
    /// Sets up an engine. Where the address space is too small for the pool (a few TiB are reserved,
    /// not used) it falls back to a pool of a sixteenth, and then to allocation on demand, which
    /// costs about 6 µs more for each process; [`Engine::pooled`] tells.
    ///
    /// # Errors
    /// [`Error::Engine`] where the machine is not one that wasmtime supports.
    pub fn new(options: &EngineOptions) -> Result<Engine> {
        let attempts = [
            Allocation::Pool(options.clone()),
            Allocation::Pool(options.reduced()),
            Allocation::OnDemand,
        ];
        let mut failure = None;
        for allocation in attempts {
            let (pooled, processes) = match &allocation {
                Allocation::Pool(options) => (true, options.processes),
                Allocation::OnDemand => (false, options.processes),
            };
            match wasmtime::Engine::new(&config::config(&allocation, options.stack)) {
                Ok(wasm) => {
                    let cache = options.cache.clone();
                    return Ok(Engine::with(wasm, pooled, processes, cache));
                }
                Err(error) => failure = Some(error),
            }
        }
        Err(Error::Engine(
            failure
                .map(|error| format!("{error:#}"))
                .unwrap_or_default(),
        ))
    }

    fn with(
        wasm: wasmtime::Engine,
        pooled: bool,
        processes: u32,
        cache: Option<PathBuf>,
    ) -> Engine {
        let ticker = Ticker::new(wasm.clone());
        Engine(Arc::new(Inner {
            wasm,
            pooled,
            places: Places::new(processes as usize),
            ticker,
            linker: OnceLock::new(),
            cache,
        }))
    }

    /// Whether instances come from the pool, and not from the fallback.
    pub fn pooled(&self) -> bool {
        self.0.pooled
    }

    /// Where machine code of packed components is kept.
    pub(crate) fn cache(&self) -> Option<&Path> {
        self.0.cache.as_deref()
    }

    /// The places that instances take.
    pub(crate) fn places(&self) -> &Places {
        &self.0.places
    }

    /// Compiles a component for [`Artifact::trusted`], for any processor like this machine's
    /// ([`Cpu::Baseline`]). For build scripts.
    ///
    /// # Errors
    /// [`Error::Refused`] for damaged bytes, a plain module, or a component that uses what the
    /// configuration leaves out.
    pub fn precompile(component: &[u8]) -> Result<Vec<u8>> {
        Engine::precompile_for(component, Cpu::Baseline)
    }

    /// As [`Engine::precompile`], for the processor that is named.
    ///
    /// # Errors
    /// As [`Engine::precompile`].
    pub fn precompile_for(component: &[u8], cpu: Cpu) -> Result<Vec<u8>> {
        compiler(cpu)?
            .precompile_component(component)
            .map_err(|error| Error::Refused(format!("{error:#}")))
    }

    /// A number that changes when artifacts of [`Engine::precompile`] can no longer be loaded.
    pub fn fingerprint() -> u64 {
        let mut hasher = DefaultHasher::new();
        match compiler(Cpu::Baseline) {
            Ok(engine) => engine.precompile_compatibility_hash().hash(&mut hasher),
            Err(error) => error.to_string().hash(&mut hasher),
        }
        hasher.finish()
    }

    /// Compiles a component in this process. Only for components that the embedder trusts as far as
    /// compilation goes: the compiler promises nothing about hostile input.
    ///
    /// # Errors
    /// [`Error::Refused`], as for [`Engine::precompile`].
    pub fn compile(&self, component: &[u8]) -> Result<Component> {
        // A panic of the compiler is not its promise broken, but must not be the process's end.
        let compiled = catch_unwind(AssertUnwindSafe(|| Component::new(&self.0.wasm, component)));
        compiled
            .map_err(|_| Error::Refused("the compiler gave up".to_owned()))?
            .map_err(|error| Error::Refused(format!("{error:#}")))
    }

    /// The engine itself, for crates that run components of another world than a sandbox's: a
    /// process has one.
    pub fn wasm(&self) -> &wasmtime::Engine {
        &self.0.wasm
    }

    /// Marks that a guest runs until the result is dropped: only then does the epoch move.
    pub fn running(&self) -> Running<'_> {
        self.0.ticker.running()
    }

    /// What guests may import.
    pub(crate) fn linker(&self) -> Result<&Linker<Guest>> {
        if self.0.linker.get().is_none() {
            let linker = crate::guest::linker(&self.0.wasm)
                .map_err(|error| Error::Engine(format!("{error:#}")))?;
            // Two threads may both have made one; either is as good.
            let _ = self.0.linker.set(linker);
        }
        self.0
            .linker
            .get()
            .ok_or_else(|| Error::Engine("no linker".to_owned()))
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engine")
            .field("pooled", &self.0.pooled)
            .finish_non_exhaustive()
    }
}

/// An engine that only compiles: the same configuration without a pool.
fn compiler(cpu: Cpu) -> Result<wasmtime::Engine> {
    let mut config = config::config(&Allocation::OnDemand, config::STACK);
    cpu.configure(&mut config)?;
    wasmtime::Engine::new(&config).map_err(|error| Error::Engine(format!("{error:#}")))
}

//! Which processor code is compiled for that another machine may run.

#![allow(unsafe_code, reason = "the compiler's flags are unchecked names to it")]

use wasmtime::Config;

use crate::{Error, Result};

/// The processor that code which is compiled ahead of time asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum Cpu {
    /// Any of the architecture that servers have had for ten years: x86-64-v2, or the plain aarch64. Code
    /// for it is loaded by older machines than the one that compiled it.
    #[default]
    Baseline,
    /// The processor of the machine that compiles, with all it has. Older ones refuse to load the code.
    Host,
}

/// What x86-64-v2 has beyond the architecture's first processors, as the compiler names it.
#[cfg(target_arch = "x86_64")]
const BASELINE: &[&str] = &[
    "has_sse3",
    "has_ssse3",
    "has_sse41",
    "has_sse42",
    "has_popcnt",
];
/// Nothing beyond the architecture.
#[cfg(not(target_arch = "x86_64"))]
const BASELINE: &[&str] = &[];

impl Cpu {
    /// Sets what the compiler may use.
    pub(super) fn configure(self, config: &mut Config) -> Result<()> {
        if self == Cpu::Host {
            return Ok(());
        }
        // A target that is named is not looked at: only what is listed is used.
        let target = target_lexicon::HOST.to_string();
        config
            .target(&target)
            .map_err(|error| Error::Engine(format!("{target}: {error:#}")))?;
        for flag in BASELINE {
            // SAFETY: each only lets the compiler use instructions, and whoever loads the code checks that its
            // processor has them.
            unsafe { config.cranelift_flag_enable(flag) };
        }
        Ok(())
    }
}

//! The guests that the build script took: machine code with the feature `embed`, else packed components.

use offshoot_kernel::Artifact;

/// A component, as machine code.
#[cfg(feature = "embed")]
pub(crate) type Code = &'static offshoot_kernel::PageAligned<[u8]>;

/// A component, compressed by Zstandard.
#[cfg(not(feature = "embed"))]
pub(crate) type Code = &'static [u8];

/// What the engine loads.
#[cfg(feature = "embed")]
pub(crate) fn artifact(code: Code) -> Artifact {
    Artifact::embedded(code)
}

/// What the engine unpacks, compiles and loads.
#[cfg(not(feature = "embed"))]
pub(crate) fn artifact(code: Code) -> Artifact {
    Artifact::packed(code, |packed| offshoot_guest_build::unpack(packed, BASE))
}

/// Commands that are one component: a sandbox loads it when it needs one of them.
pub(crate) struct Family {
    /// The component.
    pub(crate) code: Code,
    /// The names under which it can be called.
    pub(crate) commands: &'static [&'static str],
}

include!(concat!(env!("OUT_DIR"), "/guests.rs"));

/// The names of all commands, the shell's among them.
pub(crate) fn command_names() -> impl Iterator<Item = &'static str> {
    let commands = FAMILIES.iter().flat_map(|family| family.commands);
    commands.copied().chain(["bash", "sh"])
}

/// Bytes of stack that CPython's calls take at most: it bounds its recursion by the stack in its linear memory, and
/// functions that need little of that and much of this one must not be the first to meet an end. Memory is
/// taken for what is used of it.
pub(crate) const PYTHON_STACK: usize = 64 << 20;

/// CPython, where it was built in.
pub(crate) fn python() -> Option<Code> {
    #[cfg(feature = "python")]
    return PYTHON;
    #[cfg(not(feature = "python"))]
    None
}

/// JavaScript, where it was built in.
pub(crate) fn javascript() -> Option<Code> {
    #[cfg(feature = "javascript")]
    return JAVASCRIPT;
    #[cfg(not(feature = "javascript"))]
    None
}

//! The guests: compiled ahead of time by the build script and embedded in the library.

use offshoot_kernel::PageAligned;

/// Commands that are one component: a sandbox loads it when it needs one of them.
pub(crate) struct Family {
    /// The component, as machine code.
    pub(crate) code: &'static PageAligned<[u8]>,
    /// The names under which it can be called.
    pub(crate) commands: &'static [&'static str],
}

include!(concat!(env!("OUT_DIR"), "/guests.rs"));

/// The names of all commands, the shell's among them.
pub(crate) fn command_names() -> impl Iterator<Item = &'static str> {
    let commands = FAMILIES.iter().flat_map(|family| family.commands);
    commands.copied().chain(["bash", "sh"])
}

/// Bytes of stack that CPython is made for: it bounds its recursion by the stack in its linear memory, and
/// its makers run it with so much here.
pub(crate) const PYTHON_STACK: usize = 16 << 20;

/// CPython, where it was built in.
pub(crate) fn python() -> Option<&'static offshoot_kernel::PageAligned<[u8]>> {
    #[cfg(feature = "python")]
    return PYTHON;
    #[cfg(not(feature = "python"))]
    None
}

//! Memory that goes back to the system.

#![allow(unsafe_code, reason = "the allocator is asked in C")]

/// Gives memory that was freed back to the system, where its allocator keeps it for later.
///
/// The C library of GNU keeps what lies between blocks that are in use, which after the end of a
/// large sandbox is most of what that had (T53). This takes a millisecond or two for each hundred
/// megabytes, during which others that allocate may wait; elsewhere it does nothing.
pub fn give_memory_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        // SAFETY: it takes the allocator's own locks and touches only what nobody has.
        unsafe { libc::malloc_trim(0) };
    }
}

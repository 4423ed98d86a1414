//! What a process says when its memory is used up: one line, as the tools of GNU say it, where the
//! runtime would end in a trap.

#![allow(
    unsafe_code,
    reason = "an allocator is an unsafe trait; this one hands every call to the system's"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write as _;
use std::sync::OnceLock;

static NAME: OnceLock<String> = OnceLock::new();

/// Sets the name that the message starts with.
pub fn set_name(name: &str) {
    // A second call would only name the same process again.
    let _ = NAME.set(name.to_owned());
}

#[global_allocator]
static ALLOCATOR: Reporting = Reporting;

/// The system's allocator, which ends the process with status 2 when there is no memory left.
struct Reporting;

// SAFETY: every call goes to `System` with the arguments it came with, and what `System` gives is
// given back unchanged; where that is nothing, the process ends.
unsafe impl GlobalAlloc for Reporting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc`, which is the same.
        checked(unsafe { System.alloc(layout) })
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc_zeroed`, which is the same.
        checked(unsafe { System.alloc_zeroed(layout) })
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `realloc`, which is the same.
        checked(unsafe { System.realloc(block, layout, size) })
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the block came from `System`, with this layout.
        unsafe { System.dealloc(block, layout) }
    }
}

fn checked(block: *mut u8) -> *mut u8 {
    if block.is_null() {
        let name = NAME.get().map_or("", String::as_str);
        let mut errors = std::io::stderr();
        // Standard error has no buffer that would have to grow.
        for part in [name, ": memory exhausted\n"] {
            let _ = errors.write_all(part.as_bytes());
        }
        crate::system::exit(2);
    }
    block
}

//! Giving memory back to the system after large sandboxes.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// Bytes of files from which on the end of a sandbox is worth it; smaller ones fit into what the
/// allocator hands out again.
const LARGE: u64 = 64 << 20;
/// How long what ends is waited for: once for all that end within this time.
const PAUSE: Duration = Duration::from_millis(500);

/// Whether it is about to happen.
static DUE: AtomicBool = AtomicBool::new(false);

/// A sandbox ends that had files of this size: what only it held goes back soon (T53).
pub(crate) fn after(bytes: u64) {
    if bytes < LARGE || DUE.swap(true, Ordering::SeqCst) {
        return;
    }
    let give_back = || {
        thread::sleep(PAUSE);
        DUE.store(false, Ordering::SeqCst);
        offshoot_kernel::give_memory_back();
    };
    let started = thread::Builder::new()
        .name("offshoot-trim".to_owned())
        .stack_size(64 << 10)
        .spawn(give_back);
    if started.is_err() {
        DUE.store(false, Ordering::SeqCst);
    }
}

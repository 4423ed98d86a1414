//! Shells that wait for their sandbox's next execution.
//!
//! They are kept in one place for the process, the least recently used leaving first: an idle
//! sandbox costs its tree and settings, and idle ones cannot use up the engine's pool.

use offshoot_kernel::Shell;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Shells that are kept at most; each holds an instance of some hundred kilobytes.
const CAPACITY: usize = 64;

/// Sandbox and shell, the most recently used last.
static PARKED: Mutex<VecDeque<(u64, Shell)>> = Mutex::new(VecDeque::new());

fn lock() -> MutexGuard<'static, VecDeque<(u64, Shell)>> {
    PARKED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A shell of this sandbox, where one is parked.
pub(crate) fn take(sandbox: u64) -> Option<Shell> {
    let mut parked = lock();
    let at = parked.iter().rposition(|(owner, _)| *owner == sandbox)?;
    parked.remove(at).map(|(_, shell)| shell)
}

/// Keeps a shell for the sandbox's next execution.
pub(crate) fn put(sandbox: u64, shell: Shell) {
    let mut parked = lock();
    parked.push_back((sandbox, shell));
    let evicted = if parked.len() > CAPACITY {
        parked.pop_front()
    } else {
        None
    };
    // An instance is given back without the lock.
    drop(parked);
    drop(evicted);
}

/// Gives back all shells of a sandbox that ends.
pub(crate) fn remove(sandbox: u64) {
    let mut parked = lock();
    if !parked.iter().any(|(owner, _)| *owner == sandbox) {
        return;
    }
    let (own, others) = parked.drain(..).partition(|(owner, _)| *owner == sandbox);
    *parked = others;
    drop(parked);
    let own: VecDeque<(u64, Shell)> = own;
    drop(own);
}

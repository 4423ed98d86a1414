//! Signals from the embedder to an execution.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::process::{Entry, signal};

/// Sends signals to an execution from elsewhere; clones send to the same one.
///
/// Give it to [`crate::Request::signals`]. What is sent before the execution starts reaches it when
/// it does. To end an execution with everything it started, drop its future.
#[derive(Clone, Default)]
pub struct Signals(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    entry: Weak<Entry>,
    early: Vec<u8>,
}

impl Signals {
    /// For an execution that is yet to start.
    pub fn new() -> Signals {
        Signals::default()
    }

    /// Sends a signal by its POSIX number. A script may have a trap for all but 9 and 19.
    pub fn send(&self, number: u8) {
        let mut state = self.lock();
        match state.entry.upgrade() {
            Some(entry) => entry.send(number),
            None => state.early.push(number),
        }
    }

    /// Ctrl-Z at the terminal of an interactive shell: what runs in its foreground stands still. The
    /// shell itself goes on, unlike by signal 20 from elsewhere.
    pub fn stop_foreground(&self) {
        let state = self.lock();
        if let Some(entry) = state.entry.upgrade() {
            entry.hand_over(signal::TERMINAL_STOP);
        }
    }

    pub(super) fn attach(&self, entry: &Arc<Entry>) {
        let mut state = self.lock();
        state.entry = Arc::downgrade(entry);
        state.early.drain(..).for_each(|number| entry.send(number));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Signals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Signals")
            .field(&self.lock().entry.upgrade().map(|entry| entry.pid))
            .finish()
    }
}

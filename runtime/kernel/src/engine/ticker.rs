//! The thread that moves the engine's epoch while guests run, and sleeps while none does.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Time between two ticks: how long a guest runs before it lets others run.
pub(crate) const TICK: Duration = Duration::from_millis(1);
/// Ticks without a running guest after which the thread parks. Waking it costs a system call, so
/// that a burst of short executions should not pay for each.
const LINGER: u32 = 20;

/// Owns the thread; dropping it ends the thread.
pub(super) struct Ticker {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Debug, Default)]
struct Shared {
    /// Guests that run at this moment.
    running: AtomicUsize,
    parked: AtomicBool,
    ended: AtomicBool,
    #[cfg(test)]
    ticks: AtomicUsize,
}

/// A guest runs as long as this lives; see [`Engine::running`](super::Engine::running).
#[derive(Debug)]
pub struct Running<'a>(&'a Shared);

impl Ticker {
    /// Starts the thread, parked. Where no thread can be started guests cannot be interrupted
    /// while they compute; limits still hold whenever they call the host.
    pub(super) fn new(engine: wasmtime::Engine) -> Ticker {
        let shared = Arc::new(Shared::default());
        let copy = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("offshoot-ticker".to_owned())
            .stack_size(64 << 10)
            .spawn(move || copy.tick(&engine))
            .ok();
        Ticker { shared, thread }
    }

    pub(super) fn running(&self) -> Running<'_> {
        self.shared.running.fetch_add(1, Ordering::SeqCst);
        if self.shared.parked.load(Ordering::SeqCst) {
            self.unpark();
        }
        Running(&self.shared)
    }

    #[cold]
    fn unpark(&self) {
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
    }

    /// Ticks so far.
    #[cfg(test)]
    pub(super) fn ticks(&self) -> usize {
        self.shared.ticks.load(Ordering::SeqCst)
    }

    /// Whether the thread sleeps.
    #[cfg(test)]
    pub(super) fn is_parked(&self) -> bool {
        self.shared.parked.load(Ordering::SeqCst)
    }
}

impl Shared {
    fn tick(&self, engine: &wasmtime::Engine) {
        let mut idle = 0;
        while !self.ended.load(Ordering::SeqCst) {
            if self.running.load(Ordering::SeqCst) > 0 {
                idle = 0;
            } else {
                idle += 1;
            }
            if idle > LINGER {
                self.park();
                idle = 0;
            }
            thread::sleep(TICK);
            engine.increment_epoch();
            #[cfg(test)]
            self.ticks.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Sleeps until a guest runs. Who starts one raises the count first and looks at the flag then;
    /// here the flag is set first and the count read then, so one of the two sees the other.
    fn park(&self) {
        self.parked.store(true, Ordering::SeqCst);
        while self.running.load(Ordering::SeqCst) == 0 && !self.ended.load(Ordering::SeqCst) {
            thread::park();
        }
        self.parked.store(false, Ordering::SeqCst);
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.shared.ended.store(true, Ordering::SeqCst);
        self.unpark();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}

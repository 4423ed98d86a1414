//! What the kernel keeps about one process, and how others reach it.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use futures::task::AtomicWaker;

use super::{Group, Image, ProcessEnd, Tasks, signal};
use crate::ProcessInfo;

/// One process: alive until it has an end, kept until its parent has asked for it.
pub(crate) struct Entry {
    pub(crate) pid: u32,
    pub(crate) parent: AtomicU32,
    /// On the monotonic clock.
    pub(crate) started: u64,
    pub(crate) group: Arc<Group>,
    /// Signals that were sent and not yet acted upon, a bit for each.
    signals: AtomicU64,
    paused: AtomicBool,
    /// The task that runs it.
    task: AtomicWaker,
    /// What it runs itself, where it is a shell.
    pub(crate) tasks: Tasks,
    end: Mutex<End>,
}

#[derive(Default)]
struct End {
    end: Option<ProcessEnd>,
    /// Given up at the end: what waits for its parent must not hold memory (T20, T28).
    image: Image,
    /// Bytes of linear memory of the instance that runs it.
    memory: Option<Arc<AtomicU64>>,
    waiting: Vec<Waker>,
}

impl Entry {
    pub(crate) fn new(
        pid: u32,
        parent: u32,
        started: u64,
        image: Image,
        group: Arc<Group>,
    ) -> Entry {
        Entry {
            pid,
            parent: AtomicU32::new(parent),
            started,
            group,
            signals: AtomicU64::new(0),
            paused: AtomicBool::new(false),
            task: AtomicWaker::new(),
            tasks: Tasks::default(),
            end: Mutex::new(End {
                image,
                ..End::default()
            }),
        }
    }

    /// Sends a signal; one that pauses or continues acts at once.
    pub(crate) fn send(&self, number: u8) {
        if signal::is_pausing(number) {
            self.paused.store(true, Ordering::SeqCst);
            return;
        }
        if number == signal::CONTINUE || number == signal::KILL {
            self.paused.store(false, Ordering::SeqCst);
        }
        self.hand_over(number);
    }

    /// Leaves a signal to whoever acts upon signals of this process.
    pub(crate) fn hand_over(&self, number: u8) {
        if (1..=signal::LAST).contains(&number) {
            self.signals.fetch_or(1 << (number - 1), Ordering::SeqCst);
        }
        self.task.wake();
    }

    /// Sends a signal to one of its tasks; false where it has none of this number.
    pub(crate) fn send_to_task(&self, pid: u32, number: u8) -> bool {
        let found = self.tasks.send(pid, number);
        if found {
            self.task.wake();
        }
        found
    }

    /// Takes the lowest signal that was sent and for which `wanted` holds.
    pub(crate) fn take_signal(&self, wanted: impl Fn(u8) -> bool) -> Option<u8> {
        let sent = self.signals.load(Ordering::SeqCst);
        if sent == 0 {
            return None;
        }
        let number = (1..=signal::LAST).find(|&n| sent >> (n - 1) & 1 == 1 && wanted(n))?;
        self.signals
            .fetch_and(!(1 << (number - 1)), Ordering::SeqCst);
        Some(number)
    }

    /// Whether a signal waits to be acted upon, for it or for one of its tasks.
    pub(crate) fn has_signals(&self) -> bool {
        self.signals.load(Ordering::SeqCst) != 0 || self.tasks.has_signals()
    }

    /// Whether it ends at its next turn.
    pub(crate) fn is_killed(&self) -> bool {
        self.signals.load(Ordering::SeqCst) >> (signal::KILL - 1) & 1 == 1
    }

    pub(crate) fn is_paused(&self) -> bool {
        self.paused.load(Ordering::SeqCst)
    }

    /// Lets the task that runs it look around.
    pub(crate) fn wake(&self) {
        self.task.wake();
    }

    /// Says which task runs it.
    pub(crate) fn attach(&self, waker: &Waker) {
        self.task.register(waker);
    }

    /// Records how it ended, once, and returns who waits for that; none where it had ended before.
    pub(crate) fn finish(&self, end: ProcessEnd) -> Option<Vec<Waker>> {
        let mut state = self.lock();
        if state.end.is_some() {
            return None;
        }
        state.end = Some(end);
        state.image = Image::default();
        state.memory = None;
        self.tasks.set(Vec::new());
        Some(std::mem::take(&mut state.waiting))
    }

    pub(crate) fn info(&self) -> ProcessInfo {
        ProcessInfo {
            pid: self.pid,
            parent: self.parent.load(Ordering::Relaxed),
            started: self.started,
            arguments: self.lock().image.arguments.clone(),
        }
    }

    /// What it was started from.
    pub(crate) fn image(&self) -> Image {
        self.lock().image.clone()
    }

    /// It works in this directory from now on.
    pub(crate) fn enter(&self, directory: Vec<u8>) {
        self.lock().image.directory = directory;
    }

    /// Bytes of linear memory that the instance which runs it takes.
    pub(crate) fn memory(&self) -> u64 {
        let memory = self.lock().memory.clone();
        memory.map_or(0, |memory| memory.load(Ordering::Relaxed))
    }

    /// Says where the memory of the instance that runs it is counted.
    pub(crate) fn count_memory(&self, memory: &Arc<AtomicU64>) {
        self.lock().memory = Some(Arc::clone(memory));
    }

    pub(crate) fn ended(&self) -> Option<ProcessEnd> {
        self.lock().end.clone()
    }

    pub(crate) fn is_alive(&self) -> bool {
        self.lock().end.is_none()
    }

    /// Whether it has ended; otherwise registers `waker`.
    pub(crate) fn poll_ended(&self, waker: &Waker) -> bool {
        let mut state = self.lock();
        if state.end.is_none() && !state.waiting.iter().any(|known| known.will_wake(waker)) {
            state.waiting.push(waker.clone());
        }
        state.end.is_some()
    }

    fn lock(&self) -> MutexGuard<'_, End> {
        self.end.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

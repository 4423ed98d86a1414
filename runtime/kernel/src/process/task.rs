//! What a shell runs in its own process and others see as processes: subshells and commands.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::ProcessInfo;

/// The tasks of one process, as it said last, and the signals for them.
#[derive(Default)]
pub(crate) struct Tasks {
    state: Mutex<State>,
    signalled: AtomicBool,
}

#[derive(Default)]
struct State {
    tasks: Vec<ProcessInfo>,
    signals: VecDeque<(u32, u8)>,
}

impl Tasks {
    /// Replaces the list; a task that was in the last one keeps its beginning.
    pub(crate) fn set(&self, mut tasks: Vec<ProcessInfo>) {
        tasks.sort_unstable_by_key(|task| task.pid);
        let mut state = self.lock();
        for task in &mut tasks {
            let known = state.tasks.binary_search_by_key(&task.pid, |one| one.pid);
            if let Some(known) = known.ok().and_then(|at| state.tasks.get(at)) {
                task.started = known.started;
            }
        }
        state.tasks = tasks;
    }

    pub(crate) fn list(&self) -> Vec<ProcessInfo> {
        self.lock().tasks.clone()
    }

    /// Sends a signal to a task; false where there is none of this number.
    pub(crate) fn send(&self, pid: u32, number: u8) -> bool {
        let mut state = self.lock();
        let found = state.tasks.binary_search_by_key(&pid, |one| one.pid);
        // One that was sent and not acted upon is not sent again, as with processes.
        if found.is_ok() && number != 0 && !state.signals.contains(&(pid, number)) {
            state.signals.push_back((pid, number));
            self.signalled.store(true, Ordering::SeqCst);
        }
        found.is_ok()
    }

    pub(crate) fn has_signals(&self) -> bool {
        self.signalled.load(Ordering::SeqCst)
    }

    pub(crate) fn take_signal(&self) -> Option<(u32, u8)> {
        if !self.has_signals() {
            return None;
        }
        let mut state = self.lock();
        let next = state.signals.pop_front();
        self.signalled
            .store(!state.signals.is_empty(), Ordering::SeqCst);
        next
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(pid: u32, started: u64) -> ProcessInfo {
        ProcessInfo {
            pid,
            parent: 2,
            started,
            arguments: Vec::new(),
        }
    }

    #[test]
    fn signals_reach_what_is_listed_once() {
        let tasks = Tasks::default();
        tasks.set(vec![task(9, 1), task(7, 1)]);
        assert!(tasks.send(7, 15) && tasks.send(7, 15) && tasks.send(9, 2) && tasks.send(9, 0));
        assert!(!tasks.send(8, 15));
        assert!(tasks.has_signals());
        assert_eq!(tasks.take_signal(), Some((7, 15)));
        assert_eq!(tasks.take_signal(), Some((9, 2)));
        assert_eq!(tasks.take_signal(), None);
        assert!(!tasks.has_signals());
    }

    #[test]
    fn what_stays_keeps_its_beginning() {
        let tasks = Tasks::default();
        tasks.set(vec![task(7, 1)]);
        tasks.set(vec![task(8, 5), task(7, 5)]);
        let started: Vec<_> = tasks.list().iter().map(|task| task.started).collect();
        assert_eq!(started, [1, 5]);
    }
}

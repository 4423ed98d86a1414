//! What a shell runs in its own process and others see as processes: subshells and commands.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::ProcessInfo;

/// A task, as its shell describes it.
#[derive(Clone)]
pub(crate) struct Task {
    pub(crate) info: ProcessInfo,
    /// The working directory.
    pub(crate) directory: Vec<u8>,
    /// It stands still by a signal.
    pub(crate) stopped: bool,
}

/// The tasks of one process, as it said last, and the signals for them.
#[derive(Default)]
pub(crate) struct Tasks {
    state: Mutex<State>,
    signalled: AtomicBool,
}

#[derive(Default)]
struct State {
    tasks: Vec<Task>,
    signals: VecDeque<(u32, u8)>,
}

impl State {
    fn find(&self, pid: u32) -> Option<&Task> {
        let at = self.tasks.binary_search_by_key(&pid, |one| one.info.pid);
        self.tasks.get(at.ok()?)
    }
}

impl Tasks {
    /// Replaces the list; a task that was in the last one keeps its beginning.
    pub(crate) fn set(&self, mut tasks: Vec<Task>) {
        tasks.sort_unstable_by_key(|task| task.info.pid);
        let mut state = self.lock();
        for task in &mut tasks {
            if let Some(known) = state.find(task.info.pid) {
                task.info.started = known.info.started;
            }
        }
        state.tasks = tasks;
    }

    pub(crate) fn list(&self) -> Vec<ProcessInfo> {
        let state = self.lock();
        state.tasks.iter().map(|task| task.info.clone()).collect()
    }

    /// The task of this number.
    pub(crate) fn get(&self, pid: u32) -> Option<Task> {
        self.lock().find(pid).cloned()
    }

    /// Whether there is a task of this number.
    pub(crate) fn has(&self, pid: u32) -> bool {
        self.lock().find(pid).is_some()
    }

    /// Sends a signal to a task; false where there is none of this number.
    pub(crate) fn send(&self, pid: u32, number: u8) -> bool {
        let mut state = self.lock();
        let found = state.find(pid).is_some();
        // One that was sent and not acted upon is not sent again, as with processes.
        if found && number != 0 && !state.signals.contains(&(pid, number)) {
            state.signals.push_back((pid, number));
            self.signalled.store(true, Ordering::SeqCst);
        }
        found
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

    fn task(pid: u32, started: u64) -> Task {
        let (parent, arguments) = (2, Vec::new());
        let info = ProcessInfo {
            pid,
            parent,
            started,
            arguments,
        };
        let directory = b"/".to_vec();
        Task {
            info,
            directory,
            stopped: false,
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

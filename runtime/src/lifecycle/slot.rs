//! The place of one sandbox in this process: whether it is awake here, and who uses it.

use super::lease::Live;
use super::task::TaskRun;
use super::update::Times;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

/// The place of one sandbox in this process.
#[derive(Default)]
pub(super) struct Slot {
    /// Held while it is woken or put to sleep, so of many callers one does it.
    pub(super) live: tokio::sync::Mutex<Option<Live>>,
    pub(super) awake: AtomicBool,
    pub(super) leases: AtomicUsize,
    /// Counts leases ever given, so that an idle timer knows whether it is the last.
    pub(super) given: AtomicU64,
    /// Something was due while it was used here.
    pub(super) attend: AtomicBool,
    /// Held while listeners are told, in order.
    pub(super) delivery: tokio::sync::Mutex<()>,
    /// Held while its setup runs.
    pub(super) setup: tokio::sync::Mutex<()>,
    /// Setups that were begun and have not ended.
    pub(super) setups: tokio::sync::watch::Sender<usize>,
    /// The highest epoch in which it was awake here and was lost to another process.
    pub(super) lost: AtomicU64,
    /// That was not reported by a suspend yet.
    pub(super) unreported: AtomicBool,
    pub(super) times: Mutex<Times>,
    pub(super) tasks: Mutex<BTreeMap<String, TaskRun>>,
}

impl Slot {
    pub(super) fn is_awake(&self) -> bool {
        self.awake.load(Ordering::Acquire)
    }

    pub(super) fn set_asleep(&self) {
        self.awake.store(false, Ordering::Release);
    }

    /// Notes that what was awake here was lost to another process.
    pub(super) fn lose(&self, epoch: u64) {
        self.set_asleep();
        self.lost.fetch_max(epoch, Ordering::AcqRel);
    }

    /// Leases of this process.
    pub(super) fn leases(&self) -> usize {
        self.leases.load(Ordering::Acquire)
    }

    /// Ends waiting for idleness that began before; the number of what begins.
    pub(super) fn begin_wait(&self) -> u64 {
        self.given.fetch_add(1, Ordering::AcqRel) + 1
    }

    /// Has whoever drops the last lease look at what is due.
    pub(super) fn attend_when_free(&self) {
        self.attend.store(true, Ordering::Release);
    }
}

//! Everything that one execution started: accounted together, ended together.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::task::Waker;
use std::time::{Duration, Instant};

use super::{Entry, signal};
use crate::shell::Left;
use crate::{Limit, Limits};

/// The processes of one execution. Children belong to the group of their parent.
pub(crate) struct Group {
    /// Bytes of output that are still allowed.
    output: AtomicU64,
    /// Nanoseconds of processor time used.
    processor: AtomicU64,
    processor_limit: Option<u64>,
    deadline: Option<Instant>,
    /// The deadline holds no longer.
    released: AtomicBool,
    exceeded: OnceLock<Limit>,
    /// Everything in it was killed, so whoever joins now is killed too.
    killed: AtomicBool,
    members: Mutex<Vec<Weak<Entry>>>,
    /// Streams that were numbered.
    streams: AtomicU64,
}

impl Group {
    /// A group that ends after `wall_time`, or after that of the limits.
    pub(crate) fn new(limits: &Limits, wall_time: Option<Duration>) -> Arc<Group> {
        let wall_time = wall_time.or(limits.wall_time);
        Arc::new(Group {
            output: AtomicU64::new(limits.output),
            processor: AtomicU64::new(0),
            processor_limit: limits.cpu_time.map(nanoseconds),
            deadline: wall_time.and_then(|time| Instant::now().checked_add(time)),
            released: AtomicBool::new(false),
            exceeded: OnceLock::new(),
            killed: AtomicBool::new(false),
            members: Mutex::default(),
            streams: AtomicU64::new(0),
        })
    }

    /// A group that goes on with what was left of another one's limits.
    pub(crate) fn resumed(limits: &Limits, left: &Left, wall_time: Option<Duration>) -> Arc<Group> {
        let wall_time = wall_time.or(left.wall_time);
        let mut group = Group::new(limits, wall_time);
        if let Some(group) = Arc::get_mut(&mut group) {
            group.output = AtomicU64::new(left.output.min(limits.output));
            group.processor = AtomicU64::new(nanoseconds(left.processor));
        }
        group
    }

    /// What is left of its limits.
    pub(crate) fn left(&self) -> Left {
        let until = |deadline: Instant| deadline.saturating_duration_since(Instant::now());
        Left {
            wall_time: self.deadline().map(until),
            output: self.output.load(Ordering::Relaxed),
            processor: self.spent(),
        }
    }

    pub(crate) fn join(&self, entry: &Arc<Entry>) {
        let mut members = self.lock();
        if members.len() == members.capacity() {
            members.retain(|member| member.upgrade().is_some_and(|entry| entry.is_alive()));
        }
        members.push(Arc::downgrade(entry));
        drop(members);
        if self.killed.load(Ordering::SeqCst) {
            entry.send(signal::KILL);
        }
    }

    /// A number for a stream, which has no inode.
    pub(crate) fn number_stream(&self) -> u64 {
        self.streams.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// How much of `wanted` bytes of output may be written.
    pub(crate) fn grant_output(&self, wanted: usize) -> usize {
        let mut granted = 0;
        let _ = self
            .output
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| {
                granted = left.min(wanted as u64);
                Some(left - granted)
            });
        granted as usize
    }

    /// Gives back what was granted and not used.
    pub(crate) fn return_output(&self, unused: usize) {
        if unused > 0 {
            self.output.fetch_add(unused as u64, Ordering::Relaxed);
        }
    }

    /// Counts processor time.
    pub(crate) fn spend(&self, time: Duration) {
        let spent = nanoseconds(time);
        let before = self.processor.fetch_add(spent, Ordering::Relaxed);
        if self
            .processor_limit
            .is_some_and(|limit| before.saturating_add(spent) >= limit)
        {
            self.exceed(Limit::CpuTime);
        }
    }

    /// Processor time of all its processes.
    pub(crate) fn spent(&self) -> Duration {
        Duration::from_nanos(self.processor.load(Ordering::Relaxed))
    }

    /// When every member ends.
    pub(crate) fn deadline(&self) -> Option<Instant> {
        self.deadline
            .filter(|_| !self.released.load(Ordering::Relaxed))
    }

    /// Whoever started it has its result: what goes on is not timed any more.
    pub(crate) fn release(&self) {
        self.released.store(true, Ordering::Relaxed);
    }

    /// The limit that ended it.
    pub(crate) fn exceeded(&self) -> Option<Limit> {
        self.exceeded.get().copied()
    }

    /// A limit was reached: every member ends.
    pub(crate) fn exceed(&self, limit: Limit) {
        if self.exceeded.set(limit).is_ok() {
            self.send(signal::KILL);
        }
    }

    /// Sends a signal to every member; `SIGKILL` also to those that are just being started.
    pub(crate) fn send(&self, number: u8) {
        if number == signal::KILL {
            self.killed.store(true, Ordering::SeqCst);
        }
        self.living().iter().for_each(|entry| entry.send(number));
    }

    /// The members that have not ended.
    pub(crate) fn living(&self) -> Vec<Arc<Entry>> {
        let members = self.lock();
        members
            .iter()
            .filter_map(Weak::upgrade)
            .filter(|entry| entry.is_alive())
            .collect()
    }

    /// Whether no member but `own` is alive; otherwise registers for the end of one that is.
    pub(crate) fn poll_alone(&self, own: u32, waker: &Waker) -> bool {
        let mut others = self.living().into_iter().filter(|entry| entry.pid != own);
        others.all(|entry| entry.poll_ended(waker))
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Weak<Entry>>> {
        self.members.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

//! The scripts of a sandbox that run, so that they can be suspended with it.

use crate::error::{Below, Error, Result};
use crate::sandbox::Sandbox;
use crate::suspended::Suspended;
use offshoot_kernel::{Paused, Suspender};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Scripts by number; clones are the same list.
#[derive(Clone, Default)]
pub(crate) struct Running(Arc<Mutex<List>>);

#[derive(Default)]
struct List {
    last: u64,
    scripts: BTreeMap<u64, Suspender>,
}

/// A script that is on the list as long as this lives.
pub(crate) struct Registered {
    list: Running,
    id: u64,
}

impl Registered {
    pub(crate) fn id(&self) -> u64 {
        self.id
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        let suspender = self.list.lock().scripts.remove(&self.id);
        // It may never have begun; whoever wants to suspend it must not wait for that.
        suspender.iter().for_each(Suspender::finish);
    }
}

impl Running {
    /// Puts a script on the list, under its own number where it has one that is free.
    pub(crate) fn register(&self, suspender: &Suspender, id: Option<u64>) -> Registered {
        let mut list = self.lock();
        let free = id.filter(|id| !list.scripts.contains_key(id));
        let id = free.unwrap_or(list.last + 1);
        list.last = list.last.max(id);
        list.scripts.insert(id, suspender.clone());
        drop(list);
        let list = self.clone();
        Registered { list, id }
    }

    /// Keeps numbers up to this one for scripts that sleep.
    pub(crate) fn reserve(&self, last: u64) {
        let mut list = self.lock();
        list.last = list.last.max(last);
    }

    /// Whether a script of this number runs.
    pub(crate) fn contains(&self, id: u64) -> bool {
        self.lock().scripts.contains_key(&id)
    }

    /// How many run.
    pub(crate) fn count(&self) -> usize {
        self.lock().scripts.len()
    }

    fn lock(&self) -> MutexGuard<'_, List> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Scripts that stand still. Dropped, they go on.
#[derive(Default)]
pub(crate) struct AllPaused(BTreeMap<u64, Paused>);

impl AllPaused {
    /// What they are as data.
    pub(crate) fn suspended(&self) -> impl Iterator<Item = (u64, Suspended)> + '_ {
        let all = self.0.iter();
        all.map(|(id, paused)| (*id, Suspended(paused.suspended().clone())))
    }

    /// Ends them here.
    pub(crate) async fn stop(self) {
        for paused in self.0.into_values() {
            paused.stop().await;
        }
    }
}

impl Sandbox {
    /// Lets every script stand still that was spawned and runs, beside those that do already.
    /// `patiently` waits until none has a program in flight.
    ///
    /// # Errors
    /// `CONFLICT` for a program in flight, `CAPABILITY`. All go on then.
    pub(crate) async fn pause(&self, before: AllPaused, patiently: bool) -> Result<AllPaused> {
        let AllPaused(mut paused) = before;
        let scripts = self.running().lock().scripts.clone();
        for (id, suspender) in scripts {
            if paused.contains_key(&id) {
                continue;
            }
            let asked = match patiently {
                true => suspender.pause_patiently().await,
                false => suspender.pause().await,
            };
            match asked {
                Ok(script) => {
                    paused.insert(id, script);
                }
                // It ended meanwhile.
                Err(offshoot_kernel::Error::Over) => {}
                Err(error) => return Err(Error::kernel("suspend", error)),
            }
        }
        Ok(AllPaused(paused))
    }
}

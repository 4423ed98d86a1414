//! The collector: finds what no ref and no pin leads to, condemns it, and removes it a grace later.
//!
//! Why in two steps: a writer may be about to build on an object that nothing else leads to any more. From
//! the moment when it is condemned, writers are told that it is not there and store it again,
//! which brings it back. A writer that was told otherwise before finds, when it publishes, that the
//! collector's epoch has moved, and looks again. So whoever gets a ref to move past that epoch is
//! seen when the refs are read again before anything is removed. The order is: look, condemn, move the
//! epoch, wait until writers that passed its check have swapped, read the refs again, remove.

use std::collections::HashSet;
use std::time::Duration;

use crate::walk::Walk;
use crate::{Filter, ObjectId, Pin, Ref, Result, State, Store, object::targets};

/// Objects and refs that are handled at a time.
const PAGE: usize = 1000;

/// How [`Store::collect`] works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Collect {
    /// How old an object must be before it can be condemned, and how long it must have been
    /// condemned before it is removed. Longer than the longest suspend.
    pub grace: Duration,
    /// Generations of parents that a ref or pin keeps.
    pub history: u32,
}

impl Default for Collect {
    /// One day; 32 generations.
    fn default() -> Collect {
        Collect {
            grace: Duration::from_secs(24 * 60 * 60),
            history: 32,
        }
    }
}

/// What names a commit.
#[derive(Debug, Clone, Copy)]
pub enum Named<'a> {
    /// A ref, by its name.
    Ref(&'a str, &'a Ref),
    /// A pin.
    Pin(&'a Pin),
}

/// How much of what was before a commit is kept with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct History {
    /// Generations of parents.
    pub generations: u32,
    /// Only those that were made since, by the store's clock.
    pub since: u64,
}

impl History {
    /// So many generations, however old.
    pub fn generations(generations: u32) -> History {
        History {
            generations,
            since: 0,
        }
    }

    /// Whether it has all that the other has.
    pub(crate) fn covers(&self, other: &History) -> bool {
        self.generations >= other.generations && self.since <= other.since
    }
}

/// What [`Store::collect`] did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Collected {
    /// Objects that were there.
    pub objects: u64,
    /// Of these, reachable or too young.
    pub kept: u64,
    /// Newly condemned.
    pub condemned: u64,
    /// Reachable again.
    pub reprieved: u64,
    /// Removed.
    pub removed: u64,
    /// Bytes of these.
    pub removed_bytes: u64,
    /// Tombstones that were removed.
    pub tombstones: u64,
}

impl Store {
    /// Condemns what nothing leads to and removes what was condemned a grace ago. Others may use the
    /// store meanwhile. Call it now and then; twice, a grace apart, removes.
    ///
    /// Pins that have run out and tombstones older than the grace are removed as well.
    ///
    /// # Errors
    /// `CORRUPT` where something reachable is damaged or missing, and then nothing was removed: see
    /// [`Store::check`]. Those of the store.
    pub fn collect(&self, options: &Collect) -> Result<Collected> {
        let history = History::generations(options.history);
        self.collect_with(options, &|_| history)
    }

    /// [`Store::collect`] where each ref and pin says what it keeps of its history, instead of
    /// [`Collect::history`].
    ///
    /// # Errors
    /// Those of [`Store::collect`].
    pub fn collect_with(
        &self,
        options: &Collect,
        keeps: &dyn Fn(Named<'_>) -> History,
    ) -> Result<Collected> {
        let (objects, refs) = (&self.inner.objects, &self.inner.refs);
        let now = refs.now()?;
        let grace = u64::try_from(options.grace.as_millis()).unwrap_or(u64::MAX);
        let old = now.saturating_sub(grace);
        let mut report = Collected {
            tombstones: self.bury(old)?,
            ..Collected::default()
        };
        self.expire(now)?;
        let mut all = Vec::new();
        while let page = objects.list(all.last().map(|info: &crate::ObjectInfo| info.id), PAGE)?
            && !page.is_empty()
        {
            all.extend(page);
        }
        let mut walk = Walk::new(&self.inner);
        self.mark(&mut walk, keeps)?;
        for info in &all {
            // What a young object leads to is kept with it: somebody may be about to name it.
            if info.condemned_at.is_none() && info.stored_at >= old {
                self.mark_object(&mut walk, info.id)?;
            }
        }
        let unreached = |info: &&crate::ObjectInfo| !walk.reached.contains(&info.id);
        let fresh = all.iter().filter(|info| info.condemned_at.is_none());
        let condemn: Vec<_> = fresh.filter(unreached).map(|info| info.id).collect();
        let ripe = |info: &&crate::ObjectInfo| info.condemned_at.is_some_and(|time| time < old);
        let ripe: Vec<_> = all.iter().filter(ripe).filter(unreached).copied().collect();
        report.objects = all.len() as u64;
        report.condemned = condemn.len() as u64;
        for page in condemn.chunks(PAGE) {
            objects.condemn(page)?;
        }
        refs.advance_gc_epoch()?;
        std::thread::sleep(refs.settle());
        self.mark(&mut walk, keeps)?;
        let condemned = all
            .iter()
            .filter(|info| info.condemned_at.is_some())
            .map(|info| info.id);
        let back: HashSet<ObjectId> = condemned
            .chain(condemn.iter().copied())
            .filter(|id| walk.reached.contains(id))
            .collect();
        let back: Vec<_> = back.into_iter().collect();
        report.reprieved = back.len() as u64;
        for page in back.chunks(PAGE) {
            objects.reprieve(page)?;
        }
        let gone = ripe.iter().filter(|info| !walk.reached.contains(&info.id));
        let gone: Vec<_> = gone.collect();
        for page in gone.chunks(PAGE) {
            let ids: Vec<_> = page.iter().map(|info| info.id).collect();
            let removed = objects.remove(&ids, old)?;
            report.removed += removed;
            if removed == ids.len() as u64 {
                report.removed_bytes += page.iter().map(|info| info.length).sum::<u64>();
            }
        }
        report.kept = report.objects - report.condemned - report.removed;
        Ok(report)
    }

    /// Gives the room of what was removed back to the medium.
    ///
    /// # Errors
    /// Those of the store; nothing is lost then.
    pub fn shrink(&self) -> Result<()> {
        self.inner.objects.shrink()
    }

    /// Everything that refs, pins and commits that wait in this process lead to.
    fn mark(&self, walk: &mut Walk<'_>, keeps: &dyn Fn(Named<'_>) -> History) -> Result<()> {
        let refs = &self.inner.refs;
        let mut last: Option<String> = None;
        loop {
            let page = refs.list(&Filter::default(), last.as_deref(), PAGE)?;
            for (name, found) in &page {
                if let (Some(commit), true) = (found.commit, found.state != State::Deleted) {
                    walk.commit(commit, keeps(Named::Ref(name, found)))?;
                }
            }
            match page.into_iter().next_back() {
                Some((name, _)) => last = Some(name),
                None => break,
            }
        }
        for pin in refs.pins()? {
            walk.commit(pin.commit, keeps(Named::Pin(&pin)))?;
        }
        let waiting = self.inner.pending().all();
        waiting
            .iter()
            .try_for_each(|object| self.mark_object(walk, object.id))
    }

    /// An object that nothing need lead to, and all it leads to.
    fn mark_object(&self, walk: &mut Walk<'_>, id: ObjectId) -> Result<()> {
        if walk.reached.contains(&id) {
            return Ok(());
        }
        // What is damaged or gone leads nowhere; nothing reachable is concerned.
        let Ok(object) = self.inner.get(id) else {
            walk.reached.insert(id);
            return Ok(());
        };
        walk.reached.insert(id);
        let Ok(targets) = targets(&object, None) else {
            return Ok(());
        };
        for target in targets {
            if !walk.reached.contains(&target.id) {
                self.mark_object(walk, target.id)?;
            }
        }
        Ok(())
    }

    /// Removes pins that have run out.
    fn expire(&self, now: u64) -> Result<()> {
        for pin in self.inner.refs.pins()? {
            if pin.until.is_some_and(|until| until < now) {
                self.inner.refs.unpin(&pin.name)?;
            }
        }
        Ok(())
    }

    /// Removes tombstones that are old enough.
    fn bury(&self, old: u64) -> Result<u64> {
        let filter = Filter {
            state: Some(State::Deleted),
            ..Filter::default()
        };
        let (mut last, mut buried): (Option<String>, u64) = (None, 0);
        loop {
            let page = self.inner.refs.list(&filter, last.as_deref(), PAGE)?;
            for (name, found) in &page {
                // Somebody still has to do something about it.
                if found.changed < old && found.deadline.is_none() {
                    match self.inner.refs.forget(name, found.version()) {
                        Ok(()) => buried += 1,
                        // Somebody else did it.
                        Err(crate::Error::Conflict { .. }) => {}
                        Err(error) => return Err(error),
                    }
                }
            }
            match page.into_iter().next_back() {
                Some((name, _)) => last = Some(name),
                None => return Ok(buried),
            }
        }
    }
}

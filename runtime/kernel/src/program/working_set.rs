//! The blocks of memory that every instance of a program writes to.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use wasmtime::Store;

use super::pages::Place;
use crate::guest::Guest;

/// Instances that are watched first, and how many pass later until one is watched again.
const FIRST: u64 = 4;
const PAUSE: u64 = 64;
/// Instances that have to agree before anything is done.
const ENOUGH: u64 = 2;
/// Blocks that are known at most: 4 MiB.
const MOST: usize = 1024;

/// Those of a program, by how its instances begin.
#[derive(Default)]
pub(super) struct WorkingSets {
    /// Up to the end of a process that is called once.
    pub(super) run: WorkingSet,
    /// Up to the preparation of one that is called again and again.
    pub(super) rounds: WorkingSet,
    /// Up to the end of its first round, where it goes on with an image; what that has is left out.
    pub(super) image: WorkingSet,
}

/// What instances have in common, learned from some of them: it only gets smaller.
///
/// The others get these blocks as their own before they read them. A fault for each one at its first write costs more
/// than the copy, and where a page was read before, and so was mapped to be read, each processor that runs a thread of
/// this process has to be interrupted as well.
#[derive(Default)]
pub(super) struct WorkingSet(Mutex<Known>);

#[derive(Default)]
struct Known {
    /// Instances that began.
    begun: u64,
    /// Instances of which was learned.
    seen: u64,
    /// The blocks that all of those wrote to, in order.
    blocks: Vec<u32>,
}

/// An instance that shows what it writes to.
pub(super) struct Watched {
    place: Place,
    /// What is known without it.
    known: HashSet<u32>,
}

impl WorkingSet {
    /// An instance begins, and is going to write to `certain` blocks: they become its own, and those that are known,
    /// unless it is to be watched.
    pub(super) fn begin(
        &self,
        store: &mut Store<Guest>,
        place: Place,
        certain: impl IntoIterator<Item = Range<u32>>,
    ) -> Option<Watched> {
        let mut ranges: Vec<Range<u32>> = certain.into_iter().collect();
        let known = match self.is_watched() {
            true => Some(ranges.iter().cloned().flatten().collect()),
            false => {
                ranges.extend(self.ranges());
                None
            }
        };
        place.own(store, &ranges);
        known.map(|known| Watched { place, known })
    }

    /// What a watched instance wrote to, in order; none where the system does not tell.
    pub(super) fn learn(&self, written: Option<Vec<u32>>) {
        let Some(mut written) = written else {
            return;
        };
        let mut known = self.lock();
        if known.seen > 0 {
            written.retain(|block| known.blocks.binary_search(block).is_ok());
        }
        known.seen += 1;
        known.blocks = written;
    }

    /// Counts an instance: whether it is one to be watched.
    fn is_watched(&self) -> bool {
        let mut known = self.lock();
        known.begun += 1;
        known.begun <= FIRST || known.begun.is_multiple_of(PAUSE)
    }

    /// What is known.
    fn ranges(&self) -> Vec<Range<u32>> {
        let known = self.lock();
        if known.seen < ENOUGH {
            return Vec::new();
        }
        let few = &known.blocks[..known.blocks.len().min(MOST)];
        few.chunk_by(|one, next| one + 1 == *next)
            .map(|row| row[0]..row[0] + row.len() as u32)
            .collect()
    }

    fn lock(&self) -> MutexGuard<'_, Known> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watched {
    /// The blocks that it wrote to, without those that were certain. Its store has to be there.
    pub(super) fn written(&self) -> Option<Vec<u32>> {
        let mut written = self.place.written()?;
        written.retain(|block| !self.known.contains(block));
        Some(written)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_write_to_is_known() {
        let set = WorkingSet::default();
        assert_eq!(set.ranges(), []);
        set.learn(Some(vec![1, 2, 3, 7, 9]));
        assert_eq!(set.ranges(), [], "one says nothing of the next");
        set.learn(Some(vec![0, 1, 2, 7, 8]));
        assert_eq!(set.ranges(), [1..3, 7..8]);
        set.learn(None);
        assert_eq!(set.ranges(), [1..3, 7..8]);
        set.learn(Some(vec![1, 7, 9]));
        assert_eq!(set.ranges(), [1..2, 7..8]);
    }

    #[test]
    fn few_are_watched_and_few_blocks_known() {
        let set = WorkingSet::default();
        let watched = (0..200).filter(|_| set.is_watched()).count() as u64;
        assert_eq!(watched, FIRST + 200 / PAUSE);
        for _ in 0..2 {
            set.learn(Some((0..5000).step_by(2).collect()));
        }
        assert_eq!(set.ranges().len(), MOST);
    }
}

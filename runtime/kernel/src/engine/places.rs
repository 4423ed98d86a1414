//! Who gets the places of the pool.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::Kernel;

/// The part of all places that sandboxes with few of them have for themselves: one in this many.
const RESERVE: usize = 8;
/// Places below which a sandbox counts as one with few: its shell and a short pipeline.
const FEW: usize = 4;

/// Counts the places of the pool that are taken.
///
/// A sandbox may have as many places as are left over for everybody: one alone gets half of them,
/// and `n` that want all get each one part of `n + 1` (a dynamic threshold, as switches share their
/// buffers). So however many want more, some stay free for who comes next, and on top of them a
/// reserve that only sandboxes with few places take from (T49).
#[derive(Debug)]
pub(crate) struct Places {
    total: usize,
    used: AtomicUsize,
}

impl Places {
    pub(super) fn new(total: usize) -> Places {
        Places {
            total,
            used: AtomicUsize::new(0),
        }
    }

    /// Counts a place for a sandbox that has `own`; false where it would be more than its share.
    fn take(&self, own: usize) -> bool {
        let fits = |used: usize| {
            let free = self.total.saturating_sub(used);
            let shared = free.saturating_sub(self.total / RESERVE);
            let fits = free > 0 && (own < FEW || own < shared);
            fits.then_some(used + 1)
        };
        self.used
            .fetch_update(Ordering::SeqCst, Ordering::SeqCst, fits)
            .is_ok()
    }

    fn give_back(&self) {
        self.used.fetch_sub(1, Ordering::SeqCst);
    }
}

/// A place for one instance, counted at its sandbox and at the engine as long as this lives.
pub(crate) struct Place(Kernel);

impl Place {
    /// A place for an instance of this sandbox; none where it has its share.
    pub(crate) fn take(kernel: &Kernel) -> Option<Place> {
        let own = kernel.places().fetch_add(1, Ordering::SeqCst);
        if kernel.settings().engine.places().take(own) {
            return Some(Place(kernel.clone()));
        }
        kernel.places().fetch_sub(1, Ordering::SeqCst);
        None
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.settings().engine.places().give_back();
        self.0.places().fetch_sub(1, Ordering::SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many places each of `sandboxes` gets that all want as many as they can.
    fn shares(total: usize, sandboxes: usize) -> (Places, Vec<usize>) {
        let places = Places::new(total);
        let mut own = vec![0; sandboxes];
        loop {
            let before = own.clone();
            for own in &mut own {
                *own += usize::from(places.take(*own));
            }
            if own == before {
                return (places, own);
            }
        }
    }

    #[test]
    fn t49_places_are_shared_and_newcomers_get_some() {
        for (sandboxes, least) in [(1, 112), (2, 74), (5, 37), (20, 10), (50, 4)] {
            let (places, own) = shares(256, sandboxes);
            let fewest = own.iter().min().copied().unwrap_or_default();
            let most = own.iter().max().copied().unwrap_or_default();
            assert!(
                fewest >= least && most - fewest <= 1,
                "{sandboxes}: {own:?}"
            );
            // One more comes and gets its shell and a pipeline.
            assert!((0..FEW).all(|own| places.take(own)), "{sandboxes}");
        }
    }

    #[test]
    fn t49_places_come_back() {
        let (places, own) = shares(64, 3);
        (0..own[0]).for_each(|_| places.give_back());
        assert!(places.take(own[1]));
    }
}

//! Walks over the history, from newer commits to older ones.
//!
//! Order is git's default: a heap by the committer's time, and where these are equal by the order of arrival. Clocks
//! lie, so a parent may come before a child; `selection` sorts where that matters. Walks read commits as they reach
//! them, and hold a set of names. There is no commit graph file and no generation number: what asks whether a commit
//! is reachable costs the history up to there.

use std::collections::{BinaryHeap, HashMap, HashSet};

use super::objects::{Commit, Id};
use super::repository::Repository;
use super::stop::Outcome;

/// A commit that waits for its turn: younger ones first, then those that came first.
#[derive(PartialEq, Eq)]
struct Waiting {
    time: i64,
    order: std::cmp::Reverse<u64>,
    id: Id,
}

impl Ord for Waiting {
    fn cmp(&self, other: &Waiting) -> std::cmp::Ordering {
        (self.time, &self.order).cmp(&(other.time, &other.order))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Waiting) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Commits that wait, the youngest first.
#[derive(Default)]
pub struct Queue {
    heap: BinaryHeap<Waiting>,
    count: u64,
}

impl Queue {
    /// The next commit.
    pub fn pop(&mut self) -> Option<Id> {
        self.heap.pop().map(|next| next.id)
    }

    /// Whether none waits.
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// Lets a commit wait.
    pub fn push(&mut self, commit: &Commit) {
        self.count += 1;
        self.heap.push(Waiting {
            time: commit.committer.time,
            order: std::cmp::Reverse(self.count),
            id: commit.id,
        });
    }
}

/// The commits that can be reached from some and not from others, by date, each once. Used by [`Walk::next`], or by
/// [`Walk::pop`] and [`Walk::push`] where the caller decides which parents are followed.
pub struct Walk<'a> {
    repository: &'a Repository,
    queue: Queue,
    /// What waits or was given out.
    seen: HashSet<Id>,
    /// All that the excluded commits reach, found before the walk begins: exact whatever the clocks say, where git's
    /// own limit of a walk may let some through.
    excluded: HashSet<Id>,
    /// Only first parents are followed.
    pub first_parent: bool,
}

impl<'a> Walk<'a> {
    /// A walk from `include` that leaves out what `exclude` reach. All of them must be commits, not tags.
    pub fn new(repository: &'a Repository, include: &[Id], exclude: &[Id]) -> Outcome<Walk<'a>> {
        let excluded = if exclude.is_empty() {
            HashSet::new()
        } else {
            reachable(repository, exclude)?
        };
        let mut walk = Walk {
            repository,
            queue: Queue::default(),
            seen: HashSet::new(),
            excluded,
            first_parent: false,
        };
        for id in include {
            walk.push(id)?;
        }
        Ok(walk)
    }

    /// Lets a commit wait, unless it was there before or is left out.
    pub fn push(&mut self, id: &Id) -> Outcome {
        if !self.excluded.contains(id) && self.seen.insert(*id) {
            self.queue.push(&self.repository.objects.commit(id)?);
        }
        Ok(())
    }

    /// The next commit, whose parents do not wait yet.
    pub fn pop(&mut self) -> Outcome<Option<Commit>> {
        match self.queue.heap.pop() {
            Some(next) => self.repository.objects.commit(&next.id).map(Some),
            None => Ok(None),
        }
    }

    /// The next commit.
    pub fn next(&mut self) -> Outcome<Option<Commit>> {
        let Some(commit) = self.pop()? else {
            return Ok(None);
        };
        let count = if self.first_parent { 1 } else { usize::MAX };
        for parent in commit.parents.iter().take(count) {
            self.push(parent)?;
        }
        Ok(Some(commit))
    }

    /// Whether a commit is left out.
    pub fn is_excluded(&self, id: &Id) -> bool {
        self.excluded.contains(id)
    }
}

/// All commits that can be reached, the starts included. Costs all of their history.
pub fn reachable(repository: &Repository, starts: &[Id]) -> Outcome<HashSet<Id>> {
    let mut found = HashSet::new();
    let mut open = starts.to_vec();
    while let Some(id) = open.pop() {
        if found.insert(id) {
            open.extend(repository.objects.commit(&id)?.parents);
        }
    }
    Ok(found)
}

/// Whether `old` can be reached from `new`; a commit reaches itself. A search in depth that stops where it is found.
pub fn is_ancestor(repository: &Repository, old: &Id, new: &Id) -> Outcome<bool> {
    let mut seen = HashSet::new();
    let mut open = vec![*new];
    while let Some(id) = open.pop() {
        if id == *old {
            return Ok(true);
        }
        if seen.insert(id) {
            open.extend(repository.objects.commit(&id)?.parents);
        }
    }
    Ok(false)
}

/// The best common ancestors of two commits, the youngest first: those that no other common ancestor reaches. Empty
/// for unrelated histories, several for histories that were merged crosswise.
///
/// Both sides are painted by date until everything that waits is below a common ancestor, as `paint_down_to_common`
/// of git's commit-reach.c does.
pub fn merge_bases(repository: &Repository, one: &Id, two: &Id) -> Outcome<Vec<Id>> {
    if one == two {
        return Ok(vec![*one]);
    }
    const ONE: u8 = 1;
    const TWO: u8 = 2;
    const STALE: u8 = 4;
    let mut flags: HashMap<Id, u8> = HashMap::new();
    let mut queue = Queue::default();
    for (id, flag) in [(one, ONE), (two, TWO)] {
        *flags.entry(*id).or_insert(0) |= flag;
        queue.push(&repository.objects.commit(id)?);
    }
    let mut found = Vec::new();
    while queue
        .heap
        .iter()
        .any(|waiting| flags[&waiting.id] & STALE == 0)
    {
        let Some(next) = queue.heap.pop() else { break };
        let mut flag = flags[&next.id];
        if flag & (ONE | TWO) == ONE | TWO {
            if flag & STALE == 0 && !found.contains(&next.id) {
                found.push(next.id);
            }
            flag |= STALE;
        }
        for parent in repository.objects.commit(&next.id)?.parents {
            let known = flags.entry(parent).or_insert(0);
            if *known & flag != flag {
                *known |= flag;
                queue.push(&repository.objects.commit(&parent)?);
            }
        }
    }
    // One that another one reaches is not among the best.
    let mut best = Vec::new();
    for id in &found {
        let mut reached = false;
        for other in found.iter().filter(|other| *other != id) {
            reached |= is_ancestor(repository, id, other)?;
        }
        if !reached {
            best.push(*id);
        }
    }
    Ok(best)
}

/// How many commits each side has that the other has not; costs both histories.
pub fn ahead_behind(repository: &Repository, own: &Id, other: &Id) -> Outcome<(usize, usize)> {
    let (left, right) = (
        reachable(repository, &[*own])?,
        reachable(repository, &[*other])?,
    );
    Ok((
        left.difference(&right).count(),
        right.difference(&left).count(),
    ))
}

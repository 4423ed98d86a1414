//! Following links from commits to everything they consist of.

use std::collections::HashSet;

use crate::inner::Inner;
use crate::object::{Target, targets};
use crate::{Commit, Error, History, Kind, ObjectId, Result};

/// What is reachable. Grows with each root that is followed.
pub(crate) struct Walk<'a> {
    inner: &'a Inner,
    pub(crate) reached: HashSet<ObjectId>,
    /// Commits, each with the longest history that was followed from it.
    commits: std::collections::HashMap<ObjectId, History>,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(inner: &'a Inner) -> Walk<'a> {
        Walk {
            inner,
            reached: HashSet::new(),
            commits: std::collections::HashMap::new(),
        }
    }

    /// Marks a commit and all it consists of, and so many generations of its parents. Parents that
    /// are gone are history.
    pub(crate) fn commit(&mut self, id: ObjectId, history: History) -> Result<()> {
        let mut pending = vec![(id, history, true)];
        while let Some((id, history, required)) = pending.pop() {
            let known = self.commits.get(&id);
            if known.is_some_and(|known| known.covers(&history)) {
                continue;
            }
            let object = match self.inner.get(id) {
                Err(Error::NotFound { .. }) if !required => continue,
                found => found?,
            };
            let commit = Commit::decode(&object)?;
            if !required && commit.created < history.since {
                continue;
            }
            self.commits.insert(id, history);
            self.reached.insert(id);
            for target in commit.targets() {
                self.target(target)?;
            }
            if let Some(generations) = history.generations.checked_sub(1) {
                let history = History {
                    generations,
                    ..history
                };
                pending.extend(
                    commit
                        .parents
                        .iter()
                        .map(|parent| (*parent, history, false)),
                );
            }
        }
        Ok(())
    }

    /// Marks an object and all that it leads to. Contents are not read.
    pub(crate) fn target(&mut self, first: Target) -> Result<()> {
        let mut pending = vec![first];
        while let Some(target) = pending.pop() {
            if !self.reached.insert(target.id) {
                continue;
            }
            if !matches!(target.kind, Kind::Chunk | Kind::Session | Kind::Settings) {
                let object = self.inner.get(target.id)?;
                pending.extend(targets(&object, target.claim)?);
            }
        }
        Ok(())
    }
}

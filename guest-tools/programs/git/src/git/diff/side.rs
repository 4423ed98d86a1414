//! The two sides that are compared: commits, the index, the work tree.

use std::collections::BTreeSet;
use std::rc::Rc;

use crate::git::change;
use crate::git::change::{Change, Content, Side};
use crate::git::index::Index;
use crate::git::objects::none;
use crate::git::pathspec::Pathspec;
use crate::git::repository::Repository;
use crate::git::stop::Outcome;
use crate::git::tree::{COMMIT, Item, Items};
use crate::git::worktree::State;
use crate::system;

/// The width of the terminal, or what is usual.
pub fn columns() -> usize {
    let columns = std::env::var("COLUMNS")
        .ok()
        .and_then(|text| text.parse().ok());
    columns.filter(|columns| *columns > 0).unwrap_or(80)
}

/// The files that differ between a tree and the index.
pub fn staged(head: &Items, index: &Index, paths: &Pathspec) -> Vec<Change> {
    let mut changes = change::between(head, &index.items());
    let conflicts = index.conflicts();
    changes.retain(|change| !conflicts.contains_key(change.path()));
    changes.extend(conflicts.keys().map(|path| unmerged(path)));
    changes.retain(|change| paths.matches(change.path()));
    changes.sort_by(|a, b| a.path().cmp(b.path()));
    changes
}

fn unmerged(path: &[u8]) -> Change {
    let item = Item {
        mode: 0,
        id: none(),
    };
    Change {
        old: Some(change::side(path, &item)),
        new: Some(change::side(path, &item)),
        score: None,
        copied: false,
        unmerged: true,
    }
}

/// A file of the work tree as a side of a change.
pub fn work_side(repository: &Repository, path: &[u8], item: &Item) -> Outcome<Side> {
    if item.mode == COMMIT {
        let dirty = repository
            .submodule_work(path)?
            .is_some_and(|work| work.modified);
        let end = if dirty { "-dirty" } else { "" };
        let text = format!("Subproject commit {}{end}\n", item.id);
        return Ok(Side {
            path: path.to_vec(),
            item: *item,
            content: Content::Here(Rc::from(text.into_bytes())),
        });
    }
    let content = match system::stat(&repository.file(path)?, false) {
        Ok(stat) => repository.content(path, &stat)?,
        Err(_) => Vec::new(),
    };
    Ok(Side {
        path: path.to_vec(),
        item: *item,
        content: Content::Here(Rc::from(content)),
    })
}

/// The files that differ between the index and the work tree.
pub fn unstaged(repository: &Repository, index: &Index, paths: &Pathspec) -> Outcome<Vec<Change>> {
    let mut changes = Vec::new();
    for (path, state) in repository.changed(index, paths)? {
        let Some(entry) = index.get(&path) else {
            continue;
        };
        let new = match state {
            State::Changed(item) => Some(work_side(repository, &path, &item)?),
            _ => None,
        };
        let old = (!entry.intended).then(|| change::side(&path, &entry.item));
        if old.is_none() && new.is_none() {
            continue;
        }
        changes.push(Change {
            old,
            new,
            score: None,
            copied: false,
            unmerged: false,
        });
    }
    let conflicts = index.conflicts();
    changes.extend(
        conflicts
            .keys()
            .filter(|path| paths.matches(path))
            .map(|path| unmerged(path)),
    );
    changes.sort_by(|a, b| a.path().cmp(b.path()));
    Ok(changes)
}

/// The files that differ between a tree and the work tree.
pub fn against_work(
    repository: &Repository,
    tree: &Items,
    index: &Index,
    paths: &Pathspec,
) -> Outcome<Vec<Change>> {
    let known: BTreeSet<Vec<u8>> = tree.keys().cloned().chain(index.paths()).collect();
    let mut changes = Vec::new();
    for path in known.iter().filter(|path| paths.matches(path)) {
        let old = tree.get(path);
        let new = match index.get(path) {
            Some(entry) => match repository.compare(index, path, entry)? {
                State::Same => Some((entry.item, false)),
                State::Changed(item) => Some((item, true)),
                State::Gone => None,
            },
            None if index.has(path) => repository.item(path, false)?.map(|(item, _)| (item, true)),
            None => None,
        };
        let inside = new.is_some_and(|(item, changed)| changed && item.mode == COMMIT);
        if old.copied() == new.map(|(item, _)| item) && !inside {
            continue;
        }
        let new = match new {
            Some((item, true)) => Some(work_side(repository, path, &item)?),
            Some((item, false)) => Some(change::side(path, &item)),
            None => None,
        };
        changes.push(Change {
            old: old.map(|item| change::side(path, item)),
            new,
            score: None,
            copied: false,
            unmerged: false,
        });
    }
    Ok(changes)
}

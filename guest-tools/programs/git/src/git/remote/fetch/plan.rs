//! The refs that are asked for, and where they go.

use super::{Mark, Update};
use crate::call::bytes;
use crate::git::objects::{Id, parse_id};
use crate::git::remote::Remote;
use crate::git::remote::advert::Advert;
use crate::git::remote::refspec::Refspec;
use crate::git::repository::Repository;
use crate::git::stop::{Outcome, fatal};

/// What is to be fetched and where it goes, what is merged first.
pub(super) fn plan(
    repository: &Repository,
    remote: &Remote,
    advert: &Advert,
    specs: &[Refspec],
    tags: Option<bool>,
) -> Outcome<Vec<Update>> {
    let mut updates: Vec<Update> = Vec::new();
    if !specs.is_empty() {
        for spec in specs.iter().filter(|spec| !spec.negative) {
            expand(&mut updates, spec, advert, Mark::Merge)?;
        }
        let sources: Vec<Vec<u8>> = updates.iter().map(|update| update.source.clone()).collect();
        for source in sources {
            let known = remote.fetch.iter().find(|spec| spec.map(&source).is_some());
            let (Some(spec), Some(id)) = (known, advert.refs.get(&source)) else {
                continue;
            };
            let local = spec.map(&source);
            if updates.iter().all(|update| update.local != local) {
                let (id, force, mark) = (*id, spec.force, Mark::Unmarked);
                updates.push(Update {
                    source,
                    id,
                    local,
                    force,
                    mark,
                });
            }
        }
    } else if remote.fetch.is_empty() {
        let head = Refspec {
            source: b"HEAD".to_vec(),
            ..Refspec::default()
        };
        expand(&mut updates, &head, advert, Mark::Merge)?;
    } else {
        for spec in remote.fetch.iter().filter(|spec| !spec.negative) {
            expand(&mut updates, spec, advert, Mark::Other)?;
        }
        mark_merged(repository, remote, &mut updates);
    }
    let all = if specs.is_empty() {
        &remote.fetch
    } else {
        specs
    };
    let left_out = |name: &[u8]| all.iter().any(|spec| spec.negative && spec.fits(name));
    updates.retain(|update| !left_out(&update.source));
    if tags == Some(true) {
        let rule = Refspec::parse(b"refs/tags/*:refs/tags/*")?;
        let mark = if specs.is_empty() {
            Mark::Other
        } else {
            Mark::Unmarked
        };
        expand(&mut updates, &rule, advert, mark)?;
    }
    updates.sort_by_key(|update| update.mark);
    Ok(updates)
}

/// What the current branch follows is what `pull` merges.
fn mark_merged(repository: &Repository, remote: &Remote, updates: &mut [Update]) {
    let branch = repository.refs.branch().unwrap_or_default();
    let branch = String::from_utf8_lossy(&branch).into_owned();
    let setting = |key: &str| repository.config.get(&format!("branch.{branch}.{key}"));
    if setting("remote") != Some(&remote.name) {
        return;
    }
    let merged = setting("merge");
    for update in updates {
        if merged == Some(&update.source) {
            update.mark = Mark::Merge;
        }
    }
}

/// Adds what a rule stands for.
fn expand(updates: &mut Vec<Update>, spec: &Refspec, advert: &Advert, mark: Mark) -> Outcome {
    let force = spec.force;
    if spec.is_pattern() {
        for (source, id) in &advert.refs {
            if let Some(local) = spec.map(source).filter(|_| source != b"HEAD") {
                let (source, id, local) = (source.clone(), *id, Some(local));
                updates.push(Update {
                    source,
                    id,
                    local,
                    force,
                    mark,
                });
            }
        }
        return Ok(());
    }
    let word = if spec.source.is_empty() {
        b"HEAD"
    } else {
        spec.source.as_slice()
    };
    let found = resolve(advert, word);
    let (source, id) = match (found, parse_id(word)) {
        (Some((source, id)), _) => (source, id),
        (None, Some(id)) => (word.to_vec(), id),
        (None, None) => return Err(fatal(bytes!("couldn't find remote ref ", word))),
    };
    let local = spec.target.as_deref().filter(|target| !target.is_empty());
    let local = local.map(|target| {
        if target.starts_with(b"refs/") {
            target.to_vec()
        } else if source.starts_with(b"refs/tags/") {
            bytes!("refs/tags/", target)
        } else {
            bytes!("refs/heads/", target)
        }
    });
    updates.push(Update {
        source,
        id,
        local,
        force,
        mark,
    });
    Ok(())
}

/// The reference of the other side that a short name means.
pub fn resolve(advert: &Advert, word: &[u8]) -> Option<(Vec<u8>, Id)> {
    let folders = ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"];
    let mut names = folders.iter().map(|folder| bytes!(folder, word));
    names.find_map(|name| advert.refs.get(&name).map(|id| (name, *id)))
}

pub(super) fn refuse_current(repository: &Repository, updates: &[Update]) -> Outcome {
    let current = repository.refs.head();
    let clash = updates
        .iter()
        .any(|update| update.local.is_some() && update.local == current);
    match (&repository.root, current) {
        (Some(root), Some(current)) if clash => Err(fatal(bytes!(
            "refusing to fetch into branch '",
            current,
            "' checked out at '",
            root,
            "'"
        ))),
        _ => Ok(()),
    }
}

//! What is in use: a walk over all objects from where use begins.
//!
//! Commits and tags are followed first, then trees, then files: the order in which a pack has them, each with the
//! name under which it was met, by which `delta` finds what is alike. O(objects), each read once.

use std::collections::HashSet;

use gix_object::Kind;

use super::super::index::Index;
use super::super::objects::{Id, Objects, parse_id};
use super::super::refs::Refs;
use super::super::remote::Member;
use super::super::repository::Repository;
use super::super::stop::{Outcome, fatal};
use super::super::tree::{self, COMMIT, FOLDER};
use super::super::worktrees;
use crate::system;

/// Where use begins: references, the heads and indexes of all work trees, and histories if wanted. The objects need
/// not exist, but for those of histories, which are passed over where they are gone.
pub fn roots(repository: &Repository, histories: bool) -> Outcome<Vec<Id>> {
    let refs = repository.refs.list(b"refs/");
    let mut ids: Vec<Id> = refs.into_iter().map(|(_, id)| id).collect();
    for folder in worktrees::folders(repository) {
        let own = Refs::new(folder.clone(), repository.common.clone());
        ids.extend(own.resolve(b"HEAD"));
        let index = Index::read(&system::join(&folder, b"index"))?;
        let entries = index.all().map(|(_, _, entry)| entry.item);
        ids.extend(
            entries
                .filter(|item| item.mode != COMMIT)
                .map(|item| item.id),
        );
        if histories {
            for moved in own.histories().iter().flat_map(|name| own.history(name)) {
                let known = [moved.old, moved.new].into_iter();
                ids.extend(known.filter(|id| !id.is_null() && repository.objects.has(id)));
            }
        }
    }
    Ok(ids)
}

/// An object that names another.
type Namer = Option<(Kind, Id)>;

/// A way from one object to another that is not there.
pub struct Broken {
    /// Who names it; none where a root does.
    pub from: Namer,
    /// What it should be; none where that cannot be told.
    pub kind: Option<Kind>,
    pub id: Id,
}

/// A walk over all objects in use, which may be gone on with from other starts.
pub struct Reach<'a> {
    objects: &'a Objects,
    /// All that were met.
    pub seen: HashSet<Id>,
    /// Commits and tags, then trees, then files, each as it was met.
    pub members: Vec<Member>,
    /// What was named and is not there.
    pub broken: Vec<Broken>,
    /// What counts as missing; files are only looked at where this is given.
    absent: Option<HashSet<Id>>,
}

impl<'a> Reach<'a> {
    /// A walk that met nothing yet; it looks whether files are there where it is told what is `absent`.
    pub fn new(objects: &'a Objects, absent: Option<HashSet<Id>>) -> Reach<'a> {
        Reach {
            objects,
            seen: HashSet::new(),
            members: Vec::new(),
            broken: Vec::new(),
            absent,
        }
    }

    /// What can be reached from these.
    ///
    /// # Errors
    /// Where an object is corrupt, or misses one that it names.
    pub fn all(objects: &'a Objects, starts: &[Id]) -> Outcome<Reach<'a>> {
        let mut reach = Reach::new(objects, None);
        reach.follow(starts)?;
        match reach.broken.first() {
            Some(Broken {
                kind: Some(Kind::Tree),
                id,
                ..
            }) => Err(fatal(format!("bad tree object {id}"))),
            Some(broken) => Err(fatal(format!("bad object {}", broken.id))),
            None => Ok(reach),
        }
    }

    /// Goes on from these.
    ///
    /// # Errors
    /// Where an object cannot be taken apart.
    pub fn follow(&mut self, starts: &[Id]) -> Outcome {
        let mut trees: Vec<(Id, Vec<u8>, Namer)> = Vec::new();
        let mut blobs = Vec::new();
        let start = |id: &Id| (*id, None, None);
        let mut open: Vec<_> = starts.iter().rev().map(start).collect();
        while let Some((id, from, wanted)) = open.pop() {
            if self.seen.contains(&id) {
                continue;
            }
            let Ok(Some((kind, content))) = self.objects.find(&id) else {
                self.lack(from, wanted, id);
                continue;
            };
            match kind {
                Kind::Tree => trees.push((id, Vec::new(), from)),
                Kind::Blob => blobs.push((id, Vec::new(), from)),
                Kind::Tag => {
                    self.meet(id, kind, Vec::new());
                    let line = content.split(|&byte| byte == b'\n').next();
                    let target = line.and_then(|line| line.strip_prefix(b"object "));
                    if let Some(target) = target.and_then(parse_id) {
                        open.push((target, Some((kind, id)), None));
                    }
                }
                Kind::Commit => {
                    self.meet(id, kind, Vec::new());
                    let commit = self.objects.commit(&id)?;
                    trees.push((commit.tree, Vec::new(), Some((kind, id))));
                    let parents = commit.parents.iter().rev();
                    open.extend(parents.map(|p| (*p, Some((kind, id)), Some(Kind::Commit))));
                }
            }
        }
        trees.reverse();
        while let Some((id, name, from)) = trees.pop() {
            if self.seen.contains(&id) {
                continue;
            }
            if !matches!(self.objects.find(&id), Ok(Some((Kind::Tree, _)))) {
                self.lack(from, Some(Kind::Tree), id);
                continue;
            }
            self.meet(id, Kind::Tree, name);
            let from = Some((Kind::Tree, id));
            for (name, item) in tree::entries(self.objects, &id)? {
                match item.mode {
                    FOLDER => trees.push((item.id, name, from)),
                    COMMIT => {}
                    _ => blobs.push((item.id, name, from)),
                }
            }
        }
        for (id, name, from) in blobs {
            if !self.seen.contains(&id) {
                let gone = |absent: &HashSet<Id>| absent.contains(&id) || !self.objects.has(&id);
                if self.absent.as_ref().is_some_and(gone) {
                    self.lack(from, Some(Kind::Blob), id);
                } else {
                    self.meet(id, Kind::Blob, name);
                }
            }
        }
        Ok(())
    }

    /// Notes an object that is there.
    fn meet(&mut self, id: Id, kind: Kind, name: Vec<u8>) {
        self.seen.insert(id);
        self.members.push(Member { id, kind, name });
    }

    /// Notes one that is not.
    fn lack(&mut self, from: Namer, kind: Option<Kind>, id: Id) {
        self.broken.push(Broken { from, kind, id });
    }
}

//! Three-way merge: what changed in one tree since a common base, made on another one as well.
//!
//! Two trees that were forked from one base number the inodes of the base alike, which is how hard
//! links are recognised.

use std::collections::{BTreeMap, HashMap};

use super::diff::{diff, same_to_reader};
use super::{Body, Directory, Entry, Inode, Name, ROOT, Tree};
use crate::{Change, ChangeKind, Conflict, Error, Kind, Quotas, Result, Timestamp};

/// The outcome of a merge without conflicts.
pub(crate) struct Merged {
    pub(crate) tree: Tree,
    /// Inodes that lost their last name; they are still in the tree.
    pub(crate) nameless: Vec<u64>,
    /// What was changed, in the order of paths.
    pub(crate) changes: Vec<Change>,
}

/// Why there is no merged tree.
pub(crate) enum Refusal {
    Conflicts(Vec<Conflict>),
    File(Error),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Refusal {
        Refusal::File(error)
    }
}

/// Makes the changes from `base` to `theirs` on `ours`.
pub(crate) fn merge(
    base: &Tree,
    ours: &Tree,
    theirs: &Tree,
    quotas: &Quotas,
    now: Timestamp,
) -> Result<Merged, Refusal> {
    let sides = Sides {
        base,
        ours,
        theirs,
        changed: changes_by_path(base, ours)?,
    };
    let wanted = diff(base, theirs)?;
    let conflicts = sides.conflicts(&wanted)?;
    if !conflicts.is_empty() {
        return Err(Refusal::Conflicts(conflicts));
    }
    let is_open = |change: &Change| !sides.changed.contains_key(&change.path);
    let changes: Vec<Change> = wanted.into_iter().filter(is_open).collect();
    let mut writer = Writer {
        base,
        theirs,
        quotas,
        now,
        tree: ours.clone(),
        nameless: Vec::new(),
        made: HashMap::new(),
    };
    writer.apply(&changes)?;
    Ok(Merged {
        tree: writer.tree,
        nameless: writer.nameless,
        changes,
    })
}

/// The changes that a reader sees; one that only a time tells of does not stand in anybody's way.
fn changes_by_path(base: &Tree, side: &Tree) -> Result<BTreeMap<Vec<u8>, ChangeKind>> {
    let mut seen = BTreeMap::new();
    for Change { path, kind } in diff(base, side)? {
        if !look(base, &path)?.same(look(side, &path)?)? {
            seen.insert(path, kind);
        }
    }
    Ok(seen)
}

/// What a reader finds at a path.
#[derive(Clone, Copy)]
struct Look<'a>(Option<&'a Inode>);

fn look<'a>(tree: &'a Tree, path: &[u8]) -> Result<Look<'a>> {
    let number = tree.find(path)?;
    number
        .map(|number| tree.inode(number))
        .transpose()
        .map(Look)
}

impl Look<'_> {
    fn is_directory(self) -> bool {
        self.0.is_some_and(|inode| inode.kind() == Kind::Directory)
    }

    fn same(self, other: Look<'_>) -> Result<bool> {
        match (self.0, other.0) {
            (None, None) => Ok(true),
            (Some(a), Some(b)) => same_to_reader(a, b),
            _ => Ok(false),
        }
    }
}

struct Sides<'a> {
    base: &'a Tree,
    ours: &'a Tree,
    theirs: &'a Tree,
    /// What changed on our side.
    changed: BTreeMap<Vec<u8>, ChangeKind>,
}

impl Sides<'_> {
    fn conflicts(&self, wanted: &[Change]) -> Result<Vec<Conflict>> {
        let mut found = BTreeMap::new();
        for change in wanted {
            let path = &change.path;
            let (base, theirs) = (look(self.base, path)?, look(self.theirs, path)?);
            if base.same(theirs)? {
                continue;
            }
            let theirs_kind = Some(change.kind);
            if let Some(kind) = self.changed.get(path) {
                if !look(self.ours, path)?.same(theirs)? {
                    found.insert(path.clone(), (Some(*kind), theirs_kind));
                }
            } else if let Some(kind) = self.lost_directory_above(path)?
                && theirs.0.is_some()
            {
                found.insert(path.clone(), (Some(kind), theirs_kind));
            }
            if base.is_directory() && !theirs.is_directory() {
                let below = self.present_below(path);
                found.extend(
                    below.map(|(path, kind)| {
                        (path.clone(), (Some(*kind), Some(ChangeKind::Removed)))
                    }),
                );
            }
        }
        let conflict = |(path, (ours, theirs))| Conflict { path, ours, theirs };
        Ok(found.into_iter().map(conflict).collect())
    }

    /// What our side did to a directory above `path` that is none any more.
    fn lost_directory_above(&self, path: &[u8]) -> Result<Option<ChangeKind>> {
        for end in (1..path.len()).filter(|end| path[*end] == b'/') {
            let directory = &path[..end];
            if let Some(kind) = self.changed.get(directory)
                && !look(self.ours, directory)?.is_directory()
            {
                return Ok(Some(*kind));
            }
        }
        Ok(None)
    }

    /// What our side added or changed below a directory.
    fn present_below(&self, path: &[u8]) -> impl Iterator<Item = (&Vec<u8>, &ChangeKind)> {
        let (from, to) = ([path, b"/"].concat(), [path, b"0"].concat());
        let below = self.changed.range(from..to);
        below.filter(|(_, kind)| **kind != ChangeKind::Removed)
    }
}

struct Writer<'a> {
    base: &'a Tree,
    theirs: &'a Tree,
    quotas: &'a Quotas,
    now: Timestamp,
    tree: Tree,
    nameless: Vec<u64>,
    /// Numbers there and here of what was added.
    made: HashMap<u64, u64>,
}

impl Writer<'_> {
    fn apply(&mut self, changes: &[Change]) -> Result<()> {
        // What goes goes first, the deepest before the directory around it.
        for Change { path, .. } in changes.iter().rev() {
            let (here, there) = (self.tree.find(path)?, self.theirs.find(path)?);
            if here.is_some() && !self.stays(here, there)? {
                self.remove(path)?;
            }
        }
        for Change { path, .. } in changes {
            if let Some(there) = self.theirs.find(path)? {
                self.put(path, there)?;
            }
        }
        Ok(())
    }

    /// Whether a node is changed in place: a directory that stays one. A file is replaced, because
    /// other names of it may be ours alone.
    fn stays(&self, here: Option<u64>, there: Option<u64>) -> Result<bool> {
        let (Some(here), Some(there)) = (here, there) else {
            return Ok(false);
        };
        let kinds = (
            self.tree.inode(here)?.kind(),
            self.theirs.inode(there)?.kind(),
        );
        Ok(kinds == (Kind::Directory, Kind::Directory))
    }

    fn remove(&mut self, path: &[u8]) -> Result<()> {
        let (parent, name) = self.place(path)?;
        let number = self.tree.directory(parent)?.names.get(&name)?;
        let number = number.ok_or(Error::NoEntry)?.inode;
        if self.tree.unlink(parent, &name, self.now)? {
            self.nameless.push(number);
        }
        Ok(())
    }

    fn put(&mut self, path: &[u8], there: u64) -> Result<()> {
        if let Some(here) = self.tree.find(path)? {
            return self.update(here, there);
        }
        let (parent, name) = self.place(path)?;
        if let Some(twin) = self.twin(there)? {
            let name = Name::new(&name);
            return self.tree.link(self.quotas, parent, name, twin, self.now);
        }
        let model = self.theirs.inode(there)?;
        let body = match &model.body {
            Body::Directory(_) => Body::Directory(Directory::default()),
            body => body.clone(),
        };
        let mut inode = Inode::new(body, model.mode, model.uid, model.gid, self.now);
        (inode.accessed, inode.modified) = (model.accessed, model.modified);
        inode.created = model.created;
        let modified = inode.modified;
        let Entry { inode: here, .. } =
            self.tree
                .adopt(self.quotas, parent, Name::new(&name), inode)?;
        self.tree.inode_mut(parent)?.touch(self.now);
        self.tree.inode_mut(here)?.modified = modified;
        self.made.insert(there, here);
        Ok(())
    }

    /// Gives a directory its attributes.
    fn update(&mut self, here: u64, there: u64) -> Result<()> {
        let model = self.theirs.inode(there)?;
        let inode = self.tree.inode_mut(here)?;
        (inode.mode, inode.uid, inode.gid) = (model.mode, model.uid, model.gid);
        inode.changed = self.now;
        inode.dirty = true;
        Ok(())
    }

    /// The node here that is the same file as `there` and has another name already.
    fn twin(&self, there: u64) -> Result<Option<u64>> {
        let model = self.theirs.inode(there)?;
        if model.kind() == Kind::Directory {
            return Ok(None);
        }
        if let Some(here) = self.made.get(&there) {
            return Ok(Some(*here));
        }
        let (Some(_), Some(inode)) = (self.base.look_up(there)?, self.tree.look_up(there)?) else {
            return Ok(None);
        };
        Ok((inode.links > 0 && same_to_reader(inode, model)?).then_some(there))
    }

    /// The directory that holds `path`, and the name in it.
    fn place(&self, path: &[u8]) -> Result<(u64, Vec<u8>)> {
        let at = path.iter().rposition(|&byte| byte == b'/');
        let at = at.ok_or(Error::Invalid)?;
        let parent = self.tree.find(&path[..at])?.ok_or(Error::NoEntry)?;
        Ok((parent, path[at + 1..].to_vec()))
    }
}

impl Tree {
    /// The inode at a path as [`Change`] writes it.
    fn find(&self, path: &[u8]) -> Result<Option<u64>> {
        let names = path.split(|&byte| byte == b'/').skip(1);
        let mut number = ROOT;
        for name in names {
            let Some(inode) = self.look_up(number)? else {
                return Ok(None);
            };
            let Body::Directory(directory) = &inode.body else {
                return Ok(None);
            };
            let Some(entry) = directory.names.get(name)? else {
                return Ok(None);
            };
            number = entry.inode;
        }
        Ok(Some(number))
    }
}

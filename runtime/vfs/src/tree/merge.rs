//! Three-way merge: what changed in one tree since a common base, made on another one as well.
//!
//! Two trees that were forked from one base number the inodes of the base alike, which is how hard
//! links are recognised.

use std::collections::{BTreeMap, HashMap};

use super::diff::{Delta, Step, Stop, delta, number, same_to_reader};
use super::{Body, Directory, Entry, Inode, Name, ROOT, Tree};
use crate::{ChangeKind, Conflict, Error, Kind, Quotas, Result, Timestamp};

/// Bytes of paths of conflicts that are told at most: nobody reads more, and a guest chooses how many
/// there are (T47).
const TOLD: usize = 64 << 20;
/// The longest part of a path that is told; the rest lies deeper than any call can name.
const LONGEST: usize = 4095;

/// The outcome of a merge without conflicts.
pub(crate) struct Merged {
    pub(crate) tree: Tree,
    /// Inodes that lost their last name; they are still in the tree.
    pub(crate) nameless: Vec<u64>,
    /// What was changed.
    pub(crate) changes: Delta,
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

/// Makes the changes from `base` to `theirs` on `ours`. Linear in what changed on either side,
/// however deep it lies.
pub(crate) fn merge(
    base: &Tree,
    ours: &Tree,
    theirs: &Tree,
    quotas: &Quotas,
    now: Timestamp,
) -> Result<Merged, Refusal> {
    let stop = Stop::when(&|| false);
    let mut wanted = delta(base, theirs, &stop)?;
    let sides = Sides::new(base, ours, theirs, delta(base, ours, &stop)?)?;
    let (conflicts, places) = sides.compare(&wanted.steps)?;
    if !conflicts.is_empty() {
        return Err(Refusal::Conflicts(conflicts));
    }
    for (step, place) in wanted.steps.iter_mut().zip(&places) {
        if place.settled {
            step.kind = None;
        }
    }
    let mut writer = Writer {
        base,
        theirs,
        quotas,
        now,
        tree: ours.clone(),
        nameless: Vec::new(),
        made: HashMap::new(),
        here: places.into_iter().map(|place| place.here).collect(),
    };
    writer.apply(&wanted.steps)?;
    Ok(Merged {
        tree: writer.tree,
        nameless: writer.nameless,
        changes: wanted,
    })
}

/// What a reader finds at a path.
#[derive(Clone, Copy)]
struct Look<'a>(Option<&'a Inode>);

fn look(tree: &Tree, number: Option<u64>) -> Result<Look<'_>> {
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

/// What stands at the path of a step on our side.
#[derive(Clone, Copy, Default)]
struct Place {
    here: Option<u64>,
    /// The step of our changes that has the same path.
    ours: Option<u32>,
    /// What our side did to a directory above that is none any more.
    lost: Option<ChangeKind>,
    /// A directory above goes on their side.
    gone: bool,
    /// Our side made the same change.
    settled: bool,
}

struct Sides<'a> {
    base: &'a Tree,
    ours: &'a Tree,
    theirs: &'a Tree,
    /// What changed on our side. What only a time tells of has no kind: it stands in nobody's way.
    changed: Vec<Step>,
    /// Steps of `changed` by the step above and the name.
    below: HashMap<(u32, Name), u32>,
}

impl<'a> Sides<'a> {
    fn new(base: &'a Tree, ours: &'a Tree, theirs: &'a Tree, changed: Delta) -> Result<Sides<'a>> {
        let mut changed = changed.steps;
        let mut below = HashMap::with_capacity(changed.len());
        for (at, step) in changed.iter_mut().enumerate() {
            if step.kind.is_some() && look(base, step.old)?.same(look(ours, step.new)?)? {
                step.kind = None;
            }
            if at > 0 {
                below.insert((step.parent, step.name.clone()), at as u32);
            }
        }
        Ok(Sides {
            base,
            ours,
            theirs,
            changed,
            below,
        })
    }

    /// Looks at every path that changed on their side: what is in its way, and what is there.
    fn compare(&self, wanted: &[Step]) -> Result<(Vec<Conflict>, Vec<Place>)> {
        let mut places: Vec<Place> = Vec::with_capacity(wanted.len());
        let (mut conflicts, mut path) = (Conflicts::default(), Path::default());
        for (at, step) in wanted.iter().enumerate() {
            path.follow(at, step);
            let (base, theirs) = (look(self.base, step.old)?, look(self.theirs, step.new)?);
            let mut place = match places.get(step.parent as usize) {
                Some(above) => self.place(step, *above)?,
                None => Place {
                    here: Some(ROOT),
                    ours: Some(0),
                    ..Place::default()
                },
            };
            if let Some(theirs_kind) = step.kind
                && !base.same(theirs)?
            {
                if let Some(kind) = self.kind(place.ours) {
                    if !look(self.ours, place.here)?.same(theirs)? {
                        conflicts.add(&path.bytes, Some(kind), theirs_kind);
                    }
                } else if let Some(kind) = place.lost
                    && theirs.0.is_some()
                {
                    conflicts.add(&path.bytes, Some(kind), theirs_kind);
                }
                if base.is_directory() && !theirs.is_directory() {
                    if !place.gone {
                        self.present_below(place.ours, &path, &mut conflicts);
                    }
                    place.gone = true;
                }
            }
            place.settled = self.kind(place.ours).is_some();
            places.push(place);
        }
        Ok((conflicts.list(), places))
    }

    fn place(&self, step: &Step, above: Place) -> Result<Place> {
        let lost = match above.lost {
            None if !look(self.ours, above.here)?.is_directory() => self.kind(above.ours),
            lost => lost,
        };
        let key = above.ours.map(|above| (above, step.name.clone()));
        Ok(Place {
            here: number(self.ours, above.here, &step.name)?,
            ours: key.and_then(|key| self.below.get(&key).copied()),
            lost,
            gone: above.gone,
            settled: false,
        })
    }

    /// What our side did at a step of its own.
    fn kind(&self, step: Option<u32>) -> Option<ChangeKind> {
        self.changed.get(step? as usize)?.kind
    }

    /// Notes what our side added or changed below a directory that goes on theirs.
    fn present_below(&self, step: Option<u32>, path: &Path, conflicts: &mut Conflicts) {
        let Some(top) = step else { return };
        let mut path = path.clone();
        path.above = vec![(top, path.bytes.len())];
        for at in top + 1.. {
            let Some(step) = self.changed.get(at as usize) else {
                return;
            };
            // Steps above come first, so the first one whose directory lies outside ends it.
            if step.parent < top {
                return;
            }
            path.follow(at as usize, step);
            if let Some(kind) = step.kind
                && kind != ChangeKind::Removed
            {
                conflicts.add(&path.bytes, Some(kind), ChangeKind::Removed);
            }
        }
    }
}

/// The path of a step, while steps are walked in order; what lies deeper than a path can name has
/// that of the directory above.
#[derive(Clone, Default)]
struct Path {
    bytes: Vec<u8>,
    above: Vec<(u32, usize)>,
}

impl Path {
    fn follow(&mut self, at: usize, step: &Step) {
        while self
            .above
            .last()
            .is_some_and(|(above, _)| *above != step.parent)
        {
            self.above.pop();
        }
        if let Some((_, length)) = self.above.last() {
            self.bytes.truncate(*length);
            if length + 1 + step.name.len() <= LONGEST {
                self.bytes.push(b'/');
                self.bytes.extend_from_slice(&step.name);
            }
        }
        self.above.push((at as u32, self.bytes.len()));
    }
}

/// What each side did to a path.
type Both = (Option<ChangeKind>, Option<ChangeKind>);

#[derive(Default)]
struct Conflicts {
    found: BTreeMap<Vec<u8>, Both>,
    bytes: usize,
}

impl Conflicts {
    fn add(&mut self, path: &[u8], ours: Option<ChangeKind>, theirs: ChangeKind) {
        if self.bytes < TOLD && !self.found.contains_key(path) {
            self.bytes += path.len();
            self.found.insert(path.to_vec(), (ours, Some(theirs)));
        }
    }

    fn list(self) -> Vec<Conflict> {
        let conflict = |(path, (ours, theirs))| Conflict { path, ours, theirs };
        self.found.into_iter().map(conflict).collect()
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
    /// What stands at the path of each step.
    here: Vec<Option<u64>>,
}

impl Writer<'_> {
    fn apply(&mut self, steps: &[Step]) -> Result<()> {
        // What goes goes first, the deepest before the directory around it.
        for (at, step) in steps.iter().enumerate().rev() {
            if step.kind.is_some()
                && let Some(here) = self.here[at]
                && !self.stays(here, step.new)?
            {
                self.remove(at, step, here)?;
            }
        }
        for (at, step) in steps.iter().enumerate() {
            if step.kind.is_some()
                && let Some(there) = step.new
            {
                self.put(at, step, there)?;
            }
        }
        Ok(())
    }

    /// Whether a node is changed in place: a directory that stays one. A file is replaced, because
    /// other names of it may be ours alone.
    fn stays(&self, here: u64, there: Option<u64>) -> Result<bool> {
        let Some(there) = there else {
            return Ok(false);
        };
        let kinds = (
            self.tree.inode(here)?.kind(),
            self.theirs.inode(there)?.kind(),
        );
        Ok(kinds == (Kind::Directory, Kind::Directory))
    }

    fn remove(&mut self, at: usize, step: &Step, number: u64) -> Result<()> {
        let parent = self.parent(step)?;
        if self.tree.unlink(parent, &step.name, self.now)? {
            self.nameless.push(number);
        }
        self.here[at] = None;
        Ok(())
    }

    fn put(&mut self, at: usize, step: &Step, there: u64) -> Result<()> {
        if let Some(here) = self.here[at] {
            return self.update(here, there);
        }
        let (parent, name) = (self.parent(step)?, step.name.clone());
        if let Some(twin) = self.twin(there)? {
            self.tree.link(self.quotas, parent, name, twin, self.now)?;
            self.here[at] = Some(twin);
            return Ok(());
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
        let Entry { inode: here, .. } = self.tree.adopt(self.quotas, parent, name, inode)?;
        self.tree.inode_mut(parent)?.touch(self.now);
        self.tree.inode_mut(here)?.modified = modified;
        self.made.insert(there, here);
        self.here[at] = Some(here);
        Ok(())
    }

    /// The directory that holds what a step names.
    fn parent(&self, step: &Step) -> Result<u64> {
        let above = self.here.get(step.parent as usize).copied().flatten();
        above.ok_or(Error::NoEntry)
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
}
